//! CAST-256 with AVX-512, constant-time: 128 blocks as words, and their bytes as planes
//! ([CAST5](crate::block::cast5::avx512)).
//!
//! A word of 64 blocks is in four registers. A round of CAST-256 is the round function of CAST5 on one
//! word, added to the word before it, and a block has three times as many rounds as in CAST5.
#![allow(unsafe_code)]

use super::Keys;
use crate::block::cast5::avx512::{Half, function};
use crate::cpu::Avx512;
use crate::machinery::planes::split;
use crate::machinery::sliced::sliced;

sliced!(
    Avx512, Keys, U8x64 as U32x16,
    4 blocks a register, 8 groups, "avx512f,avx512bw,avx512vl,avx512vbmi,gfni,vpclmulqdq"
);
split!(from 24 blocks);

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,gfni,vpclmulqdq")]
fn forwards<const N: usize>(keys: &Keys, x: &mut [[Lanes; 4]; N]) {
    if N <= 4 {
        sets::<false, 1>(keys, x);
    } else {
        sets::<false, 2>(keys, x);
    }
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,gfni,vpclmulqdq")]
fn backwards<const N: usize>(keys: &Keys, x: &mut [[Lanes; 4]; N]) {
    if N <= 4 {
        sets::<true, 1>(keys, x);
    } else {
        sets::<true, 2>(keys, x);
    }
}

/// The four words of `N` sets of 64 blocks.
type Words<const N: usize> = [[Half; N]; 4];

/// Encrypts or decrypts the groups of up to `N` sets. Decryption is encryption with the quad-rounds'
/// keys in reverse order.
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,gfni")]
fn sets<const BACKWARDS: bool, const N: usize>(keys: &Keys, groups: &mut [[Lanes; 4]]) {
    let mut x: Words<N> = [[[Lanes::splat(0); 4]; N]; 4];
    for (i, group) in groups.iter().enumerate() {
        for w in 0..4 {
            x[w][i / 4][i % 4] = group[w].swap_bytes();
        }
    }
    for i in 0..12 {
        let key = keys[if BACKWARDS { 11 - i } else { i }];
        if i < 6 {
            round::<1, 3, 2, N>(key[0], &mut x);
            round::<2, 2, 1, N>(key[1], &mut x);
            round::<3, 1, 0, N>(key[2], &mut x);
            round::<1, 0, 3, N>(key[3], &mut x);
        } else {
            round::<1, 0, 3, N>(key[3], &mut x);
            round::<3, 1, 0, N>(key[2], &mut x);
            round::<2, 2, 1, N>(key[1], &mut x);
            round::<1, 3, 2, N>(key[0], &mut x);
        }
    }
    for (i, group) in groups.iter_mut().enumerate() {
        for w in 0..4 {
            group[w] = x[w][i / 4][i % 4].swap_bytes();
        }
    }
}

/// XORs the round function of one word to another word.
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,gfni")]
fn round<const TYPE: u8, const FROM: usize, const TO: usize, const N: usize>(
    key: (u32, u8),
    x: &mut Words<N>,
) {
    let f = function::<TYPE, N, true>(key, &x[FROM]);
    for n in 0..N {
        for m in 0..4 {
            x[TO][n][m] = x[TO][n][m].xor(f[n][m]);
        }
    }
}
