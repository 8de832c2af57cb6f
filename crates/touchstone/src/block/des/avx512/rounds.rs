//! The rounds of DES on bit planes, for calls in which all lanes have the same key.
//!
//! The S-boxes need the half XORed with the round key. These rounds store each half with most
//! bits of its next round key already XORed to it. This is possible only for the key bits of
//! the middle four inputs of each S-box, because E copies each of the 32 bits of a half to
//! exactly one middle input. So a round XORs three values: the half, the S-boxes' output, and
//! the XOR of two keys. One ternary gate computes this sum. E also copies sixteen bits of the
//! half to outer inputs of S-boxes. For each of these inputs one more XOR removes the key bit
//! of the middle input and adds the key bit of the outer input. So a round takes 48 operations
//! with keys, not 80. At the start and the end of a pass the halves contain no key.
//!
//! The XOR of two key bits is a mask: a word of zeros or ones. An instruction can broadcast
//! this word from memory to all lanes while it uses it, at the cost of a register operand.

use super::Half;
use crate::block::des::ternary::boxes;
use crate::block::des::{E, Keys, P_INVERSE};
use crate::simd::U64x8;
use crate::wipe::wipe;

/// For each bit of a round key or of a half, a word of ones or of zeros.
type Masks = [[u32; 16]; 4];

/// The key masks of a round: `key` for the inputs of the S-boxes, `change` for the half that
/// the round changes.
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

/// Returns the number of the round key's bit that belongs to input `i` of S-box `s`.
const fn place(s: usize, i: usize) -> usize {
    8 * s + 5 - i
}

/// Returns the number of the round key's bit that belongs to the middle input to which E copies
/// `bit` of a half.
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

/// Computes what a round must still XOR to the outer inputs of the S-boxes. E copies these
/// inputs from bits of the half that already contain the key bits of middle inputs. The result
/// contains the same key bits, so that they cancel, and the key bits of the outer inputs.
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
            // In the first two rounds of a pass the halves do not contain a key yet. After the
            // last two rounds they contain no key any more.
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

/// Computes the round function f in all lanes, [FIPS46] "The cipher function f", and XORs the
/// result to `left`. `PLAIN` means that `right` does not contain its round key yet.
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

/// Computes all rounds of all passes. Before the call `a` and `b` are the left and the right
/// half of the input. After the call they are the right and the left half of the output.
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
