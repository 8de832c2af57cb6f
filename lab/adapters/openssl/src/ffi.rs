//! The functions of libcrypto that the worker calls, and contexts that are freed when they are
//! dropped.
#![allow(unsafe_code)]

use std::ffi::{CStr, c_char, c_int, c_long, c_uint, c_ulong, c_void};
use std::ptr;

use touchstone_worker::{Failure, Owned, Shared, c_string, done, symbols, text};

/// A pointer to an opaque object of OpenSSL.
pub(crate) type Object = *mut c_void;

symbols! {
    /// The functions of libcrypto, as <openssl/evp.h>, <openssl/mac.h>, <openssl/kdf.h>,
    /// <openssl/rand.h>, <openssl/provider.h>, <openssl/x509.h>, <openssl/bn.h>, <openssl/ec.h> and <openssl/des.h>
    /// declare them.
    struct Api {
        OpenSSL_version: fn(c_int) -> *const c_char;
        OSSL_PROVIDER_load: fn(Object, *const c_char) -> Object;
        ERR_clear_error: fn() -> ();
        ERR_get_error: fn() -> c_ulong;
        ERR_error_string_n: fn(c_ulong, *mut c_char, usize) -> ();

        EVP_CIPHER_fetch: fn(Object, *const c_char, *const c_char) -> Object;
        EVP_CIPHER_get_block_size, EVP_CIPHER_get_iv_length: fn(Object) -> c_int;
        EVP_CIPHER_get_key_length: fn(Object) -> c_int;
        EVP_CIPHER_CTX_new: fn() -> Object;
        EVP_CIPHER_CTX_free: fn(Object) -> ();
        EVP_CIPHER_CTX_ctrl: fn(Object, c_int, c_int, *mut c_void) -> c_int;
        EVP_CIPHER_CTX_get_params: fn(Object, *mut Param) -> c_int;
        EVP_CIPHER_CTX_set_key_length, EVP_CIPHER_CTX_set_padding: fn(Object, c_int) -> c_int;
        EVP_CIPHER_CTX_set_flags: fn(Object, c_int) -> ();
        EVP_CIPHER_CTX_set_params: fn(Object, *const Param) -> c_int;
        EVP_CipherInit_ex2: fn(Object, Object, *const u8, *const u8, c_int, *const Param) -> c_int;
        EVP_CipherUpdate: fn(Object, *mut u8, *mut c_int, *const u8, c_int) -> c_int;
        EVP_CipherFinal_ex: fn(Object, *mut u8, *mut c_int) -> c_int;

        EVP_MD_fetch: fn(Object, *const c_char, *const c_char) -> Object;
        EVP_MD_get_size: fn(Object) -> c_int;
        EVP_MD_CTX_new: fn() -> Object;
        EVP_MD_CTX_free: fn(Object) -> ();
        EVP_DigestInit_ex2: fn(Object, Object, *const Param) -> c_int;
        EVP_DigestUpdate: fn(Object, *const u8, usize) -> c_int;
        EVP_DigestFinal_ex: fn(Object, *mut u8, *mut c_uint) -> c_int;
        EVP_DigestFinalXOF: fn(Object, *mut u8, usize) -> c_int;

        EVP_MAC_fetch: fn(Object, *const c_char, *const c_char) -> Object;
        EVP_MAC_CTX_new: fn(Object) -> Object;
        EVP_MAC_CTX_free: fn(Object) -> ();
        EVP_MAC_CTX_set_params: fn(Object, *const Param) -> c_int;
        EVP_MAC_init: fn(Object, *const u8, usize, *const Param) -> c_int;
        EVP_MAC_update: fn(Object, *const u8, usize) -> c_int;
        EVP_MAC_final: fn(Object, *mut u8, *mut usize, usize) -> c_int;

        EVP_KDF_fetch: fn(Object, *const c_char, *const c_char) -> Object;
        EVP_KDF_CTX_new: fn(Object) -> Object;
        EVP_KDF_CTX_free: fn(Object) -> ();
        EVP_KDF_derive: fn(Object, *mut u8, usize, *const Param) -> c_int;

        EVP_RAND_fetch: fn(Object, *const c_char, *const c_char) -> Object;
        EVP_RAND_CTX_new: fn(Object, Object) -> Object;
        EVP_RAND_CTX_free: fn(Object) -> ();
        EVP_RAND_CTX_set_params: fn(Object, *const Param) -> c_int;
        EVP_RAND_instantiate:
            fn(Object, c_uint, c_int, *const u8, usize, *const Param) -> c_int;
        EVP_RAND_reseed: fn(Object, c_int, *const u8, usize, *const u8, usize) -> c_int;
        EVP_RAND_generate:
            fn(Object, *mut u8, usize, c_uint, c_int, *const u8, usize) -> c_int;
        RAND_bytes: fn(*mut u8, c_int) -> c_int;

        EVP_PKEY_CTX_new_from_name: fn(Object, *const c_char, *const c_char) -> Object;
        EVP_PKEY_CTX_free, EVP_PKEY_free: fn(Object) -> ();
        EVP_PKEY_keygen_init: fn(Object) -> c_int;
        EVP_PKEY_generate: fn(Object, *mut Object) -> c_int;
        EVP_PKEY_get_raw_private_key: fn(Object, *mut u8, *mut usize) -> c_int;
        EVP_PKEY_get_raw_public_key: fn(Object, *mut u8, *mut usize) -> c_int;
        EVP_PKEY_new_raw_private_key_ex:
            fn(Object, *const c_char, *const c_char, *const u8, usize) -> Object;
        EVP_PKEY_new_raw_public_key_ex:
            fn(Object, *const c_char, *const c_char, *const u8, usize) -> Object;
        EVP_DigestSignInit_ex: fn(
            Object, *mut Object, *const c_char, Object, *const c_char, Object, *const Param,
        ) -> c_int;
        EVP_DigestSign: fn(Object, *mut u8, *mut usize, *const u8, usize) -> c_int;
        EVP_DigestVerifyInit_ex: fn(
            Object, *mut Object, *const c_char, Object, *const c_char, Object, *const Param,
        ) -> c_int;
        EVP_DigestVerify: fn(Object, *const u8, usize, *const u8, usize) -> c_int;

        EVP_PKEY_CTX_new_from_pkey: fn(Object, Object, *const c_char) -> Object;
        EVP_PKEY_CTX_set_params: fn(Object, *const Param) -> c_int;
        EVP_PKEY_CTX_set_rsa_padding: fn(Object, c_int) -> c_int;
        EVP_PKEY_CTX_set_rsa_oaep_md_name: fn(Object, *const c_char, *const c_char) -> c_int;
        EVP_PKEY_derive_init, EVP_PKEY_fromdata_init: fn(Object) -> c_int;
        EVP_PKEY_derive_set_peer: fn(Object, Object) -> c_int;
        EVP_PKEY_derive: fn(Object, *mut u8, *mut usize) -> c_int;
        EVP_PKEY_fromdata: fn(Object, *mut Object, c_int, *const Param) -> c_int;
        EVP_PKEY_get_octet_string_param:
            fn(Object, *const c_char, *mut u8, usize, *mut usize) -> c_int;
        EVP_PKEY_encapsulate_init, EVP_PKEY_decapsulate_init: fn(Object, *const Param) -> c_int;
        EVP_PKEY_encapsulate: fn(Object, *mut u8, *mut usize, *mut u8, *mut usize) -> c_int;
        EVP_PKEY_decapsulate: fn(Object, *mut u8, *mut usize, *const u8, usize) -> c_int;
        EVP_PKEY_encrypt: fn(Object, *mut u8, *mut usize, *const u8, usize) -> c_int;
        EVP_PKEY_decrypt: fn(Object, *mut u8, *mut usize, *const u8, usize) -> c_int;
        EVP_PKEY_encrypt_init, EVP_PKEY_decrypt_init: fn(Object) -> c_int;
        EVP_PKEY2PKCS8: fn(Object) -> Object;
        PKCS8_PRIV_KEY_INFO_free: fn(Object) -> ();
        i2d_PKCS8_PRIV_KEY_INFO, i2d_PUBKEY: fn(Object, *mut *mut u8) -> c_int;
        d2i_AutoPrivateKey, d2i_PUBKEY: fn(*mut Object, *mut *const u8, c_long) -> Object;

        BN_new, BN_CTX_new: fn() -> Object;
        BN_free, BN_CTX_free: fn(Object) -> ();
        BN_bin2bn: fn(*const u8, c_int, Object) -> Object;
        BN_bn2binpad: fn(Object, *mut u8, c_int) -> c_int;
        BN_is_negative, BN_is_zero: fn(Object) -> c_int;
        BN_set_negative: fn(Object, c_int) -> ();
        BN_mul: fn(Object, Object, Object, Object) -> c_int;
        BN_sqr, BN_add: fn(Object, Object, Object) -> c_int;
        BN_cmp: fn(Object, Object) -> c_int;
        BN_div, BN_mod_exp: fn(Object, Object, Object, Object, Object) -> c_int;
        BN_mod_exp_mont_consttime:
            fn(Object, Object, Object, Object, Object, Object) -> c_int;
        BN_mod_inverse: fn(Object, Object, Object, Object) -> Object;
        BN_check_prime: fn(Object, Object, Object) -> c_int;

        EC_GROUP_new_by_curve_name: fn(c_int) -> Object;
        EC_GROUP_free, EC_POINT_free: fn(Object) -> ();
        EC_POINT_new: fn(Object) -> Object;
        EC_POINT_mul: fn(Object, Object, Object, Object, Object, Object) -> c_int;
        EC_POINT_oct2point: fn(Object, Object, *const u8, usize, Object) -> c_int;
        EC_POINT_point2oct: fn(Object, Object, c_int, *mut u8, usize, Object) -> usize;
        OBJ_sn2nid: fn(*const c_char) -> c_int;

        EVP_get_cipherbyname, EVP_get_digestbyname: fn(*const c_char) -> Object;
        EVP_Digest: fn(*const u8, usize, *mut u8, *mut c_uint, Object, Object) -> c_int;
        EVP_Q_mac: fn(
            Object, *const c_char, *const c_char, *const c_char, *const Param,
            *const u8, usize, *const u8, usize, *mut u8, usize, *mut usize,
        ) -> *mut u8;

        DES_fcrypt: fn(*const c_char, *const c_char, *mut c_char) -> *mut c_char, ?;
        DES_set_key_unchecked: fn(*const u8, *mut DesSchedule) -> (), ?;
        DES_ecb_encrypt: fn(*const u8, *mut u8, *mut DesSchedule, c_int) -> (), ?;
    }
}

