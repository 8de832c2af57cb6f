//! Whirlpool with AVX-512 and GFNI, constant-time. The whole matrix is in one register. Each
//! 64-bit number is a row, with the row's first byte as the lowest byte.
//!
//! The S-box is a lookup in registers. In the diffusion layer, a row y is the sum of eight
//! products. Product *n* is the row x rotated by *n* bytes (0 to 7), times entry *n* of the
//! matrix's first row 1, 1, 4, 1, 8, 5, 2, 9. GFNI multiplies by 2, 4 and 8. Let x ≪ n be x
//! rotated by n bytes; then five rotations are enough:
//!
//! ```text
//!   u = 4x ⊕ (8x ≪ 2)     v = x ≪ 1
//!   y = x ⊕ v ⊕ (u ⊕ v) ≪ 2 ⊕ (u ⊕ x) ≪ 5 ⊕ (2x ⊕ v) ≪ 6
//! ```
#![allow(unsafe_code)]

use super::{CONSTANTS, FIELD, ROW, S, State};
use crate::cpu::Avx512;
use crate::machinery::field::Affine;
use crate::simd::U8x64;

const TIMES_2: Affine = Affine::product(2, FIELD);
const TIMES_4: Affine = Affine::product(4, FIELD);
const TIMES_8: Affine = Affine::product(8, FIELD);

// The code of the diffusion layer is right only for this first row of the matrix.
const _: () = assert!(matches!(ROW, [1, 1, 4, 1, 8, 5, 2, 9]));

/// The cyclical permutation of columns, [WHIRLPOOL] §3.4: column j moves down by j rows.
static SHIFTED: [u8; 64] = {
    let mut from = [0; 64];
    let mut i = 0;
    while i < 64 {
        from[i] = ((i + 64 - 8 * (i % 8)) % 64) as u8;
        i += 1;
    }
    from
};

/// The round constants as matrices of bytes.
static MATRICES: [[u8; 64]; 10] = {
    let mut matrices = [[0; 64]; 10];
    let mut i = 0;
    while i < 80 {
        matrices[i / 8][i % 8] = CONSTANTS[i / 8].to_be_bytes()[i % 8];
        i += 1;
    }
    matrices
};

/// Compresses every block, [WHIRLPOOL] §3.10.
pub(super) fn compress(_: Avx512, chain: &mut State, blocks: &[[u8; 64]]) {
    // SAFETY: the token proves the features.
    unsafe { entry(chain, blocks) }

    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi,gfni")]
    fn entry(chain: &mut State, blocks: &[[u8; 64]]) {
        let mut bytes = [0; 64];
        for (bytes, word) in bytes.as_chunks_mut().0.iter_mut().zip(&*chain) {
            *bytes = word.to_be_bytes();
        }
        let mut hash = U8x64::load(&bytes);
        for block in blocks {
            let message = U8x64::load(block);
            let mut key = hash;
            let mut state = message.xor(key);
            for constant in &MATRICES {
                key = layers(key, U8x64::load(constant));
                state = layers(state, key);
            }
            hash = hash.xor3(message, state);
        }
        hash.store(&mut bytes);
        for (word, bytes) in chain.iter_mut().zip(bytes.as_chunks().0) {
            *word = u64::from_be_bytes(*bytes);
        }
    }
}

/// Computes the S-boxes, the cyclical permutation of columns, the diffusion, and the addition
/// of `key`, [WHIRLPOOL] §3.3–3.6.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,gfni")]
fn layers(state: U8x64, key: U8x64) -> U8x64 {
    let x = U8x64::load(&SHIFTED).look_up(state.lookup(&S));
    let v = x.rotate_u64::<8>();
    let four = x.affine(TIMES_4.matrix);
    let eight = x.affine(TIMES_8.matrix).rotate_u64::<16>();
    let two = x.affine(TIMES_2.matrix).xor(v).rotate_u64::<48>();
    let a = four.xor3(eight, v).rotate_u64::<16>();
    let b = four.xor3(eight, x).rotate_u64::<40>();
    a.xor3(b, two).xor3(x.xor(v), key)
}
