//! Message authentication: HMAC on a keyed state; Poly1305, SipHash and BLAKE2b in
//! one call.
#![allow(unsafe_code)]

use std::ffi::{c_int, c_void};
use std::ptr;

use touchstone_worker::{Cell, Failure, Memory, Message, Offer, Operation, Work, offer, room};

use crate::ffi::{Api, Sodium, exactly, ok};

/// Primitive, function.
const MACS: &[(&str, &str)] = &[
    ("blake2b-mac", "crypto_generichash_blake2b"),
    ("hmac-sha-256", "crypto_auth_hmacsha256_update, final"),
    ("hmac-sha-512", "crypto_auth_hmacsha512_update, final"),
    ("poly1305", "crypto_onetimeauth_poly1305"),
    ("siphash-2-4", "crypto_shorthash_siphash24"),
    ("siphash-2-4-128", "crypto_shorthash_siphashx24"),
];

/// The functions and the state of an HMAC.
#[derive(Clone, Copy)]
struct Hmac {
    init: unsafe extern "C" fn(*mut c_void, *const u8, usize) -> c_int,
    update: unsafe extern "C" fn(*mut c_void, *const u8, u64) -> c_int,
    finish: unsafe extern "C" fn(*mut c_void, *mut u8) -> c_int,
    state: usize,
}

/// Tag, message, key.
type OneShot = unsafe extern "C" fn(*mut u8, *const u8, u64, *const u8) -> c_int;

pub(crate) fn offers(_: &Sodium) -> Vec<Offer> {
    MACS.iter()
        .map(|(id, name)| {
            let mut row = offer(id, "mac", name);
            if id.starts_with("hmac") {
                row.note = "the keyed state is copied before each message".into();
            }
            row
        })
        .collect()
}

pub(crate) fn cell(sodium: &Sodium, work: &Work) -> Option<Result<Cell, Failure>> {
    if work.operation != "mac" {
        return None;
    }
    let api = sodium.api;
    let (one_shot, key, full) = match work.primitive.as_str() {
        "hmac-sha-256" => return Some(hmac(sha256(&api), 32, work)),
        "hmac-sha-512" => return Some(hmac(sha512(&api), 64, work)),
        "blake2b-mac" => return Some(blake(api, work)),
        "poly1305" => (api.crypto_onetimeauth_poly1305 as OneShot, 32, 16),
        "siphash-2-4" => (api.crypto_shorthash_siphash24 as OneShot, 16, 8),
        "siphash-2-4-128" => (api.crypto_shorthash_siphashx24 as OneShot, 16, 16),
        _ => return None,
    };
    let made = exactly("key", work.key.len(), key)
        .and_then(|()| exactly("nonce", work.nonce.len(), 0))
        .and_then(|()| exactly("tag", work.tag.unwrap_or(full), full))
        .map(|()| {
            Cell::new(move || {
                Ok(Short {
                    one_shot,
                    key: [0; 32],
                    tag: full,
                })
            })
        });
    Some(made)
}

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

fn hmac(hmac: Hmac, full: usize, work: &Work) -> Result<Cell, Failure> {
    let tag = work.tag.unwrap_or(full);
    if tag == 0 || tag > full {
        return Err(Failure::length("a tag", tag));
    }
    Ok(Cell::new(move || {
        Ok(Keyed {
            hmac,
            states: Memory::new(2 * room(hmac.state)),
            tag,
        })
    }))
}

/// The longest key and the longest digest of BLAKE2b.
const BLAKE: usize = 64;

fn blake(api: Api, work: &Work) -> Result<Cell, Failure> {
    exactly("nonce", work.nonce.len(), 0)?;
    let tag = work.tag.unwrap_or(BLAKE);
    if work.key.len() > BLAKE {
        return Err(Failure::length("a key", work.key.len()));
    }
    if tag == 0 || tag > BLAKE {
        return Err(Failure::length("a tag", tag));
    }
    Ok(Cell::new(move || {
        Ok(Blake {
            api,
            key: [0; BLAKE],
            key_bytes: 0,
            tag,
        })
    }))
}

struct Blake {
    api: Api,
    /// The key, which is passed with every message.
    key: [u8; BLAKE],
    key_bytes: usize,
    tag: usize,
}

impl Operation for Blake {
    fn set_key(&mut self, key: &[u8]) -> Result<(), Failure> {
        self.key[..key.len()].copy_from_slice(key);
        self.key_bytes = key.len();
        Ok(())
    }

    #[inline]
    fn process(&mut self, message: &Message<'_>, output: &mut [u8]) -> Result<usize, Failure> {
        let (from, given) = (message.input.as_ptr(), message.input.len() as u64);
        let (key, run) = (self.key.as_ptr(), self.api.crypto_generichash_blake2b);
        // SAFETY: lengths are those of the arrays; the worker's output has at least 256
        // bytes.
        let code = unsafe {
            run(
                output.as_mut_ptr(),
                self.tag,
                from,
                given,
                key,
                self.key_bytes,
            )
        };
        ok("crypto_generichash_blake2b", code)?;
        Ok(self.tag)
    }
}

struct Keyed {
    hmac: Hmac,
    /// The keyed state, then the copy for the message.
    states: Memory,
    tag: usize,
}

impl Operation for Keyed {
    fn set_key(&mut self, key: &[u8]) -> Result<(), Failure> {
        // SAFETY: the memory has room for the state.
        let code = unsafe { (self.hmac.init)(self.states.at(0), key.as_ptr(), key.len()) };
        ok("crypto_auth_init", code)
    }

    #[inline]
    fn process(&mut self, message: &Message<'_>, output: &mut [u8]) -> Result<usize, Failure> {
        let Hmac {
            update,
            finish,
            state,
            ..
        } = self.hmac;
        let (keyed, running) = (self.states.at(0), self.states.at(room(state)));
        // SAFETY: the first state is keyed, the second has as much room; the
        // worker's output has at least 256 bytes.
        unsafe {
            ptr::copy_nonoverlapping(keyed.cast::<u8>(), running.cast::<u8>(), state);
            let code = update(running, message.input.as_ptr(), message.input.len() as u64);
            ok("crypto_auth_update", code)?;
            ok("crypto_auth_final", finish(running, output.as_mut_ptr()))?;
        }
        Ok(self.tag)
    }
}

struct Short {
    one_shot: OneShot,
    /// The key, which is passed with every message.
    key: [u8; 32],
    tag: usize,
}

impl Operation for Short {
    fn set_key(&mut self, key: &[u8]) -> Result<(), Failure> {
        self.key[..key.len()].copy_from_slice(key);
        Ok(())
    }

    #[inline]
    fn process(&mut self, message: &Message<'_>, output: &mut [u8]) -> Result<usize, Failure> {
        let (from, given) = (message.input.as_ptr(), message.input.len() as u64);
        // SAFETY: the key has the length that the function reads; the worker's
        // output has at least 256 bytes.
        let code = unsafe { (self.one_shot)(output.as_mut_ptr(), from, given, self.key.as_ptr()) };
        ok("MAC", code)?;
        Ok(self.tag)
    }
}
