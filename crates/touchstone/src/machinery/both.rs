//! Makes a cipher for both directions from two types: one encrypts, the other decrypts.

use core::fmt;

use inout::InOutBuf;
use zeroize::ZeroizeOnDrop;

use crate::cipher::{BlockCipher, BlockDecrypt, BlockEncrypt};
use crate::fuse::forward::{decrypt_methods, encrypt_methods};
use crate::fuse::{FusedDecrypt, FusedEncrypt, Sealed};
use crate::{FixedKey, InvalidKeyLength, KeyLengths, Keyed};

/// A block cipher in both directions, made of the types for one direction each.
#[derive(Clone)]
pub struct Both<E, D> {
    encrypt: E,
    decrypt: D,
}

/// The name of the cipher, which both directions have.
impl<E: fmt::Debug, D> fmt::Debug for Both<E, D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.encrypt.fmt(f)
    }
}

impl<E, D> Both<E, D> {
    /// Joins the two directions, which must have the same key.
    pub fn of(encrypt: E, decrypt: D) -> Self {
        Self { encrypt, decrypt }
    }

    /// The encrypting half.
    #[cfg(feature = "rustcrypto")]
    pub(crate) fn forward(&self) -> &E {
        &self.encrypt
    }

    /// The decrypting half.
    #[cfg(feature = "rustcrypto")]
    pub(crate) fn backward(&self) -> &D {
        &self.decrypt
    }

    /// The two directions, for another key in both.
    #[cfg(feature = "dynamic")]
    pub(crate) fn parts_mut(&mut self) -> (&mut E, &mut D) {
        (&mut self.encrypt, &mut self.decrypt)
    }
}

/// A cipher's decrypting half, which can be made from the encrypting half of the same
/// key.
pub trait InverseOf<E>: for<'e> From<&'e E> {
    /// Replaces this key by the key of `forward`.
    #[inline]
    fn follow(&mut self, forward: &E) {
        *self = Self::from(forward);
    }
}

impl<E: FixedKey, D: InverseOf<E>> FixedKey for Both<E, D> {
    type Key = E::Key;
}

impl<E: Keyed, D: InverseOf<E>> Keyed for Both<E, D> {
    type Kernel = E::Kernel;
    const KEY_LENGTHS: KeyLengths = E::KEY_LENGTHS;

    #[inline]
    fn with_kernel(kernel: E::Kernel, key: &[u8]) -> Result<Self, InvalidKeyLength> {
        let encrypt = E::with_kernel(kernel, key)?;
        let decrypt = D::from(&encrypt);
        Ok(Self { encrypt, decrypt })
    }

    #[inline]
    fn rekey(&mut self, key: &[u8]) -> Result<(), InvalidKeyLength> {
        self.encrypt.rekey(key)?;
        self.decrypt.follow(&self.encrypt);
        Ok(())
    }

    fn kernel_in_use(&self) -> E::Kernel {
        self.encrypt.kernel_in_use()
    }
}

impl<E: BlockCipher, D> BlockCipher for Both<E, D> {
    type Block = E::Block;
}

impl<E: BlockEncrypt, D> BlockEncrypt for Both<E, D> {
    #[inline]
    fn encrypt_blocks(&self, blocks: InOutBuf<'_, '_, Self::Block>) {
        self.encrypt.encrypt_blocks(blocks);
    }

    #[inline]
    fn encrypt_block(&self, block: &mut Self::Block) {
        self.encrypt.encrypt_block(block);
    }
}

impl<E: BlockCipher, D: BlockDecrypt<Block = E::Block>> BlockDecrypt for Both<E, D> {
    #[inline]
    fn decrypt_blocks(&self, blocks: InOutBuf<'_, '_, Self::Block>) {
        self.decrypt.decrypt_blocks(blocks);
    }

    #[inline]
    fn decrypt_block(&self, block: &mut Self::Block) {
        self.decrypt.decrypt_block(block);
    }
}

impl<E, D> Sealed for Both<E, D> {}

impl<E: FusedEncrypt, D> FusedEncrypt for Both<E, D> {
    encrypt_methods!(|both| both.encrypt);
}

impl<E: BlockCipher, D: FusedDecrypt<Block = E::Block>> FusedDecrypt for Both<E, D> {
    decrypt_methods!(|both| both.decrypt);
}

impl<E: ZeroizeOnDrop, D: ZeroizeOnDrop> ZeroizeOnDrop for Both<E, D> {}
