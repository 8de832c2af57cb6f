//! The functions of libnettle that the worker calls, and Nettle's tables of algorithms.
#![allow(unsafe_code)]

use std::ffi::{c_char, c_int, c_uint, c_void};

pub(crate) use touchstone_worker::{Memory, room};
use touchstone_worker::{Shared, symbols};

/// `nettle_set_key_func`. Functions that set a nonce of a fixed length have the same type.
pub(crate) type SetKey = unsafe extern "C" fn(*mut c_void, *const u8);
/// `nettle_cipher_func` and `nettle_crypt_func`. Arguments: context, length, output, input.
pub(crate) type Crypt = unsafe extern "C" fn(*mut c_void, usize, *mut u8, *const u8);
/// `nettle_hash_init_func`.
pub(crate) type Init = unsafe extern "C" fn(*mut c_void);
/// `nettle_hash_update_func`. Functions that set a key or a nonce of any length have the same
/// type.
pub(crate) type Update = unsafe extern "C" fn(*mut c_void, usize, *const u8);
/// `nettle_hash_digest_func`.
pub(crate) type Digest = unsafe extern "C" fn(*mut c_void, usize, *mut u8);
/// CBC encryption for one cipher. Arguments: context, IV, length, output, input.
pub(crate) type Cbc = unsafe extern "C" fn(*const c_void, *mut u8, usize, *mut u8, *const u8);
/// `pbkdf2_hmac_…`. Arguments: password, iterations, salt, output.
pub(crate) type Pbkdf2 =
    unsafe extern "C" fn(usize, *const u8, c_uint, usize, *const u8, usize, *mut u8);

/// A context that a function does not change.
type Const = *const c_void;

