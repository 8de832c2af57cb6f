//! Key generation by `EVP_PKEY_generate`.
#![allow(unsafe_code)]

use std::ptr;

use touchstone_worker::public::Scheme;
use touchstone_worker::{Cell, Failure, Message, Offer, Operation, Work, offer, primitives};

use crate::ffi::{Api, Context, Object, OpenSsl, Param};
use crate::key::{Kind, SEED};

const OPERATIONS: [&str; 2] = ["generate-key", "generate-kem-key"];

/// Returns the kind of the keys that are made for a primitive, and the bits of RSA's modulus; `None`
/// if the worker makes no such keys.
fn made(ssl: &OpenSsl, primitive: &str) -> Option<(Kind, u64)> {
    let scheme = Scheme::of(primitive)?;
    let kind = Kind::of(scheme).filter(|kind| ssl.api.has(*kind))?;
    match (kind, scheme) {
        (Kind::Dsa | Kind::Dh, _) | (_, Scheme::DeterministicEcdsa(..)) => None,
        // A longer key takes many seconds.
        (_, Scheme::Rsa(bits, _)) => (bits <= 4096).then_some((kind, bits as u64)),
        _ => Some((kind, 0)),
    }
}

pub(crate) fn offers(ssl: &OpenSsl) -> Vec<Offer> {
    let mut offers = Vec::new();
    for operation in OPERATIONS {
        let known = primitives(operation).into_iter();
        let known = known.filter(|primitive| made(ssl, primitive).is_some());
        offers.extend(known.map(|primitive| offer(&primitive, operation, "EVP_PKEY_generate")));
    }
    offers
}

pub(crate) fn cell(ssl: &OpenSsl, work: &Work) -> Option<Result<Cell, Failure>> {
    OPERATIONS.iter().find(|id| **id == work.operation)?;
    let (api, (kind, bits)) = (ssl.api, made(ssl, &work.primitive)?);
    let known = Scheme::of(&work.primitive).and_then(Scheme::public_bytes);
    let cell = Cell::new(move || Generator::new(api, kind, bits));
    let public = known.map_or_else(
        || {
            let mut one = Generator::new(api, kind, bits)?;
            one.generate()?;
            one.public(&mut [0; 1024])
        },
        Ok,
    );
    Some(public.map(|public| cell.gives(&[("public", public), ("key", Cell::REST)])))
}

/// A context that makes keys, and the last key.
struct Generator {
    api: Api,
    kind: Kind,
    context: Context,
    key: Option<Context>,
}

impl Generator {
    /// Makes a context. Keys of RSA have a modulus of so many bits.
    fn new(api: Api, kind: Kind, bits: u64) -> Result<Self, Failure> {
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

    fn generate(&mut self) -> Result<(), Failure> {
        let mut made: Object = ptr::null_mut();
        // SAFETY: the context was initialised for key generation, and the key's owner frees it.
        let code = unsafe { (self.api.EVP_PKEY_generate)(self.context.object, &mut made) };
        self.api.ok("EVP_PKEY_generate", code)?;
        self.key = Some(Context::new(made, self.api.EVP_PKEY_free)?);
        Ok(())
    }

    fn key(&self) -> Object {
        let key = self.key.as_ref();
        key.map_or(ptr::null_mut(), |key| key.object)
    }

    /// Writes the public key, and returns its length.
    fn public(&self, output: &mut [u8]) -> Result<usize, Failure> {
        let api = &self.api;
        if !matches!(self.kind, Kind::Raw(_) | Kind::Seed(_)) {
            return api.encoded(api.i2d_PUBKEY, self.key(), output);
        }
        let mut length = output.len();
        // SAFETY: the key is live, and the length is the slice's.
        let code = unsafe {
            (api.EVP_PKEY_get_raw_public_key)(self.key(), output.as_mut_ptr(), &mut length)
        };
        api.ok("EVP_PKEY_get_raw_public_key", code)?;
        Ok(length)
    }

    /// Writes the private key, and returns its length.
    fn private(&self, output: &mut [u8]) -> Result<usize, Failure> {
        let api = &self.api;
        let (at, mut length) = (output.as_mut_ptr(), output.len());
        match self.kind {
            Kind::Raw(_) => {
                // SAFETY: the key is live, and the length is the slice's.
                let code =
                    unsafe { (api.EVP_PKEY_get_raw_private_key)(self.key(), at, &mut length) };
                api.ok("EVP_PKEY_get_raw_private_key", code)?;
                Ok(length)
            }
            Kind::Seed(_) => {
                let get = api.EVP_PKEY_get_octet_string_param;
                let (room, name) = (length, SEED.as_ptr());
                // SAFETY: the key is live, the name is a C string, and the length is the slice's.
                let code = unsafe { get(self.key(), name, at, room, &mut length) };
                api.ok("EVP_PKEY_get_octet_string_param", code)?;
                Ok(length)
            }
            _ => {
                // SAFETY: the key is live, and the owner of the new object frees it.
                let info = unsafe {
                    let made = (api.EVP_PKEY2PKCS8)(self.key());
                    Context::new(made, api.PKCS8_PRIV_KEY_INFO_free)?
                };
                api.encoded(api.i2d_PKCS8_PRIV_KEY_INFO, info.object, output)
            }
        }
    }
}

impl Operation for Generator {
    #[inline]
    fn process(&mut self, _: &Message<'_>, _: &mut [u8]) -> Result<usize, Failure> {
        self.generate()?;
        Ok(0)
    }

    fn deliver(&mut self, output: &mut [u8], _: usize) -> Result<usize, Failure> {
        let public = self.public(output)?;
        Ok(public + self.private(&mut output[public..])?)
    }
}
