//! What a hash has been given and cannot compress yet, and the padding that
//! ends a message: Merkle–Damgård as all hashes of the MD4 family do it.

use crate::wipe::wipe;

/// The bytes after the last whole block.
#[derive(Clone)]
pub(crate) struct Buffer<const BLOCK: usize> {
    bytes: [u8; BLOCK],
    /// Length of the message so far.
    length: u64,
}

/// Order of the bytes of the length in the padding, and of the words.
#[derive(Clone, Copy)]
pub(crate) enum Order {
    /// Most significant first: SHA.
    Big,
    /// Least significant first: MD4, MD5, RIPEMD.
    #[expect(dead_code, reason = "for the hashes that follow")]
    Little,
}

impl<const BLOCK: usize> Buffer<BLOCK> {
    #[inline]
    pub(crate) fn new() -> Self {
        Self {
            bytes: [0; BLOCK],
            length: 0,
        }
    }

    /// Hands all whole blocks to `compress`, and keeps the rest.
    #[inline]
    pub(crate) fn update(&mut self, mut data: &[u8], mut compress: impl FnMut(&[[u8; BLOCK]])) {
        let held = self.held();
        self.length = self.length.wrapping_add(data.len() as u64);
        if held != 0 {
            let n = data.len().min(BLOCK - held);
            let (now, later) = data.split_at(n);
            self.bytes[held..held + n].copy_from_slice(now);
            if held + n < BLOCK {
                return;
            }
            compress(core::slice::from_ref(&self.bytes));
            data = later;
        }
        let (blocks, rest) = data.as_chunks();
        if !blocks.is_empty() {
            compress(blocks);
        }
        self.bytes[..rest.len()].copy_from_slice(rest);
    }

    /// Hands the last block or two, with the padding, to `compress`.
    #[inline]
    pub(crate) fn finish(&mut self, order: Order, mut compress: impl FnMut(&[[u8; BLOCK]])) {
        let (mut blocks, n) = padded(&self.bytes[..self.held()], self.length, order);
        compress(&blocks[..n]);
        wipe(&mut blocks, [0; BLOCK]);
    }

    #[inline(always)]
    fn held(&self) -> usize {
        (self.length % BLOCK as u64) as usize
    }
}

impl<const BLOCK: usize> Drop for Buffer<BLOCK> {
    fn drop(&mut self) {
        wipe(&mut self.bytes, 0);
    }
}

/// The last blocks of a message: its bytes after the last whole block, a one
/// bit, zeros, and its length in bits in an eighth of a block. One block, or two
/// if it is crowded.
#[inline]
pub(crate) fn padded<const BLOCK: usize>(
    rest: &[u8],
    length: u64,
    order: Order,
) -> ([[u8; BLOCK]; 2], usize) {
    let mut blocks = [[0; BLOCK]; 2];
    let n = 1 + usize::from(rest.len() >= BLOCK - BLOCK / 8);
    let bytes = blocks.as_flattened_mut();
    bytes[..rest.len()].copy_from_slice(rest);
    bytes[rest.len()] = 0x80;
    let bits = u128::from(length) << 3;
    let field = &mut bytes[n * BLOCK - BLOCK / 8..n * BLOCK];
    let width = BLOCK / 8;
    match order {
        Order::Big => field.copy_from_slice(&bits.to_be_bytes()[16 - width..]),
        Order::Little => field.copy_from_slice(&bits.to_le_bytes()[..width]),
    }
    (blocks, n)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn padding_takes_a_second_block_when_the_first_is_crowded() {
        let rest = [7; 64];
        for length in 0..64u64 {
            let (blocks, n) = padded::<64>(&rest[..length as usize], length, Order::Big);
            assert_eq!(n, if length < 56 { 1 } else { 2 });
            let bytes = &blocks.as_flattened()[..64 * n];
            assert_eq!(bytes[length as usize], 0x80);
            assert!(bytes.ends_with(&(length * 8).to_be_bytes()));
        }
    }
}
