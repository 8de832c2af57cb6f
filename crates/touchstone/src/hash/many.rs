//! Many messages through few lanes: which message is in which lane, and how many
//! blocks all lanes can take together.

use super::iterated::{Begun, Compression};
use crate::cipher::Block;
use crate::wipe::wipe;

/// A message in a lane. Only for hashes that end with [`Padding`](super::iterated::Padding).
#[derive(Clone)]
pub(crate) struct Lane<'m, C: Compression> {
    /// Which of the messages.
    index: usize,
    chain: C::Chain,
    /// Its whole blocks that are still to come.
    blocks: &'m [C::Block],
    /// Its last bytes with the padding: one block or two, then their number.
    last: ([C::Block; 2], usize),
    /// How many of `last` have been compressed.
    padded: usize,
}

impl<'m, C: Compression> Lane<'m, C> {
    #[inline]
    pub(crate) fn new(begun: Begun<'m, C>) -> Self {
        let (blocks, rest) = C::Block::of(begun.end);
        let length = u128::from(begun.length) + begun.end.len() as u128;
        Self {
            index: begun.index,
            chain: begun.chain,
            blocks,
            last: C::PADDING.blocks(rest, length << 3, None),
            padded: 0,
        }
    }

    /// A lane without a message, which has no blocks and so is done.
    #[inline]
    fn idle() -> Self {
        Self {
            index: 0,
            chain: C::ZERO,
            blocks: &[],
            last: ([C::Block::ZERO; 2], 0),
            padded: 0,
        }
    }

    /// The next blocks that lie side by side in memory.
    #[inline]
    fn run(&self) -> &[C::Block] {
        match self.blocks {
            [] => &self.last.0[self.padded..self.last.1],
            blocks => blocks,
        }
    }

    /// Leaves the first `n` blocks of the run behind.
    #[inline]
    fn skip(&mut self, n: usize) {
        match self.blocks {
            [] => self.padded += n,
            _ => self.blocks = &self.blocks[n..],
        }
    }

    #[inline]
    pub(crate) fn is_done(&self) -> bool {
        self.blocks.is_empty() && self.padded == self.last.1
    }
}

impl<C: Compression> Drop for Lane<'_, C> {
    fn drop(&mut self) {
        wipe(core::slice::from_mut(&mut self.chain), C::ZERO);
        wipe(&mut self.last.0, C::Block::ZERO);
    }
}

/// Takes messages through `N` lanes while all lanes have one, and gives back the
/// lanes that are not done, for a kernel with fewer lanes. `compress` takes the given
/// number of blocks in each lane; `done` takes the index and the last chaining value
/// of each message.
///
/// A lane takes the next message when its own ends, so lengths may differ.
#[inline]
pub(crate) fn through<'m, C: Compression, const N: usize>(
    mut waiting: impl Iterator<Item = Lane<'m, C>>,
    compress: impl Fn(&mut [C::Chain; N], [&[C::Block]; N], usize),
    done: &mut impl FnMut(usize, &C::Chain),
) -> [Lane<'m, C>; N] {
    let mut lanes: [_; N] = core::array::from_fn(|_| waiting.next().unwrap_or_else(Lane::idle));
    let mut chains = [C::ZERO; N];
    while !lanes.iter().any(Lane::is_done) {
        for (chain, lane) in chains.iter_mut().zip(&lanes) {
            *chain = lane.chain;
        }
        let runs = lanes.each_ref().map(Lane::run);
        let n = runs.iter().map(|run| run.len()).min().unwrap_or(0);
        compress(&mut chains, runs, n);
        for (lane, chain) in lanes.iter_mut().zip(&chains) {
            lane.chain = *chain;
            lane.skip(n);
            if lane.is_done() {
                done(lane.index, &lane.chain);
                *lane = waiting.next().unwrap_or_else(Lane::idle);
            }
        }
    }
    wipe(&mut chains, C::ZERO);
    lanes
}

/// Takes messages to their end one by one, after the lanes that wider kernels left.
#[inline]
pub(crate) fn finish<'m, C: Compression>(
    kernel: C::Kernel,
    left: impl Iterator<Item = Lane<'m, C>>,
    done: &mut impl FnMut(usize, &C::Chain),
) {
    let one = |[chain]: &mut [_; 1], [blocks]: [&[_]; 1], n| {
        C::compress(kernel, chain, &blocks[..n]);
    };
    through(left.filter(|lane| !lane.is_done()), one, done);
}
