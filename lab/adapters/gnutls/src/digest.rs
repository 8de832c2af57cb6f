//! Hashes by `gnutls_hash` and `gnutls_hash_output`.
#![allow(unsafe_code)]

use std::ffi::c_int;

use touchstone_worker::{Failure, Message, Plan, Written};

use crate::ffi::{Api, Gnutls, Open};

/// Rows: the primitive, and its number. A digest and its HMAC have the same number.
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
    // GnuTLS has this hash only with the S-box of CryptoPro.
    ("gost94-cryptopro", 15),
    ("streebog-256", 16),
    ("streebog-512", 17),
];

#[derive(Clone, Copy)]
pub(crate) struct Digest {
    api: Api,
    number: c_int,
    size: usize,
}

impl Plan for Digest {
    type Library = Gnutls;
    type Object = Open;
    const OPERATIONS: &'static [&'static str] = &["hash"];

    fn find(gnutls: &Gnutls, primitive: &str, operation: &str) -> Option<Self> {
        let (_, number) = *HASHES.iter().find(|(id, _)| *id == primitive)?;
        let api = gnutls.api;
        api.hash(number).ok()?;
        // SAFETY: the function accepts any number.
        let size = unsafe { (api.gnutls_hash_get_len)(number) } as usize;
        // GnuTLS 3.7 has a number for MD2 but no MD2: the digest's length is 0.
        (size != 0 && operation == "hash").then_some(Self { api, number, size })
    }

    fn api(&self, _: &str, _: &str) -> String {
        "gnutls_hash, gnutls_hash_output".into()
    }

    fn make(&self) -> Result<Open, Failure> {
        self.api.hash(self.number)
    }

    #[inline(always)]
    fn process(&self, open: &mut Open, message: &Message<'_>, output: &mut [u8]) -> Written {
        let (api, handle) = (&self.api, open.handle);
        let (from, given) = (message.input.as_ptr(), message.input.len());
        // SAFETY: the handle is open, and gnutls_hash_output resets it for the next message.
        // The worker's output has at least 256 bytes.
        unsafe {
            api.ok("gnutls_hash", (api.gnutls_hash)(handle, from, given))?;
            (api.gnutls_hash_output)(handle, output.as_mut_ptr());
        }
        Ok(self.size)
    }
}
