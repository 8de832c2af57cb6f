//! The rounds with bit planes, if all lanes have the same key.
//!
//! Each half is stored with the key of its next round already added. This is possible only for the
//! key bits of the middle four inputs of each S-box, because E copies each of the 32 bits of a half
//! to exactly one middle input. So a round XORs three values: the half, the S-boxes' output, and
//! the XOR of two keys. One ternary gate computes this sum. E also copies sixteen bits of the half
//! to outer inputs of S-boxes. These inputs need one more XOR, which removes the key of the middle
//! input and adds the key of the outer input. So a round takes 48 operations with keys, not 80. At
//! the start and the end of a pass the halves contain no key.
//!
//! The XOR of two keys is a mask of zeros or ones. An instruction that uses the mask broadcasts it
//! from memory, and such an operand costs no more than a register.

use super::Half;
use crate::block::des::ternary::boxes;
use crate::block::des::{E, Keys, P_INVERSE};
use crate::simd::U64x8;
use crate::wipe::wipe;

/// For each bit of a round key or a half, a word of ones or of zeros.
type Masks = [[u32; 16]; 4];

/// The masks of a round: for the S-boxes' inputs, and for the half that the round changes.
#[derive(Clone, Copy)]
pub(super) struct Round {
    key: Masks,
    change: Masks,
}

pub(super) type Pass = [Round; 16];

const EMPTY: Pass = [Round {
    key: [[0; 16]; 4],
    change: [[0; 16]; 4],
}; 16];

/// The bit of a round key for input `i` of S-box `s`.
const fn place(s: usize, i: usize) -> usize {
    8 * s + 5 - i
}

/// The bit of a round key for the middle input that receives `bit` of a half.
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

/// A round key for the outer inputs of the S-boxes. E copies the bits for these inputs from the
/// middle inputs of the neighbouring S-boxes, and these bits already contain the key bits of those
/// middle inputs. The result contains the same key bits too, so that they cancel.
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
            // In the first two rounds the halves do not contain a key yet, and after the last two
            // rounds they contain no key any more.
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

/// The round function f in all lanes, [FIPS46] "The cipher function f". XORs the result to `left`.
/// `PLAIN` means that `right` does not contain its key yet.
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

/// All rounds of all passes. Before the call the arrays have the left and the right half of the
/// input; after the call they have the right and the left half of the output.
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
