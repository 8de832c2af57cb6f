//! The S-boxes as circuits of two levels, and a linear transformation of few levels, for processors
//! whose vector instructions take two cycles.
//!
//! An output is a ternary gate of inputs, of gates with two inputs, and of one ternary gate at
//! most. On Zen 5 every gate takes two cycles, but a `vpternlog` takes three if another
//! `vpternlog` computes its second or third operand. So here only first operands are ternary
//! gates, and every box takes four cycles. The [circuits with the fewest gates](super::ternary)
//! have three to five levels.
//!
//! S0 to S7 have 11, 11, 10, 11, 10, 10, 11 and 12 gates, together 86; the inverses have 11, 11,
//! 10, 12, 10, 10, 11 and 11. The search listed for each output all sets of gates that are enough
//! for this output, and then found the smallest union of four such sets. The complements are the
//! same as in the [binary circuits](super::binary), so that all circuits use the same round keys.

use super::RoundKeys;
use super::rounds::rounds;
use crate::simd::U32x16;

rounds!(pub(super) U32x16, "avx512f");

/// Computes the linear transformation, [SERPENT](super) §3, and the addition of a key. The words
/// are rotated before they are added, so that fewer instructions wait for the sums.
#[inline]
#[target_feature(enable = "avx512f")]
fn linear([x0, x1, x2, x3]: [U32x16; 4], key: [U32x16; 4]) -> [U32x16; 4] {
    // A shift by 3 between two rotations is a rotation that loses these bits.
    let kept = U32x16::splat((u32::MAX << 3).rotate_left(7));
    let x2_by_10 = x2.rotate_left::<10>();
    let y1 = x1
        .rotate_left::<1>()
        .xor3(x0.rotate_left::<14>(), x2.rotate_left::<4>());
    let u = x3
        .rotate_left::<7>()
        .ternary::<0x78>(x0.rotate_left::<23>(), kept);
    let y3 = u.xor3(x2_by_10, key[3]);
    let y0 = x0.rotate_left::<13>().xor3(x2_by_10, key[0]).xor3(y1, u);
    let y2 = x2
        .rotate_left::<3>()
        .xor3(x2_by_10, key[2])
        .xor3(u, y1.shift_left::<7>());
    [
        y0.rotate_left::<5>(),
        y1.xor(key[1]),
        y2.rotate_left::<22>(),
        y3,
    ]
}

/// Computes the inverse of [`linear`]. The words of the key are put together first, so that each
/// word of the state waits for one addition of them.
#[inline]
#[target_feature(enable = "avx512f")]
fn linear_inverse([x0, x1, x2, x3]: [U32x16; 4], key: [U32x16; 4]) -> [U32x16; 4] {
    let key_0 = key[0].xor3(key[1], key[3]);
    let key_2 = key[2].xor3(key[3], key[1].shift_left::<7>());
    let y2 = x2
        .rotate_left::<10>()
        .xor3(x3.xor(key_2), x1.shift_left::<7>());
    let y0 = x1.xor3(x3, key_0).xor(x0.rotate_left::<27>());
    let y1 = x1
        .rotate_left::<31>()
        .xor(key[1].rotate_left::<31>())
        .xor3(y0, y2);
    let y3 = x3
        .rotate_left::<25>()
        .xor(key[3].rotate_left::<25>())
        .xor3(y2, y0.shift_left::<3>());
    [y0.rotate_left::<19>(), y1, y2.rotate_left::<29>(), y3]
}

#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn s0([x0, x1, x2, x3]: [U32x16; 4]) -> [U32x16; 4] {
    let g0 = x2.or(x3);
    let g1 = x1.xor(x3);
    let g2 = x1.ternary::<0xe9>(x0, x2);
    let g3 = x0.and_not(x3);
    let g4 = x1.ternary::<0x7c>(x0, x2);
    let g5 = x2.and_not(x3);
    let g6 = x1.ternary::<0x64>(x0, x2);
    let g7 = g2.ternary::<0xa6>(g0, g1);
    let g8 = g4.ternary::<0x98>(g3, g5);
    let g9 = g6.ternary::<0x94>(g1, g5);
    let g10 = g1.ternary::<0x96>(g3, x2);
    [g7, g8, g9, g10]
}

