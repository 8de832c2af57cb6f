//! The last bytes of a message as numbers, by loads that overlap: a copy of a few bytes is a call of
//! the C library, and a load of them afterwards waits for its stores.

/// Fewer than eight bytes as a number, whose lowest byte is the first one.
#[inline(always)]
pub(crate) fn few(bytes: &[u8]) -> u64 {
    let n = bytes.len();
    if let (Some(first), Some(last)) = (bytes.first_chunk(), bytes.last_chunk()) {
        let word = |bytes| u64::from(u32::from_le_bytes(bytes));
        return word(*first) | word(*last) << (8 * (n - 4));
    }
    if n == 0 {
        return 0;
    }
    // Of three bytes or fewer: the first one, the one in the middle and the last one.
    let at = |place: usize| u64::from(bytes[place]) << (8 * place);
    at(0) | at(n / 2) | at(n - 1)
}

#[cfg(test)]
mod tests {
    #[test]
    fn bytes_of_every_length_are_a_number() {
        let bytes: [u8; 8] = core::array::from_fn(|i| 0x81 + i as u8);
        for n in 0..8 {
            let mut right = [0; 8];
            right[..n].copy_from_slice(&bytes[..n]);
            assert_eq!(super::few(&bytes[..n]), u64::from_le_bytes(right));
        }
    }
}
