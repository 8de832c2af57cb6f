//! The S-boxes as circuits of gates with three inputs: any function of three signals.
//! 209 gates in all, for S1 to S8: 29 26 27 22 28 25 26 26.
//!
//! Written by `cargo xtask sboxes`, which has the search; not by hand.

/// Which outputs of S1 to S8 come as their complements, the first output the
/// highest bit.
#[rustfmt::skip]
pub(super) const COMPLEMENTS: [u8; 8] = [0b0000, 0b0000, 0b0000, 0b0000, 0b0000, 0b0000, 0b0000, 0b0000];

use crate::simd::U64x8;

#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn s1_s5(x: [U64x8; 6], y: [U64x8; 6]) -> ([U64x8; 4], [U64x8; 4]) {
    let [x0, x1, x2, x3, x4, x5] = x;
    let [y0, y1, y2, y3, y4, y5] = y;
    let g0 = x1.ternary::<0x96>(x5, x4);
    let h0 = y5.ternary::<0x7c>(y2, y1);
    let g5 = x4.ternary::<0x19>(g0, x0);
    let h1 = y2.ternary::<0x43>(y5, y1);
    let g2 = g0.ternary::<0x68>(x2, x1);
    let h2 = y4.ternary::<0xac>(h0, h1);
    let g6 = g5.ternary::<0x7c>(g2, x2);
    let h3 = h2.ternary::<0x89>(y2, y4);
    let g1 = g0.ternary::<0x1e>(x2, x0);
    let h4 = h3.ternary::<0x78>(h0, y1);
    let g3 = g2.ternary::<0x68>(g1, x0);
    let h5 = y0.ternary::<0xac>(h2, h4);
    let g4 = x4.ternary::<0xac>(g1, g3);
    let h6 = y2.ternary::<0x61>(y0, y4);
    let g7 = x3.ternary::<0xac>(g6, g4);
    let h7 = h6.ternary::<0x96>(y5, y1);
    let g8 = x0.ternary::<0x79>(x3, g0);
    let h8 = y3.ternary::<0xac>(h5, h7);
    let g9 = g8.ternary::<0x1a>(x1, x2);
    let h11 = h7.ternary::<0x81>(y0, y4);
    let g10 = x1.ternary::<0xe9>(x0, g9);
    let h9 = h4.ternary::<0x6d>(y0, y3);
    let g11 = x4.ternary::<0xac>(g10, g9);
    let h12 = h11.ternary::<0x92>(h8, h9);
    let g12 = g8.ternary::<0x68>(g3, g9);
    let h10 = h9.ternary::<0xb4>(y4, h0);
    let g13 = g7.ternary::<0x92>(g10, g12);
    let h13 = y1.ternary::<0xac>(h12, h10);
    let g14 = x5.ternary::<0xac>(g13, g12);
    let h14 = y0.ternary::<0xa7>(h9, y3);
    let g15 = g4.ternary::<0xac>(g11, g14);
    let h15 = h14.ternary::<0x3d>(y1, h1);
    let g19 = g10.ternary::<0x8a>(x4, g4);
    let h16 = h6.ternary::<0xac>(h13, h15);
    let g20 = g12.ternary::<0x56>(g5, x2);
    let h19 = h7.ternary::<0x2c>(y2, h13);
    let g21 = g6.ternary::<0xac>(g19, g20);
    let h20 = h12.ternary::<0x06>(h2, h13);
    let g17 = g12.ternary::<0x07>(x2, x1);
    let h21 = y1.ternary::<0xac>(h19, h20);
    let g16 = g1.ternary::<0x8d>(g0, x5);
    let h17 = h15.ternary::<0x83>(h2, h6);
    let g18 = x4.ternary::<0xac>(g17, g16);
    let h18 = h17.ternary::<0x1e>(h1, h11);
    let g22 = x3.ternary::<0xac>(g21, g18);
    let h22 = y3.ternary::<0xac>(h21, h18);
    let g23 = g19.ternary::<0x58>(g22, g6);
    let h25 = h19.ternary::<0x7e>(h6, y3);
    let g25 = g15.ternary::<0xa6>(x0, g23);
    let h23 = y1.ternary::<0xe2>(h22, y0);
    let g26 = g7.ternary::<0x34>(g10, g18);
    let h24 = h23.ternary::<0x96>(h16, h8);
    let g27 = x4.ternary::<0xac>(g25, g26);
    let h26 = h25.ternary::<0x9c>(h22, h24);
    let g24 = g23.ternary::<0x96>(g15, g7);
    let h27 = y4.ternary::<0xac>(h26, h24);
    let g28 = x1.ternary::<0xac>(g27, g24);
    ([g22, g28, g7, g15], [h27, h8, h16, h22])
}

