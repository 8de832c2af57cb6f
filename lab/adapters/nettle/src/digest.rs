//! Hashes by Nettle's tables, and SHAKE by its functions.
#![allow(unsafe_code)]

use touchstone_worker::{Failure, Message, Plan, Work, Written};

use crate::ffi::{self, HashTable, Init, Memory, Nettle, Update};

/// Rows: the primitive, and Nettle's name of the hash.
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
    ("ripemd-160", "ripemd160"),
    ("gost94", "gosthash94"),
    ("gost94-cryptopro", "gosthash94cp"),
    ("streebog-256", "streebog256"),
    ("streebog-512", "streebog512"),
    ("sm3", "sm3"),
];

/// Rows: the primitive, and the name of the SHA-3 with the same capacity, whose functions SHAKE
/// uses.
const XOFS: &[(&str, &str)] = &[("shake128", "sha3_128"), ("shake256", "sha3_256")];

/// Returns the table of a hash, or `None` if this version lacks the hash.
pub(crate) fn table(nettle: &Nettle, primitive: &str) -> Option<&'static HashTable> {
    let (_, name) = HASHES.iter().find(|(id, _)| *id == primitive)?;
    nettle.table(&format!("nettle_{name}"))
}

#[derive(Clone, Copy)]
pub(crate) struct Digest {
    name: &'static str,
    /// Room for a context, in bytes.
    context: usize,
    init: Init,
    update: Update,
    digest: ffi::Digest,
    /// Length of the output in bytes.
    length: usize,
}

impl Plan for Digest {
    type Library = Nettle;
    type Object = Memory;
    const OPERATIONS: &'static [&'static str] = touchstone_worker::HASHES;

    fn find(nettle: &Nettle, primitive: &str, operation: &str) -> Option<Self> {
        let named = |names: &[(&str, &'static str)]| {
            let found = names.iter().find(|(id, _)| *id == primitive);
            found.map(|(_, name)| *name)
        };
        if operation == "hash" {
            let table = table(nettle, primitive)?;
            return Some(Self {
                name: named(HASHES)?,
                context: table.context_size as usize,
                init: table.init,
                update: table.update,
                digest: table.digest,
                length: table.digest_size as usize,
            });
        }
        let name = named(XOFS)?;
        // SAFETY: the functions with these names have these types.
        unsafe {
            Some(Self {
                name,
                // Room for a context in bytes: a Keccak state of 200 bytes, a block and two
                // numbers need at most 376 bytes.
                context: 1024,
                init: nettle.function(&format!("nettle_{name}_init"))?,
                update: nettle.function(&format!("nettle_{name}_update"))?,
                digest: nettle.function(&format!("nettle_{name}_shake"))?,
                length: 32,
            })
        }
    }

    fn api(&self, _: &str, operation: &str) -> String {
        let end = if operation == "xof" {
            "shake"
        } else {
            "digest"
        };
        format!("{0}_update, {0}_{end}", self.name)
    }

    fn fit(mut self, work: &Work) -> Result<Self, Failure> {
        if work.operation == "xof" {
            self.length = work.length.unwrap_or(self.length);
        }
        Ok(self)
    }

    fn make(&self) -> Result<Memory, Failure> {
        let mut memory = Memory::new(self.context);
        // SAFETY: the memory has room for the context.
        unsafe { (self.init)(memory.at(0)) };
        Ok(memory)
    }

    #[inline(always)]
    fn process(&self, memory: &mut Memory, message: &Message<'_>, output: &mut [u8]) -> Written {
        let context = memory.at(0);
        // SAFETY: the context is initialised, and `digest` and `shake` initialise it again.
        // Each length is the length of its slice. The worker's output has at least 256 bytes or
        // the requested length.
        unsafe {
            (self.update)(context, message.input.len(), message.input.as_ptr());
            (self.digest)(context, self.length, output.as_mut_ptr());
        }
        Ok(self.length)
    }
}
