//! The functions of LibTomCrypt that the worker calls, and the library's descriptors.
#![allow(unsafe_code)]

use std::ffi::{c_char, c_int, c_uchar, c_uint, c_ulong, c_void};

use touchstone_worker::{Failure, Shared, c_string, done, symbols, text};

/// A state or key schedule, in memory that the worker owns.
pub(crate) type State = *mut c_void;
/// `cbc_start` and similar functions. Arguments: cipher, IV, key, its length, rounds, state.
pub(crate) type Start =
    unsafe extern "C" fn(c_int, *const u8, *const u8, c_int, c_int, State) -> c_int;
/// `…_encrypt` and `…_decrypt` of a mode. Arguments: input, output, length, state.
pub(crate) type Run = unsafe extern "C" fn(*const u8, *mut u8, c_ulong, State) -> c_int;
/// `…_setiv` of a mode. Arguments: IV, its length, state.
pub(crate) type SetIv = unsafe extern "C" fn(*const u8, c_ulong, State) -> c_int;
/// `…_done` of a mode.
pub(crate) type Done = unsafe extern "C" fn(State) -> c_int;
/// `omac_init` and similar functions. Arguments: state, cipher, key, its length.
pub(crate) type MacInit = unsafe extern "C" fn(State, c_int, *const u8, c_ulong) -> c_int;
/// `…_process` of a MAC, `…_add_aad` and similar functions. Arguments: state, data, length.
pub(crate) type Process = unsafe extern "C" fn(State, *const u8, c_ulong) -> c_int;
/// `…_done` of a MAC. Arguments: state, tag, and the tag's room, which the call replaces by the
/// tag's length.
pub(crate) type TagDone = unsafe extern "C" fn(State, *mut u8, *mut c_ulong) -> c_int;

