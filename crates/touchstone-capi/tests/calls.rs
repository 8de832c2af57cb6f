//! What the interface has beyond a message by a handle: counters and seeking, many
//! messages, key wrap, padding, and functions with an algorithm in their names.
#![allow(
    unsafe_code,
    clippy::undocumented_unsafe_blocks,
    reason = "calls as C makes them: pointers are of live slices, handles come from `_new` and \
              are freed once"
)]

use std::ffi::{CStr, c_int};
use std::ptr::{null, null_mut};

use touchstone::block::{Aes128, Aes256};
use touchstone::hidden::AeadEngine as Aead;
use touchstone::mode::{CbcEncrypt, Ctr, EcbSteal, ctr};
use touchstone::{Keyed, Mac};
use touchstone_capi::{
    aead::*, cipher::*, hash::*, mac::*, named::*, padding::*, status::*, wrap::*,
};

fn painted(length: usize) -> Vec<u8> {
    (0..length).map(|i| (i * 7 % 251) as u8).collect()
}

/// A handle with a key.
fn cipher(name: &CStr, key: &[u8]) -> *mut touchstone_cipher {
    unsafe {
        let cipher = touchstone_cipher_new(name.as_ptr(), TOUCHSTONE_ENCRYPT);
        assert!(!cipher.is_null());
        let code = touchstone_cipher_set_key(cipher, key.as_ptr(), key.len());
        assert_eq!(code, TOUCHSTONE_OK);
        cipher
    }
}

#[test]
fn counters_by_each_rule_and_seeking() {
    let (key, data) = (painted(16), painted(400));
    let first = [0xff; 16];
    let aes = Aes128::new(&key).expect("16 bytes");
    let wanted = |rule: c_int| {
        let mut out = data.clone();
        match rule {
            TOUCHSTONE_COUNTER_BIG_ENDIAN => Ctr::new(&aes, &first).apply(&mut out),
            TOUCHSTONE_COUNTER_LITTLE_ENDIAN => {
                Ctr::with_rule(&aes, &first, ctr::LittleEndian).apply(&mut out);
            }
            TOUCHSTONE_COUNTER_BIG_ENDIAN_HALF => {
                Ctr::with_rule(&aes, &first, ctr::BigEndianHalf).apply(&mut out);
            }
            _ => Ctr::with_rule(&aes, &first, ctr::LittleEndianHalf).apply(&mut out),
        }
        out
    };
    for rule in 0..4 {
        let wanted = wanted(rule);
        unsafe {
            let c = touchstone_cipher_new(c"aes-128-ctr".as_ptr(), TOUCHSTONE_DECRYPT);
            let counter = c"counter".as_ptr();
            let code = touchstone_cipher_set_parameter(c, counter, rule as u64);
            assert_eq!(code, TOUCHSTONE_OK);
            touchstone_cipher_set_key(c, key.as_ptr(), 16);
            assert_eq!(touchstone_cipher_seek(c, 0), TOUCHSTONE_ERROR_STATE);
            touchstone_cipher_set_iv(c, first.as_ptr(), 16);
            for place in [0usize, 100, 17, 399, 32] {
                let mut out = data[place..].to_vec();
                assert_eq!(touchstone_cipher_seek(c, place as u64), TOUCHSTONE_OK);
                let p = out.as_mut_ptr();
                assert_eq!(touchstone_cipher_update(c, p, p, out.len()), TOUCHSTONE_OK);
                assert_eq!(out, wanted[place..], "rule {rule} from {place}");
            }
            let code = touchstone_cipher_set_parameter(c, counter, 4);
            assert_eq!(code, TOUCHSTONE_ERROR_PARAMETER);
            touchstone_cipher_free(c);
        }
    }
    let c = cipher(c"aes-128-ofb", &key);
    unsafe {
        assert_eq!(touchstone_cipher_seek(c, 1), TOUCHSTONE_ERROR_NAME);
        let code = touchstone_cipher_set_parameter(c, c"counter".as_ptr(), 1);
        assert_eq!(code, TOUCHSTONE_ERROR_PARAMETER);
        touchstone_cipher_free(c);
    }
}

#[test]
fn ecb_with_stealing() {
    let (key, data) = (painted(16), painted(37));
    let mut wanted = data.clone();
    let aes = Aes128::new(&key).expect("16 bytes");
    EcbSteal::new(&aes)
        .encrypt(&mut wanted)
        .expect("long enough");
    let mut out = vec![0; 37];
    unsafe {
        let name = c"aes-128-ecb-cts".as_ptr();
        let (k, to) = (key.as_ptr(), out.as_mut_ptr());
        let code = touchstone_encrypt(name, k, 16, null(), 0, data.as_ptr(), to, 37);
        assert_eq!((code, &out), (TOUCHSTONE_OK, &wanted));
        let code = touchstone_decrypt(name, k, 16, null(), 0, to, to, 37);
        assert_eq!((code, &out), (TOUCHSTONE_OK, &data));
        let code = touchstone_encrypt(name, k, 16, null(), 0, to, to, 15);
        assert_eq!((code, &out), (TOUCHSTONE_ERROR_DATA_LENGTH, &data));
    }
}

