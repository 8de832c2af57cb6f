//! Noekeon with AVX2: a group of eight blocks is in four registers, and four groups are computed at
//! once ([`sliced`](crate::machinery::sliced)).
//!
//! Four groups do not fit into 16 registers, so some values are in memory. But two groups wait for the
//! chain of dependent instructions: 64 blocks take a third longer in twos.
#![allow(unsafe_code)]

use super::rounds::rounds;
use super::{COMPLEMENTS, CONSTANTS, Keys, State};
use crate::cpu::Avx2;
use crate::machinery::sliced::sliced;

sliced!(Avx2, Keys, U8x32 as U32x8, 2 blocks a register, 4 groups, "avx2");
rounds!(Lanes, "avx2");

/// Changes the order of bytes in all words.
#[inline]
#[target_feature(enable = "avx2")]
fn swap<const N: usize>(x: &mut [[Lanes; 4]; N]) {
    for word in x.as_flattened_mut() {
        *word = word.swap_bytes();
    }
}

#[inline]
#[target_feature(enable = "avx2")]
fn forwards<const N: usize>(keys: &Keys, x: &mut [[Lanes; 4]; N]) {
    swap(x);
    encrypt_words(keys, x);
    swap(x);
}

#[inline]
#[target_feature(enable = "avx2")]
fn backwards<const N: usize>(keys: &Keys, x: &mut [[Lanes; 4]; N]) {
    swap(x);
    decrypt_words(keys, x);
    swap(x);
}
