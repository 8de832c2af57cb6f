//! AES with VAES on 512-bit registers: four blocks in each register, eight registers at once.
//! Zen 5 starts two `vaesenc` in each cycle, and each has a latency of four cycles. So eight
//! independent registers keep the processor busy ([`parallel`](super::parallel)).
#![allow(unsafe_code)]

use core::arch::asm;

use super::aesni;
use super::parallel::{each_alike, parallel};
use super::wide::wide;
use crate::cpu::Avx512;
use crate::machinery::tail;

parallel!(
    Avx512, U8x64, 4 blocks, 8 registers,
    "avx512f,avx512bw,avx512vl,aes,vaes,vpclmulqdq", less by aesni
);
each_alike!(
    Avx512, 4 blocks, 8 registers, "avx512f,avx512bw,avx512vl,aes,vaes,vpclmulqdq", less by aesni
);

/// Encrypts or decrypts two or more blocks separately, in assembly, which leaves nothing in the
/// registers, as [`aesni::but_last_round`] says. Two or three blocks have a register each: modes write
/// them just before, and the moves to one register would take longer than the rounds of another block.
/// More than four are in [`wide`] registers.
#[inline(always)]
pub(super) fn few<const KEY: usize, const INVERSE: bool>(
    _: Avx512,
    keys: &RoundKeys,
    blocks: InOutBuf<'_, '_, Block>,
) {
    let n = blocks.len();
    assert!(n >= 2);
    let (input, output) = blocks.into_raw();
    // SAFETY: the pointers are those of a buffer of `n` blocks, and the token proves the features.
    unsafe {
        if n > 4 {
            wide::<KEY, INVERSE>(keys, input, output, n);
        } else {
            few_at::<KEY, INVERSE>(keys, input, output, n);
        }
    }
}

#[inline(never)]
unsafe fn few_at<const KEY: usize, const INVERSE: bool>(
    keys: &RoundKeys,
    input: *const Block,
    output: *mut Block,
    n: usize,
) {
    // The rounds of the numbers `$rounds`. The first of the instructions is for two or three registers
    // of one block, with round keys in memory; the second is for one of four blocks.
    macro_rules! narrow {
        ($round:literal, $registers:literal, $rounds:literal) => {
            concat!(
                ".irp n, ",
                $rounds,
                "\n",
                ".irp x, ",
                $registers,
                "\n",
                $round,
                " xmm\\x, [{keys} + 16 * \\n]\n",
                ".endr\n",
                ".endr",
            )
        };
        ($round:literal, $registers:literal) => {
            concat!(
                ".irp x, ",
                $registers,
                "\n",
                "movdqu xmm\\x, [{input} + 16 * \\x]\n",
                "pxor xmm\\x, [{keys}]\n",
                ".endr\n",
                narrow!($round, $registers, "1,2,3,4,5,6,7,8,9"),
                "\n",
                ".if {rounds} > 10\n",
                narrow!($round, $registers, "10,11"),
                "\n",
                ".endif\n",
                ".if {rounds} > 12\n",
                narrow!($round, $registers, "12,13"),
                "\n",
                ".endif\n",
                ".irp x, ",
                $registers,
                "\n",
                $round,
                "last xmm\\x, [{keys} + 16 * {rounds}]\n",
                "movdqu [{output} + 16 * \\x], xmm\\x\n",
                ".endr",
            )
        };
    }
    macro_rules! four {
        ($round:literal, $rounds:literal) => {
            concat!(
                ".irp n, ",
                $rounds,
                "\n",
                "vbroadcasti32x4 zmm1, [{keys} + 16 * \\n]\n",
                "v",
                $round,
                " zmm0, zmm0, zmm1\n",
                ".endr",
            )
        };
    }
    macro_rules! rounds {
        ($round:literal) => {
            asm!(
                "cmp {n}, 3",
                "jb 2f",
                "je 3f",
                "vbroadcasti32x4 zmm0, [{keys}]",
                "vpxord zmm0, zmm0, [{input}]",
                four!($round, "1,2,3,4,5,6,7,8,9"),
                ".if {rounds} > 10",
                four!($round, "10,11"),
                ".endif",
                ".if {rounds} > 12",
                four!($round, "12,13"),
                ".endif",
                "vbroadcasti32x4 zmm1, [{keys} + 16 * {rounds}]",
                concat!("v", $round, "last zmm0, zmm0, zmm1"),
                "vmovdqu64 [{output}], zmm0",
                "vzeroupper",
                "jmp 4f",
                "2:",
                narrow!($round, "0,1"),
                "jmp 4f",
                "3:",
                narrow!($round, "0,1,2"),
                "4:",
                "pxor xmm0, xmm0",
                "pxor xmm1, xmm1",
                "pxor xmm2, xmm2",
                n = in(reg) n,
                keys = in(reg) keys.as_ptr(),
                input = in(reg) input,
                output = in(reg) output,
                rounds = const rounds(KEY),
                out("xmm0") _,
                out("xmm1") _,
                out("xmm2") _,
                options(nostack)
            )
        };
    }
    // SAFETY: the code reads `rounds(KEY) + 1` round keys, and reads and writes `n` blocks, as the
    // caller allows.
    unsafe {
        if INVERSE {
            rounds!("aesdec");
        } else {
            rounds!("aesenc");
        }
    }
}

