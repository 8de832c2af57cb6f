//! The functions of libmbedcrypto that the worker calls, and contexts that are freed when they
//! are dropped.
#![allow(unsafe_code)]

use std::ffi::{c_char, c_int, c_uint, c_void};

use touchstone_worker::{Failure, Memory, Shared, c_string, done, symbols, text};

/// A context, in memory that the worker owns.
pub(crate) type Context = *mut c_void;
/// A pointer to `mbedtls_cipher_info_t` or `mbedtls_md_info_t`, which are constants of the
/// library.
pub(crate) type Info = *const c_void;
/// A random generator. Arguments: context, output, length.
pub(crate) type Random = unsafe extern "C" fn(Context, *mut u8, usize) -> c_int;

symbols! {
    /// The functions of libmbedcrypto, as the headers under <mbedtls/> declare them. A function
    /// with a question mark does not exist in Mbed TLS 3, or may be missing in a build.
    struct Api {
        mbedtls_version_get_number: fn() -> c_uint;
        mbedtls_version_get_string: fn(*mut c_char) -> ();
        mbedtls_aesni_has_support: fn(c_uint) -> c_int, ?;

        mbedtls_cipher_info_from_string: fn(*const c_char) -> Info;
        mbedtls_cipher_init, mbedtls_cipher_free: fn(Context) -> ();
        mbedtls_cipher_setup: fn(Context, Info) -> c_int;
        mbedtls_cipher_setkey: fn(Context, *const u8, c_int, c_int) -> c_int;
        mbedtls_cipher_set_padding_mode: fn(Context, c_int) -> c_int;
        mbedtls_cipher_crypt: fn(Context, *const u8, usize, *const u8, usize, *mut u8, *mut usize) -> c_int;
        mbedtls_cipher_auth_encrypt_ext: fn(Context, *const u8, usize, *const u8, usize, *const u8, usize, *mut u8, usize, *mut usize, usize) -> c_int;
        mbedtls_cipher_auth_decrypt_ext: fn(Context, *const u8, usize, *const u8, usize, *const u8, usize, *mut u8, usize, *mut usize, usize) -> c_int;
        mbedtls_cipher_cmac_starts: fn(Context, *const u8, usize) -> c_int, ?;
        mbedtls_cipher_cmac_update: fn(Context, *const u8, usize) -> c_int, ?;
        mbedtls_cipher_cmac_finish: fn(Context, *mut u8) -> c_int, ?;
        mbedtls_cipher_cmac_reset: fn(Context) -> c_int, ?;


        mbedtls_chacha20_init, mbedtls_chacha20_free: fn(Context) -> ();
        mbedtls_chacha20_setkey: fn(Context, *const u8) -> c_int;
        mbedtls_chacha20_starts: fn(Context, *const u8, u32) -> c_int;
        mbedtls_chacha20_update: fn(Context, usize, *const u8, *mut u8) -> c_int;
        mbedtls_arc4_setup: fn(Context, *const u8, c_uint) -> (), ?;
        mbedtls_arc4_crypt: fn(Context, usize, *const u8, *mut u8) -> c_int, ?;

        mbedtls_md_info_from_string: fn(*const c_char) -> Info;
        mbedtls_md_get_size: fn(Info) -> u8;
        mbedtls_md_init, mbedtls_md_free: fn(Context) -> ();
        mbedtls_md_setup: fn(Context, Info, c_int) -> c_int;
        mbedtls_md_starts, mbedtls_md_hmac_reset: fn(Context) -> c_int;
        mbedtls_md_update, mbedtls_md_hmac_starts: fn(Context, *const u8, usize) -> c_int;
        mbedtls_md_hmac_update: fn(Context, *const u8, usize) -> c_int;
        mbedtls_md_finish, mbedtls_md_hmac_finish: fn(Context, *mut u8) -> c_int;
        mbedtls_poly1305_mac: fn(*const u8, *const u8, usize, *mut u8) -> c_int;

        mbedtls_md: fn(Info, *const u8, usize, *mut u8) -> c_int;
        mbedtls_md_get_type: fn(Info) -> c_int;
        mbedtls_ctr_drbg_init, mbedtls_ctr_drbg_free, mbedtls_hmac_drbg_init: fn(Context) -> ();
        mbedtls_hmac_drbg_free, mbedtls_entropy_init, mbedtls_entropy_free: fn(Context) -> ();
        mbedtls_pk_init, mbedtls_pk_free, mbedtls_ecp_keypair_init: fn(Context) -> ();
        mbedtls_ecp_keypair_free, mbedtls_ecdh_init, mbedtls_ecdh_free: fn(Context) -> ();
        mbedtls_ctr_drbg_seed: fn(Context, Random, Context, *const u8, usize) -> c_int;
        mbedtls_ctr_drbg_random, mbedtls_entropy_func: fn(Context, *mut u8, usize) -> c_int;
        mbedtls_ctr_drbg_set_entropy_len: fn(Context, usize) -> ();
        mbedtls_hmac_drbg_set_entropy_len: fn(Context, usize) -> ();
        mbedtls_ctr_drbg_set_nonce_len: fn(Context, usize) -> c_int;
        mbedtls_ctr_drbg_set_reseed_interval: fn(Context, c_int) -> ();
        mbedtls_hmac_drbg_set_reseed_interval: fn(Context, c_int) -> ();
        mbedtls_ctr_drbg_reseed, mbedtls_hmac_drbg_reseed: fn(Context, *const u8, usize) -> c_int;
        mbedtls_pk_parse_public_key: fn(Context, *const u8, usize) -> c_int;
        mbedtls_ecdh_read_public: fn(Context, *const u8, usize) -> c_int;
        mbedtls_ctr_drbg_random_with_add: fn(Context, *mut u8, usize, *const u8, usize) -> c_int;
        mbedtls_hmac_drbg_random_with_add: fn(Context, *mut u8, usize, *const u8, usize) -> c_int;
        mbedtls_hmac_drbg_seed: fn(Context, Info, Random, Context, *const u8, usize) -> c_int;
        mbedtls_pk_can_do, mbedtls_ecdh_setup: fn(Context, c_int) -> c_int;
        mbedtls_pk_verify: fn(Context, c_int, *const u8, usize, *const u8, usize) -> c_int;
        mbedtls_pk_verify_ext: fn(c_int, *const c_void, Context, c_int, *const u8, usize, *const u8, usize) -> c_int;
        mbedtls_pk_encrypt: fn(Context, *const u8, usize, *mut u8, *mut usize, usize, Random, Context) -> c_int;
        mbedtls_pk_decrypt: fn(Context, *const u8, usize, *mut u8, *mut usize, usize, Random, Context) -> c_int;
        mbedtls_rsa_set_padding: fn(Context, c_int, c_int) -> ();
        mbedtls_ecp_curve_info_from_name: fn(*const c_char) -> *const c_void;
        mbedtls_ecp_read_key: fn(c_int, Context, *const u8, usize) -> c_int;
        mbedtls_ecdh_get_params: fn(Context, Context, c_int) -> c_int;
        mbedtls_ecdh_calc_secret: fn(Context, *mut usize, *mut u8, usize, Random, Context) -> c_int;

        mbedtls_pkcs5_pbkdf2_hmac: fn(Context, *const u8, usize, *const u8, usize, c_uint, u32, *mut u8) -> c_int;
        mbedtls_hkdf: fn(Info, *const u8, usize, *const u8, usize, *const u8, usize, *mut u8, usize) -> c_int;
    }
}

