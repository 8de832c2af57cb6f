//! SEED with AVX-512 and GFNI, constant-time: a group of sixteen blocks is in four registers,
//! and four groups are computed at once. The code of the rounds is in [`gfni`](super::gfni).
//!
//! A round computes G three times, with 11 instructions each, and 9 other instructions. These
//! are 42 instructions for sixteen blocks, of which 18 are affine maps and rotations. The
//! predicted time is 21 cycles if two instructions start in a cycle. The chain of dependent
//! instructions in a round takes 45 cycles, so four groups are interleaved.
#![allow(unsafe_code)]

use super::RoundKeys;
use super::gfni::{ODD, ROTATED, S, rounds};
use crate::cpu::Avx512;
use crate::machinery::planes::split;
use crate::machinery::sliced::sliced;

sliced!(
    USE: Avx512, RoundKeys, U8x64 as U32x16,
    4 blocks a register, 4 groups, "avx512f,avx512bw,avx512vl,avx512vbmi,gfni,vpclmulqdq"
);
split!(from 2 blocks);
rounds!("avx512f,avx512bw,avx512vl,avx512vbmi,gfni" USE, quick_g for one group);

/// [`ROTATED`], where the rotated word has the bytes with an even index.
const OF_EVEN: [u32; 4] = of(!ODD);

/// [`ROTATED`], where the rotated word has the bytes with an odd index.
const OF_ODD: [u32; 4] = of(ODD);

/// [`ROTATED`], where the rotated word has these bytes.
const fn of(bytes: u32) -> [u32; 4] {
    let mut masks = ROTATED;
    let mut n = 0;
    while n < 4 {
        masks[n] &= bytes.rotate_right(8 * n as u32);
        n += 1;
    }
    masks
}

/// The function of three bits a XOR (b AND c).
const XOR_AND: i32 = 0x78;

/// Computes the function G, [RFC4269](super) §2.2.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,gfni")]
fn g(x: Lanes) -> Lanes {
    /// The function of three bits a, b and c that gives b where a is 1, and c where a is 0.
    const CHOICE: i32 = 0xca;
    const AND: i32 = 0xc0;
    let [even, odd] = both(x);
    let y = Lanes::splat(ODD).ternary::<CHOICE>(odd, even);
    let mask = |n: usize| Lanes::splat(ROTATED[n]);
    y.ternary::<AND>(mask(0), mask(0))
        .ternary::<XOR_AND>(y.rotate_right::<8>(), mask(1))
        .ternary::<XOR_AND>(y.rotate_right::<16>(), mask(2))
        .ternary::<XOR_AND>(y.rotate_right::<24>(), mask(3))
}

/// [`g`] with 19 instructions and a shorter chain: five instructions follow each other after the S-boxes
/// there, and four here. The outputs of both S-boxes are rotated, and the
/// masks also choose between them.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,gfni")]
fn quick_g(x: Lanes) -> Lanes {
    let [even, odd] = both(x);
    let of_even = |n: usize| Lanes::splat(OF_EVEN[n]);
    let of_odd = |n: usize| Lanes::splat(OF_ODD[n]);
    let first = even.and(of_even(0)).ternary::<XOR_AND>(odd, of_odd(0));
    let [even_1, odd_1] = [even.rotate_right::<8>(), odd.rotate_right::<8>()];
    let [even_2, odd_2] = [even.rotate_right::<16>(), odd.rotate_right::<16>()];
    let [even_3, odd_3] = [even.rotate_right::<24>(), odd.rotate_right::<24>()];
    let second = first.xor3(even_1.and(of_even(1)), odd_1.and(of_odd(1)));
    let third = even_2.and(of_even(2)).ternary::<XOR_AND>(odd_2, of_odd(2));
    let fourth = even_3.and(of_even(3)).ternary::<XOR_AND>(odd_3, of_odd(3));
    second.xor3(third, fourth)
}

/// Returns the outputs of both S-boxes for each byte.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,gfni")]
fn both(x: Lanes) -> [Lanes; 2] {
    let x = Bytes::from(x).affine(S[0].before.matrix);
    let even = x.inverse_affine_plus::<{ S[0].after.constant }>(S[0].after.matrix);
    let odd = x.inverse_affine_plus::<{ S[1].after.constant }>(S[1].after.matrix);
    [even.into(), odd.into()]
}
