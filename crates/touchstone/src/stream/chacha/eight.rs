//! The rounds of ChaCha with AVX2 on eight blocks ([`eight_lanes`](crate::machinery::eight_lanes)).
#![allow(unsafe_code)]

use crate::machinery::eight_lanes::{Pair, Rotations, double_round};
use crate::simd::U32x8;

/// The permutations of bytes that rotate each word left by 16 bits, and by 8 bits.
static ROTATIONS: Rotations = Rotations::new([
    [2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13],
    [3, 0, 1, 2, 7, 4, 5, 6, 11, 8, 9, 10, 15, 12, 13, 14],
]);

/// All rounds, [CHACHA](super) §3.2.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn rounds<const ROUNDS: usize>(x: &mut [U32x8; 16]) {
    const { assert!(ROUNDS != 0 && ROUNDS.is_multiple_of(2)) };
    let mut pair = Pair([x[10], x[11]]);
    // SAFETY: the code changes only the registers that it names and the pair, and reads the
    // permutations.
    unsafe {
        double_round!(
            x, &mut pair, &raw const ROTATIONS, 12 7, ["", "", "", ""],
            begin ["2:"], end ["sub {left:e}, 2" "jnz 2b"],
            left = inout(reg) ROUNDS as u32 => _,
            options(nostack)
        );
    }
    [x[10], x[11]] = pair.0;
}
