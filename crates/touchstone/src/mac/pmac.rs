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

use inout::InOutBuf;

use super::Mac;
use crate::cipher::Block;
use crate::debug::debug;
use crate::held_block::{HeldBlock, body};
use crate::keyed::keyed_by_cipher;
use crate::wipe::wipe;
use crate::{FusedEncrypt, Keyed};

/// The number of blocks that are passed to the cipher in one call.
const TOGETHER: usize = 64;

/// PMAC with a block cipher.
#[derive(Clone)]
pub struct Pmac<C: FusedEncrypt> {
    cipher: C,
    /// The products L · uⁱ for each i, where L is the encryption of the zero block, and u is
    /// the field element of [`Block::double`].
    doubled: [C::Block; 64],
    /// The product L · u⁻¹.
    halved: C::Block,
    sum: Sum<C::Block>,
    last: HeldBlock<C::Block>,
}

/// The XOR of the encrypted blocks so far, and the current offset.
#[derive(Clone)]
struct Sum<B: Block> {
    sum: B,
    offset: B,
    blocks: u64,
}

impl<B: Block> Sum<B> {
    const START: Self = Self {
        sum: B::ZERO,
        offset: B::ZERO,
        blocks: 0,
    };

    /// Adds blocks to the message. These blocks must not contain the last block of the message.
    fn absorb<C: FusedEncrypt<Block = B>>(&mut self, cipher: &C, doubled: &[B; 64], blocks: &[B]) {
        for blocks in blocks.chunks(TOGETHER) {
            let mut masked = [B::ZERO; TOGETHER];
            let masked = &mut masked[..blocks.len()];
            for (masked, block) in masked.iter_mut().zip(blocks) {
                self.blocks += 1;
                self.offset = self
                    .offset
                    .xor(doubled[self.blocks.trailing_zeros() as usize]);
                *masked = block.xor(self.offset);
            }
            cipher.encrypt_blocks(InOutBuf::from(&mut *masked));
            for block in &*masked {
                self.sum = self.sum.xor(*block);
            }
            wipe(masked, B::ZERO);
        }
    }
}

impl<C: FusedEncrypt> Pmac<C> {
    /// Makes the MAC from a cipher that is set up with a key, by value or by reference.
    pub fn with_cipher(cipher: C) -> Self {
        let mut this = Self {
            cipher,
            doubled: [C::Block::ZERO; 64],
            halved: C::Block::ZERO,
            sum: Sum::START,
            last: HeldBlock::new(),
        };
        this.derive();
        this
    }

    /// Computes the values that PMAC derives from the cipher.
    fn derive(&mut self) {
        let mut l = C::Block::ZERO;
        self.cipher.encrypt_block(&mut l);
        self.doubled[0] = l;
        for i in 1..64 {
            self.doubled[i] = self.doubled[i - 1].double();
        }
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
        let absorb = |blocks: &[_]| self.sum.absorb(&self.cipher, &self.doubled, blocks);
        self.last.add(data, absorb);
    }

    pub(crate) fn finish(&mut self) -> C::Block {
        let mac = self.end(&self.sum, self.last.bytes());
        self.forget();
        mac
    }

    pub(crate) fn forget(&mut self) {
        self.sum = Sum::START;
        self.last = HeldBlock::new();
    }

    pub(crate) fn once(&self, message: &[u8]) -> C::Block {
        let mut sum = Sum::START;
        let (blocks, last) = body(message);
        sum.absorb(&self.cipher, &self.doubled, blocks);
        self.end(&sum, last)
    }

    /// Returns the input of the last encryption, [PMAC] §2. A whole last block is XORed with L
    /// · u⁻¹. After a short last block follow a bit 1 and zeros.
    fn end(&self, sum: &Sum<C::Block>, last: &[u8]) -> C::Block {
        let last = match C::Block::try_from(last) {
            Ok(block) => block.xor(self.halved),
            Err(_) => {
                let mut block = C::Block::ZERO;
                block.as_mut()[..last.len()].copy_from_slice(last);
                block.as_mut()[last.len()] = 0x80;
                block
            }
        };
        let mut mac = sum.sum.xor(last);
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
        wipe(&mut self.doubled, C::Block::ZERO);
        wipe(core::slice::from_mut(&mut self.halved), C::Block::ZERO);
    }
}

impl<B: Block> Drop for Sum<B> {
    fn drop(&mut self) {
        wipe(core::slice::from_mut(&mut self.sum), B::ZERO);
        wipe(core::slice::from_mut(&mut self.offset), B::ZERO);
    }
}
