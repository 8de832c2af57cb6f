//! TEA and XTEA: blocks of 8 bytes, keys of 16 bytes. Words are big-endian. **Outdated**, as
//! all ciphers with blocks of 64 bits: encrypted messages leak information after some gigabytes
//! under one key ([SWEET32]). For each key of TEA, three other keys give the same encryption
//! ([KSW]). So TEA has a strength of at most 126 bits, and must not be used in a hash function;
//! XTEA has no such keys.
//!
//! A *cycle* is two rounds. Both ciphers have 32 cycles. [`Xtea::with_cycles`] accepts 1
//! to 255 cycles.
//!
//! Constant-time: the ciphers use only additions, shifts and XORs.
//!
//! | kernel | needs | blocks per call | technique |
//! |---|---|---|---|
//! | `avx512` | AVX-512 | 64 | four registers for each half |
//! | `avx2` | AVX2 | 32 | four registers for each half |
//! | `portable` | – | 8 | arrays of 32-bit lanes, which compilers turn into vectors |
//! | | | 4 | side by side in general registers |
//!
//! - [TEA] D. Wheeler, R. Needham: TEA, a Tiny Encryption Algorithm, FSE 1994
//! - [XTEA] R. Needham, D. Wheeler: Tea extensions, Cambridge, 1997
//! - [KSW] J. Kelsey, B. Schneier, D. Wagner: Key-Schedule Cryptanalysis of IDEA,
//!   G-DES, GOST, SAFER, and Triple-DES, CRYPTO '96
//! - [SWEET32] K. Bhargavan, G. Leurent: On the Practical (In-)Security of 64-bit
//!   Block Ciphers, CCS 2016
//!
//! [TEA]: https://doi.org/10.1007/3-540-60590-8_29
//! [XTEA]: https://www.cix.co.uk/~klockstone/xtea.pdf
//! [KSW]: https://doi.org/10.1007/3-540-68697-5_19
//! [SWEET32]: https://doi.org/10.1145/2976749.2978423

use core::num::NonZeroU8;

use zeroize::ZeroizeOnDrop;

#[cfg(target_arch = "x86_64")]
use crate::cpu;
use crate::debug::debug;
use crate::fuse::{FusedDecrypt, FusedEncrypt, Sealed};
use crate::kernel::kernels;
use crate::machinery::{groups, unknown};
use crate::wipe::wipe;
use crate::{
    BlockCipher, BlockDecrypt, BlockEncrypt, FixedKey, InOutBuf, InvalidKeyLength, KeyLengths,
    Keyed, KeyedWith,
};

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;

/// TEA, with a key of 16 bytes.
#[derive(Clone)]
pub struct Tea {
    kernel: Kernel,
    key: Key,
}

debug!([] Tea, "Tea");

/// XTEA, with a key of 16 bytes.
#[derive(Clone)]
pub struct Xtea {
    kernel: Kernel,
    cycles: NonZeroU8,
    key: Key,
}

debug!([] Xtea, "Xtea");

type Block = [u8; 8];
type Key = [u32; 4];
/// The number of cycles and the key of XTEA.
type XKey<'k> = (u8, &'k Key);

/// The number of cycles that [`Keyed::from_slice`] uses.
const CYCLES: NonZeroU8 = NonZeroU8::new(32).unwrap();

/// The number of blocks that the portable kernel encrypts at once.
const LANES: usize = 8;

/// The constant δ of [TEA](self): the golden ratio minus one in binary.
const DELTA: u32 = 0x9e37_79b9;

/// The largest number of blocks whose words are in general registers.
const FEW: usize = 4;

/// Returns the same word, in a general register if there are few blocks.
#[inline(always)]
fn apart<const N: usize>(word: u32) -> u32 {
    if 2 <= N && N <= FEW {
        unknown::apart(word)
    } else {
        word
    }
}

/// Returns the value that [TEA](self) adds to one half. The arguments are the other half, the
/// sum and two words of the key.
#[inline(always)]
fn tea(x: u32, sum: u32, first: u32, second: u32) -> u32 {
    (x << 4).wrapping_add(first) ^ x.wrapping_add(sum) ^ (x >> 5).wrapping_add(second)
}

/// Returns the value that [XTEA](self) adds to one half. The arguments are the other half, and
/// the sum plus a word of the key.
#[inline(always)]
fn xtea(x: u32, key: u32) -> u32 {
    ((x << 4) ^ (x >> 5)).wrapping_add(x) ^ key
}

#[inline(always)]
fn tea_encrypt<const N: usize>(key: &Key, blocks: [Block; N]) -> [Block; N] {
    let [mut y, mut z] = split(blocks);
    let mut sum = 0u32;
    for _ in 0..32 {
        sum = sum.wrapping_add(DELTA);
        for n in 0..N {
            y[n] = apart::<N>(y[n].wrapping_add(tea(z[n], sum, key[0], key[1])));
        }
        for n in 0..N {
            z[n] = apart::<N>(z[n].wrapping_add(tea(y[n], sum, key[2], key[3])));
        }
    }
    join([y, z])
}

