//! The functions of libsecp256k1 that the worker calls.
#![allow(unsafe_code)]

use std::ffi::{c_int, c_uint, c_void};
use std::ptr;
use std::sync::Arc;

use touchstone_worker::{Shared, symbols};

/// `secp256k1_context *` of <secp256k1.h>.
pub(crate) type Context = *mut c_void;

/// `secp256k1_pubkey` and `secp256k1_ecdsa_signature` of <secp256k1.h>.
#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct Opaque(pub(crate) [u8; 64]);

/// `secp256k1_ecdh_hash_function` of <secp256k1_ecdh.h>.
pub(crate) type Hash = unsafe extern "C" fn(*mut u8, *const u8, *const u8, *mut c_void) -> c_int;

symbols! {
    /// The functions of libsecp256k1, as its headers declare them.
    struct Api {
        secp256k1_context_create: fn(c_uint) -> Context;
        secp256k1_context_randomize, secp256k1_ec_seckey_verify: fn(Context, *const u8) -> c_int;
        secp256k1_ec_pubkey_parse: fn(Context, *mut Opaque, *const u8, usize) -> c_int;
        secp256k1_ecdsa_signature_parse_der: fn(Context, *mut Opaque, *const u8, usize) -> c_int;
        secp256k1_ec_pubkey_serialize: fn(Context, *mut u8, *mut usize, *const Opaque, c_uint) -> c_int;
        secp256k1_ec_pubkey_create: fn(Context, *mut Opaque, *const u8) -> c_int;
        secp256k1_ec_pubkey_tweak_mul: fn(Context, *mut Opaque, *const u8) -> c_int;
        secp256k1_ecdsa_sign: fn(Context, *mut Opaque, *const u8, *const u8, *const c_void, *const c_void) -> c_int;
        secp256k1_ecdsa_verify: fn(Context, *const Opaque, *const u8, *const Opaque) -> c_int;
        secp256k1_ecdsa_signature_normalize: fn(Context, *mut Opaque, *const Opaque) -> c_int;
        secp256k1_ecdsa_signature_serialize_der: fn(Context, *mut u8, *mut usize, *const Opaque) -> c_int;
        secp256k1_ecdh: fn(Context, *mut u8, *const Opaque, *const u8, Hash, *mut c_void) -> c_int, ?;
    }
}

/// `SECP256K1_CONTEXT_SIGN | SECP256K1_CONTEXT_VERIFY`, which versions before 0.2 need.
const CONTEXT: c_uint = 1 | 1 << 8 | 1 << 9;

/// `SECP256K1_EC_UNCOMPRESSED`.
pub(crate) const UNCOMPRESSED: c_uint = 1 << 1;

/// A loaded libsecp256k1 and its context, which lives until the process ends.
#[derive(Clone)]
pub(crate) struct Curve {
    pub(crate) api: Api,
    pub(crate) context: Shareable,
    pub(crate) path: Arc<str>,
}

/// A context. After it was randomised, it is only read, which several threads may do
/// (<secp256k1.h>).
#[derive(Clone, Copy)]
pub(crate) struct Shareable(pub(crate) Context);

// SAFETY: see the type.
unsafe impl Send for Shareable {}
// SAFETY: see the type.
unsafe impl Sync for Shareable {}

impl Curve {
    pub(crate) fn load(path: &str) -> Result<Self, String> {
        let shared = Shared::open(path, &["libsecp256k1.so.*"])?;
        let api = Api::load(&shared)?;
        // The seed only blinds calculations; the address of a variable differs in each process.
        let mut seed = [0; 32];
        let place = ptr::from_ref(&seed) as usize;
        seed[..size_of::<usize>()].copy_from_slice(&place.to_ne_bytes());
        // SAFETY: the flags are the header's, and the seed has 32 bytes.
        let context = unsafe {
            let context = (api.secp256k1_context_create)(CONTEXT);
            if context.is_null() || (api.secp256k1_context_randomize)(context, seed.as_ptr()) != 1 {
                return Err("libsecp256k1 makes no context".into());
            }
            context
        };
        Ok(Self {
            api,
            context: Shareable(context),
            path: shared.path.into(),
        })
    }

    /// Returns the version. The library does not tell it, so the file's name does: the soname's
    /// first number, which rises with each change of the interface.
    pub(crate) fn version(&self) -> String {
        let real = std::fs::canonicalize(&*self.path).ok();
        let name = real.as_deref().and_then(|path| path.file_name()?.to_str());
        let number = name.and_then(|name| name.split_once(".so."));
        number.map_or_else(|| "?".into(), |(_, number)| format!("so {number}"))
    }
}
