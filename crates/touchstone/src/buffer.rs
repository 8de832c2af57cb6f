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
