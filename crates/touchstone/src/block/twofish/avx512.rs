//! Twofish with AVX-512 and GFNI: planes of 64 blocks
//! ([`avx2_and_avx512`](super::avx2_and_avx512)). Sixteen blocks or fewer are computed [in
//! words](super::avx512_few_blocks): in planes, three quarters of the lanes would be empty, and
//! the chain of dependent instructions would be twice as long.
//!
//! - An **S-box** that depends on the key is a table of 256 entries for 64 lanes: two lookups
//!   of 128 entries and a selection.
//! - The **MDS matrix** has two numbers that are not 1. A product by one of them is an affine
//!   map of bits, which GFNI computes.
//!
//! A round has 16 lookups, 16 affine maps and 8 masks, which share two ports, and some 100
//! other instructions. The predicted time is 32 cycles for 64 blocks if four instructions start
//! in a cycle. But the chain of dependent instructions in a round takes as long, and all
//! instructions of a phase need the same ports. So two sets of 64 blocks are interleaved round
//! by round, in registers and on the stack. The measured time is 60 cycles for each set.
#![allow(unsafe_code)]

use super::avx2_and_avx512::{f, lanes};
use super::avx512_few_blocks::{B5, EF, g as g_of_words};
use super::{Keys, Q, STEPS, fold};
use crate::cpu::Avx512;
use crate::machinery::sliced::sliced;

sliced!(
    Avx512, Keys, U8x64 as U32x16,
    4 blocks a register, 8 groups, "avx512f,avx512bw,avx512vl,avx512vbmi,gfni,vpclmulqdq"
);
lanes!(Avx512, "avx512f,avx512bw,avx512vl,avx512vbmi,gfni");

/// Encrypts or decrypts at most sixteen blocks, [in words](super::avx512_few_blocks).
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,gfni")]
fn sixteen<const BACK: bool>(keys: &Keys, x: &mut [Lanes; 4]) {
    let [mut a, mut b, mut c, mut d] = *x;
    let whiten = |w: usize| Lanes::splat(keys.words[w]);
    let before = if BACK { 4 } else { 0 };
    (a, b) = (a.xor(whiten(before)), b.xor(whiten(before + 1)));
    (c, d) = (c.xor(whiten(before + 2)), d.xor(whiten(before + 3)));
    for round in 0..16 {
        let round = if BACK { 15 - round } else { round };
        let t0 = g_of_words(keys, a);
        let t1 = g_of_words(keys, b.rotate_left::<8>());
        let sum = t0.add(t1);
        let f0 = sum.add(whiten(2 * round + 8));
        let f1 = sum.add(t1.add(whiten(2 * round + 9)));
        (a, b, c, d) = if BACK {
            (
                c.rotate_left::<1>().xor(f0),
                d.xor(f1).rotate_left::<31>(),
                a,
                b,
            )
        } else {
            (
                c.xor(f0).rotate_left::<31>(),
                d.rotate_left::<1>().xor(f1),
                a,
                b,
            )
        };
    }
    let after = if BACK { 0 } else { 4 };
    (a, b) = (a.xor(whiten(after + 2)), b.xor(whiten(after + 3)));
    (c, d) = (c.xor(whiten(after)), d.xor(whiten(after + 1)));
    *x = [c, d, a, b];
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,gfni")]
fn forwards<const N: usize>(keys: &Keys, data: &mut [[Lanes; 4]; N]) {
    match data.as_mut_slice() {
        [x] => sixteen::<false>(keys, x),
        _ => padded::<false, N>(keys, data),
    }
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,gfni")]
fn backwards<const N: usize>(keys: &Keys, data: &mut [[Lanes; 4]; N]) {
    match data.as_mut_slice() {
        [x] => sixteen::<true>(keys, x),
        _ => padded::<true, N>(keys, data),
    }
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
fn q(which: usize, y: Bytes) -> Bytes {
    y.lookup(&Q[which])
}

/// Returns the products of bytes and the two numbers of the MDS matrix that are not 1.
#[inline]
#[target_feature(enable = "avx512f,gfni")]
fn products(y: Bytes) -> [Bytes; 2] {
    [y.affine(EF), y.affine(B5)]
}

/// Computes the key schedule. `K` is the length of the key in units of eight bytes.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,gfni")]
fn expand_to<const K: usize>(key: &[u8], keys: &mut Keys) {
    let eights = key.as_chunks::<8>().0;

    // Lane *i* has the number 2i, for the even words of the key. Lane 32 + *i* has the number
    // 2i + 1, for the odd words. The function h is applied to all lanes.
    let mut numbers = [0; 64];
    for i in 0..32 {
        numbers[i] = 2 * i as u8;
        numbers[32 + i] = 2 * i as u8 + 1;
    }
    let numbers = Bytes::load(&numbers);
    let mut lists = [[numbers; 4]; K];
    for i in 0..K {
        for byte in 0..4 {
            let even = Bytes::splat_u8(eights[i][byte]);
            lists[i][byte] = even.low_high(Bytes::splat_u8(eights[i][4 + byte]));
        }
    }
    // The code moves lane 16l + 4m + d to lane 4l + d of register m. The lower halves of the
    // registers then have the even numbers.
    let mut words = h(numbers, &lists);
    let mut first = words;
    for m in 0..4 {
        let (a, b) = (words[m], words[m].high_half().rotate_left::<8>());
        let sum = a.add(b);
        (first[m], words[m]) = (sum, sum.add(b).rotate_left::<9>());
    }
    let (mut k0, mut k1) = ([[0; 16]; 4], [[0; 16]; 4]);
    for m in 0..4 {
        first[m].store(&mut k0[m]);
        words[m].store(&mut k1[m]);
    }
    for i in 0..20 {
        let (m, lane) = (i / 4 % 4, 4 * (i / 16) + i % 4);
        keys.words[2 * i] = k0[m][lane];
        keys.words[2 * i + 1] = k1[m][lane];
    }
    wipe(&mut k0, [0; 16]);
    wipe(&mut k1, [0; 16]);

    tabulate::<K>(fold(key), keys);
}