symbols! {
    /// The functions of libtomcrypt, as <tomcrypt.h> declares them.
    struct Api {
        error_to_string: fn(c_int) -> *const c_char;
        crypt_get_size: fn(*const c_char, *mut c_uint) -> c_int;
        crypt_get_constant: fn(*const c_char, *mut c_int) -> c_int;
        register_cipher: fn(*const Cipher) -> c_int;
        register_hash: fn(*const Hash) -> c_int;
        mem_neq: fn(*const c_void, *const c_void, usize) -> c_int;

        ecb_start: fn(c_int, *const u8, c_int, c_int, State) -> c_int;
        ecb_encrypt, ecb_decrypt, cbc_encrypt: fn(*const u8, *mut u8, c_ulong, State) -> c_int;
        cbc_decrypt, cfb_encrypt, cfb_decrypt: fn(*const u8, *mut u8, c_ulong, State) -> c_int;
        ofb_encrypt, ctr_encrypt: fn(*const u8, *mut u8, c_ulong, State) -> c_int;
        ecb_done, cbc_done, cfb_done, ofb_done, ctr_done: fn(State) -> c_int;
        cbc_start, cfb_start: fn(c_int, *const u8, *const u8, c_int, c_int, State) -> c_int;
        ofb_start: fn(c_int, *const u8, *const u8, c_int, c_int, State) -> c_int;
        cbc_setiv, cfb_setiv, ofb_setiv, ctr_setiv: fn(*const u8, c_ulong, State) -> c_int;
        ctr_start: fn(c_int, *const u8, *const u8, c_int, c_int, c_int, State) -> c_int;
        xts_start: fn(c_int, *const u8, *const u8, c_ulong, c_int, State) -> c_int;
        xts_encrypt, xts_decrypt: fn(*const u8, c_ulong, *mut u8, *mut u8, State) -> c_int;
        xts_done: fn(State) -> ();

        chacha_setup: fn(State, *const u8, c_ulong, c_int) -> c_int;
        chacha_ivctr32: fn(State, *const u8, c_ulong, u32) -> c_int;
        chacha_ivctr64: fn(State, *const u8, c_ulong, u64) -> c_int;
        chacha_crypt, rc4_stream_crypt: fn(State, *const u8, c_ulong, *mut u8) -> c_int;
        chacha_keystream, rc4_stream_keystream: fn(State, *mut u8, c_ulong) -> c_int;
        rc4_stream_setup: fn(State, *const u8, c_ulong) -> c_int;

        gcm_init: fn(State, c_int, *const u8, c_int) -> c_int;
        gcm_reset: fn(State) -> c_int;
        gcm_add_iv, gcm_add_aad, ocb3_add_aad: fn(State, *const u8, c_ulong) -> c_int;
        chacha20poly1305_init, chacha20poly1305_setiv: fn(State, *const u8, c_ulong) -> c_int;
        chacha20poly1305_add_aad: fn(State, *const u8, c_ulong) -> c_int;
        gcm_process: fn(State, *mut u8, c_ulong, *mut u8, c_int) -> c_int;
        gcm_done, eax_done, ocb3_done: fn(State, *mut u8, *mut c_ulong) -> c_int;
        chacha20poly1305_done: fn(State, *mut u8, *mut c_ulong) -> c_int;
        ccm_memory: fn(c_int, *const u8, c_ulong, State, *const u8, c_ulong, *const u8, c_ulong, *mut u8, c_ulong, *mut u8, *mut u8, *mut c_ulong, c_int) -> c_int;
        eax_init: fn(State, c_int, *const u8, c_ulong, *const u8, c_ulong, *const u8, c_ulong) -> c_int;
        eax_encrypt, eax_decrypt: fn(State, *const u8, *mut u8, c_ulong) -> c_int;
        ocb3_init: fn(State, c_int, *const u8, c_ulong, *const u8, c_ulong, c_ulong) -> c_int;
        ocb3_encrypt_last, ocb3_decrypt_last: fn(State, *const u8, c_ulong, *mut u8) -> c_int;
        chacha20poly1305_encrypt: fn(State, *const u8, c_ulong, *mut u8) -> c_int;
        chacha20poly1305_decrypt: fn(State, *const u8, c_ulong, *mut u8) -> c_int;

        sha3_shake_init: fn(State, c_int) -> c_int;
        sha3_process: fn(State, *const u8, c_ulong) -> c_int;
        sha3_shake_done: fn(State, *mut u8, c_ulong) -> c_int;

        hmac_memory: fn(c_int, *const u8, c_ulong, *const u8, c_ulong, *mut u8, *mut c_ulong) -> c_int;
        omac_init, pmac_init: fn(State, c_int, *const u8, c_ulong) -> c_int;
        omac_process, pmac_process: fn(State, *const u8, c_ulong) -> c_int;
        omac_done, pmac_done: fn(State, *mut u8, *mut c_ulong) -> c_int;
        poly1305_memory: fn(*const u8, c_ulong, *const u8, c_ulong, *mut u8, *mut c_ulong) -> c_int;

        pkcs_5_alg2: fn(*const u8, c_ulong, *const u8, c_ulong, c_int, c_int, *mut u8, *mut c_ulong) -> c_int;
        hkdf: fn(c_int, *const u8, c_ulong, *const u8, c_ulong, *const u8, c_ulong, *mut u8, c_ulong) -> c_int;
    }
}

/// The beginning of `struct ltc_cipher_descriptor` (<tomcrypt_cipher.h>). The worker does not
/// use the accelerators that follow.
#[repr(C)]
pub(crate) struct Cipher {
    name: *const c_char,
    id: c_uchar,
    pub(crate) min_key: c_int,
    pub(crate) max_key: c_int,
    pub(crate) block: c_int,
    rounds: c_int,
    /// Computes a key schedule. Arguments: key, its length, rounds (0 means the default),
    /// schedule.
    pub(crate) setup: unsafe extern "C" fn(*const u8, c_int, c_int, State) -> c_int,
}

/// The beginning of `struct ltc_hash_descriptor` (<tomcrypt_hash.h>).
#[repr(C)]
pub(crate) struct Hash {
    name: *const c_char,
    id: c_uchar,
    pub(crate) size: c_ulong,
    block: c_ulong,
    oid: [c_ulong; 16],
    oid_bytes: c_ulong,
    pub(crate) init: unsafe extern "C" fn(State) -> c_int,
    pub(crate) process: Process,
    pub(crate) done: unsafe extern "C" fn(State, *mut u8) -> c_int,
}

// SAFETY: descriptors and their names are constants of the library.
unsafe impl Sync for Cipher {}
// SAFETY: descriptors and their names are constants of the library.
unsafe impl Sync for Hash {}

/// A loaded libtomcrypt.
pub(crate) struct TomCrypt {
    pub(crate) api: Api,
    pub(crate) shared: Shared,
    /// The version as the library reports it, for example "1.18.2".
    pub(crate) version: String,
}

