//! The traits of a block cipher: [`Block`], [`BlockCipher`], [`BlockEncrypt`] and
//! [`BlockDecrypt`].
//!
//! A program's own block cipher implements these traits. The modes require the traits of
//! [`fuse`](crate::fuse). The wrapper [`Unfused`](crate::fuse::Unfused) implements the traits
//! of `fuse` for any block cipher.

use core::fmt::Debug;

use inout::InOutBuf;

use crate::buffer;
use crate::byte_array::ByteArray;
use crate::digest::{Digest, DigestBytes};
#[cfg(target_arch = "x86_64")]
use crate::simd::U8x16;

/// A block: an array of 8, 16 or 32 bytes, or of 64 or 128 bytes for Threefish.
pub trait Block: ByteArray + Eq + Debug + zeroize::Zeroize + sealed::Sealed {
    /// The length of the block in bytes.
    const SIZE: usize;
    /// The block of zeros.
    const ZERO: Self;

    /// The type of a MAC that is as long as a block.
    type Tag: DigestBytes + From<Self>;

    /// Views MACs as blocks.
    #[doc(hidden)]
    fn of_tags(tags: &mut [Self::Tag]) -> &mut [Self];

    /// Views blocks as their bytes.
    #[doc(hidden)]
    fn bytes_mut(blocks: &mut [Self]) -> &mut [u8];

    /// Returns the XOR of two blocks.
    #[must_use]
    fn xor(self, other: Self) -> Self;

    /// Returns this block plus `number`, as big-endian numbers, modulo 2^(8·SIZE).
    #[must_use]
    fn plus(self, number: u128) -> Self;

    /// Returns this block times u. The block is a polynomial in u over GF(2); the first bit is
    /// the coefficient of the highest term. The modulus is the lexicographically first of the
    /// irreducible polynomials with the fewest terms. CMAC, OCB and SIV derive masks from a
    /// secret block by this operation.
    #[must_use]
    fn double(self) -> Self;

    /// Returns this block divided by u, the inverse of [`double`](Self::double).
    #[must_use]
    fn halve(self) -> Self;

    /// Splits bytes into whole blocks and the remaining bytes.
    #[doc(hidden)]
    fn of(bytes: &[u8]) -> (&[Self], &[u8]);

    /// Splits a buffer into whole blocks and the remaining bytes.
    #[doc(hidden)]
    fn split<'i, 'o>(bytes: InOutBuf<'i, 'o, u8>)
    -> (InOutBuf<'i, 'o, Self>, InOutBuf<'i, 'o, u8>);
}

mod sealed {
    pub trait Sealed {}
}

/// Returns the modulus of [`Block::double`] for a block of `size` bytes, without its highest
/// term.
pub(crate) const fn reduction(size: usize) -> u64 {
    match size {
        8 => 0x1b,
        16 => 0x87,
        32 => 0x425,
        64 => 0x125,
        128 => 0x8_0043,
        _ => unreachable!(),
    }
}

macro_rules! blocks {
    ($($size:literal)*) => {$(
        impl sealed::Sealed for [u8; $size] {}

        impl Block for [u8; $size] {
            const SIZE: usize = $size;
            const ZERO: Self = [0; $size];
            type Tag = Digest<$size>;

            #[inline(always)]
            fn of_tags(tags: &mut [Self::Tag]) -> &mut [Self] {
                Digest::arrays_mut(tags)
            }

            #[inline(always)]
            fn bytes_mut(blocks: &mut [Self]) -> &mut [u8] {
                blocks.as_flattened_mut()
            }

            #[inline(always)]
            fn xor(mut self, other: Self) -> Self {
                // A load of a block that stores of two words just wrote waits for both, so the
                // block stays in one register.
                #[cfg(target_arch = "x86_64")]
                if $size >= 16 {
                    let (others, _) = other.as_chunks();
                    for (a, b) in self.as_chunks_mut().0.iter_mut().zip(others) {
                        *a = U8x16::xor_blocks(a, b);
                    }
                    return self;
                }
                // The code XORs words, because the compiler does not split words into bytes
                // again.
                let (others, _) = other.as_chunks::<8>();
                for (a, b) in self.as_chunks_mut::<8>().0.iter_mut().zip(others) {
                    *a = (u64::from_ne_bytes(*a) ^ u64::from_ne_bytes(*b)).to_ne_bytes();
                }
                self
            }

            #[inline]
            fn plus(mut self, mut number: u128) -> Self {
                // The upper half of `number` is the carry, so the code needs no branch.
                for word in self.rchunks_exact_mut(8) {
                    let old = u64::from_be_bytes(core::array::from_fn(|i| word[i]));
                    let sum = u128::from(old) + (number & u128::from(u64::MAX));
                    word.copy_from_slice(&(sum as u64).to_be_bytes());
                    number = (number >> 64) + (sum >> 64);
                }
                self
            }

            #[inline]
            fn double(mut self) -> Self {
                // If the highest bit is shifted out, the modulus is XORed to the lowest
                // word.
                let mut carry = const { reduction($size) } & u64::from(self[0] >> 7).wrapping_neg();
                for word in self.as_chunks_mut::<8>().0.iter_mut().rev() {
                    let old = u64::from_be_bytes(*word);
                    *word = (old << 1 ^ carry).to_be_bytes();
                    carry = old >> 63;
                }
                self
            }

            #[inline]
            fn halve(mut self) -> Self {
                let odd = u64::from(self[$size - 1] & 1);
                // The highest term of the modulus becomes u^(n-1). The exponents of its other
                // terms decrease by one.
                let mut carry = odd << 63;
                let lower = const { reduction($size) >> 1 } & odd.wrapping_neg();
                let (words, _) = self.as_chunks_mut::<8>();
                for word in &mut *words {
                    let old = u64::from_be_bytes(*word);
                    *word = (old >> 1 | carry).to_be_bytes();
                    carry = old << 63;
                }
                if let Some(last) = words.last_mut() {
                    *last = (u64::from_be_bytes(*last) ^ lower).to_be_bytes();
                }
                self
            }

            #[inline(always)]
            fn of(bytes: &[u8]) -> (&[Self], &[u8]) {
                bytes.as_chunks()
            }

            #[inline(always)]
            fn split<'i, 'o>(
                bytes: InOutBuf<'i, 'o, u8>,
            ) -> (InOutBuf<'i, 'o, Self>, InOutBuf<'i, 'o, u8>) {
                buffer::chunks(bytes)
            }
        }
    )*};
}

