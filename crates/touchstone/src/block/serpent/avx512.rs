//! Serpent by AVX-512: sixteen blocks in four registers, four such groups in
//! flight ([`sliced`](crate::machinery::sliced)).
//!
//! A round is 4 additions of a key, 7 or 8 gates of an S-box, 6 rotations, 2
//! shifts and 4 sums of three: 24 instructions for 16 blocks, or 6 cycles where
//! four start in each. The chain through it has about 11, two cycles each; so
//! four groups. Measured: 9 cycles, for want of more of them in the scheduler.
#![allow(unsafe_code)]

use super::RoundKeys;
use super::rounds::rounds;
use super::schedule::schedule;
use super::ternary::*;
use crate::cpu::Avx512;
use crate::machinery::sliced::sliced;

sliced!(
    Avx512, RoundKeys, U8x64 as U32x16,
    4 blocks a register, 4 groups, "avx512f,avx512bw,avx512vl"
);
rounds!(Lanes, "avx512f,avx512bw,avx512vl");
schedule!(Avx512, "avx512f,avx512bw,avx512vl");
