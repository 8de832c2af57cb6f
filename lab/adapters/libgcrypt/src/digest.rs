//! Hashes and extendable-output functions: `gcry_md_write`, then `gcry_md_read`
//! or `gcry_md_extract`.
#![allow(unsafe_code)]

use std::ffi::c_int;
use std::ptr;

use touchstone_worker::{Cell, Failure, Message, Offer, Operation, Work, offer};

use crate::ffi::{Api, Gcrypt, Open, works};

/// Primitive, digest number, and the number of the MAC that is its HMAC.
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
    // 306 is Tiger; 6 is the byte order that GnuPG 1.3.2 got wrong.
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

/// Bytes of a digest; 0 where the library does not have it.
pub(crate) fn bytes(api: Api, digest: c_int) -> usize {
    // SAFETY: the function accepts any number.
    unsafe { (api.gcry_md_get_algo_dlen)(digest) as usize }
}

#[derive(Clone, Copy)]
struct Plan {
    api: Api,
    digest: c_int,
    /// Bytes of output, and whether the algorithm is an extendable-output function (XOF).
    length: usize,
    xof: bool,
}

impl Plan {
    fn find(api: Api, primitive: &str, operation: &str) -> Option<Self> {
        let (digest, xof) = match operation {
            "hash" => {
                let (_, digest, _) = HASHES.iter().find(|(id, ..)| *id == primitive)?;
                (*digest, false)
            }
            "xof" => {
                let (_, digest) = XOFS.iter().find(|(id, _)| *id == primitive)?;
                (*digest, true)
            }
            _ => return None,
        };
        let size = bytes(api, digest);
        // The library complains on stderr about digests that it does not have.
        if size == 0 && !xof {
            return None;
        }
        Some(Self {
            api,
            digest,
            length: if xof { 32 } else { size },
            xof,
        })
    }
}

pub(crate) fn offers(gcrypt: &Gcrypt) -> Vec<Offer> {
    let hashes = HASHES.iter().map(|(id, ..)| (*id, "hash", "read"));
    let xofs = XOFS.iter().map(|(id, _)| (*id, "xof", "extract"));
    let message = Message {
        input: &[1; 100],
        ..Message::default()
    };
    hashes
        .chain(xofs)
        .filter(|(id, operation, _)| {
            Plan::find(gcrypt.api, id, operation)
                .is_some_and(|plan| works(Digest::new(plan), 0, &message))
        })
        .map(|(id, operation, end)| {
            offer(
                id,
                operation,
                &format!("gcry_md_reset, gcry_md_write, gcry_md_{end}"),
            )
        })
        .collect()
}

pub(crate) fn cell(gcrypt: &Gcrypt, work: &Work) -> Option<Result<Cell, Failure>> {
    let mut plan = Plan::find(gcrypt.api, &work.primitive, &work.operation)?;
    if plan.xof {
        plan.length = work.length.unwrap_or(plan.length);
    }
    Some(Ok(Cell::new(move || Digest::new(plan))))
}

struct Digest {
    plan: Plan,
    open: Open,
}

impl Digest {
    fn new(plan: Plan) -> Result<Self, Failure> {
        let mut handle = ptr::null_mut();
        // SAFETY: the handle is written on success and freed by its owner.
        let error = unsafe { (plan.api.gcry_md_open)(&mut handle, plan.digest, 0) };
        plan.api.ok("gcry_md_open", error)?;
        Ok(Self {
            plan,
            open: Open {
                handle,
                close: plan.api.gcry_md_close,
            },
        })
    }
}

impl Operation for Digest {
    #[inline]
    fn process(&mut self, message: &Message<'_>, output: &mut [u8]) -> Result<usize, Failure> {
        let Plan {
            api,
            digest,
            length,
            xof,
        } = self.plan;
        let handle = self.open.handle;
        // SAFETY: the handle is open with this digest; the worker's output has at least
        // 256 bytes or the requested length; what gcry_md_read points at has the digest's
        // length and lives until the handle is touched again.
        unsafe {
            (api.gcry_md_reset)(handle);
            (api.gcry_md_write)(handle, message.input.as_ptr(), message.input.len());
            if xof {
                let error = (api.gcry_md_extract)(handle, digest, output.as_mut_ptr(), length);
                api.ok("gcry_md_extract", error)?;
            } else {
                let result = (api.gcry_md_read)(handle, digest);
                if result.is_null() {
                    return Err(Failure::failed("gcry_md_read: no digest"));
                }
                ptr::copy_nonoverlapping(result, output.as_mut_ptr(), length);
            }
        }
        Ok(length)
    }
}
