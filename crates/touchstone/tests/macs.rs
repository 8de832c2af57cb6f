//! MACs that are not over a block cipher, and key derivation: known answers over every
//! kernel.

mod answers;

use answers::{Answers, Done};
use touchstone::block::{Aes128, Aes192, Aes256};
use touchstone::hash::*;
use touchstone::kdf::{hkdf, pbkdf2};
use touchstone::mac::*;
use touchstone::{DigestBytes, Kernel, Keyed, Mac, NonceMac, OneTimeMac};
use touchstone_vectors::{Vector, Verdict};

#[test]
fn hmac() {
    let mut answers = Answers::of("mac");
    macro_rules! each {
        ($($(#[$cfg:meta])* $id:literal = $Hash:ident;)*) => {$(
            $(#[$cfg])*
            hmac_of::<$Hash>(&mut answers, concat!("hmac-", $id));
        )*};
    }
    touchstone::hash::hashes!(each!);
    answers.report();
}

fn hmac_of<H: HashFunction>(answers: &mut Answers, id: &str) {
    answers.each(id, |kernel: H::Kernel, v, place| {
        let mut mac = Hmac::<H>::with_kernel(kernel, &v.key).unwrap();
        let tag = mac.mac(&v.input);
        let wanted = &v.output;
        let cut = |tag: &H::Output| tag.as_ref()[..wanted.len()].to_vec();
        assert_eq!(&cut(&tag) == wanted, v.verdict == Verdict::Valid, "{place}");
        for piece in [1, 7, 64, 200] {
            v.input.chunks(piece).for_each(|piece| mac.update(piece));
            assert_eq!(mac.finalize(), tag, "{place}, in pieces of {piece}");
        }
        let mut many = [H::Output::ZERO; 67];
        let messages = [v.input.as_slice(); 67];
        mac.mac_many(&messages, &mut many).unwrap();
        assert!(many.iter().all(|one| *one == tag), "{place}, many");
        assert!(mac.mac_many(&messages, &mut many[1..]).is_err());
        Done::Right
    });
}

#[test]
fn poly1305() {
    let mut answers = Answers::of("mac");
    answers.each("poly1305", |_: PolyKernel, v, place| {
        let Ok(key) = v.key.as_slice().try_into() else {
            return Done::Lacking("a key that is not 32 bytes");
        };
        for piece in [1, 15, 16, 17, 100] {
            let mut mac = Poly1305::new(key);
            v.input.chunks(piece).for_each(|piece| mac.update(piece));
            let tag = mac.finalize();
            let right = tag.as_ref() == v.output.as_slice();
            assert_eq!(right, v.verdict == Verdict::Valid, "{place}, by {piece}");
        }
        let given = v.output.as_slice().try_into().unwrap();
        let mut mac = <Poly1305 as OneTimeMac>::new(key);
        OneTimeMac::update(&mut mac, &v.input);
        assert_eq!(mac.verify(&given).is_ok(), v.verdict == Verdict::Valid);
        Done::Right
    });
    answers.report();
}

/// Poly1305 is set up by its key alone, for the best kernel.
type PolyKernel = <Sha256 as HashFunction>::Kernel;

#[test]
fn siphash() {
    let mut answers = Answers::of("mac");
    plain::<SipHash<1, 3, 8>>(&mut answers, "siphash-1-3");
    plain::<SipHash24>(&mut answers, "siphash-2-4");
    plain::<SipHash24Long>(&mut answers, "siphash-2-4-128");
    plain::<SipHash<4, 8, 8>>(&mut answers, "siphash-4-8");
    plain::<SipHash<4, 8, 16>>(&mut answers, "siphash-4-8-128");
    answers.report();
}

fn plain<M: Mac>(answers: &mut Answers, id: &str) {
    answers.each(id, |kernel: M::Kernel, v, place| {
        let mut mac = M::with_kernel(kernel, &v.key).unwrap();
        let tag = mac.mac(&v.input);
        assert_eq!(
            tag.as_ref() == v.output,
            v.verdict == Verdict::Valid,
            "{place}"
        );
        for piece in [1, 7, 64, 200] {
            v.input.chunks(piece).for_each(|piece| mac.update(piece));
            assert_eq!(mac.finalize(), tag, "{place}, in pieces of {piece}");
        }
        mac.update(b"forgotten");
        mac.reset();
        mac.update(&v.input);
        assert_eq!(mac.finalize(), tag, "{place}, after a reset");
        Done::Right
    });
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The bytes 0, 1, 2 ….
fn counting(n: usize) -> Vec<u8> {
    (0..n).map(|i| i as u8).collect()
}

/// The authors' `vectors.h` of 2016: key and message are the bytes 0, 1, 2 ….
#[test]
fn half_siphash() {
    let short = [
        "a9359f5b", "27475ab8", "fa62a603", "8afee704", "2a6e4689", "c5fab669", "5863fc23",
        "8bcf63c5", "d0b8848f", "f806e779", "94b07934", "08083050",
    ];
    let key = counting(8);
    let mac = HalfSipHash24::new(key.as_slice().try_into().unwrap());
    for (n, wanted) in short.iter().enumerate() {
        let mut pieces = mac.clone();
        counting(n).chunks(3).for_each(|piece| pieces.update(piece));
        assert_eq!(pieces.finalize(), mac.mac(&counting(n)));
        assert_eq!(hex(mac.mac(&counting(n)).as_ref()), *wanted, "{n} bytes");
    }
    let mac = HalfSipHash24Long::new(key.as_slice().try_into().unwrap());
    assert_eq!(hex(mac.mac(b"").as_ref()), "218d1f59b9b83cc8");
}

#[test]
fn macs_with_nonces() {
    let mut answers = Answers::of("mac");
    macro_rules! each {
        ($($id:literal = $Mac:ident;)*) => {$(
            answers.each($id, |kernel, v, place| match v.key.len() {
                16 => with_nonce::<$Mac<Aes128>>(kernel, v, place),
                24 => with_nonce::<$Mac<Aes192>>(kernel, v, place),
                32 => with_nonce::<$Mac<Aes256>>(kernel, v, place),
                _ => Done::Lacking("a key that AES does not take"),
            });
        )*};
    }
    each! {
        "vmac-64" = Vmac64;
        "vmac-128" = Vmac128;
        "umac-32" = Umac32;
        "umac-64" = Umac64;
        "umac-96" = Umac96;
    }
    answers.report();
}

fn with_nonce<M: NonceMac>(kernel: M::Kernel, v: &Vector, place: &str) -> Done {
    assert!(M::Nonce::try_from(&[]).is_err() && M::Nonce::try_from(&[0; 17]).is_err());
    let mut mac = M::with_kernel(kernel, &v.key).unwrap();
    let Ok(nonce) = M::Nonce::try_from(&v.nonce) else {
        assert_eq!(v.verdict, Verdict::Invalid, "{place}: the nonce");
        return Done::Right;
    };
    let tag = mac.mac(&nonce, &v.input);
    let right = tag.as_ref() == v.output;
    assert_eq!(right, v.verdict == Verdict::Valid, "{place}: {tag:?}");
    let mut given = tag;
    given.as_mut().copy_from_slice(&v.output);
    assert_eq!(
        mac.verify(&nonce, &v.input, &given).is_ok(),
        right,
        "{place}"
    );
    for piece in [1, 7, 16, 1000, 1024, 5000] {
        v.input.chunks(piece).for_each(|piece| mac.update(piece));
        assert_eq!(mac.finalize(&nonce), tag, "{place}, in pieces of {piece}");
    }
    mac.update(b"forgotten");
    mac.reset();
    mac.update(&v.input);
    assert_eq!(mac.finalize(&nonce), tag, "{place}, after a reset");
    Done::Right
}

/// [RFC 4418] appendix: the message of 32 MiB, which goes through the polynomial over 2^128 - 159.
#[test]
fn umac_beyond_16_mib() {
    let message = vec![b'a'; 1 << 25];
    let nonce = (*b"bcdefghi").into();
    let tag = Umac96::<Aes128>::new(b"abcdefghijklmnop")
        .unwrap()
        .mac(&nonce, &message);
    assert_eq!(hex(tag.as_ref()), "a621c2457c0012e64f3fdae9");
    let tag = Umac64::<Aes128>::new(b"abcdefghijklmnop")
        .unwrap()
        .mac(&nonce, &message);
    assert_eq!(hex(tag.as_ref()), "faca46f856e9b45f");
    let tag = Umac32::<Aes128>::new(b"abcdefghijklmnop")
        .unwrap()
        .mac(&nonce, &message);
    assert_eq!(hex(tag.as_ref()), "85ee5cae");
}

/// Answers of Nettle 3.8.1: RFC 4418 has none for 16 bytes. The messages are `a` so many times.
#[test]
fn umac128() {
    let answers = [
        (0, "32fedb100c79ad58f07ff7643cc60465"),
        (3, "185e4fe905cba7bd85e4c2dc3d117d8d"),
        (1024, "7a54abe04af82d60fb298c3cbd195bcb"),
        (32768, "7b136bd911e4b734286ef2be501f2c3c"),
        (1048576, "f8acfa3ac31cfeea047f7b115b03bef5"),
        (33554432, "a621c2457c0012e64f3fdae9e7e1870c"),
    ];
    let mac = Umac128::<Aes128>::new(b"abcdefghijklmnop").unwrap();
    for (n, wanted) in answers {
        let tag = mac.mac(&(*b"bcdefghi").into(), &vec![b'a'; n]);
        assert_eq!(hex(tag.as_ref()), wanted, "{n} bytes");
    }
}

/// P. Rogaway's published answers for PMAC with AES-128: the key and the messages are
/// the bytes 0, 1, 2 …, and the last message is 1000 zeros.
#[test]
fn pmac() {
    let answers = [
        (0, "4399572cd6ea5341b8d35876a7098af7"),
        (3, "256ba5193c1b991b4df0c51f388a9e27"),
        (16, "ebbd822fa458daf6dfdad7c27da76338"),
        (20, "0412ca150bbf79058d8c75a58c993f55"),
        (32, "e97ac04e9e5e3399ce5355cd7407bc75"),
        (34, "5cba7d5eb24f7c86ccc54604e53d5512"),
    ];
    for kernel in <<Aes128 as Keyed>::Kernel as Kernel>::available() {
        let mut mac = Pmac::<Aes128>::with_kernel(kernel, &counting(16)).unwrap();
        let many = (1000, "c2c9fa1d9985f6f0d2aff915a0e8d910");
        for (n, wanted) in answers.into_iter().chain([many]) {
            let message = if n == 1000 { vec![0; n] } else { counting(n) };
            let tag = mac.mac(&message);
            assert_eq!(hex(tag.as_ref()), wanted, "{n} bytes, {}", kernel.name());
            for piece in [1, 16, 17, 100] {
                message.chunks(piece).for_each(|piece| mac.update(piece));
                assert_eq!(mac.finalize(), tag, "{n} bytes by {piece}");
            }
        }
    }
}

#[test]
fn key_derivation() {
    let mut answers = Answers::of("kdf");
    macro_rules! each {
        ($($(#[$cfg:meta])* $id:literal = $Hash:ident;)*) => {$( $(#[$cfg])* derived::<$Hash>(&mut answers, $id); )*};
    }
    each! {
        "sha-1" = Sha1;
        "sha-256" = Sha256;
        "sha-384" = Sha384;
        "sha-512" = Sha512;
    }
    answers.report();
}

fn derived<H: HashFunction>(answers: &mut Answers, hash: &str) {
    answers.each(&format!("hkdf-{hash}"), |_: H::Kernel, v, place| {
        let mut key = vec![0; v.output.len()];
        let result = hkdf::<H>(&v.input, &v.nonce, &v.aad, &mut key);
        assert_eq!(
            result.is_ok() && key == v.output,
            v.verdict == Verdict::Valid,
            "{place}"
        );
        Done::Right
    });
    answers.each(&format!("pbkdf2-hmac-{hash}"), |_: H::Kernel, v, place| {
        let mut key = vec![0; v.output.len()];
        let iterations = v.cost("iterations").unwrap().try_into().unwrap();
        pbkdf2::<Hmac<H>>(&v.input, &v.nonce, iterations, &mut key).unwrap();
        assert_eq!(key, v.output, "{place}");
        Done::Right
    });
    assert!(hkdf::<H>(b"", b"", b"", &mut vec![0; 255 * H::Output::SIZE + 1]).is_err());
    assert!(pbkdf2::<Hmac<H>>(b"", b"", 0, &mut [0]).is_err());
}
