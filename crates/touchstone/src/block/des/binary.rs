//! The S-boxes as circuits of gates with two inputs: AND, AND NOT, OR and XOR.
//! 417 gates in all, for S1 to S8: 57 53 52 41 57 54 53 50.
//!
//! Written by `cargo xtask sboxes`, which has the search; not by hand.

/// Which outputs of S1 to S8 come as their complements, the first output the
/// highest bit.
#[rustfmt::skip]
pub(super) const COMPLEMENTS: [u8; 8] = [0b1110, 0b1111, 0b1010, 0b0111, 0b0010, 0b1100, 0b0100, 0b1101];

/// Writes `s1` to `s8` for a lane type.
macro_rules! boxes {
    ($Lanes:ty $(, $features:literal)?) => {
        #[inline]
        $(#[target_feature(enable = $features)])?
        fn s1(x: [$Lanes; 6]) -> [$Lanes; 4] {
            let [x0, x1, x2, x3, x4, x5] = x;
            let g0 = x4.and_not(x2);
            let g1 = g0.xor(x3);
            let g2 = x4.and_not(x5);
            let g3 = g1.xor(g2);
            let g4 = x5.xor(x4);
            let g5 = x2.xor(g3);
            let g6 = g4.and_not(g5);
            let g7 = x1.and_not(g6);
            let g8 = g3.xor(g7);
            let g9 = g3.or(x5);
            let g10 = g9.or(x3);
            let g11 = x4.and_not(g5);
            let g12 = g9.xor(g4);
            let g13 = x2.and_not(g12);
            let g14 = g11.xor(g13);
            let g15 = g14.and_not(x1);
            let g16 = g10.xor(g15);
            let g17 = x0.and(g16);
            let g18 = g8.xor(g17);
            let g19 = g9.and(g13);
            let g20 = g5.and_not(g19);
            let g21 = g6.xor(g8);
            let g22 = g21.and_not(g2);
            let g23 = x1.or(g22);
            let g24 = g20.xor(g23);
            let g25 = g7.or(g14);
            let g26 = g25.and(g12);
            let g27 = g18.or(x3);
            let g28 = g27.and_not(g12);
            let g29 = g28.and_not(x4);
            let g30 = g26.xor(g29);
            let g31 = x0.and(g30);
            let g32 = g24.xor(g31);
            let g33 = x0.and_not(x2);
            let g34 = g12.xor(g10);
            let g35 = g33.xor(g34);
            let g36 = g33.xor(x3);
            let g37 = g14.and(g36);
            let g38 = g35.xor(g37);
            let g39 = x2.and_not(g36);
            let g40 = g16.and_not(g19);
            let g41 = g40.xor(g4);
            let g42 = x0.and(g41);
            let g43 = g39.xor(g42);
            let g44 = x1.or(g43);
            let g45 = g38.xor(g44);
            let g46 = g32.xor(g1);
            let g47 = g46.xor(g42);
            let g48 = x4.or(g45);
            let g49 = g47.xor(g48);
            let g50 = g30.xor(g46);
            let g51 = g50.or(g11);
            let g52 = g3.and(g50);
            let g53 = x0.and_not(g52);
            let g54 = g51.xor(g53);
            let g55 = g4.and(g54);
            let g56 = g49.xor(g55);
            [g45, g32, g56, g18]
        }

        #[inline]
        $(#[target_feature(enable = $features)])?
        fn s2(x: [$Lanes; 6]) -> [$Lanes; 4] {
            let [x0, x1, x2, x3, x4, x5] = x;
            let g0 = x4.and(x3);
            let g1 = g0.xor(x1);
            let g2 = x3.or(x4);
            let g3 = g2.and_not(x2);
            let g4 = g1.xor(g3);
            let g5 = g1.or(x2);
            let g6 = x3.xor(x4);
            let g7 = g5.and_not(g6);
            let g8 = x0.and_not(g7);
            let g9 = g4.xor(g8);
            let g10 = g5.and_not(x2);
            let g11 = g10.or(x4);
            let g12 = g9.and_not(x3);
            let g13 = x2.xor(g7);
            let g14 = g12.or(g13);
            let g15 = g14.and_not(x0);
            let g16 = g11.xor(g15);
            let g17 = x5.and(g16);
            let g18 = g9.xor(g17);
            let g19 = g5.xor(g6);
            let g20 = g19.xor(x0);
            let g21 = x1.and_not(g12);
            let g22 = x4.and_not(g8);
            let g23 = g22.and_not(g12);
            let g24 = x2.or(g23);
            let g25 = g21.xor(g24);
            let g26 = x5.or(g25);
            let g27 = g20.xor(g26);
            let g28 = x3.xor(x5);
            let g29 = x1.and(g27);
            let g30 = g28.xor(g29);
            let g31 = g18.and_not(g9);
            let g32 = g31.xor(x1);
            let g33 = g32.and_not(x2);
            let g34 = g30.xor(g33);
            let g35 = g1.and_not(g17);
            let g36 = g35.xor(g27);
            let g37 = g22.or(g20);
            let g38 = g37.and_not(x1);
            let g39 = g36.xor(g38);
            let g40 = x0.or(g39);
            let g41 = g34.xor(g40);
            let g42 = g10.and(g40);
            let g43 = g28.xor(g38);
            let g44 = g42.xor(g43);
            let g45 = g31.xor(g7);
            let g46 = g45.xor(g39);
            let g47 = g9.xor(g36);
            let g48 = g47.or(g13);
            let g49 = x5.or(g48);
            let g50 = g46.xor(g49);
            let g51 = x4.and(g50);
            let g52 = g44.xor(g51);
            [g52, g27, g18, g41]
        }

        #[inline]
        $(#[target_feature(enable = $features)])?
        fn s3(x: [$Lanes; 6]) -> [$Lanes; 4] {
            let [x0, x1, x2, x3, x4, x5] = x;
            let g0 = x2.xor(x5);
            let g1 = g0.xor(x1);
            let g2 = g1.and_not(g0);
            let g3 = x5.and_not(g2);
            let g4 = x3.and_not(g3);
            let g5 = g3.xor(g4);
            let g6 = x0.and(g5);
            let g7 = g1.xor(g6);
            let g8 = x2.xor(g2);
            let g9 = g8.xor(x3);
            let g10 = x0.or(g9);
            let g11 = g2.xor(g10);
            let g12 = g11.and_not(x4);
            let g13 = g7.xor(g12);
            let g14 = x0.xor(x4);
            let g15 = g7.and_not(g0);
            let g16 = g14.xor(g15);
            let g17 = g14.and_not(g0);
            let g18 = g17.or(g10);
            let g19 = x3.and(g18);
            let g20 = g16.xor(g19);
            let g21 = g11.xor(g20);
            let g22 = x4.and_not(g21);
            let g23 = g4.xor(g21);
            let g24 = g23.xor(g14);
            let g25 = x1.or(g24);
            let g26 = g22.xor(g25);
            let g27 = g13.and_not(g26);
            let g28 = g20.xor(g27);
            let g29 = g15.xor(x1);
            let g30 = g29.xor(g21);
            let g31 = g13.and_not(g6);
            let g32 = g31.or(x1);
            let g33 = x5.and_not(g32);
            let g34 = g30.xor(g33);
            let g35 = g11.xor(g33);
            let g36 = g1.or(g17);
            let g37 = g35.and(g36);
            let g38 = x4.and(g37);
            let g39 = g34.xor(g38);
            let g40 = g19.and_not(g21);
            let g41 = g40.xor(g31);
            let g42 = g35.or(g17);
            let g43 = x3.or(g42);
            let g44 = g41.xor(g43);
            let g45 = g13.or(g28);
            let g46 = g45.and_not(g22);
            let g47 = g37.xor(g16);
            let g48 = x1.and_not(g47);
            let g49 = g46.xor(g48);
            let g50 = g49.and_not(x5);
            let g51 = g44.xor(g50);
            [g39, g51, g28, g13]
        }

        #[inline]
        $(#[target_feature(enable = $features)])?
        fn s4(x: [$Lanes; 6]) -> [$Lanes; 4] {
            let [x0, x1, x2, x3, x4, x5] = x;
            let g0 = x2.and_not(x0);
            let g1 = g0.or(x4);
            let g2 = g1.xor(x2);
            let g3 = x0.and_not(g2);
            let g4 = x1.or(g3);
            let g5 = g1.xor(g4);
            let g6 = x2.xor(g3);
            let g7 = x1.and(g6);
            let g8 = x4.xor(g7);
            let g9 = g8.and_not(x3);
            let g10 = g5.xor(g9);
            let g11 = g8.and_not(g2);
            let g12 = g11.xor(x0);
            let g13 = x1.and_not(g12);
            let g14 = g6.xor(g13);
            let g15 = g2.and_not(g4);
            let g16 = g7.or(g12);
            let g17 = g15.xor(g16);
            let g18 = x3.or(g17);
            let g19 = g14.xor(g18);
            let g20 = x5.or(g19);
            let g21 = g10.xor(g20);
            let g22 = x2.xor(g17);
            let g23 = x1.and(x4);
            let g24 = g22.xor(g23);
            let g25 = x1.and_not(g3);
            let g26 = g9.and_not(g25);
            let g27 = x3.or(g26);
            let g28 = g24.xor(g27);
            let g29 = g2.and_not(g7);
            let g30 = g29.xor(x1);
            let g31 = g2.and_not(g22);
            let g32 = g31.xor(g16);
            let g33 = x3.or(g32);
            let g34 = g30.xor(g33);
            let g35 = x5.and(g34);
            let g36 = g28.xor(g35);
            let g37 = x5.or(g34);
            let g38 = g37.xor(g28);
            let g39 = x5.and(g19);
            let g40 = g39.xor(g10);
            [g21, g40, g38, g36]
        }

        #[inline]
        $(#[target_feature(enable = $features)])?
        fn s5(x: [$Lanes; 6]) -> [$Lanes; 4] {
            let [x0, x1, x2, x3, x4, x5] = x;
            let g0 = x0.and_not(x3);
            let g1 = g0.xor(x5);
            let g2 = x5.and_not(x3);
            let g3 = g2.or(x0);
            let g4 = x2.and_not(g3);
            let g5 = g1.xor(g4);
            let g6 = x2.xor(g1);
            let g7 = g3.and_not(g6);
            let g8 = x3.or(g7);
            let g9 = x1.xor(g8);
            let g10 = g9.and_not(x1);
            let g11 = g5.xor(g10);
            let g12 = x2.and_not(g2);
            let g13 = g8.and(g3);
            let g14 = g13.and_not(g12);
            let g15 = x4.or(g14);
            let g16 = g11.xor(g15);
            let g17 = g0.xor(x2);
            let g18 = g1.or(g16);
            let g19 = g17.xor(g18);
            let g20 = x4.xor(g13);
            let g21 = g19.and_not(g18);
            let g22 = g20.or(g21);
            let g23 = x3.and_not(g22);
            let g24 = g19.xor(g23);
            let g25 = g14.and_not(x4);
            let g26 = g7.xor(x2);
            let g27 = g22.and_not(g4);
            let g28 = g26.xor(g27);
            let g29 = x3.and(g28);
            let g30 = g25.xor(g29);
            let g31 = x1.and_not(g30);
            let g32 = g24.xor(g31);
            let g33 = x2.or(x0);
            let g34 = g21.xor(g16);
            let g35 = g33.xor(g34);
            let g36 = x4.and_not(g35);
            let g37 = g26.xor(g36);
            let g38 = g13.xor(g24);
            let g39 = g29.and_not(g38);
            let g40 = g13.xor(g1);
            let g41 = g40.or(g35);
            let g42 = x3.or(g41);
            let g43 = g39.xor(g42);
            let g44 = x1.and(g43);
            let g45 = g37.xor(g44);
            let g46 = g11.xor(g32);
            let g47 = g10.and_not(g20);
            let g48 = g29.and_not(g47);
            let g49 = x2.and_not(g48);
            let g50 = g46.xor(g49);
            let g51 = g16.and_not(g44);
            let g52 = g51.or(g37);
            let g53 = x2.and_not(g20);
            let g54 = g52.xor(g53);
            let g55 = x4.and_not(g54);
            let g56 = g50.xor(g55);
            [g32, g16, g56, g45]
        }

        #[inline]
        $(#[target_feature(enable = $features)])?
        fn s6(x: [$Lanes; 6]) -> [$Lanes; 4] {
            let [x0, x1, x2, x3, x4, x5] = x;
            let g0 = x3.xor(x0);
            let g1 = g0.xor(x4);
            let g2 = x1.and(g0);
            let g3 = x0.and_not(g1);
            let g4 = g2.or(g3);
            let g5 = g3.and_not(x3);
            let g6 = g4.xor(g5);
            let g7 = x5.and_not(g6);
            let g8 = g1.xor(g7);
            let g9 = g6.and(x5);
            let g10 = x1.and_not(g9);
            let g11 = g0.or(x5);
            let g12 = g11.and_not(x4);
            let g13 = g10.xor(g12);
            let g14 = g13.and_not(x2);
            let g15 = g8.xor(g14);
            let g16 = x0.or(g15);
            let g17 = g16.and_not(x5);
            let g18 = x2.xor(g17);
            let g19 = x0.and_not(g18);
            let g20 = g19.xor(g8);
            let g21 = x4.and_not(g20);
            let g22 = g18.xor(g21);
            let g23 = x2.xor(g9);
            let g24 = g2.and_not(g23);
            let g25 = x5.and_not(g23);
            let g26 = g25.and_not(x3);
            let g27 = g24.xor(g26);
            let g28 = x1.and_not(g27);
            let g29 = g22.xor(g28);
            let g30 = g10.and_not(g17);
            let g31 = g30.xor(g18);
            let g32 = g15.and_not(g30);
            let g33 = x0.and_not(g32);
            let g34 = g31.xor(g33);
            let g35 = g34.xor(g1);
            let g36 = g35.or(x1);
            let g37 = g29.and(g17);
            let g38 = x5.or(g37);
            let g39 = g36.xor(g38);
            let g40 = x4.or(g39);
            let g41 = g34.xor(g40);
            let g42 = g30.xor(g38);
            let g43 = g4.xor(x0);
            let g44 = g42.xor(g43);
            let g45 = g41.and_not(g29);
            let g46 = g36.and_not(g45);
            let g47 = x2.or(g46);
            let g48 = g44.xor(g47);
            let g49 = g12.and_not(g46);
            let g50 = g4.xor(g27);
            let g51 = g49.xor(g50);
            let g52 = g51.and_not(x4);
            let g53 = g48.xor(g52);
            [g15, g53, g41, g29]
        }

        #[inline]
        $(#[target_feature(enable = $features)])?
        fn s7(x: [$Lanes; 6]) -> [$Lanes; 4] {
            let [x0, x1, x2, x3, x4, x5] = x;
            let g0 = x5.xor(x0);
            let g1 = x2.xor(x3);
            let g2 = g0.xor(g1);
            let g3 = x3.and_not(x2);
            let g4 = x5.and_not(g0);
            let g5 = g3.and_not(g4);
            let g6 = x4.or(g5);
            let g7 = g2.xor(g6);
            let g8 = x3.and_not(x4);
            let g9 = g7.and_not(g0);
            let g10 = g8.xor(g9);
            let g11 = x5.and(g10);
            let g12 = x2.xor(g11);
            let g13 = x1.and_not(g12);
            let g14 = g7.xor(g13);
            let g15 = x1.xor(g2);
            let g16 = g15.xor(g10);
            let g17 = g16.xor(g7);
            let g18 = x2.and_not(x5);
            let g19 = g17.or(g18);
            let g20 = g19.and_not(x3);
            let g21 = g16.xor(g20);
            let g22 = g8.xor(g12);
            let g23 = g22.xor(g21);
            let g24 = g1.and(x4);
            let g25 = x1.or(g24);
            let g26 = g23.xor(g25);
            let g27 = x0.and(g26);
            let g28 = g21.xor(g27);
            let g29 = g2.and_not(x0);
            let g30 = g15.or(g13);
            let g31 = g30.and_not(g29);
            let g32 = g2.and_not(g29);
            let g33 = g15.and(x5);
            let g34 = g32.xor(g33);
            let g35 = x3.and_not(g34);
            let g36 = g31.xor(g35);
            let g37 = g10.and(g7);
            let g38 = g37.and(g34);
            let g39 = x4.or(g38);
            let g40 = g36.xor(g39);
            let g41 = g2.or(x0);
            let g42 = g11.xor(g16);
            let g43 = g41.xor(g42);
            let g44 = g39.and_not(g5);
            let g45 = g13.and_not(x5);
            let g46 = g44.or(g45);
            let g47 = x3.and_not(g46);
            let g48 = g43.xor(g47);
            let g49 = g41.xor(g37);
            let g50 = g49.and(g22);
            let g51 = g50.and_not(g25);
            let g52 = g48.xor(g51);
            [g28, g40, g52, g14]
        }

        #[inline]
        $(#[target_feature(enable = $features)])?
        fn s8(x: [$Lanes; 6]) -> [$Lanes; 4] {
            let [x0, x1, x2, x3, x4, x5] = x;
            let g0 = x4.and_not(x2);
            let g1 = x5.xor(x3);
            let g2 = g0.xor(g1);
            let g3 = x3.or(x4);
            let g4 = g3.xor(x2);
            let g5 = x1.and_not(g4);
            let g6 = g2.xor(g5);
            let g7 = g4.and_not(x1);
            let g8 = g6.and_not(g4);
            let g9 = g2.and_not(g8);
            let g10 = g9.and_not(x5);
            let g11 = g7.xor(g10);
            let g12 = x3.and_not(x4);
            let g13 = g11.xor(g12);
            let g14 = x0.and(g13);
            let g15 = g6.xor(g14);
            let g16 = g15.xor(g10);
            let g17 = x1.or(g3);
            let g18 = g16.xor(g17);
            let g19 = g11.or(g9);
            let g20 = x4.and_not(g15);
            let g21 = g19.xor(g20);
            let g22 = x5.and_not(g21);
            let g23 = g18.xor(g22);
            let g24 = g7.or(x5);
            let g25 = g24.xor(x4);
            let g26 = x0.or(g25);
            let g27 = g23.xor(g26);
            let g28 = x0.and(g3);
            let g29 = g21.and(g7);
            let g30 = x3.and(g20);
            let g31 = g29.or(g30);
            let g32 = g5.or(g31);
            let g33 = g28.xor(g32);
            let g34 = g2.and_not(x0);
            let g35 = g34.or(x4);
            let g36 = g23.and_not(x3);
            let g37 = g36.or(g8);
            let g38 = x2.and_not(g37);
            let g39 = g35.xor(g38);
            let g40 = g25.and_not(g39);
            let g41 = g33.xor(g40);
            let g42 = g26.xor(g6);
            let g43 = g42.xor(g28);
            let g44 = g40.and_not(x1);
            let g45 = g43.xor(g44);
            let g46 = g32.xor(g34);
            let g47 = g19.and_not(g46);
            let g48 = x5.and(g47);
            let g49 = g45.xor(g48);
            [g27, g15, g49, g41]
        }
    };
}
pub(super) use boxes;
