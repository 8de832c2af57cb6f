//! Key generation by `EVP_PKEY_generate`.
#![allow(unsafe_code)]

use std::ffi::c_int;
use std::ptr;

use touchstone_worker::Failure;
use touchstone_worker::public::{Maker, Pair, Scheme};

use crate::ffi::{Api, Context, Object, Param};
use crate::key::{Kind, SEED};

/// Returns whether the worker makes keys of a scheme: not those with parameters of their own.
pub(crate) fn makes(scheme: Scheme<'_>) -> bool {
    !matches!(
        scheme,
        Scheme::Dsa(..) | Scheme::Dh(_) | Scheme::DeterministicEcdsa(..)
    )
}

/// A context that makes keys, and the last key.
pub(crate) struct Keys {
    api: Api,
    kind: Kind,
    context: Context,
    key: Option<Context>,
}

impl Keys {
    /// Makes a context. Keys of RSA have a modulus of so many bits.
    pub(crate) fn new(api: Api, kind: Kind, bits: u64) -> Result<Self, Failure> {
        let (name, parameter) = match kind {
            Kind::Raw(name) | Kind::Seed(name) => (name, None),
            Kind::Curve(group) => (c"EC", Some(Param::text(c"group", group))),
            Kind::Rsa => (c"RSA", Some(Param::number(c"bits", &bits))),
            Kind::Dsa | Kind::Dh => return Err(Failure::unsupported("new parameters")),
        };
        // SAFETY: NULL means the default library context, the names are C strings, and the
        // context's owner frees it.
        unsafe {
            let made =
                (api.EVP_PKEY_CTX_new_from_name)(ptr::null_mut(), name.as_ptr(), ptr::null());
            let context = Context::new(made, api.EVP_PKEY_CTX_free)?;
            let code = (api.EVP_PKEY_keygen_init)(context.object);
            api.ok("EVP_PKEY_keygen_init", code)?;
            if let Some(parameter) = parameter {
                let parameters = [parameter, Param::end()];
                let code = (api.EVP_PKEY_CTX_set_params)(context.object, parameters.as_ptr());
                api.ok("EVP_PKEY_CTX_set_params", code)?;
            }
            Ok(Self {
                api,
                kind,
                context,
                key: None,
            })
        }
    }

    fn key(&self) -> Object {
        let key = self.key.as_ref();
        key.map_or(ptr::null_mut(), |key| key.object)
    }

    /// Calls a function that writes bytes of the last key: to a place with so much room, which the
    /// call replaces by the number of bytes. Without a place, the function only gives this number.
    fn written(
        &self,
        what: &str,
        write: impl Fn(Object, *mut u8, &mut usize) -> c_int,
    ) -> Result<Vec<u8>, Failure> {
        let mut length = 0;
        self.api
            .ok(what, write(self.key(), ptr::null_mut(), &mut length))?;
        let mut bytes = vec![0; length];
        let code = write(self.key(), bytes.as_mut_ptr(), &mut length);
        self.api.ok(what, code)?;
        bytes.truncate(length);
        Ok(bytes)
    }
}

impl Maker for Keys {
    #[inline]
    fn make(&mut self) -> Result<(), Failure> {
        let (api, context) = (&self.api, self.context.object);
        // SAFETY: the context was initialised for key generation, and the key's owner frees it.
        self.key = Some(unsafe {
            Context::made(api.EVP_PKEY_free, |key| {
                api.ok("EVP_PKEY_generate", (api.EVP_PKEY_generate)(context, key))
            })?
        });
        Ok(())
    }
}

impl Pair for Keys {
    fn public(&self) -> Result<Vec<u8>, Failure> {
        let api = &self.api;
        if !matches!(self.kind, Kind::Raw(_) | Kind::Seed(_)) {
            return api.encoded(api.i2d_PUBKEY, self.key());
        }
        let get = api.EVP_PKEY_get_raw_public_key;
        // SAFETY: the key is live, and the length is the place's.
        self.written("EVP_PKEY_get_raw_public_key", |key, to, length| unsafe {
            get(key, to, length)
        })
    }

    fn private(&self) -> Result<Vec<u8>, Failure> {
        let api = &self.api;
        match self.kind {
            Kind::Raw(_) => {
                let get = api.EVP_PKEY_get_raw_private_key;
                // SAFETY: the key is live, and the length is the place's.
                self.written("EVP_PKEY_get_raw_private_key", |key, to, length| unsafe {
                    get(key, to, length)
                })
            }
            Kind::Seed(_) => {
                let get = api.EVP_PKEY_get_octet_string_param;
                // SAFETY: the key is live, the name is a C string, and the length is the place's.
                self.written(
                    "EVP_PKEY_get_octet_string_param",
                    |key, to, length| unsafe { get(key, SEED.as_ptr(), to, *length, length) },
                )
            }
            _ => {
                // SAFETY: the key is live, and the owner of the new object frees it.
                let info = unsafe {
                    let made = (api.EVP_PKEY2PKCS8)(self.key());
                    Context::new(made, api.PKCS8_PRIV_KEY_INFO_free)?
                };
                api.encoded(api.i2d_PKCS8_PRIV_KEY_INFO, info.object)
            }
        }
    }
}
