//! KMAC: a MAC that is built on [cSHAKE](crate::hash::cshake). Keys and tags have any length.
//! The hashed input contains the tag's length and a customisation string, so another length or
//! another customisation gives another MAC.
//!
//! - [SP800-185] SHA-3 Derived Functions: cSHAKE, KMAC, TupleHash and ParallelHash, NIST SP
//!   800-185, 2016
//!
//! [SP800-185]: https://doi.org/10.6028/NIST.SP.800-185

use crate::hash::cshake::{CShake128Reader, CShake256Reader, CSponge};
use crate::hash::cshake::{Encoded, absorb_padded, end, named};
use crate::hash::keccak::Kernel;
use crate::{Digest, InvalidKeyLength, Kernel as _, KeyLengths};

macro_rules! kmacs {
    ($($(#[$meta:meta])* $Kmac:ident $Keyed:ident $rate:literal longest $longest:literal $Reader:ident;)*) => {$(
        #[doc = concat!("The state of [`", stringify!($Kmac), "`], with tags of any length.")]
        #[derive(Clone)]
        pub(crate) struct $Keyed {
            /// The state of the sponge after the key.
            start: CSponge<$rate>,
            /// The state of the sponge after the key and the pieces of the message so far.
            message: CSponge<$rate>,
        }

        impl $Keyed {
            /// The largest number of bytes in a tag by name.
            #[cfg(feature = "dynamic")]
            pub(crate) const LONGEST: usize = $longest;
            const MOST: usize = usize::MAX;
            pub(crate) const KEY_LENGTHS: KeyLengths = KeyLengths::every(1, 0, usize::MAX);

            /// Sets up a key, with an empty customisation. The length of tags is no part of it.
            pub(crate) fn new(
                kernel: Kernel,
                key: &[u8],
                _length: usize,
            ) -> Result<Self, InvalidKeyLength> {
                Ok(Self::of(kernel, key, &[]))
            }

            fn of(kernel: Kernel, key: &[u8], customisation: &[u8]) -> Self {
                let mut start = named(kernel, b"KMAC", customisation);
                absorb_padded(&mut start, &[key]);
                Self {
                    message: start.clone(),
                    start,
                }
            }

            /// Sets up another key.
            #[cfg(feature = "dynamic")]
            pub(crate) fn rekey(&mut self, key: &[u8]) -> Result<(), InvalidKeyLength> {
                *self = Self::of(self.start.kernel(), key, &[]);
                Ok(())
            }

            /// The length is a part of the end of a message only.
            #[cfg(feature = "dynamic")]
            pub(crate) fn set_length(&mut self, _length: usize) {}

            pub(crate) fn kernel(&self) -> Kernel {
                self.start.kernel()
            }

            #[inline]
            pub(crate) fn update(&mut self, data: &[u8]) {
                self.message.absorb(data);
            }

            /// Ends the message, writes its tag, and starts the next one.
            pub(crate) fn end(&mut self, tag: &mut [u8]) {
                let mut sponge = core::mem::replace(&mut self.message, self.start.clone());
                sponge.absorb(Encoded::right(8 * tag.len() as u64).as_ref());
                end(sponge).squeeze(tag);
            }

            pub(crate) fn reset(&mut self) {
                self.message = self.start.clone();
            }

            /// Writes the tag of a whole message.
            pub(crate) fn whole(&self, message: &[u8], tag: &mut [u8]) {
                let mut sponge = self.start.clone();
                sponge.absorb(message);
                sponge.absorb(Encoded::right(8 * tag.len() as u64).as_ref());
                end(sponge).squeeze(tag);
            }

            /// Writes the tags of whole messages.
            fn tags<const N: usize>(&self, messages: &[&[u8]], tags: &mut [Digest<N>]) {
                for (message, tag) in messages.iter().zip(tags) {
                    self.whole(message, tag.as_mut());
                }
            }

            /// Writes the tags of whole messages, one after the other, `size` bytes for each.
            #[cfg(feature = "dynamic")]
            pub(crate) fn many_into(&self, messages: &[&[u8]], size: usize, tags: &mut [u8]) {
                for (message, tag) in messages.iter().zip(tags.chunks_exact_mut(size)) {
                    self.whole(message, tag);
                }
            }
        }

        typed_by_length!($(#[$meta])* $Kmac $Keyed);

        impl<const N: usize> $Kmac<N> {
            /// Sets up a key of any length, with a customisation that may be empty.
            #[must_use]
            pub fn with_customisation(key: &[u8], customisation: &[u8]) -> Self {
                Self::of(Kernel::best(), key, customisation)
            }

            /// Sets up a key as [`with_customisation`](Self::with_customisation) does, with the
            /// given kernel; for tests.
            #[doc(hidden)]
            pub fn of(kernel: Kernel, key: &[u8], customisation: &[u8]) -> Self {
                const { assert!(N != 0) };
                Self($Keyed::of(kernel, key, customisation))
            }

            /// Fills `output` with the MAC of a whole message. The hashed input contains the
            /// length of `output`, so a shorter MAC is not the beginning of a longer MAC.
            pub fn mac_into(&self, message: &[u8], output: &mut [u8]) {
                self.0.whole(message, output);
            }

            /// Ends the message and fills `output` with its MAC, as
            /// [`mac_into`](Self::mac_into) does. After the call, the object starts the next
            /// message with the same key.
            pub fn finalize_into(&mut self, output: &mut [u8]) {
                self.0.end(output);
            }

            /// Returns a reader for the MAC of a whole message as output of any length
            /// (KMACXOF, [SP800-185](self) §4.3.1).
            pub fn mac_xof(&self, message: &[u8]) -> $Reader {
                let mut sponge = self.0.start.clone();
                sponge.absorb(message);
                sponge.absorb(Encoded::right(0).as_ref());
                $Reader(end(sponge))
            }
        }
    )*};
}

kmacs! {
    /// KMAC128 with a tag of `N` bytes, [SP800-185](self) §4.
    Kmac128 Kmac128Keyed 168 longest 32 CShake128Reader;
    /// KMAC256 with a tag of `N` bytes, [SP800-185](self) §4.
    Kmac256 Kmac256Keyed 136 longest 64 CShake256Reader;
}
