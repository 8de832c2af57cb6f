//! IDEA: blocks of 8 bytes, keys of 16 bytes. **Outdated**: as blocks have only 64 bits,
//! encrypted messages leak information after some gigabytes under one key ([SWEET32]), and
//! [BICLIQUE] breaks the whole cipher in theory. IDEA exists here for PGP 2 and other old data.
//! There are classes of weak keys ([WEAK]). A random key is practically never weak, so `new`
//! does not refuse weak keys; [`Idea::is_weak`] finds them.
//!
//! Constant-time: the multiplication has no branch, and the code reads no table.
//!
//! Decryption is encryption with inverted subkeys. The 18 inverses modulo 2^16 + 1 take longer
//! than the rest of a key set-up, so there are separate types for encryption only and for
//! decryption only.
//!
//! | kernel | needs | blocks per call | technique |
//! |---|---|---|---|
//! | `avx512` | AVX-512 | 128 | four registers for each word, or fewer; up to 16 blocks as `avx2` |
//! | `avx2` | AVX2 | 64 | four registers for each word, or fewer |
//! | `portable` | – | 16 | arrays of 16-bit lanes, which compilers turn into vectors |
//!
//! - [IDEA] X. Lai: On the Design and Security of Block Ciphers, ETH Zürich, 1992
//! - [WEAK] J. Daemen, R. Govaerts, J. Vandewalle: Weak Keys for IDEA, CRYPTO '93
//! - [BICLIQUE] D. Khovratovich, G. Leurent, C. Rechberger: Narrow-Bicliques:
//!   Cryptanalysis of Full IDEA, EUROCRYPT 2012
//! - [SWEET32] K. Bhargavan, G. Leurent: On the Practical (In-)Security of 64-bit
//!   Block Ciphers, CCS 2016
//!
//! [IDEA]: https://doi.org/10.3929/ethz-a-000646711
//! [WEAK]: https://doi.org/10.1007/3-540-48329-2_20
//! [BICLIQUE]: https://doi.org/10.1007/978-3-642-29011-4_24
//! [SWEET32]: https://doi.org/10.1145/2976749.2978423

use zeroize::ZeroizeOnDrop;

#[cfg(target_arch = "x86_64")]
use crate::cpu;
use crate::debug::debug;
use crate::fuse::{FusedDecrypt, FusedEncrypt, Sealed};
use crate::kernel::kernels;
use crate::machinery::both::{InverseOf, both};
use crate::machinery::groups;
use crate::wipe::wipe;
use crate::{
    BlockCipher, BlockDecrypt, BlockEncrypt, FixedKey, InOutBuf, InvalidKeyLength, KeyLengths,
    Keyed,
};

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(target_arch = "x86_64")]
mod lanes;

both! {
    /// IDEA, in both directions.
    Idea = IdeaEncrypt, IdeaDecrypt;
}

/// IDEA, encryption only. Modes such as CTR need only this direction. A key set-up takes a
/// fraction of the time for both directions.
#[derive(Clone)]
pub struct IdeaEncrypt {
    kernel: Kernel,
    keys: Keys,
}

debug!([] IdeaEncrypt, "Idea");

/// IDEA, decryption only.
#[derive(Clone)]
pub struct IdeaDecrypt {
    kernel: Kernel,
    keys: Keys,
}

debug!([] IdeaDecrypt, "Idea");

type Block = [u8; 8];

/// The subkeys Z1 to Z6 of the rounds 1 to 8, and Z1 to Z4 of the output transformation.
type Keys = [u16; 52];

/// The number of blocks that the portable kernel encrypts at once.
const LANES: usize = 16;

/// Returns the product modulo 2^16 + 1. The number 0 stands for 2^16. Because 2^16 equals −1,
/// the product is its low half minus its high half. If a stands for 2^16, the product is −b.
#[inline(always)]
fn times(a: u16, b: u16) -> u16 {
    let product = u32::from(a) * u32::from(b);
    let (low, high) = (product as u16, (product >> 16) as u16);
    let usual = low.wrapping_sub(high).wrapping_add(u16::from(low < high));
    let some_zero = u16::from(low | high == 0).wrapping_neg();
    usual.wrapping_add(some_zero & 1u16.wrapping_sub(a).wrapping_sub(b))
}