/// A loaded libmbedcrypto.
pub(crate) struct Mbed {
    pub(crate) api: Api,
    pub(crate) shared: Shared,
    /// The version as the library reports it, for example "2.28.3".
    pub(crate) version: String,
}

impl Mbed {
    /// Loads libmbedcrypto. The functions that the worker calls have the same prototypes in
    /// versions 2.28 and 3. Other versions are refused.
    pub(crate) fn load(path: &str) -> Result<Self, String> {
        const NAMES: &[&str] = &["libmbedcrypto.so.16", "libmbedcrypto.so.7"];
        let (api, shared) = Api::open(path, NAMES, "Mbed TLS 2.28 or 3")?;
        let mut room = [0 as c_char; 32];
        // SAFETY: the version has at most 9 bytes with its NUL, as the manual says.
        let (number, version) = unsafe {
            (api.mbedtls_version_get_string)(room.as_mut_ptr());
            ((api.mbedtls_version_get_number)(), text(room.as_ptr()))
        };
        let version = version.unwrap_or_default();
        if !(0x021c_0000..0x0400_0000).contains(&number) {
            return Err(format!(
                "{} is Mbed TLS {version}, but this worker knows the interfaces of 2.28 and 3",
                shared.path
            ));
        }
        Ok(Self {
            api,
            shared,
            version,
        })
    }

    /// Returns the CPU features by which the library's AES selects its code.
    pub(crate) fn features(&self) -> String {
        const BITS: &[(&str, c_uint)] = &[("aesni", 0x0200_0000), ("clmul", 0x2)];
        let Some(has) = self.api.mbedtls_aesni_has_support else {
            return String::new();
        };
        // SAFETY: the function takes a bit of the register ECX of CPUID leaf 1.
        let found = BITS.iter().filter(|(_, bit)| unsafe { has(*bit) } != 0);
        found.map(|(name, _)| *name).collect::<Vec<_>>().join(" ")
    }

