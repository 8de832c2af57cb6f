//! X25519 and ML-KEM-768 together: the key encapsulation X-Wing, [XWING]. A file stays secret as
//! long as one of the two is not broken.
//!
//! - [XWING] D. Connolly, P. Schwabe, B. Westerbaan: X-Wing: general-purpose hybrid post-quantum
//!   KEM, draft-connolly-cfrg-xwing-kem-10, 2026
//!
//! [XWING]: https://datatracker.ietf.org/doc/draft-connolly-cfrg-xwing-kem/

use ml_kem::kem::{Decapsulate, KeyExport};
use ml_kem::{B32, DecapsulationKey768, EncapsulationKey768, Seed};
use touchstone::hash::{Sha3_256, Shake256};
use zeroize::Zeroizing;

use super::curve;
use crate::error::Error;

/// Bytes of a public key of ML-KEM-768, FIPS 203 §8.
const MLKEM_PUBLIC: usize = 1184;
/// Bytes of a ciphertext of ML-KEM-768.
const MLKEM_CIPHERTEXT: usize = 1088;
/// The length of a public key in bytes: one of ML-KEM-768, then one of X25519.
pub const PUBLIC: usize = MLKEM_PUBLIC + 32;
/// The length of a ciphertext in bytes: one of ML-KEM-768, then a public key of X25519.
pub const CIPHERTEXT: usize = MLKEM_CIPHERTEXT + 32;

/// [XWING](self) §5.3.
const LABEL: &[u8] = br"\.//^\";

/// A shared secret.
type Key = Zeroizing<[u8; 32]>;

/// The two secret keys that a seed gives, [XWING](self) §5.2.
fn expanded(seed: &[u8; 32]) -> (DecapsulationKey768, Key) {
    let mut bytes = Zeroizing::new([0; 96]);
    Shake256::squeeze_into(seed, &mut *bytes);
    let mut mlkem = Zeroizing::new(Seed::default());
    mlkem.copy_from_slice(&bytes[..64]);
    let mut curve = Zeroizing::new([0; 32]);
    curve.copy_from_slice(&bytes[64..]);
    (DecapsulationKey768::from_seed(*mlkem), curve)
}

/// Returns the public key of a seed.
pub fn public(seed: &[u8; 32]) -> Box<[u8; PUBLIC]> {
    let (mlkem, secret) = expanded(seed);
    let mut key = Box::new([0; PUBLIC]);
    key[..MLKEM_PUBLIC].copy_from_slice(&mlkem.encapsulation_key().to_bytes());
    key[MLKEM_PUBLIC..].copy_from_slice(&curve::public(&secret));
    key
}

fn mlkem_public(public: &[u8]) -> Option<EncapsulationKey768> {
    EncapsulationKey768::new(public.get(..MLKEM_PUBLIC)?.try_into().ok()?).ok()
}

/// Whether these bytes are a public key.
pub fn is_public(bytes: &[u8]) -> bool {
    bytes.len() == PUBLIC && mlkem_public(bytes).is_some()
}

/// [XWING](self) §5.3.
fn combine(mlkem: &[u8], curve: &[u8; 32], share: &[u8], public: &[u8]) -> Key {
    let mut hash = Sha3_256::new();
    for part in [mlkem, curve, share, public, LABEL] {
        hash.update(part);
    }
    Zeroizing::new(hash.finalize().into_bytes())
}

/// Makes a shared secret from 64 random bytes, [XWING](self) §5.4.1. Returns the ciphertext, which
/// gives the secret to the owner of the public key, and the secret.
///
/// # Errors
///
/// [`Error::Setting`] if the public key is none.
pub fn encapsulate_by(public: &[u8], random: &[u8; 64]) -> Result<(Vec<u8>, Key), Error> {
    let wrong = || Error::setting("the hybrid recipient is no valid key");
    let mlkem = mlkem_public(public).ok_or_else(wrong)?;
    let their: &[u8; 32] = public
        .get(MLKEM_PUBLIC..)
        .and_then(|key| key.try_into().ok())
        .ok_or_else(wrong)?;
    let (mut message, mut ephemeral) = (Zeroizing::new(B32::default()), Zeroizing::new([0; 32]));
    message.copy_from_slice(&random[..32]);
    ephemeral.copy_from_slice(&random[32..]);
    let (ciphertext, first) = mlkem.encapsulate_deterministic(&message);
    let first = Zeroizing::new(<[u8; 32]>::from(first));
    let second = curve::shared(&ephemeral, their).ok_or_else(wrong)?;
    let share = curve::public(&ephemeral);
    let mut both = ciphertext.to_vec();
    both.extend(share);
    Ok((both, combine(&*first, &second, &share, their)))
}

