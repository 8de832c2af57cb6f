//! DES with AVX-512: 512 blocks at once ([`bitslice`](super::bitslice)). The circuits of the
//! S-boxes are made of `vpternlog` instructions, each of which computes any function of three
//! bits.
//!
//! A transposition from blocks to bit planes first exchanges bytes of registers. Then
//! `vgf2p8affineqb` treats each 64-bit number as a matrix of 8 × 8 bits and rotates this matrix
//! by 90 degrees. If the bytes of the number are in reverse order, this rotation equals a
//! transposition. The reverse order costs no instruction, because the code only names the
//! registers in reverse order.
#![allow(unsafe_code)]

mod lookup;
mod rounds;

use self::rounds::{Pass, prepare, rounds};
use super::bitslice::{bitslice, crypt, lane_keys};
use super::salts::Salts;
use super::ternary::boxes;
use super::{E, P_INVERSE, selection};
use crate::cpu::Avx512;
use crate::simd::U64x8;
use crate::wipe;
use core::arch::x86_64::{_mm512_bitshuffle_epi64_mask, _mm512_loadu_epi8, _mm512_set1_epi64};

bitslice!(
    U64x8, 8 words, "avx512f,avx512bw,avx512dq,avx512vbmi2,gfni";
    step bytes_then_bits, bits_then_bytes, Byte
);
lane_keys!(U64x8, "avx512f,avx512bw,avx512dq,avx512vbmi2,gfni");
crypt!(U64x8, "avx512f,avx512bw,avx512dq,avx512vbmi2,gfni");

/// The ternary circuits of the S-boxes take no input complemented.
const COMPLEMENTED: [u8; 8] = [0; 8];

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vbmi2,gfni")]
fn bytes_then_bits(x: &mut [U64x8; 8]) {
    x.reverse();
    exchange_bytes(x);
    for x in x {
        *x = x.turn_bits();
    }
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vbmi2,gfni")]
fn bits_then_bytes(x: &mut [U64x8; 8]) {
    for x in &mut *x {
        *x = x.turn_bits();
    }
    exchange_bytes(x);
}

/// The largest number of blocks that are faster as single blocks than as a group of 64.
const ALONE: usize = 2;

/// The smallest number of blocks that are faster as a group of 512 than as groups of 64.
const FEW: usize = 448;

pub(super) fn cipher<const WHAT: u8, const PASSES: usize>(
    _: Avx512,
    keys: &Keys<PASSES>,
    backwards: bool,
    state: &mut Block,
    blocks: InOutBuf<'_, '_, Block>,
) {
    if WHAT == ECB && blocks.len() <= ALONE {
        for mut block in blocks {
            // SAFETY: the token proves AVX-512 with VBMI, and GFNI.
            let output = unsafe { lookup::alone(keys, backwards, block.get_in()) };
            *block.get_out() = output;
        }
        return;
    }
    let rest = blocks.len() % LANES;
    let (groups, rest) = if rest < FEW {
        let whole = blocks.len() - rest;
        blocks.split_at(whole)
    } else {
        let all = blocks.len();
        blocks.split_at(all)
    };
    if !groups.is_empty() {
        // SAFETY: the token proves AVX-512 and GFNI.
        wipe::after_moves::<Kept<PASSES>, _>(2, || unsafe {
            each_group::<WHAT, PASSES>(keys, backwards, state, groups);
        });
    }
    // SAFETY: the token proves AVX-512 with VBMI, and GFNI.
    unsafe { lookup::each_group::<WHAT, PASSES>(keys, backwards, state, rest) }
}

/// Encrypts in the mode CBC, one block after the other.
pub(super) fn cbc_encrypt<const PASSES: usize>(
    _: Avx512,
    keys: &Keys<PASSES>,
    chain: &mut Block,
    blocks: InOutBuf<'_, '_, Block>,
) {
    // SAFETY: the token proves AVX-512 with VBMI, and GFNI.
    unsafe { lookup::cbc_encrypt(keys, chain, blocks) }
}

pub(super) fn crypt(_: Avx512, keys: &[Block], salts: Salts<'_>, count: u32, output: &mut [Block]) {
    // SAFETY: the token proves AVX-512 and GFNI.
    unsafe { each_key(keys, salts, count, output) }
}

/// For each bit of each round key, the number of the key bit that is copied to it.
static SELECTION: [[u8; 64]; 16] = selection();

/// Computes the key schedule. One instruction `vpshufbitqmb`, which selects any 64 bits of a
/// number, computes each round key.
pub(super) fn schedule(_: Avx512, key: &Block) -> [u64; 16] {
    #[target_feature(enable = "avx512f,avx512bw,avx512bitalg")]
    fn select(key: &Block) -> [u64; 16] {
        let key = _mm512_set1_epi64(i64::from_le_bytes(*key));
        SELECTION.each_ref().map(|selection| {
            // SAFETY: the reference covers 64 bytes, and the load needs no alignment.
            let selection = unsafe { _mm512_loadu_epi8(selection.as_ptr().cast()) };
            _mm512_bitshuffle_epi64_mask(key, selection) & 0x3f3f_3f3f_3f3f_3f3f
        })
    }
    // SAFETY: the token proves AVX-512 with BITALG.
    unsafe { select(key) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::block::des::tests::{input, output};

    #[test]
    fn the_circuits_are_the_s_boxes() {
        if Avx512::detect().is_none() {
            return;
        }
        // SAFETY: the caller detected the features.
        let boxes = unsafe { all() };
        for (from, given) in boxes.into_iter().enumerate() {
            assert_eq!(given, core::array::from_fn(|i| output(from, i)));
        }
    }

    /// Computes the outputs of all S-boxes by their circuits, for the lanes of [`input`].
    #[target_feature(enable = "avx512f")]
    fn all() -> [[u64; 4]; 8] {
        let mut x = [U64x8::zero(); 6];
        for i in 0..6 {
            x[i] = U64x8::splat(input(i));
        }
        let mut outputs = [[0; 4]; 8];
        macro_rules! input {
            ($s:literal, $i:literal) => {
                x[$i]
            };
        }
        macro_rules! add {
            ($s:literal, $i:literal, $y:ident) => {
                let mut numbers = [[0; 8]; 8];
                $y.store(&mut numbers);
                outputs[$s][$i] = u64::from_le_bytes(numbers[7]);
            };
        }
        boxes!(input, add);
        outputs
    }
}
