//! Hash functions, and the traits that they implement.
//!
//! | hash | digest in bytes | source |
//! |---|---|---|
//! | [`Md5`] (**broken**) | 16 | [`md5`] |
//! | [`Sha1`] (**broken**) | 20 | [`sha1`] |
//! | [`Sha224`] [`Sha256`] | 28, 32 | [`sha256`] |
//! | [`Sha384`] [`Sha512`] [`Sha512_224`] [`Sha512_256`] | 48, 64, 28, 32 | [`sha512`] |
//! | [`Sha3_224`] … [`Sha3_512`] | 28, 32, 48, 64 | [`sha3`] |
//! | [`Shake128`] [`Shake256`] | any number, by [`Xof`] | [`sha3`] |
//!
//! ```
//! use touchstone::hash::{Sha256, Shake128};
//!
//! let digest = Sha256::digest(b"Attack at dawn");
//!
//! let mut hash = Sha256::new();
//! hash.update(b"Attack ");
//! hash.update(b"at dawn");
//! assert_eq!(hash.finalize(), digest);
//!
//! let mut output = [0; 100];
//! Shake128::squeeze_into(b"Attack at dawn", &mut output);
//! ```
//!
//! # How a hash is built here
//!
//! | core | file | what a hash brings |
//! |---|---|---|
//! | iterated | `iterated.rs` | a compression function, its padding or its own last step |
//! | sponge | `sponge.rs` | a permutation, a rate, a suffix |

use crate::buffer::same_number;
use crate::digest::DigestBytes;
use crate::{DataError, Kernel};

mod iterated;
mod keccak;
mod many;
pub mod md5;
pub mod sha1;
#[cfg(feature = "sha2")]
pub mod sha256;
pub mod sha3;
#[cfg(feature = "sha2")]
pub mod sha512;
mod sponge;

pub use md5::Md5;
pub use sha1::Sha1;
pub use sha3::{Sha3_224, Sha3_256, Sha3_384, Sha3_512, Shake128, Shake256};
#[cfg(feature = "sha2")]
pub use sha256::{Sha224, Sha256};
#[cfg(feature = "sha2")]
pub use sha512::{Sha384, Sha512, Sha512_224, Sha512_256};

/// The list of hash functions: hands `id = Type;` for each to a macro. Tests, the
/// dynamic interface and the traits of other crates take their rows from here.
#[doc(hidden)]
#[macro_export]
macro_rules! __hashes {
    ($with:ident!) => {
        $with! {
            "md5" = Md5;
            "sha-1" = Sha1;
            #[cfg(feature = "sha2")]
            "sha-224" = Sha224;
            #[cfg(feature = "sha2")]
            "sha-256" = Sha256;
            #[cfg(feature = "sha2")]
            "sha-384" = Sha384;
            #[cfg(feature = "sha2")]
            "sha-512" = Sha512;
            #[cfg(feature = "sha2")]
            "sha-512-224" = Sha512_224;
            #[cfg(feature = "sha2")]
            "sha-512-256" = Sha512_256;
            "sha3-224" = Sha3_224;
            "sha3-256" = Sha3_256;
            "sha3-384" = Sha3_384;
            "sha3-512" = Sha3_512;
        }
    };
}
#[doc(hidden)]
pub use crate::__hashes as hashes;

/// The list of extendable-output functions, as [`__hashes`](crate::__hashes).
#[doc(hidden)]
#[macro_export]
macro_rules! __xofs {
    ($with:ident!) => {
        $with! {
            "shake128" = Shake128;
            "shake256" = Shake256;
        }
    };
}
#[doc(hidden)]
pub use crate::__xofs as xofs;

/// A hash function with a digest of fixed length: on a message in pieces, in one
/// piece, or on many messages.
pub trait HashFunction: Clone + Default {
    /// The ways in which this algorithm can be computed here.
    #[doc(hidden)]
    type Kernel: Kernel;

    /// A [`Digest`](crate::Digest) of its length.
    type Output: DigestBytes;

