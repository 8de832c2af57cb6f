//! Encapsulation by `EVP_PKEY_encapsulate` and `EVP_PKEY_decapsulate`.
#![allow(unsafe_code)]

use std::ptr;

use touchstone_worker::public::Scheme;
use touchstone_worker::{Cell, Failure, Message, Offer, Operation, Work, offer, primitives};

use crate::ffi::{Api, Context, OpenSsl};
use crate::key::Kind;

const OPERATIONS: [(&str, &str); 2] = [
    ("encapsulate", "EVP_PKEY_encapsulate"),
    ("decapsulate", "EVP_PKEY_decapsulate"),
];

pub(crate) fn offers(ssl: &OpenSsl) -> Vec<Offer> {
    let mut offers = Vec::new();
    for (id, api) in OPERATIONS {
        for primitive in primitives(id) {
            if Kind::of(&primitive).is_some_and(|(kind, _)| ssl.has(kind)) {
                offers.push(offer(&primitive, id, api));
            }
        }
    }
    offers
}

pub(crate) fn cell(ssl: &OpenSsl, work: &Work) -> Option<Result<Cell, Failure>> {
    let (api, opens) = match work.operation.as_str() {
        "encapsulate" => (ssl.api, false),
        "decapsulate" => (ssl.api, true),
        _ => return None,
    };
    let (kind, _) = Kind::of(&work.primitive).filter(|(kind, _)| ssl.has(*kind))?;
    let scheme = Scheme::of(&work.primitive)?;
    let [private, public] = scheme.key_bytes()?;
    if let Err(failure) = work.need_key(if opens { private } else { public }) {
        return Some(Err(failure));
    }
    let ciphertext = scheme.answer_bytes();
    let cell = Cell::new(move || {
        Ok(Encapsulation {
            api,
            kind,
            opens,
            ciphertext,
            context: None,
        })
    });
    Some(Ok(if opens {
        cell
    } else {
        cell.gives(&[("ciphertext", ciphertext), ("output", Cell::REST)])
    }))
}

/// A context with the key.
struct Encapsulation {
    api: Api,
    kind: Kind,
    /// Whether the key is private, and ciphertexts are opened.
    opens: bool,
    /// The length of a ciphertext.
    ciphertext: usize,
    context: Option<Context>,
}

impl Operation for Encapsulation {
    fn set_key(&mut self, key: &[u8]) -> Result<(), Failure> {
        let api = &self.api;
        let (key, init) = if self.opens {
            (api.private(self.kind, key)?, api.EVP_PKEY_decapsulate_init)
        } else {
            (api.public(self.kind, key)?, api.EVP_PKEY_encapsulate_init)
        };
        // SAFETY: the key is live, and the context takes a reference to it. The context's owner frees
        // it, and NULL means that there are no parameters.
        unsafe {
            let made = (api.EVP_PKEY_CTX_new_from_pkey)(ptr::null_mut(), key.object, ptr::null());
            let context = Context::new(made, api.EVP_PKEY_CTX_free)?;
            let code = init(context.object, ptr::null());
            api.ok("EVP_PKEY_encapsulate_init or …_decapsulate_init", code)?;
            self.context = Some(context);
        }
        Ok(())
    }

    #[inline]
    fn process(&mut self, message: &Message<'_>, output: &mut [u8]) -> Result<usize, Failure> {
        let api = &self.api;
        let context = self.context.as_ref();
        let context = context.map_or(ptr::null_mut(), |context| context.object);
        if self.opens {
            let ciphertext = message.other("ciphertext");
            let (at, bytes) = (ciphertext.as_ptr(), ciphertext.len());
            let (room, mut length) = (output.as_mut_ptr(), output.len());
            // SAFETY: the context is live, and each length is the length of its slice.
            let code = unsafe { (api.EVP_PKEY_decapsulate)(context, room, &mut length, at, bytes) };
            if code != 1 {
                // SAFETY: the function takes no arguments.
                unsafe { (api.ERR_clear_error)() };
                return Err(Failure::Rejected);
            }
            return Ok(length);
        }
        let halves = output.split_at_mut_checked(self.ciphertext);
        let (first, rest) = halves.ok_or_else(|| Failure::failed("no room for a ciphertext"))?;
        let (mut bytes, mut length) = (first.len(), rest.len());
        let (first, rest) = (first.as_mut_ptr(), rest.as_mut_ptr());
        // SAFETY: the context is live, and each length is the length of its slice.
        let code =
            unsafe { (api.EVP_PKEY_encapsulate)(context, first, &mut bytes, rest, &mut length) };
        api.ok("EVP_PKEY_encapsulate", code)?;
        Ok(bytes + length)
    }
}
