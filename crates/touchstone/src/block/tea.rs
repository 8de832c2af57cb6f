//! TEA and XTEA: blocks of 8 bytes, keys of 16, words big-endian. **Outdated** as
//! all ciphers with blocks of 64 bits: a key leaks after some gigabytes
//! ([SWEET32]). Each key of TEA has three others that do the same ([KSW]), so that
//! it has 126 bits and is no base for a hash; XTEA mends this.
//!
//! A *cycle* is two rounds. Both have 32; [`Xtea::with_cycles`] has others.
//!
//! Constant-time: additions, shifts and sums only.
//!
//! | kernel | needs | blocks per call | technique |
//! |---|---|---|---|
//! | `portable` | – | 8 | arrays of 32-bit lanes, which compilers make vectors of |
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

use zeroize::ZeroizeOnDrop;

use super::groups;
use crate::kernel::kernels;
use crate::wipe::wipe;
use crate::{
    BlockCipher, BlockDecrypt, BlockEncrypt, InOutBuf, InvalidKeyLength, KeyLengths, Keyed,
    KeyedWith,
};

/// TEA, with a key of 16 bytes.
#[derive(Clone)]
pub struct Tea {
    kernel: Kernel,
    key: [u32; 4],
}

/// XTEA, with a key of 16 bytes.
#[derive(Clone)]
pub struct Xtea {
    kernel: Kernel,
    cycles: Cycles,
    /// For each cycle the sum and the word of the key that it chooses, twice.
    keys: [[u32; 2]; Cycles::MOST],
}

/// How many cycles XTEA has: 1 to 64.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cycles(u8);

impl Cycles {
    /// What the authors propose: 32.
    pub const USUAL: Self = Self(32);

    const MOST: usize = 64;

    /// This many cycles, if there are keys for them.
    pub const fn new(cycles: usize) -> Option<Self> {
        match cycles {
            1..=Self::MOST => Some(Self(cycles as u8)),
            _ => None,
        }
    }

    /// The number.
    pub const fn get(self) -> usize {
        self.0 as usize
    }
}

type Block = [u8; 8];

/// How many blocks are in flight.
const LANES: usize = 8;

/// [TEA](self): the golden ratio less one in binary.
const DELTA: u32 = 0x9e37_79b9;

/// What [TEA](self) adds to one half for the other, given two words of the key.
#[inline(always)]
fn tea(x: u32, sum: u32, first: u32, second: u32) -> u32 {
    (x << 4).wrapping_add(first) ^ x.wrapping_add(sum) ^ (x >> 5).wrapping_add(second)
}

/// What [XTEA](self) adds to one half for the other, given sum and key together.
#[inline(always)]
fn xtea(x: u32, key: u32) -> u32 {
    ((x << 4) ^ (x >> 5)).wrapping_add(x) ^ key
}

#[inline(always)]
fn tea_encrypt<const N: usize>(key: &[u32; 4], blocks: [Block; N]) -> [Block; N] {
    let [mut y, mut z] = split(blocks);
    let mut sum = 0u32;
    for _ in 0..32 {
        sum = sum.wrapping_add(DELTA);
        for n in 0..N {
            y[n] = y[n].wrapping_add(tea(z[n], sum, key[0], key[1]));
        }
        for n in 0..N {
            z[n] = z[n].wrapping_add(tea(y[n], sum, key[2], key[3]));
        }
    }
    join([y, z])
}

#[inline(always)]
fn tea_decrypt<const N: usize>(key: &[u32; 4], blocks: [Block; N]) -> [Block; N] {
    let [mut y, mut z] = split(blocks);
    let mut sum = DELTA.wrapping_mul(32);
    for _ in 0..32 {
        for n in 0..N {
            z[n] = z[n].wrapping_sub(tea(y[n], sum, key[2], key[3]));
        }
        for n in 0..N {
            y[n] = y[n].wrapping_sub(tea(z[n], sum, key[0], key[1]));
        }
        sum = sum.wrapping_sub(DELTA);
    }
    join([y, z])
}

#[inline(always)]
fn xtea_encrypt<const N: usize>(keys: &[[u32; 2]], blocks: [Block; N]) -> [Block; N] {
    let [mut y, mut z] = split(blocks);
    for [first, second] in keys {
        for n in 0..N {
            y[n] = y[n].wrapping_add(xtea(z[n], *first));
        }
        for n in 0..N {
            z[n] = z[n].wrapping_add(xtea(y[n], *second));
        }
    }
    join([y, z])
}

