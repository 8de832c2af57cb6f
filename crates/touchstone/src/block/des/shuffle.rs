//! DES with the byte shuffle `vpshufb` of AVX2: 32 blocks at once, for calls of too few blocks to
//! fill a bitsliced group.
//!
//! A half of 32 blocks is stored in eight registers, with the six inputs of an S-box in each byte
//! ([`places`](super::places)). The inputs of colours 0 to 3 are the lower four bits, the inputs of
//! colours 4 and 5 are bits 6 and 7. A shuffle looks up the lower four bits in a row of 16 entries,
//! and gives zero where bit 7 is 1. So two shuffles, one of them with bit 7 complemented, look up
//! two rows, and a blend by bit 6 chooses between two such pairs.
//!
//! ```text
//!   registers of blocks:  number w of register m is block 4m + w
//!   registers of a half:  byte m of number w of register d has box d's six bits
//! ```
//!
//! A round takes 16 XORs with round keys and constants, 32 shuffles, 16 ORs, 8 additions, 8 blends,
//! 48 ANDs and 48 XORs: 176 instructions, some 55 cycles on Zen 5.
#![allow(unsafe_code)]

use inout::InOutBuf;

use super::places::{GIVERS, PLACES, entry};
use super::{Block, Keys, bitslice::bit_steps};
use crate::machinery::operation::{CBC_DECRYPT, CTR};
use crate::machinery::unknown::unknown;
use crate::simd::U64x4;
use crate::wipe::wipe;

/// The number of blocks in a group.
pub(super) const LANES: usize = 32;

type Half = [U64x4; 8];

bit_steps!(U64x4, "avx2");
super::bitslice::byte_steps!(U64x4, "avx2");

/// Moves the bits of colours 4 and 5 to bits 6 and 7.
const fn apart(byte: u8) -> u8 {
    byte & 15 | (byte & 0x30) << 2
}

/// Returns the bit for an input of an S-box.
const fn bit(d: usize, input: usize) -> u8 {
    apart(1 << PLACES[d][input])
}

/// The tables of the S-boxes: for each S-box, a row for each value of the bits of colours 4 and 5.
static BOXES: [[[u8; 16]; 4]; 8] = {
    let mut boxes = [[[0; 16]; 4]; 8];
    let mut at = 0;
    while at < 512 {
        let (from, index) = (at / 64, at % 64);
        boxes[from][index / 16][index % 16] = apart(entry(from, index));
        at += 1;
    }
    boxes
};

/// What four bits of a half become in the registers. The bits are the middle inputs of an S-box,
/// the last input of the S-box before it, and the first input of the S-box after it.
static INTO: [[[u8; 16]; 3]; 8] = {
    let mut into = [[[0; 16]; 3]; 8];
    let mut at = 0;
    while at < 8 * 16 {
        let (d, x) = (at / 16, at % 16);
        let mut input = 1;
        while input < 5 {
            if x >> (4 - input) & 1 == 1 {
                into[d][0][x] |= bit(d, input);
            }
            input += 1;
        }
        if x >> 3 == 1 {
            into[d][1][x] = bit((d + 7) % 8, 5);
        }
        if x & 1 == 1 {
            into[d][2][x] = bit((d + 1) % 8, 0);
        }
        at += 1;
    }
    into
};

/// The middle inputs of each S-box as four bits of a half: the upper half of a byte for the first
/// S-box of two, the lower half for the second.
static OUT: [[u8; 16]; 8] = {
    let mut out = [[0; 16]; 8];
    let mut at = 0;
    while at < 8 * 16 {
        let (d, index) = (at / 16, at % 16);
        let mut input = 1;
        while input < 5 {
            if index as u8 & bit(d, input) != 0 {
                out[d][index] |= 1 << (4 - input + 4 * (1 - d % 2));
            }
            input += 1;
        }
        at += 1;
    }
    out
};

/// For each distance from -4 to 7, the bits of a round key that move so far from their positions in
/// [`Keys`] to those in the registers.
const MOVES: [u64; 12] = {
    let mut moves = [0; 12];
    let mut edge = 0;
    while edge < 48 {
        let (d, input) = (edge / 6, edge % 6);
        let (from, to) = (5 - input, bit(d, input).trailing_zeros() as usize);
        moves[4 + to - from] |= 1 << (8 * d + from);
        edge += 1;
    }
    moves
};

/// Returns the round keys in the order in which the rounds use them, with their bits at the
/// positions of the registers.
#[inline]
#[target_feature(enable = "avx2")]
fn prepare<const PASSES: usize>(keys: &Keys<PASSES>, backwards: bool) -> Keys<PASSES> {
    let mut placed = [[0; 16]; PASSES];
    for (pass, placed) in placed.iter_mut().enumerate() {
        let keys = &keys[if backwards { PASSES - 1 - pass } else { pass }];
        for (round, placed) in placed.iter_mut().enumerate() {
            let key = keys[if backwards { 15 - round } else { round }];
            for (i, bits) in MOVES.into_iter().enumerate() {
                let bits = key & bits;
                *placed |= if i < 4 {
                    bits >> (4 - i)
                } else {
                    bits << (i - 4)
                };
            }
        }
    }
    placed
}