/// `DES_key_schedule` of <openssl/des.h>: sixteen round keys of two 32-bit words.
pub(crate) type DesSchedule = [[u32; 2]; 16];

/// A loaded libcrypto with its providers.
pub(crate) struct OpenSsl {
    pub(crate) api: Api,
    pub(crate) path: String,
    pub(crate) legacy: bool,
}

impl OpenSsl {
    /// Loads libcrypto and the providers "default" and "legacy".
    pub(crate) fn load(path: &str) -> Result<Self, String> {
        let shared = Shared::open(path, &["libcrypto.so.4", "libcrypto.so.3"])?;
        let api = Api::load(&shared)?;
        // SAFETY: NULL means the default library context, and the names are C strings.
        let [default, legacy] = unsafe {
            [c"default", c"legacy"]
                .map(|name| !(api.OSSL_PROVIDER_load)(ptr::null_mut(), name.as_ptr()).is_null())
        };
        if !default {
            return Err("the default provider does not load".into());
        }
        let path = shared.path.clone();
        Ok(Self { api, path, legacy })
    }

    /// Returns the cipher object that `EVP_aes_128_gcm()` and similar functions return. It
    /// belongs to no provider, so each initialisation fetches an implementation by name.
    pub(crate) fn unfetched_cipher(&self, name: &str) -> Option<Fetched> {
        self.unfetched(self.api.EVP_get_cipherbyname, name)
    }

