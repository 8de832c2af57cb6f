//! GCM with VAES and VPCLMULQDQ on 512-bit registers, for one whole message in each call.
//!
//! The loop encrypts eight registers of counters (32 blocks) at once. Between the rounds it
//! hashes eight registers of ciphertext: in decryption the same 32 blocks, in encryption the 32
//! blocks before. If more than four registers remain after the loop, four of them are encrypted
//! next. For each number of registers that remain then there is code without branches, which
//! encrypts these and hashes what is encrypted but not hashed yet, and the lengths. The hash is one
//! sum of products, which is reduced once, and another one if four registers came before. The factors
//! of these products, the powers of the hash key H, were computed at key set-up.
//!
//! A message of up to 256 bytes, with the usual nonce and tag, has code for its number of registers
//! alone, without branches: there the number of instructions decides the time, and so does their
//! latency in encryption, where the hash waits for the cipher. J₀ takes a place of the last register,
//! and so do the lengths. One block takes narrow registers. A message without data has a function of its
//! own, too.
//!
//! No secret goes to the stack. So a call by name overwrites registers alone (`dynamic/depth.rs`),
//! which for a message of 1350 bytes saves an eighth of the time. The functions for a short message
//! clear the registers that they use, so after these a call by name overwrites nothing.
#![allow(unsafe_code)]

use core::arch::asm;

use super::{Block, RoundKeys, rounds};
use crate::buffer::{self, Words};
use crate::cpu::Avx512;
use crate::fuse::gcm_message::Message;
use crate::ghash::vpclmul512::{Sum, absorb, falling, four};
use crate::ghash::{Powers, Table, clmul};
use crate::machinery::unknown::again;
use crate::simd::{U8x16, U8x64};
use crate::wipe::wipe;
use inout::InOutBuf;

#[inline(always)]
pub(super) fn whole<const KEY: usize>(
    token: Avx512,
    keys: &RoundKeys,
    message: Message<'_, '_, '_>,
    tag: &mut Block,
) {
    let (powers, table) = (&message.point.powers, message.table);
    let (first, aad) = (message.first, message.aad);
    let data = message.data.buffer();
    let backwards = message.backwards;
    let by_four = token.multiplies_quickly();
    // SAFETY: the token proves every feature that the functions name.
    unsafe {
        if data.is_empty() {
            no_data::<KEY>(keys, powers, table, first, aad, by_four, tag);
        } else if backwards {
            entry::<KEY, true>(keys, table, first, aad, data, by_four, tag);
        } else {
            entry::<KEY, false>(keys, table, first, aad, data, by_four, tag);
        }
    }
}

/// The longest message in bytes that [`seal`] and [`open`] take.
pub(super) const SHORT: usize = 256;

/// Calls the function for as many registers as a message of 1 to [`SHORT`] bytes takes with J₀, or that
/// for no register if one block each is enough for data and associated data.
macro_rules! by_registers {
    ($data:ident, $aad:ident, $entry:ident, $($argument:expr),*) => {
        // SAFETY: the token proves every feature that the functions name.
        unsafe {
            if $data.len() <= 16 && $aad.len() <= 16 {
                return $entry::<KEY, 0>($($argument),*);
            }
            match $data.len().wrapping_add(79) / 64 {
                1 => $entry::<KEY, 1>($($argument),*),
                2 => $entry::<KEY, 2>($($argument),*),
                3 => $entry::<KEY, 3>($($argument),*),
                4 => $entry::<KEY, 4>($($argument),*),
                _ => $entry::<KEY, 5>($($argument),*),
            }
        }
    };
}

