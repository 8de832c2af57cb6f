//! Anubis, submitted to NESSIE by P. Barreto and V. Rijmen: blocks of 16 bytes, keys of 16 to
//! 40 bytes in steps of 4 bytes. Each layer of the cipher is its own inverse.
//!
//! The authors of Anubis changed the S-box after the submission. Today the name means this
//! second form, which is [`Anubis`]. [`AnubisOriginal`] is the first form.
//!
//! The portable form looks up secret bytes in tables and is **not
//! constant-time**: an attacker who watches the cache learns about the key.
//!
//! | kernel | needs | blocks at once | technique |
//! |---|---|---|---|
//! | `portable` | – | 1 | four tables of S-box and diffusion in one, 4 KiB; ten for keys, 10 KiB |
//!
//! - [ANUBIS] P. Barreto, V. Rijmen: The ANUBIS Block Cipher, submission to NESSIE,
//!   2000, revised 2001
//!
//! [ANUBIS]: https://web.archive.org/web/20120414225350/http://www.larc.usp.br/~pbarreto/AnubisPage.html

use crate::debug::debug;
use crate::fuse::{FusedDecrypt, FusedEncrypt, Sealed};
use crate::kernel::kernels;
use crate::wipe::wipe;
use crate::{
    BlockCipher, BlockDecrypt, BlockEncrypt, InOutBuf, InvalidKeyLength, KeyLengths, Keyed,
};
use zeroize::ZeroizeOnDrop;

use crate::machinery::both::{InverseOf, both};
use crate::machinery::field::{power, product};
use crate::machinery::serial;

/// Anubis with one of its two S-boxes, encryption only.
#[derive(Clone)]
pub struct Forwards<const TWEAKED: bool> {
    kernel: Kernel,
    keys: RoundKeys,
}

debug!([const TWEAKED: bool] Forwards<TWEAKED>, if TWEAKED { "Anubis" } else { "AnubisOriginal" });

/// Anubis with one of its two S-boxes, decryption only.
#[derive(Clone)]
pub struct Backwards<const TWEAKED: bool> {
    kernel: Kernel,
    keys: RoundKeys,
}

debug!([const TWEAKED: bool] Backwards<TWEAKED>, if TWEAKED { "Anubis" } else { "AnubisOriginal" });

both! {
    /// Anubis, in both directions.
    Anubis = AnubisEncrypt, AnubisDecrypt;
    /// Anubis as first submitted, in both directions.
    AnubisOriginal = AnubisOriginalEncrypt, AnubisOriginalDecrypt;
}
/// Anubis, encryption only.
pub type AnubisEncrypt = Forwards<true>;
/// Anubis, decryption only.
pub type AnubisDecrypt = Backwards<true>;
/// Anubis as first submitted, encryption only.
pub type AnubisOriginalEncrypt = Forwards<false>;
/// Anubis as first submitted, decryption only.
pub type AnubisOriginalDecrypt = Backwards<false>;

type Block = [u8; 16];

/// A block as the rows of a matrix. Each row is a big-endian word.
type State = [u32; 4];

/// Round keys in the order of use, and the number of rounds. In the keys for decryption, the
/// diffusion layer θ has been applied to all round keys except the first and the last. θ is its
/// own inverse.
#[derive(Clone)]
struct RoundKeys {
    keys: [State; 19],
    rounds: usize,
}

/// The number of words of the longest key.
const LONGEST: usize = 10;

/// The modulus of the field, [ANUBIS] §2.1: x⁸ + x⁴ + x³ + x² + 1.
pub(super) const FIELD: u16 = 0x11d;

/// Computes the tweaked S-box, [ANUBIS] §3.2: three layers of two S-boxes of four bits, with an
/// exchange of bits between the layers.
pub(super) const fn tweaked() -> [u8; 256] {
    const P: [u8; 16] = [3, 15, 14, 0, 5, 4, 11, 12, 13, 10, 9, 6, 7, 8, 2, 1];
    const Q: [u8; 16] = [9, 14, 5, 6, 10, 2, 3, 12, 15, 0, 4, 13, 7, 11, 1, 8];
    // `exchange` makes the lower half of the left four bits and the upper half of the right
    // four bits change places.
    const fn exchange(left: u8, right: u8) -> [usize; 2] {
        let (left, right) = (left & 12 | right >> 2, (left & 3) << 2 | right & 3);
        [left as usize, right as usize]
    }
    let mut s = [0; 256];
    let mut x = 0;
    while x < 256 {
        let [left, right] = exchange(P[x >> 4], Q[x & 15]);
        let [left, right] = exchange(Q[left], P[right]);
        s[x] = P[left] << 4 | Q[right];
        x += 1;
    }
    s
}

