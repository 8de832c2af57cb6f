//! Key derivation.

use touchstone::dynamic::{self, Derivation};
use touchstone_worker::{Failure, Message, Plan, Work, Written};

use crate::Touchstone;
use crate::by_name::failure;

#[derive(Clone)]
pub(crate) struct Kdf {
    kdf: dynamic::Kdf,
    iterations: u32,
    length: usize,
}

impl Plan for Kdf {
    type Library = Touchstone;
    type Object = ();
    const OPERATIONS: &'static [&'static str] = &["derive"];

    fn primitives(_: &Touchstone, _: &str) -> Vec<String> {
        dynamic::derivations().collect()
    }

    fn find(_: &Touchstone, primitive: &str, _: &str) -> Option<Self> {
        Some(Self {
            kdf: dynamic::Kdf::find(primitive).ok()?,
            iterations: 0,
            length: 0,
        })
    }

    fn api(&self, _: &str, _: &str) -> String {
        "dynamic::Kdf::derive".into()
    }

    fn fit(mut self, work: &Work) -> Result<Self, Failure> {
        let iterations = work.cost("iterations").unwrap_or(0);
        self.iterations = iterations.try_into().map_err(Failure::unsupported)?;
        self.length = work.length.unwrap_or(0);
        Ok(self)
    }

    fn make(&self) -> Result<(), Failure> {
        Ok(())
    }

    #[inline(always)]
    fn process(&self, (): &mut (), message: &Message<'_>, output: &mut [u8]) -> Written {
        let from = Derivation {
            secret: message.input,
            salt: message.nonce,
            info: message.aad,
            iterations: self.iterations,
        };
        match self.kdf.derive(&from, &mut output[..self.length]) {
            Ok(()) => Ok(self.length),
            Err(error) => Err(failure(error)),
        }
    }
}