/// Encrypts a message of 1 to [`SHORT`] bytes.
#[inline(always)]
pub(super) fn seal<const KEY: usize>(
    _: Avx512,
    keys: &RoundKeys,
    table: &Table,
    nonce: &[u8; 12],
    aad: &[u8],
    data: &mut Words<'_, '_>,
    tag: &mut Block,
) {
    return by_registers!(data, aad, entry, keys, table, nonce, aad, data, tag);

    #[target_feature(enable = "avx512f,avx512vl,avx512bw,aes,vaes,vpclmulqdq,pclmulqdq,ssse3")]
    fn entry<const KEY: usize, const N: usize>(
        keys: &RoundKeys,
        table: &Table,
        nonce: &[u8; 12],
        aad: &[u8],
        data: &mut Words<'_, '_>,
        tag: &mut Block,
    ) {
        tag_of::<KEY, false, N>(keys, table, nonce, aad, data).store(tag);
        clear::<N>(true);
    }
}

/// Decrypts a message of 1 to [`SHORT`] bytes, and returns whether its tag is right.
#[inline(always)]
pub(super) fn open<const KEY: usize>(
    _: Avx512,
    keys: &RoundKeys,
    table: &Table,
    nonce: &[u8; 12],
    aad: &[u8],
    data: &mut Words<'_, '_>,
    tag: &Block,
) -> bool {
    return by_registers!(data, aad, entry, keys, table, nonce, aad, data, tag);

    #[target_feature(enable = "avx512f,avx512vl,avx512bw,aes,vaes,vpclmulqdq,pclmulqdq,ssse3")]
    fn entry<const KEY: usize, const N: usize>(
        keys: &RoundKeys,
        table: &Table,
        nonce: &[u8; 12],
        aad: &[u8],
        data: &mut Words<'_, '_>,
        tag: &Block,
    ) -> bool {
        let right = tag_of::<KEY, true, N>(keys, table, nonce, aad, data);
        clear::<N>(right.xor(U8x16::load(tag)).is_zero())
    }
}

/// Clears the vector registers that [`one_block`] or [`short`] uses, so that a call by name need not. Where
/// there is only one register of data, the compiler does without those that only AVX-512 has;
/// `tests/registers.rs` looks at them. `right` passes through, because what it is computed from must
/// not live longer.
#[inline(always)]
fn clear<const N: usize>(right: bool) -> bool {
    let mut right = u32::from(right);
    // SAFETY: the code changes only the registers that it names. Processors with AVX-512 have the
    // instructions, and the tokens of the callers prove it.
    unsafe {
        asm!(
            ".irp n, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15",
            "vpxor xmm\\n, xmm\\n, xmm\\n",
            ".endr",
            ".if {n} > 1",
            ".irp n, 16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31",
            "vpxord xmm\\n, xmm\\n, xmm\\n",
            ".endr",
            ".endif",
            "/* {right:e} */",
            n = const N,
            right = inout(reg) right,
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
            out("xmm12") _,
            out("xmm13") _,
            out("xmm14") _,
            out("xmm15") _,
            out("xmm16") _,
            out("xmm17") _,
            out("xmm18") _,
            out("xmm19") _,
            out("xmm20") _,
            out("xmm21") _,
            out("xmm22") _,
            out("xmm23") _,
            out("xmm24") _,
            out("xmm25") _,
            out("xmm26") _,
            out("xmm27") _,
            out("xmm28") _,
            out("xmm29") _,
            out("xmm30") _,
            out("xmm31") _,
            options(nostack, preserves_flags)
        );
    }
    right != 0
}

#[inline]
#[target_feature(enable = "avx512f,avx512vl")]
fn key(keys: &RoundKeys, round: usize) -> U8x64 {
    U8x64::splat(U8x16::from_u128(keys[round]))
}

/// Returns the number of blocks that `bytes` bytes take. The addition cannot overflow for a
/// length that GCM allows.
#[inline(always)]
pub(super) fn blocks(bytes: usize) -> usize {
    bytes.wrapping_add(15) / 16
}

/// A value for a block's index in a register, which no block has: the indices are 0 to 3.
const NOWHERE: usize = 4;

