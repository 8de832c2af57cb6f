//! The shared objects as programs see them: built by `tools/libcrypt.sh`, loaded at
//! run time, and held against the system's own libcrypt where that is libxcrypt.
#![allow(missing_docs)]

mod against_system;
mod clients;
mod contract;
#[path = "../../../touchstone/tests/fips46/mod.rs"]
mod fips46;
mod object;
mod others;
mod symbols;