/// The S-box of the submission. The designers found it by a random search, so no formula gives
/// its entries.
#[rustfmt::skip]
const ORIGINAL: [u8; 256] = [
    0xa7, 0xd3, 0xe6, 0x71, 0xd0, 0xac, 0x4d, 0x79, 0x3a, 0xc9, 0x91, 0xfc, 0x1e, 0x47, 0x54, 0xbd,
    0x8c, 0xa5, 0x7a, 0xfb, 0x63, 0xb8, 0xdd, 0xd4, 0xe5, 0xb3, 0xc5, 0xbe, 0xa9, 0x88, 0x0c, 0xa2,
    0x39, 0xdf, 0x29, 0xda, 0x2b, 0xa8, 0xcb, 0x4c, 0x4b, 0x22, 0xaa, 0x24, 0x41, 0x70, 0xa6, 0xf9,
    0x5a, 0xe2, 0xb0, 0x36, 0x7d, 0xe4, 0x33, 0xff, 0x60, 0x20, 0x08, 0x8b, 0x5e, 0xab, 0x7f, 0x78,
    0x7c, 0x2c, 0x57, 0xd2, 0xdc, 0x6d, 0x7e, 0x0d, 0x53, 0x94, 0xc3, 0x28, 0x27, 0x06, 0x5f, 0xad,
    0x67, 0x5c, 0x55, 0x48, 0x0e, 0x52, 0xea, 0x42, 0x5b, 0x5d, 0x30, 0x58, 0x51, 0x59, 0x3c, 0x4e,
    0x38, 0x8a, 0x72, 0x14, 0xe7, 0xc6, 0xde, 0x50, 0x8e, 0x92, 0xd1, 0x77, 0x93, 0x45, 0x9a, 0xce,
    0x2d, 0x03, 0x62, 0xb6, 0xb9, 0xbf, 0x96, 0x6b, 0x3f, 0x07, 0x12, 0xae, 0x40, 0x34, 0x46, 0x3e,
    0xdb, 0xcf, 0xec, 0xcc, 0xc1, 0xa1, 0xc0, 0xd6, 0x1d, 0xf4, 0x61, 0x3b, 0x10, 0xd8, 0x68, 0xa0,
    0xb1, 0x0a, 0x69, 0x6c, 0x49, 0xfa, 0x76, 0xc4, 0x9e, 0x9b, 0x6e, 0x99, 0xc2, 0xb7, 0x98, 0xbc,
    0x8f, 0x85, 0x1f, 0xb4, 0xf8, 0x11, 0x2e, 0x00, 0x25, 0x1c, 0x2a, 0x3d, 0x05, 0x4f, 0x7b, 0xb2,
    0x32, 0x90, 0xaf, 0x19, 0xa3, 0xf7, 0x73, 0x9d, 0x15, 0x74, 0xee, 0xca, 0x9f, 0x0f, 0x1b, 0x75,
    0x86, 0x84, 0x9c, 0x4a, 0x97, 0x1a, 0x65, 0xf6, 0xed, 0x09, 0xbb, 0x26, 0x83, 0xeb, 0x6f, 0x81,
    0x04, 0x6a, 0x43, 0x01, 0x17, 0xe1, 0x87, 0xf5, 0x8d, 0xe3, 0x23, 0x80, 0x44, 0x16, 0x66, 0x21,
    0xfe, 0xd5, 0x31, 0xd9, 0x35, 0x18, 0x02, 0x64, 0xf2, 0xf1, 0x56, 0xcd, 0x82, 0xc8, 0xba, 0xf0,
    0xef, 0xe9, 0xe8, 0xfd, 0x89, 0xd7, 0xc7, 0xb5, 0xa4, 0x2f, 0x95, 0x13, 0x0b, 0xf3, 0xe0, 0x37,
];

/// All tables that are computed from one S-box.
struct Tables {
    s: [u8; 256],
    /// The S-box γ and the diffusion θ in one. Each byte of a row has a table, whose entry is
    /// the part of the new row that depends on this byte. The table of the first byte is the
    /// first.
    round: [[u32; 256]; 4],
    /// The S-box γ and the key extraction ω in one. Each row of the key has a table. The entry
    /// for a byte of this row is the part of a row of the round key that depends on this byte.
    extract: [[u32; 256]; LONGEST],
}

const fn tables(s: [u8; 256]) -> Tables {
    // The matrix H of [ANUBIS] §3.3: row i has element j of this array in column i ⊕ j.
    const H: [u8; 4] = [1, 2, 4, 6];
    // The matrix V of [ANUBIS] §3.6: row i has the i-th powers of these elements.
    const V: [u8; 4] = [1, 2, 6, 8];
    let mut tables = Tables {
        s,
        round: [[0; 256]; 4],
        extract: [[0; 256]; LONGEST],
    };
    let mut i = 0;
    while i < LONGEST {
        let mut j = 0;
        while j < 4 {
            let (extract, shift) = (power(V[j], i as u32, FIELD), 24 - 8 * j);
            let mut x = 0;
            while x < 256 {
                if i < 4 {
                    tables.round[i][x] |= (product(s[x], H[i ^ j], FIELD) as u32) << shift;
                }
                tables.extract[i][x] |= (product(s[x], extract, FIELD) as u32) << shift;
                x += 1;
            }
            j += 1;
        }
        i += 1;
    }
    tables
}

