//! Key generation by `botan_privkey_create`.
#![allow(unsafe_code)]

use std::ffi::{CStr, CString, c_int, c_void};
use std::ptr;

use touchstone_worker::Failure;
use touchstone_worker::public::{Maker, Pair, Scheme};

use crate::curves::curve;
use crate::ffi::{Api, Handle, Object, View, name};
use crate::set::Set;

/// The bytes of a seed of Ed25519, which Botan gives before the public key.
const SEED: usize = 32;

/// Returns Botan's names of an algorithm and of its parameters; `None` if the worker makes no such
/// keys.
pub(crate) fn named(scheme: Scheme<'_>) -> Option<(&'static CStr, CString)> {
    match scheme {
        Scheme::PostQuantum(id) => Set::of(id).map(|set| (set.algorithm, set.name.into())),
        Scheme::Raw("ed25519") => Some((c"Ed25519", CString::default())),
        Scheme::Rsa(bits, _) => Some((c"RSA", name(&bits.to_string()))),
        Scheme::Ecdsa(id, _) => Some((c"ECDSA", curve(id)?.into())),
        _ => None,
    }
}

/// What makes keys, and the last key.
pub(crate) struct Keys {
    pub(crate) api: Api,
    pub(crate) algorithm: &'static CStr,
    pub(crate) parameters: CString,
    /// Whether keys are bytes without structure that Botan shows.
    pub(crate) raw: bool,
    pub(crate) random: Object,
    pub(crate) key: Option<Object>,
}

/// Appends bytes that Botan shows to a vector.
unsafe extern "C" fn append(to: *mut c_void, bytes: *const u8, length: usize) -> c_int {
    // SAFETY: the caller of Botan passed a vector, and Botan gives so many bytes.
    unsafe { (*to.cast::<Vec<u8>>()).extend_from_slice(std::slice::from_raw_parts(bytes, length)) };
    0
}

type Export = unsafe extern "C" fn(Handle, *mut u8, *mut usize, u32) -> c_int;
type Show = Option<unsafe extern "C" fn(Handle, *mut c_void, View) -> c_int>;

impl Keys {
    fn key(&self) -> Result<Handle, Failure> {
        let key = self.key.as_ref();
        key.map(|key| key.object)
            .ok_or_else(|| Failure::failed("no key was made"))
    }

    fn shown(&self, show: Show, key: Handle) -> Result<Vec<u8>, Failure> {
        let show = show.ok_or_else(|| Failure::unsupported("keys without structure"))?;
        let mut bytes: Vec<u8> = Vec::new();
        // SAFETY: the key is live, and the function appends to the vector during the call.
        let code = unsafe { show(key, ptr::from_mut(&mut bytes).cast(), append) };
        self.api.ok("botan_…key_view_raw", code)?;
        Ok(bytes)
    }

    fn exported(&self, export: Export, key: Handle) -> Result<Vec<u8>, Failure> {
        const DER: u32 = 0;
        let mut bytes = vec![0; 8 << 10];
        let mut length = bytes.len();
        // SAFETY: the key is live, and the length is the vector's.
        let code = unsafe { export(key, bytes.as_mut_ptr(), &mut length, DER) };
        self.api.ok("botan_…key_export", code)?;
        bytes.truncate(length);
        Ok(bytes)
    }
}

impl Maker for Keys {
    #[inline]
    fn make(&mut self) -> Result<(), Failure> {
        let (api, create) = (&self.api, self.api.botan_privkey_create);
        let (algorithm, parameters) = (self.algorithm.as_ptr(), self.parameters.as_ptr());
        // SAFETY: a successful call writes the handle, the names are C strings, and the random
        // generator is live.
        self.key = Some(unsafe {
            Object::made(api.botan_privkey_destroy, |handle| {
                let code = create(handle, algorithm, parameters, self.random.object);
                api.takes("botan_privkey_create", code)
            })?
        });
        Ok(())
    }
}

impl Pair for Keys {
    fn public(&self) -> Result<Vec<u8>, Failure> {
        let (api, key, export) = (&self.api, self.key()?, self.api.botan_privkey_export_pubkey);
        // SAFETY: the key is live, and a successful call writes the handle.
        let public = unsafe {
            Object::made(api.botan_pubkey_destroy, |handle| {
                api.ok("botan_privkey_export_pubkey", export(handle, key))
            })?
        };
        if self.raw {
            return self.shown(api.botan_pubkey_view_raw, public.object);
        }
        if self.algorithm == c"Ed25519" {
            let mut bytes = vec![0; SEED];
            // SAFETY: the key is live, and such a key has 32 bytes.
            let code =
                unsafe { (api.botan_pubkey_ed25519_get_pubkey)(public.object, bytes.as_mut_ptr()) };
            api.ok("botan_pubkey_ed25519_get_pubkey", code)?;
            return Ok(bytes);
        }
        self.exported(api.botan_pubkey_export, public.object)
    }

    fn private(&self) -> Result<Vec<u8>, Failure> {
        let (api, key) = (&self.api, self.key()?);
        if self.raw {
            return self.shown(api.botan_privkey_view_raw, key);
        }
        if self.algorithm == c"Ed25519" {
            let mut bytes = vec![0; 2 * SEED];
            // SAFETY: the key is live, and the function writes the seed and the public key.
            let code = unsafe { (api.botan_privkey_ed25519_get_privkey)(key, bytes.as_mut_ptr()) };
            api.ok("botan_privkey_ed25519_get_privkey", code)?;
            bytes.truncate(SEED);
            return Ok(bytes);
        }
        self.exported(api.botan_privkey_export, key)
    }
}
