//! `RAND_bytes`, and CTR_DRBG of AES-256 without a derivation function.
#![allow(unsafe_code)]

use aws_lc_sys::*;
use touchstone_worker::random::{self, Generator, Generators, Seed};
use touchstone_worker::{Failure, Owned};

use crate::ok;

/// The bytes of entropy that the generator takes (<openssl/ctrdrbg.h>).
const ENTROPY: usize = CTR_DRBG_ENTROPY_LEN as usize;

#[derive(Clone, Copy)]
pub(crate) struct Random;

/// Returns the entropy, which has one length only.
fn entropy(bytes: &[u8]) -> Result<&[u8; ENTROPY], Failure> {
    let entropy = bytes.try_into();
    entropy.map_err(|_| Failure::length("an entropy input", bytes.len()))
}

impl Generators for Random {
    /// CTR_DRBG; `None` for `RAND_bytes`.
    type State = Option<Owned<CTR_DRBG_STATE>>;

    fn api(&self, generator: Generator<'_>) -> Option<&'static str> {
        match generator {
            Generator::Own => Some("RAND_bytes"),
            Generator::Ctr {
                bits: 256,
                derives: false,
            } => Some("CTR_DRBG_generate"),
            _ => None,
        }
    }

    fn instantiate(
        &self,
        generator: Generator<'_>,
        seed: &Seed<'_>,
    ) -> Result<Self::State, Failure> {
        if generator == Generator::Own {
            return Ok(None);
        }
        if !seed.nonce.is_empty() {
            return Err(Failure::unsupported("a nonce"));
        }
        let (entropy, text) = (entropy(seed.entropy)?, seed.personalisation);
        // SAFETY: the entropy has its length, and the text the length that is passed.
        unsafe {
            let made = CTR_DRBG_new(entropy.as_ptr(), text.as_ptr(), text.len());
            Owned::new(made, CTR_DRBG_free).map(Some)
        }
    }

    fn reseed(
        &self,
        state: &mut Self::State,
        bytes: &[u8],
        additional: &[u8],
    ) -> Result<(), Failure> {
        let Some(state) = state else {
            return Err(Failure::unsupported("reseeding"));
        };
        let (bytes, more) = (entropy(bytes)?.as_ptr(), additional.len());
        // SAFETY: the generator is live, and the lengths are those of the two inputs.
        let code = unsafe { CTR_DRBG_reseed(state.object, bytes, additional.as_ptr(), more) };
        ok("CTR_DRBG_reseed", code)
    }

    #[inline]
    fn generate(
        &self,
        state: &mut Self::State,
        additional: &[u8],
        output: &mut [u8],
    ) -> Result<(), Failure> {
        let (to, length) = (output.as_mut_ptr(), output.len());
        match state {
            None => {
                random::no_more(additional)?;
                // SAFETY: the output has so many bytes.
                ok("RAND_bytes", unsafe { RAND_bytes(to, length) })
            }
            Some(state) => {
                let (more, size) = (additional.as_ptr(), additional.len());
                // SAFETY: the generator is live, and the lengths are those of the two slices.
                let code = unsafe { CTR_DRBG_generate(state.object, to, length, more, size) };
                ok("CTR_DRBG_generate", code)
            }
        }
    }
}
