//! Padding, for the modes that accept only whole blocks.

use pyo3::prelude::*;
use pyo3::types::PyBytes;
use touchstone::block::Block;
use touchstone::mode::Padding;
use touchstone::mode::padding::{AnsiX923, Iso7816, Pkcs7, Zero};
use touchstone::wipe;
use zeroize::Zeroizing;

use crate::SMALL;
use crate::buffer::Input;
use crate::error::{InvalidTag, ParameterError};

/// One kind of padding for blocks of one size.
struct Kind {
    /// Returns the length of the padded message, whose room is one block more than the message.
    pad: fn(&mut [u8], usize) -> Option<usize>,
    unpad: fn(&[u8]) -> Option<usize>,
}

fn kind<P: Padding, B: Block>() -> Kind {
    Kind {
        pad: |room, length| Some(P::pad::<B>(room, length).ok()?.len()),
        unpad: |data| Some(P::unpad::<B>(data).ok()?.len()),
    }
}

fn sized<P: Padding>(block: usize) -> Option<Kind> {
    Some(match block {
        8 => kind::<P, [u8; 8]>(),
        16 => kind::<P, [u8; 16]>(),
        32 => kind::<P, [u8; 32]>(),
        64 => kind::<P, [u8; 64]>(),
        128 => kind::<P, [u8; 128]>(),
        _ => return None,
    })
}

fn find(padding: &str, block: usize) -> PyResult<Kind> {
    let kind = match padding {
        "pkcs7" => sized::<Pkcs7>(block),
        "iso7816-4" => sized::<Iso7816>(block),
        "ansi-x9.23" => sized::<AnsiX923>(block),
        "zero" => sized::<Zero>(block),
        _ => {
            return Err(ParameterError::new_err(format!(
                "{padding:?} is no padding; take pkcs7, iso7816-4, ansi-x9.23 or zero"
            )));
        }
    };
    kind.ok_or_else(|| {
        ParameterError::new_err(format!(
            "no cipher has blocks of {block} bytes; take 8, 16, 32, 64 or 128"
        ))
    })
}

/// Returns the message with padding to a multiple of block_size bytes (8, 16, 32, 64 or 128). padding
/// is pkcs7 (RFC 5652), iso7816-4, ansi-x9.23 or zero.
///
/// Raises ParameterError.
#[pyfunction]
#[pyo3(signature = (data, block_size, padding="pkcs7"))]
pub(crate) fn pad<'py>(
    py: Python<'py>,
    data: Input,
    block_size: usize,
    padding: &str,
) -> PyResult<Bound<'py, PyBytes>> {
    let kind = find(padding, block_size)?;
    let data = data.bytes();
    let mut room = Zeroizing::new(vec![0; data.len() + block_size]);
    room[..data.len()].copy_from_slice(data);
    let length = wipe::after(SMALL, || (kind.pad)(&mut room, data.len()));
    let length = length.expect("the room is one block longer than the message");
    Ok(PyBytes::new(py, &room[..length]))
}

/// Returns the message without its padding. The arguments are those of pad().
///
/// Raises InvalidTag if the message does not end with padding. A program that tells this error to
/// others lets them decrypt messages in CBC: authenticate the message first.
#[pyfunction]
#[pyo3(signature = (data, block_size, padding="pkcs7"))]
pub(crate) fn unpad<'py>(
    py: Python<'py>,
    data: Input,
    block_size: usize,
    padding: &str,
) -> PyResult<Bound<'py, PyBytes>> {
    let kind = find(padding, block_size)?;
    let data = data.bytes();
    let length = wipe::after(SMALL, || (kind.unpad)(data)).ok_or_else(|| {
        InvalidTag::new_err(format!(
            "the message does not end with {padding} padding for blocks of {block_size} bytes"
        ))
    })?;
    Ok(PyBytes::new(py, &data[..length]))
}
