//! Serpent with AVX-512: a group of sixteen blocks is in four registers, and four groups are
//! computed at once ([`sliced`](crate::machinery::sliced)).
//!
//! A round has 4 additions of a key, 7 or 8 gates of an S-box, 6 rotations, 2 shifts and 4 XORs
//! of three values. These are 24 instructions for 16 blocks, or 6 cycles if four instructions
//! start in a cycle. The chain of dependent instructions in a round has about 11 instructions
//! of two cycles, so four groups are interleaved. The measured time is 9 cycles, because the
//! processor's scheduler has too little room for the instructions of all groups.
#![allow(unsafe_code)]

use super::RoundKeys;
use super::binary::{INPUTS, OUTPUTS};
use super::portable::masks;
use super::rounds::rounds;
use super::schedule::schedule;
use super::ternary::*;
use crate::cpu::Avx512;
use crate::machinery::sliced::sliced;
use crate::simd::U32x16;

sliced!(
    Avx512, RoundKeys, U8x64 as U32x16,
    4 blocks a register, 4 groups, "avx512f,avx512bw,avx512vl,vpclmulqdq"
);
rounds!(Lanes, "avx512f,avx512bw,avx512vl");
schedule!(Avx512, "avx512f,avx512bw,avx512vl");

/// S-box S2 with its complements.
#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn box_2(mut words: [U32x16; 4]) -> [U32x16; 4] {
    let (inputs, outputs) = const { (masks(&INPUTS, 2), masks(&OUTPUTS, 2)) };
    for w in 0..4 {
        words[w] = words[w].xor(U32x16::splat(inputs[w]));
    }
    words = s2(words);
    for w in 0..4 {
        words[w] = words[w].xor(U32x16::splat(outputs[w]));
    }
    words
}
