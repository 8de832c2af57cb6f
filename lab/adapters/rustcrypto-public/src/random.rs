//! `getrandom::fill`: the crates take their random bytes from the system for each key and nonce.

use touchstone_worker::random::{self, Fill, Own};
use touchstone_worker::{Cell, Failure, Offer, Work};

const FILL: Own<Fill> = Own("getrandom::fill", fill);

fn fill(output: &mut [u8]) -> Result<(), Failure> {
    getrandom::fill(output).map_err(Failure::failed)
}

pub(crate) fn offers() -> Vec<Offer> {
    random::offers(&FILL)
}

pub(crate) fn cell(work: &Work) -> Option<Result<Cell, Failure>> {
    random::cell(&FILL, work)
}
