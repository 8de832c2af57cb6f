//! Message authentication: HMAC, CMAC, Poly1305, SipHash.
#![allow(unsafe_code)]

use std::ffi::c_int;

use touchstone_worker::{Cell, Failure, Message, Offer, Operation, Work, offer};

use crate::ffi::{Api, Held, Wolf, ok, word};

/// Hash, its `WC_HASH_TYPE_…` and bytes: the ones that HMAC takes.
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

/// A hash that HMAC takes in this build: its number and bytes.
pub(crate) fn hash(wolf: &Wolf, id: &str) -> Option<(c_int, usize)> {
    let (_, number, size) = *HASHES.iter().find(|(known, ..)| *known == id)?;
    // SAFETY: the function accepts any number.
    let told = unsafe { (wolf.api.wc_HashGetDigestSize)(number) };
    (usize::try_from(told) == Ok(size)).then_some((number, size))
}

#[derive(Clone, Copy)]
enum Kind {
    Hmac(c_int),
    /// CMAC, with the bytes of its key.
    Cmac(usize),
    Poly1305,
    SipHash,
}

/// The algorithm of the MAC, its longest and its shortest tag.
fn find(wolf: &Wolf, primitive: &str, operation: &str) -> Option<(Kind, usize, usize)> {
    let api = &wolf.api;
    Some(match (primitive, operation) {
        ("poly1305", "mac") => {
            api.wc_Poly1305SetKey?;
            (Kind::Poly1305, 16, 16)
        }
        ("siphash-2-4", "mac") => {
            api.wc_SipHash?;
            (Kind::SipHash, 8, 8)
        }
        ("siphash-2-4-128", "mac") => {
            api.wc_SipHash?;
            (Kind::SipHash, 16, 16)
        }
        (_, "mac") => {
            let (number, size) = hash(wolf, primitive.strip_prefix("hmac-")?)?;
            (Kind::Hmac(number), size, 1)
        }
        (_, "cmac") => {
            api.wc_AesCmacGenerate?;
            let key = match primitive {
                "aes-128" => 16,
                "aes-192" => 24,
                "aes-256" => 32,
                _ => return None,
            };
            // WC_CMAC_TAG_MIN_SZ.
            (Kind::Cmac(key), 16, 4)
        }
        _ => return None,
    })
}

pub(crate) fn offers(wolf: &Wolf) -> Vec<Offer> {
    const WITH_KEY: &str = "the key goes in with every message";
    let hmac = HASHES.iter().map(|(id, ..)| {
        (
            format!("hmac-{id}"),
            "mac",
            "wc_HmacUpdate, wc_HmacFinal",
            "",
        )
    });
    let cmac = ["aes-128", "aes-192", "aes-256"]
        .map(|id| (id.to_owned(), "cmac", "wc_AesCmacGenerate", WITH_KEY));
    let own = [
        ("poly1305", "wc_Poly1305SetKey, Update, Final"),
        ("siphash-2-4", "wc_SipHash"),
        ("siphash-2-4-128", "wc_SipHash"),
    ]
    .map(|(id, api)| (id.to_owned(), "mac", api, WITH_KEY));
    hmac.chain(cmac)
        .chain(own)
        .filter(|(id, operation, ..)| find(wolf, id, operation).is_some())
        .map(|(id, operation, api, note)| {
            let mut row = offer(&id, operation, api);
            row.note = note.into();
            row
        })
        .collect()
}

pub(crate) fn cell(wolf: &Wolf, work: &Work) -> Option<Result<Cell, Failure>> {
    let (kind, most, least) = find(wolf, &work.primitive, &work.operation)?;
    let (key, tag) = (work.key.len(), work.tag.unwrap_or(most));
    let wanted = match kind {
        Kind::Hmac(_) => key,
        Kind::Cmac(bytes) => bytes,
        Kind::Poly1305 => 32,
        Kind::SipHash => 16,
    };
    let refusal = if key != wanted {
        format!("a key of {key} bytes")
    } else if !(least..=most).contains(&tag) {
        format!("a tag of {tag} bytes")
    } else if !work.nonce.is_empty() {
        "a nonce".to_owned()
    } else {
        let api = wolf.api;
        return Some(Ok(match kind {
            Kind::Hmac(hash) => Cell::new(move || {
                let context = Held::new(api.wc_HmacInit, api.wc_HmacFree)?;
                Ok(Hmac {
                    api,
                    hash,
                    context,
                    tag,
                })
            }),
            _ => Cell::new(move || {
                Ok(Short {
                    api,
                    kind,
                    context: Held::plain(),
                    key: Vec::new(),
                    tag,
                })
            }),
        }));
    };
    Some(Err(Failure::Unsupported(refusal)))
}

struct Hmac {
    api: Api,
    hash: c_int,
    context: Held,
    tag: usize,
}

impl Operation for Hmac {
    fn set_key(&mut self, key: &[u8]) -> Result<(), Failure> {
        let set = self.api.wc_HmacSetKey;
        // SAFETY: the context is initialised.
        let code = unsafe {
            set(
                self.context.get(),
                self.hash,
                key.as_ptr(),
                word(key.len())?,
            )
        };
        ok("wc_HmacSetKey", code)
    }

    #[inline]
    fn process(&mut self, message: &Message<'_>, output: &mut [u8]) -> Result<usize, Failure> {
        let (api, context) = (&self.api, self.context.get());
        let (from, bytes) = (message.input.as_ptr(), word(message.input.len())?);
        // SAFETY: the context is keyed, as wc_HmacFinal leaves it again; the
        // worker's output has at least 256 bytes.
        unsafe {
            ok("wc_HmacUpdate", (api.wc_HmacUpdate)(context, from, bytes))?;
            let code = (api.wc_HmacFinal)(context, output.as_mut_ptr());
            ok("wc_HmacFinal", code)?;
        }
        Ok(self.tag)
    }
}

/// MACs that take their key with every message.
struct Short {
    api: Api,
    kind: Kind,
    /// Poly1305's.
    context: Held,
    key: Vec<u8>,
    tag: usize,
}

impl Operation for Short {
    fn set_key(&mut self, key: &[u8]) -> Result<(), Failure> {
        self.key.clear();
        self.key.extend_from_slice(key);
        Ok(())
    }

    #[inline]
    fn process(&mut self, message: &Message<'_>, output: &mut [u8]) -> Result<usize, Failure> {
        let gone = || Failure::unsupported("this MAC in this build");
        let (api, context, to) = (&self.api, self.context.get(), output.as_mut_ptr());
        let (key, key_bytes) = (self.key.as_ptr(), word(self.key.len())?);
        let (from, bytes) = (message.input.as_ptr(), word(message.input.len())?);
        // SAFETY: the key has the length that the function reads, the context
        // room; the worker's output has at least 256 bytes.
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
                Kind::Cmac(_) | Kind::Hmac(_) => {
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
