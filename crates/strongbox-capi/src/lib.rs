//! strongbox for C, and for every language that can call C. The header `include/strongbox.h`
//! documents each function.
//!
//! | file | what |
//! |---|---|
//! | `status.rs` | error codes |
//! | `memory.rs` | pointers of C, checked and turned into references and slices |
//! | `settings.rs` | recipients, keys and options |
//! | `stream.rs` | sealers and openers |
//!
//! Rust aborts the process when a panic reaches an `extern "C"` function, so a panic never
//! unwinds into C code.
#![allow(
    clippy::missing_safety_doc,
    missing_docs,
    reason = "strongbox.h has the contract of all functions, and describes each"
)]
#![deny(unsafe_code)]

mod memory;
pub mod settings;
pub mod status;
pub mod stream;
