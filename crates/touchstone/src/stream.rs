//! Stream ciphers, and the traits that they implement.
//!
//! | cipher | key in bytes | nonce in bytes | seek | source |
//! |---|---|---|---|---|
//! | [`ChaCha20`] [`ChaCha12`] [`ChaCha8`] | 16, 32 | 8, 12 | yes | [`chacha`] |
//! | [`XChaCha20`] | 32 | 24 | yes | [`chacha`] |
//! | [`Rc4`] (**broken**) | 1 to 256 | – | no | [`rc4`] |
//!
//! A key makes a stream for each nonce, and a stream is added to a message, in pieces
//! of any length. Encryption and decryption are the same.
//!
//! ```
//! use touchstone::stream::{ChaCha20, StreamCipher};
//!
//! let key = ChaCha20::new(&[0x42; 32]);
//! let mut message = *b"Attack at dawn, from the west.";
//! key.stream(b"used once...").apply(&mut message);
//!
//! key.stream(b"used once...").apply(&mut message);
//! assert_eq!(&message, b"Attack at dawn, from the west.");
//! ```
//!
//! **No nonce may serve twice under one key**: who has two messages of one stream has
//! their sum. A stream shows no alteration: use [`aead`](crate::aead) for that.

use core::fmt;

use inout::InOutBuf;

use crate::{DataError, KeyLengths, Keyed, buffer};

pub mod chacha;
mod keystream;
pub mod rc4;

pub use chacha::{ChaCha8, ChaCha12, ChaCha20, XChaCha20};
pub use rc4::Rc4;

/// The list of stream ciphers: hands `id = Type;`, or `id = Type, seek;` where the stream is
/// a [`StreamSeek`], for each to a macro. Tests, the
/// dynamic interface and the traits of other crates take their rows from here.
#[doc(hidden)]
#[macro_export]
macro_rules! __streams {
    ($with:ident!) => {
        $with! {
            "chacha8" = ChaCha8, seek;
            "chacha12" = ChaCha12, seek;
            "chacha20" = ChaCha20, seek;
            "xchacha20" = XChaCha20, seek;
            "rc4" = Rc4;
        }
    };
}
#[doc(hidden)]
pub use crate::__streams as streams;

/// A keystream that is added to a message. A block cipher in counter mode
/// ([`Ctr`](crate::mode::Ctr)) is one too.
pub trait StreamCipher {
    /// Adds the next bytes of the keystream, in place or out of place.
    fn apply_inout(&mut self, data: InOutBuf<'_, '_, u8>);

    /// Adds the next bytes of the keystream to `data`.
    #[inline]
    fn apply(&mut self, data: &mut [u8]) {
        self.apply_inout(data.into());
    }

    /// [`apply`](Self::apply), out of place.
    ///
    /// # Errors
    ///
    /// [`DataError::OutputLength`] if the lengths differ; the output stays as it is.
    #[inline]
    fn apply_into(&mut self, input: &[u8], output: &mut [u8]) -> Result<(), DataError> {
        self.apply_inout(buffer::pair(input, output)?);
        Ok(())
    }

    /// The next bytes of the keystream themselves.
    #[inline]
    fn keystream(&mut self, output: &mut [u8]) {
        output.fill(0);
        self.apply(output);
    }
}

/// A keystream that can be entered at any place, without computing what lies before.
pub trait StreamSeek: StreamCipher {
    /// Goes to a byte of the keystream, counted from 0.
    fn seek(&mut self, byte: u64);
}

/// The key of a stream cipher: makes a stream for each nonce.
pub trait StreamKey: Keyed {
    /// The keystream of a nonce.
    type Stream: StreamCipher;

    /// Lengths of the nonces that it takes, in bytes.
    const NONCE_LENGTHS: KeyLengths;

    /// The keystream of a nonce, from its first byte on.
    ///
    /// # Errors
    ///
    /// [`InvalidNonceLength`] for a nonce of another length than
    /// [`NONCE_LENGTHS`](Self::NONCE_LENGTHS).
    fn stream_from_slice(&self, nonce: &[u8]) -> Result<Self::Stream, InvalidNonceLength>;
}

/// A nonce of a length that the algorithm does not take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InvalidNonceLength {
    /// Length of the refused nonce in bytes.
    pub given: usize,
    /// Lengths that would have been right.
    pub wanted: KeyLengths,
}

impl fmt::Display for InvalidNonceLength {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a nonce of {} bytes, not {}", self.given, self.wanted)
    }
}

impl core::error::Error for InvalidNonceLength {}

/// Writes what every stream has: the calls of [`StreamCipher`] without an import,
/// `Debug` without the keystream, the mark of wiping.
macro_rules! stream_type {
    ($name:literal, [$(const $n:ident: $t:ty),*] $Stream:ty) => {
        impl<$(const $n: $t),*> $Stream {
            /// Adds the next bytes of the keystream to `data`.
            #[inline]
            pub fn apply(&mut self, data: &mut [u8]) {
                $crate::stream::StreamCipher::apply(self, data);
            }
            /// The next bytes of the keystream themselves.
            #[inline]
            pub fn keystream(&mut self, output: &mut [u8]) {
                $crate::stream::StreamCipher::keystream(self, output);
            }
        }
        /// The name alone: the keystream is a secret.
        impl<$(const $n: $t),*> core::fmt::Debug for $Stream {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.debug_struct($name).finish_non_exhaustive()
            }
        }
        impl<$(const $n: $t),*> zeroize::ZeroizeOnDrop for $Stream {}
    };
}
pub(crate) use stream_type;
