//! The traits of the RustCrypto project, so that its users swap an import: a
//! file for each trait crate, and in it a line for each algorithm.

#[cfg(feature = "aes")]
mod aead;
mod cipher;
#[cfg(feature = "sha2")]
mod digest;
