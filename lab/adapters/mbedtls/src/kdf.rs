//! Key derivation: `mbedtls_pkcs5_pbkdf2_hmac` and `mbedtls_hkdf`.
#![allow(unsafe_code)]

use std::ffi::c_uint;

use touchstone_worker::{Cell, Failure, Message, Offer, Operation, Work, offer};

use crate::digest::{self, HASHES};
use crate::ffi::{Api, Held, Known, Mbed, ok};

/// Whether it is PBKDF2 or HKDF, the hash, and bytes of its digest.
fn find(mbed: &Mbed, primitive: &str) -> Option<(bool, Known, usize)> {
    let (pbkdf2, id) = match primitive.strip_prefix("pbkdf2-hmac-") {
        Some(id) => (true, id),
        None => (false, primitive.strip_prefix("hkdf-")?),
    };
    let (known, size) = digest::find(mbed, id)?;
    Some((pbkdf2, known, size))
}

pub(crate) fn offers(mbed: &Mbed) -> Vec<Offer> {
    HASHES
        .iter()
        .flat_map(|(id, _)| {
            [
                (format!("pbkdf2-hmac-{id}"), "mbedtls_pkcs5_pbkdf2_hmac"),
                (format!("hkdf-{id}"), "mbedtls_hkdf"),
            ]
        })
        .filter(|(id, _)| find(mbed, id).is_some())
        .map(|(id, api)| offer(&id, "derive", api))
        .collect()
}

pub(crate) fn cell(mbed: &Mbed, work: &Work) -> Option<Result<Cell, Failure>> {
    if work.operation != "derive" {
        return None;
    }
    let (pbkdf2, known, size) = find(mbed, &work.primitive)?;
    let (api, length) = (mbed.api, work.length.unwrap_or(32));
    if !pbkdf2 {
        if length > 255 * size {
            return Some(Err(Failure::length("an output", length)));
        }
        return Some(Ok(Cell::new(move || Ok(Hkdf { api, known, length }))));
    }
    let iterations = work.cost("iterations").unwrap_or(1);
    let (Ok(iterations), Ok(bytes)) = (c_uint::try_from(iterations), u32::try_from(length)) else {
        return Some(Err(Failure::unsupported(format_args!(
            "{iterations} iterations"
        ))));
    };
    Some(Ok(Cell::new(move || {
        Ok(Pbkdf2 {
            api,
            context: digest::context(&api, known, 1)?,
            iterations,
            bytes,
        })
    })))
}

struct Pbkdf2 {
    api: Api,
    context: Held,
    iterations: c_uint,
    bytes: u32,
}

impl Operation for Pbkdf2 {
    fn process(&mut self, message: &Message<'_>, output: &mut [u8]) -> Result<usize, Failure> {
        // SAFETY: the context is set up for HMAC; lengths are those of the slices; the
        // worker's output has room for the requested length.
        let code = unsafe {
            (self.api.mbedtls_pkcs5_pbkdf2_hmac)(
                self.context.get(),
                message.input.as_ptr(),
                message.input.len(),
                message.nonce.as_ptr(),
                message.nonce.len(),
                self.iterations,
                self.bytes,
                output.as_mut_ptr(),
            )
        };
        ok("mbedtls_pkcs5_pbkdf2_hmac", code)?;
        Ok(self.bytes as usize)
    }
}

struct Hkdf {
    api: Api,
    known: Known,
    length: usize,
}

impl Operation for Hkdf {
    fn process(&mut self, message: &Message<'_>, output: &mut [u8]) -> Result<usize, Failure> {
        // SAFETY: lengths are those of the slices; the worker's output has room for the
        // requested length.
        let code = unsafe {
            (self.api.mbedtls_hkdf)(
                self.known.get(),
                message.nonce.as_ptr(),
                message.nonce.len(),
                message.input.as_ptr(),
                message.input.len(),
                message.aad.as_ptr(),
                message.aad.len(),
                output.as_mut_ptr(),
                self.length,
            )
        };
        ok("mbedtls_hkdf", code)?;
        Ok(self.length)
    }
}
