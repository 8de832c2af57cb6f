//! Message authentication codes by AWS-LC's `HMAC_…` and `CMAC_…` functions.
#![allow(unsafe_code)]

use std::ptr;

use aws_lc_sys::*;
use touchstone_worker::{Failure, Message, Owned, Plan, Work, Written};

use crate::digest::{self, Md};
use crate::{AwsLc, ok};

type Get = unsafe extern "C" fn() -> *const EVP_CIPHER;

const CMACS: &[(&str, usize, Get)] = &[
    ("aes-128", 16, EVP_aes_128_cbc),
    ("aes-192", 24, EVP_aes_192_cbc),
    ("aes-256", 32, EVP_aes_256_cbc),
    ("des-ede3", 24, EVP_des_ede3_cbc),
];

/// Returns the requested length of the tag in bytes, which must not exceed the number of
/// bytes that were written.
fn cut(tag: Option<usize>, written: usize) -> Result<usize, Failure> {
    match tag {
        Some(tag) if tag > written => Err(Failure::length("a tag", tag)),
        Some(tag) => Ok(tag),
        None => Ok(written),
    }
}

#[derive(Clone, Copy)]
pub(crate) struct Hmac {
    md: Md,
    tag: Option<usize>,
}

impl Plan for Hmac {
    type Library = AwsLc;
    type Object = Owned<HMAC_CTX>;
    const OPERATIONS: &'static [&'static str] = &["mac"];

    fn find(_: &AwsLc, primitive: &str, _: &str) -> Option<Self> {
        let md = digest::in_hmac(primitive.strip_prefix("hmac-")?)?;
        Some(Self { md, tag: None })
    }

    fn api(&self, _: &str, _: &str) -> String {
        "HMAC_Init_ex, Update, Final".into()
    }

    fn fit(mut self, work: &Work) -> Result<Self, Failure> {
        self.tag = work.tag;
        Ok(self)
    }

    fn make(&self) -> Result<Self::Object, Failure> {
        // SAFETY: the function takes no arguments.
        unsafe { Owned::new(HMAC_CTX_new(), HMAC_CTX_free) }
    }

    fn set_key(&self, context: &mut Self::Object, key: &[u8]) -> Result<(), Failure> {
        // For HMAC_Init_ex, a NULL key means "keep the old key". So an empty key needs a
        // pointer that is not NULL.
        let start = if key.is_empty() {
            [0_u8].as_ptr()
        } else {
            key.as_ptr()
        };
        let (ctx, start, md) = (context.object, start.cast(), self.md.0);
        // SAFETY: the key has the length that is passed.
        let code = unsafe { HMAC_Init_ex(ctx, start, key.len(), md, ptr::null_mut()) };
        ok("HMAC_Init_ex with a key", code)
    }

    #[inline(always)]
    fn process(
        &self,
        context: &mut Self::Object,
        message: &Message<'_>,
        output: &mut [u8],
    ) -> Written {
        let (ctx, to, mut written) = (context.object, output.as_mut_ptr(), 0);
        // SAFETY: each length is the length of its slice, and the output has room for any tag.
        unsafe {
            let code = HMAC_Init_ex(ctx, ptr::null(), 0, ptr::null(), ptr::null_mut());
            ok("HMAC_Init_ex", code)?;
            let code = HMAC_Update(ctx, message.input.as_ptr(), message.input.len());
            ok("HMAC_Update", code)?;
            ok("HMAC_Final", HMAC_Final(ctx, to, &mut written))?;
        }
        cut(self.tag, written as usize)
    }
}

#[derive(Clone, Copy)]
pub(crate) struct Cmac {
    cipher: Get,
    key: usize,
    tag: Option<usize>,
}

impl Plan for Cmac {
    type Library = AwsLc;
    type Object = Owned<CMAC_CTX>;
    const OPERATIONS: &'static [&'static str] = &["cmac"];

    fn find(_: &AwsLc, primitive: &str, _: &str) -> Option<Self> {
        let (_, key, cipher) = *CMACS.iter().find(|(id, ..)| *id == primitive)?;
        let tag = None;
        Some(Self { cipher, key, tag })
    }

    fn api(&self, _: &str, _: &str) -> String {
        "CMAC_Reset, Update, Final".into()
    }

    fn fit(mut self, work: &Work) -> Result<Self, Failure> {
        work.need_key(self.key)?;
        self.tag = work.tag;
        Ok(self)
    }

    fn make(&self) -> Result<Self::Object, Failure> {
        // SAFETY: the function takes no arguments.
        unsafe { Owned::new(CMAC_CTX_new(), CMAC_CTX_free) }
    }

    fn set_key(&self, context: &mut Self::Object, key: &[u8]) -> Result<(), Failure> {
        let (ctx, start) = (context.object, key.as_ptr().cast());
        // SAFETY: the key's length was checked against the cipher's.
        let code = unsafe { CMAC_Init(ctx, start, key.len(), (self.cipher)(), ptr::null_mut()) };
        ok("CMAC_Init", code)
    }

    #[inline(always)]
    fn process(
        &self,
        context: &mut Self::Object,
        message: &Message<'_>,
        output: &mut [u8],
    ) -> Written {
        let (ctx, to, mut written) = (context.object, output.as_mut_ptr(), 0);
        // SAFETY: the context has a key, and each length is the length of its slice.
        unsafe {
            ok("CMAC_Reset", CMAC_Reset(ctx))?;
            let code = CMAC_Update(ctx, message.input.as_ptr(), message.input.len());
            ok("CMAC_Update", code)?;
            ok("CMAC_Final", CMAC_Final(ctx, to, &mut written))?;
        }
        cut(self.tag, written)
    }
}
