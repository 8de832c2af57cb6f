//! The generators of NIST SP 800-90A for C.
#![allow(unsafe_code)]
#![allow(non_camel_case_types, reason = "the name in C")]

use core::ffi::{c_char, c_int, c_void};

use touchstone::dynamic::Drbg;

use crate::memory::*;
use crate::status::*;

pub struct touchstone_drbg(Drbg);

#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_drbg_new(
    drbg: *mut *mut touchstone_drbg,
    name: *const c_char,
    entropy: *const c_void,
    entropy_len: usize,
    nonce: *const c_void,
    nonce_len: usize,
    personalisation: *const c_void,
    personalisation_len: usize,
) -> c_int {
    // SAFETY: the caller fulfils the contract in the header.
    unsafe {
        let made = text(name).and_then(|name| {
            let (entropy, nonce) = (bytes(entropy, entropy_len)?, bytes(nonce, nonce_len)?);
            let personalisation = bytes(personalisation, personalisation_len)?;
            Ok(Drbg::new(name, entropy, nonce, personalisation)?)
        });
        give(drbg, made.map(touchstone_drbg))
    }
}

#[cfg(feature = "random")]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_drbg_system_new(
    drbg: *mut *mut touchstone_drbg,
    name: *const c_char,
    personalisation: *const c_void,
    personalisation_len: usize,
) -> c_int {
    // SAFETY: the caller fulfils the contract in the header.
    unsafe {
        let made = text(name).and_then(|name| {
            let personalisation = bytes(personalisation, personalisation_len)?;
            Ok(Drbg::from_system(name, personalisation)?)
        });
        give(drbg, made.map(touchstone_drbg))
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_drbg_free(drbg: *mut touchstone_drbg) {
    // SAFETY: the caller fulfils the contract in the header.
    unsafe { take(drbg) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_drbg_reseed(
    drbg: *mut touchstone_drbg,
    entropy: *const c_void,
    entropy_len: usize,
    additional: *const c_void,
    additional_len: usize,
) -> c_int {
    // SAFETY: the caller fulfils the contract in the header.
    code(unsafe { exclusive(drbg) }.and_then(|drbg| {
        // SAFETY: the caller fulfils the contract in the header.
        let (entropy, additional) = unsafe {
            (
                bytes(entropy, entropy_len)?,
                bytes(additional, additional_len)?,
            )
        };
        Ok(drbg.0.reseed(entropy, additional)?)
    }))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_drbg_generate(
    drbg: *mut touchstone_drbg,
    additional: *const c_void,
    additional_len: usize,
    output: *mut c_void,
    len: usize,
) -> c_int {
    // SAFETY: the caller fulfils the contract in the header.
    code(unsafe { exclusive(drbg) }.and_then(|drbg| {
        // SAFETY: the caller fulfils the contract in the header.
        unsafe {
            let additional = bytes(additional, additional_len)?;
            let output = crate::memory::output(output, len, &[additional])?;
            Ok(drbg.0.generate(output, additional)?)
        }
    }))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_drbg_set_reseed_interval(
    drbg: *mut touchstone_drbg,
    calls: u64,
) -> c_int {
    // SAFETY: the caller fulfils the contract in the header.
    code(unsafe { exclusive(drbg) }.map(|drbg| drbg.0.set_reseed_interval(calls)))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_drbg_entropy_sizes_of(
    name: *const c_char,
    min: *mut usize,
    max: *mut usize,
    step: *mut usize,
) -> c_int {
    // SAFETY: the caller fulfils the contract in the header.
    code(unsafe { text(name) }.and_then(|name| {
        // SAFETY: the caller fulfils the contract in the header.
        unsafe { put_lengths(Drbg::find(name)?.entropy_lengths(), min, max, step) };
        Ok(())
    }))
}
