//! The S-boxes as circuits of gates with three inputs: any function of three signals.
//! 228 gates in all, for S1 to S8: 30 29 28 27 29 29 28 28.
//!
//! Written by `cargo xtask sboxes`, which has the search; not by hand.

/// Which outputs of S1 to S8 come as their complements, the first output the
/// highest bit.
#[rustfmt::skip]
pub(super) const COMPLEMENTS: [u8; 8] = [0b0000, 0b0000, 0b0000, 0b0000, 0b0000, 0b0000, 0b0000, 0b0000];

use crate::simd::U64x8;

#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn s1(x: [U64x8; 6]) -> [U64x8; 4] {
    let [x0, x1, x2, x3, x4, x5] = x;
    let g1 = x4.ternary::<0x96>(x2, x5);
    let g3 = x3.ternary::<0xb4>(x4, g1);
    let g0 = x2.ternary::<0xe0>(x4, x5);
    let g2 = x3.ternary::<0xac>(g1, g0);
    let g4 = x0.ternary::<0xac>(g3, g2);
    let g5 = x5.ternary::<0x9b>(g3, x0);
    let g6 = g5.ternary::<0x56>(x2, g2);
    let g7 = g1.ternary::<0xa3>(x0, g5);
    let g8 = x2.ternary::<0xac>(g6, g7);
    let g9 = x1.ternary::<0xac>(g4, g8);
    let g13 = x3.ternary::<0xfd>(x5, g5);
    let g14 = g13.ternary::<0x9e>(x1, g7);
    let g10 = g2.ternary::<0x1e>(x5, x0);
    let g11 = g8.ternary::<0x53>(g1, g10);
    let g15 = g11.ternary::<0xa5>(g8, x1);
    let g16 = x2.ternary::<0xac>(g14, g15);
    let g12 = x1.ternary::<0xac>(g11, g10);
    let g17 = x4.ternary::<0xac>(g16, g12);
    let g19 = g8.ternary::<0x71>(g2, g16);
    let g18 = g10.ternary::<0x18>(g8, x0);
    let g20 = g1.ternary::<0xac>(g19, g18);
    let g21 = x0.ternary::<0x24>(x5, g16);
    let g22 = g21.ternary::<0x59>(g5, x2);
    let g23 = x1.ternary::<0xac>(g20, g22);
    let g24 = g23.ternary::<0x43>(g17, x4);
    let g25 = g24.ternary::<0x96>(x1, g9);
    let g26 = g5.ternary::<0x2e>(g21, g10);
    let g27 = g18.ternary::<0xd9>(x0, g15);
    let g28 = g14.ternary::<0xac>(g26, g27);
    let g29 = x5.ternary::<0xac>(g25, g28);
    [g29, g23, g17, g9]
}

#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn s2(x: [U64x8; 6]) -> [U64x8; 4] {
    let [x0, x1, x2, x3, x4, x5] = x;
    let g0 = x3.ternary::<0x91>(x4, x0);
    let g1 = x4.ternary::<0x9a>(g0, x0);
    let g3 = g0.ternary::<0x1b>(g1, x3);
    let g2 = x2.ternary::<0xac>(g1, g0);
    let g4 = x1.ternary::<0xac>(g3, g2);
    let g5 = x4.ternary::<0x93>(x1, x3);
    let g6 = g5.ternary::<0x9a>(x2, g3);
    let g7 = x5.ternary::<0xac>(g4, g6);
    let g8 = x2.ternary::<0x96>(g1, g5);
    let g9 = x0.ternary::<0x6c>(g3, x2);
    let g10 = x1.ternary::<0xac>(g8, g9);
    let g11 = g8.ternary::<0x4b>(x1, g3);
    let g12 = x0.ternary::<0xa6>(x2, g5);
    let g13 = x4.ternary::<0xac>(g11, g12);
    let g14 = x5.ternary::<0xac>(g10, g13);
    let g15 = x5.ternary::<0xd3>(x1, g10);
    let g16 = g15.ternary::<0x3c>(g4, g13);
    let g17 = g14.ternary::<0x3c>(g16, g13);
    let g18 = x4.ternary::<0xac>(g17, g16);
    let g20 = g18.ternary::<0x2e>(x5, x3);
    let g19 = g8.ternary::<0x74>(g14, g6);
    let g21 = x1.ternary::<0xac>(g20, g19);
    let g22 = x0.ternary::<0xac>(g18, g21);
    let g25 = g6.ternary::<0x2b>(g19, g9);
    let g26 = g14.ternary::<0x35>(g9, g17);
    let g27 = x1.ternary::<0xac>(g25, g26);
    let g23 = g2.ternary::<0x24>(g21, g7);
    let g24 = g23.ternary::<0xb6>(x5, g8);
    let g28 = x4.ternary::<0xac>(g27, g24);
    [g14, g7, g28, g22]
}

