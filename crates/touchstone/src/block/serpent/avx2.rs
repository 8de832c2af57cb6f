//! Serpent with AVX2: a group of eight blocks is in four registers, and four groups are
//! computed at once ([`sliced`](crate::machinery::sliced)).
//!
//! Four groups do not fit into 16 registers, so some values are in memory. But with two groups,
//! a fifth of the processor would be idle: the chain of dependent operations in a round has a
//! length of some 20, and a round has about 50 operations for each group.
//!
//! One or two groups wait for that chain, so they have the [circuits with fewer levels](super::levels).
#![allow(unsafe_code)]

use super::RoundKeys;
use super::binary::{INPUTS, OUTPUTS, boxes};
use super::portable::masks;
use super::rounds::linear;
use super::schedule::schedule;
use crate::cpu::Avx2;
use crate::machinery::sliced::sliced;

sliced!(Avx2, RoundKeys, U8x32 as U32x8, 2 blocks a register, 4 groups, "avx2");
boxes!(Lanes, "avx2");
linear!(Lanes, "avx2");
schedule!(Avx2, "avx2");

/// The rounds with the circuits of the fewest gates.
mod many {
    use super::super::rounds::rounds;
    use super::*;

    rounds!(pub(super) Lanes, "avx2");
}

/// The rounds with the circuits of fewer levels.
mod few {
    use super::super::levels::boxes;
    use super::super::rounds::rounds;
    use super::{Lanes, RoundKeys, linear, linear_inverse};

    boxes!(Lanes, "avx2");
    rounds!(pub(super) Lanes, "avx2");
}

#[inline]
#[target_feature(enable = "avx2")]
fn forwards<const N: usize>(keys: &RoundKeys, x: &mut [[Lanes; 4]; N]) {
    if N <= 2 {
        few::forwards(keys, x);
    } else {
        many::forwards(keys, x);
    }
}

#[inline]
#[target_feature(enable = "avx2")]
fn backwards<const N: usize>(keys: &RoundKeys, x: &mut [[Lanes; 4]; N]) {
    if N <= 2 {
        few::backwards(keys, x);
    } else {
        many::backwards(keys, x);
    }
}

/// S-box S2 with its complements.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn box_2(mut words: [Lanes; 4]) -> [Lanes; 4] {
    let (inputs, outputs) = const { (masks(&INPUTS, 2), masks(&OUTPUTS, 2)) };
    for w in 0..4 {
        words[w] = words[w].xor(Lanes::splat(inputs[w]));
    }
    words = s2(words);
    for w in 0..4 {
        words[w] = words[w].xor(Lanes::splat(outputs[w]));
    }
    words
}
