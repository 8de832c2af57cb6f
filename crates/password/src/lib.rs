//! The password hashing methods of crypt(3), from traditional DES to yescrypt:
//! every one that libxcrypt 4.4 verifies, under the same rules for settings,
//! costs and salts.
//!
//! A *setting* names the method, its cost and the salt; a *hash* is a setting with
//! the result behind it, and is a setting itself. So a phrase is right if hashing
//! it under the stored hash gives the stored hash:
//!
//! ```
//! let stored = "$5$saltstring$5B8vYYiY.CVt1RlTTf8KbXBH3hsxY/GNooZaBBGWEc5";
//! assert_eq!(touchstone_password::verify(b"Hello world!", stored.as_bytes()), Ok(true));
//! ```
//!
//! A new hash needs a setting with fresh random bytes:
//!
//! ```
//! use touchstone_password::{Method, OUTPUT_SIZE, SETTING_SIZE, gensalt, hash};
//!
//! let random = [7; 16]; // from the operating system, in earnest
//! let mut setting = [0; SETTING_SIZE];
//! let setting = gensalt(Method::Yescrypt, 1, &random, &mut setting)?;
//! let mut output = [0; OUTPUT_SIZE];
//! let hash = hash(b"correct horse", setting.as_bytes(), &mut output)?;
//! assert!(hash.starts_with("$y$j7"));
//! # Ok::<(), touchstone_password::Error>(())
//! ```
//!
//! New hashes should be of a method that [`Method::is_strong`]; the others are
//! here because hashes of theirs are still stored somewhere.
//!
//! The crate needs `alloc` (scrypt and yescrypt fill memory by design, and say so
//! with an [`Error`] if there is none) but not `std`.
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;

mod bcrypt;
mod des;
mod digest;
mod error;
mod md5;
mod method;
mod nt;
mod scrypt;
mod sha1;
mod sha2;
mod smix;
mod sunmd5;
mod text;

mod yescrypt;

pub use error::Error;
pub use method::Method;

use text::Writer;
use zeroize::Zeroize;

/// A hash is shorter than this.
pub const OUTPUT_SIZE: usize = 384;

/// A setting that [`gensalt`] makes is shorter than this.
pub const SETTING_SIZE: usize = 192;

/// A phrase is shorter than this.
pub const PHRASE_SIZE: usize = 512;

/// Hashes a phrase as a setting (or a whole hash) says. A phrase goes up to its
/// first zero byte, as everywhere in crypt(3).
pub fn hash<'o>(
    phrase: &[u8],
    setting: &[u8],
    output: &'o mut [u8; OUTPUT_SIZE],
) -> Result<&'o str, Error> {
    let end = phrase.iter().position(|&c| c == 0).unwrap_or(phrase.len());
    let phrase = &phrase[..end];
    if phrase.len() >= PHRASE_SIZE {
        return Err(Error::PhraseTooLong);
    }
    let method = Method::identify(setting).ok_or(Error::Setting)?;
    let mut out = Writer::new(output);
    match method {
        Method::Des => des::hash(phrase, setting, &mut out),
        Method::Bigcrypt => des::hash_big(phrase, setting, &mut out),
        Method::DesExtended => des::hash_extended(phrase, setting, &mut out),
        Method::Md5 => md5::hash(phrase, setting, &mut out),
        Method::SunMd5 => sunmd5::hash(phrase, setting, &mut out),
        Method::Nt => nt::hash(phrase, &mut out),
        Method::Sha1 => sha1::hash(phrase, setting, &mut out),
        Method::Sha256 => sha2::hash_256(phrase, setting, &mut out),
        Method::Sha512 => sha2::hash_512(phrase, setting, &mut out),
        Method::BcryptA | Method::BcryptB | Method::BcryptX | Method::BcryptY => {
            bcrypt::hash(phrase, setting, &mut out)
        }
        Method::Scrypt => scrypt::hash(phrase, setting, &mut out),
        Method::Yescrypt => yescrypt::hash(phrase, setting, &mut out),
        Method::GostYescrypt => yescrypt::hash_gost(phrase, setting, &mut out),
    }?;
    out.finish()
}

