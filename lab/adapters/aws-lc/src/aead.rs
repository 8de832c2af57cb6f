//! Authenticated encryption by `EVP_AEAD_CTX_seal` and `EVP_AEAD_CTX_open`: one call for each
//! message.
#![allow(unsafe_code)]

use std::mem::MaybeUninit;
use std::ptr;

use aws_lc_sys::*;
use touchstone_worker::{Direction, Failure, Message, Plan, Text, Work, Written};

use crate::{AwsLc, Static, ok};

type Get = unsafe extern "C" fn() -> *const EVP_AEAD;

const ROWS: &[(&str, &str, Get)] = &[
    ("aes-128", "gcm", EVP_aead_aes_128_gcm),
    ("aes-192", "gcm", EVP_aead_aes_192_gcm),
    ("aes-256", "gcm", EVP_aead_aes_256_gcm),
    ("aes-128", "gcm-siv", EVP_aead_aes_128_gcm_siv),
    ("aes-256", "gcm-siv", EVP_aead_aes_256_gcm_siv),
    ("chacha20-poly1305", "aead", EVP_aead_chacha20_poly1305),
    ("xchacha20-poly1305", "aead", EVP_aead_xchacha20_poly1305),
];

#[derive(Clone, Copy)]
pub(crate) struct Aead {
    aead: Static<EVP_AEAD>,
    way: Direction,
    tag: usize,
}

/// An AEAD context of AWS-LC, and whether the context has a key. The context is on the heap,
/// so that its address stays the same when this object moves.
pub(crate) struct Context {
    context: Box<MaybeUninit<EVP_AEAD_CTX>>,
    keyed: bool,
}

impl Context {
    fn forget_key(&mut self) {
        if std::mem::take(&mut self.keyed) {
            // SAFETY: initialised by a successful EVP_AEAD_CTX_init.
            unsafe { EVP_AEAD_CTX_cleanup(self.context.as_mut_ptr()) }
        }
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        self.forget_key();
    }
}

impl Plan for Aead {
    type Library = AwsLc;
    type Object = Context;
    const OPERATIONS: &'static [&'static str] = touchstone_worker::AEADS;
    const IN_PLACE: bool = true;

    fn find(_: &AwsLc, primitive: &str, operation: &str) -> Option<Self> {
        let (mode, way) = Direction::split(operation)?;
        let row = |row: &&(&str, &str, Get)| (row.0, row.1) == (primitive, mode);
        let (.., get) = ROWS.iter().find(row)?;
        // SAFETY: the function takes no arguments and returns a static object.
        let aead = Static(unsafe { get() });
        Some(Self { aead, way, tag: 0 })
    }

    fn api(&self, _: &str, _: &str) -> String {
        self.way
            .choose("EVP_AEAD_CTX_seal", "EVP_AEAD_CTX_open")
            .into()
    }

    fn fit(mut self, work: &Work) -> Result<Self, Failure> {
        // SAFETY: `self.aead` is a static object of the library.
        let (key, nonce, most) = unsafe {
            (
                EVP_AEAD_key_length(self.aead.0),
                EVP_AEAD_nonce_length(self.aead.0),
                EVP_AEAD_max_tag_len(self.aead.0),
            )
        };
        let shape = work.shape(16);
        self.tag = match work.mode() {
            // AES-GCM accepts a nonce of any length except 0.
            Some(("gcm", _)) => shape.tag(1..=most),
            _ => shape.nonce(nonce).tag(most),
        }
        .fit(work, key)?;
        Ok(self)
    }

    fn make(&self) -> Result<Context, Failure> {
        let context = Box::new(MaybeUninit::zeroed());
        Ok(Context {
            context,
            keyed: false,
        })
    }

    fn set_key(&self, object: &mut Context, key: &[u8]) -> Result<(), Failure> {
        object.forget_key();
        let (context, aead) = (object.context.as_mut_ptr(), self.aead.0);
        let (start, bytes, engine) = (key.as_ptr(), key.len(), ptr::null_mut());
        // SAFETY: the context is zeroed or cleaned up, and the length of the key was checked.
        let code = unsafe { EVP_AEAD_CTX_init(context, aead, start, bytes, self.tag, engine) };
        ok("EVP_AEAD_CTX_init", code)?;
        object.keyed = true;
        Ok(())
    }

    #[inline(always)]
    fn transform(
        &self,
        object: &mut Context,
        message: &Message<'_>,
        mut text: Text<'_>,
    ) -> Written {
        let (length, (from, to)) = (text.length(), text.pointers());
        if !object.keyed {
            return Err(Failure::failed("no key was set"));
        }
        let call = match self.way {
            Direction::Encrypt => EVP_AEAD_CTX_seal,
            Direction::Decrypt => EVP_AEAD_CTX_open,
        };
        let mut written = 0;
        // SAFETY: the context has a key, and each length is the length of its slice.
        let code = unsafe {
            call(
                object.context.as_ptr(),
                to,
                &mut written,
                text.output().len(),
                message.nonce.as_ptr(),
                message.nonce.len(),
                from,
                length,
                message.aad.as_ptr(),
                message.aad.len(),
            )
        };
        if code != 1 && !self.way.is_encrypt() {
            // SAFETY: the function takes no arguments.
            unsafe { ERR_clear_error() };
            return Err(Failure::Rejected);
        }
        ok("EVP_AEAD_CTX_seal", code)?;
        Ok(written)
    }
}
