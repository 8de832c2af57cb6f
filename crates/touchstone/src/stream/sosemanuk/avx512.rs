//! Sosemanuk with the products of four steps at once: two linear maps from a byte to a word are
//! eight linear maps from a byte to a byte, and one instruction of GFNI computes all eight.
//!
//! The linear register stays in vector registers. The finite state machine and Serpent's S-box
//! use general registers, which read the words from memory.
#![allow(unsafe_code)]

use core::arch::asm;

use super::{BLOCK, OVER_ALPHA, State, TIMES_ALPHA, keystream_of_four};
use crate::cpu;
use crate::simd::{U8x64, U32x4, U64x8};
use crate::wipe::wipe;
use inout::InOutBuf;

/// The linear maps from a byte to each byte of a word, as matrices for [`U64x8::affine`].
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

const MATRICES: [u64; 8] = {
    let (times, over) = (matrices(&TIMES_ALPHA), matrices(&OVER_ALPHA));
    let mut all = [0; 8];
    let mut i = 0;
    while i < 4 {
        all[i] = times[i];
        all[4 + i] = over[i];
        i += 1;
    }
    all
};

/// Eight bytes for each matrix, of which four are used: the highest bytes of words 0 to 3, or the
/// lowest bytes of words 3 to 6. Bytes 0 to 15 are words 0 to 3, bytes 64 to 79 are words 4 to 7.
const FACTORS: [u8; 64] = {
    let mut places = [0; 64];
    let mut i = 0;
    while i < 64 {
        let word = i % 4;
        places[i] = if i < 32 {
            4 * word + 3
        } else if word == 0 {
            12
        } else {
            64 + 4 * (word - 1)
        } as u8;
        i += 1;
    }
    places
};

/// The place of each byte of four words among the products, if the first matrix has the number
/// `first`.
const fn products(first: usize) -> [u8; 64] {
    let mut places = [0; 64];
    let mut i = 0;
    while i < 16 {
        places[i] = (8 * (first + i % 4) + i / 4) as u8;
        i += 1;
    }
    places
}

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

#[target_feature(enable = "avx2,bmi1,bmi2,avx512f,avx512bw,avx512vl,avx512vbmi,gfni")]
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
        let input = *block.get_in();
        let (input, _) = input.as_chunks::<16>();
        let mut output = [[0; 16]; BLOCK / 16];
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
                for t in 0..4 {
                    let (bytes, _) = input[$i].as_chunks();
                    let sum = u32::from_le_bytes(bytes[t]) ^ words[t];
                    output[$i].as_chunks_mut().0[t] = sum.to_le_bytes();
                }
            };
        }
        four!(0);
        four!(1);
        four!(2);
        four!(3);
        four!(4);
        block.get_out().copy_from_slice(output.as_flattened());
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
#[target_feature(enable = "avx2,avx512f,avx512bw,avx512vl,avx512vbmi,gfni")]
fn next(a: U32x4, b: U32x4, c: U32x4) -> U32x4 {
    let factors = U8x64::pick(a.into(), b.into(), U8x64::load(&FACTORS));
    let bytes = U64x8::from(factors)
        .affine(U64x8::load_u64(&MATRICES))
        .into();
    let times = U8x64::load(&const { products(0) }).look_up(bytes).low();
    let over = U8x64::load(&const { products(4) }).look_up(bytes).low();
    let shifted = a.shift_left::<8>().xor(a.window_3(b).shift_right::<8>());
    let sums = shifted.xor3(times.into(), over.into());
    // Each word adds the word before it.
    let sums = sums.xor(sums.move_up_1());
    sums.xor3(sums.move_up_2(), c.permute::<0b11_11_11_11>())
}
