//! CCM, [SP800-38C](super). CCM computes the CBC-MAC of nonce, lengths, associated data and
//! message, and then encrypts message and MAC in counter mode.
//!
//! CCM authenticates the lengths of tag, associated data and message, so a message in pieces
//! must announce these lengths at its start. The shorter the nonce, the longer the message may
//! be: a nonce of *n* bytes leaves 15 − *n* bytes to store the message's length.

use core::borrow::Borrow;

use inout::InOutBuf;

use super::{
    AeadError, Decryptor, Encryptor, Engine, by_whole, exact_tag, in_pieces, sealed, verified,
};
#[cfg(feature = "aes")]
use crate::block::{Aes128Encrypt, Aes192Encrypt, Aes256Encrypt};
use crate::cipher::Block as _;
use crate::debug::debug;
use crate::keyed::keyed_by_cipher;
use crate::machinery::tail::{block, number};
use crate::mode::ctr;
use crate::wipe::wipe;
use crate::{FusedEncrypt, KeyLengths};

/// CCM over a block cipher of 16 bytes.
#[derive(Clone)]
pub struct Ccm<C> {
    cipher: C,
}

debug!([C: core::fmt::Debug] Ccm<C>, "Ccm", cipher = cipher);

/// CCM with AES and a key of 16 bytes.
#[cfg(feature = "aes")]
pub type Aes128Ccm = Ccm<Aes128Encrypt>;
/// CCM with AES and a key of 24 bytes.
#[cfg(feature = "aes")]
pub type Aes192Ccm = Ccm<Aes192Encrypt>;
/// CCM with AES and a key of 32 bytes.
#[cfg(feature = "aes")]
pub type Aes256Ccm = Ccm<Aes256Encrypt>;

type Block = [u8; 16];

/// The lengths of a message, which CCM needs before the first byte.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lengths {
    /// The length of the associated data in bytes.
    pub aad: u64,
    /// The length of the data in bytes.
    pub data: u64,
    /// The length of the tag in bytes.
    pub tag: usize,
}

/// Returns the first block of the CBC-MAC and the first counter block, [SP800-38C] appendix A, as numbers
/// whose lowest byte is the first one.
#[inline]
fn first_blocks(nonce: &[u8], lengths: Lengths) -> Result<[u128; 2], AeadError> {
    let given = nonce.len();
    if !(7..=13).contains(&given) {
        return Err(AeadError::NonceLength { given });
    }
    let Lengths { aad, data, tag } = lengths;
    if !(4..=16).contains(&tag) || tag % 2 != 0 {
        return Err(AeadError::TagLength { given: tag });
    }
    let q = 15 - given;
    if q < 8 && data >> (8 * q) != 0 {
        return Err(AeadError::MessageLength);
    }
    let counter = number(nonce) << 8 | (q as u128 - 1);
    let flags = u8::from(aad != 0) << 6 | ((tag as u8 - 2) / 2) << 3;
    // At the bytes that the nonce occupies, the bytes of the length are zeros, because the length
    // was checked to fit.
    let first = counter | u128::from(flags) | u128::from(data).swap_bytes();
    Ok([first, counter])
}

/// Returns the encoded length that precedes associated data, [SP800-38C] A.2.2, as a number whose lowest byte
/// is the first one, and the number of bytes of this encoding.
#[inline]
fn aad_prefix(length: u64) -> (u128, usize) {
    match length {
        0 => (0, 0),
        1..0xff00 => ((length as u16).swap_bytes().into(), 2),
        0xff00..=0xffff_ffff => {
            let length = u64::from((length as u32).swap_bytes());
            (u128::from(length << 16 | 0xfeff), 6)
        }
        _ => (u128::from(length.swap_bytes()) << 16 | 0xffff, 10),
    }
}

/// Returns a block of at most 16 bytes of data, filled up with zeros.
#[inline(always)]
fn padded(bytes: &[u8]) -> Block {
    block(number(bytes))
}

impl<C: FusedEncrypt<Block = Block>> Ccm<C> {
    /// Makes the mode from a cipher that is set up with a key, by value or by reference.
    #[inline]
    pub fn with_cipher(cipher: C) -> Self {
        Self { cipher }
    }

