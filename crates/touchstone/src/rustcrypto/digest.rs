//! The traits of `digest` 0.11: `Digest` by `Update`, `FixedOutput` and `Reset`; `CoreProxy`,
//! which `hmac::Hmac` requires of a hash function; `ExtendableOutput`.
//!
//! The rows come from the list [`hashes!`](crate::hash::hashes), so a hash function in that
//! list needs no line here.

use core::fmt;

use digest::block_api::{
    AlgorithmName, Block, Buffer, BufferKindUser, CoreProxy, Eager, FixedOutputCore, UpdateCore,
};
use digest::block_buffer::BlockSizes;
use digest::common::BlockSizeUser;
use digest::{
    ExtendableOutput, ExtendableOutputReset, FixedOutput, FixedOutputReset, HashMarker, Output,
    OutputSizeUser, Reset, Update,
};

use super::Size;
use crate::hash::*;
use crate::{DigestBytes, HashFunction, Xof, XofReader};

/// A hash function without a buffer of its own. `hmac::Hmac` and other generic code store the
/// bytes that do not fill a block, and pass only whole blocks.
#[derive(Clone, Default)]
pub struct HashCore<H>(H);

impl<H: HashMarker> HashMarker for HashCore<H> {}

impl<H: BlockSizeUser> BlockSizeUser for HashCore<H> {
    type BlockSize = H::BlockSize;
}

impl<H: OutputSizeUser> OutputSizeUser for HashCore<H> {
    type OutputSize = H::OutputSize;
}

impl<H: BlockSizeUser<BlockSize: BlockSizes>> BufferKindUser for HashCore<H> {
    type BufferKind = Eager;
}

impl<H: Update + BlockSizeUser> UpdateCore for HashCore<H> {
    #[inline]
    fn update_blocks(&mut self, blocks: &[Block<Self>]) {
        self.0
            .update(digest::array::Array::slice_as_flattened(blocks));
    }
}

impl<H: FixedOutput + BlockSizeUser<BlockSize: BlockSizes> + Clone> FixedOutputCore
    for HashCore<H>
{
    #[inline]
    fn finalize_fixed_core(&mut self, buffer: &mut Buffer<Self>, out: &mut Output<Self>) {
        let mut hash = self.0.clone();
        hash.update(buffer.get_data());
        hash.finalize_into(out);
    }
}

impl<H: AlgorithmName> AlgorithmName for HashCore<H> {
    fn write_alg_name(f: &mut fmt::Formatter<'_>) -> fmt::Result {
        H::write_alg_name(f)
    }
}

impl<H: AlgorithmName> fmt::Debug for HashCore<H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        H::write_alg_name(f)
    }
}

macro_rules! any_hash {
    ($($(#[$cfg:meta])* $id:literal = $Hash:ident;)*) => {$(
        $(#[$cfg])*
        const _: () = {
            impl HashMarker for $Hash {}

            impl BlockSizeUser for $Hash {
                type BlockSize = Size<{ <$Hash as HashFunction>::BLOCK }>;
            }

            impl OutputSizeUser for $Hash {
                type OutputSize =
                    Size<{ <<$Hash as HashFunction>::Output as DigestBytes>::SIZE }>;
            }

            impl AlgorithmName for $Hash {
                fn write_alg_name(f: &mut fmt::Formatter<'_>) -> fmt::Result {
                    f.write_str(stringify!($Hash))
                }
            }

            impl Update for $Hash {
                #[inline]
                fn update(&mut self, data: &[u8]) {
                    HashFunction::update(self, data);
                }
            }

            impl FixedOutput for $Hash {
                #[inline]
                fn finalize_into(self, out: &mut Output<Self>) {
                    *out = self.finalize_fixed();
                }
                // The compiler inlines this method for the reason that `HashFunction::finalize`
                // of iterated hash functions gives.
                #[inline(always)]
                fn finalize_fixed(self) -> Output<Self> {
                    let mut out = Output::<Self>::default();
                    out.copy_from_slice(HashFunction::finalize(self).as_ref());
                    out
                }
            }

            impl Reset for $Hash {
                #[inline]
                fn reset(&mut self) {
                    *self = HashFunction::with_kernel(self.kernel_in_use());
                }
            }

            impl FixedOutputReset for $Hash {
                #[inline]
                fn finalize_into_reset(&mut self, out: &mut Output<Self>) {
                    let new = HashFunction::with_kernel(self.kernel_in_use());
                    core::mem::replace(self, new).finalize_into(out);
                }
            }
        };
    )*};
}

crate::hash::hashes!(any_hash!);
crate::hash::long_hashes!(any_hash!);

macro_rules! hash_of_hmac {
    ($($(#[$cfg:meta])* $id:literal = $Hash:ident;)*) => {$(
        $(#[$cfg])*
        impl CoreProxy for $Hash {
            type Core = HashCore<Self>;

            fn compose(core: HashCore<Self>, buffer: Buffer<HashCore<Self>>) -> Self {
                let mut hash = core.0;
                HashFunction::update(&mut hash, buffer.get_data());
                hash
            }

            /// Returns the core and an empty buffer, because the core itself stores the bytes
            /// that do not fill a block.
            fn decompose(self) -> (HashCore<Self>, Buffer<HashCore<Self>>) {
                (HashCore(self), Buffer::<HashCore<Self>>::default())
            }
        }
    )*};
}

crate::hash::hashes!(hash_of_hmac!);

/// The reader of an extendable-output function, with the trait of `digest`.
#[derive(Debug, Clone)]
pub struct OutputReader<R>(R);

impl<R: XofReader> digest::XofReader for OutputReader<R> {
    #[inline]
    fn read(&mut self, buffer: &mut [u8]) {
        self.0.squeeze(buffer);
    }
}

macro_rules! extendable {
    ($($(#[$cfg:meta])* $id:literal = $Xof:ident;)*) => {$(
        $(#[$cfg])*
        const _: () = {
            impl HashMarker for $Xof {}

            impl BlockSizeUser for $Xof {
                type BlockSize = Size<{ <$Xof as Xof>::BLOCK }>;
            }

            impl AlgorithmName for $Xof {
                fn write_alg_name(f: &mut fmt::Formatter<'_>) -> fmt::Result {
                    f.write_str(stringify!($Xof))
                }
            }

            impl Update for $Xof {
                #[inline]
                fn update(&mut self, data: &[u8]) {
                    Xof::update(self, data);
                }
            }

            impl Reset for $Xof {
                #[inline]
                fn reset(&mut self) {
                    *self = Self::default();
                }
            }

            impl ExtendableOutput for $Xof {
                type Reader = OutputReader<<$Xof as Xof>::Reader>;

                #[inline]
                fn finalize_xof(self) -> Self::Reader {
                    OutputReader(Xof::finalize_xof(self))
                }
            }

            impl ExtendableOutputReset for $Xof {
                #[inline]
                fn finalize_xof_reset(&mut self) -> Self::Reader {
                    OutputReader(Xof::finalize_xof(core::mem::take(self)))
                }
            }
        };
    )*};
}

crate::hash::xofs!(extendable!);

/// BLAKE3 is in the list of hash functions, and also has output of any length.
#[cfg(feature = "blake3")]
impl ExtendableOutput for Blake3 {
    type Reader = OutputReader<<Blake3 as Xof>::Reader>;

    #[inline]
    fn finalize_xof(self) -> Self::Reader {
        OutputReader(Xof::finalize_xof(self))
    }
}
