//! Authenticated encryption.

use std::sync::{Mutex, PoisonError};

use pyo3::prelude::*;
use pyo3::types::PyBytes;
use touchstone::KeyLengths;
use touchstone::dynamic::{self, Announced, Decryptor, Encryptor, Options};

use crate::buffer::{ALONE, Beside, Input, Output, optional, released, transform};
use crate::error::{Failure, InvalidTag, StateError, check_length, wrong_tag};
use crate::family::Family;

/// The longest tag of all algorithms, in bytes.
const LONGEST_TAG: usize = 64;

/// Authenticated encryption with a key: Aead("aes-256-gcm", key).
///
/// names("aead") lists the names; describe() has the sizes of keys, nonces and tags in bytes;
/// docs/algorithms.md has each algorithm's standard and security. tag_size chooses a shorter tag of
/// 4 bytes or more, if the mode allows it. Threads may use one object at the same time.
///
/// Raises UnknownAlgorithm, LengthError for a key or tag of a wrong length.
#[pyclass(frozen, module = "touchstone")]
pub(crate) struct Aead {
    name: String,
    nonces: KeyLengths,
    aead: dynamic::Aead,
}

#[pymethods]
impl Aead {
    #[new]
    #[pyo3(signature = (name, key, /, *, tag_size=None))]
    fn new(name: &str, key: Input, tag_size: Option<usize>) -> PyResult<Self> {
        let name = Family::Aead.find(name)?;
        let algorithm = dynamic::Aead::find(&name).map_err(Failure::of(&name))?;
        check_length(&name, "key", algorithm.key_lengths(), key.len())?;
        let mut aead = algorithm
            .with(key.bytes(), &Options::default())
            .map_err(Failure::of(&name))?;
        if let Some(size) = tag_size {
            let longest = algorithm.longest_tag();
            aead = aead
                .with_tag(size)
                .map_err(|_| wrong_tag(&name, size, longest))?;
        }
        Ok(Self {
            nonces: algorithm.nonce_lengths(),
            aead,
            name,
        })
    }

    /// The name in the spelling of names().
    #[getter]
    fn name(&self) -> &str {
        &self.name
    }

    /// The size of a tag in bytes.
    #[getter]
    fn tag_size(&self) -> usize {
        self.aead.tag()
    }

    /// Whether an encrypted message begins with its tag, as in SIV (RFC 5297), or ends with it.
    #[getter]
    fn tag_first(&self) -> bool {
        self.aead.tag_first()
    }

    /// Encrypts a message and returns it with its tag: tag_size bytes more than data.
    /// associated_data is authenticated and not encrypted. A nonce must never be used twice with a
    /// key.
    ///
    /// With into, writes to this buffer and returns the number of bytes. The message may lie in the
    /// buffer in the place of its result.
    ///
    /// Raises LengthError for a nonce or message of a wrong length, and BufferError for a buffer that
    /// is read-only, not contiguous, or overlaps an input in another way.
    #[pyo3(signature = (nonce, data, associated_data=None, *, into=None))]
    fn encrypt(
        &self,
        py: Python<'_>,
        nonce: Input,
        data: Input,
        associated_data: Option<Input>,
        into: Option<Output>,
    ) -> PyResult<Py<PyAny>> {
        self.check_nonce(&nonce)?;
        let (nonce, aad) = (nonce.bytes(), optional(&associated_data));
        let beside = Beside {
            tag: self.aead.tag(),
            first: self.aead.tag_first(),
        };
        let all = 0..data.len();
        transform(
            py,
            into,
            (&data, &[nonce, aad]),
            all,
            beside,
            |data, tag| {
                let made = self.aead.encrypt_inout(nonce, aad, data, tag);
                made.map_err(Failure::of(&self.name))
            },
        )
    }

