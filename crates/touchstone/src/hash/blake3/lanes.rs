//! BLAKE3 with AVX-512 and AVX2: the chaining values of sixteen or eight chunks or parents at
//! once, one node in each lane of a register.
//!
//! ```text
//!   register 0: | word 0 of node 15 | … | word 0 of node 1 | word 0 of node 0 |
//! ```
#![allow(unsafe_code)]

use super::{BLOCK, IV, Inputs, SCHEDULE, Value, eight, flags_of};
use crate::cpu;
use crate::hash::blake2::lanes::{COLUMNS, DIAGONALS, half_g};
use crate::machinery::each::each;
use crate::simd::{U32x8, U32x16};

/// The rounds on the state `$v` with the words `$m` of a message.
macro_rules! rounds {
    ($v:ident, $m:ident) => {
        each!(ROUND in 0 1 2 3 4 5 6 => {
            let s = const { &SCHEDULE[ROUND] };
            half_g!($v, $m[s, 0], COLUMNS, 16, 20);
            half_g!($v, $m[s, 1], COLUMNS, 24, 25);
            half_g!($v, $m[s, 8], DIAGONALS, 16, 20);
            half_g!($v, $m[s, 9], DIAGONALS, 24, 25);
        });
    };
}

/// The same with AVX2.
macro_rules! rounds_by_assembly {
    ($v:ident, $m:ident) => {
        eight::rounds(&mut $v, $m)
    };
}

/// The compression function, [BLAKE3](super) §2.2, of a whole block in each lane. A macro, so that
/// the chaining values stay in registers from one block to the next.
macro_rules! compress {
    ($rounds:ident, $Word:ident, $chain:ident, $words:expr, $counter:ident, $flags:expr) => {{
        let m = &$words;
        let [a, b, c, d, e, f, g, h] = $chain;
        let iv = |i: usize| $Word::splat(IV[i]);
        let ([low, high], length) = ($counter, $Word::splat(BLOCK as u32));
        let mut v = [
            a,
            b,
            c,
            d,
            e,
            f,
            g,
            h,
            iv(0),
            iv(1),
            iv(2),
            iv(3),
            low,
            high,
            length,
            $flags,
        ];
        $rounds!(v, m);
        for i in 0..8 {
            $chain[i] = v[i].xor(v[i + 8]);
        }
    }};
}

/// Writes a module with the function `values`, which computes the chaining values of up to
/// `$lanes` nodes. `$words` turns registers of one word of each node into the chaining values, and
/// `$rounds` does the rounds.
macro_rules! lanes {
    ($module:ident, $Word:ident $lanes:literal, $Token:ident $features:literal, $words:ident, $rounds:ident) => {
        pub(super) mod $module {
            use super::*;

            /// Computes one chaining value for each input. The index of the first input is
            /// `index`.
            pub(in super::super) fn values<const BLOCKS: usize>(
                _: cpu::$Token,
                inputs: &Inputs<'_>,
                index: u64,
                nodes: &[[[u8; BLOCK]; BLOCKS]],
                values: &mut [Value],
            ) {
                // SAFETY: the token proves the features.
                unsafe { entry(inputs, index, nodes, values) }
            }

            #[target_feature(enable = $features)]
            fn entry<const BLOCKS: usize>(
                inputs: &Inputs<'_>,
                index: u64,
                nodes: &[[[u8; BLOCK]; BLOCKS]],
                values: &mut [Value],
            ) {
                // The first node fills the lanes that have no node of their own.
                let mut lanes = [&nodes[0]; $lanes];
                let (mut low, mut high) = ([0; $lanes], [0; $lanes]);
                for (lane, node) in lanes.iter_mut().zip(nodes) {
                    *lane = node;
                }
                for (i, (low, high)) in low.iter_mut().zip(&mut high).enumerate() {
                    let counter = inputs.counter(index + i as u64);
                    (*low, *high) = (counter as u32, (counter >> 32) as u32);
                }
                let counter = [$Word::load(&low), $Word::load(&high)];
                let mut chain = [$Word::splat(0); 8];
                for (chain, word) in chain.iter_mut().zip(inputs.key) {
                    *chain = $Word::splat(*word);
                }
                for block in 0..BLOCKS {
                    let mut blocks = [&[0; BLOCK]; $lanes];
                    for (to, lane) in blocks.iter_mut().zip(lanes) {
                        *to = &lane[block];
                    }
                    let flags = $Word::splat(flags_of(&inputs.flags, block, BLOCKS));
                    compress!(
                        $rounds,
                        $Word,
                        chain,
                        $Word::words_le(blocks),
                        counter,
                        flags
                    );
                }
                for (value, words) in values.iter_mut().zip($words(chain)) {
                    *value = words;
                }
            }
        }
    };
}

lanes!(avx512_16, U32x16 16, Avx512 "avx512f,avx512bw,avx512vl", sixteen, rounds);
lanes!(avx512_8, U32x8 8, Avx512 "avx2,avx512f,avx512bw,avx512vl", eight_values, rounds);
lanes!(avx2_8, U32x8 8, Avx2 "avx2", eight_values, rounds_by_assembly);

/// Transposes eight words of sixteen nodes.
#[inline]
#[target_feature(enable = "avx512f")]
fn sixteen(chain: [U32x16; 8]) -> [Value; 16] {
    let mut rows = [U32x16::splat(0); 16];
    rows[..8].copy_from_slice(&chain);
    U32x16::transpose(&mut rows);
    let mut values = [[0; 8]; 16];
    for (value, row) in values.iter_mut().zip(rows) {
        let mut words = [0; 16];
        row.store(&mut words);
        value.copy_from_slice(&words[..8]);
    }
    values
}

/// Transposes eight words of eight nodes.
#[inline]
#[target_feature(enable = "avx2")]
fn eight_values(mut chain: [U32x8; 8]) -> [Value; 8] {
    U32x8::transpose(&mut chain);
    let mut values = [[0; 8]; 8];
    for (value, row) in values.iter_mut().zip(chain) {
        row.store(value);
    }
    values
}
