//! Hashes (`mhash_init`, `mhash`, `mhash_deinit`) and their HMACs.
#![allow(unsafe_code)]

use std::ffi::c_int;

use touchstone_worker::{Failure, Message, Plan, Work, Written};

use crate::ffi::{Api, Mhash};

/// Rows: the primitive, and the number of `MHASH_…`.
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

#[derive(Clone, Copy)]
pub(crate) struct Digest {
    api: Api,
    number: c_int,
    /// Length of HMAC's block in bytes, or `None` for the hash without HMAC.
    hmac: Option<u32>,
    /// Length of the digest or tag in bytes.
    tag: usize,
}

impl Plan for Digest {
    type Library = Mhash;
    /// HMAC's key, which is an argument of the call for each message.
    type Object = Vec<u8>;
    const OPERATIONS: &'static [&'static str] = &["hash", "mac"];

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
        // The library has no HMAC block length for GOST R 34.11-94.
        if full == 0 || (hmac && block == 0) {
            return None;
        }
        let (hmac, tag) = (hmac.then_some(block), full);
        Some(Self {
            api,
            number,
            hmac,
            tag,
        })
    }

    fn api(&self, _: &str, _: &str) -> String {
        match self.hmac {
            Some(_) => "mhash_hmac_init, mhash, mhash_hmac_deinit",
            None => "mhash_init, mhash, mhash_deinit",
        }
        .into()
    }

    fn note(&self, _: &str, _: &str) -> &'static str {
        self.hmac
            .map_or("", |_| "the key goes in with every message")
    }

    fn fit(mut self, work: &Work) -> Result<Self, Failure> {
        self.tag = work.need_tag(self.tag, 1..=self.tag)?;
        Ok(self)
    }

    fn make(&self) -> Result<Vec<u8>, Failure> {
        Ok(Vec::new())
    }

    fn set_key(&self, kept: &mut Vec<u8>, key: &[u8]) -> Result<(), Failure> {
        key.clone_into(kept);
        Ok(())
    }

    #[inline]
    fn process(&self, key: &mut Vec<u8>, message: &Message<'_>, output: &mut [u8]) -> Written {
        let (api, to) = (&self.api, output.as_mut_ptr());
        let word = |bytes: usize| {
            u32::try_from(bytes).map_err(|_| Failure::unsupported("more than 4 GiB in one call"))
        };
        let (from, given) = (message.input.as_ptr(), word(message.input.len())?);
        let (key, key_bytes) = (key.as_ptr(), word(key.len())?);
        // SAFETY: the handle is valid from mhash_init to mhash_deinit, which frees it. The
        // worker's output has at least 256 bytes.
        unsafe {
            let handle = match self.hmac {
                Some(block) => (api.mhash_hmac_init)(self.number, key, key_bytes, block),
                None => (api.mhash_init)(self.number),
            };
            if handle.is_null() {
                return Err(Failure::failed("mhash_init"));
            }
            let taken = (api.mhash)(handle, from, given);
            let ended = if self.hmac.is_some() {
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
        Ok(self.tag)
    }
}
