//! OFB, output feedback, [SP800-38A](super) §6.4: the keystream is the
//! initialization vector, encrypted again and again.
//!
//! No initialization vector may serve twice under one key, nor be another
//! message's keystream. The keystream is serial: there is no going to a place in
//! the message, and only [many messages](Ofb::apply_many) fill the machine.
//! [CTR](super::ctr) does all of this better.

use inout::InOutBuf;

use super::{any_length, cipher_mut};
use crate::cipher::Block;
use crate::fuse::Message;
use crate::wipe::wipe;
use crate::{BlockCipher, DataError, FusedEncrypt, buffer};

/// OFB; encryption and decryption are the same.
pub struct Ofb<C: BlockCipher> {
    cipher: C,
    /// The last block of keystream, of which the last `left` bytes have not
    /// served.
    chain: C::Block,
    left: usize,
}

cipher_mut! {
    [C: BlockCipher] Ofb<C>;
}

impl<C: FusedEncrypt> Ofb<C> {
    /// Starts a message.
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

    /// [`apply`](Self::apply), in place or out of place.
    #[inline]
    pub fn apply_inout(&mut self, mut data: InOutBuf<'_, '_, u8>) {
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

    /// Encrypts or decrypts many messages of whole blocks, or the next pieces of
    /// them, with one key: each from the chain that it brings, which is its
    /// initialization vector at first and goes in again with the next piece.
    #[inline]
    pub fn apply_many(cipher: &C, messages: &mut [Message<'_, '_, C::Block>]) {
        cipher.ofb_many(messages);
    }

    /// Adds the next bytes of the keystream block; there are enough.
    #[inline]
    fn consume(&mut self, mut data: InOutBuf<'_, '_, u8>) {
        let from = C::Block::SIZE - self.left;
        data.xor_in2out(&self.chain.as_ref()[from..from + data.len()]);
        self.left -= data.len();
    }
}

impl<C: BlockCipher> Drop for Ofb<C> {
    fn drop(&mut self) {
        // Keystream decrypts.
        wipe(core::slice::from_mut(&mut self.chain), C::Block::ZERO);
    }
}
