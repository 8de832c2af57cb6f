//! What can go wrong. Each error says what was given and what was wanted.

use core::fmt;

use crate::KeyLengths;

/// A key of a length that the algorithm does not take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InvalidKeyLength {
    /// Length of the refused key in bytes.
    pub given: usize,
    /// Lengths that would have been right.
    pub wanted: KeyLengths,
}

impl fmt::Display for InvalidKeyLength {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a key of {} bytes, not {}", self.given, self.wanted)
    }
}

impl core::error::Error for InvalidKeyLength {}

/// Data that a call cannot take. Nothing has been read or written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DataError {
    /// The mode works on whole blocks, and these are not.
    NotWholeBlocks {
        /// Length of the input in bytes.
        length: usize,
        /// Length of a block in bytes.
        block: usize,
    },
    /// Input and output differ in length (or in number, for many messages).
    OutputLength {
        /// Length of the input.
        input: usize,
        /// Length of the output.
        output: usize,
    },
}

impl fmt::Display for DataError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotWholeBlocks { length, block } => {
                write!(f, "{length} bytes are not whole blocks of {block}")
            }
            Self::OutputLength { input, output } => {
                write!(f, "the input has length {input}, the output {output}")
            }
        }
    }
}

impl core::error::Error for DataError {}

/// A MAC or a tag that is not the message's: one of them, or the key, is not
/// what it should be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mismatch;

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the authentication tag does not match")
    }
}

impl core::error::Error for Mismatch {}
