//! Ciphertext stealing, [SP800-38A-CS]: ECB and CBC on messages of at least one block whose
//! length need not be a multiple of the block. The ciphertext is as long as the message.
//!
//! Let the last block of the message have d bytes. Fill this block up, and let Cₙ₋₁ and Cₙ be
//! the last two blocks of ciphertext. Only the first d bytes of Cₙ₋₁ are sent; decryption
//! recovers the other bytes of Cₙ₋₁ from Cₙ. The variants differ in the order of the two parts:
//!
//! | type | order for a short last block | order for a whole last block | used by |
//! |---|---|---|---|
//! | [`CbcCs1`] | …, first d of Cₙ₋₁, Cₙ | CBC | |
//! | [`CbcCs2`] | …, Cₙ, first d of Cₙ₋₁ | CBC | Schneier's book; W. Ehrhardt's library |
//! | [`CbcCs3`] | …, Cₙ, first d of Cₙ₋₁ | …, Cₙ, Cₙ₋₁ | Kerberos, RFC 3962 |
//! | [`EcbSteal`] | …, Cₙ, first d of Cₙ₋₁ | ECB | W. Ehrhardt's library |
//!
//! Each call processes one message. To encrypt a long message in pieces, pass all blocks except
//! the last two to [`CbcEncrypt`](super::CbcEncrypt). Then pass the last two blocks to one of
//! these types, with the last ciphertext block so far as the initialization vector.
//!
//! - [SP800-38A-CS] Three Variants of Ciphertext Stealing for CBC Mode, addendum
//!   to NIST SP 800-38A, 2010
//!
//! [SP800-38A-CS]: https://doi.org/10.6028/NIST.SP.800-38A-Add

use inout::InOutBuf;

use super::{at_least_a_block, shapes};
use crate::cipher::Block;
use crate::debug::debug;
use crate::machinery::tail;
use crate::{BlockCipher, DataError, FusedDecrypt, FusedEncrypt, buffer};

/// ECB with ciphertext stealing.
#[derive(Clone)]
pub struct EcbSteal<C> {
    cipher: C,
}

debug!([C: core::fmt::Debug] EcbSteal<C>, "EcbSteal", cipher = cipher);

/// CBC with ciphertext stealing. `VERSION` is the number of the variant: 1, 2 or 3.
#[derive(Clone)]
pub struct CbcSteal<C, const VERSION: u8> {
    cipher: C,
}

debug!([C: core::fmt::Debug, const VERSION: u8] CbcSteal<C, VERSION>, ["CbcCs1", "CbcCs2", "CbcCs3"][const { VERSION as usize - 1 }], cipher = cipher);

/// CBC with ciphertext stealing in the variant CBC-CS1.
pub type CbcCs1<C> = CbcSteal<C, 1>;
/// CBC with ciphertext stealing in the variant CBC-CS2.
pub type CbcCs2<C> = CbcSteal<C, 2>;
/// CBC with ciphertext stealing in the variant CBC-CS3.
pub type CbcCs3<C> = CbcSteal<C, 3>;

impl<C> EcbSteal<C> {
    /// Makes the mode from a cipher that is set up with a key.
    #[inline]
    pub fn new(cipher: C) -> Self {
        Self { cipher }
    }
}

impl<C: FusedEncrypt> EcbSteal<C> {
    shapes! {
        /// Encrypts a message in place.
        encrypt encrypt_into encrypt_inout(&)
    }

    /// Does the same as [`encrypt`](Self::encrypt), in place or from one buffer to another.
    #[inline]
    pub fn encrypt_inout(&self, data: InOutBuf<'_, '_, u8>) -> Result<(), DataError> {
        ecb_steal(data, |blocks| self.cipher.encrypt_blocks(blocks))
    }
}

impl<C: FusedDecrypt> EcbSteal<C> {
    shapes! {
        /// Decrypts a message in place.
        decrypt decrypt_into decrypt_inout(&)
    }

    /// Does the same as [`decrypt`](Self::decrypt), in place or from one buffer to another.
    #[inline]
    pub fn decrypt_inout(&self, data: InOutBuf<'_, '_, u8>) -> Result<(), DataError> {
        ecb_steal(data, |blocks| self.cipher.decrypt_blocks(blocks))
    }
}

/// Encrypts or decrypts, as `cipher` does. In ECB, ciphertext stealing is the same for both.
fn ecb_steal<B: Block>(
    data: InOutBuf<'_, '_, u8>,
    cipher: impl Fn(InOutBuf<'_, '_, B>),
) -> Result<(), DataError> {
    at_least_a_block::<B>(data.len())?;
    let (mut blocks, mut end) = B::split(data);
    cipher(blocks.reborrow());
    if !end.is_empty()
        && let Some(last) = blocks.get_out().last_mut()
    {
        let stolen = *last;
        *last = tail::beginning(stolen, end.get_in());
        tail::store(&stolen, end.get_out());
        cipher(InOutBuf::from_mut(last));
    }
    Ok(())
}

