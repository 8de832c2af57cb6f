//! Key derivation: `gnutls_pbkdf2`, `gnutls_hkdf_extract` and `…_expand`.
#![allow(unsafe_code)]

use std::ffi::{c_int, c_uint};

use touchstone_worker::{Cell, Failure, Message, Offer, Operation, Work, offer};

use crate::digest::HASHES;
use crate::ffi::{Api, Datum, Gnutls};
use crate::mac::hmac;

/// The hash's number; PBKDF2 with its iterations, HKDF with the hash's bytes.
#[derive(Clone, Copy)]
enum Kind {
    Pbkdf2(c_int, c_uint),
    Hkdf(c_int, usize),
}

impl Kind {
    fn find(gnutls: &Gnutls, primitive: &str) -> Option<Self> {
        let api = &gnutls.api;
        if let Some(id) = primitive.strip_prefix("pbkdf2-hmac-") {
            api.gnutls_pbkdf2?;
            return Some(Self::Pbkdf2(hmac(gnutls, id)?.0, 1));
        }
        api.gnutls_hkdf_extract.and(api.gnutls_hkdf_expand)?;
        let (number, size) = hmac(gnutls, primitive.strip_prefix("hkdf-")?)?;
        Some(Self::Hkdf(number, size))
    }

    fn fit(self, work: &Work, length: usize) -> Result<Self, Failure> {
        match self {
            Self::Hkdf(_, size) if length > 255 * size => Err(Failure::length("an output", length)),
            Self::Hkdf(..) => Ok(self),
            Self::Pbkdf2(number, _) => {
                let iterations = work.cost("iterations").unwrap_or(1);
                c_uint::try_from(iterations)
                    .ok()
                    .filter(|n| *n > 0)
                    .map(|n| Self::Pbkdf2(number, n))
                    .ok_or_else(|| Failure::unsupported(format_args!("{iterations} iterations")))
            }
        }
    }
}

pub(crate) fn offers(gnutls: &Gnutls) -> Vec<Offer> {
    HASHES
        .iter()
        .flat_map(|(id, _)| {
            [
                (format!("pbkdf2-hmac-{id}"), "gnutls_pbkdf2"),
                (
                    format!("hkdf-{id}"),
                    "gnutls_hkdf_extract, gnutls_hkdf_expand",
                ),
            ]
        })
        .filter(|(id, _)| Kind::find(gnutls, id).is_some())
        .map(|(id, api)| offer(&id, "derive", api))
        .collect()
}

pub(crate) fn cell(gnutls: &Gnutls, work: &Work) -> Option<Result<Cell, Failure>> {
    if work.operation != "derive" {
        return None;
    }
    let (api, length) = (gnutls.api, work.length.unwrap_or(32));
    let kind = Kind::find(gnutls, &work.primitive)?.fit(work, length);
    Some(kind.map(|kind| Cell::new(move || Ok(Kdf { api, kind, length }))))
}

struct Kdf {
    api: Api,
    kind: Kind,
    length: usize,
}

impl Operation for Kdf {
    fn process(&mut self, message: &Message<'_>, output: &mut [u8]) -> Result<usize, Failure> {
        let gone = || Failure::unsupported("before GnuTLS 3.6.13");
        let (api, to) = (&self.api, output.as_mut_ptr());
        let input = Datum::new(message.input)?;
        let salt = Datum::new(message.nonce)?;
        // SAFETY: the data live until after the calls; the worker's output has room for
        // the requested length, the inner key the longest hash.
        unsafe {
            match self.kind {
                Kind::Pbkdf2(number, iterations) => {
                    let run = api.gnutls_pbkdf2.ok_or_else(gone)?;
                    let code = run(number, &input, &salt, iterations, to, self.length);
                    api.ok("gnutls_pbkdf2", code)?;
                }
                Kind::Hkdf(number, size) => {
                    let extract = api.gnutls_hkdf_extract.ok_or_else(gone)?;
                    let expand = api.gnutls_hkdf_expand.ok_or_else(gone)?;
                    let mut inner = [0; 64];
                    let code = extract(number, &input, &salt, inner.as_mut_ptr());
                    api.ok("gnutls_hkdf_extract", code)?;
                    let (inner, info) = (Datum::new(&inner[..size])?, Datum::new(message.aad)?);
                    let code = expand(number, &inner, &info, to, self.length);
                    api.ok("gnutls_hkdf_expand", code)?;
                }
            }
        }
        Ok(self.length)
    }
}
