//! Error codes: 0 is success, negative numbers are errors.

use core::ffi::{c_char, c_int};

pub const STRONGBOX_OK: c_int = 0;
pub const STRONGBOX_ERROR_CALL: c_int = -1;
pub const STRONGBOX_ERROR_DAMAGED: c_int = -2;
pub const STRONGBOX_ERROR_SETTING: c_int = -3;
pub const STRONGBOX_ERROR_SYSTEM: c_int = -4;
pub const STRONGBOX_ERROR_KEY: c_int = -5;
pub const STRONGBOX_ERROR_FORMAT: c_int = -6;
pub const STRONGBOX_ERROR_SIGNATURE: c_int = -7;
pub const STRONGBOX_ERROR_STOPPED: c_int = -8;

/// One of the error codes above; never zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Error(pub(crate) c_int);

pub(crate) type Result<T> = core::result::Result<T, Error>;

impl From<strongbox::Error> for Error {
    fn from(error: strongbox::Error) -> Self {
        // The exit codes of the command are the same classes.
        Self(match error.exit_code() {
            1 => STRONGBOX_ERROR_DAMAGED,
            2 => STRONGBOX_ERROR_SETTING,
            4 => STRONGBOX_ERROR_KEY,
            5 => STRONGBOX_ERROR_FORMAT,
            6 => STRONGBOX_ERROR_SIGNATURE,
            _ => STRONGBOX_ERROR_SYSTEM,
        })
    }
}

/// Returns the code that a C function returns for this result.
pub(crate) fn code(result: Result<()>) -> c_int {
    match result {
        Ok(()) => STRONGBOX_OK,
        Err(Error(code)) => code,
    }
}

#[allow(unsafe_code)]
#[unsafe(no_mangle)]
pub extern "C" fn strongbox_strerror(error: c_int) -> *const c_char {
    match error {
        STRONGBOX_OK => c"success",
        STRONGBOX_ERROR_CALL => c"a pointer is NULL, or the handle has failed or ended before",
        STRONGBOX_ERROR_DAMAGED => c"the file is damaged, truncated or forged",
        STRONGBOX_ERROR_SETTING => c"a key, text or setting cannot be used",
        STRONGBOX_ERROR_SYSTEM => c"the system gave no memory or no random bytes",
        STRONGBOX_ERROR_KEY => c"the passphrase is wrong, or no key opens the file",
        STRONGBOX_ERROR_FORMAT => c"no strongbox, or a newer one, or it is above a limit",
        STRONGBOX_ERROR_SIGNATURE => c"the signature is missing, wrong, or of another sender",
        STRONGBOX_ERROR_STOPPED => c"the program's function has stopped the work",
        _ => c"not an error code of this library",
    }
    .as_ptr()
}
