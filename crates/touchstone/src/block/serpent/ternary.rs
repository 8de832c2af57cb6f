//! The S-boxes as circuits of gates with three inputs. One instruction `vpternlog` computes any
//! function of three inputs. S0 to S7 have 7, 7, 7, 8, 7, 7, 7 and 8 gates, together 58; the
//! inverses have as many gates.
//!
//! A search found the circuits. If one gate can compute an output from the signals so far, the
//! search adds this gate. Otherwise the search tries every function of three signals as an
//! auxiliary signal. A circuit of seven gates has three auxiliary signals, a circuit of eight
//! gates has four. The complements are the same as in the [binary circuits](super::binary), so
//! that both sets of circuits use the same round keys.

use super::RoundKeys;
use super::rounds::{linear, rounds};
use crate::simd::U32x16;

linear!(U32x16, "avx512f");
rounds!(pub(super) U32x16, "avx512f");

#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn s0([x0, x1, x2, x3]: [U32x16; 4]) -> [U32x16; 4] {
    let g0 = x0.ternary::<0x69>(x2, x3);
    let g1 = x0.ternary::<0xb8>(x1, x3);
    let g2 = x1.ternary::<0x78>(x2, g1);
    let g3 = g0.ternary::<0x2b>(g1, g2);
    let g4 = g0.ternary::<0xe8>(g1, g2);
    let g5 = x0.ternary::<0x96>(x3, g2);
    let g6 = g0.ternary::<0x65>(g1, g2);
    [g3, g4, g5, g6]
}

#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn s1([x0, x1, x2, x3]: [U32x16; 4]) -> [U32x16; 4] {
    let g0 = x0.ternary::<0x69>(x1, x3);
    let g1 = x0.ternary::<0xa9>(x1, x2);
    let g2 = x0.ternary::<0x99>(x3, g1);
    let g3 = x0.ternary::<0x72>(x1, x3);
    let g4 = g0.ternary::<0x17>(g1, g3);
    let g5 = g0.ternary::<0xb4>(g1, g3);
    let g6 = g0.ternary::<0x2d>(g1, g3);
    [g4, g5, g2, g6]
}

#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn s2([x0, x1, x2, x3]: [U32x16; 4]) -> [U32x16; 4] {
    let g0 = x0.ternary::<0x49>(x1, x2);
    let g1 = x1.ternary::<0xa9>(x3, g0);
    let g2 = x0.ternary::<0x95>(x2, x3);
    let g3 = x1.ternary::<0x69>(x2, g2);
    let g4 = x0.ternary::<0xc6>(x1, x3);
    let g5 = g1.ternary::<0xc9>(g2, g4);
    let g6 = g0.ternary::<0x93>(g2, g4);
    [g3, g5, g6, g1]
}

#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn s3([x0, x1, x2, x3]: [U32x16; 4]) -> [U32x16; 4] {
    let g0 = x0.ternary::<0x81>(x1, x3);
    let g1 = x0.ternary::<0x35>(x1, x3);
    let g2 = x1.ternary::<0xbe>(x2, g1);
    let g3 = x3.ternary::<0x56>(g0, g2);
    let g4 = x0.ternary::<0x6c>(x2, g3);
    let g5 = g0.ternary::<0x96>(g2, g4);
    let g6 = x1.ternary::<0x59>(g1, g4);
    let g7 = g1.ternary::<0x87>(g5, g6);
    [g7, g5, g6, g3]
}

#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn s4([x0, x1, x2, x3]: [U32x16; 4]) -> [U32x16; 4] {
    let g0 = x0.ternary::<0x69>(x1, x3);
    let g1 = x1.ternary::<0x93>(x2, g0);
    let g2 = x0.ternary::<0x95>(x3, g1);
    let g3 = x1.ternary::<0xc9>(g0, g2);
    let g4 = x2.ternary::<0x68>(x3, g0);
    let g5 = x1.ternary::<0x56>(x3, g4);
    let g6 = g0.ternary::<0x26>(g1, g4);
    [g2, g5, g6, g3]
}

#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn s5([x0, x1, x2, x3]: [U32x16; 4]) -> [U32x16; 4] {
    let g0 = x0.ternary::<0x9a>(x1, x2);
    let g1 = x1.ternary::<0x4b>(x3, g0);
    let g2 = x0.ternary::<0x69>(g0, g1);
    let g3 = x3.ternary::<0x6c>(g0, g2);
    let g4 = x0.ternary::<0xc1>(g0, g1);
    let g5 = x0.ternary::<0x66>(x3, g4);
    let g6 = g1.ternary::<0x4b>(g3, g5);
    [g3, g2, g6, g5]
}

#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn s6([x0, x1, x2, x3]: [U32x16; 4]) -> [U32x16; 4] {
    let g0 = x0.ternary::<0x69>(x1, x3);
    let g1 = x0.ternary::<0x66>(x2, g0);
    let g2 = x0.ternary::<0xa9>(x3, g1);
    let g3 = x0.ternary::<0xe4>(x3, g1);
    let g4 = x1.ternary::<0x93>(g1, g3);
    let g5 = g0.ternary::<0x4e>(g3, g4);
    let g6 = g0.ternary::<0x8d>(g3, g4);
    [g5, g2, g6, g4]
}

