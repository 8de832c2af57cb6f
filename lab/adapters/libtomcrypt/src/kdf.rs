//! Key derivation by `pkcs_5_alg2` (PBKDF2) and `hkdf`.
#![allow(unsafe_code)]

use std::ffi::c_ulong;

use touchstone_worker::{Cell, Derivation, Failure, Offer, Work};

use crate::digest;
use crate::ffi::TomCrypt;

pub(crate) fn offers(tom: &TomCrypt) -> Vec<Offer> {
    Derivation::offers(
        |work| cell(tom, work).is_some(),
        |derivation| match derivation {
            Derivation::Pbkdf2(_) => "pkcs_5_alg2",
            _ => "hkdf",
        },
    )
}

pub(crate) fn cell(tom: &TomCrypt, work: &Work) -> Option<Result<Cell, Failure>> {
    let api = tom.api;
    Some(match Derivation::of(work)? {
        Derivation::Pbkdf2(id) => {
            let (hash, _) = digest::find(tom, id)?;
            work.factor("iterations").map(|iterations| {
                work.derived(move |message, output| {
                    let (input, given) = (message.input.as_ptr(), message.input.len() as c_ulong);
                    let (salt, salted) = (message.nonce.as_ptr(), message.nonce.len() as c_ulong);
                    let (to, mut made) = (output.as_mut_ptr(), output.len() as c_ulong);
                    let (run, n) = (api.pkcs_5_alg2, iterations);
                    // SAFETY: each length is the length of its slice.
                    let code = unsafe { run(input, given, salt, salted, n, hash, to, &mut made) };
                    api.ok("pkcs_5_alg2", code)
                })
            })
        }
        Derivation::Hkdf(id) => {
            let (hash, found) = digest::find(tom, id)?;
            work.need_hkdf_length(found.size as usize).map(|()| {
                work.derived(move |message, output| {
                    let (input, given) = (message.input.as_ptr(), message.input.len() as c_ulong);
                    let (salt, salted) = (message.nonce.as_ptr(), message.nonce.len() as c_ulong);
                    let (info, told) = (message.aad.as_ptr(), message.aad.len() as c_ulong);
                    let (to, length) = (output.as_mut_ptr(), output.len() as c_ulong);
                    let run = api.hkdf;
                    // SAFETY: each length is the length of its slice.
                    let code =
                        unsafe { run(hash, salt, salted, info, told, input, given, to, length) };
                    api.ok("hkdf", code)
                })
            })
        }
        _ => return None,
    })
}
