//! Argon2's function G with a row of four words of P's input in a register, and two rows or columns
//! of the matrix at once, so that their steps do not wait for each other.
#![allow(unsafe_code)]

use super::Block;
use crate::cpu;
use crate::simd::U64x4;

/// Replaces `x` by G(`x`, `y`).
#[inline]
pub(super) fn compress(_: cpu::Avx2, x: &mut Block, y: &Block) {
    // SAFETY: the token proves the features.
    unsafe { entry(x, y) }
}

super::steps!(U64x4, 2, "avx2");

/// The permutation P, [RFC9106](super) §3.6.
#[inline]
#[target_feature(enable = "avx2")]
fn permute([a, b, c, d]: &mut [[U64x4; 2]; 4]) {
    g(a, b, c, d);
    for i in 0..2 {
        a[i] = a[i].permute::<0b10_01_00_11>();
        c[i] = c[i].permute::<0b00_11_10_01>();
        d[i] = d[i].permute::<0b01_00_11_10>();
    }
    g(a, b, c, d);
    for i in 0..2 {
        a[i] = a[i].permute::<0b00_11_10_01>();
        c[i] = c[i].permute::<0b10_01_00_11>();
        d[i] = d[i].permute::<0b01_00_11_10>();
    }
}

#[target_feature(enable = "avx2")]
fn entry(x: &mut Block, y: &Block) {
    let (x, _) = x.0.as_chunks_mut::<4>();
    let (y, _) = y.0.as_chunks::<4>();
    let mut z = [[0; 4]; 32];
    for i in 0..4 {
        let mut v = [[U64x4::zero(); 2]; 4];
        for (j, v) in v.iter_mut().enumerate() {
            for (row, v) in v.iter_mut().enumerate() {
                let at = 8 * i + 4 * row + j;
                *v = U64x4::load_u64(&x[at]).xor(U64x4::load_u64(&y[at]));
                v.store_u64(&mut x[at]);
            }
        }
        permute(&mut v);
        for (j, v) in v.iter().enumerate() {
            for (row, v) in v.iter().enumerate() {
                v.store_u64(&mut z[8 * i + 4 * row + j]);
            }
        }
    }
    for i in 0..4 {
        let mut v = [[U64x4::zero(); 2]; 4];
        for (j, v) in v.iter_mut().enumerate() {
            let [first, second] = [z[8 * j + i], z[8 * j + 4 + i]];
            *v = U64x4::load_u64(&first).halves(U64x4::load_u64(&second));
        }
        permute(&mut v);
        for (j, v) in v.iter().enumerate() {
            for (row, v) in v[0].halves(v[1]).iter().enumerate() {
                let x = &mut x[8 * j + 4 * row + i];
                U64x4::load_u64(x).xor(*v).store_u64(x);
            }
        }
    }
    crate::wipe::wipe(&mut z, [0; 4]);
}
