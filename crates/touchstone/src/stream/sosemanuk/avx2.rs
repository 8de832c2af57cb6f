//! Sosemanuk with the products of four steps at once. A linear map from a byte to a byte is four
//! lookups, each of two bits of the byte in a table of four entries. The tables of a word's four bytes
//! stand side by side in one register, so one instruction looks up the same bits of all bytes of four
//! products. The products with α are in the lower half of a register, and those with α⁻¹ in the upper
//! half. Permutations of bytes are constant-time.
//!
//! The linear register stays in vector registers. The finite state machine uses general registers,
//! which read the words from memory. Serpent's S-box takes the outputs of a whole block at once.
#![allow(unsafe_code)]

use core::arch::asm;

use inout::{InOut, InOutBuf};

use super::{BLOCK, OVER_ALPHA, State, TIMES_ALPHA};
use crate::block::serpent::Serpent24;
use crate::cpu;
use crate::simd::{U8x16, U8x32, U32x4, U32x8};
use crate::wipe::wipe;

/// The tables for bits 2`n` and 2`n` + 1 of a byte: entry 4`p` + `b` is byte `p` of the product of
/// `b` · 2²ⁿ.
const fn tables(map: &[u32; 8]) -> [[u8; 16]; 4] {
    let mut tables = [[0; 16]; 4];
    let mut n = 0;
    while n < 4 {
        let mut entry = 0;
        while entry < 16 {
            let mut word = 0;
            if entry & 1 != 0 {
                word ^= map[2 * n];
            }
            if entry & 2 != 0 {
                word ^= map[2 * n + 1];
            }
            tables[n][entry] = (word >> (8 * (entry / 4))) as u8;
            entry += 1;
        }
        n += 1;
    }
    tables
}

/// For each two bits, the tables of both products.
const TABLES: [[[u8; 16]; 2]; 4] = {
    let (times, over) = (tables(&TIMES_ALPHA), tables(&OVER_ALPHA));
    let mut both = [[[0; 16]; 2]; 4];
    let mut n = 0;
    while n < 4 {
        both[n] = [times[n], over[n]];
        n += 1;
    }
    both
};

/// The highest byte of each word in all its bytes, and the lowest.
const ENDS: [[u8; 16]; 2] = [
    [3, 3, 3, 3, 7, 7, 7, 7, 11, 11, 11, 11, 15, 15, 15, 15],
    [0, 0, 0, 0, 4, 4, 4, 4, 8, 8, 8, 8, 12, 12, 12, 12],
];

/// The words of the register during one block, from place 2 on: the ten before it, and twenty new
/// ones. From this place, every store of four new words is aligned, so that the processor passes
/// the words to the loads without delay.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Line([u32; 32]);

impl Line {
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
#[repr(align(32))]
struct Outputs([[u32; 8]; 4]);

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

/// Returns `odd` if `number` is odd, and `even` otherwise. A mask would take two more instructions, for
/// which the next step would wait.
#[inline(always)]
fn choose(number: u32, odd: u32, mut even: u32) -> u32 {
    // SAFETY: the code changes only the register that it names.
    unsafe {
        asm!(
            "test {number:l}, 1",
            "cmovnz {even:e}, {odd:e}",
            number = in(reg) number,
            odd = in(reg) odd,
            even = inout(reg) even,
            options(pure, nomem, nostack)
        );
    }
    even
}

/// The outputs of the finite state machine in four steps, [SOSEMANUK](super) §2.4.
#[inline(always)]
fn outputs_of_four(s: &[u32; 13], r: &mut [u32; 2]) -> [u32; 4] {
    let [mut r1, mut r2] = *r;
    let f = core::array::from_fn(|t| {
        let next = r2.wrapping_add(choose(r1, s[1 + t] ^ s[8 + t], s[1 + t]));
        r2 = r1.wrapping_mul(0x5465_5307).rotate_left(7);
        r1 = next;
        s[9 + t].wrapping_add(r1) ^ r2
    });
    *r = [r1, r2];
    f
}

#[inline]
pub(super) fn apply(_: cpu::Avx2, state: &mut State, blocks: InOutBuf<'_, '_, [u8; BLOCK]>) {
    // SAFETY: the token proves the features.
    unsafe { entry(state, blocks) }
}

#[target_feature(enable = "avx2,bmi1,bmi2")]
fn entry(state: &mut State, mut blocks: InOutBuf<'_, '_, [u8; BLOCK]>) {
    let mut line = Line([0; 32]);
    line.0[2..12].copy_from_slice(&state.s);
    let mut outputs = [Outputs([[0; 8]; 4]); 2];
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
    wipe(&mut outputs, Outputs([[0; 8]; 4]));
}

/// XORs the keystream of a block to data: the S-box of the outputs, XOR the words that leave the
/// register. This happens one block late, because the outputs were stored as single words: a wide
/// load of them waits until the stores have reached the cache.
#[inline]
#[target_feature(enable = "avx2")]
fn finish(outputs: &Outputs, oldest: &[U32x4; 5], mut block: InOut<'_, '_, [u8; BLOCK]>) {
    let f = outputs.0.each_ref().map(|row| U32x8::load(row));
    let f = U32x8::transpose4(Serpent24::s2_of_eight_lanes(f));
    for i in 0..5 {
        let keystream = f[i % 4].rows()[i / 4].xor(oldest[i]);
        let sum = U8x16::from(keystream).xor(U8x16::load(&block.get_in().as_chunks().0[i]));
        sum.store(&mut block.get_out().as_chunks_mut().0[i]);
    }
}

/// The four words that follow ten words, [SOSEMANUK](super) §2.3. `a` is words 0 to 3, `later` words
/// 3 to 6, and `c` words 6 to 9.
#[inline]
#[target_feature(enable = "avx2")]
fn next(a: U32x4, later: U32x4, c: U32x4) -> U32x4 {
    let ends = U8x32::join([a.into(), later.into()]).shuffle(U8x32::load_blocks(&ENDS));
    let place = U8x32::from(U32x8::splat(0x0c08_0400));
    let two = U8x32::splat_u8(3);
    let words = U32x8::from(ends);
    let bits = [
        words,
        words.shift_right::<2>(),
        words.shift_right::<4>(),
        words.shift_right::<6>(),
    ];
    let [p, q, r, s] = core::array::from_fn(|n| {
        let entry = U8x32::from(bits[n]).and(two).xor(place);
        U8x32::load_blocks(&TABLES[n]).shuffle(entry)
    });
    let [times, over] = U32x8::from(p.xor(q).xor(r.xor(s))).rows();
    let shifted = a.shift_left::<8>().xor(later.shift_right::<8>());
    let added = times.xor(over).xor(shifted);
    // Each word is the sum of the word before the four, and of all words so far.
    let pairs = added.xor(added.move_up_1());
    let newest = c.permute::<0b11_11_11_11>();
    pairs.xor(pairs.move_up_2()).xor(newest)
}
