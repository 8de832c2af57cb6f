//! The functions of libmhash that the worker calls.

use std::ffi::{c_int, c_void};

use touchstone_worker::{Shared, symbols};

/// `MHASH`: a handle, which one message uses up.
pub(crate) type Handle = *mut c_void;

symbols! {
    /// The functions of libmhash, as <mhash.h> declares them.
    struct Api {
        mhash_get_block_size, mhash_get_hash_pblock: fn(c_int) -> u32;
        mhash_init: fn(c_int) -> Handle;
        mhash_cp: fn(Handle) -> Handle;
        mhash: fn(Handle, *const u8, u32) -> c_int;
        mhash_deinit: fn(Handle, *mut u8) -> ();
        mhash_hmac_init: fn(c_int, *const u8, u32, u32) -> Handle;
        mhash_hmac_deinit: fn(Handle, *mut u8) -> c_int;
    }
}

/// A loaded libmhash.
pub(crate) struct Mhash {
    pub(crate) api: Api,
    pub(crate) shared: Shared,
    /// The end of the shared object's name, because the library does not report its version.
    pub(crate) version: String,
}

impl Mhash {
    /// Loads libmhash.
    pub(crate) fn load(path: &str) -> Result<Self, String> {
        let (api, shared) = Api::open(path, &["libmhash.so.2"], "mhash 0.9")?;
        let file = std::fs::canonicalize(&shared.path).unwrap_or_default();
        let version = file
            .file_name()
            .and_then(|name| name.to_str())
            .and_then(|name| name.split_once(".so."))
            .map(|(_, end)| format!("so.{end}"))
            .unwrap_or_default();
        Ok(Self {
            api,
            shared,
            version,
        })
    }
}
