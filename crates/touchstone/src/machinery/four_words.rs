//! Blocks of 16 bytes as four words of 32 bits.

/// Returns the little-endian words of a block.
#[inline(always)]
pub(crate) fn little(block: &[u8; 16]) -> [u32; 4] {
    big(block).map(u32::swap_bytes)
}

/// Returns the block of little-endian words; the inverse of [`little`].
#[inline(always)]
pub(crate) fn little_bytes(words: [u32; 4]) -> [u8; 16] {
    big_bytes(words.map(u32::swap_bytes))
}

/// Returns the big-endian words of a block.
#[inline(always)]
pub(crate) fn big(block: &[u8; 16]) -> [u32; 4] {
    let mut words = [0; 4];
    for (word, bytes) in words.iter_mut().zip(block.as_chunks().0) {
        *word = u32::from_be_bytes(*bytes);
    }
    words
}

/// Returns the block of big-endian words; the inverse of [`big`].
#[inline(always)]
pub(crate) fn big_bytes(words: [u32; 4]) -> [u8; 16] {
    let mut block = [0; 16];
    for (bytes, word) in block.as_chunks_mut().0.iter_mut().zip(words) {
        *bytes = word.to_be_bytes();
    }
    block
}
