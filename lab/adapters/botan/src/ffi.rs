//! The functions of Botan's C interface that the worker calls, and objects that free their
//! handles when they are dropped.
#![allow(unsafe_code)]

use std::ffi::{CStr, CString, c_char, c_int, c_void};

use touchstone_worker::{Failure, Owned, c_string, done, symbols};

/// An opaque handle of Botan.
pub(crate) type Handle = *mut c_void;

/// Makes a cipher mode, a hash or a MAC from its name and flags.
pub(crate) type NamedInit = unsafe extern "C" fn(*mut Handle, *const c_char, u32) -> c_int;
/// Destroys a handle. Every type of handle has its own function.
pub(crate) type Destroy = unsafe extern "C" fn(Handle) -> c_int;

/// Returns random bytes to Botan. A custom random generator calls this function.
pub(crate) type RandomBytes = unsafe extern "C" fn(*mut c_void, *mut u8, usize) -> c_int;

/// Takes bytes that Botan shows, such as those of a key.
pub(crate) type View = unsafe extern "C" fn(*mut c_void, *const u8, usize) -> c_int;

symbols! {
    /// The functions of libbotan, as <botan/ffi.h> declares them. A function with a question
    /// mark is missing in some versions since 2.19.
    struct Api {
        botan_version_string: fn() -> *const c_char;
        botan_version_major, botan_version_minor, botan_version_patch: fn() -> u32;
        botan_ffi_api_version: fn() -> u32;
        botan_error_description: fn(c_int) -> *const c_char;
        botan_error_last_exception_message: fn() -> *const c_char, ?;

        botan_block_cipher_init: fn(*mut Handle, *const c_char) -> c_int;
        botan_block_cipher_destroy, botan_block_cipher_block_size: fn(Handle) -> c_int;
        botan_block_cipher_get_keyspec: fn(Handle, *mut usize, *mut usize, *mut usize) -> c_int;
        botan_block_cipher_set_key: fn(Handle, *const u8, usize) -> c_int;
        botan_block_cipher_encrypt_blocks: fn(Handle, *const u8, *mut u8, usize) -> c_int;
        botan_block_cipher_decrypt_blocks: fn(Handle, *const u8, *mut u8, usize) -> c_int;

        botan_cipher_init: fn(*mut Handle, *const c_char, u32) -> c_int;
        botan_cipher_destroy, botan_cipher_reset: fn(Handle) -> c_int;
        botan_cipher_get_keyspec: fn(Handle, *mut usize, *mut usize, *mut usize) -> c_int;
        botan_cipher_valid_nonce_length: fn(Handle, usize) -> c_int;
        botan_cipher_get_tag_length: fn(Handle, *mut usize) -> c_int;
        botan_cipher_set_key: fn(Handle, *const u8, usize) -> c_int;
        botan_cipher_set_associated_data, botan_cipher_start: fn(Handle, *const u8, usize) -> c_int;
        botan_cipher_update: fn(
            Handle, u32, *mut u8, usize, *mut usize, *const u8, usize, *mut usize,
        ) -> c_int;

        botan_hash_init: fn(*mut Handle, *const c_char, u32) -> c_int;
        botan_hash_destroy: fn(Handle) -> c_int;
        botan_hash_output_length: fn(Handle, *mut usize) -> c_int;
        botan_hash_update: fn(Handle, *const u8, usize) -> c_int;
        botan_hash_final: fn(Handle, *mut u8) -> c_int;

        botan_mac_init: fn(*mut Handle, *const c_char, u32) -> c_int;
        botan_mac_destroy: fn(Handle) -> c_int;
        botan_mac_output_length: fn(Handle, *mut usize) -> c_int;
        botan_mac_get_keyspec: fn(Handle, *mut usize, *mut usize, *mut usize) -> c_int;
        botan_mac_set_key, botan_mac_update: fn(Handle, *const u8, usize) -> c_int;
        botan_mac_set_nonce: fn(Handle, *const u8, usize) -> c_int, ?;
        botan_mac_final: fn(Handle, *mut u8) -> c_int;

        botan_kdf: fn(
            *const c_char, *mut u8, usize, *const u8, usize, *const u8, usize, *const u8, usize,
        ) -> c_int;
        botan_pwdhash: fn(
            *const c_char, usize, usize, usize, *mut u8, usize, *const u8, usize, *const u8, usize,
        ) -> c_int;

        botan_key_wrap3394: fn(
            *const u8, usize, *const u8, usize, *mut u8, *mut usize,
        ) -> c_int, ?;
        botan_key_unwrap3394: fn(
            *const u8, usize, *const u8, usize, *mut u8, *mut usize,
        ) -> c_int, ?;
        botan_nist_kw_enc: fn(
            *const c_char, c_int, *const u8, usize, *const u8, usize, *mut u8, *mut usize,
        ) -> c_int, ?;
        botan_nist_kw_dec: fn(
            *const c_char, c_int, *const u8, usize, *const u8, usize, *mut u8, *mut usize,
        ) -> c_int, ?;

        botan_mp_init: fn(*mut Handle) -> c_int;
        botan_mp_destroy, botan_mp_is_negative, botan_mp_is_zero: fn(Handle) -> c_int;
        botan_mp_flip_sign: fn(Handle) -> c_int;
        botan_mp_from_bin: fn(Handle, *const u8, usize) -> c_int;
        botan_mp_to_bin: fn(Handle, *mut u8) -> c_int;
        botan_mp_num_bytes: fn(Handle, *mut usize) -> c_int;
        botan_mp_mul, botan_mp_mod_inverse: fn(Handle, Handle, Handle) -> c_int;
        botan_mp_div, botan_mp_powmod: fn(Handle, Handle, Handle, Handle) -> c_int;
        botan_mp_is_prime: fn(Handle, Handle, usize) -> c_int;

        botan_privkey_load: fn(*mut Handle, Handle, *const u8, usize, *const c_char) -> c_int;
        botan_privkey_load_ed25519, botan_privkey_load_x25519: fn(*mut Handle, *const u8) -> c_int;
        botan_pubkey_load_ed25519: fn(*mut Handle, *const u8) -> c_int;
        botan_privkey_load_ecdh: fn(*mut Handle, Handle, *const c_char) -> c_int;
        botan_privkey_destroy, botan_pubkey_destroy, botan_pk_op_sign_destroy: fn(Handle) -> c_int;
        botan_pk_op_verify_destroy, botan_pk_op_key_agreement_destroy: fn(Handle) -> c_int;
        botan_pubkey_load: fn(*mut Handle, *const u8, usize) -> c_int;
        botan_pk_op_sign_create: fn(*mut Handle, Handle, *const c_char, u32) -> c_int;
        botan_pk_op_verify_create: fn(*mut Handle, Handle, *const c_char, u32) -> c_int;
        botan_pk_op_key_agreement_create: fn(*mut Handle, Handle, *const c_char, u32) -> c_int;
        botan_pk_op_sign_update, botan_pk_op_verify_update: fn(Handle, *const u8, usize) -> c_int;
        botan_pk_op_verify_finish: fn(Handle, *const u8, usize) -> c_int;
        botan_pk_op_sign_finish: fn(Handle, Handle, *mut u8, *mut usize) -> c_int;
        botan_pk_op_key_agreement: fn(
            Handle, *mut u8, *mut usize, *const u8, usize, *const u8, usize,
        ) -> c_int;
        botan_pk_op_encrypt_create: fn(*mut Handle, Handle, *const c_char, u32) -> c_int;
        botan_pk_op_encrypt_destroy: fn(Handle) -> c_int;
        botan_pk_op_encrypt:
            fn(Handle, Handle, *mut u8, *mut usize, *const u8, usize) -> c_int;
        botan_pk_op_decrypt_create: fn(*mut Handle, Handle, *const c_char, u32) -> c_int;
        botan_pk_op_decrypt_destroy: fn(Handle) -> c_int;
        botan_pk_op_decrypt: fn(Handle, *mut u8, *mut usize, *const u8, usize) -> c_int;

        botan_privkey_create: fn(*mut Handle, *const c_char, *const c_char, Handle) -> c_int;
        botan_privkey_export, botan_pubkey_export: fn(Handle, *mut u8, *mut usize, u32) -> c_int;
        botan_privkey_export_pubkey: fn(*mut Handle, Handle) -> c_int;
        botan_privkey_ed25519_get_privkey: fn(Handle, *mut u8) -> c_int;
        botan_pubkey_ed25519_get_pubkey: fn(Handle, *mut u8) -> c_int;
        botan_privkey_view_raw, botan_pubkey_view_raw: fn(Handle, *mut c_void, View) -> c_int, ?;
        botan_privkey_load_dh: fn(*mut Handle, Handle, Handle, Handle) -> c_int;
        botan_privkey_load_elgamal: fn(*mut Handle, Handle, Handle, Handle) -> c_int;
        botan_pubkey_load_elgamal: fn(*mut Handle, Handle, Handle, Handle) -> c_int;
        botan_privkey_load_ml_kem: fn(*mut Handle, *const u8, usize, *const c_char) -> c_int, ?;
        botan_pubkey_load_ml_kem: fn(*mut Handle, *const u8, usize, *const c_char) -> c_int, ?;
        botan_privkey_load_ml_dsa: fn(*mut Handle, *const u8, usize, *const c_char) -> c_int, ?;
        botan_pubkey_load_ml_dsa: fn(*mut Handle, *const u8, usize, *const c_char) -> c_int, ?;
        botan_privkey_load_slh_dsa: fn(*mut Handle, *const u8, usize, *const c_char) -> c_int, ?;
        botan_pubkey_load_slh_dsa: fn(*mut Handle, *const u8, usize, *const c_char) -> c_int, ?;
        botan_pk_op_kem_encrypt_create: fn(*mut Handle, Handle, *const c_char) -> c_int, ?;
        botan_pk_op_kem_encrypt_destroy: fn(Handle) -> c_int, ?;
        botan_pk_op_kem_encrypt_create_shared_key: fn(
            Handle, Handle, *const u8, usize, usize, *mut u8, *mut usize, *mut u8, *mut usize,
        ) -> c_int, ?;
        botan_pk_op_kem_decrypt_create: fn(*mut Handle, Handle, *const c_char) -> c_int, ?;
        botan_pk_op_kem_decrypt_destroy: fn(Handle) -> c_int, ?;
        botan_pk_op_kem_decrypt_shared_key: fn(
            Handle, *const u8, usize, *const u8, usize, usize, *mut u8, *mut usize,
        ) -> c_int, ?;

        botan_rng_init: fn(*mut Handle, *const c_char) -> c_int;
        botan_rng_init_custom: fn(
            *mut Handle, *const c_char, *mut c_void, Option<RandomBytes>, *const c_void, *const c_void,
        ) -> c_int, ?;
        botan_rng_get: fn(Handle, *mut u8, usize) -> c_int;
        botan_rng_destroy: fn(Handle) -> c_int;
        botan_bcrypt_generate: fn(
            *mut u8, *mut usize, *const c_char, Handle, usize, u32,
        ) -> c_int, ?;
    }
}

