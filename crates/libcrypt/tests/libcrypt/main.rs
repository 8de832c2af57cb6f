//! Tests the shared objects as programs use them: `tools/libcrypt.sh` builds the objects, the
//! tests load them at run time, and compare them with the system's libcrypt if that is
//! libxcrypt.
#![allow(missing_docs)]

mod against_system;
mod clients;
mod contract;
#[path = "../../../touchstone/tests/fips46/mod.rs"]
mod fips46;
mod object;
mod others;
mod symbols;
