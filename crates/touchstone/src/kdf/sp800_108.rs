//! Key derivation from a key, with a MAC as the pseudorandom function, [SP800-108]: counter
//! mode, feedback mode and double-pipeline mode. Counters have 32 bits and stand before the
//! label. Lengths have 32 bits.
//!
//! - [SP800-108] Recommendation for Key Derivation Using Pseudorandom Functions,
//!   NIST SP 800-108 revision 1, 2022
//!
//! [SP800-108]: https://doi.org/10.6028/NIST.SP.800-108r1

use super::KdfError;
use crate::wipe::wipe;
use crate::{DigestBytes, Mac};

/// Fills `output` with MACs in counter mode, [SP800-108](self) §4.1. The input of each MAC is a
/// counter, the label, a zero byte, the context, and the length of the output in bits.
///
/// # Errors
///
/// [`KdfError::KeyLength`] if the MAC does not accept the key; [`KdfError::OutputLength`]
/// for 512 MiB of output or more.
pub fn counter_mode<M: Mac>(
    key: &[u8],
    label: &[u8],
    context: &[u8],
    output: &mut [u8],
) -> Result<(), KdfError> {
    derive::<M>(key, Mode::Counter, label, context, output)
}

/// Fills `output` with MACs in feedback mode, [SP800-108](self) §4.2. The mode differs from
/// [`counter_mode`] in one point: the input of each MAC begins with the MAC before it, and the
/// input of the first MAC begins with `iv`.
///
/// # Errors
///
/// [`KdfError::KeyLength`] if the MAC does not accept the key; [`KdfError::OutputLength`]
/// for 512 MiB of output or more.
pub fn feedback_mode<M: Mac>(
    key: &[u8],
    iv: &[u8],
    label: &[u8],
    context: &[u8],
    output: &mut [u8],
) -> Result<(), KdfError> {
    derive::<M>(key, Mode::Feedback(iv), label, context, output)
}

/// Fills `output` with MACs in double-pipeline mode with a counter, [SP800-108](self) §4.3. The
/// mode differs from [`counter_mode`] in one point: the input of each MAC begins with a value
/// of a first pipeline. The first value of this pipeline is the MAC of label, zero byte,
/// context and length. Each later value is the MAC of the value before it.
///
/// # Errors
///
/// [`KdfError::KeyLength`] if the MAC does not accept the key; [`KdfError::OutputLength`]
/// for 512 MiB of output or more.
pub fn double_pipeline_mode<M: Mac>(
    key: &[u8],
    label: &[u8],
    context: &[u8],
    output: &mut [u8],
) -> Result<(), KdfError> {
    derive::<M>(key, Mode::DoublePipeline, label, context, output)
}

/// The mode, which determines the value with which each MAC's input begins.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Mode<'a> {
    /// Counter mode: the input of a MAC begins with no such value.
    Counter,
    /// Feedback mode: the input of a MAC begins with the MAC before it. The first input begins
    /// with this value.
    Feedback(&'a [u8]),
    /// Double-pipeline mode: the input of a MAC begins with a value of the first pipeline.
    DoublePipeline,
}

fn derive<M: Mac>(
    key: &[u8],
    mode: Mode<'_>,
    label: &[u8],
    context: &[u8],
    output: &mut [u8],
) -> Result<(), KdfError> {
    let bits = bits(output)?;
    let mut mac = M::from_slice(key)?;
    let mut room = [M::Output::ZERO; 2];
    let [made, chain] = &mut room;
    fill(
        mode,
        &[label, &[0], context, &bits],
        [made.as_mut(), chain.as_mut()],
        output,
        |start, rest, tag| {
            let parts = start.iter().chain(rest);
            parts.for_each(|part| mac.update(part));
            tag.copy_from_slice(mac.finalize().as_ref());
            Ok(())
        },
    )
}

/// Returns the length of the output in bits.
pub(crate) fn bits(output: &[u8]) -> Result<[u8; 4], KdfError> {
    let given = output.len();
    let bits = given
        .checked_mul(8)
        .and_then(|bits| u32::try_from(bits).ok());
    let bits = bits.ok_or(KdfError::OutputLength { given })?;
    Ok(bits.to_be_bytes())
}

/// Fills the output. `mac` computes the MAC of a message, which the call passes as two lists of
/// parts. `made` and `chain` have the length of a MAC.
pub(crate) fn fill<E>(
    mode: Mode<'_>,
    fixed: &[&[u8]],
    [made, chain]: [&mut [u8]; 2],
    output: &mut [u8],
    mut mac: impl FnMut(&[&[u8]], &[&[u8]], &mut [u8]) -> Result<(), E>,
) -> Result<(), E> {
    for (number, part) in (1u32..).zip(output.chunks_mut(made.len())) {
        if let Mode::DoublePipeline = mode {
            match number {
                1 => mac(&[], fixed, made)?,
                _ => mac(&[chain], &[], made)?,
            }
            chain.copy_from_slice(made);
        }
        let before = match (mode, number) {
            (Mode::Counter, _) => &[],
            (Mode::Feedback(iv), 1) => iv,
            _ => &*chain,
        };
        mac(&[before, &number.to_be_bytes()], fixed, made)?;
        part.copy_from_slice(&made[..part.len()]);
        if let Mode::Feedback(_) = mode {
            chain.copy_from_slice(made);
        }
    }
    wipe(made, 0);
    wipe(chain, 0);
    Ok(())
}
