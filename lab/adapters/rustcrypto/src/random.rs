//! `chacha20::ChaCha20Rng`, the generator of a RustCrypto crate.

use chacha20::ChaCha20Rng;
use chacha20::rand_core::{Rng as _, SeedableRng as _};
use touchstone_worker::random::{self, Generator, Generators, Seed};
use touchstone_worker::{Cell, Failure, Offer, Work};

pub(crate) fn offers() -> Vec<Offer> {
    random::offers(&Random)
}

pub(crate) fn cell(work: &Work) -> Option<Result<Cell, Failure>> {
    random::cell(&Random, work)
}

#[derive(Clone, Copy)]
struct Random;

impl Generators for Random {
    type State = ChaCha20Rng;

    fn api(&self, generator: Generator<'_>) -> Option<&'static str> {
        (generator == Generator::ChaCha20).then_some("chacha20::ChaCha20Rng::fill_bytes")
    }

    fn instantiate(&self, _: Generator<'_>, seed: &Seed<'_>) -> Result<ChaCha20Rng, Failure> {
        Ok(ChaCha20Rng::from_seed(seed.alone()?))
    }

    #[inline]
    fn fill(&self, generator: &mut ChaCha20Rng, output: &mut [u8]) -> Result<(), Failure> {
        generator.fill_bytes(output);
        Ok(())
    }
}