    /// Length in bytes of the blocks in which messages are taken: the block of HMAC, and the
    /// rate of a sponge.
    const BLOCK: usize;

    /// Starts a message.
    #[inline]
    fn new() -> Self {
        Self::with_kernel(Self::Kernel::best())
    }

    /// Starts a message for one kernel; for tests and measurements.
    #[doc(hidden)]
    fn with_kernel(kernel: Self::Kernel) -> Self;

    /// The kernel that this message was started for.
    #[doc(hidden)]
    fn kernel_in_use(&self) -> Self::Kernel;

    /// The name of the kernel that computes this hash here, such as `"sha-ni"` or
    /// `"portable"`.
    fn kernel(&self) -> &'static str {
        self.kernel_in_use().name()
    }

    /// Takes the next piece of the message.
    fn update(&mut self, data: &[u8]);

    /// Ends the message.
    fn finalize(self) -> Self::Output;

    /// The digest of a whole message.
    #[inline]
    fn digest(message: &[u8]) -> Self::Output {
        Self::digest_with(Self::Kernel::best(), message)
    }

    /// [`digest`](Self::digest) by one kernel; for tests and measurements.
    #[doc(hidden)]
    fn digest_with(kernel: Self::Kernel, message: &[u8]) -> Self::Output {
        let mut hash = Self::with_kernel(kernel);
        hash.update(message);
        hash.finalize()
    }

    /// The digests of many messages, of any lengths, by the same index.
    ///
    /// The steps of one message wait for each other; those of many messages fill the
    /// processor. Where the hash has kernels for it, this is several times as fast as
    /// one message after the other.
    ///
    /// # Errors
    ///
    /// [`DataError::OutputLength`] if there are not as many digests as messages.
    fn hash_many(messages: &[&[u8]], digests: &mut [Self::Output]) -> Result<(), DataError> {
        Self::hash_many_with(Self::Kernel::best(), messages, digests)
    }

    /// [`hash_many`](Self::hash_many) by one kernel; for tests and measurements.
    #[doc(hidden)]
    fn hash_many_with(
        kernel: Self::Kernel,
        messages: &[&[u8]],
        digests: &mut [Self::Output],
    ) -> Result<(), DataError> {
        same_number(messages.len(), digests.len())?;
        for (message, digest) in messages.iter().zip(digests) {
            *digest = Self::digest_with(kernel, message);
        }
        Ok(())
    }

    /// Ends many messages that have begun: message `i` is what `starts[i]` has taken, and then
    /// `ends[i]`; one start may serve for all. HMAC and what is built from it are made
    /// of such messages, whose first block is a key.
    #[doc(hidden)]
    fn finish_many(
        starts: &[Self],
        ends: &[&[u8]],
        digests: &mut [Self::Output],
    ) -> Result<(), DataError> {
        same_number(ends.len(), digests.len())?;
        for ((start, end), digest) in starts.iter().cycle().zip(ends).zip(digests) {
            let mut hash = start.clone();
            hash.update(end);
            *digest = hash.finalize();
        }
        Ok(())
    }
}

/// A hash function whose output is as long as the caller wants (FIPS 202 calls it
/// an extendable-output function): it absorbs a message, then squeezes output.
pub trait Xof: Clone + Default {
    /// The ways in which this algorithm can be computed here.
    #[doc(hidden)]
    type Kernel: Kernel;

    /// Output that is being squeezed.
    type Reader: XofReader;

    /// Length in bytes of the blocks in which messages are taken.
    const BLOCK: usize;

    /// Starts a message for one kernel; for tests and measurements.
    #[doc(hidden)]
    fn with_kernel(kernel: Self::Kernel) -> Self;

    /// Takes the next piece of the message.
    fn update(&mut self, data: &[u8]);

    /// Ends the message. Output comes from the reader, in pieces of any length.
    fn finalize_xof(self) -> Self::Reader;

    /// Fills `output` for a whole message.
    fn squeeze_into(message: &[u8], output: &mut [u8]) {
        let mut xof = Self::default();
        xof.update(message);
        xof.finalize_xof().squeeze(output);
    }
}

