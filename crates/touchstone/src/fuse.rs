//! The modes that a cipher's kernels can *fuse*: a fused mode computes the mode and the cipher
//! in one loop, with no buffer between them.
//!
//! Each mode is a method of [`FusedEncrypt`] or [`FusedDecrypt`]. Each method has a default
//! form that works for any cipher. A cipher of this crate overrides the methods that its
//! kernels compute faster. The modes, the MACs and the AEADs of this crate call these methods.
//! Programs call the modes, not these methods.
//!
//! The traits are sealed, because every new mode adds methods to them. A block cipher from
//! outside of this crate gets these traits from the wrapper [`Unfused`]:
//!
//! ```
//! use touchstone::mode::Ctr;
//! use touchstone::{BlockCipher, BlockEncrypt, InOutBuf, Unfused};
//!
//! /// Not a cipher: it adds a constant to each block.
//! struct Toy;
//!
//! impl BlockCipher for Toy {
//!     type Block = [u8; 8];
//! }
//!
//! impl BlockEncrypt for Toy {
//!     fn encrypt_blocks(&self, blocks: InOutBuf<'_, '_, [u8; 8]>) {
//!         for mut block in blocks {
//!             *block.get_out() = block.get_in().map(|byte| byte ^ 0x55);
//!         }
//!     }
//! }
//!
//! let mut message = [0; 3];
//! Ctr::new(&Unfused(Toy), &[0; 8]).apply(&mut message);
//! assert_eq!(message, [0x55; 3]);
//! ```

use inout::InOutBuf;
use zeroize::ZeroizeOnDrop;

use crate::buffer::Words;
use crate::cipher::{BlockCipher, BlockDecrypt, BlockEncrypt};
use crate::debug::debug;
use crate::ghash;
use crate::key_length::{InvalidKeyLength, KeyLengths};
use crate::keyed::{FixedKey, Keyed};
use forward::{decrypt_methods, encrypt_methods};

pub(crate) mod forward;
pub(crate) mod gcm_message;
pub(crate) mod ocb_offsets;
pub(crate) mod unfused;

mod sealed {
    pub trait Sealed {}
}

/// A type of this crate that implements [`FusedEncrypt`] or [`FusedDecrypt`].
pub(crate) use sealed::Sealed;

/// The encrypting half of a block cipher, with the modes that kernels can fuse.
///
/// Every block cipher of this crate implements this trait, and [`Unfused`] implements it
/// for any other.
pub trait FusedEncrypt: BlockEncrypt + Sealed {
    /// CTR: XORs to each block the encryption of the counter. After each block the
    /// counter goes up by one, as a big-endian number of a block's width.
    #[inline]
    fn ctr_blocks(&self, counter: &mut Self::Block, blocks: InOutBuf<'_, '_, Self::Block>) {
        unfused::ctr(self, unfused::next, counter, blocks);
    }

    /// Computes [`ctr_blocks`](Self::ctr_blocks) on bytes. If the last block is short, the last
    /// bytes of `keystream` receive the unused keystream. A cipher that overrides
    /// [`ctr_blocks`](Self::ctr_blocks) also overrides this method.
    #[inline]
    fn ctr_bytes(
        &self,
        counter: &mut Self::Block,
        data: InOutBuf<'_, '_, u8>,
        keystream: &mut Self::Block,
    ) {
        unfused::ctr_of_bytes(self, counter, data, keystream);
    }

    /// CBC encryption: encrypts the XOR of each block and the ciphertext of the block before.
    /// Before the call, `chain` is the ciphertext before the first block, or the initialization
    /// vector. After the call, `chain` is the last block of ciphertext.
    #[inline]
    fn cbc_encrypt_blocks(&self, chain: &mut Self::Block, blocks: InOutBuf<'_, '_, Self::Block>) {
        unfused::cbc_encrypt(self, chain, blocks);
    }

    /// Computes [`cbc_encrypt_blocks`](Self::cbc_encrypt_blocks) on each message.
    #[inline]
    fn cbc_encrypt_many(&self, messages: &mut [Message<'_, '_, Self::Block>]) {
        unfused::cbc_encrypt_many(&unfused::encryption(self), messages);
    }

    /// CFB encryption: XORs to each block the encryption of the ciphertext block before. Before
    /// the call, `chain` is the ciphertext before the first block, or the initialization
    /// vector. After the call, `chain` is the last block of ciphertext.
    #[inline]
    fn cfb_encrypt_blocks(&self, chain: &mut Self::Block, blocks: InOutBuf<'_, '_, Self::Block>) {
        unfused::cfb_encrypt(self, chain, blocks);
    }

    /// Computes [`cfb_encrypt_blocks`](Self::cfb_encrypt_blocks) on each message.
    #[inline]
    fn cfb_encrypt_many(&self, messages: &mut [Message<'_, '_, Self::Block>]) {
        unfused::cfb_encrypt_many(&unfused::encryption(self), messages);
    }

