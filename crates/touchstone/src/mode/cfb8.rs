//! CFB-8, cipher feedback in segments of a byte, [SP800-38A](super) §6.3.
//!
//! If a receiver loses some bytes, decryption is right again after one block. CFB-8 needs one
//! call of the cipher for each byte, so encryption is slow, except of [many
//! messages](Cfb8Encrypt::encrypt_many) at once. Decryption is parallel, because all inputs of the
//! cipher are ciphertext.

use inout::InOutBuf;

use super::{any_length, cipher_mut};
use crate::cipher::Block;
use crate::debug::debug;
use crate::fuse::{Message, unfused};
use crate::{BlockCipher, DataError, FusedEncrypt, buffer};

/// CFB-8 encryption of a message.
#[derive(Clone)]
pub struct Cfb8Encrypt<C: BlockCipher> {
    cipher: C,
    chain: C::Block,
}

debug!([C: BlockCipher + core::fmt::Debug] Cfb8Encrypt<C>, "Cfb8Encrypt", cipher = cipher);

/// CFB-8 decryption of a message.
#[derive(Clone)]
pub struct Cfb8Decrypt<C: BlockCipher> {
    cipher: C,
    chain: C::Block,
}

debug!([C: BlockCipher + core::fmt::Debug] Cfb8Decrypt<C>, "Cfb8Decrypt", cipher = cipher);

cipher_mut! {
    [C: BlockCipher] Cfb8Encrypt<C>;
    [C: BlockCipher] Cfb8Decrypt<C>;
}

impl<C: FusedEncrypt> Cfb8Encrypt<C> {
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

    any_length! {
        /// Encrypts the next bytes of the message in place.
        encrypt encrypt_into encrypt_inout
    }

    /// Does the same as [`encrypt`](Self::encrypt), in place or from one buffer to another.
    #[inline]
    pub fn encrypt_inout(&mut self, data: InOutBuf<'_, '_, u8>) {
        self.cipher.cfb8_encrypt_bytes(&mut self.chain, data);
    }

    /// Encrypts many messages of whole blocks, or their next pieces, with one key. Before the
    /// first piece, the `chain` of each message is the initialization vector. After each piece
    /// it is the last block of ciphertext.
    #[inline]
    pub fn encrypt_many(cipher: &C, messages: &mut [Message<'_, '_, C::Block>]) {
        cipher.cfb8_encrypt_many(messages);
    }
}

impl<C: FusedEncrypt> Cfb8Decrypt<C> {
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

    any_length! {
        /// Decrypts the next bytes of the message in place.
        decrypt decrypt_into decrypt_inout
    }

    /// Does the same as [`decrypt`](Self::decrypt), in place or from one buffer to another.
    #[inline]
    pub fn decrypt_inout(&mut self, data: InOutBuf<'_, '_, u8>) {
        let size = C::Block::SIZE;
        // Four blocks take as many calls of the cipher as the widest kernels compute at once.
        let whole = match data.len() {
            n if n.is_multiple_of(size) => n,
            n => n / (4 * size) * (4 * size),
        };
        let (head, end) = data.split_at(whole);
        if !head.is_empty() {
            let blocks = C::Block::split(head).0;
            self.cipher.cfb8_decrypt_blocks(&mut self.chain, blocks);
        }
        let n = end.len();
        if n == 0 {
            return;
        }
        let mut chain = self.chain;
        if n > size {
            self.chain
                .as_mut()
                .copy_from_slice(&end.get_in()[n - size..]);
        } else {
            self.chain.as_mut().copy_within(n.., 0);
            self.chain.as_mut()[size - n..].copy_from_slice(end.get_in());
        }
        let mut decrypt = |blocks: InOutBuf<'_, '_, _>| {
            self.cipher.cfb8_decrypt_blocks(&mut chain, blocks);
        };
        let mut last = C::Block::ZERO;
        unfused::with_short_last(&mut decrypt, end, &mut last);
    }
}
