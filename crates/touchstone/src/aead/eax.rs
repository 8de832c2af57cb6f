//! EAX, [EAX](super): encrypts in counter mode, and computes three CMACs: of the nonce, of the
//! associated data and of the ciphertext. The input of each CMAC starts with a block that
//! contains the CMAC's number.
//!
//! EAX works with any block cipher, and accepts nonces of any length, including 0. A tag may
//! have any length from 1 byte to a block. The CMAC of the ciphertext is serial, so its latency
//! determines the speed. The kernels compute everything else while the CMAC waits for the
//! cipher.

use core::borrow::Borrow;

use inout::InOutBuf;

use super::{AeadError, Decryptor, Encryptor, Engine, by_whole, in_pieces, sealed, verified};
#[cfg(feature = "aes")]
use crate::block::{Aes128Encrypt, Aes192Encrypt, Aes256Encrypt};
use crate::cipher::Block;
use crate::debug::debug;
use crate::held_block::body;
use crate::keyed::keyed_by_cipher;
use crate::mac::chain::Chain;
use crate::machinery::tail;
use crate::mode::ctr;
use crate::wipe::wipe;
use crate::{FusedEncrypt, KeyLengths};

/// EAX with any block cipher.
#[derive(Clone)]
pub struct Eax<C: FusedEncrypt> {
    cipher: C,
    omac: Omac<C::Block>,
}

debug!([C: FusedEncrypt + core::fmt::Debug] Eax<C>, "Eax", cipher = cipher);

/// EAX with AES and a key of 16 bytes.
#[cfg(feature = "aes")]
pub type Aes128Eax = Eax<Aes128Encrypt>;
/// EAX with AES and a key of 24 bytes.
#[cfg(feature = "aes")]
pub type Aes192Eax = Eax<Aes192Encrypt>;
/// EAX with AES and a key of 32 bytes.
#[cfg(feature = "aes")]
pub type Aes256Eax = Eax<Aes256Encrypt>;

/// The values that the key set-up computes for the three CMACs.
#[derive(Clone)]
struct Omac<B: Block> {
    /// For each CMAC, the chain value after the block with the CMAC's number.
    starts: [B; 3],
    /// The masks that CMAC XORs to its last block: `whole` for a whole block, `padded` for a
    /// padded block.
    whole: B,
    padded: B,
}

const NONCE: usize = 0;
const HEADER: usize = 1;
const DATA: usize = 2;

/// Returns the first block of a CMAC's input, which contains the CMAC's number.
#[inline(always)]
fn number<B: Block>(number: usize) -> B {
    let mut block = B::ZERO;
    if let Some(last) = block.as_mut().last_mut() {
        *last = number as u8;
    }
    block
}

impl<B: Block> Omac<B> {
    #[inline]
    fn new<C: FusedEncrypt<Block = B>>(cipher: &C) -> Self {
        let mut omac = Self {
            starts: [B::ZERO; 3],
            whole: B::ZERO,
            padded: B::ZERO,
        };
        omac.set(cipher);
        omac
    }

    #[inline]
    fn set<C: FusedEncrypt<Block = B>>(&mut self, cipher: &C) {
        self.starts = [number(NONCE), number(HEADER), number(DATA)];
        cipher.encrypt_blocks(self.starts.as_mut_slice().into());
        // The block with the number 0 is the zero block. CMAC derives its masks from the
        // encrypted zero block.
        self.whole = self.starts[NONCE].double();
        self.padded = self.whole.double();
    }

    /// Returns the masked last block of a CMAC. If there is no data, the block with the CMAC's
    /// number is the last block.
    #[inline(always)]
    fn last(&self, which: usize, chain: B, last: &[u8]) -> B {
        if last.is_empty() {
            return number::<B>(which).xor(self.whole);
        }
        match B::try_from(last) {
            Ok(block) => block.xor(self.whole).xor(chain),
            Err(_) => tail::padded::<B>(last).xor(self.padded).xor(chain),
        }
    }

    /// Computes a CMAC up to its last encryption, which the caller does.
    #[inline]
    fn begun<C: FusedEncrypt<Block = B>>(&self, cipher: &C, which: usize, data: &[u8]) -> B {
        let (blocks, last) = body(data);
        let mut chain = self.starts[which];
        if !blocks.is_empty() {
            cipher.cbc_mac_blocks(&mut chain, blocks);
        }
        self.last(which, chain, last)
    }
}

impl<B: Block> Drop for Omac<B> {
    fn drop(&mut self) {
        wipe(&mut self.starts, B::ZERO);
        wipe(core::slice::from_mut(&mut self.whole), B::ZERO);
        wipe(core::slice::from_mut(&mut self.padded), B::ZERO);
    }
}

#[inline]
fn check_tag<B: Block>(length: usize) -> Result<(), AeadError> {
    if length == 0 || length > B::SIZE {
        return Err(AeadError::TagLength { given: length });
    }
    Ok(())
}

impl<C: FusedEncrypt> Eax<C> {
    /// Makes the mode from a cipher that is set up with a key, by value or by reference.
    #[inline]
    pub fn with_cipher(cipher: C) -> Self {
        let omac = Omac::new(&cipher);
        Self { cipher, omac }
    }

    /// Replaces the cipher's key by calling `set`, and computes the values that EAX
    /// derives from the cipher.
    #[inline]
    pub(crate) fn rekey_by<E>(
        &mut self,
        set: impl FnOnce(&mut C) -> Result<(), E>,
    ) -> Result<(), E> {
        set(&mut self.cipher)?;
        self.omac.set(&self.cipher);
        Ok(())
    }

    in_pieces! {
        (nonce: &[u8]) -> Infallible,
    }

