//! Skipjack, the cipher of the Clipper chip: blocks of 8 bytes, keys of 10 bytes. Words have 16
//! bits and are big-endian. **Outdated**: a search can find a key of 80 bits. As blocks have
//! only 64 bits, encrypted messages leak information after some gigabytes under one key.
//!
//! **Not constant-time**: data and key determine which table entries the code reads.
//!
//! | kernel | needs | blocks per call |
//! |---|---|---|
//! | `portable` | – | 4, 2 or 1 |
//!
//! - [SKIPJACK] NIST: SKIPJACK and KEA Algorithm Specifications, version 2.0, 1998
//!
//! [SKIPJACK]: https://csrc.nist.gov/presentations/1998/skipjack-and-kea-algorithm-specifications

use zeroize::ZeroizeOnDrop;

use crate::debug::debug;
use crate::kernel::kernels;
use crate::machinery::portable::portable_groups;
use crate::machinery::unknown::apart;
use crate::wipe::wipe;
use crate::{FixedKey, InvalidKeyLength, KeyLengths, Keyed};

/// Skipjack, with a key of 10 bytes.
#[derive(Clone)]
pub struct Skipjack {
    kernel: Kernel,
    /// The bytes of the key that each round uses: four consecutive ones; after the last byte
    /// follows the first byte.
    keys: [[u8; 4]; 32],
}

debug!([] Skipjack, "Skipjack");

type Block = [u8; 8];

/// The table F of [SKIPJACK](self) part III, a permutation of the bytes.
#[rustfmt::skip]
static F: [u8; 256] = [
    0xa3, 0xd7, 0x09, 0x83, 0xf8, 0x48, 0xf6, 0xf4, 0xb3, 0x21, 0x15, 0x78, 0x99, 0xb1, 0xaf, 0xf9,
    0xe7, 0x2d, 0x4d, 0x8a, 0xce, 0x4c, 0xca, 0x2e, 0x52, 0x95, 0xd9, 0x1e, 0x4e, 0x38, 0x44, 0x28,
    0x0a, 0xdf, 0x02, 0xa0, 0x17, 0xf1, 0x60, 0x68, 0x12, 0xb7, 0x7a, 0xc3, 0xe9, 0xfa, 0x3d, 0x53,
    0x96, 0x84, 0x6b, 0xba, 0xf2, 0x63, 0x9a, 0x19, 0x7c, 0xae, 0xe5, 0xf5, 0xf7, 0x16, 0x6a, 0xa2,
    0x39, 0xb6, 0x7b, 0x0f, 0xc1, 0x93, 0x81, 0x1b, 0xee, 0xb4, 0x1a, 0xea, 0xd0, 0x91, 0x2f, 0xb8,
    0x55, 0xb9, 0xda, 0x85, 0x3f, 0x41, 0xbf, 0xe0, 0x5a, 0x58, 0x80, 0x5f, 0x66, 0x0b, 0xd8, 0x90,
    0x35, 0xd5, 0xc0, 0xa7, 0x33, 0x06, 0x65, 0x69, 0x45, 0x00, 0x94, 0x56, 0x6d, 0x98, 0x9b, 0x76,
    0x97, 0xfc, 0xb2, 0xc2, 0xb0, 0xfe, 0xdb, 0x20, 0xe1, 0xeb, 0xd6, 0xe4, 0xdd, 0x47, 0x4a, 0x1d,
    0x42, 0xed, 0x9e, 0x6e, 0x49, 0x3c, 0xcd, 0x43, 0x27, 0xd2, 0x07, 0xd4, 0xde, 0xc7, 0x67, 0x18,
    0x89, 0xcb, 0x30, 0x1f, 0x8d, 0xc6, 0x8f, 0xaa, 0xc8, 0x74, 0xdc, 0xc9, 0x5d, 0x5c, 0x31, 0xa4,
    0x70, 0x88, 0x61, 0x2c, 0x9f, 0x0d, 0x2b, 0x87, 0x50, 0x82, 0x54, 0x64, 0x26, 0x7d, 0x03, 0x40,
    0x34, 0x4b, 0x1c, 0x73, 0xd1, 0xc4, 0xfd, 0x3b, 0xcc, 0xfb, 0x7f, 0xab, 0xe6, 0x3e, 0x5b, 0xa5,
    0xad, 0x04, 0x23, 0x9c, 0x14, 0x51, 0x22, 0xf0, 0x29, 0x79, 0x71, 0x7e, 0xff, 0x8c, 0x0e, 0xe2,
    0x0c, 0xef, 0xbc, 0x72, 0x75, 0x6f, 0x37, 0xa1, 0xec, 0xd3, 0x8e, 0x62, 0x8b, 0x86, 0x10, 0xe8,
    0x08, 0x77, 0x11, 0xbe, 0x92, 0x4f, 0x24, 0xc5, 0x32, 0x36, 0x9d, 0xcf, 0xf3, 0xa6, 0xbb, 0xac,
    0x5e, 0x6c, 0xa9, 0x13, 0x57, 0x25, 0xb5, 0xe3, 0xbd, 0xa8, 0x3a, 0x01, 0x05, 0x59, 0x2a, 0x46,
];

