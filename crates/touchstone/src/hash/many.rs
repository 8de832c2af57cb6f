//! Hashes many messages in a few lanes. This module assigns messages to lanes, and computes the
//! number of blocks that all lanes can compress in one call.

use super::iterated::{Begun, Compression};
use crate::Kernel;
use crate::cipher::Block;
#[cfg(target_arch = "x86_64")]
use crate::cpu;
use crate::wipe::wipe;

/// The width of the registers of a kernel with lanes.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy)]
pub(crate) enum Width {
    /// Registers of 512 bits, with AVX-512.
    Wide(cpu::Avx512),
    /// Registers of 256 bits, with AVX2.
    Narrow(cpu::Avx2),
}

#[cfg(target_arch = "x86_64")]
impl From<Width> for cpu::Avx2 {
    fn from(width: Width) -> Self {
        match width {
            Width::Wide(token) => token.into(),
            Width::Narrow(token) => token,
        }
    }
}

/// A hash function whose messages can be hashed in lanes.
pub(crate) trait Laned: Clone {
    /// The type of the kernels.
    type Kernel: Kernel;

    /// A block of the message: the input of one compression.
    type Block: Block;

    /// The state between compressions.
    type Chain: Copy;

    /// A zero value, which overwrites chaining values that are no longer needed.
    const ZERO: Self::Chain;

    /// Compresses consecutive blocks of one message.
    fn compress(kernel: Self::Kernel, chain: &mut Self::Chain, blocks: &[Self::Block]);

    /// Changes the state of a message of which only the last blocks are still to be compressed.
    #[inline(always)]
    fn before_last(chain: &mut Self::Chain) {
        let _ = chain;
    }
}

/// Hash functions that end with [`Padding`](super::iterated::Padding).
impl<C: Compression> Laned for C {
    type Kernel = C::Kernel;
    type Block = C::Block;
    type Chain = C::Chain;
    const ZERO: C::Chain = C::ZERO;

    #[inline(always)]
    fn compress(kernel: C::Kernel, chain: &mut C::Chain, blocks: &[C::Block]) {
        C::compress(kernel, chain, blocks);
    }
}

/// A message in a lane.
#[derive(Clone)]
pub(crate) struct Lane<'m, C: Laned> {
    /// The index of this message among all messages.
    index: usize,
    chain: C::Chain,
    /// The whole blocks that are still to be compressed.
    blocks: &'m [C::Block],
    /// The last bytes of the message, with the padding if there is one, in one or two blocks, and
    /// the number of these blocks.
    last: ([C::Block; 2], usize),
    /// The number of blocks of `last` that have been compressed.
    padded: usize,
}

/// What a lane can take over: a message, or a message that another lane has not finished.
pub(crate) trait Start<'m, C: Laned> {
    /// Puts this message into `lane`, whose message is done.
    fn start(self, lane: &mut Lane<'m, C>);
}

impl<'m, C: Compression> Start<'m, C> for Begun<'m, C> {
    // The message is padded in its lane, so that no copy has to be wiped.
    #[inline(always)]
    fn start(self, lane: &mut Lane<'m, C>) {
        let (blocks, rest) = <C as Compression>::Block::of(self.end);
        let length = u128::from(self.length) + self.end.len() as u128;
        lane.begin(self.index, self.chain, blocks, |last| {
            C::PADDING.pad(last, rest, length)
        });
    }
}

/// A lane of another kernel, whose message is not done.
impl<'m, C: Laned> Start<'m, C> for &mut Lane<'m, C> {
    #[inline]
    fn start(self, lane: &mut Lane<'m, C>) {
        core::mem::swap(self, lane);
    }
}

impl<'m, C: Laned> Lane<'m, C> {
    /// Begins a message. `blocks` are the blocks before its last blocks. `end` writes the last
    /// blocks and returns the number of them.
    #[inline(always)]
    pub(crate) fn begin(
        &mut self,
        index: usize,
        chain: C::Chain,
        blocks: &'m [C::Block],
        end: impl FnOnce(&mut [C::Block; 2]) -> usize,
    ) {
        self.index = index;
        self.chain = chain;
        self.blocks = blocks;
        self.last.1 = end(&mut self.last.0);
        self.padded = 0;
        if blocks.is_empty() {
            C::before_last(&mut self.chain);
        }
    }

    /// Makes lanes without messages.
    #[inline]
    pub(crate) fn lanes<const N: usize>() -> [Self; N] {
        core::array::from_fn(|_| Self::idle())
    }

