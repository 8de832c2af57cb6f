//! GOST 28147-89 and Magma: blocks of 8 bytes, keys of 32 bytes. Magma is the same cipher with
//! a fixed set of S-boxes and another order of bytes. **Outdated**, as all ciphers with blocks
//! of 64 bits: encrypted messages leak information after some gigabytes under one key
//! ([SWEET32]). In addition, [DDS] breaks the cipher in theory. This module does not contain
//! CryptoPro's key meshing ([RFC4357] §2.3.2), which changes the key after every kilobyte.
//!
//! The standard of 1989 does not fix the S-boxes. [`Gost28147`] uses CryptoPro's set A, unless
//! the program selects another set by [`Gost28147::with_boxes`]. There are [four sets](SBoxes),
//! and programs can define their own sets. Decryption needs the same set as encryption.
//!
//! The portable form is **not constant-time**: data and key determine which table entries the
//! code reads. The kernel `avx512` stores its tables in registers and is constant-time, but
//! uses the portable form for calls with fewer than 9 blocks.
//!
//! | kernel | needs | blocks per call | technique |
//! |---|---|---|---|
//! | `avx512` | AVX-512 | 64 | four S-boxes looked up at once, in registers |
//! | `portable` | – | 4 | tables of two S-boxes each, blocks interleaved |
//!
//! - [RFC5830] V. Dolmatov: GOST 28147-89: Encryption, Decryption, and Message
//!   Authentication Code (MAC) Algorithms, RFC 5830, 2010
//! - [RFC8891] V. Dolmatov, D. Baryshkov: GOST R 34.12-2015: Block Cipher "Magma",
//!   RFC 8891, 2020
//! - [RFC4357] V. Popov, I. Kurepkin, S. Leontiev: Additional Cryptographic
//!   Algorithms for Use with GOST, RFC 4357, 2006
//! - [RFC5831] V. Dolmatov: GOST R 34.11-94: Hash Function Algorithm, RFC 5831, 2010
//! - [DDS] I. Dinur, O. Dunkelman, A. Shamir: Improved Attacks on Full GOST, FSE 2012
//! - [SWEET32] K. Bhargavan, G. Leurent: On the Practical (In-)Security of 64-bit
//!   Block Ciphers, CCS 2016
//!
//! [RFC5830]: https://www.rfc-editor.org/rfc/rfc5830
//! [RFC8891]: https://www.rfc-editor.org/rfc/rfc8891
//! [RFC4357]: https://www.rfc-editor.org/rfc/rfc4357
//! [RFC5831]: https://www.rfc-editor.org/rfc/rfc5831
//! [DDS]: https://doi.org/10.1007/978-3-642-34047-5_2
//! [SWEET32]: https://doi.org/10.1145/2976749.2978423

use core::fmt;

use zeroize::ZeroizeOnDrop;

#[cfg(target_arch = "x86_64")]
use crate::cpu;
use crate::debug::debug;
use crate::fuse::{FusedDecrypt, FusedEncrypt, Sealed};
use crate::kernel::kernels;
use crate::machinery::groups;
use crate::wipe::wipe;
use crate::{
    BlockCipher, BlockDecrypt, BlockEncrypt, FixedKey, InOutBuf, InvalidKeyLength, KeyLengths,
    Keyed, KeyedWith,
};

#[cfg(target_arch = "x86_64")]
mod avx512;

/// GOST 28147-89, with a key of 32 bytes. Key and blocks are little-endian, as in
/// [RFC4357](self) and all later standards.
#[derive(Clone)]
pub struct Gost28147<'s> {
    kernel: Kernel,
    keys: Keys,
    boxes: &'s SBoxes,
}

