//! X25519 and ML-KEM-768 together, by the key encapsulation X-Wing.

use oldfiles::keys::x_wing::{CIPHERTEXT, decapsulate, encapsulate_by};
use zeroize::Zeroizing;

use crate::error::Result;
use crate::file_key::{FileKey, WRAPPED};
use crate::random::Randomness;

pub(crate) use oldfiles::keys::x_wing::{PUBLIC, public};

pub(super) fn wrap(
    key: &FileKey,
    public: &[u8; PUBLIC],
    random: &mut dyn Randomness,
) -> Result<Vec<u8>> {
    let mut bytes = Zeroizing::new([0; 64]);
    random.fill(&mut bytes[..])?;
    let (mut body, shared) = encapsulate_by(public, &bytes)?;
    let wrapped = key.wrap(&shared[..], b"x-wing", &body);
    body.extend_from_slice(&wrapped);
    Ok(body)
}

pub(super) fn unwrap(body: &[u8], seed: &[u8; 32]) -> Option<FileKey> {
    let (ciphertext, wrapped) = body.split_at_checked(CIPHERTEXT)?;
    let wrapped: &[u8; WRAPPED] = wrapped.try_into().ok()?;
    let shared = decapsulate(seed, ciphertext)?;
    FileKey::unwrap(wrapped, &shared[..], b"x-wing", ciphertext)
}
