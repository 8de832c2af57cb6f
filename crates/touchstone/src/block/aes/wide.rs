//! Some blocks of AES in ECB with VAES on 512-bit registers, in assembly, which leaves nothing in the
//! registers.
#![allow(unsafe_code)]

use core::arch::asm;

use super::{Block, RoundKeys, rounds};

/// The code for the registers `$first` from the first block on, and the registers `$last`, of which 7 has
/// the last blocks. Register 8 has a round key.
macro_rules! registers {
    ($round:literal, $first:literal, $last:literal) => {
        concat!(
            "vbroadcasti32x4 zmm8, [{keys}]\n",
            each!([$first]: "vpxord zmm\\x, zmm8, [{input} + 64 * \\x]"),
            each!([$last]: "vpxord zmm\\x, zmm8, [{input} + {end} + 64 * \\x - 512]"),
            ".irp n, 1,2,3,4,5,6,7,8,9,10,11,12,13\n",
            ".if \\n < {rounds}\n",
            "vbroadcasti32x4 zmm8, [{keys} + 16 * \\n]\n",
            each!([$first, ",", $last]: $round, " zmm\\x, zmm\\x, zmm8"),
            ".endif\n",
            ".endr\n",
            "vbroadcasti32x4 zmm8, [{keys} + 16 * {rounds}]\n",
            each!([$first, ",", $last]: $round, "last zmm\\x, zmm\\x, zmm8"),
            each!([$first]: "vmovdqu64 [{output} + 64 * \\x], zmm\\x"),
            each!([$last]: "vmovdqu64 [{output} + {end} + 64 * \\x - 512], zmm\\x"),
        )
    };
}

/// An instruction for each of the registers of a list, whose number is `\x`.
macro_rules! each {
    ([$($list:literal),+]: $($piece:literal),+) => {
        concat!(".irp x, ", $($list,)+ "\n", $($piece,)+ "\n.endr\n")
    };
}
pub(super) use each;

/// Encrypts or decrypts blocks in two or four registers: half of them from the first block on, and the
/// others up to the last block. So some blocks can be in two registers, and no load or store needs a mask.
/// All loads come before the stores, and both results are the same.
///
/// # Safety
///
/// The pointers must be those of a buffer of `n` blocks, 4 to 16. The processor must have AVX-512 and
/// VAES.
#[inline(never)]
pub(super) unsafe fn wide<const KEY: usize, const INVERSE: bool>(
    keys: &RoundKeys,
    input: *const Block,
    output: *mut Block,
    n: usize,
) {
    macro_rules! code {
        ($round:literal) => {
            asm!(
                "cmp {end}, 128",
                "ja 3f",
                registers!($round, "0", "7"),
                "jmp 5f",
                "3:",
                registers!($round, "0,1", "6,7"),
                "5:",
                "vzeroupper",
                each!(["0,1,6,7,8"]: "pxor xmm\\x, xmm\\x"),
                end = in(reg) 16 * n,
                keys = in(reg) keys.as_ptr(),
                input = in(reg) input,
                output = in(reg) output,
                rounds = const rounds(KEY),
                out("xmm0") _,
                out("xmm1") _,
                out("xmm6") _,
                out("xmm7") _,
                out("xmm8") _,
                options(nostack)
            )
        };
    }
    // SAFETY: the code reads `rounds(KEY) + 1` round keys, and reads and writes `n` blocks, as the caller
    // allows.
    unsafe {
        if INVERSE {
            code!("vaesdec");
        } else {
            code!("vaesenc");
        }
    }
}
