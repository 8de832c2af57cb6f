//! Tests that calls give the error that their documentation names, and leave the output
//! unchanged. Each row of one table is a call.
//!
//! Errors that types make impossible need no row: an initialization vector of a wrong length,
//! and an output that partly overlaps its input. Both are possible in the C interface, and
//! `crates/touchstone-capi/tests/calls.rs` tests them.

mod common;

use common::{block, painted};
use touchstone::aead::Gmac;
use touchstone::aead::{Aes128Ccm, Aes128Eax, Aes128Gcm, Aes128GcmSiv, Aes128Ocb, Aes128Siv, ccm};
use touchstone::block::{Aes128, Des, Message};
use touchstone::hash::Sha256;
use touchstone::hidden::AeadEngine as Aead;
use touchstone::mac::Cmac;
use touchstone::mode::padding::{AnsiX923, Iso7816, Pkcs7, Zero};
use touchstone::mode::*;
use touchstone::{AeadError, Digest, InvalidPadding, Keyed, Mac};

/// The value of the bytes of the output before a call.
const BEFORE: u8 = 0xa5;

type Call<'c> = Box<dyn FnOnce(&mut [u8]) -> String + 'c>;

/// A call that must fail: its description, the expected error, the length of its buffer, and
/// the call itself, which returns a description of its result.
struct Row<'c> {
    what: &'static str,
    error: &'static str,
    bytes: usize,
    call: Call<'c>,
}

fn row<'c, T: std::fmt::Debug, E: std::fmt::Debug>(
    what: &'static str,
    error: &'static str,
    bytes: usize,
    call: impl FnOnce(&mut [u8]) -> Result<T, E> + 'c,
) -> Row<'c> {
    Row {
        what,
        error,
        bytes,
        call: Box::new(move |out| format!("{:?}", call(out))),
    }
}

fn check(rows: Vec<Row<'_>>) {
    for Row {
        what,
        error,
        bytes,
        call,
    } in rows
    {
        let mut out = vec![BEFORE; bytes];
        let given = call(&mut out);
        assert_eq!(given, format!("Err({error})"), "{what}");
        assert!(out.iter().all(|byte| *byte == BEFORE), "{what}: {out:02x?}");
    }
}

#[test]
fn modes_refuse_and_touch_nothing() {
    let c = Aes128::from_slice(&painted(16)).expect("16 bytes");
    let xts = Xts::<Aes128>::from_slice(&painted(32)).expect("32 bytes");
    let iv = block::<[u8; 16]>(1);
    let input = painted(40);
    let data = &input[..];
    const PARTIAL: &str = "NotWholeBlocks { length: 40, block: 16 }";
    const SHORT: &str = "TooShort { length: 15, least: 16 }";
    const UNEQUAL: &str = "OutputLength { input: 40, output: 41 }";
    macro_rules! in_place_and_apart {
        ($rows:ident: $($what:literal, $error:expr, $bytes:literal,
            $mode:expr, $method:ident, $into:ident $(, $iv:expr)?;)*) => {$(
            $rows.extend([
                row($what, $error, $bytes, |out| $mode.$method($($iv,)? out)),
                row($what, UNEQUAL, 41, |out| $mode.$into($($iv,)? data, out)),
            ]);
        )*};
    }
    let mut rows = Vec::new();
    in_place_and_apart! { rows:
        "ECB", PARTIAL, 40, Ecb::new(&c), encrypt, encrypt_into;
        "ECB back", PARTIAL, 40, Ecb::new(&c), decrypt, decrypt_into;
        "CBC", PARTIAL, 40, CbcEncrypt::new(&c, &iv), encrypt, encrypt_into;
        "CBC back", PARTIAL, 40, CbcDecrypt::new(&c, &iv), decrypt, decrypt_into;
        "ECB with stealing", SHORT, 15, EcbSteal::new(&c), encrypt, encrypt_into;
        "ECB with stealing back", SHORT, 15, EcbSteal::new(&c), decrypt, decrypt_into;
        "CBC-CS1", SHORT, 15, CbcCs1::new(&c), encrypt, encrypt_into, &iv;
        "CBC-CS1 back", SHORT, 15, CbcCs1::new(&c), decrypt, decrypt_into, &iv;
        "CBC-CS2", SHORT, 15, CbcCs2::new(&c), encrypt, encrypt_into, &iv;
        "CBC-CS2 back", SHORT, 15, CbcCs2::new(&c), decrypt, decrypt_into, &iv;
        "CBC-CS3", SHORT, 15, CbcCs3::new(&c), encrypt, encrypt_into, &iv;
        "CBC-CS3 back", SHORT, 15, CbcCs3::new(&c), decrypt, decrypt_into, &iv;
        "XTS", SHORT, 15, xts, encrypt, encrypt_into, &iv;
        "XTS back", SHORT, 15, xts, decrypt, decrypt_into, &iv;
    }
    rows.extend([
        row("CFB", UNEQUAL, 41, |out| {
            CfbEncrypt::new(&c, &iv).encrypt_into(data, out)
        }),
        row("CFB back", UNEQUAL, 41, |out| {
            CfbDecrypt::new(&c, &iv).decrypt_into(data, out)
        }),
        row("CFB-8", UNEQUAL, 41, |out| {
            Cfb8Encrypt::new(&c, &iv).encrypt_into(data, out)
        }),
        row("CFB-8 back", UNEQUAL, 41, |out| {
            Cfb8Decrypt::new(&c, &iv).decrypt_into(data, out)
        }),
        row("OFB", UNEQUAL, 41, |out| {
            Ofb::new(&c, &iv).apply_into(data, out)
        }),
        row("CTR", UNEQUAL, 41, |out| {
            Ctr::new(&c, &iv).apply_into(data, out)
        }),
        row("one of many messages", PARTIAL, 40, |out| {
            Message::new(&iv, out).map(|_| ())
        }),
    ]);
    check(rows);
}

