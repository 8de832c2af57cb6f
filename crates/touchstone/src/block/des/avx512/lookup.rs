//! DES with the byte lookup `vpermb`: 64 blocks at once, for calls of too few blocks to fill a
//! group of 512.
//!
//! A half (the left or the right 32 bits) of 64 blocks is stored in eight registers. Each
//! register has one byte for each block. Each byte of register *d* has the six inputs of S-box
//! *d*, as the expansion E makes them. So one lookup instruction computes an S-box for all 64
//! blocks.
//!
//! The six bits are at the positions [`PLACES`], so that no bit has to move from a round to the next.
//! A round takes 8 XORs with round keys, 8 lookups, and 48 XORs, each under a mask of one bit.
//!
//! ```text
//!   registers of blocks:  number w of register m is block 8m + w
//!   registers of a half:  byte m of number w of register d is box d's six bits,
//!                         input i at bit PLACES[d][i]
//! ```

use inout::{InOut, InOutBuf};

use super::exchange_bytes;
use crate::block::des::places::{GIVERS, PLACES, entry};
use crate::block::des::{Block, Keys};
use crate::buffer;
use crate::machinery::operation::{CBC_DECRYPT, CTR};
use crate::simd::U64x8;
use crate::wipe::wipe;

/// The number of blocks in a group.
pub(super) const LANES: usize = 64;

type Group = [Block; LANES];
type Half = [U64x8; 8];

/// The S-boxes as lookup tables. Inputs and outputs are at the bit positions that [`PLACES`]
/// gives.
static BOXES: Boxes = Boxes({
    let mut boxes = [[[0; 8]; 8]; 8];
    let mut at = 0;
    while at < 512 {
        let (from, index) = (at / 64, at % 64);
        boxes[from][index / 8][index % 8] = entry(from, index);
        at += 1;
    }
    boxes
});

/// A table of 64 bytes for each S-box, each table in one cache line.
#[repr(align(64))]
struct Boxes([[Block; 8]; 8]);

/// Returns the matrix with which `vgf2p8affineqb` moves bit `from[i]` of a byte to bit `to[i]`.
const fn matrix<const N: usize>(from: [usize; N], to: [usize; N]) -> u64 {
    let mut matrix = 0;
    let mut i = 0;
    while i < N {
        // The highest byte of the number is the row of the matrix that computes bit 0.
        matrix |= 1 << (8 * (7 - to[i]) + from[i]);
        i += 1;
    }
    matrix
}

/// For each S-box, the matrix that moves the six inputs to their positions in [`PLACES`].
/// Before the move, the six bits are neighbours, and input 0 is the lowest of them.
const INTO: [u64; 8] = {
    let mut into = [0; 8];
    let mut d = 0;
    while d < 8 {
        into[d] = matrix([0, 1, 2, 3, 4, 5], PLACES[d]);
        d += 1;
    }
    into
};

/// For each S-box, two matrices that move the four bits of a half away from their positions in
/// [`PLACES`]. The first matrix moves the bits to the lower four bits of a byte, the second
/// matrix to the upper four bits. Inputs 1 to 4 of the S-box are these four neighbouring bits
/// of the half.
const OUT: [[u64; 2]; 8] = {
    let mut out = [[0; 2]; 8];
    let mut d = 0;
    while d < 8 {
        let [_, a, b, c, e, _] = PLACES[d];
        out[d] = [
            matrix([a, b, c, e], [0, 1, 2, 3]),
            matrix([a, b, c, e], [4, 5, 6, 7]),
        ];
        d += 1;
    }
    out
};

/// A round key: one byte for each register of a half, which is XORed to the bytes of all
/// blocks.
type RoundKey = [u8; 8];

/// Computes groups, with round keys whose bits are at the positions in [`PLACES`].
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vbmi,avx512vbmi2,gfni")]
pub(super) fn each_group<const WHAT: u8, const PASSES: usize>(
    keys: &Keys<PASSES>,
    backwards: bool,
    state: &mut Block,
    blocks: InOutBuf<'_, '_, Block>,
) {
    if blocks.is_empty() {
        return;
    }
    let mut passes = in_order(keys, backwards);
    let (groups, mut rest) = buffer::chunks(blocks);
    for group in groups {
        one_group::<WHAT>(&passes, state, LANES, group);
    }
    if !rest.is_empty() {
        let n = rest.len();
        let mut group = [[0; 8]; LANES];
        group[..n].copy_from_slice(rest.get_in());
        one_group::<WHAT>(&passes, state, n, (&mut group).into());
        rest.get_out().copy_from_slice(&group[..n]);
        wipe(&mut group, [0; 8]);
    }
    wipe(passes.as_flattened_mut(), [0; 8]);
}

/// Returns the round keys in the order in which the rounds use them.
#[inline(always)]
fn in_order<const PASSES: usize>(keys: &Keys<PASSES>, backwards: bool) -> [[RoundKey; 16]; PASSES] {
    let mut passes = [[[0; 8]; 16]; PASSES];
    let n = 16 * PASSES;
    for (i, key) in keys.as_flattened().iter().enumerate() {
        let at = if backwards { n - 1 - i } else { i };
        passes.as_flattened_mut()[at] = key.to_le_bytes();
    }
    passes
}

