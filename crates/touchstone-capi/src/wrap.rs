//! Key wrap, which authenticates and needs no nonce: for keys.
#![allow(unsafe_code)]

use std::ffi::{c_char, c_int};

use crate::memory::{bytes, bytes_mut, text};
use crate::registry;
use crate::status::*;

/// # Safety
///
/// As of `touchstone_wrap`.
unsafe fn run(
    name: *const c_char,
    encrypt: bool,
    key: (*const u8, usize),
    input: (*const u8, usize),
    output: (*mut u8, usize),
) -> Result<usize> {
    // SAFETY: by the contract.
    let (cipher, padded) = registry::key_wrap(unsafe { text(name) }?)?;
    // SAFETY: by the contract.
    let (key, input) = unsafe { (bytes(key.0, key.1)?, bytes(input.0, input.1)?) };
    // SAFETY: by the contract.
    let output = unsafe { bytes_mut(output.0, output.1, &[key, input]) }?;
    (cipher.wrap)((padded, encrypt), key, input, output)
}

/// Wraps a key, by `"aes-256-kw"`, or by `"aes-256-kwp"` with padding; every block cipher
/// of 16 bytes has both. The output is 8 bytes longer than the input, which for `kw` has
/// at least 16 bytes and a multiple of 8, and for `kwp` counts as rounded up to that
/// multiple. Nothing overlaps.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_wrap(
    name: *const c_char,
    key: *const u8,
    key_len: usize,
    input: *const u8,
    input_len: usize,
    output: *mut u8,
    output_len: usize,
) -> c_int {
    let (input, output) = ((input, input_len), (output, output_len));
    // SAFETY: by the caller's contract.
    code(unsafe { run(name, true, (key, key_len), input, output) }.map(|_| ()))
}

/// Unwraps a key, if it is genuine. The output is 8 bytes shorter than the input; how
/// many of them are the key, `*unwrapped_len` is told, and the others are zeros.
/// TOUCHSTONE_ERROR_FORGED says that it is not genuine; then the output is all zeros.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_unwrap(
    name: *const c_char,
    key: *const u8,
    key_len: usize,
    input: *const u8,
    input_len: usize,
    output: *mut u8,
    output_len: usize,
    unwrapped_len: *mut usize,
) -> c_int {
    if unwrapped_len.is_null() {
        return TOUCHSTONE_ERROR_NULL;
    }
    let (input, output) = ((input, input_len), (output, output_len));
    // SAFETY: by the caller's contract.
    code(
        unsafe { run(name, false, (key, key_len), input, output) }.map(|length| {
            // SAFETY: not NULL, and valid by the caller's contract.
            unsafe { unwrapped_len.write(length) }
        }),
    )
}
