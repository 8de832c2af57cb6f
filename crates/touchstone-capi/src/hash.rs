//! Hash functions, on a message in pieces or in one.
#![allow(unsafe_code)]
#![allow(non_camel_case_types, reason = "the name that C sees")]

use std::ffi::{c_char, c_int};

use crate::memory::{bytes, bytes_mut, exclusive, give, many, shared, take, text};
use crate::registry::{self, Digest, HashRow};
use crate::status::*;

/// A hash function and a message under way. One thread at a time may use it.
pub struct touchstone_hash {
    row: &'static HashRow,
    state: Box<dyn Digest>,
}

/// A hash function by its name, `"sha-256"`; NULL if there is none. To be freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_hash_new(name: *const c_char) -> *mut touchstone_hash {
    // SAFETY: by the caller's contract.
    let row = unsafe { text(name) }.and_then(registry::hash);
    give(row.map(|row| touchstone_hash {
        row,
        state: (row.start)(),
    }))
}

/// Another one that has taken the same pieces, to be freed too; NULL of NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_hash_copy(
    hash: *const touchstone_hash,
) -> *mut touchstone_hash {
    // SAFETY: by the caller's contract.
    give(unsafe { shared(hash) }.map(|hash| touchstone_hash {
        row: hash.row,
        state: hash.state.copy(),
    }))
}

/// Wipes what a hash function has taken; NULL is good.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_hash_free(hash: *mut touchstone_hash) {
    // SAFETY: by the caller's contract.
    unsafe { take(hash) }
}

/// Takes the next piece of the message.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_hash_update(
    hash: *mut touchstone_hash,
    input: *const u8,
    len: usize,
) -> c_int {
    // SAFETY: by the caller's contract.
    code(unsafe { exclusive(hash) }.and_then(|hash| {
        // SAFETY: as above.
        hash.state.update(unsafe { bytes(input, len) }?);
        Ok(())
    }))
}

/// Ends the message, writes its digest, whose length must be right, and starts the
/// next message.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_hash_final(
    hash: *mut touchstone_hash,
    digest: *mut u8,
    digest_len: usize,
) -> c_int {
    // SAFETY: by the caller's contract.
    code(unsafe { exclusive(hash) }.and_then(|hash| {
        if digest_len != hash.row.output {
            return Err(Error(TOUCHSTONE_ERROR_OUTPUT_LENGTH));
        }
        // SAFETY: as above.
        hash.state
            .end(unsafe { bytes_mut(digest, digest_len, &[]) }?);
        Ok(())
    }))
}

/// Forgets the pieces so far, and starts the next message.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_hash_reset(hash: *mut touchstone_hash) -> c_int {
    // SAFETY: by the caller's contract.
    code(unsafe { exclusive(hash) }.map(|hash| hash.state.reset()))
}

/// Length of the digest in bytes; 0 for NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_hash_size(hash: *const touchstone_hash) -> usize {
    // SAFETY: by the caller's contract.
    unsafe { shared(hash) }.map_or(0, |hash| hash.row.output)
}

/// Length of the blocks in which messages are taken, in bytes; 0 for NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_hash_block_size(hash: *const touchstone_hash) -> usize {
    // SAFETY: by the caller's contract.
    unsafe { shared(hash) }.map_or(0, |hash| hash.row.block)
}

/// # Safety
///
/// As of `touchstone_digest`.
unsafe fn once(
    row: Result<&HashRow>,
    input: (*const u8, usize),
    digest: (*mut u8, usize),
) -> c_int {
    code(row.and_then(|row| {
        if digest.1 != row.output {
            return Err(Error(TOUCHSTONE_ERROR_OUTPUT_LENGTH));
        }
        // SAFETY: by the contract.
        let input = unsafe { bytes(input.0, input.1) }?;
        // SAFETY: by the contract.
        let digest = unsafe { bytes_mut(digest.0, digest.1, &[input]) }?;
        (row.once)(input, digest);
        Ok(())
    }))
}

/// [`once`] for a function that has a hash in its name.
///
/// # Safety
///
/// As of `touchstone_digest`, the digest having the right length.
pub(crate) unsafe fn named(name: &str, input: *const u8, len: usize, digest: *mut u8) -> c_int {
    let row = registry::hash(name);
    let size = row.map_or(0, |row| row.output);
    // SAFETY: by the contract.
    unsafe { once(row, (input, len), (digest, size)) }
}

/// The digest of a whole message, by the name of the hash function.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_digest(
    name: *const c_char,
    input: *const u8,
    len: usize,
    digest: *mut u8,
    digest_len: usize,
) -> c_int {
    // SAFETY: by the caller's contract.
    let row = unsafe { text(name) }.and_then(registry::hash);
    // SAFETY: by the caller's contract.
    unsafe { once(row, (input, len), (digest, digest_len)) }
}

/// The digests of `count` whole messages, one after the other into `digests`, which has
/// `count` times the length of a digest. Several times as fast as one by one where many
/// messages can go side by side.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_digest_many(
    name: *const c_char,
    inputs: *const *const u8,
    lens: *const usize,
    count: usize,
    digests: *mut u8,
    digests_len: usize,
) -> c_int {
    // SAFETY: by the caller's contract.
    code(
        unsafe { text(name) }
            .and_then(registry::hash)
            .and_then(|row| {
                if count.checked_mul(row.output) != Some(digests_len) {
                    return Err(Error(TOUCHSTONE_ERROR_OUTPUT_LENGTH));
                }
                // SAFETY: by the caller's contract.
                let messages = unsafe { many(inputs, lens, count) }?;
                // SAFETY: by the caller's contract.
                let digests = unsafe { bytes_mut(digests, digests_len, &messages) }?;
                (row.many)(&messages, digests)
            }),
    )
}
