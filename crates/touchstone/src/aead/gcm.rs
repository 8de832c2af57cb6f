//! GCM, Galois/counter mode, [SP800-38D](super): encrypts in counter mode, and authenticates
//! the ciphertext with a polynomial hash.
//!
//! If a nonce is used twice under a key, an attacker learns the XOR of the two messages and the
//! hash key, and can then forge any message. Nonces of 12 bytes are used directly. Other nonces
//! are hashed, and two different nonces can have equal hashes by chance. Before you use tags of
//! 4 or 8 bytes, read §5.2.1.2 and appendix C of the standard.
//!
//! GCM uses the kernels of GHASH. With AES, GCM uses fused kernels, which interleave hash and
//! cipher and compute short messages without loops.

#[cfg(all(feature = "aes", feature = "dynamic", feature = "gcm"))]
use alloc::sync::Arc;
use core::borrow::Borrow;

use inout::InOutBuf;

use super::{AeadError, Decryptor, Encryptor, Engine, in_pieces, sealed, verified};
#[cfg(feature = "aes")]
use crate::block::{Aes128Encrypt, Aes192Encrypt, Aes256Encrypt};
use crate::buffer::Words;
use crate::cipher::Block as _;
use crate::debug::debug;
use crate::fuse::gcm_message::Message;
use crate::fuse::unfused::with_buffer;
use crate::ghash::{self, Point, Stream, Table};
#[cfg(all(feature = "aes", feature = "dynamic", feature = "gcm"))]
use crate::keyed::Unkeyed;
use crate::keyed::keyed_by_cipher;
use crate::mode::{Ctr, ctr};
use crate::wipe::wipe;
use crate::{FusedEncrypt, Kernel as _, KeyLengths};

/// GCM with a block cipher of 16-byte blocks.
#[derive(Clone)]
pub struct Gcm<C> {
    cipher: C,
    point: Point,
    table: Table,
}

debug!([C: core::fmt::Debug] Gcm<C>, "Gcm", cipher = cipher);

/// GCM with AES and a key of 16 bytes.
#[cfg(feature = "aes")]
pub type Aes128Gcm = Gcm<Aes128Encrypt>;
/// GCM with AES and a key of 24 bytes.
#[cfg(feature = "aes")]
pub type Aes192Gcm = Gcm<Aes192Encrypt>;
/// GCM with AES and a key of 32 bytes.
#[cfg(feature = "aes")]
pub type Aes256Gcm = Gcm<Aes256Encrypt>;

type Block = [u8; 16];

/// The longest data in bytes, [SP800-38D] §5.2.1.1: 2³² − 2 blocks.
const LONGEST: u64 = (1 << 36) - 32;
const LONGEST_AAD: u64 = (1 << 61) - 1;

/// The counter rule of GCM, the function inc₃₂ of [SP800-38D] §6.2: increments the last 32 bits
/// of the block, which wrap around.
#[derive(Clone, Copy)]
pub(crate) struct Last32;

impl ctr::Rule<Block> for Last32 {
    #[inline]
    fn advance(&self, mut counter: Block, blocks: u128) -> Block {
        if let Some(last) = counter.last_chunk_mut() {
            *last = u32::from_be_bytes(*last)
                .wrapping_add(blocks as u32)
                .to_be_bytes();
        }
        counter
    }

    #[inline]
    fn apply<C: FusedEncrypt<Block = Block>>(
        &self,
        cipher: &C,
        counter: &mut Block,
        mut blocks: InOutBuf<'_, '_, Block>,
    ) {
        // Until the 32-bit counter overflows, this rule equals the big-endian rule.
        loop {
            let [.., a, b, c, d] = *counter;
            let room = (1 << 32) - u64::from(u32::from_be_bytes([a, b, c, d]));
            let n = usize::try_from(room).unwrap_or(usize::MAX);
            let n = n.min(blocks.len());
            let (now, later) = blocks.split_at(n);
            let next = self.advance(*counter, n as u128);
            cipher.ctr_blocks(counter, now);
            *counter = next;
            if later.is_empty() {
                return;
            }
            blocks = later;
        }
    }
}

impl<C: FusedEncrypt<Block = Block>> Gcm<C> {
    /// Makes the mode from a cipher that is set up with a key, by value or by reference.
    #[inline]
    pub fn with_cipher(cipher: C) -> Self {
        Self::with_kernels(cipher, ghash::Kernel::best())
    }