/// A word as bytes. G changes one byte and the other in turn: `first` is the byte that it changes
/// first, which is the high byte in encryption and the low byte in decryption.
#[derive(Clone, Copy)]
struct Word {
    first: u32,
    second: u32,
}

/// The words of `N` blocks.
type Words<const N: usize> = [[Word; 4]; N];

#[inline(always)]
fn load(block: Block) -> [Word; 4] {
    core::array::from_fn(|i| Word {
        first: block[2 * i].into(),
        second: block[2 * i + 1].into(),
    })
}

#[inline(always)]
fn store(words: [Word; 4]) -> Block {
    let mut block = [0; 8];
    for (bytes, word) in block.as_chunks_mut().0.iter_mut().zip(words) {
        *bytes = [word.first as u8, word.second as u8];
    }
    block
}

/// Reverses the order of the bytes in each half of a block.
#[inline(always)]
fn reversed(block: Block) -> Block {
    let [a, b, c, d, e, f, g, h] = block;
    [d, c, b, a, h, g, f, e]
}

/// Computes `F` of a byte of a word XOR a byte of the key. The byte of the word is `early` XOR
/// `late`, where `late` is a result of `F`.
///
/// A single block is one chain of dependent instructions. So the key is XORed to `early`, while
/// the processor still loads `late`. `apart` prevents compilers from another order of the XORs,
/// which would make the chain longer.
#[inline(always)]
fn f<const N: usize>(early: u32, late: u32, key: u8) -> u32 {
    let early = early ^ u32::from(key);
    let early = if N == 1 { apart(early) } else { early };
    u32::from(F[((early & 0xff) ^ late) as usize])
}

/// Computes the permutation G, [SKIPJACK](self) part III: four rounds on two bytes. With the
/// bytes of the word exchanged and the key in reverse order it is the inverse of G. `late` is what
/// is still to be XORed to the second byte, before and after G.
#[inline(always)]
fn g<const N: usize>(word: Word, late: u32, key: [u8; 4]) -> (Word, u32) {
    let Word { first, second } = word;
    let a = f::<N>(second, late, key[0]);
    let second = second ^ late;
    let b = f::<N>(first, a, key[1]);
    let first = first ^ a;
    let c = f::<N>(second, b, key[2]);
    let second = second ^ b;
    let d = f::<N>(first, c, key[3]);
    let first = first ^ c;
    (Word { first, second }, d)
}

