//! A cipher for both directions from its two halves.

use inout::InOutBuf;
use zeroize::ZeroizeOnDrop;

use super::{Absorbed, BlockCipher, BlockDecrypt, BlockEncrypt, Message};
use crate::aead::gcm;
use crate::{InvalidKeyLength, KeyLengths, Keyed};

/// A block cipher in both directions, made of the types for one direction each.
#[derive(Clone)]
pub struct Both<E, D> {
    encrypt: E,
    decrypt: D,
}

impl<E, D> Keyed for Both<E, D>
where
    E: Keyed,
    D: for<'e> From<&'e E>,
{
    type Kernel = E::Kernel;
    const KEY_LENGTHS: KeyLengths = E::KEY_LENGTHS;

    fn with_kernel(kernel: E::Kernel, key: &[u8]) -> Result<Self, InvalidKeyLength> {
        let encrypt = E::with_kernel(kernel, key)?;
        let decrypt = D::from(&encrypt);
        Ok(Self { encrypt, decrypt })
    }

    fn kernel(&self) -> E::Kernel {
        self.encrypt.kernel()
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
    fn ctr_blocks(&self, counter: &mut Self::Block, blocks: InOutBuf<'_, '_, Self::Block>) {
        self.encrypt.ctr_blocks(counter, blocks);
    }
    #[inline]
    fn cbc_encrypt_blocks(&self, chain: &mut Self::Block, blocks: InOutBuf<'_, '_, Self::Block>) {
        self.encrypt.cbc_encrypt_blocks(chain, blocks);
    }
    #[inline]
    fn cbc_encrypt_many(&self, messages: &mut [Message<'_, '_, Self::Block>]) {
        self.encrypt.cbc_encrypt_many(messages);
    }
    #[inline]
    fn cbc_mac_blocks(&self, chain: &mut Self::Block, blocks: &[Self::Block]) {
        self.encrypt.cbc_mac_blocks(chain, blocks);
    }
    #[inline]
    fn cbc_mac_many(&self, messages: &mut [Absorbed<'_, Self::Block>]) {
        self.encrypt.cbc_mac_many(messages);
    }
    #[inline]
    fn gcm(&self, message: &mut gcm::Message<'_, '_, '_>) -> Option<[u8; 16]> {
        self.encrypt.gcm(message)
    }
}

impl<E: BlockCipher, D: BlockDecrypt<Block = E::Block>> BlockDecrypt for Both<E, D> {
    #[inline]
    fn decrypt_blocks(&self, blocks: InOutBuf<'_, '_, Self::Block>) {
        self.decrypt.decrypt_blocks(blocks);
    }
    #[inline]
    fn cbc_decrypt_blocks(&self, chain: &mut Self::Block, blocks: InOutBuf<'_, '_, Self::Block>) {
        self.decrypt.cbc_decrypt_blocks(chain, blocks);
    }
}

impl<E: ZeroizeOnDrop, D: ZeroizeOnDrop> ZeroizeOnDrop for Both<E, D> {}
