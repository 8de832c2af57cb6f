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

/// At most sixteen bytes as a number, whose lowest byte is the first one.
#[inline(always)]
pub(crate) fn number(bytes: &[u8]) -> u128 {
    match (bytes.first_chunk(), bytes.last_chunk()) {
        (Some(first), Some(last)) => {
            let unused = 8 * (16 - bytes.len()) as u32;
            let high = u64::from_le_bytes(*last).checked_shr(unused).unwrap_or(0);
            u128::from(u64::from_le_bytes(*first)) | u128::from(high) << 64
        }
        _ => few(bytes).into(),
    }
}

/// The bytes of a number, the lowest byte first, by one store: a load of bytes that two stores wrote waits
/// until both are in the cache.
#[inline(always)]
pub(crate) fn block(number: u128) -> [u8; 16] {
    #[cfg(target_arch = "x86_64")]
    {
        let mut block = [0; 16];
        crate::simd::U8x16::from_halves(number as u64, (number >> 64) as u64).store(&mut block);
        block
    }
    #[cfg(not(target_arch = "x86_64"))]
    number.to_le_bytes()
}

#[cfg(test)]
mod tests {
    #[test]
    fn bytes_of_every_length_are_a_number() {
        let bytes: [u8; 16] = core::array::from_fn(|i| 0x81 + i as u8);
        for n in 0..=16 {
            let mut right = [0; 16];
            right[..n].copy_from_slice(&bytes[..n]);
            assert_eq!(super::block(super::number(&bytes[..n])), right);
            if n < 8 {
                assert_eq!(
                    u128::from(super::few(&bytes[..n])),
                    u128::from_le_bytes(right)
                );
            }
        }
    }
}
