//! ARIA's round keys for decryption with AVX2: a register has two of them.
#![allow(unsafe_code)]

use super::{RoundKeys, rounds};
use crate::cpu::Avx2;
use crate::simd::{U8x16, U8x32, U32x8};

/// The places of the bytes of each word, rotated left by one byte and by two. The bytes of a word in
/// memory are in the reverse order of their numbers.
const ROTATED: [[u8; 16]; 2] = [
    [3, 0, 1, 2, 7, 4, 5, 6, 11, 8, 9, 10, 15, 12, 13, 14],
    [2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13],
];

/// The places that exchange words with their neighbours, and pairs of words.
const EXCHANGED: [[u8; 16]; 2] = [
    [4, 5, 6, 7, 0, 1, 2, 3, 12, 13, 14, 15, 8, 9, 10, 11],
    [8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7],
];

/// The permutation within words, the third step of the diffusion layer.
const TURNED: [u8; 16] = [3, 2, 1, 0, 5, 4, 7, 6, 10, 11, 8, 9, 12, 13, 14, 15];

#[inline]
#[target_feature(enable = "avx2")]
fn moved(x: U8x32, places: &[u8; 16]) -> U8x32 {
    x.shuffle(U8x32::splat(U8x16::load(places)))
}

/// Replaces each of four parts by the sum of the three others. The two places exchange neighbours and
/// pairs of parts.
#[inline]
#[target_feature(enable = "avx2")]
fn sum_of_others(x: U8x32, [neighbours, pairs]: &[[u8; 16]; 2]) -> U8x32 {
    let sums = x.xor(moved(x, neighbours));
    x.xor3(sums, moved(sums, pairs))
}

/// Applies the diffusion layer A, as [`super::a`] does, to the keys that [`super::invert`] changes, after
/// their order was reversed.
pub(super) fn diffuse<const KEY: usize>(_: Avx2, keys: &mut RoundKeys) {
    #[target_feature(enable = "avx2")]
    fn all<const KEY: usize>(keys: &mut RoundKeys) {
        let last = const { rounds(KEY) };
        // The last of an odd number of keys has the key after it in its register, which stays.
        let words = &mut keys.as_flattened_mut()[4..4 * last + 4];
        for two in words.as_chunks_mut::<8>().0 {
            let x = U8x32::from(U32x8::load(two));
            let x = sum_of_others(x, &ROTATED);
            let x = sum_of_others(x, &EXCHANGED);
            let x = sum_of_others(moved(x, &TURNED), &EXCHANGED);
            U32x8::from(x).store(two);
        }
    }
    let after = keys[const { rounds(KEY) }];
    // SAFETY: the token proves the features.
    unsafe { all::<KEY>(keys) }
    keys[const { rounds(KEY) }] = after;
}
