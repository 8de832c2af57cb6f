//! SM4 with AVX2 and VAES, constant-time: a group of eight blocks is in four registers, and up to four
//! groups are computed at once ([`sliced`](crate::machinery::sliced)). The rounds are in
//! [`gfni`](super::gfni), the function T in [`aes`](super::aes).
#![allow(unsafe_code)]

use super::RoundKeys;
use super::aes::{AFTER, BASIS, PLACES, functions};
use super::gfni::in_words;
use crate::cpu::Vaes256;
use crate::machinery::planes::{split, vaes as last_round};
use crate::machinery::sliced::sliced;
use crate::simd::U8x16;

sliced!(
    Vaes256, RoundKeys, U8x32 as U32x8,
    2 blocks a register, 4 groups, "avx2,aes,vaes"
);
split!(from 5 blocks);
in_words!("avx2,aes,vaes");
functions!("avx2,aes,vaes");
