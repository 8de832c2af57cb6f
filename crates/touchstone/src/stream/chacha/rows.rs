//! ChaCha by rows, for few blocks: a register holds one row of the state of two or of
//! four blocks. A round takes the time of one quarter-round, even for few blocks.
//!
//! For the diagonals, the lanes of rows a, c and d rotate. Row b does not, because it is the last
//! result of a quarter-round: a rotation of b would make the path from round to round longer.

use super::quarter_round;
use crate::machinery::unknown::apart;
use crate::simd::{U8x32, U8x64, U32x8, U32x16};
use crate::stream::counter::{Places, State};

/// The four rows of a state.
#[inline]
fn rows_of(state: &State) -> [&[u32; 4]; 4] {
    let rows = state.as_chunks().0;
    [&rows[0], &rows[1], &rows[2], &rows[3]]
}

/// Writes a function that uses `$groups` registers for each row, with `$blocks` blocks in
/// each register.
macro_rules! rows {
    (
        $name:ident, $Lanes:ident $Bytes:ident, $quarter_round:ident, $features:literal,
        $blocks:literal blocks in $groups:literal groups
    ) => {
        /// XORs keystream to the blocks, at most as many as the registers hold.
        #[target_feature(enable = $features)]
        pub(super) fn $name<const ROUNDS: usize>(
            state: &State,
            wide: bool,
            data: &mut Places<'_, '_, '_>,
        ) {
            const LANES: usize = 4 * $blocks;
            let mut before = [[$Lanes::splat(0); $groups]; 4];
            let [a, b, c, d] = rows_of(state);
            for (r, words) in [a, b, c].into_iter().enumerate() {
                before[r] = [$Lanes::splat_row(words); $groups];
            }
            // The words were just stored one by one, and a load of all four would wait until the stores
            // are in the cache.
            before[3] = [$Lanes::splat_words(d.map(apart)); $groups];
            for g in 0..$groups {
                let mut index = [0; LANES];
                for (b, words) in index.as_chunks_mut::<4>().0.iter_mut().enumerate() {
                    words[0] = ($blocks * g + b) as u32;
                }
                let index = $Lanes::load(&index);
                let row = before[3][g];
                // The counter is a number of 64 bits, or of 32 bits without a carry.
                before[3][g] = if wide {
                    row.add_u64(index)
                } else {
                    row.add(index)
                };
            }
            let [mut a, mut b, mut c, mut d] = before;
            for _ in 0..ROUNDS / 2 {
                for g in 0..$groups {
                    $quarter_round!(a[g], b[g], c[g], d[g]);
                }
                for g in 0..$groups {
                    a[g] = a[g].permute::<0b10_01_00_11>();
                    c[g] = c[g].permute::<0b00_11_10_01>();
                    d[g] = d[g].permute::<0b01_00_11_10>();
                }
                for g in 0..$groups {
                    $quarter_round!(a[g], b[g], c[g], d[g]);
                }
                for g in 0..$groups {
                    a[g] = a[g].permute::<0b00_11_10_01>();
                    c[g] = c[g].permute::<0b10_01_00_11>();
                    d[g] = d[g].permute::<0b01_00_11_10>();
                }
            }
            for g in 0..$groups {
                let mut rows = [a[g], b[g], c[g], d[g]];
                for (row, before) in rows.iter_mut().zip(before) {
                    *row = row.add(before[g]);
                }
                for (b, parts) in $Bytes::blocks_of_rows(rows).into_iter().enumerate() {
                    if $blocks * g + b >= data.len() {
                        return;
                    }
                    let mut block = data.get($blocks * g + b);
                    for (p, keystream) in parts.into_iter().enumerate() {
                        let sum = $Bytes::load(&block.get_in().as_chunks().0[p]).xor(keystream);
                        sum.store(&mut block.get_out().as_chunks_mut().0[p]);
                    }
                }
            }
        }
    };
}

/// [`quarter_round`] for a chain of rounds that nothing else runs beside, where rotations take two
/// cycles.
macro_rules! quick_quarter_round {
    ($a:expr, $b:expr, $c:expr, $d:expr) => {
        $a = $a.add($b);
        $d = $d.xor_rotate($a, 16);
        $c = $c.add($d);
        $b = $b.xor($c).rotate_left_by(12);
        $a = $a.add($b);
        $d = $d.xor_rotate($a, 8);
        $c = $c.add($d);
        $b = $b.xor($c).rotate_left_by(7);
    };
}

rows!(two_avx2, U32x8 U8x32, quarter_round, "avx2", 2 blocks in 1 groups);
rows!(four_avx2, U32x8 U8x32, quarter_round, "avx2", 2 blocks in 2 groups);
rows!(six_avx2, U32x8 U8x32, quarter_round, "avx2", 2 blocks in 3 groups);
rows!(two_avx512, U32x8 U8x32, quick_quarter_round, "avx2,avx512f,avx512vl", 2 blocks in 1 groups);
rows!(two_avx512_rotations, U32x8 U8x32, quarter_round, "avx2,avx512f,avx512vl", 2 blocks in 1 groups);
rows!(four_avx512, U32x16 U8x64, quarter_round, "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2", 4 blocks in 1 groups);
rows!(eight_avx512, U32x16 U8x64, quarter_round, "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2", 4 blocks in 2 groups);
