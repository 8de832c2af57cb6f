//! Keccak on many messages: a message in each lane of a register. AVX-512 has eight lanes for
//! words of 64 bits, AVX2 has four lanes.
//!
//! ```text
//!   register w: | word w of message 7 | … | word w of message 1 | word w of message 0 |
//! ```
//!
//! When the message of a lane ends, the lane starts the next message. So messages may differ in
//! length.

use super::{Keccak, Kernel, State};
use crate::hash::sponge::{Permutation, read};
use crate::wipe::wipe;

/// One of many messages: the index among them, the state after the first blocks, and the rest of the
/// message.
pub(in crate::hash) type Begun<'m> = (usize, State, &'m [u8]);

/// A message in a lane.
struct Lane<'m, const RATE: usize> {
    /// The index of this message among all messages.
    index: usize,
    state: State,
    /// The whole blocks of the message.
    blocks: &'m [[u8; RATE]],
    /// The end of the message, with suffix and padding.
    last: [u8; RATE],
    /// The number of blocks that are still to be absorbed, `last` included.
    left: usize,
}

impl<'m, const RATE: usize> Lane<'m, RATE> {
    /// Makes a lane without a message.
    fn idle() -> Self {
        Self {
            index: 0,
            state: [0; 25],
            blocks: &[],
            last: [0; RATE],
            left: 0,
        }
    }

    /// Starts a message. `suffix` has the bits between message and padding, and the first bit of
    /// the padding, [FIPS202](super) §5.1.
    fn start(&mut self, (index, state, message): Begun<'m>, suffix: u8) {
        let (blocks, rest) = message.as_chunks();
        self.index = index;
        self.state = state;
        self.blocks = blocks;
        self.last = [0; RATE];
        self.last[..rest.len()].copy_from_slice(rest);
        self.last[rest.len()] = suffix;
        self.last[RATE - 1] |= <Keccak<24> as Permutation>::END;
        self.left = blocks.len() + 1;
    }

    /// Absorbs the blocks of this message that are left.
    fn finish<const ROUNDS: usize>(&mut self, kernel: Kernel) {
        let whole = &self.blocks[self.blocks.len() + 1 - self.left..];
        Keccak::<ROUNDS>::absorb(kernel, &mut self.state, whole);
        let last = core::slice::from_ref(&self.last);
        Keccak::<ROUNDS>::absorb(kernel, &mut self.state, last);
        self.left = 0;
    }

    /// Returns the block after the next `n` blocks.
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    fn block(&self, n: usize) -> &[u8; RATE] {
        let i = self.blocks.len() + 1 - self.left + n;
        self.blocks.get(i).unwrap_or(&self.last)
    }
}

impl<const RATE: usize> Drop for Lane<'_, RATE> {
    fn drop(&mut self) {
        wipe(core::slice::from_mut(&mut self.state), [0; 25]);
        wipe(core::slice::from_mut(&mut self.last), [0; RATE]);
    }
}

/// Hashes the leaves of a tree, which are consecutive pieces of `size` bytes. `done` receives the
/// chaining value of each leaf, in order.
pub(in crate::hash) fn leaves<const ROUNDS: usize, const RATE: usize, const VALUE: usize>(
    kernel: Kernel,
    data: &[u8],
    size: usize,
    suffix: u8,
    mut done: impl FnMut(&[u8; VALUE]),
) {
    const GROUP: usize = 8;
    let mut values = [[0; VALUE]; GROUP];
    for data in data.chunks(size.saturating_mul(GROUP)) {
        let leaves = data.chunks(size).enumerate();
        let n = leaves.len();
        let leaves = leaves.map(|(i, leaf)| (i, [0; 25], leaf));
        absorb_all::<ROUNDS, RATE>(kernel, leaves, suffix, |i, state| {
            read(state, 0, &mut values[i]);
        });
        values[..n].iter().for_each(&mut done);
    }
    wipe(&mut values, [0; VALUE]);
}

/// Absorbs many messages. `done` receives the index and the last state of each message.
pub(in crate::hash) fn absorb_all<'m, const ROUNDS: usize, const RATE: usize>(
    kernel: Kernel,
    mut waiting: impl Iterator<Item = Begun<'m>>,
    suffix: u8,
    mut done: impl FnMut(usize, &State),
) {
    match kernel {
        #[cfg(target_arch = "x86_64")]
        Kernel::Avx512(token) => {
            let absorb = |lanes: &mut [_; 8], n| avx512::absorb::<ROUNDS, RATE>(token, lanes, n);
            let one = |lane: &mut Lane<'_, RATE>| lane.finish::<ROUNDS>(kernel);
            through(&mut waiting, suffix, absorb, one, &mut done);
        }
        #[cfg(target_arch = "x86_64")]
        Kernel::Avx2(token) => {
            let absorb = |lanes: &mut [_; 4], n| avx2::absorb::<ROUNDS, RATE>(token, lanes, n);
            let one = |lane: &mut Lane<'_, RATE>| lane.finish::<ROUNDS>(kernel);
            through(&mut waiting, suffix, absorb, one, &mut done);
        }
        Kernel::Portable => {
            let mut lane = Lane::<RATE>::idle();
            for next in waiting {
                lane.start(next, suffix);
                lane.finish::<ROUNDS>(kernel);
                done(next.0, &lane.state);
            }
        }
    }
}

/// With fewer messages, one after the other is faster than lanes of which some have no message.
#[cfg(target_arch = "x86_64")]
const LEAST: usize = 3;

