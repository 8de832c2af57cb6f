//! The common part of MACs that are based on cipher block chaining (CBC).

use crate::FusedEncrypt;
use crate::cipher::Block;
use crate::held_block::HeldBlock;
use crate::wipe::wipe;

/// The state of a message that comes in pieces: the value of the CBC chain, and the last block.
#[derive(Clone)]
pub(crate) struct Chain<B: Block> {
    chain: B,
    last: HeldBlock<B>,
}

impl<B: Block> Chain<B> {
    #[inline]
    pub(crate) fn new(start: B) -> Self {
        Self {
            chain: start,
            last: HeldBlock::new(),
        }
    }

    /// Starts a message: sets the value of the chain to zeros.
    #[inline]
    pub(super) fn reset(&mut self) {
        *self = Self::new(B::ZERO);
    }

    pub(crate) fn update<C: FusedEncrypt<Block = B>>(&mut self, cipher: &C, data: &[u8]) {
        let absorb = |blocks: &[_]| cipher.cbc_mac_blocks(&mut self.chain, blocks);
        self.last.add(data, absorb);
    }

    /// Returns the value of the chain before the last block, and the bytes of the last block.
    /// The last block is empty only if the message is empty.
    #[inline]
    pub(crate) fn end(&self) -> (B, &[u8]) {
        (self.chain, self.last.bytes())
    }
}

impl<B: Block> Drop for Chain<B> {
    fn drop(&mut self) {
        wipe(core::slice::from_mut(&mut self.chain), B::ZERO);
    }
}