#[inline(always)]
fn multiply<const N: usize>(x: &mut [u16; N], key: u16) {
    for x in x {
        *x = times(*x, key);
    }
}

#[inline(always)]
fn add<const N: usize>(x: &mut [u16; N], key: u16) {
    for x in x {
        *x = x.wrapping_add(key);
    }
}

/// Encrypts `N` blocks, [IDEA](self) figure 3.1, with one block in each lane.
#[inline(always)]
fn cipher<const N: usize>(keys: &Keys, blocks: [Block; N]) -> [Block; N] {
    let [mut a, mut b, mut c, mut d] = [[0; N]; 4];
    for i in 0..N {
        let word = |n| u16::from_be_bytes([blocks[i][n], blocks[i][n + 1]]);
        (a[i], b[i], c[i], d[i]) = (word(0), word(2), word(4), word(6));
    }
    let (rounds, last) = keys.as_chunks::<6>();
    for z in rounds {
        multiply(&mut a, z[0]);
        add(&mut b, z[1]);
        add(&mut c, z[2]);
        multiply(&mut d, z[3]);
        let (mut p, mut q) = ([0; N], [0; N]);
        for i in 0..N {
            p[i] = a[i] ^ c[i];
            q[i] = b[i] ^ d[i];
        }
        multiply(&mut p, z[4]);
        for i in 0..N {
            q[i] = q[i].wrapping_add(p[i]);
        }
        multiply(&mut q, z[5]);
        for i in 0..N {
            p[i] = p[i].wrapping_add(q[i]);
            a[i] ^= q[i];
            d[i] ^= p[i];
            (b[i], c[i]) = (c[i] ^ q[i], b[i] ^ p[i]);
        }
    }
    multiply(&mut a, last[0]);
    add(&mut c, last[1]);
    add(&mut b, last[2]);
    multiply(&mut d, last[3]);
    let mut blocks = blocks;
    for i in 0..N {
        let words = [a[i], c[i], b[i], d[i]].map(u16::to_be_bytes);
        blocks[i].copy_from_slice(words.as_flattened());
    }
    blocks
}

/// Encrypts one block, or a few blocks, which take turns in each round. The code uses numbers of
/// 32 bits. With numbers of 16 bits, compilers would compute two multiplications as lanes of a
/// vector, which makes the chain of dependent instructions longer.
#[inline(always)]
fn few<const N: usize>(keys: &Keys, blocks: [Block; N]) -> [Block; N] {
    #[inline(always)]
    fn times(a: u32, b: u16) -> u32 {
        let b = u32::from(b);
        let product = a * b;
        let (low, high) = (product & 0xffff, product >> 16);
        let zero = u32::from(product == 0).wrapping_neg();
        let instead = zero & 1u32.wrapping_sub(a).wrapping_sub(b);
        let (usual, borrow) = low.overflowing_sub(high);
        usual.wrapping_add(instead).wrapping_add(u32::from(borrow)) & 0xffff
    }
    #[inline(always)]
    fn plus(a: u32, b: u16) -> u32 {
        (a + u32::from(b)) & 0xffff
    }

    let [mut a, mut b, mut c, mut d] = [[0; N]; 4];
    for n in 0..N {
        let x = u64::from_be_bytes(blocks[n]);
        let word = |shift: u32| (x >> shift) as u32 & 0xffff;
        (a[n], b[n], c[n], d[n]) = (word(48), word(32), word(16), word(0));
    }
    let (rounds, last) = keys.as_chunks::<6>();
    for z in rounds {
        for n in 0..N {
            a[n] = times(a[n], z[0]);
            b[n] = plus(b[n], z[1]);
            c[n] = plus(c[n], z[2]);
            d[n] = times(d[n], z[3]);
        }
        for n in 0..N {
            let p = times(a[n] ^ c[n], z[4]);
            let q = times(((b[n] ^ d[n]) + p) & 0xffff, z[5]);
            let p = (p + q) & 0xffff;
            (a[n], b[n], c[n], d[n]) = (a[n] ^ q, c[n] ^ q, b[n] ^ p, d[n] ^ p);
        }
    }
    core::array::from_fn(|n| {
        let words = [
            times(a[n], last[0]),
            plus(c[n], last[1]),
            plus(b[n], last[2]),
            times(d[n], last[3]),
        ];
        let x = words.iter().fold(0, |x, word| x << 16 | u64::from(*word));
        x.to_be_bytes()
    })
}

