//! Password hashes: the functions of crypt(3), without a static buffer.
#![allow(unsafe_code)]

use alloc::vec::Vec;
use core::ffi::{c_char, c_int};

use touchstone::wipe;
use touchstone_password as password;
use touchstone_password::Method;
use zeroize::Zeroize;

use crate::memory::*;
use crate::status::*;

/// The size in bytes of a buffer in which any password hash with its NUL fits.
pub const TOUCHSTONE_CRYPT_SIZE: c_int = password::OUTPUT_SIZE as c_int;

impl From<password::Error> for Error {
    fn from(error: password::Error) -> Self {
        Self(match error {
            password::Error::PhraseTooLong => TOUCHSTONE_ERROR_DATA_LENGTH,
            password::Error::OutputTooSmall => TOUCHSTONE_ERROR_OUTPUT_LENGTH,
            password::Error::Memory => TOUCHSTONE_ERROR_MEMORY,
            password::Error::Cost => TOUCHSTONE_ERROR_PARAMETER,
            // The other errors are: the setting belongs to no method, the method cannot parse
            // the setting, or the method makes no new hashes.
            _ => TOUCHSTONE_ERROR_SETTING,
        })
    }
}

impl From<password::VerifyError> for Error {
    fn from(error: password::VerifyError) -> Self {
        match error {
            password::VerifyError::Hash(error) => error.into(),
            _ => Self(TOUCHSTONE_ERROR_FORGED),
        }
    }
}

/// Writes a text and its final NUL.
///
/// # Safety
///
/// `to` is NULL or valid for writes of `size` bytes.
unsafe fn write(text: &str, to: *mut c_char, size: usize) -> Result<()> {
    if text.len() >= size {
        return Err(Error(TOUCHSTONE_ERROR_OUTPUT_LENGTH));
    }
    // SAFETY: `to` is valid for `size` bytes by the contract, and the text and its NUL fit.
    let to = unsafe { output(to.cast(), text.len() + 1, &[]) }?;
    let (letters, nul) = to.split_at_mut(text.len());
    letters.copy_from_slice(text.as_bytes());
    nul.fill(0);
    Ok(())
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_crypt(
    phrase: *const c_char,
    setting: *const c_char,
    hash: *mut c_char,
    size: usize,
) -> c_int {
    // The library overwrites its own stack. This call overwrites the copies of the hash.
    code(wipe::after(2 * password::OUTPUT_SIZE, || {
        let mut room = [0; password::OUTPUT_SIZE];
        let mut run = || {
            // SAFETY: the caller fulfils the contract in the header. Both strings are read
            // before anything is written, so `hash` may be one of them.
            unsafe {
                let (phrase, setting) = (c_bytes(phrase)?, c_bytes(setting)?);
                write(password::hash(phrase, setting, &mut room)?, hash, size)
            }
        };
        let result = run();
        room.zeroize();
        result
    }))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_crypt_many(
    phrases: *const *const c_char,
    settings: *const *const c_char,
    count: usize,
    hashes: *mut c_char,
) -> c_int {
    let run = || {
        if count == 0 {
            return Ok(());
        }
        if phrases.is_null() || settings.is_null() {
            return Err(Error(TOUCHSTONE_ERROR_NULL));
        }
        let size = count
            .checked_mul(password::OUTPUT_SIZE)
            .ok_or(Error(TOUCHSTONE_ERROR_OUTPUT_LENGTH))?;
        // SAFETY: the caller fulfils the contract in the header.
        unsafe {
            let strings = |pointers| core::slice::from_raw_parts(pointers, count).iter();
            let all = strings(phrases).chain(strings(settings));
            let all: Vec<&[u8]> = all.map(|string| c_bytes(*string)).collect::<Result<_>>()?;
            let (phrases, settings) = all.split_at(count);
            let hashes = output(hashes.cast(), size, &all)?;
            let (hashes, _) = hashes.as_chunks_mut();
            let mut failed: Vec<bool> = Vec::new();
            let mut first = Ok(());
            for made in password::hash_many(phrases, settings, hashes)? {
                failed.push(made.is_err());
                first = first.and(made.map(drop));
            }
            for (hash, failed) in hashes.iter_mut().zip(failed) {
                if failed {
                    hash.zeroize();
                }
            }
            Ok(first?)
        }
    };
    // As in `touchstone_crypt`.
    code(wipe::after(2 * password::OUTPUT_SIZE, run))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_crypt_verify(
    phrase: *const c_char,
    hash: *const c_char,
) -> c_int {
    let run = || {
        // SAFETY: the caller fulfils the contract in the header.
        let (phrase, hash) = unsafe { (c_bytes(phrase)?, c_bytes(hash)?) };
        password::verify(phrase, hash)?;
        Ok(())
    };
    // The library overwrites its own stack. This call overwrites what comparing the hashes leaves
    // in registers.
    code(wipe::after(2 * password::OUTPUT_SIZE, run))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_crypt_gensalt(
    prefix: *const c_char,
    cost: u64,
    setting: *mut c_char,
    size: usize,
) -> c_int {
    let run = || {
        let method = if prefix.is_null() {
            Method::PREFERRED
        } else {
            // SAFETY: the caller fulfils the contract in the header.
            let prefix = unsafe { c_bytes(prefix) }?;
            Method::of_prefix(prefix).ok_or(Error(TOUCHSTONE_ERROR_SETTING))?
        };
        let mut random = [0; 64];
        getrandom::fill(&mut random).map_err(|_| Error(TOUCHSTONE_ERROR_RANDOM))?;
        let mut room = [0; password::SETTING_SIZE];
        let random = &random[..method.random()];
        let text = password::gensalt(method, cost, random, &mut room)?;
        // SAFETY: the caller fulfils the contract in the header.
        unsafe { write(text, setting, size) }
    };
    code(run())
}
