//! Four blocks of Blowfish in general registers, interleaved, for processors with AVX2 and without
//! AVX-512. **Not constant-time**, as `portable`.
//!
//! A round of a block is an operation of the key, four bytes, four entries and their sum: eleven
//! instructions, of which nine need one of four units. Zen 3 has two units for shifts and BEXTR,
//! so a byte at the end of a word is moved. The chain of a round is a shift, a load of five cycles
//! and four additions, which are ten cycles; for four blocks the units need nine.
//!
//! Rounds come in pairs, so that no half moves to another register. Compilers copy the halves, store
//! some of them and load the constants again: their rounds have twenty instructions.
#![allow(unsafe_code)]

use super::Boxes;
use crate::cpu::Avx2;
use crate::machinery::each::each;

/// Computes a round from the half `$from` to the half `$to`, and then XORs the key's word `$word` of
/// `$p` to `$from`.
macro_rules! round {
    ($s:ident, $p:ident, $word:literal, $from:expr, $to:expr) => {
        // SAFETY: the caller's token proves BMI1. Each index is a byte, and a box has 256 words of
        // four bytes. `$p` has two words.
        unsafe {
            core::arch::asm!(
                "mov {sum:e}, {from:e}",
                "bextr {byte:e}, {from:e}, {second:e}",
                "shr {sum:e}, 24",
                "mov {sum:e}, [{s} + 4*{sum}]",
                "add {sum:e}, [{s} + 4*{byte} + 0x400]",
                "bextr {byte:e}, {from:e}, {first:e}",
                "xor {sum:e}, [{s} + 4*{byte} + 0x800]",
                "movzx {byte:e}, {from:l}",
                "xor {from:e}, [{p} + 4*{word}]",
                "add {sum:e}, [{s} + 4*{byte} + 0xc00]",
                "xor {to:e}, {sum:e}",
                from = inout(reg) $from,
                to = inout(reg) $to,
                sum = out(reg) _,
                byte = out(reg) _,
                s = in(reg) $s.as_ptr(),
                p = in(reg) $p.as_ptr(),
                first = in(reg) 0x808,
                second = in(reg) 0x810,
                word = const $word,
                options(pure, readonly, nostack)
            );
        }
    };
}

/// Does the same as [`feistel`](super::feistel).
#[inline(always)]
pub(super) fn feistel(_: Avx2, s: &Boxes, p: &[u32; 18], x: [[u32; 2]; 4]) -> [[u32; 2]; 4] {
    let mut left = x.map(|[left, _]| left ^ p[0]);
    let mut right = x.map(|[_, right]| right ^ p[1]);
    for p in p[2..].as_chunks::<2>().0 {
        each!(N in 0 1 2 3 => round!(s, p, 0, left[N], right[N]));
        each!(N in 0 1 2 3 => round!(s, p, 1, right[N], left[N]));
    }
    core::array::from_fn(|n| [right[n], left[n]])
}
