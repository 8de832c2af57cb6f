//! S-expressions, in which the functions `gcry_pk_…` take keys and data.
#![allow(unsafe_code)]

use std::ffi::{CStr, c_int};
use std::ptr;

use touchstone_worker::Failure;

use crate::ffi::{Api, Handle, Open};

/// A value for a `%` in the format of an S-expression.
pub(crate) enum Part<'a> {
    /// For `%b`.
    Bytes(&'a [u8]),
    /// For `%m`.
    Number(&'a Open),
}

impl Api {
    /// Makes an S-expression with at most six values.
    pub(crate) fn expression(&self, format: &CStr, parts: &[Part<'_>]) -> Result<Open, Failure> {
        // The function takes pointers to its arguments: to an `int` and to a pointer for `%b`, to a
        // handle for `%m`.
        let mut lengths = Vec::with_capacity(parts.len());
        let mut pointers = Vec::with_capacity(parts.len());
        for part in parts {
            let (length, pointer) = match part {
                Part::Bytes(bytes) => (bytes.len(), bytes.as_ptr().cast_mut().cast()),
                Part::Number(number) => (0, number.object),
            };
            let length =
                c_int::try_from(length).map_err(|_| Failure::unsupported("2 GiB at once"))?;
            lengths.push(length);
            pointers.push(pointer);
        }
        let mut arguments: Vec<Handle> = Vec::with_capacity(2 * parts.len());
        for (index, part) in parts.iter().enumerate() {
            if let Part::Bytes(_) = part {
                arguments.push(ptr::from_mut(&mut lengths[index]).cast());
            }
            arguments.push(ptr::from_mut(&mut pointers[index]).cast());
        }
        let (mut handle, mut offset) = (ptr::null_mut(), 0);
        let list = arguments.as_mut_ptr();
        // SAFETY: the format is a C string with as many values as there are parts, and a successful
        // call writes the handle.
        let error = unsafe {
            (self.gcry_sexp_build_array)(&mut handle, &mut offset, format.as_ptr(), list)
        };
        self.ok("gcry_sexp_build_array", error)?;
        self.owned(handle)
    }

    pub(crate) fn owned(&self, handle: Handle) -> Result<Open, Failure> {
        // SAFETY: the callers give expressions that nothing else releases.
        unsafe { Open::new(handle, self.gcry_sexp_release) }
    }

    /// Calls `then` with the value of a list that is named in an S-expression.
    pub(crate) fn value<T>(
        &self,
        expression: &Open,
        name: &CStr,
        then: impl FnOnce(&[u8]) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        let mut length = 0;
        // SAFETY: the expression is live, and length 0 means that the name is a C string. The data
        // belong to the found list, which lives until the end of this function.
        unsafe {
            let list = (self.gcry_sexp_find_token)(expression.object, name.as_ptr(), 0);
            if list.is_null() {
                return Err(Failure::failed("the answer lacks a value"));
            }
            let list = self.owned(list)?;
            let data = (self.gcry_sexp_nth_data)(list.object, 1, &mut length);
            if data.is_null() {
                return then(&[]);
            }
            then(std::slice::from_raw_parts(data, length))
        }
    }
}
