//! GCM-SIV, [RFC8452](super). Each nonce has its own keys, which are derived from the cipher's
//! key. The tag is the encrypted POLYVAL of associated data, message and lengths. The tag is
//! also the first counter block of counter mode.
//!
//! If a nonce is used twice, an attacker learns only whether the two messages are equal.
//! GCM-SIV has two disadvantages: a key set-up for each message, and two passes over the
//! message.

use inout::InOutBuf;
use zeroize::ZeroizeOnDrop;

use super::{AeadError, Engine, verified};
#[cfg(feature = "aes")]
use crate::block::{Aes128Encrypt, Aes192Encrypt, Aes256Encrypt};
use crate::cipher::Block as _;
use crate::debug::debug;
use crate::fuse::gcm_message as gcm;
use crate::ghash::{self, Point};
use crate::wipe::wipe;
use crate::{FixedKey, FusedEncrypt, InvalidKeyLength, Kernel as _, KeyLengths, Keyed};

/// GCM-SIV with a block cipher of 16-byte blocks.
#[derive(Clone)]
pub struct GcmSiv<C> {
    cipher: C,
    key: usize,
    hash: ghash::Kernel,
}

debug!([C: core::fmt::Debug] GcmSiv<C>, "GcmSiv", cipher = cipher);

/// GCM-SIV with AES and a key of 16 bytes.
#[cfg(feature = "aes")]
pub type Aes128GcmSiv = GcmSiv<Aes128Encrypt>;
/// GCM-SIV with AES and a key of 24 bytes. Other libraries have this form, but the RFC does
/// not.
#[cfg(feature = "aes")]
pub type Aes192GcmSiv = GcmSiv<Aes192Encrypt>;
/// GCM-SIV with AES and a key of 32 bytes.
#[cfg(feature = "aes")]
pub type Aes256GcmSiv = GcmSiv<Aes256Encrypt>;

type Block = [u8; 16];

/// The longest data or associated data in bytes, [RFC8452] §6.
const LONGEST: u64 = 1 << 36;

impl<C: Keyed + FusedEncrypt<Block = Block>> GcmSiv<C> {
    /// Derives the cipher and the hash key of POLYVAL for a nonce, [RFC8452] §4.
    #[inline]
    fn derived(&self, nonce: &[u8; 12]) -> Result<(C, Point), AeadError> {
        let mut blocks = [[0; 16]; 6];
        let blocks = &mut blocks[..2 + self.key / 8];
        for (i, block) in blocks.iter_mut().enumerate() {
            block[0] = i as u8;
            block[4..].copy_from_slice(nonce);
        }
        self.cipher.encrypt_blocks((&mut *blocks).into());
        let mut keys = [0; 48];
        for (half, block) in keys.as_chunks_mut::<8>().0.iter_mut().zip(&*blocks) {
            half.copy_from_slice(&block[..8]);
        }
        let mut h = [0; 16];
        h.copy_from_slice(&keys[..16]);
        let point = Point::polyval(self.hash, &h);
        let cipher = C::with_kernel(self.cipher.kernel_in_use(), &keys[16..16 + self.key]);
        wipe(&mut h, 0);
        wipe(&mut keys, 0);
        wipe(blocks, [0; 16]);
        // The derived key has the same length as the cipher's own key, so `new` cannot fail.
        let cipher = cipher.map_err(|_| AeadError::MessageLength)?;
        Ok((cipher, point))
    }

    /// Encrypts a whole message, or decrypts it if a tag is given. Returns whether the cipher
    /// has a fused form of GCM-SIV. If the result is false, the function did nothing.
    #[inline]
    fn fused(
        &self,
        nonce: &[u8; 12],
        aad: &[u8],
        data: InOutBuf<'_, '_, u8>,
        given: Option<&Block>,
        tag: &mut Block,
    ) -> bool {
        let mut number = [0; 16];
        number[..12].copy_from_slice(nonce);
        let mut message = gcm::SivMessage {
            nonce: u128::from_le_bytes(number),
            aad,
            data,
            given: given.map(|tag| u128::from_le_bytes(*tag)),
        };
        self.cipher.gcm_siv(self.hash, &mut message, tag)
    }

    /// Encrypts a whole message without a fused form, and returns its tag. Out of line, so that the
    /// frame above a fused form has no room for the derived keys.
    #[inline(never)]
    fn encrypt_unfused(
        &self,
        nonce: &[u8; 12],
        aad: &[u8],
        data: InOutBuf<'_, '_, u8>,
    ) -> Result<Block, AeadError> {
        let (cipher, point) = self.derived(nonce)?;
        let whole = Self::tag(&cipher, &point, nonce, aad, data.get_in());
        Self::counter_mode(&cipher, &whole, data);
        Ok(whole)
    }

    /// Decrypts as [`encrypt_unfused`](Self::encrypt_unfused) encrypts, and returns the right tag.
    #[inline(never)]
    fn decrypt_unfused(
        &self,
        nonce: &[u8; 12],
        aad: &[u8],
        mut data: InOutBuf<'_, '_, u8>,
        given: &Block,
    ) -> Result<Block, AeadError> {
        let (cipher, point) = self.derived(nonce)?;
        Self::counter_mode(&cipher, given, data.reborrow());
        Ok(Self::tag(&cipher, &point, nonce, aad, data.get_out()))
    }

