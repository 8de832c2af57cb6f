//! Hashes by their tables, and SHAKE.
#![allow(unsafe_code)]

use touchstone_worker::{Cell, Failure, Message, Offer, Operation, Work, offer};

use crate::ffi::{Digest, HashTable, Init, Memory, Nettle, Update};

/// Primitive, and Nettle's name.
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

/// Primitive, and the SHA-3 of the same capacity, whose state SHAKE shares.
const XOFS: &[(&str, &str)] = &[("shake128", "sha3_128"), ("shake256", "sha3_256")];

/// The table of a hash; `None` where this version lacks it.
pub(crate) fn table(nettle: &Nettle, primitive: &str) -> Option<&'static HashTable> {
    let (_, name) = HASHES.iter().find(|(id, _)| *id == primitive)?;
    nettle.table(&format!("nettle_{name}"))
}

#[derive(Clone, Copy)]
struct Plan {
    /// Bytes of context.
    context: usize,
    init: Init,
    update: Update,
    digest: Digest,
    /// Bytes of output.
    length: usize,
}

impl Plan {
    fn find(nettle: &Nettle, primitive: &str, operation: &str) -> Option<Self> {
        if operation == "hash" {
            let table = table(nettle, primitive)?;
            return Some(Self {
                context: table.context_size as usize,
                init: table.init,
                update: table.update,
                digest: table.digest,
                length: table.digest_size as usize,
            });
        }
        if operation != "xof" {
            return None;
        }
        let (_, name) = XOFS.iter().find(|(id, _)| *id == primitive)?;
        // SAFETY: the three have the types of a hash's functions.
        unsafe {
            Some(Self {
                // A Keccak state of 200 bytes, a block and two numbers: 376 bytes at
                // most, and more does no harm.
                context: 1024,
                init: nettle.function(&format!("nettle_{name}_init"))?,
                update: nettle.function(&format!("nettle_{name}_update"))?,
                digest: nettle.function(&format!("nettle_{name}_shake"))?,
                length: 32,
            })
        }
    }
}

pub(crate) fn offers(nettle: &Nettle) -> Vec<Offer> {
    let row = |id: &str, operation: &str, name: &str, end: &str| {
        Plan::find(nettle, id, operation)?;
        let api = format!("{name}_update, {name}_{end}");
        Some(offer(id, operation, &api))
    };
    let hashes = HASHES
        .iter()
        .filter_map(|(id, name)| row(id, "hash", name, "digest"));
    let xofs = XOFS
        .iter()
        .filter_map(|(id, name)| row(id, "xof", name, "shake"));
    hashes.chain(xofs).collect()
}

pub(crate) fn cell(nettle: &Nettle, work: &Work) -> Option<Result<Cell, Failure>> {
    let mut plan = Plan::find(nettle, &work.primitive, &work.operation)?;
    if work.operation == "xof" {
        plan.length = work.length.unwrap_or(plan.length);
    }
    Some(Ok(Cell::new(move || {
        let mut memory = Memory::new(plan.context);
        // SAFETY: the memory holds the context.
        unsafe { (plan.init)(memory.at(0)) };
        Ok(Hash { plan, memory })
    })))
}

struct Hash {
    plan: Plan,
    memory: Memory,
}

impl Operation for Hash {
    #[inline]
    fn process(&mut self, message: &Message<'_>, output: &mut [u8]) -> Result<usize, Failure> {
        let (plan, context) = (self.plan, self.memory.at(0));
        // SAFETY: the context is initialised, as `digest` and `shake` leave it again;
        // lengths are those of the slices; the worker's output has at least 256 bytes or
        // the requested length.
        unsafe {
            (plan.update)(context, message.input.len(), message.input.as_ptr());
            (plan.digest)(context, plan.length, output.as_mut_ptr());
        }
        Ok(plan.length)
    }
}