#[test]
fn keys_of_wrong_lengths_are_refused_with_the_right_ones() {
    const TWICE: &str =
        "InvalidKeyLength { given: 16, wanted: KeyLengths { min: 32, max: 32, step: 2 } }";
    const ONCE: &str =
        "InvalidKeyLength { given: 17, wanted: KeyLengths { min: 16, max: 16, step: 1 } }";
    let key = painted(17);
    check(vec![
        row("AES", ONCE, 0, |_| Aes128::from_slice(&key).map(|_| ())),
        row("GCM", ONCE, 0, |_| Aes128Gcm::from_slice(&key).map(|_| ())),
        row("CCM", ONCE, 0, |_| Aes128Ccm::from_slice(&key).map(|_| ())),
        row("EAX", ONCE, 0, |_| Aes128Eax::from_slice(&key).map(|_| ())),
        row("OCB", ONCE, 0, |_| Aes128Ocb::from_slice(&key).map(|_| ())),
        row("GCM-SIV", ONCE, 0, |_| {
            Aes128GcmSiv::from_slice(&key).map(|_| ())
        }),
        row("CMAC", ONCE, 0, |_| {
            Cmac::<Aes128>::from_slice(&key).map(|_| ())
        }),
        row("GMAC", ONCE, 0, |_| {
            Gmac::<Aes128>::from_slice(&key).map(|_| ())
        }),
        row("SIV", TWICE, 0, |_| {
            Aes128Siv::from_slice(&key[..16]).map(|_| ())
        }),
        row("XTS", TWICE, 0, |_| {
            Xts::<Aes128>::from_slice(&key[..16]).map(|_| ())
        }),
        row(
            "DES",
            "InvalidKeyLength { given: 0, wanted: KeyLengths { min: 8, max: 8, step: 1 } }",
            0,
            |_| Des::from_slice(&[]).map(|_| ()),
        ),
    ]);
}

/// Calls a mode on a message and its tag, which are in one buffer.
fn seal(mode: &impl Aead, nonce: usize, tag: usize, out: &mut [u8]) -> Result<(), AeadError> {
    let at = out.len() - tag;
    let (data, tag) = out.split_at_mut(at);
    mode.encrypt(&painted(nonce), b"header", data, tag)
}

fn open(mode: &impl Aead, nonce: usize, tag: usize, out: &mut [u8]) -> Result<(), AeadError> {
    let tag = vec![0; tag];
    mode.decrypt(&painted(nonce), b"header", out, &tag)
}

