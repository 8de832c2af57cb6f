//! The S-boxes as circuits of gates with two inputs: AND, AND NOT, OR and XOR. S0 to S7 have
//! 13, 13, 13, 15, 15, 16, 14 and 15 gates, together 114; the inverses have as many gates.
//!
//! Every circuit is a chain of steps on four words, and each step is *x ⊕= f(other words)*.
//! Each step is its own inverse, so the steps in reverse order compute the inverse S-box.
//! Complements are not gates. They are part of the round keys ([`INPUTS`], [`OUTPUTS`]), where
//! they cost nothing. A breadth-first search of all such chains found the circuits. The search
//! started at both ends of the chain, with up to eight gates from each end. From the shortest
//! circuits and circuits with one or two gates more, we selected the circuits with the least
//! latency, together with the linear transformation before and after them. [OSVIK] had the idea
//! of S-boxes as short sequences of instructions.
//!
//! - [OSVIK] D. A. Osvik: Speeding up Serpent, 3rd AES candidate conference, 2000

/// The inputs of S0 to S7 that the circuits take complemented. Bit *i* means the input word
/// *i*.
pub(super) const INPUTS: [u8; 8] = [
    0b0100, 0b0010, 0b1010, 0b1000, 0b0101, 0b0011, 0b0010, 0b1010,
];

/// The outputs of S0 to S7 that the circuits leave complemented. Bit *i* means the output word
/// *i*.
pub(super) const OUTPUTS: [u8; 8] = [
    0b1010, 0b0010, 0b1110, 0b1101, 0b0000, 0b1011, 0b1100, 0b1100,
];