    /// Decrypts a message with its tag. With into, writes to this buffer and returns the number of
    /// bytes.
    ///
    /// Raises InvalidTag if the message, the tag, the nonce, the associated data or the key is not the
    /// right one; then into has no byte of the message. Raises LengthError and BufferError as
    /// encrypt() does.
    #[pyo3(signature = (nonce, data, associated_data=None, *, into=None))]
    fn decrypt(
        &self,
        py: Python<'_>,
        nonce: Input,
        data: Input,
        associated_data: Option<Input>,
        into: Option<Output>,
    ) -> PyResult<Py<PyAny>> {
        self.check_nonce(&nonce)?;
        let (nonce, aad) = (nonce.bytes(), optional(&associated_data));
        let size = self.aead.tag();
        let Some(length) = data.len().checked_sub(size) else {
            return Err(InvalidTag::new_err(format!(
                "{}: the message is shorter than a tag of {size} bytes",
                self.name
            )));
        };
        let (tag, body) = if self.aead.tag_first() {
            (0..size, size..data.len())
        } else {
            (length..data.len(), 0..length)
        };
        // The output may be in the place of the message with its tag.
        let mut room = [0; LONGEST_TAG];
        let copy = &mut room[..size];
        copy.copy_from_slice(&data.bytes()[tag]);
        let copy = &*copy;
        transform(py, into, (&data, &[nonce, aad]), body, ALONE, |data, _| {
            let opened = self.aead.decrypt_inout(nonce, aad, data, copy);
            opened.map_err(Failure::of(&self.name))
        })
    }

    /// Starts a message that is encrypted in pieces. CCM needs the length of the message and of the
    /// associated data in bytes beforehand; other modes ignore both.
    ///
    /// Raises LengthError, and UnknownAlgorithm for an algorithm that takes whole messages alone (SIV, GCM-SIV,
    /// XSalsa20-Poly1305).
    #[pyo3(signature = (nonce, *, length=0, associated_length=0))]
    fn encryptor(&self, nonce: Input, length: u64, associated_length: u64) -> PyResult<AeadStream> {
        self.stream(&nonce, (length, associated_length), |nonce, announced| {
            let stream = self.aead.encryptor(nonce, announced)?;
            Ok(Stream::Encrypt(stream))
        })
    }

    /// Starts a message that is decrypted in pieces. What update() returns is not to be used before
    /// verify() has confirmed it.
    ///
    /// Raises the exceptions of encryptor().
    #[pyo3(signature = (nonce, *, length=0, associated_length=0))]
    fn decryptor(&self, nonce: Input, length: u64, associated_length: u64) -> PyResult<AeadStream> {
        self.stream(&nonce, (length, associated_length), |nonce, announced| {
            let stream = self.aead.decryptor(nonce, announced)?;
            Ok(Stream::Decrypt(stream))
        })
    }

    fn __repr__(&self) -> String {
        format!("<touchstone.Aead {}>", self.name)
    }
}

impl Aead {
    fn check_nonce(&self, nonce: &Input) -> PyResult<()> {
        check_length(&self.name, "nonce", self.nonces, nonce.len())
    }

    /// Starts a message in pieces, whose lengths are announced.
    fn stream(
        &self,
        nonce: &Input,
        (data, aad): (u64, u64),
        start: impl FnOnce(&[u8], Announced) -> Result<Stream, dynamic::Error>,
    ) -> PyResult<AeadStream> {
        self.check_nonce(nonce)?;
        let started = start(nonce.bytes(), Announced { aad, data });
        Ok(AeadStream {
            name: self.name.clone(),
            tag: self.aead.tag(),
            stream: Mutex::new(Some(started.map_err(Failure::of(&self.name))?)),
        })
    }
}

enum Stream {
    Encrypt(Encryptor),
    Decrypt(Decryptor),
}

/// A message in pieces; Aead.encryptor() and Aead.decryptor() make it.
#[pyclass(frozen, module = "touchstone")]
pub(crate) struct AeadStream {
    name: String,
    tag: usize,
    /// `None` after the end.
    stream: Mutex<Option<Stream>>,
}

