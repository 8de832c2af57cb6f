//! What there is: names to go through, and which kernel serves each.
#![allow(unsafe_code)]

use std::ffi::{CStr, CString, c_char};
use std::sync::LazyLock;

use crate::memory::text;
use crate::mode::{AEAD_MODES, MAC_MODES, MODES};
use crate::registry::{self, AEADS, CIPHERS, HASHES, MACS, fits};
use crate::status::Result;

struct Lists {
    ciphers: Vec<CString>,
    aeads: Vec<CString>,
    hashes: Vec<CString>,
    macs: Vec<CString>,
    /// Each kernel once, as C has it.
    kernels: Vec<CString>,
}

fn c(names: impl Iterator<Item = String>) -> Vec<CString> {
    names.filter_map(|name| CString::new(name).ok()).collect()
}

static LISTS: LazyLock<Lists> = LazyLock::new(|| {
    let ciphers = CIPHERS.iter().flat_map(|cipher| {
        let modes = MODES.iter().filter(|mode| fits(mode.only, cipher));
        modes.map(|mode| format!("{}-{}", cipher.id, mode.name))
    });
    let aeads = CIPHERS
        .iter()
        .flat_map(|cipher| {
            let modes = AEAD_MODES.iter().filter(|mode| fits(mode.only, cipher));
            modes.map(|mode| format!("{}-{}", cipher.id, mode.name))
        })
        .chain(AEADS.iter().map(|row| row.id.to_owned()));
    let macs = CIPHERS
        .iter()
        .flat_map(|cipher| {
            let modes = MAC_MODES.iter();
            modes.map(|(mode, _)| format!("{}-{mode}", cipher.id))
        })
        .chain(MACS.iter().map(|row| row.id.to_owned()));
    let mut kernels: Vec<&str> = CIPHERS.iter().map(|row| (row.kernel)()).collect();
    kernels.extend(AEADS.iter().map(|row| (row.kernel)()));
    kernels.extend(HASHES.iter().map(|row| (row.kernel)()));
    kernels.extend(MACS.iter().map(|row| (row.kernel)()));
    kernels.sort_unstable();
    kernels.dedup();
    Lists {
        ciphers: c(ciphers),
        aeads: c(aeads),
        hashes: c(HASHES.iter().map(|row| row.id.to_owned())),
        macs: c(macs),
        kernels: c(kernels.into_iter().map(str::to_owned)),
    }
});

fn at(names: &'static [CString], index: usize) -> *const c_char {
    names
        .get(index)
        .map_or(std::ptr::null(), |name| name.as_ptr())
}

/// The name of a cipher by its index, from 0 on; NULL after the last. Never to be
/// freed, as all names.
#[unsafe(no_mangle)]
pub extern "C" fn touchstone_cipher_name(index: usize) -> *const c_char {
    at(&LISTS.ciphers, index)
}

/// The name of an authenticated cipher by its index, from 0 on; NULL after the
/// last.
#[unsafe(no_mangle)]
pub extern "C" fn touchstone_aead_name(index: usize) -> *const c_char {
    at(&LISTS.aeads, index)
}

/// The name of a hash function by its index, from 0 on; NULL after the last.
#[unsafe(no_mangle)]
pub extern "C" fn touchstone_hash_name(index: usize) -> *const c_char {
    at(&LISTS.hashes, index)
}

/// The name of a MAC by its index, from 0 on; NULL after the last.
#[unsafe(no_mangle)]
pub extern "C" fn touchstone_mac_name(index: usize) -> *const c_char {
    at(&LISTS.macs, index)
}

fn kernel_of(name: &str) -> Result<&'static str> {
    let over = |cipher: &registry::Cipher| (cipher.kernel)();
    registry::cipher_mode(name)
        .map(|(cipher, _)| over(cipher))
        .or_else(|_| registry::aead(name).map(|row| row.kernel()))
        .or_else(|_| registry::key_wrap(name).map(|(cipher, _)| over(cipher)))
        .or_else(|_| registry::hash(name).map(|row| (row.kernel)()))
        .or_else(|_| registry::mac(name).map(|row| row.kernel()))
}

/// Which kernel serves what has this name, on this machine: `"portable"`, or what
/// the processor's instructions allow. NULL if nothing has this name.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_kernel(name: *const c_char) -> *const c_char {
    // SAFETY: by the caller's contract.
    let Ok(kernel) = unsafe { text(name) }.and_then(kernel_of) else {
        return std::ptr::null();
    };
    let same = |name: &&CString| name.as_bytes() == kernel.as_bytes();
    let found = LISTS.kernels.iter().find(same);
    found.map_or(std::ptr::null(), |name| name.as_ptr())
}

/// The version of the library, `"0.1.0"`.
#[unsafe(no_mangle)]
pub extern "C" fn touchstone_version() -> *const c_char {
    const VERSION: &CStr =
        match CStr::from_bytes_with_nul(concat!(env!("CARGO_PKG_VERSION"), "\0").as_bytes()) {
            Ok(version) => version,
            Err(_) => c"",
        };
    VERSION.as_ptr()
}
