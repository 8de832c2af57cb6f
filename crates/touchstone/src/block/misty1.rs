//! MISTY1 with eight rounds: blocks of 8 bytes, keys of 16. **Outdated**, as all ciphers with
//! blocks of 64 bits: messages leak after some gigabytes under one key. [INTEGRAL] breaks all rounds in
//! theory, but needs nearly all of the 2^64 possible blocks.
//!
//! **Not constant-time**: data and key choose the table entries that are read.
//!
//! | kernel | needs | blocks per call |
//! |---|---|---|
//! | `portable` | – | 4 |
//!
//! - [RFC2994] H. Ohta, M. Matsui: A Description of the MISTY1 Encryption Algorithm, RFC 2994, 2000
//! - [INTEGRAL] Y. Todo: Integral Cryptanalysis on Full MISTY1, CRYPTO 2015
//!
//! [RFC2994]: https://www.rfc-editor.org/rfc/rfc2994
//! [INTEGRAL]: https://doi.org/10.1007/978-3-662-47989-6_20

use zeroize::ZeroizeOnDrop;

use crate::debug::debug;
use crate::machinery::portable::portable_cipher;
use crate::machinery::word_pairs::{bytes, halves, joined, words};
use crate::wipe::wipe;
use crate::{FixedKey, InvalidKeyLength, KeyLengths, Keyed};

mod sboxes;

use sboxes::{S7, S9};

/// MISTY1, with a key of 16 bytes.
#[derive(Clone)]
pub struct Misty1 {
    kernel: Kernel,
    /// The words of the key, and FI of each word with the next word as its key.
    keys: [[u16; 8]; 2],
}

debug!([] Misty1, "Misty1");

type Block = [u8; 8];

/// [RFC2994](self) §2.
#[inline(always)]
fn fi(word: u16, key: u16) -> u16 {
    let (nine, seven) = (word >> 7, word & 0x7f);
    let nine = S9[usize::from(nine)] ^ seven;
    let seven = u16::from(S7[usize::from(seven)]) ^ nine & 0x7f;
    let (seven, nine) = (seven ^ key >> 9, nine ^ key & 0x1ff);
    seven << 9 | S9[usize::from(nine)] ^ seven
}

impl Misty1 {
    /// The function FO of the round `k`, [RFC2994](self) §2.
    #[inline(always)]
    fn fo(&self, half: u32, k: usize) -> u32 {
        let [mut left, mut right] = halves(half);
        let [plain, mixed] = &self.keys;
        for (outer, inner) in [(k, k + 5), (k + 2, k + 1), (k + 7, k + 3)] {
            let sum = fi(left ^ plain[outer % 8], mixed[inner % 8]) ^ right;
            [left, right] = [right, sum];
        }
        joined([left ^ plain[(k + 4) % 8], right])
    }

    /// The two keys of FL number `k`, [RFC2994](self) §2.
    #[inline(always)]
    fn fl_keys(&self, k: usize) -> [u16; 2] {
        let [plain, mixed] = &self.keys;
        if k.is_multiple_of(2) {
            [plain[k / 2], mixed[(k / 2 + 6) % 8]]
        } else {
            [mixed[(k / 2 + 2) % 8], plain[(k / 2 + 4) % 8]]
        }
    }

    #[inline(always)]
    fn fl(&self, half: u32, k: usize) -> u32 {
        let [left, right] = halves(half);
        let [and, or] = self.fl_keys(k);
        let right = right ^ left & and;
        joined([left ^ (right | or), right])
    }

    #[inline(always)]
    fn fl_backwards(&self, half: u32, k: usize) -> u32 {
        let [left, right] = halves(half);
        let [and, or] = self.fl_keys(k);
        let left = left ^ (right | or);
        joined([left, right ^ left & and])
    }

    /// [RFC2994](self) §2: an FL for each half before each two rounds, and at the end.
    #[inline(always)]
    fn forwards(&self, block: Block) -> Block {
        let [mut left, mut right] = words(block);
        for k in [0, 2, 4, 6] {
            [left, right] = [self.fl(left, k), self.fl(right, k + 1)];
            right ^= self.fo(left, k);
            left ^= self.fo(right, k + 1);
        }
        bytes([self.fl(right, 9), self.fl(left, 8)])
    }

    #[inline(always)]
    fn backwards(&self, block: Block) -> Block {
        let [right, left] = words(block);
        let mut left = self.fl_backwards(left, 8);
        let mut right = self.fl_backwards(right, 9);
        for k in [6, 4, 2, 0] {
            left ^= self.fo(right, k + 1);
            right ^= self.fo(left, k);
            left = self.fl_backwards(left, k);
            right = self.fl_backwards(right, k + 1);
        }
        bytes([left, right])
    }
}

impl FixedKey for Misty1 {
    type Key = [u8; 16];
}

impl Keyed for Misty1 {
    type Kernel = Kernel;
    const KEY_LENGTHS: KeyLengths = KeyLengths::exactly(16);

    /// [RFC2994](self) §2.
    fn with_kernel(kernel: Kernel, key: &[u8]) -> Result<Self, InvalidKeyLength> {
        let key: &[u8; 16] = Self::KEY_LENGTHS.array(key)?;
        let plain = core::array::from_fn(|i| u16::from_be_bytes([key[2 * i], key[2 * i + 1]]));
        let keys = [
            plain,
            core::array::from_fn(|i| fi(plain[i], plain[(i + 1) % 8])),
        ];
        Ok(Self { kernel, keys })
    }

    fn kernel_in_use(&self) -> Kernel {
        self.kernel
    }
}

portable_cipher!(Misty1, Block);

impl Drop for Misty1 {
    fn drop(&mut self) {
        wipe(self.keys.as_flattened_mut(), 0);
    }
}

impl ZeroizeOnDrop for Misty1 {}
