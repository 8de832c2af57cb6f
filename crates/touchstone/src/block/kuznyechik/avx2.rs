//! Kuznyechik by tables, with registers as wide as the tables' entries. This kernel needs half
//! as many loads as the portable form. The compiler may use the instructions of AVX with three
//! operands, which need fewer copies of registers.
#![allow(unsafe_code)]

use inout::InOutBuf;

use super::avx2_planes::s_box;
use super::{BACKWARDS, Block, FORWARDS, PI, PI_INVERSE, RoundKeys, State, Tables, substitute};
use crate::buffer;
use crate::cipher::Block as _;
use crate::cpu::Avx2;
use crate::machinery::each::each;
use crate::machinery::extract::Extract;
use crate::machinery::groups::and_singles;
use crate::machinery::unknown::apart_64;
use crate::simd::{U8x16, U8x32};

pub(super) fn encrypt(token: Avx2, keys: &RoundKeys, blocks: InOutBuf<'_, '_, Block>) {
    let (fours, rest) = buffer::chunks::<_, 4>(blocks);
    for mut four in fours {
        let input = *four.get_in();
        // SAFETY: the token proves AVX2.
        unsafe { encrypt_each::<true, false, 4>(token, keys, &input, &input, four.get_out()) }
    }
    for mut block in rest {
        *block.get_out() = encrypt_one(token, keys, *block.get_in());
    }
}

pub(super) fn decrypt(token: Avx2, keys: &RoundKeys, blocks: InOutBuf<'_, '_, Block>) {
    let (fours, rest) = buffer::chunks(blocks);
    if !fours.is_empty() {
        // SAFETY: the token proves AVX2.
        unsafe { decrypt_fours(token, keys, fours) }
    }
    for mut block in rest {
        *block.get_out() = decrypt_one(token, keys, *block.get_in());
    }
}

#[target_feature(enable = "avx2")]
fn decrypt_fours(token: Avx2, keys: &RoundKeys, fours: InOutBuf<'_, '_, [Block; 4]>) {
    let [last, keys @ ..] = keys;
    for mut four in fours {
        let mut state = four.get_in().each_ref().map(U8x16::load);
        state = substitute_pairs::<false>(state);
        for &key in keys.iter().rev() {
            each!(I in 0 1 2 3 => {
                let halves = halves(state[I].to_u128());
                state[I] = look_up::<true>(token, &BACKWARDS, halves, key);
            });
        }
        state = substitute_pairs::<true>(state);
        for (state, block) in state.into_iter().zip(four.get_out()) {
            state.xor(U8x16::from_u128(*last)).store(block);
        }
    }
}

/// Applies the S-box, or with `BACK` the inverse S-box, to four blocks. Byte shuffles do it for two blocks
/// at once, in 34 instructions; bytes that are looked up one by one take 200.
#[inline]
#[target_feature(enable = "avx2")]
fn substitute_pairs<const BACK: bool>([a, b, c, d]: [U8x16; 4]) -> [U8x16; 4] {
    let [first, second] = [[a, b], [c, d]].map(|two| s_box::<BACK>(U8x32::join(two)));
    [
        first.block(0),
        first.block(1),
        second.block(0),
        second.block(1),
    ]
}

pub(super) fn encrypt_one(token: Avx2, keys: &RoundKeys, block: Block) -> Block {
    let mut output = [[0; 16]];
    // SAFETY: the token proves AVX2.
    unsafe { encrypt_each::<true, false, 1>(token, keys, &[block], &[block], &mut output) }
    output[0]
}

pub(super) fn decrypt_one(token: Avx2, keys: &RoundKeys, block: Block) -> Block {
    // SAFETY: the token proves AVX2.
    unsafe { decrypt_single(token, keys, block) }
}

/// Encrypts a block of a serial mode, in two general registers ([`look_up_one`]).
#[inline(always)]
pub(super) fn encrypt_chained(token: Avx2, keys: &RoundKeys, block: Block) -> Block {
    let [first, keys @ ..] = keys;
    let mut state = xor(halves(u128::from_le_bytes(block)), halves(*first));
    for &key in keys {
        state = look_up_one(token, &FORWARDS, state, key);
    }
    bytes(state)
}

