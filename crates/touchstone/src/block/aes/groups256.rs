//! ECB, counter mode, and decryption in CBC and CFB with VAES on 256-bit registers, in assembly, which
//! leaves nothing in the registers, as [`aesni::but_last_round`](super::aesni) says.
//!
//! A group has up to sixteen blocks in two, four or eight registers: half of the registers hold the
//! blocks from the first one on, and the others those up to the last one. So some blocks can be in two
//! registers, and no load or store needs a mask. All loads of a group come before its stores, and both
//! results are the same. Two blocks have one register. A single block after some groups of sixteen would
//! need code of its own; so the last but one group has fifteen blocks then.
#![allow(unsafe_code)]

use core::arch::asm;

use inout::InOutBuf;

use super::wide::each;
use super::{Block, RoundKeys, aesni, rounds};
use crate::cpu::Vaes256;
use crate::machinery::operation::{CBC_DECRYPT, CFB_DECRYPT, CTR, CTR_LE32, DECRYPT, ENCRYPT};

#[inline(always)]
pub(super) fn encrypt<const KEY: usize>(
    token: Vaes256,
    keys: &RoundKeys,
    blocks: InOutBuf<'_, '_, Block>,
) {
    groups::<ENCRYPT, KEY>(token, keys, &mut [0; 16], blocks);
}

#[inline(always)]
pub(super) fn decrypt<const KEY: usize>(
    token: Vaes256,
    keys: &RoundKeys,
    blocks: InOutBuf<'_, '_, Block>,
) {
    groups::<DECRYPT, KEY>(token, keys, &mut [0; 16], blocks);
}

/// Computes counter mode. The lower half of `counter` must not overflow within this call.
pub(super) fn ctr<const KEY: usize>(
    token: Vaes256,
    keys: &RoundKeys,
    counter: u128,
    blocks: InOutBuf<'_, '_, Block>,
) {
    groups::<CTR, KEY>(token, keys, &mut counter.to_be_bytes(), blocks);
}

/// Computes counter mode of GCM-SIV. `counter` is the first counter block, read as a little-endian
/// number.
pub(super) fn ctr_le32<const KEY: usize>(
    token: Vaes256,
    keys: &RoundKeys,
    counter: u128,
    blocks: InOutBuf<'_, '_, Block>,
) {
    groups::<CTR_LE32, KEY>(token, keys, &mut counter.to_le_bytes(), blocks);
}

pub(super) fn cbc_decrypt<const KEY: usize>(
    token: Vaes256,
    keys: &RoundKeys,
    chain: &mut Block,
    blocks: InOutBuf<'_, '_, Block>,
) {
    groups::<CBC_DECRYPT, KEY>(token, keys, chain, blocks);
}

pub(super) fn cfb_decrypt<const KEY: usize>(
    token: Vaes256,
    keys: &RoundKeys,
    chain: &mut Block,
    blocks: InOutBuf<'_, '_, Block>,
) {
    groups::<CFB_DECRYPT, KEY>(token, keys, chain, blocks);
}

/// Processes any number of blocks. `state` is the first counter, or the ciphertext block before the
/// first block, which the last ciphertext block replaces.
#[inline(always)]
fn groups<const WHAT: u8, const KEY: usize>(
    token: Vaes256,
    keys: &RoundKeys,
    state: &mut Block,
    mut blocks: InOutBuf<'_, '_, Block>,
) {
    let n = blocks.len();
    if n < 2 {
        if n == 1 {
            aesni::only::<WHAT, KEY>(token.into(), keys, state, blocks.get(0));
        }
        return;
    }
    let (input, output) = blocks.into_raw();
    let halves = |counter: u128| (counter as u64, (counter >> 64) as u64);
    let (state, high) = match WHAT {
        CTR => halves(u128::from_be_bytes(*state)),
        CTR_LE32 => halves(u128::from_le_bytes(*state)),
        // A message in ECB has no frame if this address does not escape.
        ENCRYPT | DECRYPT => (0, 0),
        _ => (state.as_mut_ptr().expose_provenance() as u64, 0),
    };
    // SAFETY: the pointers are those of a buffer of `n` blocks, at least two, and of a block. The token
    // proves the features.
    unsafe { at::<WHAT, KEY>(keys, input, output, n, state, high) }
}

