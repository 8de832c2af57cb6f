//! Stream ciphers, and the traits that they implement.
//!
//! | cipher | key in bytes | nonce in bytes | seek | source |
//! |---|---|---|---|---|
//! | [`ChaCha20`] [`ChaCha12`] [`ChaCha8`] | 16, 32 | 8, 12 | yes | [`chacha`] |
//! | [`XChaCha20`] | 32 | 24 | yes | [`chacha`] |
//! | [`Salsa20`] [`Salsa20R12`] [`Salsa20R8`] | 16, 32 | 8 | yes | [`salsa20`] |
//! | [`XSalsa20`] [`XSalsa20R12`] [`XSalsa20R8`] | 16, 32 | 24 | yes | [`salsa20`] |
//! | [`Sosemanuk`] | 1 to 32 | 16 | no | [`sosemanuk`] |
//! | [`Panama`] [`PanamaBe`] | 32 | 32 | no | [`panama`] |
//! | [`Hc128`] [`Hc256`] | 16, 32 | 16, 32 | no | [`hc`] |
//! | [`Abc`] (**outdated**) | 16 | 16 | no | [`abc`] |
//! | [`Turing`] (**outdated**) | 4 to 32 by 4 | 0 to 16 by 4 | no | [`turing`] |
//! | [`Rabbit`] | 16 | 0, 8 | no | [`rabbit`] |
//! | [`Rc4`] (**broken**) | 1 to 256 | – | no | [`rc4`] |
//!
//! A key has one keystream for each nonce. Encryption XORs the keystream to a message, in
//! pieces of any length. Encryption and decryption are the same operation.
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
//! **Never use a nonce twice under one key**: an attacker with two messages that were encrypted
//! with the same keystream knows the XOR of the messages. A stream cipher does not detect
//! changes of the ciphertext: for that, use [`aead`](crate::aead).

use core::fmt;

use inout::InOutBuf;

use crate::debug::debug;
use crate::{ByteArray, DataError, KeyLengths, Keyed, buffer};

#[cfg(feature = "abc")]
pub mod abc;
#[cfg(feature = "chacha")]
pub mod chacha;
#[cfg(any(feature = "chacha", feature = "salsa20"))]
pub mod counter;
#[cfg(feature = "hc")]
pub mod hc;
pub(crate) mod keystream;
#[cfg(feature = "panama")]
pub mod panama;
#[cfg(feature = "rabbit")]
pub mod rabbit;
#[cfg(feature = "rc4")]
pub mod rc4;
#[cfg(feature = "salsa20")]
pub mod salsa20;
#[cfg(feature = "sosemanuk")]
pub mod sosemanuk;
#[cfg(feature = "turing")]
pub mod turing;

#[cfg(feature = "abc")]
pub use abc::Abc;
#[cfg(feature = "chacha")]
pub use chacha::{ChaCha8, ChaCha12, ChaCha20, XChaCha20};
#[cfg(feature = "hc")]
pub use hc::{Hc128, Hc256};
#[cfg(feature = "panama")]
pub use panama::{Panama, PanamaBe};
#[cfg(feature = "rabbit")]
pub use rabbit::Rabbit;
#[cfg(feature = "rc4")]
pub use rc4::Rc4;
#[cfg(feature = "salsa20")]
pub use salsa20::{Salsa20, Salsa20R8, Salsa20R12, XSalsa20, XSalsa20R8, XSalsa20R12};
#[cfg(feature = "sosemanuk")]
pub use sosemanuk::Sosemanuk;
#[cfg(feature = "turing")]
pub use turing::Turing;

