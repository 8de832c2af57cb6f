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
    /// The mode steals from a whole block, and there is none.
    TooShort {
        /// Length of the input in bytes.
        length: usize,
        /// The least length that the mode takes.
        least: usize,
    },
    /// A buffer is too small for the padded message.
    TooLittleRoom {
        /// Length of the padded message in bytes.
        needed: usize,
        /// Length of the buffer in bytes.
        given: usize,
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
            Self::TooShort { length, least } => {
                write!(f, "{length} bytes are fewer than {least}")
            }
            Self::TooLittleRoom { needed, given } => {
                write!(f, "{needed} bytes do not fit in {given}")
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

/// A last block that does not end as padding does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InvalidPadding;

impl fmt::Display for InvalidPadding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the padding is invalid")
    }
}

impl core::error::Error for InvalidPadding {}