    /// CFB decryption, the inverse of [`cfb_encrypt_blocks`](Self::cfb_encrypt_blocks).
    #[inline]
    fn cfb_decrypt_blocks(&self, chain: &mut Self::Block, blocks: InOutBuf<'_, '_, Self::Block>) {
        unfused::cfb_decrypt(self, chain, blocks);
    }

    /// Computes [`cfb_decrypt_blocks`](Self::cfb_decrypt_blocks) on at least one block and then on bytes
    /// that are fewer than a block. The first bytes of `chain` receive these bytes of ciphertext, and
    /// the last bytes of `keystream` the unused keystream.
    #[inline]
    fn cfb_decrypt_bytes(
        &self,
        chain: &mut Self::Block,
        data: InOutBuf<'_, '_, u8>,
        keystream: &mut Self::Block,
    ) {
        let decrypt = &mut |blocks: InOutBuf<'_, '_, _>| self.cfb_decrypt_blocks(chain, blocks);
        unfused::with_short_last(decrypt, data, keystream);
    }

    /// CFB-8 encryption: XORs to each byte the first byte of the encryption of `chain`,
    /// then drops the first byte of `chain` and appends the byte of ciphertext.
    #[inline]
    fn cfb8_encrypt_bytes(&self, chain: &mut Self::Block, bytes: InOutBuf<'_, '_, u8>) {
        unfused::cfb8_encrypt(self, chain, bytes);
    }

    /// Computes [`cfb8_encrypt_bytes`](Self::cfb8_encrypt_bytes) on each message.
    #[inline]
    fn cfb8_encrypt_many(&self, messages: &mut [Message<'_, '_, Self::Block>]) {
        unfused::cfb8_encrypt_many(&unfused::encryption(self), messages);
    }

    /// CFB-8 decryption, the inverse of [`cfb8_encrypt_bytes`](Self::cfb8_encrypt_bytes), on
    /// bytes that fill whole blocks.
    #[inline]
    fn cfb8_decrypt_blocks(&self, chain: &mut Self::Block, blocks: InOutBuf<'_, '_, Self::Block>) {
        unfused::cfb8_decrypt(&unfused::encryption(self), chain, blocks);
    }

    /// OFB: for each block of the message, encrypts `chain` and XORs the result to the block.
    #[inline]
    fn ofb_blocks(&self, chain: &mut Self::Block, blocks: InOutBuf<'_, '_, Self::Block>) {
        unfused::ofb(self, chain, blocks);
    }

    /// Computes [`ofb_blocks`](Self::ofb_blocks) on each message.
    #[inline]
    fn ofb_many(&self, messages: &mut [Message<'_, '_, Self::Block>]) {
        unfused::ofb_many(&unfused::encryption(self), messages);
    }

    /// XTS encryption of one data unit of at least one block. For each block: XORs the tweak to
    /// the block, encrypts, XORs the tweak again, and then doubles the tweak as a little-endian
    /// number. A short last block is encrypted with ciphertext stealing.
    #[inline]
    fn xts_encrypt(&self, tweak: &Self::Block, unit: InOutBuf<'_, '_, u8>) {
        unfused::xts_encrypt(&unfused::encryption(self), tweak, unit);
    }

    /// CBC-MAC: changes `chain` as [`cbc_encrypt_blocks`](Self::cbc_encrypt_blocks) does,
    /// and writes no ciphertext.
    #[inline]
    fn cbc_mac_blocks(&self, chain: &mut Self::Block, blocks: &[Self::Block]) {
        unfused::cbc_mac(self, chain, blocks);
    }

