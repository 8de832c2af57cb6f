//! The names of all algorithms, their kernels, and the version.
#![allow(unsafe_code)]

use alloc::boxed::Box;
use alloc::collections::BTreeSet;
use alloc::ffi::CString;
use alloc::string::String;
use alloc::vec::Vec;
use core::ffi::{CStr, c_char};
use core::ptr::{null, null_mut};
use core::sync::atomic::AtomicPtr;
use core::sync::atomic::Ordering::{Acquire, Release};

use touchstone::dynamic::{self, Aead, Cipher, Drbg, Hash, KeyWrap, Mac, NonceMac};

use crate::memory::text;

/// A list of names, each with the NUL that C needs. The first call that needs the list makes
/// it, and nothing frees it.
struct Names(AtomicPtr<Vec<CString>>);

impl Names {
    const fn new() -> Self {
        Self(AtomicPtr::new(null_mut()))
    }

    fn get(&'static self, names: impl FnOnce() -> Vec<String>) -> &'static [CString] {
        let mut made = self.0.load(Acquire);
        if made.is_null() {
            let names = names().into_iter();
            let names = Box::new(names.filter_map(|name| CString::new(name).ok()).collect());
            let mine = Box::into_raw(names);
            made = match self.0.compare_exchange(null_mut(), mine, Release, Acquire) {
                Ok(_) => mine,
                Err(other) => {
                    // SAFETY: the pointer came from the box above, and no other thread has seen
                    // the pointer.
                    drop(unsafe { Box::from_raw(mine) });
                    other
                }
            };
        }
        // SAFETY: a pointer that is not NULL came from a box above. No code frees or changes
        // the list.
        unsafe { &*made }
    }
}

/// Returns the name at an index of a list that is made once.
macro_rules! at {
    ($index:expr, $names:expr) => {{
        static NAMES: Names = Names::new();
        let names = NAMES.get(|| $names.map(String::from).collect());
        names.get($index).map_or(null(), |name| name.as_ptr())
    }};
}

#[unsafe(no_mangle)]
pub extern "C" fn touchstone_cipher_name(index: usize) -> *const c_char {
    at!(index, Cipher::names())
}

#[unsafe(no_mangle)]
pub extern "C" fn touchstone_aead_name(index: usize) -> *const c_char {
    at!(index, Aead::names())
}

#[unsafe(no_mangle)]
pub extern "C" fn touchstone_hash_name(index: usize) -> *const c_char {
    at!(index, Hash::names())
}

#[unsafe(no_mangle)]
pub extern "C" fn touchstone_mac_name(index: usize) -> *const c_char {
    at!(index, Mac::names().chain(NonceMac::names()))
}

#[unsafe(no_mangle)]
pub extern "C" fn touchstone_wrap_name(index: usize) -> *const c_char {
    at!(index, KeyWrap::names())
}

#[unsafe(no_mangle)]
pub extern "C" fn touchstone_derive_name(index: usize) -> *const c_char {
    at!(index, dynamic::derivations())
}

#[unsafe(no_mangle)]
pub extern "C" fn touchstone_drbg_name(index: usize) -> *const c_char {
    at!(index, Drbg::names())
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_kernel(name: *const c_char) -> *const c_char {
    /// The names of all kernels that this machine uses, each name once.
    static KERNELS: Names = Names::new();
    // SAFETY: the caller fulfils the contract in the header.
    let Ok(Ok(kernel)) = unsafe { text(name) }.map(dynamic::kernel) else {
        return null();
    };
    let all = || {
        let kernels = dynamic::names().filter_map(|name| dynamic::kernel(&name).ok());
        let kernels: BTreeSet<&str> = kernels.collect();
        kernels.into_iter().map(String::from).collect()
    };
    let known = KERNELS.get(all).iter();
    let known = known
        .map(CString::as_c_str)
        .find(|known| known.to_bytes() == kernel.as_bytes());
    known.map_or(null(), CStr::as_ptr)
}

#[unsafe(no_mangle)]
pub extern "C" fn touchstone_version() -> *const c_char {
    const VERSION: &CStr =
        match CStr::from_bytes_with_nul(concat!(env!("CARGO_PKG_VERSION"), "\0").as_bytes()) {
            Ok(version) => version,
            Err(_) => panic!("a version has no NUL inside"),
        };
    VERSION.as_ptr()
}
