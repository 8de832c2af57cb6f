//! The functions of libgnutls that the worker calls, and objects that free their handles when
//! they are dropped.
#![allow(unsafe_code)]

use std::ffi::{c_char, c_int, c_uint, c_void};
use std::ptr;

use touchstone_worker::{Failure, Shared, done, symbols, text};

/// An opaque handle of GnuTLS.
pub(crate) type Handle = *mut c_void;

symbols! {
    /// The functions of libgnutls, as <gnutls/gnutls.h> and <gnutls/crypto.h> declare them. A
    /// function with a question mark was added after version 3.6.
    struct Api {
        gnutls_check_version: fn(*const c_char) -> *const c_char;
        gnutls_strerror: fn(c_int) -> *const c_char;
        gnutls_fips140_mode_enabled: fn() -> c_uint, ?;

        gnutls_cipher_get_key_size: fn(c_int) -> usize;
        gnutls_cipher_get_iv_size: fn(c_int) -> c_uint;
        gnutls_cipher_init: fn(*mut Handle, c_int, *const Datum, *const Datum) -> c_int;
        gnutls_cipher_deinit: fn(Handle) -> ();
        gnutls_cipher_set_iv: fn(Handle, *const u8, usize) -> ();
        gnutls_cipher_encrypt2: fn(Handle, *const u8, usize, *mut u8, usize) -> c_int;
        gnutls_cipher_decrypt2: fn(Handle, *const u8, usize, *mut u8, usize) -> c_int;

        gnutls_aead_cipher_init: fn(*mut Handle, c_int, *const Datum) -> c_int;
        gnutls_aead_cipher_deinit: fn(Handle) -> ();
        gnutls_aead_cipher_encrypt: fn(Handle, *const u8, usize, *const u8, usize, usize, *const u8, usize, *mut u8, *mut usize) -> c_int;
        gnutls_aead_cipher_decrypt: fn(Handle, *const u8, usize, *const u8, usize, usize, *const u8, usize, *mut u8, *mut usize) -> c_int;

        gnutls_rnd: fn(c_int, *mut c_void, usize) -> c_int;

        gnutls_hash_get_len: fn(c_int) -> c_uint;
        gnutls_hash_init: fn(*mut Handle, c_int) -> c_int;
        gnutls_hash: fn(Handle, *const u8, usize) -> c_int;
        gnutls_hash_output, gnutls_hash_deinit: fn(Handle, *mut u8) -> ();

        gnutls_hmac_get_len: fn(c_int) -> c_uint;
        gnutls_hmac_init: fn(*mut Handle, c_int, *const u8, usize) -> c_int;
        gnutls_hmac_set_nonce: fn(Handle, *const u8, usize) -> ();
        gnutls_hmac: fn(Handle, *const u8, usize) -> c_int;
        gnutls_hmac_output, gnutls_hmac_deinit: fn(Handle, *mut u8) -> ();

        gnutls_ecc_curve_get_id: fn(*const c_char) -> c_int;
        gnutls_privkey_init, gnutls_pubkey_init: fn(*mut Handle) -> c_int;
        gnutls_privkey_deinit, gnutls_pubkey_deinit: fn(Handle) -> ();
        gnutls_privkey_import_x509_raw: fn(Handle, *const Datum, c_int, *const c_char, c_uint) -> c_int;
        gnutls_privkey_sign_data2: fn(Handle, c_int, c_uint, *const Datum, *mut Datum) -> c_int;
        gnutls_privkey_decrypt_data: fn(Handle, c_uint, *const Datum, *mut Datum) -> c_int;
        gnutls_pubkey_encrypt_data: fn(Handle, c_uint, *const Datum, *mut Datum) -> c_int;
        gnutls_pubkey_import: fn(Handle, *const Datum, c_int) -> c_int;
        gnutls_pubkey_import_ecc_raw: fn(Handle, c_int, *const Datum, *const Datum) -> c_int;
        gnutls_pubkey_import_gost_raw: fn(Handle, c_int, c_int, c_int, *const Datum, *const Datum) -> c_int, ?;
        gnutls_privkey_import_gost_raw: fn(Handle, c_int, c_int, c_int, *const Datum, *const Datum, *const Datum) -> c_int, ?;
        gnutls_pubkey_verify_data2: fn(Handle, c_int, c_uint, *const Datum, *const Datum) -> c_int;

        gnutls_pbkdf2: fn(c_int, *const Datum, *const Datum, c_uint, *mut u8, usize) -> c_int, ?;
        gnutls_hkdf_extract: fn(c_int, *const Datum, *const Datum, *mut u8) -> c_int, ?;
        gnutls_hkdf_expand: fn(c_int, *const Datum, *const Datum, *mut u8, usize) -> c_int, ?;
    }
}