static TABLES: [Tables; 2] = [tables(ORIGINAL), tables(tweaked())];

impl<const TWEAKED: bool> Forwards<TWEAKED> {
    const TABLES: &Tables = &TABLES[TWEAKED as usize];
}

#[inline(always)]
fn byte(word: u32, i: usize) -> usize {
    usize::from((word >> (24 - 8 * i)) as u8)
}

/// Computes the key schedule, [ANUBIS] §3.6 and §3.7. The key state changes from round to
/// round, and each state gives one round key.
#[inline(always)]
fn expand<const WORDS: usize>(tables: &Tables, key: &[u8]) -> RoundKeys {
    let rounds = 8 + WORDS;
    let mut kappa = [0; WORDS];
    for (row, bytes) in kappa.iter_mut().zip(key.as_chunks().0) {
        *row = u32::from_be_bytes(*bytes);
    }
    let mut keys = [[0; 4]; 19];
    for (r, key) in keys[..=rounds].iter_mut().enumerate() {
        if r != 0 {
            let mut next = [0; WORDS];
            for i in 0..WORDS {
                // The step π shifts column j down by j rows.
                for j in 0..4 {
                    next[i] ^= tables.round[j][byte(kappa[(i + WORDS - j) % WORDS], j)];
                }
            }
            let at = 4 * (r - 1);
            let s = &tables.s;
            next[0] ^= u32::from_be_bytes([s[at], s[at + 1], s[at + 2], s[at + 3]]);
            kappa = next;
        }
        for (i, word) in key.iter_mut().enumerate() {
            for j in 0..WORDS {
                *word ^= tables.extract[j][byte(kappa[j], i)];
            }
        }
    }
    RoundKeys { keys, rounds }
}

fn invert(tables: &Tables, forward: &RoundKeys) -> RoundKeys {
    let RoundKeys { keys, rounds } = forward;
    let mut inverted = [[0; 4]; 19];
    for (r, key) in inverted[..=*rounds].iter_mut().enumerate() {
        *key = keys[rounds - r];
        if r != 0 && r != *rounds {
            for word in key {
                // The tables of the round contain the S-box γ. `s` cancels γ, because γ is its
                // own inverse.
                let s = |i| usize::from(tables.s[byte(*word, i)]);
                let [a, b, c, d] = &tables.round;
                *word = a[s(0)] ^ b[s(1)] ^ c[s(2)] ^ d[s(3)];
            }
        }
    }
    RoundKeys {
        keys: inverted,
        rounds: *rounds,
    }
}

/// Encrypts one block, or decrypts it with the round keys for decryption, [ANUBIS] §3.8.
#[inline(always)]
fn cipher(tables: &Tables, keys: &RoundKeys, block: &Block) -> Block {
    let RoundKeys { keys, rounds } = keys;
    let mut state = [0; 4];
    for i in 0..4 {
        state[i] = u32::from_be_bytes(block.as_chunks().0[i]) ^ keys[0][i];
    }
    for key in &keys[1..*rounds] {
        state = round(tables, state, *key);
    }
    let mut output = [0; 16];
    for i in 0..4 {
        let s = |j: usize| tables.s[byte(state[j], i)];
        let word = u32::from_be_bytes([s(0), s(1), s(2), s(3)]) ^ keys[*rounds][i];
        output.as_chunks_mut().0[i] = word.to_be_bytes();
    }
    output
}

/// Computes one round: the S-box γ, the transposition τ, the diffusion θ and the addition of a
/// round key.
#[inline(always)]
fn round(tables: &Tables, state: State, key: State) -> State {
    let [t0, t1, t2, t3] = &tables.round;
    let [a, b, c, d] = state;
    let mut next = [0; 4];
    for i in 0..4 {
        let high = t0[byte(a, i)] ^ t1[byte(b, i)];
        let low = t2[byte(c, i)] ^ t3[byte(d, i)];
        next[i] = (high ^ low) ^ key[i];
    }
    next
}

fn portable(tables: &'static Tables, keys: &RoundKeys, blocks: InOutBuf<'_, '_, Block>) {
    // Two blocks at once would need more registers than the processor has, and are not faster.
    for mut block in blocks {
        *block.get_out() = cipher(tables, keys, block.get_in());
    }
}

kernels! {
    /// The kernels: implementations of Anubis.
    enum Kernel {}
}

