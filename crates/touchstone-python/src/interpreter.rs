//! The one interpreter that may use the module.
#![allow(unsafe_code)]

use std::sync::atomic::{AtomicI64, Ordering};

use pyo3::exceptions::PyImportError;
use pyo3::ffi;
use pyo3::prelude::*;

/// The interpreter that imported the module first; -1 before that.
static FIRST: AtomicI64 = AtomicI64::new(-1);

/// Refuses a second interpreter of the process. The classes and exceptions of the module are
/// objects of the first interpreter, which another one must not touch.
pub(crate) fn claim(py: Python<'_>) -> PyResult<()> {
    // SAFETY: `py` proves that this thread is attached to an interpreter.
    let current = unsafe { ffi::PyInterpreterState_GetID(ffi::PyInterpreterState_Get()) };
    if current < 0 {
        return Err(PyErr::fetch(py));
    }
    let claimed = FIRST.compare_exchange(-1, current, Ordering::SeqCst, Ordering::SeqCst);
    match claimed {
        Err(first) if first != current => Err(PyImportError::new_err(
            "touchstone does not work in subinterpreters: import it in one interpreter of the \
             process alone",
        )),
        _ => Ok(()),
    }
}
