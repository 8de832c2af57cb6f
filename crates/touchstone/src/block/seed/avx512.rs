//! SEED with AVX-512 and GFNI, constant-time: a group of sixteen blocks is in four registers,
//! and four groups are computed at once. The code of the rounds is in [`gfni`](super::gfni).
//!
//! A round computes G three times, with 11 instructions each, and 9 other instructions. These
//! are 42 instructions for sixteen blocks, of which 18 are affine maps and rotations. The
//! predicted time is 21 cycles if two instructions start in a cycle. The chain of dependent
//! instructions in a round takes 45 cycles, so four groups are interleaved.
#![allow(unsafe_code)]

use super::RoundKeys;
use super::gfni::{ROTATED, S, rounds};
use crate::cpu::Avx512;
use crate::machinery::planes::split;
use crate::machinery::sliced::sliced;

sliced!(
    USE: Avx512, RoundKeys, U8x64 as U32x16,
    4 blocks a register, 4 groups, "avx512f,avx512bw,avx512vl,avx512vbmi,gfni,vpclmulqdq"
);
split!(from 2 blocks);
rounds!("avx512f,avx512bw,avx512vl,avx512vbmi,gfni" USE);

/// Computes the function G, [RFC4269](super) §2.2.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,gfni")]
fn g(x: Lanes) -> Lanes {
    /// The function of three bits a, b and c that gives b where a is 1, and c where a is 0.
    const CHOICE: i32 = 0xca;
    const AND: i32 = 0xc0;
    /// The function of three bits a XOR (b AND c).
    const XOR_AND: i32 = 0x78;
    let x = Bytes::from(x).affine(S[0].before.matrix);
    let even = x.inverse_affine_plus::<{ S[0].after.constant }>(S[0].after.matrix);
    let odd = x.inverse_affine_plus::<{ S[1].after.constant }>(S[1].after.matrix);
    let (even, odd) = (Lanes::from(even), Lanes::from(odd));
    let y = Lanes::splat(0xff00_ff00).ternary::<CHOICE>(odd, even);
    let mask = |n: usize| Lanes::splat(ROTATED[n]);
    y.ternary::<AND>(mask(0), mask(0))
        .ternary::<XOR_AND>(y.rotate_right::<8>(), mask(1))
        .ternary::<XOR_AND>(y.rotate_right::<16>(), mask(2))
        .ternary::<XOR_AND>(y.rotate_right::<24>(), mask(3))
}
