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

/// Makes a matrix for each S-box.
macro_rules! matrices {
    (|$d:ident| $matrix:expr) => {{
        let mut matrices = [0; 8];
        let mut $d = 0;
        while $d < 8 {
            matrices[$d] = $matrix;
            $d += 1;
        }
        matrices
    }};
}

/// Writes code once for each way in which [`pairs`] looks up S-boxes, and runs the faster one.
macro_rules! lookups {
    ($token:ident, |$IN_PAIRS:ident| $work:expr) => {{
        // SAFETY: the token proves AVX-512 with VBMI, and GFNI.
        unsafe {
            if $token.permutes_two_registers_quickly() {
                const $IN_PAIRS: bool = true;
                $work
            } else {
                const $IN_PAIRS: bool = false;
                $work
            }
        }
    }};
}

mod lookup;
mod pairs;
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

/// The smallest number of blocks that are faster as a group of 512 than as groups of 64.
const FEW: usize = 448;

pub(super) fn cipher<const WHAT: u8, const PASSES: usize>(
    token: Avx512,
    keys: &Keys<PASSES>,
    backwards: bool,
    state: &mut Block,
    blocks: InOutBuf<'_, '_, Block>,
) {
    let rest = blocks.len() % LANES;
    let (groups, rest) = if rest < FEW {
        let whole = blocks.len() - rest;
        blocks.split_at(whole)
    } else {
        let all = blocks.len();
        blocks.split_at(all)
    };
    if !groups.is_empty() {
        // SAFETY: the token proves AVX-512 with VBMI, and GFNI.
        let mut keys = unsafe { pairs::put_back(keys, &pairs::KEYS_NATURAL) };
        // SAFETY: the token proves AVX-512 and GFNI.
        wipe::after_moves::<Kept<PASSES>, _>(2, || unsafe {
            each_group::<WHAT, PASSES>(&keys, backwards, state, groups);
        });
        wipe::wipe(keys.as_flattened_mut(), 0);
    }
    let last = rest.len() % lookup::LANES;
    let (groups, last) = if last <= pairs::MOST {
        let whole = rest.len() - last;
        rest.split_at(whole)
    } else {
        let all = rest.len();
        rest.split_at(all)
    };
    if !groups.is_empty() {
        // SAFETY: the token proves AVX-512 with VBMI, and GFNI.
        unsafe {
            let mut keys = pairs::put_back(keys, &pairs::KEYS_PLACED);
            lookup::each_group::<WHAT, PASSES>(&keys, backwards, state, groups);
            wipe::wipe(keys.as_flattened_mut(), 0);
        }
    }
    if !last.is_empty() {
        lookups!(token, |IN_PAIRS| match (last.len(), backwards) {
            (..=8, false) => pairs::few::<IN_PAIRS, WHAT, false, 1>(keys, state, last),
            (..=8, true) => pairs::few::<IN_PAIRS, WHAT, true, 1>(keys, state, last),
            (_, false) => pairs::few::<IN_PAIRS, WHAT, false, 2>(keys, state, last),
            (_, true) => pairs::few::<IN_PAIRS, WHAT, true, 2>(keys, state, last),
        });
    }
}

/// Encrypts in a serial mode, one block after the other.
pub(super) fn serial<const MODE: u8, const PASSES: usize>(
    token: Avx512,
    keys: &Keys<PASSES>,
    chain: &mut Block,
    blocks: InOutBuf<'_, '_, Block>,
) {
    lookups!(token, |IN_PAIRS| pairs::serial::<IN_PAIRS, MODE>(
        keys, chain, blocks
    ));
}

/// Computes CBC-MAC.
pub(super) fn absorb<const PASSES: usize>(
    token: Avx512,
    keys: &Keys<PASSES>,
    chain: &mut Block,
    blocks: &[Block],
) {
    lookups!(token, |IN_PAIRS| pairs::absorb::<IN_PAIRS>(
        keys, chain, blocks
    ));
}

pub(super) fn crypt(_: Avx512, keys: &[Block], salts: Salts<'_>, count: u32, output: &mut [Block]) {
    // SAFETY: the token proves AVX-512 and GFNI.
    unsafe { each_key(keys, salts, count, output) }
}

/// For each bit of each round key, the number of the key bit that is copied to it.
static SELECTION: [[u8; 64]; 16] = selection(&[NATURAL; 8]);

/// The positions of the six inputs in a byte of a round key.
const NATURAL: [usize; 6] = [5, 4, 3, 2, 1, 0];

/// Computes a key schedule. One instruction `vpshufbitqmb`, which selects any 64 bits of a
/// number, computes each round key.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512bitalg")]
fn select(key: &Block) -> [u64; 16] {
    let key = _mm512_set1_epi64(i64::from_le_bytes(*key));
    SELECTION.each_ref().map(|selection| {
        // SAFETY: the reference covers 64 bytes, and the load needs no alignment.
        let selection = unsafe { _mm512_loadu_epi8(selection.as_ptr().cast()) };
        _mm512_bitshuffle_epi64_mask(key, selection) & 0x3f3f_3f3f_3f3f_3f3f
    })
}

/// Computes the round keys in the order of [`Keys`].
pub(super) fn schedule(_: Avx512, key: &Block) -> [u64; 16] {
    // SAFETY: the token proves AVX-512 with BITALG.
    unsafe { select(key) }
}

/// Computes the round keys as this kernel keeps them: in the form of the halves of [`pairs`].
pub(super) fn placed_schedule(token: Avx512, key: &Block) -> [u64; 16] {
    // SAFETY: the token proves AVX-512 with VBMI, and GFNI.
    unsafe { pairs::placed(schedule(token, key)) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::block::des::tests::{input, output};

    #[test]
    fn the_circuits_are_the_s_boxes() {
        if Avx512::detect().is_none() {
            std::println!("SKIPPED: the circuits of DES, because AVX-512 is not there");
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
