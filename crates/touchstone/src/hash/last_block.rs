//! Hashes that compress their last block in a way of its own, BLAKE2 and Skein: a message
//! keeps a whole block back until it is known whether more follows. [`LastBlock`] is what
//! a hash brings; [`HeldBack`] is a message on its way through one.

use crate::Kernel;
use crate::cipher::Block;
use crate::wipe::wipe;

/// The compression function of a hash whose last block is marked.
pub(crate) trait LastBlock: Clone + Send + Sync + 'static {
    /// The ways in which it can be computed here.
    type Kernel: Kernel;

    /// The piece of a message that one compression takes.
    type Block: Block;

    /// What goes from one compression to the next: the chaining value and the count of
    /// bytes.
    type Chain: Copy + Send + Sync + 'static;

    /// An empty chaining value, to wipe with.
    const ZERO: Self::Chain;

    /// Compresses these blocks, after which more of the message follows.
    fn compress(kernel: Self::Kernel, chain: &mut Self::Chain, blocks: &[Self::Block]);

    /// Compresses the last block: the first `held` bytes are the message's, the others zero.
    fn last(kernel: Self::Kernel, chain: &mut Self::Chain, block: &Self::Block, held: usize);
}

/// A message on its way.
#[derive(Clone)]
pub(crate) struct HeldBack<C: LastBlock> {
    kernel: C::Kernel,
    chain: C::Chain,
    /// The bytes that have not been compressed, up to a whole block; zeros follow.
    rest: C::Block,
    held: usize,
}

impl<C: LastBlock> HeldBack<C> {
    #[inline]
    pub(crate) fn new(kernel: C::Kernel, start: C::Chain) -> Self {
        Self {
            kernel,
            chain: start,
            rest: C::Block::ZERO,
            held: 0,
        }
    }

    #[inline]
    pub(crate) fn kernel(&self) -> C::Kernel {
        self.kernel
    }

    /// Takes the next piece of the message.
    #[inline]
    pub(crate) fn update(&mut self, mut data: &[u8]) {
        if data.is_empty() {
            return;
        }
        let free = C::Block::SIZE - self.held;
        if data.len() > free && self.held != 0 {
            let (now, later) = data.split_at(free);
            self.rest.as_mut()[self.held..].copy_from_slice(now);
            let block = core::slice::from_ref(&self.rest);
            C::compress(self.kernel, &mut self.chain, block);
            self.held = 0;
            data = later;
        }
        if self.held == 0 {
            // The last block, whole or not, stays behind.
            let whole = (data.len() - 1) / C::Block::SIZE * C::Block::SIZE;
            let (now, later) = data.split_at(whole);
            let (blocks, _) = C::Block::of(now);
            if !blocks.is_empty() {
                C::compress(self.kernel, &mut self.chain, blocks);
            }
            self.rest = C::Block::ZERO;
            data = later;
        }
        self.rest.as_mut()[self.held..][..data.len()].copy_from_slice(data);
        self.held += data.len();
    }

    /// Ends the message; the chaining value after it.
    #[inline]
    pub(crate) fn finish(mut self) -> C::Chain {
        C::last(self.kernel, &mut self.chain, &self.rest, self.held);
        self.chain
    }
}

impl<C: LastBlock> Drop for HeldBack<C> {
    fn drop(&mut self) {
        wipe(core::slice::from_mut(&mut self.chain), C::ZERO);
        wipe(core::slice::from_mut(&mut self.rest), C::Block::ZERO);
    }
}

/// The chaining value after a whole message.
#[inline]
pub(crate) fn whole<C: LastBlock>(
    kernel: C::Kernel,
    mut chain: C::Chain,
    message: &[u8],
) -> C::Chain {
    let whole = message.len().saturating_sub(1) / C::Block::SIZE * C::Block::SIZE;
    let (now, rest) = message.split_at(whole);
    let (blocks, _) = C::Block::of(now);
    if !blocks.is_empty() {
        C::compress(kernel, &mut chain, blocks);
    }
    match C::Block::of(rest) {
        ([block], _) => C::last(kernel, &mut chain, block, C::Block::SIZE),
        _ => {
            let mut last = C::Block::ZERO;
            last.as_mut()[..rest.len()].copy_from_slice(rest);
            C::last(kernel, &mut chain, &last, rest.len());
            wipe(core::slice::from_mut(&mut last), C::Block::ZERO);
        }
    }
    chain
}
