//! Hashes by the functions in their descriptors, and SHAKE.
#![allow(unsafe_code)]

use std::ffi::{c_int, c_ulong};

use touchstone_worker::{Failure, Memory, Message, Plan, Work, Written};

use crate::ffi::{Api, Hash, TomCrypt};

/// Rows: the primitive, and the beginning of the names of its functions and descriptor.
pub(crate) const HASHES: &[(&str, &str)] = &[
    ("md2", "md2"),
    ("md4", "md4"),
    ("md5", "md5"),
    ("sha-1", "sha1"),
    ("sha-224", "sha224"),
    ("sha-256", "sha256"),
    ("sha-384", "sha384"),
    ("sha-512", "sha512"),
    ("sha-512-224", "sha512_224"),
    ("sha-512-256", "sha512_256"),
    ("sha3-224", "sha3_224"),
    ("sha3-256", "sha3_256"),
    ("sha3-384", "sha3_384"),
    ("sha3-512", "sha3_512"),
    ("ripemd-128", "rmd128"),
    ("ripemd-160", "rmd160"),
    ("ripemd-256", "rmd256"),
    ("ripemd-320", "rmd320"),
    ("whirlpool", "whirlpool"),
    ("tiger", "tiger"),
    ("blake2b", "blake2b_512"),
    ("blake2b-384", "blake2b_384"),
    ("blake2b-256", "blake2b_256"),
    ("blake2b-160", "blake2b_160"),
    ("blake2s", "blake2s_256"),
    ("blake2s-224", "blake2s_224"),
    ("blake2s-160", "blake2s_160"),
    ("blake2s-128", "blake2s_128"),
];

/// Rows: the primitive, and the number that `sha3_shake_init` takes.
const XOFS: &[(&str, c_int)] = &[("shake128", 128), ("shake256", 256)];

/// Returns a hash's number in the library's table, and its descriptor.
pub(crate) fn find(tom: &TomCrypt, primitive: &str) -> Option<(c_int, &'static Hash)> {
    let (_, stem) = HASHES.iter().find(|(id, _)| *id == primitive)?;
    tom.hash(&format!("{stem}_desc"))
}

/// The algorithm of a digest.
#[derive(Clone, Copy)]
enum Kind {
    Hash(&'static Hash),
    /// SHAKE: its number, and the output's length in bytes.
    Shake(c_int, usize),
}

#[derive(Clone, Copy)]
pub(crate) struct Digest {
    api: Api,
    kind: Kind,
    state: usize,
}

impl Plan for Digest {
    type Library = TomCrypt;
    type Object = Memory;
    const OPERATIONS: &'static [&'static str] = touchstone_worker::HASHES;

    fn find(tom: &TomCrypt, primitive: &str, operation: &str) -> Option<Self> {
        let kind = match operation {
            "hash" => Kind::Hash(find(tom, primitive)?.1),
            _ => Kind::Shake(XOFS.iter().find(|(id, _)| *id == primitive)?.1, 32),
        };
        let (api, state) = (tom.api, tom.api.size("hash_state")?);
        Some(Self { api, kind, state })
    }

    fn api(&self, primitive: &str, _: &str) -> String {
        let stem = HASHES.iter().find(|(id, _)| *id == primitive);
        let stem = stem.map_or("sha3_shake", |(_, stem)| stem);
        format!("{stem}_init, process, done")
    }

    fn fit(mut self, work: &Work) -> Result<Self, Failure> {
        if let Kind::Shake(_, length) = &mut self.kind {
            *length = work.length.unwrap_or(*length);
        }
        Ok(self)
    }

    fn make(&self) -> Result<Memory, Failure> {
        Ok(Memory::new(self.state))
    }

    #[inline(always)]
    fn process(&self, state: &mut Memory, message: &Message<'_>, output: &mut [u8]) -> Written {
        let (api, state) = (&self.api, state.at(0));
        let (from, bytes) = (message.input.as_ptr(), message.input.len() as c_ulong);
        // SAFETY: the memory is as large as the library's union of all hash states. The
        // worker's output has at least 256 bytes, or the requested length.
        unsafe {
            match self.kind {
                Kind::Hash(hash) => {
                    api.ok("init", (hash.init)(state))?;
                    api.ok("process", (hash.process)(state, from, bytes))?;
                    api.ok("done", (hash.done)(state, output.as_mut_ptr()))?;
                    Ok(hash.size as usize)
                }
                Kind::Shake(number, length) => {
                    api.ok("sha3_shake_init", (api.sha3_shake_init)(state, number))?;
                    api.ok("sha3_process", (api.sha3_process)(state, from, bytes))?;
                    let done = api.sha3_shake_done;
                    let code = done(state, output.as_mut_ptr(), length as c_ulong);
                    api.ok("sha3_shake_done", code)?;
                    Ok(length)
                }
            }
        }
    }
}
