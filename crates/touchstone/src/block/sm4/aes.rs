//! The function T of SM4's kernels with AES-NI or VAES, and the keys in their basis. The rounds are in
//! [`gfni`](super::gfni).
//!
//! The last round of AES with a zero key inverts the bytes, and then applies an affine map and ShiftRows.
//! From its output, two affine maps lead to the images t and w, and the byte shuffles that rotate also
//! undo ShiftRows.
//!
//! A round has 25 instructions for eight blocks, 10 of which move or look up bytes. The chain of a round
//! is long, 27 cycles on Zen 5, so 16 blocks take little longer than 8. Planes of bytes take 21
//! instructions for eight blocks, but a longer chain, and 16 blocks fill only half of them.
#![allow(unsafe_code)]

use super::RoundKeys;
use super::gfni::{InBasis, S};
use crate::cpu::{Avx2Aes, Vaes256};
use crate::machinery::field::{AES_MAP, Nibbles, inverse, nibbles, rotations};
use crate::simd::{U8x32, U32x8};
use crate::wipe::wipe;

/// ShiftRows backwards, and then each rotation to the left, of words whose first byte in memory is the
/// highest.
pub(super) const PLACES: [[u8; 16]; 4] = rotations(3, 13);

/// The map from bytes to the basis in which the kernel computes, and the inverse map.
pub(super) const BASIS: [Nibbles; 2] = {
    let there = S.before.without_constant().table();
    [nibbles(&there), nibbles(&inverse(&there))]
};

/// The map of [`BASIS`] and the constant that the S-box adds first, for the round keys.
pub(super) const KEYS: Nibbles = nibbles(&S.before.table());

/// The affine maps after the AES instruction, for (1 + C) and (A + C). The second image is added three
/// times, so it brings the constant of the S-box.
pub(super) const AFTER: [Nibbles; 2] = {
    let back = inverse(&AES_MAP);
    let constant = S.after.constant as u8;
    let mut tables = [[0; 256]; 2];
    let mut x = 0;
    while x < 256 {
        let b = S.after.linear(back[x]);
        tables[0][x] = S.before.linear(b ^ b >> 6);
        tables[1][x] = S.before.linear((b ^ constant) << 2 ^ (b ^ constant) >> 6);
        x += 1;
    }
    [nibbles(&tables[0]), nibbles(&tables[1])]
};

/// Single blocks need the keys as the key set-up makes them. The function is not inlined, so that a
/// message too short for the kernel does not have the other keys in its frame.
impl InBasis for Avx2Aes {
    #[inline(never)]
    fn with(self, keys: &RoundKeys, work: impl FnOnce(&RoundKeys)) {
        #[target_feature(enable = "avx2")]
        fn turned(keys: &mut RoundKeys) {
            for keys in keys.as_chunks_mut().0 {
                let bytes = U8x32::from(U32x8::load(keys).swap_bytes());
                U32x8::from(bytes.mapped(&KEYS)).store(keys);
            }
        }
        let mut keys = *keys;
        // SAFETY: the token proves the features.
        unsafe { turned(&mut keys) }
        work(&keys);
        wipe(&mut keys, 0);
    }
}

impl InBasis for Vaes256 {
    #[inline(always)]
    fn with(self, keys: &RoundKeys, work: impl FnOnce(&RoundKeys)) {
        Avx2Aes::from(self).with(keys, work);
    }
}

/// Writes the functions of a kernel with these features that [`in_words`](super::gfni::in_words) needs.
macro_rules! functions {
    ($features:literal) => {
        #[inline]
        #[target_feature(enable = $features)]
        fn to_basis(x: Bytes) -> Bytes {
            x.mapped(&BASIS[0])
        }

        #[inline]
        #[target_feature(enable = $features)]
        fn from_basis(x: Bytes) -> Bytes {
            x.mapped(&BASIS[1])
        }

        /// Computes T, [SM4](super) §2, of a sum of words and a key.
        #[inline]
        #[target_feature(enable = $features)]
        fn t(x: Lanes) -> Lanes {
            let turned = |x: Bytes, n: usize| x.shuffle(Bytes::splat(U8x16::load(&PLACES[n])));
            let b = last_round!(forwards Bytes::from(x));
            let (t, w) = (b.mapped(&AFTER[0]), b.mapped(&AFTER[1]));
            let far = turned(w, 2).xor(turned(w, 3));
            let near = turned(t, 1).xor(turned(t.xor(w), 0));
            near.xor(far).into()
        }
    };
}

pub(super) use functions;