/// Encrypts the next `N` registers of counters and XORs the result to `data`.
#[inline]
#[target_feature(enable = "avx512f,avx512vl,avx512bw,vaes")]
fn keystream<const KEY: usize, const N: usize>(
    keys: &RoundKeys,
    turn: U8x64,
    counter: &mut U8x64,
    data: [U8x64; N],
) -> [U8x64; N] {
    let mut x = start(keys, turn, counter);
    for round in 1..const { rounds(KEY) } {
        let key = key(keys, round);
        for x in &mut x {
            *x = x.aes_enc(key);
        }
    }
    let last = key(keys, const { rounds(KEY) });
    for i in 0..N {
        x[i] = x[i].aes_enc_last(last.xor(data[i]));
    }
    x
}

#[inline]
#[target_feature(enable = "avx512f,avx512vl,avx512bw")]
fn start<const N: usize>(keys: &RoundKeys, turn: U8x64, counter: &mut U8x64) -> [U8x64; N] {
    let four = U8x64::splat(U8x16::from_u128(4));
    let first = key(keys, 0);
    let mut x = [U8x64::zero(); N];
    for x in &mut x {
        *x = counter.shuffle(turn).xor(first);
        *counter = counter.add_u32(four);
    }
    x
}

/// Encrypts eight registers in counter mode. Between the rounds, hashes eight registers of
/// ciphertext: these registers' ciphertext if `OWN` is true, or else the ciphertext in
/// `before`. `BY_FOUR` is that of [`Sum::add_one`].
#[inline]
#[target_feature(enable = "avx512f,avx512vl,avx512bw,vaes,vpclmulqdq")]
fn eight<const KEY: usize, const OWN: bool, const BY_FOUR: bool>(
    keys: &RoundKeys,
    table: &Table,
    turn: U8x64,
    counter: &mut U8x64,
    pending: &mut U8x64,
    data: &[[u8; 64]; 8],
    before: &[[u8; 64]; 8],
) -> [U8x64; 8] {
    let mut x: [U8x64; 8] = start(keys, turn, counter);
    let ciphertext = if OWN { data } else { before };
    let hashed = |i: usize| U8x64::load(&ciphertext[i]).shuffle(turn);
    // So many registers are left for round keys in a loop. Where the loop loads the others and the
    // powers anew, the compiler does not keep them on the stack.
    const KEPT: usize = 10;
    let (again, table) = (again(keys), again(table));
    let key = |round| key(if round <= KEPT { keys } else { again }, round);
    let mut sum = Sum::zero();
    if !BY_FOUR {
        sum.add_one::<false>(*pending, table.factor(8));
    }
    // The loops have no branch, and `in_step` keeps all registers at the same round.
    for round in 1..8 {
        let key = key(round);
        for x in &mut x {
            *x = x.aes_enc(key);
        }
        if !BY_FOUR {
            sum.add_one::<false>(hashed(round - 1), table.factor(8 - round));
        } else if round % 2 == 1 {
            let first = if round == 1 {
                *pending
            } else {
                hashed(round - 2)
            };
            let factors = [table.factor(9 - round), table.factor(8 - round)];
            sum.add_two::<true>([first, hashed(round - 1)], factors);
        }
        sum.in_step(&mut x);
    }
    for round in 8..const { rounds(KEY) } {
        let key = key(round);
        for x in &mut x {
            *x = x.aes_enc(key);
        }
        sum.in_step(&mut x);
    }
    *pending = sum.added::<BY_FOUR>().reduce().xor(hashed(7));
    let last = key(const { rounds(KEY) });
    for i in 0..8 {
        x[i] = x[i].aes_enc_last(last.xor(U8x64::load(&data[i])));
    }
    x
}

/// Hashes `N` registers.
#[inline]
#[target_feature(enable = "avx512f,avx512vl,avx512bw,vpclmulqdq")]
fn hash<const N: usize>(table: &Table, turn: U8x64, pending: U8x64, x: &[U8x64; N]) -> U8x64 {
    let mut sum = Sum::zero();
    sum.add_one::<false>(pending, table.factor(N));
    for i in 0..N - 1 {
        sum.add_one::<false>(x[i].shuffle(turn), table.factor(N - 1 - i));
    }
    sum.added::<false>().reduce().xor(x[N - 1].shuffle(turn))
}

