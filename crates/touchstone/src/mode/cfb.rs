//! CFB, cipher feedback in segments of one block, [SP800-38A](super) §6.3: the keystream for a
//! block of message is the encryption of the ciphertext block before.
//!
//! The initialization vector must be unpredictable. Encryption and decryption both use only the
//! encryption of the block cipher. CFB encryption is serial, as in [CBC](super::cbc): each
//! block needs the ciphertext of the block before. CFB decryption is parallel.

use inout::InOutBuf;

use super::{any_length, cipher_mut};
use crate::cipher::Block;
use crate::debug::debug;
use crate::fuse::Message;
use crate::wipe::wipe;
use crate::{BlockCipher, DataError, FusedEncrypt, buffer};

/// CFB encryption of a message.
#[derive(Clone)]
pub struct CfbEncrypt<C: BlockCipher> {
    cipher: C,
    state: State<C::Block>,
}

debug!([C: BlockCipher + core::fmt::Debug] CfbEncrypt<C>, "CfbEncrypt", cipher = cipher);

/// CFB decryption of a message.
#[derive(Clone)]
pub struct CfbDecrypt<C: BlockCipher> {
    cipher: C,
    state: State<C::Block>,
}

debug!([C: BlockCipher + core::fmt::Debug] CfbDecrypt<C>, "CfbDecrypt", cipher = cipher);

cipher_mut! {
    [C: BlockCipher] CfbEncrypt<C>;
    [C: BlockCipher] CfbDecrypt<C>;
}

#[derive(Clone)]
struct State<B: Block> {
    /// The last block of ciphertext. If `used` is not zero, its first `used` bytes are already
    /// replaced by the first bytes of the next ciphertext block.
    chain: B,
    /// The keystream for the next block. The keystream is valid only if `used` is not zero.
    keystream: B,
    used: usize,
}

impl<C: FusedEncrypt> CfbEncrypt<C> {
    /// Starts a message with its initialization vector.
    #[inline]
    pub fn new(cipher: C, iv: &C::Block) -> Self {
        let state = State::new(iv);
        Self { cipher, state }
    }

    /// Starts the next message with the same key.
    #[inline]
    pub fn reset(&mut self, iv: &C::Block) {
        self.state.reset(iv);
    }

    any_length! {
        /// Encrypts the next bytes of the message in place.
        encrypt encrypt_into encrypt_inout
    }

    /// Does the same as [`encrypt`](Self::encrypt), in place or from one buffer to another.
    #[inline]
    pub fn encrypt_inout(&mut self, data: InOutBuf<'_, '_, u8>) {
        let cipher = &self.cipher;
        self.state.take::<C, false>(cipher, data, |chain, blocks| {
            cipher.cfb_encrypt_blocks(chain, blocks);
        });
    }

    /// Encrypts many messages of whole blocks, or their next pieces, with one key. Before the
    /// first piece, the `chain` of each message is the initialization vector. After each piece
    /// it is the last block of ciphertext.
    #[inline]
    pub fn encrypt_many(cipher: &C, messages: &mut [Message<'_, '_, C::Block>]) {
        cipher.cfb_encrypt_many(messages);
    }
}

impl<C: FusedEncrypt> CfbDecrypt<C> {
    /// Starts a message with its initialization vector.
    #[inline]
    pub fn new(cipher: C, iv: &C::Block) -> Self {
        let state = State::new(iv);
        Self { cipher, state }
    }

    /// Starts the next message with the same key.
    #[inline]
    pub fn reset(&mut self, iv: &C::Block) {
        self.state.reset(iv);
    }

    any_length! {
        /// Decrypts the next bytes of the message in place.
        decrypt decrypt_into decrypt_inout
    }

    /// Does the same as [`decrypt`](Self::decrypt), in place or from one buffer to another.
    #[inline]
    pub fn decrypt_inout(&mut self, data: InOutBuf<'_, '_, u8>) {
        let cipher = &self.cipher;
        self.state.take::<C, true>(cipher, data, |chain, blocks| {
            cipher.cfb_decrypt_blocks(chain, blocks);
        });
    }
}

impl<B: Block> State<B> {
    #[inline]
    fn new(iv: &B) -> Self {
        Self {
            chain: *iv,
            keystream: B::ZERO,
            used: 0,
        }
    }

    #[inline]
    fn reset(&mut self, iv: &B) {
        wipe(core::slice::from_mut(&mut self.keystream), B::ZERO);
        self.chain = *iv;
        self.used = 0;
    }

    /// Encrypts or decrypts bytes. `bulk` processes the whole blocks of these bytes.
    #[inline]
    fn take<C: FusedEncrypt<Block = B>, const BACKWARDS: bool>(
        &mut self,
        cipher: &C,
        mut data: InOutBuf<'_, '_, u8>,
        bulk: impl FnOnce(&mut B, InOutBuf<'_, '_, B>),
    ) {
        if self.used != 0 {
            let n = data.len().min(B::SIZE - self.used);
            let (now, later) = data.split_at(n);
            self.consume::<BACKWARDS>(now);
            data = later;
        }
        let short = data.len() % B::SIZE;
        if BACKWARDS && short != 0 && data.len() > B::SIZE {
            cipher.cfb_decrypt_bytes(&mut self.chain, data, &mut self.keystream);
            self.used = short;
            return;
        }
        let (blocks, rest) = B::split(data);
        if !blocks.is_empty() {
            bulk(&mut self.chain, blocks);
        }
        if !rest.is_empty() {
            self.keystream = self.chain;
            cipher.encrypt_block(&mut self.keystream);
            self.consume::<BACKWARDS>(rest);
        }
    }

    /// Encrypts or decrypts bytes with the rest of the keystream block. The rest must be long
    /// enough.
    #[inline]
    fn consume<const BACKWARDS: bool>(&mut self, mut data: InOutBuf<'_, '_, u8>) {
        let next = self.used + data.len();
        let chain = &mut self.chain.as_mut()[self.used..next];
        if BACKWARDS {
            chain.copy_from_slice(data.get_in());
        }
        data.xor_in2out(&self.keystream.as_ref()[self.used..next]);
        if !BACKWARDS {
            chain.copy_from_slice(data.get_out());
        }
        self.used = next % B::SIZE;
    }
}

impl<B: Block> Drop for State<B> {
    fn drop(&mut self) {
        // An attacker who finds the keystream in memory could decrypt the next bytes.
        wipe(core::slice::from_mut(&mut self.keystream), B::ZERO);
    }
}
