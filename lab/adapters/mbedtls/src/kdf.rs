//! Key derivation by `mbedtls_pkcs5_pbkdf2_hmac` and `mbedtls_hkdf`.
#![allow(unsafe_code)]

use touchstone_worker::{Cell, Derivation, Failure, Offer, Work};

use crate::digest;
use crate::ffi::{Mbed, ok};

pub(crate) fn offers(mbed: &Mbed) -> Vec<Offer> {
    Derivation::offers(
        |work| cell(mbed, work).is_some(),
        |derivation| match derivation {
            Derivation::Pbkdf2(_) => "mbedtls_pkcs5_pbkdf2_hmac",
            _ => "mbedtls_hkdf",
        },
    )
}

pub(crate) fn cell(mbed: &Mbed, work: &Work) -> Option<Result<Cell, Failure>> {
    let api = mbed.api;
    Some(match Derivation::of(work)? {
        Derivation::Pbkdf2(id) => {
            let (known, _) = digest::find(mbed, id)?;
            work.factor("iterations").map(|iterations| {
                let make = move || digest::context(&api, known, 1);
                work.derived_with(make, move |context, message, output| {
                    let (input, given) = (message.input.as_ptr(), message.input.len());
                    let (salt, salted) = (message.nonce.as_ptr(), message.nonce.len());
                    let bytes = u32::try_from(output.len()).map_err(Failure::unsupported)?;
                    let (run, n, to) = (
                        api.mbedtls_pkcs5_pbkdf2_hmac,
                        iterations,
                        output.as_mut_ptr(),
                    );
                    let context = context.at(0);
                    // SAFETY: the context is set up for HMAC, and each length is the length of
                    // its slice.
                    let code = unsafe { run(context, input, given, salt, salted, n, bytes, to) };
                    ok("mbedtls_pkcs5_pbkdf2_hmac", code)
                })
            })
        }
        Derivation::Hkdf(id) => {
            let (known, size) = digest::find(mbed, id)?;
            work.need_hkdf_length(size).map(|()| {
                work.derived(move |message, output| {
                    let (input, given) = (message.input.as_ptr(), message.input.len());
                    let (salt, salted) = (message.nonce.as_ptr(), message.nonce.len());
                    let (info, told) = (message.aad.as_ptr(), message.aad.len());
                    let (to, made, hash) = (output.as_mut_ptr(), output.len(), known.get());
                    let run = api.mbedtls_hkdf;
                    // SAFETY: each length is the length of its slice.
                    let code =
                        unsafe { run(hash, salt, salted, input, given, info, told, to, made) };
                    ok("mbedtls_hkdf", code)
                })
            })
        }
        _ => return None,
    })
}
