//! Message authentication: HMAC, CMAC, Poly1305.
#![allow(unsafe_code)]

use std::ffi::c_int;

use touchstone_worker::{Cell, Failure, Message, Offer, Operation, Work, offer};

use crate::cipher::{self, BLOCK};
use crate::digest::{self, HASHES};
use crate::ffi::{Api, Context, Held, Known, Mbed, ok};

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
    /// The cipher, and bytes of its key.
    Cmac(CmacCalls, Known, usize),
    Poly1305,
}

/// The algorithm of the MAC, and the bytes of its tag.
fn find(mbed: &Mbed, primitive: &str, operation: &str) -> Option<(Form, usize)> {
    match (primitive, operation) {
        ("poly1305", "mac") => Some((Form::Poly1305, 16)),
        (_, "mac") => {
            let (known, size) = digest::find(mbed, primitive.strip_prefix("hmac-")?)?;
            Some((Form::Hmac(known), size))
        }
        // The others are refused by mbedtls_cipher_cmac_starts.
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

pub(crate) fn offers(mbed: &Mbed) -> Vec<Offer> {
    let hmac = HASHES.iter().map(|(id, _)| (format!("hmac-{id}"), "mac"));
    let cmac = BLOCK.iter().map(|block| (block.id.to_owned(), "cmac"));
    hmac.chain(cmac)
        .chain([("poly1305".to_owned(), "mac")])
        .filter_map(|(id, operation)| {
            let (form, _) = find(mbed, &id, operation)?;
            Some(match form {
                Form::Hmac(_) => offer(
                    &id,
                    operation,
                    "mbedtls_md_hmac_reset, hmac_update, hmac_finish",
                ),
                Form::Cmac(..) => offer(
                    &id,
                    operation,
                    "mbedtls_cipher_cmac_reset, cmac_update, cmac_finish",
                ),
                Form::Poly1305 => {
                    let mut row = offer(&id, operation, "mbedtls_poly1305_mac");
                    row.note = "the key goes in with every message".into();
                    row
                }
            })
        })
        .collect()
}

pub(crate) fn cell(mbed: &Mbed, work: &Work) -> Option<Result<Cell, Failure>> {
    let (form, full) = find(mbed, &work.primitive, &work.operation)?;
    let (key, tag) = (work.key.len(), work.tag.unwrap_or(full));
    let wanted = match form {
        Form::Hmac(_) => key,
        Form::Cmac(.., wanted) => wanted,
        Form::Poly1305 => 32,
    };
    if key != wanted {
        return Some(Err(Failure::length("a key", key)));
    }
    if tag == 0 || tag > full {
        return Some(Err(Failure::length("a tag", tag)));
    }
    if !work.nonce.is_empty() {
        return Some(Err(Failure::unsupported("a nonce")));
    }
    let api = mbed.api;
    Some(Ok(match form {
        Form::Hmac(known) => Cell::new(move || {
            let context = digest::context(&api, known, 1)?;
            Ok(Hmac { api, context, tag })
        }),
        Form::Cmac(calls, known, _) => Cell::new(move || {
            Ok(Cmac {
                api,
                calls,
                known,
                context: cipher::context(&api, known)?,
                keyed: false,
                tag,
            })
        }),
        Form::Poly1305 => Cell::new(move || {
            Ok(Poly1305 {
                api,
                key: [0; 32],
                tag,
            })
        }),
    }))
}

struct Hmac {
    api: Api,
    context: Held,
    tag: usize,
}

impl Operation for Hmac {
    fn set_key(&mut self, key: &[u8]) -> Result<(), Failure> {
        let starts = self.api.mbedtls_md_hmac_starts;
        // SAFETY: the context is set up for HMAC.
        let code = unsafe { starts(self.context.get(), key.as_ptr(), key.len()) };
        ok("mbedtls_md_hmac_starts", code)
    }

    #[inline]
    fn process(&mut self, message: &Message<'_>, output: &mut [u8]) -> Result<usize, Failure> {
        let (api, context) = (&self.api, self.context.get());
        let (from, given) = (message.input.as_ptr(), message.input.len());
        // SAFETY: the context is keyed; the worker's output has at least 256
        // bytes.
        unsafe {
            let code = (api.mbedtls_md_hmac_reset)(context);
            ok("mbedtls_md_hmac_reset", code)?;
            let code = (api.mbedtls_md_hmac_update)(context, from, given);
            ok("mbedtls_md_hmac_update", code)?;
            let code = (api.mbedtls_md_hmac_finish)(context, output.as_mut_ptr());
            ok("mbedtls_md_hmac_finish", code)?;
        }
        Ok(self.tag)
    }
}

struct Cmac {
    api: Api,
    calls: CmacCalls,
    known: Known,
    context: Held,
    keyed: bool,
    tag: usize,
}

impl Operation for Cmac {
    fn set_key(&mut self, key: &[u8]) -> Result<(), Failure> {
        // A second start on the same context would leak the first's state.
        if self.keyed {
            self.context = cipher::context(&self.api, self.known)?;
        }
        self.keyed = true;
        let starts = self.calls.starts;
        // SAFETY: the context is set up.
        let code = unsafe { starts(self.context.get(), key.as_ptr(), 8 * key.len()) };
        ok("mbedtls_cipher_cmac_starts", code)
    }

    #[inline]
    fn process(&mut self, message: &Message<'_>, output: &mut [u8]) -> Result<usize, Failure> {
        let (calls, context) = (&self.calls, self.context.get());
        let (from, given) = (message.input.as_ptr(), message.input.len());
        // SAFETY: the context is keyed; the worker's output has at least 256
        // bytes.
        unsafe {
            ok("mbedtls_cipher_cmac_reset", (calls.reset)(context))?;
            let code = (calls.update)(context, from, given);
            ok("mbedtls_cipher_cmac_update", code)?;
            let code = (calls.finish)(context, output.as_mut_ptr());
            ok("mbedtls_cipher_cmac_finish", code)?;
        }
        Ok(self.tag)
    }
}

struct Poly1305 {
    api: Api,
    /// The key, which is passed with every message.
    key: [u8; 32],
    tag: usize,
}

impl Operation for Poly1305 {
    fn set_key(&mut self, key: &[u8]) -> Result<(), Failure> {
        self.key.copy_from_slice(key);
        Ok(())
    }

    #[inline]
    fn process(&mut self, message: &Message<'_>, output: &mut [u8]) -> Result<usize, Failure> {
        let (from, given) = (message.input.as_ptr(), message.input.len());
        let run = self.api.mbedtls_poly1305_mac;
        // SAFETY: the key has its 32 bytes; the worker's output at least 256.
        let code = unsafe { run(self.key.as_ptr(), from, given, output.as_mut_ptr()) };
        ok("mbedtls_poly1305_mac", code)?;
        Ok(self.tag)
    }
}
