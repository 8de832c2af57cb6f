//! SHACAL-2 with AVX2, constant-time: eight blocks are in eight registers, one register for each word.
//!
//! A rotation takes three instructions, a choice three and a majority four. A round has some 36
//! instructions, 9 cycles for eight blocks if four instructions start in a cycle.
#![allow(unsafe_code)]

use inout::InOutBuf;

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
    for mut group in groups {
        let output = work::<BACKWARDS>(keys, group.get_in());
        *group.get_out() = output;
    }
    let n = rest.len();
    if n < LEAST {
        return rest;
    }
    let mut last = [[0; 32]; GROUP];
    last[..n].copy_from_slice(rest.get_in());
    last = work::<BACKWARDS>(keys, &last);
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
fn work<const BACKWARDS: bool>(keys: &RoundKeys, blocks: &[Block; GROUP]) -> [Block; GROUP] {
    let mut x = blocks
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
    let mut output = [[0; 32]; GROUP];
    for (block, words) in output.iter_mut().zip(x) {
        U8x32::from(words.swap_bytes()).store(block);
    }
    output
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
    let [early, late] = sums::<I>(x);
    let h = x[at(7, I)].add(U32x8::splat(key)).add(early);
    x[at(3, I)] = x[at(3, I)].add(h);
    x[at(7, I)] = h.add(late);
}

/// Computes the inverse of [`round`].
#[inline]
#[target_feature(enable = "avx2")]
fn round_back<const I: usize>(x: &mut Words, key: u32) {
    let [early, late] = sums::<I>(x);
    let h = x[at(7, I)].subtract(late);
    x[at(3, I)] = x[at(3, I)].subtract(h);
    x[at(7, I)] = h.subtract(early.add(U32x8::splat(key)));
}

/// Returns Σ₁(e) + Ch(e, f, g), which a round adds to h and to d, and Σ₀(a) + Maj(a, b, c), which it
/// adds to h alone. A round changes only the words d and h, and adds nothing that depends on d or h.
/// So both directions add the same.
#[inline]
#[target_feature(enable = "avx2")]
fn sums<const I: usize>(x: &Words) -> [U32x8; 2] {
    let word = |word: usize| x[at(word, I)];
    let (a, e) = (word(0), word(4));
    let sum0 = a
        .rotate_left::<30>()
        .xor3(a.rotate_left::<19>(), a.rotate_left::<10>());
    let sum1 = e
        .rotate_left::<26>()
        .xor3(e.rotate_left::<21>(), e.rotate_left::<7>());
    [
        e.choose(word(5), word(6)).add(sum1),
        a.majority(word(1), word(2)).add(sum0),
    ]
}
