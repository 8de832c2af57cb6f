//! Four blocks of CAST5 in general registers, interleaved, for processors with AVX2 and without AVX-512.
//! **Not constant-time**, as `portable`.
//!
//! A round of a block is an operation with the key's mask, a rotation, four bytes, four entries and their
//! sum: thirteen instructions, of which ten need one of four units. Zen 3 has two units for shifts,
//! rotations and BEXTR, so the two lowest bytes are moved. The chain of a round is an operation, a
//! rotation, a byte, a load of five cycles and four sums, which are twelve cycles; for four blocks the
//! units need ten. A round of four blocks takes 15.6 cycles.
//!
//! The masks stay in memory, so that the halves of four blocks, the pointers and the words of a round
//! take the fifteen general registers. Compilers store halves, and extract a byte by a shift and a
//! mask: their rounds have sixteen instructions.
#![allow(unsafe_code)]

use core::mem::offset_of;

use super::{Keys, S};
use crate::cpu::Avx2;
use crate::machinery::each::each;

/// Computes a round of one block: XORs the function of the half `$from` to the half `$to`. The rotated word
/// has its halves exchanged, as [`xor_f`](super::xor_f) describes.
macro_rules! block {
    (
        ($keys:ident, $round:literal, $rotation:ident),
        $to:expr, $from:expr, $first:literal, $second:literal, $a:literal $b:literal $c:literal
    ) => {
        // SAFETY: the caller's token proves BMI1. Each index is a byte, and a box has 256 words of
        // four bytes. The round is below 16, and the mask of a round is read.
        unsafe {
            core::arch::asm!(
                $first,
                $second,
                "rol eax, cl",
                "movzx edx, ah",
                "mov edx, [{s} + 4*rdx]",
                "movzx {byte:e}, al",
                concat!($a, " edx, [{s} + 4*{byte} + 0x400]"),
                "mov {byte:e}, eax",
                "shr {byte:e}, 24",
                concat!($b, " edx, [{s} + 4*{byte} + 0x800]"),
                "bextr eax, eax, {third:e}",
                concat!($c, " edx, [{s} + 4*rax + 0xc00]"),
                "xor {to:e}, edx",
                from = in(reg) $from,
                to = inout(reg) $to,
                byte = out(reg) _,
                s = in(reg) S.as_ptr(),
                keys = in(reg) $keys.as_ptr(),
                third = in(reg) 0x810,
                in("ecx") $rotation,
                out("eax") _,
                out("edx") _,
                mask = const 8 * $round + offset_of!((u32, u8), 0),
                options(pure, readonly, nostack)
            );
        }
    };
}

/// Computes a round of type 1, 2 or 3 on every block.
macro_rules! round {
    ($keys:ident, $round:literal, $to:ident, $from:ident, $first:literal, $second:literal, $($sum:literal)*) => {
        let rotation = u32::from($keys[$round].1);
        each!(N in 0 1 2 3 => block!(
            ($keys, $round, rotation), $to[N], $from[N], $first, $second, $($sum)*
        ));
    };
    (1: $keys:ident, $round:literal, $to:ident ^= $from:ident) => {
        round!($keys, $round, $to, $from, "mov eax, [{keys} + {mask}]", "add eax, {from:e}", "xor" "sub" "add");
    };
    (2: $keys:ident, $round:literal, $to:ident ^= $from:ident) => {
        round!($keys, $round, $to, $from, "mov eax, [{keys} + {mask}]", "xor eax, {from:e}", "sub" "add" "xor");
    };
    (3: $keys:ident, $round:literal, $to:ident ^= $from:ident) => {
        round!($keys, $round, $to, $from, "mov eax, [{keys} + {mask}]", "sub eax, {from:e}", "add" "xor" "sub");
    };
}

const _: () = assert!(size_of::<(u32, u8)>() == 8);

/// Does the same as [`forwards`](super::forwards).
#[inline(always)]
pub(super) fn forwards(_: Avx2, short: bool, keys: &Keys, x: [[u32; 2]; 4]) -> [[u32; 2]; 4] {
    let mut l = x.map(|[l, _]| l);
    let mut r = x.map(|[_, r]| r);
    round!(1: keys, 0, l ^= r);
    round!(2: keys, 1, r ^= l);
    round!(3: keys, 2, l ^= r);
    round!(1: keys, 3, r ^= l);
    round!(2: keys, 4, l ^= r);
    round!(3: keys, 5, r ^= l);
    round!(1: keys, 6, l ^= r);
    round!(2: keys, 7, r ^= l);
    round!(3: keys, 8, l ^= r);
    round!(1: keys, 9, r ^= l);
    round!(2: keys, 10, l ^= r);
    round!(3: keys, 11, r ^= l);
    if !short {
        round!(1: keys, 12, l ^= r);
        round!(2: keys, 13, r ^= l);
        round!(3: keys, 14, l ^= r);
        round!(1: keys, 15, r ^= l);
    }
    core::array::from_fn(|n| [r[n], l[n]])
}

/// Does the same as [`backwards`](super::backwards).
#[inline(always)]
pub(super) fn backwards(_: Avx2, short: bool, keys: &Keys, x: [[u32; 2]; 4]) -> [[u32; 2]; 4] {
    let mut r = x.map(|[r, _]| r);
    let mut l = x.map(|[_, l]| l);
    if !short {
        round!(1: keys, 15, r ^= l);
        round!(3: keys, 14, l ^= r);
        round!(2: keys, 13, r ^= l);
        round!(1: keys, 12, l ^= r);
    }
    round!(3: keys, 11, r ^= l);
    round!(2: keys, 10, l ^= r);
    round!(1: keys, 9, r ^= l);
    round!(3: keys, 8, l ^= r);
    round!(2: keys, 7, r ^= l);
    round!(1: keys, 6, l ^= r);
    round!(3: keys, 5, r ^= l);
    round!(2: keys, 4, l ^= r);
    round!(1: keys, 3, r ^= l);
    round!(3: keys, 2, l ^= r);
    round!(2: keys, 1, r ^= l);
    round!(1: keys, 0, l ^= r);
    core::array::from_fn(|n| [l[n], r[n]])
}

#[cfg(test)]
mod tests {
    use super::super::{self as cast5, Cast5};
    use super::*;
    use crate::Keyed;

    #[test]
    fn four_blocks_are_as_one() {
        let Some(token) = Avx2::detect() else {
            std::println!("SKIPPED: CAST5 of four blocks in assembly, because AVX2 is not there");
            return;
        };
        let mut seed = 1_u32;
        for length in 5..=16 {
            let Ok(Cast5 { short, keys, .. }) = &Cast5::from_slice(&b"Wer wagt, gewinnt"[..length])
            else {
                unreachable!("5 to 16 bytes")
            };
            for _ in 0..100 {
                let x = [[0; 2]; 4].map(|x| {
                    x.map(|_: u32| {
                        seed = seed.wrapping_mul(0x915f_77f5).wrapping_add(12345);
                        seed ^ seed >> 15
                    })
                });
                let singles = x.map(|x| cast5::forwards(*short, keys, [x])[0]);
                assert_eq!(forwards(token, *short, keys, x), singles);
                let singles = x.map(|x| cast5::backwards(*short, keys, [x])[0]);
                assert_eq!(backwards(token, *short, keys, x), singles);
            }
        }
    }
}
