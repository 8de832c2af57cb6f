//! The shim over Botan's C++ classes, `../shim/shim.cpp`. Its functions have the
//! signatures of the C interface's, and take their places.

use std::ffi::{c_char, c_int};

use touchstone_worker::{Shared, symbols};

use crate::ffi::{Api, Handle};

symbols! {
    /// The shim.
    struct Classes {
        touchstone_botan_headers: fn() -> u32;
        touchstone_botan_function: fn() -> unsafe extern "C" fn() -> u32;

        touchstone_block_cipher_init: fn(*mut Handle, *const c_char) -> c_int;
        touchstone_block_cipher_destroy: fn(Handle) -> c_int;
        touchstone_block_cipher_block_size: fn(Handle) -> c_int;
        touchstone_block_cipher_get_keyspec: fn(
            Handle, *mut usize, *mut usize, *mut usize,
        ) -> c_int;
        touchstone_block_cipher_set_key: fn(Handle, *const u8, usize) -> c_int;
        touchstone_block_cipher_encrypt_blocks: fn(Handle, *const u8, *mut u8, usize) -> c_int;
        touchstone_block_cipher_decrypt_blocks: fn(Handle, *const u8, *mut u8, usize) -> c_int;

        touchstone_cipher_init: fn(*mut Handle, *const c_char, u32) -> c_int;
        touchstone_cipher_destroy: fn(Handle) -> c_int;
        touchstone_cipher_get_keyspec: fn(Handle, *mut usize, *mut usize, *mut usize) -> c_int;
        touchstone_cipher_valid_nonce_length: fn(Handle, usize) -> c_int;
        touchstone_cipher_get_tag_length: fn(Handle, *mut usize) -> c_int;
        touchstone_cipher_set_key: fn(Handle, *const u8, usize) -> c_int;
        touchstone_cipher_set_associated_data: fn(Handle, *const u8, usize) -> c_int;
        touchstone_cipher_reset: fn(Handle) -> c_int;
        touchstone_cipher_start: fn(Handle, *const u8, usize) -> c_int;
        touchstone_cipher_update: fn(
            Handle, u32, *mut u8, usize, *mut usize, *const u8, usize, *mut usize,
        ) -> c_int;

        touchstone_hash_init: fn(*mut Handle, *const c_char, u32) -> c_int;
        touchstone_hash_destroy: fn(Handle) -> c_int;
        touchstone_hash_output_length: fn(Handle, *mut usize) -> c_int;
        touchstone_hash_update: fn(Handle, *const u8, usize) -> c_int;
        touchstone_hash_final: fn(Handle, *mut u8) -> c_int;

        touchstone_mac_init: fn(*mut Handle, *const c_char, u32) -> c_int;
        touchstone_mac_destroy: fn(Handle) -> c_int;
        touchstone_mac_output_length: fn(Handle, *mut usize) -> c_int;
        touchstone_mac_get_keyspec: fn(Handle, *mut usize, *mut usize, *mut usize) -> c_int;
        touchstone_mac_set_key: fn(Handle, *const u8, usize) -> c_int;
        touchstone_mac_set_nonce: fn(Handle, *const u8, usize) -> c_int;
        touchstone_mac_update: fn(Handle, *const u8, usize) -> c_int;
        touchstone_mac_final: fn(Handle, *mut u8) -> c_int;
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
    let Some(classes) = shared
        .ok()
        .and_then(|shared| Classes::load(&shared).ok())
        .filter(|classes| is_of(classes, api, major << 16 | minor))
    else {
        return false;
    };
    replace(api, &classes);
    true
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

fn replace(api: &mut Api, classes: &Classes) {
    macro_rules! replace {
        ($($own:ident = $shim:ident;)*) => { $(api.$own = classes.$shim;)* };
    }
    replace! {
        botan_block_cipher_init = touchstone_block_cipher_init;
        botan_block_cipher_destroy = touchstone_block_cipher_destroy;
        botan_block_cipher_block_size = touchstone_block_cipher_block_size;
        botan_block_cipher_get_keyspec = touchstone_block_cipher_get_keyspec;
        botan_block_cipher_set_key = touchstone_block_cipher_set_key;
        botan_block_cipher_encrypt_blocks = touchstone_block_cipher_encrypt_blocks;
        botan_block_cipher_decrypt_blocks = touchstone_block_cipher_decrypt_blocks;
        botan_cipher_init = touchstone_cipher_init;
        botan_cipher_destroy = touchstone_cipher_destroy;
        botan_cipher_get_keyspec = touchstone_cipher_get_keyspec;
        botan_cipher_valid_nonce_length = touchstone_cipher_valid_nonce_length;
        botan_cipher_get_tag_length = touchstone_cipher_get_tag_length;
        botan_cipher_set_key = touchstone_cipher_set_key;
        botan_cipher_set_associated_data = touchstone_cipher_set_associated_data;
        botan_cipher_reset = touchstone_cipher_reset;
        botan_cipher_start = touchstone_cipher_start;
        botan_cipher_update = touchstone_cipher_update;
        botan_hash_init = touchstone_hash_init;
        botan_hash_destroy = touchstone_hash_destroy;
        botan_hash_output_length = touchstone_hash_output_length;
        botan_hash_update = touchstone_hash_update;
        botan_hash_final = touchstone_hash_final;
        botan_mac_init = touchstone_mac_init;
        botan_mac_destroy = touchstone_mac_destroy;
        botan_mac_output_length = touchstone_mac_output_length;
        botan_mac_get_keyspec = touchstone_mac_get_keyspec;
        botan_mac_set_key = touchstone_mac_set_key;
        botan_mac_update = touchstone_mac_update;
        botan_mac_final = touchstone_mac_final;
    }
    // GMAC and KMAC are offered where the C interface has them, whichever way is taken.
    if api.botan_mac_set_nonce.is_some() {
        api.botan_mac_set_nonce = Some(classes.touchstone_mac_set_nonce);
    }
}
