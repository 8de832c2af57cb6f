//! GCM with VAES and VPCLMULQDQ on 512-bit registers, for one whole message in each call.
//!
//! The loop encrypts eight registers of counters (32 blocks) at once. Between the rounds it
//! hashes eight registers of ciphertext: in decryption the same 32 blocks, in encryption the 32
//! blocks before. If at least four registers remain after the loop, the code processes four
//! registers in the same way. Then at most four registers remain. For each number of remaining
//! registers there is code without branches. This code hashes the remaining registers, the
//! ciphertext that is encrypted but not hashed yet, and the lengths. The hash is one sum of
//! products, which is reduced once. The factors of these products, the powers of the hash key
//! H, were computed at key set-up. A message of up to 256 bytes needs this last part alone. A
//! message of up to three blocks, which fits into one register with all its counters, and a message
//! without data have functions of their own, because there the number of instructions decides the
//! time.
//!
//! No secret goes to the stack. So a call by name overwrites registers alone (`dynamic/depth.rs`),
//! which for a message of 1350 bytes saves an eighth of the time.
#![allow(unsafe_code)]

use super::aesni::again;
use super::{Block, RoundKeys, rounds};
use crate::buffer;
use crate::cpu::Avx512;
use crate::fuse::gcm_message::Message;
use crate::ghash::vpclmul512::{Sum, absorb, falling, four};
use crate::ghash::{Powers, Table, clmul};
use crate::simd::{U8x16, U8x64};
use crate::wipe::wipe;
use inout::{InOut, InOutBuf};

#[inline(always)]
pub(super) fn whole<const KEY: usize>(
    _: Avx512,
    keys: &RoundKeys,
    message: Message<'_, '_, '_>,
    tag: &mut Block,
) {
    let (powers, table) = (&message.point.powers, message.table);
    let (first, aad) = (message.first, message.aad);
    let data = message.data.buffer();
    let backwards = message.backwards;
    macro_rules! by {
        ($entry:ident($($argument:expr),*)) => {
            // SAFETY: the token proves every feature that the entries name.
            unsafe {
                if backwards {
                    $entry::<KEY, true>($($argument),*);
                } else {
                    $entry::<KEY, false>($($argument),*);
                }
            }
        };
    }
    if data.is_empty() {
        // SAFETY: the token proves every feature that the function names.
        unsafe { no_data::<KEY>(keys, powers, table, first, aad, tag) }
    } else if data.len() <= 48 && aad.len() <= 48 && first >> 96 == FIRST {
        by!(short(keys, powers, first, aad, data, tag));
    } else {
        by!(entry(keys, table, first, aad, data, tag));
    }
}

/// The last 32 bits of J₀ for nonces of 12 bytes, as they are in memory: the counter 1.
const FIRST: u128 = 0x0100_0000;

/// The XOR of J₀ with the next three counter blocks, if the counter of J₀ is 1, and with J₀.
const NEXT: [u128; 4] = [3 << 120, 2 << 120, 5 << 120, 0];

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
/// `before`.
#[inline]
#[target_feature(enable = "avx512f,avx512vl,avx512bw,vaes,vpclmulqdq")]
fn eight<const KEY: usize, const OWN: bool>(
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
    sum.add_crossed(*pending, table.factor(8));
    // The loops have no branch, and `in_step` keeps all registers at the same round.
    for round in 1..8 {
        let key = key(round);
        for x in &mut x {
            *x = x.aes_enc(key);
        }
        let hashed = hashed(round - 1);
        sum.add_crossed(hashed, table.factor(8 - round));
        sum.in_step(&mut x);
    }
    for round in 8..const { rounds(KEY) } {
        let key = key(round);
        for x in &mut x {
            *x = x.aes_enc(key);
        }
        sum.in_step(&mut x);
    }
    *pending = sum.crossed().reduce().xor(hashed(7));
    let last = key(const { rounds(KEY) });
    for i in 0..8 {
        x[i] = x[i].aes_enc_last(last.xor(U8x64::load(&data[i])));
    }
    x
}

