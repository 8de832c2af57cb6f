//! Authenticated encryption with associated data (AEAD). An AEAD keeps a message secret, and
//! detects changes of the message and of the associated data, which is sent unencrypted.
//!
//! | mode | type | nonce | tag | a nonce used twice | source |
//! |---|---|---|---|---|---|
//! | GCM | [`Gcm`] | any, best 12 | 4, 8, 12–16 | is fatal | [SP800-38D] |
//! | CCM | [`Ccm`] | 7–13 | 4–16 by 2 | shows both messages | [SP800-38C] |
//! | EAX | [`Eax`] | any | 1 to a block | shows both messages | [EAX] |
//! | OCB3 | [`Ocb`] | 1–15 | 1–16 | is fatal | [RFC7253] |
//! | SIV | [`Siv`] | any, or none | 16 | shows only whether all is equal | [RFC5297] |
//! | GCM-SIV | [`GcmSiv`] | 12 | 16 | shows only whether all is equal | [RFC8452] |
//! | ChaCha20-Poly1305 | `ChaCha20Poly1305` | 12 | 16 | is fatal | [RFC8439] |
//! | XChaCha20-Poly1305 | `XChaCha20Poly1305` | 24 | 16 | is fatal | [XCHACHA] |
//! | XSalsa20-Poly1305 | `XSalsa20Poly1305` | 24 | 16 | is fatal | [NACL] |
//! | AEGIS-128L, -128X2, -128X4 | `Aegis128L` `Aegis128X2` `Aegis128X4` | 16 | 16, 32 | is fatal | [AEGIS] |
//! | AEGIS-256, -256X2, -256X4 | `Aegis256` `Aegis256X2` `Aegis256X4` | 32 | 16, 32 | is fatal | [AEGIS] |
//! | Ascon-AEAD128 | `AsconAead128` | 16 | 16 | is fatal | [SP800-232] |
//! | Phelix (**outdated**) | `Phelix` | 16 | 1–16 | is fatal: it shows the key | [PHELIX] |
//!
//! EAX works with any block cipher. GCM, CCM, OCB3, SIV and GCM-SIV need a block cipher with
//! 16-byte blocks. Type aliases such as [`Aes128Gcm`] save a type parameter.
//!
//! ```
//! use touchstone::aead::{Aead, AeadError, Aes256Gcm};
//! use touchstone::FixedKey;
//!
//! let gcm = Aes256Gcm::new(b"thirty-two bytes that are secret");
//! let (nonce, header) = (b"used once...", b"version 1");
//!
//! let mut sealed = [0; 14 + 16];
//! gcm.seal_into(nonce, header, b"Attack at dawn", &mut sealed)?;
//!
//! let mut opened = [0; 14];
//! gcm.open_into(nonce, header, &sealed, &mut opened)?;
//! assert_eq!(&opened, b"Attack at dawn");
//!
//! sealed[0] ^= 1;
//! assert_eq!(gcm.open_into(nonce, header, &sealed, &mut opened), Err(AeadError::Forged));
//! assert_eq!(opened, [0; 14]);
//! # Ok::<(), Box<dyn core::error::Error>>(())
//! ```
//!
//! # Forgeries
//!
//! Decryption reads a message once and checks the tag at the end. If the tag is wrong, the
//! output is *wiped*: the output then contains zeros, never unverified plaintext. If decryption
//! was in place, the ciphertext is lost too. After any other error the output is unchanged.
//! Tags are compared in constant time.
//!
//! # Pieces
//!
//! GCM, CCM, EAX, OCB, ChaCha20-Poly1305, AEGIS, Ascon-AEAD128 and Phelix accept messages in pieces
//! ([`Encryptor`], [`Decryptor`]): first all associated data, then all data. The cuts between
//! pieces may be anywhere. A [`Decryptor`] returns data that is not verified yet, so the name
//! of its method contains `unverified`. SIV and GCM-SIV must read the whole message before they
//! write a byte, so they accept no pieces.
//!
//! `encryptor` and `decryptor` make objects that borrow the key. `encryptor_of` and
//! `decryptor_of` make objects that own the key, so that a struct can store them.
//!
//! - [SP800-38D] Galois/Counter Mode (GCM) and GMAC, NIST SP 800-38D, 2007
//! - [SP800-38C] The CCM Mode for Authentication and Confidentiality, NIST SP 800-38C, 2004
//! - [EAX] M. Bellare, P. Rogaway, D. Wagner: The EAX Mode of Operation, FSE 2004
//! - [RFC7253] The OCB Authenticated-Encryption Algorithm, 2014
//! - [RFC5297] Synthetic Initialization Vector (SIV) Authenticated Encryption, 2008
//! - [RFC8452] AES-GCM-SIV: Nonce Misuse-Resistant Authenticated Encryption, 2019
//! - [RFC8439] ChaCha20 and Poly1305 for IETF Protocols, 2018
//! - [XCHACHA] S. Arciszewski: XChaCha: eXtended-nonce ChaCha and AEAD_XChaCha20_Poly1305,
//!   draft-irtf-cfrg-xchacha-03, 2020
//! - [NACL] D. Bernstein: Cryptography in NaCl, 2009, §9 and §10
//! - [AEGIS] F. Denis, S. Lucas: The AEGIS Family of Authenticated Encryption Algorithms,
//!   draft-irtf-cfrg-aegis-aead-18, 2025
//! - [SP800-232] Ascon-Based Lightweight Cryptography Standards for Constrained Devices, NIST
//!   SP 800-232, 2025
//! - [PHELIX] D. Whiting, B. Schneier, S. Lucks, F. Muller: Phelix: Fast Encryption and
//!   Authentication in a Single Cryptographic Primitive, eSTREAM report 2005/027
//!
//! [SP800-38D]: https://doi.org/10.6028/NIST.SP.800-38D
//! [SP800-38C]: https://doi.org/10.6028/NIST.SP.800-38C
//! [EAX]: https://web.cs.ucdavis.edu/~rogaway/papers/eax.pdf
//! [RFC7253]: https://www.rfc-editor.org/rfc/rfc7253
//! [RFC5297]: https://www.rfc-editor.org/rfc/rfc5297
//! [RFC8452]: https://www.rfc-editor.org/rfc/rfc8452
//! [RFC8439]: https://www.rfc-editor.org/rfc/rfc8439
//! [XCHACHA]: https://datatracker.ietf.org/doc/html/draft-irtf-cfrg-xchacha-03
//! [NACL]: https://cr.yp.to/highspeed/naclcrypto-20090310.pdf
//! [AEGIS]: https://datatracker.ietf.org/doc/draft-irtf-cfrg-aegis-aead/
//! [SP800-232]: https://doi.org/10.6028/NIST.SP.800-232
//! [PHELIX]: https://www.schneier.com/academic/archives/2005/01/phelix.html

