//! Touchstone for C, and for everything that can call C. `docs/c-api.md` is its
//! manual, `include/touchstone.h` its header, generated from this crate.
//!
//! | file | what |
//! |---|---|
//! | `status.rs` | error codes |
//! | `memory.rs` | pointers and lengths of C, checked and made slices |
//! | `registry.rs` | every algorithm: one row a cipher, hash or MAC |
//! | `mode.rs` | modes of operation, behind one trait each for ciphers, AEADs, MACs |
//! | `cipher.rs` `aead.rs` `hash.rs` `mac.rs` | the interface by name |
//! | `wrap.rs` `padding.rs` | key wrap, and padding for the modes of whole blocks |
//! | `list.rs` | what there is: names, kernels, the version |
//! | `named.rs` | a function for each algorithm, generated |
//!
//! A panic would end the process where it meets C, never unwind into it: Rust
//! aborts at the border of an `extern "C"` function.
#![allow(
    clippy::missing_safety_doc,
    reason = "one contract holds for all functions and is in the header: pointers \
              are NULL or valid for their lengths, handles come from this library"
)]
#![deny(unsafe_code)]

pub mod aead;
pub mod cipher;
pub mod hash;
pub mod list;
pub mod mac;
#[rustfmt::skip]
pub mod named;
pub mod padding;
pub mod status;
pub mod wrap;

mod memory;
mod mode;
mod registry;

#[cfg(test)]
mod generate;
