//! Hash functions with digests of fixed length, and functions with output of any length.
#![allow(unsafe_code)]
#![allow(non_camel_case_types, reason = "the name in C")]

use core::ffi::{c_char, c_int, c_void};

use touchstone::dynamic::{Hash, parallel_hash, tuple_hash};

use crate::memory::*;
use crate::status::*;

pub struct touchstone_hash(Hash);

impl touchstone_hash {
    /// Refuses an output that is not as long as the digest, before any byte of the output is
    /// written.
    fn check(&self, len: usize) -> Result<()> {
        match self.0.output() {
            Some(size) if size != len => Err(Error(TOUCHSTONE_ERROR_OUTPUT_LENGTH)),
            _ => Ok(()),
        }
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_hash_new(
    hash: *mut *mut touchstone_hash,
    name: *const c_char,
) -> c_int {
    let new = |name| Ok(touchstone_hash(Hash::new(name)?));
    // SAFETY: the caller fulfils the contract in the header.
    unsafe { give(hash, text(name).and_then(new)) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_hash_new_customised(
    hash: *mut *mut touchstone_hash,
    name: *const c_char,
    customisation: *const c_void,
    len: usize,
) -> c_int {
    // SAFETY: the caller fulfils the contract in the header.
    let customisation = unsafe { bytes(customisation, len) };
    let new =
        |name| customisation.and_then(|with| Ok(touchstone_hash(Hash::customised(name, with)?)));
    // SAFETY: the caller fulfils the contract in the header.
    unsafe { give(hash, text(name).and_then(new)) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_hash_copy(
    copy: *mut *mut touchstone_hash,
    hash: *const touchstone_hash,
) -> c_int {
    // SAFETY: the caller fulfils the contract in the header.
    unsafe {
        let original = shared(hash);
        give(copy, original.map(|hash| touchstone_hash(hash.0.clone())))
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_hash_free(hash: *mut touchstone_hash) {
    // SAFETY: the caller fulfils the contract in the header.
    unsafe { take(hash) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_hash_update(
    hash: *mut touchstone_hash,
    input: *const c_void,
    len: usize,
) -> c_int {
    // SAFETY: the caller fulfils the contract in the header.
    code(unsafe { exclusive(hash) }.and_then(|hash| {
        // SAFETY: the caller fulfils the contract in the header.
        hash.0.update(unsafe { bytes(input, len) }?);
        Ok(())
    }))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_hash_final(
    hash: *mut touchstone_hash,
    digest: *mut c_void,
    digest_len: usize,
) -> c_int {
    // SAFETY: the caller fulfils the contract in the header.
    code(unsafe { exclusive(hash) }.and_then(|hash| {
        hash.check(digest_len)?;
        // SAFETY: the caller fulfils the contract in the header.
        Ok(hash
            .0
            .finalize(unsafe { output(digest, digest_len, &[]) }?)?)
    }))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_hash_squeeze(
    hash: *mut touchstone_hash,
    out: *mut c_void,
    len: usize,
) -> c_int {
    // SAFETY: the caller fulfils the contract in the header.
    code(unsafe { exclusive(hash) }.and_then(|hash| {
        if hash.0.output().is_some() {
            return Err(Error(TOUCHSTONE_ERROR_NAME));
        }
        // SAFETY: the caller fulfils the contract in the header.
        Ok(hash.0.squeeze(unsafe { output(out, len, &[]) }?)?)
    }))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_hash_message(
    hash: *mut touchstone_hash,
    input: *const c_void,
    len: usize,
    digest: *mut c_void,
    digest_len: usize,
) -> c_int {
    // SAFETY: the caller fulfils the contract in the header.
    code(unsafe { exclusive(hash) }.and_then(|hash| {
        hash.check(digest_len)?;
        // SAFETY: the caller fulfils the contract in the header.
        unsafe {
            let input = bytes(input, len)?;
            let digest = output(digest, digest_len, &[input])?;
            Ok(hash.0.digest(input, digest)?)
        }
    }))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_hash_reset(hash: *mut touchstone_hash) -> c_int {
    // SAFETY: the caller fulfils the contract in the header.
    code(unsafe { exclusive(hash) }.map(|hash| hash.0.reset()))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_hash_many(
    hash: *const touchstone_hash,
    inputs: *const *const c_void,
    lens: *const usize,
    count: usize,
    digests: *mut c_void,
    digests_len: usize,
) -> c_int {
    // SAFETY: the caller fulfils the contract in the header.
    code(unsafe { shared(hash) }.and_then(|hash| {
        let size = hash.0.output().ok_or(Error(TOUCHSTONE_ERROR_NAME))?;
        if count.checked_mul(size) != Some(digests_len) {
            return Err(Error(TOUCHSTONE_ERROR_OUTPUT_LENGTH));
        }
        // SAFETY: the caller fulfils the contract in the header.
        unsafe {
            let inputs = many(inputs, lens, count)?;
            let digests = output(digests, digests_len, &inputs)?;
            Ok(hash.0.digest_many(&inputs, digests)?)
        }
    }))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_hash_size(hash: *const touchstone_hash) -> usize {
    // SAFETY: the caller fulfils the contract in the header.
    let size = unsafe { shared(hash) }.map(|hash| hash.0.output().unwrap_or(0));
    size.unwrap_or(0)
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_hash_block_size(hash: *const touchstone_hash) -> usize {
    // SAFETY: the caller fulfils the contract in the header.
    unsafe { shared(hash) }.map_or(0, |hash| hash.0.block())
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_digest(
    name: *const c_char,
    input: *const c_void,
    len: usize,
    digest: *mut c_void,
    digest_len: usize,
) -> c_int {
    // SAFETY: the caller fulfils the contract in the header.
    code(unsafe { text(name) }.and_then(|name| {
        let mut hash = touchstone_hash(Hash::new(name)?);
        hash.check(digest_len)?;
        // SAFETY: the caller fulfils the contract in the header.
        unsafe {
            let input = bytes(input, len)?;
            let digest = output(digest, digest_len, &[input])?;
            Ok(hash.0.digest(input, digest)?)
        }
    }))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_tuple_hash(
    name: *const c_char,
    items: *const *const c_void,
    lens: *const usize,
    count: usize,
    customisation: *const c_void,
    customisation_len: usize,
    out: *mut c_void,
    out_len: usize,
) -> c_int {
    // SAFETY: the caller fulfils the contract in the header.
    code(unsafe { text(name) }.and_then(|name| {
        // SAFETY: the caller fulfils the contract in the header.
        unsafe {
            let items = many(items, lens, count)?;
            let customisation = bytes(customisation, customisation_len)?;
            let out = output(out, out_len, &[items.as_slice(), &[customisation]].concat())?;
            Ok(tuple_hash(name, &items, customisation, out)?)
        }
    }))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_parallel_hash(
    name: *const c_char,
    block_size: usize,
    input: *const c_void,
    len: usize,
    customisation: *const c_void,
    customisation_len: usize,
    out: *mut c_void,
    out_len: usize,
) -> c_int {
    // SAFETY: the caller fulfils the contract in the header.
    code(unsafe { text(name) }.and_then(|name| {
        // SAFETY: the caller fulfils the contract in the header.
        unsafe {
            let input = bytes(input, len)?;
            let customisation = bytes(customisation, customisation_len)?;
            let out = output(out, out_len, &[input, customisation])?;
            Ok(parallel_hash(name, block_size, input, customisation, out)?)
        }
    }))
}
