//! Hash functions with digests of fixed length or of any length.

use std::sync::{Mutex, MutexGuard, PoisonError};

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use touchstone::dynamic;

use crate::buffer::{Input, Output, fill, optional, released};
use crate::error::{Failure, LengthError, StateError};
use crate::family::Family;

/// A hash function and a message in progress, in the form of hashlib: Hash("sha-256", b"…").
///
/// names("hash") lists the names; docs/algorithms.md has each function's standard and security.
/// customization is for cSHAKE (SP 800-185) and KangarooTwelve (RFC 9861). usedforsecurity is taken
/// for programs written for hashlib, and changes nothing.
///
/// Raises UnknownAlgorithm.
#[pyclass(frozen, module = "touchstone")]
pub(crate) struct Hash {
    name: String,
    state: Mutex<State>,
}

#[derive(Clone)]
struct State {
    hash: dynamic::Hash,
    /// Whether output has been squeezed, after which the message has ended.
    squeezed: bool,
}

#[pymethods]
impl Hash {
    #[new]
    #[pyo3(signature = (name, data=None, *, customization=None, usedforsecurity=true))]
    fn new(
        py: Python<'_>,
        name: &str,
        data: Option<Input>,
        customization: Option<Input>,
        usedforsecurity: bool,
    ) -> PyResult<Self> {
        // The library has no mode that forbids algorithms.
        let _ = usedforsecurity;
        let name = Family::Hash.find(name)?;
        let hash = match &customization {
            None => dynamic::Hash::new(&name),
            Some(text) => dynamic::Hash::customised(&name, text.bytes()),
        };
        let state = State {
            hash: hash.map_err(Failure::of(&name))?,
            squeezed: false,
        };
        let hash = Self {
            name,
            state: Mutex::new(state),
        };
        if data.is_some() {
            hash.add(py, optional(&data))?;
        }
        Ok(hash)
    }

    /// The name in the spelling of names().
    #[getter]
    fn name(&self) -> &str {
        &self.name
    }

    /// The size of the digest in bytes; 0 if the caller chooses it.
    #[getter]
    fn digest_size(&self) -> usize {
        self.lock().hash.output().unwrap_or(0)
    }

    /// The size in bytes of the blocks in which messages are processed.
    #[getter]
    fn block_size(&self) -> usize {
        self.lock().hash.block()
    }

    /// Adds the next piece of the message.
    ///
    /// Raises StateError after squeeze().
    fn update(&self, py: Python<'_>, data: Input) -> PyResult<()> {
        self.add(py, data.bytes())
    }

    /// Returns the digest of the message so far, which may go on afterwards. length, in bytes, is for
    /// a function whose digests have any length. With into, writes the digest to this buffer and
    /// returns the number of bytes.
    ///
    /// Raises TypeError if the function needs a length, LengthError for a length that it does not
    /// have, BufferError, and StateError after squeeze().
    #[pyo3(signature = (length=None, *, into=None))]
    fn digest(
        &self,
        py: Python<'_>,
        length: Option<usize>,
        into: Option<Output>,
    ) -> PyResult<Py<PyAny>> {
        let (state, length) = self.ready(length)?;
        fill(py, into, length, (length, &[]), |out| self.end(state, out))
    }