/// Computes all blocks.
#[target_feature(enable = "avx2")]
pub(super) fn each_group<const WHAT: u8, const PASSES: usize>(
    keys: &Keys<PASSES>,
    backwards: bool,
    state: &mut Block,
    mut blocks: InOutBuf<'_, '_, Block>,
) {
    let mut passes = prepare(keys, backwards);
    while !blocks.is_empty() {
        let n = blocks.len().min(LANES);
        let (group, rest) = blocks.split_at(n);
        one_group::<WHAT>(&passes, state, group);
        blocks = rest;
    }
    wipe(passes.as_flattened_mut(), 0);
}

/// Computes at most 32 blocks.
#[inline]
#[target_feature(enable = "avx2")]
fn one_group<const WHAT: u8>(
    passes: &[[u64; 16]],
    state: &mut Block,
    group: InOutBuf<'_, '_, Block>,
) {
    use crate::cipher::Block as _;
    let mut blocks = [[0; 8]; LANES];
    if WHAT == CTR {
        let first = u64::from_be_bytes(*state);
        for (i, block) in blocks.iter_mut().enumerate() {
            *block = first.wrapping_add(i as u64).to_be_bytes();
        }
        *state = first.wrapping_add(group.len() as u64).to_be_bytes();
    } else {
        blocks[..group.len()].copy_from_slice(group.get_in());
    }
    let mut x = [[U64x4::zero(); 8]; 2];
    halves(&blocks, &mut x);
    for keys in passes {
        let [left, right] = &mut x;
        for [one, two] in keys.as_chunks().0 {
            round(left, right, *one);
            round(right, left, *two);
        }
        x.swap(0, 1);
    }
    join(&x, &mut blocks);
    for (mut data, block) in group.into_iter().zip(&blocks) {
        let input = *data.get_in();
        *data.get_out() = match WHAT {
            CTR => block.xor(input),
            CBC_DECRYPT => block.xor(core::mem::replace(state, input)),
            _ => *block,
        };
    }
    wipe(&mut blocks, [0; 8]);
}

/// Computes IP, and makes the inputs of the S-boxes.
#[inline]
#[target_feature(enable = "avx2")]
fn halves(blocks: &[Block; LANES], halves: &mut [Half; 2]) {
    let mut x = [U64x4::zero(); 8];
    for (x, blocks) in x.iter_mut().zip(blocks.as_chunks().0) {
        *x = U64x4::load(blocks);
    }
    exchange_bytes(&mut x);
    exchange_bits(&mut x);
    // Register i has bit i of each byte of a block: eight bits of a half, in their order.
    for (odd, half) in halves.iter_mut().enumerate() {
        let mut bits = [U64x4::zero(); 8];
        for d in 0..8 {
            let eight = x[6 + odd - d / 2 * 2];
            let four = if d % 2 == 0 {
                eight.shift_right::<4>()
            } else {
                eight
            };
            bits[d] = four.and(U64x4::splat_u8(15));
        }
        for d in 0..8 {
            let look_up = |from: usize, what: usize| {
                bits[from].look_up_16(U64x4::splat_row(&INTO[from][what]))
            };
            let outer = (look_up((d + 1) % 8, 1), look_up((d + 7) % 8, 2));
            half[d] = look_up(d, 0).or(outer.0).or(outer.1);
        }
    }
}

/// Computes the inverse of IP.
#[inline]
#[target_feature(enable = "avx2")]
fn join(halves: &[Half; 2], blocks: &mut [Block; LANES]) {
    let mut x = [U64x4::zero(); 8];
    for (odd, half) in halves.iter().enumerate() {
        for d in 0..8 {
            let middle = half[d].and(U64x4::splat_u8(15));
            let bits = middle.look_up_16(U64x4::splat_row(&OUT[d]));
            let eight = &mut x[6 + odd - d / 2 * 2];
            *eight = eight.or(bits);
        }
    }
    exchange_bits(&mut x);
    exchange_bytes(&mut x);
    for (x, blocks) in x.into_iter().zip(blocks.as_chunks_mut().0) {
        x.store(blocks);
    }
}

/// Computes the round function f in all lanes, and XORs the result to `left`.
#[inline]
#[target_feature(enable = "avx2")]
fn round(left: &mut Half, right: &Half, key: u64) {
    let key = key.to_le_bytes();
    // A compiler that knew the tables would copy them to the stack before the rounds.
    let boxes = unknown(&BOXES);
    let mut y = [U64x4::zero(); 8];
    for d in 0..8 {
        let x = right[d].xor(U64x4::splat_u8(key[d]));
        let other = x.xor(U64x4::splat_u8(0x80));
        let mut pairs = [x; 2];
        for (i, pair) in pairs.iter_mut().enumerate() {
            let row = |bit_7: usize| &boxes[d][2 * bit_7 + i];
            let low = x.look_up_16(U64x4::splat_row(row(0)));
            *pair = low.or(other.look_up_16(U64x4::splat_row(row(1))));
        }
        y[d] = x.by_bit_6(pairs[1], pairs[0]);
    }
    for d in 0..8 {
        for place in 0..6 {
            let bit = U64x4::splat_u8(apart(1 << place));
            left[d] = left[d].xor(y[GIVERS[d][place]].and(bit));
        }
    }
}