#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn s1([x0, x1, x2, x3]: [U32x16; 4]) -> [U32x16; 4] {
    let g0 = x0.xor(x2);
    let g1 = x1.ternary::<0xe9>(x3, x2);
    let g2 = x0.or(x3);
    let g3 = x1.ternary::<0x29>(x3, x2);
    let g4 = x1.and_not(x0);
    let g5 = x3.and_not(x2);
    let g6 = x1.ternary::<0x85>(x3, x2);
    let g7 = g6.ternary::<0x2d>(g5, x0);
    let g8 = g1.ternary::<0x6c>(g0, g2);
    let g9 = g0.ternary::<0x96>(g4, x3);
    let g10 = g3.ternary::<0x26>(g2, g4);
    [g7, g8, g9, g10]
}

#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn s2([x0, x1, x2, x3]: [U32x16; 4]) -> [U32x16; 4] {
    let g0 = x1.or(x2);
    let g1 = x0.and_not(x1);
    let g2 = x3.ternary::<0x68>(x0, x2);
    let g3 = x1.ternary::<0x21>(x0, x2);
    let g4 = x0.xor(x3);
    let g5 = x1.ternary::<0x6e>(x0, x2);
    let g6 = g3.ternary::<0x29>(g1, x3);
    let g7 = g2.ternary::<0x26>(g0, g1);
    let g8 = g3.ternary::<0xc9>(g0, g4);
    let g9 = g5.ternary::<0xd2>(x1, x3);
    [g6, g7, g8, g9]
}

#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn s3([x0, x1, x2, x3]: [U32x16; 4]) -> [U32x16; 4] {
    let g0 = x0.and(x1);
    let g1 = x1.ternary::<0x29>(x3, x0);
    let g2 = x1.ternary::<0xe3>(x3, x0);
    let g3 = x3.and_not(x0);
    let g4 = x2.and_not(x0);
    let g5 = x1.ternary::<0x7c>(x0, x2);
    let g6 = x1.ternary::<0x70>(x3, x2);
    let g7 = g6.ternary::<0x1e>(g3, g4);
    let g8 = g2.ternary::<0xe1>(g3, x2);
    let g9 = g1.ternary::<0x2d>(g0, x2);
    let g10 = g5.ternary::<0xd2>(g4, x3);
    [g7, g8, g9, g10]
}

#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn s4([x0, x1, x2, x3]: [U32x16; 4]) -> [U32x16; 4] {
    let g0 = x1.ternary::<0x94>(x3, x2);
    let g1 = x0.xor(x2);
    let g2 = x1.and_not(x0);
    let g3 = x0.xor(x3);
    let g4 = x0.or(x2);
    let g5 = x3.ternary::<0x95>(x0, x2);
    let g6 = g5.ternary::<0x87>(g3, x1);
    let g7 = g0.ternary::<0xd2>(g3, g4);
    let g8 = g0.ternary::<0x36>(g1, g2);
    let g9 = g5.ternary::<0xc9>(g3, x1);
    [g6, g7, g8, g9]
}

#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn s5([x0, x1, x2, x3]: [U32x16; 4]) -> [U32x16; 4] {
    let g0 = x1.and(x3);
    let g1 = x1.xor(x2);
    let g2 = x3.ternary::<0x68>(x0, x2);
    let g3 = x0.xor(x1);
    let g4 = x2.and_not(x0);
    let g5 = x1.ternary::<0x9a>(x0, x2);
    let g6 = g5.ternary::<0x1e>(g3, x3);
    let g7 = g5.ternary::<0x72>(g3, x3);
    let g8 = g2.ternary::<0x56>(g0, g1);
    let g9 = g2.ternary::<0xb4>(g3, g4);
    [g6, g7, g8, g9]
}