/// Hashes many phrases at once by the traditional method, of eight characters and two of
/// salt: many times as fast as one after the other, and constant-time.
///
/// A phrase is its first eight bytes, with zeros behind its end. All of them go with one
/// salt, or each with that in the same place; a hash is salt and result. Output is
/// touched only if all salts are of the alphabet (`./0-9A-Za-z`).
///
/// ```
/// let mut hashes = [[0; 13]; 2];
/// touchstone_password::traditional_many(&[*b"password", *b"secret\0\0"], &[*b"ab"], &mut hashes)?;
/// assert_eq!(hashes, [*b"abJnggxhB/yWI", *b"abNANd1rDfiNc"]);
/// # Ok::<(), touchstone_password::Error>(())
/// ```
pub fn traditional_many(
    phrases: &[[u8; 8]],
    salts: &[[u8; 2]],
    output: &mut [[u8; 13]],
) -> Result<(), Error> {
    des::hash_many(phrases, salts, output)
}

/// Whether a phrase is the one that was hashed. The comparison does not stop at
/// the first difference.
pub fn verify(phrase: &[u8], stored: &[u8]) -> Result<bool, Error> {
    let mut output = [0; OUTPUT_SIZE];
    let outcome = hash(phrase, stored, &mut output).map(|hash| {
        let differences = core::iter::zip(hash.bytes(), stored).fold(0, |d, (a, b)| d | (a ^ b));
        hash.len() == stored.len() && core::hint::black_box(differences) == 0
    });
    output.zeroize();
    outcome
}

/// Makes a setting for a new hash. The cost is the method's own (see
/// [`Method::cost`]), 0 its default; values outside of a range are refused or
/// moved to its end as libxcrypt does. At least [`Method::random`] random bytes are
/// wanted.
pub fn gensalt<'o>(
    method: Method,
    cost: u64,
    random: &[u8],
    output: &'o mut [u8],
) -> Result<&'o str, Error> {
    let size = output.len();
    let mut out = Writer::new(output);
    match method {
        Method::Des | Method::Bigcrypt => des::gensalt(cost, random, &mut out),
        Method::DesExtended => des::gensalt_extended(cost, random, &mut out),
        Method::Md5 => md5::gensalt(cost, random, size, &mut out),
        Method::SunMd5 => sunmd5::gensalt(cost, random, size, &mut out),
        Method::Nt => nt::gensalt(cost, &mut out),
        Method::Sha1 => sha1::gensalt(cost, random, size, &mut out),
        Method::Sha256 => sha2::gensalt(b'5', cost, random, size, &mut out),
        Method::Sha512 => sha2::gensalt(b'6', cost, random, size, &mut out),
        Method::BcryptA => bcrypt::gensalt(b'a', cost, random, &mut out),
        Method::BcryptB => bcrypt::gensalt(b'b', cost, random, &mut out),
        Method::BcryptX => Err(Error::NoNewHashes),
        Method::BcryptY => bcrypt::gensalt(b'y', cost, random, &mut out),
        Method::Scrypt => scrypt::gensalt(cost, random, size, &mut out),
        Method::Yescrypt => yescrypt::gensalt(b"$y$", cost, random, size, &mut out),
        Method::GostYescrypt => {
            // One byte less for the same text, and one more in the prefix.
            yescrypt::gensalt(b"$gy$", cost, random, size.saturating_sub(1), &mut out)
        }
    }?;
    out.finish()
}

/// What [`checksalt`] says of a setting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Check {
    /// A method that is fit for new hashes.
    Strong,
    /// No method at all.
    Invalid,
    /// A method that is only there for old hashes.
    Legacy,
}

/// Judges a setting by its method; its cost and salt are not looked at.
#[must_use]
pub fn checksalt(setting: &[u8]) -> Check {
    match Method::identify(setting) {
        _ if setting.is_empty() => Check::Invalid,
        None => Check::Invalid,
        Some(method) if method.is_strong() => Check::Strong,
        Some(_) => Check::Legacy,
    }
}
