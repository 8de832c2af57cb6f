//! AES with AES-NI: one block in each register, eight blocks at once.
//!
//! The modes whose blocks are independent are in [`parallel`]. The modes whose blocks depend on
//! each other are in [`serial`](super::serial). This module has the key schedule and the
//! encryption of a single block.
//!
//! `aesenclast` computes SubWord if all four columns have the same word: the bytes that
//! ShiftRows exchanges are then equal. The round constant is the key operand of the
//! instruction. The usual instruction for this, `aeskeygenassist`, has several times the
//! latency, because many processors execute it as microcode.
#![allow(unsafe_code)]

use core::arch::asm;

use inout::InOut;

use super::RCON;
use super::parallel::{each_alike, parallel};
use crate::cpu::{Aes, Vaes256};
use crate::machinery::operation::CBC_ENCRYPT;
use crate::simd::U8x16;

parallel!(Aes, U8x16, 1 blocks, 8 registers, "aes,ssse3", tweaks by powers);
each_alike!(Aes, 1 blocks, 8 registers, "aes,ssse3");

/// Loads the round key of one round.
#[inline(always)]
fn key(keys: &RoundKeys, round: usize) -> U8x16 {
    U8x16::from_u128(keys[round])
}

/// Computes the key schedule. If `INVERSE` is true, the result is the round keys of the
/// equivalent inverse cipher, [FIPS197] §5.3.5. InvMixColumns makes each inverse round key from
/// a round key. The code applies InvMixColumns as soon as a round key is known, while the
/// processor waits for the next round key. So the inverse round keys take no extra time.
#[inline]
pub(super) fn expand<const KEY: usize, const INVERSE: bool>(
    _: Aes,
    key: &[u8; KEY],
    keys: &mut RoundKeys,
) {
    // SAFETY: the token proves AES-NI and SSSE3.
    unsafe { entry::<KEY, INVERSE>(key, keys) }

    #[target_feature(enable = "aes,ssse3")]
    fn entry<const KEY: usize, const INVERSE: bool>(key: &[u8; KEY], keys: &mut RoundKeys) {
        match key.as_chunks() {
            ([a], []) => expand_128::<KEY, INVERSE>(U8x16::load(a), keys),
            ([a], b) => {
                let mut low = [0; 16];
                low[..8].copy_from_slice(&b[..8]);
                expand_192::<KEY, INVERSE>(U8x16::load(a), U8x16::load(&low), keys);
            }
            ([a, b, ..], _) => {
                expand_256::<KEY, INVERSE>(U8x16::load(a), U8x16::load(b), keys);
            }
            ([], _) => {}
        }
    }
}

/// [`expand`] for keys of 16 bytes, in assembly with instructions of AVX, whose result need not replace
/// an operand. It leaves nothing in the registers, as [`but_last_round`] says. The time of one set-up
/// among others is that of its instructions as much as of its chain.
#[inline]
pub(super) fn expand_128_avx<const INVERSE: bool>(
    _: Vaes256,
    key: &[u8; 16],
    keys: &mut RoundKeys,
) {
    /// The places of the bytes of the rotated last word, in each column, and then the round constants.
    static TABLE: [[u32; 4]; 11] = {
        let mut table = [[0x0c0f_0e0d; 4]; 11];
        let mut round = 1;
        while round < table.len() {
            table[round] = [RCON[round - 1]; 4];
            round += 1;
        }
        table
    };
    // SAFETY: the token proves AVX and AES. The code reads the key and the table, and writes eleven
    // round keys.
    unsafe {
        asm!(
            "vmovdqu {a}, [{key}]",
            "vmovdqu {places}, [{table}]",
            "vmovdqu [{keys} + 160 * {inverse}], {a}",
            ".irp n, 1,2,3,4,5,6,7,8,9,10",
            "vpshufb {s}, {a}, {places}",
            "vaesenclast {s}, {s}, [{table} + 16 * \\n]",
            "vpslldq {t}, {a}, 4",
            "vpxor {a}, {a}, {t}",
            "vpslldq {t}, {a}, 8",
            "vpxor {a}, {a}, {t}",
            "vpxor {a}, {a}, {s}",
            ".if {inverse} == 0",
            "vmovdqu [{keys} + 16 * \\n], {a}",
            ".elseif \\n == 10",
            "vmovdqu [{keys}], {a}",
            ".else",
            "vaesimc {t}, {a}",
            "vmovdqu [{keys} + 160 - 16 * \\n], {t}",
            ".endif",
            ".endr",
            "vpxor {a}, {a}, {a}",
            "vpxor {s}, {s}, {s}",
            "vpxor {t}, {t}, {t}",
            "vpxor {places}, {places}, {places}",
            a = out(xmm_reg) _,
            s = out(xmm_reg) _,
            t = out(xmm_reg) _,
            places = out(xmm_reg) _,
            key = in(reg) key.as_ptr(),
            keys = in(reg) keys.as_mut_ptr(),
            table = in(reg) TABLE.as_ptr(),
            inverse = const INVERSE as u8,
            options(nostack, preserves_flags)
        );
    }
}

