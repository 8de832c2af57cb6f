//! The functions of liboqs that the worker calls.
#![allow(unsafe_code)]

use std::ffi::{CStr, c_char, c_int, c_void};
use std::sync::Arc;

pub(crate) use touchstone_worker::ok;
use touchstone_worker::{Owned, Shared, symbols, text};

/// `OQS_KEM *` or `OQS_SIG *`.
pub(crate) type Handle = *mut c_void;

symbols! {
    /// The functions of liboqs, as <oqs/oqs.h> declares them. `OQS_SUCCESS` is 0.
    struct Api {
        OQS_init: fn() -> ();
        OQS_version: fn() -> *const c_char;
        OQS_randombytes: fn(*mut u8, usize) -> ();
        OQS_KEM_new, OQS_SIG_new: fn(*const c_char) -> Handle;
        OQS_KEM_free, OQS_SIG_free: fn(Handle) -> ();
        OQS_KEM_keypair_derand: fn(Handle, *mut u8, *mut u8, *const u8) -> c_int, ?;
        OQS_KEM_encaps: fn(Handle, *mut u8, *mut u8, *const u8) -> c_int;
        OQS_KEM_decaps: fn(Handle, *mut u8, *const u8, *const u8) -> c_int;
        OQS_SIG_sign: fn(*const c_void, *mut u8, *mut usize, *const u8, usize, *const u8) -> c_int;
        OQS_SIG_verify: fn(*const c_void, *const u8, usize, *const u8, usize, *const u8) -> c_int;
    }
}

/// A loaded liboqs.
#[derive(Clone)]
pub(crate) struct Oqs {
    pub(crate) api: Api,
    pub(crate) path: Arc<str>,
}

impl Oqs {
    pub(crate) fn load(path: &str) -> Result<Self, String> {
        let shared = Shared::open(path, &["liboqs.so.*"])?;
        let api = Api::load(&shared)?;
        // SAFETY: the function takes no arguments, and is called once.
        unsafe { (api.OQS_init)() };
        Ok(Self {
            api,
            path: shared.path.into(),
        })
    }

    pub(crate) fn version(&self) -> String {
        // SAFETY: the function returns a C string that the library keeps.
        unsafe { text((self.api.OQS_version)()) }.unwrap_or_default()
    }

    /// Makes an object for an algorithm; `None` if this build of the library lacks it.
    pub(crate) fn object(&self, name: &CStr, signs: bool) -> Option<Owned> {
        let (new, free) = if signs {
            (self.api.OQS_SIG_new, self.api.OQS_SIG_free)
        } else {
            (self.api.OQS_KEM_new, self.api.OQS_KEM_free)
        };
        // SAFETY: the name is a C string; the owner frees the object.
        unsafe { Owned::new(new(name.as_ptr()), free).ok() }
    }
}
