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

    /// Gives the ciphers other keys, of the same length, by this function.
    #[inline]
    pub(crate) fn rekey_by<E>(
        &mut self,
        first: &[u8],
        second: &[u8],
        set: impl Fn(&mut C, &[u8]) -> Result<(), E>,
    ) -> Result<(), E> {
        self.first.rekey_by(|cipher| set(cipher, first))?;
        set(&mut self.second, second)
    }

    /// Encrypts the results of CBC-MAC with the second key.
    #[inline]
    fn close(&self, macs: &mut [C::Block]) {
        self.second.encrypt_blocks(InOutBuf::from(macs));
    }

    #[inline]
    pub(crate) fn take(&mut self, data: &[u8]) {
        self.first.take(data);
    }

    #[inline]
    pub(crate) fn forget(&mut self) {
        self.first.forget();
    }

    #[inline]
    pub(crate) fn end(&mut self) -> C::Block {
        let mut mac = self.first.end();
        self.close(core::slice::from_mut(&mut mac));
        mac
    }

    #[inline]
    pub(crate) fn once(&self, message: &[u8]) -> C::Block {
        let mut mac = self.first.once(message);
        self.close(core::slice::from_mut(&mut mac));
        mac
    }

    pub(crate) fn many(&self, messages: &[&[u8]], macs: &mut [C::Block]) {
        self.first.many(messages, macs);
        self.close(macs);
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

    fn rekey(&mut self, key: &[u8]) -> Result<(), InvalidKeyLength> {
        Self::KEY_LENGTHS.check(key)?;
        let (first, second) = key.split_at(key.len() / 2);
        self.rekey_by(first, second, C::rekey)
    }

    fn kernel_in_use(&self) -> C::Kernel {
        self.second.kernel_in_use()
    }
}

impl<C: Keyed + FusedEncrypt, P: Padding> Mac for Dmac<C, P> {
    type Output = <C::Block as Block>::Tag;

    #[inline]
    fn update(&mut self, data: &[u8]) {
        self.take(data);
    }

    #[inline]
    fn finalize(&mut self) -> Self::Output {
        self.end().into()
    }

    #[inline]
    fn reset(&mut self) {
        self.forget();
    }

    #[inline]
    fn mac(&self, message: &[u8]) -> Self::Output {
        self.once(message).into()
    }

    fn mac_many(&self, messages: &[&[u8]], macs: &mut [Self::Output]) -> Result<(), DataError> {
        same_number(messages.len(), macs.len())?;
        self.many(messages, C::Block::of_tags(macs));
        Ok(())
    }
}

impl<C: FusedEncrypt + ZeroizeOnDrop, P> ZeroizeOnDrop for Dmac<C, P> {}
