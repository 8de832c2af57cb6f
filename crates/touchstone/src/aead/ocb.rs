//! OCB3, [RFC7253](super). OCB3 XORs an offset to each block before and after encryption; each
//! block has its own offset. The tag is the encryption of a checksum of all blocks.
//!
//! OCB3 takes little more time than the cipher alone. If a nonce is used twice under a key, the
//! message is neither secret nor authentic. OCB3 authenticates the length of the tag too.
//!
//! The offsets follow a Gray code: the offset of block *i* is the offset of the block before
//! XOR L_n, where *n* is the number of zero bits at the end of *i*. The XOR of the offset at a
//! multiple of 32 and each of the 31 offsets after it depends only on the key. The kernels use
//! a table of these 31 values.
//!
//! If the data comes in pieces, each piece except the last must be whole blocks, because
//! OCB3 cannot encrypt a part of a block.

use core::borrow::Borrow;

use inout::InOutBuf;

use super::{
    AeadError, Decryptor, Encryptor, Engine, by_whole, exact_tag, in_pieces, sealed, verified,
};
#[cfg(feature = "aes")]
use crate::block::{Aes128, Aes192, Aes256};
use crate::cipher::Block as _;
use crate::debug::debug;
/// The offsets of OCB3, which kernels receive. The C interface uses this type to encrypt and to
/// decrypt.
#[doc(hidden)]
pub use crate::fuse::ocb_offsets::Walk;
use crate::fuse::ocb_offsets::{Place, Start, Table};
use crate::fuse::unfused::with_buffer;
use crate::keyed::keyed_by_cipher;
use crate::machinery::tail;
use crate::wipe::wipe;
use crate::{DataError, FusedDecrypt, FusedEncrypt, KeyLengths};

/// OCB3 with a block cipher of 16-byte blocks.
#[derive(Clone)]
pub struct Ocb<C> {
    cipher: C,
    table: Table<[u8; 16]>,
}

debug!([C: core::fmt::Debug] Ocb<C>, "Ocb", cipher = cipher);

/// OCB3 with AES and a key of 16 bytes.
#[cfg(feature = "aes")]
pub type Aes128Ocb = Ocb<Aes128>;
/// OCB3 with AES and a key of 24 bytes.
#[cfg(feature = "aes")]
pub type Aes192Ocb = Ocb<Aes192>;
/// OCB3 with AES and a key of 32 bytes.
#[cfg(feature = "aes")]
pub type Aes256Ocb = Ocb<Aes256>;

/// Returns a block of the `length` bytes of an incomplete last block, then a bit 1, then zeros.
#[inline(always)]
fn padded(last: u128, length: usize) -> [u8; 16] {
    tail::block(last | 0x80 << (8 * length))
}

/// XORs keystream to the last bytes, which are less than a block. Returns the block that the plaintext
/// adds to the checksum.
#[inline(always)]
fn with_last(last: InOutBuf<'_, '_, u8>, keystream: &[u8; 16], backwards: bool) -> [u8; 16] {
    let length = last.len();
    let (given, made) = tail::xor(last, keystream);
    padded(if backwards { made } else { given }, length)
}

#[inline]
fn check_tag(length: usize) -> Result<(), AeadError> {
    if length == 0 || length > 16 {
        return Err(AeadError::TagLength { given: length });
    }
    Ok(())
}

impl<C: FusedEncrypt<Block = [u8; 16]> + FusedDecrypt<Block = [u8; 16]>> Ocb<C> {
    /// Makes the mode from a cipher that is set up with a key, by value or by reference.
    #[inline]
    pub fn with_cipher(cipher: C) -> Self {
        let table = Table::new(&cipher);
        Self { cipher, table }
    }

    /// Replaces the cipher's key by calling `set`, and computes the values that OCB
    /// derives from the cipher.
    #[inline]
    pub(crate) fn rekey_by<E>(
        &mut self,
        set: impl FnOnce(&mut C) -> Result<(), E>,
    ) -> Result<(), E> {
        set(&mut self.cipher)?;
        self.table.set(&self.cipher);
        Ok(())
    }

    in_pieces! {
        (nonce: &[u8], tag: usize) -> Fallible,
        /// `tag` is the length of the tag in bytes.
        ///
        /// # Errors
        ///
        /// [`AeadError::NonceLength`] for a nonce that does not have 1 to 15 bytes;
        /// [`AeadError::TagLength`] for a tag that does not have 1 to 16 bytes.
    }