    #[inline]
    fn tag(cipher: &C, point: &Point, nonce: &[u8; 12], aad: &[u8], data: &[u8]) -> Block {
        let mut sum = 0;
        point.update(&mut sum, aad);
        point.update(&mut sum, data);
        let lengths = ((data.len() as u128 * 8) << 64) | (aad.len() as u128 * 8);
        point.element_on(&mut sum, lengths);
        let mut tag = point.block(sum);
        for (byte, nonce) in tag.iter_mut().zip(nonce) {
            *byte ^= nonce;
        }
        tag[15] &= 0x7f;
        cipher.encrypt_block(&mut tag);
        tag
    }

    #[inline]
    fn counter_mode(cipher: &C, tag: &Block, data: InOutBuf<'_, '_, u8>) {
        let mut counter = *tag;
        counter[15] |= 0x80;
        let (blocks, mut rest) = Block::split(data);
        if !blocks.is_empty() {
            cipher.ctr_le32_blocks(&mut counter, blocks);
        }
        if !rest.is_empty() {
            cipher.encrypt_block(&mut counter);
            rest.xor_in2out(&counter[..rest.len()]);
            wipe(&mut counter, 0);
        }
    }

    /// Returns the nonce as an array, or an error if a length is not allowed.
    #[inline]
    fn checked<'n>(
        nonce: &'n [u8],
        aad: &[u8],
        data: usize,
        tag: usize,
    ) -> Result<&'n [u8; 12], AeadError> {
        if tag != 16 {
            return Err(AeadError::TagLength { given: tag });
        }
        if aad.len() as u64 > LONGEST || data as u64 > LONGEST {
            return Err(AeadError::MessageLength);
        }
        let given = nonce.len();
        nonce
            .try_into()
            .map_err(|_| AeadError::NonceLength { given })
    }
}

impl<C: Keyed + FusedEncrypt<Block = Block>> Engine for GcmSiv<C> {
    const TAGS: &'static [usize] = &[16];
    const NONCES: KeyLengths = KeyLengths::exactly(12);
    const TAG: usize = 16;

    #[inline]
    fn encrypt_inout(
        &self,
        nonce: &[u8],
        aad: &[u8],
        mut data: InOutBuf<'_, '_, u8>,
        tag: &mut [u8],
    ) -> Result<(), AeadError> {
        let nonce = Self::checked(nonce, aad, data.len(), tag.len())?;
        let mut whole = [0; 16];
        if self.fused(nonce, aad, data.reborrow(), None, &mut whole) {
            tag.copy_from_slice(&whole);
            return Ok(());
        }
        tag.copy_from_slice(&self.encrypt_unfused(nonce, aad, data)?);
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
        let nonce = Self::checked(nonce, aad, data.len(), tag.len())?;
        let mut given = [0; 16];
        given.copy_from_slice(tag);
        let mut right = [0; 16];
        if self.fused(nonce, aad, data.reborrow(), Some(&given), &mut right) {
            return verified(&right, tag, &mut data);
        }
        let right = self.decrypt_unfused(nonce, aad, data.reborrow(), &given)?;
        verified(&right, tag, &mut data)
    }
}

impl<C: FixedKey + FusedEncrypt<Block = Block>> FixedKey for GcmSiv<C> {
    type Key = C::Key;
}

impl<C: Keyed + FusedEncrypt<Block = Block>> Keyed for GcmSiv<C> {
    type Kernel = C::Kernel;
    /// Keys have at most 32 bytes, because [RFC8452](super) derives no longer keys.
    const KEY_LENGTHS: KeyLengths = {
        assert!(C::KEY_LENGTHS.max <= 32);
        C::KEY_LENGTHS
    };

    #[inline]
    fn with_kernel(kernel: Self::Kernel, key: &[u8]) -> Result<Self, InvalidKeyLength> {
        Ok(Self {
            cipher: C::with_kernel(kernel, key)?,
            key: key.len(),
            hash: ghash::Kernel::best(),
        })
    }

    #[inline]
    fn rekey(&mut self, key: &[u8]) -> Result<(), InvalidKeyLength> {
        self.cipher.rekey(key)?;
        self.key = key.len();
        Ok(())
    }

    fn kernel_in_use(&self) -> Self::Kernel {
        self.cipher.kernel_in_use()
    }
}

impl<C: Keyed + FusedEncrypt<Block = Block>> GcmSiv<C> {
    /// Makes the mode as [`Keyed::with_kernel`] does, with the given kernel of POLYVAL; for
    /// tests and measurements.
    #[doc(hidden)]
    pub fn with_kernels(
        kernel: C::Kernel,
        hash: ghash::Kernel,
        key: &[u8],
    ) -> Result<Self, InvalidKeyLength> {
        Ok(Self {
            hash,
            ..Self::with_kernel(kernel, key)?
        })
    }
}

impl<C: ZeroizeOnDrop> ZeroizeOnDrop for GcmSiv<C> {}
