//! Poly1305 with a block cipher, for many messages under one key, [POLY1305]. With AES it is
//! Poly1305-AES. The polynomial has one point r for all messages. The cipher encrypts a nonce of
//! 16 bytes to the number that is added at the end. **Never use a nonce twice under one key**:
//! two MACs with one nonce reveal r. The MAC is as constant-time as the cipher.
//!
//! - [POLY1305] D. Bernstein: The Poly1305-AES message-authentication code, FSE 2005
//!
//! [POLY1305]: https://cr.yp.to/mac/poly1305-20050329.pdf

use zeroize::ZeroizeOnDrop;

use super::poly1305::SHORT;
use super::{InvalidNonce, NonceMac, Poly1305};
use crate::debug::debug;
use crate::wipe::wipe;
use crate::{FusedEncrypt, InvalidKeyLength, InvalidNonceLength, KeyLengths, Keyed, Tag};

/// A nonce of [`CipherPoly1305`]: 16 bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Poly1305Nonce([u8; 16]);

impl From<[u8; 16]> for Poly1305Nonce {
    fn from(nonce: [u8; 16]) -> Self {
        Self(nonce)
    }
}

impl TryFrom<&[u8]> for Poly1305Nonce {
    type Error = InvalidNonce;

    fn try_from(nonce: &[u8]) -> Result<Self, InvalidNonce> {
        InvalidNonceLength::check(nonce, KeyLengths::exactly(16))?;
        let mut block = [0; 16];
        block.copy_from_slice(nonce);
        Ok(Self(block))
    }
}

/// Poly1305 with a block cipher. The key is the cipher's key, and then the 16 bytes of r.
///
/// ```
/// use touchstone::Keyed;
/// use touchstone::block::Aes128;
/// use touchstone::mac::{CipherPoly1305, NonceMac};
///
/// let mac = CipherPoly1305::<Aes128>::from_slice(&[0x42; 32])?;
/// let number_of_message = 1u128;
/// let nonce = number_of_message.to_be_bytes().into();
/// let tag = mac.mac(&nonce, b"Attack at dawn");
/// assert!(mac.verify(&nonce, b"Attack at dawn", &tag).is_ok());
/// # Ok::<(), touchstone::InvalidKeyLength>(())
/// ```
#[derive(Clone)]
pub struct CipherPoly1305<C> {
    cipher: C,
    /// The message in progress, which has zero as its second half of the key.
    message: Poly1305,
}

impl<C: FusedEncrypt<Block = [u8; 16]>> CipherPoly1305<C> {
    /// Makes the MAC from a cipher with its key, and the 16 bytes of r, of which 22 bits are set
    /// to zero.
    pub fn with_cipher(cipher: C, r: &[u8; 16]) -> Self {
        let mut key = [0; 32];
        key[..16].copy_from_slice(r);
        let message = Poly1305::new(&key);
        wipe(&mut key, 0);
        Self { cipher, message }
    }

    /// Ends the message and returns its MAC.
    fn end(&self, message: &mut Poly1305, nonce: &Poly1305Nonce) -> Tag<16> {
        let Poly1305Nonce(mut block) = *nonce;
        self.cipher.encrypt_block(&mut block);
        let tag = message.end_with(u128::from_le_bytes(block));
        wipe(&mut block, 0);
        tag
    }
}

impl<C: Keyed + FusedEncrypt<Block = [u8; 16]>> Keyed for CipherPoly1305<C> {
    type Kernel = C::Kernel;
    const KEY_LENGTHS: KeyLengths = {
        let KeyLengths { min, max, step } = C::KEY_LENGTHS;
        KeyLengths::every(step, min + 16, max + 16)
    };

    fn with_kernel(kernel: C::Kernel, key: &[u8]) -> Result<Self, InvalidKeyLength> {
        Self::KEY_LENGTHS.check(key)?;
        match key.split_last_chunk() {
            Some((key, r)) => Ok(Self::with_cipher(C::with_kernel(kernel, key)?, r)),
            None => unreachable!("the key has at least 16 bytes"),
        }
    }

    fn kernel_in_use(&self) -> C::Kernel {
        self.cipher.kernel_in_use()
    }
}

impl<C: Keyed + FusedEncrypt<Block = [u8; 16]>> NonceMac for CipherPoly1305<C> {
    type Nonce = Poly1305Nonce;
    type Output = Tag<16>;

    fn update(&mut self, data: &[u8]) {
        self.message.update(data);
    }

    fn finalize(&mut self, nonce: &Poly1305Nonce) -> Tag<16> {
        let tag = self.end(&mut self.message.clone(), nonce);
        self.reset();
        tag
    }

    fn reset(&mut self) {
        self.message.restart();
    }

    fn mac(&self, nonce: &Poly1305Nonce, message: &[u8]) -> Tag<16> {
        if message.len() <= SHORT {
            let Poly1305Nonce(mut block) = *nonce;
            self.cipher.encrypt_block(&mut block);
            let tag = self.message.short(u128::from_le_bytes(block), message);
            wipe(&mut block, 0);
            return tag;
        }
        let mut state = self.message.clone();
        state.restart();
        state.update(message);
        self.end(&mut state, nonce)
    }
}

debug!([C: core::fmt::Debug] CipherPoly1305<C>, "CipherPoly1305", cipher = cipher);

impl<C: ZeroizeOnDrop> ZeroizeOnDrop for CipherPoly1305<C> {}
