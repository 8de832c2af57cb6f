//! Sosemanuk with the products of four steps at once. Two linear maps from a byte to a word are
//! eight linear maps from a byte to a byte, and an instruction of GFNI computes such a map.
//!
//! The linear register stays in vector registers. The finite state machine and Serpent's S-box
//! use general registers, which read the words from memory.
#![allow(unsafe_code)]

use core::arch::asm;

use super::{BLOCK, OVER_ALPHA, State, TIMES_ALPHA, keystream_of_four};
use crate::cpu;
use crate::simd::{U8x16, U32x4};
use crate::wipe::wipe;
use inout::InOutBuf;

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

/// The words of the register during one block: the ten before it, and twenty new ones.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Line([u32; 32]);

impl Line {
    const ZERO: Self = Self([0; 32]);

    /// Emits no instruction, but makes the compiler read the words from memory. Without it, the
    /// compiler takes the words of the vector registers apart, which costs more instructions.
    #[inline(always)]
    fn in_memory(&mut self) {
        // SAFETY: the assembly contains no instruction.
        unsafe {
            asm!("/* {} */", in(reg) self, options(nostack, preserves_flags));
        }
    }

    /// Four words from word `first` on.
    #[inline(always)]
    fn four(&mut self, first: usize) -> &mut [u32; 4] {
        let four = self.0[first..].first_chunk_mut();
        four.expect("a block has 30 words")
    }
}

#[inline]
pub(super) fn apply(_: cpu::Avx512, state: &mut State, blocks: InOutBuf<'_, '_, [u8; BLOCK]>) {
    // SAFETY: the token proves the features.
    unsafe { entry(state, blocks) }
}

#[target_feature(enable = "avx2,bmi1,bmi2,avx512f,avx512bw,avx512vl,gfni")]
fn entry(state: &mut State, blocks: InOutBuf<'_, '_, [u8; BLOCK]>) {
    let mut line = Line::ZERO;
    line.0[..10].copy_from_slice(&state.s);
    let mut r = state.r;
    // Words 0 to 3, 4 to 7, and 6 to 9 of the register.
    let mut a = U32x4::load(line.four(0));
    let mut b = U32x4::load(line.four(4));
    let mut c = U32x4::load(line.four(6));
    // Words 3 to 6, which have a register of their own, because the next words depend on the newest
    // word by them alone.
    let mut later = U32x4::load(line.four(3));
    for mut block in blocks {
        a.store(line.four(0));
        b.store(line.four(4));
        c.store(line.four(6));
        /// Four steps.
        macro_rules! four {
            ($i:literal) => {
                let new = next(a, later, c);
                new.store(line.four(10 + 4 * $i));
                (a, later, b, c) = (b, c.window_1(new), c.window_2(new), new);
                line.in_memory();
                let mut s = [0; 13];
                s.copy_from_slice(&line.0[4 * $i..][..13]);
                let words = keystream_of_four(&s, &mut r);
                // Word by word: a wider load would wait for the stores of the words.
                for t in 0..4 {
                    let sum =
                        u32::from_le_bytes(block.get_in().as_chunks().0[4 * $i + t]) ^ words[t];
                    block.get_out().as_chunks_mut().0[4 * $i + t] = sum.to_le_bytes();
                }
            };
        }
        four!(0);
        four!(1);
        four!(2);
        four!(3);
        four!(4);
    }
    a.store(line.four(0));
    b.store(line.four(4));
    c.store(line.four(6));
    state.s.copy_from_slice(&line.0[..10]);
    state.r = r;
    wipe(&mut line.0, 0);
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
