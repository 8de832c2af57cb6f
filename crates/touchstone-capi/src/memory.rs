//! Pointers and lengths of C, which are checked as far as possible and converted to slices.
//!
//! An output buffer of C may be uninitialised. A `&mut [u8]` or an `InOutBuf` needs initialised
//! bytes. So each output passes through [`initialise`] before a reference to it is made.
#![allow(unsafe_code)]

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::ffi::{CStr, c_char, c_int, c_void};

use touchstone::{InOutBuf, wipe};

#[cfg(all(not(feature = "std"), panic = "abort"))]
use crate::alone::Malloc as System;
use crate::status::*;
#[cfg(any(feature = "std", not(panic = "abort")))]
use std::alloc::System;

/// Overwrites all memory that the library frees: handles, and lists of messages.
#[global_allocator]
static MEMORY: wipe::Allocator<System> = wipe::Allocator(System);

/// Returns whether two ranges of memory share a byte: each begins before the other ends. The first
/// comparison alone decides this for most ranges, and several comparisons share the ends. `a` must not be
/// empty or NULL, and both lengths must have passed [`check`]. If `b` is empty, it must be at the
/// address of an empty slice, which lies in no other range.
#[inline(always)]
fn overlap(a: *const u8, a_len: usize, b: *const u8, b_len: usize) -> bool {
    let end = |start: *const u8, len| start.addr().wrapping_add(len);
    if a.addr() >= end(b, b_len) {
        return false;
    }
    // SAFETY: the assembly has no instruction. It keeps the compiler from doing both comparisons and
    // joining the results, which takes three times as many instructions.
    #[cfg(not(miri))]
    unsafe {
        core::arch::asm!("", options(nomem, nostack, preserves_flags));
    }
    b.addr() < end(a, a_len)
}

/// Returns an error if the pointer is NULL and the length is not 0, or if the length is larger
/// than any object.
#[inline(always)]
fn check(pointer: *const u8, len: usize) -> Result<()> {
    if len == 0 {
        Ok(())
    } else if pointer.is_null() {
        Err(null())
    } else if len > isize::MAX as usize {
        Err(too_long())
    } else {
        Ok(())
    }
}

/// Defines functions that return errors, which are apart so that a call without an error does not load
/// their codes.
macro_rules! errors {
    ($($name:ident = $code:ident),*) => {$(
        #[cold]
        #[inline(never)]
        fn $name() -> Error {
            Error($code)
        }
    )*};
}

errors! {
    null = TOUCHSTONE_ERROR_NULL,
    too_long = TOUCHSTONE_ERROR_DATA_LENGTH,
    overlapping = TOUCHSTONE_ERROR_OVERLAP
}

/// Returns the bytes that a function reads. NULL is allowed for length 0.
///
/// # Safety
///
/// `pointer` is NULL or valid for reads of `len` bytes while the result lives.
#[inline(always)]
pub(crate) unsafe fn bytes<'a>(pointer: *const c_void, len: usize) -> Result<&'a [u8]> {
    check(pointer.cast(), len)?;
    if len == 0 {
        return Ok(&[]);
    }
    // SAFETY: the pointer is not NULL, and it is valid for `len` bytes by the contract.
    Ok(unsafe { core::slice::from_raw_parts(pointer.cast(), len) })
}

/// Returns a list of pointers or of lengths. NULL is allowed for an empty list.
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
    // SAFETY: the pointer is not NULL, and it is valid for `count` elements by the contract.
    Ok(unsafe { core::slice::from_raw_parts(list, count) })
}

/// Returns many messages that a function reads.
///
/// # Safety
///
/// The rules of [`list`] hold for both lists, and the rules of [`bytes`] for each pointer and
/// its length.
pub(crate) unsafe fn many<'a>(
    inputs: *const *const c_void,
    lens: *const usize,
    count: usize,
) -> Result<Vec<&'a [u8]>> {
    // SAFETY: the caller fulfils the contract of this function.
    let (inputs, lens) = unsafe { (list(inputs, count)?, list(lens, count)?) };
    let one = |(input, len): (&*const c_void, &usize)| {
        // SAFETY: the caller fulfils the contract of this function.
        unsafe { bytes(*input, *len) }
    };
    inputs.iter().zip(lens).map(one).collect()
}

/// Returns the bytes to which a function writes. They have the values that they had, which the
/// function must not use. These bytes must share no byte with `others`. NULL is allowed for length 0.
///
/// # Safety
///
/// `pointer` is NULL or valid for writes of `len` bytes while the result lives, and only
/// `others` may be borrowed from the same memory.
#[inline(always)]
pub(crate) unsafe fn output<'a>(
    pointer: *mut c_void,
    len: usize,
    others: &[&[u8]],
) -> Result<&'a mut [u8]> {
    let pointer: *mut u8 = pointer.cast();
    check(pointer, len)?;
    if len == 0 {
        return Ok(&mut []);
    }
    apart(pointer, len, others)?;
    // SAFETY: the pointer is not NULL and valid for writes of `len` bytes by the contract. The
    // bytes share nothing with any borrowed memory, and the first of the two lines initialises
    // them.
    unsafe {
        initialise(pointer, len);
        Ok(core::slice::from_raw_parts_mut(pointer, len))
    }
}

