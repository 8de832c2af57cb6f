//! CAST5 with AVX-512, constant-time: 64 blocks as words, and their bytes as planes.
//!
//! ```text
//!   halves      16 blocks in each of four registers, as in other kernels
//!   plane b     byte b of the words of all 64 blocks
//!   PLANES[s].0[b]  byte b of the entries of S-box s, for its 256 inputs
//! ```
//!
//! The key is added to words, and words are rotated. Then one plane has the indices of an S-box, and
//! four lookups find the entries, one for each byte. Each lookup consists of two lookups of 128
//! entries, and a selection of one of the two results. Sums and differences of entries carry from
//! plane to plane: the carry is the top bit of a function of three bits, and a GFNI instruction
//! moves this bit to the lowest place.
//!
//! A round has 32 lookups and 20 shuffles between words and planes, for which Zen 5 has two ports,
//! and some 75 other operations. Two sets of 64 blocks share the 64 loads of the tables, and fill
//! the time in which one set waits for lookups and carries.
#![allow(unsafe_code)]

use inout::InOutBuf;

use super::{Block, S};
use crate::cpu::Avx512;
use crate::machinery::word_pairs::{self, Mode};
use crate::simd::{U8x64, U32x16};

/// The bytes of an S-box's entries in separate tables, the table of the least significant byte
/// first. The alignment lets each load read a single cache line.
#[repr(align(64))]
struct Planes([[u8; 256]; 4]);

static PLANES: [Planes; 4] = {
    let mut planes = [const { Planes([[0; 256]; 4]) }; 4];
    let mut i = 0;
    while i < 4 * 4 * 256 {
        let (s, b, entry) = (i / 1024, i / 256 % 4, i % 256);
        planes[s].0[b][entry] = S[s][entry].to_le_bytes()[b];
        i += 1;
    }
    planes
};

/// The smallest number of blocks for which a set that is not full is faster than `portable`.
pub(super) const LEAST: usize = 23;

/// One half of each block of a set, or one word of each block of CAST-256.
pub(in crate::block) type Half = [U32x16; 4];

/// The two halves of the blocks of a set.
type Set = [Half; 2];

/// Encrypts or decrypts blocks in a mode, or in ECB without a mode. `keys` has the keys of the rounds
/// that the cipher has with this key.
pub(super) fn cipher(
    _: Avx512,
    keys: &[(u32, u8)],
    backwards: bool,
    mode: Option<Mode>,
    state: &mut Block,
    blocks: InOutBuf<'_, '_, Block>,
) {
    // SAFETY: the token proves the features.
    unsafe { entry(keys, backwards, mode, state, blocks) }

    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi,gfni")]
    fn entry(
        keys: &[(u32, u8)],
        backwards: bool,
        mode: Option<Mode>,
        state: &mut Block,
        blocks: InOutBuf<'_, '_, Block>,
    ) {
        word_pairs::modes_on_sets(
            mode,
            state,
            blocks,
            |blocks| sets_of_64::<2, 128>(keys, backwards, blocks),
            |blocks| sets_of_64::<1, 64>(keys, backwards, blocks),
        );
    }
}

/// Encrypts or decrypts `N` sets.
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,gfni")]
fn sets_of_64<const N: usize, const BLOCKS: usize>(
    keys: &[(u32, u8)],
    backwards: bool,
    blocks: &[Block; BLOCKS],
) -> [Block; BLOCKS] {
    let mut sets = [[[U32x16::splat(0); 4]; 2]; N];
    for n in 0..N {
        sets[n] = load(&blocks.as_chunks().0[n]);
    }
    for i in 0..keys.len() {
        let i = if backwards { keys.len() - 1 - i } else { i };
        match i % 3 {
            0 => round::<1, N>(keys[i], &mut sets),
            1 => round::<2, N>(keys[i], &mut sets),
            _ => round::<3, N>(keys[i], &mut sets),
        }
    }
    let mut output = *blocks;
    for n in 0..N {
        let [l, r] = sets[n];
        store([r, l], &mut output.as_chunks_mut().0[n]);
    }
    output
}

