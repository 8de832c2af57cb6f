//! Camellia with AVX2 and VAES, constant-time, for at most 16 blocks
//! ([`planes`](crate::machinery::planes)). The images and the keys are those of [`aes`](super::aes).
//!
//! A plane has 16 bytes, so a register has two planes of a half. The bytes of a pair enter the same S-box,
//! so both planes take the same affine maps: five for a round.
//!
//! Let aᵢ and bᵢ be the outputs of the S-boxes in the lower and the upper half of register i. The map P
//! adds to the lower half of register i all a but aᵢ₊₁ and all b but bᵢ₊₁, and to the upper half
//! aᵢ₋₁ + aᵢ and all b but bᵢ. So it takes one exchange of halves for each register.
#![allow(unsafe_code)]

use super::aes::{MAPS, ROWS, Schedule};
use super::masks::Mask;
use crate::machinery::field::Nibbles;
use crate::machinery::planes::planes;
use crate::simd::{U8x16, U8x32, U32x8};

planes!(
    vaes halves: Schedule, from 8 blocks,
    forwards |keys, p| { cipher(keys, &mut p); }
    backwards |keys, p| { cipher(keys, &mut p); }
);

/// The eight planes of a half of a block, in pairs: 0 and 7, 1 and 4, 2 and 5, 3 and 6.
type Half = [U8x32; 4];

/// Returns the register with plane `i`, and whether the plane is in its upper half.
const fn pair(i: usize) -> (usize, usize) {
    if i < 4 { (i, 0) } else { ((i + 1) % 4, 1) }
}

/// For each register, the places of the numbers of a [`Mask`] for its two planes.
const PLACES: [[u8; 32]; 4] = {
    let mut places = [[0; 32]; 4];
    let mut i = 0;
    while i < 8 {
        let (register, half) = pair(i);
        let mut byte = 0;
        while byte < 16 {
            places[register][16 * half + byte] = (4 * (i % 4) + byte % 4) as u8;
            byte += 1;
        }
        i += 1;
    }
    places
};

/// The places of two numbers of a word of a [`Mask`]: the first two, and the last two.
const TWO: [[u8; 32]; 2] = {
    let mut places = [[0; 32]; 2];
    let mut i = 0;
    while i < 64 {
        places[i / 32][i % 32] = (4 * (i / 16) + i % 4) as u8;
        i += 1;
    }
    places
};

/// XORs a mask to a half.
#[inline]
#[target_feature(enable = "avx2")]
fn add(half: &mut Half, mask: &Mask) {
    let mask = U8x32::from(U32x8::load(mask));
    for (pair, places) in half.iter_mut().zip(&PLACES) {
        *pair = pair.xor(mask.shuffle(U8x32::load(places)));
    }
}

/// XORs F of a half to the other half, [RFC3713](super) §2.4.1, and changes the mask of the other half.
#[inline]
#[target_feature(enable = "avx2,vaes")]
fn round<const HALF: usize>(from: &Half, change: &Mask, to: &mut Half) {
    add(to, change);
    let inverse = |x: U8x32| {
        if HALF == 0 {
            x.vaes_s_box()
        } else {
            x.vaes_inverse_s_box()
        }
    };
    let maps = const { &MAPS[HALF] };
    let x = [
        inverse(from[0]).mapped(&maps.after[0]),
        inverse(from[1]).mapped(&maps.after[1]),
        inverse(from[2]).mapped(&maps.after[2]),
        inverse(from[3].mapped(&maps.fourth)).mapped(&maps.after[0]),
    ];
    let sums = [
        x[3].xor(x[0]),
        x[0].xor(x[1]),
        x[1].xor(x[2]),
        x[2].xor(x[3]),
    ];
    let all = sums[1].xor(sums[3]);
    let mut without = [U8x32::zero(); 4];
    for i in 0..4 {
        without[i] = all.xor(x[i]);
    }
    for i in 0..4 {
        let next = without[(i + 1) % 4];
        let near = next.with_upper(without[i]);
        let far = next.upper_and_lower(sums[i]);
        to[i] = to[i].xor3(near, far);
    }
}

/// The planes of a word, two in each register, in order.
type Word = [U8x32; 2];

