//! `gcry_randomize` and `gcry_create_nonce`.
#![allow(unsafe_code)]

use std::ffi::c_int;

use touchstone_worker::random::{self, Generator, Generators, Seed};
use touchstone_worker::{Cell, Failure, Offer, Work};

use crate::ffi::{Api, Gcrypt};

/// The level of `enum gcry_random_level` for session keys.
const STRONG: c_int = 1;

pub(crate) fn offers(gcrypt: &Gcrypt) -> Vec<Offer> {
    random::offers(&Random(gcrypt.api))
}

pub(crate) fn cell(gcrypt: &Gcrypt, work: &Work) -> Option<Result<Cell, Failure>> {
    random::cell(&Random(gcrypt.api), work)
}

#[derive(Clone, Copy)]
struct Random(Api);

impl Generators for Random {
    /// Whether the bytes are for nonces.
    type State = bool;

    fn api(&self, generator: Generator<'_>) -> Option<&'static str> {
        match generator {
            Generator::Own => Some("gcry_randomize, GCRY_STRONG_RANDOM"),
            Generator::Nonces => Some("gcry_create_nonce"),
            _ => None,
        }
    }

    fn instantiate(&self, generator: Generator<'_>, _: &Seed<'_>) -> Result<bool, Failure> {
        Ok(generator == Generator::Nonces)
    }

    #[inline]
    fn generate(
        &self,
        nonces: &mut bool,
        additional: &[u8],
        output: &mut [u8],
    ) -> Result<(), Failure> {
        random::no_more(additional)?;
        let (to, length) = (output.as_mut_ptr().cast(), output.len());
        // SAFETY: the output has so many bytes.
        unsafe {
            if *nonces {
                (self.0.gcry_create_nonce)(to, length);
            } else {
                (self.0.gcry_randomize)(to, length, STRONG);
            }
        }
        Ok(())
    }
}
