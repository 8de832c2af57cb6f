//! ECB, electronic codebook, [SP800-38A](super) §6.1: encrypts each block separately.
//!
//! Equal blocks of plaintext give equal blocks of ciphertext, so never use ECB for messages.
//! ECB exists here for interoperability, for single blocks, and as a baseline for measurements
//! of other modes.

use inout::InOutBuf;

use super::{padded_decryption, padded_encryption, shapes, whole};
#[cfg(feature = "alloc")]
use crate::cipher::Block;
use crate::debug::debug;
#[cfg(feature = "alloc")]
use crate::wipe::wipe;
use crate::{BlockDecrypt, BlockEncrypt, DataError, InvalidPadding, Padding, buffer};

/// ECB: a block cipher that encrypts each whole block separately.
#[derive(Clone)]
pub struct Ecb<C> {
    cipher: C,
}

debug!([C: core::fmt::Debug] Ecb<C>, "Ecb", cipher = cipher);

impl<C> Ecb<C> {
    /// Makes the mode from a cipher that is set up with a key.
    #[inline]
    pub fn new(cipher: C) -> Self {
        Self { cipher }
    }
}

impl<C: BlockEncrypt> Ecb<C> {
    shapes! {
        /// Encrypts whole blocks in place.
        encrypt encrypt_into encrypt_inout(&)
    }

    /// Does the same as [`encrypt`](Self::encrypt), in place or from one buffer to another.
    #[inline]
    pub fn encrypt_inout(&self, data: InOutBuf<'_, '_, u8>) -> Result<(), DataError> {
        self.cipher.encrypt_blocks(whole(data)?);
        Ok(())
    }

    padded_encryption!(&);
}

impl<C: BlockDecrypt> Ecb<C> {
    shapes! {
        /// Decrypts whole blocks in place.
        decrypt decrypt_into decrypt_inout(&)
    }

    /// Does the same as [`decrypt`](Self::decrypt), in place or from one buffer to another.
    #[inline]
    pub fn decrypt_inout(&self, data: InOutBuf<'_, '_, u8>) -> Result<(), DataError> {
        self.cipher.decrypt_blocks(whole(data)?);
        Ok(())
    }

    padded_decryption!(&);
}
