//! Hashes and extendable-output functions: `EVP_DigestInit_ex2`, then `EVP_DigestUpdate`, then
//! `EVP_DigestFinal_ex` or `EVP_DigestFinalXOF`.
#![allow(unsafe_code)]

use std::ptr;

use touchstone_worker::{
    Cell, Contract, Failure, Message, Offer, Plan, Text, Work, Written, offer,
};

use crate::ffi::{Api, Context, Fetched, OpenSsl};

/// Rows: the primitive, and its EVP name.
pub(crate) const HASHES: &[(&str, &str)] = &[
    ("md2", "MD2"),
    ("md4", "MD4"),
    ("md5", "MD5"),
    ("sha-1", "SHA1"),
    ("sha-224", "SHA2-224"),
    ("sha-256", "SHA2-256"),
    ("sha-384", "SHA2-384"),
    ("sha-512", "SHA2-512"),
    ("sha-512-224", "SHA2-512/224"),
    ("sha-512-256", "SHA2-512/256"),
    ("sha3-224", "SHA3-224"),
    ("sha3-256", "SHA3-256"),
    ("sha3-384", "SHA3-384"),
    ("sha3-512", "SHA3-512"),
    ("ripemd-160", "RIPEMD-160"),
    ("whirlpool", "WHIRLPOOL"),
    ("sm3", "SM3"),
    ("blake2b", "BLAKE2B-512"),
    ("blake2s", "BLAKE2S-256"),
];

const XOFS: &[(&str, &str)] = &[("shake128", "SHAKE-128"), ("shake256", "SHAKE-256")];

fn find(primitive: &str, operation: &str) -> Option<&'static str> {
    let table = match operation {
        "hash" => HASHES,
        "xof" => XOFS,
        _ => return None,
    };
    table
        .iter()
        .find(|(id, _)| *id == primitive)
        .map(|(_, name)| *name)
}

/// Makes a cell for the contract `implicit`, in which `EVP_Digest` fetches the digest in each
/// call.
pub(crate) fn implicit(ssl: &OpenSsl, work: &Work) -> Option<Result<Cell, Failure>> {
    let name = find(&work.primitive, &work.operation).filter(|_| work.operation == "hash")?;
    let digest = ssl.unfetched_digest(name)?;
    let api = ssl.api;
    let run = move |(): &mut (), message: &Message<'_>, text: Text<'_>| {
        let (input, output) = (message.input, text.apart()?.1);
        let (at, length, to, none) = (
            input.as_ptr(),
            input.len(),
            output.as_mut_ptr(),
            ptr::null_mut(),
        );
        let mut written = 0;
        // SAFETY: the input has the length that is passed, and the output has 256 bytes, which
        // is more than any digest.
        let code = unsafe { (api.EVP_Digest)(at, length, to, &mut written, digest.get(), none) };
        api.ok("EVP_Digest", code)?;
        Ok(written as usize)
    };
    Some(Ok(Cell::run(|| Ok(()), run)))
}

#[derive(Clone, Copy)]
pub(crate) struct Digest {
    api: Api,
    digest: Fetched,
    size: usize,
    xof: bool,
    /// Whether `EVP_Digest` can fetch the digest in each call. There is no such call for an
    /// extendable-output function.
    implicit: bool,
}

impl Plan for Digest {
    type Library = OpenSsl;
    type Object = Context;
    const OPERATIONS: &'static [&'static str] = touchstone_worker::HASHES;

    fn find(ssl: &OpenSsl, primitive: &str, operation: &str) -> Option<Self> {
        let (api, name, xof) = (ssl.api, find(primitive, operation)?, operation == "xof");
        let digest = ssl.fetch(api.EVP_MD_fetch, name)?;
        // SAFETY: the digest was fetched.
        let size = unsafe { (api.EVP_MD_get_size)(digest.get()) }.max(0) as usize;
        let implicit = !xof && ssl.unfetched_digest(name).is_some();
        Some(Self {
            api,
            digest,
            size,
            xof,
            implicit,
        })
    }

    fn api(&self, _: &str, _: &str) -> String {
        let end = if self.xof { "FinalXOF" } else { "Final_ex" };
        format!("EVP_DigestInit_ex2, Update, {end}")
    }

    fn offer(&self, primitive: &str, operation: &str) -> Offer {
        offer(primitive, operation, &self.api(primitive, operation))
            .taking(Contract::Implicit, self.implicit)
    }

    fn fit(mut self, work: &Work) -> Result<Self, Failure> {
        if self.xof {
            self.size = work.length.unwrap_or(32);
        }
        Ok(self)
    }

    fn make(&self) -> Result<Context, Failure> {
        let api = &self.api;
        // SAFETY: the context is new, and its owner frees it.
        unsafe { Context::new((api.EVP_MD_CTX_new)(), api.EVP_MD_CTX_free) }
    }

    #[inline(always)]
    fn process(&self, context: &mut Context, message: &Message<'_>, output: &mut [u8]) -> Written {
        let (api, ctx, to) = (&self.api, context.object, output.as_mut_ptr());
        // SAFETY: the context is live. Input and output have the lengths that are passed. The
        // worker's output has at least 256 bytes or the requested length.
        unsafe {
            api.ok(
                "EVP_DigestInit_ex2",
                (api.EVP_DigestInit_ex2)(ctx, self.digest.get(), ptr::null()),
            )?;
            api.ok(
                "EVP_DigestUpdate",
                (api.EVP_DigestUpdate)(ctx, message.input.as_ptr(), message.input.len()),
            )?;
            if self.xof {
                let code = (api.EVP_DigestFinalXOF)(ctx, to, self.size);
                api.ok("EVP_DigestFinalXOF", code)?;
            } else {
                let code = (api.EVP_DigestFinal_ex)(ctx, to, ptr::null_mut());
                api.ok("EVP_DigestFinal_ex", code)?;
            }
        }
        Ok(self.size)
    }
}
