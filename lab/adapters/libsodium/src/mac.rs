//! Message authentication codes: HMAC with a keyed state; Poly1305, SipHash and BLAKE2b in one
//! call.
#![allow(unsafe_code)]

use std::ffi::{c_int, c_void};

use touchstone_worker::{Failure, Memory, Message, Plan, Work, Written};

use crate::ffi::{Api, Sodium, ok};

/// The functions of an HMAC, and the length of its state in bytes.
#[derive(Clone, Copy)]
struct Hmac {
    init: unsafe extern "C" fn(*mut c_void, *const u8, usize) -> c_int,
    update: unsafe extern "C" fn(*mut c_void, *const u8, u64) -> c_int,
    finish: unsafe extern "C" fn(*mut c_void, *mut u8) -> c_int,
    state: usize,
}

/// A MAC that is one call. Arguments: tag, message, length, key.
type OneShot = unsafe extern "C" fn(*mut u8, *const u8, u64, *const u8) -> c_int;

fn sha256(api: &Api) -> Hmac {
    Hmac {
        init: api.crypto_auth_hmacsha256_init,
        update: api.crypto_auth_hmacsha256_update,
        finish: api.crypto_auth_hmacsha256_final,
        // SAFETY: the function takes no arguments.
        state: unsafe { (api.crypto_auth_hmacsha256_statebytes)() },
    }
}

fn sha512(api: &Api) -> Hmac {
    Hmac {
        init: api.crypto_auth_hmacsha512_init,
        update: api.crypto_auth_hmacsha512_update,
        finish: api.crypto_auth_hmacsha512_final,
        // SAFETY: the function takes no arguments.
        state: unsafe { (api.crypto_auth_hmacsha512_statebytes)() },
    }
}

/// HMAC with a keyed state, which is copied for each message.
#[derive(Clone, Copy)]
pub(crate) struct Keyed {
    hmac: Hmac,
    name: &'static str,
    tag: usize,
}

impl Plan for Keyed {
    type Library = Sodium;
    /// The keyed state, then the copy for a message.
    type Object = Memory;
    const OPERATIONS: &'static [&'static str] = &["mac"];

    fn find(sodium: &Sodium, primitive: &str, operation: &str) -> Option<Self> {
        let (hmac, name, tag) = match primitive {
            "hmac-sha-256" => (sha256(&sodium.api), "sha256", 32),
            "hmac-sha-512" => (sha512(&sodium.api), "sha512", 64),
            _ => return None,
        };
        (operation == "mac").then_some(Self { hmac, name, tag })
    }

    fn api(&self, _: &str, _: &str) -> String {
        format!("crypto_auth_hmac{}_update, final", self.name)
    }

    fn note(&self, _: &str, _: &str) -> &'static str {
        "the keyed state is copied before each message"
    }

    fn fit(mut self, work: &Work) -> Result<Self, Failure> {
        self.tag = work.need_tag(self.tag, 1..=self.tag)?;
        Ok(self)
    }

    fn make(&self) -> Result<Memory, Failure> {
        Ok(Memory::twice(self.hmac.state))
    }

    fn set_key(&self, states: &mut Memory, key: &[u8]) -> Result<(), Failure> {
        // SAFETY: the memory has room for the state.
        let code = unsafe { (self.hmac.init)(states.at(0), key.as_ptr(), key.len()) };
        ok("crypto_auth_init", code)
    }

    #[inline(always)]
    fn process(&self, states: &mut Memory, message: &Message<'_>, output: &mut [u8]) -> Written {
        let (from, given) = (message.input.as_ptr(), message.input.len() as u64);
        let running = states.restart(self.hmac.state);
        // SAFETY: the first state has a key, the second state has as much room, and the
        // worker's output has at least 256 bytes.
        unsafe {
            ok(
                "crypto_auth_update",
                (self.hmac.update)(running, from, given),
            )?;
            ok(
                "crypto_auth_final",
                (self.hmac.finish)(running, output.as_mut_ptr()),
            )?;
        }
        Ok(self.tag)
    }
}

/// A MAC that is one call, which takes the key.
#[derive(Clone, Copy)]
pub(crate) struct Short {
    one_shot: OneShot,
    name: &'static str,
    key: usize,
    tag: usize,
}

