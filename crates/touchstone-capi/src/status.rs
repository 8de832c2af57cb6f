//! Error codes: zero is success, what is negative is an error, and an error has
//! changed nothing but what its line says.

use std::ffi::{c_char, c_int};

use touchstone::{AeadError, DataError, InvalidKeyLength, Mismatch};

/// Success.
pub const TOUCHSTONE_OK: c_int = 0;
/// A pointer is NULL that must not be.
pub const TOUCHSTONE_ERROR_NULL: c_int = -1;
/// No algorithm of this kind has this name.
pub const TOUCHSTONE_ERROR_NAME: c_int = -2;
/// The algorithm takes no key of this length.
pub const TOUCHSTONE_ERROR_KEY_LENGTH: c_int = -3;
/// The algorithm takes no initialization vector or nonce of this length.
pub const TOUCHSTONE_ERROR_IV_LENGTH: c_int = -4;
/// The algorithm makes no tag or MAC of this length.
pub const TOUCHSTONE_ERROR_TAG_LENGTH: c_int = -5;
/// The data are not whole blocks, too short, or too long.
pub const TOUCHSTONE_ERROR_DATA_LENGTH: c_int = -6;
/// The output has not the length of the result.
pub const TOUCHSTONE_ERROR_OUTPUT_LENGTH: c_int = -7;
/// Not yet: the key or the initialization vector has not been set.
pub const TOUCHSTONE_ERROR_STATE: c_int = -8;
/// The output overlaps something else, and is not exactly the input.
pub const TOUCHSTONE_ERROR_OVERLAP: c_int = -9;
/// The message, its tag or its MAC is not genuine. An output is filled with zeros.
pub const TOUCHSTONE_ERROR_FORGED: c_int = -10;
/// The algorithm has no parameter of this name, or not with this value.
pub const TOUCHSTONE_ERROR_PARAMETER: c_int = -11;

/// One of the codes above, not zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Error(pub(crate) c_int);

pub(crate) type Result<T> = std::result::Result<T, Error>;

impl From<InvalidKeyLength> for Error {
    fn from(_: InvalidKeyLength) -> Self {
        Self(TOUCHSTONE_ERROR_KEY_LENGTH)
    }
}

impl From<DataError> for Error {
    fn from(error: DataError) -> Self {
        Self(match error {
            DataError::OutputLength { .. } | DataError::TooLittleRoom { .. } => {
                TOUCHSTONE_ERROR_OUTPUT_LENGTH
            }
            // Every other kind says that the mode takes no data of this length.
            _ => TOUCHSTONE_ERROR_DATA_LENGTH,
        })
    }
}

impl From<AeadError> for Error {
    fn from(error: AeadError) -> Self {
        Self(match error {
            AeadError::Forged => TOUCHSTONE_ERROR_FORGED,
            AeadError::NonceLength { .. } => TOUCHSTONE_ERROR_IV_LENGTH,
            AeadError::TagLength { .. } => TOUCHSTONE_ERROR_TAG_LENGTH,
            AeadError::MessageLength => TOUCHSTONE_ERROR_DATA_LENGTH,
            AeadError::Data(error) => return error.into(),
            // AeadError::Order: a call that comes too late or too early.
            _ => TOUCHSTONE_ERROR_STATE,
        })
    }
}

impl From<Mismatch> for Error {
    fn from(_: Mismatch) -> Self {
        Self(TOUCHSTONE_ERROR_FORGED)
    }
}

/// What C is told.
pub(crate) fn code(result: Result<()>) -> c_int {
    match result {
        Ok(()) => TOUCHSTONE_OK,
        Err(Error(code)) => code,
    }
}

/// What a code means, in English; never NULL, and never to be freed.
#[allow(unsafe_code)]
#[unsafe(no_mangle)]
pub extern "C" fn touchstone_strerror(code: c_int) -> *const c_char {
    match code {
        TOUCHSTONE_OK => c"success",
        TOUCHSTONE_ERROR_NULL => c"a pointer is NULL that must not be",
        TOUCHSTONE_ERROR_NAME => c"no algorithm of this kind has this name",
        TOUCHSTONE_ERROR_KEY_LENGTH => c"the algorithm takes no key of this length",
        TOUCHSTONE_ERROR_IV_LENGTH => {
            c"the algorithm takes no initialization vector or nonce of this length"
        }
        TOUCHSTONE_ERROR_TAG_LENGTH => c"the algorithm makes no tag or MAC of this length",
        TOUCHSTONE_ERROR_DATA_LENGTH => c"the data are not whole blocks, too short, or too long",
        TOUCHSTONE_ERROR_OUTPUT_LENGTH => c"the output has not the length of the result",
        TOUCHSTONE_ERROR_STATE => c"the key or the initialization vector has not been set",
        TOUCHSTONE_ERROR_OVERLAP => c"the output overlaps something else",
        TOUCHSTONE_ERROR_FORGED => c"the message is not genuine",
        TOUCHSTONE_ERROR_PARAMETER => c"the algorithm has no such parameter or value",
        _ => c"not an error code of this library",
    }
    .as_ptr()
}
