//! Signatures by `EVP_PKEY_generate`, `EVP_DigestSign` and `EVP_DigestVerify`.
#![allow(unsafe_code)]

use std::ffi::CStr;
use std::ptr;

use touchstone_worker::{Cell, Failure, Message, Offer, Operation, Work, offer, primitives};

use crate::ffi::{Api, Context, Object, OpenSsl, Param};
use crate::key::{Kind, digest};

/// A signature scheme: the kind of its keys, its hash, and whether RSA pads by PSS.
#[derive(Clone, Copy)]
struct Scheme {
    kind: Kind,
    hash: Option<&'static CStr>,
    pss: bool,
}

impl Scheme {
    fn of(primitive: &str) -> Option<Self> {
        let (kind, scheme) = Kind::of(primitive)?;
        let (pss, hash) = match kind {
            Kind::Raw(name, _) => {
                let signs = [c"ED25519", c"ED448"].contains(&name);
                return signs.then_some(Self {
                    kind,
                    hash: None,
                    pss: false,
                });
            }
            Kind::Curve(_) => (false, scheme),
            Kind::Rsa => match scheme.split_once('-')? {
                ("pss", hash) => (true, hash),
                ("pkcs1", hash) => (false, hash),
                _ => return None,
            },
        };
        Some(Self {
            kind,
            hash: Some(digest(hash)?),
            pss,
        })
    }

