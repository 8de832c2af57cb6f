//! The lab's own worker, which has no library. It measures the core's clock rate, the
//! time of an empty timing loop, and the memory that every worker needs.

use std::process::ExitCode;

use touchstone_worker::{
    Adapter, Cell, Failure, Library, Message, Offer, Operation, Work, offer, serve,
};

use crate::x86::chain_mhz;

struct Null;

impl Adapter for Null {
    fn library(&self) -> Library {
        Library {
            name: "nothing".into(),
            ..Library::default()
        }
    }

    fn offers(&self) -> Vec<Offer> {
        vec![
            offer("null", "hash", "an empty function"),
            offer("clock", "mhz", "a chain of known latency"),
        ]
    }

    fn cell(&self, work: &Work) -> Result<Cell, Failure> {
        match work.primitive.as_str() {
            "null" => Ok(Cell::new(|| Ok(Nothing))),
            "clock" => Ok(Cell::new(|| Ok(Clock))),
            other => Err(Failure::unsupported(other)),
        }
    }
}

struct Nothing;

impl Operation for Nothing {
    #[inline]
    fn process(&mut self, message: &Message<'_>, _: &mut [u8]) -> Result<usize, Failure> {
        Ok(message.input.len())
    }
}

struct Clock;

impl Operation for Clock {
    fn process(&mut self, _: &Message<'_>, output: &mut [u8]) -> Result<usize, Failure> {
        let khz = chain_mhz().map_or(0, |mhz| (mhz * 1e3) as u64);
        output[..8].copy_from_slice(&khz.to_be_bytes());
        Ok(8)
    }
}

/// Runs the worker on stdin and stdout.
pub fn run() -> ExitCode {
    serve(|_| Ok(Null))
}
