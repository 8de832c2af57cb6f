//! Message authentication codes that use block ciphers, hashes or neither, with and without a
//! nonce.

use touchstone::dynamic::{self, MacAlgorithm, NonceMacAlgorithm, Options};
use touchstone_worker::{Batch, Failure, MACS, Message, Plan, Work, Written, algorithm};

use crate::Touchstone;
use crate::by_name::{failure, keyed, set_key};

fn no_parameter(work: &Work) -> Result<(), Failure> {
    match work.parameter() {
        Some(_) => Err(Failure::unsupported("a MAC with a parameter")),
        None => Ok(()),
    }
}

/// A MAC without a nonce.
#[derive(Clone)]
pub(crate) struct Mac {
    algorithm: MacAlgorithm,
    /// Length of the tag in bytes.
    tag: usize,
}

impl Plan for Mac {
    type Library = Touchstone;
    /// The MAC, and the key if the key is for one message.
    type Object = (Option<dynamic::Mac>, Vec<u8>);
    const OPERATIONS: &'static [&'static str] = MACS;

    fn find(_: &Touchstone, primitive: &str, operation: &str) -> Option<Self> {
        let algorithm = dynamic::Mac::find(&algorithm(primitive, operation)).ok()?;
        Some(Self {
            algorithm,
            tag: algorithm.longest_tag(),
        })
    }

    fn api(&self, _: &str, _: &str) -> String {
        "dynamic::Mac::mac".into()
    }

    fn note(&self, _: &str, _: &str) -> &'static str {
        if self.algorithm.is_one_time() {
            "a key is for one message, so each message sets the key up"
        } else {
            ""
        }
    }

    /// These MACs are serial within a message, so many messages at once are faster than one
    /// after the other.
    fn many(&self, primitive: &str, operation: &str) -> Option<&'static str> {
        let chain = ["cmac", "cbc-mac", "dmac"].contains(&operation);
        (chain || primitive.starts_with("hmac-")).then_some("dynamic::Mac::mac_many")
    }

    fn fit(mut self, work: &Work) -> Result<Self, Failure> {
        no_parameter(work)?;
        if !work.nonce.is_empty() {
            return Err(Failure::unsupported("a MAC with a nonce"));
        }
        self.tag = work.tag.unwrap_or(self.tag);
        Ok(self)
    }

    fn make(&self) -> Result<Self::Object, Failure> {
        Ok((None, Vec::new()))
    }

    fn set_key(&self, (mac, last): &mut Self::Object, key: &[u8]) -> Result<(), Failure> {
        if self.algorithm.is_one_time() {
            last.clear();
            last.extend_from_slice(key);
        }
        let first = |key: &[u8]| {
            let mac = self.algorithm.with(key, &Options::default())?;
            mac.with_insecure_tag(self.tag)
        };
        set_key(mac, key, first, dynamic::Mac::rekey)
    }

    #[inline(always)]
    fn process(
        &self,
        (mac, key): &mut Self::Object,
        message: &Message<'_>,
        output: &mut [u8],
    ) -> Written {
        let mac = keyed(mac)?;
        if !key.is_empty() {
            mac.rekey(key).map_err(failure)?;
        }
        match mac.mac(message.input, &mut output[..self.tag]) {
            Ok(()) => Ok(self.tag),
            Err(error) => Err(failure(error)),
        }
    }

    fn process_many(
        &self,
        (mac, _): &mut Self::Object,
        batch: &Batch<'_>,
        output: &mut [u8],
    ) -> Written {
        let inputs: Vec<&[u8]> = batch.inputs().collect();
        let tags = &mut output[..self.tag * batch.messages];
        keyed(mac)?.mac_many(&inputs, tags).map_err(failure)?;
        Ok(self.tag)
    }
}

/// A MAC with a nonce.
#[derive(Clone)]
pub(crate) struct NonceMac {
    algorithm: NonceMacAlgorithm,
    /// Length of the tag in bytes.
    tag: usize,
}

impl Plan for NonceMac {
    type Library = Touchstone;
    type Object = Option<dynamic::NonceMac>;
    const OPERATIONS: &'static [&'static str] = MACS;

    fn find(_: &Touchstone, primitive: &str, operation: &str) -> Option<Self> {
        let algorithm = dynamic::NonceMac::find(&algorithm(primitive, operation)).ok()?;
        Some(Self {
            algorithm,
            tag: algorithm.longest_tag(),
        })
    }

    fn api(&self, _: &str, _: &str) -> String {
        "dynamic::NonceMac::mac".into()
    }

    fn fit(mut self, work: &Work) -> Result<Self, Failure> {
        no_parameter(work)?;
        self.tag = work.tag.unwrap_or(self.tag);
        Ok(self)
    }

    fn make(&self) -> Result<Self::Object, Failure> {
        Ok(None)
    }

    fn set_key(&self, mac: &mut Self::Object, key: &[u8]) -> Result<(), Failure> {
        let first = |key: &[u8]| {
            let mac = self.algorithm.with(key, &Options::default())?;
            mac.with_tag(self.tag)
        };
        set_key(mac, key, first, dynamic::NonceMac::rekey)
    }

    #[inline(always)]
    fn process(&self, mac: &mut Self::Object, message: &Message<'_>, output: &mut [u8]) -> Written {
        let mac = keyed(mac)?;
        match mac.mac(message.nonce, message.input, &mut output[..self.tag]) {
            Ok(()) => Ok(self.tag),
            Err(error) => Err(failure(error)),
        }
    }
}
