//! SHA-512 of one message with AVX2. Vector registers compute the schedules of two blocks, two
//! words of each block in a register, beside the rounds of the first block. The rounds of the second
//! block read the sums from memory. OpenSSL has the same order of work.
//!
//! ```text
//!   register 0: | word 1 of block 1 | word 0 of block 1 | word 1 of block 0 | word 0 of block 0 |
//! ```
//!
//! A word of the schedule depends on the word two before it: so with two words of each block in a
//! register, one σ₁ does both, and no word moves from one half of the register to the other.
#![allow(unsafe_code)]

use super::K;
use super::rounds::with_round;
use crate::cpu::Avx2;
use crate::simd::U64x4;
use crate::wipe::wipe;

/// Sixteen words of the schedules of two blocks, each plus the round's constant.
type Sums = [[u64; 4]; 8];

/// The sums of some turns of sixteen rounds, and then the address of the chaining value, for which the
/// rounds have no register. A store that spans two cache lines would delay the loads.
#[repr(C, align(64))]
struct Frame<const TURNS: usize> {
    sums: [Sums; TURNS],
    hash: [u64; 4],
}

impl<const TURNS: usize> Frame<TURNS> {
    const ZERO: Self = Self {
        sums: [[[0; 4]; 8]; TURNS],
        hash: [0; 4],
    };
}

/// The constants of the rounds after the first sixteen. The address of their end is a multiple of
/// their length, which ends the loop.
#[repr(align(512))]
#[allow(dead_code, reason = "only the assembly reads the constants")]
struct Constants([u64; 64]);

static CONSTANTS: Constants = {
    let mut constants = [0; 64];
    let mut i = 0;
    while i < 64 {
        constants[i] = K[16 + i];
        i += 1;
    }
    Constants(constants)
};

/// The constants of the first sixteen rounds.
static FIRST: [u64; 16] = {
    let mut constants = [0; 16];
    let mut i = 0;
    while i < 16 {
        constants[i] = K[i];
        i += 1;
    }
    constants
};

pub(super) fn avx2(_: Avx2, hash: &mut [u64; 8], blocks: &[[u8; 128]]) {
    let (pairs, last) = blocks.as_chunks();
    // SAFETY: the token proves the features.
    unsafe {
        if !pairs.is_empty() {
            two(hash, pairs);
        }
        if let [block] = last {
            one(hash, block);
        }
    }
}

/// Compresses pairs of blocks, [FIPS180](super) §6.4.2.
#[target_feature(enable = "avx2,bmi1,bmi2")]
fn two(hash: &mut [u64; 8], pairs: &[[[u8; 128]; 2]]) {
    let mut frame = Frame::<5>::ZERO;
    for [first, second] in pairs {
        let start = &raw mut frame;
        // SAFETY: there are the sums of the five turns of both blocks. Those of the second block
        // start at the third word.
        unsafe {
            rounds_and_words::<256>(hash, first, second, start.cast());
            rounds(hash, start.cast::<u64>().add(2));
        }
    }
    wipe(frame.sums.as_flattened_mut(), [0; 4]);
}

/// Compresses one block. The other half of each register computes the same.
#[target_feature(enable = "avx2,bmi1,bmi2")]
fn one(hash: &mut [u64; 8], block: &[u8; 128]) {
    let mut frame = Frame::<1>::ZERO;
    // SAFETY: each turn uses the same sums.
    unsafe { rounds_and_words::<0>(hash, block, block, (&raw mut frame).cast()) };
    wipe(frame.sums.as_flattened_mut(), [0; 4]);
}