    /// Computes [`cbc_mac_blocks`](Self::cbc_mac_blocks) on each message.
    #[inline]
    fn cbc_mac_many(&self, messages: &mut [Absorbed<'_, Self::Block>]) {
        unfused::cbc_mac_many(&unfused::encryption(self), messages);
    }

    /// Computes [`ctr_blocks`](Self::ctr_blocks) and [`cbc_mac_blocks`](Self::cbc_mac_blocks)
    /// in one loop. If `of_output` is true, the MAC covers the output of counter mode.
    /// Otherwise the MAC covers the input.
    #[inline]
    fn ctr_mac_blocks(
        &self,
        counter: &mut Self::Block,
        chain: &mut Self::Block,
        of_output: bool,
        blocks: InOutBuf<'_, '_, Self::Block>,
    ) {
        unfused::ctr_mac(self, counter, chain, of_output, blocks);
    }

    /// Counter mode of GCM-SIV: the counter is the first 32 bits of the block, a little-endian
    /// number.
    #[doc(hidden)]
    #[inline]
    fn ctr_le32_blocks(&self, counter: &mut Self::Block, blocks: InOutBuf<'_, '_, Self::Block>) {
        unfused::ctr(self, unfused::next_le32, counter, blocks);
    }

    /// Encrypts the blocks of OCB3 that come before those of the message. `nonce` is the nonce's block
    /// without its last six bits, which are `bottom`. Returns whether a kernel has a form for blocks of
    /// 16 bytes. If the result is false, the function did nothing.
    #[doc(hidden)]
    #[inline]
    fn ocb_start(&self, nonce: u128, bottom: u32, start: &mut ocb_offsets::Start) -> bool {
        let _ = (nonce, bottom, start);
        false
    }

    /// OCB3 encryption of the next whole blocks of a message.
    #[doc(hidden)]
    #[inline]
    fn ocb_encrypt_blocks(
        &self,
        walk: &mut ocb_offsets::Walk<'_, Self::Block>,
        blocks: InOutBuf<'_, '_, Self::Block>,
    ) {
        ocb_offsets::encrypt_unfused(&unfused::encryption(self), walk, blocks);
    }

    /// Computes the hash of OCB3 over the next whole blocks of associated data.
    #[doc(hidden)]
    #[inline]
    fn ocb_hash_blocks(
        &self,
        walk: &mut ocb_offsets::Walk<'_, Self::Block>,
        blocks: &[Self::Block],
    ) {
        ocb_offsets::hash_unfused(&unfused::encryption(self), walk, blocks);
    }

    /// Computes the six passes of key wrap over the half blocks `halves`; `a` is the check
    /// value. Returns whether a kernel has a fused form of key wrap. If the result is false,
    /// the function did nothing.
    #[doc(hidden)]
    #[inline]
    fn wrap_halves(&self, a: &mut [u8; 8], halves: &mut [[u8; 8]]) -> bool {
        let _ = (a, halves);
        false
    }

    /// Computes the powers of the hash key that [`gcm`](Self::gcm) needs and that `point` does
    /// not contain.
    #[doc(hidden)]
    #[inline]
    fn gcm_table(&self, point: &ghash::Point, table: &mut ghash::Table) {
        let _ = (point, table);
    }

    /// Computes GCM on one whole message and writes the tag to `tag`. Returns whether a kernel
    /// has a fused form of GCM. If the result is false, the function did nothing. The message
    /// comes by value, so that its fields can stay in registers.
    #[doc(hidden)]
    #[inline]
    fn gcm(&self, message: gcm_message::Message<'_, '_, '_>, tag: &mut [u8; 16]) -> bool {
        let _ = (message, tag);
        false
    }

    /// Encrypts a short message in GCM and writes its tag.
    #[doc(hidden)]
    #[inline]
    fn gcm_seal(
        &self,
        table: &ghash::Table,
        nonce: &[u8; 12],
        aad: &[u8],
        data: &mut Words<'_, '_>,
        tag: &mut [u8; 16],
    ) {
        let _ = (table, nonce, aad, data, tag);
    }

    /// Decrypts a short message in GCM, and returns whether its tag is right.
    #[doc(hidden)]
    #[inline]
    fn gcm_open(
        &self,
        table: &ghash::Table,
        nonce: &[u8; 12],
        aad: &[u8],
        data: &mut Words<'_, '_>,
        tag: &[u8; 16],
    ) -> bool {
        let _ = (table, nonce, aad, data, tag);
        false
    }

    /// Computes GCM-SIV on one whole message and writes the tag to `tag`. Returns whether a
    /// kernel has a fused form of GCM-SIV. If the result is false, the function did nothing.
    #[doc(hidden)]
    #[inline]
    fn gcm_siv(
        &self,
        hash: ghash::Kernel,
        message: &mut gcm_message::SivMessage<'_, '_, '_>,
        tag: &mut [u8; 16],
    ) -> bool {
        let _ = (hash, message, tag);
        false
    }
}

/// The decrypting half of a block cipher, with the modes that kernels can fuse.
///
/// Every block cipher of this crate implements this trait, and [`Unfused`] implements it
/// for any other.
pub trait FusedDecrypt: BlockDecrypt + Sealed {
    /// OCB3 decryption of the next whole blocks of a message.
    #[doc(hidden)]
    #[inline]
    fn ocb_decrypt_blocks(
        &self,
        walk: &mut ocb_offsets::Walk<'_, Self::Block>,
        blocks: InOutBuf<'_, '_, Self::Block>,
    ) {
        ocb_offsets::decrypt_unfused(&unfused::decryption(self), walk, blocks);
    }

    /// CBC decryption, the inverse of [`FusedEncrypt::cbc_encrypt_blocks`].
    #[inline]
    fn cbc_decrypt_blocks(&self, chain: &mut Self::Block, blocks: InOutBuf<'_, '_, Self::Block>) {
        unfused::cbc_decrypt(&unfused::decryption(self), chain, blocks);
    }

