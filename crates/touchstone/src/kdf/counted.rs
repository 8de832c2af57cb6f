//! Key derivation by hashes of a secret and a counter: KDF1, KDF2 and KDF3 of ISO/IEC 18033-2,
//! and MGF1 of PKCS #1. The secret must have enough entropy; these functions are not for
//! passwords.
//!
//! | function | input of the hash for each digest of output | also known as |
//! |---|---|---|
//! | [`kdf1`] | secret, counter from 0, purpose | with an empty purpose [`mgf1`], [RFC8017] §B.2.1 |
//! | [`kdf2`] | secret, counter from 1, purpose | ANSI X9.63, IEEE 1363a |
//! | [`kdf3`] | counter from 0, secret, purpose | |
//!
//! Counters have four bytes, the most significant byte first. The input `purpose` comes from
//! IEEE 1363a; ISO/IEC 18033-2 does not have this input.
//!
//! - [RFC8017] PKCS #1: RSA Cryptography Specifications Version 2.2, RFC 8017, 2016
//!
//! [RFC8017]: https://www.rfc-editor.org/rfc/rfc8017

use super::KdfError;
use crate::wipe::wipe;
use crate::{DigestBytes, HashFunction};

/// Fills `key` by KDF1. [The table](self) lists the inputs of the hash function.
///
/// # Errors
///
/// [`KdfError::OutputLength`] for more than 2³² digests of output.
pub fn kdf1<H: HashFunction>(
    secret: &[u8],
    purpose: &[u8],
    key: &mut [u8],
) -> Result<(), KdfError> {
    counted::<H>(secret, b"", purpose, 0, key)
}

/// Fills `key` by KDF2. [The table](self) lists the inputs of the hash function.
///
/// # Errors
///
/// [`KdfError::OutputLength`] for more than 2³² − 1 digests of output.
pub fn kdf2<H: HashFunction>(
    secret: &[u8],
    purpose: &[u8],
    key: &mut [u8],
) -> Result<(), KdfError> {
    counted::<H>(secret, b"", purpose, 1, key)
}

/// Fills `key` by KDF3. [The table](self) lists the inputs of the hash function.
///
/// # Errors
///
/// [`KdfError::OutputLength`] for more than 2³² digests of output.
pub fn kdf3<H: HashFunction>(
    secret: &[u8],
    purpose: &[u8],
    key: &mut [u8],
) -> Result<(), KdfError> {
    counted::<H>(b"", secret, purpose, 0, key)
}

/// Fills `mask` by MGF1, the mask generation function of RSA-OAEP and RSA-PSS, [RFC8017](self)
/// §B.2.1.
///
/// # Errors
///
/// [`KdfError::OutputLength`] for more than 2³² digests of output.
pub fn mgf1<H: HashFunction>(seed: &[u8], mask: &mut [u8]) -> Result<(), KdfError> {
    counted::<H>(seed, b"", b"", 0, mask)
}

/// Fills the output with digests of `before`, a counter, `after` and `purpose`.
fn counted<H: HashFunction>(
    before: &[u8],
    after: &[u8],
    purpose: &[u8],
    first: u64,
    key: &mut [u8],
) -> Result<(), KdfError> {
    let size = H::Output::SIZE;
    if key.len().div_ceil(size) as u64 + first > 1 << 32 {
        return Err(KdfError::OutputLength { given: key.len() });
    }
    for (number, output) in (first..).zip(key.chunks_mut(size)) {
        let mut hash = H::new();
        hash.update(before);
        hash.update(&(number as u32).to_be_bytes());
        hash.update(after);
        hash.update(purpose);
        let mut digest = hash.finalize();
        output.copy_from_slice(&digest.as_ref()[..output.len()]);
        wipe(digest.as_mut(), 0);
    }
    Ok(())
}
