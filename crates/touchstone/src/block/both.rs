//! A cipher for both directions from its two halves.

use inout::InOutBuf;
use zeroize::ZeroizeOnDrop;

use super::forward::{decrypt_methods, encrypt_methods};
use super::{Absorbed, BlockCipher, BlockDecrypt, BlockEncrypt, Message, gcm, ocb};
use crate::{InvalidKeyLength, KeyLengths, Keyed};

/// A block cipher in both directions, made of the types for one direction each.
#[derive(Clone)]
pub struct Both<E, D> {
    encrypt: E,
    decrypt: D,
}

/// A backward direction, made from the forward one of the same key.
pub trait InverseOf<E>: for<'e> From<&'e E> {
    /// Takes the key of the forward direction in the place of its own.
    #[inline]
    fn follow(&mut self, forward: &E) {
        *self = Self::from(forward);
    }
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

    fn kernel(&self) -> E::Kernel {
        self.encrypt.kernel()
    }
}

impl<E: BlockCipher, D> BlockCipher for Both<E, D> {
    type Block = E::Block;
}

impl<E: BlockEncrypt, D> BlockEncrypt for Both<E, D> {
    encrypt_methods!(|both| both.encrypt);
}

impl<E: BlockCipher, D: BlockDecrypt<Block = E::Block>> BlockDecrypt for Both<E, D> {
    decrypt_methods!(|both| both.decrypt);
}

impl<E: ZeroizeOnDrop, D: ZeroizeOnDrop> ZeroizeOnDrop for Both<E, D> {}