#[inline(always)]
fn tea_decrypt<const N: usize>(key: &Key, blocks: [Block; N]) -> [Block; N] {
    let [mut y, mut z] = split(blocks);
    let mut sum = DELTA.wrapping_mul(32);
    for _ in 0..32 {
        for n in 0..N {
            z[n] = apart::<N>(z[n].wrapping_sub(tea(y[n], sum, key[2], key[3])));
        }
        for n in 0..N {
            y[n] = apart::<N>(y[n].wrapping_sub(tea(z[n], sum, key[0], key[1])));
        }
        sum = sum.wrapping_sub(DELTA);
    }
    join([y, z])
}

/// Returns the sum plus the key word that the sum selects, for the first half of a cycle.
#[inline(always)]
fn first(key: &Key, sum: u32) -> u32 {
    sum.wrapping_add(key[sum as usize % 4])
}

#[inline(always)]
fn second(key: &Key, sum: u32) -> u32 {
    sum.wrapping_add(key[(sum >> 11) as usize % 4])
}

#[inline(always)]
fn xtea_encrypt<const N: usize>((cycles, key): XKey<'_>, blocks: [Block; N]) -> [Block; N] {
    let [mut y, mut z] = split(blocks);
    let mut sum = 0u32;
    for _ in 0..cycles {
        for n in 0..N {
            y[n] = apart::<N>(y[n].wrapping_add(xtea(z[n], first(key, sum))));
        }
        sum = sum.wrapping_add(DELTA);
        for n in 0..N {
            z[n] = apart::<N>(z[n].wrapping_add(xtea(y[n], second(key, sum))));
        }
    }
    join([y, z])
}

/// Decrypts blocks with XTEA. Each iteration of the loop starts in the middle of one cycle and
/// ends in the middle of the next cycle, because compilers do not turn a loop of whole cycles
/// into vectors.
#[inline(always)]
fn xtea_decrypt<const N: usize>((cycles, key): XKey<'_>, blocks: [Block; N]) -> [Block; N] {
    let [mut y, mut z] = split(blocks);
    let mut sum = DELTA.wrapping_mul(cycles.into());
    for n in 0..N {
        z[n] = apart::<N>(z[n].wrapping_sub(xtea(y[n], second(key, sum))));
    }
    for _ in 1..cycles {
        sum = sum.wrapping_sub(DELTA);
        for n in 0..N {
            y[n] = apart::<N>(y[n].wrapping_sub(xtea(z[n], first(key, sum))));
        }
        for n in 0..N {
            z[n] = apart::<N>(z[n].wrapping_sub(xtea(y[n], second(key, sum))));
        }
    }
    for n in 0..N {
        y[n] = apart::<N>(y[n].wrapping_sub(xtea(z[n], first(key, 0))));
    }
    join([y, z])
}

#[inline(always)]
fn split<const N: usize>(blocks: [Block; N]) -> [[u32; N]; 2] {
    let mut x = [[0; N]; 2];
    for n in 0..N {
        let both = u64::from_be_bytes(blocks[n]);
        (x[0][n], x[1][n]) = ((both >> 32) as u32, both as u32);
    }
    x
}

#[inline(always)]
fn join<const N: usize>([y, z]: [[u32; N]; 2]) -> [Block; N] {
    let mut blocks = [[0; 8]; N];
    for n in 0..N {
        blocks[n] = (u64::from(y[n]) << 32 | u64::from(z[n])).to_be_bytes();
    }
    blocks
}

mod portable {
    use super::{Block, FEW, InOutBuf, Key, LANES, XKey, groups};

    macro_rules! portable {
        ($($name:ident($Key:ty);)*) => {$(
            pub(super) fn $name(key: $Key, blocks: InOutBuf<'_, '_, Block>) {
                let last = blocks.len() % LANES;
                let few = if last <= FEW { last } else { 0 };
                let whole = blocks.len() - few;
                let (groups, few) = blocks.split_at(whole);
                // From one block on, a group is filled up, so the other functions are not called.
                groups::filled::<LANES, 1, _>(
                    groups,
                    |group| super::$name(key, group),
                    |pair| pair,
                    |block| block,
                );
                groups::filled::<FEW, 3, _>(
                    few,
                    |four| super::$name(key, four),
                    |pair| super::$name(key, pair),
                    |block| super::$name(key, [block])[0],
                );
            }
        )*};
    }

