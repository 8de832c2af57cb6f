//! The rounds of BLAKE3 with AVX2 on eight nodes ([`eight_lanes`](crate::machinery::eight_lanes)). The
//! message stays in memory, too.
#![allow(unsafe_code)]

use super::SCHEDULE;
use crate::hash::blake2::avx2::BY_16_8;
use crate::machinery::each::each;
use crate::machinery::eight_lanes::{Pair, Rotations, double_round};
use crate::simd::U32x8;

static ROTATIONS: Rotations = Rotations::new(BY_16_8);

/// All rounds, [BLAKE3](super) §2.2.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn rounds(x: &mut [U32x8; 16], m: &[U32x8; 16]) {
    let mut pair = Pair([x[10], x[11]]);
    each!(ROUND in 0 1 2 3 4 5 6 => round::<ROUND>(x, &mut pair, m));
    [x[10], x[11]] = pair.0;
}

#[inline]
#[target_feature(enable = "avx2")]
fn round<const ROUND: usize>(x: &mut [U32x8; 16], pair: &mut Pair, m: &[U32x8; 16]) {
    // SAFETY: the code changes only the registers that it names and the pair, and reads the message
    // and the permutations.
    unsafe {
        double_round!(
            x, pair, &raw const ROTATIONS, 20 25,
            [
                ", [{m}+{s0}], [{m}+{s2}], [{m}+{s4}], [{m}+{s6}]",
                ", [{m}+{s1}], [{m}+{s3}], [{m}+{s5}], [{m}+{s7}]",
                ", [{m}+{s12}], [{m}+{s14}], [{m}+{s8}], [{m}+{s10}]",
                ", [{m}+{s13}], [{m}+{s15}], [{m}+{s9}], [{m}+{s11}]"
            ],
            begin [], end [],
            m = in(reg) m,
            s0 = const 32 * SCHEDULE[ROUND][0],
            s1 = const 32 * SCHEDULE[ROUND][1],
            s2 = const 32 * SCHEDULE[ROUND][2],
            s3 = const 32 * SCHEDULE[ROUND][3],
            s4 = const 32 * SCHEDULE[ROUND][4],
            s5 = const 32 * SCHEDULE[ROUND][5],
            s6 = const 32 * SCHEDULE[ROUND][6],
            s7 = const 32 * SCHEDULE[ROUND][7],
            s8 = const 32 * SCHEDULE[ROUND][8],
            s9 = const 32 * SCHEDULE[ROUND][9],
            s10 = const 32 * SCHEDULE[ROUND][10],
            s11 = const 32 * SCHEDULE[ROUND][11],
            s12 = const 32 * SCHEDULE[ROUND][12],
            s13 = const 32 * SCHEDULE[ROUND][13],
            s14 = const 32 * SCHEDULE[ROUND][14],
            s15 = const 32 * SCHEDULE[ROUND][15],
            options(nostack, preserves_flags)
        );
    }
}