/// Computes counter mode, with the whole block as a big-endian counter. (For one block, the other form needs
/// no counter whose halves are stored one by one.)
pub(super) fn ctr(
    token: Avx2,
    keys: &RoundKeys,
    counter: &mut Block,
    blocks: InOutBuf<'_, '_, Block>,
) {
    let mut number = u128::from_be_bytes(*counter);
    let (fours, rest) = buffer::chunks::<_, 4>(blocks);
    for mut four in fours {
        let input = [0, 1, 2, 3].map(|i| number.wrapping_add(i).to_be_bytes());
        number = number.wrapping_add(4);
        let data = *four.get_in();
        // SAFETY: the token proves AVX2.
        unsafe { encrypt_each::<true, true, 4>(token, keys, &input, &data, four.get_out()) }
    }
    for mut block in rest {
        let (input, data) = (number.to_be_bytes(), *block.get_in());
        number = number.wrapping_add(1);
        *block.get_out() = encrypt_one(token, keys, input).xor(data);
    }
    *counter = number.to_be_bytes();
}

/// Encrypts too few blocks for the kernel `avx512`. The form of its processors is kept: single
/// blocks as `portable`, and bytes that are extracted one by one.
pub(super) fn encrypt_with_avx512(token: Avx2, keys: &RoundKeys, blocks: InOutBuf<'_, '_, Block>) {
    and_singles(
        blocks,
        |four| {
            let mut output = [[0; 16]; 4];
            // SAFETY: the token proves AVX2.
            unsafe { encrypt_each::<false, false, 4>(token, keys, &four, &four, &mut output) }
            output
        },
        |one| super::encrypt(keys, &[one])[0],
    );
}

/// Decrypts too few blocks for the kernel `avx512`.
pub(super) fn decrypt_with_avx512(token: Avx2, keys: &RoundKeys, blocks: InOutBuf<'_, '_, Block>) {
    and_singles(
        blocks,
        // SAFETY: the token proves AVX2.
        |four| unsafe { decrypt_each::<4>(token, keys, &four) },
        |one| super::decrypt(keys, &[one])[0],
    );
}

/// Encrypts blocks and, with `SUM`, XORs the result and `data`. The function stores each block at its place:
/// a copy by registers of 32 bytes would wait for two stores of 16 bytes.
#[target_feature(enable = "avx2")]
fn encrypt_each<const PLACES: bool, const SUM: bool, const N: usize>(
    token: Avx2,
    keys: &RoundKeys,
    blocks: &[Block; N],
    data: &[Block; N],
    output: &mut [Block; N],
) {
    let mut state = [U8x16::from_u128(0); N];
    for n in 0..N {
        state[n] = U8x16::load(&blocks[n]).xor(U8x16::from_u128(keys[0]));
    }
    for &key in &keys[1..] {
        if PLACES {
            each!(I < N => {
                let halves = halves(state[I].to_u128());
                state[I] = look_up::<PLACES>(token, &FORWARDS, halves, key);
            });
        } else {
            for n in 0..N {
                let halves = halves(state[n].to_u128());
                state[n] = look_up::<PLACES>(token, &FORWARDS, halves, key);
            }
        }
    }
    for n in 0..N {
        if SUM {
            state[n] = state[n].xor(U8x16::load(&data[n]));
        }
        state[n].store(&mut output[n]);
    }
}

#[target_feature(enable = "avx2")]
fn decrypt_each<const N: usize>(token: Avx2, keys: &RoundKeys, blocks: &[Block; N]) -> [Block; N] {
    let mut state = [U8x16::from_u128(0); N];
    for n in 0..N {
        state[n] = U8x16::from_u128(substitute(u128::from_le_bytes(blocks[n]), &PI));
    }
    for &key in keys[1..].iter().rev() {
        for state in &mut state {
            *state = look_up::<false>(token, &BACKWARDS, halves(state.to_u128()), key);
        }
    }
    let mut output = [[0; 16]; N];
    for n in 0..N {
        let last = substitute(state[n].to_u128(), &PI_INVERSE) ^ keys[0];
        output[n] = last.to_le_bytes();
    }
    output
}

#[target_feature(enable = "avx2")]
fn decrypt_single(token: Avx2, keys: &RoundKeys, block: Block) -> Block {
    let [last, keys @ ..] = keys;
    let mut state =
        halves(u128::from_le_bytes(block)).map(|half| substitute_half(token, &PI, half));
    for &key in keys.iter().rev() {
        state = halves(look_up::<true>(token, &BACKWARDS, state, key).to_u128());
    }
    let state = state.map(|half| substitute_half(token, &PI_INVERSE, half));
    bytes(xor(state, halves(*last)))
}

