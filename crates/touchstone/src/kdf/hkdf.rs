//! HKDF, [RFC5869](super): extracts a key from a secret, and expands this key to other keys.

use super::KdfError;
use crate::mac::hmac::{close, start};
use crate::wipe::wipe;
use crate::{DigestBytes, HashFunction, Kernel as _};

/// Fills `key` by HKDF-Extract and HKDF-Expand, [RFC5869](super) §2. The inputs are a secret
/// with enough entropy, a salt, which may be empty, and `info`, the purpose of the key.
///
/// ```
/// use touchstone::hash::Sha256;
/// use touchstone::kdf::hkdf;
///
/// let shared_secret = [0x42; 32];
/// let mut key = [0; 16];
/// hkdf::<Sha256>(&shared_secret, b"", b"client writes", &mut key)?;
/// # Ok::<(), touchstone::kdf::KdfError>(())
/// ```
///
/// # Errors
///
/// [`KdfError::OutputLength`] for more than 255 digests of output.
pub fn hkdf<H: HashFunction>(
    secret: &[u8],
    salt: &[u8],
    info: &[u8],
    key: &mut [u8],
) -> Result<(), KdfError> {
    let mut prk = extract::<H>(salt, secret);
    let result = expand::<H>(prk.as_ref(), info, key);
    wipe(prk.as_mut(), 0);
    result
}

/// Computes HKDF-Extract, [RFC5869](super) §2.2, and returns a key as long as a digest. An
/// empty salt gives the same result as a salt of zeros.
pub fn extract<H: HashFunction>(salt: &[u8], secret: &[u8]) -> H::Output {
    let [inner, outer] = start::<H>(H::Kernel::best(), salt);
    close(&outer, H::finish_after(&inner, secret))
}

/// Computes HKDF-Expand, [RFC5869](super) §2.3: fills `key` from a key of [`extract`] and the
/// purpose `info`.
///
/// # Errors
///
/// [`KdfError::OutputLength`] for more than 255 digests of output.
pub fn expand<H: HashFunction>(prk: &[u8], info: &[u8], key: &mut [u8]) -> Result<(), KdfError> {
    let size = H::Output::SIZE;
    if key.len() > 255 * size {
        return Err(KdfError::OutputLength { given: key.len() });
    }
    let [inner, outer] = start::<H>(H::Kernel::best(), prk);
    let mut last = H::Output::ZERO;
    for (number, output) in (1u8..=255).zip(key.chunks_mut(size)) {
        let mut message = inner.clone();
        if number != 1 {
            message.update(last.as_ref());
        }
        message.update(info);
        message.update(&[number]);
        last = close(&outer, message.finalize());
        output.copy_from_slice(&last.as_ref()[..output.len()]);
    }
    wipe(last.as_mut(), 0);
    Ok(())
}
