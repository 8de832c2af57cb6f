//! SHA-512 with Intel's SHA-512 instructions.
//!
//! `vsha512rnds2` does two rounds. Its operands are two registers of four words each: a b e f
//! and c d g h, from the highest lane down. The result is the new a b e f. The old a b e f is
//! the new c d g h ([SDM] vol. 2, VSHA512RNDS2). Each block takes a chain of 40 of these
//! instructions.
//!
//! **These instructions have not been run yet**: we had no processor that has them, and neither
//! valgrind nor QEMU has them. The tests run the same code with functions that follow the manual's
//! description of the instructions. A program compares both at its first block: if the
//! instructions and the kernel `avx2` disagree, it uses `avx2`.
//!
//! [SDM]: https://www.intel.com/sdm
#![allow(unsafe_code)]

use core::sync::atomic::{AtomicU8, Ordering};

use super::avx2::avx2;
use super::{K, START_512};
use crate::cpu::Sha512;
use crate::simd::U64x4;

/// Writes a function `rounds` that compresses blocks. The arguments are the features that it needs,
/// and the three instructions.
macro_rules! rounds {
    ($features:literal, $message1:path, $message2:path, $rounds2:path) => {
        #[target_feature(enable = $features)]
        fn rounds(hash: &mut [u64; 8], blocks: &[[u8; 128]]) {
            let (halves, _) = hash.as_chunks_mut();
            // The words d c b a and h g f e, from the highest lane down.
            let (low, high) = (U64x4::load_u64(&halves[0]), U64x4::load_u64(&halves[1]));
            // The lanes are first b a f e and d c h g; the permutation makes the order of the
            // instruction.
            let [abef, cdgh] = high.halves(low);
            let mut abef = abef.permute::<0b10_11_00_01>();
            let mut cdgh = cdgh.permute::<0b10_11_00_01>();
            for block in blocks {
                let mut w = [abef; 4];
                for (w, bytes) in w.iter_mut().zip(block.as_chunks().0) {
                    *w = U64x4::load_be(bytes);
                }
                let before = (abef, cdgh);
                // Sixteen rounds in each iteration, as in SHA-256.
                for (turn, k) in K.as_chunks().0.as_chunks::<4>().0.iter().enumerate() {
                    for j in 0..4 {
                        if turn != 0 {
                            let seven_before = w[(j + 2) % 4].window_1(w[(j + 3) % 4]);
                            let words = $message1(w[j], w[(j + 1) % 4]).add(seven_before);
                            w[j] = $message2(words, w[(j + 3) % 4]);
                        }
                        let sum = w[j].add(U64x4::load_u64(&k[j]));
                        let next = $rounds2(cdgh, abef, sum);
                        let after = $rounds2(abef, next, sum.move_down_2());
                        (cdgh, abef) = (next, after);
                    }
                }
                abef = abef.add(before.0);
                cdgh = cdgh.add(before.1);
            }
            let abef = abef.permute::<0b10_11_00_01>();
            let [high, low] = abef.halves(cdgh.permute::<0b10_11_00_01>());
            low.store_u64(&mut halves[0]);
            high.store_u64(&mut halves[1]);
        }
    };
}

rounds!(
    "sha512,avx2",
    U64x4::sha512_message1,
    U64x4::sha512_message2,
    U64x4::sha512_rounds2
);

pub(super) fn compress(token: Sha512, hash: &mut [u64; 8], blocks: &[[u8; 128]]) {
    if agree(token) {
        // SAFETY: the token proves the features.
        unsafe { rounds(hash, blocks) }
    } else {
        avx2(token.into(), hash, blocks);
    }
}

/// Whether the instructions compute what the kernel `avx2` computes. The first call compresses a
/// block by both.
#[inline]
fn agree(token: Sha512) -> bool {
    const YES: u8 = 1;
    const NO: u8 = 2;
    static ANSWER: AtomicU8 = AtomicU8::new(0);

    #[cold]
    fn ask(token: Sha512) -> u8 {
        let block = core::array::from_fn(|i| i as u8);
        let (mut by_instructions, mut by_avx2) = (START_512, START_512);
        // SAFETY: the token proves the features.
        unsafe { rounds(&mut by_instructions, &[block]) }
        avx2(token.into(), &mut by_avx2, &[block]);
        let answer = if by_instructions == by_avx2 { YES } else { NO };
        ANSWER.store(answer, Ordering::Relaxed);
        answer
    }

    match ANSWER.load(Ordering::Relaxed) {
        0 => ask(token) == YES,
        answer => answer == YES,
    }
}

