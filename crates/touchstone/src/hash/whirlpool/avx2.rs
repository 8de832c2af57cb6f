//! Whirlpool with AVX2, constant-time. Four registers hold the state of the cipher in their lower
//! halves and the key in their upper halves: both go through the same round at the same time. A
//! half holds two columns of a matrix, so a rotation of the rows by two bytes only renames the
//! registers.
//!
//! The S-box is computed from its three small S-boxes, [WHIRLPOOL](super) §7.1: each is one byte shuffle. The
//! shuffles of the last two small S-boxes give the products with 1, 2, 4 and 8 at once.
//!
//! Let x ≪ n be x with its rows rotated by n bytes, T the sum of x, x ≪ 2, x ≪ 4 and x ≪ 6, and
//! g = 4x ⊕ (8x ≪ 2). Then the diffusion layer is
//!
//! ```text
//!   y = x ⊕ g ≪ 2 ⊕ 2x ≪ 6 ⊕ (T ⊕ g ≪ 4) ≪ 1
//! ```
#![allow(unsafe_code)]

use super::{CONSTANTS, E, FIELD, INVERSE, R, ROW, State};
use crate::cpu::Avx2;
use crate::machinery::field::product;
use crate::simd::{U8x16, U8x32};

// The code of the diffusion layer is right only for this first row of the matrix.
const _: () = assert!(matches!(ROW, [1, 1, 4, 1, 8, 5, 2, 9]));

/// The products of the S-box with 1, 2, 4 and 8: what the upper four bits give, and what the lower
/// four bits give.
static PRODUCTS: [[[u8; 16]; 2]; 4] = {
    let mut products = [[[0; 16]; 2]; 4];
    let mut n = 0;
    while n < 4 {
        let mut x = 0;
        while x < 16 {
            products[n][0][x] = product(E[x] << 4, 1 << n, FIELD);
            products[n][1][x] = product(INVERSE[x], 1 << n, FIELD);
            x += 1;
        }
        n += 1;
    }
    products
};

/// The cyclical permutation of columns, [WHIRLPOOL](super) §3.4: column j moves down by j rows.
static SHIFTED: [[u8; 16]; 4] = {
    let mut from = [[0; 16]; 4];
    let mut i = 0;
    while i < 64 {
        let (column, row) = (i / 8, i % 8);
        from[i / 16][i % 16] = ((row + 8 - column) % 8 + column % 2 * 8) as u8;
        i += 1;
    }
    from
};

/// The round constants, for the upper halves of the registers.
static MATRICES: [[[u8; 32]; 4]; 10] = {
    let mut matrices = [[[0; 32]; 4]; 10];
    let mut i = 0;
    while i < 80 {
        let column = i % 8;
        let byte = CONSTANTS[i / 8].to_be_bytes()[column];
        matrices[i / 8][column / 2][16 + column % 2 * 8] = byte;
        i += 1;
    }
    matrices
};

/// Compresses every block, [WHIRLPOOL](super) §3.10.
pub(super) fn compress(_: Avx2, chain: &mut State, blocks: &[[u8; 64]]) {
    // SAFETY: the token proves the features.
    unsafe { entry(chain, blocks) }

    #[target_feature(enable = "avx2")]
    fn entry(chain: &mut State, blocks: &[[u8; 64]]) {
        let mut bytes = [0; 64];
        for (bytes, word) in bytes.as_chunks_mut().0.iter_mut().zip(&*chain) {
            *bytes = word.to_be_bytes();
        }
        let mut hash = transposed(&bytes);
        for block in blocks {
            let message = transposed(block);
            let mut x = [U8x32::zero(); 4];
            for k in 0..4 {
                hash[k] = hash[k].xor(message[k]);
                x[k] = U8x32::join([hash[k], hash[k].xor(message[k])]);
            }
            for constants in &MATRICES {
                x = round(x, constants);
            }
            for k in 0..4 {
                hash[k] = hash[k].xor(x[k].block(0));
            }
        }
        for (bytes, columns) in bytes.as_chunks_mut().0.iter_mut().zip(hash) {
            columns.store(bytes);
        }
        let rows = transposed(&bytes);
        for (bytes, rows) in bytes.as_chunks_mut().0.iter_mut().zip(rows) {
            rows.store(bytes);
        }
        for (word, bytes) in chain.iter_mut().zip(bytes.as_chunks().0) {
            *word = u64::from_be_bytes(*bytes);
        }
    }
}

