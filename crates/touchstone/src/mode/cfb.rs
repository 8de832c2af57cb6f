//! CFB, cipher feedback in segments of a block, [SP800-38A](super) §6.3: a block
//! cipher as a stream cipher that feeds on its own output.
//!
//! The initialization vector must be unpredictable. Both directions need the
//! forward cipher only. Encryption is serial, as in [CBC](super::cbc);
//! decryption is parallel.

use inout::InOutBuf;

use super::{any_length, cipher_mut};
use crate::cipher::Block;
use crate::fuse::Message;
use crate::wipe::wipe;
use crate::{BlockCipher, DataError, FusedEncrypt, buffer};

/// CFB, forwards.
pub struct CfbEncrypt<C: BlockCipher> {
    cipher: C,
    state: State<C::Block>,
}

/// CFB, backwards.
pub struct CfbDecrypt<C: BlockCipher> {
    cipher: C,
    state: State<C::Block>,
}

cipher_mut! {
    [C: BlockCipher] CfbEncrypt<C>;
    [C: BlockCipher] CfbDecrypt<C>;
}

struct State<B: Block> {
    /// The last block of ciphertext; its first `used` bytes may be of the next.
    chain: B,
    /// Unless `used` is zero, what is added to the next block.
    keystream: B,
    used: usize,
}

impl<C: FusedEncrypt> CfbEncrypt<C> {
    /// Starts a message.
    #[inline]
    pub fn new(cipher: C, iv: &C::Block) -> Self {
        let state = State::new(iv);
        Self { cipher, state }
    }

    /// Starts the next message with the same key.
    #[inline]
    pub fn reset(&mut self, iv: &C::Block) {
        self.state = State::new(iv);
    }

    any_length! {
        /// Encrypts the next bytes of the message in place.
        encrypt encrypt_into encrypt_inout
    }

    /// [`encrypt`](Self::encrypt), in place or out of place.
    #[inline]
    pub fn encrypt_inout(&mut self, data: InOutBuf<'_, '_, u8>) {
        let cipher = &self.cipher;
        self.state.take::<C, false>(cipher, data, |chain, blocks| {
            cipher.cfb_encrypt_blocks(chain, blocks);
        });
    }

    /// Encrypts many messages of whole blocks, or the next pieces of them, with
    /// one key: each from the chain that it brings, which is its initialization
    /// vector at first and its last ciphertext block when the call returns.
    #[inline]
    pub fn encrypt_many(cipher: &C, messages: &mut [Message<'_, '_, C::Block>]) {
        cipher.cfb_encrypt_many(messages);
    }
}

impl<C: FusedEncrypt> CfbDecrypt<C> {
    /// Starts a message.
    #[inline]
    pub fn new(cipher: C, iv: &C::Block) -> Self {
        let state = State::new(iv);
        Self { cipher, state }
    }

    /// Starts the next message with the same key.
    #[inline]
    pub fn reset(&mut self, iv: &C::Block) {
        self.state = State::new(iv);
    }

    any_length! {
        /// Decrypts the next bytes of the message in place.
        decrypt decrypt_into decrypt_inout
    }

    /// [`decrypt`](Self::decrypt), in place or out of place.
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

    /// Takes bytes, the whole blocks among them by `bulk`.
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

    /// Takes bytes for which there is keystream.
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
        // Keystream decrypts.
        wipe(core::slice::from_mut(&mut self.keystream), B::ZERO);
    }
}
