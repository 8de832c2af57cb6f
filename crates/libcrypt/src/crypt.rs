//! crypt(3), crypt_checksalt(3), crypt_preferred_method(3).
#![allow(unsafe_code)]

use crate::crypt_data::CryptData;
use crate::des::wipe_key;
use crate::failure::failure_token;
use crate::platform::{Shared, bytes, fail, set_errno};
use core::ffi::{c_char, c_int, c_void};
use core::ptr::{null_mut, write_bytes};
use touchstone_password::{Check, Error, Method, OUTPUT_SIZE, checksalt, hash};

const SIZE: usize = size_of::<CryptData>();

/// How far a call came.
enum Outcome {
    /// The arguments were of no use.
    Refused,
    /// A method was asked, and failed.
    Failed,
    /// There is a hash.
    Hashed,
}

/// Hashes into `data.output`, where the failure token already stands and stays
/// if anything is wrong; errno then says what.
///
/// # Safety
///
/// `phrase` and `setting` are null or strings; `data` can be written.
unsafe fn hash_into(
    phrase: *const c_char,
    setting: *const c_char,
    data: *mut CryptData,
) -> Outcome {
    // SAFETY: the caller's promise. Either string may lie in `data`; nothing is
    // written there until neither is needed any more.
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
    // All that was written, which a method that failed may have left, too.
    output.fill(0);
    zeroize::optimization_barrier(&output);
    match len {
        Ok(_) => Outcome::Hashed,
        Err(error) => {
            fail(error);
            // The setting is still what it was: the output has not been written.
            match Method::identify(setting) {
                Some(_) if error != Error::PhraseTooLong => Outcome::Failed,
                _ => Outcome::Refused,
            }
        }
    }
}

/// The same with the caller's data. Of its scratch space only setkey_r uses
/// anything, for its key, and that is wiped after every call of a method. Whether
/// there is a hash.
///
/// # Safety
///
/// As for [`hash_into`].
unsafe fn hash_and_wipe(
    phrase: *const c_char,
    setting: *const c_char,
    data: *mut CryptData,
) -> bool {
    // SAFETY: the caller's promises; 0 is a character.
    unsafe {
        let outcome = hash_into(phrase, setting, data);
        if !matches!(outcome, Outcome::Refused) {
            wipe_key(data);
        }
        matches!(outcome, Outcome::Hashed)
    }
}

/// crypt_r: the hash in `data.output`, or a failure token there and errno. Never
/// null, unless `data` is.
///
/// # Safety
///
/// `phrase` and `setting` are null or strings; `data` is null or points to a
/// `struct crypt_data`, which no other thread uses meanwhile.
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
    // SAFETY: the caller's promises.
    unsafe {
        let output = (&raw mut (*data).output).cast();
        failure_token(setting, output, OUTPUT_SIZE);
        hash_and_wipe(phrase, setting, data);
        output
    }
}

/// crypt: crypt_r with static data. Not to be called from several threads at once.
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
    // SAFETY: the struct's alignment is 1 and its size this. Its scratch space is
    // out of anyone's reach, and stays zero.
    unsafe {
        let output = (&raw mut (*data).output).cast();
        failure_token(setting, output, OUTPUT_SIZE);
        hash_into(phrase, setting, data);
        output
    }
}

/// crypt_rn: crypt_r that is told the size of its data, and returns null on
/// failure.
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
    // SAFETY: the caller's promises; the data is large enough where it is taken
    // for the struct.
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

/// crypt_ra: crypt_rn that allocates its data like getline(3): `*data` is null or
/// from malloc, and `*size` its size; both are updated where it is too small.
///
/// # Safety
///
/// `phrase` and `setting` are null or strings; `data` and `size` are as told.
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
    // SAFETY: the caller's promises. malloc and realloc set errno.
    unsafe {
        let old = usize::try_from(*size).unwrap_or(0);
        if (*data).is_null() || old < SIZE {
            if !(*data).is_null() {
                // It may hold a phrase, and realloc may leave it behind.
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

/// crypt_checksalt: 0 for a setting of a strong method, 3 for a legacy one, 1 for
/// what is no setting.
///
/// # Safety
///
/// `setting` is null or a string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_libcrypt_crypt_checksalt(setting: *const c_char) -> c_int {
    // SAFETY: the caller's promise.
    match unsafe { bytes(setting) }.map(checksalt) {
        Some(Check::Strong) => 0,
        None | Some(Check::Invalid) => 1,
        Some(Check::Legacy) => 3,
    }
}

/// crypt_preferred_method: the prefix of the method that new hashes should use.
#[unsafe(no_mangle)]
pub extern "C" fn touchstone_libcrypt_crypt_preferred_method() -> *const c_char {
    c"$y$".as_ptr()
}
