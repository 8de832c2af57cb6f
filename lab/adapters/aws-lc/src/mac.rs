//! Message authentication: HMAC and CMAC by their own functions.
#![allow(unsafe_code)]

use std::ptr;

use aws_lc_sys::*;
use touchstone_worker::{Cell, Failure, Message, Offer, Operation, Work, offer};

use crate::digest::{self, HASHES, Md};
use crate::{Owned, ok};

type Get = unsafe extern "C" fn() -> *const EVP_CIPHER;

const CMACS: &[(&str, usize, Get)] = &[
    ("aes-128", 16, EVP_aes_128_cbc),
    ("aes-192", 24, EVP_aes_192_cbc),
    ("aes-256", 32, EVP_aes_256_cbc),
    ("des-ede3", 24, EVP_des_ede3_cbc),
];

fn hmac(primitive: &str) -> Option<Md> {
    digest::in_hmac(primitive.strip_prefix("hmac-")?)
}

pub(crate) fn offers() -> Vec<Offer> {
    let hmacs = HASHES
        .iter()
        .map(|(id, _)| format!("hmac-{id}"))
        .filter(|id| hmac(id).is_some())
        .map(|id| offer(&id, "mac", "HMAC_Init_ex, Update, Final"));
    let cmacs = CMACS
        .iter()
        .map(|(id, ..)| offer(id, "cmac", "CMAC_Reset, Update, Final"));
    hmacs.chain(cmacs).collect()
}

pub(crate) fn cell(work: &Work) -> Option<Result<Cell, Failure>> {
    let tag = work.tag;
    match work.operation.as_str() {
        "mac" => {
            let md = hmac(&work.primitive)?;
            Some(Ok(Cell::new(move || {
                let md = md;
                // SAFETY: the function takes no arguments.
                let context = Owned::new(unsafe { HMAC_CTX_new() }, HMAC_CTX_free)?;
                Ok(Hmac { md, context, tag })
            })))
        }
        "cmac" => {
            let (_, key, get) = CMACS.iter().find(|(id, ..)| *id == work.primitive)?;
            if let Err(refusal) = work.need_key(*key) {
                return Some(Err(refusal));
            }
            Some(Ok(Cell::new(move || {
                // SAFETY: the function takes no arguments.
                let context = Owned::new(unsafe { CMAC_CTX_new() }, CMAC_CTX_free)?;
                Ok(Cmac {
                    cipher: *get,
                    context,
                    tag,
                })
            })))
        }
        _ => None,
    }
}

/// The requested length of the tag, which must not exceed the length that was written.
fn cut(tag: Option<usize>, written: usize) -> Result<usize, Failure> {
    match tag {
        Some(tag) if tag > written => Err(Failure::length("a tag", tag)),
        Some(tag) => Ok(tag),
        None => Ok(written),
    }
}

struct Hmac {
    md: Md,
    context: Owned<HMAC_CTX>,
    tag: Option<usize>,
}

impl Operation for Hmac {
    fn set_key(&mut self, key: &[u8]) -> Result<(), Failure> {
        // NULL would mean "keep the old key", so an empty key needs a pointer that is not
        // NULL.
        let pointer = if key.is_empty() {
            [0_u8].as_ptr()
        } else {
            key.as_ptr()
        };
        // SAFETY: the key is as long as stated.
        let code = unsafe {
            HMAC_Init_ex(
                self.context.object,
                pointer.cast(),
                key.len(),
                self.md.0,
                ptr::null_mut(),
            )
        };
        ok("HMAC_Init_ex with a key", code)
    }

    #[inline]
    fn process(&mut self, message: &Message<'_>, output: &mut [u8]) -> Result<usize, Failure> {
        let ctx = self.context.object;
        let mut written = 0;
        // SAFETY: lengths are those of the slices; the output has room for any tag.
        unsafe {
            let code = HMAC_Init_ex(ctx, ptr::null(), 0, ptr::null(), ptr::null_mut());
            ok("HMAC_Init_ex", code)?;
            let code = HMAC_Update(ctx, message.input.as_ptr(), message.input.len());
            ok("HMAC_Update", code)?;
            ok(
                "HMAC_Final",
                HMAC_Final(ctx, output.as_mut_ptr(), &mut written),
            )?;
        }
        cut(self.tag, written as usize)
    }
}

struct Cmac {
    cipher: Get,
    context: Owned<CMAC_CTX>,
    tag: Option<usize>,
}

impl Operation for Cmac {
    fn set_key(&mut self, key: &[u8]) -> Result<(), Failure> {
        // SAFETY: the key's length was checked against the cipher's.
        let code = unsafe {
            CMAC_Init(
                self.context.object,
                key.as_ptr().cast(),
                key.len(),
                (self.cipher)(),
                ptr::null_mut(),
            )
        };
        ok("CMAC_Init", code)
    }

    #[inline]
    fn process(&mut self, message: &Message<'_>, output: &mut [u8]) -> Result<usize, Failure> {
        let ctx = self.context.object;
        let mut written = 0;
        // SAFETY: a keyed context; lengths are those of the slices.
        unsafe {
            ok("CMAC_Reset", CMAC_Reset(ctx))?;
            let code = CMAC_Update(ctx, message.input.as_ptr(), message.input.len());
            ok("CMAC_Update", code)?;
            ok(
                "CMAC_Final",
                CMAC_Final(ctx, output.as_mut_ptr(), &mut written),
            )?;
        }
        cut(self.tag, written)
    }
}
