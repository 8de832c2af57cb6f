//! BLAKE3's compression function by rows with AVX2, as in
//! [`blake2::avx2`](crate::hash::blake2::avx2).
#![allow(unsafe_code)]

use super::rows::{blocks, node};
use super::{BLOCK, Flags, IV, Node, SCHEDULE, Value, flags_of};
use crate::cpu;
use crate::hash::blake2::avx2::{BY_16_8, round_32};
use crate::machinery::each::each;
use crate::simd::U32x4;

/// The seven rounds on a chaining value and a block. `$last` is the last row of the state.
macro_rules! rounds {
    ($chain:expr, $last:expr, $block:expr) => {{
        let [mut a, mut b]: [U32x4; 2] = $chain;
        let mut c = U32x4::load(&[IV[0], IV[1], IV[2], IV[3]]);
        let mut d = U32x4::load(&$last);
        let by = BY_16_8.each_ref().map(U32x4::load_bytes);
        each!(ROUND in 0 1 2 3 4 5 6 => {
            round_32!($block, SCHEDULE[ROUND], [a, b, c, d], by);
        });
        [a, b, c, d]
    }};
}

#[inline]
pub(super) fn compress(_: cpu::Avx2, node: &Node) -> [u32; 16] {
    let mut output = [0; 16];
    // SAFETY: the token proves the features.
    unsafe { entry(node, &mut output) }
    return output;

    #[target_feature(enable = "avx2")]
    fn entry(node: &Node, output: &mut [u32; 16]) {
        node!(rounds, node, output);
    }
}

#[inline]
pub(super) fn chain(
    _: cpu::Avx2,
    value: &mut Value,
    counter: u64,
    blocks: &[[u8; BLOCK]],
    flags: &Flags,
) {
    // SAFETY: the token proves the features.
    unsafe { entry(value, counter, blocks, flags) }

    #[target_feature(enable = "avx2")]
    fn entry(value: &mut Value, counter: u64, blocks: &[[u8; BLOCK]], flags: &Flags) {
        blocks!(rounds, value, counter, blocks, flags);
    }
}
