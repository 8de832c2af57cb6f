//! AES with VAES on 256-bit registers, for machines without AVX-512: two blocks in each
//! register, eight registers at once ([`parallel`](super::parallel)).
#![allow(unsafe_code)]

use core::arch::asm;

use super::aesni;
use super::parallel::parallel;
use crate::cpu::Vaes256;

parallel!(Vaes256, U8x32, 2 blocks, 8 registers, "avx2,aes,vaes", less by aesni);

/// Encrypts or decrypts two to sixteen blocks separately, in assembly, which leaves nothing in the
/// registers, as [`aesni::but_last_round`] says. Two, four or eight registers have two blocks each: half
/// of them from the first block on, and the others up to the last block. So some blocks can be in two
/// registers. All loads come before the stores, and both results are the same.
#[inline(always)]
pub(super) fn few<const KEY: usize, const INVERSE: bool>(
    _: Vaes256,
    keys: &RoundKeys,
    blocks: InOutBuf<'_, '_, Block>,
) {
    let n = blocks.len();
    assert!((2..=16).contains(&n));
    let (input, output) = blocks.into_raw();
    // SAFETY: the pointers are those of a buffer of `n` blocks, and the token proves the features.
    unsafe { few_at::<KEY, INVERSE>(keys, input, output, n) }
}

#[inline(never)]
unsafe fn few_at<const KEY: usize, const INVERSE: bool>(
    keys: &RoundKeys,
    input: *const Block,
    output: *mut Block,
    n: usize,
) {
    // The code for the registers `$first` from the first block on, and the registers `$last`, of which
    // 7 has the last two blocks.
    macro_rules! registers {
        ($round:literal, $first:literal, $last:literal) => {
            concat!(
                "vbroadcasti128 ymm8, [{keys}]\n",
                ".irp x, ",
                $first,
                "\nvpxor ymm\\x, ymm8, [{input} + 32 * \\x]\n",
                ".endr\n",
                ".irp x, ",
                $last,
                "\nvpxor ymm\\x, ymm8, [{input} + {end} + 32 * \\x - 256]\n",
                ".endr\n",
                ".irp n, 1,2,3,4,5,6,7,8,9,10,11,12,13\n",
                ".if \\n < {rounds}\n",
                "vbroadcasti128 ymm8, [{keys} + 16 * \\n]\n",
                ".irp x, ",
                $first,
                ",",
                $last,
                "\nv",
                $round,
                " ymm\\x, ymm\\x, ymm8\n",
                ".endr\n",
                ".endif\n",
                ".endr\n",
                "vbroadcasti128 ymm8, [{keys} + 16 * {rounds}]\n",
                ".irp x, ",
                $first,
                ",",
                $last,
                "\nv",
                $round,
                "last ymm\\x, ymm\\x, ymm8\n",
                ".endr\n",
                ".irp x, ",
                $first,
                "\nvmovdqu [{output} + 32 * \\x], ymm\\x\n",
                ".endr\n",
                ".irp x, ",
                $last,
                "\nvmovdqu [{output} + {end} + 32 * \\x - 256], ymm\\x\n",
                ".endr",
            )
        };
    }
    macro_rules! code {
        ($round:literal) => {
            asm!(
                "cmp {end}, 128",
                "ja 4f",
                "cmp {end}, 64",
                "ja 3f",
                registers!($round, "0", "7"),
                "jmp 5f",
                "3:",
                registers!($round, "0,1", "6,7"),
                "jmp 5f",
                "4:",
                registers!($round, "0,1,2,3", "4,5,6,7"),
                "5:",
                "vzeroupper",
                ".irp x, 0,1,2,3,4,5,6,7,8",
                "pxor xmm\\x, xmm\\x",
                ".endr",
                end = in(reg) 16 * n,
                keys = in(reg) keys.as_ptr(),
                input = in(reg) input,
                output = in(reg) output,
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
                options(nostack)
            )
        };
    }
    // SAFETY: the code reads `rounds(KEY) + 1` round keys, and reads and writes `n` blocks, as the
    // caller allows.
    unsafe {
        if INVERSE {
            code!("aesdec");
        } else {
            code!("aesenc");
        }
    }
}
