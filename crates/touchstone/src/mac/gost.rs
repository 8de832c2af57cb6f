//! The MAC of GOST 28147-89, [RFC5830] §8, in Russian *imitovstavka*: CBC-MAC with the first 16
//! of the cipher's 32 rounds. **Outdated**, as the cipher is. The MAC has only 4 bytes, so on
//! average one of 2^32 forgeries is accepted. The cipher's blocks have only 64 bits.
//!
//! The last block is filled up with zeros. After a message of one block follows a block of
//! zeros, because the standard requires two blocks. Messages that differ only in zeros at their
//! end have the same MAC, so a protocol with such messages must also authenticate their length.
//! CryptoPro's key meshing, a change of the key after each KiB, is neither in this module nor
//! in the [cipher](crate::block::gost28147).
//!
//! The standard does not fix the S-boxes. The default is CryptoPro's set A.
//! [`GostMac::with_boxes`] selects other S-boxes.
//!
//! **Not constant-time**: data and key determine which table entries the code reads. The only
//! kernel is portable, because each block depends on the block before.
//!
//! - [RFC5830] V. Dolmatov: GOST 28147-89: Encryption, Decryption, and Message
//!   Authentication Code (MAC) Algorithms, RFC 5830, 2010
//!
//! [RFC5830]: https://www.rfc-editor.org/rfc/rfc5830

use zeroize::ZeroizeOnDrop;

use super::Mac;
use super::chain::Chain;
use crate::block::gost28147::{self, Gost28147, SBoxes};
use crate::debug::debug;
use crate::fuse::{FusedEncrypt, Sealed};
use crate::held_block::body;
use crate::kernel::kernels;
use crate::{
    BlockCipher, BlockEncrypt, FixedKey, InOutBuf, InvalidKeyLength, KeyLengths, Keyed, KeyedWith,
    Tag,
};

kernels! {
    /// The kernels: implementations of the MAC of GOST 28147-89.
    enum Kernel {}
}

/// The MAC of GOST 28147-89, with a key of 32 bytes.
#[derive(Clone)]
pub struct GostMac<'s> {
    rounds: Rounds<'s>,
    chain: Chain<Block>,
    /// The number of bytes so far.
    length: usize,
}

debug!([] GostMac<'_>, "GostMac");

type Block = [u8; 8];

/// The cipher of the CBC chain: the first 16 rounds of GOST 28147-89.
#[derive(Clone)]
struct Rounds<'s>(Gost28147<'s>);

impl BlockCipher for Rounds<'_> {
    type Block = Block;
}

impl BlockEncrypt for Rounds<'_> {
    fn encrypt_blocks(&self, mut blocks: InOutBuf<'_, '_, Block>) {
        for i in 0..blocks.len() {
            let block = blocks.get_in()[i];
            blocks.get_out()[i] = self.0.sixteen_rounds(block);
        }
    }
}

impl Sealed for Rounds<'_> {}
impl FusedEncrypt for Rounds<'_> {}

impl<'s> GostMac<'s> {
    /// Sets up a key with the given S-boxes.
    pub fn with_boxes(boxes: &'s SBoxes, key: &[u8]) -> Result<Self, InvalidKeyLength> {
        Self::from_slice_with(boxes, key)
    }

    /// Ends the CBC chain with the last block, which may be empty, and truncates the result.
    #[inline]
    fn close(&self, mut chain: Block, last: &[u8], length: usize) -> Tag<4> {
        if !last.is_empty() {
            let mut block = [0; 8];
            block[..last.len()].copy_from_slice(last);
            let blocks = [block, [0; 8]];
            let n = if length <= 8 { 2 } else { 1 };
            self.rounds.cbc_mac_blocks(&mut chain, &blocks[..n]);
        }
        let [a, b, c, d, ..] = chain;
        [a, b, c, d].into()
    }
}

impl FixedKey for GostMac<'_> {
    type Key = [u8; 32];
}

impl Keyed for GostMac<'_> {
    type Kernel = Kernel;
    const KEY_LENGTHS: KeyLengths = Gost28147::KEY_LENGTHS;

    /// Sets up a key with the S-boxes [`SBoxes::CRYPTO_PRO_A`].
    fn with_kernel(kernel: Kernel, key: &[u8]) -> Result<Self, InvalidKeyLength> {
        Self::with_kernel_and(kernel, SBoxes::CRYPTO_PRO_A, key)
    }

    #[inline]
    fn rekey(&mut self, key: &[u8]) -> Result<(), InvalidKeyLength> {
        self.rekey_and(SBoxes::CRYPTO_PRO_A, key)
    }

    fn kernel_in_use(&self) -> Kernel {
        Kernel::Portable
    }
}

impl<'s> KeyedWith for GostMac<'s> {
    type Parameter = &'s SBoxes;

    fn with_kernel_and(_: Kernel, boxes: &'s SBoxes, key: &[u8]) -> Result<Self, InvalidKeyLength> {
        let portable = gost28147::Kernel::Portable;
        Ok(Self {
            rounds: Rounds(Gost28147::with_kernel_and(portable, boxes, key)?),
            chain: Chain::new([0; 8]),
            length: 0,
        })
    }

    #[inline]
    fn rekey_and(&mut self, boxes: &'s SBoxes, key: &[u8]) -> Result<(), InvalidKeyLength> {
        self.rounds.0.rekey_and(boxes, key)?;
        self.reset();
        Ok(())
    }
}

impl Mac for GostMac<'_> {
    /// The type of the MAC's value: the first half of the last block, the register N1 of
    /// [RFC5830](self).
    type Output = Tag<4>;

    #[inline]
    fn update(&mut self, data: &[u8]) {
        self.chain.update(&self.rounds, data);
        self.length = self.length.saturating_add(data.len());
    }

    #[inline]
    fn finalize(&mut self) -> Tag<4> {
        let (chain, last) = self.chain.end();
        let mac = self.close(chain, last, self.length);
        self.reset();
        mac
    }

    #[inline]
    fn reset(&mut self) {
        self.chain.reset();
        self.length = 0;
    }

    #[inline]
    fn mac(&self, message: &[u8]) -> Tag<4> {
        let (blocks, last) = body(message);
        let mut chain = [0; 8];
        self.rounds.cbc_mac_blocks(&mut chain, blocks);
        self.close(chain, last, message.len())
    }
}

impl ZeroizeOnDrop for GostMac<'_> {}