/// Computes the round keys for encryption from a key in registers. The bytes after the end of
/// the key are zero.
#[inline]
#[target_feature(enable = "aes,ssse3")]
pub(super) fn forwards<const KEY: usize>(low: U8x16, high: U8x16, keys: &mut RoundKeys) {
    match KEY {
        16 => expand_128::<KEY, false>(low, keys),
        24 => expand_192::<KEY, false>(low, high, keys),
        _ => expand_256::<KEY, false>(low, high, keys),
    }
}

/// Stores the round key of a round at its index. If `INVERSE` requires it, applies
/// InvMixColumns first.
#[inline]
#[target_feature(enable = "aes")]
fn put<const KEY: usize, const INVERSE: bool>(keys: &mut RoundKeys, round: usize, key: U8x16) {
    let last = const { rounds(KEY) };
    keys[if INVERSE { last - round } else { round }] = if INVERSE && round != 0 && round != last {
        key.aes_inv_mix_columns().to_u128()
    } else {
        key.to_u128()
    };
}

/// Makes a word from the four bytes of `words` at the indices `places`. Returns the XOR of
/// `constant` and SubWord of this word, in all four columns.
#[inline]
#[target_feature(enable = "aes,ssse3")]
fn sub_word(words: U8x16, places: [u8; 4], constant: u32) -> U8x16 {
    let [a, b, c, d] = places;
    let places = [a, b, c, d, a, b, c, d, a, b, c, d, a, b, c, d];
    let constant = u128::from(constant) * 0x1_0000_0001_0000_0001_0000_0001;
    words
        .shuffle(U8x16::load(&places))
        .aes_enc_last(U8x16::from_u128(constant))
}

/// XORs to each of the four words all words before it. This does four steps of the key schedule
/// at once.
#[inline]
#[target_feature(enable = "sse2")]
fn sums(words: U8x16) -> U8x16 {
    let words = words.xor(words.up::<4>());
    words.xor(words.up::<8>())
}

#[inline]
#[target_feature(enable = "aes,ssse3")]
fn expand_128<const KEY: usize, const INVERSE: bool>(mut a: U8x16, keys: &mut RoundKeys) {
    put::<KEY, INVERSE>(keys, 0, a);
    for round in 1..11 {
        a = sums(a).xor(sub_word(a, [13, 14, 15, 12], RCON[round - 1]));
        put::<KEY, INVERSE>(keys, round, a);
    }
}

/// Computes the key schedule of AES-192. Each step gives six words, four in `a` and two in the
/// lower half of `b`. Two steps give three round keys.
#[inline]
#[target_feature(enable = "aes,ssse3")]
fn expand_192<const KEY: usize, const INVERSE: bool>(
    mut a: U8x16,
    mut b: U8x16,
    keys: &mut RoundKeys,
) {
    put::<KEY, INVERSE>(keys, 0, a);
    for turn in 0..4 {
        let before = b;
        a = sums(a).xor(sub_word(b, [5, 6, 7, 4], RCON[2 * turn]));
        b = b.xor(b.up::<4>()).xor(a.splat_top_u32());
        put::<KEY, INVERSE>(keys, 3 * turn + 1, before.low_halves(a));
        put::<KEY, INVERSE>(keys, 3 * turn + 2, a.high_low_halves(b));
        a = sums(a).xor(sub_word(b, [5, 6, 7, 4], RCON[2 * turn + 1]));
        b = b.xor(b.up::<4>()).xor(a.splat_top_u32());
        put::<KEY, INVERSE>(keys, 3 * turn + 3, a);
    }
}

