//! The MACs CMAC, [SP800-38B](super), which is also called OMAC1, [OMAC](super), and OMAC2.
//!
//! Let L be the encryption of the zero block. The last block is XORed with a mask before the
//! chain encrypts it. So the chain of one message is never the beginning of the chain of
//! another message:
//!
//! | last block | mask of CMAC, OMAC1 | mask of OMAC2 |
//! |---|---|---|
//! | whole | L·u | L·u |
//! | padded by a one and zeros | L·u² | L·u⁻¹ |
//!
//! u is the field element of [`Block::double`]: L·u is `L.double()`.

use super::Mac;
use super::chain::Chain;
use crate::buffer::same_number;
use crate::cipher::Block;
use crate::debug::debug;
use crate::fuse::Absorbed;
use crate::held_block::body;
use crate::keyed::keyed_by_cipher;
use crate::machinery::tail;
use crate::wipe::wipe;
use crate::{DataError, FusedEncrypt, Keyed};

/// CMAC, also known as OMAC1.
pub type Cmac<C> = Omac<C, 1>;

/// OMAC2, which differs from CMAC only in the mask of padded blocks.
pub type Omac2<C> = Omac<C, 2>;

/// OMAC with a block cipher. `VERSION` is 1 or 2.
#[derive(Clone)]
pub struct Omac<C: FusedEncrypt, const VERSION: u8> {
    cipher: C,
    masks: Masks<C::Block>,
    chain: Chain<C::Block>,
}

debug!([C: FusedEncrypt + core::fmt::Debug, const VERSION: u8] Omac<C, VERSION>, if VERSION == 1 { "Cmac" } else { "Omac2" }, cipher = cipher);

#[derive(Clone)]
struct Masks<B: Block> {
    whole: B,
    padded: B,
}

impl<C: FusedEncrypt, const VERSION: u8> Omac<C, VERSION> {
    /// Makes the MAC from a cipher that is set up with a key, by value or by reference.
    #[inline]
    pub fn with_cipher(cipher: C) -> Self {
        const { assert!(VERSION == 1 || VERSION == 2) };
        let mut masks = Masks {
            whole: C::Block::ZERO,
            padded: C::Block::ZERO,
        };
        masks.set::<C, VERSION>(&cipher);
        Self {
            cipher,
            masks,
            chain: Chain::new(C::Block::ZERO),
        }
    }

    /// Replaces the cipher's key by calling `set`, and derives the masks from the cipher.
    #[inline]
    pub(crate) fn rekey_by<E>(
        &mut self,
        set: impl FnOnce(&mut C) -> Result<(), E>,
    ) -> Result<(), E> {
        set(&mut self.cipher)?;
        self.masks.set::<C, VERSION>(&self.cipher);
        self.chain.reset();
        Ok(())
    }

    /// Adds the next piece of the message.
    #[inline]
    pub fn update(&mut self, data: &[u8]) {
        self.chain.update(&self.cipher, data);
    }

    /// Ends the message and returns its MAC. After the call, the object starts the next message
    /// with the same key.
    #[inline]
    pub fn finalize(&mut self) -> <C::Block as Block>::Tag {
        let (mut chain, last) = self.chain.end();
        let last = self.masks.masked(last);
        self.cipher.cbc_mac_blocks(&mut chain, &[last]);
        self.chain.reset();
        chain.into()
    }

    /// Discards the pieces so far and starts the next message.
    #[inline]
    pub fn reset(&mut self) {
        self.chain.reset();
    }

    /// Computes the MAC of a whole message. Pieces that [`update`](Self::update) added do not
    /// affect this MAC.
    #[inline]
    pub fn mac(&self, message: &[u8]) -> <C::Block as Block>::Tag {
        let (blocks, last) = body(message);
        let mut chain = C::Block::ZERO;
        if !blocks.is_empty() {
            self.cipher.cbc_mac_blocks(&mut chain, blocks);
        }
        let last = self.masks.masked(last);
        self.cipher.cbc_mac_blocks(&mut chain, &[last]);
        chain.into()
    }

    /// Computes the MACs of many messages of any lengths: `macs[i]` becomes the MAC of
    /// `messages[i]` ([`Mac::mac_many`]).
    pub fn mac_many(
        &self,
        messages: &[&[u8]],
        macs: &mut [<C::Block as Block>::Tag],
    ) -> Result<(), DataError> {
        same_number(messages.len(), macs.len())?;
        let macs = C::Block::of_tags(macs);
        const LANES: usize = 64;
        let start = Absorbed {
            chain: C::Block::ZERO,
            blocks: &[],
        };
        for (messages, macs) in messages.chunks(LANES).zip(macs.chunks_mut(LANES)) {
            let mut chains = [start; LANES];
            let chains = &mut chains[..messages.len()];
            for (chain, message) in chains.iter_mut().zip(messages) {
                chain.blocks = body(message).0;
            }
            self.cipher.cbc_mac_many(chains);
            // The last blocks of different messages are independent, so one call encrypts them
            // all.
            for ((chain, message), mac) in chains.iter_mut().zip(messages).zip(&mut *macs) {
                let last = self.masks.masked(body::<C::Block>(message).1);
                *mac = last.xor(chain.chain);
                chain.chain = C::Block::ZERO;
            }
            self.cipher.encrypt_blocks(macs.into());
        }
        Ok(())
    }
}

impl<B: Block> Masks<B> {
    #[inline]
    fn set<C: FusedEncrypt<Block = B>, const VERSION: u8>(&mut self, cipher: &C) {
        let mut l = B::ZERO;
        cipher.encrypt_block(&mut l);
        self.whole = l.double();
        self.padded = match VERSION {
            1 => self.whole.double(),
            _ => l.halve(),
        };
        wipe(core::slice::from_mut(&mut l), B::ZERO);
    }

    /// Returns the last block after padding and masking.
    #[inline(always)]
    fn masked(&self, last: &[u8]) -> B {
        match B::try_from(last) {
            Ok(block) => block.xor(self.whole),
            Err(_) => tail::padded::<B>(last).xor(self.padded),
        }
    }
}

keyed_by_cipher! {
    [C: FusedEncrypt, const VERSION: u8] Omac<C, VERSION>, cipher;
}

impl<C: Keyed + FusedEncrypt, const VERSION: u8> Mac for Omac<C, VERSION> {
    type Output = <C::Block as Block>::Tag;

    #[inline]
    fn update(&mut self, data: &[u8]) {
        self.update(data);
    }

    #[inline]
    fn finalize(&mut self) -> Self::Output {
        self.finalize()
    }

    #[inline]
    fn reset(&mut self) {
        self.reset();
    }

    #[inline]
    fn mac(&self, message: &[u8]) -> Self::Output {
        self.mac(message)
    }

    #[inline]
    fn mac_many(&self, messages: &[&[u8]], macs: &mut [Self::Output]) -> Result<(), DataError> {
        self.mac_many(messages, macs)
    }
}

impl<B: Block> Drop for Masks<B> {
    fn drop(&mut self) {
        wipe(core::slice::from_mut(&mut self.whole), B::ZERO);
        wipe(core::slice::from_mut(&mut self.padded), B::ZERO);
    }
}