/// Flag of `botan_cipher_init` for decryption; 0 is encryption.
pub(crate) const DECRYPT: u32 = 1;
/// Flag of `botan_cipher_update` for the last piece of a message. Here a message is one
/// piece.
pub(crate) const FINAL: u32 = 1;
/// Botan's error code for a wrong tag or a failed integrity check.
pub(crate) const BAD_MAC: c_int = -2;

impl Api {
    /// Converts Botan's return code (0 for success) into a `Result` with its error text.
    #[inline]
    pub(crate) fn ok(&self, what: &str, code: c_int) -> Result<(), Failure> {
        done(code == 0, || Failure::Failed(self.explain(what, code)))
    }

    /// Converts Botan's return code into a `Result` like [`Api::ok`], but an error means that
    /// the library does not support these parameters.
    pub(crate) fn takes(&self, what: &str, code: c_int) -> Result<(), Failure> {
        done(code == 0, || Failure::Unsupported(self.explain(what, code)))
    }

    #[cold]
    fn explain(&self, what: &str, code: c_int) -> String {
        // SAFETY: the description is a static string for every code. The message of the last
        // exception belongs to this thread, and stays valid until this thread's next call.
        unsafe {
            let text = CStr::from_ptr((self.botan_error_description)(code)).to_string_lossy();
            let message = self
                .botan_error_last_exception_message
                .map(|last| last())
                .filter(|message| !message.is_null())
                .map(|message| CStr::from_ptr(message).to_string_lossy())
                .filter(|message| !message.is_empty());
            match message {
                Some(message) => format!("{what}: {text} ({code}): {message}"),
                None => format!("{what}: {text} ({code})"),
            }
        }
    }

