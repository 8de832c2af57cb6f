//! Hashes (`mhash_init`, `mhash`, `mhash_deinit`) and their HMACs.
#![allow(unsafe_code)]

use std::ffi::c_int;

use touchstone_worker::{Cell, Failure, Message, Offer, Operation, Work, offer};

use crate::ffi::{Api, Mhash};

/// Primitive, and `MHASH_…`.
const HASHES: &[(&str, c_int)] = &[
    ("md2", 28),
    ("md4", 16),
    ("md5", 1),
    ("sha-1", 2),
    ("sha-224", 19),
    ("sha-256", 17),
    ("sha-384", 21),
    ("sha-512", 20),
    ("ripemd-128", 23),
    ("ripemd-160", 5),
    ("ripemd-256", 24),
    ("ripemd-320", 25),
    ("whirlpool", 22),
    ("gost94", 8),
];

/// The parameters of an object, known before it is made.
#[derive(Clone, Copy)]
struct Plan {
    api: Api,
    number: c_int,
    /// HMAC's block; None for the hash alone.
    hmac: Option<u32>,
    /// Bytes of the digest, and of the requested output.
    full: usize,
    tag: usize,
}

impl Plan {
    fn find(mhash: &Mhash, primitive: &str, operation: &str) -> Option<Self> {
        let (id, hmac) = match operation {
            "hash" => (primitive, false),
            "mac" => (primitive.strip_prefix("hmac-")?, true),
            _ => return None,
        };
        let (_, number) = *HASHES.iter().find(|(known, _)| *known == id)?;
        let api = mhash.api;
        // SAFETY: the function accepts any number.
        let (full, block) = unsafe {
            (
                (api.mhash_get_block_size)(number) as usize,
                (api.mhash_get_hash_pblock)(number),
            )
        };
        // GOST R 34.11-94 has no block for HMAC here.
        if full == 0 || (hmac && block == 0) {
            return None;
        }
        Some(Self {
            api,
            number,
            hmac: hmac.then_some(block),
            full,
            tag: full,
        })
    }

    fn fit(mut self, work: &Work) -> Result<Self, Failure> {
        let tag = work.tag.unwrap_or(self.full);
        if tag == 0 || tag > self.full {
            return Err(Failure::length("a tag", tag));
        }
        self.tag = tag;
        Ok(self)
    }
}

pub(crate) fn offers(mhash: &Mhash) -> Vec<Offer> {
    HASHES
        .iter()
        .flat_map(|(id, _)| [((*id).to_owned(), "hash"), (format!("hmac-{id}"), "mac")])
        .filter_map(|(id, operation)| {
            let plan = Plan::find(mhash, &id, operation)?;
            let (api, note) = if plan.hmac.is_some() {
                (
                    "mhash_hmac_init, mhash, mhash_hmac_deinit",
                    "the key goes in with every message",
                )
            } else {
                ("mhash_init, mhash, mhash_deinit", "")
            };
            let mut row = offer(&id, operation, api);
            row.note = note.into();
            Some(row)
        })
        .collect()
}

pub(crate) fn cell(mhash: &Mhash, work: &Work) -> Option<Result<Cell, Failure>> {
    let plan = Plan::find(mhash, &work.primitive, &work.operation)?.fit(work);
    Some(plan.map(|plan| {
        Cell::new(move || {
            Ok(Digest {
                plan,
                key: Vec::new(),
            })
        })
    }))
}

struct Digest {
    plan: Plan,
    /// HMAC's key, which is passed with every message.
    key: Vec<u8>,
}

impl Operation for Digest {
    fn set_key(&mut self, key: &[u8]) -> Result<(), Failure> {
        self.key.clear();
        self.key.extend_from_slice(key);
        Ok(())
    }

    #[inline]
    fn process(&mut self, message: &Message<'_>, output: &mut [u8]) -> Result<usize, Failure> {
        let Plan {
            api,
            number,
            hmac,
            tag,
            ..
        } = &self.plan;
        let word = |bytes: usize| {
            u32::try_from(bytes).map_err(|_| Failure::unsupported("more than 4 GiB in one call"))
        };
        let (from, given) = (message.input.as_ptr(), word(message.input.len())?);
        let (key, key_bytes) = (self.key.as_ptr(), word(self.key.len())?);
        // SAFETY: the handle is live from its init to its deinit, which frees
        // it; the worker's output has at least 256 bytes.
        unsafe {
            let handle = match hmac {
                Some(block) => (api.mhash_hmac_init)(*number, key, key_bytes, *block),
                None => (api.mhash_init)(*number),
            };
            if handle.is_null() {
                return Err(Failure::failed("mhash_init"));
            }
            let taken = (api.mhash)(handle, from, given);
            let to = output.as_mut_ptr();
            let ended = if hmac.is_some() {
                (api.mhash_hmac_deinit)(handle, to)
            } else {
                (api.mhash_deinit)(handle, to);
                0
            };
            if taken != 0 || ended != 0 {
                return Err(Failure::failed(format_args!(
                    "mhash returned {taken}, mhash_hmac_deinit {ended}"
                )));
            }
        }
        Ok(*tag)
    }
}