/// The list of stream ciphers. This macro calls the macro that is its argument, with a row `id
/// = Type;` for each cipher, or `id = Type, seek;` if the stream is a [`StreamSeek`]. Tests,
/// the dynamic interface and the traits of other crates use this list.
#[doc(hidden)]
#[macro_export]
macro_rules! __streams {
    ($with:ident!) => {
        $with! {
            #[cfg(feature = "chacha")]
            "chacha8" = ChaCha8, seek;
            #[cfg(feature = "chacha")]
            "chacha12" = ChaCha12, seek;
            #[cfg(feature = "chacha")]
            "chacha20" = ChaCha20, seek;
            #[cfg(feature = "chacha")]
            "xchacha20" = XChaCha20, seek;
            #[cfg(feature = "salsa20")]
            "salsa20-8" = Salsa20R8, seek;
            #[cfg(feature = "salsa20")]
            "salsa20-12" = Salsa20R12, seek;
            #[cfg(feature = "salsa20")]
            "salsa20" = Salsa20, seek;
            #[cfg(feature = "salsa20")]
            "xsalsa20-8" = XSalsa20R8, seek;
            #[cfg(feature = "salsa20")]
            "xsalsa20-12" = XSalsa20R12, seek;
            #[cfg(feature = "salsa20")]
            "xsalsa20" = XSalsa20, seek;
            #[cfg(feature = "sosemanuk")]
            "sosemanuk" = Sosemanuk;
            #[cfg(feature = "panama")]
            "panama" = Panama;
            #[cfg(feature = "panama")]
            "panama-be" = PanamaBe;
            #[cfg(feature = "hc")]
            "hc128" = Hc128;
            #[cfg(feature = "hc")]
            "hc256" = Hc256;
            #[cfg(feature = "rabbit")]
            "rabbit" = Rabbit;
            #[cfg(feature = "abc")]
            "abc-v3" = Abc;
            #[cfg(feature = "turing")]
            "turing" = Turing;
            #[cfg(feature = "rc4")]
            "rc4" = Rc4;
        }
    };
}
#[doc(hidden)]
pub use crate::__streams as streams;

/// A keystream that is XORed to a message. A block cipher in counter mode
/// ([`Ctr`](crate::mode::Ctr)) implements this trait too.
///
/// [`StreamKey::apply_many`] encrypts or decrypts many messages in one call.
pub trait StreamCipher {
    /// XORs the next bytes of the keystream to data, in place or from one buffer to
    /// another.
    fn apply_inout(&mut self, data: InOutBuf<'_, '_, u8>);

    /// XORs to each piece of data the next bytes of its own keystream. Each keystream must be
    /// at its first byte, and cannot be used after the call.
    #[doc(hidden)]
    fn apply_each<'i, 'o>(each: impl Iterator<Item = (Self, InOutBuf<'i, 'o, u8>)>)
    where
        Self: Sized,
    {
        for (mut stream, data) in each {
            stream.apply_inout(data);
        }
    }

    /// XORs the next 64 bytes of the keystream to `before`, and the bytes after them to `data`. The
    /// stream must be at the start of a block of its keystream. It can continue only if `data`
    /// consists of whole blocks.
    #[doc(hidden)]
    #[inline]
    fn apply_after(&mut self, before: &mut [u8; 64], data: InOutBuf<'_, '_, u8>) {
        self.apply(before);
        self.apply_inout(data);
    }

    /// XORs the next bytes of the keystream to `data`.
    #[inline]
    fn apply(&mut self, data: &mut [u8]) {
        self.apply_inout(data.into());
    }

    /// XORs the next bytes of the keystream to `input`, and writes the result to `output`.
    ///
    /// # Errors
    ///
    /// [`DataError::OutputLength`] if the lengths differ; then the output is unchanged.
    #[inline]
    fn apply_into(&mut self, input: &[u8], output: &mut [u8]) -> Result<(), DataError> {
        self.apply_inout(buffer::pair(input, output)?);
        Ok(())
    }

    /// Fills `output` with the next bytes of the keystream.
    #[inline]
    fn keystream(&mut self, output: &mut [u8]) {
        output.fill(0);
        self.apply(output);
    }
}

/// A keystream that can start at any position. The cipher does not compute the bytes before
/// this position.
pub trait StreamSeek: StreamCipher {
    /// Sets the position of the next byte of the keystream, counted from 0.
    fn seek(&mut self, byte: u64);
}

/// The key of a stream cipher, which has one keystream for each nonce.
pub trait StreamKey: Keyed {
    /// The type of the keystream.
    type Stream: StreamCipher;

    /// The type of the nonce, an array of bytes. If a cipher accepts several lengths, the array
    /// has the usual length.
    type Nonce: ByteArray;

    /// The lengths of nonces that this cipher accepts, in bytes.
    const NONCE_LENGTHS: KeyLengths = KeyLengths::exactly(Self::Nonce::LENGTH);

    /// Returns the keystream for `nonce`, at its first byte.
    fn stream(&self, nonce: &Self::Nonce) -> Self::Stream;