/// Returns the shared secret of a ciphertext, [XWING](self) §5.5; `None` if it has a wrong length
/// or a point of small order. A ciphertext for somebody else gives a secret that nobody knows.
pub fn decapsulate(seed: &[u8; 32], ciphertext: &[u8]) -> Option<Key> {
    if ciphertext.len() != CIPHERTEXT {
        return None;
    }
    let (mlkem, secret) = expanded(seed);
    let (ciphertext, share) = ciphertext.split_at(MLKEM_CIPHERTEXT);
    let first = Zeroizing::new(<[u8; 32]>::from(
        mlkem.decapsulate(ciphertext.try_into().ok()?),
    ));
    let second = curve::shared(&secret, share.try_into().ok()?)?;
    Some(combine(&*first, &second, share, &curve::public(&secret)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use touchstone::hash::Sha256;

    fn hex<const N: usize>(text: &str) -> [u8; N] {
        assert_eq!(text.len(), 2 * N);
        std::array::from_fn(|i| u8::from_str_radix(&text[2 * i..2 * i + 2], 16).unwrap())
    }

    /// The first two vectors of [XWING](super), Appendix C, from the draft's repository,
    /// `spec/test-vectors.json`: seed, eseed, ss, and the SHA-256 of pk and of ct.
    const VECTORS: [[&str; 5]; 2] = [
        [
            "7f9c2ba4e88f827d616045507605853ed73b8093f6efbc88eb1a6eacfa66ef26",
            "3cb1eea988004b93103cfb0aeefd2a686e01fa4a58e8a3639ca8a1e3f9ae57e2\
             35b8cc873c23dc62b8d260169afa2f75ab916a58d974918835d25e6a435085b2",
            "d2df0522128f09dd8e2c92b1e905c793d8f57a54c3da25861f10bf4ca613e384",
            "2e816deebcd76c5c80d0cd2d174478871658e8e2ff42bc9d4a6e486372e856bb",
            "17cd532d657e44c897ca6583e548a5424fc70bf54f99515a4d2bcf99e3469f33",
        ],
        [
            "badfd6dfaac359a5efbb7bcc4b59d538df9a04302e10c8bc1cbf1a0b3a5120ea",
            "17cda7cfad765f5623474d368ccca8af0007cd9f5e4c849f167a580b14aabdef\
             aee7eef47cb0fca9767be1fda69419dfb927e9df07348b196691abaeb580b32d",
            "f2e86241c64d60f6649fbc6c5b7d17180b780a3f34355e64a85749949c45f150",
            "c42ba5f8430d7d2c83739338203819f090e8303ce9c8b02107c272bfa5376916",
            "1661ea86d608a1924ba30840cb0a65f13ae051e3aec9cf0f064efc0bc92f2154",
        ],
    ];

    #[test]
    fn the_drafts_vectors_agree() {
        for [seed, eseed, shared, public_digest, ciphertext_digest] in VECTORS {
            let seed = hex(seed);
            let public = public(&seed);
            assert_eq!(
                Sha256::digest(&public[..]).as_ref(),
                hex::<32>(public_digest)
            );
            let (ciphertext, made) = encapsulate_by(&public[..], &hex(eseed)).unwrap();
            assert_eq!(
                Sha256::digest(&ciphertext).as_ref(),
                hex::<32>(ciphertext_digest)
            );
            assert_eq!(*made, hex::<32>(shared));
            let opened = decapsulate(&seed, &ciphertext).unwrap();
            assert_eq!(*opened, hex::<32>(shared));
            assert_eq!(decapsulate(&seed, &ciphertext[1..]), None);
            let mut low = ciphertext.clone();
            low[CIPHERTEXT - 32..].fill(0);
            assert_eq!(decapsulate(&seed, &low), None);
        }
    }
}