    /// Makes the mode as [`with_cipher`](Self::with_cipher) does, with the given kernel of
    /// GHASH; for tests and measurements.
    #[doc(hidden)]
    #[inline]
    pub fn with_kernels(cipher: C, kernel: ghash::Kernel) -> Self {
        let mut h = [0; 16];
        cipher.encrypt_block(&mut h);
        let point = Point::ghash(kernel, &h);
        wipe(&mut h, 0);
        let mut gcm = Self {
            cipher,
            point,
            table: Table::none(),
        };
        gcm.cipher.gcm_table(&gcm.point, &mut gcm.table);
        gcm
    }

    in_pieces! {
        (nonce: &[u8]) -> Fallible,
        ///
        /// # Errors
        ///
        /// [`AeadError::NonceLength`] for an empty nonce.
    }

    fn pieces(&self, nonce: &[u8]) -> Result<Pieces, AeadError> {
        let first = self.first(nonce)?.to_le_bytes();
        let mut mask = first;
        self.cipher.encrypt_block(&mut mask);
        Ok(Pieces {
            mask,
            counter: ctr::Place::new(ctr::Rule::advance(&Last32, first, 1)),
            hash: Stream::new(),
            aad: 0,
            data: 0,
        })
    }

    /// Computes the first counter block J₀ of [SP800-38D] §7.1, in the form that [`Message`]
    /// requires.
    #[inline]
    fn first(&self, nonce: &[u8]) -> Result<u128, AeadError> {
        if let Ok(nonce) = <&[u8; 12]>::try_from(nonce) {
            // Two loads read the two fields of the nonce (§8.2.1). Programs usually write the
            // fields as two numbers just before the call, and one load of bytes that two recent
            // stores wrote is slow.
            let (fixed, invocation) = nonce.split_at(4);
            let mut parts = ([0; 4], [0; 8]);
            parts.0.copy_from_slice(fixed);
            parts.1.copy_from_slice(invocation);
            let fixed = u128::from(u32::from_le_bytes(parts.0));
            let invocation = u128::from(u64::from_le_bytes(parts.1));
            return Ok(1 << 120 | invocation << 32 | fixed);
        }
        self.first_of_other(nonce)
    }

    /// Computes [`first`](Self::first) for a nonce whose length is not 12 bytes.
    #[cold]
    fn first_of_other(&self, nonce: &[u8]) -> Result<u128, AeadError> {
        if nonce.is_empty() || nonce.len() as u64 > LONGEST_AAD {
            return Err(AeadError::NonceLength { given: nonce.len() });
        }
        let mut sum = 0;
        self.point.update(&mut sum, nonce);
        let length = u128::from(nonce.len() as u64 * 8);
        self.point.element_on(&mut sum, length);
        Ok(u128::from_le_bytes(self.point.block(sum)))
    }

    /// Encrypts a message, and writes as many bytes of its tag as `tag` has. Inlined in GMAC, whose
    /// message is empty: a buffer that is passed in memory is stored by words and loaded at once,
    /// and the load waits for the stores.
    #[inline(always)]
    pub(super) fn encrypt_to(
        &self,
        nonce: &[u8],
        aad: &[u8],
        data: InOutBuf<'_, '_, u8>,
        tag: &mut [u8],
    ) -> Result<(), AeadError> {
        let mut whole = [0; 16];
        // The cipher writes a full tag directly to its destination, because a copy whose length
        // is not known at compile time is a function call.
        let place = match <&mut Block>::try_from(&mut *tag) {
            Ok(tag) => tag,
            Err(_) => {
                check_tag(tag.len())?;
                &mut whole
            }
        };
        self.whole(nonce, aad, data, false, place)?;
        if tag.len() != 16 {
            tag.copy_from_slice(&whole[..tag.len()]);
        }
        Ok(())
    }