#[test]
fn authenticated_modes_refuse_and_touch_nothing() {
    let key = painted(32);
    let gcm = Aes128Gcm::from_slice(&key[..16]).expect("16 bytes");
    let ccm = Aes128Ccm::from_slice(&key[..16]).expect("16 bytes");
    let eax = Aes128Eax::from_slice(&key[..16]).expect("16 bytes");
    let ocb = Aes128Ocb::from_slice(&key[..16]).expect("16 bytes");
    let siv = Aes128Siv::from_slice(&key).expect("32 bytes");
    let gcm_siv = Aes128GcmSiv::from_slice(&key[..16]).expect("16 bytes");
    let gmac = Gmac::<Aes128>::from_slice(&key[..16]).expect("16 bytes");
    let input = painted(40);
    const UNEQUAL: &str = "Data(OutputLength { input: 40, output: 41 })";
    let mut rows = Vec::new();
    macro_rules! lengths {
        ($($mode:ident: $nonce:literal, $nonce_error:literal;)*) => {$(
            rows.extend([
                row(stringify!($mode), $nonce_error, 60, |out| seal(&$mode, $nonce, 16, out)),
                row(stringify!($mode), $nonce_error, 60, |out| open(&$mode, $nonce, 16, out)),
            ]);
        )*};
    }
    lengths! {
        gcm: 0, "NonceLength { given: 0 }";
        ccm: 6, "NonceLength { given: 6 }";
        ccm: 14, "NonceLength { given: 14 }";
        ocb: 0, "NonceLength { given: 0 }";
        ocb: 16, "NonceLength { given: 16 }";
        gcm_siv: 13, "NonceLength { given: 13 }";
    }
    macro_rules! tags {
        ($($mode:ident, $tag:literal, $error:literal;)*) => {$(
            rows.push(row(stringify!($mode), $error, 60, |out| seal(&$mode, 12, $tag, out)));
            rows.push(row(stringify!($mode), $error, 60, |out| open(&$mode, 12, $tag, out)));
        )*};
    }
    tags! {
        gcm, 0, "TagLength { given: 0 }";
        gcm, 11, "TagLength { given: 11 }";
        gcm, 17, "TagLength { given: 17 }";
        ccm, 2, "TagLength { given: 2 }";
        ccm, 15, "TagLength { given: 15 }";
        eax, 0, "TagLength { given: 0 }";
        eax, 17, "TagLength { given: 17 }";
        ocb, 0, "TagLength { given: 0 }";
        ocb, 17, "TagLength { given: 17 }";
        siv, 15, "TagLength { given: 15 }";
        gcm_siv, 8, "TagLength { given: 8 }";
    }
    macro_rules! unequal {
        ($($mode:ident)*) => {$(
            rows.push(row(stringify!($mode), UNEQUAL, 41, |out| {
                $mode.encrypt_into(&[0; 12], b"", &input, out, &mut [0; 16])
            }));
            rows.push(row(stringify!($mode), UNEQUAL, 41, |out| {
                $mode.decrypt_into(&[0; 12], b"", &input, out, &[0; 16])
            }));
            rows.push(row(
                stringify!($mode),
                "Data(OutputLength { input: 56, output: 41 })",
                41,
                |out| $mode.seal(&[0; 12], b"", &input, out),
            ));
            rows.push(row(stringify!($mode), "TagLength { given: 15 }", 1, |out| {
                $mode.open(&[0; 12], b"", &input[..15], out)
            }));
        )*};
    }
    unequal! { gcm ccm eax ocb siv gcm_siv }
    // A nonce of thirteen bytes leaves two bytes for the length in CCM. A message must have the
    // lengths that were announced.
    let announced = |aad, data| ccm::Lengths { aad, data, tag: 16 };
    rows.extend([
        row("ccm, long", "MessageLength", 65536, |out| {
            ccm.encrypt(&[0; 13], b"", out, &mut [0; 16])
        }),
        row("ccm, longer than announced", "MessageLength", 40, |out| {
            let mut message = ccm.encryptor(&[0; 12], announced(0, 39))?;
            message.encrypt(out)
        }),
        row(
            "ccm, header longer than announced",
            "MessageLength",
            0,
            |_| ccm.encryptor(&[0; 12], announced(2, 39))?.aad(b"abc"),
        ),
        row("ccm, shorter than announced", "MessageLength", 16, |out| {
            ccm.encryptor(&[0; 12], announced(0, 39))?.finish_into(out)
        }),
        row("gcm, tag of pieces", "TagLength { given: 5 }", 5, |out| {
            gcm.encryptor(&[0; 12])?.finish_into(out)
        }),
        row("gcm, late header", "Order", 0, |_| {
            let mut message = gcm.encryptor(&[0; 12])?;
            message.encrypt(&mut [0; 3])?;
            message.aad(b"late")
        }),
        row("eax, late header", "Order", 0, |_| {
            let mut message = eax.decryptor(&[0; 12]);
            message.decrypt_unverified(&mut [0; 3])?;
            message.aad(b"late")
        }),
        row(
            "ocb, more after the last piece",
            "Data(NotWholeBlocks { length: 40, block: 16 })",
            40,
            |out| {
                let mut message = ocb.encryptor(&[0; 12], 16)?;
                message.encrypt(&mut [0; 17])?;
                message.encrypt(out)
            },
        ),
        row("gmac, nonce", "NonceLength { given: 0 }", 16, |out| {
            gmac.mac_into(b"", b"message", out)
        }),
        row("gmac, tag", "TagLength { given: 9 }", 9, |out| {
            gmac.mac_into(&[0; 12], b"message", out)
        }),
    ]);
    check(rows);
}

