//! bcrypt_pbkdf, the key derivation of OpenBSD, which protects the private keys of OpenSSH. It
//! is PBKDF2 with a variant of bcrypt in place of the MAC.
//!
//! **Not constant-time**, because Blowfish is not.
//!
//! - [BCRYPT_PBKDF] T. Unangst: bcrypt_pbkdf(3), the manual and the source of OpenBSD, 2013
//!
//! [BCRYPT_PBKDF]: https://man.openbsd.org/bcrypt_pbkdf.3

use super::KdfError;
use crate::block::blowfish::eks::Eksblowfish;
use crate::hash::Sha512;
use crate::wipe::wipe;
use crate::{Digest, KeyLengths};

/// The longest output in bytes.
const LONGEST: usize = 1024;

/// Fills `key` from a password and a salt by bcrypt_pbkdf, [BCRYPT_PBKDF](self).
///
/// ```
/// use touchstone::kdf::bcrypt_pbkdf;
///
/// let mut key = [0; 48];
/// bcrypt_pbkdf(b"correct horse", b"salt of this key", 16, &mut key)?;
/// # Ok::<(), touchstone::kdf::KdfError>(())
/// ```
///
/// # Errors
///
/// [`KdfError::NoIterations`] for 0 iterations; [`KdfError::OutputLength`] for no bytes of
/// output or more than 1024 bytes; [`KdfError::KeyLength`] for an empty password.
pub fn bcrypt_pbkdf(
    password: &[u8],
    salt: &[u8],
    iterations: u32,
    key: &mut [u8],
) -> Result<(), KdfError> {
    if iterations == 0 {
        return Err(KdfError::NoIterations);
    }
    if !(1..=LONGEST).contains(&key.len()) {
        return Err(KdfError::OutputLength { given: key.len() });
    }
    KeyLengths::every(1, 1, usize::MAX).check(password)?;
    let mut password = Sha512::digest(password);
    let blocks = key.len().div_ceil(32);
    for number in 0..blocks {
        let mut hash = Sha512::new();
        hash.update(salt);
        hash.update(&(number as u32 + 1).to_be_bytes());
        let mut made = bcrypt(&password, &hash.finalize());
        let mut sum = made;
        for _ in 1..iterations {
            made = bcrypt(&password, &Sha512::digest(&made));
            for (sum, made) in sum.iter_mut().zip(made) {
                *sum ^= made;
            }
        }
        // The bytes of a block are spread over the output, so that an attacker must compute all
        // blocks to get any part of the key.
        let places = key.iter_mut().skip(number).step_by(blocks);
        for (place, byte) in places.zip(sum) {
            *place = byte;
        }
        wipe(&mut made, 0);
        wipe(&mut sum, 0);
    }
    wipe(password.as_mut(), 0);
    Ok(())
}

/// Computes bcrypt with a cost of 6, a longer salt and a longer text than the usual ones.
fn bcrypt(password: &Digest<64>, salt: &Digest<64>) -> [u8; 32] {
    let mut key = repeated(password);
    let mut state = Eksblowfish::with_long_salt(salt, &key);
    let salt = repeated(salt);
    for _ in 0..1 << 6 {
        state.expand(&salt);
        state.expand(&key);
    }
    wipe(&mut key, 0);
    let mut result = *b"OxychromaticBlowfishSwatDynamite";
    for block in result.as_chunks_mut::<8>().0 {
        let [a, b, c, d, e, f, g, h] = *block;
        let block_now = [
            u32::from_be_bytes([a, b, c, d]),
            u32::from_be_bytes([e, f, g, h]),
        ];
        let [left, right] = state.encrypt(block_now, 64);
        *block = (u64::from(right) << 32 | u64::from(left)).to_le_bytes();
    }
    result
}

/// Returns the bytes that Blowfish's key schedule reads: the digest, and then its beginning
/// again.
fn repeated(digest: &Digest<64>) -> [u8; 72] {
    core::array::from_fn(|i| digest[i % 64])
}
