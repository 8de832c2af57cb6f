//! Kuznyechik by tables, in registers as wide as their entries: half the loads of
//! the portable form. AVX2 stands for AVX, which spares copies of registers.
#![allow(unsafe_code)]

use inout::InOutBuf;

use super::{BACKWARDS, Block, FORWARDS, PI, PI_INVERSE, RoundKeys, State, Tables, substitute};
use crate::block::groups::and_singles;
use crate::cpu::Avx2;
use crate::simd::U8x16;

pub(super) fn encrypt(_: Avx2, keys: &RoundKeys, blocks: InOutBuf<'_, '_, Block>) {
    and_singles(
        blocks,
        // SAFETY: the token proves AVX2.
        |eight| unsafe { encrypt_8(keys, &eight) },
        |one| super::encrypt(keys, &[one])[0],
    );
}

pub(super) fn decrypt(_: Avx2, keys: &RoundKeys, blocks: InOutBuf<'_, '_, Block>) {
    and_singles(
        blocks,
        // SAFETY: the token proves AVX2.
        |eight| unsafe { decrypt_8(keys, &eight) },
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
    encrypt_8 decrypt_8 8;
}

/// An S-box, a linear map and a key, as two chains of eight. Bytes are taken from
/// registers two at a time as what they are to the address of an entry, 16 times
/// themselves.
#[inline]
#[target_feature(enable = "avx2")]
fn look_up(tables: &Tables, state: U8x16, key: State) -> U8x16 {
    let even = state.shift_pairs_left::<8>().shift_pairs_right::<4>();
    let odd = state.shift_pairs_right::<8>().shift_pairs_left::<4>();
    let mut sum = U8x16::from_u128(key);
    let mut other = U8x16::from_u128(0);
    macro_rules! pairs {
        ($($i:literal)*) => {$(
            let place = usize::from(even.pair::<$i>()) >> 4;
            sum = sum.xor(U8x16::load(&tables[2 * $i][place & 255].0));
            let place = usize::from(odd.pair::<$i>()) >> 4;
            other = other.xor(U8x16::load(&tables[2 * $i + 1][place & 255].0));
        )*};
    }
    pairs!(0 1 2 3 4 5 6 7);
    sum.xor(other)
}