    /// Returns the parameters of a signature; PSS's salt is as long as the hash.
    fn parameters(self) -> Vec<Param> {
        let mut parameters = Vec::new();
        if self.pss {
            parameters.push(Param::text(c"pad-mode", c"pss"));
            parameters.push(Param::text(c"saltlen", c"digest"));
        }
        parameters.push(Param::end());
        parameters
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Do {
    Generate,
    Sign,
    Verify,
}

const OPERATIONS: &[(&str, Do, &str)] = &[
    ("generate-key", Do::Generate, "EVP_PKEY_generate"),
    ("sign", Do::Sign, "EVP_DigestSignInit_ex, EVP_DigestSign"),
    (
        "verify",
        Do::Verify,
        "EVP_DigestVerifyInit_ex, EVP_DigestVerify",
    ),
];

pub(crate) fn offers(_: &OpenSsl) -> Vec<Offer> {
    let mut offers = Vec::new();
    for (id, what, api) in OPERATIONS {
        for primitive in primitives(id) {
            // The length of an RSA key's encoding differs from key to key.
            let makes = *what != Do::Generate || !primitive.starts_with("rsa-");
            if makes && Scheme::of(&primitive).is_some() {
                offers.push(offer(&primitive, id, api));
            }
        }
    }
    offers
}

pub(crate) fn cell(ssl: &OpenSsl, work: &Work) -> Option<Result<Cell, Failure>> {
    let (_, what, _) = OPERATIONS.iter().find(|(id, ..)| *id == work.operation)?;
    let (api, what) = (ssl.api, *what);
    let scheme = Scheme::of(&work.primitive)?;
    if what != Do::Generate {
        if let Kind::Raw(_, length) = scheme.kind
            && let Err(failure) = work.need_key(length)
        {
            return Some(Err(failure));
        }
        return Some(Ok(Cell::new(move || Signer::new(api, scheme, what))));
    }
    let cell = Cell::new(move || Generator::new(api, scheme.kind));
    Some(Generator::new(api, scheme.kind).and_then(|mut one| {
        one.generate()?;
        let mut room = [0; 1024];
        let public = one.public(&mut room)?;
        Ok(cell.gives(&[("public", public), ("key", Cell::REST)]))
    }))
}

/// A context that makes keys, and the last key.
struct Generator {
    api: Api,
    kind: Kind,
    context: Context,
    key: Option<Context>,
}

impl Generator {
    fn new(api: Api, kind: Kind) -> Result<Self, Failure> {
        let (name, group) = match kind {
            Kind::Raw(name, _) => (name, None),
            Kind::Curve(group) => (c"EC", Some(group)),
            Kind::Rsa => return Err(Failure::unsupported("making keys for RSA")),
        };
        // SAFETY: NULL means the default library context, the names are C strings, and the
        // context's owner frees it.
        unsafe {
            let made =
                (api.EVP_PKEY_CTX_new_from_name)(ptr::null_mut(), name.as_ptr(), ptr::null());
            let context = Context::new(made, api.EVP_PKEY_CTX_free)?;
            let code = (api.EVP_PKEY_keygen_init)(context.object);
            api.ok("EVP_PKEY_keygen_init", code)?;
            if let Some(group) = group {
                let parameters = [Param::text(c"group", group), Param::end()];
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
        let Kind::Raw(..) = self.kind else {
            return api.encoded(api.i2d_PUBKEY, self.key(), output);
        };
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
        let Kind::Raw(..) = self.kind else {
            // SAFETY: the key is live, and the owner of the new object frees it.
            let info = unsafe {
                let made = (api.EVP_PKEY2PKCS8)(self.key());
                Context::new(made, api.PKCS8_PRIV_KEY_INFO_free)?
            };
            return api.encoded(api.i2d_PKCS8_PRIV_KEY_INFO, info.object, output);
        };
        let mut length = output.len();
        // SAFETY: the key is live, and the length is the slice's.
        let code = unsafe {
            (api.EVP_PKEY_get_raw_private_key)(self.key(), output.as_mut_ptr(), &mut length)
        };
        api.ok("EVP_PKEY_get_raw_private_key", code)?;
        Ok(length)
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

/// A context that signs or verifies, and the key.
struct Signer {
    api: Api,
    what: Do,
    scheme: Scheme,
    parameters: Vec<Param>,
    context: Context,
    key: Option<Context>,
}

impl Signer {
    fn new(api: Api, scheme: Scheme, what: Do) -> Result<Self, Failure> {
        // SAFETY: the context is new, and its owner frees it.
        let context = unsafe { Context::new((api.EVP_MD_CTX_new)(), api.EVP_MD_CTX_free)? };
        Ok(Self {
            api,
            what,
            scheme,
            parameters: scheme.parameters(),
            context,
            key: None,
        })
    }
}

impl Operation for Signer {
    fn set_key(&mut self, key: &[u8]) -> Result<(), Failure> {
        let kind = self.scheme.kind;
        self.key = Some(if self.what == Do::Sign {
            self.api.private(kind, key)?
        } else {
            self.api.public(kind, key)?
        });
        Ok(())
    }

    #[inline]
    fn process(&mut self, message: &Message<'_>, output: &mut [u8]) -> Result<usize, Failure> {
        let (api, context) = (&self.api, self.context.object);
        let key = self.key.as_ref().map_or(ptr::null_mut(), |key| key.object);
        let hash = self.scheme.hash.map_or(ptr::null(), CStr::as_ptr);
        let parameters = self.parameters.as_ptr();
        let (input, null) = (message.input, ptr::null_mut());
        // Each message initialises the context again, as EVP_DigestSign(3) requires.
        // SAFETY: the context and the key are live, the list of parameters has its end mark, and
        // each length is the length of its slice.
        unsafe {
            if self.what == Do::Sign {
                let code = (api.EVP_DigestSignInit_ex)(
                    context,
                    ptr::null_mut(),
                    hash,
                    null,
                    ptr::null(),
                    key,
                    parameters,
                );
                api.ok("EVP_DigestSignInit_ex", code)?;
                let mut length = output.len();
                let room = output.as_mut_ptr();
                let (at, bytes) = (input.as_ptr(), input.len());
                let code = (api.EVP_DigestSign)(context, room, &mut length, at, bytes);
                api.ok("EVP_DigestSign", code)?;
                return Ok(length);
            }
            let code = (api.EVP_DigestVerifyInit_ex)(
                context,
                ptr::null_mut(),
                hash,
                null,
                ptr::null(),
                key,
                parameters,
            );
            api.ok("EVP_DigestVerifyInit_ex", code)?;
            let signature = message.other("signature");
            let code = (api.EVP_DigestVerify)(
                context,
                signature.as_ptr(),
                signature.len(),
                input.as_ptr(),
                input.len(),
            );
            if code != 1 {
                (api.ERR_clear_error)();
                return Err(Failure::Rejected);
            }
        }
        Ok(0)
    }
}
