//! Key derivation: `wc_PBKDF2`, `wc_HKDF`, `wc_scrypt`.
#![allow(unsafe_code)]

use std::ffi::c_int;

use touchstone_worker::{Cell, Failure, Message, Offer, Operation, Work, offer};

use crate::ffi::{Api, Wolf, int, ok, word};
use crate::mac::{HASHES, hash};

#[derive(Clone, Copy)]
enum Kind {
    /// PBKDF2 with a hash and a number of iterations.
    Pbkdf2(c_int, c_int),
    /// HKDF with a hash and the bytes of its digest.
    Hkdf(c_int, usize),
    /// scrypt with the exponent of N, then r and p.
    Scrypt(c_int, c_int, c_int),
}

impl Kind {
    /// The function, with no costs yet.
    fn find(wolf: &Wolf, primitive: &str) -> Option<Self> {
        if primitive == "scrypt" {
            return wolf.api.wc_scrypt.map(|_| Self::Scrypt(0, 0, 0));
        }
        if let Some(id) = primitive.strip_prefix("pbkdf2-hmac-") {
            wolf.api.wc_PBKDF2?;
            return Some(Self::Pbkdf2(hash(wolf, id)?.0, 0));
        }
        wolf.api.wc_HKDF?;
        let (number, size) = hash(wolf, primitive.strip_prefix("hkdf-")?)?;
        Some(Self::Hkdf(number, size))
    }

    /// The function with the work's costs.
    fn fit(self, work: &Work, length: usize) -> Result<Self, Failure> {
        let number = |name: &str| {
            let value = work.cost(name).unwrap_or(1);
            c_int::try_from(value)
                .ok()
                .filter(|n| *n > 0)
                .ok_or_else(|| Failure::unsupported(format_args!("{name} = {value}")))
        };
        match self {
            Self::Pbkdf2(hash, _) => Ok(Self::Pbkdf2(hash, number("iterations")?)),
            Self::Hkdf(_, size) if length > 255 * size => Err(Failure::length("an output", length)),
            Self::Hkdf(..) => Ok(self),
            Self::Scrypt(..) => {
                let n = number("n")?;
                if n < 2 || n.count_ones() != 1 {
                    return Err(Failure::unsupported(format_args!("n = {n}")));
                }
                Ok(Self::Scrypt(
                    n.trailing_zeros().cast_signed(),
                    number("r")?,
                    number("p")?,
                ))
            }
        }
    }
}

pub(crate) fn offers(wolf: &Wolf) -> Vec<Offer> {
    HASHES
        .iter()
        .flat_map(|(id, ..)| {
            [
                (format!("pbkdf2-hmac-{id}"), "wc_PBKDF2"),
                (format!("hkdf-{id}"), "wc_HKDF"),
            ]
        })
        .chain([("scrypt".to_owned(), "wc_scrypt")])
        .filter(|(id, _)| Kind::find(wolf, id).is_some())
        .map(|(id, api)| offer(&id, "derive", api))
        .collect()
}

pub(crate) fn cell(wolf: &Wolf, work: &Work) -> Option<Result<Cell, Failure>> {
    if work.operation != "derive" {
        return None;
    }
    let (api, length) = (wolf.api, work.length.unwrap_or(32));
    let kind = Kind::find(wolf, &work.primitive)?.fit(work, length);
    Some(kind.map(|kind| Cell::new(move || Ok(Kdf { api, kind, length }))))
}

struct Kdf {
    api: Api,
    kind: Kind,
    length: usize,
}

impl Operation for Kdf {
    fn process(&mut self, message: &Message<'_>, output: &mut [u8]) -> Result<usize, Failure> {
        let gone = || Failure::unsupported("this function in this build");
        let (api, to) = (&self.api, output.as_mut_ptr());
        let (input, salt, info) = (message.input, message.nonce, message.aad);
        let (length, given, salted) = (int(self.length)?, int(input.len())?, int(salt.len())?);
        let (from, salt_at) = (input.as_ptr(), salt.as_ptr());
        // SAFETY: lengths are those of the slices; the worker's output has room for the
        // requested length.
        let code = unsafe {
            match self.kind {
                Kind::Pbkdf2(hash, iterations) => {
                    let run = api.wc_PBKDF2.ok_or_else(gone)?;
                    run(to, from, given, salt_at, salted, iterations, length, hash)
                }
                Kind::Hkdf(hash, _) => api.wc_HKDF.ok_or_else(gone)?(
                    hash,
                    from,
                    word(input.len())?,
                    salt_at,
                    word(salt.len())?,
                    info.as_ptr(),
                    word(info.len())?,
                    to,
                    word(self.length)?,
                ),
                Kind::Scrypt(exponent, r, p) => {
                    let run = api.wc_scrypt.ok_or_else(gone)?;
                    run(to, from, given, salt_at, salted, exponent, r, p, length)
                }
            }
        };
        ok("the derivation", code)?;
        Ok(self.length)
    }
}
