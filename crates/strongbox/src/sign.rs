//! Senders' signatures, by Ed25519 (RFC 8032).

use ed25519_dalek::{Signature, Signer, VerifyingKey};
use zeroize::Zeroizing;

use crate::error::{Error, Result};
use crate::random::Randomness;

/// The length of a public key in bytes.
pub(crate) const PUBLIC: usize = 32;
/// The length of a signature in bytes.
pub(crate) const SIGNATURE: usize = 64;

/// The public key by which a sender's signature is verified.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SenderKey(pub [u8; PUBLIC]);

impl SenderKey {
    pub(crate) fn verify(&self, message: &[u8], signature: &[u8; SIGNATURE]) -> Result<()> {
        let key = VerifyingKey::from_bytes(&self.0).map_err(|_| Error::BadSignature)?;
        key.verify_strict(message, &Signature::from_bytes(signature))
            .map_err(|_| Error::BadSignature)
    }
}

/// A sender's secret key: a seed of 32 bytes, wiped when it is dropped.
#[derive(Clone)]
pub struct SigningKey(pub(crate) Zeroizing<[u8; 32]>);

impl std::fmt::Debug for SigningKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("SigningKey")
    }
}

impl SigningKey {
    /// Makes a key from its seed.
    pub fn new(seed: [u8; 32]) -> Self {
        Self(Zeroizing::new(seed))
    }

    /// Makes a new key.
    ///
    /// # Errors
    ///
    /// [`Error::Io`] if there are no random bytes.
    pub fn random(randomness: &mut dyn Randomness) -> Result<Self> {
        let mut this = Self::new([0; 32]);
        randomness.fill(&mut this.0[..])?;
        Ok(this)
    }

    /// Returns the public key.
    pub fn sender(&self) -> SenderKey {
        SenderKey(self.key().verifying_key().to_bytes())
    }

    pub(crate) fn sign(&self, message: &[u8]) -> [u8; SIGNATURE] {
        self.key().sign(message).to_bytes()
    }

    fn key(&self) -> ed25519_dalek::SigningKey {
        ed25519_dalek::SigningKey::from_bytes(&self.0)
    }
}