debug!([] Gost28147<'_>, "Gost28147");

/// Magma, with a key of 32 bytes: GOST 28147-89 with the S-boxes [`Z`](SBoxes::Z) and
/// big-endian keys and blocks.
#[derive(Clone)]
pub struct Magma {
    kernel: Kernel,
    keys: Keys,
}

debug!([] Magma, "Magma");

/// Eight S-boxes of four bits, in the form that the cipher's code uses.
///
/// A program can define its own set as a `static`, or as a value that exists as long as the
/// ciphers that borrow it:
///
/// ```
/// use touchstone::block::gost28147::{Gost28147, SBoxes};
///
/// static BOXES: SBoxes = match SBoxes::new(&[[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]; 8]) {
///     Some(boxes) => boxes,
///     None => panic!("a number is over 15"),
/// };
/// let cipher = Gost28147::with_boxes(&BOXES, &[7; 32])?;
/// # Ok::<(), touchstone::InvalidKeyLength>(())
/// ```
#[derive(Clone)]
pub struct SBoxes {
    /// Each of the four tables joins two neighbouring S-boxes. The entries are already rotated
    /// by 11 bits.
    tables: [[u32; 256]; 4],
    /// Each byte has an entry of two S-boxes: in its low four bits the first, third, fifth or
    /// seventh S-box, in its high four bits the S-box after that one.
    #[cfg_attr(not(target_arch = "x86_64"), expect(dead_code))]
    nibbles: [[u8; 64]; 2],
}

type Block = [u8; 8];
type Keys = [u32; 8];

/// The number of blocks that the portable kernel encrypts at once.
const LANES: usize = 4;

impl SBoxes {
    /// Makes the tables from the given S-boxes. The first S-box replaces the lowest four bits
    /// of a word. Returns `None` if a number is above 15.
    #[must_use]
    pub const fn new(boxes: &[[u8; 16]; 8]) -> Option<Self> {
        let mut tables = [[0; 256]; 4];
        let mut nibbles = [[0; 64]; 2];
        let mut i = 0;
        while i < 4 * 256 {
            let (table, byte) = (i / 256, i % 256);
            let low = boxes[2 * table][byte % 16];
            let high = boxes[2 * table + 1][byte / 16];
            if low > 15 || high > 15 {
                return None;
            }
            let out = (low | high << 4) as u32;
            tables[table][byte] = (out << (8 * table)).rotate_left(11);
            nibbles[0][16 * table + byte % 16] = low;
            nibbles[1][16 * table + byte / 16] = high << 4;
            i += 1;
        }
        Some(Self { tables, nibbles })
    }

    /// Makes the tables from rows of hexadecimal digits. The first digit is the highest.
    const fn from_rows(rows: [u64; 8]) -> Self {
        let mut boxes = [[0; 16]; 8];
        let mut i = 0;
        while i < 8 * 16 {
            boxes[i / 16][i % 16] = (rows[i / 16] >> (60 - 4 * (i % 16)) & 15) as u8;
            i += 1;
        }
        match Self::new(&boxes) {
            Some(boxes) => boxes,
            None => unreachable!(),
        }
    }

    /// The set `id-Gost28147-89-CryptoPro-A-ParamSet`, [RFC4357](self) §11.2. Programs use this
    /// set if nothing else is specified.
    pub const CRYPTO_PRO_A: &'static Self = &CRYPTO_PRO_A;
    /// The set of Magma, `id-tc26-gost-28147-param-Z`, [RFC8891](self) §4.1.
    pub const Z: &'static Self = &Z;
    /// The set `id-GostR3411-94-TestParamSet` of the examples of GOST R 34.11-94,
    /// [RFC5831](self) §7.1. The standard says that this set is **not for use**.
    pub const TEST: &'static Self = &TEST;
    /// The set `id-GostR3411-94-CryptoProParamSet`, which the hash function GOST R 34.11-94
    /// uses in practice, [RFC4357](self) §11.2.
    pub const R3411_CRYPTO_PRO: &'static Self = &R3411_CRYPTO_PRO;

    /// Computes substitution and rotation, [RFC8891](self) §4.2, on a word to which the key has
    /// been added.
    #[inline(always)]
    fn g(&self, x: u32) -> u32 {
        let [a, b, c, d] = x.to_le_bytes().map(usize::from);
        let t = &self.tables;
        // No two tables have an output bit in common, so an OR of entries equals an XOR. The
        // code uses both operations, because compilers would make one chain of four equal
        // operations.
        (t[0][a] | t[1][b]) ^ (t[2][c] | t[3][d])
    }
}

impl fmt::Debug for SBoxes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SBoxes").finish_non_exhaustive()
    }
}

static CRYPTO_PRO_A: SBoxes = SBoxes::from_rows([
    0x9632_8b17_a4ef_c0d5,
    0x37e9_8af0_526c_b4d1,
    0xe462_b3d8_cf5a_0719,
    0xe7ac_d139_02b4_f856,
    0xb519_8df0_e423_c7a6,
    0x3adc_120b_7594_8fe6,
    0x1d29_7a60_8c45_f3be,
    0xbaf5_0ce8_6239_17d4,
]);

