//! Key derivation by `wc_PBKDF2`, `wc_HKDF` and `wc_scrypt`.
#![allow(unsafe_code)]

use std::ffi::c_int;

use touchstone_worker::{Cell, Derivation, Failure, Offer, Work};

use crate::ffi::{Wolf, int, ok, word};
use crate::mac::hash;

pub(crate) fn offers(wolf: &Wolf) -> Vec<Offer> {
    Derivation::offers(
        |work| cell(wolf, work).is_some(),
        |derivation| match derivation {
            Derivation::Pbkdf2(_) => "wc_PBKDF2",
            Derivation::Hkdf(_) => "wc_HKDF",
            _ => "wc_scrypt",
        },
    )
}

pub(crate) fn cell(wolf: &Wolf, work: &Work) -> Option<Result<Cell, Failure>> {
    Some(match Derivation::of(work)? {
        Derivation::Pbkdf2(id) => {
            let (run, (hash, _)) = (wolf.api.wc_PBKDF2?, hash(wolf, id)?);
            work.factor("iterations").map(|iterations| {
                work.derived(move |message, output| {
                    let (input, given) = (message.input.as_ptr(), int(message.input.len())?);
                    let (salt, salted) = (message.nonce.as_ptr(), int(message.nonce.len())?);
                    let (to, length) = (output.as_mut_ptr(), int(output.len())?);
                    // SAFETY: each length is the length of its slice.
                    let code =
                        unsafe { run(to, input, given, salt, salted, iterations, length, hash) };
                    ok("wc_PBKDF2", code)
                })
            })
        }
        Derivation::Hkdf(id) => {
            let (run, (hash, size)) = (wolf.api.wc_HKDF?, hash(wolf, id)?);
            work.need_hkdf_length(size).map(|()| {
                work.derived(move |message, output| {
                    let (input, given) = (message.input.as_ptr(), word(message.input.len())?);
                    let (salt, salted) = (message.nonce.as_ptr(), word(message.nonce.len())?);
                    let (info, told) = (message.aad.as_ptr(), word(message.aad.len())?);
                    let (to, length) = (output.as_mut_ptr(), word(output.len())?);
                    // SAFETY: each length is the length of its slice.
                    let code =
                        unsafe { run(hash, input, given, salt, salted, info, told, to, length) };
                    ok("wc_HKDF", code)
                })
            })
        }
        Derivation::Scrypt => {
            let run = wolf.api.wc_scrypt?;
            scrypt_costs(work).map(|[exponent, r, p]| {
                work.derived(move |message, output| {
                    let (input, given) = (message.input.as_ptr(), int(message.input.len())?);
                    let (salt, salted) = (message.nonce.as_ptr(), int(message.nonce.len())?);
                    let (to, length) = (output.as_mut_ptr(), int(output.len())?);
                    // SAFETY: each length is the length of its slice.
                    let code =
                        unsafe { run(to, input, given, salt, salted, exponent, r, p, length) };
                    ok("wc_scrypt", code)
                })
            })
        }
        Derivation::Argon2(_) => return None,
    })
}

/// Returns log₂ of the cost N, then the costs r and p.
fn scrypt_costs(work: &Work) -> Result<[c_int; 3], Failure> {
    let n: c_int = work.factor("n")?;
    if n < 2 || n.count_ones() != 1 {
        return Err(Failure::unsupported(format_args!("n = {n}")));
    }
    let exponent = n.trailing_zeros().cast_signed();
    Ok([exponent, work.factor("r")?, work.factor("p")?])
}
