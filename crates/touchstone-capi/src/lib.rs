//! Touchstone for C, and for every language that can call C. The header `include/touchstone.h`
//! documents each function. The manual is `docs/c-api.md`.
//!
//! The crate is a thin layer over [`touchstone::dynamic`]: it checks pointers, converts
//! pointers and lengths to slices, and converts errors to codes. The crate contains no list of
//! algorithms.
//!
//! | file | what |
//! |---|---|
//! | `status.rs` | error codes |
//! | `memory.rs` | pointers and lengths of C, checked and turned into slices |
//! | `cipher.rs` `aead.rs` `hash.rs` `mac.rs` | handles, a family each |
//! | `wrap.rs` `derive.rs` `memory_hard.rs` `padding.rs` | key wrap, key derivation, padding |
//! | `password.rs` | password hashes, crypt(3) |
//! | `generator.rs` `drbg.rs` | generators of random bytes |
//! | `system.rs` | random bytes, comparison, wiping |
//! | `names.rs` | the names of all algorithms, their kernels, the version |
//! | `alone.rs` | memory and panics without Rust's standard library |
//!
//! Rust aborts the process when a panic reaches an `extern "C"` function, so a panic never
//! unwinds into C code.
#![allow(
    clippy::missing_safety_doc,
    missing_docs,
    reason = "touchstone.h has the contract of all functions, and describes each"
)]
#![deny(unsafe_code)]
#![no_std]

extern crate alloc;
#[cfg(any(feature = "std", not(panic = "abort")))]
extern crate std;

pub mod aead;
pub mod cipher;
pub mod derive;
pub mod drbg;
#[cfg(feature = "random")]
pub mod generator;
pub mod hash;
pub mod mac;
#[cfg(any(feature = "argon2", feature = "sha2"))]
pub mod memory_hard;
pub mod names;
pub mod padding;
#[cfg(feature = "password")]
pub mod password;
pub mod status;
pub mod system;
pub mod wrap;

#[cfg(all(not(feature = "std"), panic = "abort"))]
mod alone;
mod memory;