#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn s6([x0, x1, x2, x3]: [U32x16; 4]) -> [U32x16; 4] {
    let g0 = x0.and_not(x3);
    let g1 = x0.and(x1);
    let g2 = x1.ternary::<0x6b>(x3, x2);
    let g3 = x1.ternary::<0x86>(x3, x2);
    let g4 = x0.xor(x2);
    let g5 = x0.and_not(x1);
    let g6 = x1.ternary::<0x43>(x3, x2);
    let g7 = g2.ternary::<0x63>(g0, g1);
    let g8 = g0.ternary::<0x96>(g4, x1);
    let g9 = g3.ternary::<0x36>(g4, g5);
    let g10 = g6.ternary::<0x2d>(g1, g4);
    [g7, g8, g9, g10]
}

#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn s7([x0, x1, x2, x3]: [U32x16; 4]) -> [U32x16; 4] {
    let g0 = x2.xor(x3);
    let g1 = x1.ternary::<0x86>(x3, x0);
    let g2 = x2.and_not(x1);
    let g3 = x1.ternary::<0xe7>(x0, x2);
    let g4 = x0.and_not(x1);
    let g5 = x0.xor(x3);
    let g6 = x1.and_not(x2);
    let g7 = x1.ternary::<0xe9>(x0, x2);
    let g8 = g3.ternary::<0x47>(g0, g4);
    let g9 = g3.ternary::<0x47>(g5, g6);
    let g10 = g1.ternary::<0x36>(g0, g2);
    let g11 = g7.ternary::<0x4b>(x0, x3);
    [g8, g9, g10, g11]
}

#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn s0_inverse([x0, x1, x2, x3]: [U32x16; 4]) -> [U32x16; 4] {
    let g0 = x3.ternary::<0x61>(x0, x2);
    let g1 = x1.xor(x2);
    let g2 = x1.and(x3);
    let g3 = x0.and(x1);
    let g4 = x3.ternary::<0x6d>(x0, x2);
    let g5 = x2.or(x3);
    let g6 = x3.ternary::<0xe3>(x0, x2);
    let g7 = g0.ternary::<0xc9>(g1, g2);
    let g8 = g6.ternary::<0x87>(g5, x1);
    let g9 = g1.ternary::<0x96>(g3, x3);
    let g10 = g4.ternary::<0x65>(g2, g3);
    [g7, g8, g9, g10]
}

#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn s1_inverse([x0, x1, x2, x3]: [U32x16; 4]) -> [U32x16; 4] {
    let g0 = x0.xor(x1);
    let g1 = x3.ternary::<0x94>(x0, x2);
    let g2 = x1.and_not(x2);
    let g3 = x1.and(x2);
    let g4 = x3.ternary::<0xc2>(x0, x2);
    let g5 = x1.and_not(x3);
    let g6 = x3.ternary::<0xda>(x0, x2);
    let g7 = g1.ternary::<0x9c>(g0, g2);
    let g8 = g4.ternary::<0x56>(g3, g5);
    let g9 = g6.ternary::<0xb4>(g0, g3);
    let g10 = g0.ternary::<0x96>(g5, x2);
    [g7, g8, g9, g10]
}

#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn s2_inverse([x0, x1, x2, x3]: [U32x16; 4]) -> [U32x16; 4] {
    let g0 = x0.xor(x2);
    let g1 = x3.ternary::<0xb3>(x1, x0);
    let g2 = x2.or(x3);
    let g3 = x3.ternary::<0x26>(x1, x0);
    let g4 = x0.xor(x3);
    let g5 = x1.ternary::<0xc1>(x0, x2);
    let g6 = g0.ternary::<0x4e>(g4, x1);
    let g7 = g1.ternary::<0x2d>(g0, g2);
    let g8 = g3.ternary::<0x78>(g0, g2);
    let g9 = g5.ternary::<0x87>(g2, g4);
    [g6, g7, g8, g9]
}

