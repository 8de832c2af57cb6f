//! Message authentication codes, with and without a nonce.

use std::sync::{Mutex, MutexGuard, PoisonError};

use pyo3::prelude::*;
use pyo3::types::PyBytes;
use touchstone::dynamic::{self, Error, NonceMac, Options};
use zeroize::Zeroizing;

use crate::SMALL;
use crate::buffer::{Input, optional, released};
use crate::error::{Failure, InvalidTag, ParameterError, StateError, check_length, wrong_tag};
use crate::family::Family;

enum Key {
    Plain(dynamic::Mac),
    /// A MAC whose tag also depends on a nonce.
    Nonce(NonceMac, Vec<u8>),
}

struct State {
    key: Key,
    /// The tag, after the end of the message.
    tag: Option<Zeroizing<Vec<u8>>>,
}

/// A message authentication code with a key, and a message in progress:
/// Mac("hmac-sha-256", key, b"…").
///
/// names("mac") lists the names; describe() has the sizes of keys, nonces and tags in bytes;
/// docs/algorithms.md has each algorithm's standard and security. nonce is for GMAC, UMAC and VMAC,
/// and must never be used twice with a key. tag_size truncates the tag to 4 bytes or more. Unlike
/// hmac.HMAC, digest() ends the message.
///
/// Raises UnknownAlgorithm, LengthError for a key, nonce or tag of a wrong length, and
/// ParameterError for a nonce that is missing or not taken.
#[pyclass(frozen, module = "touchstone")]
pub(crate) struct Mac {
    name: String,
    size: usize,
    state: Mutex<State>,
}

#[pymethods]
impl Mac {
    #[new]
    #[pyo3(signature = (name, key, data=None, *, nonce=None, tag_size=None))]
    fn new(
        py: Python<'_>,
        name: &str,
        key: Input,
        data: Option<Input>,
        nonce: Option<Input>,
        tag_size: Option<usize>,
    ) -> PyResult<Self> {
        let name = Family::Mac.find(name)?;
        let (key, size) = match dynamic::Mac::find(&name) {
            Ok(_) => plain(&name, &key, &nonce, tag_size)?,
            Err(_) => with_nonce(&name, &key, &nonce, tag_size)?,
        };
        let mac = Self {
            name,
            size,
            state: Mutex::new(State { key, tag: None }),
        };
        if data.is_some() {
            mac.add(py, optional(&data))?;
        }
        Ok(mac)
    }

    /// The name in the spelling of names().
    #[getter]
    fn name(&self) -> &str {
        &self.name
    }

    /// The size of the tag in bytes.
    #[getter]
    fn digest_size(&self) -> usize {
        self.size
    }

    /// Adds the next piece of the message.
    ///
    /// Raises StateError after the end of the message.
    fn update(&self, py: Python<'_>, data: Input) -> PyResult<()> {
        self.add(py, data.bytes())
    }

    /// Ends the message and returns its tag. Further calls return the same tag.
    ///
    /// Raises StateError after the only message of a key that is for one message (Poly1305).
    fn digest(&self, py: Python<'_>) -> PyResult<Py<PyBytes>> {
        Ok(PyBytes::new(py, &self.end()?).unbind())
    }

    /// digest() in hexadecimal digits.
    fn hexdigest(&self) -> PyResult<String> {
        Ok(self
            .end()?
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect())
    }

    /// Ends the message and checks its tag, in a time that does not depend on the tag's bytes.
    ///
    /// Raises InvalidTag if the tag is not the message's.
    fn verify(&self, tag: Input) -> PyResult<()> {
        let made = self.end()?;
        let (made, given) = (&**made, tag.bytes());
        if touchstone::wipe::after(SMALL, || touchstone::constant_time_eq(made, given)) {
            return Ok(());
        }
        Err(InvalidTag::new_err(format!(
            "{}: the tag does not belong to this message and key",
            self.name
        )))
    }

