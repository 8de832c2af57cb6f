//! What can go wrong.

use core::fmt;

/// Why there is no hash, or no setting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// The setting is of no method, or its method cannot read it.
    Setting,
    /// The phrase has [`PHRASE_SIZE`](crate::PHRASE_SIZE) bytes or more.
    PhraseTooLong,
    /// The result does not fit the output.
    OutputTooSmall,
    /// The method needs more memory than there is.
    Memory,
    /// The method does not take this cost.
    Cost,
    /// Too few random bytes for a salt.
    Random,
    /// The method verifies old hashes only: `$2x$` is bcrypt with a known fault.
    NoNewHashes,
    /// As many results as phrases are wanted, and one salt, or as many.
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