/// Processes the end of a message: `WHOLE` full registers, and then one register with at least
/// one byte. Hashes these registers and the lengths into `sum`. If the last register has room
/// for another block, this function also encrypts the first counter block there, and hashes the
/// lengths there. The result is the mask that is XORed to the tag.
///
/// `pending` is the hash of the blocks before, but for `early`: four registers of ciphertext. Both enter
/// `sum` here and not in the caller: if the products of `pending` come before the rounds, 1024 bytes take
/// a twentieth more.
#[inline]
#[target_feature(enable = "avx512f,avx512vl,avx512bw,aes,vaes,vpclmulqdq")]
fn end<const KEY: usize, const BACKWARDS: bool, const WHOLE: usize>(
    keys: &RoundKeys,
    table: &Table,
    turn: U8x64,
    (first, mut counter): (U8x16, U8x64),
    data: InOutBuf<'_, '_, u8>,
    (lengths, pending, early): (U8x16, Option<U8x64>, Option<&[[u8; 64]; 4]>),
    sum: &mut Sum,
) -> U8x16 {
    let after = blocks(data.len()) + 1;
    let (whole, mut last) = {
        let n = data.len().min(64 * WHOLE);
        data.split_at(n)
    };
    let (whole, _) = buffer::chunks::<u8, 64>(whole);
    let (powers, _) = falling(&table.powers, after).as_chunks();
    // All loads are first, so that no later instruction waits for them.
    let (Some(mut whole), Some((powers, [last_power, ..]))) = (
        buffer::first::<_, WHOLE>(whole),
        powers.split_first_chunk::<WHOLE>(),
    ) else {
        unreachable!("the length is that of WHOLE registers and the rest of one");
    };

    let mut data = [U8x64::zero(); WHOLE];
    for (data, input) in data.iter_mut().zip(whole.get_in()) {
        *data = U8x64::load(input);
    }
    let n = last.len();
    let last_in = U8x64::load_bytes(last.get_in());

    let spare = n <= 48;
    let keys = again(keys);
    let mut x: [U8x64; WHOLE] = start(keys, turn, &mut counter);
    let [mut last_x] = start(keys, turn, &mut counter);
    let place = if spare { 3 } else { NOWHERE };
    last_x = last_x.with(place, first.xor(key(keys, 0).first()));
    for round in 1..const { rounds(KEY) } {
        let key = key(keys, round);
        for x in &mut x {
            *x = x.aes_enc(key);
        }
        last_x = last_x.aes_enc(key);
    }
    let key = key(keys, const { rounds(KEY) });
    for i in 0..WHOLE {
        x[i] = x[i].aes_enc_last(key.xor(data[i]));
    }
    last_x = last_x.aes_enc_last(key.xor(last_in));

    for (x, output) in x.iter().zip(whole.get_out()) {
        x.store(output);
    }
    last_x.store_bytes(last.get_out());
    let encrypted = last_x;

    let (x, last_x) = if BACKWARDS {
        (data, last_in)
    } else {
        (x, last_x.cut(n))
    };
    if let Some(mut pending) = pending {
        if let Some(early) = early {
            let early = [0, 1, 2, 3].map(|i| U8x64::load(&early[i]));
            pending = hash(table, turn, pending, &early);
        }
        sum.add(pending, four(&table.powers, after + 4));
    }
    for (x, power) in x.iter().zip(powers) {
        sum.add(x.shuffle(turn), U8x64::load_u128s(power));
    }
    let place = if spare { blocks(n) } else { NOWHERE };
    let hashed = last_x.shuffle(turn).with(place, lengths);
    sum.add(hashed, U8x64::load_u128s(last_power));
    if spare {
        encrypted.last()
    } else {
        // Last, because its rounds hide the reduction of the sum.
        sum.add(U8x64::from_block(lengths), four(&table.powers, 1));
        single::<KEY>(keys, first)
    }
}

