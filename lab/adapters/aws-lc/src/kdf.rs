//! Key derivation: HKDF, PBKDF2, scrypt, each one call.
#![allow(unsafe_code)]

use aws_lc_sys::*;
use touchstone_worker::{Cell, Failure, Message, Offer, Operation, Work, offer};

use crate::digest::{self, HASHES, Md};

#[derive(Clone, Copy)]
enum Kind {
    Hkdf(Md),
    Pbkdf2(Md, u32),
    Scrypt(u64, u64, u64),
}

fn find(work: &Work) -> Option<Kind> {
    let cost = |name| work.cost(name).unwrap_or(1);
    if work.primitive == "scrypt" {
        return Some(Kind::Scrypt(cost("n"), cost("r"), cost("p")));
    }
    if let Some(hash) = work.primitive.strip_prefix("hkdf-") {
        return digest::in_hmac(hash).map(Kind::Hkdf);
    }
    let hash = work.primitive.strip_prefix("pbkdf2-hmac-")?;
    let iterations = u32::try_from(cost("iterations")).ok()?;
    digest::in_hmac(hash).map(|md| Kind::Pbkdf2(md, iterations))
}

pub(crate) fn offers() -> Vec<Offer> {
    let mut rows = vec![offer("scrypt", "derive", "EVP_PBE_scrypt")];
    for (id, _) in HASHES
        .iter()
        .filter(|(id, _)| digest::in_hmac(id).is_some())
    {
        rows.push(offer(&format!("hkdf-{id}"), "derive", "HKDF"));
        rows.push(offer(
            &format!("pbkdf2-hmac-{id}"),
            "derive",
            "PKCS5_PBKDF2_HMAC",
        ));
    }
    rows
}

pub(crate) fn cell(work: &Work) -> Option<Result<Cell, Failure>> {
    if work.operation != "derive" {
        return None;
    }
    let kind = find(work)?;
    let length = work.length.unwrap_or(32);
    Some(Ok(Cell::new(move || Ok(Kdf { kind, length }))))
}

struct Kdf {
    kind: Kind,
    length: usize,
}

impl Operation for Kdf {
    #[inline]
    fn process(&mut self, message: &Message<'_>, output: &mut [u8]) -> Result<usize, Failure> {
        let (secret, salt) = (message.input, message.nonce);
        let (out, length) = (output.as_mut_ptr(), self.length);
        // SAFETY: lengths are those of the slices; the worker's output has room for the
        // requested length.
        let code = unsafe {
            match self.kind {
                Kind::Hkdf(md) => HKDF(
                    out,
                    length,
                    md.0,
                    secret.as_ptr(),
                    secret.len(),
                    salt.as_ptr(),
                    salt.len(),
                    message.aad.as_ptr(),
                    message.aad.len(),
                ),
                Kind::Pbkdf2(md, iterations) => PKCS5_PBKDF2_HMAC(
                    secret.as_ptr().cast(),
                    secret.len(),
                    salt.as_ptr(),
                    salt.len(),
                    iterations,
                    md.0,
                    length,
                    out,
                ),
                Kind::Scrypt(n, r, p) => EVP_PBE_scrypt(
                    secret.as_ptr().cast(),
                    secret.len(),
                    salt.as_ptr(),
                    salt.len(),
                    n,
                    r,
                    p,
                    4 << 30,
                    out,
                    length,
                ),
            }
        };
        if code != 1 {
            // SAFETY: no arguments.
            unsafe { ERR_clear_error() };
            return Err(Failure::unsupported("these parameters"));
        }
        Ok(length)
    }
}
