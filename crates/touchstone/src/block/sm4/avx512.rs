//! SM4 with AVX-512 and GFNI, constant-time: 64 blocks byte-sliced
//! ([`planes`](crate::machinery::planes)), or at most 32 blocks word-sliced
//! ([`sliced`](crate::machinery::sliced)), or at most four blocks in short registers.
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
//!
//! With words, a round is a chain of an affine map, a rotation and two XORs of three terms. On
//! Zen 5 the last three take two cycles each and the map five (predicted 11 cycles in all, where an
//! XOR before the map would make 13). So up to 32 blocks take little longer than one block.
#![allow(unsafe_code)]

use super::{FIELD, MAP, RoundKeys};
use crate::cpu::Avx512;
use crate::machinery::field::{Affine, Inversion};
use crate::machinery::groups::filled;
use crate::machinery::planes::planes;
use crate::simd::{U8x16, U32x4};

const S: Inversion = Inversion::of(&MAP, &MAP, FIELD);

/// The map from bytes to the basis in which the kernel computes, and the inverse map.
const BASIS: [u64; 2] = S.before.basis();

/// The affine maps after the inversion, for (1 + C), (1 + A) and (A + C). The first map adds
/// the constant of the S-box for the first two maps, which is the same in all bytes. The third
/// map needs no constant: it is applied to four bytes, and four equal constants cancel.
const AFTER: [Affine; 3] = {
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

/// Converts the round keys to the kernel's basis. XORs to each key the constant that the S-box
/// adds first, and stores the highest byte of each key first.
pub(super) fn to_basis(_: Avx512, keys: &mut RoundKeys) {
    #[target_feature(enable = "avx512f,avx512bw,gfni")]
    fn turned(keys: &mut RoundKeys) {
        for keys in keys.as_chunks_mut().0 {
            Lanes::from(
                Bytes::from(Lanes::load(keys).swap_bytes())
                    .affine_plus::<{ S.before.constant }>(S.before.matrix),
            )
            .store(keys);
        }
    }
    // SAFETY: the token proves the features.
    unsafe { turned(keys) }
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

/// Encrypts or decrypts groups of words. The bytes of the words are in the order of memory.
///
/// With (1 + A) = (1 + C) + (A + C), the new word is t + w + (t ⋘ 8) + (w ⋘ 16) + (w ⋘ 24), where
/// t and w are the images for (1 + C) and (A + C). The image w is added three times, so it brings
/// the constant. The sum that the next round's S-box takes does not wait for the new word: it is
/// computed beside it.
macro_rules! in_words {
    ($Lanes:ty, $Bytes:ty, $BACKWARDS:ident, $keys:ident, $groups:ident) => {
        for x in &mut $groups {
            for word in x {
                *word = <$Bytes>::from(*word).affine_plus::<0>(BASIS[0]).into();
            }
        }
        let key =
            |round: usize| <$Lanes>::splat($keys[if $BACKWARDS { 31 - round } else { round }]);
        let mut sums = $groups.map(|[_, first, ..]| first);
        for (sum, x) in sums.iter_mut().zip(&$groups) {
            *sum = sum.xor3(x[2], key(0)).xor(x[3]);
        }
        for four in 0..8 {
            for turn in 0..4 {
                let next = key((4 * four + turn + 1) % 32);
                for (sum, x) in sums.iter_mut().zip(&mut $groups) {
                    let others = x[(turn + 2) % 4].xor3(x[(turn + 3) % 4], next);
                    let t = <$Bytes>::from(*sum).inverse_affine_plus::<0>(AFTER[0].matrix);
                    let w = <$Bytes>::from(*sum)
                        .inverse_affine_plus::<{ AFTER[0].constant }>(AFTER[2].matrix);
                    let (t, w) = (<$Lanes>::from(t), <$Lanes>::from(w));
                    let near = x[turn].xor3(t, w);
                    let far = w
                        .rotate_left::<16>()
                        .xor3(t.rotate_left::<8>(), w.rotate_left::<24>());
                    x[turn] = far.xor(near);
                    *sum = far.xor3(near, others);
                }
            }
        }
        for x in &mut $groups {
            for word in &mut *x {
                *word = <$Bytes>::from(*word).affine_plus::<0>(BASIS[1]).into();
            }
            x.reverse();
        }
    };
}

planes!(
    whole: RoundKeys, from 5 blocks,
    in words by words up to 2 groups,
    forwards |keys, p| { rounds!(p, |round| keys[round]); }
    backwards |keys, p| { rounds!(p, |round| keys[31 - round]); }
);

/// Encrypts or decrypts 16 or 32 blocks, in four or eight registers.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,gfni")]
fn words<const BACKWARDS: bool, const N: usize>(keys: &RoundKeys, data: &mut [[Lanes; 4]; N]) {
    let mut x = *data;
    in_words!(Lanes, Bytes, BACKWARDS, keys, x);
    *data = x;
}

/// Encrypts or decrypts at most four blocks, in four short registers.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,gfni")]
fn four<const BACKWARDS: bool, const N: usize>(
    keys: &RoundKeys,
    blocks: &[Block; N],
) -> [Block; N] {
    let mut rows = [U32x4::splat(0); 4];
    for n in 0..N {
        rows[n] = U8x16::load(&blocks[n]).into();
    }
    let mut x = [U32x4::transpose4(rows)];
    in_words!(U32x4, U8x16, BACKWARDS, keys, x);
    let rows = U32x4::transpose4(x[0]);
    let mut output = [[0; 16]; N];
    for n in 0..N {
        U8x16::from(rows[n]).store(&mut output[n]);
    }
    output
}

/// Encrypts or decrypts one block.
#[inline]
pub(super) fn single<const BACKWARDS: bool>(_: Avx512, keys: &RoundKeys, block: Block) -> Block {
    // SAFETY: the token proves the features.
    unsafe { four::<BACKWARDS, 1>(keys, &[block])[0] }
}

/// Encrypts or decrypts blocks that are too few for [`encrypt`].
#[inline]
pub(super) fn few<const BACKWARDS: bool>(
    token: Avx512,
    keys: &RoundKeys,
    blocks: InOutBuf<'_, '_, Block>,
) {
    filled::<4, 2, _>(
        blocks,
        // SAFETY: the token proves the features.
        |blocks| unsafe { four::<BACKWARDS, 4>(keys, &blocks) },
        // SAFETY: the token proves the features.
        |blocks| unsafe { four::<BACKWARDS, 2>(keys, &blocks) },
        |block| single::<BACKWARDS>(token, keys, block),
    );
}
