//! GOST 28147-89 with AVX-512: 64 blocks at once, with four registers for each half.
//!
//! Four S-boxes of 16 entries fill a register of 64 bytes. The instruction `vpermb` looks up 64
//! indices in this register. The lower four bits of an index are the low four bits of a byte.
//! The two bits above them are the position of the byte in its word; these bits select the
//! S-box. A second register has the S-boxes for the high four bits of the bytes.
#![allow(unsafe_code)]

use inout::InOutBuf;

use super::{Block, Keys, Order, SBoxes};
use crate::buffer;
use crate::cpu::Avx512;
use crate::simd::{U8x64, U32x16};

/// The smallest number of blocks for which a group that is not full is faster than `portable`.
pub(super) const LEAST: usize = 9;

pub(super) fn cipher(
    _: Avx512,
    order: Order,
    boxes: &SBoxes,
    keys: &Keys,
    blocks: InOutBuf<'_, '_, Block>,
) {
    // SAFETY: the token proves the features.
    unsafe { groups(order, boxes, keys, blocks) }
}

#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
fn groups(order: Order, boxes: &SBoxes, keys: &Keys, blocks: InOutBuf<'_, '_, Block>) {
    let mut reversed = *keys;
    reversed.reverse();
    let sequence = if order.backwards {
        [keys, &reversed, &reversed, &reversed]
    } else {
        [keys, keys, keys, &reversed]
    };
    let (whole, mut rest) = buffer::chunks(blocks);
    for mut blocks in whole {
        *blocks.get_out() = group(order.big_endian, boxes, &sequence, blocks.get_in());
    }
    let n = rest.len();
    if n >= LEAST {
        let mut blocks = [[0; 8]; 64];
        blocks[..n].copy_from_slice(rest.get_in());
        let blocks = group(order.big_endian, boxes, &sequence, &blocks);
        rest.get_out().copy_from_slice(&blocks[..n]);
    } else {
        super::portable(order, boxes, keys, rest);
    }
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
fn group(big_endian: bool, boxes: &SBoxes, keys: &[&Keys; 4], blocks: &[Block; 64]) -> [Block; 64] {
    let boxes = [
        U8x64::load(&boxes.nibbles[0]),
        U8x64::load(&boxes.nibbles[1]),
    ];
    let mut words = [[[0; 16]; 4]; 2];
    for n in 0..64 {
        let both = if big_endian {
            u64::from_be_bytes(blocks[n])
        } else {
            u64::from_le_bytes(blocks[n])
        };
        words[0][n / 16][n % 16] = both as u32;
        words[1][n / 16][n % 16] = (both >> 32) as u32;
    }
    let mut low = [U32x16::splat(0); 4];
    let mut high = low;
    for i in 0..4 {
        low[i] = U32x16::load(&words[0][i]);
        high[i] = U32x16::load(&words[1][i]);
    }
    for keys in keys {
        for [first, second] in keys.as_chunks::<2>().0 {
            let key = U32x16::splat(*first);
            for i in 0..4 {
                high[i] = high[i].xor(g(boxes, low[i].add(key)));
            }
            let key = U32x16::splat(*second);
            for i in 0..4 {
                low[i] = low[i].xor(g(boxes, high[i].add(key)));
            }
        }
    }
    for i in 0..4 {
        high[i].store(&mut words[0][i]);
        low[i].store(&mut words[1][i]);
    }
    let mut blocks = [[0; 8]; 64];
    for n in 0..64 {
        let low = u64::from(words[0][n / 16][n % 16]);
        let both = u64::from(words[1][n / 16][n % 16]) << 32 | low;
        blocks[n] = if big_endian {
            both.to_be_bytes()
        } else {
            both.to_le_bytes()
        };
    }
    blocks
}

/// Computes substitution and rotation, [RFC8891](super) §4.2, on words to which the key has
/// been added.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
fn g(boxes: [U8x64; 2], x: U32x16) -> U32x16 {
    /// The function of three bits (a AND b) OR c.
    const AND_OR: i32 = 0xea;
    let nibbles = U32x16::splat(0x0f0f_0f0f);
    let places = U32x16::splat(0x3020_1000);
    let low = x.ternary::<AND_OR>(nibbles, places);
    let high = x.shift_right::<4>().ternary::<AND_OR>(nibbles, places);
    let low = U32x16::from(U8x64::from(low).look_up(boxes[0]));
    let high = U32x16::from(U8x64::from(high).look_up(boxes[1]));
    low.ternary::<0xfc>(high, high).rotate_left::<11>()
}
