//! scrypt. Its costs differ in kind from the costs of the key derivations that have names, so
//! scrypt has a function of its own.
#![allow(unsafe_code)]

use core::ffi::{c_int, c_void};

use touchstone::kdf::{KdfError, scrypt};
use touchstone::wipe;

use crate::memory::*;
use crate::status::*;

#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_scrypt(
    password: *const c_void,
    password_len: usize,
    salt: *const c_void,
    salt_len: usize,
    n: u64,
    r: u32,
    p: u32,
    key: *mut c_void,
    key_len: usize,
) -> c_int {
    // SAFETY: the caller fulfils the contract in the header.
    code(
        unsafe { bytes(password, password_len) }.and_then(|password| {
            // SAFETY: the caller fulfils the contract in the header.
            unsafe {
                let salt = bytes(salt, salt_len)?;
                let key = output(key, key_len, &[password, salt])?;
                let filled = wipe::after(wipe::DEEP, || scrypt(password, salt, n, r, p, key));
                filled.map_err(|error| {
                    Error(match error {
                        KdfError::OutputLength { .. } => TOUCHSTONE_ERROR_OUTPUT_LENGTH,
                        KdfError::Memory => TOUCHSTONE_ERROR_MEMORY,
                        _ => TOUCHSTONE_ERROR_PARAMETER,
                    })
                })
            }
        }),
    )
}
