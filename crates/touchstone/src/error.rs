//! The error types. Each error contains the given value and the allowed value.

use core::fmt;

/// The errors for data that a function refuses. After such an error, the function has neither
/// read nor written any data.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum DataError {
    /// The mode needs whole blocks, and the data is not whole blocks.
    NotWholeBlocks {
        /// Length of the input in bytes.
        length: usize,
        /// Length of a block in bytes.
        block: usize,
    },
    /// The data is shorter than a block, so ciphertext stealing is impossible.
    TooShort {
        /// Length of the input in bytes.
        length: usize,
        /// The smallest length that the mode accepts, in bytes.
        least: usize,
    },
    /// The buffer is too small for the padded message.
    TooLittleRoom {
        /// Length of the padded message in bytes.
        needed: usize,
        /// Length of the buffer in bytes.
        given: usize,
    },
    /// The number of bits of an incomplete last byte is not 1 to 7.
    BitCount {
        /// The given number of bits.
        given: u8,
    },
    /// Input and output have different lengths. In a call for many messages, the numbers of
    /// inputs and outputs differ.
    OutputLength {
        /// The length of the input in bytes, or the number of inputs.
        input: usize,
        /// The length of the output in bytes, or the number of outputs.
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

/// The error for a MAC or a tag that does not belong to the message: the message, the MAC, the
/// nonce or the key is wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mismatch;

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the authentication tag does not match")
    }
}

impl core::error::Error for Mismatch {}

/// The error for a last block that does not end with valid padding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InvalidPadding;

impl fmt::Display for InvalidPadding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the padding is invalid")
    }
}

impl core::error::Error for InvalidPadding {}

/// The errors of authenticated encryption. After [`Forged`](Self::Forged) the output is wiped.
/// After all other errors the output is unchanged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum AeadError {
    /// The message, its associated data, its nonce or its tag differs from the values that were
    /// encrypted with this key.
    Forged,
    /// The mode does not allow nonces of this length.
    NonceLength {
        /// The length of the nonce in bytes.
        given: usize,
    },
    /// The mode does not allow tags of this length.
    TagLength {
        /// The length of the tag in bytes.
        given: usize,
    },
    /// The message or its associated data is longer than the mode or the nonce allows, or
    /// has another length than its start announced.
    MessageLength,
    /// Associated data was added after the first data.
    Order,
    /// Input and output have different lengths, or the data has another error.
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
