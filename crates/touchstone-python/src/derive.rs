//! Key derivation.

use pyo3::prelude::*;
use touchstone::dynamic::{Derivation, Kdf};
use touchstone::kdf;
use touchstone::wipe;

use crate::buffer::{Input, Output, fill, optional};
use crate::error::{Failure, ParameterError};
use crate::family::Family;

/// Every derivation releases the GIL, because its costs are not in the lengths of its inputs.
const LONG: usize = usize::MAX;

/// Derives a key of length bytes with the function of this name; names("kdf") lists the names.
///
/// iterations is for PBKDF1 and PBKDF2 (RFC 8018), bcrypt-pbkdf and the S2K of OpenPGP (RFC 9580;
/// there the bytes to hash). info is for HKDF (RFC 5869), KDF1, KDF2 and KDF3 (ISO 18033-2), and
/// SP 800-108 (label, zero byte, context). An input that the function does not use must be empty.
/// With into, writes the key to this buffer and returns the number of bytes.
///
/// Raises UnknownAlgorithm, LengthError, ParameterError, BufferError.
#[pyfunction]
#[pyo3(signature = (name, secret, *, length, salt=None, info=None, iterations=0, into=None))]
#[allow(clippy::too_many_arguments, reason = "the arguments of a derivation")]
pub(crate) fn derive(
    py: Python<'_>,
    name: &str,
    secret: Input,
    length: usize,
    salt: Option<Input>,
    info: Option<Input>,
    iterations: u32,
    into: Option<Output>,
) -> PyResult<Py<PyAny>> {
    let name = Family::Kdf.find(name)?;
    let kdf = Kdf::find(&name).map_err(Failure::of(&name))?;
    let from = Derivation {
        secret: secret.bytes(),
        salt: optional(&salt),
        info: optional(&info),
        iterations,
    };
    let inputs = [from.secret, from.salt, from.info];
    fill(py, into, length, (LONG, &inputs), |key| {
        kdf.derive(&from, key).map_err(Failure::of(&name))
    })
}

/// Derives a key of length bytes with scrypt (RFC 7914): 128 * n * r bytes of memory. n is a power of
/// two.
///
/// Raises ParameterError for costs that scrypt does not allow, MemoryError, LengthError,
/// BufferError.
#[pyfunction]
#[pyo3(signature = (password, *, salt, n, r, p, length=64, into=None))]
#[allow(clippy::too_many_arguments, reason = "the arguments of RFC 7914")]
pub(crate) fn scrypt(
    py: Python<'_>,
    password: Input,
    salt: Input,
    n: u64,
    r: u32,
    p: u32,
    length: usize,
    into: Option<Output>,
) -> PyResult<Py<PyAny>> {
    let (password, salt) = (password.bytes(), salt.bytes());
    fill(py, into, length, (LONG, &[password, salt]), |key| {
        wipe::after(wipe::DEEP, || kdf::scrypt(password, salt, n, r, p, key))
            .map_err(Failure::of_kdf("scrypt"))
    })
}

/// Derives a key of length bytes with Argon2 (RFC 9106): argon2d, argon2i or argon2id. memory is in
/// KiB, at least 8 for each lane; passes is the number of passes over the memory. salt has at least 8
/// bytes, and secret is a key beside the password.
///
/// Raises ParameterError for costs that Argon2 does not allow, MemoryError, LengthError,
/// BufferError.
#[pyfunction]
#[pyo3(signature = (variant, password, *, salt, passes, memory, lanes, length=32, secret=None, data=None, into=None))]
#[allow(clippy::too_many_arguments, reason = "the arguments of RFC 9106")]
pub(crate) fn argon2(
    py: Python<'_>,
    variant: &str,
    password: Input,
    salt: Input,
    passes: u32,
    memory: u32,
    lanes: u32,
    length: usize,
    secret: Option<Input>,
    data: Option<Input>,
    into: Option<Output>,
) -> PyResult<Py<PyAny>> {
    let kind = match variant {
        "argon2d" => kdf::argon2::Variant::D,
        "argon2i" => kdf::argon2::Variant::I,
        "argon2id" => kdf::argon2::Variant::Id,
        _ => {
            return Err(ParameterError::new_err(format!(
                "{variant:?} is no variant of Argon2; the variants are argon2d, argon2i, argon2id"
            )));
        }
    };
    let (password, salt) = (password.bytes(), salt.bytes());
    let costs = kdf::argon2::Costs {
        passes,
        memory,
        lanes,
        secret: optional(&secret),
        data: optional(&data),
    };
    let inputs = [password, salt, costs.secret, costs.data];
    fill(py, into, length, (LONG, &inputs), |key| {
        wipe::after(wipe::DEEP, || {
            kdf::argon2::argon2(kind, password, salt, &costs, key)
        })
        .map_err(Failure::of_kdf(variant))
    })
}
