//! Key derivation: `pkcs_5_alg2` and `hkdf`.
#![allow(unsafe_code)]

use std::ffi::{c_int, c_ulong};

use touchstone_worker::{Cell, Failure, Message, Offer, Operation, Work, offer};

use crate::digest::{self, HASHES};
use crate::ffi::{Api, TomCrypt};

/// The algorithm, with the hash's number; for PBKDF2 also the iterations.
#[derive(Clone, Copy)]
enum Kind {
    Pbkdf2(c_int, c_int),
    Hkdf(c_int),
}

fn find(tom: &TomCrypt, primitive: &str) -> Option<(Kind, usize)> {
    if let Some(id) = primitive.strip_prefix("pbkdf2-hmac-") {
        let (number, hash) = digest::find(tom, id)?;
        Some((Kind::Pbkdf2(number, 1), hash.size as usize))
    } else {
        let (number, hash) = digest::find(tom, primitive.strip_prefix("hkdf-")?)?;
        Some((Kind::Hkdf(number), hash.size as usize))
    }
}

pub(crate) fn offers(tom: &TomCrypt) -> Vec<Offer> {
    HASHES
        .iter()
        .flat_map(|(id, _)| {
            [
                (format!("pbkdf2-hmac-{id}"), "pkcs_5_alg2"),
                (format!("hkdf-{id}"), "hkdf"),
            ]
        })
        .filter(|(id, _)| find(tom, id).is_some())
        .map(|(id, api)| offer(&id, "derive", api))
        .collect()
}

pub(crate) fn cell(tom: &TomCrypt, work: &Work) -> Option<Result<Cell, Failure>> {
    if work.operation != "derive" {
        return None;
    }
    let (kind, hash) = find(tom, &work.primitive)?;
    let (api, length) = (tom.api, work.length.unwrap_or(32));
    let kind = match kind {
        Kind::Hkdf(_) if length > 255 * hash => Err(Failure::length("an output", length)),
        Kind::Hkdf(_) => Ok(kind),
        Kind::Pbkdf2(number, _) => {
            let iterations = work.cost("iterations").unwrap_or(1);
            c_int::try_from(iterations)
                .ok()
                .filter(|n| *n > 0)
                .map(|n| Kind::Pbkdf2(number, n))
                .ok_or_else(|| Failure::unsupported(format_args!("{iterations} iterations")))
        }
    };
    Some(kind.map(|kind| Cell::new(move || Ok(Kdf { api, kind, length }))))
}

struct Kdf {
    api: Api,
    kind: Kind,
    length: usize,
}

impl Operation for Kdf {
    fn process(&mut self, message: &Message<'_>, output: &mut [u8]) -> Result<usize, Failure> {
        let api = &self.api;
        let (input, given) = (message.input.as_ptr(), message.input.len() as c_ulong);
        let (salt, salt_bytes) = (message.nonce.as_ptr(), message.nonce.len() as c_ulong);
        let (info, info_bytes) = (message.aad.as_ptr(), message.aad.len() as c_ulong);
        let (to, mut length) = (output.as_mut_ptr(), self.length as c_ulong);
        // SAFETY: lengths are those of the slices; the worker's output has room for the
        // requested length.
        unsafe {
            match self.kind {
                Kind::Pbkdf2(hash, iterations) => {
                    let run = api.pkcs_5_alg2;
                    let code = run(
                        input,
                        given,
                        salt,
                        salt_bytes,
                        iterations,
                        hash,
                        to,
                        &mut length,
                    );
                    api.ok("pkcs_5_alg2", code)?;
                }
                Kind::Hkdf(hash) => {
                    let run = api.hkdf;
                    let code = run(
                        hash, salt, salt_bytes, info, info_bytes, input, given, to, length,
                    );
                    api.ok("hkdf", code)?;
                }
            }
        }
        Ok(self.length)
    }
}
