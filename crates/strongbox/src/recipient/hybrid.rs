//! X25519 and ML-KEM-768 together: the key encapsulation X-Wing, [XWING]. The file stays secret
//! as long as one of the two is not broken.
//!
//! - [XWING] D. Connolly, P. Schwabe, B. Westerbaan: X-Wing: general-purpose hybrid post-quantum
//!   KEM, draft-connolly-cfrg-xwing-kem-10, 2026
//!
//! [XWING]: https://datatracker.ietf.org/doc/draft-connolly-cfrg-xwing-kem/

use ml_kem::kem::{Decapsulate, KeyExport};
use ml_kem::{DecapsulationKey768, EncapsulationKey768};
use touchstone::hash::{Sha3_256, Shake256};
use x25519_dalek::{X25519_BASEPOINT_BYTES, x25519};
use zeroize::Zeroizing;

use crate::error::{Error, Result};
use crate::file_key::{FileKey, WRAPPED};
use crate::random::Randomness;

/// The length of a public key in bytes: one of ML-KEM-768, then one of X25519.
pub(crate) const PUBLIC: usize = ML_PUBLIC + 32;
const ML_PUBLIC: usize = 1184;
/// The length of a ciphertext in bytes: one of ML-KEM-768, then a public key of X25519.
const CIPHERTEXT: usize = ML_CIPHERTEXT + 32;
const ML_CIPHERTEXT: usize = 1088;
/// [XWING](self) §5.3.
const LABEL: &[u8; 6] = br"\.//^\";

/// The two secret keys that follow from a seed, [XWING](self) §5.2.
fn expand(seed: &[u8; 32]) -> (DecapsulationKey768, Zeroizing<[u8; 32]>) {
    let mut bytes = Zeroizing::new([0; 96]);
    Shake256::squeeze_into(seed, &mut bytes[..]);
    let (lattice, curve) = bytes.split_at(64);
    let lattice = Zeroizing::new(<[u8; 64]>::try_from(lattice).expect("64 bytes"));
    let mut secret = Zeroizing::new([0; 32]);
    secret.copy_from_slice(curve);
    (DecapsulationKey768::from_seed((*lattice).into()), secret)
}

/// Returns the public key of a seed.
pub(super) fn public(seed: &[u8; 32]) -> Box<[u8; PUBLIC]> {
    let (lattice, curve) = expand(seed);
    let mut public = Box::new([0; PUBLIC]);
    public[..ML_PUBLIC].copy_from_slice(&lattice.encapsulation_key().to_bytes());
    public[ML_PUBLIC..].copy_from_slice(&x25519(*curve, X25519_BASEPOINT_BYTES));
    public
}

/// The combiner of [XWING](self) §5.3.
fn combine(
    lattice: &[u8],
    curve: &[u8; 32],
    ephemeral: &[u8; 32],
    public: &[u8],
) -> Zeroizing<[u8; 32]> {
    let mut hash = Sha3_256::default();
    for part in [lattice, curve, ephemeral, public, LABEL] {
        hash.update(part);
    }
    let mut shared = Zeroizing::new([0; 32]);
    shared.copy_from_slice(hash.finalize().as_ref());
    shared
}

/// Makes a shared secret for a public key, from 64 random bytes, [XWING](self) §5.4.1. Returns
/// the ciphertext and the shared secret.
fn encapsulate(public: &[u8; PUBLIC], random: &[u8; 64]) -> Result<(Vec<u8>, Zeroizing<[u8; 32]>)> {
    let wrong = |_| Error::Key("the public key of ML-KEM-768 is none".into());
    let bytes = public[..ML_PUBLIC].try_into().expect("its length");
    let lattice = EncapsulationKey768::new(bytes).map_err(wrong)?;
    let message = Zeroizing::new(<[u8; 32]>::try_from(&random[..32]).expect("32 bytes"));
    let secret = Zeroizing::new(<[u8; 32]>::try_from(&random[32..]).expect("32 bytes"));
    let their: [u8; 32] = public[ML_PUBLIC..].try_into().expect("32 bytes");
    let (lattice_ciphertext, lattice_shared) =
        lattice.encapsulate_deterministic(&(*message).into());
    let lattice_shared = Zeroizing::new(<[u8; 32]>::from(lattice_shared));
    let ephemeral = x25519(*secret, X25519_BASEPOINT_BYTES);
    let curve = Zeroizing::new(x25519(*secret, their));
    let shared = combine(&lattice_shared[..], &curve, &ephemeral, &their);
    let mut ciphertext = lattice_ciphertext.to_vec();
    ciphertext.extend_from_slice(&ephemeral);
    Ok((ciphertext, shared))
}

/// Returns the shared secret of a ciphertext, [XWING](self) §5.5. A wrong ciphertext gives a
/// secret that nobody knows.
fn decapsulate(ciphertext: &[u8; CIPHERTEXT], seed: &[u8; 32]) -> Zeroizing<[u8; 32]> {
    let (lattice, secret) = expand(seed);
    let bytes: [u8; ML_CIPHERTEXT] = ciphertext[..ML_CIPHERTEXT].try_into().expect("its length");
    let ephemeral: [u8; 32] = ciphertext[ML_CIPHERTEXT..].try_into().expect("32 bytes");
    let lattice_shared = Zeroizing::new(<[u8; 32]>::from(lattice.decapsulate(&bytes.into())));
    let curve = Zeroizing::new(x25519(*secret, ephemeral));
    let public = x25519(*secret, X25519_BASEPOINT_BYTES);
    combine(&lattice_shared[..], &curve, &ephemeral, &public)
}

pub(super) fn wrap(
    key: &FileKey,
    public: &[u8; PUBLIC],
    random: &mut dyn Randomness,
) -> Result<Vec<u8>> {
    let mut bytes = Zeroizing::new([0; 64]);
    random.fill(&mut bytes[..])?;
    let (mut body, shared) = encapsulate(public, &bytes)?;
    let wrapped = key.wrap(&shared[..], b"x-wing", &body);
    body.extend_from_slice(&wrapped);
    Ok(body)
}

pub(super) fn unwrap(body: &[u8], seed: &[u8; 32]) -> Option<FileKey> {
    let (ciphertext, wrapped) = body.split_at_checked(CIPHERTEXT)?;
    let wrapped: &[u8; WRAPPED] = wrapped.try_into().ok()?;
    let shared = decapsulate(ciphertext.try_into().ok()?, seed);
    FileKey::unwrap(wrapped, &shared[..], b"x-wing", ciphertext)
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
            let (ciphertext, made) = encapsulate(&public, &hex(eseed)).unwrap();
            assert_eq!(
                Sha256::digest(&ciphertext).as_ref(),
                hex::<32>(ciphertext_digest)
            );
            assert_eq!(*made, hex::<32>(shared));
            let ciphertext = ciphertext[..].try_into().unwrap();
            assert_eq!(*decapsulate(ciphertext, &seed), hex::<32>(shared));
        }
    }
}
