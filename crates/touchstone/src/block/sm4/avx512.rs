//! SM4 with AVX-512 and GFNI, constant-time: 64 blocks byte-sliced
//! ([`planes`](crate::machinery::planes)), or at most 32 blocks word-sliced
//! ([`sliced`](crate::machinery::sliced)), or at most four blocks in short registers. The basis and the
//! round on planes are in [`gfni`](super::gfni).
//!
//! With words, a round is a chain of an affine map, a rotation and two XORs of three terms. On
//! Zen 5 the last three take two cycles each and the map five (predicted 11 cycles in all, where an
//! XOR before the map would make 13). So up to 32 blocks take little longer than one block.
#![allow(unsafe_code)]

use super::RoundKeys;
use super::gfni::{AFTER, BASIS, after, round, rounds};
use crate::cpu::Avx512;
use crate::machinery::groups::filled;
use crate::machinery::planes::planes;
use crate::simd::{U8x16, U32x4};

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
