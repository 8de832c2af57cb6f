//! The functions crypt(3), crypt_checksalt(3) and crypt_preferred_method(3).
#![allow(unsafe_code)]

use crate::crypt_data::CryptData;
use crate::des::wipe_key;
use crate::failure::failure_token;
use crate::platform::{Shared, bytes, fail, set_errno};
use core::ffi::{c_char, c_int, c_void};
use core::ptr::{null_mut, write_bytes};
use touchstone::wipe;
use touchstone_password::{Check, Error, Method, OUTPUT_SIZE, checksalt, hash};

const SIZE: usize = size_of::<CryptData>();

/// How far a call of a crypt function got.
enum Outcome {
    /// The arguments were unusable, and no method was called.
    Refused,
    /// A method was called and failed.
    Failed,
    /// A method was called and made a hash.
    Hashed,
}

/// Hashes a phrase into `data.output`. The caller has already written the failure token there.
/// On an error the failure token stays, and errno gives the reason.
///
/// # Safety
///
/// `phrase` and `setting` are null or strings; `data` can be written.
unsafe fn hash_into(
    phrase: *const c_char,
    setting: *const c_char,
    data: *mut CryptData,
) -> Outcome {
    // The password library overwrites its own stack. This call overwrites the copies of the hash.
    // SAFETY: the caller keeps the contract.
    wipe::after(2 * OUTPUT_SIZE, || unsafe {
        hash_there(phrase, setting, data)
    })
}

/// # Safety
///
/// As for [`hash_into`].
unsafe fn hash_there(
    phrase: *const c_char,
    setting: *const c_char,
    data: *mut CryptData,
) -> Outcome {
    // SAFETY: the caller keeps the contract. Either string may lie in `data`; nothing is
    // written to `data` while the strings are still needed.
    let (Some(phrase), Some(setting)) = (unsafe { (bytes(phrase), bytes(setting)) }) else {
        set_errno(libc::EINVAL);
        return Outcome::Refused;
    };
    let mut output = [0; OUTPUT_SIZE];
    let len = hash(phrase, setting, &mut output).map(str::len);
    if let Ok(len) = len {
        // SAFETY: the hash and its final zero are no longer than the field.
        unsafe {
            let field = &raw mut (*data).output;
            field
                .cast::<u8>()
                .copy_from_nonoverlapping(output.as_ptr(), len + 1);
        }
    }
    // The whole buffer is wiped, because a method that failed may have written part of a hash.
    output.fill(0);
    zeroize::optimization_barrier(&output);
    match len {
        Ok(_) => Outcome::Hashed,
        Err(error) => {
            fail(error);
            // `setting` may lie in `data`, but its bytes are unchanged, because nothing has
            // been written there.
            match Method::identify(setting) {
                Some(_) if error != Error::PhraseTooLong => Outcome::Failed,
                _ => Outcome::Refused,
            }
        }
    }
}

/// Hashes into the caller's data. The scratch space of the data contains a secret only if
/// setkey_r stored its key there; this function wipes that key after every call of a method.
/// Returns whether a hash was made.
///
/// # Safety
///
/// The contract of [`hash_into`] holds.
unsafe fn hash_and_wipe(
    phrase: *const c_char,
    setting: *const c_char,
    data: *mut CryptData,
) -> bool {
    // SAFETY: the caller keeps the contract.
    unsafe {
        let outcome = hash_into(phrase, setting, data);
        if !matches!(outcome, Outcome::Refused) {
            wipe_key(data);
        }
        matches!(outcome, Outcome::Hashed)
    }
}

/// crypt_r: writes the hash to `data.output`. On an error, writes a failure token there and
/// sets errno. Returns null only if `data` is null.
///
/// # Safety
///
/// `phrase` and `setting` are null or strings; `data` is null or points to a
/// `struct crypt_data`, which no other thread uses during the call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_libcrypt_crypt_r(
    phrase: *const c_char,
    setting: *const c_char,
    data: *mut CryptData,
) -> *mut c_char {
    if data.is_null() {
        set_errno(libc::EINVAL);
        return null_mut();
    }
    // SAFETY: the caller keeps the contract.
    unsafe {
        let output = (&raw mut (*data).output).cast();
        failure_token(setting, output, OUTPUT_SIZE);
        hash_and_wipe(phrase, setting, data);
        output
    }
}

