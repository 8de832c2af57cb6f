//! The generators of `touchstone::random`, and those of SP 800-90A by name.

use touchstone::dynamic::{Drbg, DrbgAlgorithm, Options};
use touchstone::random::{Generator as System, Seeded};
use touchstone_worker::Failure;
use touchstone_worker::random::{Generator, Generators, Seed, no_more};

use crate::by_name::failure;

#[derive(Clone, Copy)]
pub(crate) struct Random;

pub(crate) enum State {
    System(System),
    Seeded(Seeded),
    Drbg(Drbg),
}

/// Returns the library's generator of SP 800-90A, if it is one.
fn drbg(generator: Generator<'_>) -> Option<DrbgAlgorithm> {
    let name = generator.standard()?;
    Drbg::find(&name).ok()
}

impl Generators for Random {
    type State = State;

    fn api(&self, generator: Generator<'_>) -> Option<&'static str> {
        match generator {
            Generator::Own => Some("random::Generator::fill"),
            Generator::ChaCha20 => Some("random::Seeded::fill"),
            _ => drbg(generator).map(|_| "dynamic::Drbg::generate"),
        }
    }

    fn instantiate(&self, generator: Generator<'_>, seed: &Seed<'_>) -> Result<State, Failure> {
        if generator == Generator::ChaCha20 {
            return Ok(State::Seeded(Seeded::new(&seed.alone()?)));
        }
        if let Some(algorithm) = drbg(generator) {
            let Seed {
                entropy,
                nonce,
                personalisation,
            } = seed;
            let made = algorithm.with(entropy, nonce, personalisation, &Options::default());
            return made.map(State::Drbg).map_err(failure);
        }
        let made = System::new().map_err(Failure::failed)?;
        Ok(State::System(made))
    }

    fn reseed(&self, state: &mut State, entropy: &[u8], additional: &[u8]) -> Result<(), Failure> {
        match state {
            State::Drbg(drbg) => drbg.reseed(entropy, additional).map_err(failure),
            _ => Err(Failure::unsupported("reseeding")),
        }
    }

    #[inline]
    fn generate(
        &self,
        state: &mut State,
        additional: &[u8],
        output: &mut [u8],
    ) -> Result<(), Failure> {
        match state {
            State::Drbg(drbg) => return drbg.generate(output, additional).map_err(failure),
            State::System(generator) => {
                no_more(additional)?;
                generator.fill(output).map_err(Failure::failed)?;
            }
            State::Seeded(generator) => {
                no_more(additional)?;
                generator.fill(output);
            }
        }
        Ok(())
    }
}