#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn s2_s6(x: [U64x8; 6], y: [U64x8; 6]) -> ([U64x8; 4], [U64x8; 4]) {
    let [x0, x1, x2, x3, x4, x5] = x;
    let [y0, y1, y2, y3, y4, y5] = y;
    let g0 = x2.ternary::<0x6b>(x5, x1);
    let h3 = y3.ternary::<0x69>(y4, y0);
    let g1 = g0.ternary::<0x1c>(x4, x0);
    let h0 = y1.ternary::<0x8e>(y0, y3);
    let g2 = x4.ternary::<0x56>(x1, g1);
    let h1 = y3.ternary::<0xd3>(y0, h0);
    let g3 = x3.ternary::<0xac>(g1, g2);
    let h2 = y4.ternary::<0xac>(h0, h1);
    let g4 = x1.ternary::<0x64>(x5, g3);
    let h4 = y5.ternary::<0xac>(h3, h2);
    let g5 = g4.ternary::<0x96>(x4, x2);
    let h6 = y4.ternary::<0xa7>(y5, h4);
    let g6 = x0.ternary::<0xac>(g3, g5);
    let h5 = y5.ternary::<0x94>(y4, h3);
    let g7 = x2.ternary::<0x8e>(x1, g2);
    let h7 = y1.ternary::<0xac>(h6, h5);
    let g8 = g7.ternary::<0x34>(x3, x4);
    let h8 = y2.ternary::<0xac>(h7, h4);
    let g9 = g3.ternary::<0x96>(x0, g5);
    let h10 = h7.ternary::<0x4b>(h1, y3);
    let g10 = x4.ternary::<0xac>(g8, g9);
    let h9 = h3.ternary::<0x39>(y1, h1);
    let g11 = g1.ternary::<0xb8>(g5, x2);
    let h11 = y5.ternary::<0xac>(h10, h9);
    let g12 = g11.ternary::<0x71>(g10, g2);
    let h12 = y0.ternary::<0x92>(h11, y4);
    let g13 = g9.ternary::<0x1e>(x0, g11);
    let h13 = h12.ternary::<0xd1>(h0, h3);
    let g14 = g7.ternary::<0xac>(g12, g13);
    let h14 = y2.ternary::<0xac>(h13, h11);
    let g15 = x5.ternary::<0xac>(g10, g14);
    let h15 = h3.ternary::<0x69>(y5, h12);
    let g18 = x0.ternary::<0x2f>(x5, g7);
    let h16 = h0.ternary::<0x92>(h11, y5);
    let g19 = g18.ternary::<0x96>(x4, x3);
    let h17 = y4.ternary::<0xac>(h15, h16);
    let g16 = g10.ternary::<0x6e>(x1, g9);
    let h18 = h10.ternary::<0x6f>(h2, y5);
    let g17 = g16.ternary::<0x1e>(g15, x4);
    let h19 = h18.ternary::<0x78>(h3, h16);
    let g20 = g5.ternary::<0xac>(g19, g17);
    let h20 = y2.ternary::<0xac>(h17, h19);
    let g23 = g19.ternary::<0x96>(g15, g17);
    let h21 = h1.ternary::<0x6c>(h6, y3);
    let g24 = g23.ternary::<0x3e>(g9, x3);
    let h22 = h21.ternary::<0x9e>(h4, h7);
    let g21 = x0.ternary::<0x46>(g0, g16);
    let h23 = h22.ternary::<0x8d>(h15, h2);
    let g22 = g21.ternary::<0x71>(g1, g8);
    let h24 = y2.ternary::<0xac>(h22, h23);
    let g25 = x2.ternary::<0xac>(g24, g22);
    ([g6, g20, g25, g15], [h8, h24, h20, h14])
}

