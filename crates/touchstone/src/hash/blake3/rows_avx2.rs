//! BLAKE3's compression function by rows with AVX2, as in
//! [`blake2::avx2`](crate::hash::blake2::avx2).
#![allow(unsafe_code)]

use super::{BLOCK, Flags, IV, Node, SCHEDULE, Value, flags_of};
use crate::cpu;
use crate::hash::blake2::avx2::{BY_16_8, round_32};
use crate::machinery::each::each;
use crate::simd::U32x4;

/// The seven rounds on a chaining value and a block. `last` is the last row of the state.
#[inline]
#[target_feature(enable = "avx2")]
fn rounds([mut a, mut b]: [U32x4; 2], last: [u32; 4], block: &[u8; BLOCK]) -> [U32x4; 4] {
    let mut c = U32x4::load(&[IV[0], IV[1], IV[2], IV[3]]);
    let mut d = U32x4::load(&last);
    let by = [
        U32x4::load_bytes(&BY_16_8[0]),
        U32x4::load_bytes(&BY_16_8[1]),
    ];
    each!(ROUND in 0 1 2 3 4 5 6 => {
        round_32!(block, SCHEDULE[ROUND], [a, b, c, d], by);
    });
    [a, b, c, d]
}

/// Compresses a node, [BLAKE3](super) §2.2.
#[inline]
pub(super) fn compress(_: cpu::Avx2, node: &Node) -> [u32; 16] {
    let mut output = [0; 16];
    // SAFETY: the token proves the features.
    unsafe { entry(node, &mut output) }
    return output;

    #[target_feature(enable = "avx2")]
    fn entry(node: &Node, output: &mut [u32; 16]) {
        let (halves, _) = node.value.as_chunks();
        let chain = [U32x4::load(&halves[0]), U32x4::load(&halves[1])];
        let last = [
            node.counter as u32,
            (node.counter >> 32) as u32,
            node.length,
            node.flags,
        ];
        let [a, b, c, d] = rounds(chain, last, &node.block);
        let (rows, _) = output.as_chunks_mut();
        a.xor(c).store(&mut rows[0]);
        b.xor(d).store(&mut rows[1]);
        c.xor(chain[0]).store(&mut rows[2]);
        d.xor(chain[1]).store(&mut rows[3]);
    }
}

/// Compresses whole blocks, whose chaining value stays in registers.
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
        let (halves, _) = value.as_chunks_mut();
        let mut chain = [U32x4::load(&halves[0]), U32x4::load(&halves[1])];
        let counter = [counter as u32, (counter >> 32) as u32];
        for (i, block) in blocks.iter().enumerate() {
            let flags = flags_of(flags, i, blocks.len());
            let last = [counter[0], counter[1], BLOCK as u32, flags];
            let [a, b, c, d] = rounds(chain, last, block);
            chain = [a.xor(c), b.xor(d)];
        }
        for (half, row) in halves.iter_mut().zip(chain) {
            row.store(half);
        }
    }
}
