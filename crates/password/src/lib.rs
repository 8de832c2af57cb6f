//! The password hashing methods of crypt(3), from traditional DES to yescrypt: all
//! methods that libxcrypt 4.4 verifies, with the same rules for settings, costs and
//! salts.
//!
//! A *setting* names the method, its cost and the salt. A *hash* is a setting followed by
//! the result, and can itself be used as a setting. So a phrase is right if hashing the
//! phrase with the stored hash as the setting gives the stored hash again:
//!
//! ```
//! let stored = "$5$saltstring$5B8vYYiY.CVt1RlTTf8KbXBH3hsxY/GNooZaBBGWEc5";
//! touchstone_password::verify(b"Hello world!", stored.as_bytes())?;
//! assert!(touchstone_password::verify(b"hello world!", stored.as_bytes()).is_err());
//! # Ok::<(), touchstone_password::VerifyError>(())
//! ```
//!
//! A new hash needs a setting with fresh random bytes:
//!
//! ```
//! use touchstone_password::{Method, OUTPUT_SIZE, SETTING_SIZE, gensalt, hash};
//!
//! let random = [7; 16]; // real programs ask the operating system for these
//! let mut setting = [0; SETTING_SIZE];
//! let setting = gensalt(Method::Yescrypt, 1, &random, &mut setting)?;
//! let mut output = [0; OUTPUT_SIZE];
//! let hash = hash(b"correct horse", setting.as_bytes(), &mut output)?;
//! assert!(hash.starts_with("$y$j7"));
//! # Ok::<(), touchstone_password::Error>(())
//! ```
//!
//! For new hashes, use a method for which [`Method::is_strong`] is true. The other methods
//! exist here to verify old hashes that are still stored.
//!
//! The crate needs `alloc` but not `std`. scrypt and yescrypt use much memory by design,
//! and return an [`Error`] if the memory cannot be allocated.
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;

mod bcrypt;
mod des;
mod digest;
mod error;
mod many;
mod md5;
mod method;
mod nt;
mod scrypt;
mod sha1;
mod sha2;
mod sunmd5;
mod text;
mod yescrypt;

pub use error::{Error, VerifyError};
pub use method::Method;

use alloc::vec::Vec;
use text::Writer;
use touchstone::hash::{Md5, Sha256, Sha512};
use touchstone::wipe;
use zeroize::Zeroize;

/// The size in bytes of an output buffer: every hash with its final zero byte fits.
pub const OUTPUT_SIZE: usize = 384;

/// The size in bytes of a buffer for [`gensalt`]: every setting with its final zero byte fits.
pub const SETTING_SIZE: usize = 192;

/// The limit for the length of a phrase: a phrase must be shorter than this number of bytes.
pub const PHRASE_SIZE: usize = 512;

/// Hashes `phrase` with the method, cost and salt of `setting`, which may also be a whole
/// hash. The phrase ends before its first zero byte, as everywhere in crypt(3).
pub fn hash<'o>(
    phrase: &[u8],
    setting: &[u8],
    output: &'o mut [u8; OUTPUT_SIZE],
) -> Result<&'o str, Error> {
    let phrase = checked(phrase)?;
    let method = Method::identify(setting).ok_or(Error::Setting)?;
    wipe::after(STACK, || hash_by(method, phrase, setting, output))
}

/// Returns the phrase up to its first zero byte.
fn checked(phrase: &[u8]) -> Result<&[u8], Error> {
    let end = phrase.iter().position(|&c| c == 0).unwrap_or(phrase.len());
    if end >= PHRASE_SIZE {
        return Err(Error::PhraseTooLong);
    }
    Ok(&phrase[..end])
}

/// Hashes many phrases at once, each as [`hash`] does. `settings` has one setting for all phrases, or
/// one for each phrase. Result `i` is the hash of phrase `i`, in output `i`, or the error of this
/// phrase.
///
/// `$1$`, `$5$`, `$6$`, `$md5$`, bcrypt and traditional DES take several phrases at once, and so are
/// several times as fast as one phrase after the other. The settings may be of different methods and
/// costs; phrases with the same method and cost are fastest, and for `$1$` those of the same length.
///
/// ```
/// use touchstone_password::{OUTPUT_SIZE, hash_many};
///
/// let mut outputs = [[0; OUTPUT_SIZE]; 2];
/// let hashes = hash_many(&[b"one", b"two"], &[b"$1$salt$"], &mut outputs)?;
/// assert_eq!(hashes[1], Ok("$1$salt$hU8E42FrojQBYkkzJXigd."));
/// # Ok::<(), touchstone_password::Error>(())
/// ```
///
/// # Errors
///
/// [`Error::Number`] if the numbers of phrases, settings and outputs do not fit;
/// [`Error::Memory`] if there is no memory for the results.
pub fn hash_many<'o>(
    phrases: &[&[u8]],
    settings: &[&[u8]],
    outputs: &'o mut [[u8; OUTPUT_SIZE]],
) -> Result<Vec<Result<&'o str, Error>>, Error> {
    if outputs.len() != phrases.len() || ![1, phrases.len()].contains(&settings.len()) {
        return Err(Error::Number);
    }
    let mut results = Vec::new();
    results
        .try_reserve_exact(phrases.len())
        .map_err(|_| Error::Memory)?;
    results.resize(phrases.len(), Err(Error::Setting));
    wipe::after(STACK, || {
        many::hash(phrases, settings, outputs, &mut results)
    });
    Ok(results)
}

