//! Hash functions, and the trait that they implement.
//!
//! | hash | digest | kernels |
//! |---|---|---|
//! | [`Sha224`] [`Sha256`] | 28, 32 | [`sha256`] |

use crate::{DataError, Kernel};

mod buffer;
mod many;
#[cfg(feature = "sha2")]
pub mod sha256;

#[cfg(feature = "sha2")]
pub use sha256::{Sha224, Sha256};

/// A hash function, on a message in pieces, in one piece, or on many messages.
pub trait Hash: Clone + Default {
    /// The ways in which this algorithm can be computed here.
    type Kernel: Kernel;

    /// An array of bytes.
    type Output: AsRef<[u8]> + AsMut<[u8]> + Copy + Eq + core::fmt::Debug;

    /// Length of the blocks in which messages are taken, in bytes; HMAC needs it.
    const BLOCK: usize;

    /// Length of the digest in bytes.
    const OUTPUT: usize;

    /// Starts a message.
    fn new() -> Self {
        Self::with_kernel(Self::Kernel::best())
    }

    /// Starts a message for one kernel; for tests and measurements.
    #[doc(hidden)]
    fn with_kernel(kernel: Self::Kernel) -> Self;

    /// The kernel that serves.
    fn kernel(&self) -> Self::Kernel;

    /// Takes the next piece of the message.
    fn update(&mut self, data: &[u8]);

    /// Ends the message.
    fn finalize(self) -> Self::Output;

    /// The digest of a whole message.
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
    /// One message waits for its own last step; many fill the machine. Where the
    /// hash has such kernels, this is several times the speed of one by one.
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
        many::same_number(messages, digests)?;
        for (message, digest) in messages.iter().zip(digests) {
            *digest = Self::digest_with(kernel, message);
        }
        Ok(())
    }
}
