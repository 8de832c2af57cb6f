//! Keystream that is computed in blocks and used in pieces of any length. The unused end
//! of a block is kept for the next piece.

use inout::InOutBuf;

use crate::buffer;
use crate::wipe::wipe;

/// A source of keystream in blocks of `BLOCK` bytes.
pub(crate) trait Source<const BLOCK: usize> {
    /// XORs the next blocks of the keystream to `blocks`.
    fn apply_blocks(&mut self, blocks: InOutBuf<'_, '_, [u8; BLOCK]>);

    /// XORs the next blocks of the keystream to `data`. If `data` ends within a block,
    /// that block of keystream is stored in `last`.
    #[inline]
    fn apply_bytes(&mut self, data: InOutBuf<'_, '_, u8>, last: &mut [u8; BLOCK]) {
        let (blocks, mut rest) = buffer::chunks::<u8, BLOCK>(data);
        if !blocks.is_empty() {
            self.apply_blocks(blocks);
        }
        if !rest.is_empty() {
            *last = [0; BLOCK];
            self.apply_blocks(InOutBuf::from_mut(last));
            let n = rest.len();
            rest.xor_in2out(&last[..n]);
        }
    }
}

/// A source that can continue at any block.
pub(crate) trait SeekSource<const BLOCK: usize>: Source<BLOCK> {
    /// Makes `block`, counted from 0, the next block.
    fn seek_block(&mut self, block: u64);
}

/// A source, and the unused end of its last block.
#[derive(Clone)]
pub(crate) struct Keystream<S, const BLOCK: usize> {
    pub(crate) source: S,
    /// The last block of the source. Its last `left` bytes have not been used.
    last: [u8; BLOCK],
    left: usize,
}

impl<S: Source<BLOCK>, const BLOCK: usize> Keystream<S, BLOCK> {
    #[inline]
    pub(crate) fn new(source: S) -> Self {
        Self {
            source,
            last: [0; BLOCK],
            left: 0,
        }
    }

    /// XORs the next bytes of the keystream to data.
    #[inline]
    pub(crate) fn apply_inout(&mut self, mut data: InOutBuf<'_, '_, u8>) {
        if self.left != 0 {
            let n = self.left.min(data.len());
            let (mut now, later) = data.split_at(n);
            let from = BLOCK - self.left;
            now.xor_in2out(&self.last[from..from + n]);
            self.left -= n;
            data = later;
        }
        let short = data.len() % BLOCK;
        if short != 0 {
            self.left = BLOCK - short;
        }
        self.source.apply_bytes(data, &mut self.last);
    }
}

impl<S: SeekSource<BLOCK>, const BLOCK: usize> Keystream<S, BLOCK> {
    /// Sets the position of the next byte of the keystream, counted from 0.
    pub(crate) fn seek(&mut self, byte: u64) {
        self.source.seek_block(byte / BLOCK as u64);
        self.left = 0;
        let within = (byte % BLOCK as u64) as usize;
        if within != 0 {
            self.last = [0; BLOCK];
            self.source.apply_blocks(InOutBuf::from_mut(&mut self.last));
            self.left = BLOCK - within;
        }
    }
}

impl<S, const BLOCK: usize> Drop for Keystream<S, BLOCK> {
    fn drop(&mut self) {
        wipe(&mut self.last, 0);
    }
}

/// Writes bytes, as little-endian words, to the first elements of `words`.
#[inline]
pub(super) fn set_words(words: &mut [u32], bytes: &[u8]) {
    for (word, bytes) in words.iter_mut().zip(bytes.as_chunks().0) {
        *word = u32::from_le_bytes(*bytes);
    }
}
