//! The rounds with one key for all lanes.
//!
//! Each half is kept with the key bits of its next round already added, where
//! *E* takes a bit to the middle four inputs of a box: what a round adds to a half
//! is then a sum of three, the half, the boxes' output and the sum of two keys,
//! and that is one gate. Only the sixteen bits that *E* takes a second time, to the
//! outer inputs of a box, need another sum, with both keys: 48 in a round, not 80. A
//! pass begins and ends with plain halves.
//!
//! Sums of keys become masks for operations with a broadcast from memory, which
//! costs no more than they do without.

use super::Half;
use crate::block::des::ternary::boxes;
use crate::block::des::{E, Keys, P_INVERSE};
use crate::simd::U64x8;
use crate::wipe::wipe;

/// All ones or zeros for each bit of a number.
type Masks = [[u32; 16]; 4];

/// What a round adds to its inputs, and what to the half that it changes.
#[derive(Clone, Copy)]
pub(super) struct Round {
    key: Masks,
    change: Masks,
}

pub(super) type Pass = [Round; 16];

pub(super) const EMPTY: Pass = [Round {
    key: [[0; 16]; 4],
    change: [[0; 16]; 4],
}; 16];

/// Where a round key has the bit for input `i` of box `s`.
const fn place(s: usize, i: usize) -> usize {
    8 * s + 5 - i
}

/// Where it has that for the middle input to which a bit comes.
const fn middle(bit: usize) -> usize {
    place(bit / 4, 1 + bit % 4)
}

#[inline]
#[target_feature(enable = "avx512f,avx512dq")]
fn masks(bits: u64) -> Masks {
    let mut masks = [[0; 16]; 4];
    for (i, masks) in masks.iter_mut().enumerate() {
        *masks = U64x8::bits_as_u32((bits >> (16 * i)) as u16);
    }
    masks
}

/// A round key with its bits for the outer inputs of the boxes added to those that
/// the same bits of the half have already, those for the middle ones of the
/// neighbours.
fn outer(key: u64) -> u64 {
    let first = key.rotate_left(12) & 0x2020_2020_2020_2020;
    let last = key.rotate_right(12) & 0x0101_0101_0101_0101;
    key ^ first ^ last
}

#[target_feature(enable = "avx512f,avx512dq")]
pub(super) fn prepare<const PASSES: usize>(keys: &Keys<PASSES>, backwards: bool) -> [Pass; PASSES] {
    let mut passes = [EMPTY; PASSES];
    for (pass, rounds) in passes.iter_mut().enumerate() {
        let mut keys = keys[if backwards { PASSES - 1 - pass } else { pass }];
        if backwards {
            keys.reverse();
        }
        for (i, round) in rounds.iter_mut().enumerate() {
            // The halves are plain before the first two rounds, and after the
            // last two.
            let had = if i < 2 { 0 } else { keys[i - 1] };
            let gets = if i < 14 { keys[i + 1] } else { 0 };
            let plain = i == 0 || i == 15;
            round.key = masks(if plain { keys[i] } else { outer(keys[i]) });
            round.change = masks(had ^ gets);
        }
        wipe(&mut keys, 0);
    }
    passes
}

/// The round function on all lanes, its result added to `left`; `PLAIN` if the
/// key is still to be added to all of `right`. [FIPS46] "The cipher function f".
#[target_feature(enable = "avx512f,avx512bw,avx512dq,gfni")]
fn round<const PLAIN: bool>(left: &mut Half, right: &Half, round: &Round) {
    let key = round.key.as_flattened();
    let change = round.change.as_flattened();
    macro_rules! input {
        ($s:literal, $i:literal) => {{
            let x = right[const { E[6 * $s + $i] }];
            if PLAIN || $i == 0 || $i == 5 {
                x.xor(U64x8::splat_u32(key[const { place($s, $i) }]))
            } else {
                x
            }
        }};
    }
    macro_rules! add {
        ($s:literal, $i:literal, $y:ident) => {
            let bit = const { P_INVERSE[4 * $s + $i] };
            left[bit] = $y.add_three(left[bit], change[const { middle(P_INVERSE[4 * $s + $i]) }]);
        };
    }
    boxes!(input, add);
}

/// All rounds of all passes; the halves that the first round got as left
/// and right, then what the output has as its right and left half.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,gfni")]
pub(super) fn rounds(a: &mut Half, b: &mut Half, passes: &[Pass]) {
    let (mut left, mut right) = (a, b);
    for [first, between @ .., last] in passes {
        round::<true>(left, right, first);
        for one in between {
            round::<false>(right, left, one);
            (left, right) = (right, left);
        }
        round::<true>(right, left, last);
        (left, right) = (right, left);
    }
}
