//! GCM with VAES and VPCLMULQDQ on 256-bit registers, for one whole message in each call, on machines
//! without AVX-512.
//!
//! The loop encrypts eight registers of counters (16 blocks) at once. Between the rounds it hashes eight
//! registers of ciphertext: in decryption the same 16 blocks, in encryption the 16 blocks before. It is
//! assembly, because the compiler would need more than the sixteen registers: eight of the cipher, one
//! round key, three sums of products and their operands. At most eight registers remain. For each number
//! of remaining registers there is code without loops, which hashes them and the lengths with one
//! reduction.
//!
//! A message of up to 256 bytes, with the usual nonce and tag, takes this code alone. No secret goes to
//! the stack there, and the code clears the vector registers. The last register is loaded and stored in
//! part by operations that overlap ([`U8x32::load_part`]), in vector registers too.
#![allow(unsafe_code)]

use core::arch::asm;

use super::gcm128::single;
use super::parallel::again;
use super::{Block, RoundKeys, rounds};
use crate::buffer::{self, Words};
use crate::cpu::{Vaes256, Vpclmul256};
use crate::fuse::gcm_message::Message;
use crate::ghash::vpclmul256::{Sum, absorb, entry as hash, place, two};
use crate::ghash::{Powers, Table, clmul};
use crate::simd::{U8x16, U8x32};
use crate::wipe::wipe;
use inout::InOutBuf;

/// Blocks that one run of the loop takes.
type Group = [[u8; 32]; 8];

#[inline(always)]
pub(super) fn whole<const KEY: usize>(
    _: Vaes256,
    _: Vpclmul256,
    keys: &RoundKeys,
    message: Message<'_, '_, '_>,
    tag: &mut Block,
) {
    let (powers, table) = (&message.point.powers, message.table);
    let (first, aad) = (message.first, message.aad);
    let data = message.data.buffer();
    // SAFETY: the tokens prove every feature that the functions name.
    unsafe {
        if data.is_empty() {
            no_data::<KEY>(keys, powers, first, aad, tag);
        } else if message.backwards {
            entry::<KEY, true>(keys, powers, table, first, aad, data, tag);
        } else {
            entry::<KEY, false>(keys, powers, table, first, aad, data, tag);
        }
    }
}

/// The longest message in bytes that [`seal`] and [`open`] take.
pub(super) const SHORT: usize = 256;

/// Calls the function for as many registers as there are in a message of 1 to 256 bytes.
macro_rules! by_registers {
    ($length:expr, $function:ident::<$($generic:ident),*>($($argument:expr),*)) => {
        match $length.wrapping_add(31) / 32 {
            1 => $function::<$($generic),*, 1>($($argument),*),
            2 => $function::<$($generic),*, 2>($($argument),*),
            3 => $function::<$($generic),*, 3>($($argument),*),
            4 => $function::<$($generic),*, 4>($($argument),*),
            5 => $function::<$($generic),*, 5>($($argument),*),
            6 => $function::<$($generic),*, 6>($($argument),*),
            7 => $function::<$($generic),*, 7>($($argument),*),
            _ => $function::<$($generic),*, 8>($($argument),*),
        }
    };
}

/// Encrypts a message of 1 to [`SHORT`] bytes.
#[inline(always)]
pub(super) fn seal<const KEY: usize>(
    _: Vaes256,
    _: Vpclmul256,
    keys: &RoundKeys,
    table: &Table,
    nonce: &[u8; 12],
    aad: &[u8],
    data: &mut Words<'_, '_>,
    tag: &mut Block,
) {
    // SAFETY: the tokens prove every feature that the functions name.
    return unsafe { by_registers!(data.len(), entry::<KEY>(keys, table, nonce, aad, data, tag)) };

    #[target_feature(enable = "avx2,aes,vaes,pclmulqdq,vpclmulqdq")]
    fn entry<const KEY: usize, const N: usize>(
        keys: &RoundKeys,
        table: &Table,
        nonce: &[u8; 12],
        aad: &[u8],
        data: &mut Words<'_, '_>,
        tag: &mut Block,
    ) {
        short::<KEY, false, N>(keys, table, nonce, aad, data).store(tag);
        clear(true);
    }
}