const KEY_LENGTHS: KeyLengths = KeyLengths::every(4, 16, 4 * LONGEST);

impl<const TWEAKED: bool> Keyed for Forwards<TWEAKED> {
    type Kernel = Kernel;
    const KEY_LENGTHS: KeyLengths = KEY_LENGTHS;

    fn with_kernel(kernel: Kernel, key: &[u8]) -> Result<Self, InvalidKeyLength> {
        Self::KEY_LENGTHS.check(key)?;
        let keys = match key.len() / 4 {
            4 => expand::<4>(Self::TABLES, key),
            5 => expand::<5>(Self::TABLES, key),
            6 => expand::<6>(Self::TABLES, key),
            7 => expand::<7>(Self::TABLES, key),
            8 => expand::<8>(Self::TABLES, key),
            9 => expand::<9>(Self::TABLES, key),
            _ => expand::<LONGEST>(Self::TABLES, key),
        };
        Ok(Self { kernel, keys })
    }

    fn kernel_in_use(&self) -> Kernel {
        self.kernel
    }
}

impl<const TWEAKED: bool> From<&Forwards<TWEAKED>> for Backwards<TWEAKED> {
    /// Makes the type for decryption with the same key. This takes less time than a key set-up.
    fn from(forward: &Forwards<TWEAKED>) -> Self {
        Self {
            kernel: forward.kernel,
            keys: invert(Forwards::<TWEAKED>::TABLES, &forward.keys),
        }
    }
}

impl<const TWEAKED: bool> InverseOf<Forwards<TWEAKED>> for Backwards<TWEAKED> {}

impl<const TWEAKED: bool> Keyed for Backwards<TWEAKED> {
    type Kernel = Kernel;
    const KEY_LENGTHS: KeyLengths = KEY_LENGTHS;

    fn with_kernel(kernel: Kernel, key: &[u8]) -> Result<Self, InvalidKeyLength> {
        Forwards::with_kernel(kernel, key).map(|forward| Self::from(&forward))
    }

    fn kernel_in_use(&self) -> Kernel {
        self.kernel
    }
}

impl<const TWEAKED: bool> BlockCipher for Forwards<TWEAKED> {
    type Block = Block;
}

impl<const TWEAKED: bool> Sealed for Forwards<TWEAKED> {}

impl<const TWEAKED: bool> BlockCipher for Backwards<TWEAKED> {
    type Block = Block;
}

impl<const TWEAKED: bool> Sealed for Backwards<TWEAKED> {}

impl<const TWEAKED: bool> Forwards<TWEAKED> {
    /// Encrypts one block.
    #[inline(always)]
    fn single(&self, block: Block) -> Block {
        match self.kernel {
            Kernel::Portable => cipher(Self::TABLES, &self.keys, &block),
        }
    }
}

impl<const TWEAKED: bool> BlockEncrypt for Forwards<TWEAKED> {
    #[inline]
    fn encrypt_blocks(&self, blocks: InOutBuf<'_, '_, Block>) {
        match self.kernel {
            Kernel::Portable => portable(Self::TABLES, &self.keys, blocks),
        }
    }

    #[inline]
    fn encrypt_block(&self, block: &mut Block) {
        *block = self.single(*block);
    }
}

impl<const TWEAKED: bool> FusedEncrypt for Forwards<TWEAKED> {
    serial::methods!(|this, one| this.single(one));
}

impl<const TWEAKED: bool> BlockDecrypt for Backwards<TWEAKED> {
    #[inline]
    fn decrypt_blocks(&self, blocks: InOutBuf<'_, '_, Block>) {
        match self.kernel {
            Kernel::Portable => portable(Forwards::<TWEAKED>::TABLES, &self.keys, blocks),
        }
    }
}

impl<const TWEAKED: bool> FusedDecrypt for Backwards<TWEAKED> {}

impl Drop for RoundKeys {
    fn drop(&mut self) {
        wipe(&mut self.keys[..=self.rounds], [0; 4]);
    }
}

impl<const TWEAKED: bool> ZeroizeOnDrop for Forwards<TWEAKED> {}
impl<const TWEAKED: bool> ZeroizeOnDrop for Backwards<TWEAKED> {}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks the first entries of the tables against [ANUBIS] appendix. Each S-box is its own
    /// inverse.
    const _: () = {
        let tweaked = tweaked();
        assert!(tweaked[0] == 0xba && tweaked[1] == 0x54 && tweaked[255] == 0x42);
        assert!(ORIGINAL[0] == 0xa7 && ORIGINAL[1] == 0xd3 && ORIGINAL[255] == 0x37);
        let mut x = 0;
        while x < 256 {
            assert!(tweaked[tweaked[x] as usize] as usize == x);
            assert!(ORIGINAL[ORIGINAL[x] as usize] as usize == x);
            x += 1;
        }
    };
}
