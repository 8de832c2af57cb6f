//! Kernels of ciphers that consist of additions, rotations and bitwise functions. The words of many
//! blocks stand in arrays of lanes, one lane for each block, and every operation is a loop over the
//! lanes, which the compiler turns into vectors. So all kernels are one form of the cipher,
//! compiled for more lanes and for wider registers.
//!
//! | kernel | needs | blocks of 8 bytes per call | longer blocks | least last blocks |
//! |---|---|---|---|---|
//! | `avx512` | AVX-512 | 64 | 32 | 3 to 7 |
//! | `avx2` | AVX2 | 32 | 32 | 3 to 13 |
//! | `portable` | – | 8 | 8 | 6 |
//!
//! If at least the number of blocks in the last column remain, they are computed as a whole call
//! ([`Lanes::LEAST`]). Fewer blocks are computed in pairs, which takes less time.

use inout::InOutBuf;

use crate::buffer;
use crate::cipher::{Block, BlockCipher};
#[cfg(target_arch = "x86_64")]
use crate::cpu;
use crate::cpu::Work;
use crate::kernel::kernels;
use crate::machinery::groups;

kernels! {
    /// The kernels that compute ciphers in lanes.
    enum Kernel {
        #[cfg(target_arch = "x86_64")]
        "avx512" = Avx512(cpu::Avx512),
        #[cfg(target_arch = "x86_64")]
        "avx2" = Avx2(cpu::Avx2),
    }
}

/// A cipher that computes any number of blocks at once. Both methods must be `inline(always)`,
/// because each kernel needs its own copy of the code.
pub(crate) trait Lanes: BlockCipher {
    /// The smallest number of blocks that take less time as a group of a kernel with wider registers
    /// than in pairs, with AVX-512 and with AVX2. The figures in the ciphers are from Zen 5.
    const LEAST: [usize; 2];

    /// Encrypts `N` blocks.
    fn encrypt_lanes<const N: usize>(&self, blocks: [Self::Block; N]) -> [Self::Block; N];

    /// Decrypts `N` blocks.
    fn decrypt_lanes<const N: usize>(&self, blocks: [Self::Block; N]) -> [Self::Block; N];
}

/// A call of a cipher on blocks, in groups of `N`. If `least` blocks or more remain, they are
/// computed as a group too.
struct Call<'c, 'i, 'o, C: Lanes, const N: usize, const DECRYPT: bool> {
    cipher: &'c C,
    least: usize,
    blocks: InOutBuf<'i, 'o, C::Block>,
}

impl<C: Lanes, const N: usize, const DECRYPT: bool> Call<'_, '_, '_, C, N, DECRYPT> {
    #[inline(always)]
    fn some<const M: usize>(cipher: &C, blocks: [C::Block; M]) -> [C::Block; M] {
        if DECRYPT {
            cipher.decrypt_lanes(blocks)
        } else {
            cipher.encrypt_lanes(blocks)
        }
    }
}

impl<C: Lanes, const N: usize, const DECRYPT: bool> Work for Call<'_, '_, '_, C, N, DECRYPT> {
    #[inline(always)]
    fn run(self) {
        let cipher = self.cipher;
        let (groups, mut rest) = buffer::chunks(self.blocks);
        for mut blocks in groups {
            *blocks.get_out() = Self::some::<N>(cipher, *blocks.get_in());
        }
        let n = rest.len();
        if n >= self.least {
            let mut blocks = [C::Block::ZERO; N];
            blocks[..n].copy_from_slice(rest.get_in());
            let blocks = Self::some::<N>(cipher, blocks);
            rest.get_out().copy_from_slice(&blocks[..n]);
        } else {
            groups::and_singles(
                rest,
                |pair: [_; 2]| Self::some(cipher, pair),
                |block| Self::some(cipher, [block])[0],
            );
        }
    }
}

impl Kernel {
    /// Encrypts or decrypts each block.
    #[inline(always)]
    fn run<C: Lanes, const DECRYPT: bool>(self, cipher: &C, blocks: InOutBuf<'_, '_, C::Block>) {
        macro_rules! call {
            ($n:literal from $least:expr) => {
                Call::<C, $n, DECRYPT> {
                    cipher,
                    least: $least,
                    blocks,
                }
            };
        }
        match self {
            #[cfg(target_arch = "x86_64")]
            Self::Avx512(token) if C::Block::SIZE == 8 => token.within(call!(64 from C::LEAST[0])),
            #[cfg(target_arch = "x86_64")]
            Self::Avx512(token) => token.within(call!(32 from C::LEAST[0])),
            #[cfg(target_arch = "x86_64")]
            Self::Avx2(token) => token.within(call!(32 from C::LEAST[1])),
            Self::Portable => call!(8 from 6).run(),
        }
    }

