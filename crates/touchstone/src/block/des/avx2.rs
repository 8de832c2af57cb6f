//! DES by AVX2: 256 blocks at once ([`bitslice`](super::bitslice)).
#![allow(unsafe_code)]

use inout::InOutBuf;

use super::binary::{COMPLEMENTS, boxes};
use super::bitslice::{bit_steps, bitslice};
use super::{Keys, masks};
use crate::cpu::Avx2;
use crate::simd::U64x4;

boxes!(U64x4, "avx2");
bit_steps!(U64x4, "avx2");
bitslice!(U64x4, 4 words, "avx2"; step exchange_bits, exchange_bits, Bit; exact false);

pub(super) fn cipher<const PASSES: usize>(
    _: Avx2,
    keys: &Keys<PASSES>,
    backwards: bool,
    blocks: InOutBuf<'_, '_, Block>,
) {
    let mut passes = masks(keys, backwards, &COMPLEMENTS);
    // SAFETY: the token proves AVX2.
    unsafe { each_block(&passes, blocks) }
    wipe(&mut passes, [[0; 48]; 16]);
}
