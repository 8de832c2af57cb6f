//! ChaCha20-Poly1305, [RFC8439](super) §2.8, and XChaCha20-Poly1305. The first block of the
//! keystream of each nonce gives the key of Poly1305, and the following blocks encrypt the
//! message. The tag covers the associated data and the ciphertext, each filled up with zeros to
//! whole blocks of 16 bytes, and their lengths.

use core::borrow::Borrow;

use inout::InOutBuf;
use zeroize::ZeroizeOnDrop;

use super::stream_poly1305::{apply, mac_of, stream};
use super::{AeadError, Decryptor, Encryptor, Engine, in_pieces, sealed, verified};
use crate::byte_array::ByteArray;
use crate::debug::debug;
use crate::mac::Poly1305;
use crate::stream::{ChaCha20, StreamCipher, StreamKey, XChaCha20};
use crate::{FixedKey, InvalidKeyLength, KeyLengths, Keyed};

/// ChaCha20 or XChaCha20 with Poly1305. If a nonce is used twice, an attacker learns the XOR of
/// the two messages and can forge others.
#[derive(Clone)]
pub struct ChaChaPoly1305<C>(C);

debug!([C: core::fmt::Debug] ChaChaPoly1305<C>, "ChaChaPoly1305", cipher = 0);

/// ChaCha20-Poly1305, [RFC8439](super) §2.8: keys of 32 bytes, nonces of 12 bytes.
pub type ChaCha20Poly1305 = ChaChaPoly1305<ChaCha20>;
/// XChaCha20-Poly1305, [XCHACHA](super) §2.1: keys of 32 bytes, nonces of 24 bytes, which are
/// long enough to be chosen at random.
pub type XChaCha20Poly1305 = ChaChaPoly1305<XChaCha20>;

/// The longest message in bytes, [RFC8439] §2.8: 2³² blocks of 64 bytes without the first one,
/// which gives the key of Poly1305.
const LONGEST: u64 = (1 << 38) - KEY_BLOCK as u64;

/// The length in bytes of the block of the keystream that gives the key of Poly1305.
const KEY_BLOCK: usize = 64;

/// Returns the last block of the MAC's input: the lengths of associated data and data in bytes.
#[inline]
fn lengths(aad: u64, data: u64) -> [u8; 16] {
    (u128::from(data) << 64 | u128::from(aad)).to_le_bytes()
}

impl<C: StreamKey> ChaChaPoly1305<C> {
    in_pieces! {
        (nonce: &[u8]) -> Fallible,
        ///
        /// # Errors
        ///
        /// [`AeadError::NonceLength`] for a nonce whose length is not the cipher's nonce
        /// length.
    }

    fn pieces(&self, nonce: &[u8]) -> Result<Pieces<C::Stream>, AeadError> {
        let mut stream = stream(&self.0, nonce)?;
        let mac = mac_of(&mut stream, KEY_BLOCK);
        Ok(Pieces {
            stream,
            mac,
            aad: 0,
            data: 0,
        })
    }

    /// Encrypts or decrypts a whole message and returns its tag.
    #[inline]
    fn whole(
        &self,
        nonce: &[u8],
        aad: &[u8],
        data: InOutBuf<'_, '_, u8>,
        backwards: bool,
    ) -> Result<[u8; 16], AeadError> {
        if data.len() as u64 > LONGEST {
            return Err(AeadError::MessageLength);
        }
        let lengths = lengths(aad.len() as u64, data.len() as u64);
        let stream = stream(&self.0, nonce)?;
        let before = |mac: &mut Poly1305| mac.update_padded(aad);
        let hash = Poly1305::update_padded;
        let after = |mac: &mut Poly1305| mac.update_padded(&lengths);
        Ok(apply(
            stream, KEY_BLOCK, data, backwards, before, hash, after,
        ))
    }
}

/// Refuses tags that do not have 16 bytes: [RFC8439] §2.8 allows only full tags.
#[inline]
fn check_tag(length: usize) -> Result<(), AeadError> {
    match length {
        16 => Ok(()),
        given => Err(AeadError::TagLength { given }),
    }
}

