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

/// The bytes with an odd index, whose S-box is S₁.
pub(super) const ODD: u32 = 0xff00_ff00;

/// Writes the rounds of SEED for a kernel, whose module has the function `g`. The chain of one group
/// takes longer than its instructions, so the module can name another function for it, with more
/// instructions and a shorter chain.
macro_rules! rounds {
    ($features:literal $($USE:ident)?, $g_of_one:ident for one group) => {
        #[inline]
        #[target_feature(enable = $features)]
        fn g_of<const N: usize>(x: Lanes) -> Lanes {
            if N == 1 { $g_of_one(x) } else { g(x) }
        }

        /// XORs the function F of the half at `FROM` to the other half, [RFC4269](super) §2.1. `both` has
        /// the XOR of the two words of the first half and of its round key. It then receives that of the
        /// other half, so the chain from G to G passes through no word of that half.
        #[inline]
        #[target_feature(enable = $features)]
        fn f<const FROM: usize, const N: usize>(
            x: &mut [[Lanes; 4]; N],
            both: &mut [Lanes; N],
            key: u32,
            next: [u32; 2],
        ) {
            let to = 2 - FROM;
            let (key, next) = (Lanes::splat(key), Lanes::splat(next[0] ^ next[1]));
            let mut c = [key; N];
            let mut d = [key; N];
            for n in 0..N {
                d[n] = g_of::<N>(both[n]);
            }
            for n in 0..N {
                c[n] = g_of::<N>(x[n][FROM].xor(key).add(d[n]));
            }
            for n in 0..N {
                d[n] = g_of::<N>(d[n].add(c[n]));
            }
            for n in 0..N {
                let sum = c[n].add(d[n]);
                both[n] = x[n][to].xor3(x[n][to + 1], next).xor3(sum, d[n]);
                x[n][to] = x[n][to].xor(sum);
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
            // No round follows the last one, so the key after it does not matter.
            let key = |i: usize| {
                let i = i.min(15);
                keys[if BACKWARDS { 15 - i } else { i }]
            };
            let mut both = [Lanes::splat(key(0)[0] ^ key(0)[1]); N];
            for n in 0..N {
                both[n] = both[n].xor3(x[n][2], x[n][3]);
            }
            for pair in 0..8 {
                let [first, second] = [key(2 * pair), key(2 * pair + 1)];
                f::<2, N>(&mut x, &mut both, first[0], second);
                f::<0, N>(&mut x, &mut both, second[0], key(2 * pair + 2));
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
