//! The common parts of SM4's kernels: the basis, the round on planes with GFNI, and the rounds on words. A
//! plane has the byte at one position of every block ([`planes`](crate::machinery::planes)).
//!
//! The S-box is an affine map to the field of AES, the inversion in that field, and an affine
//! map back. A kernel stores the images of the state and of the round keys under the first map,
//! so that a round begins with the inversion.
//!
//! L rotates words by 2 bits more than whole bytes. Let A be the map that shifts a byte up
//! by 2 bits, and C the map that shifts it down by 6 bits. Then byte *i* of L(b) is
//!
//! ```text
//!   (1 + C) b[i] + (1 + A) b[i+3] + (A + C) (b[0] + b[1] + b[2] + b[3])
//! ```
//!
//! One affine map after the inversion joins three maps: the second map of the S-box, one of the
//! three maps above, and the first map of the next round's S-box. So a round on planes has 12
//! affine maps and 22 other instructions. The predicted time is 17 cycles for 64 blocks if two
//! instructions start in a cycle.
#![allow(unsafe_code)]

use super::{FIELD, MAP, RoundKeys};
use crate::cpu::{Avx512, Gfni};
use crate::machinery::field::{Affine, Inversion};
use crate::simd::{U8x32, U32x8};
use crate::wipe::wipe;

pub(super) const S: Inversion = Inversion::of(&MAP, &MAP, FIELD);

/// The map from bytes to the basis in which the kernel computes, and the inverse map.
pub(super) const BASIS: [u64; 2] = S.before.basis();

/// The affine maps after the inversion, for (1 + C), (1 + A) and (A + C). The first map adds
/// the constant of the S-box for the first two maps, which is the same in all bytes. The third
/// map needs no constant: it is applied to four bytes, and four equal constants cancel.
pub(super) const AFTER: [Affine; 3] = {
    let mut tables = [[0; 256]; 3];
    let mut x = 0;
    while x < 256 {
        let b = S.after.linear(x as u8);
        tables[0][x] = S.before.linear(b ^ b >> 6);
        tables[1][x] = S.before.linear(b ^ b << 2);
        tables[2][x] = S.before.linear(b << 2 ^ b >> 6);
        x += 1;
    }
    let constant = S.after.constant as u8;
    let constant = S.before.linear(constant << 2 ^ constant >> 6);
    let mut x = 0;
    while x < 256 {
        tables[0][x] ^= constant;
        x += 1;
    }
    [
        Affine::of(&tables[0]),
        Affine::of(&tables[1]),
        Affine::of(&tables[2]),
    ]
};

/// Returns the three images of the inverse of `$x`.
macro_rules! after {
    ($x:expr) => {
        [
            $x.inverse_affine_plus::<{ AFTER[0].constant }>(AFTER[0].matrix),
            $x.inverse_affine_plus::<0>(AFTER[1].matrix),
            $x.inverse_affine_plus::<0>(AFTER[2].matrix),
        ]
    };
}

/// Converts the round keys to the kernels' basis. XORs to each key the constant that the S-box
/// adds first, and stores the highest byte of each key first.
pub(super) fn to_basis(_: impl Into<Gfni>, keys: &mut RoundKeys) {
    #[target_feature(enable = "avx2,gfni")]
    fn turned(keys: &mut RoundKeys) {
        for keys in keys.as_chunks_mut().0 {
            U32x8::from(
                U8x32::from(U32x8::load(keys).swap_bytes())
                    .affine_plus::<{ S.before.constant }>(S.before.matrix),
            )
            .store(keys);
        }
    }
    // SAFETY: the token proves the features.
    unsafe { turned(keys) }
}

/// Calls `work` with the round keys in the kernels' basis.
pub(super) trait InBasis {
    fn with(self, keys: &RoundKeys, work: impl FnOnce(&RoundKeys));
}

/// The keys are in the basis from the key set-up on, because single blocks need them, too.
impl InBasis for Avx512 {
    #[inline(always)]
    fn with(self, keys: &RoundKeys, work: impl FnOnce(&RoundKeys)) {
        work(keys);
    }
}