/// Encrypts one block with AES.
#[inline]
#[target_feature(enable = "avx512f,avx512vl,aes,vaes")]
pub(super) fn single<const KEY: usize>(keys: &RoundKeys, block: U8x16) -> U8x16 {
    let keys = again(keys);
    let mut x = block.xor(U8x16::from_u128(keys[0]));
    for round in 1..const { rounds(KEY) } {
        x = x.aes_enc(U8x16::from_u128(keys[round]));
    }
    x.aes_enc_last(U8x16::from_u128(keys[const { rounds(KEY) }]))
}

/// Hashes the associated data, and returns its pending sums: the values of the four polynomials
/// of GHASH before the last multiplication.
#[inline]
#[target_feature(enable = "avx512f,avx512vl,avx512bw,vpclmulqdq,pclmulqdq")]
fn long_aad(table: &Table, aad: &[u8], by_four: bool) -> U8x64 {
    // By memory that is wiped, because the compiler would return a register by memory that is not.
    let mut pending = [0; 64];
    if by_four {
        apart::<true>(table, aad, &mut pending);
    } else {
        apart::<false>(table, aad, &mut pending);
    }
    let result = U8x64::load(&pending);
    wipe(&mut pending, 0);
    return result;

    #[inline(never)]
    #[target_feature(enable = "avx512f,avx512vl,avx512bw,vpclmulqdq,pclmulqdq")]
    fn apart<const BY_FOUR: bool>(table: &Table, aad: &[u8], pending: &mut [u8; 64]) {
        let turn = U8x64::splat(clmul::turn(true));
        absorb::<BY_FOUR>(|n| table.factor(n), turn, U8x16::zero(), aad).store(pending);
    }
}

/// Processes all groups of eight registers. Encryption loads the ciphertext again that it hashes: it
/// would take the registers of the round keys.
#[inline]
#[target_feature(enable = "avx512f,avx512vl,avx512bw,aes,vaes,vpclmulqdq")]
fn each_group<const KEY: usize, const BACKWARDS: bool>(
    keys: &RoundKeys,
    table: &Table,
    turn: U8x64,
    counter: &mut U8x64,
    pending: &mut U8x64,
    by_four: bool,
    groups: InOutBuf<'_, '_, [[u8; 64]; 8]>,
) {
    let mut groups = groups.into_iter();
    if BACKWARDS {
        for mut group in groups {
            let data = group.get_in();
            let x = if by_four {
                eight::<KEY, true, true>(keys, table, turn, counter, pending, data, data)
            } else {
                eight::<KEY, true, false>(keys, table, turn, counter, pending, data, data)
            };
            for i in 0..8 {
                x[i].store(&mut group.get_out()[i]);
            }
        }
    } else if let Some(mut group) = groups.next() {
        // The registers are encrypted in two groups of four, so that the hash of the first group can
        // start before the second group is encrypted.
        for four in [0, 4] {
            let data = &group.get_in()[four..];
            let data = [0, 1, 2, 3].map(|i| U8x64::load(&data[i]));
            let x = keystream::<KEY, 4>(keys, turn, counter, data);
            for (x, output) in x.iter().zip(&mut group.get_out()[four..]) {
                x.store(output);
            }
        }
        let mut before: &[[u8; 64]; 8] = group.into_out();
        for mut group in groups {
            let data = group.get_in();
            let x = if by_four {
                eight::<KEY, false, true>(keys, table, turn, counter, pending, data, before)
            } else {
                eight::<KEY, false, false>(keys, table, turn, counter, pending, data, before)
            };
            for i in 0..8 {
                x[i].store(&mut group.get_out()[i]);
            }
            before = group.into_out();
        }
        let x = [0, 1, 2, 3, 4, 5, 6, 7].map(|i| U8x64::load(&before[i]));
        *pending = hash(table, turn, *pending, &x);
    }
}

/// Returns the counters of `N` registers, at their places in the counter blocks. The last place of
/// all has the counter of J₀, the others have those of the message.
const fn counters_of<const N: usize>() -> [[u128; 4]; N] {
    let mut counters = [[0; 4]; N];
    let mut i = 0;
    while i < 4 * N {
        let counter = if i == 4 * N - 1 { 1 } else { i as u128 + 2 };
        counters[i / 4][i % 4] = counter << 120;
        i += 1;
    }
    counters
}