    portable! {
        tea_encrypt(&Key);
        tea_decrypt(&Key);
        xtea_encrypt(XKey<'_>);
        xtea_decrypt(XKey<'_>);
    }
}

kernels! {
    /// The kernels: implementations of TEA and XTEA for different CPU features.
    enum Kernel {
        #[cfg(target_arch = "x86_64")]
        "avx512" = Avx512(cpu::Avx512),
        #[cfg(target_arch = "x86_64")]
        "avx2" = Avx2(cpu::Avx2),
    }
}

fn words(key: &[u8; 16]) -> Key {
    let mut words = [0; 4];
    for (word, bytes) in words.iter_mut().zip(key.as_chunks().0) {
        *word = u32::from_be_bytes(*bytes);
    }
    words
}

impl FixedKey for Tea {
    type Key = [u8; 16];
}

impl Keyed for Tea {
    type Kernel = Kernel;
    const KEY_LENGTHS: KeyLengths = KeyLengths::exactly(16);

    fn with_kernel(kernel: Kernel, key: &[u8]) -> Result<Self, InvalidKeyLength> {
        let key = words(Self::KEY_LENGTHS.array(key)?);
        Ok(Self { kernel, key })
    }

    fn kernel_in_use(&self) -> Kernel {
        self.kernel
    }
}

impl Xtea {
    /// Sets up a key for `cycles` cycles. Without cycles, the ciphertext would be the plaintext.
    ///
    /// ```compile_fail,E0308
    /// let cipher = touchstone::block::Xtea::with_cycles(0, &[7; 16]);
    /// ```
    pub fn with_cycles(cycles: NonZeroU8, key: &[u8]) -> Result<Self, InvalidKeyLength> {
        Self::from_slice_with(cycles, key)
    }
}

impl FixedKey for Xtea {
    type Key = [u8; 16];
}

impl Keyed for Xtea {
    type Kernel = Kernel;
    const KEY_LENGTHS: KeyLengths = KeyLengths::exactly(16);

    /// Sets up a key for 32 cycles.
    fn with_kernel(kernel: Kernel, key: &[u8]) -> Result<Self, InvalidKeyLength> {
        Self::with_kernel_and(kernel, CYCLES, key)
    }

    #[inline]
    fn rekey(&mut self, key: &[u8]) -> Result<(), InvalidKeyLength> {
        self.key = words(Self::KEY_LENGTHS.array(key)?);
        self.cycles = CYCLES;
        Ok(())
    }

    fn kernel_in_use(&self) -> Kernel {
        self.kernel
    }
}

impl KeyedWith for Xtea {
    /// The number of cycles.
    type Parameter = NonZeroU8;

    fn with_kernel_and(
        kernel: Kernel,
        cycles: NonZeroU8,
        key: &[u8],
    ) -> Result<Self, InvalidKeyLength> {
        let key = words(Self::KEY_LENGTHS.array(key)?);
        Ok(Self {
            kernel,
            cycles,
            key,
        })
    }
}

macro_rules! blocks {
    ($Cipher:ident, |$this:ident| $key:expr, $encrypt:ident, $decrypt:ident) => {
        impl BlockCipher for $Cipher {
            type Block = Block;
        }

        impl Sealed for $Cipher {}

        impl BlockEncrypt for $Cipher {
            #[inline]
            fn encrypt_blocks(&self, blocks: InOutBuf<'_, '_, Block>) {
                let $this = self;
                match self.kernel {
                    #[cfg(target_arch = "x86_64")]
                    Kernel::Avx512(token) => avx512::$encrypt(token, $key, blocks),
                    #[cfg(target_arch = "x86_64")]
                    Kernel::Avx2(token) => avx2::$encrypt(token, $key, blocks),
                    Kernel::Portable => portable::$encrypt($key, blocks),
                }
            }

            #[inline]
            fn encrypt_block(&self, block: &mut Block) {
                let $this = self;
                [*block] = $encrypt($key, [*block]);
            }
        }

        impl FusedEncrypt for $Cipher {}

        impl BlockDecrypt for $Cipher {
            #[inline]
            fn decrypt_blocks(&self, blocks: InOutBuf<'_, '_, Block>) {
                let $this = self;
                match self.kernel {
                    #[cfg(target_arch = "x86_64")]
                    Kernel::Avx512(token) => avx512::$decrypt(token, $key, blocks),
                    #[cfg(target_arch = "x86_64")]
                    Kernel::Avx2(token) => avx2::$decrypt(token, $key, blocks),
                    Kernel::Portable => portable::$decrypt($key, blocks),
                }
            }
        }

        impl FusedDecrypt for $Cipher {}

        impl ZeroizeOnDrop for $Cipher {}
    };
}

blocks!(Tea, |this| &this.key, tea_encrypt, tea_decrypt);
blocks!(
    Xtea,
    |this| (this.cycles.get(), &this.key),
    xtea_encrypt,
    xtea_decrypt
);

impl Drop for Tea {
    fn drop(&mut self) {
        wipe(&mut self.key, 0);
    }
}

impl Drop for Xtea {
    fn drop(&mut self) {
        wipe(&mut self.key, 0);
    }
}