#[inline]
#[target_feature(enable = "aes,ssse3")]
fn expand_256<const KEY: usize, const INVERSE: bool>(
    mut a: U8x16,
    mut b: U8x16,
    keys: &mut RoundKeys,
) {
    put::<KEY, INVERSE>(keys, 0, a);
    put::<KEY, INVERSE>(keys, 1, b);
    for turn in 1..8 {
        a = sums(a).xor(sub_word(b, [13, 14, 15, 12], RCON[turn - 1]));
        put::<KEY, INVERSE>(keys, 2 * turn, a);
        if turn < 7 {
            b = sums(b).xor(sub_word(a, [12, 13, 14, 15], 0));
            put::<KEY, INVERSE>(keys, 2 * turn + 1, b);
        }
    }
}

/// The rounds of one block in `x` except the last one, in assembly. The round keys are operands in
/// memory. So afterwards nothing of a key is in a register, and a call by name need not overwrite
/// the registers (`wipe::NOTHING`), if the code after the rounds clears those with plaintext or
/// keystream. The compiler could load the round keys, or keep a copy.
macro_rules! but_last_round {
    ($round:literal) => {
        concat!(
            ".irp n, 1,2,3,4,5,6,7,8,9\n",
            $round,
            " {x}, [{keys} + 16 * \\n]\n",
            ".endr\n",
            ".if {rounds} > 10\n",
            $round,
            " {x}, [{keys} + 160]\n",
            $round,
            " {x}, [{keys} + 176]\n",
            ".endif\n",
            ".if {rounds} > 12\n",
            $round,
            " {x}, [{keys} + 192]\n",
            $round,
            " {x}, [{keys} + 208]\n",
            ".endif",
        )
    };
}
pub(super) use but_last_round;

/// Assembly with all rounds, for one block.
macro_rules! one_block {
    ($keys:ident, $INVERSE:expr, [$($before:literal),*], [$($after:literal),*], $($operand:tt)*) => {
        // SAFETY: the caller has proved AES-NI. The code reads `rounds(KEY) + 1` round keys, whose
        // addresses are multiples of 16, and reads and writes whole blocks at the other pointers,
        // which references give.
        unsafe {
            if $INVERSE {
                one_block!(@ $keys, "aesdec", [$($before),*], [$($after),*], $($operand)*);
            } else {
                one_block!(@ $keys, "aesenc", [$($before),*], [$($after),*], $($operand)*);
            }
        }
    };
    (@ $keys:ident, $round:literal, [$($before:literal),*], [$($after:literal),*], $($operand:tt)*) => {
        asm!(
            $($before,)*
            "pxor {x}, [{keys}]",
            but_last_round!($round),
            concat!($round, "last {x}, [{keys} + 16 * {rounds}]"),
            $($after,)*
            x = out(xmm_reg) _,
            keys = in(reg) $keys.as_ptr(),
            rounds = const rounds(KEY),
            $($operand)*,
            options(nostack, preserves_flags)
        )
    };
}

/// [`one_block`], whose result is XORed with the register `y` and stored. `state` is what the mode
/// keeps: a chaining value, a counter or a tweak.
macro_rules! one_block_and_xor {
    ($keys:ident, $INVERSE:expr, [$($before:literal),*], $input:ident $output:ident $state:expr) => {
        one_block!(
            $keys, $INVERSE,
            [$($before),*],
            ["pxor {x}, {y}", "movdqu [{output}], {x}", "pxor {x}, {x}", "pxor {y}, {y}"],
            y = out(xmm_reg) _,
            input = in(reg) $input,
            output = in(reg) $output,
            state = in(reg) $state
        )
    };
}