/// Processes a message that takes `N` registers with J₀, whose place is the last one, and returns its
/// tag. The block of lengths has this place in the hash. So the last register has up to three blocks of
/// the message, and the last block may also be in the register before.
#[inline]
#[target_feature(enable = "avx512f,avx512vl,avx512bw,aes,vaes,vpclmulqdq,pclmulqdq,ssse3")]
fn short<const KEY: usize, const BACKWARDS: bool, const N: usize>(
    keys: &RoundKeys,
    table: &Table,
    nonce: &[u8; 12],
    aad: &[u8],
    data: &mut Words<'_, '_>,
) -> U8x16 {
    let mut data = data.reborrow().buffer();
    let turn1 = clmul::turn(true);
    let turn = U8x64::splat(turn1);
    let length = data.len();
    let after = blocks(length) + 1;
    let (powers, _) = falling(&table.powers, after).as_chunks();
    let Some(powers) = powers.first_chunk::<N>() else {
        unreachable!("there are as many powers as blocks");
    };

    let start = U8x64::splat(of_nonce(nonce)).xor(key(keys, 0));
    let counters = const { &counters_of::<N>() };
    let whole = const { N.saturating_sub(2) };
    let mut x = [start; N];
    let mut input = [U8x64::zero(); N];
    for i in 0..N {
        x[i] = x[i].xor(U8x64::load_u128s(&counters[i]));
        input[i] = if i < whole {
            U8x64::load(&data.get_in().as_chunks().0[i])
        } else {
            U8x64::load_from(data.get_in(), 64 * i)
        };
    }
    for round in 1..const { rounds(KEY) } {
        let key = key(keys, round);
        for x in &mut x {
            *x = x.aes_enc(key);
        }
    }
    let last = key(keys, const { rounds(KEY) });
    for i in 0..N {
        x[i] = x[i].aes_enc_last(last.xor(input[i]));
        if i < whole {
            x[i].store(&mut data.get_out().as_chunks_mut().0[i]);
        } else {
            x[i].store_from(data.get_out(), 64 * i);
        }
    }

    // The ciphertext is put over the lengths, which are there before.
    let lengths = U8x64::from_last(lengths(aad, length).shuffle(turn1));
    let mut sum = Sum::zero();
    for i in 0..N {
        let under = if i == N - 1 { lengths } else { U8x64::zero() };
        let text = match (BACKWARDS, i < whole) {
            (true, _) => input[i].xor(under),
            (false, true) => x[i],
            (false, false) => x[i].over(length.saturating_sub(64 * i), under),
        };
        let mut by = U8x64::load_u128s(&powers[i]);
        if i == N - 1 {
            by = by.with(3, U8x16::from_u128(table.powers[25]));
        }
        sum.add(text.shuffle(turn), by);
    }
    if !aad.is_empty() {
        let by = four(&table.powers, after + blocks(aad.len()));
        sum.add(U8x64::load_bytes(aad).shuffle(turn), by);
    }
    sum.fold().shuffle(turn1).xor(x[N - 1].last())
}