/// Encrypts four registers in counter mode, and hashes four registers of ciphertext.
#[inline]
#[target_feature(enable = "avx512f,avx512vl,avx512bw,vaes,vpclmulqdq")]
fn half<const KEY: usize, const BACKWARDS: bool>(
    keys: &RoundKeys,
    table: &Table,
    turn: U8x64,
    counter: &mut U8x64,
    pending: &mut U8x64,
    mut group: InOut<'_, '_, [[u8; 64]; 4]>,
) {
    let data = group.get_in();
    let data = [0, 1, 2, 3].map(|i| U8x64::load(&data[i]));
    let x = keystream::<KEY, 4>(keys, turn, counter, data);
    for (x, output) in x.iter().zip(group.get_out()) {
        x.store(output);
    }
    let x = if BACKWARDS { data } else { x };
    *pending = hash(table, turn, *pending, &x);
}

/// Hashes `N` registers.
#[inline]
#[target_feature(enable = "avx512f,avx512vl,avx512bw,vpclmulqdq")]
fn hash<const N: usize>(table: &Table, turn: U8x64, pending: U8x64, x: &[U8x64; N]) -> U8x64 {
    let mut sum = Sum::zero();
    sum.add_crossed(pending, table.factor(N));
    for i in 0..N - 1 {
        sum.add_crossed(x[i].shuffle(turn), table.factor(N - 1 - i));
    }
    sum.crossed().reduce().xor(x[N - 1].shuffle(turn))
}

