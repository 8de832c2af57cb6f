//! The traits `AeadInOut` and `KeyInit` of `aead` 0.6, for every mode with any block cipher. A
//! mode has its usual nonce length and its longest tag; [`WithLengths`] gives other lengths.

use core::ops::Add;

#[cfg(any(feature = "chacha", feature = "salsa20"))]
use aead::consts::U24;
#[cfg(any(feature = "aegis", feature = "chacha", feature = "salsa20"))]
use aead::consts::U32;
use aead::consts::{U12, U16};
use aead::inout::InOutBuf;
use aead::{AeadCore, AeadInOut, Error, Key, KeyInit, KeySizeUser, Nonce, Tag, TagPosition};
use cipher::array::{ArraySize, AssocArraySize};
use cipher::common::{InnerInit, InnerUser};
use cipher::typenum::Sum;
use cipher::{BlockSizeUser, InvalidLength};

use super::Size;
#[cfg(feature = "ascon")]
use crate::aead::AsconAead128;
#[cfg(feature = "phelix")]
use crate::aead::Phelix;
#[cfg(feature = "salsa20")]
use crate::aead::XSalsa20Poly1305;
#[cfg(feature = "aegis")]
use crate::aead::{Aegis128L, Aegis256};
use crate::aead::{Ccm, Eax, Engine, Gcm, GcmSiv, Ocb, Siv, WithInsecureTag, WithLengths};
#[cfg(feature = "chacha")]
use crate::aead::{ChaCha20Poly1305, XChaCha20Poly1305};
use crate::{Aead, FusedDecrypt, FusedEncrypt, Keyed};

const fn position(tag_first: bool) -> TagPosition {
    if tag_first {
        TagPosition::Prefix
    } else {
        TagPosition::Postfix
    }
}

