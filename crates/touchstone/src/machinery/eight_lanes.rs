//! The rounds of ChaCha and of BLAKE3 with AVX2 on eight states at once: a register for each word of the
//! state, a lane for each state. ChaCha's quarter-round is BLAKE3's function G without a message.
//!
//! The state has 16 words, AVX2 has 16 registers, and a rotation needs one more. So two words of row
//! c stay in memory: each is loaded as an operand of its sum and stored after it, which takes no port
//! that computes. Four quarter-rounds go step by step side by side. A rotation by 16 or 8 bits is a
//! permutation of bytes. A compiler stores and loads many more words, and does one quarter-round
//! after the other, so that instructions wait.

use crate::simd::U32x8;

/// Two words of the state in memory.
#[repr(align(32))]
pub(crate) struct Pair(pub(crate) [U32x8; 2]);

/// The permutations of bytes for the two rotations of row d.
#[repr(align(32))]
#[allow(dead_code, reason = "only the assembly reads the permutations")]
pub(crate) struct Rotations([[u8; 16]; 4]);

impl Rotations {
    pub(crate) const fn new([first, second]: [[u8; 16]; 2]) -> Self {
        Self([first, first, second, second])
    }
}

/// The assembly of a round of columns and a round of diagonals on the state `$x`, of which words 10 and 11
/// are in `$pair`. `$turn_2` and `$turn_4` rotate row b to the left. The four strings in brackets are empty,
/// or the memory operands of four words of a message, each after a comma. `begin` and `end` stand around
/// the rounds.
macro_rules! double_round {
    (
        $x:expr, $pair:expr, $rotations:expr, $turn_2:literal $turn_4:literal,
        [$columns_1:expr, $columns_2:expr, $diagonals_1:expr, $diagonals_2:expr],
        begin [$($begin:literal)*], end [$($end:literal)*],
        $($operand:tt)*
    ) => {
        core::arch::asm!(
            // a += b, d ^= a, and a rotation of d, in four quarter-rounds.
            ".macro upper a0, a1, a2, a3, b0, b1, b2, b3, d0, d1, d2, d3, n, m0, m1, m2, m3",
            ".ifnb \\m0",
            "vpaddd \\a0, \\a0, \\m0",
            "vpaddd \\a1, \\a1, \\m1",
            "vpaddd \\a2, \\a2, \\m2",
            "vpaddd \\a3, \\a3, \\m3",
            ".endif",
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
            $($begin,)*
            concat!("upper {x0}, {x1}, {x2}, {x3}, {x4}, {x5}, {x6}, {x7}, {x12}, {x13}, {x14}, {x15}, 0", $columns_1),
            concat!("lower {x4}, {x5}, {x6}, {x7}, {x8}, {x9}, {x12}, {x13}, {x14}, {x15}, ", $turn_2),
            concat!("upper {x0}, {x1}, {x2}, {x3}, {x4}, {x5}, {x6}, {x7}, {x12}, {x13}, {x14}, {x15}, 32", $columns_2),
            concat!("lower {x4}, {x5}, {x6}, {x7}, {x8}, {x9}, {x12}, {x13}, {x14}, {x15}, ", $turn_4),
            concat!("upper {x2}, {x3}, {x0}, {x1}, {x7}, {x4}, {x5}, {x6}, {x13}, {x14}, {x15}, {x12}, 0", $diagonals_1),
            concat!("lower {x7}, {x4}, {x5}, {x6}, {x8}, {x9}, {x13}, {x14}, {x15}, {x12}, ", $turn_2),
            concat!("upper {x2}, {x3}, {x0}, {x1}, {x7}, {x4}, {x5}, {x6}, {x13}, {x14}, {x15}, {x12}, 32", $diagonals_2),
            concat!("lower {x7}, {x4}, {x5}, {x6}, {x8}, {x9}, {x13}, {x14}, {x15}, {x12}, ", $turn_4),
            $($end,)*
            ".purgem upper",
            ".purgem lower",
            x0 = inout(ymm_reg) $x[0].0,
            x1 = inout(ymm_reg) $x[1].0,
            x2 = inout(ymm_reg) $x[2].0,
            x3 = inout(ymm_reg) $x[3].0,
            x4 = inout(ymm_reg) $x[4].0,
            x5 = inout(ymm_reg) $x[5].0,
            x6 = inout(ymm_reg) $x[6].0,
            x7 = inout(ymm_reg) $x[7].0,
            x8 = inout(ymm_reg) $x[8].0,
            x9 = inout(ymm_reg) $x[9].0,
            x12 = inout(ymm_reg) $x[12].0,
            x13 = inout(ymm_reg) $x[13].0,
            x14 = inout(ymm_reg) $x[14].0,
            x15 = inout(ymm_reg) $x[15].0,
            s = out(ymm_reg) _,
            t = out(ymm_reg) _,
            pair = in(reg) &raw mut *$pair,
            rotations = in(reg) $rotations,
            $($operand)*
        )
    };
}
pub(crate) use double_round;