/// Replaces each number by its inverse modulo 2^16 + 1. The number 0 stands for 2^16. The
/// inverse is the power with the exponent 2^16 − 1, computed from the powers with the exponents
/// 3, 15 and 255.
#[inline(always)]
fn invert<const N: usize>(x: &mut [u16; N]) {
    for squarings in [1, 2, 4, 8] {
        let before = *x;
        for _ in 0..squarings {
            for x in &mut *x {
                *x = times(*x, *x);
            }
        }
        for (x, before) in x.iter_mut().zip(before) {
            *x = times(*x, before);
        }
    }
}

fn portable(keys: &Keys, blocks: InOutBuf<'_, '_, Block>) {
    groups::filled::<LANES, 3, _>(
        blocks,
        |group| cipher(keys, group),
        |pair| few(keys, pair),
        |block| few(keys, [block])[0],
    );
}

kernels! {
    /// The kernels: implementations of IDEA for different CPU features.
    enum Kernel {
        #[cfg(target_arch = "x86_64")]
        "avx512" = Avx512(cpu::Avx512),
        #[cfg(target_arch = "x86_64")]
        "avx2" = Avx2(cpu::Avx2),
    }
}

impl Kernel {
    #[inline(always)]
    fn cipher(self, keys: &Keys, blocks: InOutBuf<'_, '_, Block>) {
        match self {
            // The products of so few blocks wait for each other, and those with AVX2 have a shorter chain.
            #[cfg(target_arch = "x86_64")]
            Self::Avx512(token) if blocks.len() <= 16 => {
                avx2::cipher(token.into(), keys, blocks);
            }
            #[cfg(target_arch = "x86_64")]
            Self::Avx512(token) => avx512::cipher(token, keys, blocks),
            #[cfg(target_arch = "x86_64")]
            Self::Avx2(token) => avx2::cipher(token, keys, blocks),
            Self::Portable => portable(keys, blocks),
        }
    }
}

impl FixedKey for Idea {
    type Key = [u8; 16];
}

impl FixedKey for IdeaEncrypt {
    type Key = [u8; 16];
}

impl Keyed for IdeaEncrypt {
    type Kernel = Kernel;
    const KEY_LENGTHS: KeyLengths = KeyLengths::exactly(16);

    /// Sets up a key. The subkeys are the words of the key, then the words of the key rotated
    /// left by 25 bits, then the words of the key rotated by 50 bits, and so on.
    fn with_kernel(kernel: Kernel, key: &[u8]) -> Result<Self, InvalidKeyLength> {
        let mut key = u128::from_be_bytes(*Self::KEY_LENGTHS.array(key)?);
        let mut keys = [0; 52];
        for keys in keys.chunks_mut(8) {
            for (word, i) in keys.iter_mut().zip(0..8) {
                *word = (key >> (112 - 16 * i)) as u16;
            }
            key = key.rotate_left(25);
        }
        Ok(Self { kernel, keys })
    }

    fn kernel_in_use(&self) -> Kernel {
        self.kernel
    }
}

