//! Serpent with AVX-512: a group of sixteen blocks is in four registers, and four groups are
//! computed at once ([`sliced`](crate::machinery::sliced)).
//!
//! A round has 4 additions of a key, 7 or 8 gates of an S-box, 6 rotations, 2 shifts and 4 XORs
//! of three values. These are 24 instructions for 16 blocks, or 6 cycles if four instructions
//! start in a cycle. The chain of dependent instructions in a round has about 11 instructions
//! of two cycles, so four groups are interleaved. The measured time is 9 cycles, because the
//! processor's scheduler has too little room for the instructions of all groups.
//!
//! One or two groups wait for that chain. Where its instructions take two cycles, such groups use
//! the [circuits of two levels](super::shallow): a round of one group takes 18 cycles in encryption
//! and 16 in decryption, not 25. Elsewhere these circuits take longer, because they have more gates.
#![allow(unsafe_code)]

use super::RoundKeys;
use super::binary::{INPUTS, OUTPUTS};
use super::portable::masks;
use super::schedule::schedule;
use super::ternary::*;
use super::{shallow, ternary};
use crate::cpu::Avx512;
use crate::machinery::sliced::sliced;
use crate::simd::U32x16;

sliced!(
    Avx512, RoundKeys, U8x64 as U32x16,
    4 blocks a register, 4 groups, "avx512f,avx512bw,avx512vl,vpclmulqdq"
);

#[inline]
#[target_feature(enable = "avx512f")]
fn forwards<const N: usize>(keys: &RoundKeys, x: &mut [[Lanes; 4]; N]) {
    if N <= 2 && waits() {
        shallow::forwards(keys, x);
    } else {
        ternary::forwards(keys, x);
    }
}

#[inline]
#[target_feature(enable = "avx512f")]
fn backwards<const N: usize>(keys: &RoundKeys, x: &mut [[Lanes; 4]; N]) {
    if N <= 2 && waits() {
        shallow::backwards(keys, x);
    } else {
        ternary::backwards(keys, x);
    }
}

/// Whether vector instructions take two cycles. Then few groups need circuits with few levels.
#[inline(always)]
fn waits() -> bool {
    Avx512::detect().is_some_and(|token| !token.adds_quickly())
}

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

#[cfg(test)]
mod tests {
    use super::super::portable;
    use super::*;

    #[test]
    fn both_circuits_compute_the_portable_rounds() {
        if Avx512::detect().is_none() {
            std::println!("SKIPPED: the circuits of Serpent, because AVX-512 is not there");
            return;
        }
        let mut keys = [[0; 4]; 33];
        portable::expand(b"Kein Rhein ohne W", &mut keys);
        let mut seed = 1_u32;
        let mut words = [[0; 16]; 4];
        for word in words.as_flattened_mut() {
            seed = seed.wrapping_mul(0x915f_77f5).wrapping_add(12345);
            *word = seed ^ seed >> 15;
        }
        let portable = |portable: fn(&RoundKeys, InOutBuf<'_, '_, Block>)| {
            let mut blocks = [[0; 16]; 16];
            for lane in 0..16 {
                for w in 0..4 {
                    blocks[lane].as_chunks_mut().0[w] = words[w][lane].to_le_bytes();
                }
            }
            // The portable form computes pairs of blocks otherwise than a single block.
            let mut singles = blocks;
            for block in singles.as_chunks_mut::<1>().0 {
                portable(&keys, InOutBuf::from(&mut block[..]));
            }
            portable(&keys, InOutBuf::from(&mut blocks[..]));
            assert_eq!(blocks, singles);
            let mut expected = words;
            for lane in 0..16 {
                for w in 0..4 {
                    expected[w][lane] = u32::from_le_bytes(blocks[lane].as_chunks().0[w]);
                }
            }
            expected
        };
        let (there, back) = (portable(portable::encrypt), portable(portable::decrypt));
        // SAFETY: the test detected the features above.
        unsafe { check(&keys, &words, &there, &back) }

        #[target_feature(enable = "avx512f")]
        fn check(
            keys: &RoundKeys,
            words: &[[u32; 16]; 4],
            there: &[[u32; 16]; 4],
            back: &[[u32; 16]; 4],
        ) {
            let start = || [[0, 1, 2, 3].map(|w: usize| Lanes::load(&words[w]))];
            let equal = |[x]: [[Lanes; 4]; 1], expected: &[[u32; 16]; 4]| {
                for w in 0..4 {
                    let mut word = [0; 16];
                    x[w].store(&mut word);
                    assert_eq!(word, expected[w]);
                }
            };
            let mut x = start();
            ternary::forwards(keys, &mut x);
            equal(x, there);
            let mut x = start();
            shallow::forwards(keys, &mut x);
            equal(x, there);
            let mut x = start();
            ternary::backwards(keys, &mut x);
            equal(x, back);
            let mut x = start();
            shallow::backwards(keys, &mut x);
            equal(x, back);
        }
    }
}