/// Returns the two words of a half.
#[inline]
#[target_feature(enable = "avx2")]
fn words(half: &Half) -> [Word; 2] {
    let [a, b, c, d] = *half;
    [
        [a.lower_two(b), c.lower_two(d)],
        [b.upper_two(c), d.upper_two(a)],
    ]
}

/// Undoes [`words`].
#[inline]
#[target_feature(enable = "avx2")]
fn half([[a, b], [c, d]]: [Word; 2]) -> Half {
    [
        a.with_upper(d),
        a.upper_and_lower(c),
        b.with_upper(c),
        b.upper_and_lower(d),
    ]
}

/// Returns the AND of a word, as bytes and not as images, with a word of a key of FL.
#[inline]
#[target_feature(enable = "avx2")]
fn kept(word: &Word, back: &Nibbles, key: &[u32; 4]) -> Word {
    let key = U8x32::splat(Lanes::load(key).into());
    let key = |i: usize| key.shuffle(U8x32::load(&TWO[i]));
    [
        word[0].mapped(back).and(key(0)),
        word[1].mapped(back).and(key(1)),
    ]
}

/// Adds to the second word of a half what FL adds, [RFC3713](super) §2.4.2: (first word AND key), rotated
/// left by one bit.
#[inline]
#[target_feature(enable = "avx2")]
fn turned<const HALF: usize>([first, second]: &mut [Word; 2], layer: &Mask) {
    let maps = const { &MAPS[HALF] };
    let t = kept(first, &maps.back, &layer.as_chunks().0[0]);
    for i in 0..2 {
        let next = t[i].upper_and_lower(t[1 - i]);
        second[i] = second[i].xor3(t[i].mapped(&maps.shifted), next.mapped(&maps.carry));
    }
}

/// XORs (second word OR key) to the first word, as FL does.
#[inline]
#[target_feature(enable = "avx2")]
fn or<const HALF: usize>([first, second]: &mut [Word; 2], layer: &Mask) {
    let maps = const { &MAPS[HALF] };
    let t = kept(second, &maps.back, &layer.as_chunks().0[1]);
    for i in 0..2 {
        first[i] = first[i].xor(t[i].mapped(&maps.image));
    }
}

/// Encrypts or decrypts, [RFC3713](super) §2.3.
#[inline]
#[target_feature(enable = "avx2,aes,vaes")]
fn cipher(keys: &Schedule, p: &mut [Bytes; 16]) {
    let (mut l, mut r) = ([U8x32::zero(); 4], [U8x32::zero(); 4]);
    let rows = U8x32::splat(U8x16::load(&ROWS[0]));
    for i in 0..4 {
        let other = if i == 0 { 7 } else { 3 + i };
        l[i] = U8x32::join([p[i], p[other]]).mapped(&MAPS[0].image);
        let right = U8x32::join([p[8 + i], p[8 + other]]);
        r[i] = right.shuffle(rows).mapped(&MAPS[1].image);
    }
    add(&mut l, &keys.first[0]);
    add(&mut r, &keys.first[1]);
    for (group, six) in keys.rounds().as_chunks::<6>().0.iter().enumerate() {
        if group != 0 {
            let [layer, inverse] = &keys.layers()[group - 1];
            let mut left = words(&l);
            turned::<0>(&mut left, layer);
            or::<0>(&mut left, layer);
            l = half(left);
            let mut right = words(&r);
            or::<1>(&mut right, inverse);
            turned::<1>(&mut right, inverse);
            r = half(right);
        }
        for pair in 0..3 {
            let changes = &six[2 * pair..][..2];
            round::<0>(&l, &changes[0], &mut r);
            round::<1>(&r, &changes[1], &mut l);
        }
    }
    add(&mut r, &keys.last);
    let rows = U8x32::splat(U8x16::load(&ROWS[1]));
    for i in 0..4 {
        let low = r[i].mapped(&MAPS[1].back).shuffle(rows);
        let high = l[i].mapped(&MAPS[0].back);
        let other = if i == 0 { 7 } else { 3 + i };
        p[i] = low.block(0);
        p[other] = low.block(1);
        p[8 + i] = high.block(0);
        p[8 + other] = high.block(1);
    }
}
