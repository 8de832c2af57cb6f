//! Hashes and HMACs.
#![allow(unsafe_code)]

use std::ffi::c_int;

use touchstone_worker::{Failure, Message, Plan, Work, Written, keyed};

use crate::ffi::{Api, Context, Cryptlib, HASH_VALUE, KEY, int, ok};

/// Rows: the primitive, `CRYPT_ALGO_…`, and the bytes of the digest.
const HASHES: &[(&str, c_int, usize)] = &[
    ("sha-1", 203, 20),
    ("sha-256", 205, 32),
    ("hmac-sha-1", 301, 20),
    ("hmac-sha-256", 303, 32),
];

#[derive(Clone, Copy)]
pub(crate) struct Digest {
    api: Api,
    algorithm: c_int,
    /// Whether the algorithm has a key.
    keyed: bool,
    /// Bytes of the digest, and of the tag that is asked for.
    bytes: usize,
    tag: usize,
}

/// A context, and whether it has hashed a message.
pub(crate) struct Hashing {
    context: Context,
    used: bool,
}

impl Plan for Digest {
    type Library = Cryptlib;
    type Object = Option<Hashing>;
    const OPERATIONS: &'static [&'static str] = &["hash", "mac"];

    fn find(library: &Cryptlib, primitive: &str, operation: &str) -> Option<Self> {
        let (id, algorithm, bytes) = *HASHES.iter().find(|(id, ..)| *id == primitive)?;
        let keyed = id.starts_with("hmac-");
        if keyed != (operation == "mac") {
            return None;
        }
        Context::new(library.api, algorithm).ok()?;
        Some(Self {
            api: library.api,
            algorithm,
            keyed,
            bytes,
            tag: bytes,
        })
    }

    fn api(&self, _: &str, _: &str) -> String {
        "cryptDeleteAttribute, cryptEncrypt twice, cryptGetAttributeString".into()
    }

    fn fit(mut self, work: &Work) -> Result<Self, Failure> {
        self.tag = work.need_tag(self.bytes, 1..=self.bytes)?;
        Ok(self)
    }

    fn make(&self) -> Result<Option<Hashing>, Failure> {
        let context = Context::new(self.api, self.algorithm)?;
        Ok(Some(Hashing {
            context,
            used: false,
        }))
    }

    fn set_key(&self, object: &mut Option<Hashing>, key: &[u8]) -> Result<(), Failure> {
        if !self.keyed {
            return Ok(());
        }
        // A context has one key.
        *object = None;
        let made = self.make()?;
        if let Some(hashing) = &made {
            hashing.context.set(KEY, key)?;
        }
        *object = made;
        Ok(())
    }

    #[inline(always)]
    fn process(
        &self,
        object: &mut Option<Hashing>,
        message: &Message<'_>,
        output: &mut [u8],
    ) -> Written {
        let hashing = keyed(object)?;
        let (api, handle) = (&self.api, hashing.context.handle);
        let mut length = 0;
        // SAFETY: the context is live, a hash only reads its message, and the output has room for
        // the digest. A message of no bytes ends the hash.
        unsafe {
            if hashing.used {
                let status = (api.cryptDeleteAttribute)(handle, HASH_VALUE);
                ok("cryptDeleteAttribute", status)?;
            }
            hashing.used = true;
            let at = message.input.as_ptr().cast_mut().cast();
            if !message.input.is_empty() {
                let status = (api.cryptEncrypt)(handle, at, int(message.input.len())?);
                ok("cryptEncrypt", status)?;
            }
            ok("cryptEncrypt", (api.cryptEncrypt)(handle, at, 0))?;
            let to = output.as_mut_ptr().cast();
            let status = (api.cryptGetAttributeString)(handle, HASH_VALUE, to, &mut length);
            ok("cryptGetAttributeString", status)?;
        }
        if usize::try_from(length) != Ok(self.bytes) {
            return Err(Failure::failed(format_args!("a digest of {length} bytes")));
        }
        Ok(self.tag)
    }
}