#[inline(always)]
fn apart(pointer: *const u8, len: usize, others: &[&[u8]]) -> Result<()> {
    for other in others {
        if overlap(pointer, len, other.as_ptr(), other.len()) {
            return Err(overlapping());
        }
    }
    Ok(())
}

/// Makes the compiler treat `len` bytes as initialised, whatever they contain. This takes no
/// time.
///
/// The compiler cannot look into assembly that receives a pointer and may write memory, so it
/// must assume that the assembly below writes every byte. In fact the bytes keep their values.
/// Nothing reads these values: each mode writes its output before it reads the output.
///
/// # Safety
///
/// `pointer` is valid for writes of `len` bytes.
#[inline(always)]
unsafe fn initialise(pointer: *mut u8, len: usize) {
    // SAFETY: the assembly is empty. Without the options `nomem` and `readonly`, it may
    // write the bytes that it has a pointer to, which the contract allows.
    #[cfg(all(not(miri), any(target_arch = "x86_64", target_arch = "aarch64")))]
    unsafe {
        core::arch::asm!(
            "/* {0} {1} */",
            in(reg) pointer,
            in(reg) len,
            options(nostack, preserves_flags)
        );
    }
    // SAFETY: the pointer is valid by the contract.
    #[cfg(not(all(not(miri), any(target_arch = "x86_64", target_arch = "aarch64"))))]
    unsafe {
        pointer.write_bytes(0, len);
    }
}

/// An input and an output of the same length. The two are the same memory or share no byte, and
/// the output shares no byte with `others`.
#[derive(Clone, Copy)]
pub(crate) struct Pair {
    input: *const u8,
    output: *mut u8,
    len: usize,
}

impl Pair {
    /// Checks the pointers, but does not read or write the memory.
    #[inline(always)]
    pub(crate) fn new(
        input: *const c_void,
        output: *mut c_void,
        len: usize,
        others: &[&[u8]],
    ) -> Result<Self> {
        if len == 0 {
            let none = core::ptr::dangling_mut();
            return Ok(Self {
                input: none,
                output: none,
                len,
            });
        }
        let (input, output): (*const u8, *mut u8) = (input.cast(), output.cast());
        check(input, len)?;
        check(output, len)?;
        if input != output && overlap(input, len, output, len) {
            return Err(overlapping());
        }
        apart(output, len, others)?;
        Ok(Self { input, output, len })
    }

    /// Returns an error if a tag shares a byte with the input or the output.
    #[inline(always)]
    pub(crate) fn apart_from(self, tag: *const c_void, len: usize) -> Result<()> {
        let tag = tag.cast();
        check(tag, len)?;
        let meets = |data| overlap(tag, len, data, self.len);
        if len != 0 && (meets(self.output) || meets(self.input)) {
            return Err(overlapping());
        }
        Ok(())
    }

    /// Returns input and output as one buffer.
    ///
    /// # Safety
    ///
    /// While the result lives, the input is valid for reads of its length, the output is
    /// valid for writes of its length, and nothing else is borrowed from the output.
    #[inline(always)]
    pub(crate) unsafe fn bytes<'a>(self) -> InOutBuf<'a, 'a, u8> {
        // SAFETY: `new` has checked that neither pointer is NULL, and that input and output are
        // the same or share no byte. Both pointers are valid by the contract. The contract of
        // every function in the header requires that the input is initialised. So the output is
        // initialised if it is the same memory; otherwise `initialise` makes it so.
        unsafe {
            if !core::ptr::eq(self.input, self.output) {
                initialise(self.output, self.len);
            }
            InOutBuf::from_raw(self.input, self.output, self.len)
        }
    }
}

/// Returns many inputs, each with an output of the same length. An output is exactly its own
/// input or shares no byte with it. No output shares a byte with another input, another output
/// or `others`.
///
/// # Safety
///
/// The rules of [`list`] hold for all three lists.
pub(crate) unsafe fn many_pairs(
    inputs: *const *const c_void,
    outputs: *const *mut c_void,
    lens: *const usize,
    count: usize,
    others: &[&[u8]],
) -> Result<Vec<Pair>> {
    // SAFETY: the caller fulfils the contract of this function.
    let (inputs, outputs, lens) = unsafe {
        (
            list(inputs, count)?,
            list(outputs, count)?,
            list(lens, count)?,
        )
    };
    // The code sorts the outputs by address, and then checks that no output overlaps the next
    // output.
    let mut taken: Vec<(usize, usize)> = outputs
        .iter()
        .zip(lens)
        .filter(|(_, len)| **len != 0)
        .map(|(output, len)| (output.addr(), *len))
        .collect();
    taken.sort_unstable();
    let end = |(from, len): (usize, usize)| from.saturating_add(len);
    let apart = taken.windows(2).all(|two| end(two[0]) <= two[1].0);
    // Only outputs that end after the input's start and begin before the input's end share
    // bytes with the input. Such an output must be the input's own output, at the same address.
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
        return Err(overlapping());
    }
    all.map(|((input, output), len)| Pair::new(*input, *output, *len, &[]))
        .collect()
}

