//! The functions of key wrap for C.
#![allow(unsafe_code)]

use core::ffi::{c_char, c_int, c_void};

use touchstone::dynamic::KeyWrap;

use crate::memory::*;
use crate::status::*;

#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_wrap(
    name: *const c_char,
    key: *const c_void,
    key_len: usize,
    input: *const c_void,
    input_len: usize,
    output: *mut c_void,
    output_len: usize,
) -> c_int {
    // SAFETY: the caller fulfils the contract in the header.
    code(unsafe { text(name) }.and_then(|name| {
        let mode = KeyWrap::new(name)?;
        // SAFETY: the caller fulfils the contract in the header.
        unsafe {
            let (key, input) = (bytes(key, key_len)?, bytes(input, input_len)?);
            let output = crate::memory::output(output, output_len, &[key, input])?;
            Ok(mode.wrap(key, input, output)?)
        }
    }))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_unwrap(
    name: *const c_char,
    key: *const c_void,
    key_len: usize,
    input: *const c_void,
    input_len: usize,
    output: *mut c_void,
    output_len: usize,
    unwrapped_len: *mut usize,
) -> c_int {
    if unwrapped_len.is_null() {
        return TOUCHSTONE_ERROR_NULL;
    }
    // SAFETY: the caller fulfils the contract in the header.
    code(unsafe { text(name) }.and_then(|name| {
        let mode = KeyWrap::new(name)?;
        // SAFETY: the caller fulfils the contract in the header.
        unsafe {
            let (key, input) = (bytes(key, key_len)?, bytes(input, input_len)?);
            let output = crate::memory::output(output, output_len, &[key, input])?;
            put(unwrapped_len, mode.unwrap(key, input, output)?)
        }
    }))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_wrap_key_sizes_of(
    name: *const c_char,
    min: *mut usize,
    max: *mut usize,
    step: *mut usize,
) -> c_int {
    // SAFETY: the caller fulfils the contract in the header.
    code(unsafe { text(name) }.and_then(|name| {
        // SAFETY: the caller fulfils the contract in the header.
        unsafe { put_lengths(KeyWrap::new(name)?.key_lengths(), min, max, step) };
        Ok(())
    }))
}