static Z: SBoxes = SBoxes::from_rows([
    0xc462_a5b9_e8d7_03f1,
    0x6823_9a5c_1e47_bd0f,
    0xb358_2fad_e174_c960,
    0xc821_d4f6_70a5_3e9b,
    0x7f5a_816d_093e_b42c,
    0x5df6_92ca_b781_43e0,
    0x8e25_691c_f4b0_da37,
    0x17ed_0583_4fa6_9cb2,
]);

static TEST: SBoxes = SBoxes::from_rows([
    0x4a92_d80e_6b1c_7f53,
    0xeb4c_6dfa_2381_0759,
    0x581d_a342_efc7_609b,
    0x7da1_089f_e46c_b253,
    0x6c71_5fd8_4a9e_03b2,
    0x4ba0_721d_3685_9cfe,
    0xdb41_3f59_0ae7_682c,
    0x1fd0_57a4_923e_6b8c,
]);

static R3411_CRYPTO_PRO: SBoxes = SBoxes::from_rows([
    0xa456_8137_dce0_92bf,
    0x5f40_2db9_1763_cea8,
    0x7fce_9410_3b52_6a8d,
    0x4a7c_0f28_e165_db93,
    0x764b_9c2a_180e_fd35,
    0x7624_d9f0_a15b_8ec3,
    0xde41_705a_3c8f_629b,
    0x13a9_5b4f_867e_d02c,
]);

/// Computes all rounds, with the round keys in the order of [RFC8891](self) §4.3. Encryption
/// uses the eight words of the key three times in order and once in reverse order. Decryption
/// uses them once in order and three times in reverse order.
macro_rules! rounds {
    ($x:ident, $keys:expr, $boxes:expr, up $up:literal, down $down:literal) => {
        for _ in 0..$up {
            eight($boxes, $keys, &mut $x);
        }
        let mut reversed = *$keys;
        reversed.reverse();
        for _ in 0..$down {
            eight($boxes, &reversed, &mut $x);
        }
    };
}

/// Computes eight rounds. Each round names the halves in the other order, so no half is moved.
#[inline(always)]
fn eight<const N: usize>(boxes: &SBoxes, keys: &Keys, x: &mut [[u32; 2]; N]) {
    for [first, second] in keys.as_chunks::<2>().0 {
        for [low, high] in &mut *x {
            *high ^= boxes.g(low.wrapping_add(*first));
        }
        for [low, high] in &mut *x {
            *low ^= boxes.g(high.wrapping_add(*second));
        }
    }
}

/// Encrypts blocks: converts the blocks to the halves N1 and N2, encrypts the halves, and
/// converts them back. The halves are exchanged in the output.
#[inline(always)]
fn encrypt<const N: usize, const BIG: bool>(
    boxes: &SBoxes,
    keys: &Keys,
    blocks: [Block; N],
) -> [Block; N] {
    let mut x = split::<N, BIG>(blocks);
    rounds!(x, keys, boxes, up 3, down 1);
    join::<N, BIG>(x)
}

/// Encrypts blocks, which are little-endian numbers. Each block has its own key.
#[inline]
pub(crate) fn encrypt_each<const N: usize>(
    boxes: &SBoxes,
    keys: &[Keys; N],
    mut blocks: [u64; N],
) -> [u64; N] {
    let mut x = blocks.map(|block| [block as u32, (block >> 32) as u32]);
    for pair in 0..16 {
        // The words of the key are used three times in order and once in reverse order.
        let (first, second) = match pair {
            0..12 => (2 * pair % 8, 2 * pair % 8 + 1),
            _ => (7 - 2 * pair % 8, 6 - 2 * pair % 8),
        };
        for ([low, high], keys) in x.iter_mut().zip(keys) {
            *high ^= boxes.g(low.wrapping_add(keys[first]));
        }
        for ([low, high], keys) in x.iter_mut().zip(keys) {
            *low ^= boxes.g(high.wrapping_add(keys[second]));
        }
    }
    for (block, [low, high]) in blocks.iter_mut().zip(x) {
        *block = u64::from(low) << 32 | u64::from(high);
    }
    blocks
}

#[inline(always)]
fn decrypt<const N: usize, const BIG: bool>(
    boxes: &SBoxes,
    keys: &Keys,
    blocks: [Block; N],
) -> [Block; N] {
    let mut x = split::<N, BIG>(blocks);
    rounds!(x, keys, boxes, up 1, down 3);
    join::<N, BIG>(x)
}