    /// digest() in hexadecimal digits.
    #[pyo3(signature = (length=None))]
    fn hexdigest(&self, py: Python<'_>, length: Option<usize>) -> PyResult<String> {
        let (state, length) = self.ready(length)?;
        let mut out = Vec::new();
        out.try_reserve_exact(length).map_err(|_| {
            pyo3::exceptions::PyMemoryError::new_err("the digest does not fit into the memory")
        })?;
        out.resize(length, 0);
        released(py, length, || self.end(state, &mut out))?;
        let digit = |value: u8| char::from(b"0123456789abcdef"[usize::from(value)]);
        let digits = out
            .iter()
            .flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]);
        Ok(digits.collect())
    }

    /// Returns the next bytes of output, for a function whose output has any length. The first call
    /// ends the message; reset() starts the next one.
    ///
    /// Raises TypeError for a function whose digests have a fixed length.
    #[pyo3(signature = (length, *, into=None))]
    fn squeeze(&self, py: Python<'_>, length: usize, into: Option<Output>) -> PyResult<Py<PyAny>> {
        if self.lock().hash.output().is_some() {
            return Err(PyTypeError::new_err(format!(
                "{} has digests of fixed length; call digest()",
                self.name
            )));
        }
        fill(py, into, length, (length, &[]), |out| {
            let mut state = self.lock();
            state.squeezed = true;
            state.hash.squeeze(out).map_err(Failure::of(&self.name))
        })
    }

    /// Returns a copy with the same message so far.
    fn copy(&self) -> Self {
        Self {
            name: self.name.clone(),
            state: Mutex::new(self.lock().clone()),
        }
    }

    /// Discards the message in progress.
    fn reset(&self) {
        let mut state = self.lock();
        state.hash.reset();
        state.squeezed = false;
    }

    fn __repr__(&self) -> String {
        format!("<touchstone.Hash {}>", self.name)
    }
}

impl Hash {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn ended(&self) -> PyErr {
        StateError::new_err(format!(
            "{}: squeeze() has ended the message; reset() starts the next one",
            self.name
        ))
    }

    fn add(&self, py: Python<'_>, data: &[u8]) -> PyResult<()> {
        let added = released(py, data.len(), || {
            let mut state = self.lock();
            if !state.squeezed {
                state.hash.update(data);
            }
            !state.squeezed
        });
        if added { Ok(()) } else { Err(self.ended()) }
    }

    /// A copy of the state, from which a digest of this length can be made.
    fn ready(&self, length: Option<usize>) -> PyResult<(State, usize)> {
        let state = self.lock();
        if state.squeezed {
            return Err(self.ended());
        }
        let length = match (state.hash.output(), length) {
            (Some(size), None) => size,
            (Some(size), Some(length)) if length == size => size,
            (None, Some(length)) => length,
            (Some(size), Some(length)) => {
                return Err(LengthError::new_err(format!(
                    "{} has digests of {size} bytes, not of {length}",
                    self.name
                )));
            }
            (None, None) => {
                return Err(PyTypeError::new_err(format!(
                    "{} has digests of any length: digest(length)",
                    self.name
                )));
            }
        };
        Ok((state.clone(), length))
    }

    fn end(&self, mut state: State, out: &mut [u8]) -> Result<(), Failure> {
        state.hash.finalize(out).map_err(Failure::of(&self.name))
    }
}

/// Hashes many messages at once and returns their digests. This is several times as fast as one
/// message after the other, if the hash has kernels for it.
///
/// Raises UnknownAlgorithm, and TypeError for a function whose digests have any length.
#[pyfunction]
pub(crate) fn hash_many(
    py: Python<'_>,
    name: &str,
    messages: Vec<Input>,
) -> PyResult<Vec<Py<PyBytes>>> {
    let name = Family::Hash.find(name)?;
    let hash = dynamic::Hash::new(&name).map_err(Failure::of(&name))?;
    let Some(size) = hash.output() else {
        return Err(PyTypeError::new_err(format!(
            "{name} has digests of any length; call hash() for each message"
        )));
    };
    let messages: Vec<&[u8]> = messages.iter().map(Input::bytes).collect();
    let work = messages.iter().map(|message| message.len()).sum();
    let mut digests = vec![0; size * messages.len()];
    released(py, work, || hash.digest_many(&messages, &mut digests)).map_err(Failure::of(&name))?;
    let each = digests.chunks_exact(size);
    Ok(each
        .map(|digest| PyBytes::new(py, digest).unbind())
        .collect())
}
