//! crypt(3) with a key in every lane: the key schedule is a choice of planes as well.
//!
//! The salt exchanges inputs *j* and *j* + 24 of the boxes. One salt for all lanes is
//! wiring: it says from where each input is loaded. A salt for each lane is a
//! choice by each lane. Salts are public, keys are not.

use core::cell::Cell;

use super::{Block, ECB, Group, LANES, finish, key_planes, salt_planes};
use crate::block::des::crypt::Salts;
use crate::block::des::ternary::boxes;
use crate::block::des::{E, P_INVERSE, PC2, TURNS};
use crate::simd::U64x8;
use crate::wipe::wipe;

/// A half, for reading by wires while it is being written.
type Bits = [Cell<U64x8>; 32];

/// Where a salt finds each input of the boxes.
fn wires(salt: u32, half: &Bits) -> [&Cell<U64x8>; 48] {
    core::array::from_fn(|input| {
        let exchanged = salt >> (input % 24) & 1 == 1;
        &half[E[if exchanged { (input + 24) % 48 } else { input }]]
    })
}

/// The round function on all lanes, its result added to `left`; with salts of
/// `SALT` bits at most.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,gfni")]
fn round<const SALT: usize, const EACH: bool>(
    left: &Bits,
    right: &Bits,
    keys: [&[U64x8; 28]; 2],
    wires: &[&Cell<U64x8>; 48],
    salt: &[U64x8; 24],
) {
    macro_rules! input {
        ($s:literal, $i:literal) => {{
            let at = const { 6 * $s + $i };
            let key =
                keys[const { $s / 4 }][const { PC2[$s / 4][6 * $s % 24 + $i] - 1 - 28 * ($s / 4) }];
            let x = if at % 24 >= SALT {
                right[E[at]].get()
            } else if EACH {
                salt[at % 24].select(right[E[(at + 24) % 48]].get(), right[E[at]].get())
            } else {
                wires[at].get()
            };
            x.xor(key)
        }};
    }
    macro_rules! add {
        ($s:literal, $i:literal, $y:ident) => {
            let bit = const { P_INVERSE[4 * $s + $i] };
            left[bit].set(left[bit].get().xor($y));
        };
    }
    boxes!(input, add);
}

/// As many encryptions of the zero block as `count` says, one after the
/// other, in each lane with its key, and the salt `one` or, with `EACH`, its own.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vbmi2,gfni")]
fn group<const SALT: usize, const EACH: bool>(
    keys: &Group,
    one: u32,
    each: &[U64x8; 24],
    count: u32,
    output: &mut Group,
) {
    let mut twice = key_planes(keys);
    let mut halves = [[U64x8::zero(); 32]; 2];
    {
        let [a, b] = &mut halves;
        let [a, b] = [a, b].map(|half| Cell::from_mut(half).as_array_of_cells());
        let (to_a, to_b) = (wires(one, a), wires(one, b));
        let (mut left, mut right) = ((a, &to_a), (b, &to_b));
        for _ in 0..count {
            for turn in TURNS {
                let at = |half: usize| twice[half][turn..].first_chunk::<28>();
                if let (Some(c), Some(d)) = (at(0), at(1)) {
                    round::<SALT, EACH>(left.0, right.0, [c, d], right.1, each);
                }
                (left, right) = (right, left);
            }
            (left, right) = (right, left);
        }
    }
    // Passes exchange the halves.
    let [left, right] = &halves;
    let (left, right) = if count % 2 == 1 {
        (right, left)
    } else {
        (left, right)
    };
    let mut x = [U64x8::zero(); 64];
    finish::<ECB>(left, right, &mut x, &mut [0; 8], LANES, output.into());
    wipe(&mut twice, [U64x8::zero(); 56]);
}

/// Every key with the same salt, or each with its own.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vbmi2,gfni")]
pub(super) fn each_key(keys: &[Block], salts: Salts<'_>, count: u32, output: &mut [Block]) {
    let mut at = 0;
    while at < keys.len() {
        let n = (keys.len() - at).min(LANES);
        let mut some = [[0; 8]; LANES];
        some[..n].copy_from_slice(&keys[at..at + n]);
        let mut made = [[0; 8]; LANES];
        let (some, made) = (&mut some, &mut made);
        match salts {
            Salts::One(one) => {
                let none = [U64x8::zero(); 24];
                if one & 0xff_f000 == 0 {
                    group::<12, false>(some, one, &none, count, made);
                } else {
                    group::<24, false>(some, one, &none, count, made);
                }
            }
            Salts::Each(each) => {
                let each = &each[at..at + n];
                let planes = salt_planes(each);
                if each.iter().all(|salt| salt & 0xff_f000 == 0) {
                    group::<12, true>(some, 0, &planes, count, made);
                } else {
                    group::<24, true>(some, 0, &planes, count, made);
                }
            }
        }
        output[at..at + n].copy_from_slice(&made[..n]);
        wipe(some, [0; 8]);
        at += n;
    }
}
