//! ChaCha with AVX-512 for more than sixteen blocks: two groups of sixteen blocks at once, a register
//! for each word of the state of each group.
//!
//! A rotation takes two cycles on Zen 4, so the four quarter-rounds of one group wait for each
//! other. The steps of two groups fill these gaps, and their 32 words fill the 32 registers. On
//! Zen 5, where an addition takes two cycles as well, two groups take a quarter more time than one.

use super::{double_round_by_steps, quarter_rounds};
use crate::machinery::each::each;
use crate::machinery::unknown::unknown;
use crate::simd::{U8x64, U32x16};
use crate::stream::counter::{Counters, Places, State};

/// XORs keystream to any number of blocks.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2")]
pub(super) fn columns<const ROUNDS: usize>(
    state: &State,
    wide: bool,
    data: &mut Places<'_, '_, '_>,
) {
    let mut counters = Counters::new(state, 12, wide);
    // The state before the rounds stays in memory, in whole cache lines. A compiler that may keep
    // it in registers stores and loads registers across the ends of cache lines.
    let before = counters.columns::<12>(state);
    let before = unknown(&before);
    let blocks = data.len();
    for start in (0..blocks).step_by(32) {
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
                if let Some(mut group) = data.group(start + $first) {
                    for b in 0..16 {
                        let sum = U8x64::load(&group.get_in()[b]).xor($x[b].into());
                        sum.store(&mut group.get_out()[b]);
                    }
                } else {
                    // Indices are constants here, so the keystream stays in registers.
                    each!(B < 16 => {
                        if start + $first + B >= blocks {
                            return;
                        }
                        let mut block = data.get(start + $first + B);
                        let sum = U8x64::load(block.get_in()).xor($x[B].into());
                        sum.store(block.get_out());
                    });
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
