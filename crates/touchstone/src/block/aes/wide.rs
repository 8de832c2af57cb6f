//! Some blocks of AES in ECB with VAES on 512-bit registers, in assembly, which leaves nothing in the
//! registers.
#![allow(unsafe_code)]

use core::arch::asm;

use super::{Block, RoundKeys, rounds};

/// All rounds of the registers `$all`, to which the first round key is already XORed. Register 8 has a
/// round key.
macro_rules! rounds_of {
    ($round:literal, $($all:literal),+) => {
        concat!(
            ".irp n, 1,2,3,4,5,6,7,8,9,10,11,12,13\n",
            ".if \\n < {rounds}\n",
            "vbroadcasti32x4 zmm8, [{keys} + 16 * \\n]\n",
            each!([$($all),+]: $round, " zmm\\x, zmm\\x, zmm8"),
            ".endif\n",
            ".endr\n",
            "vbroadcasti32x4 zmm8, [{keys} + 16 * {rounds}]\n",
            each!([$($all),+]: $round, "last zmm\\x, zmm\\x, zmm8"),
        )
    };
}

/// The code for the registers `$first` from the first block on, and the registers `$last`, of which 7 has
/// the last blocks.
macro_rules! registers {
    ($round:literal, $first:literal, $last:literal) => {
        concat!(
            "vbroadcasti32x4 zmm8, [{keys}]\n",
            each!([$first]: "vpxord zmm\\x, zmm8, [{input} + 64 * \\x]"),
            each!([$last]: "vpxord zmm\\x, zmm8, [{input} + {end} + 64 * \\x - 512]"),
            rounds_of!($round, $first, ",", $last),
            each!([$first]: "vmovdqu64 [{output} + 64 * \\x], zmm\\x"),
            each!([$last]: "vmovdqu64 [{output} + {end} + 64 * \\x - 512], zmm\\x"),
        )
    };
}

/// The code for more than 32 blocks: groups of eight registers from the first block on, and then eight
/// registers up to the last block, whose input is loaded first.
macro_rules! groups {
    ($round:literal) => {
        concat!(
            "vbroadcasti32x4 zmm8, [{keys}]\n",
            each!(["0,1,2,3,4,5,6,7"]: "vpxord zmm1\\x, zmm8, [{input} + {end} + 64 * \\x - 512]"),
            "lea {last}, [{output} + {end} - 512]\n",
            "sub {end}, 512\n",
            "6:\n",
            "vbroadcasti32x4 zmm8, [{keys}]\n",
            each!(["0,1,2,3,4,5,6,7"]: "vpxord zmm\\x, zmm8, [{input} + 64 * \\x]"),
            rounds_of!($round, "0,1,2,3,4,5,6,7"),
            each!(["0,1,2,3,4,5,6,7"]: "vmovdqu64 [{output} + 64 * \\x], zmm\\x"),
            "add {input}, 512\n",
            "add {output}, 512\n",
            "sub {end}, 512\n",
            "ja 6b\n",
            rounds_of!($round, "10,11,12,13,14,15,16,17"),
            each!(["0,1,2,3,4,5,6,7"]: "vmovdqu64 [{last} + 64 * \\x], zmm1\\x"),
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

/// Encrypts or decrypts blocks in two, four or eight registers: half of them from the first block on, and
/// the others up to the last block. So some blocks can be in two registers, and no load or store needs a
/// mask. All loads come before the stores, and both results are the same. More than 32 blocks are in
/// [`groups`](groups!).
///
/// # Safety
///
/// The pointers must be those of a buffer of `n` blocks, 4 or more. The processor must have AVX-512 and
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
                "cmp {end}, 256",
                "ja 2f",
                "cmp {end}, 128",
                "ja 3f",
                registers!($round, "0", "7"),
                "jmp 5f",
                "2:",
                "cmp {end}, 512",
                "ja 4f",
                registers!($round, "0,1,2,3", "4,5,6,7"),
                each!(["2,3,4,5"]: "vpxor xmm\\x, xmm\\x, xmm\\x"),
                "jmp 5f",
                "4:",
                groups!($round),
                each!(["16,17"]: "vpxord xmm\\x, xmm\\x, xmm\\x"),
                each!(["2,3,4,5,10,11,12,13,14,15"]: "vpxor xmm\\x, xmm\\x, xmm\\x"),
                "jmp 5f",
                "3:",
                registers!($round, "0,1", "6,7"),
                "5:",
                "vzeroupper",
                each!(["0,1,6,7,8"]: "pxor xmm\\x, xmm\\x"),
                end = inout(reg) 16 * n => _,
                keys = in(reg) keys.as_ptr(),
                input = inout(reg) input => _,
                output = inout(reg) output => _,
                last = out(reg) _,
                rounds = const rounds(KEY),
                out("xmm0") _,
                out("xmm1") _,
                out("xmm2") _,
                out("xmm3") _,
                out("xmm4") _,
                out("xmm5") _,
                out("xmm6") _,
                out("xmm7") _,
                out("xmm8") _,
                out("xmm10") _,
                out("xmm11") _,
                out("xmm12") _,
                out("xmm13") _,
                out("xmm14") _,
                out("xmm15") _,
                out("xmm16") _,
                out("xmm17") _,
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