    /// XORs to each message the keystream for the message's nonce, from its first byte on. All
    /// nonces must be different.
    ///
    /// ChaCha and Salsa20 compute blocks of different messages in the lanes of one register. So
    /// many short messages in one call take a fraction of the time of one call for each
    /// message. The other ciphers process the messages one after the other, because their steps
    /// need tables, or carries that lanes do not have.
    ///
    /// ```
    /// use touchstone::stream::{ChaCha20, Message, StreamCipher, StreamKey};
    ///
    /// let key = ChaCha20::new(&[7; 32]);
    /// let (mut one, mut two) = ([0; 100], [0; 7]);
    /// key.apply_many(&mut [
    ///     Message::new([1; 12], &mut one),
    ///     Message::new([2; 12], &mut two),
    /// ]);
    /// let mut alone = [0; 7];
    /// key.stream(&[2; 12]).apply(&mut alone);
    /// assert_eq!(two, alone);
    /// ```
    fn apply_many(&self, messages: &mut [Message<'_, '_, Self::Nonce>]) {
        let each = messages.iter_mut();
        Self::Stream::apply_each(each.map(|one| (self.stream(&one.nonce), one.data.reborrow())));
    }

    /// Returns a random nonce. Two random nonces can be equal by chance: among 2³² nonces of 12
    /// bytes, with a probability of 2⁻³³. Random nonces of 8 bytes are too short for more than
    /// 2¹⁶ messages.
    #[cfg(feature = "rand_core")]
    fn generate_nonce<R: rand_core::CryptoRng + ?Sized>(rng: &mut R) -> Self::Nonce {
        Self::Nonce::random(rng)
    }

    /// Returns the keystream for a nonce whose length is known only at run time.
    ///
    /// # Errors
    ///
    /// [`InvalidNonceLength`] if the nonce's length is not one of
    /// [`NONCE_LENGTHS`](Self::NONCE_LENGTHS).
    fn stream_from_slice(&self, nonce: &[u8]) -> Result<Self::Stream, InvalidNonceLength> {
        match Self::Nonce::try_from(nonce) {
            Ok(nonce) => Ok(self.stream(&nonce)),
            Err(_) => Err(InvalidNonceLength::of(nonce, Self::NONCE_LENGTHS)),
        }
    }

    /// XORs to a whole message the keystream for `nonce`, from its first byte on. A cipher may do so
    /// without a stream, which keeps what is left of a block for the next piece. The caller overwrites
    /// the stack, so the keystream is not wiped before.
    #[doc(hidden)]
    #[inline]
    fn apply_message(
        &self,
        nonce: &[u8],
        data: InOutBuf<'_, '_, u8>,
    ) -> Result<(), InvalidNonceLength> {
        let mut stream = core::mem::ManuallyDrop::new(self.stream_from_slice(nonce)?);
        stream.apply_inout(data);
        Ok(())
    }

    /// Whether [`apply_message_in`](Self::apply_message_in) keeps the state where it stays, so that no
    /// copy of it is on the stack.
    #[doc(hidden)]
    const IN_PLACE: bool = false;

    /// Does the same as [`apply_message`](Self::apply_message). A cipher whose state is a table keeps
    /// it in `kept`, where the next message writes its own over it: this leaves no table on the
    /// stack. Others leave nothing in `kept`.
    #[doc(hidden)]
    #[inline]
    fn apply_message_in(
        &self,
        kept: &mut Option<Self::Stream>,
        nonce: &[u8],
        data: InOutBuf<'_, '_, u8>,
    ) -> Result<(), InvalidNonceLength> {
        *kept = None;
        self.apply_message(nonce, data)
    }
}

/// One of many messages under one key, for [`StreamKey::apply_many`].
pub struct Message<'i, 'o, N> {
    /// The nonce of this message.
    pub nonce: N,
    /// The data to encrypt or decrypt, in place or from one buffer to another.
    pub data: InOutBuf<'i, 'o, u8>,
}

debug!([N] Message<'_, '_, N>, "Message");

impl<'d, N> Message<'d, 'd, N> {
    /// Makes a message that is encrypted or decrypted in place.
    pub fn new(nonce: N, data: &'d mut [u8]) -> Self {
        let data = data.into();
        Self { nonce, data }
    }
}