/// Bytes of the stack that a method uses at most. The search of crates/libcrypt/tests/libcrypt/
/// secrets.rs finds what a longer frame would leave.
const STACK: usize = 48 * 1024;

#[inline(never)]
fn hash_by<'o>(
    method: Method,
    phrase: &[u8],
    setting: &[u8],
    output: &'o mut [u8; OUTPUT_SIZE],
) -> Result<&'o str, Error> {
    let mut out = Writer::new(output);
    match method {
        Method::Des => des::hash(phrase, setting, &mut out),
        Method::Bigcrypt => des::hash_big(phrase, setting, &mut out),
        Method::DesExtended => des::hash_extended(phrase, setting, &mut out),
        Method::Md5 => {
            digest::one::<Md5, _>(&mut out, |out| md5::begin(phrase, setting, out), md5::end)
        }
        Method::SunMd5 => digest::one::<Md5, _>(
            &mut out,
            |out| sunmd5::begin(phrase, setting, out),
            sunmd5::end,
        ),
        Method::Nt => nt::hash(phrase, &mut out),
        Method::Sha1 => sha1::hash(phrase, setting, &mut out),
        Method::Sha256 => digest::one::<Sha256, _>(
            &mut out,
            |out| sha2::begin_256(phrase, setting, out),
            sha2::end_256,
        ),
        Method::Sha512 => digest::one::<Sha512, _>(
            &mut out,
            |out| sha2::begin_512(phrase, setting, out),
            sha2::end_512,
        ),
        Method::BcryptA | Method::BcryptB | Method::BcryptX | Method::BcryptY => {
            bcrypt::hash(phrase, setting, &mut out)
        }
        Method::Scrypt => scrypt::hash(phrase, setting, &mut out),
        Method::Yescrypt => yescrypt::hash(phrase, setting, &mut out),
        Method::GostYescrypt => yescrypt::hash_gost(phrase, setting, &mut out),
    }?;
    out.finish()
}

/// Hashes many phrases at once by the traditional DES method. This is many times faster than
/// hashing one phrase after another, and takes constant time.
///
/// A phrase is given as its first eight bytes, filled up with zero bytes. `salts` has either
/// one salt for all phrases or one salt for each phrase. A hash is the two characters of salt
/// and then 11 characters of result. The function writes the output only if all salts consist
/// of characters of the alphabet (`./0-9A-Za-z`).
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
    wipe::after(STACK, || des::hash_many(phrases, salts, output))
}

/// Checks that the hash `stored` was made from `phrase`. The comparison takes the same time
/// wherever the first difference is.
///
/// # Errors
///
/// [`VerifyError::WrongPhrase`] if the hash was made from another phrase. [`VerifyError::Hash`]
/// with the error of [`hash`] if `stored` is not a hash of a known method, or if the hash
/// cannot be computed.
pub fn verify(phrase: &[u8], stored: &[u8]) -> Result<(), VerifyError> {
    // The right hash may be a secret too.
    let same = wipe::after(STACK, || {
        let mut output = [0; OUTPUT_SIZE];
        let same = hash(phrase, stored, &mut output).map(|hash| {
            let differences =
                core::iter::zip(hash.bytes(), stored).fold(0, |d, (a, b)| d | (a ^ b));
            hash.len() == stored.len() && core::hint::black_box(differences) == 0
        });
        output.zeroize();
        same
    });
    if same? {
        Ok(())
    } else {
        Err(VerifyError::WrongPhrase)
    }
}

/// Makes a setting for a new hash. The meaning of `cost` depends on the method
/// ([`Method::cost`]); 0 selects the default. A cost out of range is refused or moved to the
/// end of the range, as in libxcrypt. `random` must have at least [`Method::random`] bytes.
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
            // The prefix is one byte longer than `$y$`, so one byte less is left for the rest.
            yescrypt::gensalt(b"$gy$", cost, random, size.saturating_sub(1), &mut out)
        }
    }?;
    out.finish()
}

/// The result of [`checksalt`] for a setting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Check {
    /// The method is fit for new hashes.
    Strong,
    /// The setting belongs to no method.
    Invalid,
    /// The method exists only for old hashes.
    Legacy,
}

/// Returns whether the method of a setting is strong, legacy or unknown. Cost and salt of the
/// setting are not checked.
#[must_use]
pub fn checksalt(setting: &[u8]) -> Check {
    match Method::identify(setting) {
        _ if setting.is_empty() => Check::Invalid,
        None => Check::Invalid,
        Some(method) if method.is_strong() => Check::Strong,
        Some(_) => Check::Legacy,
    }
}
