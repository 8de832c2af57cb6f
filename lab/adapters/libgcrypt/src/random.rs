//! `gcry_randomize` and `gcry_create_nonce`.
#![allow(unsafe_code)]

use std::ffi::c_int;

use touchstone_worker::Failure;
use touchstone_worker::random::{Generator, Generators, Seed};

use crate::ffi::Api;

/// The level of `enum gcry_random_level` for session keys.
const STRONG: c_int = 1;

#[derive(Clone, Copy)]
pub(crate) struct Random(pub(crate) Api);

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
    fn fill(&self, nonces: &mut bool, output: &mut [u8]) -> Result<(), Failure> {
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
