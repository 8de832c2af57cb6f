//! Ed25519 by `EVP_PKEY_generate`, `EVP_DigestSign` and `EVP_DigestVerify`.
#![allow(unsafe_code)]

use std::ptr;

use touchstone_worker::{Cell, Failure, Message, Offer, Operation, Work, offer};

use crate::ffi::{Api, Context, Object, OpenSsl};

/// Lengths of a private or public key, and of a signature, in bytes (RFC 8032, 5.1).
const KEY: usize = 32;
const SIGNATURE: usize = 64;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Do {
    Generate,
    Sign,
    Verify,
}

const OPERATIONS: &[(&str, Do, &str)] = &[
    (
        "generate-key",
        Do::Generate,
        "EVP_PKEY_generate, EVP_PKEY_get_raw_private_key and _public_key",
    ),
    ("sign", Do::Sign, "EVP_DigestSignInit_ex, EVP_DigestSign"),
    (
        "verify",
        Do::Verify,
        "EVP_DigestVerifyInit_ex, EVP_DigestVerify",
    ),
];

fn find(work: &Work) -> Option<Do> {
    let (_, what, _) = OPERATIONS.iter().find(|(id, ..)| *id == work.operation)?;
    (work.primitive == "ed25519").then_some(*what)
}

pub(crate) fn offers(_: &OpenSsl) -> Vec<Offer> {
    let rows = OPERATIONS.iter();
    rows.map(|(id, _, api)| offer("ed25519", id, api)).collect()
}

pub(crate) fn cell(ssl: &OpenSsl, work: &Work) -> Option<Result<Cell, Failure>> {
    let what = find(work)?;
    let api = ssl.api;
    Some(match what {
        Do::Generate => {
            let cell = Cell::new(move || Generator::new(api));
            Ok(cell.gives(&[("key", KEY), ("public", KEY)]))
        }
        Do::Sign | Do::Verify => work
            .need_key(KEY)
            .map(|()| Cell::new(move || Signer::new(api, what))),
    })
}

/// A context that makes keys.
struct Generator {
    api: Api,
    context: Context,
}

impl Generator {
    fn new(api: Api) -> Result<Self, Failure> {
        // SAFETY: NULL means the default library context, the name is a C string, and the
        // context's owner frees it.
        unsafe {
            let made =
                (api.EVP_PKEY_CTX_new_from_name)(ptr::null_mut(), c"ED25519".as_ptr(), ptr::null());
            let context = Context::new(made, api.EVP_PKEY_CTX_free)?;
            let code = (api.EVP_PKEY_keygen_init)(context.object);
            api.ok("EVP_PKEY_keygen_init", code)?;
            Ok(Self { api, context })
        }
    }
}

impl Operation for Generator {
    #[inline]
    fn process(&mut self, _: &Message<'_>, output: &mut [u8]) -> Result<usize, Failure> {
        let api = &self.api;
        let (private, public) = output[..2 * KEY].split_at_mut(KEY);
        let mut made: Object = ptr::null_mut();
        // SAFETY: the context was initialised for key generation, the key's owner frees it, and
        // each length is the length of its buffer.
        unsafe {
            let code = (api.EVP_PKEY_generate)(self.context.object, &mut made);
            api.ok("EVP_PKEY_generate", code)?;
            let key = Context::new(made, api.EVP_PKEY_free)?;
            for (name, get, room) in [
                (
                    "EVP_PKEY_get_raw_private_key",
                    api.EVP_PKEY_get_raw_private_key,
                    private,
                ),
                (
                    "EVP_PKEY_get_raw_public_key",
                    api.EVP_PKEY_get_raw_public_key,
                    public,
                ),
            ] {
                let mut length = room.len();
                api.ok(name, get(key.object, room.as_mut_ptr(), &mut length))?;
            }
        }
        Ok(2 * KEY)
    }
}

/// A context that signs or verifies, and the key.
struct Signer {
    api: Api,
    what: Do,
    context: Context,
    key: Option<Context>,
}

impl Signer {
    fn new(api: Api, what: Do) -> Result<Self, Failure> {
        // SAFETY: the context is new, and its owner frees it.
        let context = unsafe { Context::new((api.EVP_MD_CTX_new)(), api.EVP_MD_CTX_free)? };
        Ok(Self {
            api,
            what,
            context,
            key: None,
        })
    }
}

impl Operation for Signer {
    fn set_key(&mut self, key: &[u8]) -> Result<(), Failure> {
        let make = if self.what == Do::Sign {
            self.api.EVP_PKEY_new_raw_private_key_ex
        } else {
            self.api.EVP_PKEY_new_raw_public_key_ex
        };
        // SAFETY: the key has the length that is passed, and the function copies it. The
        // object's owner frees it.
        let made = unsafe {
            make(
                ptr::null_mut(),
                c"ED25519".as_ptr(),
                ptr::null(),
                key.as_ptr(),
                key.len(),
            )
        };
        if made.is_null() {
            return Err(self.api.failure("EVP_PKEY_new_raw_key_ex"));
        }
        self.key = Some(Context::new(made, self.api.EVP_PKEY_free)?);
        Ok(())
    }

    #[inline]
    fn process(&mut self, message: &Message<'_>, output: &mut [u8]) -> Result<usize, Failure> {
        let (api, context) = (&self.api, self.context.object);
        let key = self.key.as_ref().map_or(ptr::null_mut(), |key| key.object);
        let input = message.input;
        // Each message initialises the context again, as EVP_DigestSign(3) requires.
        // SAFETY: the context and the key are live, and each length is the length of its slice.
        unsafe {
            if self.what == Do::Sign {
                let code = (api.EVP_DigestSignInit_ex)(
                    context,
                    ptr::null_mut(),
                    ptr::null(),
                    ptr::null_mut(),
                    ptr::null(),
                    key,
                    ptr::null(),
                );
                api.ok("EVP_DigestSignInit_ex", code)?;
                let mut length = SIGNATURE;
                let code = (api.EVP_DigestSign)(
                    context,
                    output[..SIGNATURE].as_mut_ptr(),
                    &mut length,
                    input.as_ptr(),
                    input.len(),
                );
                api.ok("EVP_DigestSign", code)?;
                return Ok(length);
            }
            let code = (api.EVP_DigestVerifyInit_ex)(
                context,
                ptr::null_mut(),
                ptr::null(),
                ptr::null_mut(),
                ptr::null(),
                key,
                ptr::null(),
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
