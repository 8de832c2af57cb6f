//! `rand::SystemRandom`, which asks the system for each output.

use ring::rand::{SecureRandom as _, SystemRandom};
use touchstone_worker::Failure;
use touchstone_worker::random::{Fill, Own};

pub(crate) const FILL: Own<Fill> = Own("SystemRandom::fill", fill);

fn fill(output: &mut [u8]) -> Result<(), Failure> {
    let filled = SystemRandom::new().fill(output);
    filled.map_err(|_| Failure::failed("the system gives no random bytes"))
}