#[inline(always)]
fn xtea_decrypt<const N: usize>(keys: &[[u32; 2]], blocks: [Block; N]) -> [Block; N] {
    let [mut y, mut z] = split(blocks);
    for [first, second] in keys.iter().rev() {
        for n in 0..N {
            z[n] = z[n].wrapping_sub(xtea(y[n], *second));
        }
        for n in 0..N {
            y[n] = y[n].wrapping_sub(xtea(z[n], *first));
        }
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

kernels! {
    /// How TEA and XTEA are computed.
    pub enum Kernel {}
}

fn words(key: &[u8; 16]) -> [u32; 4] {
    let mut words = [0; 4];
    for (word, bytes) in words.iter_mut().zip(key.as_chunks().0) {
        *word = u32::from_be_bytes(*bytes);
    }
    words
}

impl Keyed for Tea {
    type Kernel = Kernel;
    const KEY_LENGTHS: KeyLengths = KeyLengths::exactly(16);

    fn with_kernel(kernel: Kernel, key: &[u8]) -> Result<Self, InvalidKeyLength> {
        let key = words(Self::KEY_LENGTHS.array(key)?);
        Ok(Self { kernel, key })
    }

    fn kernel(&self) -> Kernel {
        self.kernel
    }
}

impl Xtea {
    /// Sets a key up for any number of cycles.
    pub fn with_cycles(cycles: Cycles, key: &[u8]) -> Result<Self, InvalidKeyLength> {
        Self::new_with(cycles, key)
    }

    #[inline(always)]
    fn keys(&self) -> &[[u32; 2]] {
        &self.keys[..self.cycles.get()]
    }
}

impl Keyed for Xtea {
    type Kernel = Kernel;
    const KEY_LENGTHS: KeyLengths = KeyLengths::exactly(16);

    /// 32 cycles.
    fn with_kernel(kernel: Kernel, key: &[u8]) -> Result<Self, InvalidKeyLength> {
        Self::with_kernel_and(kernel, Cycles::USUAL, key)
    }

    fn kernel(&self) -> Kernel {
        self.kernel
    }
}

impl KeyedWith for Xtea {
    type Parameter = Cycles;

    fn with_kernel_and(
        kernel: Kernel,
        cycles: Cycles,
        key: &[u8],
    ) -> Result<Self, InvalidKeyLength> {
        let key = words(Self::KEY_LENGTHS.array(key)?);
        let mut keys = [[0; 2]; Cycles::MOST];
        let mut sum = 0u32;
        for pair in &mut keys[..cycles.get()] {
            pair[0] = sum.wrapping_add(key[(sum % 4) as usize]);
            sum = sum.wrapping_add(DELTA);
            pair[1] = sum.wrapping_add(key[(sum >> 11) as usize % 4]);
        }
        Ok(Self {
            kernel,
            cycles,
            keys,
        })
    }
}

macro_rules! blocks {
    ($Cipher:ident, |$this:ident| $key:expr, $encrypt:ident, $decrypt:ident) => {
        impl BlockCipher for $Cipher {
            type Block = Block;
        }

        impl BlockEncrypt for $Cipher {
            #[inline]
            fn encrypt_blocks(&self, blocks: InOutBuf<'_, '_, Block>) {
                let $this = self;
                match self.kernel {
                    Kernel::Portable => groups::filled::<LANES, 2, _>(
                        blocks,
                        |group| $encrypt($key, group),
                        |block| $encrypt($key, [block])[0],
                    ),
                }
            }

            #[inline]
            fn encrypt_block(&self, block: &mut Block) {
                let $this = self;
                [*block] = $encrypt($key, [*block]);
            }
        }

        impl BlockDecrypt for $Cipher {
            #[inline]
            fn decrypt_blocks(&self, blocks: InOutBuf<'_, '_, Block>) {
                let $this = self;
                match self.kernel {
                    Kernel::Portable => groups::filled::<LANES, 2, _>(
                        blocks,
                        |group| $decrypt($key, group),
                        |block| $decrypt($key, [block])[0],
                    ),
                }
            }
        }

        impl ZeroizeOnDrop for $Cipher {}
    };
}

blocks!(Tea, |this| &this.key, tea_encrypt, tea_decrypt);
blocks!(Xtea, |this| this.keys(), xtea_encrypt, xtea_decrypt);

impl Drop for Tea {
    fn drop(&mut self) {
        wipe(&mut self.key, 0);
    }
}

impl Drop for Xtea {
    fn drop(&mut self) {
        let n = self.cycles.get();
        wipe(&mut self.keys[..n], [0; 2]);
    }
}