#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn s3(x: [U64x8; 6]) -> [U64x8; 4] {
    let [x0, x1, x2, x3, x4, x5] = x;
    let g0 = x3.ternary::<0xb8>(x4, x2);
    let g1 = g0.ternary::<0x96>(x5, x1);
    let g4 = x2.ternary::<0x6d>(x1, x4);
    let g2 = x1.ternary::<0xe9>(x4, x2);
    let g3 = g2.ternary::<0x70>(x3, g1);
    let g5 = g4.ternary::<0x3c>(x3, g3);
    let g6 = x5.ternary::<0xac>(g5, g3);
    let g7 = x0.ternary::<0xac>(g1, g6);
    let g8 = g2.ternary::<0x6e>(x0, x1);
    let g12 = g3.ternary::<0xfb>(g8, x0);
    let g10 = x0.ternary::<0x96>(x2, g1);
    let g13 = g12.ternary::<0x6b>(g10, x3);
    let g9 = g8.ternary::<0x52>(g7, g5);
    let g11 = x3.ternary::<0xac>(g10, g9);
    let g14 = x5.ternary::<0xac>(g13, g11);
    let g16 = g1.ternary::<0x4a>(x3, g9);
    let g17 = g16.ternary::<0xb8>(g5, g12);
    let g15 = x5.ternary::<0x69>(x3, x4);
    let g18 = x0.ternary::<0xac>(g17, g15);
    let g19 = g6.ternary::<0x28>(g8, g18);
    let g20 = g19.ternary::<0x52>(g16, g2);
    let g21 = x2.ternary::<0xac>(g18, g20);
    let g25 = g19.ternary::<0xca>(g7, g10);
    let g26 = g25.ternary::<0xd6>(x2, g18);
    let g22 = g17.ternary::<0x53>(g10, g14);
    let g23 = g17.ternary::<0x4a>(g6, g20);
    let g24 = x4.ternary::<0xac>(g22, g23);
    let g27 = x1.ternary::<0xac>(g26, g24);
    [g21, g14, g27, g7]
}

#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn s4(x: [U64x8; 6]) -> [U64x8; 4] {
    let [x0, x1, x2, x3, x4, x5] = x;
    let g3 = x4.ternary::<0x2d>(x3, x1);
    let g0 = x0.ternary::<0x1d>(x4, x3);
    let g1 = x4.ternary::<0x74>(x3, g0);
    let g4 = g3.ternary::<0x68>(x0, g1);
    let g8 = x2.ternary::<0x16>(g4, x1);
    let g9 = g8.ternary::<0xb4>(g0, x0);
    let g6 = x2.ternary::<0xb4>(x3, x1);
    let g2 = x1.ternary::<0xac>(g0, g1);
    let g5 = x2.ternary::<0xac>(g4, g2);
    let g7 = g6.ternary::<0x7c>(g5, g4);
    let g10 = x4.ternary::<0xac>(g9, g7);
    let g11 = x5.ternary::<0xac>(g10, g5);
    let g12 = g8.ternary::<0xc7>(x5, g2);
    let g13 = x0.ternary::<0x4a>(x5, x1);
    let g14 = g13.ternary::<0x68>(x4, x2);
    let g15 = x3.ternary::<0xac>(g12, g14);
    let g16 = x5.ternary::<0x71>(x4, g8);
    let g17 = g16.ternary::<0xd6>(g1, x1);
    let g18 = g14.ternary::<0x82>(x5, g1);
    let g19 = g4.ternary::<0xac>(g17, g18);
    let g20 = g10.ternary::<0xac>(g15, g19);
    let g21 = g5.ternary::<0x8b>(x5, g10);
    let g24 = g6.ternary::<0x02>(g3, g1);
    let g22 = g3.ternary::<0xbd>(g5, x3);
    let g23 = g22.ternary::<0x96>(g20, x5);
    let g25 = g24.ternary::<0xd6>(g23, g8);
    let g26 = x2.ternary::<0xac>(g25, g23);
    [g26, g20, g11, g21]
}