impl From<&IdeaEncrypt> for IdeaDecrypt {
    /// Makes the type for decryption with the same key.
    fn from(forward: &IdeaEncrypt) -> Self {
        let z = &forward.keys;
        // `inverse` has the subkeys of the multiplications: the first and the fourth subkey of
        // each of the nine groups.
        let mut inverse = [0; 24];
        for i in 0..9 {
            (inverse[2 * i], inverse[2 * i + 1]) = (z[6 * i], z[6 * i + 3]);
        }
        invert(&mut inverse);
        let mut keys = [0; 52];
        for i in 0..9 {
            let (at, from) = (6 * i, 6 * (8 - i));
            (keys[at], keys[at + 3]) = (inverse[2 * (8 - i)], inverse[2 * (8 - i) + 1]);
            let [mut b, mut c] = [z[from + 1], z[from + 2]].map(u16::wrapping_neg);
            if i != 0 && i != 8 {
                (b, c) = (c, b);
            }
            (keys[at + 1], keys[at + 2]) = (b, c);
            if i != 8 {
                (keys[at + 4], keys[at + 5]) = (z[from - 2], z[from - 1]);
            }
        }
        wipe(&mut inverse, 0);
        Self {
            kernel: forward.kernel,
            keys,
        }
    }
}

impl InverseOf<IdeaEncrypt> for IdeaDecrypt {}

impl FixedKey for IdeaDecrypt {
    type Key = [u8; 16];
}

impl Keyed for IdeaDecrypt {
    type Kernel = Kernel;
    const KEY_LENGTHS: KeyLengths = KeyLengths::exactly(16);

    fn with_kernel(kernel: Kernel, key: &[u8]) -> Result<Self, InvalidKeyLength> {
        IdeaEncrypt::with_kernel(kernel, key).map(|forward| Self::from(&forward))
    }

    fn kernel_in_use(&self) -> Kernel {
        self.kernel
    }
}

impl Idea {
    /// Returns whether the attacks of [WEAK](self) can recognise this key by a few chosen
    /// blocks. There are two classes of such keys. For 2^23 keys, some bits of input and output
    /// have a linear relation. For 2^51 keys, a certain difference of two inputs gives a known
    /// difference of the outputs. A random key is weak with a probability of 2^-77. A key whose
    /// length is not 16 bytes is not a key of IDEA, and the result is false.
    ///
    /// The function takes the same time for all keys.
    #[must_use]
    pub fn is_weak(key: &[u8]) -> bool {
        /// Returns a mask of the bits `from` to `to` of a key. The first bit of a key is bit 0.
        const fn bits(from: u32, to: u32) -> u128 {
            u128::MAX >> from & u128::MAX << (127 - to)
        }
        // The masks of the bits that may have any value. All other bits of a weak key are zero.
        const LINEAR: u128 = bits(26, 28) | bits(72, 74) | bits(111, 127);
        const DIFFERENTIAL: u128 = bits(26, 40) | bits(72, 83) | bits(99, 122);
        let Ok(key) = <[u8; 16]>::try_from(key) else {
            return false;
        };
        let key = u128::from_be_bytes(key);
        (key & !LINEAR == 0) | (key & !DIFFERENTIAL == 0)
    }
}

impl BlockCipher for IdeaEncrypt {
    type Block = Block;
}

impl Sealed for IdeaEncrypt {}

impl BlockCipher for IdeaDecrypt {
    type Block = Block;
}

impl Sealed for IdeaDecrypt {}

impl BlockEncrypt for IdeaEncrypt {
    #[inline]
    fn encrypt_blocks(&self, blocks: InOutBuf<'_, '_, Block>) {
        self.kernel.cipher(&self.keys, blocks);
    }

    #[inline]
    fn encrypt_block(&self, block: &mut Block) {
        [*block] = few(&self.keys, [*block]);
    }
}

impl FusedEncrypt for IdeaEncrypt {}

impl BlockDecrypt for IdeaDecrypt {
    #[inline]
    fn decrypt_blocks(&self, blocks: InOutBuf<'_, '_, Block>) {
        self.kernel.cipher(&self.keys, blocks);
    }
}

impl FusedDecrypt for IdeaDecrypt {}

impl Drop for IdeaEncrypt {
    fn drop(&mut self) {
        wipe(&mut self.keys, 0);
    }
}

