//! Key derivation.

use touchstone::dynamic::{self, Derivation, Kdf};
use touchstone_worker::{Cell, Failure, Message, Offer, Operation, Work};

use crate::by_name::{failure, named};

pub(crate) fn offers() -> Vec<Offer> {
    let names = dynamic::derivations();
    names
        .map(|name| named(&name, &name, "derive", "dynamic::Kdf::derive"))
        .collect()
}

pub(crate) fn cell(work: &Work) -> Option<Result<Cell, Failure>> {
    if work.operation != "derive" {
        return None;
    }
    let kdf = Kdf::find(&work.primitive).ok()?;
    let iterations = match u32::try_from(work.cost("iterations").unwrap_or(0)) {
        Ok(iterations) => iterations,
        Err(error) => return Some(Err(Failure::unsupported(error))),
    };
    let length = work.length.unwrap_or(0);
    Some(Ok(Cell::new(move || {
        Ok(Derive {
            kdf,
            iterations,
            length,
        })
    })))
}

struct Derive {
    kdf: Kdf,
    iterations: u32,
    length: usize,
}

impl Operation for Derive {
    #[inline]
    fn process(&mut self, message: &Message<'_>, output: &mut [u8]) -> Result<usize, Failure> {
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