    #[inline(always)]
    fn whole(
        &self,
        nonce: &[u8],
        aad: &[u8],
        mut data: InOutBuf<'_, '_, u8>,
        backwards: bool,
        tag: &mut Block,
    ) -> Result<(), AeadError> {
        if data.len() as u64 > LONGEST || aad.len() as u64 > LONGEST_AAD {
            return Err(AeadError::MessageLength);
        }
        let first = self.first(nonce)?;
        let message = Message {
            point: &self.point,
            table: &self.table,
            first,
            aad,
            data: Words::of(data.reborrow()),
            backwards,
        };
        if !self.cipher.gcm(message, tag) {
            *tag = unfused(
                &self.cipher,
                Message {
                    point: &self.point,
                    table: &self.table,
                    first,
                    aad,
                    data: Words::of(data),
                    backwards,
                },
            );
        }
        Ok(())
    }
}

/// Overwrites the output of a forged message with zeros.
#[cold]
#[inline(never)]
fn wipe_output(data: &mut Words<'_, '_>) {
    wipe(data.reborrow().buffer().get_out(), 0);
}

/// Checks the length of a tag, [SP800-38D] §5.2.1.2.
#[inline]
pub(crate) fn check_tag(length: usize) -> Result<(), AeadError> {
    match length {
        4 | 8 | 12..=16 => Ok(()),
        given => Err(AeadError::TagLength { given }),
    }
}

#[cfg(all(feature = "aes", feature = "dynamic", feature = "gcm"))]
impl<C: FusedEncrypt<Block = Block>> Gcm<C> {
    /// Makes an object on the heap that has no key yet, see [`Unkeyed`]. Its fields are written there: a
    /// whole object of a KiB would be moved there twice.
    #[allow(unsafe_code)]
    pub(crate) fn unkeyed(kernel: C::Kernel) -> Arc<Self>
    where
        C: Unkeyed,
    {
        let new = Arc::<Self>::new_uninit();
        let place = Arc::as_ptr(&new).cast::<Self>().cast_mut();
        // SAFETY: nothing else owns the object or borrows from it. Each of its fields is written.
        unsafe {
            (&raw mut (*place).cipher).write(C::unkeyed(kernel));
            (&raw mut (*place).point).write(Point::unset(ghash::Kernel::best()));
            (&raw mut (*place).table).write(Table::none());
            new.assume_init()
        }
    }
}

impl<C: FusedEncrypt<Block = Block>> Engine for Gcm<C> {
    const TAGS: &'static [usize] = &[4, 8, 12, 13, 14, 15, 16];
    const NONCES: KeyLengths = KeyLengths::every(1, 1, usize::MAX);
    const TAG: usize = 16;

    #[inline]
    fn encrypt_inout(
        &self,
        nonce: &[u8],
        aad: &[u8],
        data: InOutBuf<'_, '_, u8>,
        tag: &mut [u8],
    ) -> Result<(), AeadError> {
        let mut data = Words::of(data);
        if self.encrypt_short(nonce, aad, &mut data, tag) {
            return Ok(());
        }
        self.encrypt_longer(nonce, aad, data, tag)
    }

    #[inline]
    fn decrypt_inout(
        &self,
        nonce: &[u8],
        aad: &[u8],
        data: InOutBuf<'_, '_, u8>,
        tag: &[u8],
    ) -> Result<(), AeadError> {
        let mut data = Words::of(data);
        match self.decrypt_short(nonce, aad, &mut data, tag) {
            None => self.decrypt_longer(nonce, aad, data, tag),
            Some(true) => Ok(()),
            Some(false) => Err(AeadError::Forged),
        }
    }

    const SHORT: bool = true;

    #[inline(always)]
    fn encrypt_short(
        &self,
        nonce: &[u8],
        aad: &[u8],
        data: &mut Words<'_, '_>,
        tag: &mut [u8],
    ) -> bool {
        let (Ok(nonce), Ok(tag)) = (nonce.try_into(), tag.try_into()) else {
            return false;
        };
        let takes = self.table.takes(aad.len(), data.len());
        if takes {
            self.cipher.gcm_seal(&self.table, nonce, aad, data, tag);
        }
        takes
    }

    #[inline(always)]
    fn decrypt_short(
        &self,
        nonce: &[u8],
        aad: &[u8],
        data: &mut Words<'_, '_>,
        tag: &[u8],
    ) -> Option<bool> {
        let (Ok(nonce), Ok(tag)) = (nonce.try_into(), tag.try_into()) else {
            return None;
        };
        if !self.table.takes(aad.len(), data.len()) {
            return None;
        }
        let right = self.cipher.gcm_open(&self.table, nonce, aad, data, tag);
        if !right {
            wipe_output(data);
        }
        Some(right)
    }

