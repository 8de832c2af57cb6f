//! The traits `BlockCipherEncrypt`, `BlockCipherDecrypt` and `KeyInit` of `cipher` 0.5.
//!
//! The rows come from the list [`block_ciphers!`](crate::block::block_ciphers), so a cipher in
//! that list needs no line here. `new_from_slice` accepts keys of every length that the cipher
//! allows.

use core::fmt;

use cipher::consts::{U16, U32, U56, U64, U128, U512};
use cipher::{
    AlgorithmName, Array, Block, BlockCipherDecBackend, BlockCipherDecClosure, BlockCipherDecrypt,
    BlockCipherEncBackend, BlockCipherEncClosure, BlockCipherEncrypt, BlockSizeUser, InOut,
    InOutBuf, InvalidLength, Key, KeyInit, KeySizeUser, ParBlocks, ParBlocksSizeUser,
};

use super::Size;
use crate::block::*;
use crate::cipher::Block as _;
use crate::cpu::Work;
use crate::kernel::Kernel as _;
use crate::{BlockCipher, BlockDecrypt, BlockEncrypt, Keyed};

/// The cipher GOST 28147-89 that [`new`](KeyInit::new) makes. Its S-boxes live as long as the
/// program.
#[cfg(feature = "gost28147")]
pub(super) type Gost28147 = crate::block::Gost28147<'static>;

/// A backend in the sense of the traits of `cipher`: a reference to a block cipher.
struct Backend<'c, C>(&'c C);

impl<C: BlockSizeUser> BlockSizeUser for Backend<'_, C> {
    type BlockSize = C::BlockSize;
}

/// The work that another crate's mode does with a cipher's encryption.
struct Encryption<'c, C, F>(&'c C, F);

impl<'c, C, F: BlockCipherEncClosure> Work for Encryption<'c, C, F>
where
    Backend<'c, C>: BlockCipherEncBackend<BlockSize = F::BlockSize>,
{
    #[inline(always)]
    fn run(self) {
        self.1.call(&Backend(self.0));
    }
}

/// The work that another crate's mode does with a cipher's decryption.
struct Decryption<'c, C, F>(&'c C, F);

impl<'c, C, F: BlockCipherDecClosure> Work for Decryption<'c, C, F>
where
    Backend<'c, C>: BlockCipherDecBackend<BlockSize = F::BlockSize>,
{
    #[inline(always)]
    fn run(self) {
        self.1.call(&Backend(self.0));
    }
}

/// Converts a buffer of blocks to this crate's type of blocks.
#[allow(unsafe_code)]
#[inline(always)]
fn plain<'i, 'o, const N: usize, S>(
    blocks: InOutBuf<'i, 'o, Array<u8, S>>,
) -> InOutBuf<'i, 'o, [u8; N]>
where
    S: cipher::array::ArraySize<ArrayType<u8> = [u8; N]>,
{
    let length = blocks.len();
    let (input, output) = blocks.into_raw();
    // SAFETY: `Array` is a transparent wrapper of the core array that `S` names.
    unsafe { InOutBuf::from_raw(input.cast(), output.cast(), length) }
}

/// The key length that `new` accepts: the longest key, unless RustCrypto's own crate has
/// another length.
macro_rules! key {
    ("anubis" $Cipher:ident) => { U16 };
    ("anubis-original" $Cipher:ident) => { U16 };
    ("blowfish" $Cipher:ident) => { U56 };
    ("rc2" $Cipher:ident) => { U32 };
    ("cast6" $Cipher:ident) => { U16 };
    ("mars" $Cipher:ident) => { U16 };
    ("rc5-32-12" $Cipher:ident) => { U16 };
    ("rc6" $Cipher:ident) => { U16 };
    ("safer-plus" $Cipher:ident) => { U16 };
    ("serpent-256" $Cipher:ident) => { U16 };
    ($id:tt $Cipher:ident) => { Size<{ <$Cipher as Keyed>::KEY_LENGTHS.max }> };
}

/// The number of blocks that RustCrypto's modes pass in one call: 512 bytes, unless a kernel
/// needs more. The mode CTR of the crate `ctr` stores these blocks on the stack, and encrypts
/// the remaining blocks of a message one at a time.
macro_rules! parallel {
    ("des" $Cipher:ident) => { U512 };
    ("des-ede2" $Cipher:ident) => { U512 };
    ("des-ede3" $Cipher:ident) => { U512 };
    ("serpent-256" $Cipher:ident) => { U64 };
    ("twofish-256" $Cipher:ident) => { U128 };
    ($id:tt $Cipher:ident) => { Size<{ 512 / <$Cipher as crate::BlockCipher>::Block::SIZE }> };
}

/// Writes the code that is the same for an encrypting type and a decrypting type.
macro_rules! either {
    ($id:tt $Cipher:ident) => {
        impl BlockSizeUser for $Cipher {
            type BlockSize = Size<{ <$Cipher as BlockCipher>::Block::SIZE }>;
        }
        impl ParBlocksSizeUser for Backend<'_, $Cipher> {
            type ParBlocksSize = parallel!($id $Cipher);
        }
        impl KeySizeUser for $Cipher {
            type KeySize = key!($id $Cipher);
        }
        impl KeyInit for $Cipher {
            #[inline]
            fn new(key: &Key<Self>) -> Self {
                super::with_key(key)
            }
            #[inline]
            fn new_from_slice(key: &[u8]) -> Result<Self, InvalidLength> {
                super::with_slice(key)
            }
        }
        impl AlgorithmName for $Cipher {
            fn write_alg_name(f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(stringify!($Cipher))
            }
        }
    };
}