/// The error for a nonce whose length the algorithm does not accept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InvalidNonceLength {
    /// Length of the refused nonce in bytes.
    pub given: usize,
    /// The lengths that the algorithm accepts.
    pub wanted: KeyLengths,
}

impl InvalidNonceLength {
    fn of(nonce: &[u8], wanted: KeyLengths) -> Self {
        let given = nonce.len();
        Self { given, wanted }
    }

    /// Returns the nonce as an array if it has the array's length.
    #[cfg(any(feature = "chacha", feature = "hc", feature = "salsa20"))]
    #[inline]
    fn array<const N: usize>(nonce: &[u8]) -> Result<&[u8; N], Self> {
        nonce
            .try_into()
            .map_err(|_| Self::of(nonce, KeyLengths::exactly(N)))
    }

    /// Returns an error for a nonce whose length is not one of `wanted`.
    pub(crate) fn check(nonce: &[u8], wanted: KeyLengths) -> Result<(), Self> {
        let given = nonce.len();
        if wanted.contains(given) {
            Ok(())
        } else {
            Err(Self { given, wanted })
        }
    }
}

impl fmt::Display for InvalidNonceLength {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a nonce of {} bytes, not {}", self.given, self.wanted)
    }
}

impl core::error::Error for InvalidNonceLength {}

/// Writes the parts that every stream has: the methods of [`StreamCipher`], which programs can
/// call without an import of the trait, `Debug` without the keystream, and the implementation
/// of `ZeroizeOnDrop`.
macro_rules! stream_type {
    ($name:expr, [$(const $n:ident: $t:ty),*] $Stream:ty) => {
        impl<$(const $n: $t),*> $Stream {
            /// XORs the next bytes of the keystream to `data`.
            #[inline]
            pub fn apply(&mut self, data: &mut [u8]) {
                $crate::stream::StreamCipher::apply(self, data);
            }
            /// Fills `output` with the next bytes of the keystream.
            #[inline]
            pub fn keystream(&mut self, output: &mut [u8]) {
                $crate::stream::StreamCipher::keystream(self, output);
            }
        }
        /// Prints only the name, because the keystream is secret.
        impl<$(const $n: $t),*> core::fmt::Debug for $Stream {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.debug_struct($name).finish_non_exhaustive()
            }
        }
        impl<$(const $n: $t),*> zeroize::ZeroizeOnDrop for $Stream {}
    };
}
pub(crate) use stream_type;

/// Writes the parts of a stream that is a [`Keystream`](keystream::Keystream): [`stream_type!`]
/// and the methods of the traits. The argument `seek` means that the source can move to any
/// block. The last arguments name a function that processes many sources at once, and one for
/// [`StreamCipher::apply_after`], if they are there.
macro_rules! keystream_type {
    ($name:expr, [$(const $n:ident: $t:ty),*] $Stream:ty $(, $seek:ident $(, $many:path, $end:path)?)?) => {
        impl<$(const $n: $t),*> $crate::stream::StreamCipher for $Stream {
            #[inline]
            fn apply_inout(&mut self, data: $crate::InOutBuf<'_, '_, u8>) {
                self.0.apply_inout(data);
            }

            $($(
                fn apply_each<'i, 'o>(
                    each: impl Iterator<Item = (Self, $crate::InOutBuf<'i, 'o, u8>)>,
                ) {
                    $many(each.map(|(stream, data)| (stream.0.source, data)));
                }

                #[inline]
                fn apply_after(
                    &mut self,
                    before: &mut [u8; 64],
                    data: $crate::InOutBuf<'_, '_, u8>,
                ) {
                    $end(&mut self.0.source, Some(before), data);
                }
            )?)?
        }
        $crate::stream::keystream_type!(@$($seek)? [$(const $n: $t),*] $Stream);
        $crate::stream::stream_type!($name, [$(const $n: $t),*] $Stream);
    };
    (@ [$(const $n:ident: $t:ty),*] $Stream:ty) => {};
    (@seek [$(const $n:ident: $t:ty),*] $Stream:ty) => {
        impl<$(const $n: $t),*> $crate::stream::StreamSeek for $Stream {
            fn seek(&mut self, byte: u64) {
                self.0.seek(byte.into());
            }
        }
    };
}
pub(crate) use keystream_type;
