//! Signatures by `EVP_DigestSign` and `EVP_DigestVerify`.
#![allow(unsafe_code)]

use std::ffi::CStr;
use std::ptr;

use touchstone_worker::{
    Cell, Failure, Message, Offer, Operation, Work, offer, primitives, public,
};

use crate::ffi::{Api, Context, Object, OpenSsl, Param};
use crate::key::{Kind, digest};

/// A signature scheme: the kind of its keys, its hash, and what differs from the defaults.
#[derive(Clone, Copy)]
struct Scheme {
    kind: Kind,
    hash: Option<&'static CStr>,
    /// Whether RSA pads by PSS.
    pss: bool,
    /// Whether the nonce follows from the key and the message.
    deterministic: bool,
    /// Whether the message begins with the signer's identity.
    sm2: bool,
}

/// `NONCE_TYPE` of RFC 6979: <openssl/core_names.h>, `OSSL_SIGNATURE_PARAM_NONCE_TYPE`.
const RFC_6979: u64 = 1;

impl Scheme {
    fn of(ssl: &OpenSsl, primitive: &str) -> Option<Self> {
        let known = public::Scheme::of(primitive)?;
        let (kind, _) = Kind::of(primitive).filter(|(kind, _)| ssl.has(*kind))?;
        let deterministic = matches!(known, public::Scheme::DeterministicEcdsa(..));
        // An older version would not know the parameter, and would sign with a random nonce.
        if deterministic && !ssl.is_at_least(3, 2) {
            return None;
        }
        let hash = match known.hash() {
            "" => None,
            id => Some(digest(id)?),
        };
        Some(Self {
            kind,
            hash,
            pss: matches!(known, public::Scheme::Rsa(_, public::Padding::Pss(_))),
            deterministic,
            sm2: matches!(known, public::Scheme::Sm2),
        })
    }

    /// Returns the parameters that a context of SM2 takes after it is initialised: the identity. The
    /// initialisation itself refuses them.
    fn identity(self) -> Option<[Param; 2]> {
        let identity = Param::octets(c"distid", public::SM2_IDENTITY);
        self.sm2.then(|| [identity, Param::end()])
    }

    /// Returns the parameters of a signature; PSS's salt is as long as the hash.
    fn parameters(self) -> Vec<Param> {
        let mut parameters = Vec::new();
        if self.pss {
            parameters.push(Param::text(c"pad-mode", c"pss"));
            parameters.push(Param::text(c"saltlen", c"digest"));
        }
        if self.deterministic {
            parameters.push(Param::number(c"nonce-type", &RFC_6979));
        }
        parameters.push(Param::end());
        parameters
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Do {
    Sign,
    Verify,
}

const OPERATIONS: &[(&str, Do, &str)] = &[
    ("sign", Do::Sign, "EVP_DigestSignInit_ex, EVP_DigestSign"),
    (
        "verify",
        Do::Verify,
        "EVP_DigestVerifyInit_ex, EVP_DigestVerify",
    ),
];

pub(crate) fn offers(ssl: &OpenSsl) -> Vec<Offer> {
    let mut offers = Vec::new();
    for (id, what, api) in OPERATIONS {
        for primitive in primitives(id) {
            // Only the signer of a deterministic signature differs.
            let differs = *what == Do::Sign || !primitive.ends_with("-deterministic");
            if differs && Scheme::of(ssl, &primitive).is_some() {
                offers.push(offer(&primitive, id, api));
            }
        }
    }
    offers
}

pub(crate) fn cell(ssl: &OpenSsl, work: &Work) -> Option<Result<Cell, Failure>> {
    let (_, what, _) = OPERATIONS.iter().find(|(id, ..)| *id == work.operation)?;
    let (api, what) = (ssl.api, *what);
    let scheme = Scheme::of(ssl, &work.primitive)?;
    let lengths = public::Scheme::of(&work.primitive).and_then(public::Scheme::key_bytes);
    if let Some([private, public]) = lengths {
        let fits = work.need_key(if what == Do::Sign { private } else { public });
        if let Err(failure) = fits {
            return Some(Err(failure));
        }
    }
    Some(Ok(Cell::new(move || Signer::new(api, scheme, what))))
}

/// A context that signs or verifies, and the key.
struct Signer {
    api: Api,
    what: Do,
    scheme: Scheme,
    parameters: Vec<Param>,
    identity: Option<[Param; 2]>,
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
            identity: scheme.identity(),
            context,
            key: None,
        })
    }
}

impl Signer {
    /// Tells a context of SM2 who signs.
    #[inline]
    fn identify(&self, of_key: Object) -> Result<(), Failure> {
        let Some(identity) = &self.identity else {
            return Ok(());
        };
        // SAFETY: the context that was initialised owns this one, and the list has its end mark.
        let code = unsafe { (self.api.EVP_PKEY_CTX_set_params)(of_key, identity.as_ptr()) };
        self.api.ok("EVP_PKEY_CTX_set_params", code)
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
        let mut of_key = ptr::null_mut();
        // Each message initialises the context again, as EVP_DigestSign(3) requires.
        // SAFETY: the context and the key are live, the list of parameters has its end mark, and
        // each length is the length of its slice.
        unsafe {
            if self.what == Do::Sign {
                let code = (api.EVP_DigestSignInit_ex)(
                    context,
                    &mut of_key,
                    hash,
                    null,
                    ptr::null(),
                    key,
                    parameters,
                );
                api.ok("EVP_DigestSignInit_ex", code)?;
                self.identify(of_key)?;
                let mut length = output.len();
                let room = output.as_mut_ptr();
                let (at, bytes) = (input.as_ptr(), input.len());
                let code = (api.EVP_DigestSign)(context, room, &mut length, at, bytes);
                api.ok("EVP_DigestSign", code)?;
                return Ok(length);
            }
            let code = (api.EVP_DigestVerifyInit_ex)(
                context,
                &mut of_key,
                hash,
                null,
                ptr::null(),
                key,
                parameters,
            );
            api.ok("EVP_DigestVerifyInit_ex", code)?;
            self.identify(of_key)?;
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
