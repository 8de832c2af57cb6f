//! GCM with VAES and VPCLMULQDQ on 256-bit registers, for one whole message in each call, on machines
//! without AVX-512.
//!
//! The loop encrypts eight registers of counters (16 blocks) at once. Between the rounds it hashes eight
//! registers of ciphertext: in decryption the same 16 blocks, in encryption the 16 blocks before. It is
//! assembly, because the compiler would need more than the sixteen registers: eight of the cipher, one
//! round key, three sums of products and their operands. At most eight registers remain: four and one to
//! four, or one to four. For these there is code without loops, which hashes them and the lengths with
//! one reduction.
//!
//! A message of up to 256 bytes, with the usual nonce and tag, takes this code alone. It overwrites
//! the stack where that has a secret, and clears the vector registers. The last register is loaded and stored in
//! part by operations that overlap ([`U8x32::load_part`]), in vector registers too.
#![allow(unsafe_code)]

use core::arch::asm;

use super::gcm128::single;
use super::{Block, RoundKeys, rounds};
use crate::buffer::{self, Words};
use crate::cpu::{Vaes256, Vpclmul256};
use crate::fuse::gcm_message::Message;
use crate::ghash::vpclmul256::{Sum, absorb, place, two};
use crate::ghash::{Powers, Table, clmul};
use crate::machinery::unknown::again;
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
            no_data::<KEY>(keys, table, first, aad, tag);
        } else if message.backwards {
            entry::<KEY, true>(keys, powers, table, first, aad, data, tag);
        } else {
            entry::<KEY, false>(keys, powers, table, first, aad, data, tag);
        }
    }
}

/// The longest message in bytes that [`seal`] and [`open`] take.
pub(super) const SHORT: usize = 256;

/// Calls [`tail`] for as many registers as there are after the first [`FOUR`] if there are more, or for no
/// register if one block each is enough for data and associated data.
macro_rules! by_registers {
    ($length:expr, $one:expr, $BACKWARDS:ident, ($($argument:expr),*)) => {
        if $one {
            tail::<KEY, $BACKWARDS, 0>($($argument),*)
        } else {
            match ($length.wrapping_sub(1) / 32) % 4 {
                0 => tail::<KEY, $BACKWARDS, 1>($($argument),*),
                1 => tail::<KEY, $BACKWARDS, 2>($($argument),*),
                2 => tail::<KEY, $BACKWARDS, 3>($($argument),*),
                _ => tail::<KEY, $BACKWARDS, 4>($($argument),*),
            }
        }
    };
}

/// What the frames of [`tail`], and of [`four`] if the message has more than [`FOUR`] bytes, take of the
/// stack.
#[cfg(feature = "dynamic")]
#[inline(always)]
fn depth(length: usize) -> usize {
    match length {
        ..=32 => 704,
        33..=64 => 960,
        65..=FOUR => 1152,
        _ => 1536,
    }
}

/// Processes a message of 1 to [`SHORT`] bytes, and writes its tag.
#[inline(always)]
fn short<const KEY: usize, const BACKWARDS: bool>(
    keys: &RoundKeys,
    table: &Table,
    nonce: &[u8; 12],
    aad: &[u8],
    data: &mut Words<'_, '_>,
    tag: &mut Block,
) {
    let length = data.len();
    let one = length <= 16 && aad.len() <= 16;
    let begun = Begun {
        fixed: u32::from_le_bytes([nonce[0], nonce[1], nonce[2], nonce[3]]),
        counter: 1,
        invocation: nonce
            .last_chunk()
            .map_or(0, |last| u64::from_le_bytes(*last)),
        lengths: [aad.len(), length],
        aad,
        pending: None,
    };
    // SAFETY: the tokens of the callers prove every feature that the function names.
    unsafe { by_registers!(length, one, BACKWARDS, (keys, table, &begun, data, tag)) }
    // With more than one block, the compiler keeps sums of products on the stack. A call by name does not
    // overwrite the stack after this function.
    #[cfg(feature = "dynamic")]
    if !one {
        crate::wipe::stack(depth(length) | crate::wipe::LOW_REGISTERS);
    }
}

/// Encrypts a message of 1 to [`SHORT`] bytes.
#[inline(always)]
pub(super) fn seal<const KEY: usize>(
    _: (Vaes256, Vpclmul256),
    keys: &RoundKeys,
    table: &Table,
    nonce: &[u8; 12],
    aad: &[u8],
    data: &mut Words<'_, '_>,
    tag: &mut Block,
) {
    short::<KEY, false>(keys, table, nonce, aad, data, tag);
}

