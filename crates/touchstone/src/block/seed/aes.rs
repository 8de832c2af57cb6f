//! The function G of SEED's kernels with AES-NI or VAES. The code of the rounds is in
//! [`gfni`](super::gfni).
//!
//! The last round of AES with a zero key inverts in the field of AES, and then applies an affine map and
//! ShiftRows. An affine map, by two byte shuffles, leads to this field, and others lead from the output
//! to that of the S-boxes. ShiftRows leaves each byte at its place in a word, and the byte shuffles that
//! rotate words undo it.
//!
//! A round computes G three times, with 32 instructions each, and 9 other instructions: 105 for eight
//! blocks, 36 of which move or look up bytes.

use super::gfni::S;
use crate::machinery::field::{AES_MAP, Nibbles, inverse, nibbles};

/// The map to the field of AES.
pub(super) const BEFORE: Nibbles = nibbles(&S[0].before.table());

/// The maps from the output of the AES instruction to that of S₀, and to the sum of those of S₀ and S₁.
pub(super) const AFTER: [Nibbles; 2] = {
    let back = inverse(&AES_MAP);
    let mut tables = [[0; 256]; 2];
    let mut x = 0;
    while x < 256 {
        tables[0][x] = S[0].after.apply(back[x]);
        tables[1][x] = tables[0][x] ^ S[1].after.apply(back[x]);
        x += 1;
    }
    [nibbles(&tables[0]), nibbles(&tables[1])]
};

/// Writes the function G for a kernel with these features.
macro_rules! function_g {
    ($features:literal) => {
        /// Computes the function G, [RFC4269](super) §2.2.
        #[inline]
        #[target_feature(enable = $features)]
        fn g(x: Lanes) -> Lanes {
            /// ShiftRows backwards, and then a rotation of each word by 0 to 3 bytes to the right.
            const PLACES: [[u8; 16]; 4] = rotations(1, 13);
            let b = last_round!(forwards Bytes::from(x).mapped(&BEFORE));
            let mask = |mask: u32| Bytes::from(Lanes::splat(mask));
            let differ = b.mapped(&AFTER[1]).and(mask(ODD));
            let y = b.mapped(&AFTER[0]).xor(differ);
            let part = |n: usize| {
                let places = Bytes::splat(U8x16::load(&PLACES[n]));
                y.shuffle(places).and(mask(ROTATED[n]))
            };
            part(0).xor(part(1)).xor(part(2).xor(part(3))).into()
        }
    };
}

pub(super) use function_g;
