//! ChaCha with AVX-512 for more than sixteen blocks: two groups of sixteen blocks at once, a register
//! for each word of the state of each group.
//!
//! A rotation takes two cycles on Zen 4, so the four quarter-rounds of one group wait for each
//! other. The instructions of two groups fill these gaps, and their 32 words fill the 32 registers.
//! On Zen 5, where an addition takes two cycles as well, two groups take a quarter more time than
//! one.
//!
//! Each round is assembly, first of one group, then of the other. Two of the four ports of Zen 5
//! rotate: where the same step of both groups stands side by side, eight rotations wait for these
//! two. One after the other, one group rotates while the other adds: 117 cycles for four rounds, not
//! 129. Compilers mix the two groups, and then need more registers than there are.
#![allow(unsafe_code)]

use core::arch::asm;

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
                if let Some(mut group) = data.group::<16>(start + $first) {
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
            round::<0>(&mut x);
            round::<0>(&mut y);
            round::<1>(&mut x);
            round::<1>(&mut y);
        }
        finish!(x, first, 0);
        finish!(y, counters, 16);
        counters.next();
    }
}

/// A round of sixteen blocks, [CHACHA](super) §3.2. Row `r` of the state is turned by `r` times `TURN`
/// words: 0 for the columns, 1 for the diagonals.
#[inline]
#[target_feature(enable = "avx512f")]
fn round<const TURN: usize>(x: &mut [U32x16; 16]) {
    /// The word of quarter-round `$q` in row `$r`.
    macro_rules! word {
        ($r:literal, $q:literal) => {
            x[4 * $r + ($q + $r * TURN) % 4].0
        };
    }
    // SAFETY: the code changes only the registers that it names.
    unsafe {
        asm!(
            // a += b, d ^= a, and a rotation of d, in four quarter-rounds.
            ".macro steps a0, a1, a2, a3, b0, b1, b2, b3, d0, d1, d2, d3, n",
            "vpaddd \\a0, \\a0, \\b0",
            "vpaddd \\a1, \\a1, \\b1",
            "vpaddd \\a2, \\a2, \\b2",
            "vpaddd \\a3, \\a3, \\b3",
            "vpxord \\d0, \\d0, \\a0",
            "vpxord \\d1, \\d1, \\a1",
            "vpxord \\d2, \\d2, \\a2",
            "vpxord \\d3, \\d3, \\a3",
            "vprold \\d0, \\d0, \\n",
            "vprold \\d1, \\d1, \\n",
            "vprold \\d2, \\d2, \\n",
            "vprold \\d3, \\d3, \\n",
            ".endm",
            "steps {a0}, {a1}, {a2}, {a3}, {b0}, {b1}, {b2}, {b3}, {d0}, {d1}, {d2}, {d3}, 16",
            "steps {c0}, {c1}, {c2}, {c3}, {d0}, {d1}, {d2}, {d3}, {b0}, {b1}, {b2}, {b3}, 12",
            "steps {a0}, {a1}, {a2}, {a3}, {b0}, {b1}, {b2}, {b3}, {d0}, {d1}, {d2}, {d3}, 8",
            "steps {c0}, {c1}, {c2}, {c3}, {d0}, {d1}, {d2}, {d3}, {b0}, {b1}, {b2}, {b3}, 7",
            ".purgem steps",
            a0 = inout(zmm_reg) word!(0, 0),
            a1 = inout(zmm_reg) word!(0, 1),
            a2 = inout(zmm_reg) word!(0, 2),
            a3 = inout(zmm_reg) word!(0, 3),
            b0 = inout(zmm_reg) word!(1, 0),
            b1 = inout(zmm_reg) word!(1, 1),
            b2 = inout(zmm_reg) word!(1, 2),
            b3 = inout(zmm_reg) word!(1, 3),
            c0 = inout(zmm_reg) word!(2, 0),
            c1 = inout(zmm_reg) word!(2, 1),
            c2 = inout(zmm_reg) word!(2, 2),
            c3 = inout(zmm_reg) word!(2, 3),
            d0 = inout(zmm_reg) word!(3, 0),
            d1 = inout(zmm_reg) word!(3, 1),
            d2 = inout(zmm_reg) word!(3, 2),
            d3 = inout(zmm_reg) word!(3, 3),
            options(pure, nomem, nostack, preserves_flags)
        );
    }
}
