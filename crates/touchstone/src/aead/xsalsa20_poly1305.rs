//! XSalsa20-Poly1305, the `secretbox` of NaCl, [NACL](super). The first 32 bytes of the
//! keystream are the key of Poly1305, and the bytes after them encrypt the message. The tag
//! covers only the ciphertext: there is no associated data. A sealed message begins with the
//! tag.

use inout::InOutBuf;
use zeroize::ZeroizeOnDrop;

use super::stream_poly1305::{apply, stream};
use super::{AeadError, Engine, verified};
use crate::debug::debug;
use crate::mac::Poly1305;
use crate::stream::XSalsa20;
use crate::{FixedKey, InvalidKeyLength, KeyLengths, Keyed};

/// XSalsa20 with Poly1305: keys of 32 bytes, nonces of 24 bytes. Associated data that is not
/// empty gives [`AeadError::MessageLength`]. If a nonce is used twice, an attacker learns the
/// XOR of the two messages and can forge others.
#[derive(Clone)]
pub struct XSalsa20Poly1305(XSalsa20);

debug!([] XSalsa20Poly1305, "XSalsa20Poly1305");

/// The number of keystream bytes that are the key of Poly1305.
const KEY: usize = 32;

impl XSalsa20Poly1305 {
    /// Encrypts or decrypts a whole message and returns its tag.
    #[inline]
    fn whole(
        &self,
        nonce: &[u8],
        aad: &[u8],
        data: InOutBuf<'_, '_, u8>,
        backwards: bool,
        tag: usize,
    ) -> Result<[u8; 16], AeadError> {
        if tag != 16 {
            return Err(AeadError::TagLength { given: tag });
        }
        if !aad.is_empty() {
            return Err(AeadError::MessageLength);
        }
        let stream = stream(&self.0, nonce)?;
        Ok(apply(
            stream,
            KEY,
            data,
            backwards,
            |_| (),
            Poly1305::update,
            |_| (),
        ))
    }
}

impl Engine for XSalsa20Poly1305 {
    const TAGS: &'static [usize] = &[16];
    const NONCES: KeyLengths = KeyLengths::exactly(24);
    const TAG: usize = 16;
    const TAG_FIRST: bool = true;

    #[inline]
    fn encrypt_inout(
        &self,
        nonce: &[u8],
        aad: &[u8],
        data: InOutBuf<'_, '_, u8>,
        tag: &mut [u8],
    ) -> Result<(), AeadError> {
        let made = self.whole(nonce, aad, data, false, tag.len())?;
        tag.copy_from_slice(&made);
        Ok(())
    }

    #[inline]
    fn decrypt_inout(
        &self,
        nonce: &[u8],
        aad: &[u8],
        mut data: InOutBuf<'_, '_, u8>,
        tag: &[u8],
    ) -> Result<(), AeadError> {
        let right = self.whole(nonce, aad, data.reborrow(), true, tag.len())?;
        verified(&right, tag, &mut data)
    }
}

impl FixedKey for XSalsa20Poly1305 {
    type Key = [u8; 32];
}

impl Keyed for XSalsa20Poly1305 {
    type Kernel = <XSalsa20 as Keyed>::Kernel;
    const KEY_LENGTHS: KeyLengths = KeyLengths::exactly(32);

    #[inline]
    fn with_kernel(kernel: Self::Kernel, key: &[u8]) -> Result<Self, InvalidKeyLength> {
        Self::KEY_LENGTHS.check(key)?;
        XSalsa20::with_kernel(kernel, key).map(Self)
    }

    #[inline]
    fn rekey(&mut self, key: &[u8]) -> Result<(), InvalidKeyLength> {
        Self::KEY_LENGTHS.check(key)?;
        self.0.rekey(key)
    }

    fn kernel_in_use(&self) -> Self::Kernel {
        self.0.kernel_in_use()
    }
}

impl ZeroizeOnDrop for XSalsa20Poly1305 {}
