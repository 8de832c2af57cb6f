//! DMAC, also called EMAC, [ISO9797-1](super) algorithm 2: CBC-MAC whose result is
//! encrypted with a second key. The key consists of both keys, one after the other.
//!
//! The default padding is that of PKCS #7, as in Crypto++. (Crypto++ derives both keys
//! from one key: they are the encryptions of a block of zeros and of a block whose last
//! byte is 1.) NESSIE's EMAC pads with [`Iso7816`](crate::mode::padding::Iso7816).

use inout::InOutBuf;
use zeroize::ZeroizeOnDrop;

use super::{CbcMac, Mac};
use crate::buffer::same_number;
use crate::byte_array::Doubled;
use crate::cipher::Block;
use crate::debug::debug;
use crate::padding::{Padding, Pkcs7};
use crate::{DataError, FixedKey, FusedEncrypt, InvalidKeyLength, KeyLengths, Keyed};

/// DMAC with a block cipher.
#[derive(Clone)]
pub struct Dmac<C: FusedEncrypt, P = Pkcs7> {
    first: CbcMac<C, P>,
    second: C,
}

debug!([C: FusedEncrypt + core::fmt::Debug, P] Dmac<C, P>, "Dmac", cipher = second);

impl<C: FusedEncrypt, P: Padding> Dmac<C, P> {
    /// Makes the MAC from two ciphers that are set up with keys. The first computes the
    /// chain.
    #[inline]
    pub fn with_ciphers(first: C, second: C) -> Self {
        Self {
            first: CbcMac::with_cipher(first),
            second,
        }
    }
}

impl<C: FixedKey + FusedEncrypt, P: Padding> FixedKey for Dmac<C, P>
where
    C::Key: Doubled,
{
    type Key = <C::Key as Doubled>::Twice;
}

impl<C: Keyed + FusedEncrypt, P: Padding> Keyed for Dmac<C, P> {
    type Kernel = C::Kernel;
    const KEY_LENGTHS: KeyLengths = C::KEY_LENGTHS.twice();

    fn with_kernel(kernel: C::Kernel, key: &[u8]) -> Result<Self, InvalidKeyLength> {
        Self::KEY_LENGTHS.check(key)?;
        let (first, second) = key.split_at(key.len() / 2);
        Ok(Self::with_ciphers(
            C::with_kernel(kernel, first)?,
            C::with_kernel(kernel, second)?,
        ))
    }

    fn kernel_in_use(&self) -> C::Kernel {
        self.second.kernel_in_use()
    }
}

impl<C: Keyed + FusedEncrypt, P: Padding> Mac for Dmac<C, P> {
    type Output = <C::Block as Block>::Tag;

    #[inline]
    fn update(&mut self, data: &[u8]) {
        self.first.update(data);
    }

    #[inline]
    fn finalize(&mut self) -> Self::Output {
        let mut macs = [self.first.finalize()];
        let blocks = C::Block::of_tags(&mut macs);
        self.second.encrypt_blocks(InOutBuf::from(blocks));
        macs[0]
    }

    #[inline]
    fn reset(&mut self) {
        self.first.reset();
    }

    #[inline]
    fn mac(&self, message: &[u8]) -> Self::Output {
        let mut macs = [self.first.mac(message)];
        let blocks = C::Block::of_tags(&mut macs);
        self.second.encrypt_blocks(InOutBuf::from(blocks));
        macs[0]
    }

    fn mac_many(&self, messages: &[&[u8]], macs: &mut [Self::Output]) -> Result<(), DataError> {
        same_number(messages.len(), macs.len())?;
        self.first.mac_many(messages, macs)?;
        let blocks = C::Block::of_tags(macs);
        self.second.encrypt_blocks(InOutBuf::from(blocks));
        Ok(())
    }
}

impl<C: FusedEncrypt + ZeroizeOnDrop, P> ZeroizeOnDrop for Dmac<C, P> {}
