//! ARIA with AVX-512 and GFNI: 64 blocks, byte-sliced
//! ([`planes`](crate::machinery::planes)), in constant time.
//!
//! S₁ and S₂ are one instruction each, which inverts in AES's field and applies an affine
//! map. The inverse S-boxes need another affine map first. Each of the three linear steps
//! of the diffusion layer is an XOR of three values for each byte.
//!
//! A round has 24 affine maps, 16 XORs with keys and 48 XORs of three values. The prediction is 44
//! cycles for 64 blocks if two instructions start in a cycle.
#![allow(unsafe_code)]

use super::{FIELD, INVERSE_MAPS, MAPS, State};
use crate::machinery::field::{IDENTITY, Inversion};
use crate::machinery::planes::planes;

/// S₁, S₂ and their inverses, [ARIA](super) §2.2.
const S: [Inversion; 4] = [
    Inversion::of(&IDENTITY, &MAPS[0], FIELD),
    Inversion::of(&IDENTITY, &MAPS[1], FIELD),
    Inversion::of(&INVERSE_MAPS[0], &IDENTITY, FIELD),
    Inversion::of(&INVERSE_MAPS[1], &IDENTITY, FIELD),
];

/// S₁ or S₂, which begin with the inversion.
macro_rules! forward {
    ($number:literal, $x:expr) => {
        $x.inverse_affine_plus::<{ S[$number].after.constant }>(S[$number].after.matrix)
    };
}

/// The inverse of S₁ or S₂, which ends with the inversion.
macro_rules! backward {
    ($number:literal, $x:expr) => {
        $x.affine_plus::<{ S[$number].before.constant }>(S[$number].before.matrix)
            .inverse_affine_plus::<0>(S[$number].after.matrix)
    };
}

/// Adds the key, and then substitutes all bytes: with S₁, S₂ and their inverses in an
/// odd round, with the inverses first in an even round.
macro_rules! substitute {
    (odd: $p:ident, $key:expr) => {
        for w in 0..4 {
            let key = $key[w].to_be_bytes();
            let x = &mut $p[4 * w..][..4];
            x[0] = forward!(0, x[0].xor(Bytes::splat_u8(key[0])));
            x[1] = forward!(1, x[1].xor(Bytes::splat_u8(key[1])));
            x[2] = backward!(2, x[2].xor(Bytes::splat_u8(key[2])));
            x[3] = backward!(3, x[3].xor(Bytes::splat_u8(key[3])));
        }
    };
    (even: $p:ident, $key:expr) => {
        for w in 0..4 {
            let key = $key[w].to_be_bytes();
            let x = &mut $p[4 * w..][..4];
            x[0] = backward!(2, x[0].xor(Bytes::splat_u8(key[0])));
            x[1] = backward!(3, x[1].xor(Bytes::splat_u8(key[1])));
            x[2] = forward!(0, x[2].xor(Bytes::splat_u8(key[2])));
            x[3] = forward!(1, x[3].xor(Bytes::splat_u8(key[3])));
        }
    };
}

/// The diffusion layer A in the steps that [`sum_of_others`](super::sum_of_others)
/// describes.
macro_rules! diffuse {
    ($p:ident) => {{
        let mut sums = $p;
        for w in 0..4 {
            for i in 0..4 {
                let other = |n: usize| $p[4 * w + (i + n) % 4];
                sums[4 * w + i] = other(1).xor3(other(2), other(3));
            }
        }
        let mut words = sums;
        for i in 0..4 {
            for w in 0..4 {
                let other = |n: usize| sums[4 * ((w + n) % 4) + i];
                words[4 * w + i] = other(1).xor3(other(2), other(3));
            }
        }
        /// Byte `i` of word `w` comes from byte `i` ⊕ `FROM[w]`.
        const FROM: [usize; 4] = [3, 1, 2, 0];
        for i in 0..4 {
            for w in 0..4 {
                let other = |n: usize| {
                    let w = (w + n) % 4;
                    words[4 * w + (i ^ FROM[w])]
                };
                $p[4 * w + i] = other(1).xor3(other(2), other(3));
            }
        }
    }};
}

/// Encrypts, or decrypts with the keys of decryption, [RFC5794](super) §2.3.
macro_rules! cipher {
    ($keys:ident, $p:ident) => {{
        let last = $keys.len() - 1;
        for pair in 0..last / 2 {
            substitute!(odd: $p, $keys[2 * pair]);
            diffuse!($p);
            substitute!(even: $p, $keys[2 * pair + 1]);
            if pair + 1 < last / 2 {
                diffuse!($p);
            }
        }
        for w in 0..4 {
            let key = $keys[last][w].to_be_bytes();
            for i in 0..4 {
                $p[4 * w + i] = $p[4 * w + i].xor(Bytes::splat_u8(key[i]));
            }
        }
    }};
}

planes!(
    whole: [State], from 3 blocks,
    forwards |keys, p| { cipher!(keys, p); }
    backwards |keys, p| { cipher!(keys, p); }
);
