//! The rounds of Salsa20 with AVX2 on eight blocks: a register for each word of the state, a lane for
//! each block.
//!
//! The state has 16 words, AVX2 has 16 registers, and a step needs two more. So words 10 and 15 stay
//! in memory: loads and stores take no port that computes. A compiler stores and loads many more
//! words.
#![allow(unsafe_code)]

use core::arch::asm;

use crate::simd::U32x8;

/// Two words of the state in memory.
#[repr(align(32))]
struct Pair([U32x8; 2]);

/// All rounds, [SALSA20](super) §4.1.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn rounds<const ROUNDS: usize>(x: &mut [U32x8; 16]) {
    const { assert!(ROUNDS != 0 && ROUNDS.is_multiple_of(2)) };
    let mut pair = Pair([x[10], x[15]]);
    // SAFETY: the code changes only the registers that it names and the pair.
    unsafe {
        asm!(
            // x ^= rotation of y + z by n bits. z may be in memory.
            ".macro step x, y, z, n",
            "vpaddd {s}, \\y, \\z",
            "vpslld {t}, {s}, \\n",
            "vpsrld {s}, {s}, 32 - \\n",
            "vpxor \\x, \\x, {t}",
            "vpxor \\x, \\x, {s}",
            ".endm",
            // The same with x in memory.
            ".macro store x, y, z, n",
            "vpaddd {s}, \\y, \\z",
            "vpslld {t}, {s}, \\n",
            "vpsrld {s}, {s}, 32 - \\n",
            "vpxor {t}, {t}, \\x",
            "vpxor {t}, {t}, {s}",
            "vmovdqa \\x, {t}",
            ".endm",
            // Four quarter-rounds. Their words a are words 0 and 5, and those in memory.
            ".macro round b0, c0, d0, b1, c1, d1, b2, c2, d2, b3, c3, d3",
            "step \\b2, \\d2, [{pair}], 7",
            "step \\b3, \\d3, [{pair}+32], 7",
            "step \\b0, \\d0, {x0}, 7",
            "step \\b1, \\d1, {x5}, 7",
            "step \\c2, \\b2, [{pair}], 9",
            "step \\c3, \\b3, [{pair}+32], 9",
            "step \\c0, \\b0, {x0}, 9",
            "step \\c1, \\b1, {x5}, 9",
            "step \\d2, \\c2, \\b2, 13",
            "step \\d3, \\c3, \\b3, 13",
            "step \\d0, \\c0, \\b0, 13",
            "step \\d1, \\c1, \\b1, 13",
            "store [{pair}], \\d2, \\c2, 18",
            "store [{pair}+32], \\d3, \\c3, 18",
            "step {x0}, \\d0, \\c0, 18",
            "step {x5}, \\d1, \\c1, 18",
            ".endm",
            "2:",
            "round {x4}, {x8}, {x12}, {x9}, {x13}, {x1}, {x14}, {x2}, {x6}, {x3}, {x7}, {x11}",
            "round {x1}, {x2}, {x3}, {x6}, {x7}, {x4}, {x11}, {x8}, {x9}, {x12}, {x13}, {x14}",
            "sub {left:e}, 2",
            "jnz 2b",
            ".purgem step",
            ".purgem store",
            ".purgem round",
            x0 = inout(ymm_reg) x[0].0,
            x1 = inout(ymm_reg) x[1].0,
            x2 = inout(ymm_reg) x[2].0,
            x3 = inout(ymm_reg) x[3].0,
            x4 = inout(ymm_reg) x[4].0,
            x5 = inout(ymm_reg) x[5].0,
            x6 = inout(ymm_reg) x[6].0,
            x7 = inout(ymm_reg) x[7].0,
            x8 = inout(ymm_reg) x[8].0,
            x9 = inout(ymm_reg) x[9].0,
            x11 = inout(ymm_reg) x[11].0,
            x12 = inout(ymm_reg) x[12].0,
            x13 = inout(ymm_reg) x[13].0,
            x14 = inout(ymm_reg) x[14].0,
            s = out(ymm_reg) _,
            t = out(ymm_reg) _,
            pair = in(reg) &raw mut pair,
            left = inout(reg) ROUNDS as u32 => _,
            options(nostack)
        );
    }
    [x[10], x[15]] = pair.0;
}
