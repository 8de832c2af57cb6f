//! Modes of operation, which make a cipher for messages from a block cipher.
//!
//! | mode | types | length | source |
//! |---|---|---|---|
//! | ECB | [`Ecb`] | whole blocks | [SP800-38A] §6.1 |
//! | CBC | [`CbcEncrypt`] [`CbcDecrypt`] | whole blocks | [SP800-38A] §6.2 |
//! | CFB | [`CfbEncrypt`] [`CfbDecrypt`] | any | [SP800-38A] §6.3 |
//! | CFB-8 | [`Cfb8Encrypt`] [`Cfb8Decrypt`] | any | [SP800-38A] §6.3 |
//! | OFB | [`Ofb`] | any | [SP800-38A] §6.4 |
//! | CTR | [`Ctr`] | any | [SP800-38A] §6.5, [counter rules](ctr) |
//! | ECB, CBC with ciphertext stealing | [`EcbSteal`] [`CbcCs1`] [`CbcCs2`] [`CbcCs3`] | a block or more | [stealing](steal) |
//! | XTS | [`Xts`] | a block or more | [storage](xts) |
//!
//! A mode needs a block cipher that is set up with a key, by value or by reference. A mode
//! accepts a message in one call or in pieces; the cuts between pieces do not change the
//! result. `reset` starts the next message with the same key. ECB and CBC accept only whole
//! blocks. [padding] extends a message to whole blocks. Padding is a separate layer above these
//! modes, because it changes lengths, and because programs must handle its errors with care.
//!
//! None of these modes detects changes of a message.
//!
//! - [SP800-38A] Recommendation for Block Cipher Modes of Operation, NIST SP 800-38A, 2001
//!
//! [SP800-38A]: https://doi.org/10.6028/NIST.SP.800-38A

pub mod cbc;
pub mod cfb;
pub mod cfb8;
pub mod ctr;
pub mod ecb;
pub mod ofb;
pub mod steal;
pub mod xts;

pub mod wrap;

#[doc(no_inline)]
pub use crate::padding::{self, Padding};
pub use cbc::{CbcDecrypt, CbcEncrypt};
pub use cfb::{CfbDecrypt, CfbEncrypt};
pub use cfb8::{Cfb8Decrypt, Cfb8Encrypt};
pub use ctr::Ctr;
pub use ecb::Ecb;
pub use ofb::Ofb;
pub use steal::{CbcCs1, CbcCs2, CbcCs3, EcbSteal};
pub use wrap::KeyWrap;
pub use xts::Xts;

use inout::InOutBuf;

use crate::DataError;
use crate::cipher::Block;

/// Splits `data` into blocks, or returns an error if it is not whole blocks.
#[inline(always)]
fn whole<'i, 'o, B: Block>(data: InOutBuf<'i, 'o, u8>) -> Result<InOutBuf<'i, 'o, B>, DataError> {
    let length = data.len();
    match B::split(data) {
        (blocks, rest) if rest.is_empty() => Ok(blocks),
        _ => Err(DataError::NotWholeBlocks {
            length,
            block: B::SIZE,
        }),
    }
}

/// Refuses data shorter than a block, for which ciphertext stealing is impossible.
#[inline(always)]
fn at_least_a_block<B: Block>(length: usize) -> Result<(), DataError> {
    if length >= B::SIZE {
        Ok(())
    } else {
        Err(DataError::TooShort {
            length,
            least: B::SIZE,
        })
    }
}

