//! ChaCha with AVX-512 for more than sixteen blocks: two groups of sixteen blocks at once, a register
//! for each word of the state of each group.
//!
//! A rotation takes two cycles on Zen 4, so the four quarter-rounds of one group wait for each
//! other. The steps of two groups fill these gaps, and their 32 words fill the 32 registers. On
//! Zen 5, where an addition takes two cycles as well, two groups take a quarter more time than one.

use super::{double_round_by_steps, quarter_rounds};
use crate::buffer;
use crate::machinery::each::each;
use crate::machinery::unknown::unknown;
use crate::simd::{U8x64, U32x16};
use crate::stream::counter::{Data, State};

/// XORs keystream to the blocks, at most 32 or a multiple of 32.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2")]
pub(super) fn columns<const ROUNDS: usize>(state: &State, wide: bool, data: &mut Data<'_, '_>) {
    let mut before = [U32x16::splat(0); 16];
    for w in 0..16 {
        before[w] = U32x16::splat(state[w]);
    }
    let index = U32x16::load(&core::array::from_fn(|i| i as u32));
    let mut counters = Counters {
        low: before[12].add(index),
        high: before[13],
        carry: U32x16::splat(u32::from(wide)),
    };
    counters.carry_below(index);
    // The state before the rounds stays in memory, in whole cache lines. A compiler that may keep
    // it in registers stores and loads registers across the ends of cache lines.
    let before = unknown(&before);
    let (mut pairs, mut few) = buffer::chunks::<_, 32>(data.reborrow());
    // For fewer blocks than a pair, the loop runs once.
    for p in 0..pairs.len().max(usize::from(!few.is_empty())) {
        /// Ends the rounds of one group, and XORs its keystream to its blocks.
        macro_rules! finish {
            ($x:ident, $counters:ident, $first:literal) => {
                for w in 0..16 {
                    $x[w] = $x[w].add(match w {
                        12 => $counters.low,
                        13 => $counters.high,
                        w => before[w],
                    });
                }
                U32x16::transpose(&mut $x);
                if pairs.is_empty() {
                    // Indices are constants here, so the keystream stays in registers.
                    each!(B < 16 => {
                        if $first + B >= few.len() {
                            return;
                        }
                        let mut block = few.get($first + B);
                        let sum = U8x64::load(block.get_in()).xor($x[B].into());
                        sum.store(block.get_out());
                    });
                } else {
                    let mut pair = pairs.get(p);
                    for b in 0..16 {
                        let sum = U8x64::load(&pair.get_in()[$first + b]).xor($x[b].into());
                        sum.store(&mut pair.get_out()[$first + b]);
                    }
                }
            };
        }
        let mut x = *before;
        (x[12], x[13]) = (counters.low, counters.high);
        let first = counters;
        counters.next();
        let mut y = *before;
        (y[12], y[13]) = (counters.low, counters.high);
        for _ in 0..ROUNDS / 2 {
            double_round_by_steps!(x, y);
        }
        finish!(x, first, 0);
        finish!(y, counters, 16);
        counters.next();
    }
}

/// The counters of sixteen blocks, in two words.
#[derive(Clone, Copy)]
struct Counters {
    low: U32x16,
    high: U32x16,
    /// What the upper word receives when the lower word overflows: 1, or 0 if the upper word
    /// belongs to the nonce.
    carry: U32x16,
}

impl Counters {
    /// Changes the counters to those of the next sixteen blocks.
    #[inline]
    #[target_feature(enable = "avx512f")]
    fn next(&mut self) {
        let step = U32x16::splat(16);
        self.low = self.low.add(step);
        self.carry_below(step);
    }

    /// Adds the carry after `added` has been added to the lower words: a sum that is less than
    /// what it received has overflowed.
    #[inline]
    #[target_feature(enable = "avx512f")]
    fn carry_below(&mut self, added: U32x16) {
        self.high = self.high.add_where_less(self.carry, self.low, added);
    }
}
