//! Authenticated encryption with associated data: what keeps a message secret and
//! shows whether it, or what goes with it in the clear, was altered.
//!
//! | mode | type | nonce | tag | a nonce used twice | source |
//! |---|---|---|---|---|---|
//! | GCM | [`Gcm`] | any, best 12 | 4, 8, 12–16 | is fatal | [SP800-38D] |
//! | CCM | [`Ccm`] | 7–13 | 4–16 by 2 | shows both messages | [SP800-38C] |
//! | EAX | [`Eax`] | any | 1 to a block | shows both messages | [EAX] |
//! | OCB3 | [`Ocb`] | 1–15 | 1–16 | is fatal | [RFC7253] |
//! | SIV | [`Siv`] | any, or none | 16 | shows only whether all is equal | [RFC5297] |
//! | GCM-SIV | [`GcmSiv`] | 12 | 16 | shows only whether all is equal | [RFC8452] |
//!
//! All are over a block cipher of 16 bytes, EAX over any. Type aliases such as
//! [`Aes128Gcm`] save a pair of brackets.
//!
//! ```
//! use touchstone::aead::{Aead, AeadError, Aes256Gcm};
//! use touchstone::Keyed;
//!
//! let gcm = Aes256Gcm::new(b"thirty-two bytes that are secret")?;
//! let (nonce, header) = (b"used once...", b"version 1");
//!
//! let mut sealed = [0; 14 + 16];
//! gcm.seal(nonce, header, b"Attack at dawn", &mut sealed)?;
//!
//! let mut opened = [0; 14];
//! gcm.open(nonce, header, &sealed, &mut opened)?;
//! assert_eq!(&opened, b"Attack at dawn");
//!
//! sealed[0] ^= 1;
//! assert_eq!(gcm.open(nonce, header, &sealed, &mut opened), Err(AeadError::Forged));
//! assert_eq!(opened, [0; 14]);
//! # Ok::<(), Box<dyn core::error::Error>>(())
//! ```
//!
//! # Forgeries
//!
//! Decryption passes over a message once, and checks the tag at the end. If it is
//! wrong, the output is *wiped*: it holds zeros, never unverified plaintext; in
//! place, the ciphertext is gone with it. Any other error leaves the output as it
//! is. Tags are compared in constant time.
//!
//! # Pieces
//!
//! GCM, CCM, EAX and OCB take messages in pieces ([`Encryptor`], [`Decryptor`]): first
//! all associated data, then all data, cut anywhere. A [`Decryptor`] hands out what
//! it has not verified, and its method is named for it. SIV and GCM-SIV read the
//! message before they write a byte of it, so they have no pieces.
//!
//! - [SP800-38D] Galois/Counter Mode (GCM) and GMAC, NIST SP 800-38D, 2007
//! - [SP800-38C] The CCM Mode for Authentication and Confidentiality, NIST SP 800-38C, 2004
//! - [EAX] M. Bellare, P. Rogaway, D. Wagner: The EAX Mode of Operation, FSE 2004
//! - [RFC7253] The OCB Authenticated-Encryption Algorithm, 2014
//! - [RFC5297] Synthetic Initialization Vector (SIV) Authenticated Encryption, 2008
//! - [RFC8452] AES-GCM-SIV: Nonce Misuse-Resistant Authenticated Encryption, 2019
//!
//! [SP800-38D]: https://doi.org/10.6028/NIST.SP.800-38D
//! [SP800-38C]: https://doi.org/10.6028/NIST.SP.800-38C
//! [EAX]: https://web.cs.ucdavis.edu/~rogaway/papers/eax.pdf
//! [RFC7253]: https://www.rfc-editor.org/rfc/rfc7253
//! [RFC5297]: https://www.rfc-editor.org/rfc/rfc5297
//! [RFC8452]: https://www.rfc-editor.org/rfc/rfc8452

use inout::InOutBuf;

use crate::buffer;
use crate::constant_time::matches;
use crate::error::DataError;
use crate::wipe::wipe;

pub mod ccm;
pub mod eax;
pub mod gcm;
pub mod gcm_siv;
pub mod gmac;
pub mod ocb;
pub mod siv;

pub use crate::error::AeadError;
pub use ccm::Ccm;
#[cfg(feature = "aes")]
pub use ccm::{Aes128Ccm, Aes192Ccm, Aes256Ccm};
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
pub use siv::Siv;
#[cfg(feature = "aes")]
pub use siv::{Aes128Siv, Aes192Siv, Aes256Siv};

/// Authenticated encryption of whole messages.
///
/// The *detached* calls take the tag as a buffer of its own, whose length says how
/// long a tag shall be. [`seal`](Self::seal) and [`open`](Self::open) join them.
pub trait Aead {
    /// Length of the longest tag in bytes, which is the one to use.
    const TAG: usize;

    /// The joined form begins with the tag, rather than ends with it.
    const TAG_FIRST: bool = false;

    /// [`encrypt`](Self::encrypt), in place or out of place.
    fn encrypt_inout(
        &self,
        nonce: &[u8],
        aad: &[u8],
        data: InOutBuf<'_, '_, u8>,
        tag: &mut [u8],
    ) -> Result<(), AeadError>;

