//! scrypt and Argon2. Their costs differ in kind from the costs of the key derivations that have
//! names, so they have functions of their own.
#![allow(unsafe_code)]

#[cfg(feature = "argon2")]
use core::ffi::c_char;
use core::ffi::{c_int, c_void};

use touchstone::kdf::KdfError;
#[cfg(feature = "argon2")]
use touchstone::kdf::argon2::{Costs, Variant, argon2};
#[cfg(feature = "sha2")]
use touchstone::kdf::scrypt;
use touchstone::wipe;

use crate::memory::*;
use crate::status::*;

/// Overwrites what a derivation has left on the stack.
fn derived(derive: impl FnOnce() -> core::result::Result<(), KdfError>) -> Result<()> {
    wipe::after(wipe::DEEP, derive).map_err(|error| {
        Error(match error {
            KdfError::OutputLength { .. } => TOUCHSTONE_ERROR_OUTPUT_LENGTH,
            KdfError::Memory => TOUCHSTONE_ERROR_MEMORY,
            _ => TOUCHSTONE_ERROR_PARAMETER,
        })
    })
}

#[cfg(feature = "sha2")]
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
            let (salt, key) = unsafe {
                let salt = bytes(salt, salt_len)?;
                (salt, output(key, key_len, &[password, salt])?)
            };
            derived(|| scrypt(password, salt, n, r, p, key))
        }),
    )
}

#[cfg(feature = "argon2")]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_argon2(
    name: *const c_char,
    password: *const c_void,
    password_len: usize,
    salt: *const c_void,
    salt_len: usize,
    secret: *const c_void,
    secret_len: usize,
    data: *const c_void,
    data_len: usize,
    passes: u32,
    memory: u32,
    lanes: u32,
    key: *mut c_void,
    key_len: usize,
) -> c_int {
    // SAFETY: the caller fulfils the contract in the header.
    code(unsafe { text(name) }.and_then(|name| {
        let variant = match name {
            "argon2d" => Variant::D,
            "argon2i" => Variant::I,
            "argon2id" => Variant::Id,
            _ => return Err(Error(TOUCHSTONE_ERROR_NAME)),
        };
        // SAFETY: the caller fulfils the contract in the header.
        let (password, salt, costs, key) = unsafe {
            let password = bytes(password, password_len)?;
            let salt = bytes(salt, salt_len)?;
            let costs = Costs {
                passes,
                memory,
                lanes,
                secret: bytes(secret, secret_len)?,
                data: bytes(data, data_len)?,
            };
            let inputs = [password, salt, costs.secret, costs.data];
            (password, salt, costs, output(key, key_len, &inputs)?)
        };
        derived(|| argon2(variant, password, salt, &costs, key))
    }))
}