/// Computes a group of blocks. Only the first `n` blocks of the group belong to the message.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vbmi,avx512vbmi2,gfni")]
fn one_group<const WHAT: u8>(
    passes: &[[RoundKey; 16]],
    state: &mut Block,
    n: usize,
    mut group: InOut<'_, '_, Group>,
) {
    let mut left = [U64x8::zero(); 8];
    let mut right = [U64x8::zero(); 8];
    let first = u64::from_be_bytes(*state);
    let (registers, _) = group.get_in().as_chunks::<8>();
    for m in 0..8 {
        let blocks = if WHAT == CTR {
            U64x8::splat(first.wrapping_add(8 * m as u64))
                .counting()
                .swap_bytes()
        } else {
            U64x8::load(&registers[m])
        };
        [left[m], right[m]] = halves(blocks);
    }
    exchange_bytes(&mut left);
    exchange_bytes(&mut right);
    for d in 0..8 {
        left[d] = left[d].affine(U64x8::splat(INTO[d]));
        right[d] = right[d].affine(U64x8::splat(INTO[d]));
    }

    let mut boxes = [U64x8::zero(); 8];
    for d in 0..8 {
        boxes[d] = U64x8::load(&BOXES.0[d]);
    }
    for keys in passes {
        let (two, _) = keys.as_chunks::<2>();
        for [one, two] in two {
            round(&mut left, &right, one, &boxes);
            round(&mut right, &left, two, &boxes);
        }
        (left, right) = (right, left);
    }

    // Puts four bits of the left and four bits of the right half into each byte. The four bits
    // of the right half are in the lower half of an odd byte and in the upper half of an even
    // byte. So the bits of an odd byte and of the even byte after it are neighbours.
    let mut x = [U64x8::zero(); 8];
    for d in 0..8 {
        let low = left[d].affine(U64x8::splat(OUT[d][d % 2]));
        let high = right[d].affine(U64x8::splat(OUT[d][1 - d % 2]));
        x[d] = low.xor(high);
    }
    exchange_bytes(&mut x);

    let before = *state;
    match WHAT {
        CTR => *state = first.wrapping_add(n as u64).to_be_bytes(),
        CBC_DECRYPT => *state = group.get_in()[n - 1],
        _ => {}
    }
    // The loop writes the blocks from the last to the first. When CBC decrypts in place, the
    // plaintext of a block overwrites the ciphertext of this block. The plaintext of the next
    // block depends on that ciphertext. A loop from the first block to the last would read the
    // ciphertext after it was overwritten.
    for m in (0..8).rev() {
        let mut blocks = joined(x[m]);
        let input = group.get_in();
        if WHAT == CTR {
            if let Some(data) = input[8 * m..].first_chunk() {
                blocks = blocks.xor(U64x8::load(data));
            }
        } else if WHAT == CBC_DECRYPT {
            if m == 0 {
                let mut data = [before; 8];
                data[1..].copy_from_slice(&input[..7]);
                blocks = blocks.xor(U64x8::load(&data));
            } else if let Some(data) = input[8 * m - 1..].first_chunk() {
                blocks = blocks.xor(U64x8::load(data));
            }
        }
        let (registers, _) = group.get_out().as_chunks_mut::<8>();
        blocks.store(&mut registers[m]);
    }
}

/// Computes IP of eight blocks: the halves, left and right. Byte *d* has the inputs of S-box *d*,
/// and input 0 is the lowest bit. The two other bits are arbitrary.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,gfni")]
pub(super) fn halves(blocks: U64x8) -> [U64x8; 2] {
    // After the bit transposition, byte 7 - 2q has bits 8q, 8q + 1, … of the right half after
    // IP, and the byte before it has the same bits of the left half.
    let x = blocks.turn_bits();
    let starts = U64x8::splat(u64::from_le_bytes([31, 3, 7, 11, 15, 19, 23, 27]));
    let twice = |odd: u8| {
        let q = [6 + odd, 4 + odd, 2 + odd, odd];
        [q[0], q[1], q[2], q[3], q[0], q[1], q[2], q[3]]
    };
    [
        x.shuffle_numbers(twice(0)).bits_from(starts),
        x.shuffle_numbers(twice(1)).bits_from(starts),
    ]
}

/// Makes blocks from bytes that have four bits of each half.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vbmi,avx512vbmi2,gfni")]
pub(super) fn joined(x: U64x8) -> U64x8 {
    let starts = U64x8::splat(u64::from_le_bytes([4, 0, 20, 16, 36, 32, 52, 48]));
    let joined = U64x8::splat(0xf000_f000_f000_f000).select(x, x.bits_from(starts));
    joined.turn_bits_back()
}

/// Computes the round function f in all lanes, and XORs the result to `left`.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
fn round(left: &mut Half, right: &Half, key: &RoundKey, boxes: &Half) {
    let mut y = [U64x8::zero(); 8];
    let mut d = 0;
    while d < 8 {
        y[d] = right[d].xor(U64x8::splat_u8(key[d])).look_up(boxes[d]);
        d += 1;
    }
    let mut d = 0;
    while d < 8 {
        let mut bit = 0;
        while bit < 6 {
            // The ternary gate computes left ⊕ y · mask.
            let mask = U64x8::splat_u8(1 << bit);
            left[d] = left[d].ternary::<0x78>(y[GIVERS[d][bit]], mask);
            bit += 1;
        }
        d += 1;
    }
}
