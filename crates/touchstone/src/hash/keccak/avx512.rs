//! Keccak with AVX-512 on one state. Each of the 25 words is in a vector register of its own.
//!
//! AVX-512 has 32 registers, so the whole state stays in registers. The 16 general registers
//! are too few for the state. One instruction `vpternlogq` computes the XOR of three words, or
//! the step χ on a word, and AVX-512 has rotations, so a round takes about 90 instructions. The
//! instructions use 128 bits of the registers, of which only 64 bits are needed. With five
//! words in each wider register, a round would take fewer instructions. But then words would
//! have to move within registers, which takes longer.
#![allow(unsafe_code)]

use super::{ROTATIONS, ROUND_CONSTANTS, State};
use crate::cpu::Avx512;
use crate::simd::U64x2;

type Words = [U64x2; 25];

pub(super) fn permute<const ROUNDS: usize>(_: Avx512, state: &mut State) {
    // SAFETY: the token proves AVX-512 F and VL.
    unsafe { entry::<ROUNDS>(state) }

    #[target_feature(enable = "avx512f,avx512vl")]
    fn entry<const ROUNDS: usize>(state: &mut State) {
        let words = load(state);
        store(rounds::<ROUNDS>(words), state);
    }
}

/// Permutes two states in the time of one, because a register has two words.
pub(super) fn permute_two<const ROUNDS: usize>(_: Avx512, states: [&mut State; 2]) {
    // SAFETY: the token proves AVX-512 F and VL.
    unsafe { entry::<ROUNDS>(states) }

    #[target_feature(enable = "avx512f,avx512vl")]
    fn entry<const ROUNDS: usize>([a, b]: [&mut State; 2]) {
        let mut words = [U64x2::splat(0); 25];
        for i in 0..25 {
            words[i] = U64x2::pair(a[i], b[i]);
        }
        words = rounds::<ROUNDS>(words);
        for i in 0..25 {
            (a[i], b[i]) = (words[i].first(), words[i].second());
        }
    }
}

/// XORs each block of `RATE` bytes to the state and then permutes the state.
pub(super) fn absorb<const ROUNDS: usize, const RATE: usize>(
    _: Avx512,
    state: &mut State,
    blocks: &[[u8; RATE]],
) {
    // SAFETY: the token proves AVX-512 F and VL.
    unsafe { entry::<ROUNDS, RATE>(state, blocks) }

    #[target_feature(enable = "avx512f,avx512vl")]
    fn entry<const ROUNDS: usize, const RATE: usize>(state: &mut State, blocks: &[[u8; RATE]]) {
        let mut words = load(state);
        for block in blocks {
            let (lanes, _) = block.as_chunks();
            for i in 0..RATE / 8 {
                words[i] = words[i].xor(U64x2::splat(u64::from_le_bytes(lanes[i])));
            }
            words = rounds::<ROUNDS>(words);
        }
        store(words, state);
    }
}

#[inline]
#[target_feature(enable = "avx512f,avx512vl")]
fn load(state: &State) -> Words {
    let mut words = [U64x2::splat(0); 25];
    for i in 0..25 {
        words[i] = U64x2::splat(state[i]);
    }
    words
}

#[inline]
#[target_feature(enable = "avx512f,avx512vl")]
fn store(words: Words, state: &mut State) {
    for i in 0..25 {
        state[i] = words[i].first();
    }
}

/// Computes the last `ROUNDS` rounds of the permutation, [FIPS202] §3.3.
#[inline]
#[target_feature(enable = "avx512f,avx512vl")]
fn rounds<const ROUNDS: usize>(mut a: Words) -> Words {
    for constant in &ROUND_CONSTANTS[24 - ROUNDS..] {
        // The step θ of the standard.
        let mut parity = [a[0]; 5];
        for x in 0..5 {
            parity[x] = a[x].xor3(a[x + 5], a[x + 10]).xor3(a[x + 15], a[x + 20]);
        }
        let mut sums = parity;
        for x in 0..5 {
            sums[x] = parity[(x + 4) % 5].xor(parity[(x + 1) % 5].rotate_left_by(1));
        }
        // For each row, the code computes the addition of θ, then ρ and π, then χ. The CPU has
        // few execution ports for rotations, so the other steps of a row run at the same time
        // as the rotations of the next row.
        let mut next = a;
        for y in 0..5 {
            let mut row = [a[0]; 5];
            for x in 0..5 {
                // The step π moves this word to the lane (x, y).
                let from = (x + 3 * y) % 5 + 5 * x;
                row[x] = a[from].xor(sums[from % 5]).rotate_left_by(ROTATIONS[from]);
            }
            for x in 0..5 {
                next[x + 5 * y] = row[x].xor_not_and(row[(x + 1) % 5], row[(x + 2) % 5]);
            }
        }
        a = next;
        // The step ι of the standard.
        a[0] = a[0].xor(U64x2::splat(*constant));
    }
    a
}
