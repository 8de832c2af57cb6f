//! GCM with AES-NI and PCLMULQDQ. The loop encrypts eight counter blocks at once. Between the
//! rounds of this encryption, it hashes eight blocks of ciphertext. In decryption these are the
//! same eight blocks of the message, in encryption the eight blocks before.
//!
//! A short message has a function of its own. It hashes all blocks with one reduction, and keeps
//! everything in registers, so that less of the stack has to be overwritten afterwards.
#![allow(unsafe_code)]

use super::{Block, RoundKeys, rounds};
use crate::buffer;
use crate::cpu::{Aes, Clmul};
use crate::fuse::gcm_message::Message;
use crate::ghash::Powers;
use crate::ghash::clmul::{Sum, entry as update, turn};
use crate::simd::U8x16;
use inout::InOutBuf;

#[inline(always)]
pub(super) fn whole<const KEY: usize>(
    _: Aes,
    _: Clmul,
    keys: &RoundKeys,
    message: Message<'_, '_, '_>,
    tag: &mut Block,
) {
    let (powers, first, aad) = (&message.point.powers, message.first, message.aad);
    let data = message.data.buffer();
    // SAFETY: the tokens prove every feature that `entry` names.
    unsafe {
        match (hashed(aad, &data) <= 8, message.backwards) {
            (true, true) => short::<KEY, true>(keys, powers, first, aad, data, tag),
            (true, false) => short::<KEY, false>(keys, powers, first, aad, data, tag),
            (false, true) => entry::<KEY, true>(keys, powers, first, aad, data, tag),
            (false, false) => entry::<KEY, false>(keys, powers, first, aad, data, tag),
        }
    }
}

/// Returns the number of blocks that GHASH takes for a message, with the block of lengths.
#[inline(always)]
fn hashed(aad: &[u8], data: &InOutBuf<'_, '_, u8>) -> usize {
    aad.len().div_ceil(16) + data.len().div_ceil(16) + 1
}

/// Returns the last block of GHASH, which has the lengths in bits.
#[inline(always)]
fn lengths(aad: &[u8], data: &InOutBuf<'_, '_, u8>) -> U8x16 {
    U8x16::from_u128(((aad.len() as u128 * 8) << 64) | (data.len() as u128 * 8))
}

/// Processes a message for which GHASH takes at most eight blocks, as many as there are powers.
#[target_feature(enable = "aes,pclmulqdq,ssse3")]
fn short<const KEY: usize, const BACKWARDS: bool>(
    keys: &RoundKeys,
    powers: &Powers,
    first: u128,
    aad: &[u8],
    data: InOutBuf<'_, '_, u8>,
    tag: &mut Block,
) {
    let turn = turn(true);
    let one = U8x16::from_u128(1);
    let mut product = Sum::zero();
    let mut powers = powers[8usize.saturating_sub(hashed(aad, &data))..8].iter();
    let lengths = lengths(aad, &data);
    let mut power = || U8x16::from_u128(powers.next().copied().unwrap_or_default());
    if !aad.is_empty() {
        let (blocks, last) = aad.as_chunks();
        for block in blocks {
            product.add(U8x16::load(block).shuffle(turn), power());
        }
        if !last.is_empty() {
            product.add(U8x16::load_bytes(last).shuffle(turn), power());
        }
    }
    let first = U8x16::from_u128(first);
    let mask = single::<KEY>(keys, first);
    let mut counter = first.shuffle(turn);
    let (blocks, mut last) = buffer::chunks::<u8, 16>(data);
    for mut block in blocks {
        counter = counter.add_u32(one);
        let input = U8x16::load(block.get_in());
        let output = single::<KEY>(keys, counter.shuffle(turn)).xor(input);
        output.store(block.get_out());
        let hashed = if BACKWARDS { input } else { output };
        product.add(hashed.shuffle(turn), power());
    }
    if !last.is_empty() {
        let mut keystream = [0; 16];
        let next = counter.add_u32(one).shuffle(turn);
        single::<KEY>(keys, next).store(&mut keystream);
        let input = U8x16::load_bytes(last.get_in());
        last.xor_in2out(&keystream[..last.len()]);
        let hashed = if BACKWARDS {
            input
        } else {
            U8x16::load_bytes(last.get_out())
        };
        product.add(hashed.shuffle(turn), power());
    }
    product.add(lengths, power());
    product.reduce().shuffle(turn).xor(mask).store(tag);
}

#[inline(always)]
fn key(keys: &RoundKeys, round: usize) -> U8x16 {
    U8x16::from_u128(keys[round])
}