    /// Returns the digest object that `EVP_sha256()` and similar functions return.
    pub(crate) fn unfetched_digest(&self, name: &str) -> Option<Fetched> {
        self.unfetched(self.api.EVP_get_digestbyname, name)
    }

    fn unfetched(
        &self,
        find: unsafe extern "C" fn(*const c_char) -> Object,
        name: &str,
    ) -> Option<Fetched> {
        let name = c_string(name);
        // SAFETY: the name is a C string. The answer is a static object or NULL.
        let object = unsafe { find(name.as_ptr()) };
        (!object.is_null()).then_some(Fetched(object))
    }

    /// Fetches a cipher, digest, MAC or KDF by name. Returns `None` if no loaded provider has
    /// it. The worker never frees a fetched object.
    pub(crate) fn fetch(
        &self,
        fetch: unsafe extern "C" fn(Object, *const c_char, *const c_char) -> Object,
        name: &str,
    ) -> Option<Fetched> {
        let name = c_string(name);
        // SAFETY: NULL means the default library context, the name is a C string, and NULL
        // means no property query.
        let object = unsafe { fetch(ptr::null_mut(), name.as_ptr(), ptr::null()) };
        // SAFETY: the function takes no arguments. It removes the error "unsupported", so that
        // no later call reports this error.
        unsafe { (self.api.ERR_clear_error)() };
        (!object.is_null()).then_some(Fetched(object))
    }
}

impl Api {
    /// Returns the version as the library reports it, for example "3.0.19".
    pub(crate) fn version(&self) -> String {
        const OPENSSL_VERSION_STRING: c_int = 6;
        self.text(OPENSSL_VERSION_STRING)
    }