/// Processes a message of one block, with at most one block of associated data, and returns its tag. The
/// latency decides the time: one block takes two thirds of that of a wide register, because nothing
/// is copied to the places of it, nor added from there.
#[inline]
#[target_feature(enable = "avx512f,avx512vl,avx512bw,aes,vaes,vpclmulqdq,pclmulqdq,ssse3")]
fn one_block<const KEY: usize, const BACKWARDS: bool>(
    keys: &RoundKeys,
    table: &Table,
    nonce: &[u8; 12],
    aad: &[u8],
    data: &mut Words<'_, '_>,
) -> U8x16 {
    let mut data = data.reborrow().buffer();
    let turn = clmul::turn(true);
    let length = data.len();
    let start = of_nonce(nonce).xor(U8x16::from_u128(keys[0]));
    let mut mask = start.xor(U8x16::from_u128(1 << 120));
    let mut x = start.xor(U8x16::from_u128(2 << 120));
    U8x16::aes_two::<KEY>([&mut x, &mut mask], keys);
    let input = U8x16::load_up_to_16(data.get_in());
    x = x.xor(input);
    x.store_up_to_16(data.get_out());

    let power = |n: usize| U8x16::from_u128(table.powers[26 - n]);
    let mut sum = clmul::Sum::zero();
    sum.add(lengths(aad, length), power(1));
    if !aad.is_empty() {
        sum.add(U8x16::load_up_to_16(aad).shuffle(turn), power(3));
    }
    let text = if BACKWARDS {
        input
    } else {
        x.first_bytes(length)
    };
    sum.add(text.shuffle(turn), power(2));
    sum.reduce().shuffle(turn).xor(mask)
}

/// Returns the tag of a message that takes `N` registers, or only one block if `N` is 0.
#[inline]
#[target_feature(enable = "avx512f,avx512vl,avx512bw,aes,vaes,vpclmulqdq,pclmulqdq,ssse3")]
fn tag_of<const KEY: usize, const BACKWARDS: bool, const N: usize>(
    keys: &RoundKeys,
    table: &Table,
    nonce: &[u8; 12],
    aad: &[u8],
    data: &mut Words<'_, '_>,
) -> U8x16 {
    if N == 0 {
        one_block::<KEY, BACKWARDS>(keys, table, nonce, aad, data)
    } else {
        short::<KEY, BACKWARDS, N>(keys, table, nonce, aad, data)
    }
}

/// Returns the block of a nonce and the counter 0. Two loads read the two fields of the nonce
/// ([SP800-38D] §8.2.1). Programs usually write the fields as two numbers just before the call, and
/// one load of bytes that two recent stores wrote is slow.
///
/// [SP800-38D]: https://doi.org/10.6028/NIST.SP.800-38D
#[inline]
#[target_feature(enable = "sse2")]
fn of_nonce(nonce: &[u8; 12]) -> U8x16 {
    let (fixed, invocation) = nonce.split_at(4);
    let mut parts = ([0; 4], [0; 8]);
    parts.0.copy_from_slice(fixed);
    parts.1.copy_from_slice(invocation);
    let fixed = U8x16::from_u128(u128::from(u32::from_le_bytes(parts.0)));
    let invocation = U8x16::from_u128(u128::from(u64::from_le_bytes(parts.1)));
    invocation.up::<4>().xor(fixed)
}

/// Computes the tag of a message without data, which is GMAC. The powers in the table are enough for
/// the products of 23 blocks and the lengths, which are reduced once.
#[target_feature(enable = "avx512f,avx512vl,avx512bw,aes,vaes,vpclmulqdq,pclmulqdq,ssse3")]
fn no_data<const KEY: usize>(
    keys: &RoundKeys,
    powers: &Powers,
    table: &Table,
    first: u128,
    aad: &[u8],
    by_four: bool,
    tag: &mut Block,
) {
    let turn1 = clmul::turn(true);
    let turn = U8x64::splat(turn1);
    let mut sum = Sum::zero();
    if aad.len() <= 23 * 16 {
        let after = blocks(aad.len()) + 1;
        for (i, register) in aad.chunks(64).enumerate() {
            let by = four(&table.powers, after - 4 * i);
            sum.add(U8x64::load_bytes(register).shuffle(turn), by);
        }
    } else {
        sum.add(long_aad(table, aad, by_four), four(powers, 5));
    }
    // After the calls, so that nothing waits for them on the stack.
    sum.add(U8x64::from_block(lengths(aad, 0)), four(powers, 1));
    let mask = single::<KEY>(keys, U8x16::from_u128(first));
    sum.fold().shuffle(turn1).xor(mask).store(tag);
}

