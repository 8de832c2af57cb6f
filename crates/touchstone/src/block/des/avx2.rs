//! DES with AVX2: 256 blocks at once ([`bitslice`](super::bitslice)).
#![allow(unsafe_code)]

use super::binary::{COMPLEMENTED, boxes};
use super::bitslice::{bit_steps, bitslice, crypt, lane_keys, rounds};
use super::salts::Salts;
use super::table::{Tables, salt_each};
use super::{SINGLY, single, sum};
use crate::cpu::Avx2;
use crate::simd::U64x4;
use crate::wipe;

bit_steps!(U64x4, "avx2");
bitslice!(U64x4, 4 words, "avx2"; step exchange_bits, exchange_bits, Bit);
rounds!(U64x4, "avx2");
lane_keys!(U64x4, "avx2");
crypt!(U64x4, "avx2");

/// Splits the blocks of a call into two parts: first the blocks that fill or nearly fill
/// groups, then the few last blocks, which are computed one after the other.
fn split<'i, 'o>(
    blocks: InOutBuf<'i, 'o, Block>,
) -> (InOutBuf<'i, 'o, Block>, InOutBuf<'i, 'o, Block>) {
    let rest = blocks.len() % LANES;
    let few = if rest <= SINGLY { rest } else { 0 };
    let groups = blocks.len() - few;
    blocks.split_at(groups)
}

pub(super) fn cipher<const WHAT: u8, const PASSES: usize>(
    _: Avx2,
    keys: &Keys<PASSES>,
    backwards: bool,
    state: &mut Block,
    blocks: InOutBuf<'_, '_, Block>,
) {
    let (groups, rest) = split(blocks);
    if !groups.is_empty() {
        // SAFETY: the token proves AVX2.
        wipe::after_moves::<Kept<PASSES>, _>(2, || unsafe {
            each_group::<WHAT, PASSES>(keys, backwards, state, groups);
        });
    }
    single::cipher::<WHAT, PASSES>(keys, backwards, state, rest);
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

pub(super) fn salted_tables(_: Avx2, mask: u64) -> Tables {
    #[target_feature(enable = "avx2")]
    fn wide(mask: u64) -> Tables {
        salt_each(mask)
    }
    // SAFETY: the token proves AVX2.
    unsafe { wide(mask) }
}