/// Decrypts a message of 1 to [`SHORT`] bytes, and returns whether its tag is right.
#[inline(always)]
pub(super) fn open<const KEY: usize>(
    _: (Vaes256, Vpclmul256),
    keys: &RoundKeys,
    table: &Table,
    nonce: &[u8; 12],
    aad: &[u8],
    data: &mut Words<'_, '_>,
    tag: &Block,
) -> bool {
    let mut right = *tag;
    short::<KEY, true>(keys, table, nonce, aad, data, &mut right);
    // `tail` has XORed the tags.
    let differ = u128::from_le_bytes(right);
    // The right tag of a forged message is a secret.
    wipe(&mut right, 0);
    differ == 0
}

/// What [`tail`] takes from the code before it. The first fields are those of the counter block before
/// the data, and the fields of a nonce are read by two loads ([SP800-38D] §8.2.1): programs usually write
/// them as two numbers just before the call, and one load of bytes that two recent stores wrote is slow.
///
/// [SP800-38D]: https://doi.org/10.6028/NIST.SP.800-38D
struct Begun<'a> {
    fixed: u32,
    counter: u32,
    invocation: u64,
    /// The lengths in bytes of the associated data and of all data.
    lengths: [usize; 2],
    /// Associated data, of up to four blocks.
    aad: &'a [u8],
    /// The pending sums of all that comes before, and J₀.
    pending: Option<(&'a [u8; 32], u128)>,
}