    fn pieces(&self, nonce: &[u8], tag: usize) -> Result<Pieces, AeadError> {
        Ok(Pieces {
            data: Place::new(self.first(nonce, tag)?),
            ended: false,
            header: Place::new([0; 16]),
            held: [0; 16],
            used: 0,
            tag,
        })
    }

    /// Computes the nonce's block without its last six bits, and these bits, [RFC7253] §4.2.
    #[inline(always)]
    fn nonce(nonce: &[u8], tag: usize) -> Result<(u128, u32), AeadError> {
        check_tag(tag)?;
        let given = nonce.len();
        if !(1..=15).contains(&given) {
            return Err(AeadError::NonceLength { given });
        }
        let number = match <&[u8; 12]>::try_from(nonce) {
            Ok(nonce) => {
                // Two loads read the nonce, because programs usually write it as two numbers
                // just before the call.
                let (fixed, invocation) = nonce.split_at(4);
                let mut parts = ([0; 4], [0; 8]);
                parts.0.copy_from_slice(fixed);
                parts.1.copy_from_slice(invocation);
                let fixed = u128::from(u32::from_be_bytes(parts.0));
                fixed << 64 | u128::from(u64::from_be_bytes(parts.1))
            }
            Err(_) => nonce.iter().fold(0, |n, byte| n << 8 | u128::from(*byte)),
        };
        let number = number | 1 << (8 * given) | (tag as u128 * 8 % 128) << 121;
        Ok((number & !63, number as u32 & 63))
    }

    /// Encrypts the blocks before those of the message.
    #[inline]
    fn start(&self, start: &mut Start, (nonce, bottom): (u128, u32)) {
        if !self.cipher.ocb_start(nonce, bottom, start) {
            start.unfused(&self.cipher, nonce, bottom);
        }
    }

    /// Computes the offset before the first block, [RFC7253] §4.2.
    fn first(&self, nonce: &[u8], tag: usize) -> Result<[u8; 16], AeadError> {
        let mut start = Start {
            has_header: false,
            header: [0; 16],
            has_last: false,
            last: [0; 16],
            offset: [0; 16],
        };
        self.start(&mut start, Self::nonce(nonce, tag)?);
        Ok(start.offset)
    }

    /// Returns the last block of the associated data with padding and offset, before its
    /// encryption.
    #[inline]
    fn header_end(&self, offset: [u8; 16], last: &[u8]) -> [u8; 16] {
        let last: [u8; 16] = tail::padded(last);
        last.xor(offset).xor(self.table.star)
    }

    /// Returns the value whose encryption is XORed to the hash of the associated data to make
    /// the tag.
    #[inline]
    fn tag_end(&self, offset: [u8; 16], sum: [u8; 16]) -> [u8; 16] {
        sum.xor(offset).xor(self.table.dollar)
    }

    #[inline]
    fn whole(
        &self,
        nonce: &[u8],
        aad: &[u8],
        data: InOutBuf<'_, '_, u8>,
        tag: usize,
        backwards: bool,
    ) -> Result<[u8; 16], AeadError> {
        let Self { cipher, table } = self;
        let nonce = Self::nonce(nonce, tag)?;
        let (blocks, last) = <[u8; 16]>::split(data);

        let (aad, rest) = aad.as_chunks();
        let hashed = (!aad.is_empty()).then(|| {
            let mut header = Walk::new(table, [0; 16]);
            cipher.ocb_hash_blocks(&mut header, aad);
            header
        });
        let header_end = match (rest, &hashed) {
            ([], _) => [0; 16],
            (_, None) => self.header_end([0; 16], rest),
            (_, Some(header)) => self.header_end(header.offset, rest),
        };

        // The offset of the end follows from the first one, so the keystream of the last bytes need
        // not wait for the blocks.
        let mut end = table.after(blocks.len());
        if !last.is_empty() {
            end = end.xor(table.star);
        }
        let mut start = Start {
            has_header: !rest.is_empty(),
            header: header_end,
            has_last: !last.is_empty(),
            last: end,
            offset: [0; 16],
        };
        let mut tag = if cipher.ocb_start(nonce.0, nonce.1, &mut start) {
            self.after_start(&start, end, blocks, last, backwards)
        } else if !backwards && blocks.len() <= AT_ONCE && blocks.len() != 16 {
            start.has_last = false;
            start.unfused(cipher, nonce.0, nonce.1);
            self.encrypt_at_once(start.offset, end, blocks, last)
        } else {
            start.unfused(cipher, nonce.0, nonce.1);
            self.after_start(&start, end, blocks, last, backwards)
        };
        if let Some(header) = &hashed {
            tag = tag.xor(header.sum);
        }
        if !rest.is_empty() {
            tag = tag.xor(start.header);
        }
        Ok(tag)
    }

