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

/// The linear maps from a byte to each byte of a word, as matrices for [`U32x4::affine_byte`].
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
    for mut block in blocks {
        a.store(line.four(0));
        b.store(line.four(4));
        c.store(line.four(6));
        /// Four steps.
        macro_rules! four {
            ($i:literal) => {
                let new = next(a, b, c);
                new.store(line.four(10 + 4 * $i));
                (a, b, c) = (b, c.window_2(new), new);
                line.in_memory();
                let mut s = [0; 13];
                s.copy_from_slice(&line.0[4 * $i..][..13]);
                let words = keystream_of_four(&s, &mut r);
                // Word by word: a wider load would wait for the stores of the words.
                for t in 0..4 {
                    let sum = u32::from_le_bytes(block.get_in().as_chunks().0[4 * $i + t]) ^ words[t];
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

/// The four words that follow ten words, [SOSEMANUK] §2.3. `c` is words 6 to 9.
#[inline]
#[target_feature(enable = "avx2,avx512f,avx512bw,avx512vl,gfni")]
fn next(a: U32x4, b: U32x4, c: U32x4) -> U32x4 {
    let later = a.window_3(b);
    // The highest and the lowest byte of each word, in all bytes of the word.
    let high = U8x16::load(&[3, 3, 3, 3, 7, 7, 7, 7, 11, 11, 11, 11, 15, 15, 15, 15]);
    let low = U8x16::load(&[0, 0, 0, 0, 4, 4, 4, 4, 8, 8, 8, 8, 12, 12, 12, 12]);
    let high = U32x4::from(U8x16::from(a).shuffle(high));
    let low = U32x4::from(U8x16::from(later).shuffle(low));
    let shifted = a.shift_left::<8>().xor(later.shift_right::<8>());
    let x = [
        high.affine_byte::<0>(TIMES[0]),
        high.affine_byte::<1>(TIMES[1]),
        high.affine_byte::<2>(TIMES[2]),
        high.affine_byte::<3>(TIMES[3]),
        low.affine_byte::<0>(OVER[0]),
        low.affine_byte::<1>(OVER[1]),
        low.affine_byte::<2>(OVER[2]),
        low.affine_byte::<3>(OVER[3]),
    ];
    let sums = x[0].xor3(x[1], x[2]).xor3(x[3].xor3(x[4], x[5]), x[6].xor3(x[7], shifted));
    // Each word adds the word before it.
    let sums = sums.xor(sums.move_up_1());
    sums.xor3(sums.move_up_2(), c.permute::<0b11_11_11_11>())
}