use core::borrow::Borrow;

use inout::InOutBuf;
use zeroize::ZeroizeOnDrop;

use crate::buffer::{self, Words};
use crate::byte_array::{ByteArray, Doubled};
use crate::cipher::Block;
use crate::constant_time::matches;
use crate::debug::debug;
use crate::digest::{DigestBytes, Tag};
use crate::error::DataError;
use crate::keyed::with_new;
use crate::mac::SHORTEST_TAG;
#[cfg(feature = "chacha")]
use crate::stream::StreamKey;
use crate::wipe::wipe;
use crate::{FixedKey, FusedDecrypt, FusedEncrypt, InvalidKeyLength, KeyLengths, Keyed};

#[cfg(feature = "aegis")]
pub mod aegis;
#[cfg(feature = "ascon")]
pub mod ascon;
pub mod ccm;
#[cfg(feature = "chacha")]
pub mod chacha20_poly1305;
pub mod eax;
pub mod gcm;
pub mod gcm_siv;
pub mod gmac;
pub mod ocb;
#[cfg(feature = "phelix")]
pub mod phelix;
pub mod siv;
#[cfg(any(feature = "chacha", feature = "salsa20"))]
mod stream_poly1305;
#[cfg(feature = "salsa20")]
pub mod xsalsa20_poly1305;

pub use crate::error::AeadError;
#[cfg(feature = "aegis")]
pub use aegis::{Aegis, Aegis128L, Aegis128X2, Aegis128X4, Aegis256, Aegis256X2, Aegis256X4};
#[cfg(feature = "ascon")]
pub use ascon::AsconAead128;
pub use ccm::Ccm;
#[cfg(feature = "aes")]
pub use ccm::{Aes128Ccm, Aes192Ccm, Aes256Ccm};
#[cfg(feature = "chacha")]
pub use chacha20_poly1305::{ChaCha20Poly1305, ChaChaPoly1305, XChaCha20Poly1305};
pub use eax::Eax;
#[cfg(feature = "aes")]
pub use eax::{Aes128Eax, Aes192Eax, Aes256Eax};
pub use gcm::Gcm;
#[cfg(feature = "aes")]
pub use gcm::{Aes128Gcm, Aes192Gcm, Aes256Gcm};
pub use gcm_siv::GcmSiv;
#[cfg(feature = "aes")]
pub use gcm_siv::{Aes128GcmSiv, Aes192GcmSiv, Aes256GcmSiv};
pub use gmac::Gmac;
pub use ocb::Ocb;
#[cfg(feature = "aes")]
pub use ocb::{Aes128Ocb, Aes192Ocb, Aes256Ocb};
#[cfg(feature = "phelix")]
pub use phelix::Phelix;
pub use siv::Siv;
#[cfg(feature = "aes")]
pub use siv::{Aes128Siv, Aes192Siv, Aes256Siv};
#[cfg(feature = "salsa20")]
pub use xsalsa20_poly1305::XSalsa20Poly1305;

/// Authenticated encryption of whole messages.
///
/// The lengths of nonce and tag belong to the type, so that no message can choose them. A nonce
/// has 12 bytes and a tag has its full length, unless [`WithLengths`] sets other lengths. The
/// methods [`encrypt`](Self::encrypt) and [`decrypt`](Self::decrypt) keep the tag separate from
/// the ciphertext. [`seal_into`](Self::seal_into) and [`open_into`](Self::open_into) join tag
/// and ciphertext.
///
/// All methods refuse messages that are longer than the mode allows
/// ([`AeadError::MessageLength`]). After this error the output is unchanged.
pub trait Aead {
    /// The type of the nonce, an array of bytes.
    type Nonce: ByteArray;

    /// The type of the tag: a [`Tag`] of the mode's length.
    type Tag: DigestBytes;

    /// Returns a random nonce. With random nonces of 12 bytes, NIST SP 800-38D §8.3 allows 2³²
    /// messages under one key.
    #[cfg(feature = "rand_core")]
    fn generate_nonce<R: rand_core::CryptoRng + ?Sized>(rng: &mut R) -> Self::Nonce
    where
        Self: Sized,
    {
        Self::Nonce::random(rng)
    }

    /// Whether a sealed message begins with the tag, as in SIV. If this is false, a sealed
    /// message ends with the tag.
    const TAG_FIRST: bool;

    /// Does the same as [`encrypt`](Self::encrypt), in place or from one buffer to another.
    ///
    /// # Errors
    ///
    /// The errors of [`encrypt`](Self::encrypt).
    fn encrypt_inout(
        &self,
        nonce: &Self::Nonce,
        aad: &[u8],
        data: InOutBuf<'_, '_, u8>,
    ) -> Result<Self::Tag, AeadError>;

    /// Does the same as [`decrypt`](Self::decrypt), in place or from one buffer to another.
    ///
    /// # Errors
    ///
    /// The errors of [`decrypt`](Self::decrypt).
    fn decrypt_inout(
        &self,
        nonce: &Self::Nonce,
        aad: &[u8],
        data: InOutBuf<'_, '_, u8>,
        tag: &Self::Tag,
    ) -> Result<(), AeadError>;

    /// Encrypts a message in place and returns its tag.
    ///
    /// # Errors
    ///
    /// [`AeadError::MessageLength`] if the message is too long.
    #[inline]
    fn encrypt(
        &self,
        nonce: &Self::Nonce,
        aad: &[u8],
        data: &mut [u8],
    ) -> Result<Self::Tag, AeadError> {
        self.encrypt_inout(nonce, aad, data.into())
    }