#[inline(always)]
fn split<const N: usize, const BIG: bool>(blocks: [Block; N]) -> [[u32; 2]; N] {
    let mut x = [[0; 2]; N];
    for (x, block) in x.iter_mut().zip(blocks) {
        let both = if BIG {
            u64::from_be_bytes(block)
        } else {
            u64::from_le_bytes(block)
        };
        *x = [both as u32, (both >> 32) as u32];
    }
    x
}

#[inline(always)]
fn join<const N: usize, const BIG: bool>(x: [[u32; 2]; N]) -> [Block; N] {
    let mut blocks = [[0; 8]; N];
    for ([low, high], block) in x.iter().zip(&mut blocks) {
        let both = u64::from(*low) << 32 | u64::from(*high);
        *block = if BIG {
            both.to_be_bytes()
        } else {
            both.to_le_bytes()
        };
    }
    blocks
}

/// The order of bytes, and the direction in which the round keys are used.
#[derive(Clone, Copy)]
struct Order {
    big_endian: bool,
    backwards: bool,
}

fn portable(order: Order, boxes: &SBoxes, keys: &Keys, blocks: InOutBuf<'_, '_, Block>) {
    macro_rules! by {
        ($function:ident, $big:literal) => {
            groups::and_pairs::<LANES, _>(
                blocks,
                |group| $function::<LANES, $big>(boxes, keys, group),
                |pair| $function::<2, $big>(boxes, keys, pair),
                |block| $function::<1, $big>(boxes, keys, [block])[0],
            )
        };
    }
    match (order.backwards, order.big_endian) {
        (false, false) => by!(encrypt, false),
        (false, true) => by!(encrypt, true),
        (true, false) => by!(decrypt, false),
        (true, true) => by!(decrypt, true),
    }
}

kernels! {
    /// The kernels: implementations of GOST 28147-89 and Magma for different CPU features.
    enum Kernel {
        #[cfg(target_arch = "x86_64")]
        "avx512" = Avx512(cpu::Avx512),
    }
}

impl Kernel {
    #[inline(always)]
    fn cipher(self, order: Order, boxes: &SBoxes, keys: &Keys, blocks: InOutBuf<'_, '_, Block>) {
        match self {
            #[cfg(target_arch = "x86_64")]
            Self::Avx512(token) if blocks.len() >= avx512::LEAST => {
                avx512::cipher(token, order, boxes, keys, blocks);
            }
            _ => portable(order, boxes, keys, blocks),
        }
    }
}

impl<'s> Gost28147<'s> {
    /// Sets up a key with the given S-boxes.
    pub fn with_boxes(boxes: &'s SBoxes, key: &[u8]) -> Result<Self, InvalidKeyLength> {
        Self::from_slice_with(boxes, key)
    }

    /// Replaces the key. The field `keys` is the only state that depends on the key.
    #[inline]
    fn keep(&mut self, key: &[u8]) -> Result<(), InvalidKeyLength> {
        let key: &[u8; 32] = Self::KEY_LENGTHS.array(key)?;
        for (word, bytes) in self.keys.iter_mut().zip(key.as_chunks().0) {
            *word = u32::from_le_bytes(*bytes);
        }
        Ok(())
    }

    /// Computes the first 16 rounds, which the MAC uses, [RFC5830](self) §8. The halves are not
    /// exchanged at the end.
    #[inline]
    pub(crate) fn sixteen_rounds(&self, block: Block) -> Block {
        let mut x = split::<1, false>([block]);
        for _ in 0..2 {
            eight(self.boxes, &self.keys, &mut x);
        }
        let [[low, high]] = x;
        (u64::from(high) << 32 | u64::from(low)).to_le_bytes()
    }
}

impl FixedKey for Gost28147<'_> {
    type Key = [u8; 32];
}

impl Keyed for Gost28147<'_> {
    type Kernel = Kernel;
    const KEY_LENGTHS: KeyLengths = KeyLengths::exactly(32);

    /// Sets up a key with the S-boxes [`SBoxes::CRYPTO_PRO_A`].
    fn with_kernel(kernel: Kernel, key: &[u8]) -> Result<Self, InvalidKeyLength> {
        Self::with_kernel_and(kernel, SBoxes::CRYPTO_PRO_A, key)
    }

    #[inline]
    fn rekey(&mut self, key: &[u8]) -> Result<(), InvalidKeyLength> {
        self.rekey_and(SBoxes::CRYPTO_PRO_A, key)
    }

    fn kernel_in_use(&self) -> Kernel {
        self.kernel
    }
}

