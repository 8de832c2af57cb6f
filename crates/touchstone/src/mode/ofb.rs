//! OFB, output feedback, [SP800-38A](super) §6.4. The first block of keystream is the
//! encryption of the initialization vector; each later block is the encryption of the block
//! before.
//!
//! Never use an initialization vector twice with the same key. Never use an initialization
//! vector that occurs in the keystream of another message. The keystream is serial: OFB cannot
//! move to a later byte, and only [many messages](Ofb::apply_many) at once use the processor
//! fully. [CTR](super::ctr) has none of these disadvantages.

use inout::InOutBuf;

use super::{any_length, cipher_mut};
use crate::cipher::Block;
use crate::debug::debug;
use crate::fuse::Message;
use crate::wipe::wipe;
use crate::{BlockCipher, DataError, FusedEncrypt, buffer};

/// OFB encryption and decryption, which are the same operation.
#[derive(Clone)]
pub struct Ofb<C: BlockCipher> {
    cipher: C,
    /// The last block of keystream. The last `left` bytes of this block have not been used.
    chain: C::Block,
    left: usize,
}

debug!([C: BlockCipher + core::fmt::Debug] Ofb<C>, "Ofb", cipher = cipher);

cipher_mut! {
    [C: BlockCipher] Ofb<C>;
}

impl<C: FusedEncrypt> Ofb<C> {
    /// Starts a message with its initialization vector.
    #[inline]
    pub fn new(cipher: C, iv: &C::Block) -> Self {
        Self {
            cipher,
            chain: *iv,
            left: 0,
        }
    }

    /// Starts the next message with the same key.
    #[inline]
    pub fn reset(&mut self, iv: &C::Block) {
        self.chain = *iv;
        self.left = 0;
    }

    any_length! {
        /// Encrypts or decrypts the next bytes of the message in place.
        apply apply_into apply_inout
    }

    /// Does the same as [`apply`](Self::apply), in place or from one buffer to another.
    #[inline]
    pub fn apply_inout(&mut self, data: InOutBuf<'_, '_, u8>) {
        if self.left == 0 && data.len().is_multiple_of(C::Block::SIZE) {
            let (blocks, _) = C::Block::split(data);
            if !blocks.is_empty() {
                self.cipher.ofb_blocks(&mut self.chain, blocks);
            }
        } else {
            self.apply_bytes(data);
        }
    }

    /// Apart, so that a call for whole blocks has no frame.
    #[inline(never)]
    fn apply_bytes(&mut self, mut data: InOutBuf<'_, '_, u8>) {
        if self.left != 0 {
            let n = self.left.min(data.len());
            let (now, later) = data.split_at(n);
            self.consume(now);
            data = later;
        }
        let (blocks, rest) = C::Block::split(data);
        if !blocks.is_empty() {
            self.cipher.ofb_blocks(&mut self.chain, blocks);
        }
        if !rest.is_empty() {
            self.cipher.encrypt_block(&mut self.chain);
            self.left = C::Block::SIZE;
            self.consume(rest);
        }
    }

    /// Encrypts or decrypts many messages of whole blocks, or their next pieces, with one key.
    /// Before the first piece, the `chain` of each message is the initialization vector. After
    /// each piece it is the last block of keystream.
    #[inline]
    pub fn apply_many(cipher: &C, messages: &mut [Message<'_, '_, C::Block>]) {
        cipher.ofb_many(messages);
    }

    /// XORs the next bytes of the keystream block to `data`. The block must have enough unused
    /// bytes.
    #[inline]
    fn consume(&mut self, mut data: InOutBuf<'_, '_, u8>) {
        let from = C::Block::SIZE - self.left;
        data.xor_in2out(&self.chain.as_ref()[from..from + data.len()]);
        self.left -= data.len();
    }
}

impl<C: BlockCipher> Drop for Ofb<C> {
    fn drop(&mut self) {
        // An attacker who finds the keystream in memory could decrypt the next bytes.
        wipe(core::slice::from_mut(&mut self.chain), C::Block::ZERO);
    }
}