impl<C: StreamKey> Engine for ChaChaPoly1305<C> {
    const TAGS: &'static [usize] = &[16];
    const NONCES: KeyLengths = KeyLengths::exactly(C::Nonce::LENGTH);
    const TAG: usize = 16;

    #[inline]
    fn encrypt_inout(
        &self,
        nonce: &[u8],
        aad: &[u8],
        data: InOutBuf<'_, '_, u8>,
        tag: &mut [u8],
    ) -> Result<(), AeadError> {
        check_tag(tag.len())?;
        tag.copy_from_slice(&self.whole(nonce, aad, data, false)?);
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
        check_tag(tag.len())?;
        let right = self.whole(nonce, aad, data.reborrow(), true)?;
        verified(&right, tag, &mut data)
    }
}

/// The state of a message that comes in pieces, without the key.
#[doc(hidden)]
pub struct Pieces<S> {
    stream: S,
    mac: Poly1305,
    aad: u64,
    data: u64,
}

debug!([S] Pieces<S>, "ChaChaPoly1305");

impl<S> Pieces<S> {
    /// Checks that the message has room for `more` bytes of data, and ends the associated data
    /// when the first data arrives.
    fn room(&mut self, more: usize) -> Result<(), AeadError> {
        let data = self.data.checked_add(more as u64);
        let data = data.filter(|n| *n <= LONGEST);
        let data = data.ok_or(AeadError::MessageLength)?;
        if self.data == 0 {
            self.mac.pad();
        }
        self.data = data;
        Ok(())
    }
}

impl<C: StreamKey> sealed::InPieces for ChaChaPoly1305<C> {
    type Block = [u8; 16];
    type Pieces = Pieces<C::Stream>;

    fn aad(&self, message: &mut Self::Pieces, data: &[u8]) -> Result<(), AeadError> {
        let aad = message.aad.checked_add(data.len() as u64);
        message.aad = aad.ok_or(AeadError::MessageLength)?;
        message.mac.update(data);
        Ok(())
    }

    fn encrypt(
        &self,
        message: &mut Self::Pieces,
        mut data: InOutBuf<'_, '_, u8>,
    ) -> Result<(), AeadError> {
        message.room(data.len())?;
        message.stream.apply_inout(data.reborrow());
        message.mac.update(data.get_out());
        Ok(())
    }

    fn decrypt(
        &self,
        message: &mut Self::Pieces,
        data: InOutBuf<'_, '_, u8>,
    ) -> Result<(), AeadError> {
        message.room(data.len())?;
        message.mac.update(data.get_in());
        message.stream.apply_inout(data);
        Ok(())
    }

    fn check_tag(_: &Self::Pieces, length: usize) -> Result<(), AeadError> {
        check_tag(length)
    }

    fn finish(&self, message: &mut Self::Pieces) -> Result<[u8; 16], AeadError> {
        message.mac.pad();
        message.mac.update(&lengths(message.aad, message.data));
        Ok(message.mac.end().into())
    }
}

impl<C: StreamKey> FixedKey for ChaChaPoly1305<C> {
    type Key = [u8; 32];
}

impl<C: StreamKey> Keyed for ChaChaPoly1305<C> {
    type Kernel = C::Kernel;
    const KEY_LENGTHS: KeyLengths = KeyLengths::exactly(32);

    #[inline]
    fn with_kernel(kernel: C::Kernel, key: &[u8]) -> Result<Self, InvalidKeyLength> {
        Self::KEY_LENGTHS.check(key)?;
        C::with_kernel(kernel, key).map(Self)
    }

    #[inline]
    fn rekey(&mut self, key: &[u8]) -> Result<(), InvalidKeyLength> {
        Self::KEY_LENGTHS.check(key)?;
        self.0.rekey(key)
    }

    fn kernel_in_use(&self) -> C::Kernel {
        self.0.kernel_in_use()
    }
}

impl<C: ZeroizeOnDrop> ZeroizeOnDrop for ChaChaPoly1305<C> {}