/// Pointers and lengths of messages that lie in one buffer.
fn split(lens: &[usize]) -> Vec<usize> {
    let starts = lens.iter().scan(0, |at, len| {
        let start = *at;
        *at += len;
        Some(start)
    });
    starts.collect()
}

#[test]
fn many_messages_are_as_one_by_one() {
    let key = painted(16);
    let aes = Aes128::new(&key).expect("16 bytes");
    let lens: Vec<usize> = (0..40).map(|i| 16 * (i * 5 % 13)).collect();
    let starts = split(&lens);
    let data = painted(lens.iter().sum());
    let ivs = painted(16 * lens.len());
    let mut wanted = data.clone();
    for (i, (start, len)) in starts.iter().zip(&lens).enumerate() {
        let iv = ivs[16 * i..16 * (i + 1)].try_into().expect("a block");
        let message = &mut wanted[*start..start + len];
        CbcEncrypt::new(&aes, &iv)
            .encrypt(message)
            .expect("whole blocks");
    }
    let mut out = vec![0xa5; data.len() + 1];
    unsafe {
        let at = |base: *const u8| -> Vec<*const u8> {
            starts.iter().map(|start| base.add(*start)).collect()
        };
        let out_at = |base: *mut u8| -> Vec<*mut u8> {
            starts.iter().map(|start| base.add(*start)).collect()
        };
        let c = cipher(c"aes-128-cbc", &key);
        let many = |inputs: &[*const u8], outputs: &[*mut u8], lens: &[usize]| {
            let (i, o) = (inputs.as_ptr(), outputs.as_ptr());
            touchstone_cipher_many(c, ivs.as_ptr(), i, o, lens.as_ptr(), lens.len())
        };
        let (inputs, base) = (at(data.as_ptr()), out.as_mut_ptr());
        let outputs = out_at(base);
        // A message that is no whole block, and outputs that overlap: nothing happens.
        let mut wrong = lens.clone();
        wrong[3] -= 1;
        assert_eq!(
            many(&inputs, &outputs, &wrong),
            TOUCHSTONE_ERROR_DATA_LENGTH
        );
        let mut met = outputs.clone();
        met[7] = met[7].sub(1);
        assert_eq!(many(&inputs, &met, &lens), TOUCHSTONE_ERROR_OVERLAP);
        let mut crossed = outputs.clone();
        crossed.swap(5, 6);
        let inside: Vec<*const u8> = outputs.iter().map(|p| p.cast_const()).collect();
        assert_eq!(many(&inside, &crossed, &lens), TOUCHSTONE_ERROR_OVERLAP);
        assert!(out.iter().all(|byte| *byte == 0xa5));

        let code = many(&inputs, &outputs, &lens);
        assert_eq!((code, &out[..data.len()]), (TOUCHSTONE_OK, &wanted[..]));
        // In place, and by a mode that has no faster way.
        out[..data.len()].copy_from_slice(&data);
        assert_eq!(many(&inside, &outputs, &lens), TOUCHSTONE_OK);
        assert_eq!(out[..data.len()], wanted);
        touchstone_cipher_free(c);

        let back = touchstone_cipher_new(c"aes-128-cbc".as_ptr(), TOUCHSTONE_DECRYPT);
        touchstone_cipher_set_key(back, key.as_ptr(), 16);
        let (i, o) = (inside.as_ptr(), outputs.as_ptr());
        let code = touchstone_cipher_many(back, ivs.as_ptr(), i, o, lens.as_ptr(), lens.len());
        assert_eq!((code, &out[..data.len()]), (TOUCHSTONE_OK, &data[..]));
        touchstone_cipher_free(back);

        // Digests and MACs.
        let (i, n) = (inputs.as_ptr(), lens.len());
        let mut digests = vec![0; 32 * n];
        let name = c"sha-256".as_ptr();
        let to = digests.as_mut_ptr();
        let code = touchstone_digest_many(name, i, lens.as_ptr(), n, to, digests.len());
        assert_eq!(code, TOUCHSTONE_OK);
        let code = touchstone_digest_many(name, i, lens.as_ptr(), n, to, 31);
        assert_eq!(code, TOUCHSTONE_ERROR_OUTPUT_LENGTH);
        let mac = touchstone_mac_new(c"aes-128-cmac".as_ptr());
        let mut tags = vec![0; 8 * n];
        let to = tags.as_mut_ptr();
        let code = touchstone_mac_many(mac, i, lens.as_ptr(), n, to, 8);
        assert_eq!(code, TOUCHSTONE_ERROR_STATE);
        touchstone_mac_set_key(mac, key.as_ptr(), 16);
        let code = touchstone_mac_many(mac, i, lens.as_ptr(), n, to, 8);
        assert_eq!(code, TOUCHSTONE_OK);
        let code = touchstone_mac_many(mac, i, lens.as_ptr(), n, to, 17);
        assert_eq!(code, TOUCHSTONE_ERROR_TAG_LENGTH);
        touchstone_mac_free(mac);
        for (j, (start, len)) in starts.iter().zip(&lens).enumerate() {
            let message = &data[*start..start + len];
            let mut digest = [0; 32];
            touchstone_sha_256(message.as_ptr(), *len, digest.as_mut_ptr());
            assert_eq!(digests[32 * j..32 * (j + 1)], digest);
            let mut tag = [0; 8];
            let (k, m) = (key.as_ptr(), message.as_ptr());
            touchstone_aes_128_cmac(k, 16, m, *len, tag.as_mut_ptr(), 8);
            assert_eq!(tags[8 * j..8 * (j + 1)], tag);
        }
    }
}

