//! Key derivation: keys from passwords and from other keys.
//!
//! | function | from | over | source |
//! |---|---|---|---|
//! | [`pbkdf2`] | a password | any [`Mac`](crate::Mac) | [RFC8018] §5.2 |
//! | [`pbkdf1`] | a password, for old data | any hash | [RFC8018] §5.1 |
//! | [`kdf1`](counted::kdf1) [`kdf2`](counted::kdf2) [`kdf3`](counted::kdf3) [`mgf1`](counted::mgf1) | a secret with enough entropy | any hash | [`counted`] |
//! | [`s2k`] | a password, for old OpenPGP messages | any hash | [`s2k`] |
//! | [`sp800_108`] | a key | any [`Mac`](crate::Mac) | [`sp800_108`] |
//! | [`hkdf`](mod@hkdf) | a key, or a secret with enough entropy | any hash | [RFC5869] |
//! | `scrypt` `yescrypt` | a password, with much memory (feature `alloc`) | SHA-256, Salsa20/8 | `scrypt` |
//! | `argon2` | a password, with much memory (feature `argon2`) | BLAKE2b | `argon2` |
//! | `bcrypt_pbkdf` | a password | SHA-512, Blowfish | `bcrypt_pbkdf` |
//!
//! - [RFC8018] PKCS #5: Password-Based Cryptography Specification Version 2.1, RFC 8018, 2017
//! - [RFC5869] HMAC-based Extract-and-Expand Key Derivation Function (HKDF), RFC 5869, 2010
//!
//! [RFC8018]: https://www.rfc-editor.org/rfc/rfc8018
//! [RFC5869]: https://www.rfc-editor.org/rfc/rfc5869

use core::fmt;

#[cfg(feature = "argon2")]
pub mod argon2;
#[cfg(all(feature = "blowfish", feature = "sha2"))]
pub mod bcrypt_pbkdf;
pub mod counted;
pub mod hkdf;
mod pbkdf1;
mod pbkdf2;
pub mod s2k;
#[cfg(all(feature = "alloc", feature = "sha2"))]
pub mod scrypt;
pub mod sp800_108;

#[cfg(all(feature = "blowfish", feature = "sha2"))]
pub use bcrypt_pbkdf::bcrypt_pbkdf;
pub use hkdf::hkdf;
pub use pbkdf1::pbkdf1;
pub use pbkdf2::pbkdf2;
#[cfg(all(feature = "alloc", feature = "sha2"))]
pub use scrypt::{scrypt, yescrypt};

/// The errors of key derivation functions. After an error the output is unchanged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum KdfError {
    /// The function cannot compute so many bytes.
    OutputLength {
        /// The requested number of bytes.
        given: usize,
    },
    /// The number of iterations is 0, so the result would not depend on the password.
    NoIterations,
    /// The function does not allow these costs.
    Costs,
    /// The memory that the costs require cannot be allocated.
    Memory,
    /// The function does not accept a password or key of this length.
    KeyLength(crate::InvalidKeyLength),
}

impl fmt::Display for KdfError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OutputLength { given } => write!(f, "{given} bytes are more than there are"),
            Self::NoIterations => f.write_str("at least one iteration is needed"),
            Self::Costs => f.write_str("the function does not take these costs"),
            Self::Memory => f.write_str("not enough memory for these costs"),
            Self::KeyLength(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for KdfError {}

impl From<crate::InvalidKeyLength> for KdfError {
    fn from(error: crate::InvalidKeyLength) -> Self {
        Self::KeyLength(error)
    }
}