/// Decrypts a message of 1 to [`SHORT`] bytes, and returns whether its tag is right.
#[inline(always)]
pub(super) fn open<const KEY: usize>(
    _: Vaes256,
    _: Vpclmul256,
    keys: &RoundKeys,
    table: &Table,
    nonce: &[u8; 12],
    aad: &[u8],
    data: &mut Words<'_, '_>,
    tag: &Block,
) -> bool {
    // SAFETY: the tokens prove every feature that the functions name.
    return unsafe { by_registers!(data.len(), entry::<KEY>(keys, table, nonce, aad, data, tag)) };

    #[target_feature(enable = "avx2,aes,vaes,pclmulqdq,vpclmulqdq")]
    fn entry<const KEY: usize, const N: usize>(
        keys: &RoundKeys,
        table: &Table,
        nonce: &[u8; 12],
        aad: &[u8],
        data: &mut Words<'_, '_>,
        tag: &Block,
    ) -> bool {
        let right = short::<KEY, true, N>(keys, table, nonce, aad, data);
        clear(right.xor(U8x16::load(tag)).is_zero())
    }
}

/// Clears all vector registers, so that a call by name need not. `right` passes through, because what it
/// is computed from must not live longer.
#[inline(always)]
fn clear(right: bool) -> bool {
    let mut right = u32::from(right);
    // SAFETY: the code changes only the registers that it names. The tokens of the callers prove
    // AVX2.
    unsafe {
        asm!(
            "vzeroall",
            "/* {right:e} */",
            right = inout(reg) right,
            out("xmm0") _, out("xmm1") _, out("xmm2") _, out("xmm3") _,
            out("xmm4") _, out("xmm5") _, out("xmm6") _, out("xmm7") _,
            out("xmm8") _, out("xmm9") _, out("xmm10") _, out("xmm11") _,
            out("xmm12") _, out("xmm13") _, out("xmm14") _, out("xmm15") _,
            options(nostack, preserves_flags)
        );
    }
    right != 0
}

#[inline]
#[target_feature(enable = "avx2")]
fn key(keys: &RoundKeys, round: usize) -> U8x32 {
    U8x32::splat(U8x16::from_u128(keys[round]))
}

/// Returns the number of blocks that `bytes` bytes take. The addition cannot overflow for a
/// length that GCM allows.
#[inline(always)]
fn blocks(bytes: usize) -> usize {
    bytes.wrapping_add(15) / 16
}

/// Returns the last block that GHASH takes: the two lengths in bits.
#[inline(always)]
fn lengths(aad: usize, data: usize) -> U8x16 {
    U8x16::from_u128((aad as u128 * 8) << 64 | (data as u128 * 8))
}

/// What the loop reads from memory: the order of bytes that turns a counter, the modulus of GHASH, and what is
/// added to the counters of each register and, at the end, of the next group.
#[repr(C, align(32))]
struct Constants {
    turn: [u8; 32],
    modulus: [u64; 4],
    steps: [[u32; 8]; 9],
}

static CONSTANTS: Constants = {
    let mut turn = [0; 32];
    let mut i = 0;
    while i < 32 {
        turn[i] = 15 - i as u8 % 16;
        i += 1;
    }
    let mut steps = [[0; 8]; 9];
    let mut i = 0;
    while i < 9 {
        (steps[i][0], steps[i][4]) = (2 * i as u32, 2 * i as u32);
        i += 1;
    }
    let middle = crate::ghash::MIDDLE;
    Constants {
        turn,
        modulus: [middle, 0, middle, 0],
        steps,
    }
};

