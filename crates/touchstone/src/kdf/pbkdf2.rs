//! PBKDF2, [RFC8018](super) §5.2: key derivation from a password.

use super::KdfError;
use crate::wipe::wipe;
use crate::{DigestBytes, Mac};

/// The number of output blocks that are computed at once. The blocks do not depend on each
/// other.
const LANES: usize = 16;

/// Fills `key` from a password and a salt by PBKDF2, [RFC8018](super) §5.2. Each block of
/// output is the XOR of a chain of `iterations` MACs. The password is the MAC's key.
///
/// ```
/// use touchstone::hash::Sha256;
/// use touchstone::kdf::pbkdf2;
/// use touchstone::mac::Hmac;
///
/// let mut key = [0; 32];
/// pbkdf2::<Hmac<Sha256>>(b"correct horse", b"salt of this user", 600_000 / 100, &mut key)?;
/// # Ok::<(), touchstone::kdf::KdfError>(())
/// ```
///
/// # Errors
///
/// [`KdfError::NoIterations`] for 0 iterations; [`KdfError::OutputLength`] for more than 2³² −
/// 1 blocks of output; [`KdfError::KeyLength`] if the MAC does not accept the password as its
/// key.
pub fn pbkdf2<M: Mac + Clone>(
    password: &[u8],
    salt: &[u8],
    iterations: u32,
    key: &mut [u8],
) -> Result<(), KdfError> {
    if iterations == 0 {
        return Err(KdfError::NoIterations);
    }
    let size = M::Output::SIZE;
    if u32::try_from(key.len().div_ceil(size)).is_err() {
        return Err(KdfError::OutputLength { given: key.len() });
    }
    let mut mac = M::from_slice(password)?;
    let mut number = 0u32;
    for output in key.chunks_mut(LANES * size) {
        let n = output.len().div_ceil(size);
        // The first MAC of each block. `sum` is the XOR of all MACs of a block.
        let mut u = [M::Output::ZERO; LANES];
        let u = &mut u[..n];
        for u in u.iter_mut() {
            number += 1;
            mac.update(salt);
            mac.update(&number.to_be_bytes());
            *u = mac.finalize();
        }
        let mut sum = [M::Output::ZERO; LANES];
        let sum = &mut sum[..n];
        sum.copy_from_slice(u);
        mac.iterate(iterations - 1, u, sum);
        for (output, sum) in output.chunks_mut(size).zip(&*sum) {
            output.copy_from_slice(&sum.as_ref()[..output.len()]);
        }
        for secrets in [u, sum] {
            wipe(secrets, M::Output::ZERO);
        }
    }
    Ok(())
}
