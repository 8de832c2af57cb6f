//! SHACAL-2 with AVX-512, constant-time: a group of sixteen blocks is in eight registers, one
//! register for each word, and two groups are computed at once.
//!
//! One instruction computes a choice, a majority, an XOR of three words, or a rotation. A round
//! has 16 instructions, of which six are rotations. The predicted time is 8 cycles for sixteen
//! blocks if two instructions start in a cycle. The chain of dependent instructions in a round
//! has five instructions, so the processor computes a second group while the first group waits.
#![allow(unsafe_code)]

use inout::{InOut, InOutBuf};

use super::{Block, RoundKeys, shani};
use crate::buffer;
use crate::cpu::ShaAvx512;
use crate::simd::U32x16;
use crate::wipe::wipe;

/// The number of blocks in a group, which is also the number of lanes.
const GROUP: usize = 16;

/// The smallest number of remaining blocks for which decryption of a group that is not full is
/// faster than decryption of single blocks.
const LEAST: usize = 2;

/// The words a to h of sixteen blocks.
type Words = [U32x16; 8];

pub(super) fn encrypt(token: ShaAvx512, keys: &RoundKeys, blocks: InOutBuf<'_, '_, Block>) {
    // SAFETY: the token proves AVX-512.
    let rest = unsafe { whole_groups::<false>(keys, blocks) };
    shani::encrypt(token.into(), keys, rest);
}

pub(super) fn decrypt(_: ShaAvx512, keys: &RoundKeys, blocks: InOutBuf<'_, '_, Block>) {
    // SAFETY: the token proves AVX-512.
    let rest = unsafe { whole_groups::<true>(keys, blocks) };
    if rest.len() < LEAST {
        super::portable_decrypt(keys, rest);
    } else {
        // SAFETY: the token proves AVX-512.
        unsafe { filled(keys, rest) }
    }
}

/// Encrypts or decrypts whole groups, and returns the remaining blocks.
#[target_feature(enable = "avx512f,avx512bw")]
fn whole_groups<'i, 'o, const BACKWARDS: bool>(
    keys: &RoundKeys,
    blocks: InOutBuf<'i, 'o, Block>,
) -> InOutBuf<'i, 'o, Block> {
    let (groups, rest) = buffer::chunks::<_, GROUP>(blocks);
    let (pairs, last) = buffer::chunks::<_, 2>(groups);
    for pair in pairs {
        work::<BACKWARDS, 2>(keys, pair);
    }
    let (ones, _) = buffer::chunks::<_, 1>(last);
    for one in ones {
        work::<BACKWARDS, 1>(keys, one);
    }
    rest
}

/// Decrypts fewer blocks than a group has.
#[target_feature(enable = "avx512f,avx512bw")]
fn filled(keys: &RoundKeys, mut blocks: InOutBuf<'_, '_, Block>) {
    let mut copy = [[[0; 32]; GROUP]];
    let n = blocks.len();
    copy[0][..n].copy_from_slice(blocks.get_in());
    work::<true, 1>(keys, InOut::from(&mut copy));
    blocks.get_out().copy_from_slice(&copy[0][..n]);
    wipe(&mut copy, [[0; 32]; GROUP]);
}

/// Calls a round function eight times. The numbers are literals, so that every word stays in
/// its register.
macro_rules! each {
    ($round:ident($x:expr, $keys:ident): $($i:literal)*) => {
        $( $round::<$i, N>($x, $keys[$i]); )*
    };
}

/// Encrypts or decrypts `N` groups.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn work<const BACKWARDS: bool, const N: usize>(
    keys: &RoundKeys,
    mut groups: InOut<'_, '_, [[Block; GROUP]; N]>,
) {
    let mut x = [[U32x16::splat(0); 8]; N];
    for n in 0..N {
        let (registers, _) = groups.get_in()[n].as_flattened().as_chunks();
        let mut loaded = x[n];
        for r in 0..8 {
            loaded[r] = U32x16::load_be(&registers[r]);
        }
        x[n] = U32x16::to_words8(loaded);
    }
    let (keys, _) = keys.as_chunks::<8>();
    if BACKWARDS {
        for keys in keys.iter().rev() {
            each!(round_back(&mut x, keys): 7 6 5 4 3 2 1 0);
        }
    } else {
        for keys in keys {
            each!(round(&mut x, keys): 0 1 2 3 4 5 6 7);
        }
    }
    for n in 0..N {
        let words = U32x16::from_words8(x[n]);
        let (registers, _) = groups.get_out()[n].as_flattened_mut().as_chunks_mut();
        for r in 0..8 {
            words[r].store_be(&mut registers[r]);
        }
    }
}

/// Returns the register of the word with this number (0 for a, 7 for h) before round `i` of
/// eight. No round moves a word to another register.
const fn at(word: usize, i: usize) -> usize {
    (word + 8 - i) % 8
}

/// Computes round `I` of eight, [FIPS180](super) §6.2.2 step 3.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn round<const I: usize, const N: usize>(x: &mut [Words; N], key: u32) {
    let key = U32x16::splat(key);
    for x in x {
        let [t1, t2] = sums::<I>(x);
        let t1 = t1.add(x[at(7, I)].add(key));
        x[at(3, I)] = x[at(3, I)].add(t1);
        x[at(7, I)] = t1.add(t2);
    }
}

/// Computes the inverse of [`round`].
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn round_back<const I: usize, const N: usize>(x: &mut [Words; N], key: u32) {
    let key = U32x16::splat(key);
    for x in x {
        let [t1, t2] = sums::<I>(x);
        let with_h = x[at(7, I)].subtract(t2);
        x[at(3, I)] = x[at(3, I)].subtract(with_h);
        x[at(7, I)] = with_h.subtract(t1.add(key));
    }
}

/// Returns Σ₁ plus the choice, and Σ₀ plus the majority. A round changes only the words d and
/// h. These sums do not use d and h, so the sums are the same in both directions.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn sums<const I: usize>(x: &Words) -> [U32x16; 2] {
    let word = |word: usize| x[at(word, I)];
    let (a, e) = (word(0), word(4));
    let sum1 = e
        .rotate_right::<6>()
        .xor3(e.rotate_right::<11>(), e.rotate_right::<25>());
    let sum0 = a
        .rotate_right::<2>()
        .xor3(a.rotate_right::<13>(), a.rotate_right::<22>());
    [
        sum1.add(e.choose(word(5), word(6))),
        sum0.add(a.majority(word(1), word(2))),
    ]
}
