//! Message authentication: `botan_mac_update`, `final`; the object restarts
//! itself under its key.
#![allow(unsafe_code)]

use touchstone_worker::{Cell, Failure, Message, Offer, Operation, Work};

use crate::cipher::{BLOCK, block, fixed_costs, fixed_key};
use crate::digest::{HASHES, hash};
use crate::ffi::{Api, Object, name};
use crate::library::Botan;

struct Kind {
    name: String,
    nonce: bool,
    /// The key is for one message only, so it is passed with each message.
    rekey: bool,
    /// Bytes of the MAC, where the object is made for a length.
    sized: bool,
}

/// The name of an algorithm with the bits of its output.
fn sized(name: &str, bytes: usize) -> String {
    format!("{name}({})", bytes.saturating_mul(8))
}

fn find(botan: &Botan, primitive: &str, operation: &str, tag: Option<usize>) -> Option<Kind> {
    let plain = |name: String| Kind {
        name,
        nonce: false,
        rekey: false,
        sized: false,
    };
    let one_time = |name: String| Kind {
        rekey: true,
        ..plain(name)
    };
    let kind = match (primitive, operation) {
        ("poly1305", "mac") => one_time("Poly1305".into()),
        // Botan's SipHash forgets its key when a message ends.
        ("siphash-1-3", "mac") => one_time("SipHash(1,3)".into()),
        ("siphash-2-4", "mac") => one_time("SipHash(2,4)".into()),
        ("siphash-4-8", "mac") => one_time("SipHash(4,8)".into()),
        ("kmac-128" | "kmac-256", "mac") => Kind {
            sized: true,
            ..plain(sized(&primitive.to_uppercase(), tag.unwrap_or(32)))
        },
        ("blake2b-mac", "mac") => Kind {
            sized: true,
            ..plain(sized("BLAKE2b", tag.unwrap_or(64)))
        },
        (_, "mac") => plain(format!(
            "HMAC({})",
            hash(botan, primitive.strip_prefix("hmac-")?)?
        )),
        (_, "cmac") => plain(format!("CMAC({})", block(botan, primitive)?.1)),
        (_, "cbc-mac") => plain(format!("CBC-MAC({})", block(botan, primitive)?.1)),
        ("des-ede2", "retail-mac") => plain("X9.19-MAC".into()),
        (_, "gmac") => {
            // Without a nonce the object cannot be started at all.
            botan.api.botan_mac_set_nonce?;
            Kind {
                nonce: true,
                ..plain(format!("GMAC({})", block(botan, primitive)?.1))
            }
        }
        _ => return None,
    };
    botan.api.mac(&name(&kind.name)).ok()?;
    Some(kind)
}

pub(crate) fn offers(botan: &Botan) -> Vec<Offer> {
    let hmac = HASHES.iter().map(|(id, _)| (format!("hmac-{id}"), "mac"));
    let over_blocks = BLOCK.iter().flat_map(|(id, ..)| {
        ["cmac", "cbc-mac", "retail-mac", "gmac"].map(|operation| ((*id).to_owned(), operation))
    });
    let own = [
        "blake2b-mac",
        "poly1305",
        "siphash-1-3",
        "siphash-2-4",
        "siphash-4-8",
        "kmac-128",
        "kmac-256",
    ]
    .map(|id| (id.to_owned(), "mac"));
    hmac.chain(over_blocks)
        .chain(own)
        .filter_map(|(id, operation)| {
            let kind = find(botan, &id, operation, None)?;
            let api = if kind.nonce {
                "botan_mac_set_nonce, update, final"
            } else {
                "botan_mac_update, final"
            };
            Some(Offer {
                note: if kind.rekey {
                    "the key goes in with every message".into()
                } else {
                    String::new()
                },
                ..botan.offer(&id, operation, api)
            })
        })
        .collect()
}

pub(crate) fn cell(botan: &Botan, work: &Work) -> Option<Result<Cell, Failure>> {
    let kind = find(botan, &work.primitive, &work.operation, work.tag)?;
    Some(plan(botan.api, work, kind))
}

fn plan(api: Api, work: &Work, kind: Kind) -> Result<Cell, Failure> {
    let full = name(&kind.name);
    let trial = api.mac(&full)?;
    fixed_costs(work)?;
    fixed_key(&work.primitive, work.key.len(), 1)?;
    trial.takes_key(api.botan_mac_get_keyspec, work.key.len())?;
    if kind.nonce && work.nonce.is_empty() {
        return Err(Failure::unsupported("an empty nonce"));
    }
    // For KMAC the interface takes a customisation string as the "nonce".
    if !kind.nonce && !work.nonce.is_empty() {
        return Err(Failure::unsupported("a nonce"));
    }
    let mut size = 0;
    // SAFETY: the object is live.
    let code = unsafe { (api.botan_mac_output_length)(trial.handle, &mut size) };
    api.ok("botan_mac_output_length", code)?;
    let tag = work.tag.unwrap_or(size);
    if tag > size || (kind.sized && tag != size) {
        return Err(Failure::length("a tag", tag));
    }
    Ok(Cell::new(move || {
        Ok(Mac {
            api,
            object: api.mac(&full)?,
            nonce: kind.nonce,
            rekey: kind.rekey,
            key: Vec::new(),
            size,
            tag,
        })
    }))
}

struct Mac {
    api: Api,
    object: Object,
    nonce: bool,
    rekey: bool,
    key: Vec<u8>,
    size: usize,
    tag: usize,
}

impl Mac {
    #[inline]
    fn schedule(&self, key: &[u8]) -> Result<(), Failure> {
        // SAFETY: the key is as long as stated.
        let code =
            unsafe { (self.api.botan_mac_set_key)(self.object.handle, key.as_ptr(), key.len()) };
        self.api.ok("botan_mac_set_key", code)
    }
}

impl Operation for Mac {
    fn set_key(&mut self, key: &[u8]) -> Result<(), Failure> {
        if self.rekey {
            self.key.clear();
            self.key.extend_from_slice(key);
        }
        self.schedule(key)
    }

    #[inline]
    fn process(&mut self, message: &Message<'_>, output: &mut [u8]) -> Result<usize, Failure> {
        let (api, handle) = (&self.api, self.object.handle);
        if output.len() < self.size {
            return Err(Failure::failed("no room for the MAC"));
        }
        if self.rekey {
            self.schedule(&self.key)?;
        }
        // SAFETY: nonce and input are as long as stated; the output holds the
        // size that the object reported.
        unsafe {
            if self.nonce
                && let Some(set_nonce) = api.botan_mac_set_nonce
            {
                let code = set_nonce(handle, message.nonce.as_ptr(), message.nonce.len());
                api.ok("botan_mac_set_nonce", code)?;
            }
            let code = (api.botan_mac_update)(handle, message.input.as_ptr(), message.input.len());
            api.ok("botan_mac_update", code)?;
            let code = (api.botan_mac_final)(handle, output.as_mut_ptr());
            api.ok("botan_mac_final", code)?;
        }
        Ok(self.tag)
    }
}