    /// Makes a lane without a message and without blocks.
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

    /// Returns the next blocks that are consecutive in memory.
    #[inline]
    fn run(&self) -> &[C::Block] {
        match self.blocks {
            [] => &self.last.0[self.padded..self.last.1],
            blocks => blocks,
        }
    }

    /// Skips the first `n` blocks of [`run`](Self::run), which have been compressed into `chain`.
    #[inline]
    fn skip(&mut self, n: usize, chain: &mut C::Chain) {
        match self.blocks {
            [] => self.padded += n,
            _ => {
                self.blocks = &self.blocks[n..];
                if self.blocks.is_empty() {
                    C::before_last(chain);
                }
            }
        }
    }

    #[inline]
    pub(crate) fn is_done(&self) -> bool {
        self.blocks.is_empty() && self.padded == self.last.1
    }
}

impl<C: Laned> Drop for Lane<'_, C> {
    fn drop(&mut self) {
        wipe(core::slice::from_mut(&mut self.chain), C::ZERO);
        wipe(&mut self.last.0, C::Block::ZERO);
    }
}

/// Hashes messages in `N` lanes, which have no messages, as long as every lane has a message. A kernel
/// with fewer lanes can finish the messages that are left in them. `compress` compresses the given
/// number of blocks in each lane. `done` receives the index and the last chaining value of each
/// message.
///
/// When the message of a lane ends, the lane starts the next message. So messages may differ in
/// length. The function is not inlined, so that the frames of its callers stay small.
#[inline(never)]
pub(crate) fn through<'m, C: Laned, const N: usize>(
    lanes: &mut [Lane<'m, C>; N],
    mut waiting: impl Iterator<Item = impl Start<'m, C>>,
    compress: impl Fn(&mut [C::Chain; N], [&[C::Block]; N], usize),
    done: &mut impl FnMut(usize, &C::Chain),
) {
    let mut chains = [C::ZERO; N];
    for (lane, chain) in lanes.iter_mut().zip(&mut chains) {
        if let Some(message) = waiting.next() {
            message.start(lane);
            *chain = lane.chain;
        }
    }
    while !lanes.iter().any(Lane::is_done) {
        let runs = lanes.each_ref().map(Lane::run);
        let n = runs.iter().map(|run| run.len()).min().unwrap_or(0);
        compress(&mut chains, runs, n);
        for (lane, chain) in lanes.iter_mut().zip(&mut chains) {
            lane.skip(n, chain);
            if lane.is_done() {
                done(lane.index, chain);
                if let Some(message) = waiting.next() {
                    message.start(lane);
                    *chain = lane.chain;
                }
            }
        }
    }
    for (lane, chain) in lanes.iter_mut().zip(&chains) {
        lane.chain = *chain;
    }
    wipe(&mut chains, C::ZERO);
}

/// Returns the lanes whose messages are not done.
#[inline]
pub(crate) fn unfinished<'l, 'm, C: Laned>(
    lanes: &'l mut [Lane<'m, C>],
) -> impl Iterator<Item = &'l mut Lane<'m, C>> {
    lanes.iter_mut().filter(|lane| !lane.is_done())
}

/// Compresses one block for each of several chaining values: `N` in a call of `compress`, as long as
/// at least `least` are left. Returns the number of chaining values that are done.
#[inline]
pub(crate) fn abreast<C: Compression, const N: usize>(
    chains: &mut [C::Chain],
    blocks: &[C::Block],
    least: usize,
    compress: impl Fn(&mut [C::Chain; N], [&[C::Block]; N]),
) -> usize {
    let (groups, few) = chains.as_chunks_mut::<N>();
    let one = |i: usize| core::slice::from_ref(&blocks[i]);
    for (g, group) in groups.iter_mut().enumerate() {
        compress(group, core::array::from_fn(|i| one(N * g + i)));
    }
    let done = N * groups.len();
    if few.len() < least.max(1) {
        return done;
    }
    let mut group = [C::ZERO; N];
    group[..few.len()].copy_from_slice(few);
    // The lanes that are left over compress the last block again.
    let last = few.len() - 1;
    compress(
        &mut group,
        core::array::from_fn(|i| one(done + i.min(last))),
    );
    few.copy_from_slice(&group[..few.len()]);
    wipe(&mut group, C::ZERO);
    done + few.len()
}

