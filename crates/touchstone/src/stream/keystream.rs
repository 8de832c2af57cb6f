//! Keystream that is made in blocks and used in pieces of any length: what is left
//! of a block waits for the next piece.

use inout::InOutBuf;

use crate::buffer;
use crate::wipe::wipe;

/// What makes keystream in blocks of `BLOCK` bytes.
pub(crate) trait Source<const BLOCK: usize> {
    /// Adds the next blocks of the keystream.
    fn apply_blocks(&mut self, blocks: InOutBuf<'_, '_, [u8; BLOCK]>);

    /// Adds the next blocks to whole blocks, and the first bytes of one more block to
    /// the rest of `data`. That block is left in `last`.
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

/// A source that can go to any of its blocks.
pub(crate) trait SeekSource<const BLOCK: usize>: Source<BLOCK> {
    /// The next block will be this one, counted from 0.
    fn seek_block(&mut self, block: u64);
}

/// A source, and what is left of its last block.
#[derive(Clone)]
pub(crate) struct Keystream<S, const BLOCK: usize> {
    pub(crate) source: S,
    /// The last block of the source, of which the last `left` bytes have not been used.
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

    /// Adds the next bytes of the keystream.
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
    /// Goes to a byte of the keystream, counted from 0.
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

/// Little-endian words of bytes, into the places of a state from the first on.
#[inline]
pub(super) fn set_words(words: &mut [u32], bytes: &[u8]) {
    for (word, bytes) in words.iter_mut().zip(bytes.as_chunks().0) {
        *word = u32::from_le_bytes(*bytes);
    }
}