    /// Replaces the cipher's key by calling `set`.
    #[inline]
    pub(crate) fn rekey_by<E>(
        &mut self,
        set: impl FnOnce(&mut C) -> Result<(), E>,
    ) -> Result<(), E> {
        set(&mut self.cipher)
    }

    in_pieces! {
        (nonce: &[u8], lengths: Lengths) -> Fallible,
        /// `lengths` are the lengths of the whole message.
        ///
        /// # Errors
        ///
        /// [`AeadError::NonceLength`] for a nonce that does not have 7 to 13 bytes;
        /// [`AeadError::TagLength`] for a length of the tag that CCM does not allow;
        /// [`AeadError::MessageLength`] for a message that is too long for the nonce.
    }

    fn pieces(&self, nonce: &[u8], lengths: Lengths) -> Result<Pieces, AeadError> {
        let mut blocks = first_blocks(nonce, lengths)?.map(block);
        let counter = blocks[1].plus(1);
        self.cipher.encrypt_blocks(blocks.as_mut_slice().into());
        let [chain, mask] = blocks;
        let mut pieces = Pieces {
            counter: ctr::Place::new(counter),
            mask,
            chain,
            used: 0,
            tag: lengths.tag,
            aad: lengths.aad,
            data: lengths.data,
        };
        let (prefix, n) = aad_prefix(lengths.aad);
        pieces.absorb(&self.cipher, &block(prefix)[..n]);
        Ok(pieces)
    }

    #[inline]
    fn whole(
        &self,
        nonce: &[u8],
        aad: &[u8],
        data: InOutBuf<'_, '_, u8>,
        tag: usize,
        backwards: bool,
    ) -> Result<Block, AeadError> {
        let cipher = &self.cipher;
        let lengths = Lengths {
            aad: aad.len() as u64,
            data: data.len() as u64,
            tag,
        };
        let [first, zeroth] = first_blocks(nonce, lengths)?;
        let counter = zeroth.swap_bytes().wrapping_add(1);
        let last = data.len() % 16;
        let (data, mut rest) = {
            let n = data.len() - last;
            data.split_at(n)
        };
        // One call encrypts the independent blocks: the first block of the MAC, the mask of the
        // tag, and the keystream of the last bytes.
        let end = counter.wrapping_add(data.len() as u128 / 16);
        let mut three = [first, zeroth, end.swap_bytes()].map(block);
        let n = if last == 0 { 2 } else { 3 };
        cipher.encrypt_blocks((&mut three[..n]).into());
        let [mut chain, mask, keystream] = three;

        if !aad.is_empty() {
            let (prefix, n) = aad_prefix(lengths.aad);
            let (begin, later) = aad.split_at(aad.len().min(16 - n));
            let first = block(prefix | number(begin) << (8 * n));
            cipher.cbc_mac_blocks(&mut chain, &[first]);
            let (blocks, later) = later.as_chunks();
            if !blocks.is_empty() {
                cipher.cbc_mac_blocks(&mut chain, blocks);
            }
            if !later.is_empty() {
                cipher.cbc_mac_blocks(&mut chain, &[padded(later)]);
            }
        }
        if !data.is_empty() {
            let (blocks, _) = Block::split(data);
            let mut counter = block(counter.swap_bytes());
            cipher.ctr_mac_blocks(&mut counter, &mut chain, backwards, blocks);
        }
        if last != 0 {
            let mut block = padded(rest.get_in());
            rest.xor_in2out(&keystream[..last]);
            if backwards {
                block = padded(rest.get_out());
            }
            cipher.cbc_mac_blocks(&mut chain, &[block]);
            wipe(&mut block, 0);
        }
        wipe(&mut three, [0; 16]);
        Ok(chain.xor(mask))
    }
}

impl<C: FusedEncrypt<Block = Block>> Engine for Ccm<C> {
    const TAGS: &'static [usize] = &[4, 6, 8, 10, 12, 14, 16];
    const NONCES: KeyLengths = KeyLengths::every(1, 7, 13);
    const TAG: usize = 16;