/// Computes counter mode on bytes. The last block of `data` must be short. After the call,
/// `keystream` is the keystream of this last block; the caller can use the bytes that were not
/// needed. The lower half of `counter` must not overflow within this call.
pub(super) fn ctr_bytes<const KEY: usize>(
    _: Avx512,
    keys: &RoundKeys,
    counter: u128,
    data: InOutBuf<'_, '_, u8>,
    keystream: &mut Block,
) {
    // SAFETY: the token proves every feature that `bytes_of` names.
    unsafe { bytes_of::<CTR_BYTES, KEY>(keys, counter, data, keystream) }
}

/// Computes CFB decryption on bytes. The last block of `data` must be short. After the call,
/// `keystream` is as for [`ctr_bytes`], and the last block of ciphertext, filled up with zeros, is in
/// `chain`.
pub(super) fn cfb_decrypt_bytes<const KEY: usize>(
    _: Avx512,
    keys: &RoundKeys,
    chain: &mut Block,
    data: InOutBuf<'_, '_, u8>,
    keystream: &mut Block,
) {
    let before = u128::from_le_bytes(*chain);
    let (_, short) = data.get_in().as_chunks::<16>();
    *chain = tail::block(tail::number(short));
    // SAFETY: the token proves every feature that `bytes_of` names.
    unsafe { bytes_of::<CFB_BYTES, KEY>(keys, before, data, keystream) }
}

/// Runs [`CTR_BYTES`] or [`CFB_BYTES`]. `state` is that of [`first_state`].
#[target_feature(enable = "avx512f,avx512bw,avx512vl,aes,vaes,vpclmulqdq")]
fn bytes_of<const WHAT: u8, const KEY: usize>(
    keys: &RoundKeys,
    state: u128,
    data: InOutBuf<'_, '_, u8>,
    keystream: &mut Block,
) {
    let state = &mut first_state::<WHAT>(state);
    let (registers, mut rest) = {
        let n = data.len() / 64 * 64;
        data.split_at(n)
    };
    let (blocks, _) = Block::split(registers);
    let (registers, _) = buffer::chunks(blocks);
    let (groups, registers) = buffer::chunks(registers);
    groups_of::<WHAT, KEY, 8>(keys, state, groups);
    narrower::<WHAT, KEY>(keys, state, registers);
    let mut x = [Lanes::load_bytes(rest.get_in())];
    work::<WHAT, KEY, 1>(keys, state, &mut x);
    let [x] = x;
    x.store_bytes(rest.get_out());
    // The bytes after the data were loaded as zeros, so here they are keystream.
    x.block(rest.len() / 16).store(keystream);
}