/// Computes a round on word `at`. The word before `at` is the word of the next round. In a
/// chained round, which is rule A in encryption and rule B in decryption, it gets the result of
/// G. In other rounds the word after `at` gets what G is computed of.
#[inline(always)]
fn round<const N: usize, const CHAINED: bool>(
    words: &mut Words<N>,
    late: &mut [u32; N],
    at: usize,
    key: [u8; 4],
    counter: Word,
) {
    for (words, late) in words.iter_mut().zip(late) {
        let word = words[at];
        let (result, result_late) = g::<N>(word, *late, key);
        words[at] = Word {
            first: result.first,
            second: result.second ^ result_late,
        };
        let (changed, by) = if CHAINED {
            *late = result_late;
            (&mut words[(at + 3) % 4], result)
        } else {
            (&mut words[(at + 1) % 4], word)
        };
        changed.first ^= by.first ^ counter.first;
        changed.second ^= by.second ^ counter.second;
    }
}

/// Computes four rounds, after which the word of the next round is word 0 again.
#[inline(always)]
fn four_rounds<const N: usize, const CHAINED: bool>(
    words: &mut Words<N>,
    late: &mut [u32; N],
    key: impl Fn(usize) -> ([u8; 4], Word),
    start: usize,
) {
    let mut round = |at, i| {
        let (key, counter) = key(start + i);
        round::<N, CHAINED>(words, late, at, key, counter);
    };
    round(0, 0);
    round(3, 1);
    round(2, 2);
    round(1, 3);
}

/// Computes eight chained rounds, eight others, and then both again. `key` returns the key and
/// the counter for a round.
#[inline(always)]
fn rounds<const N: usize>(words: &mut Words<N>, key: impl Fn(usize) -> ([u8; 4], Word)) {
    for half in 0..2 {
        let mut late = [0; N];
        for i in 0..2 {
            four_rounds::<N, true>(words, &mut late, &key, 16 * half + 4 * i);
        }
        for (words, late) in words.iter_mut().zip(late) {
            words[0].second ^= late;
        }
        for i in 2..4 {
            four_rounds::<N, false>(words, &mut [0; N], &key, 16 * half + 4 * i);
        }
    }
}

impl Skipjack {
    /// Encrypts blocks, [SKIPJACK](self) part II: eight rounds by rule A, eight rounds by rule
    /// B, and then both again.
    #[inline(always)]
    fn forwards_all<const N: usize>(&self, blocks: [Block; N]) -> [Block; N] {
        let mut words = blocks.map(load);
        rounds(&mut words, |round| {
            let counter = Word {
                first: 0,
                second: round as u32 + 1,
            };
            (self.keys[round], counter)
        });
        words.map(store)
    }

    /// Decrypts blocks. With the bytes of each half of a block in reverse order, decryption
    /// differs from encryption only in the order of the keys and counters, and in the byte to
    /// which the counter is XORed.
    #[inline(always)]
    fn backwards_all<const N: usize>(&self, blocks: [Block; N]) -> [Block; N] {
        let mut words = blocks.map(|block| load(reversed(block)));
        rounds(&mut words, |round| {
            let counter = Word {
                first: 32 - round as u32,
                second: 0,
            };
            let [a, b, c, d] = self.keys[31 - round];
            ([d, c, b, a], counter)
        });
        words.map(|words| reversed(store(words)))
    }
}

impl FixedKey for Skipjack {
    type Key = [u8; 10];
}

impl Keyed for Skipjack {
    type Kernel = Kernel;
    const KEY_LENGTHS: KeyLengths = KeyLengths::exactly(10);

    fn with_kernel(kernel: Kernel, key: &[u8]) -> Result<Self, InvalidKeyLength> {
        let bytes: &[u8; 10] = Self::KEY_LENGTHS.array(key)?;
        let mut keys = [[0; 4]; 32];
        // Ten bytes, used twice, are the keys of five rounds.
        for keys in keys.as_flattened_mut().chunks_mut(10) {
            keys.copy_from_slice(&bytes[..keys.len()]);
        }
        Ok(Self { kernel, keys })
    }

    fn kernel_in_use(&self) -> Kernel {
        self.kernel
    }
}

kernels! {
    /// How Skipjack is computed.
    enum Kernel {}
}

portable_groups!([] Skipjack, Block, 4);

impl Drop for Skipjack {
    fn drop(&mut self) {
        wipe(&mut self.keys, [0; 4]);
    }
}

impl ZeroizeOnDrop for Skipjack {}
