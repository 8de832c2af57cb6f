//! Hashes and extendable-output functions by `EVP_DigestInit_ex`, `EVP_DigestUpdate` and
//! `EVP_DigestFinal_ex`.
#![allow(unsafe_code)]

use std::ptr;

use aws_lc_sys::*;
use touchstone_worker::{Failure, Message, Owned, Plan, Work, Written};

use crate::{AwsLc, Static, ok};

pub(crate) type Get = unsafe extern "C" fn() -> *const EVP_MD;

/// Rows: the primitive, and the function that returns the hash's static object.
pub(crate) const HASHES: &[(&str, Get)] = &[
    ("md4", EVP_md4),
    ("md5", EVP_md5),
    ("sha-1", EVP_sha1),
    ("sha-224", EVP_sha224),
    ("sha-256", EVP_sha256),
    ("sha-384", EVP_sha384),
    ("sha-512", EVP_sha512),
    ("sha-512-224", EVP_sha512_224),
    ("sha-512-256", EVP_sha512_256),
    ("sha3-224", EVP_sha3_224),
    ("sha3-256", EVP_sha3_256),
    ("sha3-384", EVP_sha3_384),
    ("sha3-512", EVP_sha3_512),
    ("ripemd-160", EVP_ripemd160),
    ("blake2b-256", EVP_blake2b256),
];

const XOFS: &[(&str, Get)] = &[("shake128", EVP_shake128), ("shake256", EVP_shake256)];

/// Returns a hash, for HMAC and key derivation.
pub(crate) fn hash(primitive: &str) -> Option<Md> {
    let (_, get) = HASHES.iter().find(|(id, _)| *id == primitive)?;
    // SAFETY: the function takes no arguments and returns a static object.
    Some(Static(unsafe { get() }))
}

/// Returns a hash that AWS-LC's HMAC accepts. HMAC has its own list of hashes, without MD4,
/// RIPEMD-160 and BLAKE2. Algorithms that use HMAC have the same limit.
pub(crate) fn in_hmac(primitive: &str) -> Option<Md> {
    if matches!(primitive, "md4" | "ripemd-160" | "blake2b-256") {
        return None;
    }
    hash(primitive)
}

/// The static object of a hash function.
pub(crate) type Md = Static<EVP_MD>;

#[derive(Clone, Copy)]
pub(crate) struct Digest {
    md: Md,
    /// The output's length in bytes, for an extendable-output function.
    length: Option<usize>,
}

impl Plan for Digest {
    type Library = AwsLc;
    type Object = Owned<EVP_MD_CTX>;
    const OPERATIONS: &'static [&'static str] = touchstone_worker::HASHES;

    fn find(_: &AwsLc, primitive: &str, operation: &str) -> Option<Self> {
        let xof = operation == "xof";
        let table = if xof { XOFS } else { HASHES };
        let (_, get) = table.iter().find(|(id, _)| *id == primitive)?;
        // SAFETY: the function takes no arguments and returns a static object.
        let md = Static(unsafe { get() });
        let length = xof.then_some(32);
        Some(Self { md, length })
    }

    fn api(&self, _: &str, _: &str) -> String {
        let end = self.length.map_or("Final_ex", |_| "FinalXOF");
        format!("EVP_DigestInit_ex, Update, {end}")
    }

    fn fit(mut self, work: &Work) -> Result<Self, Failure> {
        self.length = self.length.map(|usual| work.length.unwrap_or(usual));
        Ok(self)
    }

    fn make(&self) -> Result<Self::Object, Failure> {
        // SAFETY: the function takes no arguments.
        unsafe { Owned::new(EVP_MD_CTX_new(), EVP_MD_CTX_free) }
    }

    #[inline(always)]
    fn process(
        &self,
        context: &mut Self::Object,
        message: &Message<'_>,
        output: &mut [u8],
    ) -> Written {
        let (ctx, to) = (context.object, output.as_mut_ptr());
        let (from, given) = (message.input.as_ptr().cast(), message.input.len());
        // SAFETY: each length is the length of its slice. The output has room for the longest
        // digest, or for the requested length.
        unsafe {
            let code = EVP_DigestInit_ex(ctx, self.md.0, ptr::null_mut());
            ok("EVP_DigestInit_ex", code)?;
            ok("EVP_DigestUpdate", EVP_DigestUpdate(ctx, from, given))?;
            if let Some(length) = self.length {
                ok("EVP_DigestFinalXOF", EVP_DigestFinalXOF(ctx, to, length))?;
                return Ok(length);
            }
            let mut written = 0;
            ok(
                "EVP_DigestFinal_ex",
                EVP_DigestFinal_ex(ctx, to, &mut written),
            )?;
            Ok(written as usize)
        }
    }
}
