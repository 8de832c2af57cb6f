//! Skein with a key, [SKEIN] §4.3. The key, of any length, is hashed before the configuration, which
//! contains the length of the tag. So another length gives another MAC, and a shorter MAC is not
//! the beginning of a longer MAC. Without a key, the MAC is the hash.
//!
//! | type | block | a MAC by name has at most |
//! |---|---|---|
//! | [`Skein256Mac`] | 32 | 32 bytes |
//! | [`Skein512Mac`] | 64 | 64 bytes |
//! | [`Skein1024Mac`] | 128 | 128 bytes |
//!
//! The set-up of a key hashes the key and the configuration, so a message does not have to. All
//! three are constant-time. A personalisation is a parameter of
//! [`Skein512::with_parameters`](crate::hash::Skein512::with_parameters).
//!
//! - [SKEIN] N. Ferguson, S. Lucks, B. Schneier et al.: The Skein Hash Function Family,
//!   version 1.3, 2010
//!
//! [SKEIN]: https://www.schneier.com/wp-content/uploads/2015/01/skein.pdf

use crate::hash::last_block::{HeldBack, LastBlock, Message, whole};
use crate::hash::skein::{Chain, Kernel, Ubi256, Ubi512, Ubi1024};
use crate::wipe::wipe;
use crate::{Digest, InvalidKeyLength, KeyLengths};

macro_rules! macs {
    ($($(#[$meta:meta])* $Mac:ident $Keyed:ident $Ubi:ident $words:literal $longest:literal;)*) => {$(
        #[doc = concat!("The state of [`", stringify!($Mac), "`], with tags of any length.")]
        #[derive(Clone)]
        pub(crate) struct $Keyed {
            /// The chaining value after the key.
            key: [u64; $words],
            /// The chaining value after the key and the configuration, with which messages start.
            start: Chain<$words>,
            message: HeldBack<$Ubi>,
            /// The length of tags in bytes.
            length: usize,
        }

        impl $Keyed {
            /// The length of a block, and of the longest tag by name.
            #[cfg(feature = "dynamic")]
            pub(crate) const LONGEST: usize = $longest;
            const MOST: usize = usize::MAX;
            pub(crate) const KEY_LENGTHS: KeyLengths = KeyLengths::every(1, 0, usize::MAX);

            /// Sets up a key, for tags of `length` bytes.
            pub(crate) fn new(
                kernel: Kernel,
                key: &[u8],
                length: usize,
            ) -> Result<Self, InvalidKeyLength> {
                let mut key = $Ubi::keyed(kernel, key);
                let this = Self::of(kernel, key, length);
                wipe(&mut key, 0);
                Ok(this)
            }

            fn of(kernel: Kernel, key: [u64; $words], length: usize) -> Self {
                let start = Chain::start(key, length);
                Self { key, start, message: HeldBack::new(kernel, start), length }
            }

            /// Sets up the same key for tags of another length, and discards the message.
            #[cfg(feature = "dynamic")]
            pub(crate) fn set_length(&mut self, length: usize) {
                *self = Self::of(self.kernel(), self.key, length);
            }

            /// Sets up another key, for tags of the same length.
            #[cfg(feature = "dynamic")]
            pub(crate) fn rekey(&mut self, key: &[u8]) -> Result<(), InvalidKeyLength> {
                *self = Self::new(self.kernel(), key, self.length)?;
                Ok(())
            }

            pub(crate) fn kernel(&self) -> Kernel {
                self.message.kernel()
            }

            #[inline]
            pub(crate) fn update(&mut self, data: &[u8]) {
                self.message.update(data);
            }

            /// Ends the message, writes its tag, and starts the next one.
            pub(crate) fn end(&mut self, tag: &mut [u8]) {
                $Ubi::output(&mut self.message.end(), tag);
                self.reset();
            }

            #[inline]
            pub(crate) fn reset(&mut self) {
                self.message = HeldBack::new(self.kernel(), self.start);
            }

            /// Writes the tag of a whole message.
            pub(crate) fn whole(&self, message: &[u8], tag: &mut [u8]) {
                $Ubi::output(&mut whole::<$Ubi>(self.kernel(), self.start, message), tag);
            }

            /// Writes the tags of whole messages.
            fn tags<const N: usize>(&self, messages: &[&[u8]], tags: &mut [Digest<N>]) {
                self.many::<N>(messages, |i, tag| tags[i] = (*tag).into());
            }

            /// Computes the tags of whole messages. `done` receives the index of each message and
            /// its output, of which the first `length` bytes are the tag.
            fn many<const N: usize>(
                &self,
                messages: &[&[u8]],
                done: impl FnMut(usize, &[u8; N]),
            ) {
                let messages = messages.iter().enumerate();
                let messages = messages.map(|(index, end)| Message { index, chain: self.start, end });
                $Ubi::outputs(self.kernel(), messages, self.length, done);
            }

            /// Writes the tags of whole messages, one after the other, `size` bytes for each.
            #[cfg(feature = "dynamic")]
            pub(crate) fn many_into(&self, messages: &[&[u8]], size: usize, tags: &mut [u8]) {
                self.many::<$longest>(messages, |i, tag| {
                    tags[i * size..][..size].copy_from_slice(&tag[..size]);
                });
            }
        }

        impl Drop for $Keyed {
            fn drop(&mut self) {
                wipe(&mut self.key, 0);
                wipe(core::slice::from_mut(&mut self.start), $Ubi::ZERO);
            }
        }

        typed_by_length!($(#[$meta])* $Mac $Keyed);
    )*};
}

macs! {
    /// Skein-256 with a key and a tag of `N` bytes, [SKEIN](self) §4.3.
    Skein256Mac Skein256Keyed Ubi256 4 32;
    /// Skein-512 with a key and a tag of `N` bytes, [SKEIN](self) §4.3.
    ///
    /// ```
    /// use touchstone::mac::Skein512Mac;
    /// use touchstone::{Keyed, Mac};
    ///
    /// let mac = Skein512Mac::<32>::from_slice(b"a key of any length")?;
    /// let tag = mac.mac(b"Attack at dawn");
    /// assert!(mac.verify(b"Attack at dawn", &tag).is_ok());
    /// # Ok::<(), touchstone::InvalidKeyLength>(())
    /// ```
    Skein512Mac Skein512Keyed Ubi512 8 64;
    /// Skein-1024 with a key and a tag of `N` bytes, [SKEIN](self) §4.3.
    Skein1024Mac Skein1024Keyed Ubi1024 16 128;
}