symbols! {
    /// The functions of libnettle, as the headers under <nettle/> declare them, with the names
    /// of the exported symbols. A function with a question mark was added after the first
    /// libnettle.so.8.
    struct Api {
        nettle_version_major, nettle_version_minor: fn() -> c_int;
        nettle_memeql_sec: fn(Const, Const, usize) -> c_int;

        nettle_drbg_ctr_aes256_init: fn(*mut c_void, *const u8) -> (), ?;
        nettle_drbg_ctr_aes256_random: fn(*mut c_void, usize, *mut u8) -> (), ?;

        nettle_des_set_key, nettle_des3_set_key: fn(*mut c_void, *const u8) -> c_int;
        nettle_des_encrypt, nettle_des_decrypt: fn(*mut c_void, usize, *mut u8, *const u8) -> ();
        nettle_des3_encrypt, nettle_des3_decrypt: fn(*mut c_void, usize, *mut u8, *const u8) -> ();
        nettle_blowfish_encrypt: fn(*mut c_void, usize, *mut u8, *const u8) -> ();
        nettle_blowfish_decrypt: fn(*mut c_void, usize, *mut u8, *const u8) -> ();
        nettle_blowfish_set_key: fn(*mut c_void, usize, *const u8) -> c_int;
        nettle_cast5_set_key: fn(*mut c_void, usize, *const u8) -> ();
        nettle_arctwo_set_key_ekb: fn(*mut c_void, usize, *const u8, c_uint) -> ();

        nettle_cbc_encrypt: fn(Const, Crypt, usize, *mut u8, usize, *mut u8, *const u8) -> ();
        nettle_cbc_decrypt: fn(Const, Crypt, usize, *mut u8, usize, *mut u8, *const u8) -> ();
        nettle_cfb_encrypt: fn(Const, Crypt, usize, *mut u8, usize, *mut u8, *const u8) -> ();
        nettle_cfb_decrypt: fn(Const, Crypt, usize, *mut u8, usize, *mut u8, *const u8) -> ();
        nettle_cfb8_encrypt: fn(Const, Crypt, usize, *mut u8, usize, *mut u8, *const u8) -> ();
        nettle_cfb8_decrypt: fn(Const, Crypt, usize, *mut u8, usize, *mut u8, *const u8) -> ();
        nettle_ctr_crypt: fn(Const, Crypt, usize, *mut u8, usize, *mut u8, *const u8) -> ();
        nettle_xts_encrypt_message: fn(Const, Const, Crypt, *const u8, usize, *mut u8, *const u8) -> ();
        nettle_xts_decrypt_message: fn(Const, Const, Crypt, Crypt, *const u8, usize, *mut u8, *const u8) -> ();
        nettle_nist_keywrap16: fn(Const, Crypt, *const u8, usize, *mut u8, *const u8) -> (), ?;
        nettle_nist_keyunwrap16: fn(Const, Crypt, *const u8, usize, *mut u8, *const u8) -> c_int, ?;

        nettle_arcfour_set_key, nettle_salsa20_set_key: fn(*mut c_void, usize, *const u8) -> ();
        nettle_arcfour_crypt: fn(*mut c_void, usize, *mut u8, *const u8) -> ();
        nettle_salsa20_crypt: fn(*mut c_void, usize, *mut u8, *const u8) -> ();
        nettle_salsa20r12_crypt: fn(*mut c_void, usize, *mut u8, *const u8) -> ();
        nettle_chacha_crypt: fn(*mut c_void, usize, *mut u8, *const u8) -> ();
        nettle_chacha_crypt32: fn(*mut c_void, usize, *mut u8, *const u8) -> ();
        nettle_salsa20_set_nonce, nettle_chacha_set_key: fn(*mut c_void, *const u8) -> ();
        nettle_chacha_set_nonce, nettle_chacha_set_nonce96: fn(*mut c_void, *const u8) -> ();
        nettle_chacha_set_counter, nettle_chacha_set_counter32: fn(*mut c_void, *const u8) -> ();

        nettle_gcm_set_key, nettle_eax_set_key: fn(*mut c_void, Const, Crypt) -> ();
        nettle_gcm_set_iv, nettle_gcm_update: fn(*mut c_void, Const, usize, *const u8) -> ();
        nettle_gcm_encrypt: fn(*mut c_void, Const, Const, Crypt, usize, *mut u8, *const u8) -> ();
        nettle_gcm_decrypt: fn(*mut c_void, Const, Const, Crypt, usize, *mut u8, *const u8) -> ();
        nettle_eax_encrypt: fn(*mut c_void, Const, Const, Crypt, usize, *mut u8, *const u8) -> ();
        nettle_eax_decrypt: fn(*mut c_void, Const, Const, Crypt, usize, *mut u8, *const u8) -> ();
        nettle_gcm_digest: fn(*mut c_void, Const, Const, Crypt, usize, *mut u8) -> ();
        nettle_eax_digest: fn(*mut c_void, Const, Const, Crypt, usize, *mut u8) -> ();
        nettle_eax_set_nonce: fn(*mut c_void, Const, Const, Crypt, usize, *const u8) -> ();
        nettle_eax_update: fn(*mut c_void, Const, Const, Crypt, usize, *const u8) -> ();
        nettle_ccm_encrypt_message: fn(Const, Crypt, usize, *const u8, usize, *const u8, usize, usize, *mut u8, *const u8) -> ();
        nettle_ccm_decrypt_message: fn(Const, Crypt, usize, *const u8, usize, *const u8, usize, usize, *mut u8, *const u8) -> c_int;
        nettle_siv_cmac_set_key: fn(*mut c_void, *mut c_void, *mut c_void, *const CipherTable, *const u8) -> ();
        nettle_siv_cmac_encrypt_message: fn(Const, Const, *const CipherTable, Const, usize, *const u8, usize, *const u8, usize, *mut u8, *const u8) -> ();
        nettle_siv_cmac_decrypt_message: fn(Const, Const, *const CipherTable, Const, usize, *const u8, usize, *const u8, usize, *mut u8, *const u8) -> c_int;
        nettle_siv_gcm_encrypt_message: fn(*const CipherTable, Const, *mut c_void, usize, *const u8, usize, *const u8, usize, *mut u8, *const u8) -> (), ?;
        nettle_siv_gcm_decrypt_message: fn(*const CipherTable, Const, *mut c_void, usize, *const u8, usize, *const u8, usize, *mut u8, *const u8) -> c_int, ?;
        nettle_ocb_set_key: fn(*mut c_void, Const, Crypt) -> (), ?;
        nettle_ocb_encrypt_message: fn(Const, Const, Crypt, usize, *const u8, usize, *const u8, usize, usize, *mut u8, *const u8) -> (), ?;
        nettle_ocb_decrypt_message: fn(Const, Const, Crypt, Const, Crypt, usize, *const u8, usize, *const u8, usize, usize, *mut u8, *const u8) -> c_int, ?;

        nettle_hmac_set_key: fn(*mut c_void, *mut c_void, *mut c_void, *const HashTable, usize, *const u8) -> ();
        nettle_hmac_update: fn(*mut c_void, *const HashTable, usize, *const u8) -> ();
        nettle_hmac_digest: fn(Const, Const, *mut c_void, *const HashTable, usize, *mut u8) -> ();
        nettle_cmac128_set_key, nettle_cmac64_set_key: fn(*mut c_void, Const, Crypt) -> ();
        nettle_cmac128_init, nettle_cmac64_init: fn(*mut c_void) -> ();
        nettle_cmac128_update: fn(*mut c_void, Const, Crypt, usize, *const u8) -> ();
        nettle_cmac64_update: fn(*mut c_void, Const, Crypt, usize, *const u8) -> ();
        nettle_cmac128_digest: fn(*mut c_void, Const, Const, Crypt, c_uint, *mut u8) -> ();
        nettle_cmac64_digest: fn(*mut c_void, Const, Const, Crypt, c_uint, *mut u8) -> ();

        nettle_yarrow256_init: fn(*mut c_void, c_uint, *mut c_void) -> ();
        nettle_yarrow256_seed: fn(*mut c_void, usize, *const u8) -> ();
        nettle_yarrow256_random: fn(*mut c_void, usize, *mut u8) -> ();

        nettle_pbkdf2: fn(*mut c_void, Update, Digest, usize, c_uint, usize, *const u8, usize, *mut u8) -> ();
        nettle_hkdf_extract: fn(*mut c_void, Update, Digest, usize, usize, *const u8, *mut u8) -> ();
        nettle_hkdf_expand: fn(*mut c_void, Update, Digest, usize, usize, *const u8, usize, *mut u8) -> ();
        nettle_blowfish_bcrypt_hash: fn(*mut u8, usize, *const u8, usize, *const u8, c_int, *const u8) -> c_int, ?;
    }
}

