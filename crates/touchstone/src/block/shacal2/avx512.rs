//! SHACAL-2 with AVX-512, constant-time: a group of sixteen blocks is in eight registers, one
//! register for each word, and two groups are computed at once.
//!
//! One instruction computes a choice, a majority, an XOR of three words, or a rotation. A round
//! has 18 instructions, of which six are rotations: 4.5 cycles for sixteen blocks if four
//! instructions start in a cycle. A round waits for three instructions of the round before in
//! encryption (a rotation, an XOR, an addition), and for two in decryption. That is 6 and 4 cycles
//! on Zen 5, but only if the words that are known last are added last. The compiler does not keep
//! an order of additions, so the code prevents other orders.
//!
//! Intel's processors start only two instructions of 512 bits in a cycle, and an instruction of the chain
//! takes one cycle. So the number of instructions limits the speed there, and a round has 16: it adds
//! less, and waits for more (`WAITS`).
#![allow(unsafe_code)]

use inout::{InOut, InOutBuf};

use super::{Block, RoundKeys, shani};
use crate::buffer;
use crate::cpu::{Avx512, ShaAvx512};
use crate::simd::U32x16;
use crate::wipe::wipe;

/// The number of blocks in a group, which is also the number of lanes.
const GROUP: usize = 16;

/// The smallest numbers of remaining blocks for which a group that is not full takes less time
/// than SHA-NI with its four blocks, and than single blocks.
const LEAST: usize = 9;
const LEAST_BACKWARDS: usize = 2;

/// The words a to h of sixteen blocks.
type Words = [U32x16; 8];

pub(super) fn encrypt(token: ShaAvx512, keys: &RoundKeys, blocks: InOutBuf<'_, '_, Block>) {
    if blocks.len() < LEAST {
        return shani::encrypt(token.into(), keys, blocks);
    }
    let rest = lanes::<false>(token, keys, blocks, LEAST);
    shani::encrypt(token.into(), keys, rest);
}

pub(super) fn decrypt(token: ShaAvx512, keys: &RoundKeys, blocks: InOutBuf<'_, '_, Block>) {
    let rest = lanes::<true>(token, keys, blocks, LEAST_BACKWARDS);
    super::portable_decrypt(keys, rest);
}

/// Encrypts or decrypts all blocks but fewer than `least`, which it returns.
#[inline(always)]
fn lanes<'i, 'o, const BACKWARDS: bool>(
    token: ShaAvx512,
    keys: &RoundKeys,
    blocks: InOutBuf<'i, 'o, Block>,
    least: usize,
) -> InOutBuf<'i, 'o, Block> {
    // SAFETY: the token proves AVX-512.
    unsafe {
        if Avx512::from(token).rotates_quickly() {
            entry::<BACKWARDS, true>(keys, blocks, least)
        } else {
            entry::<BACKWARDS, false>(keys, blocks, least)
        }
    }
}

/// [`lanes`] with the rounds of [`round`], or those that wait if `WAITS` is true.
#[target_feature(enable = "avx512f,avx512bw")]
fn entry<'i, 'o, const BACKWARDS: bool, const WAITS: bool>(
    keys: &RoundKeys,
    blocks: InOutBuf<'i, 'o, Block>,
    least: usize,
) -> InOutBuf<'i, 'o, Block> {
    let rest = whole_groups::<BACKWARDS, WAITS>(keys, blocks);
    if rest.len() < least {
        return rest;
    }
    let all = rest.len();
    let (last, none) = rest.split_at(all);
    part::<BACKWARDS, WAITS>(keys, last);
    none
}

/// Encrypts or decrypts whole groups, and returns the remaining blocks.
#[target_feature(enable = "avx512f,avx512bw")]
fn whole_groups<'i, 'o, const BACKWARDS: bool, const WAITS: bool>(
    keys: &RoundKeys,
    blocks: InOutBuf<'i, 'o, Block>,
) -> InOutBuf<'i, 'o, Block> {
    let (groups, rest) = buffer::chunks::<_, GROUP>(blocks);
    let (pairs, last) = buffer::chunks::<_, 2>(groups);
    for pair in pairs {
        work::<BACKWARDS, WAITS, 2>(keys, pair);
    }
    let (ones, _) = buffer::chunks::<_, 1>(last);
    for one in ones {
        work::<BACKWARDS, WAITS, 1>(keys, one);
    }
    rest
}

/// Encrypts or decrypts fewer blocks than a group has. The other lanes compute something, too.
#[target_feature(enable = "avx512f,avx512bw")]
fn part<const BACKWARDS: bool, const WAITS: bool>(
    keys: &RoundKeys,
    mut blocks: InOutBuf<'_, '_, Block>,
) {
    let mut last = [0; 64];
    let (registers, odd) = blocks.get_in().as_flattened().as_chunks();
    last[..odd.len()].copy_from_slice(odd);
    let mut loaded = [U32x16::splat(0); 8];
    for r in 0..8 {
        loaded[r] = U32x16::load_be(registers.get(r).unwrap_or(&last));
    }
    let mut x = [U32x16::to_words8(loaded)];
    rounds::<BACKWARDS, WAITS, 1>(keys, &mut x);
    let words = U32x16::from_words8(x[0]);
    let (registers, odd) = blocks.get_out().as_flattened_mut().as_chunks_mut();
    for r in 0..8 {
        if let Some(register) = registers.get_mut(r) {
            words[r].store_be(register);
        } else if r == registers.len() {
            words[r].store_be(&mut last);
        }
    }
    odd.copy_from_slice(&last[..odd.len()]);
    wipe(&mut last, 0);
}

