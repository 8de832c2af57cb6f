//! Key wrap: authenticated encryption of keys, without a nonce.

use pyo3::prelude::*;
use pyo3::types::PyBytes;
use touchstone::dynamic::{self, Error, Unwrapper, Wrapper};
use zeroize::Zeroizing;

use crate::buffer::Input;
use crate::error::{Failure, InvalidTag, LengthError, check_length};
use crate::family::Family;

/// Bytes by which a wrapped secret is longer than the padded secret.
const MORE: usize = 8;

/// Key wrap, the encryption of keys without a nonce: KeyWrap("aes-256-kw", key) of RFC 3394, and
/// with padding, -kwp of RFC 5649, each with any block cipher of 16-byte blocks.
///
/// names("wrap") lists the names.
///
/// Raises UnknownAlgorithm, LengthError for a key of a wrong length.
#[pyclass(frozen, module = "touchstone")]
pub(crate) struct KeyWrap {
    name: String,
    padded: bool,
    wrapper: Wrapper,
    unwrapper: Unwrapper,
}

#[pymethods]
impl KeyWrap {
    #[new]
    #[pyo3(signature = (name, key, /))]
    fn new(name: &str, key: Input) -> PyResult<Self> {
        let name = Family::Wrap.find(name)?;
        let wrap = dynamic::KeyWrap::new(&name).map_err(Failure::of(&name))?;
        check_length(&name, "key", wrap.key_lengths(), key.len())?;
        Ok(Self {
            padded: name.ends_with("-kwp"),
            wrapper: wrap.wrapper(key.bytes()).map_err(Failure::of(&name))?,
            unwrapper: wrap.unwrapper(key.bytes()).map_err(Failure::of(&name))?,
            name,
        })
    }

    /// The name in the spelling of names().
    #[getter]
    fn name(&self) -> &str {
        &self.name
    }

    /// Returns the secret under the key: 8 bytes longer than the secret, which -kwp first pads to a
    /// multiple of 8 bytes.
    ///
    /// Raises LengthError: -kw takes multiples of 8 bytes from 16 bytes on, -kwp takes 1 byte or more.
    fn wrap(&self, py: Python<'_>, secret: Input) -> PyResult<Py<PyBytes>> {
        let secret = secret.bytes();
        let size = if self.padded {
            secret.len().next_multiple_of(MORE)
        } else {
            secret.len()
        };
        let wrapped = PyBytes::new_with(py, size + MORE, |out| {
            let wrapped = self.wrapper.wrap(secret, out);
            wrapped.map_err(|error| self.failure(error, secret.len()))
        })?;
        Ok(wrapped.unbind())
    }

    /// Returns the secret of wrap().
    ///
    /// Raises InvalidTag if the bytes were not wrapped under this key.
    fn unwrap(&self, py: Python<'_>, wrapped: Input) -> PyResult<Py<PyBytes>> {
        let wrapped = wrapped.bytes();
        let mut out = Zeroizing::new(vec![0; wrapped.len().saturating_sub(MORE)]);
        // A length that no wrapped secret has is one more way to be forged.
        let length = self.unwrapper.unwrap(wrapped, &mut out).map_err(|error| {
            let error = match error {
                Error::MessageLength | Error::OutputLength => Error::Forged,
                error => error,
            };
            match error {
                Error::Forged => InvalidTag::new_err(format!(
                    "{}: these bytes were not wrapped under this key",
                    self.name
                )),
                error => Failure::of(&self.name)(error).into(),
            }
        })?;
        Ok(PyBytes::new(py, &out[..length]).unbind())
    }

    fn __repr__(&self) -> String {
        format!("<touchstone.KeyWrap {}>", self.name)
    }
}

impl KeyWrap {
    fn failure(&self, error: Error, given: usize) -> PyErr {
        match error {
            Error::MessageLength | Error::OutputLength => LengthError::new_err(format!(
                "{} does not wrap {given} bytes; -kw wraps multiples of 8 bytes from 16 bytes on, \
                 and -kwp wraps 1 byte or more",
                self.name
            )),
            error => Failure::of(&self.name)(error).into(),
        }
    }
}
