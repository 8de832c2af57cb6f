//! Functions that all families of algorithms share: the library's names and options for a work,
//! and the library's errors.

use touchstone::InOutBuf;
use touchstone::dynamic::{Error, Options};
pub(crate) use touchstone_worker::keyed;
use touchstone_worker::{Failure, Text, Work};

/// Returns the library's options for the work's cost parameters.
pub(crate) fn options(work: &Work) -> Options<'static> {
    Options {
        parameter: work.parameter(),
        ..Options::default()
    }
}

/// Converts the library's error into a failure.
pub(crate) fn failure(error: Error) -> Failure {
    match error {
        Error::Forged => Failure::Rejected,
        error => Failure::unsupported(error),
    }
}

/// Sets a key. The first key makes the object, later keys replace the object's key.
pub(crate) fn set_key<O>(
    object: &mut Option<O>,
    key: &[u8],
    first: impl FnOnce(&[u8]) -> Result<O, Error>,
    next: impl FnOnce(&mut O, &[u8]) -> Result<(), Error>,
) -> Result<(), Failure> {
    match object {
        Some(object) => next(object, key),
        none => first(key).map(|made| *none = Some(made)),
    }
    .map_err(failure)
}

/// Returns the input and output of a text whose output is as long as the message.
#[inline]
pub(crate) fn in_out(text: Text<'_>) -> Result<InOutBuf<'_, '_, u8>, Failure> {
    match text {
        Text::Apart(input, output) => {
            InOutBuf::new(input, &mut output[..input.len()]).map_err(Failure::failed)
        }
        Text::InPlace(text, length) => Ok(InOutBuf::from(&mut text[..length])),
    }
}
