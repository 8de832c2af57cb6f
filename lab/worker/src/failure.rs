//! The reasons why a library gave no output.

use std::ffi::c_int;
use std::fmt;

/// The reason why a call gave no output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Failure {
    /// The library does not support these parameters. This does not count as a wrong answer.
    Unsupported(String),
    /// The library recognised the input as forged: the tag or the padding was wrong.
    Rejected,
    /// The library reported an error although it should support the parameters.
    Failed(String),
}

impl Failure {
    /// Makes [`Failure::Unsupported`] with a formatted reason.
    pub fn unsupported(reason: impl fmt::Display) -> Self {
        Self::Unsupported(reason.to_string())
    }

    /// [`Failure::Unsupported`] because the library does not support the length of an input. `what`
    /// is the input with its article: "a key", "an IV".
    pub fn length(what: &str, bytes: impl fmt::Display) -> Self {
        Self::unsupported(format_args!("{what} of {bytes} bytes"))
    }

    /// Makes [`Failure::Failed`] with a formatted reason.
    pub fn failed(reason: impl fmt::Display) -> Self {
        Self::Failed(reason.to_string())
    }
}

/// Returns success, or the failure of a call whose code says so.
#[inline]
pub fn done(is_good: bool, failure: impl FnOnce() -> Failure) -> Result<(), Failure> {
    if is_good { Ok(()) } else { Err(failure()) }
}

/// Converts the code of a call that must succeed; 0 means success.
#[inline]
pub fn ok(call: &str, code: c_int) -> Result<(), Failure> {
    done(code == 0, || {
        Failure::failed(format_args!("{call}: code {code}"))
    })
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unsupported(reason) => write!(f, "unsupported: {reason}"),
            Self::Rejected => f.write_str("rejected as forged"),
            Self::Failed(reason) => f.write_str(reason),
        }
    }
}