/// RFC 3394 §4.6 and RFC 5649 §6, second example.
#[test]
fn keys_are_wrapped_and_unwrapped() {
    let hex = |text: &str| -> Vec<u8> {
        (0..text.len() / 2)
            .map(|i| u8::from_str_radix(&text[2 * i..2 * i + 2], 16).expect("digits"))
            .collect()
    };
    for (name, key, input, output) in [
        (
            c"aes-256-kw",
            "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
            "00112233445566778899aabbccddeeff000102030405060708090a0b0c0d0e0f",
            "28c9f404c4b810f4cbccb35cfb87f8263f5786e2d80ed326cbc7f0e71a99f43bfb988b9b7a02dd21",
        ),
        (
            c"aes-192-kwp",
            "5840df6e29b02af1ab493b705bf16ea1ae8338f4dcc176a8",
            "466f7250617369",
            "afbeb0f07dfbf5419200f2ccb50bb24f",
        ),
    ] {
        let (key, input, output) = (hex(key), hex(input), hex(output));
        let mut out = vec![0xa5; output.len()];
        let mut back = vec![0xa5; output.len() - 8];
        let mut n = 77;
        unsafe {
            let (name, k, i) = (name.as_ptr(), key.as_ptr(), input.as_ptr());
            let to = out.as_mut_ptr();
            let code = touchstone_wrap(name, k, key.len(), i, input.len(), to, 7);
            assert_eq!(code, TOUCHSTONE_ERROR_OUTPUT_LENGTH);
            assert!(out.iter().all(|byte| *byte == 0xa5));
            let code = touchstone_wrap(name, k, key.len(), i, input.len(), to, out.len());
            assert_eq!((code, &out), (TOUCHSTONE_OK, &output));
            let unwrap = |wrapped: &[u8], back: &mut [u8], n: &mut usize| {
                let (w, b) = (wrapped.as_ptr(), back.as_mut_ptr());
                let (wrapped, key, back) = (wrapped.len(), key.len(), back.len());
                touchstone_unwrap(name, k, key, w, wrapped, b, back, n)
            };
            assert_eq!(unwrap(&out, &mut back, &mut n), TOUCHSTONE_OK);
            assert_eq!(back[..n], input);
            assert!(back[n..].iter().all(|byte| *byte == 0));
            out[3] ^= 1;
            n = 77;
            assert_eq!(unwrap(&out, &mut back, &mut n), TOUCHSTONE_ERROR_FORGED);
            assert_eq!((back, n), (vec![0; output.len() - 8], 77));
        }
    }
    unsafe {
        let p = [0; 64].as_mut_ptr();
        let wrap = |name: &CStr, n| touchstone_wrap(name.as_ptr(), p, n, p, 0, null_mut(), 0);
        assert_eq!(wrap(c"des-kw", 8), TOUCHSTONE_ERROR_NAME);
        assert_eq!(wrap(c"aes-128-kw", 15), TOUCHSTONE_ERROR_KEY_LENGTH);
    }
}