impl<C: BlockCipher, const VERSION: u8> CbcSteal<C, VERSION> {
    /// Makes the mode from a cipher that is set up with a key.
    #[inline]
    pub fn new(cipher: C) -> Self {
        const { assert!(VERSION >= 1 && VERSION <= 3) };
        Self { cipher }
    }

    /// Returns the index of the first byte of the last two blocks. Returns `None` if ciphertext
    /// stealing gives the same ciphertext as CBC.
    #[inline]
    fn last_two(length: usize) -> Result<Option<usize>, DataError> {
        let size = C::Block::SIZE;
        at_least_a_block::<C::Block>(length)?;
        let plain = length == size || VERSION != 3 && length.is_multiple_of(size);
        Ok((!plain).then(|| (length - 1) / size * size - size))
    }
}

impl<C: FusedEncrypt, const VERSION: u8> CbcSteal<C, VERSION> {
    shapes! {
        /// Encrypts a message in place.
        encrypt encrypt_into encrypt_inout(&, iv: &C::Block)
    }

    /// Does the same as [`encrypt`](Self::encrypt), in place or from one buffer to another.
    #[inline]
    pub fn encrypt_inout(
        &self,
        iv: &C::Block,
        mut data: InOutBuf<'_, '_, u8>,
    ) -> Result<(), DataError> {
        let size = C::Block::SIZE;
        let last_two = Self::last_two(data.len())?;
        let chained = last_two.map_or(data.len(), |at| at + size);
        let (head, end) = data.reborrow().split_at(chained);
        let mut chain = *iv;
        self.cipher
            .cbc_encrypt_blocks(&mut chain, C::Block::split(head).0);
        let Some(at) = last_two else {
            return Ok(());
        };
        let stolen = chain;
        let n = end.len();
        let last = match C::Block::try_from(end.get_in()) {
            Ok(last) => last,
            Err(_) => tail::beginning(C::Block::ZERO, end.get_in()),
        };
        self.cipher.cbc_mac_blocks(&mut chain, &[last]);
        let output = &mut data.get_out()[at..];
        let (stolen_place, chain_place) = if VERSION == 1 {
            output.split_at_mut(n)
        } else {
            let (chain_place, stolen_place) = output.split_at_mut(size);
            (stolen_place, chain_place)
        };
        tail::store(&stolen, stolen_place);
        chain_place.copy_from_slice(chain.as_ref());
        Ok(())
    }
}

/// The end of a message is decrypted together with fewer blocks than this.
const TOGETHER: usize = 64;

impl<C: FusedDecrypt, const VERSION: u8> CbcSteal<C, VERSION> {
    shapes! {
        /// Decrypts a message in place.
        decrypt decrypt_into decrypt_inout(&, iv: &C::Block)
    }

    /// Does the same as [`decrypt`](Self::decrypt), in place or from one buffer to another.
    #[inline]
    pub fn decrypt_inout(
        &self,
        iv: &C::Block,
        data: InOutBuf<'_, '_, u8>,
    ) -> Result<(), DataError> {
        let size = C::Block::SIZE;
        let last_two = Self::last_two(data.len())?;
        let mut chain = *iv;
        let Some(at) = last_two else {
            let blocks = C::Block::split(data).0;
            self.cipher.cbc_decrypt_blocks(&mut chain, blocks);
            return Ok(());
        };
        // Kernels are fast with many blocks. So the last blocks get their order of CBC in the output,
        // together with blocks before them, and one call decrypts them all.
        let (head, mut end) = data.split_at(at / size / TOGETHER * TOGETHER * size);
        if !head.is_empty() {
            let blocks = C::Block::split(head).0;
            self.cipher.cbc_decrypt_blocks(&mut chain, blocks);
        }
        let n = end.len() % size;
        let at = end.len() - n - size;
        if n == 0 {
            let end = end.into_out_with_copied_in();
            let (first, second) = end.split_at_mut(at);
            first[at - size..].swap_with_slice(second);
            let blocks = C::Block::split(end.into()).0;
            self.cipher.cbc_decrypt_blocks(&mut chain, blocks);
            return Ok(());
        }
        let two = &end.get_in()[at..];
        let (stolen, last) = if VERSION == 1 {
            two.split_at(n)
        } else {
            let (last, stolen) = two.split_at(size);
            (stolen, last)
        };
        // The decryption of the last ciphertext block is the XOR of the zero-padded plaintext
        // and the ciphertext block before. At the zeros, the decryption equals the ciphertext
        // block before, whose missing bytes are there.
        let mut sum = C::Block::ZERO;
        sum.as_mut().copy_from_slice(last);
        self.cipher.decrypt_block(&mut sum);
        let before = tail::beginning(sum, stolen);
        if at != 0 {
            let (blocks, _) = end.reborrow().split_at(at);
            let _ = blocks.into_out_with_copied_in();
        }
        let (blocks, end) = end.into_out().split_at_mut(at + size);
        blocks[at..].copy_from_slice(before.as_ref());
        let blocks = C::Block::split(blocks.into()).0;
        self.cipher.cbc_decrypt_blocks(&mut chain, blocks);
        tail::store(&sum.xor(before), end);
        Ok(())
    }
}