/// Encrypts groups of eight registers in counter mode. Between the rounds, it hashes as many registers if
/// `HASH` is true: those from `hashed` on, which come before the output or are the input. `state` has the
/// next two counters with their bytes reversed, and the pending sums of the hash.
///
/// # Safety
///
/// `input`, `output` and `hashed` must be those of `groups` groups, at least one. Input and output are the
/// same or do not overlap. The processor must have the instructions.
#[inline(always)]
#[allow(clippy::too_many_arguments, reason = "each one is a register")]
unsafe fn groups<const KEY: usize, const HASH: bool>(
    keys: &RoundKeys,
    table: &Table,
    state: &mut [[u8; 32]; 2],
    input: *const Group,
    output: *mut Group,
    hashed: *const Group,
    groups: usize,
) {
    // Registers 0 to 7 have the blocks, 8 the round key, 9 to 11 the sum of products, 12 to 14 the
    // operands, and 15 the pending sums.
    // SAFETY: the code reads the round keys, the table and the constants, and reads and writes as much as
    // the caller allows.
    unsafe {
        asm!(
            ".if {hash}",
            "vmovdqu ymm15, [{state} + 32]",
            ".endif",
            "2:",
            "vmovdqu ymm14, [{state}]",
            "vmovdqa ymm13, [{constants}]",
            "vbroadcasti128 ymm8, [{keys}]",
            ".irp x, 0,1,2,3,4,5,6,7",
            "vpaddd ymm\\x, ymm14, [{constants} + 64 + 32 * \\x]",
            "vpshufb ymm\\x, ymm\\x, ymm13",
            "vpxor ymm\\x, ymm\\x, ymm8",
            ".endr",
            "vpaddd ymm14, ymm14, [{constants} + 64 + 32 * 8]",
            "vmovdqu [{state}], ymm14",
            ".irp r, 1,2,3,4,5,6,7,8",
            "vbroadcasti128 ymm8, [{keys} + 16 * \\r]",
            ".irp x, 0,1,2,3",
            "vaesenc ymm\\x, ymm\\x, ymm8",
            ".endr",
            ".if {hash}",
            ".if \\r < 8",
            "vmovdqu ymm12, [{hashed} + 32 * \\r - 32]",
            "vbroadcasti128 ymm13, [{powers} + 160 + 32 * \\r]",
            "vpshufb ymm12, ymm12, [{constants}]",
            ".else",
            "vmovdqa ymm12, ymm15",
            "vbroadcasti128 ymm13, [{powers} + 160]",
            ".endif",
            ".if \\r == 1",
            "vpclmulqdq ymm9, ymm12, ymm13, 0x00",
            "vpclmulqdq ymm11, ymm12, ymm13, 0x11",
            ".else",
            "vpclmulqdq ymm14, ymm12, ymm13, 0x00",
            "vpclmulqdq ymm13, ymm12, ymm13, 0x11",
            "vpxor ymm9, ymm9, ymm14",
            "vpxor ymm11, ymm11, ymm13",
            ".endif",
            ".endif",
            ".irp x, 4,5,6,7",
            "vaesenc ymm\\x, ymm\\x, ymm8",
            ".endr",
            ".if {hash}",
            "vpshufd ymm14, ymm12, 0x4e",
            ".if \\r < 8",
            "vpbroadcastq ymm13, [{halves} + 56 - 8 * \\r]",
            ".else",
            "vpbroadcastq ymm13, [{halves} + 56]",
            ".endif",
            "vpxor ymm12, ymm12, ymm14",
            ".if \\r == 1",
            "vpclmulqdq ymm10, ymm12, ymm13, 0x00",
            ".else",
            "vpclmulqdq ymm12, ymm12, ymm13, 0x00",
            "vpxor ymm10, ymm10, ymm12",
            ".endif",
            ".endif",
            ".endr",
            ".irp r, 9,10,11,12,13",
            ".if \\r < {rounds}",
            "vbroadcasti128 ymm8, [{keys} + 16 * \\r]",
            ".irp x, 0,1,2,3,4,5,6,7",
            "vaesenc ymm\\x, ymm\\x, ymm8",
            ".endr",
            ".endif",
            ".if {hash}",
            ".if \\r == 9",
            "vmovdqa ymm13, [{constants} + 32]",
            "vpxor ymm10, ymm10, ymm9",
            "vpclmulqdq ymm14, ymm9, ymm13, 0x00",
            "vpshufd ymm9, ymm9, 0x4e",
            "vpxor ymm10, ymm10, ymm11",
            "vpxor ymm10, ymm10, ymm9",
            "vpxor ymm10, ymm10, ymm14",
            "vmovdqu ymm12, [{hashed} + 32 * 7]",
            "vpshufb ymm12, ymm12, [{constants}]",
            "vpclmulqdq ymm14, ymm10, ymm13, 0x00",
            "vpshufd ymm10, ymm10, 0x4e",
            "vpxor ymm11, ymm11, ymm12",
            "vpxor ymm11, ymm11, ymm10",
            "vpxor ymm15, ymm11, ymm14",
            ".endif",
            ".endif",
            ".endr",
            "vbroadcasti128 ymm8, [{keys} + 16 * {rounds}]",
            ".irp x, 0,1,2,3,4,5,6,7",
            "vpxor ymm14, ymm8, [{input} + 32 * \\x]",
            "vaesenclast ymm\\x, ymm\\x, ymm14",
            ".endr",
            ".irp x, 0,1,2,3,4,5,6,7",
            "vmovdqu [{output} + 32 * \\x], ymm\\x",
            ".endr",
            "add {input}, 256",
            "add {output}, 256",
            "add {hashed}, 256",
            "dec {groups}",
            "jnz 2b",
            ".if {hash}",
            "vmovdqu [{state} + 32], ymm15",
            ".endif",
            state = in(reg) state.as_mut_ptr(),
            constants = in(reg) &raw const CONSTANTS,
            keys = in(reg) keys.as_ptr(),
            powers = in(reg) table.powers.as_ptr(),
            halves = in(reg) table.halves.as_ptr(),
            input = inout(reg) input => _,
            output = inout(reg) output => _,
            hashed = inout(reg) hashed => _,
            groups = inout(reg) groups => _,
            hash = const HASH as u8,
            rounds = const rounds(KEY),
            out("xmm0") _, out("xmm1") _, out("xmm2") _, out("xmm3") _, out("xmm4") _, out("xmm5") _, out("xmm6") _, out("xmm7") _, out("xmm8") _, out("xmm9") _, out("xmm10") _, out("xmm11") _, out("xmm12") _, out("xmm13") _, out("xmm14") _, out("xmm15") _,
            options(nostack)
        );
    }
}

