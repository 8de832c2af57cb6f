//! GMAC, [SP800-38D](super::gcm): a MAC. GMAC is GCM with associated data and without data.
//!
//! GMAC needs a nonce, and the rules for nonces of [GCM](crate::aead::gcm) apply. For a
//! message in pieces, use an [`Encryptor`](crate::aead::Encryptor) of GCM and add only
//! associated data.

use super::{AeadError, Engine, Gcm};
use crate::debug::debug;
use crate::ghash;
use crate::keyed::keyed_by_cipher;
use crate::{DigestBytes as _, FusedEncrypt, Kernel as _, Tag};

/// GMAC with a block cipher of 16-byte blocks.
#[derive(Clone)]
pub struct Gmac<C>(Gcm<C>);

debug!([C: core::fmt::Debug] Gmac<C>, "Gmac", mode = 0);

impl<C: FusedEncrypt<Block = [u8; 16]>> Gmac<C> {
    /// Makes the MAC from a cipher that is set up with a key, by value or by reference.
    #[inline]
    pub fn with_cipher(cipher: C) -> Self {
        Self::with_kernels(cipher, ghash::Kernel::best())
    }

    /// Makes the MAC as [`with_cipher`](Self::with_cipher) does, with the given kernel of
    /// GHASH; for tests and measurements.
    #[doc(hidden)]
    pub fn with_kernels(cipher: C, kernel: ghash::Kernel) -> Self {
        Self(Gcm::with_kernels(cipher, kernel))
    }

    /// Replaces the cipher's key by calling `set`, and computes the hash key from the cipher.
    #[inline]
    pub(crate) fn rekey_by<E>(
        &mut self,
        set: impl FnOnce(&mut C) -> Result<(), E>,
    ) -> Result<(), E> {
        self.0.rekey_by(set)
    }

    /// Returns GCM with this key, for messages in pieces.
    #[cfg(feature = "dynamic")]
    pub(crate) fn gcm(&self) -> &Gcm<C> {
        &self.0
    }

    /// Computes the MAC of a message. Never use a nonce twice.
    ///
    /// # Errors
    ///
    /// [`AeadError::NonceLength`] for an empty nonce; [`AeadError::MessageLength`] for a
    /// message that is too long.
    #[inline]
    pub fn mac(&self, nonce: &[u8], message: &[u8]) -> Result<Tag<16>, AeadError> {
        let mut mac = Tag::ZERO;
        self.mac_into(nonce, message, mac.as_mut())?;
        Ok(mac)
    }

    /// Checks that `mac` is the MAC of `message` with this nonce.
    ///
    /// # Errors
    ///
    /// [`AeadError::Forged`] if `mac` is not the MAC of `message`; the errors of
    /// [`mac`](Self::mac).
    #[inline]
    pub fn verify(&self, nonce: &[u8], message: &[u8], mac: &Tag<16>) -> Result<(), AeadError> {
        self.verify_slice(nonce, message, mac.as_ref())
    }

    /// Checks a MAC of `N` bytes, 4, 8 or 12 to 16, as [`verify`](Self::verify) checks a full
    /// MAC. The protocol determines the length; a message must never choose it.
    ///
    /// # Errors
    ///
    /// The errors of [`verify`](Self::verify); [`AeadError::TagLength`] for any other
    /// length.
    #[inline]
    pub fn verify_cut<const N: usize>(
        &self,
        nonce: &[u8],
        message: &[u8],
        mac: &[u8; N],
    ) -> Result<(), AeadError> {
        self.verify_slice(nonce, message, mac)
    }

    /// Writes a MAC of as many bytes as `mac` has; for tests and measurements.
    #[doc(hidden)]
    #[inline]
    pub fn mac_into(&self, nonce: &[u8], message: &[u8], mac: &mut [u8]) -> Result<(), AeadError> {
        self.0.encrypt_to(nonce, message, (&mut [][..]).into(), mac)
    }

    /// Checks a MAC of any allowed length; for tests and measurements.
    #[doc(hidden)]
    #[inline]
    pub fn verify_slice(&self, nonce: &[u8], message: &[u8], mac: &[u8]) -> Result<(), AeadError> {
        self.0.decrypt(nonce, message, &mut [], mac)
    }
}

keyed_by_cipher! {
    [C: FusedEncrypt<Block = [u8; 16]>] Gmac<C>, 0;
}
