//! Many sequences of messages of one block, for crypt(3)'s `$1$`: each message is one of eight
//! blocks, and has the digest of the message before at a place in it.
//!
//! From round to round, the blocks stay as the rounds use them: in register `i` is word `i` of each
//! sequence. The digest replaces four words, or parts of five: it is rotated by the bytes that
//! its place is off a word.
//!
//! A step of MD5 waits for the step before: on Zen 5 with AVX-512 for 8 cycles. So up to six
//! registers take turns, whose instructions take 10.

#![cfg_attr(
    not(target_arch = "x86_64"),
    allow(unused, reason = "other targets have no lanes")
)]

use super::{Kernel, S, START, T, digest};
use crate::Digest;
use crate::machinery::each::each;
use crate::wipe::{FRAMES, after};

/// The number of different blocks of a sequence.
pub const KINDS: usize = 8;

/// The number of sequences in a group.
pub const SEQUENCES: usize = 16;

/// Sequences whose digests have the same places.
#[derive(Debug, Clone, Copy)]
pub struct Group<'b> {
    /// The blocks of each sequence, with padding. The bytes at the digest's place have no meaning.
    pub blocks: [[&'b [u8; 64]; KINDS]; SEQUENCES],
    /// Where the digest is in each block.
    pub places: [usize; KINDS],
}

/// The number of sequences from which on a group takes less time than the lanes that take any message.
/// Where a step takes long, a group beside others costs little, so one sequence is enough there.
pub fn least(kernel: Kernel) -> usize {
    match kernel {
        #[cfg(target_arch = "x86_64")]
        Kernel::Avx512(token) if token.adds_quickly() => 4,
        #[cfg(target_arch = "x86_64")]
        Kernel::Avx512(_) => 1,
        #[cfg(target_arch = "x86_64")]
        Kernel::Avx2(_) => 8,
        Kernel::Portable => usize::MAX,
    }
}

/// Hashes the sequences of all groups. `kinds` says which block is the message of each round.
/// `digests` has the digests before the first round, and receives those of the last round.
///
/// Returns `false` and does nothing if the kernel has no lanes.
pub fn hash(
    kernel: Kernel,
    groups: &[Group<'_>],
    kinds: impl Iterator<Item = usize> + Clone,
    digests: &mut [[Digest<16>; SEQUENCES]],
) -> bool {
    /// The most groups in registers.
    const MOST: usize = 6;
    after(
        FRAMES + MOST * size_of::<[[[u8; 64]; KINDS]; SEQUENCES]>(),
        || match kernel {
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx512(token) => {
                for (groups, digests) in groups.chunks(MOST).zip(digests.chunks_mut(MOST)) {
                    let kinds = kinds.clone();
                    match groups.len() {
                        1 | 2 => avx512::hash::<2>(token, groups, kinds, digests),
                        3 | 4 => avx512::hash::<4>(token, groups, kinds, digests),
                        _ => avx512::hash::<MOST>(token, groups, kinds, digests),
                    }
                }
                true
            }
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx2(token) => {
                for (groups, digests) in groups.chunks(1).zip(digests.chunks_mut(1)) {
                    avx2::hash::<2>(token, groups, kinds.clone(), digests);
                }
                true
            }
            Kernel::Portable => false,
        },
    )
}

/// Writes a module for registers of one width.
macro_rules! registers {
    ($module:ident, $Token:ident, $features:literal, $Word:ident, $lanes:literal) => {
        #[cfg(target_arch = "x86_64")]
        #[allow(unsafe_code)]
        mod $module {
            use super::*;
            use crate::cpu::$Token;
            use crate::simd::$Word as Word;

            /// Hashes the sequences of as many groups as `N` registers have room for, or fewer.
            pub(super) fn hash<const N: usize>(
                _: $Token,
                groups: &[Group<'_>],
                kinds: impl Iterator<Item = usize>,
                digests: &mut [[Digest<16>; SEQUENCES]],
            ) {
                // SAFETY: the token proves the features.
                unsafe { entry::<N>(groups, kinds, digests) }
            }

            #[target_feature(enable = $features)]
            fn entry<const N: usize>(
                groups: &[Group<'_>],
                kinds: impl Iterator<Item = usize>,
                digests: &mut [[Digest<16>; SEQUENCES]],
            ) {
                // Registers that are left hash the last group again.
                let group = |n: usize| (n * $lanes / SEQUENCES).min(groups.len() - 1);
                let mut blocks = [[[Word::splat(0); 16]; N]; KINDS];
                let mut state = [[Word::splat(0); 4]; N];
                for n in 0..N {
                    let first = n * $lanes % SEQUENCES;
                    let sequences = &groups[group(n)].blocks.as_chunks().0[first / $lanes];
                    for (kind, blocks) in blocks.iter_mut().enumerate() {
                        blocks[n] = Word::words_le(sequences.each_ref().map(|of| of[kind]));
                    }
                    let mut rows = [[0; 4]; $lanes];
                    for (row, digest) in rows.iter_mut().zip(&digests[group(n)][first..]) {
                        for (word, bytes) in row.iter_mut().zip(digest.as_chunks().0) {
                            *word = u32::from_le_bytes(*bytes);
                        }
                    }
                    state[n] = Word::from_rows(&rows);
                }
                for kind in kinds {
                    for n in 0..N {
                        put(&mut blocks[kind][n], state[n], groups[group(n)].places[kind]);
                    }
                    state = compress(&blocks[kind]);
                }
                for n in 0..N {
                    let mut rows = [[0; 4]; $lanes];
                    Word::to_rows(state[n], &mut rows);
                    let digests = &mut digests[group(n)][n * $lanes % SEQUENCES..];
                    for (result, row) in digests.iter_mut().zip(&rows) {
                        *result = digest(row);
                    }
                }
            }

            /// Puts digests into blocks, from byte `place` on.
            #[inline]
            #[target_feature(enable = $features)]
            fn put(block: &mut [Word; 16], digest: [Word; 4], place: usize) {
                let off = 8 * (place % 4) as u32;
                let high = Word::splat(u32::MAX << off);
                let words = &mut block[place / 4..][..5];
                let mut low = words[0];
                for (word, digest) in words.iter_mut().zip(digest) {
                    let turned = digest.rotate_left_by(off);
                    *word = high.choose(turned, low);
                    low = turned;
                }
                words[4] = high.choose(words[4], low);
            }

            /// The digests of blocks.
            #[inline]
            #[target_feature(enable = $features)]
            fn compress<const N: usize>(x: &[[Word; 16]; N]) -> [[Word; 4]; N] {
                let mut state = [START.map(|word| Word::splat(word)); N];
                macro_rules! round {
                    ($round:literal, |$i:ident| $k:expr, |$b:ident, $c:ident, $d:ident| $f:expr) => {
                        each!($i < 16 => {
                            for n in 0..N {
                                let [a, $b, $c, $d] = state[n];
                                let early = x[n][$k % 16].add(Word::splat(T[16 * $round + $i]));
                                let sum = a.add(early).apart().add($f);
                                let next = $b.add(sum.rotate_left_by(S[$round][$i % 4]));
                                state[n] = [$d, next.in_turn(), $b, $c];
                            }
                        });
                    };
                }
                round!(0, |I| I, |b, c, d| b.choose(c, d));
                round!(1, |I| 5 * I + 1, |b, c, d| b.chosen(d, c));
                round!(2, |I| 3 * I + 5, |b, c, d| b.xor3(c, d));
                round!(3, |I| 7 * I, |b, c, d| b.or_not_xor(c, d));
                for state in &mut state {
                    for (word, start) in state.iter_mut().zip(START) {
                        *word = word.add(Word::splat(start));
                    }
                }
                state
            }
        }
    };
}

registers!(avx512, Avx512, "avx512f,avx512bw", U32x16, 16);
registers!(avx2, Avx2, "avx2", U32x8, 8);

#[cfg(test)]
mod tests {
    extern crate std;
    use std::vec::Vec;

    use super::*;
    use crate::Kernel as _;
    use crate::hash::{HashFunction, InTurn, Md5};

    /// All kernels, with one group up to one more than fit into registers, against one message after
    /// the other. The groups have different places, and each sequence another message.
    #[test]
    fn all_kernels_agree_with_single_messages() {
        const MOST: usize = 7;
        let place = |group: usize, kind: usize| (7 * group + 5 * kind) % 40;
        let message = |group: usize, sequence: usize, kind: usize| -> Vec<u8> {
            let length = place(group, kind) + 16;
            let length = length + sequence % (56 - length);
            (0..length)
                .map(|i| (31 * group + 17 * sequence + 101 * kind + 3 * i) as u8)
                .collect()
        };
        let mut blocks = [[[[0; 64]; KINDS]; SEQUENCES]; MOST];
        for (g, of_group) in blocks.iter_mut().enumerate() {
            for (s, of_sequence) in of_group.iter_mut().enumerate() {
                for (k, block) in of_sequence.iter_mut().enumerate() {
                    let (padded, length) = Md5::pad(&message(g, s, k));
                    block.copy_from_slice(&padded[..length]);
                }
            }
        }
        let groups: Vec<Group<'_>> = (0..MOST)
            .map(|g| Group {
                blocks: blocks[g].each_ref().map(|of| of.each_ref()),
                places: core::array::from_fn(|k| place(g, k)),
            })
            .collect();
        let kinds = (0..20).map(|round| round * 3 % KINDS);
        let mut wanted = [[Digest::from([0x5a; 16]); SEQUENCES]; MOST];
        let begun = wanted;
        for (g, digests) in wanted.iter_mut().enumerate() {
            for (s, digest) in digests.iter_mut().enumerate() {
                for kind in kinds.clone() {
                    let mut message = message(g, s, kind);
                    message[place(g, kind)..][..16].copy_from_slice(&**digest);
                    *digest = Md5::digest_with(Kernel::Portable, &message);
                }
            }
        }
        for kernel in Kernel::available() {
            for n in 0..=MOST {
                let mut digests = begun;
                let done = hash(kernel, &groups[..n], kinds.clone(), &mut digests[..n]);
                assert_eq!(done, kernel != Kernel::Portable);
                if done {
                    assert_eq!(digests[..n], wanted[..n], "{kernel:?}, {n} groups");
                }
            }
        }
    }
}
