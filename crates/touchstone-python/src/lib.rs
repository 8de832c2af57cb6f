//! The library for Python: the extension module `touchstone._touchstone` of the wheel
//! `touchstone-lab`. The package in `python/touchstone` documents the interface, and
//! `docs/python.md` is the manual.
//!
//! The crate is a thin layer over [`touchstone::dynamic`]: it borrows Python's buffers, releases
//! the GIL during long calls, and converts errors to exceptions. The crate contains no list of
//! algorithms.
//!
//! | file | what |
//! |---|---|
//! | `interpreter.rs` | refuses a second interpreter of the process |
//! | `error.rs` | errors as exceptions |
//! | `buffer.rs` | buffers of Python, checked and turned into slices |
//! | `family.rs` | names of algorithms, their lengths and kernels |
//! | `cipher.rs` `aead.rs` `hash.rs` `mac.rs` `wrap.rs` | objects, a family each |
//! | `derive.rs` `padding.rs` `password.rs` | key derivation, padding, crypt(3) |
//!
//! An object has its state behind a lock, so threads may share the object.
#![deny(unsafe_code)]

use pyo3::prelude::*;
use touchstone::wipe;

mod aead;
mod buffer;
mod cipher;
mod derive;
mod error;
mod family;
mod hash;
mod interpreter;
mod mac;
mod padding;
mod password;
mod wrap;

/// Overwrites all memory that the extension frees: schedules, keys and states.
#[global_allocator]
static MEMORY: wipe::Allocator<std::alloc::System> = wipe::Allocator(std::alloc::System);

/// Bytes of the stack that a comparison uses at most.
const SMALL: usize = 512;

/// Whether two byte strings are equal. The time depends on the lengths alone.
#[pyfunction]
fn equal(a: buffer::Input, b: buffer::Input) -> bool {
    wipe::after(SMALL, || touchstone::constant_time_eq(a.bytes(), b.bytes()))
}

#[pymodule]
fn _touchstone(module: &Bound<'_, PyModule>) -> PyResult<()> {
    interpreter::claim(module.py())?;
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<aead::Aead>()?;
    module.add_class::<aead::AeadStream>()?;
    module.add_class::<cipher::Cipher>()?;
    module.add_class::<cipher::CipherStream>()?;
    module.add_class::<hash::Hash>()?;
    module.add_class::<mac::Mac>()?;
    module.add_class::<wrap::KeyWrap>()?;
    module.add_function(wrap_pyfunction!(equal, module)?)?;
    module.add_function(wrap_pyfunction!(derive::argon2, module)?)?;
    module.add_function(wrap_pyfunction!(derive::derive, module)?)?;
    module.add_function(wrap_pyfunction!(derive::scrypt, module)?)?;
    module.add_function(wrap_pyfunction!(family::describe, module)?)?;
    module.add_function(wrap_pyfunction!(family::names, module)?)?;
    module.add_function(wrap_pyfunction!(hash::hash_many, module)?)?;
    module.add_function(wrap_pyfunction!(padding::pad, module)?)?;
    module.add_function(wrap_pyfunction!(padding::unpad, module)?)?;
    module.add_function(wrap_pyfunction!(password::crypt_hash, module)?)?;
    module.add_function(wrap_pyfunction!(password::crypt_methods, module)?)?;
    module.add_function(wrap_pyfunction!(password::crypt_setting, module)?)?;
    module.add_function(wrap_pyfunction!(password::crypt_verify, module)?)?;
    Ok(())
}