/// Processes a message of any length, except one without data.
#[target_feature(enable = "avx512f,avx512vl,avx512bw,aes,vaes,vpclmulqdq,pclmulqdq,ssse3")]
fn entry<const KEY: usize, const BACKWARDS: bool>(
    keys: &RoundKeys,
    table: &Table,
    first: u128,
    aad: &[u8],
    data: InOutBuf<'_, '_, u8>,
    by_four: bool,
    tag: &mut Block,
) {
    let turn1 = clmul::turn(true);
    let turn = U8x64::splat(turn1);
    let length = data.len();

    let mut sum = Sum::zero();
    let mut rest = data;
    let (block, counter, pending);
    let mut early: Option<&[[u8; 64]; 4]> = None;
    // Only `end` is needed for short data.
    if length <= 256 && aad.len() <= 64 {
        if !aad.is_empty() {
            let after = blocks(length) + 1 + blocks(aad.len());
            let aad = U8x64::load_bytes(aad).shuffle(turn);
            sum.add(aad, four(&table.powers, after));
        }
        (block, counter) = counters(first);
        pending = None;
    } else {
        let mut hash = match aad.len() {
            0 => U8x64::zero(),
            n @ 1..=64 => {
                let aad = U8x64::load_bytes(aad).shuffle(turn);
                aad.to_the_end(blocks(n))
            }
            _ => long_aad(table, aad, by_four),
        };
        // After that call, so that the counters stay in registers.
        let mut next;
        (block, next) = counters(first);
        let (groups, past) = {
            let n = length / 512 * 512;
            rest.split_at(n)
        };
        rest = past;
        let (groups, _) = buffer::chunks::<u8, 64>(groups);
        let (groups, _) = buffer::chunks::<_, 8>(groups);
        let (at, before) = (&mut next, &mut hash);
        each_group::<KEY, BACKWARDS>(keys, table, turn, at, before, by_four, groups);
        if rest.len() > 256 {
            let (registers, end) = rest.split_at(256);
            let (registers, _) = buffer::chunks::<u8, 64>(registers);
            if let Some(mut four) = buffer::first::<_, 4>(registers) {
                let data = four.get_in();
                let data = [0, 1, 2, 3].map(|i| U8x64::load(&data[i]));
                let x = keystream::<KEY, 4>(keys, turn, &mut next, data);
                for (x, output) in x.iter().zip(four.get_out()) {
                    x.store(output);
                }
                if BACKWARDS {
                    hash = self::hash(table, turn, hash, &data);
                } else {
                    early = Some(four.into_out());
                }
            }
            rest = end;
        }
        counter = next;
        pending = Some(hash);
    }

    let lengths = lengths(aad, length);
    macro_rules! end {
        ($whole:literal) => {{
            let (counters, hashed, sum) = ((block, counter), (lengths, pending, early), &mut sum);
            end::<KEY, BACKWARDS, $whole>(keys, table, turn, counters, rest, hashed, sum)
        }};
    }
    let mask = match rest.len().wrapping_add(63) / 64 {
        0 => {
            sum.add(U8x64::from_block(lengths), four(&table.powers, 1));
            if let Some(pending) = pending {
                sum.add(pending, four(&table.powers, 5));
            }
            single::<KEY>(keys, block)
        }
        1 => end!(0),
        2 => end!(1),
        3 => end!(2),
        _ => end!(3),
    };
    sum.fold().shuffle(turn1).xor(mask).store(tag);
}

/// Returns the last block that GHASH takes: the two lengths in bits.
#[inline]
#[target_feature(enable = "avx512f")]
fn lengths(aad: &[u8], data: usize) -> U8x16 {
    U8x16::from_u128((aad.len() as u128 * 8) << 64 | (data as u128 * 8))
}

/// Returns J₀, and the next four counter blocks with their bytes reversed.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,ssse3")]
fn counters(first: u128) -> (U8x16, U8x64) {
    let first = U8x16::from_u128(first);
    let counter = U8x64::splat(first.shuffle(clmul::turn(true)));
    (first, counter.add_u32(U8x64::load_u128s(&[1, 2, 3, 4])))
}
