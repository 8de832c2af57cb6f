//! The rounds of BLAKE3 with AVX2 on eight nodes: a register for each word of the state, a lane for
//! each node.
//!
//! As in ChaCha with AVX2, two words of row c stay in memory, the message does too, and four functions
//! G go step by step side by side. A compiler stores and loads many more words.
#![allow(unsafe_code)]

use core::arch::asm;

use super::SCHEDULE;
use crate::hash::blake2::avx2::BY_16_8;
use crate::machinery::each::each;
use crate::simd::U32x8;

/// The permutations of bytes that rotate each word by 16 bits, and by 8 bits.
#[repr(align(32))]
#[allow(dead_code, reason = "only the assembly reads the permutations")]
struct Rotations([[u8; 16]; 4]);

static ROTATIONS: Rotations = Rotations([BY_16_8[0], BY_16_8[0], BY_16_8[1], BY_16_8[1]]);

/// Two words of the state in memory.
#[repr(align(32))]
struct Pair([U32x8; 2]);

/// All rounds, [BLAKE3](super) §2.2.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn rounds(x: &mut [U32x8; 16], m: &[U32x8; 16]) {
    let mut pair = Pair([x[10], x[11]]);
    each!(ROUND in 0 1 2 3 4 5 6 => round::<ROUND>(x, &mut pair, m));
    [x[10], x[11]] = pair.0;
}

#[inline]
#[target_feature(enable = "avx2")]
fn round<const ROUND: usize>(x: &mut [U32x8; 16], pair: &mut Pair, m: &[U32x8; 16]) {
    // SAFETY: the code changes only the registers that it names and the pair, and reads the message
    // and the permutations.
    unsafe {
        asm!(
            // a += m + b, d ^= a, and a rotation of d, in four functions G.
            ".macro upper a0, a1, a2, a3, b0, b1, b2, b3, d0, d1, d2, d3, n, m0, m1, m2, m3",
            "vpaddd \\a0, \\a0, [{m} + \\m0]",
            "vpaddd \\a1, \\a1, [{m} + \\m1]",
            "vpaddd \\a2, \\a2, [{m} + \\m2]",
            "vpaddd \\a3, \\a3, [{m} + \\m3]",
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
            "vpsrld {s}, \\b2, \\n",
            "vpslld \\b2, \\b2, 32 - \\n",
            "vpsrld {t}, \\b3, \\n",
            "vpslld \\b3, \\b3, 32 - \\n",
            "vpor \\b2, \\b2, {s}",
            "vpsrld {s}, \\b0, \\n",
            "vpslld \\b0, \\b0, 32 - \\n",
            "vpor \\b3, \\b3, {t}",
            "vpsrld {t}, \\b1, \\n",
            "vpslld \\b1, \\b1, 32 - \\n",
            "vpor \\b0, \\b0, {s}",
            "vpor \\b1, \\b1, {t}",
            ".endm",
            "upper {x0}, {x1}, {x2}, {x3}, {x4}, {x5}, {x6}, {x7}, {x12}, {x13}, {x14}, {x15}, 0, {s0}, {s2}, {s4}, {s6}",
            "lower {x4}, {x5}, {x6}, {x7}, {x8}, {x9}, {x12}, {x13}, {x14}, {x15}, 12",
            "upper {x0}, {x1}, {x2}, {x3}, {x4}, {x5}, {x6}, {x7}, {x12}, {x13}, {x14}, {x15}, 32, {s1}, {s3}, {s5}, {s7}",
            "lower {x4}, {x5}, {x6}, {x7}, {x8}, {x9}, {x12}, {x13}, {x14}, {x15}, 7",
            "upper {x2}, {x3}, {x0}, {x1}, {x7}, {x4}, {x5}, {x6}, {x13}, {x14}, {x15}, {x12}, 0, {s12}, {s14}, {s8}, {s10}",
            "lower {x7}, {x4}, {x5}, {x6}, {x8}, {x9}, {x13}, {x14}, {x15}, {x12}, 12",
            "upper {x2}, {x3}, {x0}, {x1}, {x7}, {x4}, {x5}, {x6}, {x13}, {x14}, {x15}, {x12}, 32, {s13}, {s15}, {s9}, {s11}",
            "lower {x7}, {x4}, {x5}, {x6}, {x8}, {x9}, {x13}, {x14}, {x15}, {x12}, 7",
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
            pair = in(reg) &raw mut *pair,
            rotations = in(reg) &raw const ROTATIONS,
            m = in(reg) m,
            s0 = const 32 * SCHEDULE[ROUND][0],
            s1 = const 32 * SCHEDULE[ROUND][1],
            s2 = const 32 * SCHEDULE[ROUND][2],
            s3 = const 32 * SCHEDULE[ROUND][3],
            s4 = const 32 * SCHEDULE[ROUND][4],
            s5 = const 32 * SCHEDULE[ROUND][5],
            s6 = const 32 * SCHEDULE[ROUND][6],
            s7 = const 32 * SCHEDULE[ROUND][7],
            s8 = const 32 * SCHEDULE[ROUND][8],
            s9 = const 32 * SCHEDULE[ROUND][9],
            s10 = const 32 * SCHEDULE[ROUND][10],
            s11 = const 32 * SCHEDULE[ROUND][11],
            s12 = const 32 * SCHEDULE[ROUND][12],
            s13 = const 32 * SCHEDULE[ROUND][13],
            s14 = const 32 * SCHEDULE[ROUND][14],
            s15 = const 32 * SCHEDULE[ROUND][15],
            options(nostack, preserves_flags)
        );
    }
}
