//! ARIA's round keys with AVX-512: a register has four of them. Each instruction of the rotations, and
//! of the diffusion layer for decryption, so takes four keys.
#![allow(unsafe_code)]

use super::{RoundKeys, State, rounds};
use crate::cpu::Avx512;
use crate::simd::{U8x16, U8x64, U32x4, U32x16};

/// The bytes of a word in memory are in the reverse order of their numbers.
const TURNED: [u8; 16] = [3, 2, 1, 0, 5, 4, 7, 6, 10, 11, 8, 9, 12, 13, 14, 15];

/// Computes the step `M` of the diffusion layer, as [`super::sum_of_others`] does.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn sum_of_others(x: U32x16) -> U32x16 {
    let pairs = x.xor(x.permute::<0b10_11_00_01>());
    x.xor3(pairs, pairs.swap_pairs())
}

/// Computes the diffusion layer A, as [`super::a`] does.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn a(x: U32x16) -> U32x16 {
    let pairs = x.xor(x.rotate_left::<8>());
    let x = sum_of_others(x.xor3(pairs, pairs.rotate_left::<16>()));
    let places = U8x64::splat(U8x16::load(&TURNED));
    sum_of_others(U8x64::from(x).shuffle(places).into())
}

/// The lanes of a permutation that moves each word `n` places to the right.
const fn moved(n: i32) -> i32 {
    let mut lanes = 0;
    let mut i = 0;
    while i < 4 {
        lanes |= ((i - n) & 3) << (2 * i);
        i += 1;
    }
    lanes
}

/// XORs the elements of `$w` and the next elements, rotated right by `$right` bits as numbers of 128
/// bits, whose highest word is the first.
macro_rules! turned {
    ($w:ident, $next:ident >>> $right:literal) => {{
        let low = $next.permute::<{ moved($right / 32) }>();
        let high = $next.permute::<{ moved($right / 32 + 1) }>();
        let low = low.shift_right::<{ $right % 32 }>();
        $w.xor3(low, high.shift_left::<{ 32 - $right % 32 }>())
    }};
}

/// Computes the round keys of one direction from `w` and its first element once more.
pub(super) fn expand<const KEY: usize, const BACKWARDS: bool>(
    _: Avx512,
    w: &[State; 5],
    keys: &mut RoundKeys,
) {
    #[target_feature(enable = "avx512f,avx512bw")]
    fn all<const KEY: usize, const BACKWARDS: bool>(w: &[State; 5], keys: &mut RoundKeys) {
        let words = w.as_flattened();
        let (Some(first), Some(next)) = (words.first_chunk(), words[4..].first_chunk()) else {
            return;
        };
        let (w, next) = (U32x16::load(first), U32x16::load(next));
        let groups = [
            turned!(w, next >>> 19),
            turned!(w, next >>> 31),
            turned!(w, next >>> 67),
            turned!(w, next >>> 97),
            turned!(w, next >>> 109),
        ];
        let last = const { rounds(KEY) };
        for g in 0..=last / 4 {
            let forwards: [U32x4; 4] = groups[g].quarters();
            let backwards: [U32x4; 4] = a(groups[g]).quarters();
            for i in 0..4 {
                let at = 4 * g + i;
                if at > last {
                    break;
                }
                if !BACKWARDS {
                    forwards[i].store(&mut keys[at]);
                } else if at == 0 || at == last {
                    forwards[i].store(&mut keys[last - at]);
                } else {
                    backwards[i].store(&mut keys[last - at]);
                }
            }
        }
    }
    // SAFETY: the token proves the features.
    unsafe { all::<KEY, BACKWARDS>(w, keys) }
}