/// Writes the functions `s0` to `s7` and their inverses for a lane type.
macro_rules! boxes {
    ($Lanes:ty $(, $features:literal)?) => {
        #[inline]
        $(#[target_feature(enable = $features)])?
        fn s0([x0, x1, x2, x3]: [$Lanes; 4]) -> [$Lanes; 4] {
            let g0 = x0.or(x3);
            let g1 = x1.xor(g0);
            let g2 = x0.xor(x3);
            let g3 = g2.and(g1);
            let g4 = x3.xor(g3);
            let g5 = g2.xor(x2);
            let g6 = g5.xor(g4);
            let g7 = x2.xor(g1);
            let g8 = g6.and(g4);
            let g9 = g1.xor(g8);
            let g10 = g6.or(g7);
            let g11 = g4.xor(g10);
            let g12 = g6.xor(g11);
            [g11, g12, g9, g7]
        }

        #[inline]
        $(#[target_feature(enable = $features)])?
        fn s1([x0, x1, x2, x3]: [$Lanes; 4]) -> [$Lanes; 4] {
            let g0 = x0.and(x1);
            let g1 = x3.xor(g0);
            let g2 = x0.xor(x1);
            let g3 = g2.and(g1);
            let g4 = x1.xor(g3);
            let g5 = x2.xor(g1);
            let g6 = g2.xor(g5);
            let g7 = g5.xor(g4);
            let g8 = g6.or(g4);
            let g9 = g1.xor(g8);
            let g10 = g7.and(g9);
            let g11 = g4.xor(g10);
            let g12 = g7.xor(g11);
            [g9, g11, g6, g12]
        }

        #[inline]
        $(#[target_feature(enable = $features)])?
        fn s2([x0, x1, x2, x3]: [$Lanes; 4]) -> [$Lanes; 4] {
            let g0 = x0.or(x3);
            let g1 = x1.xor(g0);
            let g2 = x2.xor(g0);
            let g3 = g1.and(g2);
            let g4 = x3.xor(g3);
            let g5 = g1.xor(x0);
            let g6 = x0.xor(g4);
            let g7 = g5.or(g2);
            let g8 = g4.xor(g7);
            let g9 = g6.or(g5);
            let g10 = g2.xor(g9);
            let g11 = g5.xor(g10);
            let g12 = g10.xor(g6);
            [g8, g12, g6, g11]
        }

        #[inline]
        $(#[target_feature(enable = $features)])?
        fn s3([x0, x1, x2, x3]: [$Lanes; 4]) -> [$Lanes; 4] {
            let g0 = x0.xor(x1);
            let g1 = x1.and(x3);
            let g2 = x2.xor(g1);
            let g3 = g0.or(x1);
            let g4 = g2.and(g3);
            let g5 = x3.xor(g4);
            let g6 = g0.or(g5);
            let g7 = x1.xor(g6);
            let g8 = g0.or(g2);
            let g9 = g5.xor(g8);
            let g10 = g7.or(g2);
            let g11 = g0.xor(g10);
            let g12 = g11.or(g9);
            let g13 = g7.xor(g12);
            let g14 = g2.xor(g12);
            [g11, g13, g9, g14]
        }

        #[inline]
        $(#[target_feature(enable = $features)])?
        fn s4([x0, x1, x2, x3]: [$Lanes; 4]) -> [$Lanes; 4] {
            let g0 = x0.and(x3);
            let g1 = x2.xor(g0);
            let g2 = x0.xor(x3);
            let g3 = x3.xor(g1);
            let g4 = g2.and(x1);
            let g5 = g1.xor(g4);
            let g6 = x1.xor(g2);
            let g7 = g5.and(g3);
            let g8 = g6.xor(g7);
            let g9 = g3.xor(g8);
            let g10 = g8.and(g5);
            let g11 = g9.or(g10);
            let g12 = g2.xor(g11);
            let g13 = g12.or(g5);
            let g14 = g9.xor(g13);
            [g5, g12, g8, g14]
        }

        #[inline]
        $(#[target_feature(enable = $features)])?
        fn s5([x0, x1, x2, x3]: [$Lanes; 4]) -> [$Lanes; 4] {
            let g0 = x0.and(x1);
            let g1 = x2.xor(g0);
            let g2 = x1.xor(x3);
            let g3 = g2.xor(x0);
            let g4 = g3.and(x3);
            let g5 = x0.xor(g4);
            let g6 = x3.xor(g1);
            let g7 = g1.xor(g5);
            let g8 = g5.or(g7);
            let g9 = g3.xor(g8);
            let g10 = g7.and_not(g6);
            let g11 = g5.xor(g10);
            let g12 = g9.or(g7);
            let g13 = g11.or(g12);
            let g14 = g6.xor(g13);
            let g15 = g11.xor(g9);
            [g7, g15, g9, g14]
        }

        #[inline]
        $(#[target_feature(enable = $features)])?
        fn s6([x0, x1, x2, x3]: [$Lanes; 4]) -> [$Lanes; 4] {
            let g0 = x0.and(x3);
            let g1 = x2.xor(g0);
            let g2 = x0.xor(x3);
            let g3 = g2.or(x1);
            let g4 = x3.xor(g3);
            let g5 = g2.and(g1);
            let g6 = g4.xor(g5);
            let g7 = g2.xor(x1);
            let g8 = x1.xor(g1);
            let g9 = g1.and(g6);
            let g10 = g7.xor(g9);
            let g11 = g6.xor(g10);
            let g12 = g10.or(g11);
            let g13 = g1.xor(g12);
            [g10, g8, g11, g13]
        }

        #[inline]
        $(#[target_feature(enable = $features)])?
        fn s7([x0, x1, x2, x3]: [$Lanes; 4]) -> [$Lanes; 4] {
            let g0 = x1.or(x3);
            let g1 = x0.xor(g0);
            let g2 = x2.xor(g0);
            let g3 = x1.xor(g1);
            let g4 = g1.or(g2);
            let g5 = x3.xor(g4);
            let g6 = g2.xor(g3);
            let g7 = g1.and(g6);
            let g8 = g5.or(g7);
            let g9 = g3.xor(g8);
            let g10 = g9.and(g5);
            let g11 = g6.xor(g10);
            let g12 = g9.and(g11);
            let g13 = g1.xor(g12);
            let g14 = g5.xor(g11);
            [g9, g13, g11, g14]
        }

        #[inline]
        $(#[target_feature(enable = $features)])?
        fn s0_inverse([x0, x1, x2, x3]: [$Lanes; 4]) -> [$Lanes; 4] {
            let g0 = x1.xor(x0);
            let g1 = g0.or(x3);
            let g2 = x0.xor(g1);
            let g3 = g0.and(g2);
            let g4 = x2.xor(g3);
            let g5 = x3.xor(g4);
            let g6 = g0.xor(g2);
            let g7 = g6.xor(g5);
            let g8 = g7.and(g4);
            let g9 = g2.xor(g8);
            let g10 = g7.xor(g9);
            let g11 = g10.or(g9);
            let g12 = g4.xor(g11);
            [g10, g12, g5, g9]
        }

        #[inline]
        $(#[target_feature(enable = $features)])?
        fn s1_inverse([x0, x1, x2, x3]: [$Lanes; 4]) -> [$Lanes; 4] {
            let g0 = x3.xor(x1);
            let g1 = g0.and(x0);
            let g2 = x1.xor(g1);
            let g3 = x2.or(g2);
            let g4 = x0.xor(g3);
            let g5 = g0.xor(g2);
            let g6 = x2.xor(g5);
            let g7 = g5.xor(g4);
            let g8 = g6.and(g4);
            let g9 = g2.xor(g8);
            let g10 = g6.xor(g9);
            let g11 = g10.and(g9);
            let g12 = g4.xor(g11);
            [g10, g9, g7, g12]
        }

        #[inline]
        $(#[target_feature(enable = $features)])?
        fn s2_inverse([x0, x1, x2, x3]: [$Lanes; 4]) -> [$Lanes; 4] {
            let g0 = x1.xor(x2);
            let g1 = x3.xor(g0);
            let g2 = x2.or(g1);
            let g3 = g0.xor(g2);
            let g4 = g1.or(g3);
            let g5 = x0.xor(g4);
            let g6 = x2.xor(g5);
            let g7 = g1.xor(g6);
            let g8 = g7.and(g3);
            let g9 = g5.xor(g8);
            let g10 = g6.or(g9);
            let g11 = g7.xor(g10);
            let g12 = g3.xor(g10);
            [g6, g11, g12, g9]
        }

        #[inline]
        $(#[target_feature(enable = $features)])?
        fn s3_inverse([x0, x1, x2, x3]: [$Lanes; 4]) -> [$Lanes; 4] {
            let g0 = x0.or(x2);
            let g1 = x1.xor(g0);
            let g2 = x3.xor(g0);
            let g3 = g1.or(g2);
            let g4 = x0.xor(g3);
            let g5 = g4.or(g2);
            let g6 = x2.xor(g5);
            let g7 = g4.or(g6);
            let g8 = g1.xor(g7);
            let g9 = g4.or(g8);
            let g10 = g2.and(g9);
            let g11 = g6.xor(g10);
            let g12 = g8.and(g11);
            let g13 = g2.xor(g12);
            let g14 = g4.xor(g8);
            [g14, g8, g13, g11]
        }

        #[inline]
        $(#[target_feature(enable = $features)])?
        fn s4_inverse([x0, x1, x2, x3]: [$Lanes; 4]) -> [$Lanes; 4] {
            let g0 = x1.or(x0);
            let g1 = x3.xor(g0);
            let g2 = x2.and(x0);
            let g3 = g1.or(g2);
            let g4 = x1.xor(g3);
            let g5 = g1.xor(x2);
            let g6 = x0.and(g5);
            let g7 = x2.xor(g6);
            let g8 = g7.xor(g4);
            let g9 = g4.and(g8);
            let g10 = x0.xor(g9);
            let g11 = g5.xor(g10);
            let g12 = g4.xor(g11);
            let g13 = g12.and(g11);
            let g14 = g10.xor(g13);
            [g12, g8, g14, g11]
        }

        #[inline]
        $(#[target_feature(enable = $features)])?
        fn s5_inverse([x0, x1, x2, x3]: [$Lanes; 4]) -> [$Lanes; 4] {
            let g0 = x1.xor(x2);
            let g1 = x2.or(x0);
            let g2 = g0.or(g1);
            let g3 = x3.xor(g2);
            let g4 = x0.and_not(g3);
            let g5 = g0.xor(g4);
            let g6 = g5.or(x0);
            let g7 = x2.xor(g6);
            let g8 = x0.xor(g5);
            let g9 = g3.xor(g8);
            let g10 = g7.and(g9);
            let g11 = g5.xor(g10);
            let g12 = g7.xor(g11);
            let g13 = g12.xor(g9);
            let g14 = g11.and(g13);
            let g15 = g8.xor(g14);
            [g11, g13, g15, g9]
        }

        #[inline]
        $(#[target_feature(enable = $features)])?
        fn s6_inverse([x0, x1, x2, x3]: [$Lanes; 4]) -> [$Lanes; 4] {
            let g0 = x0.or(x2);
            let g1 = x3.xor(g0);
            let g2 = x2.xor(x0);
            let g3 = g1.and(g2);
            let g4 = x0.xor(g3);
            let g5 = x1.xor(g1);
            let g6 = g4.xor(g5);
            let g7 = g6.and(g1);
            let g8 = g2.xor(g7);
            let g9 = g6.or(g5);
            let g10 = g8.xor(g9);
            let g11 = g6.xor(g10);
            let g12 = g11.and(g10);
            let g13 = g1.xor(g12);
            [g11, g5, g13, g10]
        }

        #[inline]
        $(#[target_feature(enable = $features)])?
        fn s7_inverse([x0, x1, x2, x3]: [$Lanes; 4]) -> [$Lanes; 4] {
            let g0 = x3.xor(x2);
            let g1 = x0.and(x2);
            let g2 = x1.xor(g1);
            let g3 = x0.and(g0);
            let g4 = x2.xor(g3);
            let g5 = g2.and(g4);
            let g6 = g0.or(g5);
            let g7 = x0.xor(g6);
            let g8 = g4.xor(g7);
            let g9 = g2.or(g8);
            let g10 = g0.xor(g9);
            let g11 = g7.xor(g2);
            let g12 = g11.or(g10);
            let g13 = g2.xor(g12);
            let g14 = g8.xor(g12);
            [g13, g11, g14, g10]
        }
    };
}
pub(super) use boxes;
