//! The common part of MACs by cipher block chaining: the chain, and the last bytes of the
//! message, which are kept back until it is known whether more bytes follow.

use crate::FusedEncrypt;
use crate::cipher::Block;
use crate::wipe::wipe;

#[derive(Clone)]
pub(super) struct Chain<B: Block> {
    chain: B,
    /// The last bytes, at most one whole block.
    held: B,
    used: usize,
}

impl<B: Block> Chain<B> {
    #[inline]
    pub(super) fn new() -> Self {
        Self {
            chain: B::ZERO,
            held: B::ZERO,
            used: 0,
        }
    }

    #[inline]
    pub(super) fn reset(&mut self) {
        *self = Self::new();
    }

    pub(super) fn update<C: FusedEncrypt<Block = B>>(&mut self, cipher: &C, mut data: &[u8]) {
        if self.used != 0 {
            let n = data.len().min(B::SIZE - self.used);
            let (now, later) = data.split_at(n);
            self.held.as_mut()[self.used..self.used + n].copy_from_slice(now);
            self.used += n;
            if later.is_empty() {
                return;
            }
            cipher.cbc_mac_blocks(&mut self.chain, core::slice::from_ref(&self.held));
            data = later;
        }
        let (blocks, last) = body(data);
        if !blocks.is_empty() {
            cipher.cbc_mac_blocks(&mut self.chain, blocks);
        }
        self.held.as_mut()[..last.len()].copy_from_slice(last);
        self.used = last.len();
    }

    /// The chain before the last block, and the bytes of the last block. These are empty
    /// only if the message is empty.
    #[inline]
    pub(super) fn end(&self) -> (B, &[u8]) {
        (self.chain, &self.held.as_ref()[..self.used])
    }
}

/// Splits a message into the blocks before the last block, and the last block, which may
/// be short.
#[inline(always)]
pub(super) fn body<B: Block>(message: &[u8]) -> (&[B], &[u8]) {
    let body = message.len().saturating_sub(1) / B::SIZE * B::SIZE;
    let (body, last) = message.split_at(body);
    (B::of(body).0, last)
}

impl<B: Block> Drop for Chain<B> {
    fn drop(&mut self) {
        let Self { chain, held, .. } = self;
        wipe(core::slice::from_mut(chain), B::ZERO);
        wipe(core::slice::from_mut(held), B::ZERO);
    }
}