/// `struct nettle_cipher`, <nettle/nettle-meta.h>.
#[repr(C)]
pub(crate) struct CipherTable {
    name: *const c_char,
    pub(crate) context_size: c_uint,
    pub(crate) block_size: c_uint,
    pub(crate) key_size: c_uint,
    pub(crate) set_encrypt_key: SetKey,
    pub(crate) set_decrypt_key: SetKey,
    pub(crate) encrypt: Crypt,
    pub(crate) decrypt: Crypt,
}

/// `struct nettle_hash`, <nettle/nettle-meta.h>.
#[repr(C)]
pub(crate) struct HashTable {
    name: *const c_char,
    pub(crate) context_size: c_uint,
    pub(crate) digest_size: c_uint,
    pub(crate) block_size: c_uint,
    pub(crate) init: Init,
    pub(crate) update: Update,
    pub(crate) digest: Digest,
}

/// `struct nettle_mac`, <nettle/nettle-meta.h>.
#[repr(C)]
pub(crate) struct MacTable {
    name: *const c_char,
    pub(crate) context_size: c_uint,
    pub(crate) digest_size: c_uint,
    pub(crate) key_size: c_uint,
    pub(crate) set_key: SetKey,
    pub(crate) update: Update,
    pub(crate) digest: Digest,
}