#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn s3_inverse([x0, x1, x2, x3]: [U32x16; 4]) -> [U32x16; 4] {
    let g0 = x2.and_not(x0);
    let g1 = x1.and_not(x0);
    let g2 = x3.ternary::<0xd6>(x1, x2);
    let g3 = x3.ternary::<0x42>(x1, x2);
    let g4 = x0.xor(x3);
    let g5 = x2.and_not(x1);
    let g6 = x3.and_not(x2);
    let g7 = x0.xor(x1);
    let g8 = g2.ternary::<0xd2>(g7, x3);
    let g9 = g2.ternary::<0x98>(g0, g1);
    let g10 = g3.ternary::<0x74>(g4, g5);
    let g11 = g3.ternary::<0x72>(g6, g7);
    [g8, g9, g10, g11]
}

#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn s4_inverse([x0, x1, x2, x3]: [U32x16; 4]) -> [U32x16; 4] {
    let g0 = x0.and(x3);
    let g1 = x3.ternary::<0xb6>(x0, x2);
    let g2 = x0.and_not(x1);
    let g3 = x3.ternary::<0x7c>(x1, x0);
    let g4 = x3.ternary::<0x92>(x0, x2);
    let g5 = x3.ternary::<0x64>(x1, x0);
    let g6 = g1.ternary::<0x1e>(g0, x1);
    let g7 = g4.ternary::<0x78>(x0, x1);
    let g8 = g3.ternary::<0x1e>(g2, x2);
    let g9 = g5.ternary::<0xb4>(x2, x3);
    [g6, g7, g8, g9]
}

#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn s5_inverse([x0, x1, x2, x3]: [U32x16; 4]) -> [U32x16; 4] {
    let g0 = x3.ternary::<0x6d>(x1, x0);
    let g1 = x0.and(x1);
    let g2 = x3.ternary::<0x9b>(x0, x2);
    let g3 = x0.and(x3);
    let g4 = x3.ternary::<0x5b>(x1, x0);
    let g5 = x1.ternary::<0x97>(x0, x2);
    let g6 = g4.ternary::<0x2d>(x1, x2);
    let g7 = g0.ternary::<0x2d>(g1, x2);
    let g8 = g2.ternary::<0xe1>(g3, x1);
    let g9 = g5.ternary::<0x2d>(x0, x3);
    [g6, g7, g8, g9]
}

#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn s6_inverse([x0, x1, x2, x3]: [U32x16; 4]) -> [U32x16; 4] {
    let g0 = x1.and(x3);
    let g1 = x2.xor(x3);
    let g2 = x1.ternary::<0x9d>(x0, x2);
    let g3 = x1.ternary::<0x29>(x0, x2);
    let g4 = x3.and_not(x1);
    let g5 = x3.ternary::<0xad>(x1, x0);
    let g6 = x3.ternary::<0x96>(x1, x2);
    let g7 = g2.ternary::<0x65>(g0, g1);
    let g8 = g6.ternary::<0xb4>(x0, x2);
    let g9 = g5.ternary::<0x2d>(g4, x2);
    let g10 = g3.ternary::<0x63>(g1, g4);
    [g7, g8, g9, g10]
}

#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn s7_inverse([x0, x1, x2, x3]: [U32x16; 4]) -> [U32x16; 4] {
    let g0 = x3.ternary::<0x9e>(x0, x2);
    let g1 = x2.and(x3);
    let g2 = x3.ternary::<0x89>(x1, x2);
    let g3 = x1.and_not(x3);
    let g4 = x3.ternary::<0x46>(x0, x2);
    let g5 = x0.and_not(x3);
    let g6 = x1.ternary::<0xd5>(x0, x2);
    let g7 = g2.ternary::<0xe1>(g3, x0);
    let g8 = g0.ternary::<0xd2>(g1, x1);
    let g9 = g4.ternary::<0x1e>(g5, x1);
    let g10 = g6.ternary::<0xe1>(g3, g5);
    [g7, g8, g9, g10]
}
