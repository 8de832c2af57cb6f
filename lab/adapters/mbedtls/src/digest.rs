//! Hashes by `mbedtls_md_starts`, `mbedtls_md_update` and `mbedtls_md_finish`.
#![allow(unsafe_code)]

use std::ffi::c_int;

use touchstone_worker::{Failure, Memory, Message, Plan, Written};

use crate::ffi::{self, Api, Known, Mbed, ok};

/// Rows: the primitive, and the library's name of the hash.
pub(crate) const HASHES: &[(&str, &str)] = &[
    ("md2", "MD2"),
    ("md4", "MD4"),
    ("md5", "MD5"),
    ("sha-1", "SHA1"),
    ("sha-224", "SHA224"),
    ("sha-256", "SHA256"),
    ("sha-384", "SHA384"),
    ("sha-512", "SHA512"),
    ("sha3-224", "SHA3-224"),
    ("sha3-256", "SHA3-256"),
    ("sha3-384", "SHA3-384"),
    ("sha3-512", "SHA3-512"),
    ("ripemd-160", "RIPEMD160"),
];

/// Returns a hash's description, and its digest's length in bytes.
pub(crate) fn find(mbed: &Mbed, primitive: &str) -> Option<(Known, usize)> {
    let (_, name) = HASHES.iter().find(|(id, _)| *id == primitive)?;
    let known = mbed.hash(name)?;
    // SAFETY: the description belongs to the library.
    let size = unsafe { (mbed.api.mbedtls_md_get_size)(known.get()) };
    Some((known, size.into()))
}

/// Makes a context for this hash. If `hmac` is 1, the context is also for the hash's HMAC.
pub(crate) fn context(api: &Api, known: Known, hmac: c_int) -> Result<Memory, Failure> {
    let mut held = ffi::context((api.mbedtls_md_init, api.mbedtls_md_free));
    // SAFETY: the context is initialised, and the description belongs to the library.
    let code = unsafe { (api.mbedtls_md_setup)(held.at(0), known.get(), hmac) };
    ok("mbedtls_md_setup", code)?;
    Ok(held)
}

#[derive(Clone, Copy)]
pub(crate) struct Digest {
    api: Api,
    known: Known,
    size: usize,
}

impl Plan for Digest {
    type Library = Mbed;
    type Object = Memory;
    const OPERATIONS: &'static [&'static str] = &["hash"];

    fn find(mbed: &Mbed, primitive: &str, operation: &str) -> Option<Self> {
        let (api, (known, size)) = (mbed.api, find(mbed, primitive)?);
        (operation == "hash").then_some(Self { api, known, size })
    }

    fn api(&self, _: &str, _: &str) -> String {
        "mbedtls_md_starts, update, finish".into()
    }

    fn make(&self) -> Result<Memory, Failure> {
        context(&self.api, self.known, 0)
    }

    #[inline(always)]
    fn process(&self, context: &mut Memory, message: &Message<'_>, output: &mut [u8]) -> Written {
        let (api, context) = (&self.api, context.at(0));
        let (from, given) = (message.input.as_ptr(), message.input.len());
        // SAFETY: the context is set up, and the worker's output has at least 256 bytes.
        unsafe {
            ok("mbedtls_md_starts", (api.mbedtls_md_starts)(context))?;
            let code = (api.mbedtls_md_update)(context, from, given);
            ok("mbedtls_md_update", code)?;
            let code = (api.mbedtls_md_finish)(context, output.as_mut_ptr());
            ok("mbedtls_md_finish", code)?;
        }
        Ok(self.size)
    }
}