/// Calls a round function eight times. The numbers are literals, so that every word stays in
/// its register.
macro_rules! each {
    ($round:ident($x:expr, $keys:ident): $($i:literal)*) => {
        $( $round::<WAITS, $i, N>($x, $keys[$i]); )*
    };
}

/// Encrypts or decrypts `N` groups.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn work<const BACKWARDS: bool, const WAITS: bool, const N: usize>(
    keys: &RoundKeys,
    mut groups: InOut<'_, '_, [[Block; GROUP]; N]>,
) {
    let mut x = [[U32x16::splat(0); 8]; N];
    for n in 0..N {
        let (registers, _) = groups.get_in()[n].as_flattened().as_chunks();
        let mut loaded = x[n];
        for r in 0..8 {
            loaded[r] = U32x16::load_be(&registers[r]);
        }
        x[n] = U32x16::to_words8(loaded);
    }
    rounds::<BACKWARDS, WAITS, N>(keys, &mut x);
    for n in 0..N {
        let words = U32x16::from_words8(x[n]);
        let (registers, _) = groups.get_out()[n].as_flattened_mut().as_chunks_mut();
        for r in 0..8 {
            words[r].store_be(&mut registers[r]);
        }
    }
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn rounds<const BACKWARDS: bool, const WAITS: bool, const N: usize>(
    keys: &RoundKeys,
    x: &mut [Words; N],
) {
    let (keys, _) = keys.as_chunks::<8>();
    if BACKWARDS {
        for keys in keys.iter().rev() {
            each!(round_back(x, keys): 7 6 5 4 3 2 1 0);
        }
    } else {
        for keys in keys {
            each!(round(x, keys): 0 1 2 3 4 5 6 7);
        }
    }
}

/// Returns the register of the word with this number (0 for a, 7 for h) before round `i` of
/// eight. No round moves a word to another register.
const fn at(word: usize, i: usize) -> usize {
    (word + 8 - i) % 8
}

/// Computes round `I` of eight, [FIPS180](super) §6.2.2 step 3.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn round<const WAITS: bool, const I: usize, const N: usize>(x: &mut [Words; N], key: u32) {
    let key = U32x16::splat(key);
    for x in x {
        let sums = sums::<I>(x);
        let h = x[at(7, I)].add(key);
        if WAITS {
            let sum = h.add(sums.choice).add(sums.sum1).apart();
            x[at(3, I)] = x[at(3, I)].add(sum);
            x[at(7, I)] = sum.add(sums.majority.add(sums.sum0).apart());
            continue;
        }
        x[at(3, I)] = x[at(3, I)]
            .add(h)
            .apart()
            .add(sums.choice)
            .apart()
            .add(sums.sum1);
        let later = h.add(sums.choice).add(sums.majority).add(sums.sum1).apart();
        x[at(7, I)] = later.add(sums.sum0);
    }
}

/// Computes the inverse of [`round`]. The majority and the choice use the words that the round
/// before computed, so they are added last: then two instructions of a round wait for the round
/// before.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn round_back<const WAITS: bool, const I: usize, const N: usize>(x: &mut [Words; N], key: u32) {
    let key = U32x16::splat(key);
    for x in x {
        let sums = sums::<I>(x);
        if WAITS {
            let sum = x[at(7, I)].subtract(sums.sum0.add(sums.majority).apart());
            x[at(3, I)] = x[at(3, I)].subtract(sum);
            let known = sums.sum1.add(key).apart();
            x[at(7, I)] = sum.subtract(known.add(sums.choice).apart());
            continue;
        }
        let early = x[at(7, I)].subtract(sums.sum0);
        x[at(3, I)] = x[at(3, I)].subtract(early).apart().add(sums.majority);
        let later = early
            .subtract(sums.sum1.add(key))
            .subtract(sums.majority)
            .apart();
        x[at(7, I)] = later.subtract(sums.choice);
    }
}

/// What a round adds.
struct Sums {
    sum0: U32x16,
    sum1: U32x16,
    choice: U32x16,
    majority: U32x16,
}

/// Returns what a round adds. A round changes only the words d and h, and adds nothing that
/// depends on d or h. So both directions add the same.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn sums<const I: usize>(x: &Words) -> Sums {
    let word = |word: usize| x[at(word, I)];
    let (a, e) = (word(0), word(4));
    Sums {
        sum0: a
            .rotate_right::<2>()
            .xor3(a.rotate_right::<13>(), a.rotate_right::<22>()),
        sum1: e
            .rotate_right::<6>()
            .xor3(e.rotate_right::<11>(), e.rotate_right::<25>()),
        choice: e.choose(word(5), word(6)),
        majority: a.majority(word(1), word(2)),
    }
}
