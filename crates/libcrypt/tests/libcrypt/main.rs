//! Tests of the shared objects as programs use them: built by `tools/libcrypt.sh`, loaded
//! at run time, and compared with the system's libcrypt if that is libxcrypt.
#![allow(missing_docs)]

mod against_system;
mod clients;
mod contract;
#[path = "../../../touchstone/tests/fips46/mod.rs"]
mod fips46;
mod object;
mod others;
mod symbols;