    by_whole!();
}

/// The state of a message that comes in pieces, without the key.
#[doc(hidden)]
pub struct Pieces {
    mask: Block,
    counter: ctr::Place<Block>,
    /// The value of the CBC-MAC chain. The first `used` bytes of the next block are already
    /// XORed to it.
    chain: Block,
    used: usize,
    tag: usize,
    /// `aad` and `data` are the numbers of bytes that are still to come.
    aad: u64,
    data: u64,
}

debug!([] Pieces, "Ccm");

impl Pieces {
    fn absorb(&mut self, cipher: &impl FusedEncrypt<Block = Block>, mut data: &[u8]) {
        if self.used != 0 {
            let (now, later) = data.split_at(data.len().min(16 - self.used));
            self.add(cipher, now);
            data = later;
        }
        let (blocks, rest) = data.as_chunks();
        if !blocks.is_empty() {
            cipher.cbc_mac_blocks(&mut self.chain, blocks);
        }
        self.add(cipher, rest);
    }

    /// XORs bytes to the current block of the CBC-MAC. The block must have room for the bytes.
    fn add(&mut self, cipher: &impl FusedEncrypt<Block = Block>, data: &[u8]) {
        for (sum, byte) in self.chain[self.used..].iter_mut().zip(data) {
            *sum ^= byte;
        }
        self.used += data.len();
        if self.used == 16 {
            self.pad(cipher);
        }
    }

    /// Fills an incomplete block up with zeros and ends it.
    fn pad(&mut self, cipher: &impl FusedEncrypt<Block = Block>) {
        if self.used != 0 {
            cipher.encrypt_block(&mut self.chain);
            self.used = 0;
        }
    }

    /// Checks that the message still has room for `more` bytes of data.
    fn room(&mut self, more: usize) -> Result<(), AeadError> {
        if self.aad != 0 || self.data < more as u64 {
            return Err(AeadError::MessageLength);
        }
        self.data -= more as u64;
        Ok(())
    }
}

impl<C: FusedEncrypt<Block = Block>> sealed::InPieces for Ccm<C> {
    type Block = Block;
    type Pieces = Pieces;

    fn aad(&self, message: &mut Pieces, data: &[u8]) -> Result<(), AeadError> {
        if data.is_empty() {
            return Ok(());
        }
        let left = message.aad.checked_sub(data.len() as u64);
        message.aad = left.ok_or(AeadError::MessageLength)?;
        message.absorb(&self.cipher, data);
        if message.aad == 0 {
            message.pad(&self.cipher);
        }
        Ok(())
    }

    fn encrypt(&self, message: &mut Pieces, data: InOutBuf<'_, '_, u8>) -> Result<(), AeadError> {
        message.room(data.len())?;
        message.absorb(&self.cipher, data.get_in());
        let counter = &mut message.counter;
        counter.apply_inout(&self.cipher, ctr::BigEndian, data);
        Ok(())
    }

    fn decrypt(
        &self,
        message: &mut Pieces,
        mut data: InOutBuf<'_, '_, u8>,
    ) -> Result<(), AeadError> {
        message.room(data.len())?;
        let counter = &mut message.counter;
        counter.apply_inout(&self.cipher, ctr::BigEndian, data.reborrow());
        message.absorb(&self.cipher, data.get_out());
        Ok(())
    }

    fn check_tag(message: &Pieces, length: usize) -> Result<(), AeadError> {
        exact_tag(length, message.tag)
    }

    fn finish(&self, message: &mut Pieces) -> Result<Block, AeadError> {
        if message.aad != 0 || message.data != 0 {
            return Err(AeadError::MessageLength);
        }
        message.pad(&self.cipher);
        Ok(message.chain.xor(message.mask))
    }
}

impl Drop for Pieces {
    fn drop(&mut self) {
        wipe(&mut self.chain, 0);
        wipe(&mut self.mask, 0);
    }
}

keyed_by_cipher! {
    [C: FusedEncrypt<Block = Block>] Ccm<C>, cipher;
}
