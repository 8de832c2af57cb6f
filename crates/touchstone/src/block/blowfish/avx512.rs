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
use crate::cpu::Avx512;
use crate::machinery::word_pairs::{self, Mode};
use crate::simd::{U8x64, U32x16};

/// The bytes of the S-boxes' entries in separate tables, the table of the most significant byte
/// first. The alignment lets each load read a single cache line.
#[derive(Clone)]
#[repr(align(64))]
pub(super) struct Planes(pub(super) [[[u8; 256]; 4]; 4]);

/// The smallest number of blocks for which a set that is not full is faster than `portable`.
pub(super) const LEAST: usize = 28;

/// One half of each block, as four planes: one plane for each byte of the half.
type Half = [U8x64; 4];

pub(super) fn tabulate(_: Avx512, s: &Boxes, planes: &mut Planes) {
    // SAFETY: the token proves the features.
    unsafe { entry(s, planes) }

    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi,gfni")]
    fn entry(s: &Boxes, planes: &mut Planes) {
        for (s, planes) in s.iter().zip(&mut planes.0) {
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

/// Encrypts blocks in a mode, or in ECB without a mode, with the keys in the order of use.
pub(super) fn cipher(
    _: Avx512,
    planes: &Planes,
    p: &[u32; 18],
    mode: Option<Mode>,
    state: &mut Block,
    blocks: InOutBuf<'_, '_, Block>,
) {
    // SAFETY: the token proves the features.
    unsafe { entry(planes, p, mode, state, blocks) }

    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi,gfni")]
    fn entry(
        planes: &Planes,
        p: &[u32; 18],
        mode: Option<Mode>,
        state: &mut Block,
        blocks: InOutBuf<'_, '_, Block>,
    ) {
        word_pairs::modes_on_sets(
            mode,
            state,
            blocks,
            |blocks| sets_of_64::<2, 128>(planes, p, blocks),
            |blocks| sets_of_64::<1, 64>(planes, p, blocks),
        );
    }
}

/// Encrypts `N` sets, which have so many `BLOCKS`.
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,gfni")]
fn sets_of_64<const N: usize, const BLOCKS: usize>(
    planes: &Planes,
    p: &[u32; 18],
    blocks: &[Block; BLOCKS],
) -> [Block; BLOCKS] {
    let (mut left, mut right) = ([[U8x64::zero(); 4]; N], [[U8x64::zero(); 4]; N]);
    for n in 0..N {
        let [l, r] = load(&blocks.as_chunks().0[n]);
        (left[n], right[n]) = (plus(l, p[0]), plus(r, p[1]));
    }
    for keys in p[2..].as_chunks::<2>().0 {
        right = f(planes, left, right);
        left = left.map(|half| plus(half, keys[0]));
        left = f(planes, right, left);
        right = right.map(|half| plus(half, keys[1]));
    }
    let mut output = *blocks;
    for n in 0..N {
        store([right[n], left[n]], &mut output.as_chunks_mut().0[n]);
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

/// Computes the function F of [BLOWFISH](super) figure 2 on one half of each set, and XORs the
/// results to the other halves.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,gfni")]
fn f<const N: usize>(Planes(planes): &Planes, x: [Half; N], mut other: [Half; N]) -> [Half; N] {
    let mut carries = [[U8x64::zero(); 2]; N];
    for k in (0..4).rev() {
        let find = |s: usize| U8x64::look_up_all(x.map(|half| half[s]), &planes[s][k]);
        let (a, b, c, d) = (find(0), find(1), find(2), find(3));
        for n in 0..N {
            let [first, second] = &mut carries[n];
            let sum = add(a[n], b[n], first).xor(c[n]);
            other[n][k] = other[n][k].xor(add(sum, d[n], second));
        }
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