#[test]
fn padding_goes_on_and_comes_off() {
    for (name, wanted) in [
        (c"pkcs7", [b'c', 5, 5, 5, 5, 5]),
        (c"iso7816-4", [b'c', 0x80, 0, 0, 0, 0]),
        (c"ansi-x9.23", [b'c', 0, 0, 0, 0, 5]),
        (c"zero", [b'c', 0, 0, 0, 0, 0]),
    ] {
        let mut buffer = *b"abc#############";
        let (mut n, p) = (77, buffer.as_mut_ptr());
        unsafe {
            let name = name.as_ptr();
            let code = touchstone_pad(name, 8, p, 7, 3, &mut n);
            assert_eq!((code, n), (TOUCHSTONE_ERROR_OUTPUT_LENGTH, 77));
            assert_eq!(&buffer, b"abc#############");
            assert_eq!(touchstone_pad(name, 8, p, 16, 3, &mut n), TOUCHSTONE_OK);
            assert_eq!(
                (n, &buffer[2..8], &buffer[8..]),
                (8, &wanted[..], &b"########"[..])
            );
            assert_eq!(touchstone_unpad(name, 8, p, 8, &mut n), TOUCHSTONE_OK);
            assert_eq!(n, 3);
            assert_eq!(
                touchstone_unpad(name, 8, p, 7, &mut n),
                TOUCHSTONE_ERROR_FORGED
            );
            assert_eq!(
                touchstone_pad(name, 12, p, 16, 3, &mut n),
                TOUCHSTONE_ERROR_PARAMETER
            );
            assert_eq!(
                touchstone_pad(name, 8, p, 2, 3, &mut n),
                TOUCHSTONE_ERROR_DATA_LENGTH
            );
            assert_eq!(
                touchstone_pad(name, 8, p, 16, 3, null_mut()),
                TOUCHSTONE_ERROR_NULL
            );
        }
        assert_eq!(n, 3);
    }
    let code = unsafe { touchstone_pad(c"none".as_ptr(), 8, null_mut(), 0, 0, &mut 0) };
    assert_eq!(code, TOUCHSTONE_ERROR_NAME);
}

#[test]
fn named_functions_are_those_of_the_library() {
    let (key, nonce, aad, data) = (painted(32), painted(12), painted(20), painted(50));
    let (k, v, a, i) = (key.as_ptr(), nonce.as_ptr(), aad.as_ptr(), data.as_ptr());
    let (mut out, mut tag) = (vec![0; 50], [0; 16]);
    let (to, t) = (out.as_mut_ptr(), tag.as_mut_ptr());
    let mut wanted = data.clone();
    let mut right = [0; 16];
    let mode = touchstone::aead::Aes256GcmSiv::new(&key).expect("32 bytes");
    mode.encrypt(&nonce, &aad, &mut wanted, &mut right)
        .expect("allowed");
    unsafe {
        let code = touchstone_aes_256_gcm_siv_encrypt(k, 32, v, 12, a, 20, i, to, 50, t, 16);
        assert_eq!((code, &out, tag), (TOUCHSTONE_OK, &wanted, right));
        let code = touchstone_aes_256_gcm_siv_decrypt(k, 32, v, 12, a, 20, to, to, 50, t, 16);
        assert_eq!((code, &out), (TOUCHSTONE_OK, &data));
        tag[0] ^= 1;
        let code = touchstone_aes_256_gcm_siv_decrypt(k, 32, v, 12, a, 20, to, to, 50, t, 16);
        assert_eq!((code, &out), (TOUCHSTONE_ERROR_FORGED, &vec![0; 50]));

        let code = touchstone_twofish_256_eax_encrypt(k, 32, v, 12, a, 20, i, to, 50, t, 16);
        assert_eq!(code, TOUCHSTONE_OK);
        let code = touchstone_twofish_256_eax_decrypt(k, 32, v, 12, a, 20, to, to, 50, t, 16);
        assert_eq!((code, &out), (TOUCHSTONE_OK, &data));

        let gmac = touchstone::aead::Gmac::<Aes256>::new(&key).expect("32 bytes");
        gmac.mac_into(&nonce, &data, &mut right).expect("allowed");
        let code = touchstone_aes_256_gmac(k, 32, v, 12, i, 50, t, 16);
        assert_eq!((code, tag), (TOUCHSTONE_OK, right));

        let mac = touchstone::mac::GostMac::new(&key).expect("32 bytes");
        let code = touchstone_gost28147_gost_mac(k, 32, i, 50, t, 4);
        assert_eq!((code, &tag[..4]), (TOUCHSTONE_OK, &mac.mac(&data)[..]));
        let code = touchstone_gost28147_gost_mac(k, 32, i, 50, t, 5);
        assert_eq!(code, TOUCHSTONE_ERROR_TAG_LENGTH);
        let code = touchstone_gost28147_gost_mac(k, 31, i, 50, t, 4);
        assert_eq!(code, TOUCHSTONE_ERROR_KEY_LENGTH);

        // By name, the same.
        let siv = touchstone_aead_new(c"aes-256-gcm-siv".as_ptr());
        assert_eq!(touchstone_aead_key_size_max(siv), 32);
        touchstone_aead_free(siv);
        let gost = touchstone_mac_new(c"gost28147-gost-mac".as_ptr());
        assert_eq!(touchstone_mac_size(gost), 4);
        touchstone_mac_free(gost);
    }
}
