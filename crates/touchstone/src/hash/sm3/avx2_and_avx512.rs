//! SM3 of one message. Vector registers compute the message schedule, four words at once;
//! the steps use general registers.
//!
//! A word of the schedule depends on the word three before it, so the last of four words
//! depends on the first. P₁ is linear: the part of the first word is added to the last one
//! afterwards.
#![allow(unsafe_code)]

use core::arch::asm;

use super::{T, step};
use crate::cpu::{Avx2, Avx512};
use crate::machinery::each::each;
use crate::machinery::unknown::unknown;
use crate::simd::U32x4;
use crate::wipe::wipe;

/// The next words of the schedule, and the difference of each and the fourth after it.
#[derive(Clone, Copy)]
struct Schedule {
    words: [[u32; 4]; 4],
    differences: [[u32; 4]; 4],
}

impl Schedule {
    const ZERO: Self = Self {
        words: [[0; 4]; 4],
        differences: [[0; 4]; 4],
    };

    /// Emits no instruction, but makes the compiler read the words from memory, where the
    /// steps take them as operands. Without it, the compiler takes the words of the vector
    /// registers apart, which costs more instructions.
    #[inline(always)]
    fn in_memory(&mut self) {
        // SAFETY: the assembly contains no instruction.
        unsafe {
            asm!("/* {} */", in(reg) self, options(nostack, preserves_flags));
        }
    }
}

/// The same code for two sets of instructions. AVX-512 has rotations and functions of
/// three bits, which the compiler finds.
macro_rules! compress {
    ($compress:ident, $Token:ident, $features:literal) => {
        pub(super) fn $compress(_: $Token, chain: &mut [u32; 8], blocks: &[[u8; 64]]) {
            // SAFETY: the token proves the features.
            unsafe { entry(chain, blocks) }

            #[target_feature(enable = $features)]
            fn entry(chain: &mut [u32; 8], blocks: &[[u8; 64]]) {
                let ([first, turns @ ..], _) = unknown(&T).as_chunks::<16>() else {
                    unreachable!()
                };
                let mut schedule = Schedule::ZERO;
                for block in blocks {
                    let mut w = [U32x4::splat(0); 4];
                    let (quarters, _) = block.as_chunks();
                    for i in 0..4 {
                        w[i] = U32x4::load_be(&quarters[i]);
                        w[i].store(&mut schedule.words[i]);
                    }
                    for i in 0..3 {
                        w[i].xor(w[i + 1]).store(&mut schedule.differences[i]);
                    }
                    let mut state = *chain;
                    /// Four steps, and then, if they are needed, the four words that
                    /// follow sixteen words.
                    macro_rules! steps {
                        ($i:literal, $first:literal, $constants:ident, $more:expr) => {
                            schedule.in_memory();
                            each!(J in 0 1 2 3 => {
                                let word = schedule.words[$i][J];
                                let difference = schedule.differences[$i][J];
                                let constant = $constants[4 * $i + J];
                                state = step::<$first>(state, constant, word, difference);
                            });
                            if $more {
                                let last = w[($i + 3) % 4];
                                w[$i] = next(w[$i], w[($i + 1) % 4], w[($i + 2) % 4], last);
                                w[$i].store(&mut schedule.words[$i]);
                                last.xor(w[$i]).store(&mut schedule.differences[($i + 3) % 4]);
                            }
                        };
                    }
                    steps!(0, true, first, true);
                    steps!(1, true, first, true);
                    steps!(2, true, first, true);
                    steps!(3, true, first, true);
                    for (turn, constants) in turns.iter().enumerate() {
                        // The last steps need one word more than there are steps left.
                        steps!(0, false, constants, true);
                        steps!(1, false, constants, turn < 2);
                        steps!(2, false, constants, turn < 2);
                        steps!(3, false, constants, turn < 2);
                    }
                    for (sum, x) in chain.iter_mut().zip(state) {
                        *sum ^= x;
                    }
                }
                wipe(core::slice::from_mut(&mut schedule), Schedule::ZERO);
            }

            /// The four words that follow sixteen words, [SM3] §5.3.2.
            #[inline]
            #[target_feature(enable = $features)]
            fn next(a: U32x4, b: U32x4, c: U32x4, d: U32x4) -> U32x4 {
                let x = a.xor(b.window_3(c));
                let x = x.xor(d.move_down_1().rotate_left_by(15));
                let p1 = x.xor(x.rotate_left_by(15)).xor(x.rotate_left_by(23));
                let words = p1.xor(a.window_3(b).rotate_left_by(7)).xor(c.window_2(d));
                // P₁ of the first word, rotated by 15 bits.
                let one = words.move_up_3();
                let late = one.rotate_left_by(15).xor(one.rotate_left_by(30));
                words.xor(late.xor(one.rotate_left_by(6)))
            }
        }
    };
}

compress!(avx512, Avx512, "avx512f,avx512vl,avx2,bmi1,bmi2");
compress!(avx2, Avx2, "avx2,bmi1,bmi2");
