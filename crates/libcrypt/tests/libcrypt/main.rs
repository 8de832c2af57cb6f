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
#[cfg(target_arch = "x86_64")]
#[path = "../../../touchstone/tests/common/residue.rs"]
mod residue;
#[cfg(target_arch = "x86_64")]
mod secrets;
mod symbols;