/// Returns the bytes of a C string, without the final NUL.
///
/// # Safety
///
/// `string` is NULL or a string that ends with NUL and lives as long as the result.
#[cfg(feature = "password")]
pub(crate) unsafe fn c_bytes<'a>(string: *const c_char) -> Result<&'a [u8]> {
    if string.is_null() {
        return Err(Error(TOUCHSTONE_ERROR_NULL));
    }
    // SAFETY: `string` is not NULL, and it is a string that ends with NUL by the contract.
    Ok(unsafe { CStr::from_ptr(string) }.to_bytes())
}

/// Returns a name, which must be UTF-8.
///
/// # Safety
///
/// `name` is NULL or a string that ends with NUL and lives as long as the result.
pub(crate) unsafe fn text<'a>(name: *const c_char) -> Result<&'a str> {
    if name.is_null() {
        return Err(Error(TOUCHSTONE_ERROR_NULL));
    }
    // SAFETY: `name` is not NULL, and it is a string that ends with NUL by the contract.
    let name = unsafe { CStr::from_ptr(name) };
    // No name has other characters, and this is a few instructions where `to_str` takes a hundred.
    let bytes = name.to_bytes();
    if !bytes.is_ascii() {
        return Err(Error(TOUCHSTONE_ERROR_NAME));
    }
    // SAFETY: ASCII is UTF-8.
    Ok(unsafe { str::from_utf8_unchecked(bytes) })
}

/// Writes a handle to `place` for C, or NULL after an error, and returns the error code.
///
/// # Safety
///
/// `place` is NULL or valid for a write.
pub(crate) unsafe fn give<T>(place: *mut *mut T, value: Result<T>) -> c_int {
    if place.is_null() {
        return TOUCHSTONE_ERROR_NULL;
    }
    let (handle, code) = match value {
        Ok(value) => (Box::into_raw(Box::new(value)), TOUCHSTONE_OK),
        Err(Error(code)) => (core::ptr::null_mut(), code),
    };
    // SAFETY: `place` is not NULL, and it is valid for a write by the contract.
    unsafe { place.write(handle) };
    code
}

/// Writes a result to `place` for C.
///
/// # Safety
///
/// `place` is NULL or valid for a write.
pub(crate) unsafe fn put<T>(place: *mut T, value: T) -> Result<()> {
    if place.is_null() {
        return Err(Error(TOUCHSTONE_ERROR_NULL));
    }
    // SAFETY: `place` is not NULL, and it is valid for a write by the contract.
    unsafe { place.write(value) };
    Ok(())
}

/// Writes the lengths of keys or nonces for C. Each pointer may be NULL.
///
/// # Safety
///
/// Each pointer is NULL or valid for a write.
pub(crate) unsafe fn put_lengths(
    lengths: touchstone::KeyLengths,
    min: *mut usize,
    max: *mut usize,
    step: *mut usize,
) {
    for (place, value) in [(min, lengths.min), (max, lengths.max), (step, lengths.step)] {
        if !place.is_null() {
            // SAFETY: `place` is not NULL, and it is valid for a write by the contract.
            unsafe { place.write(value) };
        }
    }
}

/// Takes a handle back from C and frees its object. If the handle is NULL, the function does
/// nothing.
///
/// # Safety
///
/// `handle` is NULL or came from [`give`], and C never uses it after this call.
pub(crate) unsafe fn take<T>(handle: *mut T) {
    if !handle.is_null() {
        // SAFETY: `Box::into_raw` made the handle, by the contract.
        drop(unsafe { Box::from_raw(handle) });
    }
}

/// Returns the object of a handle, for functions that only read the object.
///
/// # Safety
///
/// `handle` is NULL or came from [`give`], and no other thread changes the object while the
/// result lives.
pub(crate) unsafe fn shared<'a, T>(handle: *const T) -> Result<&'a T> {
    // SAFETY: the caller fulfils the contract of this function.
    unsafe { handle.as_ref() }.ok_or(Error(TOUCHSTONE_ERROR_NULL))
}

/// Returns the object of a handle, for functions that change the object.
///
/// # Safety
///
/// `handle` is NULL or came from [`give`], and no other thread uses the object while the result
/// lives.
pub(crate) unsafe fn exclusive<'a, T>(handle: *mut T) -> Result<&'a mut T> {
    // SAFETY: the caller fulfils the contract of this function.
    unsafe { handle.as_mut() }.ok_or(Error(TOUCHSTONE_ERROR_NULL))
}
