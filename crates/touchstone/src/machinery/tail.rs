//! The last bytes of a message as numbers, by loads that overlap: a copy of a few bytes is a call of
//! the C library, and a load of them afterwards waits for its stores.

use inout::InOutBuf;

use crate::cipher::Block;

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

/// The first bytes of a number as a block of at most sixteen bytes.
#[inline(always)]
fn block_of<B: Block>(number: u128) -> B {
    let mut made = B::ZERO;
    made.as_mut().copy_from_slice(&block(number)[..B::SIZE]);
    made
}

/// A block of the last bytes of a message, which are fewer than a block, then a bit 1, then zeros.
#[inline(always)]
pub(crate) fn padded<B: Block>(bytes: &[u8]) -> B {
    if B::SIZE <= 16 {
        return block_of(number(bytes) | 0x80 << (8 * bytes.len()));
    }
    let mut block = beginning(B::ZERO, bytes);
    block.as_mut()[bytes.len()] = 0x80;
    block
}

/// A block that begins with `bytes`, which are fewer than a block, and ends as `block` does.
#[inline(always)]
pub(crate) fn beginning<B: Block>(mut block: B, bytes: &[u8]) -> B {
    if B::SIZE <= 16 {
        let end = number(block.as_ref()) >> (8 * bytes.len()) << (8 * bytes.len());
        return block_of(end | number(bytes));
    }
    block.as_mut()[..bytes.len()].copy_from_slice(bytes);
    block
}

/// Stores the first bytes of a block.
#[inline(always)]
pub(crate) fn store<B: Block>(block: &B, bytes: &mut [u8]) {
    if B::SIZE <= 16 {
        put(number(block.as_ref()), bytes);
    } else {
        bytes.copy_from_slice(&block.as_ref()[..bytes.len()]);
    }
}

/// Stores the first bytes of a number, at most sixteen, by stores that can overlap.
#[inline(always)]
fn put(number: u128, bytes: &mut [u8]) {
    let n = bytes.len();
    let from = |place: usize| number >> (8 * place);
    if n >= 8 {
        let last = from(n - 8) as u64;
        bytes[..8].copy_from_slice(&(number as u64).to_le_bytes());
        bytes[n - 8..].copy_from_slice(&last.to_le_bytes());
    } else if n >= 4 {
        let last = from(n - 4) as u32;
        bytes[..4].copy_from_slice(&(number as u32).to_le_bytes());
        bytes[n - 4..].copy_from_slice(&last.to_le_bytes());
    } else {
        for (place, byte) in bytes.iter_mut().enumerate() {
            *byte = from(place) as u8;
        }
    }
}

/// XORs keystream to at most sixteen bytes. Returns the bytes before and after, as numbers.
#[inline(always)]
pub(crate) fn xor(data: InOutBuf<'_, '_, u8>, keystream: &[u8; 16]) -> (u128, u128) {
    let unused = 8 * (16 - data.len()) as u32;
    let given = number(data.get_in());
    let keystream = u128::from_le_bytes(*keystream)
        .unbounded_shl(unused)
        .unbounded_shr(unused);
    let made = given ^ keystream;
    put(made, data.into_out());
    (given, made)
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

    #[test]
    fn keystream_changes_the_bytes_that_there_are() {
        let bytes: [u8; 16] = core::array::from_fn(|i| 0x81 + i as u8);
        for n in 0..=16 {
            let mut data = bytes;
            let (given, made) = super::xor((&mut data[..n]).into(), &[0x5a; 16]);
            assert_eq!(given, super::number(&bytes[..n]));
            assert_eq!(made, super::number(&data[..n]));
            for (place, byte) in data.iter().enumerate() {
                assert_eq!(byte ^ bytes[place], if place < n { 0x5a } else { 0 });
            }
        }
    }
}
