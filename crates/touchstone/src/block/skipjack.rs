//! Skipjack, the cipher of the Clipper chip: blocks of 8 bytes, keys of 10 bytes. Words have 16
//! bits and are big-endian. **Outdated**: a search can find a key of 80 bits. As blocks have
//! only 64 bits, encrypted messages leak information after some gigabytes under one key.
//!
//! **Not constant-time**: data and key determine which table entries the code reads.
//!
//! | kernel | needs | blocks per call |
//! |---|---|---|
//! | `portable` | – | 4 |
//!
//! - [SKIPJACK] NIST: SKIPJACK and KEA Algorithm Specifications, version 2.0, 1998
//!
//! [SKIPJACK]: https://csrc.nist.gov/presentations/1998/skipjack-and-kea-algorithm-specifications

use zeroize::ZeroizeOnDrop;

use crate::debug::debug;
use crate::machinery::portable::portable_cipher;
use crate::wipe::wipe;
use crate::{FixedKey, InvalidKeyLength, KeyLengths, Keyed};

/// Skipjack, with a key of 10 bytes.
#[derive(Clone)]
pub struct Skipjack {
    kernel: Kernel,
    /// The key, and then its first bytes again. Each round uses four consecutive bytes of the
    /// key; after the last byte follows the first byte.
    key: [u8; 13],
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

fn load(block: Block) -> [u16; 4] {
    let number = u64::from_be_bytes(block);
    [48, 32, 16, 0].map(|shift| (number >> shift) as u16)
}

fn store(words: [u16; 4]) -> Block {
    let number = words
        .iter()
        .fold(0, |sum, word| sum << 16 | u64::from(*word));
    number.to_be_bytes()
}

impl Skipjack {
    /// Returns the four bytes of the key for round `round`. The first round is round 0.
    #[inline(always)]
    fn round_key(&self, round: usize) -> &[u8] {
        &self.key[4 * round % 10..][..4]
    }

    /// Computes the permutation G, [SKIPJACK](self) part III: four rounds on two bytes.
    #[inline(always)]
    fn g(&self, word: u16, round: usize) -> u16 {
        let [mut high, mut low] = word.to_be_bytes();
        let key = self.round_key(round);
        high ^= F[usize::from(low ^ key[0])];
        low ^= F[usize::from(high ^ key[1])];
        high ^= F[usize::from(low ^ key[2])];
        low ^= F[usize::from(high ^ key[3])];
        u16::from_be_bytes([high, low])
    }

    #[inline(always)]
    fn g_backwards(&self, word: u16, round: usize) -> u16 {
        let [mut high, mut low] = word.to_be_bytes();
        let key = self.round_key(round);
        low ^= F[usize::from(high ^ key[3])];
        high ^= F[usize::from(low ^ key[2])];
        low ^= F[usize::from(high ^ key[1])];
        high ^= F[usize::from(low ^ key[0])];
        u16::from_be_bytes([high, low])
    }

    /// Encrypts a block, [SKIPJACK](self) part II: eight rounds by rule A, eight rounds by rule
    /// B, and then both again.
    #[inline(always)]
    fn forwards(&self, block: Block) -> Block {
        let [mut w1, mut w2, mut w3, mut w4] = load(block);
        for round in 0..32 {
            let (g, counter) = (self.g(w1, round), round as u16 + 1);
            [w1, w2, w3, w4] = if round / 8 % 2 == 0 {
                [g ^ w4 ^ counter, g, w2, w3]
            } else {
                [w4, g, w1 ^ w2 ^ counter, w3]
            };
        }
        store([w1, w2, w3, w4])
    }

    #[inline(always)]
    fn backwards(&self, block: Block) -> Block {
        let [mut w1, mut w2, mut w3, mut w4] = load(block);
        for round in (0..32).rev() {
            let (g, counter) = (self.g_backwards(w2, round), round as u16 + 1);
            [w1, w2, w3, w4] = if round / 8 % 2 == 0 {
                [g, w3, w4, w1 ^ w2 ^ counter]
            } else {
                [g, g ^ w3 ^ counter, w4, w1]
            };
        }
        store([w1, w2, w3, w4])
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
        let key = core::array::from_fn(|i| bytes[i % 10]);
        Ok(Self { kernel, key })
    }

    fn kernel_in_use(&self) -> Kernel {
        self.kernel
    }
}

portable_cipher!(Skipjack, Block);

impl Drop for Skipjack {
    fn drop(&mut self) {
        wipe(&mut self.key, 0);
    }
}

impl ZeroizeOnDrop for Skipjack {}