#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn s3_s7(x: [U64x8; 6], y: [U64x8; 6]) -> ([U64x8; 4], [U64x8; 4]) {
    let [x0, x1, x2, x3, x4, x5] = x;
    let [y0, y1, y2, y3, y4, y5] = y;
    let g1 = x3.ternary::<0xd9>(x5, x1);
    let h0 = y1.ternary::<0xb4>(y2, y5);
    let g0 = x3.ternary::<0x16>(x5, x1);
    let h5 = y1.ternary::<0x5b>(h0, y3);
    let g2 = x4.ternary::<0xac>(g1, g0);
    let h6 = h5.ternary::<0xd2>(y2, y5);
    let g3 = x4.ternary::<0xe9>(g2, x1);
    let h7 = h0.ternary::<0x71>(h6, y1);
    let g4 = g3.ternary::<0xd4>(x3, g1);
    let h8 = y4.ternary::<0xac>(h7, h6);
    let g5 = x2.ternary::<0xac>(g4, g2);
    let h1 = h0.ternary::<0x92>(y4, y3);
    let g6 = x4.ternary::<0x6c>(g1, x3);
    let h2 = y3.ternary::<0xd6>(y5, y1);
    let g7 = g6.ternary::<0x74>(x2, g2);
    let h3 = h2.ternary::<0xb2>(y2, h1);
    let g8 = x0.ternary::<0xac>(g5, g7);
    let h4 = y4.ternary::<0xac>(h1, h3);
    let g9 = x5.ternary::<0x3c>(x2, g5);
    let h9 = y0.ternary::<0xac>(h8, h4);
    let g10 = g9.ternary::<0x94>(x4, x1);
    let h12 = h0.ternary::<0xc5>(h9, y4);
    let g13 = g10.ternary::<0x3d>(x4, g4);
    let h13 = h0.ternary::<0xc6>(h3, h12);
    let g14 = g13.ternary::<0xb6>(g2, g0);
    let h14 = y3.ternary::<0xac>(h12, h13);
    let g11 = x1.ternary::<0x76>(g9, g2);
    let h10 = y5.ternary::<0x6c>(h8, y1);
    let g12 = x3.ternary::<0xac>(g11, g10);
    let h11 = h10.ternary::<0xb4>(h6, h5);
    let g15 = x0.ternary::<0xac>(g14, g12);
    let h15 = y0.ternary::<0xac>(h14, h11);
    let g16 = g11.ternary::<0x38>(x2, g12);
    let h18 = h13.ternary::<0xa6>(y5, h11);
    let g17 = g14.ternary::<0x9c>(g2, x5);
    let h16 = y3.ternary::<0x39>(h14, h10);
    let g18 = x0.ternary::<0xac>(g16, g17);
    let h17 = h16.ternary::<0xb8>(h1, h6);
    let g19 = g4.ternary::<0x58>(g18, g6);
    let h19 = h18.ternary::<0x59>(h6, h17);
    let g20 = g19.ternary::<0x96>(x0, x2);
    let h20 = y0.ternary::<0xac>(h19, h17);
    let g21 = x1.ternary::<0xac>(g18, g20);
    let h23 = h9.ternary::<0x93>(h11, h6);
    let g22 = g8.ternary::<0xc6>(g13, g21);
    let h21 = y5.ternary::<0x35>(y4, y1);
    let g23 = g22.ternary::<0x1e>(g12, x0);
    let h22 = h21.ternary::<0x96>(h3, h19);
    let g24 = g22.ternary::<0x3e>(x1, x4);
    let h24 = h23.ternary::<0x5e>(h16, h22);
    let g25 = g24.ternary::<0x78>(g4, g0);
    let h25 = y0.ternary::<0xac>(h24, h22);
    let g26 = x2.ternary::<0xac>(g23, g25);
    ([g21, g8, g26, g15], [h9, h15, h20, h25])
}

