//! PBKDF1, [RFC8018](super) §5.1: key derivation from a password, for old data.

use super::KdfError;
use crate::wipe::wipe;
use crate::{DigestBytes, HashFunction};

/// Fills `key` from a password and a salt by PBKDF1, [RFC8018](super) §5.1, with the given
/// number of hashes. **Only for old data**: use [`pbkdf2`](super::pbkdf2).
///
/// # Errors
///
/// [`KdfError::NoIterations`] for 0 iterations; [`KdfError::OutputLength`] if `key` is
/// longer than one digest.
pub fn pbkdf1<H: HashFunction>(
    password: &[u8],
    salt: &[u8; 8],
    iterations: u32,
    key: &mut [u8],
) -> Result<(), KdfError> {
    if iterations == 0 {
        return Err(KdfError::NoIterations);
    }
    if key.len() > H::Output::SIZE {
        return Err(KdfError::OutputLength { given: key.len() });
    }
    let mut hash = H::new();
    hash.update(password);
    hash.update(salt);
    let mut digest = hash.finalize();
    for _ in 1..iterations {
        digest = H::digest(digest.as_ref());
    }
    key.copy_from_slice(&digest.as_ref()[..key.len()]);
    wipe(digest.as_mut(), 0);
    Ok(())
}