/// Hashes the eight registers of a group.
#[inline]
#[target_feature(enable = "avx2,vpclmulqdq")]
fn hash_group(table: &Table, turn: U8x32, pending: U8x32, group: &Group) -> U8x32 {
    let mut sum = Sum::zero();
    let factor = |n: usize| {
        (
            U8x32::splat(U8x16::from_u128(table.powers[place(n)])),
            U8x32::splat_u64(table.halves[n - 1]),
        )
    };
    for i in 0..7 {
        sum.add_crossed(U8x32::load(&group[i]).shuffle(turn), factor(7 - i));
    }
    sum.add_crossed(pending, factor(8));
    sum.crossed()
        .reduce()
        .xor(U8x32::load(&group[7]).shuffle(turn))
}

/// Processes the last 1 to 256 bytes of a message, which take `N` registers, and adds their products to
/// `sum`. Returns the encryption of J₀, which is `first`. `counter` has the next two counters with their
/// bytes reversed.
#[inline]
#[target_feature(enable = "avx2,aes,vaes,vpclmulqdq")]
fn end<const KEY: usize, const BACKWARDS: bool, const N: usize>(
    keys: &RoundKeys,
    table: &Table,
    first: U8x16,
    counter: U8x32,
    data: InOutBuf<'_, '_, u8>,
    sum: &mut Sum,
) -> U8x16 {
    let turn = U8x32::splat(clmul::turn(true));
    let after = blocks(data.len()) + 1;
    let (whole, mut last) = data.split_at(const { 32 * (N - 1) });
    let (mut whole, _) = buffer::chunks::<u8, 32>(whole);

    let mut x = [counter; N];
    let start = key(keys, 0);
    for i in 0..N {
        x[i] = counter
            .add_u32(U8x32::load_u32s(&CONSTANTS.steps[i]))
            .shuffle(turn)
            .xor(start);
    }
    let mut mask = first.xor(start.first());
    for round in 1..const { rounds(KEY) } {
        let key = key(keys, round);
        for x in &mut x {
            *x = x.aes_enc(key);
        }
        mask = mask.aes_enc(key.first());
    }
    let key = key(keys, const { rounds(KEY) });
    let mask = mask.aes_enc_last(key.first());

    for i in 0..N - 1 {
        let input = U8x32::load(&whole.get_in()[i]);
        let output = x[i].aes_enc_last(key.xor(input));
        output.store(&mut whole.get_out()[i]);
        let text = if BACKWARDS { input } else { output };
        sum.add(text.shuffle(turn), two(&table.powers, after - 2 * i));
    }
    let n = last.len();
    let input = U8x32::load_part(last.get_in());
    let output = x[N - 1].aes_enc_last(key.xor(input));
    output.store_part(last.get_out());
    let text = if BACKWARDS {
        input
    } else {
        output.first_bytes(n)
    };
    sum.add(text.shuffle(turn), two(&table.powers, after - 2 * (N - 1)));
    mask
}

