//! SM3 of one message. Vector registers compute the message schedule, four words at once;
//! the steps use general registers.
//!
//! A word of the schedule depends on the word three before it, so the last of four words
//! depends on the first. P₁ is linear: the part of the first word is added to the last one
//! afterwards.
#![allow(unsafe_code)]

use core::arch::asm;

use super::T;
use crate::cpu::{Avx2, Avx512};
use crate::simd::U32x4;
use crate::wipe::wipe;

/// The next words of the schedule, and the difference of each and the fourth after it.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
struct Schedule {
    words: [[u32; 4]; 4],
    differences: [[u32; 4]; 4],
}

impl Schedule {
    const ZERO: Self = Self {
        words: [[0; 4]; 4],
        differences: [[0; 4]; 4],
    };
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
                let ([first, turns @ ..], _) = T.as_chunks::<16>() else {
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
                            let constants = &$constants.as_chunks().0[$i];
                            state = four_steps::<$i, $first>(state, &schedule, constants);
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

/// Four steps, [SM3] §5.3.3, with quarter `I` of the schedule. `FIRST`: of the first sixteen, which
/// have other functions FF and GG, §4.3. They are assembly, because the compiler's order makes a step
/// wait longer for the one before: SS1 takes the new word e last, and no sum waits for another one
/// that could come later.
#[inline]
#[target_feature(enable = "bmi1,bmi2")]
fn four_steps<const I: usize, const FIRST: bool>(
    [a, b, c, d, e, f, g, h]: [u32; 8],
    schedule: &Schedule,
    constants: &[u32; 4],
) -> [u32; 8] {
    let (mut a, mut b, mut c, mut d) = (a, b, c, d);
    let (mut e, mut f, mut g, mut h) = (e, f, g, h);
    // SAFETY: the code reads the four constants, words and differences, which are 64 bytes behind
    // the words, and changes only the registers that it names.
    unsafe {
        asm!(
            ".macro step a, b, c, d, e, f, g, h, j",
            // SS1 and, in {t}, SS2.
            "rorx {t:e}, \\a, 20",
            "mov {u:e}, [{constants} + 4 * \\j]",
            "add {u:e}, {t:e}",
            "add {u:e}, \\e",
            "rorx {u:e}, {u:e}, 25",
            "xor {t:e}, {u:e}",
            "add \\d, [{schedule} + {differences} + 4 * \\j]",
            "add \\h, [{schedule} + {words} + 4 * \\j]",
            ".if {first}",
            "mov {v:e}, \\b",
            "xor {v:e}, \\c",
            "xor {v:e}, \\a",
            "add \\d, {v:e}",
            "mov {v:e}, \\f",
            "xor {v:e}, \\g",
            "xor {v:e}, \\e",
            ".else",
            // The majority in two parts, which have no bit in common.
            "mov {v:e}, \\b",
            "and {v:e}, \\c",
            "add \\d, {v:e}",
            "mov {v:e}, \\b",
            "xor {v:e}, \\c",
            "and {v:e}, \\a",
            "add \\d, {v:e}",
            "andn {v:e}, \\e, \\g",
            "add \\h, {v:e}",
            "mov {v:e}, \\e",
            "and {v:e}, \\f",
            ".endif",
            "add \\h, {v:e}",
            "add \\d, {t:e}",
            "add \\h, {u:e}",
            "rorx {t:e}, \\h, 23",
            "rorx {v:e}, \\h, 15",
            "xor \\h, {t:e}",
            "xor \\h, {v:e}",
            "rorx \\b, \\b, 23",
            "rorx \\f, \\f, 13",
            ".endm",
            "step {a:e}, {b:e}, {c:e}, {d:e}, {e:e}, {f:e}, {g:e}, {h:e}, 0",
            "step {d:e}, {a:e}, {b:e}, {c:e}, {h:e}, {e:e}, {f:e}, {g:e}, 1",
            "step {c:e}, {d:e}, {a:e}, {b:e}, {g:e}, {h:e}, {e:e}, {f:e}, 2",
            "step {b:e}, {c:e}, {d:e}, {a:e}, {f:e}, {g:e}, {h:e}, {e:e}, 3",
            ".purgem step",
            first = const FIRST as u32,
            words = const 16 * I,
            differences = const 64 + 16 * I,
            schedule = in(reg) schedule,
            constants = in(reg) constants,
            a = inout(reg) a,
            b = inout(reg) b,
            c = inout(reg) c,
            d = inout(reg) d,
            e = inout(reg) e,
            f = inout(reg) f,
            g = inout(reg) g,
            h = inout(reg) h,
            t = out(reg) _,
            u = out(reg) _,
            v = out(reg) _,
            options(pure, readonly, nostack),
        );
    }
    [a, b, c, d, e, f, g, h]
}
