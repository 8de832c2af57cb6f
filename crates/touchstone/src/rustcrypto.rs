//! The traits of the RustCrypto project, so that its users only have to change an import.
//! Each trait crate has a file here, with a line for each algorithm.

#[cfg(feature = "aes")]
mod aead;
mod cipher;
#[cfg(feature = "sha2")]
mod digest;