/// Encrypts one block, or decrypts it if `INVERSE` is true.
#[inline]
pub(super) fn one<const KEY: usize, const INVERSE: bool>(
    _: Aes,
    keys: &RoundKeys,
    block: &mut Block,
) {
    return entry::<KEY, INVERSE>(keys, block);

    /// Out of line: else compilers inline the functions of modes into each other, whose frames then
    /// lie deeper.
    #[inline(never)]
    fn entry<const KEY: usize, const INVERSE: bool>(keys: &RoundKeys, block: &mut Block) {
        one_block!(
            keys,
            INVERSE,
            ["movdqu {x}, [{block}]"],
            ["movdqu [{block}], {x}", "pxor {x}, {x}"],
            block = in(reg) block.as_mut_ptr()
        );
    }
}

/// Processes a message of one block. `state` is the counter of counter mode, or the ciphertext
/// block before; ECB does not use `state`. The block and the state are loaded as they lie in memory,
/// because a load of bytes that two stores just wrote waits for both.
#[inline]
pub(super) fn only<const WHAT: u8, const KEY: usize>(
    _: Aes,
    keys: &RoundKeys,
    state: &mut Block,
    block: InOut<'_, '_, Block>,
) {
    let (input, output) = block.into_raw();
    match WHAT {
        ENCRYPT | DECRYPT => one_block!(
            keys, WHAT == DECRYPT,
            ["movdqu {x}, [{input}]"],
            ["movdqu [{output}], {x}", "pxor {x}, {x}"],
            input = in(reg) input,
            output = in(reg) output
        ),
        CBC_ENCRYPT => one_block!(
            keys, false,
            ["movdqu {x}, [{state}]", "movdqu {y}, [{input}]", "pxor {x}, {y}"],
            [
                "movdqu [{state}], {x}",
                "movdqu [{output}], {x}",
                "pxor {x}, {x}",
                "pxor {y}, {y}"
            ],
            y = out(xmm_reg) _,
            input = in(reg) input,
            output = in(reg) output,
            state = in(reg) state.as_mut_ptr()
        ),
        CBC_DECRYPT => one_block_and_xor!(
            keys, true,
            ["movdqu {y}, [{state}]", "movdqu {x}, [{input}]", "movdqu [{state}], {x}"],
            input output state.as_mut_ptr()
        ),
        CTR | CTR_LE32 => {
            one_block_and_xor!(
                keys, false,
                ["movdqu {x}, [{state}]", "movdqu {y}, [{input}]"],
                input output state.as_ptr()
            );
            if WHAT == CTR {
                *state = state.plus(1);
            }
        }
        // CFB decryption.
        _ => one_block_and_xor!(
            keys, false,
            ["movdqu {x}, [{state}]", "movdqu {y}, [{input}]", "movdqu [{state}], {y}"],
            input output state.as_mut_ptr()
        ),
    }
}

/// Processes a data unit of XTS that is one block.
#[inline]
pub(super) fn only_unit<const KEY: usize, const INVERSE: bool>(
    _: Aes,
    keys: &RoundKeys,
    tweak: &Block,
    block: InOut<'_, '_, Block>,
) {
    let (input, output) = block.into_raw();
    one_block_and_xor!(
        keys, INVERSE,
        ["movdqu {y}, [{state}]", "movdqu {x}, [{input}]", "pxor {x}, {y}"],
        input output tweak.as_ptr()
    );
}

/// Computes the round keys of the equivalent inverse cipher, [FIPS197] §5.3.5, from the round
/// keys for encryption.
#[inline]
pub(super) fn invert<const KEY: usize>(_: Aes, keys: &RoundKeys, inverse: &mut RoundKeys) {
    // SAFETY: the token proves AES-NI.
    unsafe { entry::<KEY>(keys, inverse) }

    #[target_feature(enable = "aes")]
    fn entry<const KEY: usize>(keys: &RoundKeys, inverse: &mut RoundKeys) {
        let last = const { rounds(KEY) };
        inverse[0] = keys[last];
        for round in 1..last {
            inverse[round] = key(keys, last - round).aes_inv_mix_columns().to_u128();
        }
        inverse[last] = keys[0];
    }
}