    /// Returns the library's description of the cipher with this name, or `None` if the build
    /// lacks the cipher.
    pub(crate) fn cipher(&self, name: &str) -> Option<Known> {
        let name = c_string(name);
        // SAFETY: the name is a C string. The answer is NULL or a constant of the library.
        let info = unsafe { (self.api.mbedtls_cipher_info_from_string)(name.as_ptr()) };
        (!info.is_null()).then_some(Known(info))
    }

    /// Returns the library's description of the hash with this name.
    pub(crate) fn hash(&self, name: &str) -> Option<Known> {
        let name = c_string(name);
        // SAFETY: the name is a C string. The answer is NULL or a constant of the library.
        let info = unsafe { (self.api.mbedtls_md_info_from_string)(name.as_ptr()) };
        (!info.is_null()).then_some(Known(info))
    }

    /// Returns a function that not every build has.
    ///
    /// # Safety
    ///
    /// `F` must be the function's type.
    pub(crate) unsafe fn function<F: Copy>(&self, name: &str) -> Option<F> {
        // SAFETY: the caller guarantees that `F` is the function's type.
        unsafe { self.shared.symbol::<F>(name) }
    }
}

/// The library's description of a cipher or of a hash.
#[derive(Clone, Copy)]
pub(crate) struct Known(Info);

impl Known {
    /// Returns the pointer to the description.
    pub(crate) fn get(self) -> Info {
        self.0
    }
}

// SAFETY: descriptions are constants of the library.
unsafe impl Send for Known {}
// SAFETY: descriptions are constants of the library.
unsafe impl Sync for Known {}

/// Room for the longest context that the worker uses, in bytes. Blowfish's context needs 4168
/// bytes in version 2.28; `mbedtls_cipher_context_t` needs 96, `mbedtls_md_context_t` 24.
const LARGEST: usize = 8192;
const ORDINARY: usize = 512;
/// Room for `mbedtls_entropy_context`, which contains 37 KiB of HAVEGE's state in builds of version
/// 2.28 that have HAVEGE.
const ENTROPY: usize = 64 << 10;

/// The function that initialises a context, and the function that frees it.
pub(crate) type Both = (unsafe extern "C" fn(Context), unsafe extern "C" fn(Context));

/// Makes a context of the generic layers.
pub(crate) fn context(both: Both) -> Memory {
    sized(ORDINARY, both)
}

/// Makes a context with room for any cipher's low-level context.
pub(crate) fn large(both: Both) -> Memory {
    sized(LARGEST, both)
}

/// Makes a context of the library's sources of entropy.
pub(crate) fn entropy(both: Both) -> Memory {
    sized(ENTROPY, both)
}

fn sized(bytes: usize, (init, free): Both) -> Memory {
    let mut memory = Memory::new(bytes);
    // SAFETY: the memory has room for more bytes than the context needs.
    unsafe {
        init(memory.at(0));
        memory.freed_by(free);
    }
    memory
}

/// Converts Mbed TLS's return code (0 for success) into a `Result`. The generic layers' codes
/// for bad input and for a missing feature mean that the library does not support the
/// parameters.
#[inline]
pub(crate) fn ok(what: &str, code: c_int) -> Result<(), Failure> {
    done(code == 0, || failure(what, code))
}

#[cold]
fn failure(what: &str, code: c_int) -> Failure {
    const CIPHER_FEATURE_UNAVAILABLE: c_int = -0x6080;
    const CIPHER_BAD_INPUT_DATA: c_int = -0x6100;
    const CIPHER_FULL_BLOCK_EXPECTED: c_int = -0x6280;
    const CIPHER_AUTH_FAILED: c_int = -0x6300;
    let text = format!("{what} returned -{:#06x}", code.unsigned_abs());
    match code {
        CIPHER_AUTH_FAILED => Failure::Rejected,
        CIPHER_FEATURE_UNAVAILABLE | CIPHER_BAD_INPUT_DATA | CIPHER_FULL_BLOCK_EXPECTED => {
            Failure::Unsupported(text)
        }
        _ => Failure::Failed(text),
    }
}

/// Returns a key's length in bits, as the library's `int`.
pub(crate) fn bits(key: &[u8]) -> Result<c_int, Failure> {
    c_int::try_from(8 * key.len()).map_err(|_| Failure::unsupported("a key that long"))
}