    /// Returns whether the library has at least this version.
    pub(crate) fn is_at_least(&self, major: u32, minor: u32) -> bool {
        let version = self.version();
        let mut numbers = version.split('.').map(|part| part.parse().unwrap_or(0));
        let mut next = || numbers.next().unwrap_or(0);
        (next(), next()) >= (major, minor)
    }

    /// Returns `OPENSSL_ia32cap` as the library has read it.
    pub(crate) fn cpu_settings(&self) -> String {
        const OPENSSL_CPU_INFO: c_int = 9;
        self.text(OPENSSL_CPU_INFO)
    }

    fn text(&self, what: c_int) -> String {
        // SAFETY: OpenSSL_version returns a static string for any argument.
        unsafe { text((self.OpenSSL_version)(what)) }.unwrap_or_default()
    }

    /// Converts OpenSSL's return code (1 for success) into a `Result` with its error text.
    pub(crate) fn ok(&self, what: &str, code: c_int) -> Result<(), Failure> {
        done(code == 1, || self.failure(what))
    }

    /// Returns the failure of the call `what`, with the newest entry of OpenSSL's error queue.
    #[cold]
    pub(crate) fn failure(&self, what: &str) -> Failure {
        let mut room = [0 as c_char; 256];
        // SAFETY: the buffer has the length that is passed, and ends in a NUL after the call.
        let reason = unsafe {
            let code = (self.ERR_get_error)();
            (self.ERR_error_string_n)(code, room.as_mut_ptr(), room.len());
            (self.ERR_clear_error)();
            text(room.as_ptr()).unwrap_or_default()
        };
        Failure::Failed(format!("{what}: {reason}"))
    }
}

/// A fetched algorithm, or a static algorithm that is fetched when it is used. The object never
/// changes, every thread may use it, and the worker never frees it.
#[derive(Clone, Copy)]
pub(crate) struct Fetched(Object);

impl Fetched {
    /// Returns the pointer to the object.
    pub(crate) fn get(self) -> Object {
        self.0
    }
}

// SAFETY: OpenSSL documents fetched algorithm objects as thread-safe.
unsafe impl Send for Fetched {}
// SAFETY: OpenSSL documents fetched algorithm objects as thread-safe.
unsafe impl Sync for Fetched {}

/// A context, a key or a number. Dropping it frees it.
pub(crate) type Context = Owned;

/// `OSSL_PARAM`, <openssl/core.h>.
#[repr(C)]
pub(crate) struct Param {
    key: *const c_char,
    data_type: c_uint,
    data: *const c_void,
    data_size: usize,
    return_size: usize,
}

impl Param {
    const UNSIGNED_INTEGER: c_uint = 2;
    const UTF8_STRING: c_uint = 4;
    const OCTET_STRING: c_uint = 5;

    fn new(key: &'static CStr, data_type: c_uint, data: *const c_void, data_size: usize) -> Self {
        Self {
            key: key.as_ptr(),
            data_type,
            data,
            data_size,
            return_size: usize::MAX,
        }
    }

    /// Makes a parameter with a byte string. The bytes must outlive the parameter's use.
    pub(crate) fn octets(key: &'static CStr, bytes: &[u8]) -> Self {
        Self::new(key, Self::OCTET_STRING, bytes.as_ptr().cast(), bytes.len())
    }

    /// Makes a parameter with room for a byte string of exactly this length. The bytes must
    /// outlive the parameter's use.
    pub(crate) fn room(key: &'static CStr, bytes: &mut [u8]) -> Self {
        let data = bytes.as_mut_ptr().cast_const().cast();
        Self::new(key, Self::OCTET_STRING, data, bytes.len())
    }

    /// Makes a parameter with a text. The text must outlive the parameter's use.
    pub(crate) fn text(key: &'static CStr, text: &CStr) -> Self {
        Self::new(
            key,
            Self::UTF8_STRING,
            text.as_ptr().cast(),
            text.count_bytes(),
        )
    }

    /// Makes a parameter with a number. The number must outlive the parameter's use.
    pub(crate) fn number(key: &'static CStr, value: &u64) -> Self {
        Self::new(key, Self::UNSIGNED_INTEGER, ptr::from_ref(value).cast(), 8)
    }

    /// Returns the end mark, which every list of parameters needs.
    pub(crate) fn end() -> Self {
        Self {
            key: ptr::null(),
            data_type: 0,
            data: ptr::null(),
            data_size: 0,
            return_size: 0,
        }
    }
}

/// Converts a length into OpenSSL's `int`.
pub(crate) fn int(len: usize) -> Result<c_int, Failure> {
    c_int::try_from(len).map_err(|_| Failure::unsupported("more than 2 GiB in one call"))
}
