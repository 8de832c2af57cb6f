//! Camellia with AVX-512 and GFNI, constant-time: 64 blocks at once, byte-sliced
//! ([`planes`](crate::machinery::planes)). The code of a round is in [`gfni`](super::gfni).
//!
//! The predicted time of a round is 15 cycles for 64 blocks if two instructions start in a
//! cycle.
#![allow(unsafe_code)]

use super::Subkeys;
use super::gfni::{
    AFTER, AGAIN, BASIS, BEFORE, EACH, FOURTH, Schedule, cipher, or, other, round, s, turned,
};
use super::masks::{self, Place, scheduled};
use crate::cpu::Avx512;
use crate::machinery::planes::planes;
use crate::simd::U8x16;

scheduled!(Avx512);

/// Computes the keys, with those of two rounds in each register.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,gfni,vpclmulqdq")]
fn fill<const KEY: usize, const BACKWARDS: bool>(keys: &Subkeys, to: &mut Schedule) {
    let mut even = 0;
    masks::each::<KEY, BACKWARDS>(keys, [BEFORE; 2], |place, key| match place {
        Place::Round(round) if round.is_multiple_of(2) => even = key,
        Place::Round(round) => changes(even, key).store(to.two_rounds(round - 1)),
        place => other(place, key, to),
    });
    // SAFETY: `each` names every place.
    unsafe { to.complete::<KEY>() }
}

/// Returns the numbers of two changes of masks, as the same function for one change does.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,gfni,vpclmulqdq")]
fn changes(first: u64, second: u64) -> Lanes {
    /// The indices for both keys, which lie beside each other.
    const fn both(places: [u8; 32]) -> [u8; 64] {
        let mut both = [0; 64];
        let mut i = 0;
        while i < 32 {
            both[i] = places[i];
            both[32 + i] = places[i] | 8;
            i += 1;
        }
        both
    }
    const BOTH: [[u8; 64]; 2] = [both(EACH), both(AGAIN)];
    let keys = Bytes::splat(U8x16::from_halves(first, second));
    let each = keys.shuffle(Bytes::load(&BOTH[0]));
    let again = keys.shuffle(Bytes::load(&BOTH[1]));
    each.xor(again).affine(BASIS[0]).into()
}

planes!(
    whole beside few: Schedule, from 33 blocks,
    forwards |keys, p| { cipher!(keys, p); }
    backwards |keys, p| { cipher!(keys, p); }
);
