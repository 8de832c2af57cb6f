//! Hashes and extendable-output functions: `EVP_DigestInit_ex`, `Update`, `Final`.
#![allow(unsafe_code)]

use std::ptr;

use aws_lc_sys::*;
use touchstone_worker::{Cell, Failure, Message, Offer, Operation, Work, offer};

use crate::{Owned, ok};

pub(crate) type Get = unsafe extern "C" fn() -> *const EVP_MD;

/// Primitive, and the function that returns the hash.
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
    Some(Md(unsafe { get() }))
}

/// Returns a hash that the library's HMAC supports, which has its own list, without MD4,
/// RIPEMD-160 and BLAKE2. Algorithms built on HMAC have the same limit.
pub(crate) fn in_hmac(primitive: &str) -> Option<Md> {
    if matches!(primitive, "md4" | "ripemd-160" | "blake2b-256") {
        return None;
    }
    hash(primitive)
}

/// A hash's static object.
#[derive(Clone, Copy)]
pub(crate) struct Md(pub(crate) *const EVP_MD);
// SAFETY: a static object that nobody changes.
unsafe impl Send for Md {}
// SAFETY: the same.
unsafe impl Sync for Md {}

pub(crate) fn offers() -> Vec<Offer> {
    let hashes = HASHES
        .iter()
        .map(|(id, _)| offer(id, "hash", "EVP_DigestInit_ex, Update, Final_ex"));
    let xofs = XOFS
        .iter()
        .map(|(id, _)| offer(id, "xof", "EVP_DigestInit_ex, Update, FinalXOF"));
    hashes.chain(xofs).collect()
}

pub(crate) fn cell(work: &Work) -> Option<Result<Cell, Failure>> {
    let (table, length) = match work.operation.as_str() {
        "hash" => (HASHES, None),
        "xof" => (XOFS, Some(work.length.unwrap_or(32))),
        _ => return None,
    };
    let (_, get) = table.iter().find(|(id, _)| *id == work.primitive)?;
    // SAFETY: the function takes no arguments and returns a static object.
    let md = Md(unsafe { get() });
    Some(Ok(Cell::new(move || {
        // Captures the whole struct, because only the struct is marked `Send` and `Sync`.
        let md = md;
        // SAFETY: the function takes no arguments.
        let context = Owned::new(unsafe { EVP_MD_CTX_new() }, EVP_MD_CTX_free)?;
        Ok(Hash {
            md,
            context,
            length,
        })
    })))
}

struct Hash {
    md: Md,
    context: Owned<EVP_MD_CTX>,
    length: Option<usize>,
}

impl Operation for Hash {
    #[inline]
    fn process(&mut self, message: &Message<'_>, output: &mut [u8]) -> Result<usize, Failure> {
        let ctx = self.context.object;
        // SAFETY: lengths are those of the slices; the output holds the longest
        // digest, or the length asked for.
        unsafe {
            ok(
                "EVP_DigestInit_ex",
                EVP_DigestInit_ex(ctx, self.md.0, ptr::null_mut()),
            )?;
            ok(
                "EVP_DigestUpdate",
                EVP_DigestUpdate(ctx, message.input.as_ptr().cast(), message.input.len()),
            )?;
            if let Some(length) = self.length {
                ok(
                    "EVP_DigestFinalXOF",
                    EVP_DigestFinalXOF(ctx, output.as_mut_ptr(), length),
                )?;
                return Ok(length);
            }
            let mut written = 0;
            ok(
                "EVP_DigestFinal_ex",
                EVP_DigestFinal_ex(ctx, output.as_mut_ptr(), &mut written),
            )?;
            Ok(written as usize)
        }
    }
}
