//! Hashes and extendable-output functions: `gcry_md_write`, then `gcry_md_read` or
//! `gcry_md_extract`.
#![allow(unsafe_code)]

use std::ffi::c_int;
use std::ptr;

use touchstone_worker::{Failure, Message, Plan, Work, Written};

use crate::ffi::{Api, Gcrypt, Open, works};

/// Rows: the primitive, the digest's number, the number of its HMAC.
pub(crate) const HASHES: &[(&str, c_int, c_int)] = &[
    ("md2", 5, 114),
    ("md4", 301, 107),
    ("md5", 1, 106),
    ("sha-1", 2, 105),
    ("sha-224", 11, 102),
    ("sha-256", 8, 101),
    ("sha-384", 9, 104),
    ("sha-512", 10, 103),
    ("sha-512-224", 328, 130),
    ("sha-512-256", 327, 129),
    ("sha3-224", 312, 115),
    ("sha3-256", 313, 116),
    ("sha3-384", 314, 117),
    ("sha3-512", 315, 118),
    ("ripemd-160", 3, 108),
    ("whirlpool", 305, 110),
    // The number 306 is Tiger. The number 6 is Tiger with the wrong byte order of GnuPG 1.3.2.
    ("tiger", 306, 109),
    ("gost94", 308, 111),
    ("gost94-cryptopro", 311, 119),
    ("streebog-256", 309, 112),
    ("streebog-512", 310, 113),
    ("sm3", 326, 128),
    ("blake2b", 318, 120),
    ("blake2b-384", 319, 121),
    ("blake2b-256", 320, 122),
    ("blake2b-160", 321, 123),
    ("blake2s", 322, 124),
    ("blake2s-224", 323, 125),
    ("blake2s-160", 324, 126),
    ("blake2s-128", 325, 127),
];

const XOFS: &[(&str, c_int)] = &[("shake128", 316), ("shake256", 317)];

/// Returns the length of a digest in bytes, or 0 if the library lacks the digest.
pub(crate) fn bytes(api: Api, digest: c_int) -> usize {
    // SAFETY: the function accepts any number.
    unsafe { (api.gcry_md_get_algo_dlen)(digest) as usize }
}

#[derive(Clone, Copy)]
pub(crate) struct Digest {
    api: Api,
    digest: c_int,
    length: usize,
    xof: bool,
}

impl Plan for Digest {
    type Library = Gcrypt;
    type Object = Open;
    const OPERATIONS: &'static [&'static str] = touchstone_worker::HASHES;

    fn find(gcrypt: &Gcrypt, primitive: &str, operation: &str) -> Option<Self> {
        let (api, xof) = (gcrypt.api, operation == "xof");
        let digest = if xof {
            XOFS.iter().find(|(id, _)| *id == primitive)?.1
        } else {
            HASHES.iter().find(|(id, ..)| *id == primitive)?.1
        };
        let length = if xof { 32 } else { bytes(api, digest) };
        let plan = Self {
            api,
            digest,
            length,
            xof,
        };
        let message = Message {
            input: &[1; 100],
            ..Message::default()
        };
        // The length is tested first, because the library prints a message on stderr for a
        // digest that it lacks.
        (length != 0 && works(plan, 0, &message)).then_some(plan)
    }

    fn api(&self, _: &str, _: &str) -> String {
        let end = if self.xof { "extract" } else { "read" };
        format!("gcry_md_reset, gcry_md_write, gcry_md_{end}")
    }

    fn fit(mut self, work: &Work) -> Result<Self, Failure> {
        if self.xof {
            self.length = work.length.unwrap_or(self.length);
        }
        Ok(self)
    }

    fn make(&self) -> Result<Open, Failure> {
        let api = &self.api;
        // SAFETY: a successful call writes the handle.
        unsafe {
            Open::made(api.gcry_md_close, |handle| {
                api.ok("gcry_md_open", (api.gcry_md_open)(handle, self.digest, 0))
            })
        }
    }

    #[inline(always)]
    fn process(&self, open: &mut Open, message: &Message<'_>, output: &mut [u8]) -> Written {
        let (api, handle, length) = (&self.api, open.object, self.length);
        // SAFETY: the handle is open with this digest. The worker's output has at least 256
        // bytes or the requested length. gcry_md_read returns a pointer to as many bytes as the
        // digest has, which stay valid until the next call with the handle.
        unsafe {
            (api.gcry_md_reset)(handle);
            (api.gcry_md_write)(handle, message.input.as_ptr(), message.input.len());
            if self.xof {
                let error = (api.gcry_md_extract)(handle, self.digest, output.as_mut_ptr(), length);
                api.ok("gcry_md_extract", error)?;
            } else {
                let result = (api.gcry_md_read)(handle, self.digest);
                if result.is_null() {
                    return Err(Failure::failed("gcry_md_read: no digest"));
                }
                ptr::copy_nonoverlapping(result, output.as_mut_ptr(), length);
            }
        }
        Ok(length)
    }
}
