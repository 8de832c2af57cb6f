//! `random::fill`, which asks the system for each output.

use touchstone_worker::Failure;
use touchstone_worker::random::{Fill, Own};

pub(crate) const FILL: Own<Fill> = Own("random::fill", fill);

fn fill(output: &mut [u8]) -> Result<(), Failure> {
    let filled = graviola::random::fill(output);
    filled.map_err(|_| Failure::failed("the system gives no random bytes"))
}
