//! `getrandom::fill`: the crates take their random bytes from the system for each key and nonce.

use touchstone_worker::Failure;
use touchstone_worker::random::{Fill, Own};

pub(crate) const FILL: Own<Fill> = Own("getrandom::fill", fill);

fn fill(output: &mut [u8]) -> Result<(), Failure> {
    getrandom::fill(output).map_err(Failure::failed)
}
