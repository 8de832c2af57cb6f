//! Kuznyechik by tables, with registers as wide as the tables' entries. This kernel needs half
//! as many loads as the portable form. The compiler may use the instructions of AVX with three
//! operands, which need fewer copies of registers.
#![allow(unsafe_code)]

use inout::InOutBuf;

use super::{BACKWARDS, Block, FORWARDS, PI, PI_INVERSE, RoundKeys, State, Tables, substitute};
use crate::cpu::Avx2;
use crate::machinery::each::each;
use crate::machinery::extract::Extract;
use crate::machinery::groups::and_singles;
use crate::simd::U8x16;

pub(super) fn encrypt(token: Avx2, keys: &RoundKeys, blocks: InOutBuf<'_, '_, Block>) {
    and_singles(
        blocks,
        // SAFETY: the token proves AVX2.
        |four| unsafe { encrypt_each::<true, 4>(token, keys, &four) },
        |one| encrypt_one(token, keys, one),
    );
}

pub(super) fn decrypt(token: Avx2, keys: &RoundKeys, blocks: InOutBuf<'_, '_, Block>) {
    and_singles(
        blocks,
        // SAFETY: the token proves AVX2.
        |four| unsafe { decrypt_each::<true, 4>(token, keys, &four) },
        |one| decrypt_one(token, keys, one),
    );
}

pub(super) fn encrypt_one(token: Avx2, keys: &RoundKeys, block: Block) -> Block {
    // SAFETY: the token proves AVX2.
    unsafe { encrypt_each::<true, 1>(token, keys, &[block])[0] }
}

pub(super) fn decrypt_one(token: Avx2, keys: &RoundKeys, block: Block) -> Block {
    // SAFETY: the token proves AVX2.
    unsafe { decrypt_each::<true, 1>(token, keys, &[block])[0] }
}

/// Encrypts too few blocks for the kernel `avx512`. The form of its processors is kept: single
/// blocks as `portable`, and bytes that are extracted one by one.
pub(super) fn encrypt_with_avx512(token: Avx2, keys: &RoundKeys, blocks: InOutBuf<'_, '_, Block>) {
    and_singles(
        blocks,
        // SAFETY: the token proves AVX2.
        |four| unsafe { encrypt_each::<false, 4>(token, keys, &four) },
        |one| super::encrypt(keys, &[one])[0],
    );
}

/// Decrypts too few blocks for the kernel `avx512`.
pub(super) fn decrypt_with_avx512(token: Avx2, keys: &RoundKeys, blocks: InOutBuf<'_, '_, Block>) {
    and_singles(
        blocks,
        // SAFETY: the token proves AVX2.
        |four| unsafe { decrypt_each::<false, 4>(token, keys, &four) },
        |one| super::decrypt(keys, &[one])[0],
    );
}

#[target_feature(enable = "avx2")]
fn encrypt_each<const PLACES: bool, const N: usize>(
    token: Avx2,
    keys: &RoundKeys,
    blocks: &[Block; N],
) -> [Block; N] {
    let mut state = [U8x16::from_u128(0); N];
    for n in 0..N {
        state[n] = U8x16::load(&blocks[n]).xor(U8x16::from_u128(keys[0]));
    }
    for &key in &keys[1..] {
        for n in 0..N {
            state[n] = look_up::<PLACES>(token, &FORWARDS, state[n], key);
        }
    }
    let mut output = [[0; 16]; N];
    for n in 0..N {
        state[n].store(&mut output[n]);
    }
    output
}

#[target_feature(enable = "avx2")]
fn decrypt_each<const PLACES: bool, const N: usize>(
    token: Avx2,
    keys: &RoundKeys,
    blocks: &[Block; N],
) -> [Block; N] {
    let mut state = [U8x16::from_u128(0); N];
    for n in 0..N {
        state[n] = U8x16::from_u128(substitute(u128::from_le_bytes(blocks[n]), &PI));
    }
    for &key in keys[1..].iter().rev() {
        for n in 0..N {
            state[n] = look_up::<PLACES>(token, &BACKWARDS, state[n], key);
        }
    }
    let mut output = [[0; 16]; N];
    for n in 0..N {
        let last = substitute(state[n].to_u128(), &PI_INVERSE) ^ keys[0];
        output[n] = last.to_le_bytes();
    }
    output
}

/// Computes an S-box, a linear map and the addition of a key, as two chains of eight XORs. The
/// code reads the bytes from two general registers, each of which has one half of the block. To
/// read a byte from a vector register would take two instructions, one of which needs a port
/// that other instructions also need.
///
/// An entry's place in its table is a byte times 16. With `PLACES`, one register gets these places
/// for the even bytes of a half, 16 bits each, and one for the odd bytes. Then one instruction
/// extracts a place, where it takes two to extract a byte and to shift it.
#[inline]
#[target_feature(enable = "avx2")]
fn look_up<const PLACES: bool>(token: Avx2, tables: &Tables, state: U8x16, key: State) -> U8x16 {
    let state = state.to_u128();
    let halves = [state as u64, (state >> 64) as u64];
    let mut sums = [U8x16::from_u128(key), U8x16::from_u128(0)];
    if PLACES {
        const MASK: u64 = 0x0ff0_0ff0_0ff0_0ff0;
        for (tables, half) in tables.as_chunks::<8>().0.iter().zip(halves) {
            let places = [half << 4 & MASK, half >> 4 & MASK];
            each!(I in 0 1 2 3 => {
                for odd in 0..2 {
                    let place = Extract::bits_16::<{ I as u32 }>(token, places[odd]);
                    let first = tables[2 * I + odd].as_ptr();
                    // SAFETY: the mask leaves multiples of 16 up to 16 · 255, and a table has 256
                    // entries of 16 bytes.
                    let entry = unsafe { &(*first.byte_add(place)).0 };
                    sums[odd] = sums[odd].xor(U8x16::load(entry));
                }
            });
        }
    } else {
        for i in 0..16 {
            let byte = (halves[i / 8] >> (8 * (i % 8))) as u8;
            let entry = &tables[i][usize::from(byte)].0;
            sums[i % 2] = sums[i % 2].xor(U8x16::load(entry));
        }
    }
    sums[0].xor(sums[1])
}
