//! Hashes: the one-shot functions.
#![allow(unsafe_code)]

use std::ptr;

use touchstone_worker::{Cell, Failure, Message, Offer, Operation, Work, offer};

use crate::ffi::{Api, Sodium, ok};

/// Primitive, bytes of digest, function.
const HASHES: &[(&str, usize, &str)] = &[
    ("sha-256", 32, "crypto_hash_sha256"),
    ("sha-512", 64, "crypto_hash_sha512"),
    ("blake2b", 64, "crypto_generichash_blake2b"),
    ("blake2b-384", 48, "crypto_generichash_blake2b"),
    ("blake2b-256", 32, "crypto_generichash_blake2b"),
];

#[derive(Clone, Copy)]
enum Kind {
    Sha256,
    Sha512,
    Blake2b,
}

pub(crate) fn offers(_: &Sodium) -> Vec<Offer> {
    HASHES
        .iter()
        .map(|(id, _, name)| offer(id, "hash", name))
        .collect()
}

pub(crate) fn cell(sodium: &Sodium, work: &Work) -> Option<Result<Cell, Failure>> {
    let (_, length, _) = *HASHES
        .iter()
        .find(|(id, ..)| *id == work.primitive && work.operation == "hash")?;
    let kind = match work.primitive.as_str() {
        "sha-256" => Kind::Sha256,
        "sha-512" => Kind::Sha512,
        _ => Kind::Blake2b,
    };
    let api = sodium.api;
    Some(Ok(Cell::new(move || Ok(Digest { api, kind, length }))))
}

struct Digest {
    api: Api,
    kind: Kind,
    length: usize,
}

impl Operation for Digest {
    #[inline]
    fn process(&mut self, message: &Message<'_>, output: &mut [u8]) -> Result<usize, Failure> {
        let (to, from) = (output.as_mut_ptr(), message.input.as_ptr());
        let given = message.input.len() as u64;
        // SAFETY: the worker's output has at least 256 bytes; NULL and 0 are
        // BLAKE2b without a key.
        let code = unsafe {
            match self.kind {
                Kind::Sha256 => (self.api.crypto_hash_sha256)(to, from, given),
                Kind::Sha512 => (self.api.crypto_hash_sha512)(to, from, given),
                Kind::Blake2b => {
                    let run = self.api.crypto_generichash_blake2b;
                    run(to, self.length, from, given, ptr::null(), 0)
                }
            }
        };
        ok("hash", code)?;
        Ok(self.length)
    }
}
