//! Message authentication codes by `botan_mac_update` and `botan_mac_final`. The second
//! function also resets the object, which keeps its key.
#![allow(unsafe_code)]

use std::ffi::CStr;
use std::sync::Arc;

use touchstone_worker::{Failure, MACS, Message, Plan, Work, Written};

use crate::cipher::{block, fixed_costs, fixed_key};
use crate::digest::hash;
use crate::ffi::{Api, Object, name, takes_key};
use crate::library::Botan;

/// Returns Botan's name of an algorithm with its output's length in bits.
fn bits(name: &str, bytes: usize) -> String {
    format!("{name}({})", bytes.saturating_mul(8))
}

#[derive(Clone)]
pub(crate) struct Mac {
    api: Api,
    name: Arc<CStr>,
    calls: &'static str,
    nonce: bool,
    rekey: bool,
    /// For KMAC and keyed BLAKE2b: the beginning of the name, and the usual length in bytes.
    /// Botan needs the output's length to make the object.
    sized: Option<(&'static str, usize)>,
    size: usize,
    tag: usize,
}

impl Mac {
    #[inline]
    fn schedule(&self, object: &Object, key: &[u8]) -> Result<(), Failure> {
        let set = self.api.botan_mac_set_key;
        // SAFETY: the key has the length that is passed.
        let code = unsafe { set(object.object, key.as_ptr(), key.len()) };
        self.api.ok("botan_mac_set_key", code)
    }
}

impl Plan for Mac {
    type Library = Botan;
    /// The MAC object, and the key if each message needs the key again.
    type Object = (Object, Vec<u8>);
    const OPERATIONS: &'static [&'static str] = MACS;

    fn find(botan: &Botan, primitive: &str, operation: &str) -> Option<Self> {
        let over = |mac: &str| Some(format!("{mac}({})", block(botan, primitive)?.1));
        let mut sized = None;
        let (full, nonce, rekey) = match (primitive, operation) {
            ("poly1305", "mac") => ("Poly1305".into(), false, true),
            // Botan's SipHash loses its key at the end of a message.
            ("siphash-1-3", "mac") => ("SipHash(1,3)".into(), false, true),
            ("siphash-2-4", "mac") => ("SipHash(2,4)".into(), false, true),
            ("siphash-4-8", "mac") => ("SipHash(4,8)".into(), false, true),
            ("kmac-128" | "kmac-256" | "blake2b-mac", "mac") => {
                let (stem, usual) = match primitive {
                    "kmac-128" => ("KMAC-128", 32),
                    "kmac-256" => ("KMAC-256", 32),
                    _ => ("BLAKE2b", 64),
                };
                sized = Some((stem, usual));
                (bits(stem, usual), false, false)
            }
            (_, "mac") => {
                let hash = hash(botan, primitive.strip_prefix("hmac-")?)?;
                (format!("HMAC({hash})"), false, false)
            }
            (_, "cmac") => (over("CMAC")?, false, false),
            (_, "cbc-mac") => (over("CBC-MAC")?, false, false),
            ("des-ede2", "retail-mac") => ("X9.19-MAC".into(), false, false),
            // Without botan_mac_set_nonce, GMAC cannot be started.
            (_, "gmac") if botan.api.botan_mac_set_nonce.is_some() => (over("GMAC")?, true, false),
            _ => return None,
        };
        let (api, name) = (botan.api, name(&full));
        api.mac(&name).ok()?;
        let plain = botan.calls("botan_mac_update, final");
        let nonced = botan.calls("botan_mac_set_nonce, update, final");
        let calls = if nonce { nonced } else { plain };
        let (name, size, tag) = (name.into(), 0, 0);
        Some(Self {
            api,
            name,
            calls,
            nonce,
            rekey,
            sized,
            size,
            tag,
        })
    }

    fn api(&self, _: &str, _: &str) -> String {
        self.calls.into()
    }

    fn note(&self, _: &str, _: &str) -> &'static str {
        if self.rekey {
            "the key goes in with every message"
        } else {
            ""
        }
    }

    fn fit(mut self, work: &Work) -> Result<Self, Failure> {
        let api = &self.api;
        if let Some((stem, usual)) = self.sized {
            self.name = name(&bits(stem, work.tag.unwrap_or(usual))).into();
        }
        let trial = api.mac(&self.name)?;
        fixed_costs(work)?;
        fixed_key(&work.primitive, work.key.len(), 1)?;
        takes_key(&trial, api.botan_mac_get_keyspec, work.key.len())?;
        match self.nonce {
            true => work.need_nonce(1..)?,
            // For KMAC, the C interface takes the customisation string as the nonce.
            false => work.need_nonce(0)?,
        }
        // SAFETY: the object is live.
        let code = unsafe { (api.botan_mac_output_length)(trial.object, &mut self.size) };
        api.ok("botan_mac_output_length", code)?;
        let least = if self.sized.is_some() { self.size } else { 0 };
        self.tag = work.need_tag(self.size, least..=self.size)?;
        Ok(self)
    }

    fn make(&self) -> Result<Self::Object, Failure> {
        Ok((self.api.mac(&self.name)?, Vec::new()))
    }

    fn set_key(&self, (object, kept): &mut Self::Object, key: &[u8]) -> Result<(), Failure> {
        if self.rekey {
            key.clone_into(kept);
        }
        self.schedule(object, key)
    }

    #[inline(always)]
    fn process(
        &self,
        (object, key): &mut Self::Object,
        message: &Message<'_>,
        output: &mut [u8],
    ) -> Written {
        let (api, handle) = (&self.api, object.object);
        if output.len() < self.size {
            return Err(Failure::failed("no room for the MAC"));
        }
        if self.rekey {
            self.schedule(object, key)?;
        }
        // SAFETY: nonce and input have the lengths that are passed, and the output has room for
        // the size that the object reported.
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
