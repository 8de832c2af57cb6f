//! MACs that are not over a block cipher, and key derivation: known answers over every
//! kernel.

mod answers;

use answers::{Answers, Done};
use touchstone::hash::*;
use touchstone::kdf::{hkdf, pbkdf2};
use touchstone::mac::{Hmac, Kmac128, Kmac256, Poly1305};
use touchstone::{DigestBytes, Keyed, Mac, OneTimeMac};
use touchstone_vectors::Verdict;

#[test]
fn hmac() {
    let mut answers = Answers::of("mac");
    macro_rules! each {
        ($($(#[$cfg:meta])* $id:literal = $Hash:ident;)*) => {$(
            $(#[$cfg])*
            hmac_and_formula::<$Hash>(&mut answers, $id);
        )*};
    }
    touchstone::hash::hashes!(each!);
    answers.report();
}

fn hmac_and_formula<H: HashFunction>(answers: &mut Answers, hash: &str) {
    hmac_by_its_formula::<H>(hash);
    let id = format!("hmac-{hash}");
    if answers.has(&id) {
        hmac_of::<H>(answers, &id);
    } else {
        println!("{id}: SKIPPED, no known answers");
    }
}

/// FIPS 198-1 §4, table 1: H((K₀ ⊕ opad) ‖ H((K₀ ⊕ ipad) ‖ text)).
fn hmac_by_its_formula<H: HashFunction>(id: &str) {
    let data: Vec<u8> = (0..400).map(|i| (i * 7 % 251) as u8).collect();
    for length in [0, 20, H::BLOCK - 1, H::BLOCK, H::BLOCK + 1, 300] {
        let (key, text) = (&data[..length], &data[length..]);
        let mut block = vec![0; H::BLOCK];
        if length > H::BLOCK {
            block[..H::Output::SIZE].copy_from_slice(H::digest(key).as_ref());
        } else {
            block[..length].copy_from_slice(key);
        }
        let padded = |pad: u8| block.iter().map(|byte| byte ^ pad).collect::<Vec<u8>>();
        let inner = H::digest(&[&padded(0x36), text].concat());
        let outer = H::digest(&[&padded(0x5c), inner.as_ref()].concat());
        assert_eq!(
            Hmac::<H>::new(key).mac(text),
            outer,
            "{id}, key of {length}"
        );
    }
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
fn kmac() {
    let mut answers = Answers::of("mac");
    macro_rules! each {
        ($($id:literal = $Kmac:ident;)*) => {$(
            answers.each($id, |kernel: <$Kmac<32> as Keyed>::Kernel, v, place| {
                let mac = $Kmac::<32>::of(kernel, &v.key, &v.aad);
                let mut tag = vec![0; v.output.len()];
                mac.mac_into(&v.input, &mut tag);
                assert_eq!(tag == v.output, v.verdict == Verdict::Valid, "{place}");

                let mut mac = $Kmac::<32>::with_kernel(kernel, &v.key).unwrap();
                let tag = mac.mac(&v.input);
                let mut whole = [0; 32];
                mac.mac_into(&v.input, &mut whole);
                assert_eq!(tag, whole);
                for piece in [1, 7, 200] {
                    v.input.chunks(piece).for_each(|piece| mac.update(piece));
                    assert_eq!(mac.finalize(), tag, "{place}, in pieces of {piece}");
                }
                Done::Right
            });
        )*};
    }
    each! {
        "kmac-128" = Kmac128;
        "kmac-256" = Kmac256;
    }
    answers.report();

    // NIST's samples for SP 800-185: KMAC sample 2 and KMACXOF sample 1.
    let key: [u8; 32] = std::array::from_fn(|i| 0x40 + i as u8);
    let mac = Kmac128::<32>::with_customisation(&key, b"My Tagged Application");
    assert_eq!(
        mac.mac(&[0, 1, 2, 3]).to_string(),
        "3b1fba963cd8b0b59e8c1a6d71888b7143651af8ba0a7070c0979e2811324aa5"
    );
    let mut output = [0; 32];
    let mac = Kmac128::<32>::new(&key).unwrap();
    mac.mac_xof(&[0, 1, 2, 3]).squeeze(&mut output);
    assert_eq!(output[..4], [0xcd, 0x83, 0x74, 0x0b]);
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