#[test]
fn wrapping_padding_macs_and_hashes_refuse_and_touch_nothing() {
    let c = Aes128::from_slice(&painted(16)).expect("16 bytes");
    let wrap = KeyWrap::new(&c);
    let key = painted(64);
    const ROOM: &str = "TooLittleRoom { needed: 16, given: 15 }";
    let mac = Cmac::<Aes128>::from_slice(&painted(16)).expect("16 bytes");
    let messages: [&[u8]; 2] = [b"one", b"two"];
    check(vec![
        row("kw, 8 bytes", "MessageLength", 16, |out| {
            wrap.wrap_into(&key[..8], out)
        }),
        row("kw, 17 bytes", "MessageLength", 25, |out| {
            wrap.wrap_into(&key[..17], out)
        }),
        row("kw, back, 16 bytes", "MessageLength", 8, |out| {
            wrap.unwrap_into(&key[..16], out)
        }),
        row("kwp, nothing", "MessageLength", 8, |out| {
            wrap.wrap_padded_into(&[], out)
        }),
        row("kwp, back, 17 bytes", "MessageLength", 9, |out| {
            wrap.unwrap_padded_into(&key[..17], out)
        }),
        row(
            "kw, room",
            "Data(OutputLength { input: 24, output: 23 })",
            23,
            |out| wrap.wrap_into(&key[..16], out),
        ),
        row("PKCS #7", ROOM, 15, |out| {
            Pkcs7::pad::<[u8; 16]>(out, 15).map(|_| ())
        }),
        row("ISO 7816-4", ROOM, 15, |out| {
            Iso7816::pad::<[u8; 16]>(out, 15).map(|_| ())
        }),
        row("ANSI X9.23", ROOM, 15, |out| {
            AnsiX923::pad::<[u8; 16]>(out, 15).map(|_| ())
        }),
        row("zeros", ROOM, 15, |out| {
            Zero::pad::<[u8; 16]>(out, 15).map(|_| ())
        }),
        row("PKCS #7 off", "InvalidPadding", 16, |out| {
            Pkcs7::unpad::<[u8; 16]>(out).map(|_| ())
        }),
        row(
            "MACs of many",
            "OutputLength { input: 2, output: 1 }",
            16,
            |out| {
                let mut macs = [Digest::from([BEFORE; 16])];
                let result = mac.mac_many(&messages, &mut macs);
                out.copy_from_slice(macs[0].as_ref());
                result
            },
        ),
        row(
            "digests of many",
            "OutputLength { input: 2, output: 1 }",
            32,
            |out| {
                let mut digests = [Digest::from([BEFORE; 32])];
                let result = Sha256::hash_many(&messages, &mut digests);
                out.copy_from_slice(digests[0].as_ref());
                result
            },
        ),
        row("a MAC that is not the message's", "Mismatch", 0, |_| {
            mac.verify(b"message", &[0; 16].into())
        }),
    ]);
    assert_eq!(Zero::unpad::<[u8; 16]>(&[0; 15]), Err(InvalidPadding));
}

/// Tests counters that overflow. The counter of CTR wraps around by its rule. A counter that
/// would repeat within a message causes an error before the message is too long.
#[test]
fn counters_that_are_used_up() {
    let c = Aes128::from_slice(&painted(16)).expect("16 bytes");
    let mut stream = Ctr::new(&c, &[0xff; 16]);
    let mut two = [0; 32];
    stream.apply(&mut two);
    let mut second = [0; 16];
    Ctr::new(&c, &[0; 16]).apply(&mut second);
    assert_eq!(two[16..], second);
    // CCM accepts the longest message whose length fits in the length field.
    let ccm = Aes128Ccm::from_slice(&painted(16)).expect("16 bytes");
    let mut data = vec![0; 65535];
    assert!(ccm.encrypt(&[0; 13], b"", &mut data, &mut [0; 16]).is_ok());
    let lengths = |data| ccm::Lengths {
        aad: 0,
        data,
        tag: 16,
    };
    assert!(ccm.encryptor(&[0; 13], lengths(1 << 16)).is_err());
    assert!(ccm.encryptor(&[0; 12], lengths(1 << 24)).is_err());
    assert!(ccm.encryptor(&[0; 12], lengths((1 << 24) - 1)).is_ok());
}
