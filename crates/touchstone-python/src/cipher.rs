//! Ciphers: block ciphers in a mode, and stream ciphers.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use pyo3::prelude::*;
use touchstone::InOutBuf;
use touchstone::dynamic::{self, CipherAlgorithm, Direction, Options, Pieces};
use zeroize::Zeroizing;

use crate::buffer::{ALONE, Input, Output, optional, transform};
use crate::error::{Failure, LengthError, ParameterError, check_length};
use crate::family::{Family, piece};

/// A block cipher in a mode, or a stream cipher, with a key: Cipher("aes-256-ctr", key).
///
/// names("cipher") lists the names; describe() has the sizes of keys and nonces and the kernel;
/// docs/algorithms.md has each algorithm's standard and security. The parameters are
/// effective_bits (RC2, bits), rounds (RC5 and XTEA) and counter (CTR: 0 big-endian, 1
/// little-endian, 2 and 3 the last or first half of the block alone).
///
/// Raises UnknownAlgorithm, LengthError for a key of a wrong length, ParameterError.
#[pyclass(frozen, module = "touchstone")]
pub(crate) struct Cipher {
    name: String,
    algorithm: CipherAlgorithm,
    parameter: Option<(String, u64)>,
    key: Zeroizing<Vec<u8>>,
    forwards: Mutex<dynamic::Cipher>,
    /// Made by the first decryption.
    backwards: Mutex<Option<dynamic::Cipher>>,
}

/// Sets up a key.
fn start(
    name: &str,
    algorithm: CipherAlgorithm,
    direction: Direction,
    key: &[u8],
    parameter: &Option<(String, u64)>,
) -> Result<dynamic::Cipher, Failure> {
    let options = Options {
        parameter: parameter.as_ref().map(|(name, value)| (&**name, *value)),
        ..Options::default()
    };
    algorithm
        .with(direction, key, &options)
        .map_err(Failure::of(name))
}

/// Returns the only parameter, with the name that the library gives it.
fn only(
    name: &str,
    algorithm: CipherAlgorithm,
    parameters: Option<BTreeMap<String, u64>>,
) -> PyResult<Option<(String, u64)>> {
    let mut parameters = parameters.unwrap_or_default().into_iter();
    let Some((parameter, value)) = parameters.next() else {
        return Ok(None);
    };
    let id = parameter.replace('_', "-");
    if !algorithm.has_parameter(&id) || parameters.next().is_some() {
        return Err(ParameterError::new_err(format!(
            "{name} does not take the parameter {parameter}, or takes only one; the parameters are \
             effective_bits of RC2, rounds of RC5 and XTEA, and counter of CTR"
        )));
    }
    Ok(Some((id, value)))
}

/// Returns an error for a message, or a piece of one, that the mode does not take.
fn check_message(name: &str, pieces: Pieces, given: usize) -> PyResult<()> {
    let block = piece(pieces);
    if block > 1 && !given.is_multiple_of(block) {
        return Err(LengthError::new_err(format!(
            "{name} takes whole blocks of {block} bytes, and this message has {given} bytes; pad \
             the message: touchstone.pad(message, {block})"
        )));
    }
    Ok(())
}

#[pymethods]
impl Cipher {
    #[new]
    #[pyo3(signature = (name, key, /, **parameters))]
    fn new(name: &str, key: Input, parameters: Option<BTreeMap<String, u64>>) -> PyResult<Self> {
        let name = Family::Cipher.find(name)?;
        let algorithm = dynamic::Cipher::find(&name).map_err(Failure::of(&name))?;
        check_length(&name, "key", algorithm.key_lengths(), key.len())?;
        let parameter = only(&name, algorithm, parameters)?;
        let forwards = start(
            &name,
            algorithm,
            Direction::Encrypt,
            key.bytes(),
            &parameter,
        )?;
        Ok(Self {
            algorithm,
            parameter,
            key: Zeroizing::new(key.bytes().into()),
            forwards: Mutex::new(forwards),
            backwards: Mutex::new(None),
            name,
        })
    }

    /// The name in the spelling of names().
    #[getter]
    fn name(&self) -> &str {
        &self.name
    }

    /// The size of a block in bytes; 1 for a stream cipher.
    #[getter]
    fn block_size(&self) -> usize {
        self.algorithm.block()
    }

    /// update() takes multiples of this number of bytes; 0 stands for the whole message in one call.
    #[getter]
    fn piece_size(&self) -> usize {
        piece(self.algorithm.pieces())
    }

    /// Encrypts a whole message and returns as many bytes. nonce is the initialization vector, nonce, first counter block or tweak; None for a cipher
    /// without one, such as aes-128-ecb and rc4.
    ///
    /// With into, writes to this buffer and returns the number of bytes. The buffer may be the message
    /// itself.
    ///
    /// Raises LengthError for a nonce or message of a wrong length, and BufferError for a buffer that
    /// is read-only, not contiguous, or overlaps the message in part.
    #[pyo3(signature = (nonce, data, *, into=None))]
    fn encrypt(
        &self,
        py: Python<'_>,
        nonce: Option<Input>,
        data: Input,
        into: Option<Output>,
    ) -> PyResult<Py<PyAny>> {
        self.whole(py, nonce, data, into, |iv, data| {
            let mut cipher = self.forwards.lock().unwrap_or_else(PoisonError::into_inner);
            cipher
                .message_inout(iv, data)
                .map_err(Failure::of(&self.name))
        })
    }

