//! DES by AVX2: 256 blocks at once ([`bitslice`](super::bitslice)).
#![allow(unsafe_code)]

use super::binary::{COMPLEMENTS, boxes};
use super::bitslice::{bit_steps, bitslice, crypt};
use super::crypt::Salts;
use crate::cpu::Avx2;
use crate::simd::U64x4;

boxes!(U64x4, "avx2");
bit_steps!(U64x4, "avx2");
bitslice!(U64x4, 4 words, "avx2"; step exchange_bits, exchange_bits, Bit; exact false);
crypt!(U64x4, "avx2");

pub(super) fn cipher<const WHAT: u8, const PASSES: usize>(
    _: Avx2,
    keys: &Keys<PASSES>,
    backwards: bool,
    state: &mut Block,
    blocks: InOutBuf<'_, '_, Block>,
) {
    // SAFETY: the token proves AVX2.
    unsafe { each_group::<WHAT, PASSES>(keys, backwards, state, blocks) }
}

pub(super) fn crypt(_: Avx2, keys: &[Block], salts: Salts<'_>, count: u32, output: &mut [Block]) {
    // SAFETY: the token proves AVX2.
    unsafe { each_key(keys, salts, count, output) }
}
