//! SEED with AVX2 and VAES, constant-time: a group of eight blocks is in four registers, and four
//! groups are computed at once. The code of the rounds is in [`gfni`](super::gfni), the function G in
//! [`aes`](super::aes).
#![allow(unsafe_code)]

use super::RoundKeys;
use super::aes::{AFTER, BEFORE, function_g};
use super::gfni::{ODD, ROTATED, rounds};
use crate::cpu::Vaes256;
use crate::machinery::field::rotations;
use crate::machinery::planes::{split, vaes as last_round};
use crate::machinery::sliced::sliced;
use crate::simd::U8x16;

sliced!(
    Vaes256, RoundKeys, U8x32 as U32x8,
    2 blocks a register, 4 groups, "avx2,aes,vaes"
);
split!(from 5 blocks);
rounds!("avx2,aes,vaes", g for one group);
function_g!("avx2,aes,vaes");
