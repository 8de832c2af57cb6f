//! Hashes: `gnutls_hash` and `gnutls_hash_output`.
#![allow(unsafe_code)]

use std::ffi::c_int;

use touchstone_worker::{Cell, Failure, Message, Offer, Operation, Work, offer};

use crate::ffi::{Api, Gnutls, Open};

/// Primitive, and its number among digests and, as HMAC, among MACs: they are
/// the same.
pub(crate) const HASHES: &[(&str, c_int)] = &[
    ("md2", 5),
    ("md5", 2),
    ("sha-1", 3),
    ("sha-224", 9),
    ("sha-256", 6),
    ("sha-384", 7),
    ("sha-512", 8),
    ("sha3-224", 10),
    ("sha3-256", 11),
    ("sha3-384", 12),
    ("sha3-512", 13),
    ("ripemd-160", 4),
    // GnuTLS has the hash with the CryptoPro S-box only.
    ("gost94-cryptopro", 15),
    ("streebog-256", 16),
    ("streebog-512", 17),
];

/// A hash that this build has: its number and bytes.
fn find(gnutls: &Gnutls, primitive: &str) -> Option<(c_int, usize)> {
    let (_, number) = *HASHES.iter().find(|(id, _)| *id == primitive)?;
    gnutls.api.hash(number).ok()?;
    // SAFETY: the function accepts any number.
    let size = unsafe { (gnutls.api.gnutls_hash_get_len)(number) };
    // MD2 has a name and a number in 3.7, but its length is 0.
    (size != 0).then_some((number, size as usize))
}

pub(crate) fn offers(gnutls: &Gnutls) -> Vec<Offer> {
    HASHES
        .iter()
        .filter(|(id, _)| find(gnutls, id).is_some())
        .map(|(id, _)| offer(id, "hash", "gnutls_hash, gnutls_hash_output"))
        .collect()
}

pub(crate) fn cell(gnutls: &Gnutls, work: &Work) -> Option<Result<Cell, Failure>> {
    if work.operation != "hash" {
        return None;
    }
    let (number, size) = find(gnutls, &work.primitive)?;
    let api = gnutls.api;
    Some(Ok(Cell::new(move || {
        let open = api.hash(number)?;
        Ok(Digest { api, open, size })
    })))
}

struct Digest {
    api: Api,
    open: Open,
    size: usize,
}

impl Operation for Digest {
    #[inline]
    fn process(&mut self, message: &Message<'_>, output: &mut [u8]) -> Result<usize, Failure> {
        let (api, handle) = (&self.api, self.open.handle);
        let (from, given) = (message.input.as_ptr(), message.input.len());
        // SAFETY: the handle is open, and gnutls_hash_output leaves it ready
        // for the next message; the worker's output has at least 256 bytes.
        unsafe {
            api.ok("gnutls_hash", (api.gnutls_hash)(handle, from, given))?;
            (api.gnutls_hash_output)(handle, output.as_mut_ptr());
        }
        Ok(self.size)
    }
}
