//! Key agreement by `EVP_PKEY_derive`.
#![allow(unsafe_code)]

use std::ptr;

use touchstone_worker::{Cell, Failure, Message, Offer, Operation, Work, offer, primitives};

use crate::ffi::{Api, Context, OpenSsl, Param};
use crate::key::Kind;

/// The operation, and the same with a public key that describes its curve by numbers.
const OPERATIONS: [&str; 2] = ["agree", "agree-explicit"];

pub(crate) fn offers(ssl: &OpenSsl) -> Vec<Offer> {
    let api = "EVP_PKEY_derive_set_peer, EVP_PKEY_derive";
    let mut offers = Vec::new();
    for operation in OPERATIONS {
        for primitive in primitives(operation) {
            let is_curve = primitive.starts_with("ecdh-");
            let kind = Kind::of(&primitive);
            if kind.is_some_and(|(kind, _)| ssl.has(kind)) && (is_curve || operation == "agree") {
                offers.push(offer(&primitive, operation, api));
            }
        }
    }
    offers
}

pub(crate) fn cell(ssl: &OpenSsl, work: &Work) -> Option<Result<Cell, Failure>> {
    if !OPERATIONS.contains(&work.operation.as_str()) {
        return None;
    }
    let (kind, _) = Kind::of(&work.primitive)?;
    let (api, peer) = (ssl.api, work.other("peer").to_vec());
    Some(Ok(Cell::new(move || {
        Ok(Agreement {
            api,
            kind,
            // A public key that the library refuses is a forgery.
            peer: api.public(kind, &peer).map_err(|_| Failure::Rejected)?,
            own: None,
        })
    })))
}

/// The other side's public key, and a context with the private key.
struct Agreement {
    api: Api,
    kind: Kind,
    peer: Context,
    own: Option<Context>,
}

impl Operation for Agreement {
    fn set_key(&mut self, key: &[u8]) -> Result<(), Failure> {
        let api = &self.api;
        let key = api.private(self.kind, key)?;
        // SAFETY: the key is live, and the context takes a reference to it. The context's owner
        // frees it.
        unsafe {
            let made = (api.EVP_PKEY_CTX_new_from_pkey)(ptr::null_mut(), key.object, ptr::null());
            let context = Context::new(made, api.EVP_PKEY_CTX_free)?;
            let code = (api.EVP_PKEY_derive_init)(context.object);
            api.ok("EVP_PKEY_derive_init", code)?;
            if self.kind == Kind::Dh {
                // Otherwise zero bytes in front of the secret are left out.
                let parameters = [Param::number(c"pad", &1), Param::end()];
                let code = (api.EVP_PKEY_CTX_set_params)(context.object, parameters.as_ptr());
                api.ok("EVP_PKEY_CTX_set_params", code)?;
            }
            self.own = Some(context);
        }
        Ok(())
    }

    #[inline]
    fn process(&mut self, _: &Message<'_>, output: &mut [u8]) -> Result<usize, Failure> {
        let api = &self.api;
        let own = self.own.as_ref().map_or(ptr::null_mut(), |own| own.object);
        let mut length = output.len();
        // SAFETY: the context and the key are live, and the length is the slice's.
        let code = unsafe {
            let code = (api.EVP_PKEY_derive_set_peer)(own, self.peer.object);
            if code == 1 {
                (api.EVP_PKEY_derive)(own, output.as_mut_ptr(), &mut length)
            } else {
                code
            }
        };
        if code != 1 {
            // SAFETY: the function takes no arguments.
            unsafe { (api.ERR_clear_error)() };
            return Err(Failure::Rejected);
        }
        Ok(length)
    }
}
