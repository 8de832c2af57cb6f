//! Hashes and their HMACs: `mhash_cp` of a handle for each message, `mhash`, `mhash_deinit`.
#![allow(unsafe_code)]

use std::ffi::c_int;
use std::ptr;

use touchstone_worker::{Failure, Message, Plan, Work, Written};

use crate::ffi::{Api, Handle, Mhash};

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

/// A handle that no message has used, and for HMAC has the key; null before HMAC's key is set.
pub(crate) struct Fresh {
    plan: Digest,
    handle: Handle,
}

impl Drop for Fresh {
    fn drop(&mut self) {
        if !self.handle.is_null() {
            // SAFETY: the handle is valid, and the buffer has room for every digest.
            _ = unsafe { self.plan.end(self.handle, [0; 256].as_mut_ptr()) };
        }
    }
}

impl Digest {
    /// Writes the digest, and frees the handle. Returns mhash's error, or 0.
    ///
    /// # Safety
    ///
    /// The handle must be valid, and the output must have room for the whole digest.
    #[inline]
    unsafe fn end(&self, handle: Handle, output: *mut u8) -> c_int {
        // SAFETY: the caller guarantees the arguments.
        unsafe {
            if self.hmac.is_some() {
                (self.api.mhash_hmac_deinit)(handle, output)
            } else {
                (self.api.mhash_deinit)(handle, output);
                0
            }
        }
    }
}

/// Returns a length in mhash's type.
fn word(bytes: usize) -> Result<u32, Failure> {
    u32::try_from(bytes).map_err(|_| Failure::unsupported("more than 4 GiB in one call"))
}

impl Plan for Digest {
    type Library = Mhash;
    type Object = Fresh;
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
            Some(_) => "mhash_cp, mhash, mhash_hmac_deinit",
            None => "mhash_cp, mhash, mhash_deinit",
        }
        .into()
    }

    fn fit(mut self, work: &Work) -> Result<Self, Failure> {
        self.tag = work.need_tag(self.tag, 1..=self.tag)?;
        Ok(self)
    }

    fn make(&self) -> Result<Fresh, Failure> {
        let handle = match self.hmac {
            Some(_) => ptr::null_mut(),
            // SAFETY: the function accepts any number.
            None => unsafe { (self.api.mhash_init)(self.number) },
        };
        if self.hmac.is_none() && handle.is_null() {
            return Err(Failure::failed("mhash_init"));
        }
        let plan = *self;
        Ok(Fresh { plan, handle })
    }

    fn set_key(&self, fresh: &mut Fresh, key: &[u8]) -> Result<(), Failure> {
        let Some(block) = self.hmac else {
            return Ok(());
        };
        let bytes = word(key.len())?;
        // SAFETY: the key has this length, and the library copies it.
        let handle = unsafe { (self.api.mhash_hmac_init)(self.number, key.as_ptr(), bytes, block) };
        if handle.is_null() {
            return Err(Failure::failed("mhash_hmac_init"));
        }
        *fresh = Fresh {
            plan: *self,
            handle,
        };
        Ok(())
    }

    #[inline(always)]
    fn process(&self, fresh: &mut Fresh, message: &Message<'_>, output: &mut [u8]) -> Written {
        if fresh.handle.is_null() {
            return Err(Failure::failed("no key was set"));
        }
        let given = word(message.input.len())?;
        // SAFETY: the handle is valid, and so is its copy until it is freed at the end. The
        // worker's output has at least 256 bytes.
        let codes = unsafe {
            let handle = (self.api.mhash_cp)(fresh.handle);
            if handle.is_null() {
                return Err(Failure::failed("mhash_cp"));
            }
            let taken = (self.api.mhash)(handle, message.input.as_ptr(), given);
            [taken, self.end(handle, output.as_mut_ptr())]
        };
        match codes {
            [0, 0] => Ok(self.tag),
            [taken, ended] => Err(Failure::failed(format_args!(
                "mhash returned {taken}, mhash_hmac_deinit {ended}"
            ))),
        }
    }
}
