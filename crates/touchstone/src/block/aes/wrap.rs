//! Key wrap with AES-NI. The input of each encryption contains half of the output of the
//! encryption before. That half stays in a register. So the chain of dependent instructions
//! contains only the rounds and one instruction that joins two halves.
#![allow(unsafe_code)]

use super::{RoundKeys, rounds};
use crate::cpu::Aes;
use crate::simd::U8x16;

type Half = [u8; 8];

#[inline(always)]
fn key(keys: &RoundKeys, round: usize) -> U8x16 {
    U8x16::from_u128(keys[round])
}

/// Returns a register with eight bytes in the lower half and zeros in the upper half.
#[inline(always)]
fn low(half: Half) -> U8x16 {
    U8x16::from_u128(u128::from(u64::from_le_bytes(half)))
}

/// Returns the number of a step in the form that the algorithm adds: big-endian, in the lower
/// half.
#[inline(always)]
fn number(t: u64) -> U8x16 {
    low(t.to_be_bytes())
}

/// Returns the lower and the upper half of a block.
#[inline(always)]
fn halves_of(block: U8x16) -> [Half; 2] {
    let block = block.to_u128();
    [block as u64, (block >> 64) as u64].map(u64::to_le_bytes)
}

pub(super) fn forwards<const KEY: usize>(
    _: Aes,
    keys: &RoundKeys,
    a: &mut Half,
    halves: &mut [Half],
) {
    // SAFETY: the token proves AES-NI.
    unsafe { entry::<KEY>(keys, a, halves) }

    #[target_feature(enable = "aes")]
    fn entry<const KEY: usize>(keys: &RoundKeys, a: &mut Half, halves: &mut [Half]) {
        let last = key(keys, const { rounds(KEY) });
        let (mut x, mut t) = (low(*a), 0);
        // One XOR adds the first round key and the number of the step before.
        let mut first = key(keys, 0);
        for _ in 0..6 {
            for half in halves.iter_mut() {
                x = x.low_halves(low(*half)).xor(first);
                for round in 1..const { rounds(KEY) } {
                    x = x.aes_enc(key(keys, round));
                }
                x = x.aes_enc_last(last);
                *half = halves_of(x)[1];
                t += 1;
                first = key(keys, 0).xor(number(t));
            }
        }
        *a = halves_of(x.xor(number(t)))[0];
    }
}

pub(super) fn backwards<const KEY: usize>(
    _: Aes,
    keys: &RoundKeys,
    a: &mut Half,
    halves: &mut [Half],
) {
    // SAFETY: the token proves AES-NI.
    unsafe { entry::<KEY>(keys, a, halves) }

    #[target_feature(enable = "aes")]
    fn entry<const KEY: usize>(keys: &RoundKeys, a: &mut Half, halves: &mut [Half]) {
        let (first, last) = (key(keys, 0), key(keys, const { rounds(KEY) }));
        let (mut x, mut t) = (low(*a), 6 * halves.len() as u64);
        for _ in 0..6 {
            for half in halves.iter_mut().rev() {
                x = x.low_halves(low(*half)).xor(first.xor(number(t)));
                for round in 1..const { rounds(KEY) } {
                    x = x.aes_dec(key(keys, round));
                }
                x = x.aes_dec_last(last);
                *half = halves_of(x)[1];
                t -= 1;
            }
        }
        *a = halves_of(x)[0];
    }
}