#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn s5(x: [U64x8; 6]) -> [U64x8; 4] {
    let [x0, x1, x2, x3, x4, x5] = x;
    let g2 = x0.ternary::<0x4d>(x5, x3);
    let g0 = x2.ternary::<0xec>(x0, x5);
    let g3 = g2.ternary::<0x7a>(g0, x2);
    let g1 = g0.ternary::<0x69>(x3, x1);
    let g4 = x1.ternary::<0xac>(g3, g1);
    let g5 = x3.ternary::<0x63>(g3, g2);
    let g6 = x2.ternary::<0x1e>(x5, x3);
    let g7 = g1.ternary::<0xac>(g5, g6);
    let g8 = x4.ternary::<0xac>(g4, g7);
    let g9 = g5.ternary::<0x61>(x0, x4);
    let g10 = g9.ternary::<0x96>(x1, x5);
    let g13 = g10.ternary::<0x1c>(g4, g8);
    let g11 = g7.ternary::<0x78>(x4, g4);
    let g12 = g11.ternary::<0xb4>(g9, g8);
    let g14 = x2.ternary::<0xac>(g13, g12);
    let g15 = x3.ternary::<0xac>(g14, g10);
    let g16 = g1.ternary::<0xb9>(g9, g12);
    let g17 = g16.ternary::<0x38>(g13, g0);
    let g18 = g17.ternary::<0xa4>(x2, g6);
    let g19 = x4.ternary::<0xac>(g18, g17);
    let g21 = g0.ternary::<0x4a>(g13, g6);
    let g20 = g15.ternary::<0xbd>(g0, g6);
    let g22 = x4.ternary::<0xac>(g21, g20);
    let g23 = x1.ternary::<0xac>(g19, g22);
    let g24 = g17.ternary::<0x6c>(g15, g22);
    let g26 = g4.ternary::<0x1c>(g24, x3);
    let g27 = g26.ternary::<0xb4>(g20, x0);
    let g25 = g24.ternary::<0x6a>(g18, g4);
    let g28 = x4.ternary::<0xac>(g27, g25);
    [g28, g15, g8, g23]
}

#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn s6(x: [U64x8; 6]) -> [U64x8; 4] {
    let [x0, x1, x2, x3, x4, x5] = x;
    let g1 = x0.ternary::<0x69>(x5, x3);
    let g0 = x0.ternary::<0x9e>(x3, x5);
    let g4 = x0.ternary::<0x95>(x5, g0);
    let g6 = x2.ternary::<0xe9>(g1, g4);
    let g2 = x2.ternary::<0xac>(g1, g0);
    let g5 = g4.ternary::<0xa4>(g2, x2);
    let g7 = x1.ternary::<0xac>(g6, g5);
    let g3 = x1.ternary::<0xa3>(g1, g2);
    let g8 = x4.ternary::<0xac>(g7, g3);
    let g9 = x4.ternary::<0x96>(g4, x1);
    let g10 = g9.ternary::<0xbd>(g2, x0);
    let g11 = g8.ternary::<0xac>(g9, g10);
    let g14 = g1.ternary::<0xa5>(g4, x1);
    let g12 = g9.ternary::<0x19>(g10, x3);
    let g13 = g12.ternary::<0x96>(x5, g7);
    let g15 = x4.ternary::<0xac>(g14, g13);
    let g16 = x2.ternary::<0xac>(g11, g15);
    let g17 = x1.ternary::<0x9a>(x3, x4);
    let g18 = g17.ternary::<0xda>(g12, g1);
    let g20 = x3.ternary::<0x3a>(g18, g14);
    let g19 = g9.ternary::<0xa4>(g8, g6);
    let g21 = x0.ternary::<0xac>(g20, g19);
    let g22 = x2.ternary::<0xac>(g18, g21);
    let g24 = g6.ternary::<0x92>(g17, g7);
    let g23 = g12.ternary::<0x6d>(x5, g17);
    let g25 = x2.ternary::<0xac>(g24, g23);
    let g26 = x5.ternary::<0x7e>(g9, g2);
    let g27 = g26.ternary::<0x1e>(g14, g5);
    let g28 = x0.ternary::<0xac>(g25, g27);
    [g8, g22, g16, g28]
}