    /// Decrypts a whole message. The arguments and exceptions are those of encrypt(). Nothing tells a
    /// changed message: for that take aead().
    #[pyo3(signature = (nonce, data, *, into=None))]
    fn decrypt(
        &self,
        py: Python<'_>,
        nonce: Option<Input>,
        data: Input,
        into: Option<Output>,
    ) -> PyResult<Py<PyAny>> {
        self.whole(py, nonce, data, into, |iv, data| {
            let mut cipher = self
                .backwards
                .lock()
                .unwrap_or_else(PoisonError::into_inner);
            let cipher = match &mut *cipher {
                Some(cipher) => cipher,
                none => none.insert(self.start(Direction::Decrypt)?),
            };
            cipher
                .message_inout(iv, data)
                .map_err(Failure::of(&self.name))
        })
    }

    /// Starts a message that is encrypted in pieces.
    ///
    /// Raises LengthError for a nonce of a wrong length.
    #[pyo3(signature = (nonce=None))]
    fn encryptor(&self, nonce: Option<Input>) -> PyResult<CipherStream> {
        self.stream(Direction::Encrypt, nonce)
    }

    /// Starts a message that is decrypted in pieces.
    ///
    /// Raises LengthError for a nonce of a wrong length.
    #[pyo3(signature = (nonce=None))]
    fn decryptor(&self, nonce: Option<Input>) -> PyResult<CipherStream> {
        self.stream(Direction::Decrypt, nonce)
    }

    fn __repr__(&self) -> String {
        format!("<touchstone.Cipher {}>", self.name)
    }
}

impl Cipher {
    fn start(&self, direction: Direction) -> Result<dynamic::Cipher, Failure> {
        start(
            &self.name,
            self.algorithm,
            direction,
            &self.key,
            &self.parameter,
        )
    }

    fn check_nonce(&self, nonce: &[u8]) -> PyResult<()> {
        check_length(
            &self.name,
            "nonce",
            self.algorithm.iv_lengths(),
            nonce.len(),
        )
    }

    /// Processes a whole message.
    fn whole(
        &self,
        py: Python<'_>,
        nonce: Option<Input>,
        data: Input,
        into: Option<Output>,
        call: impl FnOnce(&[u8], InOutBuf<'_, '_, u8>) -> Result<(), Failure> + Send,
    ) -> PyResult<Py<PyAny>> {
        let iv = optional(&nonce);
        self.check_nonce(iv)?;
        check_message(&self.name, self.algorithm.pieces(), data.len())?;
        let all = 0..data.len();
        transform(py, into, (&data, &[iv]), all, ALONE, |data, _| {
            call(iv, data)
        })
    }

    fn stream(&self, direction: Direction, nonce: Option<Input>) -> PyResult<CipherStream> {
        let iv = optional(&nonce);
        self.check_nonce(iv)?;
        let mut cipher = self.start(direction)?;
        cipher.set_iv(iv).map_err(Failure::of(&self.name))?;
        Ok(CipherStream {
            name: self.name.clone(),
            pieces: self.algorithm.pieces(),
            cipher: Mutex::new(cipher),
        })
    }
}

/// A message that a cipher encrypts or decrypts in pieces; Cipher.encryptor() makes it.
#[pyclass(frozen, module = "touchstone")]
pub(crate) struct CipherStream {
    name: String,
    pieces: Pieces,
    cipher: Mutex<dynamic::Cipher>,
}

#[pymethods]
impl CipherStream {
    #[getter]
    fn name(&self) -> &str {
        &self.name
    }

    /// Processes the next piece of the message and returns as many bytes, or writes them to into and
    /// returns their number. A piece has a multiple of the cipher's piece_size.
    ///
    /// Raises LengthError and BufferError as Cipher.encrypt() does.
    #[pyo3(signature = (data, *, into=None))]
    fn update(&self, py: Python<'_>, data: Input, into: Option<Output>) -> PyResult<Py<PyAny>> {
        check_message(&self.name, self.pieces, data.len())?;
        let all = 0..data.len();
        transform(py, into, (&data, &[]), all, ALONE, |data, _| {
            let mut cipher = self.cipher.lock().unwrap_or_else(PoisonError::into_inner);
            cipher.apply_inout(data).map_err(Failure::of(&self.name))
        })
    }

    /// Moves to a byte of the message, counted from 0, without computing the bytes between.
    ///
    /// Raises UnknownAlgorithm for a cipher that cannot seek.
    fn seek(&self, byte: u64) -> PyResult<()> {
        let mut cipher = self.cipher.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(cipher.seek(byte).map_err(Failure::of(&self.name))?)
    }

    fn __repr__(&self) -> String {
        format!("<touchstone.CipherStream {}>", self.name)
    }
}
