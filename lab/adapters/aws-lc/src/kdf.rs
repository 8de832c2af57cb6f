//! Key derivation by `HKDF`, `PKCS5_PBKDF2_HMAC` and `EVP_PBE_scrypt`: one call for each
//! derivation.
#![allow(unsafe_code)]

use std::ffi::c_int;

use aws_lc_sys::*;
use touchstone_worker::{Cell, Derivation, Failure, Offer, Work};

use crate::AwsLc;
use crate::digest::in_hmac;

/// The most memory, in bytes, that scrypt is allowed to allocate.
const MOST: usize = 4 << 30;

pub(crate) fn offers(_: &AwsLc) -> Vec<Offer> {
    Derivation::offers(
        |work| cell(&AwsLc, work).is_some(),
        |derivation| match derivation {
            Derivation::Pbkdf2(_) => "PKCS5_PBKDF2_HMAC",
            Derivation::Hkdf(_) => "HKDF",
            _ => "EVP_PBE_scrypt",
        },
    )
}

pub(crate) fn cell(_: &AwsLc, work: &Work) -> Option<Result<Cell, Failure>> {
    Some(match Derivation::of(work)? {
        Derivation::Hkdf(hash) => {
            let md = in_hmac(hash)?;
            Ok(work.derived(move |message, output| {
                let md = &md;
                let (secret, given) = (message.input.as_ptr(), message.input.len());
                let (salt, salted) = (message.nonce.as_ptr(), message.nonce.len());
                let (info, told) = (message.aad.as_ptr(), message.aad.len());
                let (to, length) = (output.as_mut_ptr(), output.len());
                // SAFETY: each length is the length of its slice.
                taken(unsafe { HKDF(to, length, md.0, secret, given, salt, salted, info, told) })
            }))
        }
        Derivation::Pbkdf2(hash) => {
            let md = in_hmac(hash)?;
            work.factor("iterations").map(|iterations| {
                work.derived(move |message, output| {
                    let md = &md;
                    let (secret, given) = (message.input.as_ptr().cast(), message.input.len());
                    let (salt, salted) = (message.nonce.as_ptr(), message.nonce.len());
                    let (to, length) = (output.as_mut_ptr(), output.len());
                    // SAFETY: each length is the length of its slice.
                    taken(unsafe {
                        PKCS5_PBKDF2_HMAC(secret, given, salt, salted, iterations, md.0, length, to)
                    })
                })
            })
        }
        Derivation::Scrypt => {
            let cost = |name| work.factor::<u64>(name);
            let costs = cost("n").and_then(|n| Ok((n, cost("r")?, cost("p")?)));
            costs.map(|(n, r, p)| {
                work.derived(move |message, output| {
                    let (secret, given) = (message.input.as_ptr().cast(), message.input.len());
                    let (salt, salted) = (message.nonce.as_ptr(), message.nonce.len());
                    let (to, length) = (output.as_mut_ptr(), output.len());
                    // SAFETY: each length is the length of its slice.
                    taken(unsafe {
                        EVP_PBE_scrypt(secret, given, salt, salted, n, r, p, MOST, to, length)
                    })
                })
            })
        }
        Derivation::Argon2(_) => return None,
    })
}

/// Converts a return code into a `Result`. An error means that the function does not accept
/// the costs or the lengths.
fn taken(code: c_int) -> Result<(), Failure> {
    if code == 1 {
        return Ok(());
    }
    // SAFETY: the function takes no arguments.
    unsafe { ERR_clear_error() };
    Err(Failure::unsupported("these parameters"))
}
