//! Key derivation by `gnutls_pbkdf2`, `gnutls_hkdf_extract` and `gnutls_hkdf_expand`.
#![allow(unsafe_code)]

use touchstone_worker::{Cell, Derivation, Failure, Offer, Work};

use crate::ffi::{Datum, Gnutls};
use crate::mac::hmac;

pub(crate) fn offers(gnutls: &Gnutls) -> Vec<Offer> {
    Derivation::offers(
        |work| cell(gnutls, work).is_some(),
        |derivation| match derivation {
            Derivation::Pbkdf2(_) => "gnutls_pbkdf2",
            _ => "gnutls_hkdf_extract, gnutls_hkdf_expand",
        },
    )
}

pub(crate) fn cell(gnutls: &Gnutls, work: &Work) -> Option<Result<Cell, Failure>> {
    let api = gnutls.api;
    Some(match Derivation::of(work)? {
        Derivation::Pbkdf2(hash) => {
            let (run, number) = (api.gnutls_pbkdf2?, hmac(gnutls, hash)?.0);
            work.factor("iterations").map(|iterations| {
                work.derived(move |message, output| {
                    let (input, salt) = (Datum::new(message.input)?, Datum::new(message.nonce)?);
                    let to = output.as_mut_ptr();
                    // SAFETY: the data outlive the call, and the output has the length that is
                    // passed.
                    let code = unsafe { run(number, &input, &salt, iterations, to, output.len()) };
                    api.ok("gnutls_pbkdf2", code)
                })
            })
        }
        Derivation::Hkdf(hash) => {
            let (extract, expand) = (api.gnutls_hkdf_extract?, api.gnutls_hkdf_expand?);
            let (number, size) = hmac(gnutls, hash)?;
            work.need_hkdf_length(size).map(|()| {
                work.derived(move |message, output| {
                    let (input, salt) = (Datum::new(message.input)?, Datum::new(message.nonce)?);
                    let mut inner = [0; 64];
                    // SAFETY: the data outlive the calls, the inner key has room for the
                    // longest hash, and the output has the length that is passed.
                    unsafe {
                        let code = extract(number, &input, &salt, inner.as_mut_ptr());
                        api.ok("gnutls_hkdf_extract", code)?;
                        let (inner, info) = (Datum::new(&inner[..size])?, Datum::new(message.aad)?);
                        let to = output.as_mut_ptr();
                        let code = expand(number, &inner, &info, to, output.len());
                        api.ok("gnutls_hkdf_expand", code)
                    }
                })
            })
        }
        _ => return None,
    })
}