impl<'s> KeyedWith for Gost28147<'s> {
    type Parameter = &'s SBoxes;

    fn with_kernel_and(
        kernel: Kernel,
        boxes: &'s SBoxes,
        key: &[u8],
    ) -> Result<Self, InvalidKeyLength> {
        let keys = [0; 8];
        let mut this = Self {
            kernel,
            keys,
            boxes,
        };
        this.keep(key)?;
        Ok(this)
    }

    #[inline]
    fn rekey_and(&mut self, boxes: &'s SBoxes, key: &[u8]) -> Result<(), InvalidKeyLength> {
        self.keep(key)?;
        self.boxes = boxes;
        Ok(())
    }
}

impl FixedKey for Magma {
    type Key = [u8; 32];
}

impl Keyed for Magma {
    type Kernel = Kernel;
    const KEY_LENGTHS: KeyLengths = KeyLengths::exactly(32);

    fn with_kernel(kernel: Kernel, key: &[u8]) -> Result<Self, InvalidKeyLength> {
        let keys = [0; 8];
        let mut this = Self { kernel, keys };
        this.rekey(key)?;
        Ok(this)
    }

    #[inline]
    fn rekey(&mut self, key: &[u8]) -> Result<(), InvalidKeyLength> {
        let key: &[u8; 32] = Self::KEY_LENGTHS.array(key)?;
        for (word, bytes) in self.keys.iter_mut().zip(key.as_chunks().0) {
            *word = u32::from_be_bytes(*bytes);
        }
        Ok(())
    }

    fn kernel_in_use(&self) -> Kernel {
        self.kernel
    }
}

macro_rules! blocks {
    ($Cipher:ty, |$this:ident| $boxes:expr, big-endian: $big:literal) => {
        impl BlockCipher for $Cipher {
            type Block = Block;
        }

        impl Sealed for $Cipher {}

        impl BlockEncrypt for $Cipher {
            #[inline]
            fn encrypt_blocks(&self, blocks: InOutBuf<'_, '_, Block>) {
                let $this = self;
                let order = Order {
                    big_endian: $big,
                    backwards: false,
                };
                self.kernel.cipher(order, $boxes, &self.keys, blocks);
            }

            #[inline]
            fn encrypt_block(&self, block: &mut Block) {
                let $this = self;
                [*block] = encrypt::<1, $big>($boxes, &self.keys, [*block]);
            }
        }

        impl FusedEncrypt for $Cipher {}

        impl BlockDecrypt for $Cipher {
            #[inline]
            fn decrypt_blocks(&self, blocks: InOutBuf<'_, '_, Block>) {
                let $this = self;
                let order = Order {
                    big_endian: $big,
                    backwards: true,
                };
                self.kernel.cipher(order, $boxes, &self.keys, blocks);
            }
        }

        impl FusedDecrypt for $Cipher {}

        impl Drop for $Cipher {
            fn drop(&mut self) {
                wipe(&mut self.keys, 0);
            }
        }

        impl ZeroizeOnDrop for $Cipher {}
    };
}

blocks!(Gost28147<'_>, |this| this.boxes, big-endian: false);
blocks!(Magma, |_this| SBoxes::Z, big-endian: true);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn named_sets_are_permutations() {
        for boxes in [&CRYPTO_PRO_A, &Z, &TEST, &R3411_CRYPTO_PRO] {
            for table in &boxes.tables {
                let mut seen = [false; 256];
                for (byte, out) in table.iter().enumerate() {
                    let shift = table.iter().fold(0, |all, out| all | out).trailing_zeros();
                    // The output bits of a table may wrap around the end of the word.
                    let out = if shift == 0 {
                        out.rotate_right(3 + 24)
                    } else {
                        out >> shift
                    };
                    assert!(!core::mem::replace(&mut seen[out as usize], true), "{byte}");
                }
            }
        }
    }

    #[test]
    fn numbers_over_four_bits_are_refused() {
        let mut boxes = [[15; 16]; 8];
        assert!(SBoxes::new(&boxes).is_some());
        boxes[7][15] = 16;
        assert!(SBoxes::new(&boxes).is_none());
    }
}
