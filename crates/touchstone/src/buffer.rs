//! Functions that split one buffer into bytes, blocks or groups of blocks.
//!
//! An [`InOutBuf`] is an input and an output of the same length, which are the same
//! memory or do not overlap. So code for it works in place and from one buffer to
//! another. These functions regroup its elements and copy nothing.
#![allow(unsafe_code)]

use inout::{InOut, InOutBuf};

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

/// The first `N` elements, where `N` may be 0, or `None` if the buffer is shorter.
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

/// Takes a buffer apart: the output, and the input unless both are the same memory.
///
/// A call passes these slices in registers, but an [`InOutBuf`] as a pointer to its three
/// words. A callee that copies these words reads two of them by one wide load, which waits
/// until the two stores of the caller have reached the cache. For a short message that
/// takes longer than the encryption.
#[cfg(feature = "dynamic")]
#[inline(always)]
pub(crate) fn apart<'i, 'o>(buffer: InOutBuf<'i, 'o, u8>) -> (Option<&'i [u8]>, &'o mut [u8]) {
    let length = buffer.len();
    let (input, output) = buffer.into_raw();
    // SAFETY: both pointers are valid for `length` bytes, for the lifetimes 'i and 'o, and
    // `buffer` is consumed. If they differ, the memory behind them does not overlap; if
    // they are equal, the input is not used.
    unsafe {
        let differ = !core::ptr::eq(input, output);
        let input = differ.then(|| core::slice::from_raw_parts(input, length));
        (input, core::slice::from_raw_parts_mut(output, length))
    }
}

/// Joins what [`apart`] returned.
#[cfg(feature = "dynamic")]
#[inline(always)]
pub(crate) fn together<'b>(
    input: Option<&'b [u8]>,
    output: &'b mut [u8],
) -> Result<InOutBuf<'b, 'b, u8>, DataError> {
    match input {
        Some(input) => pair(input, output),
        None => Ok(output.into()),
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

    #[cfg(feature = "dynamic")]
    #[test]
    fn a_buffer_that_was_taken_apart_can_be_joined_again() {
        let mut memory = [1, 2, 3];
        let address = memory.as_ptr();
        let (input, output) = apart(memory.as_mut_slice().into());
        assert_eq!(input, None);
        let joined = together(input, output).unwrap();
        assert_eq!(joined.get_in(), [1, 2, 3]);
        assert_eq!(joined.into_out().as_ptr(), address);

        let mut memory = [0; 2];
        let (input, output) = apart(pair(&[4, 5], &mut memory).unwrap());
        let mut joined = together(input, output).unwrap();
        joined.xor_in2out(&[1, 1]);
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