/// crypt: does the same as crypt_r, with static data. Only one thread at a time may call this
/// function.
///
/// # Safety
///
/// `phrase` and `setting` are null or strings.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_libcrypt_crypt(
    phrase: *const c_char,
    setting: *const c_char,
) -> *mut c_char {
    static DATA: Shared<[c_char; SIZE]> = Shared::new([0; SIZE]);
    let data: *mut CryptData = DATA.get().cast();
    // SAFETY: `CryptData` has alignment 1 and size `SIZE`. No caller can reach the scratch
    // space of this static data, so the scratch space stays zero.
    unsafe {
        let output = (&raw mut (*data).output).cast();
        failure_token(setting, output, OUTPUT_SIZE);
        hash_into(phrase, setting, data);
        output
    }
}

/// crypt_rn: does the same as crypt_r, but takes the size of the data as an argument, and
/// returns null on an error.
///
/// # Safety
///
/// `phrase` and `setting` are null or strings; `size` bytes can be written at
/// `data`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_libcrypt_crypt_rn(
    phrase: *const c_char,
    setting: *const c_char,
    data: *mut c_void,
    size: c_int,
) -> *mut c_char {
    let size = usize::try_from(size).unwrap_or(0);
    if data.is_null() {
        set_errno(libc::EINVAL);
        return null_mut();
    }
    // SAFETY: the caller keeps the contract. The code uses the data as a `CryptData` only if
    // the data is large enough.
    unsafe {
        failure_token(setting, data.cast(), size.min(OUTPUT_SIZE));
        if size < SIZE {
            set_errno(libc::ERANGE);
            return null_mut();
        }
        let done = hash_and_wipe(phrase, setting, data.cast());
        if done { data.cast() } else { null_mut() }
    }
}

/// crypt_ra: does the same as crypt_rn, but allocates its data, as getline(3) does. `*data` is
/// null or memory from malloc, and `*size` is the size of this memory. If the memory is too
/// small, the function replaces it and updates both.
///
/// # Safety
///
/// `phrase` and `setting` are null or strings; `data` and `size` are as described above.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_libcrypt_crypt_ra(
    phrase: *const c_char,
    setting: *const c_char,
    data: *mut *mut c_void,
    size: *mut c_int,
) -> *mut c_char {
    if data.is_null() || size.is_null() {
        set_errno(libc::EINVAL);
        return null_mut();
    }
    // SAFETY: the caller keeps the contract.
    unsafe {
        let old = usize::try_from(*size).unwrap_or(0);
        if (*data).is_null() || old < SIZE {
            if !(*data).is_null() {
                // The old memory may contain a phrase, and realloc may free the memory without
                // wiping it.
                write_bytes((*data).cast::<u8>(), 0, old);
                zeroize::optimization_barrier(&*data);
            }
            let new = libc::realloc(*data, SIZE);
            if new.is_null() {
                return null_mut();
            }
            write_bytes(new.cast::<u8>(), 0, SIZE);
            *data = new;
            *size = SIZE as c_int;
        }
        let data: *mut CryptData = (*data).cast();
        let output = (&raw mut (*data).output).cast();
        failure_token(setting, output, OUTPUT_SIZE);
        let done = hash_and_wipe(phrase, setting, data);
        if done { output } else { null_mut() }
    }
}

/// crypt_checksalt: returns 0 for a setting of a strong method, 3 for a setting of a
/// legacy method, and 1 for an invalid setting.
///
/// # Safety
///
/// `setting` is null or a string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_libcrypt_crypt_checksalt(setting: *const c_char) -> c_int {
    // SAFETY: the caller keeps the contract.
    match unsafe { bytes(setting) }.map(checksalt) {
        Some(Check::Strong) => 0,
        None | Some(Check::Invalid) => 1,
        Some(Check::Legacy) => 3,
    }
}

/// crypt_preferred_method: returns the prefix of the method that new hashes should use.
#[unsafe(no_mangle)]
pub extern "C" fn touchstone_libcrypt_crypt_preferred_method() -> *const c_char {
    c"$y$".as_ptr()
}
