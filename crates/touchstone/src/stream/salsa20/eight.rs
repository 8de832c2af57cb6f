//! The rounds of Salsa20 with AVX2 on eight blocks: a register for each word of the state, a lane for
//! each block.
//!
//! The state has 16 words, AVX2 has 16 registers, and a step needs two more, so some words stay in
//! memory: loads and stores take no port that computes. Those are the words c of the quarter-rounds.
//! A quarter-round computes its c early and uses it to its end, in a register that two quarter-rounds
//! have each; the next round first needs c after a step that does without, so it does not wait for the
//! store. A compiler stores and loads many more words.
#![allow(unsafe_code)]

use core::arch::asm;

use crate::simd::U32x8;

/// The words c, which stay in memory.
#[repr(align(32))]
struct Words([U32x8; 4]);

/// All rounds, [SALSA20](super) §4.1.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn rounds<const ROUNDS: usize>(x: &mut [U32x8; 16]) {
    const { assert!(ROUNDS != 0 && ROUNDS.is_multiple_of(2)) };
    let mut words = Words([x[2], x[7], x[8], x[13]]);
    // SAFETY: the code changes only the registers that it names and the words.
    unsafe {
        asm!(
            // x ^= rotation of y + z by n bits.
            ".macro step x, y, z, n",
            "vpaddd {s}, \\y, \\z",
            "vpslld {t}, {s}, \\n",
            "vpsrld {s}, {s}, 32 - \\n",
            "vpxor \\x, \\x, {t}",
            "vpxor \\x, \\x, {s}",
            ".endm",
            // The same with x in memory, whose new value is also left in the register r.
            ".macro store x, r, y, z, n",
            "vpaddd \\r, \\y, \\z",
            "vpslld {t}, \\r, \\n",
            "vpsrld \\r, \\r, 32 - \\n",
            "vpxor {t}, {t}, \\x",
            "vpxor \\r, \\r, {t}",
            "vmovdqa \\x, \\r",
            ".endm",
            // Two quarter-rounds. Their words c are in memory.
            ".macro two a0, b0, c0, d0, a1, b1, c1, d1",
            "step \\b0, \\a0, \\d0, 7",
            "step \\b1, \\a1, \\d1, 7",
            "store \\c0, {c0}, \\b0, \\a0, 9",
            "store \\c1, {c1}, \\b1, \\a1, 9",
            "step \\d0, {c0}, \\b0, 13",
            "step \\d1, {c1}, \\b1, 13",
            "step \\a0, \\d0, {c0}, 18",
            "step \\a1, \\d1, {c1}, 18",
            ".endm",
            "2:",
            "two {x0}, {x4}, [{words}+64], {x12}, {x5}, {x9}, [{words}+96], {x1}",
            "two {x10}, {x14}, [{words}], {x6}, {x15}, {x3}, [{words}+32], {x11}",
            "two {x0}, {x1}, [{words}], {x3}, {x5}, {x6}, [{words}+32], {x4}",
            "two {x10}, {x11}, [{words}+64], {x9}, {x15}, {x12}, [{words}+96], {x14}",
            "sub {left:e}, 2",
            "jnz 2b",
            ".purgem step",
            ".purgem store",
            ".purgem two",
            x0 = inout(ymm_reg) x[0].0,
            x1 = inout(ymm_reg) x[1].0,
            x3 = inout(ymm_reg) x[3].0,
            x4 = inout(ymm_reg) x[4].0,
            x5 = inout(ymm_reg) x[5].0,
            x6 = inout(ymm_reg) x[6].0,
            x9 = inout(ymm_reg) x[9].0,
            x10 = inout(ymm_reg) x[10].0,
            x11 = inout(ymm_reg) x[11].0,
            x12 = inout(ymm_reg) x[12].0,
            x14 = inout(ymm_reg) x[14].0,
            x15 = inout(ymm_reg) x[15].0,
            c0 = out(ymm_reg) _,
            c1 = out(ymm_reg) _,
            s = out(ymm_reg) _,
            t = out(ymm_reg) _,
            words = in(reg) &raw mut words,
            left = inout(reg) ROUNDS as u32 => _,
            options(nostack)
        );
    }
    [x[2], x[7], x[8], x[13]] = words.0;
}
