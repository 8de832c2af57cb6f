//! Error codes: 0 is success, negative numbers are errors.

use core::ffi::{c_char, c_int};

use touchstone::dynamic;

pub const TOUCHSTONE_OK: c_int = 0;
pub const TOUCHSTONE_ERROR_NULL: c_int = -1;
pub const TOUCHSTONE_ERROR_NAME: c_int = -2;
pub const TOUCHSTONE_ERROR_KEY_LENGTH: c_int = -3;
pub const TOUCHSTONE_ERROR_IV_LENGTH: c_int = -4;
pub const TOUCHSTONE_ERROR_TAG_LENGTH: c_int = -5;
pub const TOUCHSTONE_ERROR_DATA_LENGTH: c_int = -6;
pub const TOUCHSTONE_ERROR_OUTPUT_LENGTH: c_int = -7;
pub const TOUCHSTONE_ERROR_STATE: c_int = -8;
pub const TOUCHSTONE_ERROR_OVERLAP: c_int = -9;
pub const TOUCHSTONE_ERROR_FORGED: c_int = -10;
pub const TOUCHSTONE_ERROR_PARAMETER: c_int = -11;
pub const TOUCHSTONE_ERROR_SETTING: c_int = -12;
pub const TOUCHSTONE_ERROR_MEMORY: c_int = -13;
pub const TOUCHSTONE_ERROR_RANDOM: c_int = -14;

/// One of the error codes above; never zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Error(pub(crate) c_int);

pub(crate) type Result<T> = core::result::Result<T, Error>;

impl From<dynamic::Error> for Error {
    /// Apart, so that a call without an error does not look up what its result means.
    #[cold]
    #[inline(never)]
    fn from(error: dynamic::Error) -> Self {
        Self(match error {
            dynamic::Error::Name => TOUCHSTONE_ERROR_NAME,
            dynamic::Error::KeyLength => TOUCHSTONE_ERROR_KEY_LENGTH,
            dynamic::Error::NonceLength => TOUCHSTONE_ERROR_IV_LENGTH,
            dynamic::Error::TagLength => TOUCHSTONE_ERROR_TAG_LENGTH,
            dynamic::Error::MessageLength => TOUCHSTONE_ERROR_DATA_LENGTH,
            dynamic::Error::OutputLength => TOUCHSTONE_ERROR_OUTPUT_LENGTH,
            dynamic::Error::Order => TOUCHSTONE_ERROR_STATE,
            dynamic::Error::Forged => TOUCHSTONE_ERROR_FORGED,
            dynamic::Error::System => TOUCHSTONE_ERROR_RANDOM,
            // `Parameter` and `Kernel` remain. No function of this crate takes the name of a
            // kernel.
            _ => TOUCHSTONE_ERROR_PARAMETER,
        })
    }
}

/// Returns the code that a C function returns for this result.
pub(crate) fn code(result: Result<()>) -> c_int {
    match result {
        Ok(()) => TOUCHSTONE_OK,
        Err(Error(code)) => code,
    }
}

#[allow(unsafe_code)]
#[unsafe(no_mangle)]
pub extern "C" fn touchstone_strerror(error: c_int) -> *const c_char {
    match error {
        TOUCHSTONE_OK => c"success",
        TOUCHSTONE_ERROR_NULL => c"a pointer is NULL that must not be",
        TOUCHSTONE_ERROR_NAME => c"no algorithm of this kind has this name",
        TOUCHSTONE_ERROR_KEY_LENGTH => c"the algorithm takes no key of this length",
        TOUCHSTONE_ERROR_IV_LENGTH => {
            c"the algorithm takes no initialization vector or nonce of this length"
        }
        TOUCHSTONE_ERROR_TAG_LENGTH => c"the tag has not the length of this handle's tags",
        TOUCHSTONE_ERROR_DATA_LENGTH => c"the data are not whole blocks, too short, or too long",
        TOUCHSTONE_ERROR_OUTPUT_LENGTH => c"the output has not the length of the result",
        TOUCHSTONE_ERROR_STATE => c"the calls come in a wrong order",
        TOUCHSTONE_ERROR_OVERLAP => c"the output overlaps something else",
        TOUCHSTONE_ERROR_FORGED => c"the message, tag or password is not the right one",
        TOUCHSTONE_ERROR_PARAMETER => c"the algorithm has no such parameter or value",
        TOUCHSTONE_ERROR_SETTING => c"no password hash or setting of a known method",
        TOUCHSTONE_ERROR_MEMORY => c"not enough memory",
        TOUCHSTONE_ERROR_RANDOM => c"the system gives no random bytes",
        _ => c"not an error code of this library",
    }
    .as_ptr()
}
