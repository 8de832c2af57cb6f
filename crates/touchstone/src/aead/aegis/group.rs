//! Groups of AES blocks, with one block of each state, and the registers that hold these
//! groups.

use inout::InOutBuf;

use super::Block;
use super::word::Word;
#[cfg(target_arch = "x86_64")]
use super::{aesni, avx512, vaes256};
use crate::buffer;
use crate::cipher::Block as _;

/// A group: an array of one, two or four blocks, with one block of each state.
#[doc(hidden)]
pub trait Group: Word<Self> + Send + Sync + 'static {
    /// The number of states that are computed side by side.
    const STATES: usize;
    const ZERO: Self;
    /// The context of [AEGIS](super) §5.4.2: the number of the state, and the largest of these
    /// numbers. The context makes the states different from each other.
    const CONTEXT: Self;

    /// The register types in which each kernel holds a group.
    #[cfg(target_arch = "x86_64")]
    type Avx512: Word<Self>;
    #[cfg(target_arch = "x86_64")]
    type Vaes256: Word<Self>;
    #[cfg(target_arch = "x86_64")]
    type AesNi: Word<Self>;

    /// Makes a group that has the same block for each state.
    fn repeat(block: &Block) -> Self;
    /// Returns the XOR of the blocks of a group.
    fn sum(self) -> Block;

    fn bytes(groups: &[Self]) -> &[u8];
    fn bytes_mut(groups: &mut [Self]) -> &mut [u8];
    /// Returns the whole groups that the bytes contain.
    fn groups(bytes: &[u8]) -> &[Self];
    fn groups_inout<'i, 'o>(bytes: InOutBuf<'i, 'o, u8>) -> InOutBuf<'i, 'o, Self>;
}

macro_rules! groups {
    ($($states:literal: $Avx512:ty, $Vaes256:ty;)*) => {$(
        impl Group for [Block; $states] {
            const STATES: usize = $states;
            const ZERO: Self = [[0; 16]; $states];
            const CONTEXT: Self = {
                let mut context = Self::ZERO;
                let mut i = 0;
                while i < $states {
                    context[i][0] = i as u8;
                    context[i][1] = $states - 1;
                    i += 1;
                }
                context
            };

            #[cfg(target_arch = "x86_64")]
            type Avx512 = $Avx512;
            #[cfg(target_arch = "x86_64")]
            type Vaes256 = $Vaes256;
            #[cfg(target_arch = "x86_64")]
            type AesNi = aesni::Registers<$states>;

            #[inline(always)]
            fn repeat(block: &Block) -> Self {
                [*block; $states]
            }

            #[inline(always)]
            fn sum(self) -> Block {
                self.into_iter().fold([0; 16], |sum, block| sum.xor(block))
            }

            #[inline(always)]
            fn bytes(groups: &[Self]) -> &[u8] {
                groups.as_flattened().as_flattened()
            }

            #[inline(always)]
            fn bytes_mut(groups: &mut [Self]) -> &mut [u8] {
                groups.as_flattened_mut().as_flattened_mut()
            }

            #[inline(always)]
            fn groups(bytes: &[u8]) -> &[Self] {
                bytes.as_chunks().0.as_chunks().0
            }

            #[inline(always)]
            fn groups_inout<'i, 'o>(bytes: InOutBuf<'i, 'o, u8>) -> InOutBuf<'i, 'o, Self> {
                buffer::chunks(buffer::chunks(bytes).0).0
            }
        }
    )*};
}

groups! {
    1: aesni::Registers<1>, aesni::Registers<1>;
    2: vaes256::Registers<1>, vaes256::Registers<1>;
    4: avx512::Register, vaes256::Registers<2>;
}
