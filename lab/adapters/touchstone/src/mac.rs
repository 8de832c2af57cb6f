//! Message authentication codes: over block ciphers, over hashes, and others; with a nonce
//! and without.

use touchstone::dynamic::{self, Mac, MacAlgorithm, NonceMac, NonceMacAlgorithm};
use touchstone_worker::{Batch, Cell, Failure, Message, Offer, Operation, Work};

use crate::by_name::{failure, in_mode, keyed, named, options, set_key, with_many};

/// The MACs that the lab knows as operations of a block cipher.
const MODES: &[&str] = &[
    "cmac",
    "cbc-mac",
    "dmac",
    "retail-mac",
    "gost-mac",
    "pmac",
    "gmac",
];

/// MACs of which many messages at once are faster than one by one.
fn has_many(name: &str) -> bool {
    let modes = ["-cmac", "-cbc-mac", "-dmac"];
    modes.iter().any(|mode| name.ends_with(mode)) || name.starts_with("hmac-")
}

fn offered(name: &str, primitive: &str, operation: &str) -> Option<Offer> {
    if NonceMac::find(name).is_ok() {
        return Some(named(name, primitive, operation, "dynamic::NonceMac::mac"));
    }
    let algorithm = Mac::find(name).ok()?;
    let offer = named(name, primitive, operation, "dynamic::Mac::mac");
    Some(if algorithm.is_one_time() {
        Offer {
            note: "a key is for one message, so each message sets the key up".into(),
            ..offer
        }
    } else if has_many(name) {
        with_many(offer, "dynamic::Mac::mac_many")
    } else {
        offer
    })
}

pub(crate) fn offers() -> Vec<Offer> {
    let over_ciphers = dynamic::block_ciphers().flat_map(|id| {
        let modes = MODES.iter();
        modes.filter_map(move |mode| offered(&format!("{id}-{mode}"), id, mode))
    });
    let others = Mac::names().chain(NonceMac::names());
    let others = others.filter(|name| !dynamic::block_ciphers().any(|id| begins(name, id)));
    over_ciphers
        .chain(others.filter_map(|name| offered(&name, &name, "mac")))
        .collect()
}

/// Whether a name is one of a block cipher's.
fn begins(name: &str, id: &str) -> bool {
    let rest = name.strip_prefix(id);
    rest.is_some_and(|rest| rest.starts_with('-'))
}

pub(crate) fn cell(work: &Work) -> Option<Result<Cell, Failure>> {
    let name = match work.operation.as_str() {
        "mac" => work.primitive.clone(),
        mode if MODES.contains(&mode) => in_mode(work, mode),
        _ => return None,
    };
    if options(work).parameter.is_some() {
        return Some(Err(Failure::unsupported("a MAC with a parameter")));
    }
    if let Ok(algorithm) = NonceMac::find(&name) {
        let tag = work.tag.unwrap_or(algorithm.longest_tag());
        return Some(Ok(Cell::new(move || {
            Ok(WithNonce {
                algorithm,
                tag,
                mac: None,
            })
        })));
    }
    let algorithm = Mac::find(&name).ok()?;
    let tag = work.tag.unwrap_or(algorithm.longest_tag());
    let without_nonce = WithoutNonce { algorithm, tag };
    Some(if !work.nonce.is_empty() {
        Err(Failure::unsupported("a MAC with a nonce"))
    } else if algorithm.is_one_time() {
        Ok(Cell::new(move || {
            Ok(OneTime {
                of: without_nonce,
                key: Vec::new(),
                mac: None,
            })
        }))
    } else {
        Ok(Cell::new(move || {
            Ok(Tagged {
                of: without_nonce,
                mac: None,
            })
        }))
    })
}

#[derive(Clone, Copy)]
struct WithoutNonce {
    algorithm: MacAlgorithm,
    /// Bytes of a tag.
    tag: usize,
}

impl WithoutNonce {
    fn set_key(self, mac: &mut Option<Mac>, key: &[u8]) -> Result<(), Failure> {
        let first = |key: &[u8]| {
            let mac = self.algorithm.with(key, &dynamic::Options::default())?;
            mac.with_insecure_tag(self.tag)
        };
        set_key(mac, key, first, Mac::rekey)
    }
}

struct Tagged {
    of: WithoutNonce,
    mac: Option<Mac>,
}

impl Operation for Tagged {
    fn set_key(&mut self, key: &[u8]) -> Result<(), Failure> {
        self.of.set_key(&mut self.mac, key)
    }

    #[inline]
    fn process(&mut self, message: &Message<'_>, output: &mut [u8]) -> Result<usize, Failure> {
        let tag = &mut output[..self.of.tag];
        match keyed(&mut self.mac)?.mac(message.input, tag) {
            Ok(()) => Ok(self.of.tag),
            Err(error) => Err(failure(error)),
        }
    }

    fn process_many(&mut self, batch: &Batch<'_>, output: &mut [u8]) -> Result<usize, Failure> {
        let inputs: Vec<&[u8]> = batch.inputs().collect();
        let tags = &mut output[..self.of.tag * batch.messages];
        keyed(&mut self.mac)?
            .mac_many(&inputs, tags)
            .map_err(failure)?;
        Ok(self.of.tag)
    }
}

/// A MAC whose key is for one message.
struct OneTime {
    of: WithoutNonce,
    key: Vec<u8>,
    mac: Option<Mac>,
}

impl Operation for OneTime {
    fn set_key(&mut self, key: &[u8]) -> Result<(), Failure> {
        self.key.clear();
        self.key.extend_from_slice(key);
        self.of.set_key(&mut self.mac, key)
    }

    #[inline]
    fn process(&mut self, message: &Message<'_>, output: &mut [u8]) -> Result<usize, Failure> {
        let mac = keyed(&mut self.mac)?;
        let tag = &mut output[..self.of.tag];
        mac.rekey(&self.key).map_err(failure)?;
        match mac.mac(message.input, tag) {
            Ok(()) => Ok(self.of.tag),
            Err(error) => Err(failure(error)),
        }
    }
}

struct WithNonce {
    algorithm: NonceMacAlgorithm,
    tag: usize,
    mac: Option<NonceMac>,
}

impl Operation for WithNonce {
    fn set_key(&mut self, key: &[u8]) -> Result<(), Failure> {
        let first = |key: &[u8]| {
            let mac = self.algorithm.with(key, &dynamic::Options::default())?;
            mac.with_tag(self.tag)
        };
        set_key(&mut self.mac, key, first, NonceMac::rekey)
    }

    #[inline]
    fn process(&mut self, message: &Message<'_>, output: &mut [u8]) -> Result<usize, Failure> {
        let tag = &mut output[..self.tag];
        match keyed(&mut self.mac)?.mac(message.nonce, message.input, tag) {
            Ok(()) => Ok(self.tag),
            Err(error) => Err(failure(error)),
        }
    }
}
