//! The S-boxes as circuits of three or four levels.
//!
//! One block, or a few in a register, wait for each gate, because a processor starts more gates in a
//! cycle than they have ready. The [circuits with the fewest gates](super::binary) have up to twelve
//! levels. S0 to S7 have 17, 18, 17, 20, 18, 18, 18 and 19 gates here; the inverses have 17, 18, 18,
//! 19, 18, 18, 18 and 19. Each set has 145 together.
//!
//! A search listed the functions of one and of two levels (30 and 729, up to complements), and all
//! pairs of them that give an output. Where no pair does, an output has a fourth level. From random
//! choices, the search then exchanged one output's pair at a time for a pair with which the four
//! outputs need fewer gates. Of the results with the fewest gates or one more, we took the one
//! whose outputs are known first, because the linear transformation computes some inputs later than
//! others, and an AND NOT takes two instructions on many processors. The complements are the same
//! as in the binary circuits, so that all circuits use the same round keys.

/// Writes the functions `s0` to `s7` and their inverses for a lane type.
macro_rules! boxes {
    ($Lanes:ty $(, $features:literal)?) => {
        #[inline]
        $(#[target_feature(enable = $features)])?
        fn s0([x0, x1, x2, x3]: [$Lanes; 4]) -> [$Lanes; 4] {
            let g0 = x1.and(x3);
            let g1 = x1.xor(x3);
            let g2 = x0.or(x1);
            let g3 = x0.xor(x2);
            let g4 = x0.and_not(x3);
            let g5 = x1.and(x2);
            let g6 = g1.xor(x2);
            let g7 = g3.xor(g0);
            let g8 = g4.xor(g6);
            let g9 = g1.and_not(g5);
            let g10 = g3.and(g2);
            let g11 = g4.xor(g5);
            let g12 = g7.and_not(g11);
            let g13 = g7.and(g11);
            let g14 = g9.xor(g10);
            let g15 = g13.xor(g2);
            let g16 = g12.xor(g1);
            [g16, g15, g14, g8]
        }

        #[inline]
        $(#[target_feature(enable = $features)])?
        fn s1([x0, x1, x2, x3]: [$Lanes; 4]) -> [$Lanes; 4] {
            let g0 = x1.xor(x2);
            let g1 = x0.xor(x3);
            let g2 = x2.and_not(x3);
            let g3 = x0.and(x1);
            let g4 = x0.xor(x2);
            let g5 = x0.or(x2);
            let g6 = g1.and(g5);
            let g7 = g0.xor(g5);
            let g8 = g0.or(g4);
            let g9 = g2.or(x1);
            let g10 = g4.and(x3);
            let g11 = g1.xor(g3);
            let g12 = g6.xor(g9);
            let g13 = g10.or(g7);
            let g14 = g0.xor(g11);
            let g15 = g8.and(g11);
            let g16 = g15.xor(g5);
            let g17 = g1.xor(g13);
            [g12, g16, g14, g17]
        }

        #[inline]
        $(#[target_feature(enable = $features)])?
        fn s2([x0, x1, x2, x3]: [$Lanes; 4]) -> [$Lanes; 4] {
            let g0 = x1.xor(x3);
            let g1 = x3.and_not(x1);
            let g2 = x0.xor(x2);
            let g3 = g0.and_not(x0);
            let g4 = x1.or(x2);
            let g5 = g0.xor(x2);
            let g6 = x0.xor(x3);
            let g7 = x0.and(x2);
            let g8 = g7.and_not(x1);
            let g9 = g6.and(g4);
            let g10 = g7.xor(g5);
            let g11 = g1.xor(g2);
            let g12 = g0.and(g2);
            let g13 = g3.or(g11);
            let g14 = g12.or(g9);
            let g15 = g8.xor(g11);
            let g16 = g13.xor(x3);
            [g10, g16, g14, g15]
        }

        #[inline]
        $(#[target_feature(enable = $features)])?
        fn s3([x0, x1, x2, x3]: [$Lanes; 4]) -> [$Lanes; 4] {
            let g0 = x1.xor(x3);
            let g1 = x1.and(x2);
            let g2 = x0.and(x1);
            let g3 = x3.and_not(x0);
            let g4 = x0.and_not(x3);
            let g5 = x0.or(x2);
            let g6 = x0.xor(x3);
            let g7 = x0.xor(x2);
            let g8 = g0.and_not(g5);
            let g9 = g4.xor(g1);
            let g10 = g0.or(g1);
            let g11 = g0.and_not(g4);
            let g12 = g5.and_not(g6);
            let g13 = g7.or(g2);
            let g14 = g0.or(g3);
            let g15 = g3.or(x2);
            let g16 = g8.xor(g9);
            let g17 = g11.xor(g15);
            let g18 = g14.xor(g13);
            let g19 = g12.xor(g10);
            [g19, g17, g18, g16]
        }

        #[inline]
        $(#[target_feature(enable = $features)])?
        fn s4([x0, x1, x2, x3]: [$Lanes; 4]) -> [$Lanes; 4] {
            let g0 = x1.and_not(x3);
            let g1 = x0.or(x1);
            let g2 = x2.xor(x3);
            let g3 = x0.xor(x1);
            let g4 = x0.xor(x3);
            let g5 = x2.or(x3);
            let g6 = g4.and(g1);
            let g7 = g2.and(g4);
            let g8 = g3.and(g5);
            let g9 = x1.xor(g5);
            let g10 = g4.and_not(g3);
            let g11 = g2.and_not(x1);
            let g12 = g0.xor(g2);
            let g13 = g11.xor(g6);
            let g14 = g12.xor(g8);
            let g15 = g7.or(g9);
            let g16 = g2.xor(g10);
            let g17 = g15.xor(x0);
            [g16, g14, g17, g13]
        }

        #[inline]
        $(#[target_feature(enable = $features)])?
        fn s5([x0, x1, x2, x3]: [$Lanes; 4]) -> [$Lanes; 4] {
            let g0 = x1.or(x3);
            let g1 = x1.xor(x3);
            let g2 = x0.or(x1);
            let g3 = x0.or(x2);
            let g4 = x0.xor(x2);
            let g5 = x2.or(x3);
            let g6 = x0.xor(x1);
            let g7 = g6.and(g0);
            let g8 = g1.xor(g3);
            let g9 = g6.or(x3);
            let g10 = g4.xor(g2);
            let g11 = g3.and_not(g1);
            let g12 = g4.or(g6);
            let g13 = g10.xor(g9);
            let g14 = g7.xor(g5);
            let g15 = g10.xor(g11);
            let g16 = g12.and(g8);
            let g17 = g16.xor(x0);
            [g13, g14, g17, g15]
        }

        #[inline]
        $(#[target_feature(enable = $features)])?
        fn s6([x0, x1, x2, x3]: [$Lanes; 4]) -> [$Lanes; 4] {
            let g0 = x1.xor(x2);
            let g1 = x1.or(x2);
            let g2 = x0.xor(x3);
            let g3 = x0.and(x1);
            let g4 = x2.or(x3);
            let g5 = x0.and(x3);
            let g6 = x1.and(x2);
            let g7 = x2.and(x3);
            let g8 = g2.or(g6);
            let g9 = g0.xor(g5);
            let g10 = g1.and_not(g2);
            let g11 = g5.or(x1);
            let g12 = g3.xor(g1);
            let g13 = g12.xor(g8);
            let g14 = g8.xor(g11);
            let g15 = g10.xor(g11);
            let g16 = g14.xor(g7);
            let g17 = g15.xor(g4);
            [g16, g9, g17, g13]
        }

        #[inline]
        $(#[target_feature(enable = $features)])?
        fn s7([x0, x1, x2, x3]: [$Lanes; 4]) -> [$Lanes; 4] {
            let g0 = x0.xor(x3);
            let g1 = x1.and_not(x2);
            let g2 = x1.xor(x2);
            let g3 = x0.and(x3);
            let g4 = x0.and_not(x1);
            let g5 = x2.xor(x3);
            let g6 = x0.and(x1);
            let g7 = g2.and_not(g0);
            let g8 = g5.and_not(g4);
            let g9 = g5.or(g0);
            let g10 = g2.or(g6);
            let g11 = g2.and(g3);
            let g12 = g5.xor(x1);
            let g13 = g3.xor(g10);
            let g14 = g1.xor(g0);
            let g15 = g9.and_not(g12);
            let g16 = g11.xor(g14);
            let g17 = g8.or(g7);
            let g18 = g15.xor(g3);
            [g17, g16, g18, g13]
        }

        #[inline]
        $(#[target_feature(enable = $features)])?
        fn s0_inverse([x0, x1, x2, x3]: [$Lanes; 4]) -> [$Lanes; 4] {
            let g0 = x1.and_not(x0);
            let g1 = x0.and(x2);
            let g2 = x1.or(x2);
            let g3 = x1.xor(x3);
            let g4 = x2.and(x3);
            let g5 = x2.or(x3);
            let g6 = g0.xor(g5);
            let g7 = x0.or(g4);
            let g8 = g0.xor(g4);
            let g9 = g3.xor(x0);
            let g10 = g3.and(g5);
            let g11 = g10.xor(g7);
            let g12 = g6.xor(g4);
            let g13 = g9.or(g8);
            let g14 = g9.and(g6);
            let g15 = g1.xor(g13);
            let g16 = g14.xor(g2);
            [g15, g11, g12, g16]
        }

        #[inline]
        $(#[target_feature(enable = $features)])?
        fn s1_inverse([x0, x1, x2, x3]: [$Lanes; 4]) -> [$Lanes; 4] {
            let g0 = x1.or(x2);
            let g1 = x0.and(x2);
            let g2 = x1.xor(x3);
            let g3 = x1.and(x3);
            let g4 = x0.and(x3);
            let g5 = g1.xor(g0);
            let g6 = x0.xor(x3);
            let g7 = g6.and(g0);
            let g8 = g3.xor(x2);
            let g9 = g2.and(g1);
            let g10 = g6.xor(g0);
            let g11 = g2.xor(x2);
            let g12 = g9.xor(g10);
            let g13 = g7.or(g1);
            let g14 = g5.and(g11);
            let g15 = g8.xor(x0);
            let g16 = g2.xor(g13);
            let g17 = g14.xor(g4);
            [g16, g17, g12, g15]
        }

        #[inline]
        $(#[target_feature(enable = $features)])?
        fn s2_inverse([x0, x1, x2, x3]: [$Lanes; 4]) -> [$Lanes; 4] {
            let g0 = x1.xor(x2);
            let g1 = x2.and_not(x0);
            let g2 = x1.and(x2);
            let g3 = x0.and_not(x2);
            let g4 = x0.and(x3);
            let g5 = x1.or(x3);
            let g6 = x0.xor(g2);
            let g7 = x3.and_not(x2);
            let g8 = g1.or(x1);
            let g9 = x1.and(x3);
            let g10 = g0.or(g4);
            let g11 = g7.xor(g1);
            let g12 = g3.xor(g9);
            let g13 = g3.or(x3);
            let g14 = g6.xor(g5);
            let g15 = g8.xor(g13);
            let g16 = g11.xor(g10);
            let g17 = g10.xor(g12);
            [g14, g16, g17, g15]
        }

        #[inline]
        $(#[target_feature(enable = $features)])?
        fn s3_inverse([x0, x1, x2, x3]: [$Lanes; 4]) -> [$Lanes; 4] {
            let g0 = x2.and_not(x1);
            let g1 = x1.xor(x2);
            let g2 = x0.xor(x1);
            let g3 = x2.and(x3);
            let g4 = x0.xor(x3);
            let g5 = g1.xor(x0);
            let g6 = x3.and_not(x2);
            let g7 = x0.and(x3);
            let g8 = g1.or(g3);
            let g9 = g2.and_not(g6);
            let g10 = g1.and_not(g4);
            let g11 = g1.and(g7);
            let g12 = g0.xor(g4);
            let g13 = g4.or(g2);
            let g14 = g13.and_not(g5);
            let g15 = g7.xor(g8);
            let g16 = g11.xor(g12);
            let g17 = g14.xor(g7);
            let g18 = g10.or(g9);
            [g15, g17, g16, g18]
        }

        #[inline]
        $(#[target_feature(enable = $features)])?
        fn s4_inverse([x0, x1, x2, x3]: [$Lanes; 4]) -> [$Lanes; 4] {
            let g0 = x1.xor(x2);
            let g1 = x1.and_not(x0);
            let g2 = x0.xor(x1);
            let g3 = x0.and_not(x2);
            let g4 = x0.and_not(x1);
            let g5 = x0.and(x3);
            let g6 = x2.or(x3);
            let g7 = x2.xor(x3);
            let g8 = x3.and_not(g1);
            let g9 = g4.or(x3);
            let g10 = g2.xor(g6);
            let g11 = g4.or(g0);
            let g12 = g5.and_not(g0);
            let g13 = g3.or(g7);
            let g14 = g10.xor(g9);
            let g15 = g12.xor(g10);
            let g16 = g13.xor(g4);
            let g17 = g11.xor(g8);
            [g15, g16, g17, g14]
        }

        #[inline]
        $(#[target_feature(enable = $features)])?
        fn s5_inverse([x0, x1, x2, x3]: [$Lanes; 4]) -> [$Lanes; 4] {
            let g0 = x0.xor(x2);
            let g1 = x0.or(x1);
            let g2 = x0.and(x1);
            let g3 = x1.xor(x3);
            let g4 = g0.or(x1);
            let g5 = g0.and(g1);
            let g6 = x0.or(x3);
            let g7 = x0.xor(x3);
            let g8 = g0.or(g2);
            let g9 = g2.xor(g6);
            let g10 = g6.and_not(x2);
            let g11 = g3.and(g6);
            let g12 = g7.and(g1);
            let g13 = g3.or(g2);
            let g14 = g5.xor(g9);
            let g15 = g10.xor(g13);
            let g16 = g11.xor(g8);
            let g17 = g12.xor(g4);
            [g17, g16, g15, g14]
        }

        #[inline]
        $(#[target_feature(enable = $features)])?
        fn s6_inverse([x0, x1, x2, x3]: [$Lanes; 4]) -> [$Lanes; 4] {
            let g0 = x0.and(x1);
            let g1 = x0.xor(x2);
            let g2 = x0.and(x2);
            let g3 = x0.or(x2);
            let g4 = g0.or(x2);
            let g5 = x0.xor(x3);
            let g6 = g0.xor(x3);
            let g7 = x3.and_not(x1);
            let g8 = x1.xor(x3);
            let g9 = g7.or(g1);
            let g10 = g8.xor(g3);
            let g11 = g5.and_not(g0);
            let g12 = x2.and_not(g7);
            let g13 = g6.and(g9);
            let g14 = g9.xor(g4);
            let g15 = g11.xor(g12);
            let g16 = g8.xor(g14);
            let g17 = g13.xor(g2);
            [g17, g10, g15, g16]
        }

        #[inline]
        $(#[target_feature(enable = $features)])?
        fn s7_inverse([x0, x1, x2, x3]: [$Lanes; 4]) -> [$Lanes; 4] {
            let g0 = x2.and_not(x0);
            let g1 = x1.xor(x2);
            let g2 = x0.and(x1);
            let g3 = x0.and(x3);
            let g4 = x2.and(x3);
            let g5 = g1.and_not(g2);
            let g6 = x0.xor(x3);
            let g7 = x3.and_not(x1);
            let g8 = x2.and_not(g7);
            let g9 = g1.or(g3);
            let g10 = x1.or(g4);
            let g11 = g2.xor(g4);
            let g12 = g0.or(g6);
            let g13 = g6.and_not(g7);
            let g14 = g6.and_not(g2);
            let g15 = g12.xor(g10);
            let g16 = g11.xor(g9);
            let g17 = g5.xor(g13);
            let g18 = g14.xor(g8);
            [g18, g15, g16, g17]
        }
    };
}
pub(super) use boxes;
