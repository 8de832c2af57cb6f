//! SHACAL-2 with AVX2, constant-time: eight blocks are in eight registers, one register for each word.
//!
//! A rotation takes three instructions, a choice three and a majority four. A round has some 36
//! instructions, 9 cycles for eight blocks if four instructions start in a cycle. In decryption it takes
//! 10 on Zen 5.
#![allow(unsafe_code)]

use inout::{InOut, InOutBuf};

use super::{Block, RoundKeys, portable_decrypt, portable_encrypt};
use crate::buffer;
use crate::cpu::Avx2;
use crate::simd::{U8x32, U32x8};
use crate::wipe::wipe;

/// The number of blocks in a group, which is also the number of lanes.
const GROUP: usize = 8;

/// The smallest number of remaining blocks for which a group that is not full takes less time than
/// single blocks.
const LEAST: usize = 3;

/// The words a to h of eight blocks.
type Words = [U32x8; 8];

pub(super) fn encrypt(_: Avx2, keys: &RoundKeys, blocks: InOutBuf<'_, '_, Block>) {
    // SAFETY: the token proves AVX2.
    let rest = unsafe { groups::<false>(keys, blocks) };
    portable_encrypt(keys, rest);
}

pub(super) fn decrypt(_: Avx2, keys: &RoundKeys, blocks: InOutBuf<'_, '_, Block>) {
    // SAFETY: the token proves AVX2.
    let rest = unsafe { groups::<true>(keys, blocks) };
    portable_decrypt(keys, rest);
}

/// Encrypts or decrypts whole groups, and a last group that is worth the time. Returns the remaining
/// blocks.
#[target_feature(enable = "avx2")]
fn groups<'i, 'o, const BACKWARDS: bool>(
    keys: &RoundKeys,
    blocks: InOutBuf<'i, 'o, Block>,
) -> InOutBuf<'i, 'o, Block> {
    let (groups, mut rest) = buffer::chunks::<_, GROUP>(blocks);
    for group in groups {
        work::<BACKWARDS>(keys, group);
    }
    let n = rest.len();
    if n < LEAST {
        return rest;
    }
    let mut last = [[0; 32]; GROUP];
    last[..n].copy_from_slice(rest.get_in());
    work::<BACKWARDS>(keys, InOut::from(&mut last));
    rest.get_out().copy_from_slice(&last[..n]);
    wipe(&mut last, [0; 32]);
    rest.split_at(n).1
}

/// Calls a round function eight times. The numbers are literals, so that every word stays in
/// its register.
macro_rules! each {
    ($round:ident($x:expr, $keys:ident): $($i:literal)*) => {
        $( $round::<$i>($x, $keys[$i]); )*
    };
}

/// Encrypts or decrypts eight blocks.
#[inline]
#[target_feature(enable = "avx2")]
fn work<const BACKWARDS: bool>(keys: &RoundKeys, mut blocks: InOut<'_, '_, [Block; GROUP]>) {
    let mut x = blocks
        .get_in()
        .each_ref()
        .map(|block| U32x8::load_le(block).swap_bytes());
    U32x8::transpose(&mut x);
    let (keys, _) = keys.as_chunks::<8>();
    if BACKWARDS {
        for keys in keys.iter().rev() {
            each!(round_back(&mut x, keys): 7 6 5 4 3 2 1 0);
        }
    } else {
        for keys in keys {
            each!(round(&mut x, keys): 0 1 2 3 4 5 6 7);
        }
    }
    U32x8::transpose(&mut x);
    for (block, words) in blocks.get_out().iter_mut().zip(x) {
        U8x32::from(words.swap_bytes()).store(block);
    }
}

/// Returns the register of the word with this number (0 for a, 7 for h) before round `i` of
/// eight. No round moves a word to another register.
const fn at(word: usize, i: usize) -> usize {
    (word + 8 - i) % 8
}

/// Computes round `I` of eight, [FIPS180](super) §6.2.2 step 3.
#[inline]
#[target_feature(enable = "avx2")]
fn round<const I: usize>(x: &mut Words, key: u32) {
    let word = |word: usize| x[at(word, I)];
    let (a, e) = (word(0), word(4));
    let early = e.choose(word(5), word(6)).add(sum1(e));
    let late = a.majority(word(1), word(2)).add(sum0(a));
    let h = x[at(7, I)].add(U32x8::splat(key)).add(early);
    x[at(3, I)] = x[at(3, I)].add(h);
    x[at(7, I)] = h.add(late);
}

/// Computes the inverse of [`round`]. The words c and g are those that the round before has computed.
/// Majority and choice are sums of two parts of which one is without c or g: then three instructions
/// of a round wait for the round before.
#[inline]
#[target_feature(enable = "avx2")]
fn round_back<const I: usize>(x: &mut Words, key: u32) {
    let word = |word: usize| x[at(word, I)];
    let (a, b, c) = (word(0), word(1), word(2));
    let (e, f, g) = (word(4), word(5), word(6));
    let early = word(7).subtract(sum0(a).add(a.and(b))).apart();
    let h = early.subtract(c.and(a.xor(b)));
    x[at(3, I)] = x[at(3, I)].subtract(h);
    let late = sum1(e).add(U32x8::splat(key)).add(e.and(f)).apart();
    x[at(7, I)] = h.subtract(late.add(g.and_not(e)));
}

#[inline]
#[target_feature(enable = "avx2")]
fn sum0(a: U32x8) -> U32x8 {
    a.rotate_left::<30>()
        .xor3(a.rotate_left::<19>(), a.rotate_left::<10>())
}

#[inline]
#[target_feature(enable = "avx2")]
fn sum1(e: U32x8) -> U32x8 {
    e.rotate_left::<26>()
        .xor3(e.rotate_left::<21>(), e.rotate_left::<7>())
}
