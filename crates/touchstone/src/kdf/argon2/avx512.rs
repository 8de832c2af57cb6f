//! Argon2's function G with the whole block in sixteen registers.
//!
//! For the rows, a register has the same row of four words of P's input for two rows of the matrix.
//! As in BLAKE2, the rows a, c and d of P's input rotate, and not b, which is the last result of a
//! step. For the columns, a register has the same word of P's input for all eight columns, so that
//! nothing has to rotate: two rows of four words become one row of the matrix, and its even and odd
//! words go to registers of their own.
#![allow(unsafe_code)]

use super::Block;
use crate::cpu;
use crate::simd::U64x8;

/// Replaces `x` by G(`x`, `y`).
#[inline]
pub(super) fn compress(_: cpu::Avx512, x: &mut Block, y: &Block) {
    // SAFETY: the token proves the features.
    unsafe { entry(x, y) }
}

super::steps!(U64x8, 4, "avx512f");

#[target_feature(enable = "avx512f")]
fn entry(x: &mut Block, y: &Block) {
    let (x, _) = x.0.as_chunks_mut::<8>();
    let (y, _) = y.0.as_chunks::<8>();
    let [mut a, mut b, mut c, mut d] = [[U64x8::zero(); 4]; 4];
    for i in 0..4 {
        let mut z = [U64x8::zero(); 4];
        for (j, z) in z.iter_mut().enumerate() {
            *z = U64x8::load_u64(&x[4 * i + j]).xor(U64x8::load_u64(&y[4 * i + j]));
            z.store_u64(&mut x[4 * i + j]);
        }
        [a[i], b[i]] = z[0].halves(z[2]);
        [c[i], d[i]] = z[1].halves(z[3]);
    }

    g(&mut a, &mut b, &mut c, &mut d);
    for i in 0..4 {
        a[i] = a[i].permute_halves::<0b10_01_00_11>();
        c[i] = c[i].permute_halves::<0b00_11_10_01>();
        d[i] = d[i].permute_halves::<0b01_00_11_10>();
    }
    g(&mut a, &mut b, &mut c, &mut d);
    for i in 0..4 {
        a[i] = a[i].permute_halves::<0b00_11_10_01>();
        c[i] = c[i].permute_halves::<0b10_01_00_11>();
        d[i] = d[i].permute_halves::<0b01_00_11_10>();
    }

    // v[i] has the i-th words of the eight columns.
    let mut v = [[U64x8::zero(); 4]; 4];
    for i in 0..4 {
        let [low, high] = [a[i].halves(b[i]), c[i].halves(d[i])];
        for row in 0..2 {
            v[i][2 * row] = low[row].zip_even(high[row]);
            v[i][2 * row + 1] = low[row].zip_odd(high[row]);
        }
    }
    let [mut a, mut b, mut c, mut d] = v;
    g(&mut a, &mut b, &mut c, &mut d);
    b = [b[1], b[2], b[3], b[0]];
    c = [c[2], c[3], c[0], c[1]];
    d = [d[3], d[0], d[1], d[2]];
    g(&mut a, &mut b, &mut c, &mut d);
    b = [b[3], b[0], b[1], b[2]];
    c = [c[2], c[3], c[0], c[1]];
    d = [d[1], d[2], d[3], d[0]];

    for (i, v) in [a, b, c, d].iter().enumerate() {
        for row in 0..2 {
            let (even, odd) = (v[2 * row], v[2 * row + 1]);
            for (half, z) in [even.zip_even(odd), even.zip_odd(odd)].iter().enumerate() {
                let x = &mut x[4 * i + 2 * row + half];
                U64x8::load_u64(x).xor(*z).store_u64(x);
            }
        }
    }
}
