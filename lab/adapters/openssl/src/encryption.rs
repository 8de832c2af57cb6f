//! RSA encryption by `EVP_PKEY_encrypt` and `EVP_PKEY_decrypt`.
#![allow(unsafe_code)]

use std::ffi::c_int;
use std::ptr;

use touchstone_worker::{Cell, Failure, Message, Offer, Operation, Work, offer, primitives};

use crate::ffi::{Api, Context, Fetched, OpenSsl};
use crate::key::{Kind, digest};

/// `RSA_PKCS1_PADDING` and `RSA_PKCS1_OAEP_PADDING` of <openssl/rsa.h>.
const PKCS1: c_int = 1;
const OAEP: c_int = 4;

pub(crate) fn offers(_: &OpenSsl) -> Vec<Offer> {
    let calls = [
        ("public-encrypt", "EVP_PKEY_encrypt"),
        ("private-decrypt", "EVP_PKEY_decrypt"),
    ];
    let each = |(id, api)| {
        let primitives = primitives(id).into_iter();
        let primitives = primitives.filter(|primitive| Kind::of(primitive).is_some());
        primitives.map(move |primitive| offer(&primitive, id, api))
    };
    calls.into_iter().flat_map(each).collect()
}

pub(crate) fn cell(ssl: &OpenSsl, work: &Work) -> Option<Result<Cell, Failure>> {
    let encrypts = match work.operation.as_str() {
        "public-encrypt" => true,
        "private-decrypt" => false,
        _ => return None,
    };
    let (_, scheme) = Kind::of(&work.primitive)?;
    let hash = match scheme.split_once('-') {
        None if scheme == "pkcs1" => None,
        Some(("oaep", hash)) => {
            Some(ssl.fetch(ssl.api.EVP_MD_fetch, digest(hash)?.to_str().ok()?)?)
        }
        _ => return None,
    };
    let api = ssl.api;
    Some(Ok(Cell::new(move || {
        Ok(Encryption {
            api,
            encrypts,
            hash,
            context: None,
        })
    })))
}

/// A context with the key.
struct Encryption {
    api: Api,
    encrypts: bool,
    /// OAEP's hash; without a hash, the padding is that of PKCS #1 v1.5.
    hash: Option<Fetched>,
    context: Option<Context>,
}

impl Operation for Encryption {
    fn set_key(&mut self, key: &[u8]) -> Result<(), Failure> {
        let api = &self.api;
        let (key, init) = if self.encrypts {
            (api.public(Kind::Rsa, key)?, api.EVP_PKEY_encrypt_init)
        } else {
            (api.private(Kind::Rsa, key)?, api.EVP_PKEY_decrypt_init)
        };
        // SAFETY: the key and the hash are live, and the context takes a reference to the key. The
        // context's owner frees it.
        unsafe {
            let made = (api.EVP_PKEY_CTX_new_from_pkey)(ptr::null_mut(), key.object, ptr::null());
            let context = Context::new(made, api.EVP_PKEY_CTX_free)?;
            let object = context.object;
            api.ok("EVP_PKEY_encrypt_init or …_decrypt_init", init(object))?;
            let padding = if self.hash.is_some() { OAEP } else { PKCS1 };
            let code = (api.EVP_PKEY_CTX_set_rsa_padding)(object, padding);
            api.ok("EVP_PKEY_CTX_set_rsa_padding", code)?;
            if let Some(hash) = self.hash {
                // The hash of the mask follows OAEP's hash.
                let code = (api.EVP_PKEY_CTX_set_rsa_oaep_md)(object, hash.get());
                api.ok("EVP_PKEY_CTX_set_rsa_oaep_md", code)?;
            }
            self.context = Some(context);
        }
        Ok(())
    }

    #[inline]
    fn process(&mut self, message: &Message<'_>, output: &mut [u8]) -> Result<usize, Failure> {
        let api = &self.api;
        let context = self.context.as_ref();
        let context = context.map_or(ptr::null_mut(), |context| context.object);
        let (input, mut length) = (message.input, output.len());
        let (at, room) = (input.as_ptr(), output.as_mut_ptr());
        // SAFETY: the context is live, and each length is the length of its slice.
        unsafe {
            if self.encrypts {
                let code = (api.EVP_PKEY_encrypt)(context, room, &mut length, at, input.len());
                api.ok("EVP_PKEY_encrypt", code)?;
            } else if (api.EVP_PKEY_decrypt)(context, room, &mut length, at, input.len()) != 1 {
                (api.ERR_clear_error)();
                return Err(Failure::Rejected);
            }
        }
        Ok(length)
    }
}