    /// Encrypts each block.
    #[inline]
    pub(crate) fn encrypt<C: Lanes>(self, cipher: &C, blocks: InOutBuf<'_, '_, C::Block>) {
        self.run::<C, false>(cipher, blocks);
    }

    /// Decrypts each block.
    #[inline]
    pub(crate) fn decrypt<C: Lanes>(self, cipher: &C, blocks: InOutBuf<'_, '_, C::Block>) {
        self.run::<C, true>(cipher, blocks);
    }
}

/// Writes the traits of a block cipher that implements [`Lanes`]. The cipher's type must have a
/// field `kernel`; its generic parameters stand before it. The list at the end has the arrays of
/// keys, which are wiped when the cipher is dropped, and the zero of their elements.
macro_rules! lane_cipher {
    ([$($generics:tt)*] $Cipher:ty, $Block:ty, wipes $($keys:ident with $zero:expr),+) => {
        impl<$($generics)*> $crate::BlockCipher for $Cipher {
            type Block = $Block;
        }

        impl<$($generics)*> $crate::fuse::Sealed for $Cipher {}

        impl<$($generics)*> $crate::BlockEncrypt for $Cipher {
            #[inline]
            fn encrypt_blocks(&self, blocks: $crate::InOutBuf<'_, '_, $Block>) {
                self.kernel.encrypt(self, blocks);
            }

            #[inline]
            fn encrypt_block(&self, block: &mut $Block) {
                [*block] = $crate::machinery::lanes::Lanes::encrypt_lanes(self, [*block]);
            }
        }

        impl<$($generics)*> $crate::FusedEncrypt for $Cipher {}

        impl<$($generics)*> $crate::BlockDecrypt for $Cipher {
            #[inline]
            fn decrypt_blocks(&self, blocks: $crate::InOutBuf<'_, '_, $Block>) {
                self.kernel.decrypt(self, blocks);
            }

            #[inline]
            fn decrypt_block(&self, block: &mut $Block) {
                [*block] = $crate::machinery::lanes::Lanes::decrypt_lanes(self, [*block]);
            }
        }

        impl<$($generics)*> $crate::FusedDecrypt for $Cipher {}

        impl<$($generics)*> Drop for $Cipher {
            fn drop(&mut self) {
                $($crate::wipe::wipe(&mut self.$keys, $zero);)+
            }
        }

        impl<$($generics)*> zeroize::ZeroizeOnDrop for $Cipher {}
    };
}
pub(crate) use lane_cipher;

/// A word of a block, which little-endian bytes of the block make.
pub(crate) trait Word: Copy + Default {
    /// Reads word `i` of a block.
    fn load(block: &[u8], i: usize) -> Self;

    /// Writes word `i` of a block.
    fn store(self, block: &mut [u8], i: usize);
}

macro_rules! word {
    ($($Word:ty)*) => {$(
        impl Word for $Word {
            #[inline(always)]
            fn load(block: &[u8], i: usize) -> Self {
                Self::from_le_bytes(block.as_chunks().0[i])
            }

            #[inline(always)]
            fn store(self, block: &mut [u8], i: usize) {
                block.as_chunks_mut().0[i] = self.to_le_bytes();
            }
        }
    )*};
}

word!(u8 u16 u32 u64);

/// Returns the words of blocks in lanes: word `i` of block `n` is element `n` of array `i`.
#[inline(always)]
pub(crate) fn load<B: Block, W: Word, const WORDS: usize, const N: usize>(
    blocks: &[B; N],
) -> [[W; N]; WORDS] {
    let mut x = [[W::default(); N]; WORDS];
    for n in 0..N {
        for i in 0..WORDS {
            x[i][n] = W::load(blocks[n].as_ref(), i);
        }
    }
    x
}

/// Returns the blocks of words in lanes; the inverse of [`load`].
#[inline(always)]
pub(crate) fn store<B: Block, W: Word, const WORDS: usize, const N: usize>(
    x: &[[W; N]; WORDS],
) -> [B; N] {
    let mut blocks = [B::ZERO; N];
    for n in 0..N {
        for i in 0..WORDS {
            x[i][n].store(blocks[n].as_mut(), i);
        }
    }
    blocks
}