    /// XTS decryption, the inverse of [`FusedEncrypt::xts_encrypt`].
    #[inline]
    fn xts_decrypt(&self, tweak: &Self::Block, unit: InOutBuf<'_, '_, u8>) {
        unfused::xts_decrypt(&unfused::decryption(self), tweak, unit);
    }

    /// Computes the inverse of [`FusedEncrypt::wrap_halves`]. Returns whether a kernel has a
    /// fused form of key wrap. If the result is false, the function did nothing.
    #[doc(hidden)]
    #[inline]
    fn unwrap_halves(&self, a: &mut [u8; 8], halves: &mut [[u8; 8]]) -> bool {
        let _ = (a, halves);
        false
    }
}

/// One of many messages under one key, for a mode that takes many messages in one call.
pub struct Message<'i, 'o, B> {
    /// Before a call, the initialization vector. After the call, the last block of ciphertext,
    /// or the last block of keystream if the mode is OFB.
    pub chain: B,
    /// The blocks to encrypt, in place or from one buffer to another.
    pub blocks: InOutBuf<'i, 'o, B>,
}

/// One of many messages under one key, for CBC-MAC, which computes only the last block of the
/// chain.
#[derive(Clone, Copy)]
pub struct Absorbed<'i, B> {
    /// The value of the CBC chain: before a call at the start of `blocks`, after the call at
    /// the end.
    pub chain: B,
    /// The blocks of the message, which the CBC chain processes.
    pub blocks: &'i [B],
}

debug!([B] Message<'_, '_, B>, "Message");
debug!([B] Absorbed<'_, B>, "Absorbed");

impl<C: Sealed + ?Sized> Sealed for &C {}

impl<C: FusedEncrypt + ?Sized> FusedEncrypt for &C {
    encrypt_methods!(|cipher| (**cipher));
}

impl<C: FusedDecrypt + ?Sized> FusedDecrypt for &C {
    decrypt_methods!(|cipher| (**cipher));
}

#[cfg(feature = "alloc")]
impl<C: Sealed + ?Sized> Sealed for alloc::boxed::Box<C> {}

#[cfg(feature = "alloc")]
impl<C: FusedEncrypt + ?Sized> FusedEncrypt for alloc::boxed::Box<C> {
    encrypt_methods!(|cipher| (**cipher));
}

#[cfg(feature = "alloc")]
impl<C: FusedDecrypt + ?Sized> FusedDecrypt for alloc::boxed::Box<C> {
    decrypt_methods!(|cipher| (**cipher));
}

/// A block cipher from outside of this crate. Each mode uses the form that works for any
/// cipher.
#[derive(Clone)]
pub struct Unfused<C>(pub C);

debug!([C: core::fmt::Debug] Unfused<C>, "Unfused", cipher = 0);

impl<C: BlockCipher> BlockCipher for Unfused<C> {
    type Block = C::Block;
}

impl<C: BlockEncrypt> BlockEncrypt for Unfused<C> {
    #[inline]
    fn encrypt_blocks(&self, blocks: InOutBuf<'_, '_, Self::Block>) {
        self.0.encrypt_blocks(blocks);
    }

    #[inline]
    fn encrypt_block(&self, block: &mut Self::Block) {
        self.0.encrypt_block(block);
    }
}

impl<C: BlockDecrypt> BlockDecrypt for Unfused<C> {
    #[inline]
    fn decrypt_blocks(&self, blocks: InOutBuf<'_, '_, Self::Block>) {
        self.0.decrypt_blocks(blocks);
    }

    #[inline]
    fn decrypt_block(&self, block: &mut Self::Block) {
        self.0.decrypt_block(block);
    }
}

impl<C> Sealed for Unfused<C> {}
impl<C: BlockEncrypt> FusedEncrypt for Unfused<C> {}
impl<C: BlockDecrypt> FusedDecrypt for Unfused<C> {}

impl<C: FixedKey> FixedKey for Unfused<C> {
    type Key = C::Key;
}

impl<C: Keyed> Keyed for Unfused<C> {
    type Kernel = C::Kernel;
    const KEY_LENGTHS: KeyLengths = C::KEY_LENGTHS;

    fn with_kernel(kernel: C::Kernel, key: &[u8]) -> Result<Self, InvalidKeyLength> {
        C::with_kernel(kernel, key).map(Self)
    }

    fn rekey(&mut self, key: &[u8]) -> Result<(), InvalidKeyLength> {
        self.0.rekey(key)
    }

    fn kernel_in_use(&self) -> C::Kernel {
        self.0.kernel_in_use()
    }
}

impl<C: ZeroizeOnDrop> ZeroizeOnDrop for Unfused<C> {}