    /// Makes a block cipher.
    pub(crate) fn block(&self, name: &CStr) -> Result<Object, Failure> {
        let new = self.botan_block_cipher_init;
        // SAFETY: the name is a C string, and a successful call writes the handle.
        unsafe {
            Object::made(self.botan_block_cipher_destroy, |handle| {
                self.takes("botan_block_cipher_init", new(handle, name.as_ptr()))
            })
        }
    }

    /// Makes a cipher mode or a stream cipher.
    pub(crate) fn cipher(&self, name: &CStr, flags: u32) -> Result<Object, Failure> {
        let new = (self.botan_cipher_init, self.botan_cipher_destroy);
        self.named("botan_cipher_init", new, name, flags)
    }

    /// Makes a hash.
    pub(crate) fn hash(&self, name: &CStr) -> Result<Object, Failure> {
        let new = (self.botan_hash_init, self.botan_hash_destroy);
        self.named("botan_hash_init", new, name, 0)
    }

    /// Makes a MAC.
    pub(crate) fn mac(&self, name: &CStr) -> Result<Object, Failure> {
        let new = (self.botan_mac_init, self.botan_mac_destroy);
        self.named("botan_mac_init", new, name, 0)
    }

    #[inline]
    fn named(
        &self,
        what: &str,
        (init, destroy): (NamedInit, Destroy),
        name: &CStr,
        flags: u32,
    ) -> Result<Object, Failure> {
        // SAFETY: a successful call writes the handle, and the name is a C string.
        unsafe {
            Object::made(destroy, |handle| {
                self.takes(what, init(handle, name.as_ptr(), flags))
            })
        }
    }
}

/// Writes the least, the greatest and the step of the key lengths that an object accepts, in
/// bytes.
pub(crate) type KeySpec = unsafe extern "C" fn(Handle, *mut usize, *mut usize, *mut usize) -> c_int;

/// A Botan object. Dropping it destroys the handle.
pub(crate) type Object = Owned<c_void, c_int>;

/// Checks that an object accepts a key of `len` bytes.
pub(crate) fn takes_key(object: &Object, spec: KeySpec, len: usize) -> Result<(), Failure> {
    let (mut least, mut most, mut step) = (0, 0, 0);
    // SAFETY: the object is live, and `spec` is the function for its kind of object.
    let code = unsafe { spec(object.object, &mut least, &mut most, &mut step) };
    if code == 0 && (least..=most).contains(&len) && len.is_multiple_of(step.max(1)) {
        Ok(())
    } else {
        Err(Failure::length("a key", len))
    }
}

/// Converts a name into a C string for Botan.
pub(crate) fn name(text: &str) -> CString {
    c_string(text)
}
