//! The functions of libsodium that the worker calls.
#![allow(unsafe_code)]

use std::ffi::{c_char, c_int, c_ulonglong, c_void};

pub(crate) use touchstone_worker::ok;
use touchstone_worker::{Shared, symbols, text};

/// `crypto_stream_…`. Arguments: keystream, length, nonce, key.
pub(crate) type Keystream =
    unsafe extern "C" fn(*mut u8, c_ulonglong, *const u8, *const u8) -> c_int;
/// `crypto_stream_…_xor`. Arguments: output, input, length, nonce, key.
pub(crate) type Xor =
    unsafe extern "C" fn(*mut u8, *const u8, c_ulonglong, *const u8, *const u8) -> c_int;
/// `crypto_stream_…_xor_ic`. Arguments: output, input, length, nonce, number of the first
/// block, key.
pub(crate) type XorFrom =
    unsafe extern "C" fn(*mut u8, *const u8, c_ulonglong, *const u8, u64, *const u8) -> c_int;
/// `crypto_aead_…_encrypt`. Arguments: ciphertext, its length, message, associated data, NULL
/// (no secret nonce), nonce, key or keyed state.
pub(crate) type Seal = unsafe extern "C" fn(
    *mut u8,
    *mut c_ulonglong,
    *const u8,
    c_ulonglong,
    *const u8,
    c_ulonglong,
    *const u8,
    *const u8,
    *const c_void,
) -> c_int;
/// `crypto_aead_…_decrypt`. Arguments: message, its length, NULL (no secret nonce), ciphertext,
/// associated data, nonce, key or keyed state.
pub(crate) type Open = unsafe extern "C" fn(
    *mut u8,
    *mut c_ulonglong,
    *mut u8,
    *const u8,
    c_ulonglong,
    *const u8,
    c_ulonglong,
    *const u8,
    *const c_void,
) -> c_int;
/// `crypto_pwhash_argon2…`. Arguments: output, password, salt, passes, memory in bytes,
/// algorithm.
pub(crate) type Argon2 = unsafe extern "C" fn(
    *mut u8,
    c_ulonglong,
    *const c_char,
    c_ulonglong,
    *const u8,
    c_ulonglong,
    usize,
    c_int,
) -> c_int;
/// `crypto_kdf_hkdf_…_extract`. Arguments: pseudorandom key, salt, key material.
pub(crate) type Extract =
    unsafe extern "C" fn(*mut u8, *const u8, usize, *const u8, usize) -> c_int;
/// `crypto_kdf_hkdf_…_expand`. Arguments: output, info, pseudorandom key.
pub(crate) type Expand =
    unsafe extern "C" fn(*mut u8, usize, *const c_char, usize, *const u8) -> c_int;