/// Writes the traits of a mode. The arguments are: its generic parameters, its type, its
/// bounds, the lengths of nonce and tag, and the expression for the mode itself.
macro_rules! modes {
    ($(
        $(#[$cfg:meta])*
        [$($generics:tt)*] $Mode:ty, [$($bound:tt)*] $nonce:ty, $tag:ty, |$mode:ident| $engine:expr;
    )*) => {$(
        $(#[$cfg])*
        impl<$($generics)*> AeadCore for $Mode where $($bound)* {
            type NonceSize = $nonce;
            type TagSize = $tag;
            const TAG_POSITION: TagPosition = position(<Self as Aead>::TAG_FIRST);
        }

        $(#[$cfg])*
        impl<$($generics)*> AeadInOut for $Mode where $($bound)* {
            #[inline]
            fn encrypt_inout_detached(
                &self,
                nonce: &Nonce<Self>,
                aad: &[u8],
                buffer: InOutBuf<'_, '_, u8>,
            ) -> Result<Tag<Self>, Error> {
                let $mode = self;
                let mut tag = Tag::<Self>::default();
                match Engine::encrypt_inout($engine, nonce, aad, buffer, &mut tag) {
                    Ok(()) => Ok(tag),
                    Err(_) => Err(Error),
                }
            }

            #[inline]
            fn decrypt_inout_detached(
                &self,
                nonce: &Nonce<Self>,
                aad: &[u8],
                buffer: InOutBuf<'_, '_, u8>,
                tag: &Tag<Self>,
            ) -> Result<(), Error> {
                let $mode = self;
                Engine::decrypt_inout($engine, nonce, aad, buffer, tag).map_err(|_| Error)
            }
        }
    )*};
}

modes! {
    [C: FusedEncrypt<Block = [u8; 16]>] Gcm<C>, [] U12, U16, |mode| mode;
    [C: FusedEncrypt<Block = [u8; 16]>] Ccm<C>, [] U12, U16, |mode| mode;
    [C: FusedEncrypt] Eax<C>, [C: BlockSizeUser] C::BlockSize, C::BlockSize, |mode| mode;
    [C: FusedEncrypt<Block = [u8; 16]> + FusedDecrypt<Block = [u8; 16]>] Ocb<C>,
        [] U12, U16, |mode| mode;
    [C: FusedEncrypt<Block = [u8; 16]>] Siv<C>, [] U16, U16, |mode| mode;
    [C: Keyed + FusedEncrypt<Block = [u8; 16]>] GcmSiv<C>, [] U12, U16, |mode| mode;
    [M: Engine, const NONCE: usize, const TAG: usize] WithLengths<M, NONCE, TAG>,
        [[u8; NONCE]: AssocArraySize, [u8; TAG]: AssocArraySize] Size<NONCE>, Size<TAG>,
        |mode| mode.mode();
    #[cfg(feature = "chacha")]
    [] ChaCha20Poly1305, [] U12, U16, |mode| mode;
    #[cfg(feature = "chacha")]
    [] XChaCha20Poly1305, [] U24, U16, |mode| mode;
    #[cfg(feature = "salsa20")]
    [] XSalsa20Poly1305, [] U24, U16, |mode| mode;
    #[cfg(feature = "aegis")]
    [] Aegis128L, [] U16, U16, |mode| mode;
    #[cfg(feature = "aegis")]
    [] Aegis256, [] U32, U16, |mode| mode;
    #[cfg(feature = "ascon")]
    [] AsconAead128, [] U16, U16, |mode| mode;
    #[cfg(feature = "phelix")]
    [] Phelix, [] U16, U16, |mode| mode;
    [M: Engine, const NONCE: usize, const TAG: usize] WithInsecureTag<M, NONCE, TAG>,
        [[u8; NONCE]: AssocArraySize, [u8; TAG]: AssocArraySize] Size<NONCE>, Size<TAG>,
        |mode| mode.mode();
}

/// Writes the trait `InnerInit` for types that are built from one cipher or one mode. `KeyInit`
/// follows from `InnerInit`.
macro_rules! of_cipher {
    ($([$($generics:tt)*] $Mode:ty, $Inner:ty, $new:path;)*) => {$(
        impl<$($generics)*> InnerUser for $Mode {
            type Inner = $Inner;
        }

        impl<$($generics)*> InnerInit for $Mode {
            #[inline]
            fn inner_init(inner: $Inner) -> Self {
                $new(inner)
            }
        }
    )*};
}

of_cipher! {
    [C: FusedEncrypt<Block = [u8; 16]>] Gcm<C>, C, Gcm::with_cipher;
    [C: FusedEncrypt<Block = [u8; 16]>] Ccm<C>, C, Ccm::with_cipher;
    [C: FusedEncrypt] Eax<C>, C, Eax::with_cipher;
    [C: FusedEncrypt<Block = [u8; 16]> + FusedDecrypt<Block = [u8; 16]>] Ocb<C>, C,
        Ocb::with_cipher;
    [M: Engine, const NONCE: usize, const TAG: usize] WithLengths<M, NONCE, TAG>, M,
        WithLengths::of;
    [M: Engine, const NONCE: usize, const TAG: usize] WithInsecureTag<M, NONCE, TAG>, M,
        WithInsecureTag::of;
}

macro_rules! keys {
    ($($(#[$cfg:meta])* [$($generics:tt)*] $Mode:ty, [$($bound:tt)*] $key:ty;)*) => {$(
        $(#[$cfg])*
        impl<$($generics)*> KeySizeUser for $Mode where $($bound)* {
            type KeySize = $key;
        }

        $(#[$cfg])*
        impl<$($generics)*> KeyInit for $Mode where $($bound)* {
            fn new(key: &Key<Self>) -> Self {
                super::with_key(key)
            }

            fn new_from_slice(key: &[u8]) -> Result<Self, InvalidLength> {
                super::with_slice(key)
            }
        }
    )*};
}

keys! {
    // The key of SIV consists of two keys of the cipher, RFC 5297 §2.2.
    [C: Keyed + FusedEncrypt<Block = [u8; 16]>] Siv<C>,
        [C: KeySizeUser<KeySize: Add<Output: ArraySize>>] Sum<C::KeySize, C::KeySize>;
    [C: Keyed + FusedEncrypt<Block = [u8; 16]>] GcmSiv<C>, [C: KeySizeUser] C::KeySize;
    #[cfg(feature = "chacha")]
    [] ChaCha20Poly1305, [] U32;
    #[cfg(feature = "chacha")]
    [] XChaCha20Poly1305, [] U32;
    #[cfg(feature = "salsa20")]
    [] XSalsa20Poly1305, [] U32;
    #[cfg(feature = "aegis")]
    [] Aegis128L, [] U16;
    #[cfg(feature = "aegis")]
    [] Aegis256, [] U32;
    #[cfg(feature = "ascon")]
    [] AsconAead128, [] U16;
    #[cfg(feature = "phelix")]
    [] Phelix, [] U16;
}
