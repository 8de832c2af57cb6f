//! Padding, for the modes that take whole blocks.
#![allow(unsafe_code)]

use std::ffi::{c_char, c_int};

use touchstone::block::Block;
use touchstone::mode::Padding;
use touchstone::mode::padding::{AnsiX923, Iso7816, Pkcs7, Zero};

use crate::memory::{bytes, bytes_mut, text};
use crate::status::*;

/// One kind of padding for blocks of one size.
struct Kind {
    pad: fn(&mut [u8], usize) -> Result<usize>,
    unpad: fn(&[u8]) -> Result<usize>,
}

fn kind<P: Padding, B: Block>() -> Kind {
    Kind {
        pad: |buffer, length| Ok(P::pad::<B>(buffer, length)?.len()),
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
        _ => return Err(Error(TOUCHSTONE_ERROR_PARAMETER)),
    })
}

/// # Safety
///
/// As of `touchstone_pad`.
unsafe fn find(name: *const c_char, block: usize) -> Result<Kind> {
    // SAFETY: by the contract.
    match unsafe { text(name) }? {
        "pkcs7" => sized::<Pkcs7>(block),
        "iso7816-4" => sized::<Iso7816>(block),
        "ansi-x9.23" => sized::<AnsiX923>(block),
        "zero" => sized::<Zero>(block),
        _ => Err(Error(TOUCHSTONE_ERROR_NAME)),
    }
}

/// Pads the first `len` bytes of a buffer of `room` bytes to whole blocks of `block`
/// bytes, 8, 16 or 32, and tells `*padded_len` how many bytes they are then. Paddings
/// are `"pkcs7"`, `"iso7816-4"`, `"ansi-x9.23"`, of which each adds a byte at least and
/// a block at most; and `"zero"`, which adds nothing to whole blocks.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_pad(
    padding: *const c_char,
    block: usize,
    buffer: *mut u8,
    room: usize,
    len: usize,
    padded_len: *mut usize,
) -> c_int {
    // SAFETY: by the caller's contract.
    code(unsafe { find(padding, block) }.and_then(|kind| {
        if padded_len.is_null() {
            return Err(Error(TOUCHSTONE_ERROR_NULL));
        }
        if len > room {
            return Err(Error(TOUCHSTONE_ERROR_DATA_LENGTH));
        }
        // SAFETY: by the caller's contract.
        let buffer = unsafe { bytes_mut(buffer, room, &[]) }?;
        let padded = (kind.pad)(buffer, len)?;
        // SAFETY: not NULL, and valid by the caller's contract.
        unsafe { padded_len.write(padded) };
        Ok(())
    }))
}

/// Tells `*message_len` how many of `len` bytes are the message and not its padding, or
/// returns TOUCHSTONE_ERROR_FORGED if they do not end as that padding does. Who lets
/// others see which of the two it was lets them decrypt (Vaudenay, 2002): check a MAC of
/// the ciphertext first.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_unpad(
    padding: *const c_char,
    block: usize,
    data: *const u8,
    len: usize,
    message_len: *mut usize,
) -> c_int {
    // SAFETY: by the caller's contract.
    code(unsafe { find(padding, block) }.and_then(|kind| {
        if message_len.is_null() {
            return Err(Error(TOUCHSTONE_ERROR_NULL));
        }
        // SAFETY: by the caller's contract.
        let length = (kind.unpad)(unsafe { bytes(data, len) }?)?;
        // SAFETY: not NULL, and valid by the caller's contract.
        unsafe { message_len.write(length) };
        Ok(())
    }))
}
