//! Hashes, by the functions that hash a whole message.
#![allow(unsafe_code)]

use std::ptr;

use touchstone_worker::{Failure, Message, Plan, Written};

use crate::ffi::{Api, Sodium, ok};

/// Rows: the primitive, the digest's length in bytes, the function.
const HASHES: &[(&str, usize, Kind)] = &[
    ("sha-256", 32, Kind::Sha256),
    ("sha-512", 64, Kind::Sha512),
    ("blake2b", 64, Kind::Blake2b),
    ("blake2b-384", 48, Kind::Blake2b),
    ("blake2b-256", 32, Kind::Blake2b),
];

#[derive(Clone, Copy)]
pub(crate) struct Digest {
    api: Api,
    kind: Kind,
    length: usize,
}

#[derive(Clone, Copy)]
enum Kind {
    Sha256,
    Sha512,
    Blake2b,
}

impl Plan for Digest {
    type Library = Sodium;
    type Object = ();
    const OPERATIONS: &'static [&'static str] = &["hash"];

    fn find(sodium: &Sodium, primitive: &str, operation: &str) -> Option<Self> {
        let (api, row) = (sodium.api, HASHES.iter().find(|(id, ..)| *id == primitive)?);
        let (_, length, kind) = *row;
        (operation == "hash").then_some(Self { api, kind, length })
    }

    fn api(&self, _: &str, _: &str) -> String {
        match self.kind {
            Kind::Sha256 => "crypto_hash_sha256",
            Kind::Sha512 => "crypto_hash_sha512",
            Kind::Blake2b => "crypto_generichash_blake2b",
        }
        .into()
    }

    fn make(&self) -> Result<(), Failure> {
        Ok(())
    }

    #[inline(always)]
    fn process(&self, (): &mut (), message: &Message<'_>, output: &mut [u8]) -> Written {
        let (to, from) = (output.as_mut_ptr(), message.input.as_ptr());
        let given = message.input.len() as u64;
        // SAFETY: the worker's output has at least 256 bytes. NULL and 0 mean BLAKE2b without a
        // key.
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