    #[inline]
    fn encrypt_longer(
        &self,
        nonce: &[u8],
        aad: &[u8],
        data: Words<'_, '_>,
        tag: &mut [u8],
    ) -> Result<(), AeadError> {
        self.encrypt_to(nonce, aad, data.buffer(), tag)
    }

    #[inline]
    fn decrypt_longer(
        &self,
        nonce: &[u8],
        aad: &[u8],
        data: Words<'_, '_>,
        tag: &[u8],
    ) -> Result<(), AeadError> {
        let mut data = data.buffer();
        let mut whole = [0; 16];
        check_tag(tag.len())?;
        self.whole(nonce, aad, data.reborrow(), true, &mut whole)?;
        let result = verified(&whole, tag, &mut data);
        // The right tag of a forged message is a secret.
        wipe(&mut whole, 0);
        result
    }
}

/// Computes GCM without fused kernels. Counter mode and hash alternate after some blocks, so
/// that the hash finds the blocks in the cache.
pub(crate) fn unfused<C: FusedEncrypt<Block = Block>>(
    cipher: &C,
    message: Message<'_, '_, '_>,
) -> Block {
    let Message {
        point,
        table: _,
        first,
        aad,
        data,
        backwards,
    } = message;
    let mut data = data.buffer();
    let mut mask = first.to_le_bytes();
    let (aad_length, length) = (aad.len() as u64, data.len() as u64);
    let mut sum = 0;
    point.update(&mut sum, aad);
    if data.len() <= SHORT && data.len().div_ceil(16) != 16 {
        if backwards {
            point.update(&mut sum, data.get_in());
        }
        counter_mode_and_mask(cipher, &mut mask, data.reborrow());
        if !backwards {
            point.update(&mut sum, data.get_out());
        }
    } else {
        let second = ctr::Rule::advance(&Last32, mask, 1);
        let mut counter = Ctr::with_rule(cipher, &second, Last32);
        cipher.encrypt_block(&mut mask);
        while !data.is_empty() {
            let n = data.len().min(STRETCH);
            let (mut now, later) = data.split_at(n);
            if backwards {
                point.update(&mut sum, now.get_in());
                counter.apply_inout(now);
            } else {
                counter.apply_inout(now.reborrow());
                point.update(&mut sum, now.get_out());
            }
            data = later;
        }
    }
    let lengths = u128::from(aad_length * 8) << 64 | u128::from(length * 8);
    point.element_on(&mut sum, lengths);
    let tag = point.block(sum).xor(mask);
    wipe(&mut mask, 0);
    tag
}

/// The longest message for [`counter_mode_and_mask`]. With the mask, this is a whole number of
/// most kernels' groups of blocks. 16 blocks are a whole number themselves.
const SHORT: usize = 63 * 16;

/// Computes counter mode on a short message, and the mask of its tag: the keystream of the block
/// before the message. `mask` is the first counter block before the call. One call of the cipher
/// computes both, because the kernels compute several blocks in the time of one.
fn counter_mode_and_mask<C: FusedEncrypt<Block = Block>>(
    cipher: &C,
    mask: &mut Block,
    mut data: InOutBuf<'_, '_, u8>,
) {
    let n = data.len();
    if n == 0 {
        return cipher.encrypt_block(mask);
    }
    let blocks = 1 + n.div_ceil(16);
    with_buffer(blocks, |buffer: &mut [Block]| {
        let buffer = &mut buffer[..blocks];
        buffer[1..].as_flattened_mut()[..n].copy_from_slice(data.get_in());
        let mut counter = *mask;
        ctr::Rule::apply(&Last32, cipher, &mut counter, (&mut *buffer).into());
        *mask = buffer[0];
        data.get_out()
            .copy_from_slice(&buffer[1..].as_flattened()[..n]);
        wipe(buffer, [0; 16]);
    });
}

/// The number of bytes that counter mode processes before the hash. So many bytes stay in the
/// first-level cache.
pub(super) const STRETCH: usize = 4096;

impl<C: FusedEncrypt<Block = Block>> Gcm<C> {
    /// Adds the next piece of a message that has only associated data.
    #[cfg(feature = "dynamic")]
    pub(crate) fn absorb_aad(&self, hash: &mut Stream, data: &[u8]) {
        hash.update(&self.point, data);
    }