    /// Encrypts as [`encrypt`](Self::encrypt) does, from one buffer to another.
    ///
    /// # Errors
    ///
    /// The errors of [`encrypt`](Self::encrypt); [`AeadError::Data`] if the lengths differ.
    #[inline]
    fn encrypt_into(
        &self,
        nonce: &Self::Nonce,
        aad: &[u8],
        plaintext: &[u8],
        ciphertext: &mut [u8],
    ) -> Result<Self::Tag, AeadError> {
        self.encrypt_inout(nonce, aad, buffer::pair(plaintext, ciphertext)?)
    }

    /// Decrypts a message in place if its tag is right.
    ///
    /// # Errors
    ///
    /// [`AeadError::Forged`] if the tag is wrong; then the message is wiped.
    /// [`AeadError::MessageLength`] if the message is too long; then the message is unchanged.
    #[inline]
    fn decrypt(
        &self,
        nonce: &Self::Nonce,
        aad: &[u8],
        data: &mut [u8],
        tag: &Self::Tag,
    ) -> Result<(), AeadError> {
        self.decrypt_inout(nonce, aad, data.into(), tag)
    }

    /// Decrypts as [`decrypt`](Self::decrypt) does, from one buffer to another.
    ///
    /// # Errors
    ///
    /// The errors of [`decrypt`](Self::decrypt); [`AeadError::Data`] if the lengths differ.
    #[inline]
    fn decrypt_into(
        &self,
        nonce: &Self::Nonce,
        aad: &[u8],
        ciphertext: &[u8],
        plaintext: &mut [u8],
        tag: &Self::Tag,
    ) -> Result<(), AeadError> {
        self.decrypt_inout(nonce, aad, buffer::pair(ciphertext, plaintext)?, tag)
    }

    /// Encrypts a message and writes ciphertext and tag to `sealed`. `sealed` must be longer
    /// than the message by the length of a tag.
    ///
    /// # Errors
    ///
    /// The errors of [`encrypt`](Self::encrypt); [`AeadError::Data`] if `sealed` has
    /// another length.
    #[inline]
    fn seal_into(
        &self,
        nonce: &Self::Nonce,
        aad: &[u8],
        plaintext: &[u8],
        sealed: &mut [u8],
    ) -> Result<(), AeadError> {
        let size = Self::Tag::SIZE;
        if sealed.len().checked_sub(size) != Some(plaintext.len()) {
            return Err(AeadError::Data(DataError::OutputLength {
                input: plaintext.len().saturating_add(size),
                output: sealed.len(),
            }));
        }
        let (tag, ciphertext) = if Self::TAG_FIRST {
            sealed.split_at_mut(size)
        } else {
            let (ciphertext, tag) = sealed.split_at_mut(plaintext.len());
            (tag, ciphertext)
        };
        let made = self.encrypt_into(nonce, aad, plaintext, ciphertext)?;
        tag.copy_from_slice(made.as_ref());
        Ok(())
    }

    /// Decrypts a message that [`seal_into`](Self::seal_into) encrypted, if the message is
    /// genuine.
    ///
    /// # Errors
    ///
    /// The errors of [`decrypt_into`](Self::decrypt_into); [`AeadError::TagLength`] if `sealed`
    /// is shorter than a tag.
    #[inline]
    fn open_into(
        &self,
        nonce: &Self::Nonce,
        aad: &[u8],
        sealed: &[u8],
        plaintext: &mut [u8],
    ) -> Result<(), AeadError> {
        let size = Self::Tag::SIZE;
        let given = sealed.len();
        let length = given
            .checked_sub(size)
            .ok_or(AeadError::TagLength { given })?;
        let (tag, ciphertext) = if Self::TAG_FIRST {
            sealed.split_at(size)
        } else {
            let (ciphertext, tag) = sealed.split_at(length);
            (tag, ciphertext)
        };
        let mut whole = Self::Tag::ZERO;
        whole.as_mut().copy_from_slice(tag);
        self.decrypt_into(nonce, aad, ciphertext, plaintext, &whole)
    }

    /// Does the same as [`seal_into`](Self::seal_into), with a new vector as output.
    ///
    /// # Errors
    ///
    /// The errors of [`encrypt`](Self::encrypt).
    #[cfg(feature = "alloc")]
    fn seal(
        &self,
        nonce: &Self::Nonce,
        aad: &[u8],
        plaintext: &[u8],
    ) -> Result<alloc::vec::Vec<u8>, AeadError> {
        let mut sealed = alloc::vec![0; plaintext.len() + Self::Tag::SIZE];
        self.seal_into(nonce, aad, plaintext, &mut sealed)?;
        Ok(sealed)
    }

    /// Does the same as [`open_into`](Self::open_into), with a new vector as output.
    ///
    /// # Errors
    ///
    /// The errors of [`open_into`](Self::open_into).
    #[cfg(feature = "alloc")]
    fn open(
        &self,
        nonce: &Self::Nonce,
        aad: &[u8],
        sealed: &[u8],
    ) -> Result<alloc::vec::Vec<u8>, AeadError> {
        let length = sealed.len().saturating_sub(Self::Tag::SIZE);
        let mut plaintext = alloc::vec![0; length];
        self.open_into(nonce, aad, sealed, &mut plaintext)?;
        Ok(plaintext)
    }
}