macro_rules! forwards {
    ($id:tt $Cipher:ident) => {
        impl BlockCipherEncrypt for $Cipher {
            #[inline]
            fn encrypt_with_backend(
                &self,
                f: impl BlockCipherEncClosure<BlockSize = Self::BlockSize>,
            ) {
                self.kernel_in_use().within(Encryption(self, f));
            }
        }
        impl BlockCipherEncBackend for Backend<'_, $Cipher> {
            #[inline]
            fn encrypt_block(&self, mut block: InOut<'_, '_, Block<Self>>) {
                let mut data = block.clone_in().into();
                BlockEncrypt::encrypt_block(self.0, &mut data);
                *block.get_out() = data.into();
            }
            #[inline]
            fn encrypt_par_blocks(&self, blocks: InOut<'_, '_, ParBlocks<Self>>) {
                BlockEncrypt::encrypt_blocks(self.0, plain(blocks.into_buf()));
            }
            #[inline]
            fn encrypt_tail_blocks(&self, blocks: InOutBuf<'_, '_, Block<Self>>) {
                BlockEncrypt::encrypt_blocks(self.0, plain(blocks));
            }
        }
    };
}

macro_rules! backwards {
    ($id:tt $Cipher:ident) => {
        impl BlockCipherDecrypt for $Cipher {
            #[inline]
            fn decrypt_with_backend(
                &self,
                f: impl BlockCipherDecClosure<BlockSize = Self::BlockSize>,
            ) {
                self.kernel_in_use().within(Decryption(self, f));
            }
        }
        impl BlockCipherDecBackend for Backend<'_, $Cipher> {
            #[inline]
            fn decrypt_block(&self, mut block: InOut<'_, '_, Block<Self>>) {
                let mut data = block.clone_in().into();
                BlockDecrypt::decrypt_block(self.0, &mut data);
                *block.get_out() = data.into();
            }
            #[inline]
            fn decrypt_par_blocks(&self, blocks: InOut<'_, '_, ParBlocks<Self>>) {
                BlockDecrypt::decrypt_blocks(self.0, plain(blocks.into_buf()));
            }
            #[inline]
            fn decrypt_tail_blocks(&self, blocks: InOutBuf<'_, '_, Block<Self>>) {
                BlockDecrypt::decrypt_blocks(self.0, plain(blocks));
            }
        }
    };
}

/// Writes the traits of the types in a row. If decryption needs no keys of its own, both types
/// of the row are the same. This macro calls `either!`, `forwards!` and `backwards!`. The
/// module `cipher_04` defines these three macros again, for its own traits.
// The attribute is needed because rustfmt indents a macro within a macro further each time.
#[rustfmt::skip]
macro_rules! types {
    (#[$cfg:meta] $id:tt = $Encrypt:ident, $Decrypt:ident) => {
        #[$cfg]
        const _: () = {
            either!($id $Encrypt);
            forwards!($id $Encrypt);
            macro_rules! keys_of_decryption {
                ($Encrypt) => {};
                ($Decrypt) => {
                    either!($id $Decrypt);
                };
            }
            keys_of_decryption!($Decrypt);
            backwards!($id $Decrypt);
        };
    };
}

/// Processes the rows one after the other.
macro_rules! rows {
    () => {};
    // An earlier row already has this type, with another parameter or a longer key.
    (#[$cfg:meta] $id:tt = $E:ident, $D:ident, with: $parameter:expr; $($rest:tt)*) => {
        rows!($($rest)*);
    };
    (#[$cfg:meta] $id:tt = $E:ident, $D:ident, key: 16; $($rest:tt)*) => {
        rows!($($rest)*);
    };
    (#[$cfg:meta] $id:tt = $E:ident, $D:ident, key: 24; $($rest:tt)*) => {
        rows!($($rest)*);
    };
    (#[$cfg:meta] $id:tt = $E:ident, $D:ident $(, $name:tt: $value:expr)?; $($rest:tt)*) => {
        types!(#[$cfg] $id = $E, $D);
        rows!($($rest)*);
    };
}

block_ciphers!(rows!);

macro_rules! both {
    ($(#[$cfg:meta] [$($generics:tt)*] $Both:ty = $Encrypt:ty, $Decrypt:ty;)*) => {$(
        #[$cfg]
        #[allow(trivial_bounds, reason = "not every type has generics")]
        const _: () = {
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
                #[inline]
                fn new(key: &Key<Self>) -> Self {
                    super::with_key(key)
                }
                #[inline]
                fn new_from_slice(key: &[u8]) -> Result<Self, InvalidLength> {
                    super::with_slice(key)
                }
            }

            impl<$($generics)*> AlgorithmName for $Both
            where
                $Encrypt: AlgorithmName,
            {
                fn write_alg_name(f: &mut fmt::Formatter<'_>) -> fmt::Result {
                    <$Encrypt>::write_alg_name(f)
                }
            }

            impl<$($generics)*> BlockCipherEncrypt for $Both
            where
                $Encrypt: BlockCipherEncrypt,
            {
                #[inline]
                fn encrypt_with_backend(
                    &self,
                    f: impl BlockCipherEncClosure<BlockSize = Self::BlockSize>,
                ) {
                    BlockCipherEncrypt::encrypt_with_backend(&self.encrypt, f);
                }
            }

            impl<$($generics)*> BlockCipherDecrypt for $Both
            where
                $Encrypt: BlockSizeUser,
                $Decrypt: BlockCipherDecrypt<BlockSize = <$Encrypt as BlockSizeUser>::BlockSize>,
            {
                #[inline]
                fn decrypt_with_backend(
                    &self,
                    f: impl BlockCipherDecClosure<BlockSize = Self::BlockSize>,
                ) {
                    BlockCipherDecrypt::decrypt_with_backend(&self.decrypt, f);
                }
            }
        };
    )*};
}

both_directions!(both!);
