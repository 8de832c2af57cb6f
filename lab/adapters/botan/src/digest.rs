//! Hashes: `botan_hash_update`, `final`; the object restarts itself.
#![allow(unsafe_code)]

use std::ffi::CString;

use touchstone_worker::{Cell, Failure, Message, Offer, Operation, Work};

use crate::ffi::{Api, Object, name};
use crate::library::Botan;

/// Primitive and Botan's name.
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

/// Botan's name of a hash, where this libbotan has it.
pub(crate) fn hash(botan: &Botan, primitive: &str) -> Option<&'static str> {
    let (_, text) = HASHES.iter().find(|(id, _)| *id == primitive)?;
    botan.api.hash(&name(text)).ok().map(|_| *text)
}

fn xof(botan: &Botan, primitive: &str) -> Option<&'static str> {
    let (_, text) = XOFS.iter().find(|(id, _)| *id == primitive)?;
    botan
        .api
        .hash(&name(&format!("{text}(256)")))
        .ok()
        .map(|_| *text)
}

pub(crate) fn offers(botan: &Botan) -> Vec<Offer> {
    let api = "botan_hash_update, final";
    let hashes = HASHES
        .iter()
        .filter(|(id, _)| hash(botan, id).is_some())
        .map(|(id, _)| botan.offer(id, "hash", api));
    let xofs = XOFS
        .iter()
        .filter(|(id, _)| xof(botan, id).is_some())
        .map(|(id, _)| Offer {
            note: "the output length is part of the object".into(),
            ..botan.offer(id, "xof", api)
        });
    hashes.chain(xofs).collect()
}

pub(crate) fn cell(botan: &Botan, work: &Work) -> Option<Result<Cell, Failure>> {
    let full = match work.operation.as_str() {
        "hash" => name(hash(botan, &work.primitive)?),
        "xof" => {
            let bits = work.length.unwrap_or(32).saturating_mul(8);
            name(&format!("{}({bits})", xof(botan, &work.primitive)?))
        }
        _ => return None,
    };
    Some(plan(botan.api, full))
}

fn plan(api: Api, name: CString) -> Result<Cell, Failure> {
    let trial = api.hash(&name)?;
    let mut size = 0;
    // SAFETY: the object is live.
    let code = unsafe { (api.botan_hash_output_length)(trial.handle, &mut size) };
    api.ok("botan_hash_output_length", code)?;
    Ok(Cell::new(move || {
        Ok(Digest {
            api,
            object: api.hash(&name)?,
            size,
        })
    }))
}

struct Digest {
    api: Api,
    object: Object,
    size: usize,
}

impl Operation for Digest {
    #[inline]
    fn process(&mut self, message: &Message<'_>, output: &mut [u8]) -> Result<usize, Failure> {
        let (api, handle) = (&self.api, self.object.handle);
        if output.len() < self.size {
            return Err(Failure::failed("no room for the digest"));
        }
        // SAFETY: the input is as long as stated; the output holds the size that
        // the object reported.
        unsafe {
            let code = (api.botan_hash_update)(handle, message.input.as_ptr(), message.input.len());
            api.ok("botan_hash_update", code)?;
            let code = (api.botan_hash_final)(handle, output.as_mut_ptr());
            api.ok("botan_hash_final", code)?;
        }
        Ok(self.size)
    }
}
