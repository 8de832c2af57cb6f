//! The shim over Botan's C++ classes, `../shim/shim.cpp`. Its functions have the
//! signatures of the C interface's, and take their places.

use touchstone_worker::{Shared, symbols};

use crate::ffi::Api;

symbols! {
    /// The shim.
    struct Classes {
        touchstone_botan_headers: fn() -> u32;
        touchstone_botan_function: fn() -> unsafe extern "C" fn() -> u32;
    }
}

/// Puts the shim's functions in the places of the C interface's, if there is a shim for
/// this version and it calls this very library. It is looked for beside this program and
/// then where the loader looks, for in another system's tree the program is that tree's
/// loader.
pub(crate) fn put_in_place(api: &mut Api, major: u32, minor: u32) -> bool {
    let file = format!("libtouchstone-botan-{major}.{minor}.so");
    let beside = std::env::current_exe()
        .ok()
        .map(|exe| exe.with_file_name(&file))
        .filter(|file| file.exists())
        .and_then(|file| file.to_str().map(str::to_owned));
    let shared = Shared::open(beside.as_deref().unwrap_or(""), &[&file]);
    let is_of = |shared: &Shared| {
        Classes::load(shared).is_ok_and(|classes| is_of(&classes, api, major << 16 | minor))
    };
    match shared.ok().filter(is_of) {
        // GMAC and KMAC are offered where the C interface has them, whichever way is taken.
        Some(shared) => api.replace(&shared, class_function).is_ok(),
        None => false,
    }
}

/// The shim's function for a function of the C interface, if the shim stands in for that.
fn class_function(name: &str) -> Option<String> {
    let rest = name.strip_prefix("botan_")?;
    let families = ["block_cipher_", "cipher_", "hash_", "mac_"];
    let stands_in = families.iter().any(|family| rest.starts_with(family));
    stands_in.then(|| format!("touchstone_{rest}"))
}

/// Whether the shim was built with the headers of this version and calls this library.
fn is_of(classes: &Classes, api: &Api, version: u32) -> bool {
    // SAFETY: both functions take nothing.
    #[allow(unsafe_code)]
    let (headers, function) = unsafe {
        (
            (classes.touchstone_botan_headers)(),
            (classes.touchstone_botan_function)(),
        )
    };
    headers == version && std::ptr::fn_addr_eq(function, api.botan_ffi_api_version)
}