/// Absorbs messages in `N` lanes. `absorb` absorbs the given number of blocks in each lane, `one`
/// the rest of one message.
#[cfg(target_arch = "x86_64")]
fn through<'m, const RATE: usize, const N: usize>(
    waiting: &mut impl Iterator<Item = Begun<'m>>,
    suffix: u8,
    absorb: impl Fn(&mut [Lane<'m, RATE>; N], usize),
    one: impl Fn(&mut Lane<'m, RATE>),
    done: &mut impl FnMut(usize, &State),
) {
    let mut lanes: [_; N] = core::array::from_fn(|_| Lane::idle());
    loop {
        for lane in lanes.iter_mut().filter(|lane| lane.left == 0) {
            if let Some(next) = waiting.next() {
                lane.start(next, suffix);
            }
        }
        let left = lanes.iter().map(|lane| lane.left).filter(|n| *n != 0);
        let busy = left.clone().count();
        let n = left.min().unwrap_or(0);
        if busy < LEAST {
            break;
        }
        absorb(&mut lanes, n);
        for lane in lanes.iter_mut().filter(|lane| lane.left != 0) {
            lane.left -= n;
            if lane.left == 0 {
                done(lane.index, &lane.state);
            }
        }
    }
    for lane in lanes.iter_mut().filter(|lane| lane.left != 0) {
        one(lane);
        done(lane.index, &lane.state);
    }
}

/// Writes a module with the function `absorb` for `$lanes` lanes.
#[cfg(target_arch = "x86_64")]
macro_rules! lanes {
    ($module:ident, $Word:ident $Token:ident $lanes:literal $features:literal) => {
        #[allow(unsafe_code)]
        mod $module {
            use super::super::{ROTATIONS, ROUND_CONSTANTS};
            use super::Lane;
            use crate::cpu::$Token;
            use crate::simd::$Word as Word;

            type Words = [Word; 25];

            /// Absorbs the next `count` blocks of each message.
            pub(super) fn absorb<const ROUNDS: usize, const RATE: usize>(
                _: $Token,
                lanes: &mut [Lane<'_, RATE>; $lanes],
                count: usize,
            ) {
                // SAFETY: the token proves the features.
                unsafe { entry::<ROUNDS, RATE>(lanes, count) }
            }

            #[target_feature(enable = $features)]
            fn entry<const ROUNDS: usize, const RATE: usize>(
                lanes: &mut [Lane<'_, RATE>; $lanes],
                count: usize,
            ) {
                let mut words = [Word::zero(); 25];
                // 25 words are squares of words, and one word more.
                for (s, part) in words.as_chunks_mut::<$lanes>().0.iter_mut().enumerate() {
                    for (row, lane) in part.iter_mut().zip(&*lanes) {
                        *row = Word::load_u64(&lane.state.as_chunks().0[s]);
                    }
                    Word::transpose(part);
                }
                let mut last = [0; $lanes];
                for (last, lane) in last.iter_mut().zip(&*lanes) {
                    *last = lane.state[24];
                }
                words[24] = Word::load_u64(&last);
                for i in 0..count {
                    let blocks = lanes.each_ref().map(|lane| lane.block(i));
                    add(&mut words, blocks);
                    words = rounds::<ROUNDS>(words);
                }
                for (s, part) in words.as_chunks_mut::<$lanes>().0.iter_mut().enumerate() {
                    Word::transpose(part);
                    for (row, lane) in part.iter().zip(&mut *lanes) {
                        row.store_u64(&mut lane.state.as_chunks_mut().0[s]);
                    }
                }
                words[24].store_u64(&mut last);
                for (last, lane) in last.iter().zip(lanes) {
                    lane.state[24] = *last;
                }
            }

            /// XORs a block of each message to its state.
            #[inline]
            #[target_feature(enable = $features)]
            fn add<const RATE: usize>(words: &mut Words, blocks: [&[u8; RATE]; $lanes]) {
                let added: Words = Word::words_le(blocks);
                for (word, added) in words.iter_mut().zip(added) {
                    *word = word.xor(added);
                }
            }

            /// Computes the last `ROUNDS` rounds of the permutation, [FIPS202](super::super) §3.3.
            #[inline]
            #[target_feature(enable = $features)]
            fn rounds<const ROUNDS: usize>(mut a: Words) -> Words {
                for constant in &ROUND_CONSTANTS[24 - ROUNDS..] {
                    // The step θ of the standard.
                    let mut parity = [a[0]; 5];
                    for x in 0..5 {
                        let upper = a[x].xor_both(a[x + 5], a[x + 10]);
                        parity[x] = upper.xor_both(a[x + 15], a[x + 20]);
                    }
                    let mut sums = parity;
                    for x in 0..5 {
                        let turned = parity[(x + 1) % 5].rotate_left_by(1);
                        sums[x] = parity[(x + 4) % 5].xor(turned);
                    }
                    // For each row: the addition of θ, then ρ and π, then χ.
                    let mut next = a;
                    for y in 0..5 {
                        let mut row = [a[0]; 5];
                        for x in 0..5 {
                            // The step π moves this word to the lane (x, y).
                            let from = (x + 3 * y) % 5 + 5 * x;
                            let sum = a[from].xor(sums[from % 5]);
                            row[x] = sum.rotate_left_by(ROTATIONS[from]);
                        }
                        for x in 0..5 {
                            let (b, c) = (row[(x + 1) % 5], row[(x + 2) % 5]);
                            next[x + 5 * y] = row[x].xor_not_and(b, c);
                        }
                    }
                    a = next;
                    // The step ι of the standard.
                    a[0] = a[0].xor(Word::splat(*constant));
                }
                a
            }
        }
    };
}

#[cfg(target_arch = "x86_64")]
lanes!(avx512, U64x8 Avx512 8 "avx512f,avx512bw");
#[cfg(target_arch = "x86_64")]
lanes!(avx2, U64x4 Avx2 4 "avx2");