impl Plan for Short {
    type Library = Sodium;
    /// The key, which is an argument of the call for each message.
    type Object = [u8; 32];
    const OPERATIONS: &'static [&'static str] = &["mac"];

    fn find(sodium: &Sodium, primitive: &str, operation: &str) -> Option<Self> {
        let api = &sodium.api;
        let (one_shot, name, key, tag) = match primitive {
            "poly1305" => (
                api.crypto_onetimeauth_poly1305 as OneShot,
                "onetimeauth_poly1305",
                32,
                16,
            ),
            "siphash-2-4" => (
                api.crypto_shorthash_siphash24 as OneShot,
                "shorthash_siphash24",
                16,
                8,
            ),
            "siphash-2-4-128" => (
                api.crypto_shorthash_siphashx24 as OneShot,
                "shorthash_siphashx24",
                16,
                16,
            ),
            _ => return None,
        };
        (operation == "mac").then_some(Self {
            one_shot,
            name,
            key,
            tag,
        })
    }

    fn api(&self, _: &str, _: &str) -> String {
        format!("crypto_{}", self.name)
    }

    fn fit(self, work: &Work) -> Result<Self, Failure> {
        work.shape(16)
            .tag(self.tag)
            .fit(work, self.key)
            .map(|_| self)
    }

    fn make(&self) -> Result<[u8; 32], Failure> {
        Ok([0; 32])
    }

    fn set_key(&self, kept: &mut [u8; 32], key: &[u8]) -> Result<(), Failure> {
        kept[..key.len()].copy_from_slice(key);
        Ok(())
    }

    #[inline(always)]
    fn process(&self, key: &mut [u8; 32], message: &Message<'_>, output: &mut [u8]) -> Written {
        let (from, given) = (message.input.as_ptr(), message.input.len() as u64);
        // SAFETY: the key has the length that the function reads, and the worker's output has
        // at least 256 bytes.
        let code = unsafe { (self.one_shot)(output.as_mut_ptr(), from, given, key.as_ptr()) };
        ok("MAC", code)?;
        Ok(self.tag)
    }
}

/// Length of the longest key and of the longest digest of BLAKE2b, in bytes.
const BLAKE: usize = 64;

#[derive(Clone, Copy)]
pub(crate) struct Blake {
    api: Api,
    tag: usize,
}

impl Plan for Blake {
    type Library = Sodium;
    /// The key, which is an argument of the call for each message, and its length in bytes.
    type Object = ([u8; BLAKE], usize);
    const OPERATIONS: &'static [&'static str] = &["mac"];

    fn find(sodium: &Sodium, primitive: &str, operation: &str) -> Option<Self> {
        let (api, tag) = (sodium.api, BLAKE);
        ((primitive, operation) == ("blake2b-mac", "mac")).then_some(Self { api, tag })
    }

    fn api(&self, _: &str, _: &str) -> String {
        "crypto_generichash_blake2b".into()
    }

    fn fit(mut self, work: &Work) -> Result<Self, Failure> {
        self.tag = work.shape(BLAKE).fit(work, 0..=BLAKE)?;
        Ok(self)
    }

    fn make(&self) -> Result<Self::Object, Failure> {
        Ok(([0; BLAKE], 0))
    }

    fn set_key(&self, (kept, bytes): &mut Self::Object, key: &[u8]) -> Result<(), Failure> {
        kept[..key.len()].copy_from_slice(key);
        *bytes = key.len();
        Ok(())
    }

    #[inline(always)]
    fn process(
        &self,
        object: &mut Self::Object,
        message: &Message<'_>,
        output: &mut [u8],
    ) -> Written {
        let (run, to) = (self.api.crypto_generichash_blake2b, output.as_mut_ptr());
        let (from, given) = (message.input.as_ptr(), message.input.len() as u64);
        let (key, bytes) = (object.0.as_ptr(), object.1);
        // SAFETY: each length is the length of its array, and the worker's output has at least
        // 256 bytes.
        let code = unsafe { run(to, self.tag, from, given, key, bytes) };
        ok("crypto_generichash_blake2b", code)?;
        Ok(self.tag)
    }
}
