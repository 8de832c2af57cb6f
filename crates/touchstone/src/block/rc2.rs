//! RC2: blocks of 8 bytes, keys of 1 to 128 bytes. **Outdated**, as all ciphers with blocks of
//! 64 bits: encrypted messages leak information after some gigabytes under one key ([SWEET32]).
//! In addition, related keys break the cipher ([KSW]). RC2 exists here for old PKCS #12 files
//! and S/MIME messages. Many of these have 40 effective bits, so a search finds their key.
//!
//! The key set-up reduces a key to a number of *effective bits*. The number is the full length
//! of the key, unless the program sets another number by [`Rc2::with_effective_bits`].
//! Decryption needs the same number as encryption.
//!
//! **Not constant-time**: in the key set-up and in the "mash" steps, key and data determine
//! which table entries are read. The table of the mash steps has 128 bytes, two cache lines.
//!
//! | kernel | needs | blocks per call | technique |
//! |---|---|---|---|
//! | `avx512` | AVX-512 | 64 | two registers for each word |
//! | `avx2` | AVX2 | 32 | two registers for each word |
//! | `portable` | – | 16 | arrays of 16-bit lanes, which compilers turn into vectors |
//!
//! - [RFC2268] R. Rivest: A Description of the RC2(r) Encryption Algorithm, RFC
//!   2268, 1998
//! - [KSW] J. Kelsey, B. Schneier, D. Wagner: Related-Key Cryptanalysis of 3-WAY,
//!   Biham-DES, CAST, DES-X, NewDES, RC2, and TEA, ICICS 1997
//! - [SWEET32] K. Bhargavan, G. Leurent: On the Practical (In-)Security of 64-bit
//!   Block Ciphers, CCS 2016
//!
//! [RFC2268]: https://www.rfc-editor.org/rfc/rfc2268
//! [KSW]: https://doi.org/10.1007/BFb0028479
//! [SWEET32]: https://doi.org/10.1145/2976749.2978423

use zeroize::ZeroizeOnDrop;

#[cfg(target_arch = "x86_64")]
use crate::cpu;
use crate::debug::debug;
use crate::fuse::{FusedDecrypt, FusedEncrypt, Sealed};
use crate::kernel::kernels;
use crate::machinery::groups;
use crate::wipe::wipe;
use crate::{
    BlockCipher, BlockDecrypt, BlockEncrypt, InOutBuf, InvalidKeyLength, KeyLengths, Keyed,
    KeyedWith,
};

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;

/// RC2, with a key of 1 to 128 bytes.
#[derive(Clone)]
pub struct Rc2 {
    kernel: Kernel,
    keys: Keys,
}

debug!([] Rc2, "Rc2");

/// The number of effective bits of a key, 1 to 1024.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EffectiveBits(u16);

impl EffectiveBits {
    /// Makes the number `bits`. Returns `None` if `bits` is not 1 to 1024.
    pub const fn new(bits: usize) -> Option<Self> {
        match bits {
            1..=1024 => Some(Self(bits as u16)),
            _ => None,
        }
    }

    /// Returns the number of bits.
    pub const fn get(self) -> usize {
        self.0 as usize
    }
}

type Block = [u8; 8];
type Keys = [u16; 64];

/// The table PITABLE twice, one copy after the other, so that the sum of two bytes is a valid
/// index.
static TWICE: [u8; 512] = {
    let mut twice = [0; 512];
    let mut i = 0;
    while i < 512 {
        twice[i] = PITABLE[i % 256];
        i += 1;
    }
    twice
};

/// The number of blocks that the portable kernel encrypts at once.
const LANES: usize = 16;

/// The number of bits by which each word is rotated, [RFC2268](self) §3.1.
const TURNS: [u32; 4] = [1, 2, 3, 5];

