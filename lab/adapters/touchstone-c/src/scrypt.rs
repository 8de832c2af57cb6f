//! scrypt. The C interface has a separate function for it, because scrypt's costs are other
//! than the costs of the derivations that the interface finds by name.
#![allow(unsafe_code)]

use touchstone_worker::{Cell, Derivation, Failure, Offer, Work};

use crate::ffi::{Touchstone, p, p_mut};

pub(crate) fn offers(library: &Touchstone) -> Vec<Offer> {
    Derivation::offers(
        |work| matches!(cell(library, work), Some(Ok(_))),
        |_| "touchstone_scrypt",
    )
}

pub(crate) fn cell(library: &Touchstone, work: &Work) -> Option<Result<Cell, Failure>> {
    (Derivation::of(work)? == Derivation::Scrypt).then(|| make(library, work))
}

fn make(library: &Touchstone, work: &Work) -> Result<Cell, Failure> {
    let api = library.api;
    let (rows, r, lanes) = (work.factor("n")?, work.factor("r")?, work.factor("p")?);
    Ok(work.derived(move |message, output| {
        let (password, salt) = (message.input, message.nonce);
        // SAFETY: each length is the length of its bytes.
        let code = unsafe {
            (api.touchstone_scrypt)(
                p(password),
                password.len(),
                p(salt),
                salt.len(),
                rows,
                r,
                lanes,
                p_mut(output),
                output.len(),
            )
        };
        api.check(code)
    }))
}
