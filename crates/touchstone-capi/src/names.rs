//! The names of all algorithms, their kernels, and the version.
#![allow(unsafe_code)]

use std::collections::BTreeSet;
use std::ffi::{CStr, CString, c_char};
use std::sync::LazyLock;

use touchstone::dynamic::{self, Aead, Cipher, Hash, KeyWrap, Mac, NonceMac};

use crate::memory::text;

type Names = LazyLock<Vec<CString>>;

/// Names with the NUL that C needs.
fn collect(names: impl Iterator<Item = String>) -> Vec<CString> {
    names.filter_map(|name| CString::new(name).ok()).collect()
}

fn at(names: &'static Names, index: usize) -> *const c_char {
    names
        .get(index)
        .map_or(std::ptr::null(), |name| name.as_ptr())
}

#[unsafe(no_mangle)]
pub extern "C" fn touchstone_cipher_name(index: usize) -> *const c_char {
    static NAMES: Names = LazyLock::new(|| collect(Cipher::names()));
    at(&NAMES, index)
}

#[unsafe(no_mangle)]
pub extern "C" fn touchstone_aead_name(index: usize) -> *const c_char {
    static NAMES: Names = LazyLock::new(|| collect(Aead::names()));
    at(&NAMES, index)
}

#[unsafe(no_mangle)]
pub extern "C" fn touchstone_hash_name(index: usize) -> *const c_char {
    static NAMES: Names = LazyLock::new(|| collect(Hash::names().map(String::from)));
    at(&NAMES, index)
}

#[unsafe(no_mangle)]
pub extern "C" fn touchstone_mac_name(index: usize) -> *const c_char {
    static NAMES: Names = LazyLock::new(|| collect(Mac::names().chain(NonceMac::names())));
    at(&NAMES, index)
}

#[unsafe(no_mangle)]
pub extern "C" fn touchstone_wrap_name(index: usize) -> *const c_char {
    static NAMES: Names = LazyLock::new(|| collect(KeyWrap::names()));
    at(&NAMES, index)
}

#[unsafe(no_mangle)]
pub extern "C" fn touchstone_derive_name(index: usize) -> *const c_char {
    static NAMES: Names = LazyLock::new(|| collect(dynamic::derivations()));
    at(&NAMES, index)
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_kernel(name: *const c_char) -> *const c_char {
    /// Each kernel of this machine once, with the NUL that C needs.
    static KERNELS: LazyLock<BTreeSet<CString>> = LazyLock::new(|| {
        dynamic::names()
            .filter_map(|name| CString::new(dynamic::kernel(&name).ok()?).ok())
            .collect()
    });
    // SAFETY: by the caller's contract.
    let Ok(name) = (unsafe { text(name) }) else {
        return std::ptr::null();
    };
    let kernel = dynamic::kernel(name)
        .ok()
        .and_then(|k| CString::new(k).ok());
    let kernel = kernel.and_then(|kernel| KERNELS.get(&kernel));
    kernel.map_or(std::ptr::null(), |kernel| kernel.as_ptr())
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