/// Computes an S-box, a linear map and the addition of a key, as two chains of eight XORs. The
/// code reads the bytes from two general registers, each of which has one half of the block. To
/// read a byte from a vector register would take two instructions, one of which needs a port
/// that other instructions also need.
///
/// An entry's place in its table is a byte times 16. With `PLACES`, one register gets these places
/// for the even bytes of a half, 16 bits each, and one for the odd bytes. Then one instruction
/// extracts a place, where it takes two to extract a byte and to shift it. The compiler would make one
/// chain of the two, and add the upper half first, which comes last from the vector register.
#[inline]
#[target_feature(enable = "avx2")]
fn look_up<const PLACES: bool>(
    token: Avx2,
    tables: &Tables,
    halves: [u64; 2],
    key: State,
) -> U8x16 {
    let mut sums = [U8x16::from_u128(key), U8x16::from_u128(0)];
    if PLACES {
        each!(I in 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 => {
            let entry = U8x16::load(entry::<I>(token, tables, halves));
            sums[I % 2] = if I == 1 { entry } else { sums[I % 2].xor(entry).apart() };
        });
    } else {
        for i in 0..16 {
            let byte = (halves[i / 8] >> (8 * (i % 8))) as u8;
            let entry = &tables[i][usize::from(byte)].0;
            sums[i % 2] = sums[i % 2].xor(U8x16::load(entry));
        }
    }
    sums[0].xor(sums[1])
}

/// Does the same for a serial mode, whose rounds wait for each other. The sums stay in general
/// registers: twice as many loads take less time than the way from a vector register.
#[inline(always)]
fn look_up_one(token: Avx2, tables: &Tables, state: [u64; 2], key: State) -> [u64; 2] {
    // `apart_64` also keeps the compiler from the first XORs in a vector register, which has to be moved.
    let mut sums = [halves(key).map(apart_64), [0; 2]];
    each!(I in 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 => {
        let entry = halves(u128::from_le_bytes(*entry::<I>(token, tables, state)));
        let sum = if I == 1 { entry } else { xor(sums[I % 2], entry) };
        sums[I % 2] = sum.map(apart_64);
    });
    xor(sums[0], sums[1])
}

/// Returns the entry of table `I` for byte `I` of a block.
#[inline(always)]
fn entry<const I: usize>(token: Avx2, tables: &Tables, halves: [u64; 2]) -> &Block {
    const MASK: u64 = 0x0ff0_0ff0_0ff0_0ff0;
    let half = halves[I / 8];
    let places = if I % 2 == 1 { half >> 4 } else { half << 4 } & MASK;
    let place = match I / 2 % 4 {
        0 => Extract::bits_16::<0>(token, places),
        1 => Extract::bits_16::<1>(token, places),
        2 => Extract::bits_16::<2>(token, places),
        _ => Extract::bits_16::<3>(token, places),
    };
    // SAFETY: the mask leaves multiples of 16 up to 16 · 255, and a table has 256 entries of 16
    // bytes.
    unsafe { &(*tables[I].as_ptr().byte_add(place)).0 }
}

/// Applies an S-box to the bytes of a half, as two chains of four bytes.
#[inline(always)]
fn substitute_half(token: Avx2, s: &[u8; 256], half: u64) -> u64 {
    let mut sums = [0; 2];
    each!(I in 0 1 2 3 4 5 6 7 => {
        let byte = Extract::Bextr(token).byte::<{ I as u32 }>(half);
        sums[I / 4] |= u64::from(s[byte]) << (8 * I);
    });
    apart_64(sums[0]) | apart_64(sums[1])
}

#[inline(always)]
fn halves(block: State) -> [u64; 2] {
    [block as u64, (block >> 64) as u64]
}

#[inline(always)]
fn xor(a: [u64; 2], b: [u64; 2]) -> [u64; 2] {
    [a[0] ^ b[0], a[1] ^ b[1]]
}

#[inline(always)]
fn bytes([low, high]: [u64; 2]) -> Block {
    (u128::from(high) << 64 | u128::from(low)).to_le_bytes()
}
