//! BLAKE2 with AVX-512 and AVX2: a message, or a leaf of BLAKE2bp and BLAKE2sp, in each lane of a
//! register.
//!
//! ```text
//!   register 0: | word 0 of message 7 | … | word 0 of message 1 | word 0 of message 0 |
//! ```
#![allow(unsafe_code)]

use super::{ChainB, ChainS, IV_32, IV_64, SIGMA};
use crate::cpu;
use crate::hash::last_block::Marked;
use crate::machinery::each::each;
use crate::simd::{U32x8, U32x16, U64x4, U64x8};

/// The places of the second, third and fourth words of the columns and of the diagonals.
pub(in crate::hash) const COLUMNS: [[usize; 4]; 3] =
    [[4, 5, 6, 7], [8, 9, 10, 11], [12, 13, 14, 15]];
pub(in crate::hash) const DIAGONALS: [[usize; 4]; 3] =
    [[5, 6, 7, 4], [10, 11, 8, 9], [15, 12, 13, 14]];

/// A half of the function G, [RFC7693](super) §3.1, on four columns or diagonals at once, so that
/// the processor finds four independent instructions next to each other. The words of the message
/// are `$m[$s[$at]]` and every second one after that. The words `d` and `b` are rotated left.
macro_rules! half_g {
    ($v:ident, $m:ident [$s:ident, $at:expr], $rows:expr, $turn_d:expr, $turn_b:expr) => {
        let [b, c, d] = $rows;
        for i in 0..4 {
            $v[i] = $v[i].add($m[$s[$at + 2 * i]]).add($v[b[i]]);
        }
        for i in 0..4 {
            $v[d[i]] = $v[d[i]].xor($v[i]).rotate_left_by($turn_d);
        }
        for i in 0..4 {
            $v[c[i]] = $v[c[i]].add($v[d[i]]);
        }
        for i in 0..4 {
            $v[b[i]] = $v[b[i]].xor($v[c[i]]).rotate_left_by($turn_b);
        }
    };
}
pub(in crate::hash) use half_g;

/// The blocks of the messages in the lanes. If a closure returned the blocks, the compiler would make a
/// copy of the kernels for each caller, and take more than a second for each copy.
pub(in crate::hash) enum Blocks<'m, const BLOCK: usize, const LANES: usize> {
    /// The blocks of each message, consecutive in memory.
    Runs([&'m [[u8; BLOCK]]; LANES]),
    /// Rows of one block of each message.
    Rows(&'m [[[u8; BLOCK]; LANES]]),
}

impl<'m, const BLOCK: usize, const LANES: usize> Blocks<'m, BLOCK, LANES> {
    /// Returns the blocks with number `i`.
    #[inline(always)]
    fn at(&self, i: usize) -> [&'m [u8; BLOCK]; LANES] {
        match self {
            Self::Runs(runs) => runs.map(|run| &run[i]),
            Self::Rows(rows) => rows[i].each_ref(),
        }
    }
}

macro_rules! lanes {
    (
        $word:ident $Chain:ident $block:literal $IV:ident,
        rounds $rounds:literal, rotations $R1:literal $R2:literal $R3:literal $R4:literal;
        $($module:ident: $Word:ident $load:ident $store:ident $lanes:literal, $Token:ident $features:literal;)*
    ) => {$(
        pub(in crate::hash) mod $module {
            use super::*;

            /// Compresses `count` blocks of each message.
            #[inline]
            pub(in crate::hash) fn compress(
                _: cpu::$Token,
                chains: &mut [Marked<$Chain>; $lanes],
                count: usize,
                blocks: &Blocks<'_, $block, $lanes>,
            ) {
                // SAFETY: the token proves the features.
                unsafe { entry(chains, count, blocks) }
            }

            #[target_feature(enable = $features)]
            fn entry(
                chains: &mut [Marked<$Chain>; $lanes],
                count: usize,
                blocks: &Blocks<'_, $block, $lanes>,
            ) {
                let mut h = [$Word::splat(0); 8];
                for (i, h) in h.iter_mut().enumerate() {
                    *h = $Word::$load(&chains.each_ref().map(|lane| lane.chain.h[i]));
                }
                let last = chains.each_ref().map(|lane| if lane.last { $word::MAX } else { 0 });
                let last = $Word::$load(&last);
                let node = chains.each_ref().map(|lane| lane.last && lane.chain.last_node);
                let node = $Word::$load(&node.map(|last| if last { $word::MAX } else { 0 }));
                for i in 0..count {
                    for lane in &mut *chains {
                        let bytes = lane.bytes($block) as _;
                        lane.chain.count = lane.chain.count.wrapping_add(bytes);
                    }
                    let low = chains.each_ref().map(|lane| lane.chain.count as $word);
                    let high = chains.each_ref();
                    let high = high.map(|lane| (lane.chain.count >> $word::BITS) as $word);
                    let m: [_; 16] = $Word::words_le(blocks.at(i));
                    let iv = |i: usize| $Word::splat($IV[i]);
                    let [a, b, c, d, e, f, g, h_] = h;
                    let mut v = [
                        a, b, c, d, e, f, g, h_, iv(0), iv(1), iv(2), iv(3),
                        iv(4).xor($Word::$load(&low)),
                        iv(5).xor($Word::$load(&high)),
                        iv(6).xor(last),
                        iv(7).xor(node),
                    ];
                    each!(ROUND < $rounds => {
                        let s = const { &SIGMA[ROUND % 10] };
                        half_g!(v, m[s, 0], COLUMNS, $word::BITS - $R1, $word::BITS - $R2);
                        half_g!(v, m[s, 1], COLUMNS, $word::BITS - $R3, $word::BITS - $R4);
                        half_g!(v, m[s, 8], DIAGONALS, $word::BITS - $R1, $word::BITS - $R2);
                        half_g!(v, m[s, 9], DIAGONALS, $word::BITS - $R3, $word::BITS - $R4);
                    });
                    for i in 0..8 {
                        h[i] = h[i].xor(v[i]).xor(v[i + 8]);
                    }
                }
                for (i, h) in h.iter().enumerate() {
                    let mut words = [0; $lanes];
                    h.$store(&mut words);
                    for (word, lane) in words.iter().zip(&mut *chains) {
                        lane.chain.h[i] = *word;
                    }
                }
            }
        }
    )*};
}

lanes! {
    u64 ChainB 128 IV_64, rounds 12, rotations 32 24 16 63;
    wide_b: U64x8 load_u64 store_u64 8, Avx512 "avx512f,avx512bw";
    short_b: U64x4 load_u64 store_u64 4, Avx512 "avx2,avx512f,avx512vl";
    narrow_b: U64x4 load_u64 store_u64 4, Avx2 "avx2";
}

lanes! {
    u32 ChainS 64 IV_32, rounds 10, rotations 16 12 8 7;
    wide_s: U32x16 load store 16, Avx512 "avx512f,avx512bw";
    short_s: U32x8 load store 8, Avx512 "avx2,avx512f,avx512vl";
    narrow_s: U32x8 load store 8, Avx2 "avx2";
}
