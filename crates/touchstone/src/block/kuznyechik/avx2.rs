//! Kuznyechik by tables, with registers as wide as the tables' entries. This kernel needs half
//! as many loads as the portable form. The compiler may use the instructions of AVX with three
//! operands, which need fewer copies of registers.
#![allow(unsafe_code)]

use inout::InOutBuf;

use super::{BACKWARDS, Block, FORWARDS, PI, PI_INVERSE, RoundKeys, State, Tables, substitute};
use crate::cpu::Avx2;
use crate::machinery::groups::and_singles;
use crate::simd::U8x16;

pub(super) fn encrypt(_: Avx2, keys: &RoundKeys, blocks: InOutBuf<'_, '_, Block>) {
    and_singles(
        blocks,
        // SAFETY: the token proves AVX2.
        |four| unsafe { encrypt_4(keys, &four) },
        |one| super::encrypt(keys, &[one])[0],
    );
}

pub(super) fn decrypt(_: Avx2, keys: &RoundKeys, blocks: InOutBuf<'_, '_, Block>) {
    and_singles(
        blocks,
        // SAFETY: the token proves AVX2.
        |four| unsafe { decrypt_4(keys, &four) },
        |one| super::decrypt(keys, &[one])[0],
    );
}

macro_rules! entries {
    ($($encrypt:ident $decrypt:ident $n:literal;)*) => {$(
        #[target_feature(enable = "avx2")]
        fn $encrypt(keys: &RoundKeys, blocks: &[Block; $n]) -> [Block; $n] {
            let mut state = [U8x16::from_u128(0); $n];
            for n in 0..$n {
                state[n] = U8x16::load(&blocks[n]).xor(U8x16::from_u128(keys[0]));
            }
            for &key in &keys[1..] {
                for n in 0..$n {
                    state[n] = look_up(&FORWARDS, state[n], key);
                }
            }
            let mut output = [[0; 16]; $n];
            for n in 0..$n {
                state[n].store(&mut output[n]);
            }
            output
        }

        #[target_feature(enable = "avx2")]
        fn $decrypt(keys: &RoundKeys, blocks: &[Block; $n]) -> [Block; $n] {
            let mut state = [U8x16::from_u128(0); $n];
            for n in 0..$n {
                state[n] = U8x16::from_u128(substitute(u128::from_le_bytes(blocks[n]), &PI));
            }
            for &key in keys[1..].iter().rev() {
                for n in 0..$n {
                    state[n] = look_up(&BACKWARDS, state[n], key);
                }
            }
            let mut output = [[0; 16]; $n];
            for n in 0..$n {
                let last = substitute(state[n].to_u128(), &PI_INVERSE) ^ keys[0];
                output[n] = last.to_le_bytes();
            }
            output
        }
    )*};
}

entries! {
    encrypt_4 decrypt_4 4;
}

/// Computes an S-box, a linear map and the addition of a key, as two chains of eight XORs. The
/// code reads the bytes from two general registers, each of which has one half of the block. To
/// read a byte from a vector register would take two instructions, one of which needs a port
/// that other instructions also need.
#[inline]
#[target_feature(enable = "avx2")]
fn look_up(tables: &Tables, state: U8x16, key: State) -> U8x16 {
    let state = state.to_u128();
    let halves = [state as u64, (state >> 64) as u64];
    let mut sums = [U8x16::from_u128(key), U8x16::from_u128(0)];
    for i in 0..16 {
        let byte = (halves[i / 8] >> (8 * (i % 8))) as u8;
        let entry = &tables[i][usize::from(byte)].0;
        sums[i % 2] = sums[i % 2].xor(U8x16::load(entry));
    }
    sums[0].xor(sums[1])
}
