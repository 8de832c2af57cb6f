//! The generators of `touchstone::random`.

use touchstone::random::{Generator as System, Seeded};
use touchstone_worker::Failure;
use touchstone_worker::random::{Generator, Generators, Seed};

#[derive(Clone, Copy)]
pub(crate) struct Random;

pub(crate) enum State {
    System(System),
    Seeded(Seeded),
}

impl Generators for Random {
    type State = State;

    fn api(&self, generator: Generator<'_>) -> Option<&'static str> {
        match generator {
            Generator::Own => Some("random::Generator::fill"),
            Generator::ChaCha20 => Some("random::Seeded::fill"),
            _ => None,
        }
    }

    fn instantiate(&self, generator: Generator<'_>, seed: &Seed<'_>) -> Result<State, Failure> {
        if generator == Generator::ChaCha20 {
            return Ok(State::Seeded(Seeded::new(&seed.alone()?)));
        }
        let made = System::new().map_err(Failure::failed)?;
        Ok(State::System(made))
    }

    #[inline]
    fn fill(&self, state: &mut State, output: &mut [u8]) -> Result<(), Failure> {
        match state {
            State::System(generator) => generator.fill(output).map_err(Failure::failed),
            State::Seeded(generator) => {
                generator.fill(output);
                Ok(())
            }
        }
    }
}