symbols! {
    /// The functions of libsodium, as the headers under <sodium/> declare them. A function with
    /// a question mark was added after version 1.0.18.
    struct Api {
        sodium_init: fn() -> c_int;
        sodium_version_string: fn() -> *const c_char;

        crypto_stream_salsa20: fn(*mut u8, c_ulonglong, *const u8, *const u8) -> c_int;
        crypto_stream_salsa2012: fn(*mut u8, c_ulonglong, *const u8, *const u8) -> c_int;
        crypto_stream_salsa208: fn(*mut u8, c_ulonglong, *const u8, *const u8) -> c_int;
        crypto_stream_xsalsa20: fn(*mut u8, c_ulonglong, *const u8, *const u8) -> c_int;
        crypto_stream_chacha20: fn(*mut u8, c_ulonglong, *const u8, *const u8) -> c_int;
        crypto_stream_chacha20_ietf: fn(*mut u8, c_ulonglong, *const u8, *const u8) -> c_int;
        crypto_stream_xchacha20: fn(*mut u8, c_ulonglong, *const u8, *const u8) -> c_int;
        crypto_stream_salsa2012_xor: fn(*mut u8, *const u8, c_ulonglong, *const u8, *const u8) -> c_int;
        crypto_stream_salsa208_xor: fn(*mut u8, *const u8, c_ulonglong, *const u8, *const u8) -> c_int;
        crypto_stream_salsa20_xor_ic: fn(*mut u8, *const u8, c_ulonglong, *const u8, u64, *const u8) -> c_int;
        crypto_stream_xsalsa20_xor_ic: fn(*mut u8, *const u8, c_ulonglong, *const u8, u64, *const u8) -> c_int;
        crypto_stream_chacha20_xor_ic: fn(*mut u8, *const u8, c_ulonglong, *const u8, u64, *const u8) -> c_int;
        crypto_stream_xchacha20_xor_ic: fn(*mut u8, *const u8, c_ulonglong, *const u8, u64, *const u8) -> c_int;
        crypto_stream_chacha20_ietf_xor_ic: fn(*mut u8, *const u8, c_ulonglong, *const u8, u32, *const u8) -> c_int;

        crypto_aead_aes256gcm_is_available: fn() -> c_int;
        crypto_aead_aes256gcm_statebytes: fn() -> usize;
        crypto_aead_aes256gcm_beforenm: fn(*mut c_void, *const u8) -> c_int;
        crypto_aead_aes256gcm_encrypt_afternm: fn(*mut u8, *mut c_ulonglong, *const u8, c_ulonglong, *const u8, c_ulonglong, *const u8, *const u8, *const c_void) -> c_int;
        crypto_aead_chacha20poly1305_ietf_encrypt: fn(*mut u8, *mut c_ulonglong, *const u8, c_ulonglong, *const u8, c_ulonglong, *const u8, *const u8, *const c_void) -> c_int;
        crypto_aead_xchacha20poly1305_ietf_encrypt: fn(*mut u8, *mut c_ulonglong, *const u8, c_ulonglong, *const u8, c_ulonglong, *const u8, *const u8, *const c_void) -> c_int;
        crypto_aead_aes256gcm_decrypt_afternm: fn(*mut u8, *mut c_ulonglong, *mut u8, *const u8, c_ulonglong, *const u8, c_ulonglong, *const u8, *const c_void) -> c_int;
        crypto_aead_chacha20poly1305_ietf_decrypt: fn(*mut u8, *mut c_ulonglong, *mut u8, *const u8, c_ulonglong, *const u8, c_ulonglong, *const u8, *const c_void) -> c_int;
        crypto_aead_xchacha20poly1305_ietf_decrypt: fn(*mut u8, *mut c_ulonglong, *mut u8, *const u8, c_ulonglong, *const u8, c_ulonglong, *const u8, *const c_void) -> c_int;
        crypto_secretbox_easy: fn(*mut u8, *const u8, c_ulonglong, *const u8, *const u8) -> c_int;
        crypto_secretbox_open_easy: fn(*mut u8, *const u8, c_ulonglong, *const u8, *const u8) -> c_int;

        crypto_hash_sha256, crypto_hash_sha512: fn(*mut u8, *const u8, c_ulonglong) -> c_int;
        crypto_generichash_blake2b: fn(*mut u8, usize, *const u8, c_ulonglong, *const u8, usize) -> c_int;

        crypto_auth_hmacsha256_statebytes, crypto_auth_hmacsha512_statebytes: fn() -> usize;
        crypto_auth_hmacsha256_init: fn(*mut c_void, *const u8, usize) -> c_int;
        crypto_auth_hmacsha512_init: fn(*mut c_void, *const u8, usize) -> c_int;
        crypto_auth_hmacsha256_update: fn(*mut c_void, *const u8, c_ulonglong) -> c_int;
        crypto_auth_hmacsha512_update: fn(*mut c_void, *const u8, c_ulonglong) -> c_int;
        crypto_auth_hmacsha256_final: fn(*mut c_void, *mut u8) -> c_int;
        crypto_auth_hmacsha512_final: fn(*mut c_void, *mut u8) -> c_int;
        crypto_onetimeauth_poly1305: fn(*mut u8, *const u8, c_ulonglong, *const u8) -> c_int;
        crypto_shorthash_siphash24: fn(*mut u8, *const u8, c_ulonglong, *const u8) -> c_int;
        crypto_shorthash_siphashx24: fn(*mut u8, *const u8, c_ulonglong, *const u8) -> c_int;

        crypto_sign_ed25519_seed_keypair: fn(*mut u8, *mut u8, *const u8) -> c_int;
        crypto_sign_ed25519_detached: fn(*mut u8, *mut c_ulonglong, *const u8, c_ulonglong, *const u8) -> c_int;
        crypto_sign_ed25519_verify_detached: fn(*const u8, *const u8, c_ulonglong, *const u8) -> c_int;
        crypto_scalarmult_curve25519: fn(*mut u8, *const u8, *const u8) -> c_int;

        randombytes_buf: fn(*mut c_void, usize) -> ();
        randombytes_buf_deterministic: fn(*mut c_void, usize, *const u8) -> ();

        crypto_pwhash_argon2i: fn(*mut u8, c_ulonglong, *const c_char, c_ulonglong, *const u8, c_ulonglong, usize, c_int) -> c_int;
        crypto_pwhash_argon2id: fn(*mut u8, c_ulonglong, *const c_char, c_ulonglong, *const u8, c_ulonglong, usize, c_int) -> c_int;
        crypto_pwhash_scryptsalsa208sha256_ll: fn(*const u8, usize, *const u8, usize, u64, u32, u32, *mut u8, usize) -> c_int;
        crypto_kdf_hkdf_sha256_extract: fn(*mut u8, *const u8, usize, *const u8, usize) -> c_int, ?;
        crypto_kdf_hkdf_sha512_extract: fn(*mut u8, *const u8, usize, *const u8, usize) -> c_int, ?;
        crypto_kdf_hkdf_sha256_expand: fn(*mut u8, usize, *const c_char, usize, *const u8) -> c_int, ?;
        crypto_kdf_hkdf_sha512_expand: fn(*mut u8, usize, *const c_char, usize, *const u8) -> c_int, ?;
    }
}