/// `gnutls_datum_t`.
#[repr(C)]
pub(crate) struct Datum {
    data: *const u8,
    size: c_uint,
}

impl Datum {
    /// Makes a datum that points to `bytes`. The bytes must outlive the datum's use.
    pub(crate) fn new(bytes: &[u8]) -> Result<Self, Failure> {
        Ok(Self {
            data: bytes.as_ptr(),
            size: c_uint::try_from(bytes.len())
                .map_err(|_| Failure::unsupported("more than 4 GiB in one call"))?,
        })
    }
}

impl Datum {
    /// Returns the bytes of an answer that the library allocated.
    ///
    /// # Safety
    ///
    /// The library wrote the datum, and its memory is not freed yet.
    pub(crate) unsafe fn bytes(&self) -> &[u8] {
        if self.size == 0 {
            return &[];
        }
        // SAFETY: the caller guarantees that the memory is live.
        unsafe { std::slice::from_raw_parts(self.data, self.size as usize) }
    }

    /// Returns the memory of an answer, which the caller frees.
    pub(crate) fn memory(&self) -> *mut c_void {
        self.data.cast_mut().cast()
    }
}

/// A loaded libgnutls.
pub(crate) struct Gnutls {
    pub(crate) api: Api,
    pub(crate) shared: Shared,
    /// The version as the library reports it, for example "3.7.9".
    pub(crate) version: String,
}

impl Gnutls {
    /// Loads libgnutls. The library initialises itself.
    pub(crate) fn load(path: &str) -> Result<Self, String> {
        let (api, shared) = Api::open(path, &["libgnutls.so.30"], "GnuTLS 3.6 or later")?;
        // SAFETY: NULL means that no minimum version is required. The answer is a static
        // string.
        let version = unsafe { text((api.gnutls_check_version)(ptr::null())) };
        let version = version.ok_or("GnuTLS does not tell its version")?;
        Ok(Self {
            api,
            shared,
            version,
        })
    }

    /// Returns a remark about the loaded library, for its offers.
    pub(crate) fn note(&self) -> String {
        // SAFETY: the function takes no arguments.
        let fips = self
            .api
            .gnutls_fips140_mode_enabled
            .is_some_and(|ask| unsafe { ask() } != 0);
        let fips = if fips { "; FIPS mode" } else { "" };
        format!("over Nettle, with accelerated AES, GCM and SHA of its own{fips}")
    }
}

impl Api {
    /// Converts GnuTLS's return code (0 for success) into a `Result` with its error text. The
    /// code for an invalid request becomes "these parameters are not supported".
    #[inline]
    pub(crate) fn ok(&self, what: &str, code: c_int) -> Result<(), Failure> {
        done(code >= 0, || self.failure(what, code))
    }

    #[cold]
    fn failure(&self, what: &str, code: c_int) -> Failure {
        const UNKNOWN_CIPHER_TYPE: c_int = -6;
        const UNKNOWN_CIPHER_SUITE: c_int = -21;
        const DECRYPTION_FAILED: c_int = -24;
        const INVALID_REQUEST: c_int = -50;
        // SAFETY: gnutls_strerror returns NULL or a static string for any code.
        let words = unsafe { text((self.gnutls_strerror)(code)) }.unwrap_or_default();
        let text = format!("{what}: {words}");
        match code {
            DECRYPTION_FAILED => Failure::Rejected,
            UNKNOWN_CIPHER_TYPE | UNKNOWN_CIPHER_SUITE | INVALID_REQUEST => {
                Failure::Unsupported(text)
            }
            _ => Failure::Failed(text),
        }
    }