/// Returns the columns of a matrix whose rows are `rows`, two columns in a register. A matrix of
/// columns gives the rows.
#[inline]
#[target_feature(enable = "avx2")]
fn transposed(rows: &[u8; 64]) -> [U8x16; 4] {
    const PAIRS: [u8; 16] = [0, 8, 1, 9, 2, 10, 3, 11, 4, 12, 5, 13, 6, 14, 7, 15];
    let (rows, _) = rows.as_chunks();
    let pairs = U8x16::load(&PAIRS);
    let mut x = [U8x16::zero(); 4];
    for (x, rows) in x.iter_mut().zip(rows) {
        *x = U8x16::load(rows).shuffle(pairs);
    }
    let [a, b, c, d] = x;
    let (low, high) = (a.pair_u16(b), a.pair_high_u16(b));
    let (next_low, next_high) = (c.pair_u16(d), c.pair_high_u16(d));
    [
        low.pair_u32(next_low),
        low.pair_high_u32(next_low),
        high.pair_u32(next_high),
        high.pair_high_u32(next_high),
    ]
}

/// A round of the key schedule in the upper halves and a round of the cipher in the lower halves,
/// [WHIRLPOOL](super) §3.3–3.6.
#[inline]
#[target_feature(enable = "avx2")]
fn round(mut x: [U8x32; 4], constants: &[[u8; 32]; 4]) -> [U8x32; 4] {
    let (mut upper, mut lower) = (x, x);
    for k in 0..4 {
        x[k] = x[k].shuffle(all(&SHIFTED[k]));
        let [low, high] = x[k].nibbles();
        let (low, high) = (all(&INVERSE).shuffle(low), all(&E).shuffle(high));
        let between = all(&R).shuffle(low.xor(high));
        (upper[k], lower[k]) = (high.xor(between), low.xor(between));
    }
    let one = products(&PRODUCTS[0], upper, lower);
    let two = products(&PRODUCTS[1], upper, lower);
    let four = products(&PRODUCTS[2], upper, lower);
    let eight = products(&PRODUCTS[3], upper, lower);
    let total = one[0].xor(one[1]).xor(one[2].xor(one[3]));
    let mut g = four;
    for k in 0..4 {
        g[k] = four[k].xor(eight[(k + 3) % 4]);
    }
    let mut odd = g;
    for k in 0..4 {
        odd[k] = total.xor(g[(k + 2) % 4]);
    }
    for k in 0..4 {
        let even = one[k].xor(g[(k + 3) % 4]).xor(two[(k + 1) % 4]);
        let y = even
            .xor(U8x32::load(&constants[k]))
            .xor(odd[k].after::<8>(odd[(k + 3) % 4]));
        x[k] = y.xor(U8x32::zero().shifted_in(y));
    }
    x
}

/// Returns the products of the S-box with one factor, whose tables are given.
#[inline]
#[target_feature(enable = "avx2")]
fn products(tables: &[[u8; 16]; 2], mut upper: [U8x32; 4], lower: [U8x32; 4]) -> [U8x32; 4] {
    let (of_upper, of_lower) = (all(&tables[0]), all(&tables[1]));
    for k in 0..4 {
        let sum = of_upper.shuffle(upper[k]);
        upper[k] = sum.xor(of_lower.shuffle(lower[k]));
    }
    upper
}

/// Returns a register with `row` in both halves.
#[inline]
#[target_feature(enable = "avx2")]
fn all(row: &[u8; 16]) -> U8x32 {
    U8x32::splat(U8x16::load(row))
}