#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn s4_s8(x: [U64x8; 6], y: [U64x8; 6]) -> ([U64x8; 4], [U64x8; 4]) {
    let [x0, x1, x2, x3, x4, x5] = x;
    let [y0, y1, y2, y3, y4, y5] = y;
    let g3 = x0.ternary::<0xe1>(x2, x3);
    let h0 = y2.ternary::<0x71>(y4, y1);
    let g0 = x3.ternary::<0x64>(x4, x2);
    let h1 = y4.ternary::<0xb8>(h0, y1);
    let g1 = x3.ternary::<0x2d>(x2, x4);
    let h2 = y3.ternary::<0xac>(h0, h1);
    let g2 = x0.ternary::<0xac>(g1, g0);
    let h3 = y1.ternary::<0xcb>(y2, y3);
    let g4 = g3.ternary::<0x7c>(g0, g2);
    let h4 = h3.ternary::<0x5a>(h2, y4);
    let g6 = g4.ternary::<0x9a>(g1, x4);
    let h5 = y0.ternary::<0xac>(h2, h4);
    let g8 = g4.ternary::<0x56>(x3, g6);
    let h6 = h1.ternary::<0x6b>(y3, y2);
    let g7 = g6.ternary::<0xd2>(g0, x0);
    let h7 = h6.ternary::<0x39>(h5, y0);
    let g9 = x1.ternary::<0xac>(g8, g7);
    let h8 = y5.ternary::<0xac>(h5, h7);
    let g5 = x1.ternary::<0xac>(g2, g4);
    let h9 = h0.ternary::<0x86>(y1, y0);
    let g10 = x5.ternary::<0xac>(g9, g5);
    let h10 = y0.ternary::<0xe2>(y4, h5);
    let g11 = g5.ternary::<0x8b>(x5, g9);
    let h11 = h10.ternary::<0xd2>(h1, y2);
    let g17 = x2.ternary::<0x29>(g0, g7);
    let h12 = h6.ternary::<0xac>(h9, h11);
    let g18 = g17.ternary::<0x3c>(x0, g8);
    let h13 = y3.ternary::<0x06>(y1, h8);
    let g16 = g0.ternary::<0x65>(x0, g8);
    let h14 = h13.ternary::<0x96>(h4, y0);
    let g19 = x1.ternary::<0xac>(g18, g16);
    let h15 = y5.ternary::<0xac>(h12, h14);
    let g12 = x4.ternary::<0xa3>(x0, g4);
    let h16 = h6.ternary::<0x6a>(h10, h14);
    let g14 = g12.ternary::<0x1d>(g7, g3);
    let h17 = h16.ternary::<0x78>(h13, y4);
    let g13 = g12.ternary::<0x3c>(g2, g0);
    let h18 = y5.ternary::<0x5c>(h17, h12);
    let g15 = x1.ternary::<0xac>(g14, g13);
    let h23 = h12.ternary::<0xf8>(h16, y1);
    let g20 = x5.ternary::<0xac>(g19, g15);
    let h24 = h23.ternary::<0x96>(y4, h5);
    let g21 = g19.ternary::<0xb1>(g15, x5);
    let h19 = y5.ternary::<0x43>(h6, h11);
    let h20 = h19.ternary::<0x3c>(h5, h15);
    let h21 = h2.ternary::<0x43>(y5, h20);
    let h22 = y4.ternary::<0xac>(h20, h21);
    let h25 = y0.ternary::<0xac>(h24, h22);
    ([g11, g10, g20, g21], [h18, h8, h25, h15])
}