/// The table of [RFC2268](self) §2, "based on the digits of π".
#[rustfmt::skip]
static PITABLE: [u8; 256] = [
    0xd9, 0x78, 0xf9, 0xc4, 0x19, 0xdd, 0xb5, 0xed, 0x28, 0xe9, 0xfd, 0x79, 0x4a, 0xa0, 0xd8, 0x9d,
    0xc6, 0x7e, 0x37, 0x83, 0x2b, 0x76, 0x53, 0x8e, 0x62, 0x4c, 0x64, 0x88, 0x44, 0x8b, 0xfb, 0xa2,
    0x17, 0x9a, 0x59, 0xf5, 0x87, 0xb3, 0x4f, 0x13, 0x61, 0x45, 0x6d, 0x8d, 0x09, 0x81, 0x7d, 0x32,
    0xbd, 0x8f, 0x40, 0xeb, 0x86, 0xb7, 0x7b, 0x0b, 0xf0, 0x95, 0x21, 0x22, 0x5c, 0x6b, 0x4e, 0x82,
    0x54, 0xd6, 0x65, 0x93, 0xce, 0x60, 0xb2, 0x1c, 0x73, 0x56, 0xc0, 0x14, 0xa7, 0x8c, 0xf1, 0xdc,
    0x12, 0x75, 0xca, 0x1f, 0x3b, 0xbe, 0xe4, 0xd1, 0x42, 0x3d, 0xd4, 0x30, 0xa3, 0x3c, 0xb6, 0x26,
    0x6f, 0xbf, 0x0e, 0xda, 0x46, 0x69, 0x07, 0x57, 0x27, 0xf2, 0x1d, 0x9b, 0xbc, 0x94, 0x43, 0x03,
    0xf8, 0x11, 0xc7, 0xf6, 0x90, 0xef, 0x3e, 0xe7, 0x06, 0xc3, 0xd5, 0x2f, 0xc8, 0x66, 0x1e, 0xd7,
    0x08, 0xe8, 0xea, 0xde, 0x80, 0x52, 0xee, 0xf7, 0x84, 0xaa, 0x72, 0xac, 0x35, 0x4d, 0x6a, 0x2a,
    0x96, 0x1a, 0xd2, 0x71, 0x5a, 0x15, 0x49, 0x74, 0x4b, 0x9f, 0xd0, 0x5e, 0x04, 0x18, 0xa4, 0xec,
    0xc2, 0xe0, 0x41, 0x6e, 0x0f, 0x51, 0xcb, 0xcc, 0x24, 0x91, 0xaf, 0x50, 0xa1, 0xf4, 0x70, 0x39,
    0x99, 0x7c, 0x3a, 0x85, 0x23, 0xb8, 0xb4, 0x7a, 0xfc, 0x02, 0x36, 0x5b, 0x25, 0x55, 0x97, 0x31,
    0x2d, 0x5d, 0xfa, 0x98, 0xe3, 0x8a, 0x92, 0xae, 0x05, 0xdf, 0x29, 0x10, 0x67, 0x6c, 0xba, 0xc9,
    0xd3, 0x00, 0xe6, 0xcf, 0xe1, 0x9e, 0xa8, 0x2c, 0x63, 0x16, 0x01, 0x3f, 0x58, 0xe2, 0x89, 0xa9,
    0x0d, 0x38, 0x34, 0x1b, 0xab, 0x33, 0xff, 0xb0, 0xbb, 0x48, 0x0c, 0x5f, 0xb9, 0xb1, 0xcd, 0x2e,
    0xc5, 0xf3, 0xdb, 0x47, 0xe5, 0xa5, 0x9c, 0x77, 0x0a, 0xa6, 0x20, 0x68, 0xfe, 0x7f, 0xc1, 0xad,
];

/// Computes the key schedule, [RFC2268](self) §2, for a key of 1 to 128 bytes.
///
/// Each byte of the expanded key depends on the byte before it, so little work may stand
/// between two reads of the table. The other term of the index is known earlier, so the code
/// first adds this term to the address of the table.
fn expand(bits: EffectiveBits, key: &[u8], keys: &mut Keys) {
    let t = key.len();
    let mut l = [0u8; 128];
    l[..t].copy_from_slice(key);
    let mut last = l[t - 1];
    for i in t..128 {
        let (rows, _) = TWICE[usize::from(l[i - t])..].split_at(256);
        last = rows[usize::from(last)];
        l[i] = last;
    }
    let bytes = bits.get().div_ceil(8);
    let mask = 0xff >> (8 * bytes - bits.get());
    last = PITABLE[usize::from(l[128 - bytes] & mask)];
    l[128 - bytes] = last;
    for i in (0..128 - bytes).rev() {
        last = PITABLE[usize::from(last ^ l[i + bytes])];
        l[i] = last;
    }
    for (key, bytes) in keys.iter_mut().zip(l.as_chunks().0) {
        *key = u16::from_le_bytes(*bytes);
    }
    wipe(&mut l, 0);
}

