//! Padding, for the modes that accept only whole blocks.
#![allow(unsafe_code)]

use core::ffi::{c_char, c_int, c_void};

use touchstone::block::Block;
use touchstone::mode::Padding;
use touchstone::mode::padding::{AnsiX923, Iso7816, Pkcs7, Zero};
use touchstone::wipe;

use crate::memory::*;
use crate::status::*;
use crate::system::SMALL;

/// One kind of padding for blocks of one size.
struct Kind {
    /// Whether a message of whole blocks gets another block, which is only padding.
    always: bool,
    pad: fn(&mut [u8], usize) -> Result<usize>,
    unpad: fn(&[u8]) -> Result<usize>,
}

fn kind<P: Padding, B: Block>() -> Kind {
    Kind {
        always: P::ALWAYS,
        pad: |buffer, length| {
            Ok(P::pad::<B>(buffer, length)
                .map_err(|_| Error(TOUCHSTONE_ERROR_DATA_LENGTH))?
                .len())
        },
        unpad: |data| match P::unpad::<B>(data) {
            Ok(message) => Ok(message.len()),
            Err(_) => Err(Error(TOUCHSTONE_ERROR_FORGED)),
        },
    }
}

fn sized<P: Padding>(block: usize) -> Result<Kind> {
    Ok(match block {
        8 => kind::<P, [u8; 8]>(),
        16 => kind::<P, [u8; 16]>(),
        32 => kind::<P, [u8; 32]>(),
        64 => kind::<P, [u8; 64]>(),
        128 => kind::<P, [u8; 128]>(),
        _ => return Err(Error(TOUCHSTONE_ERROR_PARAMETER)),
    })
}

/// # Safety
///
/// The contract of `touchstone_pad` holds.
unsafe fn find(name: *const c_char, block: usize) -> Result<Kind> {
    // SAFETY: the caller fulfils the contract of this function.
    match unsafe { text(name) }? {
        "pkcs7" => sized::<Pkcs7>(block),
        "iso7816-4" => sized::<Iso7816>(block),
        "ansi-x9.23" => sized::<AnsiX923>(block),
        "zero" => sized::<Zero>(block),
        _ => Err(Error(TOUCHSTONE_ERROR_NAME)),
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_pad(
    padding: *const c_char,
    block: usize,
    buffer: *mut c_void,
    room: usize,
    len: usize,
    padded_len: *mut usize,
) -> c_int {
    // SAFETY: the caller fulfils the contract in the header.
    code(unsafe { find(padding, block) }.and_then(|kind| {
        if padded_len.is_null() {
            return Err(Error(TOUCHSTONE_ERROR_NULL));
        }
        if len > room {
            return Err(Error(TOUCHSTONE_ERROR_DATA_LENGTH));
        }
        let whole = len / block * block;
        let padded = if kind.always || len != whole {
            whole.checked_add(block)
        } else {
            Some(whole)
        };
        let padded = padded
            .filter(|padded| *padded <= room)
            .ok_or(Error(TOUCHSTONE_ERROR_OUTPUT_LENGTH))?;
        if padded == 0 {
            // SAFETY: the caller fulfils the contract in the header.
            return unsafe { put(padded_len, 0) };
        }
        // SAFETY: `len` bytes are initialised and `room` bytes can be written, by the contract
        // in the header. After `output`, the rest of the padded message counts as initialised.
        let buffer = unsafe {
            bytes(buffer.cast_const(), len)?;
            output(buffer.wrapping_byte_add(len), padded - len, &[])?;
            core::slice::from_raw_parts_mut(buffer.cast(), padded)
        };
        wipe::after(SMALL, || (kind.pad)(buffer, len))?;
        // SAFETY: `padded_len` is not NULL, and it is valid for a write by the contract in the
        // header.
        unsafe { padded_len.write(padded) };
        Ok(())
    }))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_unpad(
    padding: *const c_char,
    block: usize,
    data: *const c_void,
    len: usize,
    message_len: *mut usize,
) -> c_int {
    // SAFETY: the caller fulfils the contract in the header.
    code(unsafe { find(padding, block) }.and_then(|kind| {
        if message_len.is_null() {
            return Err(Error(TOUCHSTONE_ERROR_NULL));
        }
        // SAFETY: the caller fulfils the contract in the header.
        let data = unsafe { bytes(data, len) }?;
        let length = wipe::after(SMALL, || (kind.unpad)(data))?;
        // SAFETY: `message_len` is not NULL, and it is valid for a write by the contract in the
        // header.
        unsafe { message_len.write(length) };
        Ok(())
    }))
}
