//! Errors as exceptions. The classes are in `python/touchstone/_errors.py`.

use pyo3::PyErr;
use pyo3::exceptions::PyMemoryError;
use pyo3::import_exception;
use touchstone::KeyLengths;
use touchstone::dynamic::Error;
use touchstone::kdf::KdfError;

import_exception!(touchstone._errors, InvalidTag);
import_exception!(touchstone._errors, LengthError);
import_exception!(touchstone._errors, ParameterError);
import_exception!(touchstone._errors, StateError);
import_exception!(touchstone._errors, UnknownAlgorithm);

/// An error of the library, and the name of the algorithm that was called.
#[derive(Debug)]
pub(crate) struct Failure {
    name: String,
    error: Kind,
}

#[derive(Debug)]
enum Kind {
    Call(Error),
    Memory,
}

impl Failure {
    /// Makes a function that adds the name of an algorithm to an error.
    pub(crate) fn of<E: Into<Error>>(name: &str) -> impl Fn(E) -> Self + use<'_, E> {
        move |error| Self {
            name: name.into(),
            error: Kind::Call(error.into()),
        }
    }

    /// Adds the name of a key derivation to an error.
    pub(crate) fn of_kdf(name: &str) -> impl Fn(KdfError) -> Self + use<'_> {
        move |error| Self {
            name: name.into(),
            error: match error {
                KdfError::Memory => Kind::Memory,
                error => Kind::Call(error.into()),
            },
        }
    }
}

impl From<Failure> for PyErr {
    fn from(Failure { name, error }: Failure) -> Self {
        let error = match error {
            Kind::Memory => {
                return PyMemoryError::new_err(format!(
                    "{name}: the memory for these costs cannot be allocated; take lower costs"
                ));
            }
            Kind::Call(error) => error,
        };
        match error {
            Error::Name => UnknownAlgorithm::new_err(format!(
                "{name} cannot do this: touchstone.describe({name:?}) shows what it is"
            )),
            Error::Parameter => ParameterError::new_err(format!(
                "{name} does not take this parameter, or not this value; see docs/python.md"
            )),
            Error::Kernel => ParameterError::new_err(format!("{name}: {error}")),
            Error::Order => StateError::new_err(format!(
                "{name}: the calls came in a wrong order, or this key was for one message only; \
                 make a new object"
            )),
            Error::Forged => InvalidTag::new_err(format!(
                "{name}: the message is not genuine, or the key, nonce or associated data is wrong"
            )),
            _ => LengthError::new_err(format!("{name}: {error}")),
        }
    }
}

/// Returns an error if a key, nonce or tag does not have one of the lengths.
pub(crate) fn check_length(
    name: &str,
    what: &str,
    lengths: KeyLengths,
    given: usize,
) -> Result<(), PyErr> {
    if lengths.contains(given) {
        return Ok(());
    }
    let wanted = text(lengths);
    Err(LengthError::new_err(format!(
        "{name} takes {what}s of {wanted}; this {what} has {given}"
    )))
}

/// Returns the error for a tag size that an algorithm does not have.
pub(crate) fn wrong_tag(name: &str, size: usize, longest: usize) -> PyErr {
    LengthError::new_err(format!(
        "{name} makes no tags of {size} bytes; the usual tag has {longest} bytes, and a tag has at \
         least 4"
    ))
}

/// Lengths as text.
fn text(lengths: KeyLengths) -> String {
    let KeyLengths { min, max, step } = lengths;
    let steps = if step == 1 {
        String::new()
    } else {
        format!(" in steps of {step}")
    };
    if min == max {
        format!("{min} bytes")
    } else if max > isize::MAX as usize / 2 {
        format!("{min} bytes or more{steps}")
    } else {
        format!("{min} to {max} bytes{steps}")
    }
}
