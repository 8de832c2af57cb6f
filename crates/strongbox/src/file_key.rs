//! The file key, and the keys that follow from it.

use touchstone::hash::Sha512;
use touchstone::kdf::hkdf;
use touchstone::mac::Hmac;
use zeroize::Zeroizing;

use crate::error::Result;
use crate::random::Randomness;
use crate::suite::expand;

/// The first part of every label of a key derivation.
const DOMAIN: &[u8] = b"touchstone.strongbox/v1 ";
/// The length of a wrapped file key in bytes: the key and its authentication code.
pub(crate) const WRAPPED: usize = 64;

/// The secret of one file: 32 random bytes, from which all its keys follow.
pub(crate) struct FileKey(Zeroizing<[u8; 32]>);

impl FileKey {
    pub(crate) fn new(bytes: [u8; 32]) -> Self {
        Self(Zeroizing::new(bytes))
    }

    pub(crate) fn random(randomness: &mut dyn Randomness) -> Result<Self> {
        let mut key = Self::new([0; 32]);
        randomness.fill(&mut key.0[..])?;
        Ok(key)
    }

    /// Derives `N` bytes for a purpose: HKDF-Expand-SHA-512 with the file key as its key.
    pub(crate) fn derive<const N: usize>(&self, purpose: &[u8]) -> Zeroizing<[u8; N]> {
        let mut output = Zeroizing::new([0; N]);
        expand(&self.0[..], &label(purpose), &mut output[..]);
        output
    }

    /// The same for a length that is known at run time.
    pub(crate) fn derive_long(&self, purpose: &[u8], length: usize) -> Zeroizing<Vec<u8>> {
        let mut output = Zeroizing::new(vec![0; length]);
        expand(&self.0[..], &label(purpose), &mut output);
        output
    }

    /// Wraps the file key by a recipient's secret, which must be used for this alone: the key XOR
    /// derived bytes, and HMAC-SHA-512 cut to 32 bytes over `bound` and the wrapped key. `bound`
    /// is everything else that the stanza holds. The code commits to the secret, so nobody can
    /// make a stanza that several passphrases open.
    pub(crate) fn wrap(&self, secret: &[u8], purpose: &[u8], bound: &[u8]) -> [u8; WRAPPED] {
        let keys = wrapping_keys(secret, purpose);
        let mut wrapped = [0; WRAPPED];
        for (place, byte) in wrapped[..32].iter_mut().enumerate() {
            *byte = self.0[place] ^ keys[place];
        }
        let code = wrapping_code(&keys, bound, &wrapped[..32]);
        wrapped[32..].copy_from_slice(&code);
        wrapped
    }

    /// Unwraps a file key; `None` if the secret is another one or the stanza was changed.
    pub(crate) fn unwrap(
        wrapped: &[u8; WRAPPED],
        secret: &[u8],
        purpose: &[u8],
        bound: &[u8],
    ) -> Option<Self> {
        let keys = wrapping_keys(secret, purpose);
        let code = wrapping_code(&keys, bound, &wrapped[..32]);
        if !touchstone::constant_time_eq(&code, &wrapped[32..]) {
            return None;
        }
        let mut key = Self::new([0; 32]);
        for (place, byte) in key.0.iter_mut().enumerate() {
            *byte = wrapped[place] ^ keys[place];
        }
        Some(key)
    }
}

fn label(purpose: &[u8]) -> Vec<u8> {
    [DOMAIN, purpose].concat()
}

/// HKDF of RFC 5869 with SHA-512, without a salt: a key for the XOR and one for the code.
fn wrapping_keys(secret: &[u8], purpose: &[u8]) -> Zeroizing<[u8; 96]> {
    let mut keys = Zeroizing::new([0; 96]);
    hkdf::<Sha512>(secret, b"", &label(purpose), &mut keys[..]).expect("96 bytes are allowed");
    keys
}

fn wrapping_code(keys: &[u8; 96], bound: &[u8], wrapped: &[u8]) -> [u8; 32] {
    let mut mac = Hmac::<Sha512>::new(&keys[32..]);
    mac.update(bound);
    mac.update(wrapped);
    *mac.finalize().as_ref().first_chunk().expect("64 bytes")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_secret_and_the_bound_bytes_unwrap() {
        let key = FileKey::new([9; 32]);
        let wrapped = key.wrap(b"secret", b"test", b"bound");
        let unwrap = |wrapped: &[u8; WRAPPED], secret: &[u8], purpose: &[u8], bound: &[u8]| {
            FileKey::unwrap(wrapped, secret, purpose, bound).map(|key| *key.0)
        };
        assert_eq!(
            unwrap(&wrapped, b"secret", b"test", b"bound"),
            Some([9; 32])
        );
        assert_eq!(unwrap(&wrapped, b"Secret", b"test", b"bound"), None);
        assert_eq!(unwrap(&wrapped, b"secret", b"Test", b"bound"), None);
        assert_eq!(unwrap(&wrapped, b"secret", b"test", b"Bound"), None);
        for place in 0..WRAPPED {
            let mut changed = wrapped;
            changed[place] ^= 1;
            assert_eq!(
                unwrap(&changed, b"secret", b"test", b"bound"),
                None,
                "byte {place}"
            );
        }
    }
}
