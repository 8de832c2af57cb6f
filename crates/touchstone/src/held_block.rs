//! The end of a message that comes in pieces, for algorithms that process the last block
//! differently. The latest block is stored until the code knows whether more bytes follow.

use core::slice;

use crate::cipher::Block;
use crate::wipe::wipe;

/// The last bytes of a message so far, at most one whole block. If the message is empty, there
/// are no bytes. Otherwise there is at least one byte.
#[derive(Clone)]
pub(crate) struct HeldBlock<B: Block> {
    /// The last bytes of the message so far, and then zeros.
    block: B,
    held: usize,
}

impl<B: Block> HeldBlock<B> {
    #[inline]
    pub(crate) const fn new() -> Self {
        Self {
            block: B::ZERO,
            held: 0,
        }
    }

    /// Adds the next piece of the message. Passes all blocks except the last block to `absorb`.
    #[inline]
    pub(crate) fn add(&mut self, mut data: &[u8], mut absorb: impl FnMut(&[B])) {
        if self.held != 0 {
            let (now, later) = data.split_at(data.len().min(B::SIZE - self.held));
            self.block.as_mut()[self.held..][..now.len()].copy_from_slice(now);
            self.held += now.len();
            if later.is_empty() {
                return;
            }
            absorb(slice::from_ref(&self.block));
            self.block = B::ZERO;
            data = later;
        }
        let (blocks, last) = body(data);
        if !blocks.is_empty() {
            absorb(blocks);
        }
        self.block.as_mut()[..last.len()].copy_from_slice(last);
        self.held = last.len();
    }

    /// Returns the last bytes of the message.
    #[inline]
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.block.as_ref()[..self.held]
    }

    /// Returns a block of the last bytes of the message with zeros after them.
    #[inline]
    pub(crate) fn padded(&self) -> &B {
        &self.block
    }
}

impl<B: Block> Drop for HeldBlock<B> {
    fn drop(&mut self) {
        wipe(slice::from_mut(&mut self.block), B::ZERO);
    }
}

/// Splits a message into the blocks before the last block, and the last block, which may
/// be short.
#[inline(always)]
pub(crate) fn body<B: Block>(message: &[u8]) -> (&[B], &[u8]) {
    let body = message.len().saturating_sub(1) / B::SIZE * B::SIZE;
    let (body, last) = message.split_at(body);
    (B::of(body).0, last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_block_is_kept_back_in_pieces_of_any_length() {
        let message: [u8; 40] = core::array::from_fn(|i| i as u8 + 1);
        for length in 0..=message.len() {
            for piece in 1..=length.max(1) {
                let mut held = HeldBlock::<[u8; 8]>::new();
                let (mut passed, mut n) = ([[0; 8]; 5], 0);
                for data in message[..length].chunks(piece) {
                    held.add(data, |blocks| {
                        passed[n..][..blocks.len()].copy_from_slice(blocks);
                        n += blocks.len();
                    });
                }
                let (before, last) = body::<[u8; 8]>(&message[..length]);
                assert_eq!((&passed[..n], held.bytes()), (before, last));
                assert_eq!(last.is_empty(), length == 0);
                assert!(held.padded()[last.len()..].iter().all(|byte| *byte == 0));
            }
        }
    }
}
