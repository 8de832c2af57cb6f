//! The functions of libmcrypt that the worker calls, and modules that are freed when they are
//! dropped.
#![allow(unsafe_code)]

use std::ffi::{CStr, c_char, c_int, c_void};
use std::ptr;

use touchstone_worker::{Failure, Shared, done, symbols, text};

/// `MCRYPT`: an open module, which is a cipher in a mode.
pub(crate) type Module = *mut c_void;

symbols! {
    /// The functions of libmcrypt, as <mcrypt.h> declares them.
    struct Api {
        mcrypt_check_version: fn(*const c_char) -> *const c_char;
        mcrypt_strerror: fn(c_int) -> *const c_char;
        mcrypt_module_open: fn(*const c_char, *const c_char, *const c_char, *const c_char) -> Module;
        mcrypt_module_close, mcrypt_enc_get_block_size: fn(Module) -> c_int;
        mcrypt_enc_get_key_size, mcrypt_generic_deinit: fn(Module) -> c_int;
        mcrypt_generic_init: fn(Module, *const u8, c_int, *const u8) -> c_int;
        mcrypt_enc_set_state: fn(Module, *const u8, c_int) -> c_int;
        mcrypt_generic, mdecrypt_generic: fn(Module, *mut u8, c_int) -> c_int;
    }
}

/// A loaded libmcrypt.
pub(crate) struct Mcrypt {
    pub(crate) api: Api,
    pub(crate) shared: Shared,
    /// The version as the library reports it, for example "2.5.8".
    pub(crate) version: String,
}

impl Mcrypt {
    /// Loads libmcrypt.
    pub(crate) fn load(path: &str) -> Result<Self, String> {
        let (api, shared) = Api::open(path, &["libmcrypt.so.4"], "libmcrypt 2.5")?;
        // SAFETY: NULL means that no minimum version is required. The answer is a static
        // string.
        let version = unsafe { text((api.mcrypt_check_version)(ptr::null())) };
        let version = version.ok_or("libmcrypt does not tell its version")?;
        Ok(Self {
            api,
            shared,
            version,
        })
    }
}

impl Api {
    /// Converts libmcrypt's return code into a `Result` with its error text. Negative codes are
    /// errors.
    #[inline]
    pub(crate) fn ok(&self, what: &str, code: c_int) -> Result<(), Failure> {
        done(code >= 0, || self.failure(what, code))
    }

    #[cold]
    fn failure(&self, what: &str, code: c_int) -> Failure {
        // SAFETY: mcrypt_strerror returns a static string for any code.
        let words = unsafe { text((self.mcrypt_strerror)(code)) }.unwrap_or_default();
        Failure::failed(format_args!("{what}: {}", words.trim()))
    }

    /// Opens a module. Returns `None` if the build lacks the cipher or the mode.
    pub(crate) fn module(&self, cipher: &CStr, mode: &CStr) -> Option<Open> {
        // SAFETY: the names are two C strings. NULL means the usual folder.
        let module = unsafe {
            (self.mcrypt_module_open)(cipher.as_ptr(), ptr::null(), mode.as_ptr(), ptr::null())
        };
        (!module.is_null()).then_some(Open {
            api: *self,
            module,
            keyed: false,
        })
    }
}

/// An open module. Dropping `Open` closes the module.
pub(crate) struct Open {
    api: Api,
    pub(crate) module: Module,
    keyed: bool,
}

impl Open {
    /// Returns the length of a block in bytes.
    pub(crate) fn block(&self) -> usize {
        // SAFETY: the module is open.
        let bytes = unsafe { (self.api.mcrypt_enc_get_block_size)(self.module) };
        usize::try_from(bytes).unwrap_or(0)
    }

    /// Returns the length of the cipher's longest key in bytes.
    pub(crate) fn longest_key(&self) -> usize {
        // SAFETY: the module is open.
        let bytes = unsafe { (self.api.mcrypt_enc_get_key_size)(self.module) };
        usize::try_from(bytes).unwrap_or(0)
    }

    /// Sets a key and a first IV, which replace the previous ones.
    pub(crate) fn init(&mut self, key: &[u8], iv: &[u8; 64]) -> Result<(), Failure> {
        self.deinit();
        let bytes = c_int::try_from(key.len()).unwrap_or(-1);
        // SAFETY: the module is open, the key has the length that is passed, and the IV is
        // longer than any block.
        let code = unsafe {
            (self.api.mcrypt_generic_init)(self.module, key.as_ptr(), bytes, iv.as_ptr())
        };
        self.api.ok("mcrypt_generic_init", code)?;
        self.keyed = true;
        Ok(())
    }

    fn deinit(&mut self) {
        if self.keyed {
            // SAFETY: the module has a key. The only error of this call is a module without a
            // key.
            unsafe { (self.api.mcrypt_generic_deinit)(self.module) };
            self.keyed = false;
        }
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        self.deinit();
        // SAFETY: the module is open, and is closed once. The only error of this call is NULL.
        unsafe { (self.api.mcrypt_module_close)(self.module) };
    }
}
