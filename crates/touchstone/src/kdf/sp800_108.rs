//! Key derivation from a key, with a MAC as the pseudorandom function, [SP800-108]: in
//! counter mode and in feedback mode, with counters of 32 bits before the label and
//! lengths of 32 bits.
//!
//! - [SP800-108] Recommendation for Key Derivation Using Pseudorandom Functions,
//!   NIST SP 800-108 revision 1, 2022
//!
//! [SP800-108]: https://doi.org/10.6028/NIST.SP.800-108r1

use super::KdfError;
use crate::wipe::wipe;
use crate::{DigestBytes, Mac};

/// Counter mode, [SP800-108](self) §4.1: fills `output` with MACs. The input of each MAC
/// is a counter, the label, a zero byte, the context, and the length of the output in
/// bits.
///
/// # Errors
///
/// [`KdfError::KeyLength`] if the MAC does not take the key; [`KdfError::OutputLength`]
/// for 512 MiB of output or more.
pub fn counter_mode<M: Mac>(
    key: &[u8],
    label: &[u8],
    context: &[u8],
    output: &mut [u8],
) -> Result<(), KdfError> {
    derive::<M>(key, None, label, context, output)
}

/// Feedback mode, [SP800-108](self) §4.2: as [`counter_mode`], but each MAC's input
/// begins with the MAC before it, and the first MAC's input with `iv`.
///
/// # Errors
///
/// [`KdfError::KeyLength`] if the MAC does not take the key; [`KdfError::OutputLength`]
/// for 512 MiB of output or more.
pub fn feedback_mode<M: Mac>(
    key: &[u8],
    iv: &[u8],
    label: &[u8],
    context: &[u8],
    output: &mut [u8],
) -> Result<(), KdfError> {
    derive::<M>(key, Some(iv), label, context, output)
}

fn derive<M: Mac>(
    key: &[u8],
    iv: Option<&[u8]>,
    label: &[u8],
    context: &[u8],
    output: &mut [u8],
) -> Result<(), KdfError> {
    let given = output.len();
    let bits = given
        .checked_mul(8)
        .and_then(|bits| u32::try_from(bits).ok());
    let bits = bits.ok_or(KdfError::OutputLength { given })?;
    let mut mac = M::from_slice(key)?;
    let mut last = M::Output::ZERO;
    for (number, part) in (1u32..).zip(output.chunks_mut(M::Output::SIZE)) {
        if let Some(iv) = iv {
            mac.update(if number == 1 { iv } else { last.as_ref() });
        }
        mac.update(&number.to_be_bytes());
        mac.update(label);
        mac.update(&[0]);
        mac.update(context);
        mac.update(&bits.to_be_bytes());
        last = mac.finalize();
        part.copy_from_slice(&last.as_ref()[..part.len()]);
    }
    wipe(last.as_mut(), 0);
    Ok(())
}