/// Hashes messages, or finishes those that are left in lanes, one after the other.
#[inline]
pub(crate) fn finish<'m, C: Laned>(
    kernel: C::Kernel,
    messages: impl Iterator<Item = impl Start<'m, C>>,
    done: &mut impl FnMut(usize, &C::Chain),
) {
    let one = |[chain]: &mut [_; 1], [blocks]: [&[_]; 1], n| {
        C::compress(kernel, chain, &blocks[..n]);
    };
    through(&mut Lane::lanes(), messages, one, done);
}

/// Hashes many messages in the lanes of AVX2, and those that are left one after the other.
#[cfg(target_arch = "x86_64")]
#[inline]
fn in_narrow<'m, C: Laned, const NARROW: usize>(
    (kernel, token): (C::Kernel, cpu::Avx2),
    waiting: impl Iterator<Item = impl Start<'m, C>>,
    narrow: impl Fn(cpu::Avx2, &mut [C::Chain; NARROW], [&[C::Block]; NARROW], usize),
    done: &mut impl FnMut(usize, &C::Chain),
) {
    let narrow = |chains: &mut [_; NARROW], blocks: [&[_]; NARROW], n| {
        narrow(token, chains, blocks, n);
    };
    let mut lanes = Lane::lanes();
    through(&mut lanes, waiting, narrow, done);
    finish(kernel, unfinished(&mut lanes), done);
}

/// Hashes many messages in the lanes of the registers of the given width; each function compresses
/// blocks in its lanes. Too few messages for the lanes are hashed one after the other.
#[cfg(target_arch = "x86_64")]
#[inline]
pub(crate) fn in_lanes<'m, C: Laned, const WIDE: usize, const NARROW: usize>(
    (kernel, width): (C::Kernel, Option<Width>),
    waiting: impl Iterator<Item = impl Start<'m, C>>,
    wide: impl Fn(cpu::Avx512, &mut [C::Chain; WIDE], [&[C::Block]; WIDE], usize),
    narrow: impl Fn(cpu::Avx2, &mut [C::Chain; NARROW], [&[C::Block]; NARROW], usize),
    mut done: impl FnMut(usize, &C::Chain),
) {
    // Lanes cost time even if there are too few messages to fill them.
    let most = waiting.size_hint().1.unwrap_or(usize::MAX);
    match width {
        Some(Width::Wide(token)) if most >= WIDE => {
            let wide = |chains: &mut [_; WIDE], blocks: [&[_]; WIDE], n| {
                wide(token, chains, blocks, n);
            };
            let mut lanes = Lane::lanes();
            through(&mut lanes, waiting, wide, &mut done);
            if lanes.iter().any(|lane| !lane.is_done()) {
                let left = unfinished(&mut lanes);
                in_narrow((kernel, token.into()), left, narrow, &mut done);
            }
        }
        Some(width) if most >= NARROW => {
            in_narrow((kernel, width.into()), waiting, narrow, &mut done);
        }
        _ => finish(kernel, waiting, &mut done),
    }
}

/// [`in_lanes`] with registers in pairs for many messages, if the function `doubles` them and a vector
/// operation takes two cycles.
#[cfg(target_arch = "x86_64")]
#[inline]
pub(crate) fn in_lanes_or_twice<
    'm,
    C: Laned,
    const TWICE: usize,
    const WIDE: usize,
    const NARROW: usize,
>(
    (kernel, width, doubles): (C::Kernel, Option<Width>, bool),
    waiting: impl Iterator<Item = impl Start<'m, C>>,
    twice: impl Fn(cpu::Avx512, &mut [C::Chain; TWICE], [&[C::Block]; TWICE], usize),
    wide: impl Fn(cpu::Avx512, &mut [C::Chain; WIDE], [&[C::Block]; WIDE], usize),
    narrow: impl Fn(cpu::Avx2, &mut [C::Chain; NARROW], [&[C::Block]; NARROW], usize),
    mut done: impl FnMut(usize, &C::Chain),
) {
    let most = waiting.size_hint().1.unwrap_or(usize::MAX);
    match width {
        Some(Width::Wide(token)) if doubles && most >= TWICE && !token.adds_quickly() => {
            let twice = |chains: &mut [_; TWICE], blocks: [&[_]; TWICE], n| {
                twice(token, chains, blocks, n);
            };
            let mut lanes = Lane::lanes();
            through(&mut lanes, waiting, twice, &mut done);
            if lanes.iter().any(|lane| !lane.is_done()) {
                in_lanes((kernel, width), unfinished(&mut lanes), wide, narrow, done);
            }
        }
        _ => in_lanes((kernel, width), waiting, wide, narrow, done),
    }
}
