//! scrypt and Argon2. The C interface has separate functions for them, because their costs are
//! other than the costs of the derivations that the interface finds by name.
#![allow(unsafe_code)]

use touchstone_worker::{Cell, Derivation, Failure, Offer, Work, c_string};

use crate::ffi::{Touchstone, p, p_mut};

pub(crate) fn offers(library: &Touchstone) -> Vec<Offer> {
    Derivation::offers(
        |work| matches!(cell(library, work), Some(Ok(_))),
        |derivation| match derivation {
            Derivation::Argon2(_) => "touchstone_argon2",
            _ => "touchstone_scrypt",
        },
    )
}

pub(crate) fn cell(library: &Touchstone, work: &Work) -> Option<Result<Cell, Failure>> {
    match Derivation::of(work)? {
        Derivation::Scrypt => Some(by_scrypt(library, work)),
        Derivation::Argon2(_) => by_argon2(library, work),
        Derivation::Pbkdf2(_) | Derivation::Hkdf(_) => None,
    }
}

fn by_scrypt(library: &Touchstone, work: &Work) -> Result<Cell, Failure> {
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

/// Returns `None` for a library that is older than its Argon2.
fn by_argon2(library: &Touchstone, work: &Work) -> Option<Result<Cell, Failure>> {
    let (api, argon2) = (library.api, library.api.touchstone_argon2?);
    let make = || {
        let name = c_string(&work.primitive);
        let (passes, memory) = (work.factor("iterations")?, work.factor("memory")?);
        let lanes = work.factor("lanes")?;
        let (secret, data) = (work.key.to_vec(), work.aad.to_vec());
        Ok(work.derived(move |message, output| {
            let (password, salt) = (message.input, message.nonce);
            // SAFETY: the name is a C string, and each length is the length of its bytes.
            let code = unsafe {
                argon2(
                    name.as_ptr(),
                    p(password),
                    password.len(),
                    p(salt),
                    salt.len(),
                    p(&secret),
                    secret.len(),
                    p(&data),
                    data.len(),
                    passes,
                    memory,
                    lanes,
                    p_mut(output),
                    output.len(),
                )
            };
            api.check(code)
        }))
    };
    Some(make())
}