/// The output of an [`Xof`].
pub trait XofReader {
    /// Fills `output` with the next bytes.
    fn squeeze(&mut self, output: &mut [u8]);
}

/// The output of an [`Xof`] that can be read from any place.
pub trait XofSeek: XofReader {
    /// Goes to a byte of the output, counted from 0.
    fn seek(&mut self, byte: u64);
}

/// Writes what all types of hash functions have besides [`HashFunction`]: the same
/// calls without an import of the trait, `Default`, `Debug`, wiping.
macro_rules! hash_type {
    ($Hash:ident) => {
        impl $Hash {
            /// Starts a message.
            #[inline]
            pub fn new() -> Self {
                $crate::hash::HashFunction::new()
            }
            /// Takes the next piece of the message.
            #[inline]
            pub fn update(&mut self, data: &[u8]) {
                $crate::hash::HashFunction::update(self, data);
            }
            /// Ends the message.
            #[inline]
            pub fn finalize(self) -> <Self as $crate::hash::HashFunction>::Output {
                $crate::hash::HashFunction::finalize(self)
            }
            /// The digest of a whole message.
            #[inline]
            pub fn digest(message: &[u8]) -> <Self as $crate::hash::HashFunction>::Output {
                <Self as $crate::hash::HashFunction>::digest_with(
                    <<Self as $crate::hash::HashFunction>::Kernel as $crate::Kernel>::best(),
                    message,
                )
            }
            /// The digests of many messages, see
            /// [`HashFunction::hash_many`]($crate::hash::HashFunction::hash_many).
            pub fn hash_many(
                messages: &[&[u8]],
                digests: &mut [<Self as $crate::hash::HashFunction>::Output],
            ) -> Result<(), $crate::DataError> {
                <Self as $crate::hash::HashFunction>::hash_many(messages, digests)
            }
        }
        impl Default for $Hash {
            fn default() -> Self {
                $crate::hash::HashFunction::new()
            }
        }
        $crate::hash::state_type!($Hash);
    };
}
pub(crate) use hash_type;

/// Writes the calls of an [`Xof`] and its reader that need no import of a trait, and
/// what the reader has besides.
macro_rules! xof_type {
    ($Xof:ident, $Reader:ident) => {
        impl $Xof {
            /// Starts a message.
            #[inline]
            pub fn new() -> Self {
                Self::default()
            }
            /// Takes the next piece of the message.
            #[inline]
            pub fn update(&mut self, data: &[u8]) {
                $crate::hash::Xof::update(self, data);
            }
            /// Ends the message. Output comes from the reader, in pieces of any length.
            #[inline]
            pub fn finalize_xof(self) -> $Reader {
                $crate::hash::Xof::finalize_xof(self)
            }
            /// Fills `output` for a whole message.
            pub fn squeeze_into(message: &[u8], output: &mut [u8]) {
                <Self as $crate::hash::Xof>::squeeze_into(message, output);
            }
        }
        impl Default for $Xof {
            fn default() -> Self {
                <Self as $crate::hash::Xof>::with_kernel($crate::Kernel::best())
            }
        }
        impl $Reader {
            /// Fills `output` with the next bytes.
            #[inline]
            pub fn squeeze(&mut self, output: &mut [u8]) {
                $crate::hash::XofReader::squeeze(self, output);
            }
        }
        /// The name alone: the output may be a secret.
        impl core::fmt::Debug for $Reader {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.debug_struct(stringify!($Reader)).finish_non_exhaustive()
            }
        }
        impl zeroize::ZeroizeOnDrop for $Reader {}
    };
}
pub(crate) use xof_type;

/// Writes what all types have that hold a message: `Debug` without the message, and
/// the mark of wiping.
macro_rules! state_type {
    ($State:ident) => {
        /// The name alone: the message may be a secret.
        impl core::fmt::Debug for $State {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.debug_struct(stringify!($State)).finish_non_exhaustive()
            }
        }
        impl zeroize::ZeroizeOnDrop for $State {}
    };
}
pub(crate) use state_type;
