//! `gnutls_rnd`, with the level for keys and the level for nonces.
#![allow(unsafe_code)]

use std::ffi::c_int;

use touchstone_worker::Failure;
use touchstone_worker::random::{Generator, Generators, Seed};

use crate::ffi::Api;

/// The levels of `gnutls_rnd_level_t`.
const NONCE: c_int = 0;
const KEY: c_int = 2;

#[derive(Clone, Copy)]
pub(crate) struct Random(pub(crate) Api);

impl Generators for Random {
    type State = c_int;

    fn api(&self, generator: Generator<'_>) -> Option<&'static str> {
        match generator {
            Generator::Own => Some("gnutls_rnd, GNUTLS_RND_KEY"),
            Generator::Nonces => Some("gnutls_rnd, GNUTLS_RND_NONCE"),
            _ => None,
        }
    }

    fn instantiate(&self, generator: Generator<'_>, _: &Seed<'_>) -> Result<c_int, Failure> {
        let nonces = generator == Generator::Nonces;
        Ok(if nonces { NONCE } else { KEY })
    }

    #[inline]
    fn fill(&self, level: &mut c_int, output: &mut [u8]) -> Result<(), Failure> {
        let (to, length) = (output.as_mut_ptr().cast(), output.len());
        // SAFETY: the output has so many bytes.
        let code = unsafe { (self.0.gnutls_rnd)(*level, to, length) };
        self.0.ok("gnutls_rnd", code)
    }
}
