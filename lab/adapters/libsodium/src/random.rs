//! `randombytes_buf`, and `randombytes_buf_deterministic`.
#![allow(unsafe_code)]

use touchstone_worker::Failure;
use touchstone_worker::random::{Generator, Generators, Seed};

use crate::ffi::Api;

#[derive(Clone, Copy)]
pub(crate) struct Random(pub(crate) Api);

impl Generators for Random {
    /// The seed of the deterministic generator.
    type State = Option<[u8; 32]>;

    fn api(&self, generator: Generator<'_>) -> Option<&'static str> {
        match generator {
            Generator::Own => Some("randombytes_buf"),
            Generator::Libsodium => Some("randombytes_buf_deterministic"),
            _ => None,
        }
    }

    fn note(&self, generator: Generator<'_>) -> &'static str {
        match generator {
            Generator::Libsodium => "each call begins at the seed",
            _ => "",
        }
    }

    fn instantiate(
        &self,
        generator: Generator<'_>,
        seed: &Seed<'_>,
    ) -> Result<Self::State, Failure> {
        let seeded = generator == Generator::Libsodium;
        seeded.then(|| seed.alone()).transpose()
    }

    #[inline]
    fn fill(&self, seed: &mut Self::State, output: &mut [u8]) -> Result<(), Failure> {
        let (to, length) = (output.as_mut_ptr().cast(), output.len());
        // SAFETY: the output has so many bytes, and a seed has 32.
        unsafe {
            match seed {
                None => (self.0.randombytes_buf)(to, length),
                Some(seed) => {
                    (self.0.randombytes_buf_deterministic)(to, length, seed.as_ptr());
                }
            }
        }
        Ok(())
    }
}
