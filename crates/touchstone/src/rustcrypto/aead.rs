//! `aead` 0.6: `AeadInOut` and `KeyInit`. Its types fix the lengths: nonces of 12 bytes
//! (16 for EAX and SIV) and tags of 16 bytes.

use aead::consts::{U12, U16, U24, U32, U48, U64};
use aead::inout::InOutBuf;
use aead::{AeadCore, AeadInOut, Error, Key, KeyInit, KeySizeUser, Nonce, Tag, TagPosition};

use crate::Keyed;
use crate::aead::Engine;
use crate::aead::{Ccm, Eax, Gcm, GcmSiv, Ocb, Siv};
use crate::block::{Aes, AesEncrypt};

macro_rules! modes {
    ($($Mode:ty, $key:ty, $nonce:ty;)*) => {$(
        impl KeySizeUser for $Mode {
            type KeySize = $key;
        }
        impl KeyInit for $Mode {
            fn new(key: &Key<Self>) -> Self {
                match Keyed::from_slice(key) {
                    Ok(mode) => mode,
                    Err(_) => unreachable!("the type of the key has its length"),
                }
            }
        }
        impl AeadCore for $Mode {
            type NonceSize = $nonce;
            type TagSize = U16;
            const TAG_POSITION: TagPosition = if <Self as Engine>::TAG_FIRST {
                TagPosition::Prefix
            } else {
                TagPosition::Postfix
            };
        }
        impl AeadInOut for $Mode {
            fn encrypt_inout_detached(
                &self,
                nonce: &Nonce<Self>,
                associated_data: &[u8],
                buffer: InOutBuf<'_, '_, u8>,
            ) -> Result<Tag<Self>, Error> {
                let mut tag = Tag::<Self>::default();
                Engine::encrypt_inout(self, nonce, associated_data, buffer, &mut tag)
                    .map_err(|_| Error)?;
                Ok(tag)
            }

            fn decrypt_inout_detached(
                &self,
                nonce: &Nonce<Self>,
                associated_data: &[u8],
                buffer: InOutBuf<'_, '_, u8>,
                tag: &Tag<Self>,
            ) -> Result<(), Error> {
                Engine::decrypt_inout(self, nonce, associated_data, buffer, tag)
                    .map_err(|_| Error)
            }
        }
    )*};
}

modes! {
    Gcm<AesEncrypt<16>>, U16, U12;
    Gcm<AesEncrypt<24>>, U24, U12;
    Gcm<AesEncrypt<32>>, U32, U12;
    Ccm<AesEncrypt<16>>, U16, U12;
    Ccm<AesEncrypt<24>>, U24, U12;
    Ccm<AesEncrypt<32>>, U32, U12;
    Eax<AesEncrypt<16>>, U16, U16;
    Eax<AesEncrypt<24>>, U24, U16;
    Eax<AesEncrypt<32>>, U32, U16;
    Ocb<Aes<16>>, U16, U12;
    Ocb<Aes<24>>, U24, U12;
    Ocb<Aes<32>>, U32, U12;
    Siv<AesEncrypt<16>>, U32, U16;
    Siv<AesEncrypt<24>>, U48, U16;
    Siv<AesEncrypt<32>>, U64, U16;
    GcmSiv<AesEncrypt<16>>, U16, U12;
    GcmSiv<AesEncrypt<32>>, U32, U12;
}
