//! The rounds of ChaCha with AVX2 on eight blocks: a register for each word of the state, a lane for
//! each block.
//!
//! The state has 16 words, AVX2 has 16 registers, and a rotation needs one more. So two words of row
//! c stay in memory: each is loaded as an operand of its sum and stored after it, which takes no port
//! that computes. Four quarter-rounds go step by step side by side. A rotation by 16 or 8 bits is a
//! permutation of bytes. A compiler stores and loads many more words, and does one quarter-round
//! after the other, so that instructions wait.
#![allow(unsafe_code)]

use core::arch::asm;

use crate::simd::U32x8;

/// The permutations of bytes that rotate each word by 16 bits, and by 8 bits.
#[repr(align(32))]
#[allow(dead_code, reason = "only the assembly reads the permutations")]
struct Rotations([[u8; 16]; 4]);

const BY_16: [u8; 16] = [2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13];
const BY_8: [u8; 16] = [3, 0, 1, 2, 7, 4, 5, 6, 11, 8, 9, 10, 15, 12, 13, 14];

static ROTATIONS: Rotations = Rotations([BY_16, BY_16, BY_8, BY_8]);

/// Two words of the state in memory.
#[repr(align(32))]
struct Pair([U32x8; 2]);

/// All rounds, [CHACHA](super) §3.2.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn rounds<const ROUNDS: usize>(x: &mut [U32x8; 16]) {
    const { assert!(ROUNDS != 0 && ROUNDS.is_multiple_of(2)) };
    let mut pair = Pair([x[10], x[11]]);
    // SAFETY: the code changes only the registers that it names and the pair, and reads the
    // permutations.
    unsafe {
        asm!(
            // a += b, d ^= a, and a rotation of d, in four quarter-rounds.
            ".macro upper a0, a1, a2, a3, b0, b1, b2, b3, d0, d1, d2, d3, n",
            "vpaddd \\a0, \\a0, \\b0",
            "vpaddd \\a1, \\a1, \\b1",
            "vpaddd \\a2, \\a2, \\b2",
            "vpaddd \\a3, \\a3, \\b3",
            "vpxor \\d0, \\d0, \\a0",
            "vpxor \\d1, \\d1, \\a1",
            "vpxor \\d2, \\d2, \\a2",
            "vpxor \\d3, \\d3, \\a3",
            "vpshufb \\d0, \\d0, [{rotations} + \\n]",
            "vpshufb \\d1, \\d1, [{rotations} + \\n]",
            "vpshufb \\d2, \\d2, [{rotations} + \\n]",
            "vpshufb \\d3, \\d3, [{rotations} + \\n]",
            ".endm",
            // c += d, b ^= c, and a rotation of b. The words c of the last two are in memory.
            ".macro lower b0, b1, b2, b3, c0, c1, d0, d1, d2, d3, n",
            "vpaddd {s}, \\d2, [{pair}]",
            "vpaddd {t}, \\d3, [{pair} + 32]",
            "vpaddd \\c0, \\c0, \\d0",
            "vpaddd \\c1, \\c1, \\d1",
            "vmovdqa [{pair}], {s}",
            "vmovdqa [{pair} + 32], {t}",
            "vpxor \\b2, \\b2, {s}",
            "vpxor \\b3, \\b3, {t}",
            "vpxor \\b0, \\b0, \\c0",
            "vpxor \\b1, \\b1, \\c1",
            "vpslld {s}, \\b2, \\n",
            "vpsrld \\b2, \\b2, 32 - \\n",
            "vpslld {t}, \\b3, \\n",
            "vpsrld \\b3, \\b3, 32 - \\n",
            "vpor \\b2, \\b2, {s}",
            "vpslld {s}, \\b0, \\n",
            "vpsrld \\b0, \\b0, 32 - \\n",
            "vpor \\b3, \\b3, {t}",
            "vpslld {t}, \\b1, \\n",
            "vpsrld \\b1, \\b1, 32 - \\n",
            "vpor \\b0, \\b0, {s}",
            "vpor \\b1, \\b1, {t}",
            ".endm",
            "2:",
            "upper {x0}, {x1}, {x2}, {x3}, {x4}, {x5}, {x6}, {x7}, {x12}, {x13}, {x14}, {x15}, 0",
            "lower {x4}, {x5}, {x6}, {x7}, {x8}, {x9}, {x12}, {x13}, {x14}, {x15}, 12",
            "upper {x0}, {x1}, {x2}, {x3}, {x4}, {x5}, {x6}, {x7}, {x12}, {x13}, {x14}, {x15}, 32",
            "lower {x4}, {x5}, {x6}, {x7}, {x8}, {x9}, {x12}, {x13}, {x14}, {x15}, 7",
            "upper {x2}, {x3}, {x0}, {x1}, {x7}, {x4}, {x5}, {x6}, {x13}, {x14}, {x15}, {x12}, 0",
            "lower {x7}, {x4}, {x5}, {x6}, {x8}, {x9}, {x13}, {x14}, {x15}, {x12}, 12",
            "upper {x2}, {x3}, {x0}, {x1}, {x7}, {x4}, {x5}, {x6}, {x13}, {x14}, {x15}, {x12}, 32",
            "lower {x7}, {x4}, {x5}, {x6}, {x8}, {x9}, {x13}, {x14}, {x15}, {x12}, 7",
            "sub {left:e}, 2",
            "jnz 2b",
            ".purgem upper",
            ".purgem lower",
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
            x12 = inout(ymm_reg) x[12].0,
            x13 = inout(ymm_reg) x[13].0,
            x14 = inout(ymm_reg) x[14].0,
            x15 = inout(ymm_reg) x[15].0,
            s = out(ymm_reg) _,
            t = out(ymm_reg) _,
            pair = in(reg) &raw mut pair,
            rotations = in(reg) &raw const ROTATIONS,
            left = inout(reg) ROUNDS as u32 => _,
            options(nostack)
        );
    }
    [x[10], x[11]] = pair.0;
}
