//! The traits of the RustCrypto project, so that its users swap an import: a
//! file for each trait crate, and in it a line for each algorithm.

mod aead;
mod cipher;
mod digest;