    fn pieces(&self, nonce: &[u8]) -> Pieces<C::Block> {
        let mut nonce = self.omac.begun(&self.cipher, NONCE, nonce);
        self.cipher.encrypt_block(&mut nonce);
        Pieces {
            nonce,
            counter: ctr::Place::new(nonce),
            header: Chain::new(self.omac.starts[HEADER]),
            data: Chain::new(self.omac.starts[DATA]),
        }
    }

    #[inline]
    fn whole(
        &self,
        nonce: &[u8],
        aad: &[u8],
        data: InOutBuf<'_, '_, u8>,
        tag: usize,
        backwards: bool,
    ) -> Result<C::Block, AeadError> {
        check_tag::<C::Block>(tag)?;
        let Self { cipher, omac } = self;
        let n = body::<C::Block>(data.get_in()).0.len();
        let (before, mut last) = data.split_at(n * C::Block::SIZE);
        let mut three = [
            omac.begun(cipher, NONCE, nonce),
            omac.begun(cipher, HEADER, aad),
            C::Block::ZERO,
        ];
        if backwards && n == 0 {
            // The CMAC of a ciphertext of less than a block does not depend on the nonce.
            three[2] = omac.last(DATA, omac.starts[DATA], last.get_in());
        }
        let both = if backwards && n == 0 { 3 } else { 2 };
        cipher.encrypt_blocks((&mut three[..both]).into());
        let [nonce, header, mut tag] = three;
        let mut counter = nonce;
        if n != 0 {
            tag = omac.starts[DATA];
            let blocks = C::Block::split(before).0;
            cipher.ctr_mac_blocks(&mut counter, &mut tag, !backwards, blocks);
        }
        if n != 0 || !backwards {
            let chain = if n != 0 { tag } else { omac.starts[DATA] };
            if !backwards {
                self.add_keystream(counter, &mut last);
                tag = omac.last(DATA, chain, last.get_out());
                cipher.encrypt_block(&mut tag);
            } else {
                tag = omac.last(DATA, chain, last.get_in());
                // One call does the last encryption of the CMAC and the encryption of the
                // counter block.
                let mut both = [tag, counter];
                cipher.encrypt_blocks(both.as_mut_slice().into());
                tag = both[0];
                last.xor_in2out(&both[1].as_ref()[..last.len()]);
                wipe(&mut both, C::Block::ZERO);
            }
        } else {
            self.add_keystream(counter, &mut last);
        }
        Ok(tag.xor(nonce).xor(header))
    }

    /// XORs the keystream of one counter block to at most one block of data.
    #[inline]
    fn add_keystream(&self, mut counter: C::Block, data: &mut InOutBuf<'_, '_, u8>) {
        if !data.is_empty() {
            self.cipher.encrypt_block(&mut counter);
            data.xor_in2out(&counter.as_ref()[..data.len()]);
            wipe(core::slice::from_mut(&mut counter), C::Block::ZERO);
        }
    }
}

impl<C: FusedEncrypt> Engine for Eax<C> {
    const TAGS: &'static [usize] = {
        const UP_TO_16: &[usize] = &[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16];
        match <C::Block as Block>::SIZE {
            8 => UP_TO_16.split_at(8).0,
            // Only ciphers with longer blocks have longer tags. These tags are always full
            // tags.
            _ => UP_TO_16,
        }
    };
    const NONCES: KeyLengths = KeyLengths::every(1, 0, usize::MAX);
    const TAG: usize = <C::Block as Block>::SIZE;

    by_whole!();
}

/// The state of a message that comes in pieces, without the key.
#[doc(hidden)]
pub struct Pieces<B: Block> {
    nonce: B,
    counter: ctr::Place<B>,
    header: Chain<B>,
    data: Chain<B>,
}

debug!([B: Block] Pieces<B>, "Eax");

impl<B: Block> Drop for Pieces<B> {
    fn drop(&mut self) {
        wipe(core::slice::from_mut(&mut self.nonce), B::ZERO);
    }
}

impl<C: FusedEncrypt> sealed::InPieces for Eax<C> {
    type Block = C::Block;
    type Pieces = Pieces<C::Block>;

    fn aad(&self, message: &mut Self::Pieces, data: &[u8]) -> Result<(), AeadError> {
        message.header.update(&self.cipher, data);
        Ok(())
    }

    fn encrypt(
        &self,
        message: &mut Self::Pieces,
        mut data: InOutBuf<'_, '_, u8>,
    ) -> Result<(), AeadError> {
        let counter = &mut message.counter;
        counter.apply_inout(&self.cipher, ctr::BigEndian, data.reborrow());
        message.data.update(&self.cipher, data.get_out());
        Ok(())
    }

    fn decrypt(
        &self,
        message: &mut Self::Pieces,
        data: InOutBuf<'_, '_, u8>,
    ) -> Result<(), AeadError> {
        message.data.update(&self.cipher, data.get_in());
        let counter = &mut message.counter;
        counter.apply_inout(&self.cipher, ctr::BigEndian, data);
        Ok(())
    }

    fn check_tag(_: &Self::Pieces, length: usize) -> Result<(), AeadError> {
        check_tag::<C::Block>(length)
    }

    fn finish(&self, message: &mut Self::Pieces) -> Result<C::Block, AeadError> {
        let Self { cipher, omac } = self;
        let ends = [(HEADER, &message.header), (DATA, &message.data)];
        let mut ends = ends.map(|(which, chain)| {
            let (chain, last) = chain.end();
            omac.last(which, chain, last)
        });
        cipher.encrypt_blocks(ends.as_mut_slice().into());
        Ok(message.nonce.xor(ends[0]).xor(ends[1]))
    }
}

keyed_by_cipher! {
    [C: FusedEncrypt] Eax<C>, cipher;
}
