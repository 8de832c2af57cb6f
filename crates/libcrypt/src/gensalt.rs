//! The functions of crypt_gensalt(3).
#![allow(unsafe_code)]

use crate::failure::failure_token;
use crate::platform::{Shared, bytes, fail, random, set_errno};
use core::ffi::{c_char, c_int, c_ulong};
use core::ptr::{null, null_mut};
use core::slice;
use touchstone_password::{Method, SETTING_SIZE, gensalt};
use zeroize::Zeroize;

/// The size of a buffer for random bytes, which is more than any method uses.
const MOST_RANDOM: usize = 64;

/// crypt_gensalt_rn: writes a setting for a new hash and returns it. On an error the function
/// returns null, sets errno and writes a failure token. If `prefix` is null, the function uses
/// the preferred method. If `rbytes` is null, the random bytes come from the operating system.
///
/// # Safety
///
/// `prefix` is null or a string. If `rbytes` is not null, `nrbytes` bytes can be read there.
/// `size` bytes can be written at `output`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_libcrypt_crypt_gensalt_rn(
    prefix: *const c_char,
    count: c_ulong,
    rbytes: *const c_char,
    nrbytes: c_int,
    output: *mut c_char,
    size: c_int,
) -> *mut c_char {
    let size = usize::try_from(size).unwrap_or(0);
    if output.is_null() {
        set_errno(libc::EINVAL);
        return null_mut();
    }
    // SAFETY: the caller keeps the contract.
    unsafe { failure_token(null(), output, size) };
    if size < 3 {
        set_errno(libc::ERANGE);
        return null_mut();
    }
    // SAFETY: the caller keeps the contract.
    let method = match unsafe { bytes(prefix) } {
        None => Some(Method::PREFERRED),
        Some(prefix) => Method::of_prefix(prefix),
    };
    let Some(method) = method else {
        set_errno(libc::EINVAL);
        return null_mut();
    };

    let mut own = [0; MOST_RANDOM];
    let given = if rbytes.is_null() {
        let own = &mut own[..method.random()];
        if !random(own) {
            return null_mut();
        }
        &*own
    } else {
        let len = usize::try_from(nrbytes).unwrap_or(0);
        // SAFETY: the caller keeps the contract.
        unsafe { slice::from_raw_parts(rbytes.cast(), len) }
    };
    // The code makes the setting in a buffer of its own, because after an error no part of the
    // setting may be in the caller's buffer.
    let mut setting = [0; 2 * SETTING_SIZE];
    let room = size.min(setting.len());
    #[allow(
        clippy::useless_conversion,
        reason = "unsigned long has 32 bits elsewhere"
    )]
    let cost = u64::from(count);
    let len = gensalt(method, cost, given, &mut setting[..room]).map(str::len);
    own.zeroize();
    match len {
        Ok(len) => {
            // SAFETY: the setting and its final zero fit `room`.
            unsafe { output.copy_from_nonoverlapping(setting.as_ptr().cast(), len + 1) };
            output
        }
        Err(error) => {
            fail(error);
            null_mut()
        }
    }
}

/// crypt_gensalt: does the same as crypt_gensalt_rn, with a static buffer. Only one thread at a
/// time may call this function.
///
/// # Safety
///
/// The contract of [`touchstone_libcrypt_crypt_gensalt_rn`] holds.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_libcrypt_crypt_gensalt(
    prefix: *const c_char,
    count: c_ulong,
    rbytes: *const c_char,
    nrbytes: c_int,
) -> *mut c_char {
    static OUTPUT: Shared<[c_char; SETTING_SIZE]> = Shared::new([0; SETTING_SIZE]);
    let (output, size) = (OUTPUT.get().cast(), SETTING_SIZE as c_int);
    // SAFETY: the caller keeps the contract, and `size` is the size of the static buffer.
    unsafe { touchstone_libcrypt_crypt_gensalt_rn(prefix, count, rbytes, nrbytes, output, size) }
}

/// crypt_gensalt_ra: does the same as crypt_gensalt_rn, but writes to memory that it allocates
/// with malloc.
///
/// # Safety
///
/// The contract of [`touchstone_libcrypt_crypt_gensalt_rn`] holds.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_libcrypt_crypt_gensalt_ra(
    prefix: *const c_char,
    count: c_ulong,
    rbytes: *const c_char,
    nrbytes: c_int,
) -> *mut c_char {
    // SAFETY: the caller keeps the contract, and free gets only memory that malloc returned.
    unsafe {
        let output: *mut c_char = libc::malloc(SETTING_SIZE).cast();
        if output.is_null() {
            return null_mut();
        }
        let size = SETTING_SIZE as c_int;
        let setting =
            touchstone_libcrypt_crypt_gensalt_rn(prefix, count, rbytes, nrbytes, output, size);
        if setting.is_null() {
            libc::free(output.cast());
        }
        setting
    }
}
