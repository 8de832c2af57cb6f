//! SHA-256 with AVX-512: sixteen messages at once, with one message in each lane. The rounds
//! are computed as in the standard. One instruction `vpternlogd` computes choice, majority or
//! the XOR of three rotations.
//!
//! ```text
//!   zmm a: | a of message 15 | … | a of message 1 | a of message 0 |
//! ```
#![allow(unsafe_code)]

use super::K;
use crate::cpu::Avx512;
use crate::machinery::each::each;
use crate::simd::U32x16;

/// Compresses `count` blocks of each of sixteen messages.
pub(super) fn compress_16(
    _: Avx512,
    hashes: &mut [[u32; 8]; 16],
    blocks: [&[[u8; 64]]; 16],
    count: usize,
) {
    // SAFETY: the token proves AVX-512 F and BW.
    unsafe { entry(hashes, blocks, count) }

    #[target_feature(enable = "avx512f,avx512bw")]
    fn entry(hashes: &mut [[u32; 8]; 16], blocks: [&[[u8; 64]]; 16], count: usize) {
        let mut state = [U32x16::splat(0); 8];
        for (i, x) in state.iter_mut().enumerate() {
            let mut words = [0; 16];
            for (word, hash) in words.iter_mut().zip(hashes.iter()) {
                *word = hash[i];
            }
            *x = U32x16::load(&words);
        }
        for i in 0..count {
            let mut w = [U32x16::splat(0); 16];
            for (w, blocks) in w.iter_mut().zip(&blocks) {
                *w = U32x16::load_be(&blocks[i]);
            }
            U32x16::transpose(&mut w);
            compress(&mut state, &mut w);
        }
        for (i, x) in state.iter().enumerate() {
            let mut words = [0; 16];
            x.store(&mut words);
            for (word, hash) in words.iter().zip(hashes.iter_mut()) {
                hash[i] = *word;
            }
        }
    }
}

/// Computes the rounds, [FIPS180] §6.2.2.
#[inline]
#[target_feature(enable = "avx512f")]
fn compress(state: &mut [U32x16; 8], w: &mut [U32x16; 16]) {
    let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = *state;
    for (turn, k) in K.as_chunks::<16>().0.iter().enumerate() {
        each!(J < 16 => {
            if turn != 0 {
                let (w2, w15) = (w[(J + 14) % 16], w[(J + 1) % 16]);
                let s1 = w2.rotate_right::<17>();
                let s1 = s1.xor3(w2.rotate_right::<19>(), w2.shift_right::<10>());
                let s0 = w15.rotate_right::<7>();
                let s0 = s0.xor3(w15.rotate_right::<18>(), w15.shift_right::<3>());
                w[J] = w[J].add(w[(J + 9) % 16]).add(s0.add(s1));
            }
            let sum1 = e.rotate_right::<6>();
            let sum1 = sum1.xor3(e.rotate_right::<11>(), e.rotate_right::<25>());
            // The choice function: the bit of f where the bit of e is 1, and the bit of g
            // elsewhere.
            let ch = e.ternary::<0xca>(f, g);
            let t1 = h.add(w[J]).add(U32x16::splat(k[J])).add(ch).add(sum1);
            let sum0 = a.rotate_right::<2>();
            let sum0 = sum0.xor3(a.rotate_right::<13>(), a.rotate_right::<22>());
            // The majority function: the bit that at least two of a, b and c have.
            let maj = a.ternary::<0xe8>(b, c);
            (h, g, f, e) = (g, f, e, d.add(t1));
            (d, c, b, a) = (c, b, a, t1.add(sum0.add(maj)));
        });
    }
    for (sum, x) in state.iter_mut().zip([a, b, c, d, e, f, g, h]) {
        *sum = sum.add(x);
    }
}
