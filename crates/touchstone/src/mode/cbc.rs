//! CBC, cipher block chaining, [SP800-38A](super) §6.2.
//!
//! The initialization vector must be unpredictable to an attacker who chooses the messages.
//! Encryption is serial: each block needs the ciphertext of the block before, so the latency of
//! the cipher determines the speed. To use the processor fully, encrypt [many
//! messages](CbcEncrypt::encrypt_many) at once.

use inout::InOutBuf;

use super::{cipher_mut, padded_decryption, padded_encryption, shapes, whole};
use crate::cipher::Block;
use crate::debug::debug;
use crate::fuse::Message;
#[cfg(feature = "alloc")]
use crate::wipe::wipe;
use crate::{BlockCipher, DataError, FusedDecrypt, FusedEncrypt, InvalidPadding, Padding, buffer};

/// CBC encryption of a message.
#[derive(Clone)]
pub struct CbcEncrypt<C: BlockCipher> {
    cipher: C,
    chain: C::Block,
}

debug!([C: BlockCipher + core::fmt::Debug] CbcEncrypt<C>, "CbcEncrypt", cipher = cipher);

/// CBC decryption of a message.
#[derive(Clone)]
pub struct CbcDecrypt<C: BlockCipher> {
    cipher: C,
    chain: C::Block,
}

debug!([C: BlockCipher + core::fmt::Debug] CbcDecrypt<C>, "CbcDecrypt", cipher = cipher);

cipher_mut! {
    [C: BlockCipher] CbcEncrypt<C>;
    [C: BlockCipher] CbcDecrypt<C>;
}

impl<C: FusedEncrypt> CbcEncrypt<C> {
    /// Starts a message with its initialization vector.
    #[inline]
    pub fn new(cipher: C, iv: &C::Block) -> Self {
        Self { cipher, chain: *iv }
    }

    /// Starts the next message with the same key.
    #[inline]
    pub fn reset(&mut self, iv: &C::Block) {
        self.chain = *iv;
    }

    shapes! {
        /// Encrypts the next whole blocks of the message in place.
        encrypt encrypt_into encrypt_inout(&mut)
    }

    /// Does the same as [`encrypt`](Self::encrypt), in place or from one buffer to another.
    #[inline]
    pub fn encrypt_inout(&mut self, data: InOutBuf<'_, '_, u8>) -> Result<(), DataError> {
        self.cipher
            .cbc_encrypt_blocks(&mut self.chain, whole(data)?);
        Ok(())
    }

    padded_encryption!(mut);

    /// Encrypts many messages, or their next pieces, with one key. Before the first piece, the
    /// `chain` of each message is the initialization vector. After each piece it is the last
    /// block of ciphertext.
    #[inline]
    pub fn encrypt_many(cipher: &C, messages: &mut [Message<'_, '_, C::Block>]) {
        cipher.cbc_encrypt_many(messages);
    }
}

impl<C: FusedDecrypt> CbcDecrypt<C> {
    /// Starts a message with its initialization vector.
    #[inline]
    pub fn new(cipher: C, iv: &C::Block) -> Self {
        Self { cipher, chain: *iv }
    }

    /// Starts the next message with the same key.
    #[inline]
    pub fn reset(&mut self, iv: &C::Block) {
        self.chain = *iv;
    }

    shapes! {
        /// Decrypts the next whole blocks of the message in place.
        decrypt decrypt_into decrypt_inout(&mut)
    }

    /// Does the same as [`decrypt`](Self::decrypt), in place or from one buffer to another.
    #[inline]
    pub fn decrypt_inout(&mut self, data: InOutBuf<'_, '_, u8>) -> Result<(), DataError> {
        self.cipher
            .cbc_decrypt_blocks(&mut self.chain, whole(data)?);
        Ok(())
    }

    padded_decryption!(mut);
}

impl<'i, 'o, B: Block> Message<'i, 'o, B> {
    /// Makes a message of whole blocks, which is encrypted in place.
    pub fn new(iv: &B, data: &'i mut [u8]) -> Result<Message<'i, 'i, B>, DataError> {
        Message::inout(iv, data.into())
    }

    /// Makes a message of whole blocks, which is encrypted in place or from one buffer to
    /// another.
    pub fn inout(iv: &B, data: InOutBuf<'i, 'o, u8>) -> Result<Self, DataError> {
        let blocks = whole(data)?;
        Ok(Self { chain: *iv, blocks })
    }
}
