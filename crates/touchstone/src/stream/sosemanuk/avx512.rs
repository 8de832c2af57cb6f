//! Sosemanuk with the products of four steps at once. Two linear maps from a byte to a word are
//! eight linear maps from a byte to a byte, and an instruction of GFNI computes such a map.
//!
//! The linear register stays in vector registers. The finite state machine uses general registers,
//! which read the words from memory. Serpent's S-box takes the outputs of a whole block at once.
#![allow(unsafe_code)]

use core::arch::asm;

use inout::{InOut, InOutBuf};

use super::{BLOCK, OVER_ALPHA, State, TIMES_ALPHA, outputs_of_four};
use crate::block::serpent::Serpent24;
use crate::cpu;
use crate::simd::{U8x16, U32x4, U32x16};
use crate::wipe::wipe;

/// The linear maps from a byte to each byte of a word, as matrices for [`U8x16::affine_plus`].
const fn matrices(map: &[u32; 8]) -> [u64; 4] {
    let mut matrices = [0; 4];
    let mut byte = 0;
    while byte < 4 {
        let mut place = 0;
        while place < 64 {
            // Row 7 of a matrix is the lowest byte, and gives bit 7 of the product.
            let (to, from) = (7 - place / 8, place % 8);
            let bit = map[from] >> (8 * byte + to) & 1;
            matrices[byte] |= (bit as u64) << place;
            place += 1;
        }
        byte += 1;
    }
    matrices
}

const TIMES: [u64; 4] = matrices(&TIMES_ALPHA);
const OVER: [u64; 4] = matrices(&OVER_ALPHA);

/// The words of the register during one block, from place 2 on: the ten before it, and twenty new
/// ones. From this place, every store of four new words is aligned, so that the processor passes
/// the words to the loads without delay.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Line([u32; 32]);

impl Line {
    const ZERO: Self = Self([0; 32]);

    /// Four words from word `first` on.
    #[inline(always)]
    fn four(&mut self, first: usize) -> &mut [u32; 4] {
        let four = self.0[first..].first_chunk_mut();
        four.expect("a block has 30 words")
    }
}

/// The outputs of the finite state machine: a row for each of four steps, and in it a word for each
/// of the five groups of steps in a block.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Outputs([[u32; 16]; 4]);

/// Emits no instruction, but makes the compiler store the words to memory and load them again.
/// Without it, the compiler moves each word between vector registers and general registers, which
/// costs more instructions.
#[inline(always)]
fn in_memory<T>(words: &mut T) {
    // SAFETY: the assembly contains no instruction.
    unsafe {
        asm!("/* {} */", in(reg) words, options(nostack, preserves_flags));
    }
}

#[inline]
pub(super) fn apply(_: cpu::Avx512, state: &mut State, blocks: InOutBuf<'_, '_, [u8; BLOCK]>) {
    // SAFETY: the token proves the features.
    unsafe { entry(state, blocks) }
}

#[target_feature(enable = "avx2,bmi1,bmi2,avx512f,avx512bw,avx512vl,gfni")]
fn entry(state: &mut State, mut blocks: InOutBuf<'_, '_, [u8; BLOCK]>) {
    let mut line = Line::ZERO;
    line.0[2..12].copy_from_slice(&state.s);
    let mut outputs = [Outputs([[0; 16]; 4]); 2];
    let mut r = state.r;
    // Words 0 to 3, 4 to 7, and 6 to 9 of the register.
    let mut a = U32x4::load(line.four(2));
    let mut b = U32x4::load(line.four(6));
    let mut c = U32x4::load(line.four(8));
    // Words 3 to 6, which have a register of their own, because the next words depend on the newest
    // word by them alone.
    let mut later = U32x4::load(line.four(5));
    let mut oldest_before = [a; 5];
    for n in 0..blocks.len() {
        a.store(line.four(2));
        b.store(line.four(6));
        c.store(line.four(8));
        let mut oldest = [a; 5];
        /// Four steps.
        macro_rules! four {
            ($i:literal) => {
                oldest[$i] = a;
                let new = next(a, later, c);
                new.store(line.four(12 + 4 * $i));
                (a, later, b, c) = (b, c.window_1(new), c.window_2(new), new);
                in_memory(&mut line);
                let words = line.0[2 + 4 * $i..].first_chunk();
                let words = words.expect("a block has 30 words");
                for (row, word) in outputs[n % 2].0.iter_mut().zip(outputs_of_four(words, &mut r)) {
                    row[$i] = word;
                }
            };
        }
        four!(0);
        four!(1);
        four!(2);
        four!(3);
        four!(4);
        in_memory(&mut outputs);
        if n != 0 {
            finish(&outputs[(n - 1) % 2], &oldest_before, blocks.get(n - 1));
        }
        oldest_before = oldest;
    }
    if let Some(n) = blocks.len().checked_sub(1) {
        finish(&outputs[n % 2], &oldest_before, blocks.get(n));
    }
    a.store(line.four(2));
    b.store(line.four(6));
    c.store(line.four(8));
    state.s.copy_from_slice(&line.0[2..12]);
    state.r = r;
    wipe(&mut line.0, 0);
    wipe(&mut outputs, Outputs([[0; 16]; 4]));
}