/// The numbers of the blocks of a group, to add to the counter of the group's first block.
static NUMBERS: [[u64; 2]; 17] = {
    let mut numbers = [[0; 2]; 17];
    let mut n = 0;
    while n < numbers.len() {
        numbers[n][0] = n as u64;
        n += 1;
    }
    numbers
};

/// Reverses the bytes of both blocks of a register.
static TURN: [u8; 16] = [15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0];

/// The code for the registers `$first` from the first block of a group on, and the registers `$last`, of
/// which 7 has the last blocks. Register 8 has a round key. Register 9 has the counter of the group's
/// first block in both halves, or the ciphertext block before the group. The operand `group` is the
/// group's length in bytes.
macro_rules! group {
    ($round:literal $add:literal, $first:literal $(, $last:literal)?) => {
        concat!(
            "vbroadcasti128 ymm8, [{keys}]\n",
            ".if {what} == {CTR} || {what} == {CTR_LE32}\n",
            each!([$first]: $add, " ymm\\x, ymm9, [{numbers} + 32 * \\x]"),
            $(each!([$last]: $add, " ymm\\x, ymm9, [{numbers} + {group} + 32 * \\x - 256]"),)?
            ".if {what} == {CTR}\n",
            each!([$first $(, ",", $last)?]: "vpshufb ymm\\x, ymm\\x, ymm11"),
            ".endif\n",
            each!([$first $(, ",", $last)?]: "vpxor ymm\\x, ymm\\x, ymm8"),
            ".elseif {what} == {CFB_DECRYPT}\n",
            each!(
                [$first]:
                ".if \\x == 0\n",
                "vinserti128 ymm0, ymm9, [{input}], 1\n",
                "vpxor ymm0, ymm0, ymm8\n",
                ".else\n",
                "vpxor ymm\\x, ymm8, [{input} + 32 * \\x - 16]\n",
                ".endif"
            ),
            $(each!([$last]: "vpxor ymm\\x, ymm8, [{input} + {group} + 32 * \\x - 272]"),)?
            ".else\n",
            each!([$first]: "vpxor ymm\\x, ymm8, [{input} + 32 * \\x]"),
            $(each!([$last]: "vpxor ymm\\x, ymm8, [{input} + {group} + 32 * \\x - 256]"),)?
            ".endif\n",
            ".irp n, 1,2,3,4,5,6,7,8,9,10,11,12,13\n",
            ".if \\n < {rounds}\n",
            "vbroadcasti128 ymm8, [{keys} + 16 * \\n]\n",
            each!([$first $(, ",", $last)?]: $round, " ymm\\x, ymm\\x, ymm8"),
            ".endif\n",
            ".endr\n",
            "vbroadcasti128 ymm8, [{keys} + 16 * {rounds}]\n",
            ".if {what} == {CTR} || {what} == {CTR_LE32} || {what} == {CFB_DECRYPT}\n",
            each!(
                [$first]:
                "vpxor ymm10, ymm8, [{input} + 32 * \\x]\n",
                $round, "last ymm\\x, ymm\\x, ymm10"
            ),
            $(each!(
                [$last]:
                "vpxor ymm10, ymm8, [{input} + {group} + 32 * \\x - 256]\n",
                $round, "last ymm\\x, ymm\\x, ymm10"
            ),)?
            ".elseif {what} == {CBC_DECRYPT}\n",
            each!(
                [$first]:
                ".if \\x == 0\n",
                "vinserti128 ymm10, ymm9, [{input}], 1\n",
                "vpxor ymm10, ymm10, ymm8\n",
                ".else\n",
                "vpxor ymm10, ymm8, [{input} + 32 * \\x - 16]\n",
                ".endif\n",
                $round, "last ymm\\x, ymm\\x, ymm10"
            ),
            $(each!(
                [$last]:
                "vpxor ymm10, ymm8, [{input} + {group} + 32 * \\x - 272]\n",
                $round, "last ymm\\x, ymm\\x, ymm10"
            ),)?
            ".else\n",
            each!([$first $(, ",", $last)?]: $round, "last ymm\\x, ymm\\x, ymm8"),
            ".endif\n",
            ".if {what} == {CTR} || {what} == {CTR_LE32}\n",
            "vbroadcasti128 ymm10, [{numbers} + {group}]\n",
            $add, " ymm9, ymm9, ymm10\n",
            ".elseif {what} == {CBC_DECRYPT} || {what} == {CFB_DECRYPT}\n",
            "vmovdqu xmm9, [{input} + {group} - 16]\n",
            ".endif\n",
            each!([$first]: "vmovdqu [{output} + 32 * \\x], ymm\\x"),
            $(each!([$last]: "vmovdqu [{output} + {group} + 32 * \\x - 256], ymm\\x"),)?
        )
    };
}