    /// Returns the tag of a message that has `length` bytes of associated data and no data.
    #[cfg(feature = "dynamic")]
    pub(crate) fn tag_of_aad(
        &self,
        nonce: &[u8],
        mut hash: Stream,
        length: u64,
    ) -> Result<Block, AeadError> {
        if length > LONGEST_AAD {
            return Err(AeadError::MessageLength);
        }
        let mut mask = self.first(nonce)?.to_le_bytes();
        self.cipher.encrypt_block(&mut mask);
        hash.pad(&self.point);
        let tag = hash.finish(&self.point, length, 0).xor(mask);
        wipe(&mut mask, 0);
        Ok(tag)
    }
}

/// The state of a message that comes in pieces, without the key.
#[doc(hidden)]
pub struct Pieces {
    mask: Block,
    counter: ctr::Place<Block>,
    hash: Stream,
    aad: u64,
    data: u64,
}

debug!([] Pieces, "Gcm");

impl Pieces {
    /// Checks that the message has room for `more` bytes of data, and ends the associated data
    /// when the first data arrives.
    #[inline]
    fn room(&mut self, point: &Point, more: usize) -> Result<(), AeadError> {
        let data = self.data.checked_add(more as u64);
        let data = data.filter(|n| *n <= LONGEST);
        let data = data.ok_or(AeadError::MessageLength)?;
        if self.data == 0 {
            self.hash.pad(point);
        }
        self.data = data;
        Ok(())
    }
}

impl Drop for Pieces {
    fn drop(&mut self) {
        wipe(&mut self.mask, 0);
    }
}

impl<C: FusedEncrypt<Block = Block>> sealed::InPieces for Gcm<C> {
    type Block = Block;
    type Pieces = Pieces;

    fn aad(&self, message: &mut Pieces, data: &[u8]) -> Result<(), AeadError> {
        let aad = message.aad.checked_add(data.len() as u64);
        let aad = aad.filter(|n| *n <= LONGEST_AAD);
        message.aad = aad.ok_or(AeadError::MessageLength)?;
        message.hash.update(&self.point, data);
        Ok(())
    }

    fn encrypt(
        &self,
        message: &mut Pieces,
        mut data: InOutBuf<'_, '_, u8>,
    ) -> Result<(), AeadError> {
        message.room(&self.point, data.len())?;
        while !data.is_empty() {
            let n = data.len().min(STRETCH);
            let (mut now, later) = data.split_at(n);
            let counter = &mut message.counter;
            counter.apply_inout(&self.cipher, Last32, now.reborrow());
            message.hash.update(&self.point, now.get_out());
            data = later;
        }
        Ok(())
    }

    fn decrypt(
        &self,
        message: &mut Pieces,
        mut data: InOutBuf<'_, '_, u8>,
    ) -> Result<(), AeadError> {
        message.room(&self.point, data.len())?;
        while !data.is_empty() {
            let n = data.len().min(STRETCH);
            let (now, later) = data.split_at(n);
            message.hash.update(&self.point, now.get_in());
            message.counter.apply_inout(&self.cipher, Last32, now);
            data = later;
        }
        Ok(())
    }

    fn check_tag(_: &Pieces, length: usize) -> Result<(), AeadError> {
        check_tag(length)
    }

    fn finish(&self, message: &mut Pieces) -> Result<Block, AeadError> {
        message.hash.pad(&self.point);
        let hash = message.hash.clone();
        let sum = hash.finish(&self.point, message.aad, message.data);
        Ok(sum.xor(message.mask))
    }
}

impl<C: FusedEncrypt<Block = Block>> Gcm<C> {
    /// Replaces the cipher's key by calling `set`, and computes the values that GCM
    /// derives from the cipher.
    #[inline]
    pub(crate) fn rekey_by<E>(
        &mut self,
        set: impl FnOnce(&mut C) -> Result<(), E>,
    ) -> Result<(), E> {
        set(&mut self.cipher)?;
        let mut h = [0; 16];
        self.cipher.encrypt_block(&mut h);
        self.point.set_ghash(&h);
        wipe(&mut h, 0);
        self.cipher.gcm_table(&self.point, &mut self.table);
        Ok(())
    }
}

keyed_by_cipher! {
    [C: FusedEncrypt<Block = Block>] Gcm<C>, cipher;
}
