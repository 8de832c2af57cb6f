//! What the caller decides: limits, and choices that a file does not record.

mod fca;
mod openssl;

pub use fca::FcaCipher;
pub use openssl::{Derivation, Parameters, Salt};

use crate::encoding::Encoding;

/// Caps on what a file may ask for. A file above a cap is refused with
/// [`Error::Limit`](crate::Error).
#[derive(Debug, Clone)]
pub struct Limits {
    /// Bytes of plaintext in all, after decompression. The default is 64 GiB.
    pub plaintext: u64,
    /// Iterations of PBKDF2, for each passphrase that is tried. The default is 50 million; PEA
    /// can ask for up to 25.6 million.
    pub iterations: u64,
    /// Bytes of memory for scrypt and Argon2. The default is 4 GiB.
    pub memory: u64,
    /// Files and folders in an archive. The default is 1 million.
    pub entries: u64,
    /// Bytes of a header that has no fixed length. The default is 2 MiB.
    pub header: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            plaintext: 64 << 30,
            iterations: 50_000_000,
            memory: 4 << 30,
            entries: 1_000_000,
            header: 2 << 20,
        }
    }
}

/// What the caller decides about opening a file.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The caps.
    pub limits: Limits,
    /// The cipher of an FCA file, which the file does not record.
    pub fca_cipher: FcaCipher,
    /// Whether to write data that nothing authenticates: `openssl enc`, traditional ZIP, OpenPGP
    /// messages without a modification detection code, PEA without a passphrase.
    pub accept_unauthenticated: bool,
    /// The parameters of an `openssl enc` file, which the file does not record.
    pub openssl: Parameters,
    /// The encodings in which a text passphrase is tried, for formats whose programs took the
    /// bytes of the terminal.
    pub encodings: Vec<Encoding>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            limits: Limits::default(),
            fca_cipher: FcaCipher::Aes,
            accept_unauthenticated: false,
            openssl: Parameters::default(),
            encodings: Encoding::ALL.to_vec(),
        }
    }
}