/// Computes a step of [RFC2268](self) §3.1, "Mix up R\[i\]", in all lanes. `a`, `b` and `c` are
/// the three words before word i; `a` is the nearest.
#[inline(always)]
fn mix<const I: usize, const N: usize>(r: &mut [[u16; N]; 4], key: u16) {
    for n in 0..N {
        let [a, b, c] = [r[(I + 3) % 4][n], r[(I + 2) % 4][n], r[(I + 1) % 4][n]];
        let sum = r[I][n].wrapping_add(key);
        // Of the three words, only a was computed just before. With a few blocks, the processor
        // waits for a. The complement would be one more step of the chain, and ¬a ∧ c is
        // (a ∨ c) − a.
        let sum = if N <= 2 {
            sum.wrapping_sub(a).wrapping_add(a | c)
        } else {
            sum.wrapping_add(!a & c)
        };
        r[I][n] = sum.wrapping_add(a & b).rotate_left(TURNS[I]);
    }
}

/// Computes the inverse of [`mix`], [RFC2268](self) §4.1, "R-Mix up R\[i\]".
#[inline(always)]
fn mix_backwards<const I: usize, const N: usize>(r: &mut [[u16; N]; 4], key: u16) {
    for n in 0..N {
        let [a, b, c] = [r[(I + 3) % 4][n], r[(I + 2) % 4][n], r[(I + 1) % 4][n]];
        let old = r[I][n].rotate_right(TURNS[I]).wrapping_sub(key);
        // Of the three words, only c was computed just before. With a few blocks, the processor
        // waits for c, so the code uses c last: ¬a ∧ c is (a ∨ c) − a. With many blocks, the
        // selection by a is one instruction.
        r[I][n] = if N <= 2 {
            let early = old.wrapping_add(a).wrapping_sub(a & b);
            early.wrapping_sub(a | c)
        } else {
            old.wrapping_sub(a & b | !a & c)
        };
    }
}

#[inline(always)]
fn mixing<const N: usize>(r: &mut [[u16; N]; 4], keys: &[u16]) {
    for key in keys.as_chunks::<4>().0 {
        mix::<0, N>(r, key[0]);
        mix::<1, N>(r, key[1]);
        mix::<2, N>(r, key[2]);
        mix::<3, N>(r, key[3]);
    }
}

#[inline(always)]
fn mixing_backwards<const N: usize>(r: &mut [[u16; N]; 4], keys: &[u16]) {
    for key in keys.as_chunks::<4>().0.iter().rev() {
        mix_backwards::<3, N>(r, key[3]);
        mix_backwards::<2, N>(r, key[2]);
        mix_backwards::<1, N>(r, key[1]);
        mix_backwards::<0, N>(r, key[0]);
    }
}

/// Computes the "Mashing round" of [RFC2268](self) §3.3.
#[inline(always)]
fn mash<const N: usize>(r: &mut [[u16; N]; 4], keys: &Keys) {
    for i in 0..4 {
        for n in 0..N {
            let key = keys[usize::from(r[(i + 3) % 4][n] % 64)];
            r[i][n] = r[i][n].wrapping_add(key);
        }
    }
}

/// Computes the "R-Mashing round" of [RFC2268](self) §4.3.
#[inline(always)]
fn mash_backwards<const N: usize>(r: &mut [[u16; N]; 4], keys: &Keys) {
    for i in (0..4).rev() {
        for n in 0..N {
            let key = keys[usize::from(r[(i + 3) % 4][n] % 64)];
            r[i][n] = r[i][n].wrapping_sub(key);
        }
    }
}

/// Encrypts `N` blocks, [RFC2268](self) §3.4.
#[inline(always)]
fn encrypt<const N: usize>(keys: &Keys, blocks: [Block; N]) -> [Block; N] {
    let mut r = split(blocks);
    mixing(&mut r, &keys[..20]);
    mash(&mut r, keys);
    mixing(&mut r, &keys[20..44]);
    mash(&mut r, keys);
    mixing(&mut r, &keys[44..]);
    join(r)
}

/// Decrypts `N` blocks, [RFC2268](self) §4.4.
#[inline(always)]
fn decrypt<const N: usize>(keys: &Keys, blocks: [Block; N]) -> [Block; N] {
    let mut r = split(blocks);
    mixing_backwards(&mut r, &keys[44..]);
    mash_backwards(&mut r, keys);
    mixing_backwards(&mut r, &keys[20..44]);
    mash_backwards(&mut r, keys);
    mixing_backwards(&mut r, &keys[..20]);
    join(r)
}