#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn s7([x0, x1, x2, x3]: [U32x16; 4]) -> [U32x16; 4] {
    let g0 = x0.ternary::<0x24>(x1, x3);
    let g1 = x0.ternary::<0xe1>(x1, x3);
    let g2 = x2.ternary::<0xc2>(x3, g1);
    let g3 = x0.ternary::<0x65>(x1, g2);
    let g4 = x1.ternary::<0xcb>(x2, g1);
    let g5 = x0.ternary::<0xe9>(g0, g4);
    let g6 = g1.ternary::<0x87>(g3, g5);
    let g7 = g1.ternary::<0x65>(g2, g4);
    [g3, g6, g5, g7]
}

#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn s0_inverse([x0, x1, x2, x3]: [U32x16; 4]) -> [U32x16; 4] {
    let g0 = x0.ternary::<0x93>(x1, x3);
    let g1 = x0.ternary::<0xd2>(x2, g0);
    let g2 = x0.ternary::<0xe4>(x2, g0);
    let g3 = x3.ternary::<0x69>(g1, g2);
    let g4 = g0.ternary::<0x2d>(g2, g3);
    let g5 = g1.ternary::<0x87>(g3, g4);
    let g6 = g1.ternary::<0x6c>(g2, g4);
    [g5, g6, g3, g4]
}

#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn s1_inverse([x0, x1, x2, x3]: [U32x16; 4]) -> [U32x16; 4] {
    let g0 = x0.ternary::<0xb2>(x1, x3);
    let g1 = x2.ternary::<0x6c>(x3, g0);
    let g2 = x0.ternary::<0x78>(x1, x3);
    let g3 = x1.ternary::<0x9c>(g1, g2);
    let g4 = x0.ternary::<0x66>(x2, g2);
    let g5 = g0.ternary::<0x96>(g3, g4);
    let g6 = g2.ternary::<0x1e>(g3, g5);
    [g3, g5, g6, g4]
}

#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn s2_inverse([x0, x1, x2, x3]: [U32x16; 4]) -> [U32x16; 4] {
    let g0 = x1.ternary::<0x74>(x2, x3);
    let g1 = x1.ternary::<0x2d>(x2, x3);
    let g2 = x1.ternary::<0x4e>(x2, x3);
    let g3 = x0.ternary::<0x96>(g0, g2);
    let g4 = x0.ternary::<0x93>(g1, g2);
    let g5 = x0.ternary::<0xc9>(g1, g2);
    let g6 = g2.ternary::<0x78>(g3, g5);
    [g3, g4, g5, g6]
}

#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn s3_inverse([x0, x1, x2, x3]: [U32x16; 4]) -> [U32x16; 4] {
    let g0 = x0.ternary::<0x28>(x2, x3);
    let g1 = x0.ternary::<0x56>(x2, x3);
    let g2 = x0.ternary::<0xc1>(x1, g1);
    let g3 = x2.ternary::<0x59>(x3, g2);
    let g4 = x1.ternary::<0x79>(x2, g1);
    let g5 = g1.ternary::<0xa6>(g2, g4);
    let g6 = x0.ternary::<0xa9>(g0, g4);
    let g7 = g1.ternary::<0x78>(g3, g6);
    [g5, g6, g7, g3]
}

#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn s4_inverse([x0, x1, x2, x3]: [U32x16; 4]) -> [U32x16; 4] {
    let g0 = x0.ternary::<0x92>(x2, x3);
    let g1 = x1.ternary::<0x1e>(x2, g0);
    let g2 = x0.ternary::<0x76>(x3, g1);
    let g3 = x0.ternary::<0x6a>(g0, g2);
    let g4 = x0.ternary::<0x6c>(g1, g3);
    let g5 = x2.ternary::<0x96>(g2, g4);
    let g6 = g0.ternary::<0x78>(g1, g3);
    [g4, g5, g6, g3]
}

#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn s5_inverse([x0, x1, x2, x3]: [U32x16; 4]) -> [U32x16; 4] {
    let g0 = x0.ternary::<0x9c>(x2, x3);
    let g1 = x0.ternary::<0x98>(x1, g0);
    let g2 = x0.ternary::<0x66>(x3, g1);
    let g3 = x0.ternary::<0x78>(x1, g2);
    let g4 = x1.ternary::<0x96>(g0, g3);
    let g5 = g0.ternary::<0xb4>(g2, g3);
    let g6 = g3.ternary::<0xb4>(g4, g5);
    [g4, g5, g6, g2]
}

#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn s6_inverse([x0, x1, x2, x3]: [U32x16; 4]) -> [U32x16; 4] {
    let g0 = x0.ternary::<0xe4>(x2, x3);
    let g1 = x0.ternary::<0x56>(x2, x3);
    let g2 = x0.ternary::<0x66>(x1, g1);
    let g3 = x1.ternary::<0xca>(g0, g1);
    let g4 = x0.ternary::<0x96>(x2, g3);
    let g5 = g0.ternary::<0x96>(g2, g4);
    let g6 = g1.ternary::<0x78>(g4, g5);
    [g4, g2, g6, g5]
}

#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn s7_inverse([x0, x1, x2, x3]: [U32x16; 4]) -> [U32x16; 4] {
    let g0 = x0.ternary::<0xa2>(x2, x3);
    let g1 = x0.ternary::<0xe1>(x2, x3);
    let g2 = x0.ternary::<0x27>(x2, x3);
    let g3 = x1.ternary::<0x63>(g1, g2);
    let g4 = x1.ternary::<0x1a>(x3, g2);
    let g5 = x0.ternary::<0x56>(g1, g4);
    let g6 = g0.ternary::<0x69>(g3, g4);
    let g7 = g2.ternary::<0x87>(g5, g6);
    [g3, g5, g6, g7]
}
