//! `rand::SystemRandom`, which asks the system for each output.

use ring::rand::{SecureRandom as _, SystemRandom};
use touchstone_worker::random::{self, Fill, Own};
use touchstone_worker::{Cell, Failure, Offer, Work};

const FILL: Own<Fill> = Own("SystemRandom::fill", fill);

fn fill(output: &mut [u8]) -> Result<(), Failure> {
    let filled = SystemRandom::new().fill(output);
    filled.map_err(|_| Failure::failed("the system gives no random bytes"))
}

pub(crate) fn offers() -> Vec<Offer> {
    random::offers(&FILL)
}

pub(crate) fn cell(work: &Work) -> Option<Result<Cell, Failure>> {
    random::cell(&FILL, work)
}