#[inline(always)]
fn split<const N: usize>(blocks: [Block; N]) -> [[u16; N]; 4] {
    let mut r = [[0; N]; 4];
    for n in 0..N {
        for i in 0..4 {
            r[i][n] = u16::from_le_bytes([blocks[n][2 * i], blocks[n][2 * i + 1]]);
        }
    }
    r
}

#[inline(always)]
fn join<const N: usize>(r: [[u16; N]; 4]) -> [Block; N] {
    let mut blocks = [[0; 8]; N];
    for n in 0..N {
        for i in 0..4 {
            blocks[n][2 * i..][..2].copy_from_slice(&r[i][n].to_le_bytes());
        }
    }
    blocks
}

fn portable_encrypt(keys: &Keys, blocks: InOutBuf<'_, '_, Block>) {
    groups::filled::<LANES, 8, _>(
        blocks,
        |group| encrypt(keys, group),
        |pair| encrypt(keys, pair),
        |block| encrypt(keys, [block])[0],
    );
}

fn portable_decrypt(keys: &Keys, blocks: InOutBuf<'_, '_, Block>) {
    groups::filled::<LANES, 14, _>(
        blocks,
        |group| decrypt(keys, group),
        |pair| decrypt(keys, pair),
        |block| decrypt(keys, [block])[0],
    );
}

kernels! {
    /// The kernels: implementations of RC2 for different CPU features.
    enum Kernel {
        #[cfg(target_arch = "x86_64")]
        "avx512" = Avx512(cpu::Avx512),
        #[cfg(target_arch = "x86_64")]
        "avx2" = Avx2(cpu::Avx2),
    }
}

impl Rc2 {
    /// Sets up a key, of which only `bits` bits are effective.
    pub fn with_effective_bits(bits: EffectiveBits, key: &[u8]) -> Result<Self, InvalidKeyLength> {
        Self::from_slice_with(bits, key)
    }
}

impl Keyed for Rc2 {
    type Kernel = Kernel;
    const KEY_LENGTHS: KeyLengths = KeyLengths::every(1, 1, 128);

    /// Sets up a key. All bits of the key are effective.
    fn with_kernel(kernel: Kernel, key: &[u8]) -> Result<Self, InvalidKeyLength> {
        Self::KEY_LENGTHS.check(key)?;
        Self::with_kernel_and(kernel, EffectiveBits(8 * key.len() as u16), key)
    }

    #[inline]
    fn rekey(&mut self, key: &[u8]) -> Result<(), InvalidKeyLength> {
        Self::KEY_LENGTHS.check(key)?;
        expand(EffectiveBits(8 * key.len() as u16), key, &mut self.keys);
        Ok(())
    }

    fn kernel_in_use(&self) -> Kernel {
        self.kernel
    }
}

impl KeyedWith for Rc2 {
    type Parameter = EffectiveBits;

    fn with_kernel_and(
        kernel: Kernel,
        bits: EffectiveBits,
        key: &[u8],
    ) -> Result<Self, InvalidKeyLength> {
        Self::KEY_LENGTHS.check(key)?;
        let mut keys = [0; 64];
        expand(bits, key, &mut keys);
        Ok(Self { kernel, keys })
    }
}

impl BlockCipher for Rc2 {
    type Block = Block;
}

impl Sealed for Rc2 {}

impl BlockEncrypt for Rc2 {
    #[inline]
    fn encrypt_blocks(&self, blocks: InOutBuf<'_, '_, Block>) {
        match self.kernel {
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx512(token) => avx512::encrypt(token, &self.keys, blocks),
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx2(token) => avx2::encrypt(token, &self.keys, blocks),
            Kernel::Portable => portable_encrypt(&self.keys, blocks),
        }
    }

    #[inline]
    fn encrypt_block(&self, block: &mut Block) {
        [*block] = encrypt(&self.keys, [*block]);
    }
}

impl FusedEncrypt for Rc2 {}

impl BlockDecrypt for Rc2 {
    #[inline]
    fn decrypt_blocks(&self, blocks: InOutBuf<'_, '_, Block>) {
        match self.kernel {
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx512(token) => avx512::decrypt(token, &self.keys, blocks),
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx2(token) => avx2::decrypt(token, &self.keys, blocks),
            Kernel::Portable => portable_decrypt(&self.keys, blocks),
        }
    }
}

impl FusedDecrypt for Rc2 {}

impl Drop for Rc2 {
    fn drop(&mut self) {
        wipe(&mut self.keys, 0);
    }
}

impl ZeroizeOnDrop for Rc2 {}