impl TomCrypt {
    /// Loads libtomcrypt. The descriptors have the layout of version 1.18, so other versions
    /// are refused.
    pub(crate) fn load(path: &str) -> Result<Self, String> {
        let (api, shared) = Api::open(path, &["libtomcrypt.so.1"], "LibTomCrypt 1.18")?;
        // SAFETY: the symbol is a variable that points to a C string.
        let settings = unsafe {
            let settings = shared.symbol::<*const *const c_char>("crypt_build_settings");
            settings.and_then(|settings| text(*settings))
        };
        let settings = settings.unwrap_or_default();
        // The text is "LibTomCrypt 1.18.2 (…)", so the version is the second word.
        let version = settings
            .split_whitespace()
            .nth(1)
            .unwrap_or_default()
            .to_owned();
        if !version.starts_with("1.18") {
            return Err(format!(
                "{} is LibTomCrypt {version}, but this worker knows the descriptors of 1.18",
                shared.path
            ));
        }
        Ok(Self {
            api,
            shared,
            version,
        })
    }

    /// Registers a cipher by its descriptor's symbol. Returns its number and the descriptor, or
    /// `None` if the build lacks the cipher.
    pub(crate) fn cipher(&self, symbol: &str) -> Option<(c_int, &'static Cipher)> {
        // SAFETY: the symbol is a descriptor, which is a constant of a library that stays
        // loaded. A second registration returns the same number.
        unsafe {
            let descriptor = self.shared.symbol::<*const Cipher>(symbol)?;
            let number = (self.api.register_cipher)(descriptor);
            (number >= 0).then_some((number, &*descriptor))
        }
    }

    /// Registers a hash by its descriptor's symbol. Returns its number and the descriptor.
    pub(crate) fn hash(&self, symbol: &str) -> Option<(c_int, &'static Hash)> {
        // SAFETY: the symbol is a descriptor, which is a constant of a library that stays
        // loaded. A second registration returns the same number.
        unsafe {
            let descriptor = self.shared.symbol::<*const Hash>(symbol)?;
            let number = (self.api.register_hash)(descriptor);
            (number >= 0).then_some((number, &*descriptor))
        }
    }
}

impl Api {
    /// Returns the size of one of the library's structures in bytes, or `None` if the build
    /// lacks the structure.
    pub(crate) fn size(&self, name: &str) -> Option<usize> {
        let (name, mut bytes) = (c_string(name), 0);
        // SAFETY: the name is a C string, and a successful call writes the size.
        let code = unsafe { (self.crypt_get_size)(name.as_ptr(), &mut bytes) };
        (code == 0).then_some(bytes as usize)
    }

    /// Returns one of the library's constants by its name.
    pub(crate) fn constant(&self, name: &str) -> Option<c_int> {
        let (name, mut value) = (c_string(name), 0);
        // SAFETY: the name is a C string, and a successful call writes the value.
        let code = unsafe { (self.crypt_get_constant)(name.as_ptr(), &mut value) };
        (code == 0).then_some(value)
    }

    /// Converts a return code (`CRYPT_OK` for success) into a `Result` with the library's error
    /// text. The code for an invalid value means that the library does not support the
    /// parameters.
    #[inline]
    pub(crate) fn ok(&self, what: &str, code: c_int) -> Result<(), Failure> {
        done(code == 0, || self.failure(what, code))
    }

    #[cold]
    fn failure(&self, what: &str, code: c_int) -> Failure {
        const INVALID_KEYSIZE: c_int = 3;
        const INVALID_ROUNDS: c_int = 4;
        const INVALID_ARG: c_int = 16;
        // The library's code for an overflow of ChaCha20's block number.
        const OVERFLOW: c_int = 19;
        // SAFETY: error_to_string returns a static string for any code.
        let words = unsafe { text((self.error_to_string)(code)) }.unwrap_or_default();
        let text = format!("{what}: {words}");
        match code {
            INVALID_KEYSIZE | INVALID_ROUNDS | INVALID_ARG | OVERFLOW => Failure::Unsupported(text),
            _ => Failure::Failed(text),
        }
    }
}

/// Converts a length into the library's `int`.
pub(crate) fn int(len: usize) -> Result<c_int, Failure> {
    c_int::try_from(len).map_err(|_| Failure::unsupported("more than 2 GiB in one call"))
}