/// Computes a round of type 1, 2 or 3, [RFC2144](super) §2.2, on all sets: XORs the function of the
/// right half to the left half, and exchanges the halves.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,gfni")]
fn round<const TYPE: u8, const N: usize>(key: (u32, u8), sets: &mut [Set; N]) {
    let mut rights = [[U32x16::splat(0); 4]; N];
    for n in 0..N {
        rights[n] = sets[n][1];
    }
    let f = function::<TYPE, N, false>(key, &rights);
    for n in 0..N {
        let [l, r] = sets[n];
        let mut sum = l;
        for m in 0..4 {
            sum[m] = l[m].xor(f[n][m]);
        }
        sets[n] = [r, sum];
    }
}

/// Computes the round function of type 1, 2 or 3 on a word of each block. Each of the two ciphers has
/// its own copy, which the compiler inlines.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,gfni")]
pub(in crate::block) fn function<const TYPE: u8, const N: usize, const CAST6: bool>(
    (mask, rotation): (u32, u8),
    x: &[Half; N],
) -> [Half; N] {
    let mask = U32x16::splat(mask);
    // The stored rotation is 16 more than the rotation of the standard.
    let mut places = [[U8x64::zero(); 4]; N];
    for n in 0..N {
        let mut words = x[n];
        for word in &mut words {
            let sum = match TYPE {
                1 => mask.add(*word),
                2 => mask.xor(*word),
                _ => mask.subtract(*word),
            };
            *word = sum.rotate_left_by(u32::from(rotation));
        }
        places[n] = U8x64::to_planes(words);
    }
    let mut planes = [[U8x64::zero(); 4]; N];
    let mut carries = [[U8x64::zero(); 2]; N];
    for k in 0..4 {
        let find = |s: usize, b: usize| {
            let mut found = [U8x64::zero(); N];
            for n in 0..N {
                found[n] = places[n][b];
            }
            U8x64::look_up_all(found, &PLANES[s].0[k])
        };
        let (a, b, c, d) = (find(0, 1), find(1, 0), find(2, 3), find(3, 2));
        for n in 0..N {
            let (a, b, c, d) = (a[n], b[n], c[n], d[n]);
            let [first, second] = &mut carries[n];
            planes[n][k] = match TYPE {
                1 => add(subtract(a.xor(b), c, first), d, second),
                2 => add(subtract(a, b, first), c, second).xor(d),
                _ => subtract(add(a, b, first).xor(c), d, second),
            };
        }
    }
    let mut f = *x;
    for n in 0..N {
        f[n] = U8x64::to_words(planes[n]);
    }
    f
}

/// Moves the top bit to the lowest place and clears the other bits.
const TOP: u64 = 0x80 << 56;

/// Returns the sum of two bytes and a carry. `carry` becomes the next carry.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,gfni")]
fn add(a: U8x64, b: U8x64, carry: &mut U8x64) -> U8x64 {
    /// The majority function of two bits and the complement of a third bit.
    const CARRIED: i32 = 0xd4;
    let sum = a.add_u8(b).add_u8(*carry);
    *carry = a.ternary::<CARRIED>(b, sum).affine(TOP);
    sum
}

/// Returns the difference of two bytes and a borrow. `borrow` becomes the next borrow.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,gfni")]
fn subtract(a: U8x64, b: U8x64, borrow: &mut U8x64) -> U8x64 {
    /// The majority function of two bits and the complement of the first bit.
    const BORROWED: i32 = 0x8e;
    let difference = a.subtract_u8(b).subtract_u8(*borrow);
    *borrow = a.ternary::<BORROWED>(b, difference).affine(TOP);
    difference
}

/// Loads 64 blocks as words of the two halves.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn load(blocks: &[Block; 64]) -> Set {
    let (registers, _) = blocks.as_flattened().as_chunks();
    let (mut left, mut right) = ([U32x16::splat(0); 4], [U32x16::splat(0); 4]);
    for m in 0..4 {
        let a = U8x64::load(&registers[2 * m]).into();
        let b = U8x64::load(&registers[2 * m + 1]).into();
        let [l, r] = U32x16::part(a, b);
        (left[m], right[m]) = (l.swap_bytes(), r.swap_bytes());
    }
    [left, right]
}

/// Stores 64 blocks from words, the inverse of [`load`].
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn store([left, right]: Set, blocks: &mut [Block; 64]) {
    let (registers, _) = blocks.as_flattened_mut().as_chunks_mut();
    for m in 0..4 {
        let [a, b] = U32x16::join(left[m].swap_bytes(), right[m].swap_bytes());
        U8x64::from(a).store(&mut registers[2 * m]);
        U8x64::from(b).store(&mut registers[2 * m + 1]);
    }
}
