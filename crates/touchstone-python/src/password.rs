//! crypt(3): the functions under `touchstone.crypt`.

use pyo3::exceptions::{PyMemoryError, PyOSError};
use pyo3::prelude::*;
use touchstone::wipe;
use touchstone_password as password;
use touchstone_password::{Method, VerifyError};
use zeroize::Zeroizing;

use crate::buffer::Input;
use crate::error::{ParameterError, UnknownAlgorithm};

fn failure(error: password::Error) -> PyErr {
    match error {
        password::Error::Memory => PyMemoryError::new_err(error.to_string()),
        error => ParameterError::new_err(error.to_string()),
    }
}

/// Hashes a phrase with a setting.
#[pyfunction]
pub(crate) fn crypt_hash(py: Python<'_>, phrase: Input, setting: Input) -> PyResult<String> {
    let (phrase, setting) = (phrase.bytes(), setting.bytes());
    let made = py.detach(|| {
        wipe::after(2 * password::OUTPUT_SIZE, || {
            let mut room = Zeroizing::new([0; password::OUTPUT_SIZE]);
            password::hash(phrase, setting, &mut room).map(String::from)
        })
    });
    made.map_err(failure)
}

/// Whether a hash was made from a phrase.
#[pyfunction]
pub(crate) fn crypt_verify(py: Python<'_>, phrase: Input, hash: Input) -> PyResult<bool> {
    let (phrase, hash) = (phrase.bytes(), hash.bytes());
    match py.detach(|| password::verify(phrase, hash)) {
        Ok(()) => Ok(true),
        Err(VerifyError::WrongPhrase) => Ok(false),
        Err(VerifyError::Hash(error)) => Err(failure(error)),
        Err(error) => Err(ParameterError::new_err(error.to_string())),
    }
}

/// Makes a setting with a random salt for the method of this prefix. A cost of 0 is the default.
#[pyfunction]
pub(crate) fn crypt_setting(prefix: &str, cost: u64) -> PyResult<String> {
    let method = Method::of_prefix(prefix.as_bytes()).ok_or_else(|| {
        UnknownAlgorithm::new_err(format!("{prefix:?} is the prefix of no method of crypt(3)"))
    })?;
    let mut random = Zeroizing::new([0; 64]);
    getrandom::fill(&mut *random).map_err(|error| PyOSError::new_err(error.to_string()))?;
    let mut room = [0; password::SETTING_SIZE];
    let made = password::gensalt(method, cost, &random[..method.random()], &mut room);
    made.map(String::from).map_err(|error| match error {
        password::Error::Cost => ParameterError::new_err(format!(
            "{prefix} does not take the cost {cost}: {}",
            method.cost()
        )),
        error => failure(error),
    })
}

/// Prefix, meaning of the cost, and strength of each method, the preferred method first.
#[pyfunction]
pub(crate) fn crypt_methods() -> Vec<(&'static str, &'static str, bool)> {
    let all = Method::ALL.into_iter();
    all.map(|method| (method.prefix(), method.cost(), method.is_strong()))
        .collect()
}
