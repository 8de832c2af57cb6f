//! Threefish with AVX-512 and AVX2: a block is in each lane, and a register has one word of each block.
//!
//! In a round each word waits for an addition and an XOR in encryption, and for an XOR, a rotation and a
//! subtraction in decryption, each of which takes two cycles on Zen 5. So several groups of blocks are
//! computed side by side, as many as fit into the registers.
#![allow(unsafe_code)]

use inout::{InOut, InOutBuf};

use super::{Schedule, eights, pair, rotations};
use crate::buffer;
use crate::cpu;
use crate::machinery::each::each;
use crate::simd::{U64x4, U64x8};
use crate::wipe::wipe;

macro_rules! lanes {
    ($module:ident, $Word:ident $lanes:literal, $Token:ident $features:literal) => {
        pub(super) mod $module {
            use super::*;

            /// The blocks in the lanes of a register.
            type Group<const BLOCK: usize> = [[u8; BLOCK]; $lanes];

            /// Encrypts or decrypts blocks, `GROUPS` groups at once. Returns the last blocks if they are less
            /// than `few`.
            pub(in super::super) fn all<
                'i,
                'o,
                const WORDS: usize,
                const BLOCK: usize,
                const GROUPS: usize,
                const BACKWARDS: bool,
            >(
                _: cpu::$Token,
                schedule: &Schedule<WORDS>,
                few: usize,
                blocks: InOutBuf<'i, 'o, [u8; BLOCK]>,
            ) -> InOutBuf<'i, 'o, [u8; BLOCK]> {
                // SAFETY: the token proves the features.
                unsafe { entry::<WORDS, BLOCK, GROUPS, BACKWARDS>(schedule, few, blocks) }
            }

            #[target_feature(enable = $features)]
            fn entry<
                'i,
                'o,
                const WORDS: usize,
                const BLOCK: usize,
                const GROUPS: usize,
                const BACKWARDS: bool,
            >(
                schedule: &Schedule<WORDS>,
                few: usize,
                blocks: InOutBuf<'i, 'o, [u8; BLOCK]>,
            ) -> InOutBuf<'i, 'o, [u8; BLOCK]> {
                let whole = blocks.len() - blocks.len() % ($lanes * GROUPS);
                let (whole, mut rest) = blocks.split_at(whole);
                for groups in buffer::chunks(buffer::chunks(whole).0).0 {
                    work::<WORDS, BLOCK, GROUPS, BACKWARDS>(schedule, groups);
                }
                let n = rest.len();
                if n < few {
                    return rest;
                }
                match n.div_ceil($lanes) {
                    1 => filled::<WORDS, BLOCK, 1, BACKWARDS>(schedule, rest.reborrow()),
                    2 => filled::<WORDS, BLOCK, 2, BACKWARDS>(schedule, rest.reborrow()),
                    _ => filled::<WORDS, BLOCK, GROUPS, BACKWARDS>(schedule, rest.reborrow()),
                }
                rest.split_at(n).1
            }

            /// Encrypts or decrypts blocks that fill up to `N` groups.
            #[target_feature(enable = $features)]
            fn filled<
                const WORDS: usize,
                const BLOCK: usize,
                const N: usize,
                const BACKWARDS: bool,
            >(
                schedule: &Schedule<WORDS>,
                mut blocks: InOutBuf<'_, '_, [u8; BLOCK]>,
            ) {
                let n = blocks.len();
                if n == N * $lanes {
                    for groups in buffer::chunks(buffer::chunks(blocks).0).0 {
                        work::<WORDS, BLOCK, N, BACKWARDS>(schedule, groups);
                    }
                    return;
                }
                let mut copy = [[[0; BLOCK]; $lanes]; N];
                copy.as_flattened_mut()[..n].copy_from_slice(blocks.get_in());
                work::<WORDS, BLOCK, N, BACKWARDS>(schedule, InOut::from(&mut copy));
                blocks.get_out().copy_from_slice(&copy.as_flattened()[..n]);
                wipe(&mut copy, [[0; BLOCK]; $lanes]);
            }

            /// Encrypts or decrypts `N` groups, [SKEIN](super::super) §3.3.
            #[target_feature(enable = $features)]
            fn work<
                const WORDS: usize,
                const BLOCK: usize,
                const N: usize,
                const BACKWARDS: bool,
            >(
                schedule: &Schedule<WORDS>,
                mut blocks: InOut<'_, '_, [Group<BLOCK>; N]>,
            ) {
                let mut x = [[$Word::zero(); WORDS]; N];
                for n in 0..N {
                    x[n] = $Word::from_blocks_le(&blocks.get_in()[n]);
                }
                macro_rules! key {
                    ($operation:ident, $s:expr) => {
                        let s = $s;
                        let key = &schedule.words[s % (WORDS + 1)..][..WORDS];
                        each!(I < WORDS => {
                            let word = key[I].wrapping_add(match WORDS - I {
                                3 => schedule.tweak[s % 3],
                                2 => schedule.tweak[(s + 1) % 3],
                                1 => s as u64,
                                _ => 0,
                            });
                            let word = $Word::splat(word);
                            for n in 0..N {
                                x[n][I] = x[n][I].$operation(word);
                            }
                        });
                    };
                }
                macro_rules! round {
                    ($D:ident) => {
                        each!(J < WORDS / 2 => {
                            let (a, b) = const { pair(WORDS, $D, J) };
                            let turn = const { rotations(WORDS)[$D][J % 8] };
                            for x in &mut x {
                                x[a] = x[a].add(x[b]);
                                x[b] = x[b].rotate_left_by(turn).xor(x[a]);
                            }
                        })
                    };
                }
                macro_rules! round_back {
                    ($D:ident) => {
                        each!(J < WORDS / 2 => {
                            let (a, b) = const { pair(WORDS, $D, J) };
                            let turn = const { 64 - rotations(WORDS)[$D][J % 8] };
                            for x in &mut x {
                                x[b] = x[b].xor(x[a]).rotate_left_by(turn);
                                x[a] = x[a].subtract(x[b]);
                            }
                        })
                    };
                }
                if BACKWARDS {
                    for eight in (0..eights(WORDS)).rev() {
                        key!(subtract, 2 * eight + 2);
                        each!(D in 7 6 5 4 => round_back!(D));
                        key!(subtract, 2 * eight + 1);
                        each!(D in 3 2 1 0 => round_back!(D));
                    }
                    key!(subtract, 0);
                } else {
                    for eight in 0..eights(WORDS) {
                        key!(add, 2 * eight);
                        each!(D in 0 1 2 3 => round!(D));
                        key!(add, 2 * eight + 1);
                        each!(D in 4 5 6 7 => round!(D));
                    }
                    key!(add, 2 * eights(WORDS));
                }
                for n in 0..N {
                    $Word::to_blocks_le(x[n], &mut blocks.get_out()[n]);
                }
            }
        }
    };
}

lanes!(wide, U64x8 8, Avx512 "avx512f,avx512bw");
lanes!(narrow, U64x4 4, Avx2 "avx2");
