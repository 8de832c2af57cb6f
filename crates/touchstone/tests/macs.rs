//! Tests MACs that are not built on a block cipher, and key derivation: known answers with
//! every kernel.

mod answers;

use answers::{Answers, Done};
use touchstone::block::{Aes128, Aes192, Aes256};
use touchstone::hash::*;
use touchstone::kdf::counted::{kdf1, kdf2, kdf3, mgf1};
use touchstone::kdf::{hkdf, pbkdf1, pbkdf2, s2k, sp800_108};
use touchstone::mac::*;
use touchstone::{BlockEncrypt, DigestBytes, Kernel, Keyed, Mac, NonceMac, OneTimeMac};
use touchstone_vectors::{Vector, Verdict};

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

/// Checks HMAC against its formula in FIPS 198-1 §4, table 1: H((K₀ ⊕ opad) ‖ H((K₀ ⊕ ipad) ‖
/// text)).
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

/// Checks the loop of PBKDF2 against single MACs, for numbers of chains that fill lanes or not.
#[test]
fn chains_of_hmacs() {
    macro_rules! each {
        ($($(#[$cfg:meta])* $id:literal = $Hash:ident;)*) => {$(
            $(#[$cfg])*
            chains::<$Hash>($id);
        )*};
    }
    touchstone::hash::hashes!(each!);
}

fn chains<H: HashFunction>(id: &str) {
    for kernel in H::Kernel::available() {
        let mac = Hmac::<H>::with_kernel(kernel, b"a key").unwrap();
        let first: Vec<H::Output> = (0..40u8).map(|i| mac.mac(&[i])).collect();
        for n in [1, 2, 3, 4, 7, 8, 9, 11, 12, 13, 15, 16, 17, 31, 40] {
            for iterations in [0, 1, 3] {
                let u = &first[..n];
                let mut sums = u.to_vec();
                mac.iterate(iterations, u, &mut sums);
                for (i, (u, sum)) in u.iter().zip(&sums).enumerate() {
                    let (mut u, mut expected) = (*u, *u);
                    for _ in 0..iterations {
                        u = mac.mac(u.as_ref());
                        let bytes = expected.as_mut().iter_mut();
                        bytes.zip(u.as_ref()).for_each(|(sum, u)| *sum ^= u);
                    }
                    let name = kernel.name();
                    assert!(*sum == expected, "{id}, {name}, {n} chains, {i}");
                }
            }
        }
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

    // The answers are NIST's samples for SP 800-185: KMAC sample 2 and KMACXOF sample 1.
    let key: [u8; 32] = std::array::from_fn(|i| 0x40 + i as u8);
    let mac = Kmac128::<32>::with_customisation(&key, b"My Tagged Application");
    assert_eq!(
        mac.mac(&[0, 1, 2, 3]).to_string(),
        "3b1fba963cd8b0b59e8c1a6d71888b7143651af8ba0a7070c0979e2811324aa5"
    );
    let mut output = [0; 32];
    let mac = Kmac128::<32>::from_slice(&key).unwrap();
    mac.mac_xof(&[0, 1, 2, 3]).squeeze(&mut output);
    assert_eq!(output[..4], [0xcd, 0x83, 0x74, 0x0b]);
}

#[test]
fn poly1305() {
    let mut answers = Answers::of("mac");
    answers.each("poly1305", |kernel: PolyKernel, v, place| {
        let Ok(key) = v.key.as_slice().try_into() else {
            return Done::Lacking("a key that is not 32 bytes");
        };
        for piece in [1, 15, 16, 17, 100] {
            let mut mac = Poly1305::with_kernel(kernel, key);
            v.input.chunks(piece).for_each(|piece| mac.update(piece));
            let tag = mac.finalize();
            let right = tag.as_ref() == v.output.as_slice();
            assert_eq!(right, v.verdict == Verdict::Valid, "{place}, by {piece}");
        }
        let given = v.output.as_slice().try_into().unwrap();
        let mut mac = Poly1305::with_kernel(kernel, key);
        mac.update(&v.input);
        assert_eq!(mac.verify(&given).is_ok(), v.verdict == Verdict::Valid);
        Done::Right
    });
    answers.report();
}

type PolyKernel = <Poly1305 as OneTimeMac>::Kernel;

/// Compares every kernel of Poly1305 with the portable form, for every length up to 2100 bytes,
/// in one piece and in two. The extreme keys and messages make the sums in a kernel as large as
/// possible.
#[test]
fn poly1305_at_every_length() {
    let noise: Vec<u8> = (0_u32..2100)
        .map(|i| (i.wrapping_mul(2654435761) >> 11) as u8)
        .collect();
    let ones = vec![0xff; 2100];
    let key: [u8; 32] = std::array::from_fn(|i| noise[7 * i]);
    let portable = PolyKernel::available().last().unwrap();
    assert_eq!(portable.name(), "portable");
    for kernel in PolyKernel::available() {
        for (key, data) in [(key, &noise), ([0xff; 32], &ones), (key, &ones)] {
            for length in 0..=data.len() {
                let tag = |kernel, cut| {
                    let mut mac = Poly1305::with_kernel(kernel, &key);
                    let (first, second) = data[..length].split_at(cut);
                    mac.update(first);
                    mac.update(second);
                    mac.finalize()
                };
                let right = tag(portable, 0);
                for cut in [0, length / 3, length / 2] {
                    assert_eq!(tag(kernel, cut), right, "{} {length} {cut}", kernel.name());
                }
            }
        }
    }
}

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

/// Returns the bytes 0, 1, 2 ….
fn counting(n: usize) -> Vec<u8> {
    (0..n).map(|i| i as u8).collect()
}

/// Checks the answers in the authors' `vectors.h` of 2016. Key and message are the bytes 0, 1,
/// 2 ….
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
fn blake2_with_a_key() {
    macro_rules! each {
        ($($Mac:ident $Hash:ident $longest:literal: $($N:literal)*;)*) => {$($({
            for kernel in <$Mac<$N> as Keyed>::Kernel::available() {
                for length in [1, 16, $longest] {
                    mac_by_hash::<$Mac<$N>>(kernel, &counting(length), |message| {
                        let mut hash = $Hash::<$N>::with_key(&counting(length)).unwrap();
                        hash.update(message);
                        hash.finalize().as_ref().to_vec()
                    });
                }
            }
            assert!($Mac::<$N>::from_slice(&[]).is_err());
            assert!($Mac::<$N>::from_slice(&[0; $longest + 1]).is_err());
        })*)*};
    }
    each! {
        Blake2bMac Blake2b 64: 1 20 32 64;
        Blake2sMac Blake2s 32: 1 16 28 32;
    }
}

/// Compares Skein with a key and BLAKE3 with a key with the hash functions. The answers are in
/// `vectors/`, and tests/by_name.rs checks them.
#[test]
fn skein_and_blake3_with_a_key() {
    macro_rules! each {
        ($($Mac:ident $Hash:ident: $($N:literal)*;)*) => {$($(
            for kernel in <$Mac<$N> as Keyed>::Kernel::available() {
                for length in [0, 1, 32, 200] {
                    let key = counting(length);
                    mac_by_hash::<$Mac<$N>>(kernel, &key, |message| {
                        let mut hash = $Hash::<$N>::with_kernel_and_parameters(kernel, &key, b"");
                        hash.update(message);
                        hash.finalize().as_ref().to_vec()
                    });
                }
            }
        )*)*};
    }
    each! {
        Skein256Mac Skein256: 1 16 32 33;
        Skein512Mac Skein512: 20 64 128;
        Skein1024Mac Skein1024: 32 128;
    }
    let key = counting(32);
    for kernel in <Blake3Mac as Keyed>::Kernel::available() {
        mac_by_hash::<Blake3Mac>(kernel, &key, |message| {
            let key = key[..].try_into().unwrap();
            let mut hash = Blake3::with_kernel_and_key(kernel, key);
            hash.update(message);
            hash.finalize().as_ref().to_vec()
        });
    }
    for length in [0, 31, 33] {
        assert!(Blake3Mac::from_slice(&counting(length)).is_err());
    }
}

/// Compares a MAC with the hash function that has the same key, for messages in one piece, in
/// pieces, and many at once, and after another key.
fn mac_by_hash<M: Mac>(kernel: M::Kernel, key: &[u8], hash: impl Fn(&[u8]) -> Vec<u8>) {
    let mut mac = M::with_kernel(kernel, &vec![1; key.len()]).unwrap();
    mac.update(b"forgotten");
    mac.rekey(key).unwrap();
    let data = counting(5000);
    let lengths = (0..=300).chain([700, 1023, 1024, 1025, 5000]);
    let messages: Vec<&[u8]> = lengths.map(|n| &data[..n]).collect();
    let mut tags = vec![M::Output::ZERO; messages.len()];
    mac.mac_many(&messages, &mut tags).unwrap();
    assert!(mac.mac_many(&messages, &mut tags[1..]).is_err());
    for (message, tag) in messages.iter().zip(&tags) {
        let wanted = hash(message);
        let place = format!("{}, {} bytes", kernel.name(), message.len());
        assert_eq!(tag.as_ref(), wanted, "{place}, many");
        assert_eq!(mac.mac(message).as_ref(), wanted, "{place}");
        for piece in [1, 64, 128, 130] {
            mac.update(&[]);
            message.chunks(piece).for_each(|piece| mac.update(piece));
            assert_eq!(
                mac.finalize().as_ref(),
                wanted,
                "{place}, pieces of {piece}"
            );
        }
    }
    mac.update(b"forgotten");
    mac.reset();
    assert_eq!(mac.finalize().as_ref(), hash(b""));
}

/// Checks Poly1305-AES against its formula: Poly1305 of RFC 8439 with r and the encrypted nonce.
#[test]
fn poly1305_with_a_cipher() {
    let key: [u8; 32] = std::array::from_fn(|i| i as u8 * 7);
    let nonce: [u8; 16] = std::array::from_fn(|i| 200 + i as u8);
    let mut pad = nonce;
    Aes128::new(key.first_chunk().unwrap()).encrypt_block(&mut pad);
    let mut one_time = [0; 32];
    one_time[..16].copy_from_slice(&key[16..]);
    one_time[16..].copy_from_slice(&pad);
    let mut mac = CipherPoly1305::<Aes128>::from_slice(&key).unwrap();
    for n in (0..300).chain([1024, 5000, 16, 0]) {
        let message = counting(n);
        let wanted = Poly1305::mac(&one_time, &message);
        assert_eq!(mac.mac(&nonce.into(), &message), wanted, "{n} bytes");
        message.chunks(37).for_each(|piece| mac.update(piece));
        assert_eq!(mac.finalize(&nonce.into()), wanted, "{n} bytes in pieces");
    }
    for length in [16, 31, 33, 48] {
        assert!(CipherPoly1305::<Aes128>::from_slice(&counting(length)).is_err());
    }
    assert!(CipherPoly1305::<Aes256>::from_slice(&counting(48)).is_ok());
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
    answers.each("poly1305-aes", with_nonce::<CipherPoly1305<Aes128>>);
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

/// Checks the answer in RFC 4418, appendix, for a message of 32 MiB, which needs the polynomial
/// modulo 2^128 - 159.
#[test]
fn umac_beyond_16_mib() {
    let message = vec![b'a'; 1 << 25];
    let nonce = (*b"bcdefghi").into();
    let tag = Umac96::<Aes128>::from_slice(b"abcdefghijklmnop")
        .unwrap()
        .mac(&nonce, &message);
    assert_eq!(hex(tag.as_ref()), "a621c2457c0012e64f3fdae9");
    let tag = Umac64::<Aes128>::from_slice(b"abcdefghijklmnop")
        .unwrap()
        .mac(&nonce, &message);
    assert_eq!(hex(tag.as_ref()), "faca46f856e9b45f");
    let tag = Umac32::<Aes128>::from_slice(b"abcdefghijklmnop")
        .unwrap()
        .mac(&nonce, &message);
    assert_eq!(hex(tag.as_ref()), "85ee5cae");
}

/// Checks answers of Nettle 3.8.1, because RFC 4418 has no answers for tags of 16 bytes, and few
/// for lengths around a group of 32 bytes and a block of 1024. Each message is the letter `a`, as
/// often as the row says.
#[test]
fn umac128() {
    let answers = [
        (0, "32fedb100c79ad58f07ff7643cc60465"),
        (3, "185e4fe905cba7bd85e4c2dc3d117d8d"),
        (31, "0befcb31badade87abb8272b1a9ad699"),
        (32, "fe375d85e89e0dfec6726d52172ca3d0"),
        (33, "a9fca051291b6cb38be8858b4d41e297"),
        (64, "a730521f0a901b954b4ae753bb17e78e"),
        (992, "f3f48902d61e93d67bf98e8a8ce11d0b"),
        (1023, "77a174cb71fbd0e2b4b04bcfacbda089"),
        (1024, "7a54abe04af82d60fb298c3cbd195bcb"),
        (1025, "248e921520e53909caf14fd73937306c"),
        (1056, "d6a787734c9d4ccd372a173bacb71a7a"),
        (2016, "656048c3ba1dd2250b79c2dc4fe8275d"),
        (2048, "52c4ddde452a19ba63b1c4da6f9068b9"),
        (3072, "0afdf9e43bfb1226e4c1b353e02a3f14"),
        (32768, "7b136bd911e4b734286ef2be501f2c3c"),
        (1048576, "f8acfa3ac31cfeea047f7b115b03bef5"),
        (33554432, "a621c2457c0012e64f3fdae9e7e1870c"),
    ];
    let mac = Umac128::<Aes128>::from_slice(b"abcdefghijklmnop").unwrap();
    for (n, wanted) in answers {
        let tag = mac.mac(&(*b"bcdefghi").into(), &vec![b'a'; n]);
        assert_eq!(hex(tag.as_ref()), wanted, "{n} bytes");
    }
}

/// Checks the answers that P. Rogaway published for PMAC with AES-128. The key and the messages
/// are the bytes 0, 1, 2 …, and the last message is 1000 zeros.
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

/// Checks answers of Crypto++ 8.7.0. Key and messages are the bytes 0, 1, 2 …. Crypto++ derives
/// both keys from one key.
#[test]
fn dmac() {
    let answers = [
        (0, "6b318fa358c4f54e75861624966d9455"),
        (1, "65c8c4a65164f5fa73e6567eae1a671c"),
        (15, "cc9a4771cb0f57d4435c4a2d5dc7b1fe"),
        (16, "76439e32c731d40579d5769459d16dba"),
        (17, "75307c48ff00de6eac662f86f5bd3b5e"),
        (100, "a7356af76ac3a3b14234128e74371641"),
    ];
    let cipher = Aes128::from_slice(&counting(16)).unwrap();
    let mut keys = [[0; 16]; 2];
    keys[1][15] = 1;
    keys.iter_mut().for_each(|key| cipher.encrypt_block(key));
    for kernel in <<Aes128 as Keyed>::Kernel as Kernel>::available() {
        let mut mac = Dmac::<Aes128>::with_kernel(kernel, keys.as_flattened()).unwrap();
        for (n, wanted) in answers {
            let message = counting(n);
            let tag = mac.mac(&message);
            assert_eq!(hex(tag.as_ref()), wanted, "{n} bytes, {}", kernel.name());
            message.chunks(7).for_each(|piece| mac.update(piece));
            assert_eq!(mac.finalize(), tag, "{n} bytes, in pieces");
            let mut many = [tag; 3];
            mac.mac_many(&[&message, b"another", &message], &mut many)
                .unwrap();
            assert!(
                many[0] == tag && many[1] != tag && many[2] == tag,
                "{n} bytes, many"
            );
        }
    }
}

/// Checks answers of Crypto++ 8.7.0 (KDF2, MGF1, PBKDF1), OpenSSL 3.0.19 (SP 800-108) and
/// Libgcrypt 1.10.1 (S2K). No library has answers for KDF1 and KDF3 with a purpose: those
/// answers are SHA-256, by Python, of the inputs that the definitions require.
#[test]
fn other_key_derivation() {
    let (secret, purpose) = (b"shared secret", b"purpose");
    let key = &mut [0; 70];
    kdf1::<Sha256>(secret, purpose, key).unwrap();
    assert_eq!(hex(&key[32..48]), "e985204f4ae5b5dbd9ab66556169ba48");
    kdf2::<Sha256>(secret, purpose, key).unwrap();
    assert_eq!(
        hex(key),
        "e985204f4ae5b5dbd9ab66556169ba481a23d8ec1f8f113d16154e67ef2e6c6dbd2923b027e57ca01289646896d4ea2a06dad6fe7944d56da244abcc6c84961acb4a59d2467c"
    );
    kdf3::<Sha256>(secret, purpose, key).unwrap();
    assert_eq!(
        hex(&key[..32]),
        "a936e1633f389e2772cb4a79745dfd7d3955ca52ba7d8ee316a082e6f5c8d053"
    );
    mgf1::<Sha256>(secret, key).unwrap();
    assert_eq!(
        hex(key),
        "2febc5441034bac22feb4409ce6196c6f77b44a486c0eb8720ba93eae90938b64ab26c10ac0fe9a2eafbe057cb85cf136490d084625553c7b69cb25c319eeb2d770fe39cbf61"
    );

    let key = &mut [0; 20];
    pbkdf1::<Sha1>(b"password", b"salt of ", 1000, key).unwrap();
    assert_eq!(hex(key), "bc9d5c8ebfabafa404992de31c727445ed259ab7");
    assert!(pbkdf1::<Sha1>(b"", &[0; 8], 0, key).is_err());
    assert!(pbkdf1::<Sha1>(b"", &[0; 8], 1, &mut [0; 21]).is_err());

    let output = &mut [0; 70];
    let master = counting(16);
    sp800_108::counter_mode::<Hmac<Sha256>>(&master, b"label", b"context", output).unwrap();
    assert_eq!(
        hex(output).to_uppercase(),
        "AF2B03CF571C1297529ADBC9BB94200A6F121596DE299D3779D65AB22FEC810F8458E9EDBAE88C3B8B46FADD92CFEA7154FFE6DD6E4A286FB4DDE3F9DDE8FF7A682DCB70EACD"
    );
    let iv = [0xab; 32];
    sp800_108::feedback_mode::<Hmac<Sha256>>(&master, &iv, b"label", b"context", output).unwrap();
    assert_eq!(
        hex(output).to_uppercase(),
        "91921BCE9DADA15544D343FD9AA3F63AF042FD884394DBE9A0D702C5AF02AD7F08924BF10958E482C2B18E125B07A502409CD5746228E2EA4D7B08A6D861FA249BF3E361226C"
    );

    let (password, salt) = (b"correct horse", b"saltsalt");
    s2k::simple::<Sha1>(password, output);
    assert_eq!(
        hex(output),
        "2f9e53523b62abc141a2b4d6019d23cba835dbd01ab402c9c31deb6204fb8a8f996435dcae1145f05d644bb496f5dd6afb8b8c5963a8b8f892615bd75463f1a1436b7843e4bc"
    );
    s2k::salted::<Sha256>(password, salt, output);
    assert_eq!(
        hex(output),
        "fee222b06c9dbdb904def2ad42084babcac7881605b20436ab92bf96870fd844c36dd7c9d5084fd052bacdfa5d70c8bc96852e2f511c1fb5a0ee5a441b11a0694d84319725de"
    );
    s2k::iterated::<Sha256>(password, salt, 65536, output);
    assert_eq!(
        hex(output),
        "885dc15cddad73f610f9e4f8f8999257b69f60ea8e3bd5b59351cbdb7bbc9c08e5e6c6ade2bc2b24b9eeb6f8fe0c0543755da2e6f839e422daa0725e8e804ed95ff093dd6760"
    );
    s2k::iterated::<Sha256>(password, salt, 10, output);
    assert_eq!(
        hex(output),
        "fee222b06c9dbdb904def2ad42084babcac7881605b20436ab92bf96870fd844c36dd7c9d5084fd052bacdfa5d70c8bc96852e2f511c1fb5a0ee5a441b11a0694d84319725de"
    );
    assert_eq!(
        [s2k::count(0), s2k::count(0x60), s2k::count(255)],
        [1024, 65536, 65_011_712]
    );
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
