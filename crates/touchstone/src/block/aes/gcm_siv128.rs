//! GCM-SIV with AES-NI and PCLMULQDQ, for one whole message in each call. Each step of the mode
//! passes its result to the next step in a register. Where it must use memory, the next step
//! loads values of the same size as the step before stored, because other loads would wait for
//! the stores ([`gcm_siv512`](super::gcm_siv512)). The widest kernel of the machine computes
//! counter mode on whole blocks.
#![allow(unsafe_code)]

use super::gcm128::single;
use super::{Block, RoundKeys, aesni, rounds};
use crate::cipher::Block as _;
use crate::cpu::{Aes, Clmul};
use crate::fuse::gcm_message::SivMessage;
use crate::ghash::Powers;
use crate::ghash::clmul::{dot, powers_of};
use crate::simd::U8x16;
use crate::wipe::wipe;
use inout::InOutBuf;

/// Computes GCM-SIV on a whole message. `ctr` is the function
/// [`ctr_le32`](super::aesni::ctr_le32) of the kernel that computes counter mode, and `hash` that of a
/// kernel of POLYVAL, which takes the hash of the data before.
pub(super) fn whole<const KEY: usize>(
    _: Aes,
    _: Clmul,
    keys: &RoundKeys,
    message: &mut SivMessage<'_, '_, '_>,
    tag: &mut Block,
    ctr: impl Fn(&RoundKeys, u128, InOutBuf<'_, '_, Block>),
    hash: impl Fn(&Powers, u128, &[u8]) -> u128,
) {
    let (nonce, aad, given) = (message.nonce, message.aad, message.given);
    let mut data = message.data.reborrow();
    let mut derived = [0; 15];
    // SAFETY: the tokens prove every feature that `derive`, `end` and `authenticate`
    // name.
    let h = unsafe { derive::<KEY>(keys, nonce, &mut derived) };
    let counter_mode = |tag: u128, data: InOutBuf<'_, '_, u8>| {
        let counter = tag | 1 << 127;
        let (blocks, rest) = Block::split(data);
        let after = u128::from((counter as u32).wrapping_add(blocks.len() as u32));
        if !blocks.is_empty() {
            ctr(&derived, counter, blocks);
        }
        if !rest.is_empty() {
            // SAFETY: the tokens prove every feature that `end` names.
            unsafe { end::<KEY>(&derived, counter >> 32 << 32 | after, rest) }
        }
    };
    let whole = match given {
        Some(given) => {
            counter_mode(given, data.reborrow());
            // SAFETY: the tokens prove every feature that `authenticate` names.
            unsafe { authenticate::<KEY>(&derived, h, nonce, aad, data.get_out(), hash) }
        }
        None => {
            // SAFETY: the tokens prove every feature that `authenticate` names.
            let whole =
                unsafe { authenticate::<KEY>(&derived, h, nonce, aad, data.get_in(), hash) };
            counter_mode(whole.to_u128(), data);
            whole
        }
    };
    whole.store(tag);
    wipe(&mut derived, 0);
}

/// Derives the hash key H and the round keys of the encryption key for a nonce. The derived
/// keys are the first halves of encrypted blocks. Each of these blocks contains its number,
/// little-endian, and then the nonce.
#[target_feature(enable = "aes,ssse3")]
fn derive<const KEY: usize>(keys: &RoundKeys, nonce: u128, derived: &mut RoundKeys) -> U8x16 {
    let mut x = [0, 1, 2, 3, 4, 5].map(|i| U8x16::from_u128(nonce << 32 | i));
    for x in &mut x {
        *x = x.xor(U8x16::from_u128(keys[0]));
    }
    for key in &keys[1..const { rounds(KEY) }] {
        let key = U8x16::from_u128(*key);
        for x in &mut x {
            *x = x.aes_enc(key);
        }
    }
    let last = U8x16::from_u128(keys[const { rounds(KEY) }]);
    let [a, b, c, d, e, f] = x.map(|x| x.aes_enc_last(last));
    let f = if KEY == 24 { U8x16::zero() } else { f };
    aesni::forwards::<KEY>(c.low_halves(d), e.low_halves(f), derived);
    a.low_halves(b)
}

/// The bytes of associated data and data, up to which one product after the other takes less time than
/// the powers of the hash key.
const FEW: usize = 64;

/// Computes the tag of a message: hashes the message and encrypts the hash.
#[target_feature(enable = "aes,pclmulqdq,ssse3")]
fn authenticate<const KEY: usize>(
    keys: &RoundKeys,
    h: U8x16,
    nonce: u128,
    aad: &[u8],
    data: &[u8],
    hash: impl Fn(&Powers, u128, &[u8]) -> u128,
) -> U8x16 {
    let sum = if aad.len() + data.len() <= FEW {
        each_block(each_block(U8x16::zero(), h, aad), h, data)
    } else {
        let mut powers = [0; 11];
        powers_of(h, &mut powers);
        let sum = hash(&powers, hash(&powers, 0, aad), data);
        wipe(&mut powers, 0);
        U8x16::from_u128(sum)
    };
    let lengths = ((data.len() as u128 * 8) << 64) | (aad.len() as u128 * 8);
    let sum = dot(sum.xor(U8x16::from_u128(lengths)), h).to_u128();
    single::<KEY>(keys, U8x16::from_u128((sum ^ nonce) & !(1 << 127)))
}

/// Hashes the blocks one after the other. `sum` is the hash of the data before.
#[inline]
#[target_feature(enable = "pclmulqdq,ssse3")]
fn each_block(mut sum: U8x16, h: U8x16, data: &[u8]) -> U8x16 {
    let (whole, last) = data.as_chunks();
    for block in whole {
        sum = dot(sum.xor(U8x16::load(block)), h);
    }
    if !last.is_empty() {
        sum = dot(sum.xor(U8x16::load_bytes(last)), h);
    }
    sum
}

/// Computes counter mode on less than one block.
#[target_feature(enable = "aes")]
fn end<const KEY: usize>(keys: &RoundKeys, counter: u128, mut data: InOutBuf<'_, '_, u8>) {
    let mut keystream = [0; 16];
    single::<KEY>(keys, U8x16::from_u128(counter)).store(&mut keystream);
    let n = data.len();
    data.xor_in2out(&keystream[..n]);
    wipe(&mut keystream, 0);
}