/// Processes the end of a message: `WHOLE` full registers, and then one register with at least
/// one byte. Hashes these registers and the lengths into `sum`. If the last register has room
/// for another block, this function also encrypts the first counter block there, and hashes the
/// lengths there. The result is the mask that is XORed to the tag.
#[inline]
#[target_feature(enable = "avx512f,avx512vl,avx512bw,aes,vaes,vpclmulqdq")]
fn end<const KEY: usize, const BACKWARDS: bool, const WHOLE: usize>(
    keys: &RoundKeys,
    table: &Table,
    turn: U8x64,
    (first, mut counter): (U8x16, U8x64),
    data: InOutBuf<'_, '_, u8>,
    lengths: U8x16,
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
    let mask = if spare {
        U8x16::zero()
    } else {
        sum.add(U8x64::from_block(lengths), four(&table.powers, 1));
        single::<KEY>(keys, first)
    };
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
    let mask = if spare { last_x.last() } else { mask };

    for (x, output) in x.iter().zip(whole.get_out()) {
        x.store(output);
    }
    last_x.store_bytes(last.get_out());

    let (x, last_x) = if BACKWARDS {
        (data, last_in)
    } else {
        (x, last_x.cut(n))
    };
    for (x, power) in x.iter().zip(powers) {
        sum.add(x.shuffle(turn), U8x64::load_u128s(power));
    }
    let place = if spare { blocks(n) } else { NOWHERE };
    let last_x = last_x.shuffle(turn).with(place, lengths);
    sum.add(last_x, U8x64::load_u128s(last_power));
    mask
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
fn long_aad(table: &Table, aad: &[u8]) -> U8x64 {
    // By memory that is wiped, because the compiler would return a register by memory that is not.
    let mut pending = [0; 64];
    apart(table, aad, &mut pending);
    let result = U8x64::load(&pending);
    wipe(&mut pending, 0);
    return result;

    #[inline(never)]
    #[target_feature(enable = "avx512f,avx512vl,avx512bw,vpclmulqdq,pclmulqdq")]
    fn apart(table: &Table, aad: &[u8], pending: &mut [u8; 64]) {
        let turn = U8x64::splat(clmul::turn(true));
        absorb(|n| table.factor(n), turn, U8x16::zero(), aad).store(pending);
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
    groups: InOutBuf<'_, '_, [[u8; 64]; 8]>,
) {
    let mut groups = groups.into_iter();
    if BACKWARDS {
        for mut group in groups {
            let data = group.get_in();
            let x = eight::<KEY, true>(keys, table, turn, counter, pending, data, data);
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
            let x = eight::<KEY, false>(keys, table, turn, counter, pending, data, before);
            for i in 0..8 {
                x[i].store(&mut group.get_out()[i]);
            }
            before = group.into_out();
        }
        let x = [0, 1, 2, 3, 4, 5, 6, 7].map(|i| U8x64::load(&before[i]));
        *pending = hash(table, turn, *pending, &x);
    }
}

/// Processes a message of at most three blocks with at most three blocks of associated data, after
/// a first counter block J₀ with the counter 1. All four counter blocks fit into one register, and
/// the lengths into the register of the ciphertext.
#[target_feature(enable = "avx512f,avx512vl,avx512bw,aes,vaes,vpclmulqdq,pclmulqdq,ssse3")]
fn short<const KEY: usize, const BACKWARDS: bool>(
    keys: &RoundKeys,
    powers: &Powers,
    first: u128,
    aad: &[u8],
    mut data: InOutBuf<'_, '_, u8>,
    tag: &mut Block,
) {
    let turn1 = clmul::turn(true);
    let turn = U8x64::splat(turn1);
    let counters = U8x64::splat(U8x16::from_u128(first)).xor(U8x64::load_u128s(&NEXT));
    let mut x = counters.xor(key(keys, 0));
    for round in 1..const { rounds(KEY) } {
        x = x.aes_enc(key(keys, round));
    }
    let input = U8x64::load_bytes(data.get_in());
    x = x.aes_enc_last(key(keys, const { rounds(KEY) }).xor(input));
    let mask = x.last();
    x.store_bytes(data.get_out());

    let text = if BACKWARDS { input } else { x.cut(data.len()) };
    let after = blocks(data.len()) + 1;
    let one = U8x16::from_u128(powers[7]);
    let mut sum = Sum::zero();
    let by = four(powers, after).with(3, one);
    sum.add(text.shuffle(turn).with(3, lengths(aad, data.len())), by);
    if !aad.is_empty() {
        let by = four(powers, after + blocks(aad.len()));
        sum.add(U8x64::load_bytes(aad).shuffle(turn), by);
    }
    sum.fold().shuffle(turn1).xor(mask).store(tag);
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
        sum.add(long_aad(table, aad), four(powers, 5));
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
    tag: &mut Block,
) {
    let turn1 = clmul::turn(true);
    let turn = U8x64::splat(turn1);
    let length = data.len();

    let mut sum = Sum::zero();
    let mut rest = data;
    let (block, counter);
    // Only `end` is needed for short data.
    if length <= 256 && aad.len() <= 64 {
        if !aad.is_empty() {
            let after = blocks(length) + 1 + blocks(aad.len());
            let aad = U8x64::load_bytes(aad).shuffle(turn);
            sum.add(aad, four(&table.powers, after));
        }
        (block, counter) = counters(first);
    } else {
        let mut pending = match aad.len() {
            0 => U8x64::zero(),
            n @ 1..=64 => {
                let aad = U8x64::load_bytes(aad).shuffle(turn);
                aad.to_the_end(blocks(n))
            }
            _ => long_aad(table, aad),
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
        each_group::<KEY, BACKWARDS>(keys, table, turn, &mut next, &mut pending, groups);
        if rest.len() > 256 {
            let (registers, end) = rest.split_at(256);
            let (registers, _) = buffer::chunks::<u8, 64>(registers);
            let (fours, _) = buffer::chunks::<_, 4>(registers);
            for four in fours {
                half::<KEY, BACKWARDS>(keys, table, turn, &mut next, &mut pending, four);
            }
            rest = end;
        }
        let after = blocks(rest.len()) + 1;
        sum.add(pending, four(&table.powers, after + 4));
        counter = next;
    }

    let lengths = lengths(aad, length);
    macro_rules! end {
        ($whole:literal) => {{
            let (counters, sum) = ((block, counter), &mut sum);
            end::<KEY, BACKWARDS, $whole>(keys, table, turn, counters, rest, lengths, sum)
        }};
    }
    let mask = match rest.len().wrapping_add(63) / 64 {
        0 => {
            sum.add(U8x64::from_block(lengths), four(&table.powers, 1));
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