#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn s7(x: [U64x8; 6]) -> [U64x8; 4] {
    let [x0, x1, x2, x3, x4, x5] = x;
    let g2 = x3.ternary::<0xd2>(x5, x2);
    let g0 = x5.ternary::<0x3c>(x1, x4);
    let g5 = x2.ternary::<0x96>(x4, g0);
    let g6 = g5.ternary::<0x36>(x1, x3);
    let g7 = g2.ternary::<0xac>(g6, g5);
    let g3 = g2.ternary::<0xb4>(x1, x4);
    let g1 = g0.ternary::<0x5c>(x3, x2);
    let g4 = x4.ternary::<0xac>(g3, g1);
    let g8 = x0.ternary::<0xac>(g7, g4);
    let g9 = g5.ternary::<0x1d>(x1, x3);
    let g10 = x1.ternary::<0xe2>(g9, g4);
    let g11 = x4.ternary::<0xac>(g9, g10);
    let g12 = x2.ternary::<0xa2>(x3, x5);
    let g13 = g12.ternary::<0x6c>(g7, x1);
    let g14 = x0.ternary::<0xac>(g11, g13);
    let g18 = g5.ternary::<0x78>(x3, g11);
    let g19 = g11.ternary::<0x5d>(x5, g18);
    let g20 = x0.ternary::<0xac>(g18, g19);
    let g15 = g1.ternary::<0x26>(g2, x4);
    let g16 = g15.ternary::<0x0b>(g8, g0);
    let g17 = x0.ternary::<0xac>(g15, g16);
    let g21 = x2.ternary::<0xac>(g20, g17);
    let g24 = g3.ternary::<0x72>(g11, x0);
    let g25 = x1.ternary::<0x69>(x0, g12);
    let g26 = g13.ternary::<0xac>(g24, g25);
    let g22 = g18.ternary::<0x76>(g2, g21);
    let g23 = g22.ternary::<0x9c>(g20, g3);
    let g27 = x2.ternary::<0xac>(g26, g23);
    [g8, g14, g27, g21]
}

#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn s8(x: [U64x8; 6]) -> [U64x8; 4] {
    let [x0, x1, x2, x3, x4, x5] = x;
    let g0 = x2.ternary::<0x65>(x4, x1);
    let g1 = x2.ternary::<0x93>(x4, g0);
    let g5 = g1.ternary::<0xd6>(x2, x3);
    let g2 = x0.ternary::<0xac>(g1, g0);
    let g3 = g0.ternary::<0x17>(g2, x2);
    let g4 = x3.ternary::<0xac>(g3, g2);
    let g6 = g5.ternary::<0x59>(x0, g4);
    let g7 = x5.ternary::<0xac>(g6, g4);
    let g8 = g4.ternary::<0x9e>(g0, g1);
    let g9 = g8.ternary::<0x96>(g6, x2);
    let g10 = g7.ternary::<0x69>(g9, g1);
    let g11 = g10.ternary::<0xf1>(g5, g0);
    let g12 = x5.ternary::<0xac>(g9, g11);
    let g13 = g3.ternary::<0xe7>(g12, g0);
    let g14 = g13.ternary::<0x96>(g10, g5);
    let g15 = x0.ternary::<0xac>(g14, g12);
    let g17 = g6.ternary::<0x69>(g12, x0);
    let g16 = x0.ternary::<0x3e>(g14, g1);
    let g18 = x2.ternary::<0xac>(g17, g16);
    let g19 = x5.ternary::<0x61>(g5, x1);
    let g20 = g19.ternary::<0x59>(x0, g8);
    let g21 = x3.ternary::<0xac>(g18, g20);
    let g24 = g7.ternary::<0x96>(g21, g15);
    let g25 = g12.ternary::<0x35>(g8, g24);
    let g26 = x1.ternary::<0xac>(g25, g24);
    let g22 = x5.ternary::<0xd0>(x0, g13);
    let g23 = g22.ternary::<0x96>(g11, g17);
    let g27 = x4.ternary::<0xac>(g26, g23);
    [g15, g7, g21, g27]
}
