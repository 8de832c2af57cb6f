//! `random::fill`, which asks the system for each output.

use touchstone_worker::random::{self, Fill, Own};
use touchstone_worker::{Cell, Failure, Offer, Work};

const FILL: Own<Fill> = Own("random::fill", fill);

fn fill(output: &mut [u8]) -> Result<(), Failure> {
    let filled = graviola::random::fill(output);
    filled.map_err(|_| Failure::failed("the system gives no random bytes"))
}

pub(crate) fn offers() -> Vec<Offer> {
    random::offers(&FILL)
}

pub(crate) fn cell(work: &Work) -> Option<Result<Cell, Failure>> {
    random::cell(&FILL, work)
}
