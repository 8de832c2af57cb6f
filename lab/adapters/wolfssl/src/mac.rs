//! Message authentication codes: HMAC, CMAC, Poly1305, SipHash.
#![allow(unsafe_code)]

use std::ffi::c_int;

use touchstone_worker::{Failure, MACS, Memory, Message, Plan, Work, Written};

use crate::cipher::gone;
use crate::ffi::{Api, Wolf, context, ok, plain, word};

/// Rows: a hash that HMAC supports, its `WC_HASH_TYPE_…`, the digest's length in bytes.
pub(crate) const HASHES: &[(&str, c_int, usize)] = &[
    ("md5", 3, 16),
    ("sha-1", 4, 20),
    ("sha-224", 5, 28),
    ("sha-256", 6, 32),
    ("sha-384", 7, 48),
    ("sha-512", 8, 64),
    ("sha3-224", 10, 28),
    ("sha3-256", 11, 32),
    ("sha3-384", 12, 48),
    ("sha3-512", 13, 64),
];

/// Returns the number and the digest's length in bytes of a hash, if HMAC supports the hash in
/// this build.
pub(crate) fn hash(wolf: &Wolf, id: &str) -> Option<(c_int, usize)> {
    let (_, number, size) = *HASHES.iter().find(|(known, ..)| *known == id)?;
    // SAFETY: the function accepts any number.
    let told = unsafe { (wolf.api.wc_HashGetDigestSize)(number) };
    (usize::try_from(told) == Ok(size)).then_some((number, size))
}

#[derive(Clone, Copy)]
pub(crate) struct Hmac {
    api: Api,
    hash: c_int,
    tag: usize,
}

impl Plan for Hmac {
    type Library = Wolf;
    type Object = Memory;
    const OPERATIONS: &'static [&'static str] = &["mac"];

    fn find(wolf: &Wolf, primitive: &str, operation: &str) -> Option<Self> {
        let (api, (hash, tag)) = (wolf.api, hash(wolf, primitive.strip_prefix("hmac-")?)?);
        (operation == "mac").then_some(Self { api, hash, tag })
    }

    fn api(&self, _: &str, _: &str) -> String {
        "wc_HmacUpdate, wc_HmacFinal".into()
    }

    fn fit(mut self, work: &Work) -> Result<Self, Failure> {
        self.tag = work.shape(self.tag).fit(work, 0..)?;
        Ok(self)
    }

    fn make(&self) -> Result<Memory, Failure> {
        context(self.api.wc_HmacInit, self.api.wc_HmacFree)
    }

    fn set_key(&self, context: &mut Memory, key: &[u8]) -> Result<(), Failure> {
        let (start, bytes) = (key.as_ptr(), word(key.len())?);
        // SAFETY: the context is initialised.
        let code = unsafe { (self.api.wc_HmacSetKey)(context.at(0), self.hash, start, bytes) };
        ok("wc_HmacSetKey", code)
    }

    #[inline(always)]
    fn process(&self, context: &mut Memory, message: &Message<'_>, output: &mut [u8]) -> Written {
        let (api, context) = (&self.api, context.at(0));
        let (from, bytes) = (message.input.as_ptr(), word(message.input.len())?);
        // SAFETY: the context has a key, which wc_HmacFinal does not remove. The worker's
        // output has at least 256 bytes.
        unsafe {
            ok("wc_HmacUpdate", (api.wc_HmacUpdate)(context, from, bytes))?;
            let code = (api.wc_HmacFinal)(context, output.as_mut_ptr());
            ok("wc_HmacFinal", code)?;
        }
        Ok(self.tag)
    }
}

#[derive(Clone, Copy)]
enum Kind {
    Cmac,
    Poly1305,
    SipHash,
}

/// A MAC that takes its key with each message.
#[derive(Clone, Copy)]
pub(crate) struct Keyed {
    api: Api,
    kind: Kind,
    /// Length of the key in bytes.
    key: usize,
    tag: usize,
}