/// Single blocks need the keys as the key set-up makes them. The function is not inlined, so that a
/// message too short for the kernel does not have the other keys in its frame.
impl InBasis for Gfni {
    #[inline(never)]
    fn with(self, keys: &RoundKeys, work: impl FnOnce(&RoundKeys)) {
        let mut keys = *keys;
        to_basis(self, &mut keys);
        work(&keys);
        wipe(&mut keys, 0);
    }
}

/// Computes a round on planes: XORs T of the key and three words to word `$to`.
macro_rules! round {
    ($p:ident[$to:literal], $a:literal $b:literal $c:literal, $key:expr) => {{
        let key = $key.to_le_bytes();
        let mut t = [[Bytes::zero(); 3]; 4];
        for i in 0..4 {
            let x = $p[4 * $a + i].xor3($p[4 * $b + i], Bytes::splat_u8(key[i]));
            let x = x.xor($p[4 * $c + i]);
            t[i] = after!(x);
        }
        let all = t[0][2].xor3(t[1][2], t[2][2]).xor(t[3][2]);
        for i in 0..4 {
            let sum = $p[4 * $to + i].xor3(all, t[i][0]);
            $p[4 * $to + i] = sum.xor(t[(i + 3) % 4][1]);
        }
    }};
}

/// Computes all rounds on planes, with the given order of keys.
macro_rules! rounds {
    ($p:ident, |$round:ident| $key:expr) => {{
        for plane in &mut $p {
            *plane = plane.affine(BASIS[0]);
        }
        for four in 0..8 {
            let key = |turn: usize| -> u32 {
                let $round = 4 * four + turn;
                $key
            };
            round!($p[0], 2 3 1, key(0));
            round!($p[1], 2 3 0, key(1));
            round!($p[2], 0 3 1, key(2));
            round!($p[3], 0 1 2, key(3));
        }
        for plane in &mut $p {
            *plane = plane.affine(BASIS[1]);
        }
        // The rounds leave the words in reverse order.
        for i in 0..4 {
            $p.swap(i, 12 + i);
            $p.swap(4 + i, 8 + i);
        }
    }};
}

/// Writes the rounds on words for a kernel, whose module has the functions `t`, `to_basis` and
/// `from_basis`.
///
/// With (1 + A) = (1 + C) + (A + C), the word L(b) is t + w + (t ⋘ 8) + (w ⋘ 16) + (w ⋘ 24), where t and
/// w are the images for (1 + C) and (A + C).
macro_rules! in_words {
    ($features:literal) => {
        /// Encrypts or decrypts, with the round keys in order or in reverse order.
        #[inline]
        #[target_feature(enable = $features)]
        fn rounds<const BACKWARDS: bool, const N: usize>(
            keys: &RoundKeys,
            data: &mut [[Lanes; 4]; N],
        ) {
            let mut x = *data;
            for word in x.as_flattened_mut() {
                *word = to_basis(Bytes::from(*word)).into();
            }
            for four in 0..8 {
                // Written out: otherwise the words are not in registers.
                $crate::machinery::each::each!(TURN in 0 1 2 3 => {
                    let round = 4 * four + TURN;
                    let key = Lanes::splat(keys[if BACKWARDS { 31 - round } else { round }]);
                    for n in 0..N {
                        let [a, b, newest] = [1, 2, 3].map(|i| x[n][(TURN + i) % 4]);
                        x[n][TURN] = x[n][TURN].xor(t(a.xor3(b, key).xor(newest)));
                    }
                });
            }
            for x in &mut x {
                for word in &mut *x {
                    *word = from_basis(Bytes::from(*word)).into();
                }
                // The rounds leave the words in reverse order.
                x.reverse();
            }
            *data = x;
        }

        #[inline]
        #[target_feature(enable = $features)]
        fn forwards<const N: usize>(keys: &RoundKeys, data: &mut [[Lanes; 4]; N]) {
            rounds::<false, N>(keys, data);
        }

        #[inline]
        #[target_feature(enable = $features)]
        fn backwards<const N: usize>(keys: &RoundKeys, data: &mut [[Lanes; 4]; N]) {
            rounds::<true, N>(keys, data);
        }
    };
}

pub(super) use {after, in_words, round, rounds};
