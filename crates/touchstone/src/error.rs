//! What can go wrong. Each error says what was given and what was wanted.

use core::fmt;

/// Data that a call cannot take. Nothing has been read or written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
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
    /// A last byte has 1 to 7 bits where a message does not end with a whole byte.
    BitCount {
        /// The number of bits that was given.
        given: u8,
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
            Self::BitCount { given } => write!(f, "{given} bits are not 1 to 7"),
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

/// What authenticated encryption refuses. [`Forged`](Self::Forged) wipes the
/// output; all others leave it as it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum AeadError {
    /// The message, its associated data, its nonce or its tag is not what was
    /// encrypted with this key.
    Forged,
    /// The mode takes no nonce of this length.
    NonceLength {
        /// Length of the nonce in bytes.
        given: usize,
    },
    /// The mode takes no tag of this length.
    TagLength {
        /// Length of the tag in bytes.
        given: usize,
    },
    /// The message or its associated data are longer than the mode, or its nonce,
    /// allows; or not as long as was announced.
    MessageLength,
    /// Associated data after the first data.
    Order,
    /// Input and output differ in length.
    Data(DataError),
}

impl From<DataError> for AeadError {
    fn from(error: DataError) -> Self {
        Self::Data(error)
    }
}

impl fmt::Display for AeadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Forged => f.write_str("the message is not genuine"),
            Self::NonceLength { given } => {
                write!(f, "the mode takes no nonce of {given} bytes")
            }
            Self::TagLength { given } => write!(f, "the mode takes no tag of {given} bytes"),
            Self::MessageLength => f.write_str("the message has a length that it cannot have"),
            Self::Order => f.write_str("associated data must come before all data"),
            Self::Data(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for AeadError {}
