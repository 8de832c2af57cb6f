//! Functions that split one buffer into bytes, blocks or groups of blocks.
//!
//! An [`InOutBuf`] consists of an input and an output of the same length, which are the same
//! memory or do not overlap. So code for an [`InOutBuf`] works in place and from one buffer to
//! another. These functions regroup the elements of a buffer and copy nothing.
#![allow(unsafe_code)]

use core::marker::PhantomData;

use inout::{InOut, InOutBuf};

use crate::debug::debug;
use crate::error::DataError;

/// Splits a buffer into groups of `N` elements and the remaining elements.
#[inline(always)]
pub(crate) fn chunks<'i, 'o, T, const N: usize>(
    buffer: InOutBuf<'i, 'o, T>,
) -> (InOutBuf<'i, 'o, [T; N]>, InOutBuf<'i, 'o, T>) {
    const { assert!(N != 0) };
    let groups = buffer.len() / N;
    let (whole, rest) = buffer.split_at(groups * N);
    let (input, output) = whole.into_raw();
    // SAFETY: an array has the layout of its elements in a row. Both pointers are valid
    // for `groups * N` elements, for the lifetimes 'i and 'o that the result keeps, and
    // `whole` is consumed.
    let whole = unsafe { InOutBuf::from_raw(input.cast(), output.cast(), groups) };
    (whole, rest)
}

/// Returns the first `N` elements, where `N` may be 0. Returns `None` if the buffer is shorter.
#[inline(always)]
pub(crate) fn first<'i, 'o, T, const N: usize>(
    buffer: InOutBuf<'i, 'o, T>,
) -> Option<InOut<'i, 'o, [T; N]>> {
    if buffer.len() < N {
        return None;
    }
    let (input, output) = buffer.into_raw();
    // SAFETY: an array has the layout of its elements in a row. Both pointers are valid
    // for `N` elements, for the lifetimes 'i and 'o that the result keeps, and `buffer`
    // is consumed.
    Some(unsafe { InOut::from_raw(input.cast(), output.cast()) })
}

/// Joins an input and an output, or returns an error if their lengths differ.
#[inline(always)]
pub(crate) fn pair<'i, 'o, T>(
    input: &'i [T],
    output: &'o mut [T],
) -> Result<InOutBuf<'i, 'o, T>, DataError> {
    let error = DataError::OutputLength {
        input: input.len(),
        output: output.len(),
    };
    InOutBuf::new(input, output).map_err(|_| error)
}

/// An [`InOutBuf`] whose fields have another order, for calls that the compiler cannot inline.
/// Such a call passes a pointer to the fields. A function that copies the fields of an
/// [`InOutBuf`] reads the two pointers by one wide load. This load waits until the caller's two
/// stores have reached the cache. For a short message that takes longer than the encryption. In
/// this type the length is between the pointers, so each field is read by a load of its own.
#[doc(hidden)]
#[repr(C)]
pub struct Words<'i, 'o> {
    input: *const u8,
    length: usize,
    output: *mut u8,
    lives: PhantomData<(&'i [u8], &'o mut [u8])>,
}

debug!([] Words<'_, '_>, "Words");

impl<'i, 'o> Words<'i, 'o> {
    #[inline(always)]
    pub(crate) fn of(buffer: InOutBuf<'i, 'o, u8>) -> Self {
        let length = buffer.len();
        let (input, output) = buffer.into_raw();
        Self {
            input,
            length,
            output,
            lives: PhantomData,
        }
    }

    #[inline(always)]
    pub(crate) fn len(&self) -> usize {
        self.length
    }

    #[inline(always)]
    pub(crate) fn reborrow(&mut self) -> Words<'_, '_> {
        Words {
            lives: PhantomData,
            ..*self
        }
    }

    /// Returns these fields as an [`InOutBuf`].
    #[inline(always)]
    pub(crate) fn buffer(self) -> InOutBuf<'i, 'o, u8> {
        // SAFETY: the words come from a buffer that `of` consumed, and `self` is consumed.
        unsafe { InOutBuf::from_raw(self.input, self.output, self.length) }
    }
}

/// Returns an error if the numbers of inputs and outputs differ.
#[inline(always)]
pub(crate) fn same_number(inputs: usize, outputs: usize) -> Result<(), DataError> {
    if inputs == outputs {
        Ok(())
    } else {
        Err(DataError::OutputLength {
            input: inputs,
            output: outputs,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_and_rest_are_the_elements_in_order() {
        let mut data: [u8; 11] = core::array::from_fn(|i| i as u8);
        let (groups, rest) = chunks::<u8, 4>(data.as_mut_slice().into());
        assert_eq!(groups.get_in(), [[0, 1, 2, 3], [4, 5, 6, 7]]);
        assert_eq!(rest.get_in(), [8, 9, 10]);
    }

    #[test]
    fn words_are_those_of_the_buffer() {
        let mut memory = [1, 2, 3];
        let address = memory.as_ptr();
        let words = Words::of(memory.as_mut_slice().into());
        let mut buffer = words.buffer();
        buffer.reborrow().xor_in2out(&[4, 4, 4]);
        assert_eq!(buffer.get_in(), [5, 6, 7]);
        assert_eq!(buffer.into_out().as_ptr(), address);

        let mut memory = [0; 2];
        let words = Words::of(pair(&[4, 5], &mut memory).unwrap());
        words.buffer().xor_in2out(&[1, 1]);
        assert_eq!(memory, [5, 4]);
    }

    #[test]
    fn the_first_are_as_many_as_there_are() {
        let mut data = [1, 2, 3];
        let mut of = |n| {
            let buffer = InOutBuf::from(&mut data[..n]);
            first::<u8, 2>(buffer).map(|two| *two.get_in())
        };
        assert_eq!((of(1), of(2), of(3)), (None, Some([1, 2]), Some([1, 2])));
        assert!(first::<u8, 0>(InOutBuf::from(&mut [][..])).is_some());
    }
}
