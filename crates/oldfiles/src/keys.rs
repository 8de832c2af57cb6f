//! Keys as age and OpenSSH write them, and the key agreements of age. `strongbox` uses the same
//! keys for its own format.

pub mod bech32;
pub mod curve;
pub mod ssh;
pub mod x_wing;
