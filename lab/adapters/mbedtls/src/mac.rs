//! Message authentication codes: HMAC, CMAC, Poly1305.
#![allow(unsafe_code)]

use std::ffi::c_int;

use touchstone_worker::{Failure, MACS, Memory, Message, Plan, Work, Written};

use crate::cipher::{self, BLOCK};
use crate::digest;
use crate::ffi::{Api, Context, Known, Mbed, ok};

/// The functions of CMAC, which a build may lack.
#[derive(Clone, Copy)]
struct CmacCalls {
    starts: unsafe extern "C" fn(Context, *const u8, usize) -> c_int,
    update: unsafe extern "C" fn(Context, *const u8, usize) -> c_int,
    finish: unsafe extern "C" fn(Context, *mut u8) -> c_int,
    reset: unsafe extern "C" fn(Context) -> c_int,
}

#[derive(Clone, Copy)]
enum Form {
    Hmac(Known),
    /// CMAC: its functions, the cipher, and the key's length in bytes.
    Cmac(CmacCalls, Known, usize),
    Poly1305,
}

/// Returns the algorithm of the MAC, and the length of its tag in bytes.
fn find(mbed: &Mbed, primitive: &str, operation: &str) -> Option<(Form, usize)> {
    match (primitive, operation) {
        ("poly1305", "mac") => Some((Form::Poly1305, 16)),
        (_, "mac") => {
            let (known, size) = digest::find(mbed, primitive.strip_prefix("hmac-")?)?;
            Some((Form::Hmac(known), size))
        }
        // `mbedtls_cipher_cmac_starts` refuses the other ciphers.
        ("aes-128" | "aes-192" | "aes-256" | "des-ede3", "cmac") => {
            let api = &mbed.api;
            let calls = CmacCalls {
                starts: api.mbedtls_cipher_cmac_starts?,
                update: api.mbedtls_cipher_cmac_update?,
                finish: api.mbedtls_cipher_cmac_finish?,
                reset: api.mbedtls_cipher_cmac_reset?,
            };
            let block = BLOCK.iter().find(|block| block.id == primitive)?;
            let known = mbed.cipher(&format!("{}-ECB", block.stem))?;
            Some((Form::Cmac(calls, known, block.keys[0]), block.size))
        }
        _ => None,
    }
}

#[derive(Clone, Copy)]
pub(crate) struct Mac {
    api: Api,
    form: Form,
    tag: usize,
}

/// Either a context and whether its key was set, or Poly1305's key, which is an argument of the
/// call for each message.
pub(crate) enum Object {
    Context(Memory, bool),
    Key([u8; 32]),
}

impl Plan for Mac {
    type Library = Mbed;
    type Object = Object;
    const OPERATIONS: &'static [&'static str] = MACS;

    fn find(mbed: &Mbed, primitive: &str, operation: &str) -> Option<Self> {
        let (api, (form, tag)) = (mbed.api, find(mbed, primitive, operation)?);
        Some(Self { api, form, tag })
    }

    fn api(&self, _: &str, _: &str) -> String {
        match self.form {
            Form::Hmac(_) => "mbedtls_md_hmac_reset, hmac_update, hmac_finish",
            Form::Cmac(..) => "mbedtls_cipher_cmac_reset, cmac_update, cmac_finish",
            Form::Poly1305 => "mbedtls_poly1305_mac",
        }
        .into()
    }

    fn note(&self, _: &str, _: &str) -> &'static str {
        match self.form {
            Form::Poly1305 => "the key goes in with every message",
            _ => "",
        }
    }

    fn fit(mut self, work: &Work) -> Result<Self, Failure> {
        let shape = work.shape(self.tag);
        self.tag = match self.form {
            Form::Hmac(_) => shape.fit(work, 0..),
            Form::Cmac(.., key) => shape.fit(work, key),
            Form::Poly1305 => shape.fit(work, 32),
        }?;
        Ok(self)
    }

    fn make(&self) -> Result<Object, Failure> {
        Ok(match self.form {
            Form::Hmac(known) => Object::Context(digest::context(&self.api, known, 1)?, false),
            Form::Cmac(_, known, _) => Object::Context(cipher::context(&self.api, known)?, false),
            Form::Poly1305 => Object::Key([0; 32]),
        })
    }

    fn set_key(&self, object: &mut Object, key: &[u8]) -> Result<(), Failure> {
        match (self.form, object) {
            (Form::Cmac(calls, known, _), Object::Context(context, keyed)) => {
                // A second start with the same context would leak the memory of the first
                // start.
                if *keyed {
                    *context = cipher::context(&self.api, known)?;
                }
                *keyed = true;
                // SAFETY: the context is set up.
                let code = unsafe { (calls.starts)(context.at(0), key.as_ptr(), 8 * key.len()) };
                ok("mbedtls_cipher_cmac_starts", code)
            }
            (_, Object::Context(context, _)) => {
                let starts = self.api.mbedtls_md_hmac_starts;
                // SAFETY: the context is set up for HMAC.
                let code = unsafe { starts(context.at(0), key.as_ptr(), key.len()) };
                ok("mbedtls_md_hmac_starts", code)
            }
            (_, Object::Key(kept)) => {
                kept.copy_from_slice(key);
                Ok(())
            }
        }
    }

    #[inline(always)]
    fn process(&self, object: &mut Object, message: &Message<'_>, output: &mut [u8]) -> Written {
        let (api, to) = (&self.api, output.as_mut_ptr());
        let (from, given) = (message.input.as_ptr(), message.input.len());
        // SAFETY: the context has a key, or the key has 32 bytes. The worker's output has at
        // least 256 bytes.
        unsafe {
            match (&self.form, object) {
                (Form::Cmac(calls, ..), Object::Context(context, _)) => {
                    let context = context.at(0);
                    ok("mbedtls_cipher_cmac_reset", (calls.reset)(context))?;
                    let code = (calls.update)(context, from, given);
                    ok("mbedtls_cipher_cmac_update", code)?;
                    ok("mbedtls_cipher_cmac_finish", (calls.finish)(context, to))?;
                }
                (_, Object::Context(context, _)) => {
                    let context = context.at(0);
                    let code = (api.mbedtls_md_hmac_reset)(context);
                    ok("mbedtls_md_hmac_reset", code)?;
                    let code = (api.mbedtls_md_hmac_update)(context, from, given);
                    ok("mbedtls_md_hmac_update", code)?;
                    let code = (api.mbedtls_md_hmac_finish)(context, to);
                    ok("mbedtls_md_hmac_finish", code)?;
                }
                (_, Object::Key(key)) => {
                    let code = (api.mbedtls_poly1305_mac)(key.as_ptr(), from, given, to);
                    ok("mbedtls_poly1305_mac", code)?;
                }
            }
        }
        Ok(self.tag)
    }
}