    /// Starts the next message with the same key; with a new nonce if the MAC takes one.
    ///
    /// Raises ParameterError for a nonce that is missing or not taken, and LengthError.
    #[pyo3(signature = (nonce=None))]
    fn reset(&self, nonce: Option<Input>) -> PyResult<()> {
        let mut state = self.lock();
        match &mut state.key {
            Key::Plain(mac) => {
                if nonce.is_some() {
                    return Err(no_nonce(&self.name));
                }
                mac.reset();
            }
            Key::Nonce(mac, used) => {
                let Some(nonce) = nonce else {
                    return Err(needs_nonce(&self.name));
                };
                let algorithm = NonceMac::find(&self.name).map_err(Failure::of(&self.name))?;
                check_length(&self.name, "nonce", algorithm.nonce_lengths(), nonce.len())?;
                mac.reset();
                *used = nonce.bytes().into();
            }
        }
        state.tag = None;
        Ok(())
    }

    fn __repr__(&self) -> String {
        format!("<touchstone.Mac {}>", self.name)
    }
}

fn no_nonce(name: &str) -> PyErr {
    ParameterError::new_err(format!("{name} takes no nonce; leave it out"))
}

fn needs_nonce(name: &str) -> PyErr {
    ParameterError::new_err(format!(
        "{name} needs a nonce for each message: nonce=…, a new one for each message of a key"
    ))
}

fn plain(
    name: &str,
    key: &Input,
    nonce: &Option<Input>,
    tag_size: Option<usize>,
) -> PyResult<(Key, usize)> {
    let algorithm = dynamic::Mac::find(name).map_err(Failure::of(name))?;
    check_length(name, "key", algorithm.key_lengths(), key.len())?;
    if nonce.is_some() {
        return Err(no_nonce(name));
    }
    let mut mac = algorithm
        .with(key.bytes(), &Options::default())
        .map_err(Failure::of(name))?;
    if let Some(size) = tag_size {
        mac = mac
            .with_tag(size)
            .map_err(|_| wrong_tag(name, size, algorithm.longest_tag()))?;
    }
    let size = mac.tag();
    Ok((Key::Plain(mac), size))
}

fn with_nonce(
    name: &str,
    key: &Input,
    nonce: &Option<Input>,
    tag_size: Option<usize>,
) -> PyResult<(Key, usize)> {
    let algorithm = NonceMac::find(name).map_err(Failure::of(name))?;
    check_length(name, "key", algorithm.key_lengths(), key.len())?;
    let Some(nonce) = nonce else {
        return Err(needs_nonce(name));
    };
    check_length(name, "nonce", algorithm.nonce_lengths(), nonce.len())?;
    let mut mac = algorithm
        .with(key.bytes(), &Options::default())
        .map_err(Failure::of(name))?;
    if let Some(size) = tag_size {
        mac = mac
            .with_tag(size)
            .map_err(|_| wrong_tag(name, size, algorithm.longest_tag()))?;
    }
    let size = mac.tag();
    Ok((Key::Nonce(mac, nonce.bytes().into()), size))
}

impl Mac {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn add(&self, py: Python<'_>, data: &[u8]) -> PyResult<()> {
        let added = released(py, data.len(), || {
            let mut state = self.lock();
            if state.tag.is_some() {
                return None;
            }
            Some(match &mut state.key {
                Key::Plain(mac) => mac.update(data),
                Key::Nonce(mac, _) => {
                    mac.update(data);
                    Ok(())
                }
            })
        });
        match added {
            Some(added) => Ok(added.map_err(Failure::of(&self.name))?),
            None => Err(StateError::new_err(format!(
                "{}: digest() has ended the message; reset() starts the next one",
                self.name
            ))),
        }
    }

    /// The tag. The first call ends the message.
    fn end(&self) -> Result<Zeroizing<Vec<u8>>, Failure> {
        let mut state = self.lock();
        if let Some(tag) = &state.tag {
            return Ok(tag.clone());
        }
        let mut tag = Zeroizing::new(vec![0; self.size]);
        let ended: Result<(), Error> = match &mut state.key {
            Key::Plain(mac) => mac.finalize(&mut tag),
            Key::Nonce(mac, nonce) => mac.finalize(nonce, &mut tag),
        };
        ended.map_err(Failure::of(&self.name))?;
        state.tag = Some(tag.clone());
        Ok(tag)
    }
}