/// XORs the keystream of a block to data: the S-box of the outputs, XOR the words that leave the
/// register. This happens one block late, because the outputs were stored as single words: a wide
/// load of them waits until the stores have reached the cache.
#[inline]
#[target_feature(enable = "avx2,avx512f,avx512bw,avx512vl,gfni")]
fn finish(outputs: &Outputs, oldest: &[U32x4; 5], mut block: InOut<'_, '_, [u8; BLOCK]>) {
    let mut f = [U32x16::splat(0); 4];
    for (f, row) in f.iter_mut().zip(&outputs.0) {
        *f = U32x16::load(row);
    }
    let f = U32x16::transpose4(Serpent24::s2_of_lanes(f));
    for i in 0..5 {
        let keystream = f[i % 4].quarters()[i / 4].xor(oldest[i]);
        let sum = U8x16::from(keystream).xor(U8x16::load(&block.get_in().as_chunks().0[i]));
        sum.store(&mut block.get_out().as_chunks_mut().0[i]);
    }
}

/// The four words that follow ten words, [SOSEMANUK] §2.3. `a` is words 0 to 3, `later` words 3 to
/// 6, and `c` words 6 to 9.
#[inline]
#[target_feature(enable = "avx2,avx512f,avx512bw,avx512vl,gfni")]
fn next(a: U32x4, later: U32x4, c: U32x4) -> U32x4 {
    // The highest and the lowest byte of each word, in all bytes of the word.
    let high = U8x16::load(&[3, 3, 3, 3, 7, 7, 7, 7, 11, 11, 11, 11, 15, 15, 15, 15]);
    let low = U8x16::load(&[0, 0, 0, 0, 4, 4, 4, 4, 8, 8, 8, 8, 12, 12, 12, 12]);
    let times = map(U8x16::from(a).shuffle(high), &TIMES);
    let over = map(U8x16::from(later).shuffle(low), &OVER);
    let shifted = a.shift_left::<8>().xor(later.shift_right::<8>());
    let added = times.xor3(over, shifted);
    // Each word is the sum of the word before the four, and of all words so far.
    let sums = added.xor3(added.move_up_1(), added.move_up_2());
    sums.xor3(added.move_up_3(), c.permute::<0b11_11_11_11>())
}

/// Maps a byte, which is in all bytes of a word, to a word.
#[inline]
#[target_feature(enable = "avx512f,avx512vl,gfni")]
fn map(bytes: U8x16, matrices: &[u64; 4]) -> U32x4 {
    let [a, b, c, d] = *matrices;
    let low = U32x4::splat(0xff).choose(
        bytes.affine_plus::<0>(a).into(),
        bytes.affine_plus::<0>(b).into(),
    );
    let high = U32x4::splat(0xff0000).choose(
        bytes.affine_plus::<0>(c).into(),
        bytes.affine_plus::<0>(d).into(),
    );
    U32x4::splat(0xffff).choose(low, high)
}