/// Writes the implementation of [`Aead`] for a mode with its usual nonce and its full tag.
macro_rules! full_length {
    ($($(#[$cfg:meta])* [$($generics:tt)*] $Mode:ty, $Nonce:ty, $Tag:ty;)*) => {$(
        $(#[$cfg])*
        impl<$($generics)*> Aead for $Mode {
            type Nonce = $Nonce;
            type Tag = $Tag;
            const TAG_FIRST: bool = <Self as Engine>::TAG_FIRST;

            #[inline]
            fn encrypt_inout(
                &self,
                nonce: &$Nonce,
                aad: &[u8],
                data: InOutBuf<'_, '_, u8>,
            ) -> Result<$Tag, AeadError> {
                let mut tag = <$Tag>::ZERO;
                Engine::encrypt_inout(self, nonce.as_ref(), aad, data, tag.as_mut())?;
                Ok(tag)
            }

            #[inline]
            fn decrypt_inout(
                &self,
                nonce: &$Nonce,
                aad: &[u8],
                data: InOutBuf<'_, '_, u8>,
                tag: &$Tag,
            ) -> Result<(), AeadError> {
                Engine::decrypt_inout(self, nonce.as_ref(), aad, data, tag.as_ref())
            }
        }
    )*};
}

full_length! {
    [C: FusedEncrypt<Block = [u8; 16]>] Gcm<C>, [u8; 12], Tag<16>;
    [C: FusedEncrypt<Block = [u8; 16]>] Ccm<C>, [u8; 12], Tag<16>;
    [C: FusedEncrypt] Eax<C>, C::Block, <C::Block as Block>::Tag;
    [C: FusedEncrypt<Block = [u8; 16]> + FusedDecrypt<Block = [u8; 16]>] Ocb<C>, [u8; 12], Tag<16>;
    [C: FusedEncrypt<Block = [u8; 16]>] Siv<C>, [u8; 16], Tag<16>;
    [C: Keyed + FusedEncrypt<Block = [u8; 16]>] GcmSiv<C>, [u8; 12], Tag<16>;
    #[cfg(feature = "chacha")]
    [K: StreamKey] ChaChaPoly1305<K>, K::Nonce, Tag<16>;
    #[cfg(feature = "salsa20")]
    [] XSalsa20Poly1305, [u8; 24], Tag<16>;
    #[cfg(feature = "aegis")]
    [] Aegis128L, [u8; 16], Tag<16>;
    #[cfg(feature = "aegis")]
    [] Aegis128X2, [u8; 16], Tag<16>;
    #[cfg(feature = "aegis")]
    [] Aegis128X4, [u8; 16], Tag<16>;
    #[cfg(feature = "aegis")]
    [] Aegis256, [u8; 32], Tag<16>;
    #[cfg(feature = "aegis")]
    [] Aegis256X2, [u8; 32], Tag<16>;
    #[cfg(feature = "aegis")]
    [] Aegis256X4, [u8; 32], Tag<16>;
    #[cfg(feature = "ascon")]
    [] AsconAead128, [u8; 16], Tag<16>;
    #[cfg(feature = "phelix")]
    [] Phelix, [u8; 16], Tag<16>;
}

with_new! {
    [C: FixedKey + FusedEncrypt<Block = [u8; 16]>] Gcm<C>;
    [C: FixedKey + FusedEncrypt<Block = [u8; 16]>] Gmac<C>;
    [C: FixedKey + FusedEncrypt<Block = [u8; 16]>] Ccm<C>;
    [C: FixedKey + FusedEncrypt] Eax<C>;
    [C: FixedKey + FusedEncrypt<Block = [u8; 16]> + FusedDecrypt<Block = [u8; 16]>] Ocb<C>;
    [C: FixedKey<Key: Doubled> + FusedEncrypt<Block = [u8; 16]>] Siv<C>;
    [C: FixedKey + FusedEncrypt<Block = [u8; 16]>] GcmSiv<C>;
    #[cfg(feature = "chacha")]
    [K: StreamKey] ChaChaPoly1305<K>;
    #[cfg(feature = "salsa20")]
    [] XSalsa20Poly1305;
    #[cfg(feature = "aegis")]
    [] Aegis128L;
    #[cfg(feature = "aegis")]
    [] Aegis128X2;
    #[cfg(feature = "aegis")]
    [] Aegis128X4;
    #[cfg(feature = "aegis")]
    [] Aegis256;
    #[cfg(feature = "aegis")]
    [] Aegis256X2;
    #[cfg(feature = "aegis")]
    [] Aegis256X4;
    #[cfg(feature = "ascon")]
    [] AsconAead128;
    #[cfg(feature = "phelix")]
    [] Phelix;
    [M: Engine + FixedKey, const NONCE: usize, const TAG: usize] WithLengths<M, NONCE, TAG>;
    [M: Engine + FixedKey, const NONCE: usize, const TAG: usize] WithInsecureTag<M, NONCE, TAG>;
}

/// A mode with nonces of `NONCE` bytes and tags of `TAG` bytes. `TAG` must be at least 4.
///
/// ```
/// use touchstone::aead::{Aead, Aes128Ccm, WithLengths};
/// use touchstone::FixedKey;
///
/// /// CCM of TLS 1.2 with tags of 8 bytes, RFC 6655.
/// type Aes128Ccm8 = WithLengths<Aes128Ccm, 12, 8>;
///
/// let ccm = Aes128Ccm8::new(b"sixteen byte key");
/// let mut message = *b"Attack at dawn";
/// let tag = ccm.encrypt(b"used once...", b"", &mut message)?;
/// assert_eq!(tag.len(), 8);
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
///
/// A length that the mode does not allow is a compile error.
#[derive(Debug, Clone)]
pub struct WithLengths<M, const NONCE: usize, const TAG: usize>(M);

/// A mode with nonces of `NONCE` bytes and tags of `TAG` bytes, as [`WithLengths`], which also
/// allows tags of 1 to 3 bytes. An attacker forges such a tag within seconds. Use this type
/// only for old protocols and known answers.
#[derive(Debug, Clone)]
pub struct WithInsecureTag<M, const NONCE: usize, const TAG: usize>(M);

const fn is_one_of(lengths: &[usize], length: usize) -> bool {
    let mut i = 0;
    while i < lengths.len() {
        if lengths[i] == length {
            return true;
        }
        i += 1;
    }
    false
}

macro_rules! chosen_lengths {
    ($($Type:ident, $least:expr;)*) => {$(
        impl<M: Engine, const NONCE: usize, const TAG: usize> $Type<M, NONCE, TAG> {
            /// Makes the type from a mode that is set up with a key.
            #[inline]
            pub fn of(mode: M) -> Self {
                const { assert!(TAG >= $least && is_one_of(M::TAGS, TAG)) };
                const { assert!(M::NONCES.contains(NONCE)) };
                Self(mode)
            }

            /// Returns the mode itself, for the traits of other crates.
            #[cfg(feature = "rustcrypto")]
            pub(crate) fn mode(&self) -> &M {
                &self.0
            }
        }

        impl<M: Engine, const NONCE: usize, const TAG: usize> Aead for $Type<M, NONCE, TAG> {
            type Nonce = [u8; NONCE];
            type Tag = Tag<TAG>;
            const TAG_FIRST: bool = M::TAG_FIRST;

            #[inline]
            fn encrypt_inout(
                &self,
                nonce: &[u8; NONCE],
                aad: &[u8],
                data: InOutBuf<'_, '_, u8>,
            ) -> Result<Tag<TAG>, AeadError> {
                let mut tag = Tag::ZERO;
                self.0.encrypt_inout(nonce, aad, data, tag.as_mut())?;
                Ok(tag)
            }

            #[inline]
            fn decrypt_inout(
                &self,
                nonce: &[u8; NONCE],
                aad: &[u8],
                data: InOutBuf<'_, '_, u8>,
                tag: &Tag<TAG>,
            ) -> Result<(), AeadError> {
                self.0.decrypt_inout(nonce, aad, data, tag.as_ref())
            }
        }

        impl<M: Engine + FixedKey, const NONCE: usize, const TAG: usize> FixedKey
            for $Type<M, NONCE, TAG>
        {
            type Key = M::Key;
        }

        impl<M: Engine + Keyed, const NONCE: usize, const TAG: usize> Keyed
            for $Type<M, NONCE, TAG>
        {
            type Kernel = M::Kernel;
            const KEY_LENGTHS: KeyLengths = M::KEY_LENGTHS;

            fn with_kernel(kernel: M::Kernel, key: &[u8]) -> Result<Self, InvalidKeyLength> {
                M::with_kernel(kernel, key).map(Self::of)
            }

            fn rekey(&mut self, key: &[u8]) -> Result<(), InvalidKeyLength> {
                self.0.rekey(key)
            }

            fn kernel_in_use(&self) -> M::Kernel {
                self.0.kernel_in_use()
            }
        }

        impl<M: ZeroizeOnDrop, const NONCE: usize, const TAG: usize> ZeroizeOnDrop
            for $Type<M, NONCE, TAG>
        {
        }
    )*};
}

chosen_lengths! {
    WithLengths, SHORTEST_TAG;
    WithInsecureTag, 1;
}

/// A mode whose nonces and tags have any length that the mode allows; each call chooses the
/// lengths. Programs must not use this trait, because a message must never choose the length of
/// its tag. [`Aead`] and `dynamic::Aead` fix the lengths first. Tests and measurements use this
/// trait through the module `hidden`.
#[doc(hidden)]
pub trait Engine {
    /// The lengths of tags that the mode allows, in bytes.
    const TAGS: &'static [usize];

    /// The lengths of nonces that the mode allows, in bytes.
    const NONCES: KeyLengths;

    /// The length of the usual tag in bytes. Only AEGIS has a second, longer tag.
    const TAG: usize;

    /// Whether a sealed message begins with the tag. If this is false, a sealed message ends
    /// with the tag.
    const TAG_FIRST: bool = false;

    /// Does the same as [`encrypt`](Self::encrypt), in place or from one buffer to another.
    fn encrypt_inout(
        &self,
        nonce: &[u8],
        aad: &[u8],
        data: InOutBuf<'_, '_, u8>,
        tag: &mut [u8],
    ) -> Result<(), AeadError>;

    /// Does the same as [`decrypt`](Self::decrypt), in place or from one buffer to another.
    fn decrypt_inout(
        &self,
        nonce: &[u8],
        aad: &[u8],
        data: InOutBuf<'_, '_, u8>,
        tag: &[u8],
    ) -> Result<(), AeadError>;

    /// Whether the mode may have functions of its own for short messages.
    #[doc(hidden)]
    const SHORT: bool = false;

    /// Encrypts a message if it is so short that it has a function of its own, and returns whether it
    /// is. The function leaves nothing of a secret on the stack or in registers. The buffer comes by a
    /// pointer, which a caller may have.
    #[doc(hidden)]
    #[inline]
    fn encrypt_short(
        &self,
        nonce: &[u8],
        aad: &[u8],
        data: &mut Words<'_, '_>,
        tag: &mut [u8],
    ) -> bool {
        let _ = (nonce, aad, data, tag);
        false
    }

    /// Encrypts a message that [`encrypt_short`](Self::encrypt_short) does not take.
    #[doc(hidden)]
    #[inline]
    fn encrypt_longer(
        &self,
        nonce: &[u8],
        aad: &[u8],
        data: Words<'_, '_>,
        tag: &mut [u8],
    ) -> Result<(), AeadError> {
        self.encrypt_inout(nonce, aad, data.buffer(), tag)
    }

    /// Decrypts a message that [`decrypt_short`](Self::decrypt_short) does not take.
    #[doc(hidden)]
    #[inline]
    fn decrypt_longer(
        &self,
        nonce: &[u8],
        aad: &[u8],
        data: Words<'_, '_>,
        tag: &[u8],
    ) -> Result<(), AeadError> {
        self.decrypt_inout(nonce, aad, data.buffer(), tag)
    }

    /// Decrypts a message if it is so short that it has a function of its own, and then returns whether
    /// the tag is right. If it is not, the output is wiped. The function leaves nothing of a secret on
    /// the stack or in registers.
    #[doc(hidden)]
    #[inline]
    fn decrypt_short(
        &self,
        nonce: &[u8],
        aad: &[u8],
        data: &mut Words<'_, '_>,
        tag: &[u8],
    ) -> Option<bool> {
        let _ = (nonce, aad, data, tag);
        None
    }

    /// Encrypts a message in place and writes its tag. After an error message and tag are
    /// unchanged.
    #[inline]
    fn encrypt(
        &self,
        nonce: &[u8],
        aad: &[u8],
        data: &mut [u8],
        tag: &mut [u8],
    ) -> Result<(), AeadError> {
        self.encrypt_inout(nonce, aad, data.into(), tag)
    }

    /// Encrypts as [`encrypt`](Self::encrypt) does, from one buffer to another.
    #[inline]
    fn encrypt_into(
        &self,
        nonce: &[u8],
        aad: &[u8],
        plaintext: &[u8],
        ciphertext: &mut [u8],
        tag: &mut [u8],
    ) -> Result<(), AeadError> {
        self.encrypt_inout(nonce, aad, buffer::pair(plaintext, ciphertext)?, tag)
    }

    /// Decrypts a message in place if its tag is right. If the tag is wrong, the message
    /// is wiped. After any other error the message is unchanged.
    #[inline]
    fn decrypt(
        &self,
        nonce: &[u8],
        aad: &[u8],
        data: &mut [u8],
        tag: &[u8],
    ) -> Result<(), AeadError> {
        self.decrypt_inout(nonce, aad, data.into(), tag)
    }

    /// Decrypts as [`decrypt`](Self::decrypt) does, from one buffer to another.
    #[inline]
    fn decrypt_into(
        &self,
        nonce: &[u8],
        aad: &[u8],
        ciphertext: &[u8],
        plaintext: &mut [u8],
        tag: &[u8],
    ) -> Result<(), AeadError> {
        self.decrypt_inout(nonce, aad, buffer::pair(ciphertext, plaintext)?, tag)
    }

    /// Encrypts a message and writes ciphertext and tag to one buffer. This buffer is longer
    /// than the message by [`TAG`](Self::TAG) bytes.
    #[inline]
    fn seal(
        &self,
        nonce: &[u8],
        aad: &[u8],
        plaintext: &[u8],
        sealed: &mut [u8],
    ) -> Result<(), AeadError> {
        if sealed.len().checked_sub(Self::TAG) != Some(plaintext.len()) {
            return Err(AeadError::Data(DataError::OutputLength {
                input: plaintext.len().saturating_add(Self::TAG),
                output: sealed.len(),
            }));
        }
        if Self::TAG_FIRST {
            let (tag, ciphertext) = sealed.split_at_mut(Self::TAG);
            self.encrypt_into(nonce, aad, plaintext, ciphertext, tag)
        } else {
            let (ciphertext, tag) = sealed.split_at_mut(plaintext.len());
            self.encrypt_into(nonce, aad, plaintext, ciphertext, tag)
        }
    }

    /// Decrypts a message that [`seal`](Self::seal) encrypted, if the message is genuine.
    #[inline]
    fn open(
        &self,
        nonce: &[u8],
        aad: &[u8],
        sealed: &[u8],
        plaintext: &mut [u8],
    ) -> Result<(), AeadError> {
        let Some(length) = sealed.len().checked_sub(Self::TAG) else {
            return Err(AeadError::TagLength {
                given: sealed.len(),
            });
        };
        if Self::TAG_FIRST {
            let (tag, ciphertext) = sealed.split_at(Self::TAG);
            self.decrypt_into(nonce, aad, ciphertext, plaintext, tag)
        } else {
            let (ciphertext, tag) = sealed.split_at(length);
            self.decrypt_into(nonce, aad, ciphertext, plaintext, tag)
        }
    }
}

/// Implements encryption and decryption of an [`Engine`]. Both call `whole`, which encrypts or
/// decrypts a message and returns a tag of full length.
macro_rules! by_whole {
    () => {
        #[inline]
        fn encrypt_inout(
            &self,
            nonce: &[u8],
            aad: &[u8],
            data: InOutBuf<'_, '_, u8>,
            tag: &mut [u8],
        ) -> Result<(), AeadError> {
            let whole = self.whole(nonce, aad, data, tag.len(), false)?;
            tag.copy_from_slice(&whole.as_ref()[..tag.len()]);
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
            let whole = self.whole(nonce, aad, data.reborrow(), tag.len(), true)?;
            verified(whole.as_ref(), tag, &mut data)
        }
    };
}
use by_whole;

/// Ends a decryption: wipes `output` unless `given` equals the beginning of the right tag
/// `right`.
#[inline]
fn verified(
    right: &[u8],
    given: &[u8],
    output: &mut InOutBuf<'_, '_, u8>,
) -> Result<(), AeadError> {
    if matches(&right[..given.len()], given).is_ok() {
        Ok(())
    } else {
        wipe(output.get_out(), 0);
        Err(AeadError::Forged)
    }
}

/// A mode that accepts messages in pieces: all modes except SIV, GCM-SIV and XSalsa20-Poly1305.
/// Programs use [`Encryptor`] and [`Decryptor`].
pub trait InPieces: sealed::InPieces {}

impl<M: sealed::InPieces> InPieces for M {}

mod sealed {
    use super::AeadError;
    use crate::cipher::Block;
    use crate::constant_time::matches;
    use inout::InOutBuf;

    pub trait InPieces {
        type Block: Block;
        /// The state of a message that comes in pieces, without the key.
        type Pieces;
        fn aad(&self, message: &mut Self::Pieces, data: &[u8]) -> Result<(), AeadError>;
        fn encrypt(
            &self,
            message: &mut Self::Pieces,
            data: InOutBuf<'_, '_, u8>,
        ) -> Result<(), AeadError>;
        fn decrypt(
            &self,
            message: &mut Self::Pieces,
            data: InOutBuf<'_, '_, u8>,
        ) -> Result<(), AeadError>;
        fn check_tag(message: &Self::Pieces, length: usize) -> Result<(), AeadError>;
        fn finish(&self, message: &mut Self::Pieces) -> Result<Self::Block, AeadError>;

        /// Ends the message and writes a tag of an allowed length. The tag is the beginning of
        /// the full tag, except in AEGIS.
        fn finish_into(&self, message: &mut Self::Pieces, tag: &mut [u8]) -> Result<(), AeadError> {
            let whole = self.finish(message)?;
            tag.copy_from_slice(&whole.as_ref()[..tag.len()]);
            Ok(())
        }

        /// Ends the message and checks a tag of an allowed length.
        fn verify(&self, message: &mut Self::Pieces, tag: &[u8]) -> Result<(), AeadError> {
            let whole = self.finish(message)?;
            matches(&whole.as_ref()[..tag.len()], tag).map_err(|_| AeadError::Forged)
        }
    }
}

/// Checks the length of a tag that was fixed when the message started.
fn exact_tag(given: usize, expected: usize) -> Result<(), AeadError> {
    if given == expected {
        Ok(())
    } else {
        Err(AeadError::TagLength { given })
    }
}

/// Writes the methods of [`sealed::InPieces`] for associated data and data, of an AEAD whose
/// `Pieces` hold all that a message needs, with the methods `aad` and `data`. `Fallible` means that
/// these two return a `Result`.
macro_rules! by_message {
    ($Result:ident) => {
        fn aad(&self, message: &mut Self::Pieces, data: &[u8]) -> Result<(), AeadError> {
            by_message!($Result: message.aad(data))
        }

        fn encrypt(
            &self,
            message: &mut Self::Pieces,
            data: InOutBuf<'_, '_, u8>,
        ) -> Result<(), AeadError> {
            by_message!($Result: message.data(data, false))
        }

        fn decrypt(
            &self,
            message: &mut Self::Pieces,
            data: InOutBuf<'_, '_, u8>,
        ) -> Result<(), AeadError> {
            by_message!($Result: message.data(data, true))
        }
    };
    (Fallible: $call:expr) => {
        $call
    };
    (Infallible: $call:expr) => {{
        $call;
        Ok(())
    }};
}
use by_message;

/// Writes the methods of a mode that start a message in pieces. The macro's last argument says
/// which function makes the state of the message.
macro_rules! in_pieces {
    (
        ($($argument:ident: $Type:ty),*) -> $Result:ident,
        $(#[$meta:meta])*
    ) => {
        /// Starts a message that is encrypted in pieces. The object borrows the key.
        $(#[$meta])*
        pub fn encryptor(&self, $($argument: $Type),*) -> in_pieces!($Result Encryptor<Self, &Self>) {
            Self::encryptor_of(self, $($argument),*)
        }

        /// Starts a message that is decrypted in pieces. The object borrows the key.
        $(#[$meta])*
        pub fn decryptor(&self, $($argument: $Type),*) -> in_pieces!($Result Decryptor<Self, &Self>) {
            Self::decryptor_of(self, $($argument),*)
        }

        /// Starts a message that is encrypted in pieces, as [`encryptor`](Self::encryptor)
        /// does. The object owns the key, or shares the key by an `Arc`.
        $(#[$meta])*
        pub fn encryptor_of<K: Borrow<Self>>(
            key: K,
            $($argument: $Type),*
        ) -> in_pieces!($Result Encryptor<Self, K>) {
            let message = key.borrow().pieces($($argument),*);
            in_pieces!($Result: Encryptor, key, message)
        }

        /// Starts a message that is decrypted in pieces, as [`decryptor`](Self::decryptor)
        /// does. The object owns the key, or shares the key by an `Arc`.
        $(#[$meta])*
        pub fn decryptor_of<K: Borrow<Self>>(
            key: K,
            $($argument: $Type),*
        ) -> in_pieces!($Result Decryptor<Self, K>) {
            let message = key.borrow().pieces($($argument),*);
            in_pieces!($Result: Decryptor, key, message)
        }
    };
    (Fallible $Type:ty) => { Result<$Type, AeadError> };
    (Infallible $Type:ty) => { $Type };
    (Fallible: $Type:ident, $key:ident, $message:ident) => {
        Ok($Type::new($key, $message?))
    };
    (Infallible: $Type:ident, $key:ident, $message:ident) => {
        $Type::new($key, $message)
    };
}
use in_pieces;

/// Encrypts a message in pieces with the mode `M`. `K` is the mode with its key: `M` if
/// this object owns the key, `&M` if it borrows the key, `Arc<M>` if it shares the key.
pub struct Encryptor<M: InPieces, K: Borrow<M> = M> {
    key: K,
    message: M::Pieces,
    begun: bool,
}

debug!([M: InPieces, K: Borrow<M> + core::fmt::Debug] Encryptor<M, K>, "Encryptor", mode = key);

/// Decrypts a message in pieces with the mode `M`. `K` is the mode with its key: `M` if
/// this object owns the key, `&M` if it borrows the key, `Arc<M>` if it shares the key.
///
/// ```
/// use touchstone::aead::{Aes256Gcm, Decryptor};
/// use touchstone::prelude::*;
///
/// /// A download that is decrypted as it arrives.
/// struct Download {
///     decryptor: Decryptor<Aes256Gcm>,
///     bytes: u64,
/// }
///
/// impl Download {
///     fn new(key: &[u8; 32], nonce: &[u8; 12]) -> Result<Self, AeadError> {
///         let decryptor = Aes256Gcm::decryptor_of(Aes256Gcm::new(key), nonce)?;
///         Ok(Self { decryptor, bytes: 0 })
///     }
///
///     fn arrived(&mut self, piece: &mut [u8]) -> Result<(), AeadError> {
///         self.bytes += piece.len() as u64;
///         self.decryptor.decrypt_unverified(piece)
///     }
/// }
/// # use touchstone::AeadError;
/// # let (key, nonce, mut file) = ([7; 32], [1; 12], [9; 1000]);
/// # let tag = Aes256Gcm::new(&key).encrypt(&nonce, b"", &mut file)?;
///
/// let mut download = Download::new(&key, &nonce)?;
/// for piece in file.chunks_mut(300) {
///     download.arrived(piece)?;
/// }
/// assert_eq!(download.bytes, 1000);
/// download.decryptor.verify(&tag)?;
/// # assert_eq!(file, [9; 1000]);
/// # Ok::<(), AeadError>(())
/// ```
pub struct Decryptor<M: InPieces, K: Borrow<M> = M> {
    key: K,
    message: M::Pieces,
    begun: bool,
}

debug!([M: InPieces, K: Borrow<M> + core::fmt::Debug] Decryptor<M, K>, "Decryptor", mode = key);

impl<M: InPieces, K: Borrow<M>> Encryptor<M, K> {
    fn new(key: K, message: M::Pieces) -> Self {
        let begun = false;
        Self {
            key,
            message,
            begun,
        }
    }

    /// Adds the next piece of associated data.
    pub fn aad(&mut self, data: &[u8]) -> Result<(), AeadError> {
        if self.begun {
            return Err(AeadError::Order);
        }
        self.key.borrow().aad(&mut self.message, data)
    }

    /// Encrypts the next piece of data in place.
    pub fn encrypt(&mut self, data: &mut [u8]) -> Result<(), AeadError> {
        self.encrypt_inout(data.into())
    }

    /// Encrypts the next piece of data as [`encrypt`](Self::encrypt) does, from one buffer to
    /// another.
    pub fn encrypt_into(&mut self, input: &[u8], output: &mut [u8]) -> Result<(), AeadError> {
        self.encrypt_inout(buffer::pair(input, output)?)
    }

    /// Does the same as [`encrypt`](Self::encrypt), in place or from one buffer to another.
    pub fn encrypt_inout(&mut self, data: InOutBuf<'_, '_, u8>) -> Result<(), AeadError> {
        self.begun = true;
        self.key.borrow().encrypt(&mut self.message, data)
    }

    /// Ends the message and returns its full tag.
    ///
    /// # Errors
    ///
    /// [`AeadError::MessageLength`] if the message is shorter than its start announced;
    /// [`AeadError::TagLength`] if the start announced a shorter tag.
    pub fn finish(mut self) -> Result<<M::Block as Block>::Tag, AeadError> {
        M::check_tag(&self.message, M::Block::SIZE)?;
        Ok(self.key.borrow().finish(&mut self.message)?.into())
    }

    /// Ends the message as [`finish`](Self::finish) does, and returns a tag of `TAG` bytes.
    ///
    /// # Errors
    ///
    /// The errors of [`finish`](Self::finish); [`AeadError::TagLength`] if the mode does
    /// not allow tags of this length.
    pub fn finish_cut<const TAG: usize>(self) -> Result<Tag<TAG>, AeadError> {
        let mut tag = Tag::ZERO;
        self.finish_into(tag.as_mut())?;
        Ok(tag)
    }

    /// Ends the message and writes a tag of as many bytes as `tag` has.
    #[doc(hidden)]
    pub fn finish_into(mut self, tag: &mut [u8]) -> Result<(), AeadError> {
        self.end(tag)
    }

    /// [`finish_into`](Self::finish_into) where the object lies, without a copy on the stack.
    pub(crate) fn end(&mut self, tag: &mut [u8]) -> Result<(), AeadError> {
        M::check_tag(&self.message, tag.len())?;
        self.key.borrow().finish_into(&mut self.message, tag)
    }
}

impl<M: InPieces, K: Borrow<M>> Decryptor<M, K> {
    fn new(key: K, message: M::Pieces) -> Self {
        let begun = false;
        Self {
            key,
            message,
            begun,
        }
    }

    /// Adds the next piece of associated data.
    pub fn aad(&mut self, data: &[u8]) -> Result<(), AeadError> {
        if self.begun {
            return Err(AeadError::Order);
        }
        self.key.borrow().aad(&mut self.message, data)
    }

    /// Decrypts the next piece of data in place. A program must not act on the data before
    /// [`verify`](Self::verify) has confirmed that the data is genuine.
    pub fn decrypt_unverified(&mut self, data: &mut [u8]) -> Result<(), AeadError> {
        self.decrypt_unverified_inout(data.into())
    }

    /// Decrypts the next piece of data from one buffer to another, as
    /// [`decrypt_unverified`](Self::decrypt_unverified) does in place.
    pub fn decrypt_unverified_into(
        &mut self,
        input: &[u8],
        output: &mut [u8],
    ) -> Result<(), AeadError> {
        self.decrypt_unverified_inout(buffer::pair(input, output)?)
    }

    /// Decrypts the next piece of data, in place or from one buffer to another, as
    /// [`decrypt_unverified`](Self::decrypt_unverified) does in place.
    pub fn decrypt_unverified_inout(
        &mut self,
        data: InOutBuf<'_, '_, u8>,
    ) -> Result<(), AeadError> {
        self.begun = true;
        self.key.borrow().decrypt(&mut self.message, data)
    }

    /// Ends the message and checks with its full tag that all data and associated data is
    /// genuine.
    ///
    /// # Errors
    ///
    /// [`AeadError::Forged`] if the data or the associated data is not genuine;
    /// [`AeadError::MessageLength`] if the message is shorter than its start announced;
    /// [`AeadError::TagLength`] if the start announced a shorter tag.
    pub fn verify(self, tag: &<M::Block as Block>::Tag) -> Result<(), AeadError> {
        self.verify_slice(tag.as_ref())
    }

    /// Ends the message and checks its tag as [`verify`](Self::verify) does, with a tag of
    /// `TAG` bytes, at least 4. The protocol determines this length; a message must never
    /// choose it.
    ///
    /// # Errors
    ///
    /// The errors of [`verify`](Self::verify); [`AeadError::TagLength`] if the mode does
    /// not allow tags of this length.
    pub fn verify_cut<const TAG: usize>(self, tag: &Tag<TAG>) -> Result<(), AeadError> {
        const { assert!(TAG >= SHORTEST_TAG) };
        self.verify_slice(tag.as_ref())
    }

    /// Ends the message and checks its tag as [`verify_cut`](Self::verify_cut) does, and also
    /// accepts tags of 1 to 3 bytes. An attacker forges such a tag within seconds. Use this
    /// method only for old protocols and known answers.
    ///
    /// # Errors
    ///
    /// The errors of [`verify_cut`](Self::verify_cut).
    pub fn verify_cut_insecure<const TAG: usize>(self, tag: &Tag<TAG>) -> Result<(), AeadError> {
        self.verify_slice(tag.as_ref())
    }

    /// Ends the message and checks its tag. The tag has as many bytes as `tag`.
    #[doc(hidden)]
    pub fn verify_slice(mut self, tag: &[u8]) -> Result<(), AeadError> {
        self.check(tag)
    }

    /// [`verify_slice`](Self::verify_slice) where the object lies, without a copy on the stack.
    pub(crate) fn check(&mut self, tag: &[u8]) -> Result<(), AeadError> {
        M::check_tag(&self.message, tag.len())?;
        self.key.borrow().verify(&mut self.message, tag)
    }
}