    /// Encrypts or decrypts a message after its start, and returns its tag without the hash of the
    /// associated data. `end` is the last offset XOR the first one.
    #[inline(always)]
    fn after_start(
        &self,
        start: &Start,
        end: [u8; 16],
        blocks: InOutBuf<'_, '_, [u8; 16]>,
        last: InOutBuf<'_, '_, u8>,
        backwards: bool,
    ) -> [u8; 16] {
        let mut walk = Walk::new(&self.table, start.offset);
        if !blocks.is_empty() {
            if backwards {
                self.cipher.ocb_decrypt_blocks(&mut walk, blocks);
            } else {
                self.cipher.ocb_encrypt_blocks(&mut walk, blocks);
            }
        }
        if !last.is_empty() {
            let plaintext = with_last(last, &start.last, backwards);
            walk.sum = walk.sum.xor(plaintext);
        }
        let mut tag = self.tag_end(start.offset.xor(end), walk.sum);
        self.cipher.encrypt_block(&mut tag);
        tag
    }

    /// Encrypts a message as [`after_start`](Self::after_start) does, with one call of the cipher for
    /// the blocks, the keystream of the last bytes and the tag: the checksum is known before.
    fn encrypt_at_once(
        &self,
        offset: [u8; 16],
        end: [u8; 16],
        mut blocks: InOutBuf<'_, '_, [u8; 16]>,
        last: InOutBuf<'_, '_, u8>,
    ) -> [u8; 16] {
        let whole = blocks.len();
        let all = whole + usize::from(!last.is_empty()) + 1;
        let mut walk = Walk::new(&self.table, offset);
        let mut tag = [0; 16];
        with_buffer(all, |buffer: &mut [[u8; 16]]| {
            let buffer = &mut buffer[..all];
            let mut sum = [0; 16];
            let masked = InOutBuf::new(blocks.get_in(), &mut buffer[..whole]);
            walk.each(masked.expect("as many blocks"), |block, offset| {
                sum = sum.xor(block);
                block.xor(offset)
            });
            if !last.is_empty() {
                buffer[whole] = offset.xor(end);
                sum = sum.xor(tail::padded(last.get_in()));
            }
            buffer[all - 1] = self.tag_end(offset.xor(end), sum);
            self.cipher.encrypt_blocks((&mut *buffer).into());
            let encrypted = InOutBuf::new(&buffer[..whole], blocks.get_out());
            walk.each_again(
                (0, offset),
                encrypted.expect("as many blocks"),
                |block, offset| block.xor(offset),
            );
            if !last.is_empty() {
                tail::xor(last, &buffer[whole]);
            }
            tag = buffer[all - 1];
            wipe(buffer, [0; 16]);
        });
        tag
    }
}

/// The longest message, in whole blocks, for [`Ocb::encrypt_at_once`]. With the keystream of the last
/// bytes and the tag, this is a whole number of most kernels' groups of blocks. 16 blocks are a whole
/// number themselves.
const AT_ONCE: usize = 62;

impl<C: FusedEncrypt<Block = [u8; 16]> + FusedDecrypt<Block = [u8; 16]>> Engine for Ocb<C> {
    const TAGS: &'static [usize] = &[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16];
    const NONCES: KeyLengths = KeyLengths::every(1, 1, 15);
    const TAG: usize = 16;

    by_whole!();
}

/// The state of a message that comes in pieces, without the key.
#[doc(hidden)]
pub struct Pieces {
    data: Place<[u8; 16]>,
    /// Whether an incomplete block has been added. An incomplete block must be the last block.
    ended: bool,
    header: Place<[u8; 16]>,
    held: [u8; 16],
    used: usize,
    tag: usize,
}

debug!([] Pieces, "Ocb");

impl Pieces {
    /// Refuses data after an incomplete block.
    fn room(&mut self, more: usize) -> Result<(), AeadError> {
        if more != 0 && self.ended {
            return Err(AeadError::Data(DataError::NotWholeBlocks {
                length: more,
                block: 16,
            }));
        }
        Ok(())
    }
}

