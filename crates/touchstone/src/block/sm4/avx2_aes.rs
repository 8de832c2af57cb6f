//! SM4 with AVX2 and AES-NI, constant-time: a group of eight blocks is in four registers, and up to four
//! groups are computed at once ([`sliced`](crate::machinery::sliced)). The rounds are in
//! [`gfni`](super::gfni), the function T in [`aes`](super::aes).
#![allow(unsafe_code)]

use super::RoundKeys;
use super::aes::{AFTER, BASIS, PLACES, functions};
use super::gfni::in_words;
use crate::cpu::Avx2Aes;
use crate::machinery::planes::{aes as last_round, split};
use crate::machinery::sliced::sliced;
use crate::simd::U8x16;

sliced!(
    Avx2Aes, RoundKeys, U8x32 as U32x8,
    2 blocks a register, 4 groups, "avx2,aes"
);
split!(from 5 blocks);
in_words!("avx2,aes");
functions!("avx2,aes");
