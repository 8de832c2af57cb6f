//! PMAC, [PMAC]: a MAC by J. Black and P. Rogaway with any block cipher. The blocks of a
//! message are independent, so that they can be encrypted at once.
//!
//! PMAC XORs an offset to each block and encrypts the block. The offsets are multiples of one
//! secret value; a Gray code gives the next offset from the offset before. At the end, the XOR
//! of all encrypted blocks is encrypted.
//!
//! - [PMAC] J. Black, P. Rogaway: A Block-Cipher Mode of Operation for Parallelizable
//!   Message Authentication, EUROCRYPT 2002
//!
//! [PMAC]: https://doi.org/10.1007/3-540-46035-7_25

use super::Mac;
use crate::cipher::Block;
use crate::debug::debug;
use crate::fuse::ocb_offsets::{Place, Table, Walk};
use crate::held_block::{HeldBlock, body};
use crate::keyed::keyed_by_cipher;
use crate::machinery::tail;
use crate::wipe::wipe;
use crate::{FusedEncrypt, Keyed};

/// PMAC with a block cipher.
#[derive(Clone)]
pub struct Pmac<C: FusedEncrypt> {
    cipher: C,
    /// The offsets. Their values L are the products L · uⁱ, where L is the encryption of the zero
    /// block, and u is the field element of [`Block::double`]. PMAC's sum over all blocks but the last
    /// one is the hash of OCB3 with these offsets.
    table: Table<C::Block>,
    /// The product L · u⁻¹.
    halved: C::Block,
    place: Place<C::Block>,
    last: HeldBlock<C::Block>,
}

impl<C: FusedEncrypt> Pmac<C> {
    /// Makes the MAC from a cipher that is set up with a key, by value or by reference.
    pub fn with_cipher(cipher: C) -> Self {
        let mut this = Self {
            cipher,
            table: Table::EMPTY,
            halved: C::Block::ZERO,
            place: Place::new(C::Block::ZERO),
            last: HeldBlock::new(),
        };
        this.derive();
        this
    }

    /// Computes the values that PMAC derives from the cipher.
    fn derive(&mut self) {
        let mut l = C::Block::ZERO;
        self.cipher.encrypt_block(&mut l);
        self.table.fill(l);
        self.halved = l.halve();
        wipe(core::slice::from_mut(&mut l), C::Block::ZERO);
    }

    /// Replaces the cipher's key by calling `set`, and computes the values that PMAC derives
    /// from the cipher.
    pub(crate) fn rekey_by<E>(
        &mut self,
        set: impl FnOnce(&mut C) -> Result<(), E>,
    ) -> Result<(), E> {
        set(&mut self.cipher)?;
        self.derive();
        self.forget();
        Ok(())
    }

    pub(crate) fn take(&mut self, data: &[u8]) {
        let absorb = |blocks: &[_]| {
            self.place.walk(&self.table, |walk| {
                self.cipher.ocb_hash_blocks(walk, blocks);
            });
        };
        self.last.add(data, absorb);
    }

    pub(crate) fn finish(&mut self) -> C::Block {
        let mac = self.end(self.place.sum, self.last.bytes());
        self.forget();
        mac
    }

    pub(crate) fn forget(&mut self) {
        self.place = Place::new(C::Block::ZERO);
        self.last = HeldBlock::new();
    }

    pub(crate) fn once(&self, message: &[u8]) -> C::Block {
        let (blocks, last) = body(message);
        if blocks.is_empty() {
            return self.end(C::Block::ZERO, last);
        }
        let mut walk = Walk::new(&self.table, C::Block::ZERO);
        self.cipher.ocb_hash_blocks(&mut walk, blocks);
        self.end(walk.sum, last)
    }

    /// Encrypts the sum with the last block, [PMAC] §2. A whole last block is XORed with L · u⁻¹.
    /// After a short last block follow a bit 1 and zeros.
    fn end(&self, sum: C::Block, last: &[u8]) -> C::Block {
        let last = match C::Block::try_from(last) {
            Ok(block) => block.xor(self.halved),
            Err(_) => tail::padded(last),
        };
        let mut mac = sum.xor(last);
        self.cipher.encrypt_block(&mut mac);
        mac
    }
}

keyed_by_cipher! {
    [C: FusedEncrypt] Pmac<C>, cipher;
}

impl<C: Keyed + FusedEncrypt> Mac for Pmac<C> {
    type Output = <C::Block as Block>::Tag;

    fn update(&mut self, data: &[u8]) {
        self.take(data);
    }

    fn finalize(&mut self) -> Self::Output {
        self.finish().into()
    }

    fn reset(&mut self) {
        self.forget();
    }

    fn mac(&self, message: &[u8]) -> Self::Output {
        self.once(message).into()
    }
}

debug!([C: FusedEncrypt + core::fmt::Debug] Pmac<C>, "Pmac", cipher = cipher);

impl<C: FusedEncrypt> Drop for Pmac<C> {
    fn drop(&mut self) {
        wipe(core::slice::from_mut(&mut self.halved), C::Block::ZERO);
    }
}