/// Encrypts or decrypts eight blocks. If `HASH` is true, also hashes eight blocks of ciphertext
/// into `sum`: the input blocks if `OWN` is true, or else the blocks of `before`.
#[inline]
#[target_feature(enable = "aes,pclmulqdq,ssse3")]
fn eight<const KEY: usize, const OWN: bool, const HASH: bool>(
    keys: &RoundKeys,
    powers: &Powers,
    counter: &mut U8x16,
    sum: &mut U8x16,
    data: &[Block; 8],
    before: &[Block; 8],
) -> [U8x16; 8] {
    let turn = turn(true);
    let one = U8x16::from_u128(1);
    let mut x = [U8x16::zero(); 8];
    for x in &mut x {
        *x = counter.shuffle(turn).xor(key(keys, 0));
        *counter = counter.add_u32(one);
    }
    let hashed = if OWN { data } else { before };
    let mut product = Sum::zero();
    for round in 1..const { rounds(KEY) } {
        let key = key(keys, round);
        for x in &mut x {
            *x = x.aes_enc(key);
        }
        if HASH && round <= 8 {
            let mut block = U8x16::load(&hashed[round - 1]).shuffle(turn);
            if round == 1 {
                block = block.xor(*sum);
            }
            product.add(block, U8x16::from_u128(powers[round - 1]));
        }
    }
    let last = key(keys, const { rounds(KEY) });
    for i in 0..8 {
        x[i] = x[i].aes_enc_last(last.xor(U8x16::load(&data[i])));
    }
    if HASH {
        *sum = product.reduce();
    }
    x
}

/// Encrypts one block with AES.
#[inline]
#[target_feature(enable = "aes")]
pub(super) fn single<const KEY: usize>(keys: &RoundKeys, block: U8x16) -> U8x16 {
    let mut x = block.xor(key(keys, 0));
    for round in 1..const { rounds(KEY) } {
        x = x.aes_enc(key(keys, round));
    }
    x.aes_enc_last(key(keys, const { rounds(KEY) }))
}

#[target_feature(enable = "aes,pclmulqdq,ssse3")]
fn entry<const KEY: usize, const BACKWARDS: bool>(
    keys: &RoundKeys,
    powers: &Powers,
    first: u128,
    aad: &[u8],
    data: InOutBuf<'_, '_, u8>,
    tag: &mut Block,
) {
    let turn = turn(true);
    let one = U8x16::from_u128(1);
    let lengths = lengths(aad, &data);
    let first = U8x16::from_u128(first);
    let mask = single::<KEY>(keys, first);
    let mut counter = first.shuffle(turn).add_u32(one);
    let mut sum = update(powers, true, U8x16::zero(), aad);

    let (groups, mut rest) = {
        let n = data.len() / 128 * 128;
        data.split_at(n)
    };
    let (blocks, _) = buffer::chunks::<u8, 16>(groups);
    let (groups, _) = buffer::chunks::<Block, 8>(blocks);
    let mut before = None;
    for mut group in groups {
        let data = group.get_in();
        let x = match &before {
            _ if BACKWARDS => {
                eight::<KEY, true, true>(keys, powers, &mut counter, &mut sum, data, data)
            }
            Some(before) => {
                eight::<KEY, false, true>(keys, powers, &mut counter, &mut sum, data, before)
            }
            None => eight::<KEY, true, false>(keys, powers, &mut counter, &mut sum, data, data),
        };
        let mut made = [[0; 16]; 8];
        for i in 0..8 {
            x[i].store(&mut made[i]);
        }
        *group.get_out() = made;
        before = Some(made);
    }
    if let (false, Some(before)) = (BACKWARDS, before) {
        sum = update(powers, true, sum, before.as_flattened());
    }

    // Fewer than eight blocks remain at the end of the message.
    if BACKWARDS {
        sum = update(powers, true, sum, rest.get_in());
    }
    let (blocks, mut last) = buffer::chunks::<u8, 16>(rest.reborrow());
    for mut block in blocks {
        let keystream = single::<KEY>(keys, counter.shuffle(turn));
        counter = counter.add_u32(one);
        let x = U8x16::load(block.get_in()).xor(keystream);
        x.store(block.get_out());
    }
    if !last.is_empty() {
        let mut keystream = [0; 16];
        single::<KEY>(keys, counter.shuffle(turn)).store(&mut keystream);
        last.xor_in2out(&keystream[..last.len()]);
    }
    if !BACKWARDS {
        sum = update(powers, true, sum, rest.get_out());
    }

    let sum = sum.xor(lengths);
    let mut product = Sum::zero();
    product.add(sum, U8x16::from_u128(powers[7]));
    product.reduce().shuffle(turn).xor(mask).store(tag);
}
