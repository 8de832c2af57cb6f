//! GCM-SIV with VAES and VPCLMULQDQ on 512-bit registers, for one whole message in each
//! call.
//!
//! The time of a short message is the latency of a chain of steps: nonce, derived keys, hash,
//! tag, keystream. Each step passes its result to the next step in a register. Where it must
//! use memory, the next step loads values of the same size as the step before stored, because
//! other loads would wait for the stores.
#![allow(unsafe_code)]

use super::gcm512::{blocks, single};
use super::{Block, RoundKeys, aesni, rounds, vaes512};
use crate::cipher::Block as _;
use crate::cpu::Avx512;
use crate::fuse::gcm_message::SivMessage;
use crate::ghash::vpclmul512::{Steps, Sum, absorb, four, powers_of};
use crate::ghash::{Powers, clmul};
use crate::simd::{U8x16, U8x64};
use crate::wipe::wipe;
use inout::InOutBuf;

pub(super) fn whole<const KEY: usize>(
    token: Avx512,
    keys: &RoundKeys,
    message: &mut SivMessage<'_, '_, '_>,
    tag: &mut Block,
) {
    let (nonce, aad, given) = (message.nonce, message.aad, message.given);
    let data = message.data.reborrow();
    // SAFETY: the token proves every feature that `entry` names.
    unsafe { entry::<KEY>(token, keys, nonce, aad, data, given, tag) }
}

/// Returns a register of four counter blocks. The first 32 bits of each block are the counter.
#[inline]
#[target_feature(enable = "avx512f")]
fn counters(first: U8x16) -> U8x64 {
    U8x64::splat(first).add_u32(U8x64::load_u128s(&[0, 1, 2, 3]))
}

/// Encrypts a register of blocks and XORs the result to `data`.
#[inline]
#[target_feature(enable = "avx512f,avx512vl,vaes")]
fn encrypted<const KEY: usize>(keys: &RoundKeys, x: U8x64, data: U8x64) -> U8x64 {
    let key = |round: usize| U8x64::splat(U8x16::from_u128(keys[round]));
    let mut x = x.xor(key(0));
    for round in 1..const { rounds(KEY) } {
        x = x.aes_enc(key(round));
    }
    x.aes_enc_last(key(const { rounds(KEY) }).xor(data))
}

#[target_feature(enable = "avx512f,avx512vl,avx512bw,aes,vaes,vpclmulqdq,pclmulqdq,ssse3")]
fn entry<const KEY: usize>(
    token: Avx512,
    keys: &RoundKeys,
    nonce: u128,
    aad: &[u8],
    mut data: InOutBuf<'_, '_, u8>,
    given: Option<u128>,
    tag: &mut Block,
) {
    // The derived keys are the first halves of encrypted blocks. Each of these blocks contains
    // its number, little-endian, and then the nonce.
    let first = counters(U8x16::from_u128(nonce << 32));
    let zero = U8x64::zero();
    let [a, b, c, d] = encrypted::<KEY>(keys, first, zero).blocks();
    let high = if KEY == 16 {
        U8x16::zero()
    } else {
        let four = U8x64::splat(U8x16::from_u128(4));
        let [a, b, ..] = encrypted::<KEY>(keys, first.add_u32(four), zero).blocks();
        a.low_halves(if KEY == 24 { U8x16::zero() } else { b })
    };
    let (h, low) = (a.low_halves(b), c.low_halves(d));
    let mut powers = [0; 11];
    let powers_4 = powers_of(h, &mut powers);
    let mut derived = [0; 15];
    aesni::forwards::<KEY>(low, high, &mut derived);

    if let Some(given) = given {
        counter_mode::<KEY>(token, &derived, given, data.reborrow());
    }
    let plaintext = match given {
        Some(_) => &*data.get_out(),
        None => data.get_in(),
    };
    let sum = hash(&powers, powers_4, aad, plaintext).to_u128();
    let masked = (sum ^ nonce) & !(1 << 127);
    let whole = single::<KEY>(&derived, U8x16::from_u128(masked));
    if given.is_none() {
        counter_mode::<KEY>(token, &derived, whole.to_u128(), data);
    }
    whole.store(tag);
    wipe(&mut powers, 0);
    wipe(&mut derived, 0);
}

/// Computes POLYVAL of the associated data, of the data and of their lengths. `powers_4` has
/// the powers H⁴ to H¹ of the hash key.
#[inline]
#[target_feature(enable = "avx512f,avx512vl,avx512bw,vpclmulqdq,pclmulqdq,ssse3")]
fn hash(powers: &Powers, powers_4: U8x64, aad: &[u8], data: &[u8]) -> U8x16 {
    let lengths = ((data.len() as u128 * 8) << 64) | (aad.len() as u128 * 8);
    let lengths = U8x16::from_u128(lengths);
    let mut sum = Sum::zero();
    // If associated data, data and the lengths fit into one register, one product is enough.
    if aad.len() <= 48 && data.len() <= 48 && blocks(aad.len()) + blocks(data.len()) <= 3 {
        // The address of an empty slice may lie in no page of memory. A masked load of zero bytes
        // from such an address takes 70 ns on Zen 5.
        let load = |bytes: &[u8]| match bytes {
            [] => U8x64::zero(),
            _ => U8x64::load_bytes(bytes),
        };
        let n = blocks(data.len());
        let end = load(data).with(n, lengths).to_the_end(n + 1);
        let begin = load(aad).to_the_end(blocks(aad.len()) + n + 1);
        sum.add(begin.xor(end), powers_4);
        return sum.fold();
    }
    let turn = U8x64::splat(clmul::turn(false));
    let mut before = U8x16::zero();
    if !aad.is_empty() {
        let steps = Steps::new(powers, aad.len());
        let pending = absorb::<false>(|n| steps.factor(n), turn, before, aad);
        let mut sum = Sum::zero();
        sum.add(pending, powers_4);
        before = sum.fold();
    }
    let mut last = lengths;
    if data.is_empty() {
        last = last.xor(before);
    } else {
        let steps = Steps::new(powers, data.len());
        let pending = absorb::<false>(|n| steps.factor(n), turn, before, data);
        sum.add(pending, four(powers, 5));
    }
    sum.add(U8x64::from_block(last), four(powers, 1));
    sum.fold()
}

#[inline]
#[target_feature(enable = "avx512f,avx512vl,avx512bw,vaes")]
fn counter_mode<const KEY: usize>(
    token: Avx512,
    keys: &RoundKeys,
    tag: u128,
    data: InOutBuf<'_, '_, u8>,
) {
    let counter = tag | 1 << 127;
    let (registers, mut rest) = {
        let n = data.len() / 64 * 64;
        data.split_at(n)
    };
    let (registers, _) = Block::split(registers);
    let after = U8x16::from_u128(registers.len() as u128 & u128::from(u32::MAX));
    if !registers.is_empty() {
        vaes512::ctr_le32::<KEY>(token, keys, counter, registers);
    }
    if !rest.is_empty() {
        let x = counters(U8x16::from_u128(counter)).add_u32(U8x64::splat(after));
        let x = encrypted::<KEY>(keys, x, U8x64::load_bytes(rest.get_in()));
        x.store_bytes(rest.get_out());
    }
}
