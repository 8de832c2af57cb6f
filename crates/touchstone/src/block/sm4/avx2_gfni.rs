//! SM4 with AVX2 and GFNI, constant-time: a group of eight blocks is in four registers, and up to four
//! groups are computed at once ([`sliced`](crate::machinery::sliced)). The rounds are in
//! [`gfni`](super::gfni).
//!
//! A round has 14 instructions for eight blocks. In planes of bytes it has 13, but a longer chain, and 16
//! blocks fill only half of them.
#![allow(unsafe_code)]

use super::RoundKeys;
use super::gfni::{AFTER, BASIS, in_words};
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
split!(from 5 blocks);
in_words!("avx2,gfni");

/// Each rotation to the left, of words whose first byte in memory is the highest.
const PLACES: [[u8; 16]; 4] = rotations(3, 1);

#[inline]
#[target_feature(enable = "avx2,gfni")]
fn to_basis(x: Bytes) -> Bytes {
    x.affine(BASIS[0])
}

#[inline]
#[target_feature(enable = "avx2,gfni")]
fn from_basis(x: Bytes) -> Bytes {
    x.affine(BASIS[1])
}

/// Computes T, [SM4](super) §2, of a sum of words and a key. The image w is added three times, so it
/// brings the constant.
#[inline]
#[target_feature(enable = "avx2,gfni")]
fn t(x: Lanes) -> Lanes {
    // The compiler would make two shuffles of the rotation by two bytes, if it knew the places.
    let turned = |x: Bytes, n: usize| x.shuffle(Bytes::splat(U8x16::load(&again(&PLACES)[n])));
    let x = Bytes::from(x);
    let t = x.inverse_affine_plus::<0>(AFTER[0].matrix);
    let w = x.inverse_affine_plus::<{ AFTER[0].constant }>(AFTER[2].matrix);
    let far = turned(w, 2).xor(turned(w, 3));
    turned(t, 1).xor(t.xor(w)).xor(far).into()
}