    /// Opens a cipher with its key and, if the cipher has an IV, a first IV.
    pub(crate) fn cipher(
        &self,
        number: c_int,
        key: &[u8],
        iv: Option<&[u8]>,
    ) -> Result<Open, Failure> {
        let mut handle = ptr::null_mut();
        let (key, iv) = (Datum::new(key)?, iv.map(Datum::new).transpose()?);
        let iv = iv.as_ref().map_or(ptr::null(), ptr::from_ref);
        // SAFETY: a successful call writes the handle, and its owner frees the handle. The
        // library copies key and IV.
        let code = unsafe { (self.gnutls_cipher_init)(&mut handle, number, &key, iv) };
        self.ok("gnutls_cipher_init", code)?;
        Ok(Open::new(handle, Close::Plain(self.gnutls_cipher_deinit)))
    }

    /// Opens an AEAD with its key.
    pub(crate) fn aead(&self, number: c_int, key: &[u8]) -> Result<Open, Failure> {
        let (mut handle, key) = (ptr::null_mut(), Datum::new(key)?);
        // SAFETY: a successful call writes the handle, and its owner frees the handle. The
        // library copies the key.
        let code = unsafe { (self.gnutls_aead_cipher_init)(&mut handle, number, &key) };
        self.ok("gnutls_aead_cipher_init", code)?;
        Ok(Open::new(
            handle,
            Close::Plain(self.gnutls_aead_cipher_deinit),
        ))
    }

    /// Opens a MAC with its key.
    pub(crate) fn mac(&self, number: c_int, key: &[u8]) -> Result<Open, Failure> {
        let mut handle = ptr::null_mut();
        // SAFETY: a successful call writes the handle, and its owner frees the handle. The
        // library copies the key.
        let code = unsafe { (self.gnutls_hmac_init)(&mut handle, number, key.as_ptr(), key.len()) };
        self.ok("gnutls_hmac_init", code)?;
        Ok(Open::new(handle, Close::Output(self.gnutls_hmac_deinit)))
    }

    /// Opens a hash.
    pub(crate) fn hash(&self, number: c_int) -> Result<Open, Failure> {
        let mut handle = ptr::null_mut();
        // SAFETY: a successful call writes the handle, and its owner frees the handle.
        let code = unsafe { (self.gnutls_hash_init)(&mut handle, number) };
        self.ok("gnutls_hash_init", code)?;
        Ok(Open::new(handle, Close::Output(self.gnutls_hash_deinit)))
    }
}

/// The function that frees a handle.
enum Close {
    Plain(unsafe extern "C" fn(Handle)),
    /// A function that also takes a buffer for a last output. The buffer may be NULL.
    Output(unsafe extern "C" fn(Handle, *mut u8)),
}

/// A handle of GnuTLS. Dropping `Open` frees the handle.
pub(crate) struct Open {
    pub(crate) handle: Handle,
    close: Close,
}

impl Open {
    /// Makes the owner of a handle that this function frees.
    pub(crate) fn plain(handle: Handle, close: unsafe extern "C" fn(Handle)) -> Self {
        Self::new(handle, Close::Plain(close))
    }

    fn new(handle: Handle, close: Close) -> Self {
        Self { handle, close }
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        // SAFETY: the handle came from the matching function, and is freed once.
        unsafe {
            match self.close {
                Close::Plain(close) => close(self.handle),
                Close::Output(close) => close(self.handle, ptr::null_mut()),
            }
        }
    }
}

/// Returns the handle of an object whose key was set.
#[inline]
pub(crate) fn keyed(open: Option<&Open>) -> Result<Handle, Failure> {
    match open {
        Some(open) => Ok(open.handle),
        None => Err(Failure::failed("no key was set")),
    }
}
