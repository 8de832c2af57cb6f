//! Keys as age and OpenSSH write them, and the key agreements of age. `strongbox` uses the same
//! keys for its own format.

pub mod bech32;
pub mod curve;
mod oaep;
pub mod rsa;
pub mod ssh;
pub mod ssh_rsa;
pub mod x_wing;