/// Writes three forms of a method: in place, from one buffer to another, and `inout`, which
/// works in place or from one buffer to another. The first two forms call the third.
macro_rules! shapes {
    (
        $(#[$meta:meta])*
        $method:ident $into:ident $inout:ident(&$($mutable:ident)? $(, $arg:ident: $type:ty)?)
    ) => {
        $(#[$meta])*
        ///
        /// After an error the data is unchanged.
        #[inline]
        pub fn $method(
            &$($mutable)? self,
            $($arg: $type,)?
            data: &mut [u8],
        ) -> Result<(), DataError> {
            self.$inout($($arg,)? data.into())
        }

        #[doc = concat!("[`", stringify!($method), "`](Self::", stringify!($method), "), out of place.")]
        #[inline]
        pub fn $into(
            &$($mutable)? self,
            $($arg: $type,)?
            input: &[u8],
            output: &mut [u8],
        ) -> Result<(), DataError> {
            self.$inout($($arg,)? buffer::pair(input, output)?)
        }
    };
}
use shapes;

/// Writes a method that returns the cipher of a mode, so that `dynamic` can give the cipher
/// another key.
macro_rules! cipher_mut {
    ($([$($generics:tt)*] $Mode:ty;)*) => {$(
        #[cfg(feature = "dynamic")]
        impl<$($generics)*> $Mode {
            /// Returns the cipher, whose key may be changed between two messages.
            pub(crate) fn cipher_mut(&mut self) -> &mut C {
                &mut self.cipher
            }
        }
    )*};
}
use cipher_mut;

/// Writes three forms of a method that accepts any length, as [`shapes!`] does. Only the form
/// with two buffers can fail.
macro_rules! any_length {
    (
        $(#[$meta:meta])*
        $method:ident $into:ident $inout:ident
    ) => {
        $(#[$meta])*
        #[inline]
        pub fn $method(&mut self, data: &mut [u8]) {
            self.$inout(data.into());
        }

        #[doc = concat!(
            "[`", stringify!($method), "`](Self::", stringify!($method),
            "), out of place. An error leaves the output as it is."
        )]
        #[inline]
        pub fn $into(&mut self, input: &[u8], output: &mut [u8]) -> Result<(), DataError> {
            self.$inout(buffer::pair(input, output)?);
            Ok(())
        }
    };
}
use any_length;

/// Writes the methods that pad and encrypt one whole message, for a mode that has the method
/// `encrypt`.
macro_rules! padded_encryption {
    ($($receiver:tt)*) => {
        /// Pads the message in the first `length` bytes of a buffer, encrypts it in place and
        /// returns the ciphertext.
        ///
        /// # Errors
        ///
        /// [`DataError::TooLittleRoom`] if the buffer is too small for the padded message; then
        /// the buffer is unchanged.
        #[allow(
            clippy::needless_lifetimes,
            reason = "needed where the mode is taken by reference"
        )]
        pub fn encrypt_padded<'b, P: Padding>(
            $($receiver)* self,
            buffer: &'b mut [u8],
            length: usize,
        ) -> Result<&'b mut [u8], DataError> {
            let padded = P::pad::<C::Block>(buffer, length)?;
            self.encrypt(padded)?;
            Ok(padded)
        }

        /// Pads a message and encrypts it into a new vector.
        #[cfg(feature = "alloc")]
        #[allow(unused_mut, reason = "a chain changes in the call that this one makes")]
        pub fn encrypt_padded_vec<P: Padding>(
            $($receiver)* self,
            message: &[u8],
        ) -> alloc::vec::Vec<u8> {
            let mut buffer = alloc::vec![0; message.len() + C::Block::SIZE];
            buffer[..message.len()].copy_from_slice(message);
            let length = match self.encrypt_padded::<P>(&mut buffer, message.len()) {
                Ok(ciphertext) => ciphertext.len(),
                Err(_) => unreachable!("padding adds a block at most"),
            };
            buffer.truncate(length);
            buffer
        }
    };
}
use padded_encryption;

/// Writes the methods that decrypt one whole message and remove its padding, for a mode that
/// has the method `decrypt`.
macro_rules! padded_decryption {
    ($($receiver:tt)*) => {
        /// Decrypts a ciphertext in place, and returns the message without its padding. A
        /// program whose answer to the sender depends on the error is a [padding
        /// oracle](crate::padding#oracles).
        ///
        /// # Errors
        ///
        /// [`InvalidPadding`], also for a ciphertext that is not whole blocks.
        #[allow(
            clippy::needless_lifetimes,
            reason = "needed where the mode is taken by reference"
        )]
        pub fn decrypt_padded<'b, P: Padding>(
            $($receiver)* self,
            ciphertext: &'b mut [u8],
        ) -> Result<&'b [u8], InvalidPadding> {
            self.decrypt(ciphertext).map_err(|_| InvalidPadding)?;
            P::unpad::<C::Block>(ciphertext)
        }

        /// Decrypts a ciphertext into a new vector as [`decrypt_padded`](Self::decrypt_padded)
        /// does, and removes the padding.
        ///
        /// # Errors
        ///
        /// The errors of [`decrypt_padded`](Self::decrypt_padded).
        #[cfg(feature = "alloc")]
        #[allow(unused_mut, reason = "a chain changes in the call that this one makes")]
        pub fn decrypt_padded_vec<P: Padding>(
            $($receiver)* self,
            ciphertext: &[u8],
        ) -> Result<alloc::vec::Vec<u8>, InvalidPadding> {
            let mut buffer = ciphertext.to_vec();
            let length = self.decrypt_padded::<P>(&mut buffer).map(<[u8]>::len);
            if length.is_err() {
                wipe(&mut buffer, 0);
            }
            buffer.truncate(length?);
            Ok(buffer)
        }
    };
}
use padded_decryption;