/// A loaded and initialised libsodium.
pub(crate) struct Sodium {
    pub(crate) api: Api,
    pub(crate) shared: Shared,
    /// The version as the library reports it, for example "1.0.18".
    pub(crate) version: String,
}

impl Sodium {
    /// Loads libsodium and initialises it. The library then selects its implementations.
    pub(crate) fn load(path: &str) -> Result<Self, String> {
        let (api, shared) = Api::open(path, &["libsodium.so.*"], "libsodium 1.0.12 or later")?;
        // SAFETY: both functions take no arguments; the version is a static string.
        let version = unsafe {
            if (api.sodium_init)() < 0 {
                return Err("libsodium refuses to start: sodium_init failed".into());
            }
            text((api.sodium_version_string)()).unwrap_or_default()
        };
        Ok(Self {
            api,
            shared,
            version,
        })
    }

    /// Returns the CPU features by which the library selects its implementations.
    pub(crate) fn features(&self) -> String {
        const NAMES: &[&str] = &[
            "sse2", "ssse3", "sse41", "avx", "avx2", "avx512f", "aesni", "pclmul", "neon",
        ];
        let has = |name: &&&str| {
            // SAFETY: every function of this name takes no arguments and returns an int.
            unsafe {
                self.shared
                    .symbol::<unsafe extern "C" fn() -> c_int>(&format!(
                        "sodium_runtime_has_{name}"
                    ))
                    .is_some_and(|ask| ask() != 0)
            }
        };
        let names: Vec<&str> = NAMES.iter().filter(has).copied().collect();
        names.join(" ")
    }
}