/// # Safety
///
/// `input` and `output` must be the pointers of a buffer of `n` blocks, at least two. `state` and `high`
/// are the halves of a counter, or `state` is the address of a block, which ECB does not use. The
/// processor must have AES, VAES and AVX2.
#[inline(never)]
unsafe fn at<const WHAT: u8, const KEY: usize>(
    keys: &RoundKeys,
    input: *const Block,
    output: *mut Block,
    n: usize,
    state: u64,
    high: u64,
) {
    macro_rules! code {
        ($round:literal $add:literal) => {
            asm!(
                ".if {what} == {CTR} || {what} == {CTR_LE32}",
                "lea {numbers}, [rip + {NUMBERS}]",
                "vbroadcasti128 ymm11, [rip + {TURN}]",
                "vmovq xmm9, {state}",
                "vmovq xmm10, {high}",
                "vpunpcklqdq xmm9, xmm9, xmm10",
                "vinserti128 ymm9, ymm9, xmm9, 1",
                ".elseif {what} == {CBC_DECRYPT} || {what} == {CFB_DECRYPT}",
                "vmovdqu xmm9, [{state}]",
                ".endif",
                "2:",
                "cmp {left}, 256",
                "jbe 3f",
                "mov {group:e}, 240",
                "cmp {left}, 272",
                "je 6f",
                "mov {group:e}, 256",
                "jmp 6f",
                "3:",
                "mov {group}, {left}",
                "cmp {left}, 128",
                "ja 6f",
                "cmp {left}, 64",
                "ja 5f",
                "cmp {left}, 32",
                "ja 4f",
                group!($round $add, "0"),
                "jmp 8f",
                "4:",
                group!($round $add, "0", "7"),
                "jmp 8f",
                "5:",
                group!($round $add, "0,1", "6,7"),
                "jmp 8f",
                "6:",
                group!($round $add, "0,1,2,3", "4,5,6,7"),
                "add {input}, {group}",
                "add {output}, {group}",
                "sub {left}, {group}",
                "jnz 2b",
                "8:",
                ".if {what} == {CBC_DECRYPT} || {what} == {CFB_DECRYPT}",
                "vmovdqu [{state}], xmm9",
                ".endif",
                "vzeroupper",
                each!(["0,1,2,3,4,5,6,7,8"]: "pxor xmm\\x, xmm\\x"),
                ".if {what} != {ENCRYPT} && {what} != {DECRYPT}",
                each!(["9,10,11"]: "pxor xmm\\x, xmm\\x"),
                ".endif",
                what = const WHAT,
                ENCRYPT = const ENCRYPT,
                DECRYPT = const DECRYPT,
                CTR = const CTR,
                CTR_LE32 = const CTR_LE32,
                CBC_DECRYPT = const CBC_DECRYPT,
                CFB_DECRYPT = const CFB_DECRYPT,
                rounds = const rounds(KEY),
                keys = in(reg) keys.as_ptr(),
                NUMBERS = sym NUMBERS,
                TURN = sym TURN,
                numbers = out(reg) _,
                input = inout(reg) input => _,
                output = inout(reg) output => _,
                left = inout(reg) 16 * n => _,
                group = out(reg) _,
                state = in(reg) state,
                high = in(reg) high,
                out("xmm0") _,
                out("xmm1") _,
                out("xmm2") _,
                out("xmm3") _,
                out("xmm4") _,
                out("xmm5") _,
                out("xmm6") _,
                out("xmm7") _,
                out("xmm8") _,
                out("xmm9") _,
                out("xmm10") _,
                out("xmm11") _,
                options(nostack)
            )
        };
    }
    // SAFETY: the code reads `rounds(KEY) + 1` round keys, and reads and writes `n` blocks, and the block
    // of the mode, as the caller allows.
    unsafe {
        match WHAT {
            DECRYPT | CBC_DECRYPT => code!("vaesdec" "vpaddq"),
            CTR_LE32 => code!("vaesenc" "vpaddd"),
            _ => code!("vaesenc" "vpaddq"),
        }
    }
}
