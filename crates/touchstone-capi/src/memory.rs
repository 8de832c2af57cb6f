//! Pointers and lengths of C, checked as far as can be, and made slices.
#![allow(unsafe_code)]

use std::ffi::{CStr, c_char};

use touchstone::InOutBuf;

use crate::status::*;

/// Whether two stretches of memory share a byte.
fn overlap(a: *const u8, a_len: usize, b: *const u8, b_len: usize) -> bool {
    let (a, b) = (a.addr(), b.addr());
    a_len != 0 && b_len != 0 && a < b.saturating_add(b_len) && b < a.saturating_add(a_len)
}

/// Refuses NULL where there must be bytes, and lengths that no object has.
fn check(pointer: *const u8, len: usize) -> Result<()> {
    if len == 0 {
        Ok(())
    } else if pointer.is_null() {
        Err(Error(TOUCHSTONE_ERROR_NULL))
    } else if len > isize::MAX as usize {
        Err(Error(TOUCHSTONE_ERROR_DATA_LENGTH))
    } else {
        Ok(())
    }
}

/// Bytes to read; NULL is good for none.
///
/// # Safety
///
/// `pointer` is NULL or valid for reads of `len` bytes while the result lives.
pub(crate) unsafe fn bytes<'a>(pointer: *const u8, len: usize) -> Result<&'a [u8]> {
    check(pointer, len)?;
    if len == 0 {
        return Ok(&[]);
    }
    // SAFETY: not NULL, and valid for `len` bytes by the contract.
    Ok(unsafe { std::slice::from_raw_parts(pointer, len) })
}

/// A list of pointers, or of lengths; NULL is good for none.
///
/// # Safety
///
/// `list` is NULL or valid for reads of `count` elements while the result lives.
pub(crate) unsafe fn list<'a, T>(list: *const T, count: usize) -> Result<&'a [T]> {
    if count == 0 {
        return Ok(&[]);
    }
    if list.is_null() {
        return Err(Error(TOUCHSTONE_ERROR_NULL));
    }
    if count > isize::MAX as usize / size_of::<T>() {
        return Err(Error(TOUCHSTONE_ERROR_DATA_LENGTH));
    }
    // SAFETY: not NULL, and valid for `count` elements by the contract.
    Ok(unsafe { std::slice::from_raw_parts(list, count) })
}

/// Many messages to read.
///
/// # Safety
///
/// As of [`list`], twice, and of [`bytes`] for each pointer and its length.
pub(crate) unsafe fn many<'a>(
    inputs: *const *const u8,
    lens: *const usize,
    count: usize,
) -> Result<Vec<&'a [u8]>> {
    // SAFETY: by the contract.
    let (inputs, lens) = unsafe { (list(inputs, count)?, list(lens, count)?) };
    let one = |(input, len): (&*const u8, &usize)| {
        // SAFETY: by the contract.
        unsafe { bytes(*input, *len) }
    };
    inputs.iter().zip(lens).map(one).collect()
}

/// Bytes to write that share nothing with `others`; NULL is good for none.
///
/// # Safety
///
/// `pointer` is NULL or valid for reads and writes of `len` bytes while the result
/// lives, and nothing but `others` is borrowed from the same memory.
pub(crate) unsafe fn bytes_mut<'a>(
    pointer: *mut u8,
    len: usize,
    others: &[&[u8]],
) -> Result<&'a mut [u8]> {
    check(pointer, len)?;
    if len == 0 {
        return Ok(&mut []);
    }
    apart(pointer, len, others)?;
    // SAFETY: not NULL, valid for `len` bytes by the contract, and apart from all
    // else that is borrowed.
    Ok(unsafe { std::slice::from_raw_parts_mut(pointer, len) })
}

fn apart(pointer: *const u8, len: usize, others: &[&[u8]]) -> Result<()> {
    for other in others {
        if overlap(pointer, len, other.as_ptr(), other.len()) {
            return Err(Error(TOUCHSTONE_ERROR_OVERLAP));
        }
    }
    Ok(())
}

/// An input and an output of one length that are one and the same or share
/// nothing, neither with each other nor, the output, with `others`.
///
/// # Safety
///
/// `input` is NULL or valid for reads and `output` NULL or valid for writes of
/// `len` bytes while the result lives, and nothing but `others` is borrowed from
/// the same memory.
pub(crate) unsafe fn inout<'a>(
    input: *const u8,
    output: *mut u8,
    len: usize,
    others: &[&[u8]],
) -> Result<InOutBuf<'a, 'a, u8>> {
    check(input, len)?;
    check(output, len)?;
    if len == 0 {
        return Ok(InOutBuf::from(&mut [][..]));
    }
    if input != output && overlap(input, len, output, len) {
        return Err(Error(TOUCHSTONE_ERROR_OVERLAP));
    }
    apart(output, len, others)?;
    // SAFETY: neither is NULL, both are valid for `len` bytes by the contract, and
    // they are the same or apart.
    Ok(unsafe { InOutBuf::from_raw(input, output, len) })
}

