//! BLAKE3's compression function by rows: a register holds a row of four words of the state, as in
//! BLAKE2 ([`blake2::avx512`](crate::hash::blake2::avx512)).
#![allow(unsafe_code)]

use super::{BLOCK, Flags, IV, Node, SCHEDULE, Value, flags_of};
use crate::cpu;
use crate::hash::blake2::avx512::{Orders32, Words32};
use crate::machinery::each::each;
use crate::machinery::unknown::unknown;
use crate::simd::U32x4;

static ORDERS: Orders32<7> = Orders32::new(&SCHEDULE);

/// The seven rounds on a chaining value and a block. `last` is the last row of the state. A macro,
/// so that the rows stay in registers from one block to the next.
macro_rules! rounds {
    ($chain:expr, $last:expr, $block:expr) => {{
        let [mut a, mut b]: [U32x4; 2] = $chain;
        let mut c = U32x4::load(&[IV[0], IV[1], IV[2], IV[3]]);
        let mut d = U32x4::load(&$last);
        let words = Words32::load($block);
        let orders = unknown(&ORDERS);
        /// The function G of four columns or diagonals.
        macro_rules! g {
            ($first:expr, $second:expr) => {
                a = a.add($first).add(b);
                d = d.xor_rotate::<ROTATES>(a, 16);
                c = c.add(d);
                b = b.xor_rotate::<ROTATES>(c, 20);
                a = a.add($second).add(b);
                d = d.xor_rotate::<ROTATES>(a, 24);
                c = c.add(d);
                b = b.xor_rotate::<ROTATES>(c, 25);
            };
        }
        each!(ROUND in 0 1 2 3 4 5 6 => {
            let [columns, diagonals] = words.at(orders, ROUND);
            g!(columns[0], columns[1]);
            a = a.permute::<0b10_01_00_11>();
            c = c.permute::<0b00_11_10_01>();
            d = d.permute::<0b01_00_11_10>();
            g!(diagonals[0], diagonals[1]);
            a = a.permute::<0b00_11_10_01>();
            c = c.permute::<0b10_01_00_11>();
            d = d.permute::<0b01_00_11_10>();
        });
        [a, b, c, d]
    }};
}

/// Compresses a node, [BLAKE3](super) §2.2. `$rounds` is a macro that does the seven rounds on a
/// chaining value, the last row of the state and a block.
macro_rules! node {
    ($rounds:ident, $node:ident, $output:ident) => {
        let (halves, _) = $node.value.as_chunks();
        let chain = [U32x4::load(&halves[0]), U32x4::load(&halves[1])];
        let last = [
            $node.counter as u32,
            ($node.counter >> 32) as u32,
            $node.length,
            $node.flags,
        ];
        let [a, b, c, d] = $rounds!(chain, last, &$node.block);
        let (rows, _) = $output.as_chunks_mut();
        a.xor(c).store(&mut rows[0]);
        b.xor(d).store(&mut rows[1]);
        c.xor(chain[0]).store(&mut rows[2]);
        d.xor(chain[1]).store(&mut rows[3]);
    };
}

/// Compresses whole blocks, whose chaining value stays in registers.
macro_rules! blocks {
    ($rounds:ident, $value:ident, $counter:ident, $blocks:ident, $flags:ident) => {
        let (halves, _) = $value.as_chunks_mut();
        let mut chain = [U32x4::load(&halves[0]), U32x4::load(&halves[1])];
        let counter = [$counter as u32, ($counter >> 32) as u32];
        for (i, block) in $blocks.iter().enumerate() {
            let flags = flags_of($flags, i, $blocks.len());
            let last = [counter[0], counter[1], BLOCK as u32, flags];
            let [a, b, c, d] = $rounds!(chain, last, block);
            chain = [a.xor(c), b.xor(d)];
        }
        for (half, row) in halves.iter_mut().zip(chain) {
            row.store(half);
        }
    };
}
pub(super) use {blocks, node};

#[inline]
pub(super) fn compress(token: cpu::Avx512, node: &Node) -> [u32; 16] {
    let mut output = [0; 16];
    // SAFETY: the token proves the features.
    unsafe {
        if token.rotates_quickly() {
            entry::<true>(node, &mut output);
        } else {
            entry::<false>(node, &mut output);
        }
    }
    return output;

    #[target_feature(enable = "avx2,avx512f,avx512vl")]
    fn entry<const ROTATES: bool>(node: &Node, output: &mut [u32; 16]) {
        node!(rounds, node, output);
    }
}

#[inline]
pub(super) fn chain(
    token: cpu::Avx512,
    value: &mut Value,
    counter: u64,
    blocks: &[[u8; BLOCK]],
    flags: &Flags,
) {
    // SAFETY: the token proves the features.
    unsafe {
        if token.rotates_quickly() {
            entry::<true>(value, counter, blocks, flags);
        } else {
            entry::<false>(value, counter, blocks, flags);
        }
    }

    #[target_feature(enable = "avx2,avx512f,avx512vl")]
    fn entry<const ROTATES: bool>(
        value: &mut Value,
        counter: u64,
        blocks: &[[u8; BLOCK]],
        flags: &Flags,
    ) {
        blocks!(rounds, value, counter, blocks, flags);
    }
}
