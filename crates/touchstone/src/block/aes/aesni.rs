//! AES by AES-NI: one block a register, eight in flight.
//!
//! The parallel modes are [`parallel`]'s, the serial ones [`serial`](super::serial)'s;
//! here is the key schedule.
//!
//! `aesenclast` on a word in all four columns is SubWord, as ShiftRows then moves
//! equals to equals, and its key the round constant; this has a fraction of the
//! latency of `aeskeygenassist`, which is microcode on many machines.
#![allow(unsafe_code)]

use super::RCON;
use super::parallel::parallel;
use crate::cpu::Aes;
use crate::simd::U8x16;

parallel!(Aes, U8x16, 1 blocks, 8 registers, "aes,ssse3");

/// One round key.
#[inline(always)]
fn key(keys: &RoundKeys, round: usize) -> U8x16 {
    U8x16::from_u128(keys[round])
}

pub(super) fn expand<const KEY: usize>(_: Aes, key: &[u8; KEY], keys: &mut RoundKeys) {
    // SAFETY: the token proves AES-NI and SSSE3.
    unsafe { entry(key, keys) }

    #[target_feature(enable = "aes,ssse3")]
    fn entry(key: &[u8], keys: &mut RoundKeys) {
        match key.as_chunks() {
            ([a], []) => expand_128(U8x16::load(a), keys),
            ([a], b) => {
                let mut low = [0; 16];
                low[..8].copy_from_slice(&b[..8]);
                expand_192(U8x16::load(a), U8x16::load(&low), keys);
            }
            ([a, b, ..], _) => expand_256(U8x16::load(a), U8x16::load(b), keys),
            ([], _) => {}
        }
    }
}

/// SubWord of the word whose bytes `places` names, in all four columns, plus a
/// constant.
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

/// Each word plus all before it: the sums w[i-4] ⊕ … of four steps.
#[inline]
#[target_feature(enable = "sse2")]
fn sums(words: U8x16) -> U8x16 {
    let words = words.xor(words.up::<4>());
    words.xor(words.up::<8>())
}

#[inline]
#[target_feature(enable = "aes,ssse3")]
fn expand_128(mut a: U8x16, keys: &mut RoundKeys) {
    keys[0] = a.to_u128();
    for (key, constant) in keys[1..11].iter_mut().zip(RCON) {
        a = sums(a).xor(sub_word(a, [13, 14, 15, 12], constant));
        *key = a.to_u128();
    }
}

/// Six words a step, four in `a` and two in the lower half of `b`: two steps
/// are three round keys.
#[inline]
#[target_feature(enable = "aes,ssse3")]
fn expand_192(mut a: U8x16, mut b: U8x16, keys: &mut RoundKeys) {
    keys[0] = a.to_u128();
    for (keys, constants) in keys[1..13].chunks_exact_mut(3).zip(RCON.chunks_exact(2)) {
        let before = b;
        a = sums(a).xor(sub_word(b, [5, 6, 7, 4], constants[0]));
        b = b.xor(b.up::<4>()).xor(a.splat_top_u32());
        keys[0] = before.low_halves(a).to_u128();
        keys[1] = a.high_low_halves(b).to_u128();
        a = sums(a).xor(sub_word(b, [5, 6, 7, 4], constants[1]));
        b = b.xor(b.up::<4>()).xor(a.splat_top_u32());
        keys[2] = a.to_u128();
    }
}

#[inline]
#[target_feature(enable = "aes,ssse3")]
fn expand_256(mut a: U8x16, mut b: U8x16, keys: &mut RoundKeys) {
    keys[0] = a.to_u128();
    keys[1] = b.to_u128();
    for (pair, constant) in keys[2..14].chunks_exact_mut(2).zip(RCON) {
        a = sums(a).xor(sub_word(b, [13, 14, 15, 12], constant));
        b = sums(b).xor(sub_word(a, [12, 13, 14, 15], 0));
        pair[0] = a.to_u128();
        pair[1] = b.to_u128();
    }
    keys[14] = sums(a)
        .xor(sub_word(b, [13, 14, 15, 12], RCON[6]))
        .to_u128();
}

/// The round keys of the equivalent inverse cipher, [FIPS197] §5.3.5.
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