/// Many inputs and outputs of the same lengths. An output is its own input, or apart
/// from it; from everything else outputs are apart.
///
/// # Safety
///
/// As of [`list`], three times, and of [`inout`] for each pair and its length.
pub(crate) unsafe fn many_inout<'a>(
    inputs: *const *const u8,
    outputs: *const *mut u8,
    lens: *const usize,
    count: usize,
    others: &[&[u8]],
) -> Result<Vec<InOutBuf<'a, 'a, u8>>> {
    // SAFETY: by the contract.
    let (inputs, outputs, lens) = unsafe {
        (
            list(inputs, count)?,
            list(outputs, count)?,
            list(lens, count)?,
        )
    };
    // Outputs by their addresses, and whether none reaches into the next.
    let mut taken: Vec<(usize, usize)> = outputs
        .iter()
        .zip(lens)
        .filter(|(_, len)| **len != 0)
        .map(|(output, len)| (output.addr(), *len))
        .collect();
    taken.sort_unstable();
    let end = |(from, len): (usize, usize)| from.saturating_add(len);
    let apart = taken.windows(2).all(|two| end(two[0]) <= two[1].0);
    // The first output that ends behind an input's start is the only one that need
    // be looked at, and may be the input's own.
    let free = |input: usize, len: usize, own: usize| {
        let first = taken.partition_point(|one| end(*one) <= input);
        let mut met = taken[first..]
            .iter()
            .take_while(|one| one.0 < input.saturating_add(len));
        len == 0 || met.all(|one| one.0 == own && own == input)
    };
    let all = inputs.iter().zip(outputs).zip(lens);
    if !apart
        || !all
            .clone()
            .all(|((input, output), len)| free(input.addr(), *len, output.addr()))
        || !others
            .iter()
            .all(|other| free(other.as_ptr().addr(), other.len(), 0))
    {
        return Err(Error(TOUCHSTONE_ERROR_OVERLAP));
    }
    let one = |((input, output), len): ((&*const u8, &*mut u8), &usize)| {
        // SAFETY: by the contract, and they are apart from each other.
        unsafe { inout(*input, *output, *len, &[]) }
    };
    all.map(one).collect()
}

/// Bytes to write, of which those of an `inout` are apart too.
pub(crate) fn tag_apart(
    tag: (*const u8, usize),
    data: (*const u8, *const u8, usize),
) -> Result<()> {
    let (input, output, len) = data;
    if overlap(tag.0, tag.1, output, len) || overlap(tag.0, tag.1, input, len) {
        Err(Error(TOUCHSTONE_ERROR_OVERLAP))
    } else {
        Ok(())
    }
}

/// A name.
///
/// # Safety
///
/// `name` is NULL or a string that ends with NUL and lives as long as the result.
pub(crate) unsafe fn text<'a>(name: *const c_char) -> Result<&'a str> {
    if name.is_null() {
        return Err(Error(TOUCHSTONE_ERROR_NULL));
    }
    // SAFETY: a string by the contract.
    let name = unsafe { CStr::from_ptr(name) };
    name.to_str().map_err(|_| Error(TOUCHSTONE_ERROR_NAME))
}

/// A handle for C, NULL for none.
pub(crate) fn give<T>(value: Result<T>) -> *mut T {
    match value {
        Ok(value) => Box::into_raw(Box::new(value)),
        Err(_) => std::ptr::null_mut(),
    }
}

/// Takes a handle back.
///
/// # Safety
///
/// `handle` is NULL or came from [`give`], and is never used again.
pub(crate) unsafe fn take<T>(handle: *mut T) {
    if !handle.is_null() {
        // SAFETY: made by `Box::into_raw`, by the contract.
        drop(unsafe { Box::from_raw(handle) });
    }
}

/// What a handle stands for.
///
/// # Safety
///
/// `handle` is NULL or came from [`give`], and no other thread changes it
/// meanwhile.
pub(crate) unsafe fn shared<'a, T>(handle: *const T) -> Result<&'a T> {
    // SAFETY: by the contract.
    unsafe { handle.as_ref() }.ok_or(Error(TOUCHSTONE_ERROR_NULL))
}

/// What a handle stands for, to change it.
///
/// # Safety
///
/// `handle` is NULL or came from [`give`], and no other thread uses it meanwhile.
pub(crate) unsafe fn exclusive<'a, T>(handle: *mut T) -> Result<&'a mut T> {
    // SAFETY: by the contract.
    unsafe { handle.as_mut() }.ok_or(Error(TOUCHSTONE_ERROR_NULL))
}
