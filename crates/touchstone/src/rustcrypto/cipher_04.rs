//! The traits `BlockEncrypt`, `BlockDecrypt` and `KeyInit` of `cipher` 0.4, the version before
//! 0.5, for every block cipher. Programs need them if their modes need that version, for
//! example programs for OpenPGP.
//!
//! The list of block ciphers and the lengths of keys are the same as in
//! [`block`](super::block).

use cipher_04::generic_array::{ArrayLength, GenericArray};
use cipher_04::inout::{InOut, InOutBuf};
use cipher_04::{
    Block, BlockBackend, BlockCipher, BlockClosure, BlockDecrypt, BlockEncrypt, BlockSizeUser,
    InvalidLength, Key, KeyInit, KeySizeUser, ParBlocks, ParBlocksSizeUser,
};

use cipher::consts::{U16, U32, U56, U64, U128, U512};

use super::Size;
#[cfg(feature = "gost28147")]
use super::block::Gost28147;
use crate::block::*;
use crate::cipher::Block as Bytes;
use crate::cpu::Work;
use crate::kernel::Kernel as _;
use crate::{BlockCipher as Permutation, Keyed};

/// A reference to a cipher, which the traits use to encrypt.
struct Forward<'c, C>(&'c C);

/// A reference to a cipher, which the traits use to decrypt.
struct Backward<'c, C>(&'c C);

/// The work that another crate's mode does with [`Forward`] or [`Backward`].
struct Run<B, F>(B, F);

impl<B: BlockBackend, F: BlockClosure<BlockSize = B::BlockSize>> Work for Run<B, F> {
    #[inline(always)]
    fn run(mut self) {
        self.1.call(&mut self.0);
    }
}

/// Converts a buffer of blocks to this crate's type of blocks.
#[allow(unsafe_code)]
#[inline(always)]
fn plain<'i, 'o, B: Bytes, N: ArrayLength<u8>>(
    blocks: InOutBuf<'i, 'o, GenericArray<u8, N>>,
) -> crate::InOutBuf<'i, 'o, B> {
    const { assert!(B::SIZE == N::USIZE) };
    let length = blocks.len();
    let (input, output) = blocks.into_raw();
    // SAFETY: `GenericArray<u8, N>` is `N` bytes in a row. `B` is an array of bytes too,
    // because its trait is sealed.
    unsafe { crate::InOutBuf::from_raw(input.cast(), output.cast(), length) }
}

macro_rules! either {
    ($id:tt $Cipher:ident) => {
        impl BlockCipher for $Cipher {}
        impl BlockSizeUser for $Cipher {
            type BlockSize = Size<{ <$Cipher as Permutation>::Block::SIZE }>;
        }
        impl KeySizeUser for $Cipher {
            type KeySize = key!($id $Cipher);
        }
        impl KeyInit for $Cipher {
            fn new(key: &Key<Self>) -> Self {
                super::with_key(key)
            }
            fn new_from_slice(key: &[u8]) -> Result<Self, InvalidLength> {
                super::with_slice(key).map_err(|_| InvalidLength)
            }
        }
    };
}

macro_rules! direction {
    (
        $id:tt $Cipher:ident, $Trait:ident, $Backend:ident, $with_backend:ident, $Native:ident,
        $one:ident, $many:ident
    ) => {
        impl $Trait for $Cipher {
            fn $with_backend(&self, f: impl BlockClosure<BlockSize = Self::BlockSize>) {
                self.kernel_in_use().within(Run($Backend(self), f));
            }
        }
        impl BlockSizeUser for $Backend<'_, $Cipher> {
            type BlockSize = <$Cipher as BlockSizeUser>::BlockSize;
        }
        impl ParBlocksSizeUser for $Backend<'_, $Cipher> {
            type ParBlocksSize = parallel!($id $Cipher);
        }
        impl BlockBackend for $Backend<'_, $Cipher> {
            #[inline(always)]
            fn proc_block(&mut self, mut block: InOut<'_, '_, Block<Self>>) {
                let mut data = <$Cipher as Permutation>::Block::ZERO;
                data.copy_from_slice(block.get_in());
                crate::$Native::$one(self.0, &mut data);
                block.get_out().copy_from_slice(&data);
            }
            #[inline(always)]
            fn proc_par_blocks(&mut self, blocks: InOut<'_, '_, ParBlocks<Self>>) {
                crate::$Native::$many(self.0, plain(blocks.into_buf()));
            }
            #[inline(always)]
            fn proc_tail_blocks(&mut self, blocks: InOutBuf<'_, '_, Block<Self>>) {
                crate::$Native::$many(self.0, plain(blocks));
            }
        }
    };
}

macro_rules! forwards {
    ($id:tt $Cipher:ident) => {
        direction!(
            $id $Cipher, BlockEncrypt, Forward, encrypt_with_backend, BlockEncrypt,
            encrypt_block, encrypt_blocks
        );
    };
}

macro_rules! backwards {
    ($id:tt $Cipher:ident) => {
        direction!(
            $id $Cipher, BlockDecrypt, Backward, decrypt_with_backend, BlockDecrypt,
            decrypt_block, decrypt_blocks
        );
    };
}

block_ciphers!(rows!);

macro_rules! both {
    ($(#[$cfg:meta] [$($generics:tt)*] $Both:ty = $Encrypt:ty, $Decrypt:ty;)*) => {$(
        #[$cfg]
        #[allow(trivial_bounds, reason = "not every type has generics")]
        const _: () = {
            impl<$($generics)*> BlockCipher for $Both where $Encrypt: BlockSizeUser {}

            impl<$($generics)*> BlockSizeUser for $Both
            where
                $Encrypt: BlockSizeUser,
            {
                type BlockSize = <$Encrypt as BlockSizeUser>::BlockSize;
            }

            impl<$($generics)*> KeySizeUser for $Both
            where
                $Encrypt: KeySizeUser,
            {
                type KeySize = <$Encrypt as KeySizeUser>::KeySize;
            }

            impl<$($generics)*> KeyInit for $Both
            where
                $Encrypt: KeySizeUser,
            {
                fn new(key: &Key<Self>) -> Self {
                    super::with_key(key)
                }
                fn new_from_slice(key: &[u8]) -> Result<Self, InvalidLength> {
                    super::with_slice(key).map_err(|_| InvalidLength)
                }
            }

            impl<$($generics)*> BlockEncrypt for $Both
            where
                $Encrypt: BlockEncrypt,
            {
                fn encrypt_with_backend(&self, f: impl BlockClosure<BlockSize = Self::BlockSize>) {
                    BlockEncrypt::encrypt_with_backend(&self.encrypt, f);
                }
            }

            impl<$($generics)*> BlockDecrypt for $Both
            where
                $Encrypt: BlockSizeUser,
                $Decrypt: BlockDecrypt<BlockSize = <$Encrypt as BlockSizeUser>::BlockSize>,
            {
                fn decrypt_with_backend(&self, f: impl BlockClosure<BlockSize = Self::BlockSize>) {
                    BlockDecrypt::decrypt_with_backend(&self.decrypt, f);
                }
            }
        };
    )*};
}

both_directions!(both!);