/// Processes a message of 1 to 256 bytes, which take `N` registers, and returns its tag.
#[inline]
#[target_feature(enable = "avx2,aes,vaes,pclmulqdq,vpclmulqdq")]
fn short<const KEY: usize, const BACKWARDS: bool, const N: usize>(
    keys: &RoundKeys,
    table: &Table,
    nonce: &[u8; 12],
    aad: &[u8],
    data: &mut Words<'_, '_>,
) -> U8x16 {
    let data = data.reborrow().buffer();
    let turn1 = clmul::turn(true);
    let mut sum = Sum::zero();
    sum.add(
        U8x32::from_block(lengths(aad.len(), data.len())),
        two(&table.powers, 1),
    );
    if !aad.is_empty() {
        let after = blocks(data.len()) + 1 + blocks(aad.len());
        for (i, register) in aad.chunks(32).enumerate() {
            let register = U8x32::load_part(register).shuffle(U8x32::splat(turn1));
            sum.add(register, two(&table.powers, after - 2 * i));
        }
    }
    let (first, counter) = counters(of_nonce(nonce));
    let mask = end::<KEY, BACKWARDS, N>(keys, table, first, counter, data, &mut sum);
    sum.fold().shuffle(turn1).xor(mask)
}

/// Returns J₀ of a nonce. Two loads read the two fields of the nonce ([SP800-38D] §8.2.1). Programs
/// usually write the fields as two numbers just before the call, and one load of bytes that two recent
/// stores wrote is slow.
///
/// [SP800-38D]: https://doi.org/10.6028/NIST.SP.800-38D
#[inline]
#[target_feature(enable = "sse2")]
fn of_nonce(nonce: &[u8; 12]) -> U8x16 {
    let (fixed, invocation) = nonce.split_at(4);
    let mut parts = ([0; 4], [0; 8]);
    parts.0.copy_from_slice(fixed);
    parts.1.copy_from_slice(invocation);
    let fixed = U8x16::from_u128(1 << 120 | u128::from(u32::from_le_bytes(parts.0)));
    let invocation = U8x16::from_u128(u128::from(u64::from_le_bytes(parts.1)));
    invocation.up::<4>().xor(fixed)
}

