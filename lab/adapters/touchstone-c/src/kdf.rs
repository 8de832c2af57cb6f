//! Key derivation. There is no handle: each call finds the name.
#![allow(unsafe_code)]

use std::ffi::CString;

use touchstone_worker::{Cell, Failure, Message, Offer, Operation, Work, c_string};

use crate::ffi::{Api, Touchstone, p, p_mut};

pub(crate) fn offers(library: &Touchstone) -> Vec<Offer> {
    let names = library.derivations.iter();
    names
        .map(|name| library.named(name, name, "derive", "touchstone_derive"))
        .collect()
}

pub(crate) fn cell(library: &Touchstone, work: &Work) -> Option<Result<Cell, Failure>> {
    if work.operation != "derive" || !library.derivations.contains(&work.primitive) {
        return None;
    }
    let iterations = match u32::try_from(work.cost("iterations").unwrap_or(0)) {
        Ok(iterations) => iterations,
        Err(error) => return Some(Err(Failure::unsupported(error))),
    };
    let (api, name) = (library.api, c_string(&work.primitive));
    let length = work.length.unwrap_or(0);
    Some(Ok(Cell::new(move || {
        Ok(Derive {
            api,
            name: name.clone(),
            iterations,
            length,
        })
    })))
}

struct Derive {
    api: Api,
    name: CString,
    iterations: u32,
    length: usize,
}

impl Operation for Derive {
    #[inline]
    fn process(&mut self, message: &Message<'_>, output: &mut [u8]) -> Result<usize, Failure> {
        let Message {
            nonce: salt,
            aad: info,
            input: secret,
            ..
        } = *message;
        // SAFETY: the name is a C string, and all bytes have their lengths.
        let code = unsafe {
            (self.api.touchstone_derive)(
                self.name.as_ptr(),
                p(secret),
                secret.len(),
                p(salt),
                salt.len(),
                p(info),
                info.len(),
                self.iterations,
                p_mut(&mut output[..self.length]),
                self.length,
            )
        };
        self.api.check(code)?;
        Ok(self.length)
    }
}
