//! Random bytes from the system, comparison in constant time, and wiping.
#![allow(unsafe_code)]

use core::ffi::{c_int, c_void};
use core::mem::MaybeUninit;

use touchstone::wipe;
use zeroize::Zeroize;

use crate::memory::*;
use crate::status::*;

/// Bytes of the stack that a call uses at most if it computes little. tests/secrets finds what a
/// deeper frame would leave.
pub(crate) const SMALL: usize = 512;

#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_random(out: *mut c_void, len: usize) -> c_int {
    // SAFETY: the caller fulfils the contract in the header.
    code(
        unsafe { output(out, len, &[]) }
            .and_then(|out| getrandom::fill(out).map_err(|_| Error(TOUCHSTONE_ERROR_RANDOM))),
    )
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_equal(a: *const c_void, b: *const c_void, len: usize) -> c_int {
    // SAFETY: the caller fulfils the contract in the header.
    match unsafe { (bytes(a, len), bytes(b, len)) } {
        (Ok(a), Ok(b)) => c_int::from(wipe::after(SMALL, || touchstone::constant_time_eq(a, b))),
        _ => 0,
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_wipe(memory: *mut c_void, len: usize) {
    if memory.is_null() || len > isize::MAX as usize {
        return;
    }
    // SAFETY: the pointer is not NULL, and it is valid for writes of `len` bytes by the
    // contract in the header. The slice has the type `MaybeUninit`, so its bytes need not be
    // initialised.
    let memory = unsafe { core::slice::from_raw_parts_mut(memory.cast::<MaybeUninit<u8>>(), len) };
    memory.zeroize();
}
