//! Where salts, keys and nonces come from. Programs use [`System`]; the test vectors need bytes
//! that follow from a seed.

use touchstone::random::{Generator, Seeded};

use crate::error::{Error, Result};

/// A source of random bytes.
pub trait Randomness {
    /// Fills `output` with random bytes.
    ///
    /// # Errors
    ///
    /// [`Error::Io`] if the system gives no random bytes.
    fn fill(&mut self, output: &mut [u8]) -> Result<()>;
}

/// The library's generator, seeded by the system.
#[derive(Debug)]
pub struct System(Generator);

impl System {
    /// Makes a generator.
    ///
    /// # Errors
    ///
    /// [`Error::Io`] if the system gives no random bytes.
    pub fn new() -> Result<Self> {
        Generator::new().map(Self).map_err(no_bytes)
    }
}

impl Randomness for System {
    fn fill(&mut self, output: &mut [u8]) -> Result<()> {
        self.0.fill(output).map_err(no_bytes)
    }
}

/// Bytes that follow from a seed, for test vectors alone: whoever knows the seed knows the keys.
#[doc(hidden)]
#[derive(Debug)]
pub struct FromSeed(pub Seeded);

impl Randomness for FromSeed {
    fn fill(&mut self, output: &mut [u8]) -> Result<()> {
        self.0.fill(output);
        Ok(())
    }
}

fn no_bytes(error: touchstone::random::SystemError) -> Error {
    Error::Io(std::io::Error::other(error))
}
