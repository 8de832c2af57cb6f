//! Skein with AVX-512 and AVX2: a message in each lane of a register.
//!
//! ```text
//!   register 0: | word 0 of message 7 | … | word 0 of message 1 | word 0 of message 0 |
//! ```
#![allow(unsafe_code)]

use super::{Chain, FINAL, FIRST};
use crate::block::threefish::{PARITY, eights, pair, rotations};
use crate::cpu;
use crate::hash::last_block::Marked;
use crate::machinery::each::each;
use crate::simd::{U64x4, U64x8};

macro_rules! lanes {
    ($module:ident, $Word:ident $lanes:literal, $Token:ident $features:literal) => {
        pub(super) mod $module {
            use super::*;

            /// Compresses `count` blocks of each message.
            pub(in super::super) fn compress<const WORDS: usize, const BLOCK: usize>(
                _: cpu::$Token,
                chains: &mut [Marked<Chain<WORDS>>; $lanes],
                blocks: [&[[u8; BLOCK]]; $lanes],
                count: usize,
            ) {
                // SAFETY: the token proves the features.
                unsafe { entry(chains, blocks, count) }
            }

            #[target_feature(enable = $features)]
            fn entry<const WORDS: usize, const BLOCK: usize>(
                chains: &mut [Marked<Chain<WORDS>>; $lanes],
                blocks: [&[[u8; BLOCK]]; $lanes],
                count: usize,
            ) {
                let mut value = [$Word::zero(); WORDS];
                for (i, word) in value.iter_mut().enumerate() {
                    *word = $Word::load_u64(&chains.each_ref().map(|lane| lane.chain.value[i]));
                }
                for i in 0..count {
                    for lane in &mut *chains {
                        let bytes = lane.bytes(BLOCK) as u64;
                        lane.chain.position = lane.chain.position.wrapping_add(bytes);
                    }
                    let low = chains.each_ref().map(|lane| lane.chain.position);
                    let high = chains.each_ref();
                    let high = high.map(|lane| lane.chain.marks | if lane.last { FINAL } else { 0 });
                    let block = $Word::words_le(blocks.map(|blocks| &blocks[i]));
                    value = feed(value, $Word::load_u64(&low), $Word::load_u64(&high), block);
                    for lane in &mut *chains {
                        lane.chain.marks &= !FIRST;
                    }
                }
                for (i, word) in value.iter().enumerate() {
                    let mut words = [0; $lanes];
                    word.store_u64(&mut words);
                    for (word, lane) in words.iter().zip(&mut *chains) {
                        lane.chain.value[i] = *word;
                    }
                }
            }

            /// Encrypts a block by Threefish, [SKEIN](super::super) §3.3, and XORs the block to the
            /// result.
            #[inline]
            #[target_feature(enable = $features)]
            fn feed<const WORDS: usize>(
                key: [$Word; WORDS],
                low: $Word,
                high: $Word,
                block: [$Word; WORDS],
            ) -> [$Word; WORDS] {
                // The words of the key and the XOR of them, twice, so that each round key is a slice.
                let mut words = [$Word::zero(); 34];
                let mut sum = $Word::splat(PARITY);
                each!(I < WORDS => {
                    words[I] = key[I];
                    words[WORDS + 1 + I] = key[I];
                    sum = sum.xor(key[I]);
                });
                words[WORDS] = sum;
                words[2 * WORDS + 1] = sum;
                let tweak = [low, high, low.xor(high)];
                let mut x = block;
                macro_rules! add_key {
                    ($s:expr) => {
                        let key = &words[$s % (WORDS + 1)..][..WORDS];
                        each!(I < WORDS => x[I] = x[I].add(key[I]));
                        x[WORDS - 3] = x[WORDS - 3].add(tweak[$s % 3]);
                        x[WORDS - 2] = x[WORDS - 2].add(tweak[($s + 1) % 3]);
                        x[WORDS - 1] = x[WORDS - 1].add($Word::splat($s as u64));
                    };
                }
                macro_rules! round {
                    ($round:ident) => {
                        each!(J < WORDS / 2 => {
                            let (a, b) = const { pair(WORDS, $round, J) };
                            let turn = const { rotations(WORDS)[$round][J % 8] };
                            x[a] = x[a].add(x[b]);
                            x[b] = x[b].rotate_left_by(turn).xor(x[a]);
                        })
                    };
                }
                for n in 0..eights(WORDS) {
                    add_key!(2 * n);
                    each!(D in 0 1 2 3 => round!(D));
                    add_key!(2 * n + 1);
                    each!(D in 4 5 6 7 => round!(D));
                }
                add_key!(2 * eights(WORDS));
                each!(I < WORDS => x[I] = x[I].xor(block[I]));
                x
            }
        }
    };
}

lanes!(wide, U64x8 8, Avx512 "avx512f,avx512bw");
lanes!(narrow, U64x4 4, Avx2 "avx2");
