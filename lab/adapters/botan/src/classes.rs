//! The shim that calls Botan's C++ classes, `../shim/shim.cpp`. The shim's functions have the
//! same signatures as functions of the C interface, and replace them.

use std::ffi::{c_char, c_int};

use touchstone_worker::{Shared, symbols};

use crate::ffi::{Api, Handle};

symbols! {
    /// The functions of the shim.
    struct Classes {
        touchstone_botan_headers: fn() -> u32;
        touchstone_botan_function: fn() -> unsafe extern "C" fn() -> u32;
    }
}

symbols! {
    /// The functions of the shim for HMAC_DRBG, which the C interface lacks.
    struct Drbg {
        touchstone_drbg_init: fn(*mut Handle, *const c_char, *const u8, usize) -> c_int;
        touchstone_drbg_destroy: fn(Handle) -> c_int;
        touchstone_drbg_add: fn(Handle, *const u8, usize) -> c_int;
        touchstone_drbg_generate: fn(Handle, *const u8, usize, *mut u8, usize) -> c_int;
    }
}

/// Replaces functions of the C interface by the shim's functions, if a shim exists for this
/// version and calls the same loaded library. Returns the shim's own functions if the functions were
/// replaced.
pub(crate) fn put_in_place(api: &mut Api, major: u32, minor: u32) -> Option<Drbg> {
    let file = format!("libtouchstone-botan-{major}.{minor}.so");
    let shared = Shared::open_shim("", &file);
    let is_of = |shared: &Shared| {
        Classes::load(shared).is_ok_and(|classes| is_of(&classes, api, major << 16 | minor))
    };
    let shared = shared.ok().filter(is_of)?;
    let drbg = Drbg::load(&shared).ok()?;
    // GMAC and KMAC are optional in the C interface. The shim does not change whether the worker
    // offers them.
    api.replace(&shared, class_function).is_ok().then_some(drbg)
}

/// Returns the name of the shim's function that replaces a function of the C interface, or
/// `None` if the shim has no such function.
fn class_function(name: &str) -> Option<String> {
    let rest = name.strip_prefix("botan_")?;
    let families = ["block_cipher_", "cipher_", "hash_", "mac_"];
    let stands_in = families.iter().any(|family| rest.starts_with(family));
    stands_in.then(|| format!("touchstone_{rest}"))
}

/// Returns whether the shim was built with the headers of this version and calls the library
/// that this worker loaded.
fn is_of(classes: &Classes, api: &Api, version: u32) -> bool {
    // SAFETY: both functions take no arguments.
    #[allow(unsafe_code)]
    let (headers, function) = unsafe {
        (
            (classes.touchstone_botan_headers)(),
            (classes.touchstone_botan_function)(),
        )
    };
    headers == version && std::ptr::fn_addr_eq(function, api.botan_ffi_api_version)
}
