//! ChaCha by rows, for few blocks: a register holds one row of the state of two or of
//! four blocks. A round takes the time of one quarter-round, even for few blocks. For the
//! diagonals, the lanes of rows 1 to 3 rotate by 1 to 3 places.

use super::quarter_round;
use crate::cipher::Block as _;
use crate::simd::{U32x8, U32x16};
use crate::stream::counter::{Counters, Data, State};
use crate::wipe::wipe;

/// Writes a function that uses `$groups` registers for each row, with `$blocks` blocks in
/// each register.
macro_rules! rows {
    ($name:ident, $Lanes:ident, $features:literal, $blocks:literal blocks in $groups:literal groups) => {
        /// XORs keystream to the blocks, at most as many as the registers hold.
        #[target_feature(enable = $features)]
        pub(super) fn $name<const ROUNDS: usize>(
            state: &State,
            counters: &Counters,
            data: &mut Data<'_, '_>,
        ) {
            const LANES: usize = 4 * $blocks;
            let mut before = [[$Lanes::splat(0); $groups]; 4];
            for r in 0..4 {
                for g in 0..$groups {
                    let mut row = [0; LANES];
                    for (b, words) in row.as_chunks_mut::<4>().0.iter_mut().enumerate() {
                        words.copy_from_slice(&state[4 * r..4 * r + 4]);
                        if r == 3 {
                            words[0] = counters.low[$blocks * g + b];
                            words[1] = counters.high[$blocks * g + b];
                        }
                    }
                    before[r][g] = $Lanes::load(&row);
                }
            }
            let [mut a, mut b, mut c, mut d] = before;
            for _ in 0..ROUNDS / 2 {
                for g in 0..$groups {
                    quarter_round!(a[g], b[g], c[g], d[g]);
                }
                for g in 0..$groups {
                    b[g] = b[g].permute::<0b00_11_10_01>();
                    c[g] = c[g].permute::<0b01_00_11_10>();
                    d[g] = d[g].permute::<0b10_01_00_11>();
                }
                for g in 0..$groups {
                    quarter_round!(a[g], b[g], c[g], d[g]);
                }
                for g in 0..$groups {
                    b[g] = b[g].permute::<0b10_01_00_11>();
                    c[g] = c[g].permute::<0b01_00_11_10>();
                    d[g] = d[g].permute::<0b00_11_10_01>();
                }
            }
            let after = [a, b, c, d];
            let mut keystream = [[0; 64]; $groups * $blocks];
            for r in 0..4 {
                for g in 0..$groups {
                    let mut row = [0; LANES];
                    after[r][g].add(before[r][g]).store(&mut row);
                    for (b, words) in row.as_chunks::<4>().0.iter().enumerate() {
                        let block = &mut keystream[$blocks * g + b];
                        let bytes = &mut block.as_chunks_mut::<16>().0[r];
                        for (bytes, word) in bytes.as_chunks_mut().0.iter_mut().zip(words) {
                            *bytes = word.to_le_bytes();
                        }
                    }
                }
            }
            for i in 0..data.len().min(keystream.len()) {
                let mut block = data.get(i);
                *block.get_out() = block.get_in().xor(keystream[i]);
            }
            wipe(&mut keystream, [0; 64]);
        }
    };
}

rows!(two_avx2, U32x8, "avx2", 2 blocks in 1 groups);
rows!(four_avx2, U32x8, "avx2", 2 blocks in 2 groups);
rows!(four_avx512, U32x16, "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2", 4 blocks in 1 groups);
rows!(eight_avx512, U32x16, "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2", 4 blocks in 2 groups);
