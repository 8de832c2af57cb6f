//! The S-boxes as circuits of gates with two inputs: AND, AND NOT, OR and XOR.
//! 401 gates in all, for S1 to S8: 56 50 51 37 55 52 50 50.
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
            let g0 = x2.xor(x5);
            let g1 = g0.xor(x1);
            let g2 = g1.and(x2);
            let g3 = g2.or(g0);
            let g4 = g3.and_not(x4);
            let g5 = g1.xor(g4);
            let g6 = x4.xor(x5);
            let g7 = g6.and(x1);
            let g8 = x3.or(g7);
            let g9 = g5.xor(g8);
            let g10 = g2.or(x3);
            let g11 = g6.and_not(g1);
            let g12 = g10.or(g11);
            let g13 = g4.or(x1);
            let g14 = g13.and(g12);
            let g15 = x5.and_not(g14);
            let g16 = g12.xor(g15);
            let g17 = x0.and(g16);
            let g18 = g9.xor(g17);
            let g19 = g10.and_not(g17);
            let g20 = g19.or(x1);
            let g21 = x0.and_not(g4);
            let g22 = x4.or(g21);
            let g23 = g20.xor(g22);
            let g24 = x4.and_not(g19);
            let g25 = g5.and_not(g24);
            let g26 = x3.and_not(g25);
            let g27 = g23.xor(g26);
            let g28 = g17.xor(x2);
            let g29 = g9.and(g3);
            let g30 = g28.and_not(g29);
            let g31 = x5.and_not(g30);
            let g32 = g27.xor(g31);
            let g33 = g16.and_not(x1);
            let g34 = g33.xor(g3);
            let g35 = g32.and(g21);
            let g36 = x3.and_not(g35);
            let g37 = g34.xor(g36);
            let g38 = g22.or(g32);
            let g39 = g38.and(g13);
            let g40 = g39.and_not(x0);
            let g41 = g37.xor(g40);
            let g42 = g16.and_not(g18);
            let g43 = g42.xor(g20);
            let g44 = g11.and(g43);
            let g45 = g41.xor(g44);
            let g46 = g32.xor(g45);
            let g47 = g46.xor(g18);
            let g48 = g4.or(g37);
            let g49 = x1.and(g48);
            let g50 = g47.xor(g49);
            let g51 = g1.or(g17);
            let g52 = g11.or(g14);
            let g53 = g51.and_not(g52);
            let g54 = g53.and_not(x3);
            let g55 = g50.xor(g54);
            [g32, g45, g55, g18]
        }

        #[inline]
        $(#[target_feature(enable = $features)])?
        fn s2(x: [$Lanes; 6]) -> [$Lanes; 4] {
            let [x0, x1, x2, x3, x4, x5] = x;
            let g0 = x2.xor(x5);
            let g1 = x1.and(x3);
            let g2 = g0.xor(g1);
            let g3 = g0.or(x5);
            let g4 = g3.and(x1);
            let g5 = x0.or(g4);
            let g6 = g2.xor(g5);
            let g7 = x0.and(x5);
            let g8 = x1.xor(x2);
            let g9 = g7.and_not(g8);
            let g10 = x0.and_not(g7);
            let g11 = g10.or(x1);
            let g12 = x3.and_not(g11);
            let g13 = g9.xor(g12);
            let g14 = x4.and_not(g13);
            let g15 = g6.xor(g14);
            let g16 = g10.xor(g0);
            let g17 = g15.or(g7);
            let g18 = g17.and_not(x4);
            let g19 = g16.xor(g18);
            let g20 = g8.or(g18);
            let g21 = g20.xor(x3);
            let g22 = g14.and_not(x0);
            let g23 = g22.xor(g19);
            let g24 = x5.and_not(g23);
            let g25 = g21.xor(g24);
            let g26 = g25.and_not(x1);
            let g27 = g19.xor(g26);
            let g28 = x2.or(g8);
            let g29 = x0.xor(g3);
            let g30 = g28.xor(g29);
            let g31 = x1.and_not(x5);
            let g32 = x3.and_not(g31);
            let g33 = g30.xor(g32);
            let g34 = g27.xor(g1);
            let g35 = g10.xor(g32);
            let g36 = g35.and_not(g34);
            let g37 = x4.and_not(g36);
            let g38 = g33.xor(g37);
            let g39 = g16.or(g14);
            let g40 = g33.xor(g26);
            let g41 = g39.xor(g40);
            let g42 = g31.and_not(g38);
            let g43 = g42.xor(x4);
            let g44 = g12.xor(g25);
            let g45 = g44.xor(g7);
            let g46 = x2.and(g45);
            let g47 = g43.xor(g46);
            let g48 = x3.and_not(g47);
            let g49 = g41.xor(g48);
            [g15, g38, g49, g27]
        }

        #[inline]
        $(#[target_feature(enable = $features)])?
        fn s3(x: [$Lanes; 6]) -> [$Lanes; 4] {
            let [x0, x1, x2, x3, x4, x5] = x;
            let g0 = x5.xor(x3);
            let g1 = g0.xor(x4);
            let g2 = x4.and_not(x5);
            let g3 = g2.or(x1);
            let g4 = x2.and(g3);
            let g5 = g1.xor(g4);
            let g6 = x1.xor(g2);
            let g7 = g6.and_not(g4);
            let g8 = x2.xor(g1);
            let g9 = x4.or(g8);
            let g10 = g7.xor(g9);
            let g11 = g10.xor(g3);
            let g12 = g11.xor(x1);
            let g13 = x3.and_not(g12);
            let g14 = g10.xor(g13);
            let g15 = g14.and_not(x0);
            let g16 = g5.xor(g15);
            let g17 = g6.xor(g9);
            let g18 = g17.xor(g8);
            let g19 = x5.and_not(g18);
            let g20 = x3.and_not(g19);
            let g21 = g17.xor(g20);
            let g22 = g2.xor(g0);
            let g23 = g17.and_not(x2);
            let g24 = g23.and_not(g22);
            let g25 = x0.or(g24);
            let g26 = g21.xor(g25);
            let g27 = x3.xor(g16);
            let g28 = g8.and_not(x1);
            let g29 = g27.xor(g28);
            let g30 = g18.or(g20);
            let g31 = g30.and_not(g11);
            let g32 = x0.or(g31);
            let g33 = g29.xor(g32);
            let g34 = x2.and_not(g26);
            let g35 = g34.or(g18);
            let g36 = g16.xor(g35);
            let g37 = g21.and_not(g36);
            let g38 = x3.and_not(g37);
            let g39 = g35.xor(g38);
            let g40 = x4.or(g39);
            let g41 = g33.xor(g40);
            let g42 = x2.xor(g17);
            let g43 = g12.and_not(x4);
            let g44 = g43.xor(g22);
            let g45 = g8.and(g27);
            let g46 = g45.xor(g44);
            let g47 = x5.and(g46);
            let g48 = g44.xor(g47);
            let g49 = x0.and_not(g48);
            let g50 = g42.xor(g49);
            [g16, g26, g41, g50]
        }

        #[inline]
        $(#[target_feature(enable = $features)])?
        fn s4(x: [$Lanes; 6]) -> [$Lanes; 4] {
            let [x0, x1, x2, x3, x4, x5] = x;
            let g0 = x0.xor(x2);
            let g1 = x2.xor(x3);
            let g2 = x0.and_not(g0);
            let g3 = g1.and_not(g2);
            let g4 = x1.and_not(g3);
            let g5 = g0.xor(g4);
            let g6 = x3.xor(g2);
            let g7 = x1.and_not(x0);
            let g8 = g6.or(g7);
            let g9 = g8.and_not(x4);
            let g10 = g5.xor(g9);
            let g11 = x4.and_not(x2);
            let g12 = x3.or(g0);
            let g13 = g12.and_not(g11);
            let g14 = x2.xor(x4);
            let g15 = g14.and_not(g8);
            let g16 = x1.or(g15);
            let g17 = g13.xor(g16);
            let g18 = x5.or(g17);
            let g19 = g10.xor(g18);
            let g20 = x5.xor(g19);
            let g21 = g20.xor(g17);
            let g22 = g14.xor(g10);
            let g23 = g16.and_not(g0);
            let g24 = g22.xor(g23);
            let g25 = g0.and_not(x1);
            let g26 = g14.and_not(g25);
            let g27 = g1.and_not(g26);
            let g28 = g24.xor(g27);
            let g29 = g0.xor(g17);
            let g30 = g0.or(g6);
            let g31 = g26.and(g30);
            let g32 = g29.xor(g31);
            let g33 = x5.or(g32);
            let g34 = g28.xor(g33);
            let g35 = x5.xor(g34);
            let g36 = g35.xor(g32);
            [g34, g36, g19, g21]
        }

        #[inline]
        $(#[target_feature(enable = $features)])?
        fn s5(x: [$Lanes; 6]) -> [$Lanes; 4] {
            let [x0, x1, x2, x3, x4, x5] = x;
            let g0 = x5.and_not(x3);
            let g1 = g0.xor(x0);
            let g2 = x5.and_not(x0);
            let g3 = x2.and_not(g2);
            let g4 = g1.xor(g3);
            let g5 = x3.or(x0);
            let g6 = g5.or(g4);
            let g7 = x1.and(g6);
            let g8 = g4.xor(g7);
            let g9 = g6.and_not(x3);
            let g10 = x2.xor(g0);
            let g11 = g9.xor(g10);
            let g12 = g2.or(g4);
            let g13 = g12.xor(x3);
            let g14 = x1.or(g13);
            let g15 = g11.xor(g14);
            let g16 = x4.or(g15);
            let g17 = g8.xor(g16);
            let g18 = g10.and_not(x0);
            let g19 = g18.or(g9);
            let g20 = x5.and(g5);
            let g21 = g19.xor(g20);
            let g22 = g11.xor(x0);
            let g23 = g22.or(x3);
            let g24 = g23.and_not(x1);
            let g25 = g21.xor(g24);
            let g26 = g1.xor(g12);
            let g27 = g22.and_not(g26);
            let g28 = x4.or(g27);
            let g29 = g25.xor(g28);
            let g30 = g12.and(g22);
            let g31 = g25.and_not(g10);
            let g32 = g30.xor(g31);
            let g33 = g13.and_not(g1);
            let g34 = g33.xor(g9);
            let g35 = x4.or(g34);
            let g36 = g32.xor(g35);
            let g37 = g23.and_not(g35);
            let g38 = g25.and(g26);
            let g39 = g23.and_not(g38);
            let g40 = x4.and(g39);
            let g41 = g37.xor(g40);
            let g42 = x1.and_not(g41);
            let g43 = g36.xor(g42);
            let g44 = g38.xor(g3);
            let g45 = g44.xor(g13);
            let g46 = g5.and_not(g2);
            let g47 = g46.xor(g22);
            let g48 = x4.and_not(g47);
            let g49 = g45.xor(g48);
            let g50 = g34.and_not(g40);
            let g51 = g17.and_not(g32);
            let g52 = g50.or(g51);
            let g53 = g52.and_not(x1);
            let g54 = g49.xor(g53);
            [g43, g29, g17, g54]
        }

        #[inline]
        $(#[target_feature(enable = $features)])?
        fn s6(x: [$Lanes; 6]) -> [$Lanes; 4] {
            let [x0, x1, x2, x3, x4, x5] = x;
            let g0 = x4.xor(x1);
            let g1 = x0.xor(x5);
            let g2 = g0.xor(g1);
            let g3 = x0.xor(g0);
            let g4 = g1.and_not(g3);
            let g5 = x4.and(g4);
            let g6 = x1.xor(g5);
            let g7 = x3.and_not(g6);
            let g8 = g2.xor(g7);
            let g9 = g6.and_not(x3);
            let g10 = x5.xor(g6);
            let g11 = g9.or(g10);
            let g12 = x4.and_not(x3);
            let g13 = g12.xor(g11);
            let g14 = x0.or(g13);
            let g15 = g11.xor(g14);
            let g16 = x2.and_not(g15);
            let g17 = g8.xor(g16);
            let g18 = g2.xor(g12);
            let g19 = x3.xor(x4);
            let g20 = x5.and_not(g7);
            let g21 = g19.xor(g20);
            let g22 = g21.and_not(x0);
            let g23 = g18.xor(g22);
            let g24 = g4.or(x0);
            let g25 = g24.xor(x4);
            let g26 = g23.or(g20);
            let g27 = x3.or(g26);
            let g28 = g25.xor(g27);
            let g29 = x2.or(g28);
            let g30 = g23.xor(g29);
            let g31 = g14.and_not(g2);
            let g32 = g31.xor(x3);
            let g33 = g21.xor(g0);
            let g34 = g28.and_not(g33);
            let g35 = x5.and_not(g34);
            let g36 = g32.xor(g35);
            let g37 = g25.xor(x5);
            let g38 = g10.and(g0);
            let g39 = g37.or(g38);
            let g40 = x2.and(g39);
            let g41 = g36.xor(g40);
            let g42 = g2.and_not(g20);
            let g43 = g42.xor(g13);
            let g44 = x4.or(g43);
            let g45 = g18.xor(g44);
            let g46 = g13.and_not(g41);
            let g47 = g8.and_not(g12);
            let g48 = x1.or(g47);
            let g49 = g46.xor(g48);
            let g50 = x2.and(g49);
            let g51 = g45.xor(g50);
            [g51, g17, g41, g30]
        }

        #[inline]
        $(#[target_feature(enable = $features)])?
        fn s7(x: [$Lanes; 6]) -> [$Lanes; 4] {
            let [x0, x1, x2, x3, x4, x5] = x;
            let g0 = x3.xor(x5);
            let g1 = x5.and_not(g0);
            let g2 = g1.and(x1);
            let g3 = x4.or(g2);
            let g4 = g0.xor(g3);
            let g5 = x3.and_not(x4);
            let g6 = g5.xor(x1);
            let g7 = x2.or(g6);
            let g8 = g4.xor(g7);
            let g9 = g6.and(x5);
            let g10 = g4.xor(x2);
            let g11 = g9.and_not(g10);
            let g12 = x0.and_not(g11);
            let g13 = g8.xor(g12);
            let g14 = x3.and_not(g8);
            let g15 = g4.xor(g1);
            let g16 = g14.xor(g15);
            let g17 = g6.xor(g14);
            let g18 = g17.and_not(g9);
            let g19 = x2.and_not(g18);
            let g20 = g16.xor(g19);
            let g21 = g8.and_not(x5);
            let g22 = g21.xor(x2);
            let g23 = g4.and_not(g20);
            let g24 = x5.and_not(g7);
            let g25 = g23.or(g24);
            let g26 = g25.and_not(x1);
            let g27 = g22.xor(g26);
            let g28 = x0.and(g27);
            let g29 = g20.xor(g28);
            let g30 = g20.and_not(g2);
            let g31 = g9.and(x1);
            let g32 = g30.xor(g31);
            let g33 = g22.or(g9);
            let g34 = g0.or(g30);
            let g35 = g33.xor(g34);
            let g36 = x0.or(g35);
            let g37 = g32.xor(g36);
            let g38 = g15.xor(g37);
            let g39 = x5.or(g29);
            let g40 = g38.xor(g39);
            let g41 = g9.and_not(g22);
            let g42 = x0.or(g41);
            let g43 = g40.xor(g42);
            let g44 = g33.and_not(g13);
            let g45 = g29.and_not(g44);
            let g46 = x4.and_not(g45);
            let g47 = g18.xor(g46);
            let g48 = x3.and_not(g47);
            let g49 = g43.xor(g48);
            [g29, g37, g49, g13]
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