#[cfg(test)]
mod tests {
    extern crate std;
    use std::vec::Vec;

    use super::*;
    use crate::cpu::Avx2;

    // The instructions, after [SDM] vol. 2. The words of a register are an array, the lowest first.
    rounds!("avx2", message1, message2, rounds2);

    #[target_feature(enable = "avx2")]
    fn words(register: U64x4) -> [u64; 4] {
        let mut words = [0; 4];
        register.store_u64(&mut words);
        words
    }

    #[target_feature(enable = "avx2")]
    fn message1(w: U64x4, next: U64x4) -> U64x4 {
        let sigma = |x: u64| x.rotate_right(1) ^ x.rotate_right(8) ^ x >> 7;
        let ([w0, w1, w2, w3], [w4, ..]) = (words(w), words(next));
        U64x4::load_u64(&[
            w0.wrapping_add(sigma(w1)),
            w1.wrapping_add(sigma(w2)),
            w2.wrapping_add(sigma(w3)),
            w3.wrapping_add(sigma(w4)),
        ])
    }

    #[target_feature(enable = "avx2")]
    fn message2(w: U64x4, before: U64x4) -> U64x4 {
        let sigma = |x: u64| x.rotate_right(19) ^ x.rotate_right(61) ^ x >> 6;
        let ([w16, w17, w18, w19], [.., w14, w15]) = (words(w), words(before));
        let w16 = w16.wrapping_add(sigma(w14));
        let w17 = w17.wrapping_add(sigma(w15));
        let w18 = w18.wrapping_add(sigma(w16));
        let w19 = w19.wrapping_add(sigma(w17));
        U64x4::load_u64(&[w16, w17, w18, w19])
    }

    #[target_feature(enable = "avx2")]
    fn rounds2(cdgh: U64x4, abef: U64x4, sums: U64x4) -> U64x4 {
        let ([mut h, mut g, mut d, mut c], [mut f, mut e, mut b, mut a]) =
            (words(cdgh), words(abef));
        for sum in &words(sums)[..2] {
            let sum1 = e.rotate_right(14) ^ e.rotate_right(18) ^ e.rotate_right(41);
            let ch = (e & f) ^ (g & !e);
            let t1 = ch.wrapping_add(sum1).wrapping_add(*sum).wrapping_add(h);
            let sum0 = a.rotate_right(28) ^ a.rotate_right(34) ^ a.rotate_right(39);
            let maj = (a & b) ^ (a & c) ^ (b & c);
            (h, g, f, e) = (g, f, e, t1.wrapping_add(d));
            (d, c, b, a) = (c, b, a, t1.wrapping_add(maj).wrapping_add(sum0));
        }
        U64x4::load_u64(&[f, e, b, a])
    }

    #[test]
    fn the_described_instructions_compute_the_portable_form() {
        if Avx2::detect().is_none() {
            return;
        }
        let blocks: Vec<[u8; 128]> = (0..20u64)
            .map(|b| core::array::from_fn(|i| (b * 128 + i as u64).wrapping_mul(0x9e37_79b1) as u8))
            .collect();
        for n in 0..=blocks.len() {
            for start in [START_512, super::super::START_384, [u64::MAX; 8]] {
                let (mut hash, mut portable) = (start, start);
                // SAFETY: the token proves AVX2.
                unsafe { rounds(&mut hash, &blocks[..n]) }
                super::super::compress(&mut portable, &blocks[..n]);
                assert_eq!(hash, portable, "{n} blocks");
            }
        }
    }

    /// [FIPS180](super::super): NIST's example "abc".
    #[test]
    fn the_described_instructions_compute_the_example() {
        if Avx2::detect().is_none() {
            return;
        }
        let mut block = [0; 128];
        block[..4].copy_from_slice(b"abc\x80");
        block[127] = 24;
        let mut hash = START_512;
        // SAFETY: the token proves AVX2.
        unsafe { rounds(&mut hash, &[block]) }
        assert_eq!((hash[0], hash[7]), (0xddaf35a193617aba, 0x2a9ac94fa54ca49f));
    }

    #[test]
    fn the_instructions_agree() {
        assert!(Sha512::detect().is_none_or(agree));
    }
}