    /// [`decrypt`](Self::decrypt), in place or out of place.
    fn decrypt_inout(
        &self,
        nonce: &[u8],
        aad: &[u8],
        data: InOutBuf<'_, '_, u8>,
        tag: &[u8],
    ) -> Result<(), AeadError>;

    /// Encrypts a message in place and makes its tag. An error leaves both as they
    /// are.
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

    /// [`encrypt`](Self::encrypt), out of place.
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

    /// Decrypts a message in place, if its tag is right. If it is not, the message
    /// is wiped; any other error leaves it as it is.
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

    /// [`decrypt`](Self::decrypt), out of place.
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

    /// Encrypts a message into ciphertext and tag, one after the other, the longer
    /// by a tag of [`TAG`](Self::TAG) bytes.
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

    /// Decrypts what [`seal`](Self::seal) made, if it is genuine.
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

/// Ends a decryption: the output stays if the tag begins as it should.
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

/// A mode that takes messages in pieces; who uses it does so through
/// [`Encryptor`] and [`Decryptor`].
pub trait Pieces: sealed::Pieces {}

mod sealed {
    use super::AeadError;
    use crate::cipher::Block;
    use inout::InOutBuf;

    pub trait Pieces {
        type Tag: Block;
        fn aad(&mut self, data: &[u8]) -> Result<(), AeadError>;
        fn encrypt(&mut self, data: InOutBuf<'_, '_, u8>) -> Result<(), AeadError>;
        fn decrypt(&mut self, data: InOutBuf<'_, '_, u8>) -> Result<(), AeadError>;
        fn check_tag(&self, length: usize) -> Result<(), AeadError>;
        fn finish(self) -> Result<Self::Tag, AeadError>;
    }
}

/// A message that is encrypted in pieces.
pub struct Encryptor<P> {
    pieces: P,
    begun: bool,
}

/// A message that is decrypted in pieces.
pub struct Decryptor<P> {
    pieces: P,
    begun: bool,
}

impl<P: Pieces> Encryptor<P> {
    fn new(pieces: P) -> Self {
        let begun = false;
        Self { pieces, begun }
    }

    /// Takes the next associated data.
    pub fn aad(&mut self, data: &[u8]) -> Result<(), AeadError> {
        if self.begun {
            return Err(AeadError::Order);
        }
        self.pieces.aad(data)
    }

    /// Encrypts the next data in place.
    pub fn encrypt(&mut self, data: &mut [u8]) -> Result<(), AeadError> {
        self.encrypt_inout(data.into())
    }

    /// [`encrypt`](Self::encrypt), out of place.
    pub fn encrypt_into(&mut self, input: &[u8], output: &mut [u8]) -> Result<(), AeadError> {
        self.encrypt_inout(buffer::pair(input, output)?)
    }

    /// [`encrypt`](Self::encrypt), in place or out of place.
    pub fn encrypt_inout(&mut self, data: InOutBuf<'_, '_, u8>) -> Result<(), AeadError> {
        self.begun = true;
        self.pieces.encrypt(data)
    }

    /// Ends the message, and makes a tag as long as the buffer.
    pub fn finish(self, tag: &mut [u8]) -> Result<(), AeadError> {
        self.pieces.check_tag(tag.len())?;
        let whole = self.pieces.finish()?;
        tag.copy_from_slice(&whole.as_ref()[..tag.len()]);
        Ok(())
    }
}

impl<P: Pieces> Decryptor<P> {
    fn new(pieces: P) -> Self {
        let begun = false;
        Self { pieces, begun }
    }

    /// Takes the next associated data.
    pub fn aad(&mut self, data: &[u8]) -> Result<(), AeadError> {
        if self.begun {
            return Err(AeadError::Order);
        }
        self.pieces.aad(data)
    }

    /// Decrypts the next data in place. Nobody may act on them before
    /// [`verify`](Self::verify) says that they are genuine.
    pub fn decrypt_unverified(&mut self, data: &mut [u8]) -> Result<(), AeadError> {
        self.decrypt_unverified_inout(data.into())
    }

    /// [`decrypt_unverified`](Self::decrypt_unverified), out of place.
    pub fn decrypt_unverified_into(
        &mut self,
        input: &[u8],
        output: &mut [u8],
    ) -> Result<(), AeadError> {
        self.decrypt_unverified_inout(buffer::pair(input, output)?)
    }

    /// [`decrypt_unverified`](Self::decrypt_unverified), in place or out of place.
    pub fn decrypt_unverified_inout(
        &mut self,
        data: InOutBuf<'_, '_, u8>,
    ) -> Result<(), AeadError> {
        self.begun = true;
        self.pieces.decrypt(data)
    }

    /// Ends the message: whether all that was taken is genuine.
    pub fn verify(self, tag: &[u8]) -> Result<(), AeadError> {
        self.pieces.check_tag(tag.len())?;
        let whole = self.pieces.finish()?;
        matches(&whole.as_ref()[..tag.len()], tag).map_err(|_| AeadError::Forged)
    }
}
