//! DES with AVX2: 256 blocks at once ([`bitslice`](super::bitslice)), 32 ([`shuffle`]), or a few
//! ([`bytes`]).
#![allow(unsafe_code)]

use super::binary::{COMPLEMENTED, boxes};
use super::bitslice::{bit_steps, bitslice, crypt, lane_keys, rounds};
use super::salts::Salts;
use super::table::{Tables, salt_each};
use super::{bytes, shuffle, sum};
use crate::cpu::Avx2;
use crate::simd::U64x4;
use crate::wipe;

bit_steps!(U64x4, "avx2");
bitslice!(U64x4, 4 words, "avx2"; step exchange_bits, exchange_bits, Bit);
rounds!(U64x4, "avx2");
lane_keys!(U64x4, "avx2");
crypt!(U64x4, "avx2");

/// The largest number of blocks that are faster as groups of 32 than as a group of 256.
const FEW: usize = 96;

/// The largest number of blocks that are faster side by side than as a group of 32.
const SIDE_BY_SIDE: usize = 5;

pub(super) fn cipher<const WHAT: u8, const PASSES: usize>(
    _: Avx2,
    keys: &Keys<PASSES>,
    backwards: bool,
    state: &mut Block,
    blocks: InOutBuf<'_, '_, Block>,
) {
    let rest = blocks.len() % LANES;
    let few = if rest <= FEW { rest } else { 0 };
    let groups = blocks.len() - few;
    let (groups, few) = blocks.split_at(groups);
    if !groups.is_empty() {
        // SAFETY: the token proves AVX2.
        wipe::after_moves::<Kept<PASSES>, _>(2, || unsafe {
            each_group::<WHAT, PASSES>(keys, backwards, state, groups);
        });
    }
    // So few blocks take less time side by side in registers of their own.
    let last = few.len() % shuffle::LANES;
    let groups = few.len() - if last <= SIDE_BY_SIDE { last } else { 0 };
    let (groups, last) = few.split_at(groups);
    // SAFETY: the token proves AVX2.
    unsafe {
        if !groups.is_empty() {
            shuffle::each_group::<WHAT, PASSES>(keys, backwards, state, groups);
        }
        if backwards {
            bytes::few::<WHAT, true>(keys, state, last);
        } else {
            bytes::few::<WHAT, false>(keys, state, last);
        }
    }
}

/// Encrypts in a serial mode, one block after the other.
pub(super) fn serial<const MODE: u8, const PASSES: usize>(
    _: Avx2,
    keys: &Keys<PASSES>,
    chain: &mut Block,
    blocks: InOutBuf<'_, '_, Block>,
) {
    // SAFETY: the token proves AVX2.
    unsafe { bytes::serial::<MODE>(keys, chain, blocks) }
}

/// Computes CBC-MAC.
pub(super) fn absorb<const PASSES: usize>(
    _: Avx2,
    keys: &Keys<PASSES>,
    chain: &mut Block,
    blocks: &[Block],
) {
    // SAFETY: the token proves AVX2.
    unsafe { bytes::absorb(keys, chain, blocks) }
}

pub(super) fn crypt(_: Avx2, keys: &[Block], salts: Salts<'_>, count: u32, output: &mut [Block]) {
    // SAFETY: the token proves AVX2.
    unsafe { each_key(keys, salts, count, output) }
}

pub(super) fn schedule(_: Avx2, key: &Block) -> [u64; 16] {
    #[target_feature(enable = "avx2")]
    fn wide(key: &Block) -> [u64; 16] {
        sum(key)
    }
    // SAFETY: the token proves AVX2.
    unsafe { wide(key) }
}

/// Computes the round keys as this kernel keeps them: with the bits that [`bytes`] adds.
pub(super) fn outer_schedule(_: Avx2, key: &Block) -> [u64; 16] {
    #[target_feature(enable = "avx2")]
    fn wide(key: &Block) -> [u64; 16] {
        sum(key).map(bytes::with_outer)
    }
    // SAFETY: the token proves AVX2.
    unsafe { wide(key) }
}

pub(super) fn salted_tables(_: Avx2, mask: u64) -> Tables {
    #[target_feature(enable = "avx2")]
    fn wide(mask: u64) -> Tables {
        salt_each(mask)
    }
    // SAFETY: the token proves AVX2.
    unsafe { wide(mask) }
}
