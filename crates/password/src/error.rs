//! The errors of this crate.

use core::fmt;

/// The reason why a hash or a setting could not be made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// The setting belongs to no method, or the method cannot parse it.
    Setting,
    /// The phrase has [`PHRASE_SIZE`](crate::PHRASE_SIZE) bytes or more.
    PhraseTooLong,
    /// The result does not fit in the output.
    OutputTooSmall,
    /// The method could not allocate the memory that it needs.
    Memory,
    /// The cost is outside the range that the method accepts.
    Cost,
    /// There are too few random bytes to make a salt.
    Random,
    /// The method only verifies old hashes: `$2x$` is bcrypt with a known fault, and makes no
    /// new hashes.
    NoNewHashes,
    /// The numbers of phrases, salts and outputs do not match: there must be one output
    /// for each phrase, and either one salt or one for each phrase.
    Number,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Setting => "not a setting of any method",
            Self::PhraseTooLong => "the phrase is too long",
            Self::OutputTooSmall => "the result does not fit the output",
            Self::Memory => "not enough memory for this setting",
            Self::Cost => "the method does not take this cost",
            Self::Random => "too few random bytes for a salt",
            Self::NoNewHashes => "this method is for old hashes only",
            Self::Number => "give as many results as phrases, and one salt or as many",
        })
    }
}

impl core::error::Error for Error {}

/// The reason why a phrase was not accepted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum VerifyError {
    /// The hash was made from another phrase.
    WrongPhrase,
    /// The phrase could not be hashed with the stored hash as the setting.
    Hash(Error),
}

impl fmt::Display for VerifyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::WrongPhrase => f.write_str("the phrase is wrong"),
            Self::Hash(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for VerifyError {}

impl From<Error> for VerifyError {
    fn from(error: Error) -> Self {
        Self::Hash(error)
    }
}
