//! Salsa20 by rows, for few blocks: a register holds one row of the state of one block or of two
//! blocks. A round takes the time of one quarter-round, even for few blocks.
//!
//! The rows here are the diagonals of the state, so that equal lanes of them are the words of a
//! quarter-round:
//!
//! | row | words |
//! |---|---|
//! | a | 0, 5, 10, 15 |
//! | b | 4, 9, 14, 3 |
//! | c | 8, 13, 2, 7 |
//! | d | 12, 1, 6, 11 |
//!
//! Every word keeps its lane of the state, so blends are enough to make the diagonals and to undo
//! them.
//!
//! After a round, rows b and d change places, and the lanes of b, c and d rotate. Row a does not
//! move, because it is the last result of a round, and the next round begins with it.

use inout::InOut;

use crate::machinery::unknown::apart;
use crate::simd::{U8x16, U8x32, U32x4, U32x8};
use crate::stream::counter::{BLOCK, Places, State};

/// A step of the quarter-rounds in all lanes and groups, [SALSA20](super) §4.1.
macro_rules! step {
    ($x:ident, $y:ident, $z:ident, $n:literal, $groups:literal) => {
        for g in 0..$groups {
            $x[g] = $x[g].xor_rotation_of($y[g].add($z[g]), $n);
        }
    };
}

/// The keystream of consecutive blocks, as the four rows of the state for each of `$groups` groups of
/// `$blocks` blocks.
macro_rules! keystream {
    ($Lanes:ident, $blocks:literal blocks in $groups:literal groups, $state:ident, $rounds:ident) => {{
        let (rows, _) = $state.as_chunks::<4>();
        // Nonce and counter were just stored word by word, and a load of all four would wait until
        // the stores are in the cache.
        let mut before = [
            [$Lanes::splat_row(&rows[0]); $groups],
            [$Lanes::splat_words(rows[1].map(apart)); $groups],
            [$Lanes::splat_words(rows[2].map(apart)); $groups],
            [$Lanes::splat_row(&rows[3]); $groups],
        ];
        for g in 0..$groups {
            let mut index = [0; 4 * $blocks];
            for (b, words) in index.as_chunks_mut::<4>().0.iter_mut().enumerate() {
                words[0] = ($blocks * g + b) as u32;
            }
            before[2][g] = before[2][g].add_u64($Lanes::load(&index));
        }
        let [mut a, mut b, mut c, mut d] = before;
        for g in 0..$groups {
            let (even, odd) = (a[g].with_odd_lanes(b[g]), b[g].with_odd_lanes(a[g]));
            let (even2, odd2) = (c[g].with_odd_lanes(d[g]), d[g].with_odd_lanes(c[g]));
            (a[g], c[g]) = (even.with_upper_lanes(even2), even2.with_upper_lanes(even));
            (b[g], d[g]) = (odd.with_middle_lanes(odd2), odd2.with_middle_lanes(odd));
        }
        for _ in 0..$rounds {
            step!(b, a, d, 7, $groups);
            step!(c, b, a, 9, $groups);
            step!(d, c, b, 13, $groups);
            step!(a, d, c, 18, $groups);
            for g in 0..$groups {
                let next_b = d[g].permute::<0b00_11_10_01>();
                c[g] = c[g].permute::<0b01_00_11_10>();
                d[g] = b[g].permute::<0b10_01_00_11>();
                b[g] = next_b;
            }
        }
        let mut keystream = [[a[0]; 4]; $groups];
        for g in 0..$groups {
            let (even, even2) = (a[g].with_upper_lanes(c[g]), c[g].with_upper_lanes(a[g]));
            let (odd, odd2) = (b[g].with_middle_lanes(d[g]), d[g].with_middle_lanes(b[g]));
            keystream[g] = [
                even.with_odd_lanes(odd).add(before[0][g]),
                odd.with_odd_lanes(even).add(before[1][g]),
                even2.with_odd_lanes(odd2).add(before[2][g]),
                odd2.with_odd_lanes(even2).add(before[3][g]),
            ];
        }
        keystream
    }};
}

/// XORs keystream to a block.
#[target_feature(enable = "avx2")]
pub(super) fn one<const ROUNDS: usize>(state: &State, mut block: InOut<'_, '_, [u8; BLOCK]>) {
    let [rows] = keystream!(U32x4, 1 blocks in 1 groups, state, ROUNDS);
    for (r, row) in rows.into_iter().enumerate() {
        let sum = U8x16::load(&block.get_in().as_chunks().0[r]).xor(row.into());
        sum.store(&mut block.get_out().as_chunks_mut().0[r]);
    }
}

/// Writes a function that uses `$groups` registers for each row, with two blocks in each.
macro_rules! pairs {
    ($name:ident, $groups:literal) => {
        /// XORs keystream to the blocks, at most as many as the registers hold.
        #[target_feature(enable = "avx2")]
        pub(super) fn $name<const ROUNDS: usize>(state: &State, data: &mut Places<'_, '_, '_>) {
            let keystream = keystream!(U32x8, 2 blocks in $groups groups, state, ROUNDS);
            for (g, rows) in keystream.into_iter().enumerate() {
                for (b, halves) in U8x32::blocks_of_rows(rows).into_iter().enumerate() {
                    if 2 * g + b >= data.len() {
                        return;
                    }
                    let mut block = data.get(2 * g + b);
                    for (h, half) in halves.into_iter().enumerate() {
                        let sum = U8x32::load(&block.get_in().as_chunks().0[h]).xor(half);
                        sum.store(&mut block.get_out().as_chunks_mut().0[h]);
                    }
                }
            }
        }
    };
}

pairs!(two, 1);
pairs!(four, 2);
pairs!(six, 3);
