//! Belt, Belarus's standard STB 34.101.31: blocks of 16 bytes, keys of 32, words little-endian.
//!
//! **Not constant-time**: data and key choose the table entries that are read.
//!
//! | kernel | needs | blocks per call | technique |
//! |---|---|---|---|
//! | `portable` | – | 4 | a table of the S-box for each byte of a word, 4 KiB |
//!
//! - [STB] STB 34.101.31-2020: Information technologies and security, Encryption and integrity
//!   algorithms
//!
//! [STB]: https://apmi.bsu.by/assets/files/std/belt-spec371.pdf

use zeroize::ZeroizeOnDrop;

use crate::debug::debug;
use crate::machinery::four_words::{little, little_bytes};
use crate::machinery::portable::portable_cipher;
use crate::wipe::wipe;
use crate::{FixedKey, InvalidKeyLength, KeyLengths, Keyed};

/// Belt, with a key of 32 bytes.
#[derive(Clone)]
pub struct Belt {
    kernel: Kernel,
    key: [u32; 8],
}

debug!([] Belt, "Belt");

type Block = [u8; 16];

/// The S-box H of [STB](self). Its entries from place 11 on, and then at places 0 to 9, are the
/// states of a linear register of eight bits, of which every 116th is taken. The entry at place 10
/// is zero.
const H: [u8; 256] = {
    let mut table = [0; 256];
    let mut state: u8 = 0x8e;
    let mut place = 11;
    while place != 11 + 255 {
        table[place % 256] = state;
        let mut i = 0;
        while i < 116 {
            let bit = (state & 0x63).count_ones() as u8 & 1;
            state = state >> 1 | bit << 7;
            i += 1;
        }
        place += 1;
    }
    table
};

/// The S-box for each byte of a word.
static BOXES: [[u32; 256]; 4] = {
    let mut boxes = [[0; 256]; 4];
    let mut i = 0;
    while i < 4 {
        let mut x = 0;
        while x < 256 {
            boxes[i][x] = (H[x] as u32) << (8 * i);
            x += 1;
        }
        i += 1;
    }
    boxes
};

/// Computes the function G of [STB](self): the S-box on each byte, and a rotation by `R` bits.
#[inline(always)]
fn g<const R: u32>(word: u32) -> u32 {
    let bytes = word.to_le_bytes();
    (0..4)
        .fold(0, |sum, i| sum | BOXES[i][usize::from(bytes[i])])
        .rotate_left(R)
}

impl Belt {
    /// Returns the seven words of key of a round. After the last word of the key, the first word
    /// follows again.
    #[inline(always)]
    fn keys(&self, round: usize) -> [u32; 7] {
        core::array::from_fn(|i| self.key[(7 * round + i) % 8])
    }

    /// Encrypts a block, [STB](self) 6.1.3.
    #[inline(always)]
    fn forwards(&self, block: Block) -> Block {
        let [mut a, mut b, mut c, mut d] = little(&block);
        for round in 0..8 {
            let key = self.keys(round);
            b ^= g::<5>(a.wrapping_add(key[0]));
            c ^= g::<21>(d.wrapping_add(key[1]));
            a = a.wrapping_sub(g::<13>(b.wrapping_add(key[2])));
            let e = g::<21>(b.wrapping_add(c).wrapping_add(key[3])) ^ (round as u32 + 1);
            b = b.wrapping_add(e);
            c = c.wrapping_sub(e);
            d = d.wrapping_add(g::<13>(c.wrapping_add(key[4])));
            b ^= g::<21>(a.wrapping_add(key[5]));
            c ^= g::<5>(d.wrapping_add(key[6]));
            [a, b, c, d] = [b, d, a, c];
        }
        little_bytes([b, d, a, c])
    }

    /// Decrypts a block, the inverse of [`forwards`](Self::forwards).
    #[inline(always)]
    fn backwards(&self, block: Block) -> Block {
        let [mut b, mut d, mut a, mut c] = little(&block);
        for round in (0..8).rev() {
            let key = self.keys(round);
            [b, d, a, c] = [a, b, c, d];
            c ^= g::<5>(d.wrapping_add(key[6]));
            b ^= g::<21>(a.wrapping_add(key[5]));
            d = d.wrapping_sub(g::<13>(c.wrapping_add(key[4])));
            // The sum of the two words is the same before and after the step.
            let e = g::<21>(b.wrapping_add(c).wrapping_add(key[3])) ^ (round as u32 + 1);
            c = c.wrapping_add(e);
            b = b.wrapping_sub(e);
            a = a.wrapping_add(g::<13>(b.wrapping_add(key[2])));
            c ^= g::<21>(d.wrapping_add(key[1]));
            b ^= g::<5>(a.wrapping_add(key[0]));
        }
        little_bytes([a, b, c, d])
    }
}

impl FixedKey for Belt {
    type Key = [u8; 32];
}

impl Keyed for Belt {
    type Kernel = Kernel;
    const KEY_LENGTHS: KeyLengths = KeyLengths::exactly(32);

    fn with_kernel(kernel: Kernel, key: &[u8]) -> Result<Self, InvalidKeyLength> {
        let bytes: &[u8; 32] = Self::KEY_LENGTHS.array(key)?;
        let mut key = [0; 8];
        for (word, bytes) in key.iter_mut().zip(bytes.as_chunks().0) {
            *word = u32::from_le_bytes(*bytes);
        }
        Ok(Self { kernel, key })
    }

    fn kernel_in_use(&self) -> Kernel {
        self.kernel
    }
}

portable_cipher!(Belt, Block);

impl Drop for Belt {
    fn drop(&mut self) {
        wipe(&mut self.key, 0);
    }
}

impl ZeroizeOnDrop for Belt {}
