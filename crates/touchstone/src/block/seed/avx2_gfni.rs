//! SEED with AVX2 and GFNI, constant-time: a group of eight blocks is in four registers, and four
//! groups are computed at once. The code of the rounds is in [`gfni`](super::gfni).
//!
//! A round computes G three times, with 16 instructions each, because AVX2 has no function of three
//! bits and no rotation, and 9 other instructions: 57 for eight blocks.
#![allow(unsafe_code)]

use super::RoundKeys;
use super::gfni::{ODD, ROTATED, S, rounds};
use crate::cpu::Gfni;
use crate::machinery::field::rotations;
use crate::machinery::planes::split;
use crate::machinery::sliced::sliced;
use crate::machinery::unknown::again;
use crate::simd::U8x16;

sliced!(
    Gfni, RoundKeys, U8x32 as U32x8,
    2 blocks a register, 4 groups, "avx2,gfni"
);
split!(from 2 blocks);
rounds!("avx2,gfni", g for one group);

/// Computes the function G, [RFC4269](super) §2.2.
#[inline]
#[target_feature(enable = "avx2,gfni")]
fn g(x: Lanes) -> Lanes {
    /// A rotation of each word by 0 to 3 bytes to the right.
    const PLACES: [[u8; 16]; 4] = rotations(1, 1);
    let x = Bytes::from(x).affine(S[0].before.matrix);
    let even = x.inverse_affine_plus::<{ S[0].after.constant }>(S[0].after.matrix);
    let odd = x.inverse_affine_plus::<{ S[1].after.constant }>(S[1].after.matrix);
    let mask = |mask: u32| Bytes::from(Lanes::splat(mask));
    let y = even.xor(even.xor(odd).and(mask(ODD)));
    let part = |n: usize| {
        // The compiler would make two shuffles of the rotation by two bytes, if it knew the places.
        let places = Bytes::splat(U8x16::load(&again(&PLACES)[n]));
        y.shuffle(places).and(mask(ROTATED[n]))
    };
    let first = y.and(mask(ROTATED[0])).xor(part(1));
    first.xor(part(2).xor(part(3))).into()
}