impl Drop for IdeaDecrypt {
    fn drop(&mut self) {
        wipe(&mut self.keys, 0);
    }
}

impl ZeroizeOnDrop for IdeaEncrypt {}
impl ZeroizeOnDrop for IdeaDecrypt {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn multiplication_is_that_of_the_prime_field() {
        let number = |x: u16| if x == 0 { 1 << 16 } else { u64::from(x) };
        for a in (0..=u16::MAX).step_by(13).chain([1, 2, 0xffff, 0x8000]) {
            for b in [0, 1, 2, 3, 0x7fff, 0x8000, 0xfffe, 0xffff, a] {
                let product = number(a) * number(b) % 65537;
                assert_eq!(times(a, b), product as u16, "{a} * {b}");
            }
        }
    }

    #[test]
    fn one_block_and_two_are_as_many() {
        let keys = core::array::from_fn(|i| {
            if i % 5 == 0 {
                0
            } else {
                (i as u16).wrapping_mul(0x1357)
            }
        });
        for i in 0..1000u64 {
            let block =
                (i.wrapping_mul(0x9e37_79b9_7f4a_7c15) & 0xffff_0000_ffff_00ff).to_be_bytes();
            assert_eq!(few(&keys, [block]), cipher(&keys, [block]));
            let two = [block, [i as u8; 8]];
            assert_eq!(few(&keys, two), cipher(&keys, two));
        }
    }

    /// Returns some keys in which only bits of the mask `free` are set.
    fn keys_of(free: u128) -> impl Iterator<Item = [u8; 16]> {
        let mut x = 0x0123_4567_89ab_cdef_0011_2233_4455_6677_u128;
        (0..50).map(move |_| {
            x = x
                .wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835)
                .rotate_left(61);
            let key = (x & free).to_be_bytes();
            assert!(Idea::is_weak(&key));
            let other = ((x & free) | 1 << 127).to_be_bytes();
            assert!(!Idea::is_weak(&other));
            key
        })
    }

    fn encrypt(key: &[u8], block: u64) -> u64 {
        let Ok(cipher) = IdeaEncrypt::from_slice(key) else {
            unreachable!("16 bytes")
        };
        let mut block = block.to_be_bytes();
        cipher.encrypt_block(&mut block);
        u64::from_be_bytes(block)
    }

    /// Checks the properties that make keys weak, [WEAK](super). In the class of 2^23 keys, the
    /// XOR of the lowest bits of X1, X3, Y2 and Y3 is constant. In a class of 2^35 keys, which
    /// is a part of the class of 2^51 keys, a difference in the highest bits of X2 and X4
    /// always gives the same output difference.
    #[test]
    fn weak_keys_are_weak() {
        let blocks: [u64; 20] =
            core::array::from_fn(|i| (i as u64 + 3).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        for key in keys_of(7 << 99 | 7 << 53 | 0x1_ffff) {
            let sum =
                |x: u64| (x >> 48 ^ x >> 16 ^ encrypt(&key, x) >> 32 ^ encrypt(&key, x) >> 16) & 1;
            assert!(blocks.iter().all(|x| sum(*x) == sum(blocks[0])));
        }
        let difference = 0x0000_8000_0000_8000;
        for key in keys_of(0x7fff << 87 | 0x1f << 51 | 0x7fff << 5) {
            let out = |x: u64| encrypt(&key, x) ^ encrypt(&key, x ^ difference);
            assert!(blocks.iter().all(|x| out(*x) == out(blocks[0])));
        }
        // The class of 2^51 keys contains exactly these keys.
        keys_of(0x7fff << 87 | 0xfff << 44 | 0xff_ffff << 5).for_each(drop);
        assert!(!Idea::is_weak(&[0xff; 16]) && !Idea::is_weak(&[]) && Idea::is_weak(&[0; 16]));
    }

    #[test]
    fn every_inverse_is_one() {
        for x in 0..=u16::MAX {
            let mut inverse = [x];
            invert(&mut inverse);
            assert_eq!(times(x, inverse[0]), 1, "{x}");
        }
    }
}
