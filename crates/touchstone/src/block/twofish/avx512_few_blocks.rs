//! Twofish with AVX-512 and GFNI for few blocks: each lane holds one word of a block. For many
//! blocks, the other kernel's registers hold the same byte of every block.
//!
//! The function g looks up each byte in the table for the byte's position in the word. The four
//! tables of 256 entries take eight lookups of 128 entries in a register. Each lookup gives a
//! result for every byte of the register, and three quarters of the results are not needed. For
//! few blocks this is still fast, because there is only one register. For the **MDS matrix**
//! the code shuffles bytes within their words.
//!
//! With **eight blocks**, one register holds the two words of each block to which a round
//! applies g, and a second register holds the other two words. A round is then one chain of
//! dependent instructions, which takes 40 cycles as measured. With [16 blocks](super::avx512)
//! there are two chains, which share the ports, and a round takes 60 cycles.
#![allow(unsafe_code)]

use super::{FIELD, Keys, MDS};
use crate::cpu::Avx512;
use crate::machinery::field::Affine;
use crate::machinery::sliced::sliced;
use crate::simd::{U8x16, U8x64, U32x16};

sliced!(
    Avx512, Keys, U8x32 as U32x8,
    2 blocks a register, 1 groups, "avx512f,avx512bw,avx512vl,avx512vbmi,gfni"
);

/// The products by the two numbers of the MDS matrix that are not 1, as matrices for GFNI.
pub(super) const EF: u64 = Affine::product(MDS[0][1], FIELD).matrix;
pub(super) const B5: u64 = Affine::product(MDS[0][2], FIELD).matrix;

/// For each byte of the product, the input bytes of the word that are added: one byte times 1,
/// one or two bytes times EF, and one byte times B5. The index 0x80 means no byte. The first
/// byte of the product also contains the last input byte times B5.
const ONCE: [u8; 4] = [0, 3, 2, 1];
const BY_EF: [[u8; 4]; 2] = [[1, 1, 0, 0], [0x80, 2, 3, 2]];
const BY_B5: [u8; 4] = [2, 0, 1, 3];

// Checks that the constants above give the MDS matrix.
const _: () = {
    let mut row = 0;
    while row < 4 {
        let mut sum = [0; 4];
        sum[ONCE[row] as usize] ^= 1;
        sum[BY_EF[0][row] as usize] ^= MDS[0][1];
        if BY_EF[1][row] < 4 {
            sum[BY_EF[1][row] as usize] ^= MDS[0][1];
        }
        sum[BY_B5[row] as usize] ^= MDS[0][2];
        if row == 0 {
            sum[3] ^= MDS[0][2];
        }
        let mut column = 0;
        while column < 4 {
            assert!(sum[column] == MDS[row][column]);
            column += 1;
        }
        row += 1;
    }
};

/// Computes the function g, [TWOFISH](super) §4.3, of every word.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,gfni")]
pub(super) fn g(keys: &Keys, words: U32x16) -> U32x16 {
    let y = U8x64::from(words).lookup_by_place(&keys.boxes);
    let (once, by_ef) = (y.shuffle(in_words(ONCE)), y.shuffle(in_words(BY_EF[0])));
    let by_ef = by_ef.xor(y.shuffle(in_words(BY_EF[1])));
    let by_b5 = y.shuffle(in_words(BY_B5));
    let by_b5 = by_b5.xor(U32x16::from(y).shift_right::<24>().into());
    once.xor3(by_ef.affine(EF), by_b5.affine(B5)).into()
}

/// Returns shuffle indices that move bytes in the same way within every word.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,gfni")]
fn in_words(places: [u8; 4]) -> U8x64 {
    let mut all = [0; 16];
    for i in 0..16 {
        all[i] = places[i % 4] + (i as u8 & 12);
    }
    U8x64::splat(U8x16::load(&all))
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,gfni")]
fn forwards<const N: usize>(keys: &Keys, data: &mut [[Lanes; 4]; N]) {
    for x in data {
        eight::<false>(keys, x);
    }
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,gfni")]
fn backwards<const N: usize>(keys: &Keys, data: &mut [[Lanes; 4]; N]) {
    for x in data {
        eight::<true>(keys, x);
    }
}

/// Returns two words of the key in all lanes, in the order that pairs of words have in a
/// register.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,gfni")]
fn key(keys: &Keys, w: usize) -> U32x16 {
    U32x16::splat_pairs(keys.words[w], keys.words[w + 1])
}

/// Encrypts or decrypts at most eight blocks. Each pair of words is stored with the rotation
/// that its next addition needs. Another rotation of the last addition's result gives the input
/// of g. The processor computes both rotations at the same time.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,gfni")]
fn eight<const BACK: bool>(keys: &Keys, x: &mut [Lanes; 4]) {
    let (before, after) = if BACK { (4, 0) } else { (0, 4) };
    let a = U32x16::from_pairs([x[0], x[1]]).xor(key(keys, before));
    let b = U32x16::from_pairs([x[2], x[3]]).xor(key(keys, before + 2));
    let mut input = a.rotate_pairs::<0, 8>();
    let mut pairs = if BACK {
        [b.rotate_pairs::<1, 0>(), a.rotate_pairs::<1, 0>()]
    } else {
        [b.rotate_pairs::<0, 1>(), a.rotate_pairs::<0, 1>()]
    };
    for two in 0..8 {
        for half in 0..2 {
            let round = 2 * two + half;
            let round = if BACK { 15 - round } else { round };
            let t = g(keys, input);
            let f = t
                .add(key(keys, 2 * round + 8))
                .add_high_pairs(t)
                .add(t.swap_pairs());
            let sum = pairs[half].xor(f);
            (input, pairs[half]) = if BACK {
                (sum.rotate_pairs::<0, 7>(), sum.rotate_pairs::<1, 31>())
            } else {
                (sum.rotate_pairs::<31, 8>(), sum.rotate_pairs::<31, 1>())
            };
        }
    }
    for half in 0..2 {
        let pair = if BACK {
            pairs[half].rotate_pairs::<31, 0>()
        } else {
            pairs[half].rotate_pairs::<0, 31>()
        };
        [x[2 * half], x[2 * half + 1]] = pair.xor(key(keys, after + 2 * half)).to_pairs();
    }
}
