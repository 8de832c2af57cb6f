//! The functions of cryptlib that the worker calls.
#![allow(unsafe_code)]

use std::ffi::{c_int, c_void};

use touchstone_worker::{Failure, Shared, symbols};

symbols! {
    /// The functions of cryptlib, as <cryptlib.h> declares them.
    struct Api {
        cryptInit: fn() -> c_int;
        cryptCreateContext: fn(*mut c_int, c_int, c_int) -> c_int;
        cryptDestroyContext: fn(c_int) -> c_int;
        cryptSetAttribute: fn(c_int, c_int, c_int) -> c_int;
        cryptSetAttributeString: fn(c_int, c_int, *const c_void, c_int) -> c_int;
        cryptGetAttribute: fn(c_int, c_int, *mut c_int) -> c_int;
        cryptGetAttributeString: fn(c_int, c_int, *mut c_void, *mut c_int) -> c_int;
        cryptDeleteAttribute: fn(c_int, c_int) -> c_int;
        cryptEncrypt, cryptDecrypt: fn(c_int, *mut c_void, c_int) -> c_int;
    }
}

/// `CRYPT_UNUSED`.
const UNUSED: c_int = -101;

/// `CRYPT_OPTION_INFO_MAJORVERSION`, and the two numbers after it.
const VERSION: [c_int; 3] = [103, 104, 105];

/// `CRYPT_CTXINFO_MODE`, `…_KEY`, `…_IV` and `…_HASHVALUE`.
pub(crate) const MODE: c_int = 1002;
pub(crate) const KEY: c_int = 1012;
pub(crate) const IV: c_int = 1014;
pub(crate) const HASH_VALUE: c_int = 1015;

/// A loaded cryptlib.
pub(crate) struct Cryptlib {
    pub(crate) api: Api,
    pub(crate) path: String,
}

impl Cryptlib {
    pub(crate) fn load(path: &str) -> Result<Self, String> {
        let shared = Shared::open(path, &["libcl.so", "libcl.so.3.*"]).map_err(|error| {
            format!("{error}; give the path of a build of cryptlib with --library cryptlib=PATH")
        })?;
        let api = Api::load(&shared)?;
        // SAFETY: the function takes no arguments.
        match unsafe { (api.cryptInit)() } {
            0 => Ok(Self {
                api,
                path: shared.path,
            }),
            code => Err(format!("cryptInit answered {code}")),
        }
    }

    /// Returns the version, for example "3.4.9".
    pub(crate) fn version(&self) -> String {
        let numbers = VERSION.map(|attribute| {
            let mut number = 0;
            // SAFETY: a successful call writes the number.
            match unsafe { (self.api.cryptGetAttribute)(UNUSED, attribute, &mut number) } {
                0 => number.to_string(),
                _ => "?".into(),
            }
        });
        numbers.join(".")
    }
}

/// Converts a status.
pub(crate) fn ok(call: &str, status: c_int) -> Result<(), Failure> {
    match status {
        0 => Ok(()),
        status => Err(Failure::failed(format_args!("{call} answered {status}"))),
    }
}

/// Converts the status of a call that refuses parameters.
pub(crate) fn takes(call: &str, status: c_int) -> Result<(), Failure> {
    match status {
        0 => Ok(()),
        status => Err(Failure::unsupported(format_args!(
            "{call} answered {status}"
        ))),
    }
}

/// Converts a length into cryptlib's `int`.
pub(crate) fn int(length: usize) -> Result<c_int, Failure> {
    c_int::try_from(length).map_err(|_| Failure::unsupported("more than 2 GiB in one call"))
}

/// A context. Dropping it destroys it.
pub(crate) struct Context {
    pub(crate) api: Api,
    pub(crate) handle: c_int,
}

impl Context {
    /// Makes a context without a key.
    pub(crate) fn new(api: Api, algorithm: c_int) -> Result<Self, Failure> {
        let mut handle = 0;
        // SAFETY: a successful call writes the handle.
        let status = unsafe { (api.cryptCreateContext)(&mut handle, UNUSED, algorithm) };
        takes("cryptCreateContext", status)?;
        Ok(Self { api, handle })
    }

    /// Sets an attribute that is bytes.
    pub(crate) fn set(&self, attribute: c_int, bytes: &[u8]) -> Result<(), Failure> {
        let (at, length) = (bytes.as_ptr().cast(), int(bytes.len())?);
        // SAFETY: the context is live, and the length is the slice's.
        let status =
            unsafe { (self.api.cryptSetAttributeString)(self.handle, attribute, at, length) };
        takes("cryptSetAttributeString", status)
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        // SAFETY: the context was made, and is destroyed once.
        unsafe { (self.api.cryptDestroyContext)(self.handle) };
    }
}
