//! Key derivation: `mbedtls_pkcs5_pbkdf2_hmac` and `mbedtls_hkdf`.
#![allow(unsafe_code)]

use std::ffi::c_uint;

use touchstone_worker::{Cell, Derivation, Failure, Message, Offer, Operation, Work};

use crate::digest::{self, HASHES};
use crate::ffi::{Api, Held, Mbed, ok};

pub(crate) fn offers(mbed: &Mbed) -> Vec<Offer> {
    let hashes = HASHES.iter().map(|(id, _)| *id);
    Derivation::offers(
        hashes,
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
            let bytes = u32::try_from(work.length.unwrap_or(32)).map_err(Failure::unsupported);
            let costs = bytes.and_then(|bytes| Ok((work.factor("iterations")?, bytes)));
            costs.map(|(iterations, bytes)| {
                Cell::new(move || {
                    Ok(Pbkdf2 {
                        api,
                        context: digest::context(&api, known, 1)?,
                        iterations,
                        bytes,
                    })
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
                    let (run, hash, to) = (api.mbedtls_hkdf, known.get(), output.as_mut_ptr());
                    // SAFETY: lengths are those of the slices.
                    let code = unsafe {
                        run(
                            hash,
                            salt,
                            salted,
                            input,
                            given,
                            info,
                            told,
                            to,
                            output.len(),
                        )
                    };
                    ok("mbedtls_hkdf", code)
                })
            })
        }
        _ => return None,
    })
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
