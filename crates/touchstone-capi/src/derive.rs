//! The functions of key derivation for C.
#![allow(unsafe_code)]

use core::ffi::{c_char, c_int, c_void};

use touchstone::dynamic::{Derivation, derive};

use crate::memory::*;
use crate::status::*;

#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_derive(
    name: *const c_char,
    secret: *const c_void,
    secret_len: usize,
    salt: *const c_void,
    salt_len: usize,
    info: *const c_void,
    info_len: usize,
    iterations: u32,
    key: *mut c_void,
    key_len: usize,
) -> c_int {
    // SAFETY: the caller fulfils the contract in the header.
    code(unsafe { text(name) }.and_then(|name| {
        // SAFETY: the caller fulfils the contract in the header.
        unsafe {
            let (secret, salt) = (bytes(secret, secret_len)?, bytes(salt, salt_len)?);
            let info = bytes(info, info_len)?;
            let key = output(key, key_len, &[secret, salt, info])?;
            let from = Derivation {
                secret,
                salt,
                info,
                iterations,
            };
            Ok(derive(name, &from, key)?)
        }
    }))
}
