//! Blowfish with AVX-512, constant-time: 64 blocks as planes of bytes.
//!
//! ```text
//!   l[k], r[k]       byte k of the left halves, of the right halves
//!   planes[s][k]     byte k of the entries of S-box s, for its 256 inputs
//! ```
//!
//! One plane has the indices of an S-box. Four lookups find the entries, one for each byte of
//! the entries. Each lookup consists of two lookups of 128 entries, and a selection of one of
//! the two results. Additions carry from byte to byte: the carry is the top bit of a majority
//! function, and a GFNI instruction moves this bit to the lowest place.
//!
//! A round has 32 lookups of three operations (two of the three use the same port), 16
//! selections and some 45 other operations. The predicted time is 77 cycles for 64 blocks. The
//! chain of dependent lookups and carries in a round takes as long, so two sets of 64 blocks
//! are interleaved. The measured time is 88 cycles, which includes the conversions between
//! blocks and planes.
#![allow(unsafe_code)]

use inout::InOutBuf;

use super::{Block, Boxes};
use crate::buffer;
use crate::cpu::Avx512;
use crate::simd::{U8x64, U32x16};
use crate::wipe::wipe;

/// The bytes of the S-boxes' entries in separate tables, the table of the most significant byte
/// first.
pub(super) type Planes = [[[u8; 256]; 4]; 4];

/// The smallest number of blocks for which a set that is not full is faster than `portable`.
pub(super) const LEAST: usize = 28;

/// One half of each block, as four planes: one plane for each byte of the half.
type Half = [U8x64; 4];

pub(super) fn tabulate(_: Avx512, s: &Boxes, planes: &mut Planes) {
    // SAFETY: the token proves the features.
    unsafe { entry(s, planes) }

    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi,gfni")]
    fn entry(s: &Boxes, planes: &mut Planes) {
        for (s, planes) in s.iter().zip(planes) {
            for (part, words) in s.as_chunks::<16>().0.as_chunks::<4>().0.iter().enumerate() {
                let mut four = [U32x16::splat(0); 4];
                for m in 0..4 {
                    four[m] = U32x16::load(&words[m]);
                }
                let four = U8x64::to_planes(four);
                for k in 0..4 {
                    // The words are transposed, so that the bytes are stored in order.
                    let bytes = &mut planes[3 - k].as_chunks_mut().0[part];
                    four[k].turn_u32().store(bytes);
                }
            }
        }
    }
}

/// Encrypts every block, with the keys in the order of use.
pub(super) fn cipher(_: Avx512, planes: &Planes, p: &[u32; 18], blocks: InOutBuf<'_, '_, Block>) {
    // SAFETY: the token proves the features.
    unsafe { entry(planes, p, blocks) }

    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi,gfni")]
    fn entry(planes: &Planes, p: &[u32; 18], blocks: InOutBuf<'_, '_, Block>) {
        let (pairs, rest) = buffer::chunks::<_, 128>(blocks);
        for mut blocks in pairs {
            let (sets, _) = blocks.get_in().as_chunks();
            let output = sets_of_64::<2>(planes, p, &[sets[0], sets[1]]);
            blocks.get_out().copy_from_slice(output.as_flattened());
        }
        let (one, mut rest) = buffer::chunks::<_, 64>(rest);
        for mut blocks in one {
            [*blocks.get_out()] = sets_of_64(planes, p, &[*blocks.get_in()]);
        }
        let n = rest.len();
        if n != 0 {
            let mut copy = [[[0; 8]; 64]];
            copy[0][..n].copy_from_slice(rest.get_in());
            copy = sets_of_64(planes, p, &copy);
            rest.get_out().copy_from_slice(&copy[0][..n]);
            wipe(&mut copy[0], [0; 8]);
        }
    }
}

#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,gfni")]
fn sets_of_64<const N: usize>(
    planes: &Planes,
    p: &[u32; 18],
    blocks: &[[Block; 64]; N],
) -> [[Block; 64]; N] {
    let mut halves = [[[U8x64::zero(); 4]; 2]; N];
    for n in 0..N {
        halves[n] = load(&blocks[n]);
    }
    for [l, r] in &mut halves {
        (*l, *r) = (plus(*l, p[0]), plus(*r, p[1]));
    }
    for keys in p[2..].as_chunks::<2>().0 {
        for [l, r] in &mut halves {
            *r = f(planes, *l, *r);
            *l = plus(*l, keys[0]);
        }
        for [l, r] in &mut halves {
            *l = f(planes, *r, *l);
            *r = plus(*r, keys[1]);
        }
    }
    let mut output = *blocks;
    for n in 0..N {
        let [l, r] = halves[n];
        store([r, l], &mut output[n]);
    }
    output
}

/// XORs a word of the key to one half of each block.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn plus(mut half: Half, key: u32) -> Half {
    for (plane, byte) in half.iter_mut().zip(key.to_be_bytes()) {
        // The code broadcasts a word of four equal bytes, because a broadcast of a byte costs a
        // shuffle.
        *plane = plane.xor(U32x16::splat(0x0101_0101 * u32::from(byte)).into());
    }
    half
}

/// Computes the function F of [BLOWFISH](super) figure 2 on one half, and XORs the result to
/// the other half.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,gfni")]
fn f(planes: &Planes, x: Half, mut other: Half) -> Half {
    let mut carries = [U8x64::zero(); 2];
    for k in (0..4).rev() {
        let (a, b) = (x[0].lookup(&planes[0][k]), x[1].lookup(&planes[1][k]));
        let sum = add(a, b, &mut carries[0]);
        let sum = sum.xor(x[2].lookup(&planes[2][k]));
        let sum = add(sum, x[3].lookup(&planes[3][k]), &mut carries[1]);
        other[k] = other[k].xor(sum);
    }
    other
}

/// Returns the sum of two bytes and a carry. `carry` becomes the next carry.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,gfni")]
fn add(a: U8x64, b: U8x64, carry: &mut U8x64) -> U8x64 {
    /// The majority function of two bits and the complement of a third bit.
    const CARRIED: i32 = 0xd4;
    /// Moves the top bit to the lowest place and clears the other bits.
    const TOP: u64 = 0x80 << 56;
    let sum = a.add_u8(b).add_u8(*carry);
    *carry = a.ternary::<CARRIED>(b, sum).affine(TOP);
    sum
}

/// Loads 64 blocks as planes of the two halves.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn load(blocks: &[Block; 64]) -> [Half; 2] {
    let (registers, _) = blocks.as_flattened().as_chunks();
    let (mut left, mut right) = ([U32x16::splat(0); 4], [U32x16::splat(0); 4]);
    for m in 0..4 {
        let a = U8x64::load(&registers[2 * m]).into();
        let b = U8x64::load(&registers[2 * m + 1]).into();
        [left[m], right[m]] = U32x16::part(a, b);
    }
    [U8x64::to_planes(left), U8x64::to_planes(right)]
}

/// Stores 64 blocks from planes, the inverse of [`load`].
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn store([left, right]: [Half; 2], blocks: &mut [Block; 64]) {
    let (left, right) = (U8x64::to_words(left), U8x64::to_words(right));
    let (registers, _) = blocks.as_flattened_mut().as_chunks_mut();
    for m in 0..4 {
        let [a, b] = U32x16::join(left[m], right[m]);
        U8x64::from(a).store(&mut registers[2 * m]);
        U8x64::from(b).store(&mut registers[2 * m + 1]);
    }
}