/// Returns J₀, and the next two counter blocks with their bytes reversed.
#[inline]
#[target_feature(enable = "avx2")]
fn counters(first: U8x16) -> (U8x16, U8x32) {
    let counter = U8x32::splat(first.shuffle(clmul::turn(true)));
    (first, counter.add_u32(U8x32::load_u128s(&[1, 2])))
}

/// Computes the tag of a message without data, which is GMAC.
#[target_feature(enable = "avx2,aes,vaes,pclmulqdq,vpclmulqdq")]
fn no_data<const KEY: usize>(
    keys: &RoundKeys,
    powers: &Powers,
    first: u128,
    aad: &[u8],
    tag: &mut Block,
) {
    let mut sum = U8x16::zero();
    if !aad.is_empty() {
        sum = hash(powers, true, sum, aad);
    }
    let mask = single::<KEY>(keys, U8x16::from_u128(first));
    let mut product = clmul::Sum::zero();
    product.add(sum.xor(lengths(aad.len(), 0)), U8x16::from_u128(powers[7]));
    product
        .reduce()
        .shuffle(clmul::turn(true))
        .xor(mask)
        .store(tag);
}

/// Processes a message of any length, except one without data.
#[target_feature(enable = "avx2,aes,vaes,pclmulqdq,vpclmulqdq")]
fn entry<const KEY: usize, const BACKWARDS: bool>(
    keys: &RoundKeys,
    powers: &Powers,
    table: &Table,
    first: u128,
    aad: &[u8],
    data: InOutBuf<'_, '_, u8>,
    tag: &mut Block,
) {
    let turn1 = clmul::turn(true);
    let turn = U8x32::splat(turn1);
    let length = data.len();
    let mut pending = U8x32::zero();
    if !aad.is_empty() {
        pending = absorb(powers, turn, U8x16::zero(), aad);
    }
    let (first, mut counter) = counters(U8x16::from_u128(first));
    // The last 1 to 256 bytes are for `end`.
    let n = (length - 1) / 256;
    let (now, rest) = data.split_at(256 * n);
    if n != 0 {
        let (input, output) = now.into_raw();
        let (input, output) = (input.cast::<Group>(), output.cast::<Group>());
        let mut state = [[0; 32]; 2];
        counter.store(&mut state[0]);
        pending.store(&mut state[1]);
        // SAFETY: the pointers are those of a buffer of `n` groups, and the features of this function
        // are those that the code needs. What is hashed before it is read was written before.
        unsafe {
            let state = &mut state;
            if BACKWARDS {
                groups::<KEY, true>(keys, table, state, input, output, input, n);
            } else {
                groups::<KEY, false>(keys, table, state, input, output, input, 1);
                if n > 1 {
                    let (input, next) = (input.add(1), output.add(1));
                    groups::<KEY, true>(keys, table, state, input, next, output, n - 1);
                }
            }
            pending = U8x32::load(&state[1]);
            if !BACKWARDS {
                pending = hash_group(again(table), turn, pending, &*output.add(n - 1));
            }
        }
        counter = U8x32::load(&state[0]);
        wipe(&mut state[1], 0);
    }

    let mut sum = Sum::zero();
    sum.add(pending, two(&table.powers, blocks(rest.len()) + 3));
    sum.add(
        U8x32::from_block(lengths(aad.len(), length)),
        two(&table.powers, 1),
    );
    let sum = &mut sum;
    let mask = by_registers!(
        rest.len(),
        end::<KEY, BACKWARDS>(keys, table, first, counter, rest, sum)
    );
    sum.fold().shuffle(turn1).xor(mask).store(tag);
}
