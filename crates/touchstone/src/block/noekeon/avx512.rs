//! Noekeon with AVX-512: a group of sixteen blocks is in four registers, and four groups are
//! computed at once ([`sliced`](crate::machinery::sliced)).
//!
//! A round has 27 instructions for a group, 7 cycles if four start in a cycle. Each instruction of
//! its chain of nine takes two or three cycles on Zen 5, some 22 in all. So four groups take half
//! as long again as one.
#![allow(unsafe_code)]

use super::rounds::rounds;
use super::{COMPLEMENTS, CONSTANTS, Keys, State};
use crate::cpu::Avx512;
use crate::machinery::sliced::sliced;

sliced!(
    Avx512, Keys, U8x64 as U32x16,
    4 blocks a register, 4 groups, "avx512f,avx512bw,avx512vl,vpclmulqdq"
);
rounds!(Lanes, "avx512f,avx512bw");

/// Changes the order of bytes in all words.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn swap<const N: usize>(x: &mut [[Lanes; 4]; N]) {
    for word in x.as_flattened_mut() {
        *word = word.swap_bytes();
    }
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn forwards<const N: usize>(keys: &Keys, x: &mut [[Lanes; 4]; N]) {
    swap(x);
    encrypt_words(keys, x);
    swap(x);
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn backwards<const N: usize>(keys: &Keys, x: &mut [[Lanes; 4]; N]) {
    swap(x);
    decrypt_words(keys, x);
    swap(x);
}