#[pymethods]
impl AeadStream {
    #[getter]
    fn name(&self) -> &str {
        &self.name
    }

    /// Adds associated data, before the first update().
    ///
    /// Raises StateError afterwards.
    fn authenticate(&self, py: Python<'_>, associated_data: Input) -> PyResult<()> {
        let aad = associated_data.bytes();
        let added = released(py, aad.len(), || {
            self.running(|stream| match stream {
                Stream::Encrypt(stream) => stream.aad(aad),
                Stream::Decrypt(stream) => stream.aad(aad),
            })
        });
        Ok(added?)
    }

    /// Processes the next piece and returns as many bytes, or writes them to into and returns their
    /// number. With OCB each piece but the last has a multiple of 16 bytes.
    ///
    /// Raises LengthError, BufferError, and StateError after the end.
    #[pyo3(signature = (data, *, into=None))]
    fn update(&self, py: Python<'_>, data: Input, into: Option<Output>) -> PyResult<Py<PyAny>> {
        let all = 0..data.len();
        transform(py, into, (&data, &[]), all, ALONE, |data, _| {
            self.running(|stream| match stream {
                Stream::Encrypt(stream) => stream.encrypt_inout(data),
                Stream::Decrypt(stream) => stream.decrypt_unverified_inout(data),
            })
        })
    }

    /// Ends an encryption and returns the tag.
    ///
    /// Raises LengthError if the message is shorter than announced, and StateError in a decryption.
    fn finish(&self, py: Python<'_>) -> PyResult<Py<PyBytes>> {
        match self.take() {
            Some(Stream::Encrypt(stream)) => {
                let tag = PyBytes::new_with(py, self.tag, |tag| {
                    Ok(stream.finish(tag).map_err(Failure::of(&self.name))?)
                })?;
                Ok(tag.unbind())
            }
            Some(Stream::Decrypt(_)) => Err(StateError::new_err(format!(
                "{}: a decryption ends with verify(tag); start the message again",
                self.name
            ))),
            None => Err(self.ended()),
        }
    }

    /// Ends a decryption and checks the tag.
    ///
    /// Raises InvalidTag if the message is not genuine, and StateError in an encryption.
    fn verify(&self, tag: Input) -> PyResult<()> {
        match self.take() {
            Some(Stream::Decrypt(stream)) if tag.len() == self.tag => Ok(stream
                .verify(tag.bytes())
                .map_err(Failure::of(&self.name))?),
            Some(Stream::Decrypt(_)) => Err(InvalidTag::new_err(format!(
                "{} has tags of {} bytes here, and this tag has {}",
                self.name,
                self.tag,
                tag.len()
            ))),
            Some(Stream::Encrypt(_)) => Err(StateError::new_err(format!(
                "{}: an encryption ends with finish(); start the message again",
                self.name
            ))),
            None => Err(self.ended()),
        }
    }

    fn __repr__(&self) -> String {
        format!("<touchstone.AeadStream {}>", self.name)
    }
}

impl AeadStream {
    fn take(&self) -> Option<Stream> {
        let mut stream = self.stream.lock().unwrap_or_else(PoisonError::into_inner);
        stream.take()
    }

    fn ended(&self) -> PyErr {
        StateError::new_err(format!(
            "{}: this message has ended; make a new object for the next one",
            self.name
        ))
    }

    fn running(
        &self,
        call: impl FnOnce(&mut Stream) -> Result<(), dynamic::Error>,
    ) -> Result<(), Failure> {
        let mut stream = self.stream.lock().unwrap_or_else(PoisonError::into_inner);
        let called = match &mut *stream {
            Some(stream) => call(stream),
            None => Err(dynamic::Error::Order),
        };
        called.map_err(Failure::of(&self.name))
    }
}