impl Drop for Pieces {
    fn drop(&mut self) {
        wipe(&mut self.held, 0);
    }
}

impl<C: FusedEncrypt<Block = [u8; 16]> + FusedDecrypt<Block = [u8; 16]>> Ocb<C> {
    /// Encrypts or decrypts the last bytes, which are less than a block, in a message in pieces.
    fn last(&self, message: &mut Pieces, last: InOutBuf<'_, '_, u8>, backwards: bool) {
        message.ended = true;
        let Place { offset, sum, .. } = &mut message.data;
        *offset = offset.xor(self.table.star);
        let mut keystream = *offset;
        self.cipher.encrypt_block(&mut keystream);
        *sum = sum.xor(with_last(last, &keystream, backwards));
        wipe(&mut keystream, 0);
    }
}

impl<C: FusedEncrypt<Block = [u8; 16]> + FusedDecrypt<Block = [u8; 16]>> sealed::InPieces
    for Ocb<C>
{
    type Block = [u8; 16];
    type Pieces = Pieces;

    fn aad(&self, message: &mut Pieces, mut data: &[u8]) -> Result<(), AeadError> {
        let Pieces {
            header, held, used, ..
        } = message;
        let mut hash = |blocks: &[_]| {
            header.walk(&self.table, |walk| {
                self.cipher.ocb_hash_blocks(walk, blocks)
            });
        };
        if *used != 0 {
            let (now, later) = data.split_at(data.len().min(16 - *used));
            held[*used..][..now.len()].copy_from_slice(now);
            *used += now.len();
            if *used < 16 {
                return Ok(());
            }
            hash(&[*held]);
            data = later;
        }
        let (blocks, rest) = data.as_chunks();
        hash(blocks);
        held[..rest.len()].copy_from_slice(rest);
        *used = rest.len();
        Ok(())
    }

    fn encrypt(&self, message: &mut Pieces, data: InOutBuf<'_, '_, u8>) -> Result<(), AeadError> {
        message.room(data.len())?;
        let (blocks, last) = <[u8; 16]>::split(data);
        let encrypt = |walk: &mut Walk<'_, _>| self.cipher.ocb_encrypt_blocks(walk, blocks);
        message.data.walk(&self.table, encrypt);
        if !last.is_empty() {
            self.last(message, last, false);
        }
        Ok(())
    }

    fn decrypt(&self, message: &mut Pieces, data: InOutBuf<'_, '_, u8>) -> Result<(), AeadError> {
        message.room(data.len())?;
        let (blocks, last) = <[u8; 16]>::split(data);
        let decrypt = |walk: &mut Walk<'_, _>| self.cipher.ocb_decrypt_blocks(walk, blocks);
        message.data.walk(&self.table, decrypt);
        if !last.is_empty() {
            self.last(message, last, true);
        }
        Ok(())
    }

    fn check_tag(message: &Pieces, length: usize) -> Result<(), AeadError> {
        exact_tag(length, message.tag)
    }

    fn finish(&self, message: &mut Pieces) -> Result<[u8; 16], AeadError> {
        let Place { offset, sum, .. } = &message.data;
        let mut tag = self.tag_end(*offset, *sum);
        self.cipher.encrypt_block(&mut tag);
        tag = tag.xor(message.header.sum);
        if message.used != 0 {
            let last = &message.held[..message.used];
            let mut end = self.header_end(message.header.offset, last);
            self.cipher.encrypt_block(&mut end);
            tag = tag.xor(end);
        }
        Ok(tag)
    }
}

keyed_by_cipher! {
    [C: FusedEncrypt<Block = [u8; 16]> + FusedDecrypt<Block = [u8; 16]>] Ocb<C>, cipher;
}

#[cfg(all(test, feature = "aes"))]
mod tests {
    use super::*;

    #[test]
    fn every_l_is_the_one_before_doubled() {
        let cipher = Aes128::new(&[7; 16]);
        let table = Table::new(&cipher);
        let mut l = table.dollar;
        for n in 0..40 {
            l = l.double();
            assert_eq!(table.at(1 << n), l);
            assert_eq!(table.at(3 << n), l);
        }
        let mut offset = [0; 16];
        for (i, step) in (1..32).zip(&table.steps) {
            offset = offset.xor(table.at(i));
            assert_eq!(*step, offset);
        }
    }
}