/// `struct nettle_aead`, <nettle/nettle-meta.h>.
#[repr(C)]
pub(crate) struct AeadTable {
    name: *const c_char,
    pub(crate) context_size: c_uint,
    pub(crate) block_size: c_uint,
    pub(crate) key_size: c_uint,
    pub(crate) nonce_size: c_uint,
    pub(crate) digest_size: c_uint,
    pub(crate) set_encrypt_key: SetKey,
    pub(crate) set_decrypt_key: SetKey,
    pub(crate) set_nonce: SetKey,
    pub(crate) update: Update,
    pub(crate) encrypt: Crypt,
    pub(crate) decrypt: Crypt,
    pub(crate) digest: Digest,
}

// SAFETY: tables and their names are constants of the library.
unsafe impl Sync for CipherTable {}
// SAFETY: tables and their names are constants of the library.
unsafe impl Sync for HashTable {}
// SAFETY: tables and their names are constants of the library.
unsafe impl Sync for MacTable {}
// SAFETY: tables and their names are constants of the library.
unsafe impl Sync for AeadTable {}

/// A struct type of which Nettle exports objects.
///
/// # Safety
///
/// The implementor must have the layout of the C struct.
pub(crate) unsafe trait Table: 'static {}
// SAFETY: the fields are laid out as in <nettle/nettle-meta.h>.
unsafe impl Table for CipherTable {}
// SAFETY: the fields are laid out as in <nettle/nettle-meta.h>.
unsafe impl Table for HashTable {}
// SAFETY: the fields are laid out as in <nettle/nettle-meta.h>.
unsafe impl Table for MacTable {}
// SAFETY: the fields are laid out as in <nettle/nettle-meta.h>.
unsafe impl Table for AeadTable {}

/// A loaded libnettle.
pub(crate) struct Nettle {
    pub(crate) api: Api,
    pub(crate) shared: Shared,
    /// The version, for example "3.8". The library does not report its patch level.
    pub(crate) version: String,
}

impl Nettle {
    /// Loads libnettle. Nettle 4 changed the prototype of every digest function, so versions
    /// other than 3 are refused.
    pub(crate) fn load(path: &str) -> Result<Self, String> {
        let (api, shared) = Api::open(path, &["libnettle.so.8"], "Nettle 3.6 or later")?;
        // SAFETY: both functions take no arguments and return a number.
        let (major, minor) =
            unsafe { ((api.nettle_version_major)(), (api.nettle_version_minor)()) };
        if major != 3 {
            return Err(format!(
                "{} is Nettle {major}.{minor}, but this worker knows the interface of \
                 Nettle 3",
                shared.path
            ));
        }
        Ok(Self {
            api,
            shared,
            version: format!("{major}.{minor}"),
        })
    }

    /// Returns one of the library's tables, or `None` if this version lacks the table.
    pub(crate) fn table<T: Table>(&self, name: &str) -> Option<&'static T> {
        // SAFETY: the symbol of an object is its address. The object is a constant of a library
        // that stays loaded, and the trait `Table` guarantees its layout. The caller's name for
        // the object determines the type: `nettle_gcm_…` is an AEAD, for example.
        unsafe { self.shared.symbol::<*const T>(name).map(|table| &*table) }
    }

    /// Returns a function that not every version or algorithm has.
    ///
    /// # Safety
    ///
    /// `F` must be the function's type.
    pub(crate) unsafe fn function<F: Copy>(&self, name: &str) -> Option<F> {
        // SAFETY: the caller guarantees that `F` is the function's type.
        unsafe { self.shared.symbol::<F>(name) }
    }
}
