//! Hashes by `botan_hash_update` and `botan_hash_final`. The second function also resets the
//! object for the next message.
#![allow(unsafe_code)]

use std::ffi::CStr;
use std::sync::Arc;

use touchstone_worker::{Failure, Message, Plan, Work, Written};

use crate::ffi::{Api, Object, name};
use crate::library::Botan;

/// Rows: the primitive, and Botan's name.
pub(crate) const HASHES: &[(&str, &str)] = &[
    ("md4", "MD4"),
    ("md5", "MD5"),
    ("sha-1", "SHA-1"),
    ("sha-224", "SHA-224"),
    ("sha-256", "SHA-256"),
    ("sha-384", "SHA-384"),
    ("sha-512", "SHA-512"),
    ("sha-512-256", "SHA-512-256"),
    ("sha3-224", "SHA-3(224)"),
    ("sha3-256", "SHA-3(256)"),
    ("sha3-384", "SHA-3(384)"),
    ("sha3-512", "SHA-3(512)"),
    ("keccak-224", "Keccak-1600(224)"),
    ("keccak-256", "Keccak-1600(256)"),
    ("keccak-384", "Keccak-1600(384)"),
    ("keccak-512", "Keccak-1600(512)"),
    ("ripemd-160", "RIPEMD-160"),
    ("whirlpool", "Whirlpool"),
    ("tiger", "Tiger(24,3)"),
    ("sm3", "SM3"),
    ("streebog-256", "Streebog-256"),
    ("streebog-512", "Streebog-512"),
    ("gost94-cryptopro", "GOST-34.11"),
    ("blake2b", "BLAKE2b(512)"),
    ("blake2b-160", "BLAKE2b(160)"),
    ("blake2b-256", "BLAKE2b(256)"),
    ("blake2b-384", "BLAKE2b(384)"),
    ("blake2s", "BLAKE2s(256)"),
    ("skein-512", "Skein-512(512)"),
    ("skein-512-256", "Skein-512(256)"),
];

const XOFS: &[(&str, &str)] = &[("shake128", "SHAKE-128"), ("shake256", "SHAKE-256")];

/// Returns Botan's name of a hash, if this libbotan has the hash.
pub(crate) fn hash(botan: &Botan, primitive: &str) -> Option<&'static str> {
    let (_, text) = HASHES.iter().find(|(id, _)| *id == primitive)?;
    botan.api.hash(&name(text)).ok().map(|_| *text)
}

#[derive(Clone)]
pub(crate) struct Digest {
    api: Api,
    name: Arc<CStr>,
    calls: &'static str,
    /// The beginning of the name of an extendable-output function. Botan appends the output's
    /// length to the name.
    xof: Option<&'static str>,
    size: usize,
}

impl Plan for Digest {
    type Library = Botan;
    type Object = Object;
    const OPERATIONS: &'static [&'static str] = touchstone_worker::HASHES;

    fn find(botan: &Botan, primitive: &str, operation: &str) -> Option<Self> {
        let (text, xof) = match operation {
            "hash" => (hash(botan, primitive)?.to_owned(), None),
            _ => {
                let (_, stem) = XOFS.iter().find(|(id, _)| *id == primitive)?;
                (format!("{stem}(256)"), Some(*stem))
            }
        };
        let (api, name) = (botan.api, name(&text));
        api.hash(&name).ok()?;
        let calls = botan.calls("botan_hash_update, final");
        let (name, size) = (name.into(), 0);
        Some(Self {
            api,
            name,
            calls,
            xof,
            size,
        })
    }

    fn api(&self, _: &str, _: &str) -> String {
        self.calls.into()
    }

    fn note(&self, _: &str, _: &str) -> &'static str {
        self.xof
            .map_or("", |_| "the output length is part of the object")
    }

    fn fit(mut self, work: &Work) -> Result<Self, Failure> {
        if let Some(stem) = self.xof {
            let bits = work.length.unwrap_or(32).saturating_mul(8);
            self.name = name(&format!("{stem}({bits})")).into();
        }
        let trial = self.api.hash(&self.name)?;
        // SAFETY: the object is live.
        let code = unsafe { (self.api.botan_hash_output_length)(trial.object, &mut self.size) };
        self.api.ok("botan_hash_output_length", code)?;
        Ok(self)
    }

    fn make(&self) -> Result<Object, Failure> {
        self.api.hash(&self.name)
    }

    #[inline(always)]
    fn process(&self, object: &mut Object, message: &Message<'_>, output: &mut [u8]) -> Written {
        let (api, handle) = (&self.api, object.object);
        if output.len() < self.size {
            return Err(Failure::failed("no room for the digest"));
        }
        // SAFETY: the input has the length that is passed, and the output has room for the size
        // that the object reported.
        unsafe {
            let code = (api.botan_hash_update)(handle, message.input.as_ptr(), message.input.len());
            api.ok("botan_hash_update", code)?;
            let code = (api.botan_hash_final)(handle, output.as_mut_ptr());
            api.ok("botan_hash_final", code)?;
        }
        Ok(self.size)
    }
}