blocks!(8 16 32 64 128);

/// A block cipher: a permutation of blocks for each key.
pub trait BlockCipher {
    /// The type of a block, an array of bytes.
    type Block: Block;
}

/// A block cipher that can encrypt.
pub trait BlockEncrypt: BlockCipher {
    /// Encrypts each block separately.
    fn encrypt_blocks(&self, blocks: InOutBuf<'_, '_, Self::Block>);

    /// Encrypts one block.
    #[inline]
    fn encrypt_block(&self, block: &mut Self::Block) {
        self.encrypt_blocks(InOutBuf::from_mut(block));
    }
}

/// A block cipher that can decrypt.
pub trait BlockDecrypt: BlockCipher {
    /// Decrypts each block separately.
    fn decrypt_blocks(&self, blocks: InOutBuf<'_, '_, Self::Block>);

    /// Decrypts one block.
    #[inline]
    fn decrypt_block(&self, block: &mut Self::Block) {
        self.decrypt_blocks(InOutBuf::from_mut(block));
    }
}

/// Implements the traits of a block cipher for a pointer to a cipher, so that several modes can
/// share one key.
macro_rules! by_pointer {
    ($($(#[$cfg:meta])* $Pointer:ty;)*) => {$(
        $(#[$cfg])*
        impl<C: BlockCipher + ?Sized> BlockCipher for $Pointer {
            type Block = C::Block;
        }

        $(#[$cfg])*
        impl<C: BlockEncrypt + ?Sized> BlockEncrypt for $Pointer {
            #[inline]
            fn encrypt_blocks(&self, blocks: InOutBuf<'_, '_, Self::Block>) {
                (**self).encrypt_blocks(blocks);
            }

            #[inline]
            fn encrypt_block(&self, block: &mut Self::Block) {
                (**self).encrypt_block(block);
            }
        }

        $(#[$cfg])*
        impl<C: BlockDecrypt + ?Sized> BlockDecrypt for $Pointer {
            #[inline]
            fn decrypt_blocks(&self, blocks: InOutBuf<'_, '_, Self::Block>) {
                (**self).decrypt_blocks(blocks);
            }

            #[inline]
            fn decrypt_block(&self, block: &mut Self::Block) {
                (**self).decrypt_block(block);
            }
        }
    )*};
}

by_pointer! {
    &C;
    #[cfg(feature = "alloc")]
    alloc::boxed::Box<C>;
}

#[cfg(test)]
mod tests {
    use super::Block;

    #[test]
    fn a_counter_carries_through_its_whole_width() {
        assert_eq!([0xff; 8].plus(1), [0; 8]);
        assert_eq!([0xff; 32].plus(2)[31], 1);
        let mut before = [0u8; 16];
        before[8..].fill(0xff);
        let mut after = [0u8; 16];
        after[7] = 1;
        assert_eq!(before.plus(1), after);
        assert_eq!([0; 16].plus(u128::MAX), [0xff; 16]);
        assert_eq!([0; 8].plus(u128::MAX), [0xff; 8]);
    }

    #[test]
    fn halving_undoes_doubling() {
        fn both<B: Block>(terms: u8) {
            let mut top = B::ZERO;
            top.as_mut()[0] = 0x80;
            assert_eq!(top.double().as_ref().last(), Some(&terms));
            let mut block = top;
            for i in 0..1000 {
                block.as_mut()[i % B::SIZE] ^= i as u8;
                assert_eq!(block.double().halve(), block);
                assert_eq!(block.halve().double(), block);
                block = block.double();
            }
        }
        both::<[u8; 8]>(0x1b);
        both::<[u8; 16]>(0x87);
        both::<[u8; 32]>(0x25);
        both::<[u8; 64]>(0x25);
        both::<[u8; 128]>(0x43);
    }
}