/// Compresses the first block, and computes the sums of both blocks. The sums of a turn of sixteen
/// rounds are `STEP` bytes after those of the turn before. Registers alone hold the state and the words,
/// so that nothing of them stays on the stack.
///
/// # Safety
///
/// `sums` must be a frame with five turns, or with one if `STEP` is 0.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2")]
unsafe fn rounds_and_words<const STEP: usize>(
    hash: &mut [u64; 8],
    first: &[u8; 128],
    second: &[u8; 128],
    sums: *mut Sums,
) {
    let by_8 = U64x4::splat_row(&[1, 2, 3, 4, 5, 6, 7, 0, 9, 10, 11, 12, 13, 14, 15, 8]);
    let turn = U64x4::splat_row(&[7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8]);
    // SAFETY: the code reads the blocks and the constants, changes the chaining value and the frame,
    // and changes only the registers that it names.
    unsafe {
        with_round!(
            // Two rounds, and two words of each block.
            ".macro step a, b, c, d, e, f, g, h, n, v0, v1, v4, v5, v7",
            "part0 \\e, \\g, \\h, 32 * \\n",
            "vpalignr {v}, \\v1, \\v0, 8",
            "vpalignr {w}, \\v5, \\v4, 8",
            "vpsrlq {r}, {v}, 1",
            "vpaddq \\v0, \\v0, {w}",
            "vpsllq {w}, {v}, 63",
            "vpshufb {s}, {v}, {by_8}",
            "part1 \\d, \\e, \\f, \\g, \\h",
            "vpsrlq {v}, {v}, 7",
            "vpxor {w}, {w}, {r}",
            "part2 \\a, \\b, \\h, {x}, {y}",
            "vpxor {s}, {s}, {v}",
            "vpsrlq {r}, \\v7, 19",
            "vpxor {w}, {w}, {s}",
            "vpsllq {v}, \\v7, 45",
            "part3 \\a, \\h",
            "vpaddq \\v0, \\v0, {w}",
            "part0 \\d, \\f, \\g, 32 * \\n + 8",
            "vpxor {r}, {r}, {v}",
            "vpsrlq {w}, \\v7, 61",
            "vpsllq {s}, \\v7, 3",
            "part1 \\c, \\d, \\e, \\f, \\g",
            "vpsrlq {v}, \\v7, 6",
            "vpxor {w}, {w}, {s}",
            "vpxor {r}, {r}, {v}",
            "vbroadcasti128 {s}, [{constants} + 16 * \\n]",
            "part2 \\h, \\a, \\g, {y}, {x}",
            "vpxor {r}, {r}, {w}",
            "vpaddq \\v0, \\v0, {r}",
            "part3 \\h, \\g",
            "vpaddq {s}, {s}, \\v0",
            "vmovdqa [{sums} + {step} + 32 * \\n], {s}",
            ".endm",
            ".macro words i, v",
            "vmovdqu {r:x}, [{t} + 16 * \\i]",
            "vinserti128 {r}, {r}, [{u} + 16 * \\i], 1",
            "vpshufb \\v, {r}, {v}",
            "vbroadcasti128 {s}, [{x} + 16 * \\i]",
            "vpaddq {s}, {s}, \\v",
            "vmovdqa [{sums} + 32 * \\i], {s}",
            ".endm",
            "words 0, {v0}",
            "words 1, {v1}",
            "words 2, {v2}",
            "words 3, {v3}",
            "words 4, {v4}",
            "words 5, {v5}",
            "words 6, {v6}",
            "words 7, {v7}",
            ".purgem words",
            "mov [{sums} + 256 + 4 * {step}], {y}",
            "load {y}",
            "mov {x}, {b}",
            "xor {x}, {c}",
            "2:",
            "step {a}, {b}, {c}, {d}, {e}, {f}, {g}, {h}, 0, {v0}, {v1}, {v4}, {v5}, {v7}",
            "step {g}, {h}, {a}, {b}, {c}, {d}, {e}, {f}, 1, {v1}, {v2}, {v5}, {v6}, {v0}",
            "step {e}, {f}, {g}, {h}, {a}, {b}, {c}, {d}, 2, {v2}, {v3}, {v6}, {v7}, {v1}",
            "step {c}, {d}, {e}, {f}, {g}, {h}, {a}, {b}, 3, {v3}, {v4}, {v7}, {v0}, {v2}",
            "step {a}, {b}, {c}, {d}, {e}, {f}, {g}, {h}, 4, {v4}, {v5}, {v0}, {v1}, {v3}",
            "step {g}, {h}, {a}, {b}, {c}, {d}, {e}, {f}, 5, {v5}, {v6}, {v1}, {v2}, {v4}",
            "step {e}, {f}, {g}, {h}, {a}, {b}, {c}, {d}, 6, {v6}, {v7}, {v2}, {v3}, {v5}",
            "step {c}, {d}, {e}, {f}, {g}, {h}, {a}, {b}, 7, {v7}, {v0}, {v3}, {v4}, {v6}",
            "add {sums}, {step}",
            "sub {constants}, -128",
            "test {constants:e}, 511",
            "jnz 2b",
            "rounds8 0",
            "rounds8 128",
            "mov {t}, [{sums} + 256]",
            "add_to {t}",
            ".purgem step",
            ;
            step = const STEP,
            a = out(reg) _,
            b = out(reg) _,
            c = out(reg) _,
            d = out(reg) _,
            e = out(reg) _,
            f = out(reg) _,
            g = out(reg) _,
            h = out(reg) _,
            constants = inout(reg) &raw const CONSTANTS => _,
            t = inout(reg) first => _,
            u = inout(reg) second => _,
            x = inout(reg) &raw const FIRST => _,
            y = inout(reg) hash => _,
            sums = inout(reg) sums => _,
            v0 = out(ymm_reg) _,
            v1 = out(ymm_reg) _,
            v2 = out(ymm_reg) _,
            v3 = out(ymm_reg) _,
            v4 = out(ymm_reg) _,
            v5 = out(ymm_reg) _,
            v6 = out(ymm_reg) _,
            v7 = out(ymm_reg) _,
            by_8 = in(ymm_reg) by_8.0,
            r = out(ymm_reg) _,
            s = out(ymm_reg) _,
            v = inout(ymm_reg) turn.0 => _,
            w = out(ymm_reg) _,
            options(nostack)
        );
    }
}

/// Compresses the second block.
///
/// # Safety
///
/// `sums` must be the third word of a frame that [`rounds_and_words`] has filled for the same `hash`.
#[inline]
#[target_feature(enable = "bmi1,bmi2")]
unsafe fn rounds(hash: &mut [u64; 8], sums: *const u64) {
    // SAFETY: the code reads the sums, changes the chaining value, and changes only the registers that it names.
    unsafe {
        with_round!(
            "load {y}",
            "mov {x}, {b}",
            "xor {x}, {c}",
            "2:",
            "rounds8 0",
            "rounds8 128",
            "add {sums}, 256",
            "dec {left:e}",
            "jnz 2b",
            "mov {t}, [{sums} - 16]",
            "add_to {t}",
            ;
            a = out(reg) _,
            b = out(reg) _,
            c = out(reg) _,
            d = out(reg) _,
            e = out(reg) _,
            f = out(reg) _,
            g = out(reg) _,
            h = out(reg) _,
            t = out(reg) _,
            u = out(reg) _,
            x = out(reg) _,
            y = inout(reg) hash => _,
            left = inout(reg) 5 => _,
            sums = inout(reg) sums => _,
            options(nostack)
        );
    }
}
