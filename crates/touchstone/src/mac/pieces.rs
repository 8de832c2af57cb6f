//! A buffer for the bytes of a message that do not fill a block yet.

use crate::wipe::wipe;

/// The bytes of the message after the last whole block.
#[derive(Clone)]
pub(super) struct Pieces<const BLOCK: usize> {
    rest: [u8; BLOCK],
    held: usize,
}

impl<const BLOCK: usize> Pieces<BLOCK> {
    #[inline]
    pub(super) fn new() -> Self {
        Self {
            rest: [0; BLOCK],
            held: 0,
        }
    }

    /// Passes all whole blocks to `absorb`, and stores the remaining bytes.
    #[inline]
    pub(super) fn update(&mut self, mut data: &[u8], mut absorb: impl FnMut(&[[u8; BLOCK]])) {
        if self.held != 0 {
            let (now, later) = data.split_at(data.len().min(BLOCK - self.held));
            self.rest[self.held..self.held + now.len()].copy_from_slice(now);
            self.held += now.len();
            if self.held < BLOCK {
                return;
            }
            absorb(&[self.rest]);
            data = later;
        }
        let (blocks, rest) = data.as_chunks();
        if !blocks.is_empty() {
            absorb(blocks);
        }
        self.rest[..rest.len()].copy_from_slice(rest);
        self.held = rest.len();
    }

    /// Returns the remaining bytes.
    #[inline]
    pub(super) fn rest(&self) -> &[u8] {
        &self.rest[..self.held]
    }

    /// Returns the remaining bytes with zeros after them, and the number of remaining bytes.
    #[inline]
    pub(super) fn padded(&self) -> ([u8; BLOCK], usize) {
        let mut block = self.rest;
        block[self.held..].fill(0);
        (block, self.held)
    }
}

impl<const BLOCK: usize> Drop for Pieces<BLOCK> {
    fn drop(&mut self) {
        wipe(&mut self.rest, 0);
    }
}
