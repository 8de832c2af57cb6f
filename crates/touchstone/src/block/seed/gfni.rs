//! The common parts of SEED's kernels with GFNI. A group of blocks is in four registers, one for each
//! word, and several groups are computed at once ([`sliced`](crate::machinery::sliced)).
//!
//! Both S-boxes invert in the same field, so one affine map converts the bytes to the field of
//! AES for both. The code computes both affine maps after the inversion for all bytes. The
//! position of a byte determines which of the two results is used. G then XORs a word and its
//! three rotations by whole bytes, each under a mask.

use super::{FIELD, MAPS, MASKS};
use crate::machinery::field::{IDENTITY, Inversion};

/// The S-boxes: S₀ for bytes with an even index and S₁ for bytes with an odd index,
/// [SEED](super) §2.2.2.
pub(super) const S: [Inversion; 2] = [
    Inversion::of(&IDENTITY, &MAPS[0], FIELD),
    Inversion::of(&IDENTITY, &MAPS[1], FIELD),
];

/// The masks of G, for a word and for its rotations by one, two and three bytes to the right.
/// After a rotation by `n` bytes, byte `to` of the result is byte `to` + `n` of the word.
pub(super) const ROTATED: [u32; 4] = {
    let mut masks = [0; 4];
    let mut n = 0;
    while n < 4 {
        let mut to = 4;
        while to > 0 {
            to -= 1;
            masks[n] = masks[n] << 8 | MASKS[(2 * to + n) % 4] as u32;
        }
        n += 1;
    }
    masks
};

/// Writes the rounds of SEED for a kernel, whose module has the function `g`.
macro_rules! rounds {
    ($features:literal $($USE:ident)?) => {
        /// XORs the function F of the half at `FROM` to the other half, [RFC4269](super) §2.1.
        #[inline]
        #[target_feature(enable = $features)]
        fn f<const FROM: usize, const N: usize>(x: &mut [[Lanes; 4]; N], [k0, k1]: [u32; 2]) {
            let to = 2 - FROM;
            let (key, both) = (Lanes::splat(k0), Lanes::splat(k0 ^ k1));
            let mut c = [key; N];
            let mut d = [key; N];
            for n in 0..N {
                d[n] = g(x[n][FROM].xor3(x[n][FROM + 1], both));
            }
            for n in 0..N {
                c[n] = g(x[n][FROM].xor(key).add(d[n]));
            }
            for n in 0..N {
                d[n] = g(d[n].add(c[n]));
            }
            for n in 0..N {
                x[n][to] = x[n][to].xor(c[n].add(d[n]));
                x[n][to + 1] = x[n][to + 1].xor(d[n]);
            }
        }

        /// Encrypts or decrypts, [RFC4269](super) §2.1, with the round keys in order or in reverse
        /// order.
        #[inline]
        #[target_feature(enable = $features)]
        fn rounds<const BACKWARDS: bool, const N: usize $(, const $USE: u8)?>(
            keys: &RoundKeys,
            data: &mut [[Lanes; 4]; N],
        ) {
            // The words of a block are big-endian.
            let mut x = *data;
            for n in 0..N {
                for w in 0..4 {
                    x[n][w] = x[n][w].swap_bytes();
                }
            }
            for pair in 0..8 {
                let key = |i: usize| keys[if BACKWARDS { 15 - i } else { i }];
                f::<2, N>(&mut x, key(2 * pair));
                f::<0, N>(&mut x, key(2 * pair + 1));
            }
            for n in 0..N {
                for w in 0..4 {
                    data[n][(w + 2) % 4] = x[n][w].swap_bytes();
                }
            }
        }

        #[inline]
        #[target_feature(enable = $features)]
        fn forwards<const N: usize $(, const $USE: u8)?>(
            keys: &RoundKeys,
            data: &mut [[Lanes; 4]; N],
        ) {
            rounds::<false, N $(, $USE)?>(keys, data);
        }

        #[inline]
        #[target_feature(enable = $features)]
        fn backwards<const N: usize $(, const $USE: u8)?>(
            keys: &RoundKeys,
            data: &mut [[Lanes; 4]; N],
        ) {
            rounds::<true, N $(, $USE)?>(keys, data);
        }
    };
}
pub(super) use rounds;
