//! Streebog with AVX-512 and GFNI, constant-time. The whole state is in one register.
//!
//! The state is stored as a transposed matrix of 8 × 8 bytes: number k of the register has byte
//! k of every word. The transformation S is a lookup in registers. L computes byte k of a word
//! from the eight bytes j of the word by eight matrices M(k,j) of 8 × 8 bits. One GFNI
//! instruction applies a matrix to all bytes of a number. P and L together are eight shuffles,
//! eight products with matrices, and the sum of these products. Shuffle j puts byte j of each
//! word after P into all numbers:
//!
//! ```text
//!   number k of the result = M(k,0) · shuffle 0 ⊕ M(k,1) · shuffle 1 ⊕ … ⊕ M(k,7) · shuffle 7
//! ```
#![allow(unsafe_code)]

use super::{A, C, Number, PI};
use crate::cpu::Avx512;
use crate::simd::{U8x64, U64x8};

type Bytes = [[u8; 8]; 8];

/// The indices of shuffle j. Byte i of each number of the result is byte j of number i of the
/// input.
static SHUFFLES: [Bytes; 8] = {
    let mut shuffles = [[[0; 8]; 8]; 8];
    let mut n = 0;
    while n < 512 {
        let (j, k, i) = (n / 64, n / 8 % 8, n % 8);
        shuffles[j][k][i] = (8 * i + j) as u8;
        n += 1;
    }
    shuffles
};

/// The matrices of L: number k of entry j is the matrix M(k,j), in the form of GFNI. In this
/// form, the highest byte of a matrix selects the input bits from which output bit 0 is
/// computed.
static MATRICES: [Bytes; 8] = {
    let mut matrices = [[[0; 8]; 8]; 8];
    let mut n = 0;
    while n < 8 * 8 * 64 {
        let (j, k, row, column) = (n / 512, n / 64 % 8, n / 8 % 8, n % 8);
        let bit = A[63 - 8 * j - column] >> (8 * k + row) & 1;
        matrices[j][k][7 - row] |= (bit as u8) << column;
        n += 1;
    }
    matrices
};

/// The constants of the key schedule, as transposed matrices.
static TRANSPOSED_C: [Bytes; 12] = {
    let mut constants = [[[0; 8]; 8]; 12];
    let mut n = 0;
    while n < 12 * 64 {
        let (round, k, i) = (n / 64, n / 8 % 8, n % 8);
        constants[round][k][i] = C[round][i].to_le_bytes()[k];
        n += 1;
    }
    constants
};

/// Computes the compression function g, [RFC6986] §7 and §8.
pub(super) fn g(_: Avx512, h: &mut Number, n: Number, m: &Number) {
    // SAFETY: the token proves the features.
    unsafe { entry(h, n, m) }

    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi,gfni")]
    fn entry(h: &mut Number, n: Number, m: &Number) {
        let (before, m) = (load(h), load(m));
        let mut key = lps(before.xor(load(&n)));
        let mut state = m.xor(key);
        for constant in &TRANSPOSED_C {
            state = lps(state);
            key = lps(key.xor(U64x8::load(constant)));
            state = state.xor(key);
        }
        let mut bytes = [[0; 8]; 8];
        before
            .xor_both(m, state)
            .exchange_numbers()
            .store(&mut bytes);
        *h = bytes.map(u64::from_le_bytes);
    }
}

#[inline]
#[target_feature(enable = "avx512f,avx512vbmi")]
fn load(number: &Number) -> U64x8 {
    let mut bytes = [[0; 8]; 8];
    for (bytes, word) in bytes.iter_mut().zip(number) {
        *bytes = word.to_le_bytes();
    }
    U64x8::load(&bytes).exchange_numbers()
}

/// Computes the transformations S, P and L of [RFC6986] §6.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,gfni")]
fn lps(x: U64x8) -> U64x8 {
    let x = U64x8::from(U8x64::from(x).lookup(&PI));
    let mut products = [x; 8];
    for j in 0..8 {
        let shuffled = U64x8::load(&SHUFFLES[j]).look_up(x);
        products[j] = shuffled.affine(U64x8::load(&MATRICES[j]));
    }
    let [a, b, c, d, e, f, g, h] = products;
    a.xor_both(b, c).xor_both(d.xor_both(e, f), g.xor(h))
}