impl Plan for Keyed {
    type Library = Wolf;
    /// The context of Poly1305, and the key.
    type Object = (Memory, Vec<u8>);
    const OPERATIONS: &'static [&'static str] = MACS;

    fn find(wolf: &Wolf, primitive: &str, operation: &str) -> Option<Self> {
        let api = wolf.api;
        let (poly1305, siphash) = (api.wc_Poly1305SetKey.is_some(), api.wc_SipHash.is_some());
        let cmac = api.wc_AesCmacGenerate.is_some();
        let (kind, has, key, tag) = match (primitive, operation) {
            ("poly1305", "mac") => (Kind::Poly1305, poly1305, 32, 16),
            ("siphash-2-4", "mac") => (Kind::SipHash, siphash, 16, 8),
            ("siphash-2-4-128", "mac") => (Kind::SipHash, siphash, 16, 16),
            ("aes-128", "cmac") => (Kind::Cmac, cmac, 16, 16),
            ("aes-192", "cmac") => (Kind::Cmac, cmac, 24, 16),
            ("aes-256", "cmac") => (Kind::Cmac, cmac, 32, 16),
            _ => return None,
        };
        has.then_some(Self {
            api,
            kind,
            key,
            tag,
        })
    }

    fn api(&self, _: &str, _: &str) -> String {
        match self.kind {
            Kind::Cmac => "wc_AesCmacGenerate",
            Kind::Poly1305 => "wc_Poly1305SetKey, Update, Final",
            Kind::SipHash => "wc_SipHash",
        }
        .into()
    }

    fn note(&self, _: &str, _: &str) -> &'static str {
        "the key goes in with every message"
    }

    fn fit(mut self, work: &Work) -> Result<Self, Failure> {
        // The least length of CMAC's tag is the build's `WC_CMAC_TAG_MIN_SZ`.
        let least = if let Kind::Cmac = self.kind {
            4
        } else {
            self.tag
        };
        let shape = work.shape(self.tag).tag(least..=self.tag);
        self.tag = shape.fit(work, self.key)?;
        Ok(self)
    }

    fn make(&self) -> Result<Self::Object, Failure> {
        Ok((plain(), Vec::new()))
    }

    fn set_key(&self, (_, kept): &mut Self::Object, key: &[u8]) -> Result<(), Failure> {
        key.clone_into(kept);
        Ok(())
    }

    #[inline(always)]
    fn process(
        &self,
        object: &mut Self::Object,
        message: &Message<'_>,
        output: &mut [u8],
    ) -> Written {
        let (api, context, to) = (&self.api, object.0.at(0), output.as_mut_ptr());
        let (key, key_bytes) = (object.1.as_ptr(), word(object.1.len())?);
        let (from, bytes) = (message.input.as_ptr(), word(message.input.len())?);
        // SAFETY: the key has the length that the function reads, the context has enough room,
        // and the worker's output has at least 256 bytes.
        let code = unsafe {
            match self.kind {
                Kind::Poly1305 => {
                    let set = api.wc_Poly1305SetKey.ok_or_else(gone)?;
                    let update = api.wc_Poly1305Update.ok_or_else(gone)?;
                    ok("wc_Poly1305SetKey", set(context, key, key_bytes))?;
                    ok("wc_Poly1305Update", update(context, from, bytes))?;
                    api.wc_Poly1305Final.ok_or_else(gone)?(context, to)
                }
                Kind::SipHash => {
                    let run = api.wc_SipHash.ok_or_else(gone)?;
                    run(key, from, bytes, to, self.tag as u8)
                }
                Kind::Cmac => {
                    let run = api.wc_AesCmacGenerate.ok_or_else(gone)?;
                    let mut made = word(self.tag)?;
                    run(to, &mut made, from, bytes, key, key_bytes)
                }
            }
        };
        ok("the MAC's call", code)?;
        Ok(self.tag)
    }
}