/// Clears all vector registers, so that a call by name need not.
#[inline(always)]
fn clear() {
    // SAFETY: the code changes only the registers that it names. The tokens of the callers prove
    // AVX2.
    unsafe {
        asm!(
            ".irp n, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15",
            "vpxor xmm\\n, xmm\\n, xmm\\n",
            ".endr",
            out("xmm0") _, out("xmm1") _, out("xmm2") _, out("xmm3") _,
            out("xmm4") _, out("xmm5") _, out("xmm6") _, out("xmm7") _,
            out("xmm8") _, out("xmm9") _, out("xmm10") _, out("xmm11") _,
            out("xmm12") _, out("xmm13") _, out("xmm14") _, out("xmm15") _,
            options(nostack, preserves_flags)
        );
    }
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

/// Hashes groups of eight registers into the pending sums. The function is not inlined, because nine
/// functions call it once in each message.
#[inline(never)]
#[target_feature(enable = "avx2,vpclmulqdq")]
fn hash_groups(table: &Table, pending: &mut [u8; 32], groups: &[Group]) {
    let turn = U8x32::splat(clmul::turn(true));
    let mut before = U8x32::load(pending);
    for group in groups {
        let table = again(table);
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
        sum.add_crossed(before, factor(8));
        before = sum
            .crossed()
            .reduce()
            .xor(U8x32::load(&group[7]).shuffle(turn));
    }
    before.store(pending);
}

/// Hashes the associated data before a message of any length.
#[inline(never)]
#[target_feature(enable = "avx2,pclmulqdq,vpclmulqdq")]
fn hash_aad(powers: &Powers, pending: &mut [u8; 32], aad: &[u8]) {
    let turn = U8x32::splat(clmul::turn(true));
    absorb(powers, turn, U8x16::zero(), aad).store(pending);
}

/// The bytes that [`four`] takes.
const FOUR: usize = 128;

/// Begins the encryption of `N` counters, of which the first is `counter`.
#[inline]
#[target_feature(enable = "avx2")]
fn start<const N: usize>(keys: &RoundKeys, turn: U8x32, counter: U8x32) -> [U8x32; N] {
    let first = key(keys, 0);
    let mut x = [counter; N];
    for i in 0..N {
        let counter = counter.add_u32(U8x32::load_u32s(&CONSTANTS.steps[i]));
        x[i] = counter.shuffle(turn).xor(first);
    }
    x
}

/// Processes the first four registers of more, and adds their products to `sum`; `after` is the power
/// of the first block.
#[inline]
#[target_feature(enable = "avx2,aes,vaes,vpclmulqdq")]
fn four<const KEY: usize, const BACKWARDS: bool>(
    keys: &RoundKeys,
    table: &Table,
    counter: U8x32,
    after: usize,
    mut data: InOutBuf<'_, '_, [u8; 32]>,
    sum: &mut Sum,
) {
    let keys = again(keys);
    let turn = U8x32::splat(clmul::turn(true));
    let mut x: [U8x32; 4] = start(keys, turn, counter);
    for round in 1..const { rounds(KEY) } {
        let key = key(keys, round);
        for x in &mut x {
            *x = x.aes_enc(key);
        }
    }
    let key = key(keys, const { rounds(KEY) });
    for i in 0..4 {
        let input = U8x32::load(&data.get_in()[i]);
        let output = x[i].aes_enc_last(key.xor(input));
        output.store(&mut data.get_out()[i]);
        let text = if BACKWARDS { input } else { output };
        sum.add(text.shuffle(turn), two(&table.powers, after - 2 * i));
    }
}

/// Processes the last 1 to 256 bytes of a message, which take `N` registers and four more if there are
/// more than 128, and writes its tag. In decryption of a message that [`short`] takes, the tag is XORed to
/// what is there. For one block, `N` is 0, and nothing secret
/// goes to the stack.
#[inline(never)]
#[target_feature(enable = "avx2,aes,vaes,pclmulqdq,vpclmulqdq")]
fn tail<const KEY: usize, const BACKWARDS: bool, const N: usize>(
    keys: &RoundKeys,
    table: &Table,
    begun: &Begun<'_>,
    data: &mut Words<'_, '_>,
    tag: &mut Block,
) {
    let mut data = data.reborrow().buffer();
    let turn1 = clmul::turn(true);
    let turn = U8x32::splat(turn1);
    let fields = u128::from(begun.fixed) | u128::from(begun.invocation) << 32;
    let nonce = U8x16::from_u128(fields);
    let mut after = blocks(data.len()) + 1;
    let lengths = lengths(begun.lengths[0], begun.lengths[1]);
    let given = U8x16::load(tag);

    let whole = if N == 0 {
        // The latency decides the time. One block in narrow registers takes less.
        let start = nonce.xor(U8x16::from_u128(keys[0]));
        let mut mask = start.xor(U8x16::from_u128(1 << 120));
        let mut x = start.xor(U8x16::from_u128(2 << 120));
        U8x16::aes_two::<KEY>([&mut x, &mut mask], keys);
        let input = U8x16::load_part(data.get_in());
        x = x.xor(input);
        x.store_part(data.get_out());
        let power = |n: usize| U8x16::from_u128(table.powers[26 - n]);
        let mut sum = clmul::Sum::zero();
        sum.add(lengths, power(1));
        if !begun.aad.is_empty() {
            sum.add(U8x16::load_part(begun.aad).shuffle(turn1), power(3));
        }
        let text = if BACKWARDS {
            input
        } else {
            U8x32::from_block(x).first_bytes(data.len()).first()
        };
        sum.add(text.shuffle(turn1), power(2));
        sum.reduce().shuffle(turn1).xor(mask)
    } else {
        let mut sum = Sum::zero();
        sum.add(U8x32::from_block(lengths), two(&table.powers, 1));
        let counter = begun.counter;
        let first = nonce.xor(U8x16::from_u128(u128::from(counter.swap_bytes()) << 96));
        let mut mask = first;
        if let Some((pending, j0)) = begun.pending {
            sum.add(U8x32::load(pending), two(&table.powers, after + 2));
            mask = U8x16::from_u128(j0);
        } else if !begun.aad.is_empty() {
            let after = after + blocks(begun.aad.len());
            for (i, register) in begun.aad.chunks(32).enumerate() {
                let register = U8x32::load_part(register).shuffle(turn);
                sum.add(register, two(&table.powers, after - 2 * i));
            }
        }
        let counter = U8x32::splat(first.shuffle(turn1));
        let mut counter = counter.add_u32(U8x32::load_u128s(&[1, 2]));
        if data.len() > FOUR {
            let (now, later) = data.split_at(FOUR);
            let (now, _) = buffer::chunks(now);
            four::<KEY, BACKWARDS>(keys, table, counter, after, now, &mut sum);
            counter = counter.add_u32(U8x32::load_u32s(&CONSTANTS.steps[4]));
            data = later;
            after -= 8;
        }

        let keys = again(keys);
        let mut x: [U8x32; N] = start(keys, turn, counter);
        mask = mask.xor(U8x16::from_u128(keys[0]));
        for round in 1..const { rounds(KEY) } {
            let key = key(keys, round);
            for x in &mut x {
                *x = x.aes_enc(key);
            }
            mask = mask.aes_enc(key.first());
        }
        let key = key(keys, const { rounds(KEY) });
        let mask = mask.aes_enc_last(key.first());

        let (whole, mut last) = data.split_at(const { 32 * N.saturating_sub(1) });
        let (mut whole, _) = buffer::chunks::<u8, 32>(whole);
        for i in 0..const { N.saturating_sub(1) } {
            let input = U8x32::load(&whole.get_in()[i]);
            let output = x[i].aes_enc_last(key.xor(input));
            output.store(&mut whole.get_out()[i]);
            let text = if BACKWARDS { input } else { output };
            sum.add(text.shuffle(turn), two(&table.powers, after - 2 * i));
        }
        if let Some(x) = x.last() {
            let n = last.len();
            let input = U8x32::load_part(last.get_in());
            let output = x.aes_enc_last(key.xor(input));
            output.store_part(last.get_out());
            let text = if BACKWARDS {
                input
            } else {
                output.first_bytes(n)
            };
            let power = after - const { 2 * N.saturating_sub(1) };
            sum.add(text.shuffle(turn), two(&table.powers, power));
        }
        sum.fold().shuffle(turn1).xor(mask)
    };
    if BACKWARDS && begun.pending.is_none() {
        whole.xor(given).store(tag);
    } else {
        whole.store(tag);
    }
    clear();
}

/// Computes the tag of a message without data, which is GMAC. The powers in the table are enough for
/// the products of 23 blocks and the lengths, which are reduced once.
#[target_feature(enable = "avx2,aes,vaes,pclmulqdq,vpclmulqdq")]
fn no_data<const KEY: usize>(
    keys: &RoundKeys,
    table: &Table,
    first: u128,
    aad: &[u8],
    tag: &mut Block,
) {
    let turn1 = clmul::turn(true);
    let turn = U8x32::splat(turn1);
    let mut sum = Sum::zero();
    sum.add(
        U8x32::from_block(lengths(aad.len(), 0)),
        two(&table.powers, 1),
    );
    let mut rest = aad;
    if aad.len() > 23 * 16 {
        let (groups, _) = aad.as_chunks::<32>().0.as_chunks::<8>();
        let groups = &groups[..(aad.len() - 1) / 256];
        rest = &aad[256 * groups.len()..];
        let mut pending = [0; 32];
        hash_groups(table, &mut pending, groups);
        let after = blocks(rest.len()) + 3;
        sum.add(U8x32::load(&pending), two(&table.powers, after));
    }
    let mut after = blocks(rest.len()) + 1;
    let (whole, last) = rest.as_chunks::<32>();
    for register in whole {
        sum.add(
            U8x32::load(register).shuffle(turn),
            two(&table.powers, after),
        );
        after -= 2;
    }
    if !last.is_empty() {
        sum.add(
            U8x32::load_part(last).shuffle(turn),
            two(&table.powers, after),
        );
    }
    let mask = single::<KEY>(keys, U8x16::from_u128(first));
    sum.fold().shuffle(turn1).xor(mask).store(tag);
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
    let turn = clmul::turn(true);
    let length = data.len();
    // The counters with their bytes reversed, and the pending sums.
    let mut state = [[0; 32]; 2];
    if !aad.is_empty() {
        hash_aad(powers, &mut state[1], aad);
    }
    // The last 1 to 256 bytes are for `tail`.
    let n = (length - 1) / 256;
    let (now, rest) = data.split_at(256 * n);
    if n != 0 {
        let counter = U8x32::splat(U8x16::from_u128(first).shuffle(turn));
        let counter = counter.add_u32(U8x32::load_u128s(&[1, 2]));
        counter.store(&mut state[0]);
        let (input, output) = now.into_raw();
        let (input, output) = (input.cast::<Group>(), output.cast::<Group>());
        // SAFETY: the pointers are those of a buffer of `n` groups, and the features of this function
        // are those that the code needs. What is hashed was written before.
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
                let last = core::slice::from_ref(&*output.add(n - 1));
                hash_groups(table, &mut state[1], last);
            }
        }
    }

    let counter = ((first >> 96) as u32).swap_bytes();
    let begun = Begun {
        fixed: first as u32,
        counter: counter.wrapping_add(16 * n as u32),
        invocation: (first >> 32) as u64,
        lengths: [aad.len(), length],
        aad: &[],
        pending: Some((&state[1], first)),
    };
    let mut rest = Words::of(rest);
    by_registers!(
        rest.len(),
        false,
        BACKWARDS,
        (keys, table, &begun, &mut rest, tag)
    );
    wipe(&mut state[1], 0);
}
