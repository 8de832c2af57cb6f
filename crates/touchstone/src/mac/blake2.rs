//! BLAKE2b and BLAKE2s with a key, [RFC7693] §2.9. The key is the first block of the message,
//! and the lengths of key and tag are part of the first chaining value. So another length
//! gives another MAC, and a shorter MAC is not the beginning of a longer MAC.
//!
//! | type | key | MAC in bytes |
//! |---|---|---|
//! | [`Blake2bMac`] | 1 to 64 | 1 to 64 |
//! | [`Blake2sMac`] | 1 to 32 | 1 to 32 |
//!
//! The set-up of a key compresses the block of the key, so a message does not have to. Both
//! MACs are constant-time. Salt and personalisation are parameters of
//! [`Blake2b::with_parameters`](crate::hash::Blake2b::with_parameters).
//!
//! - [RFC7693] M.-J. Saarinen, J.-P. Aumasson: The BLAKE2 Cryptographic Hash and Message
//!   Authentication Code (MAC), RFC 7693, 2015
//!
//! [RFC7693]: https://www.rfc-editor.org/rfc/rfc7693

use crate::hash::blake2::{ChainB, ChainS, CoreB, CoreS, Kernel};
use crate::hash::last_block::{HeldBack, LastBlock, Message, block, whole};
use crate::wipe::wipe;
use crate::{Digest, InvalidKeyLength, KeyLengths};

macro_rules! macs {
    ($($(#[$meta:meta])* $Mac:ident $Keyed:ident $Core:ident $Chain:ident longest $longest:literal;)*) => {$(
        #[doc = concat!("The state of [`", stringify!($Mac), "`], with tags of any length.")]
        #[derive(Clone)]
        pub(crate) struct $Keyed {
            /// The message without any bytes. The block of the key is its only block, and has not
            /// been compressed.
            empty: HeldBack<$Core>,
            /// The chaining value after the block of the key, for messages with bytes.
            more: $Chain,
            /// The message so far, after the first byte.
            message: Option<HeldBack<$Core>>,
            /// The length of the key and of tags in bytes.
            lengths: [usize; 2],
        }

        impl $Keyed {
            /// The largest number of bytes in a key, and in a tag.
            pub(crate) const LONGEST: usize = $longest;
            const MOST: usize = Self::LONGEST;
            pub(crate) const KEY_LENGTHS: KeyLengths = KeyLengths::every(1, 1, $longest);

            /// Sets up a key, for tags of `length` bytes.
            pub(crate) fn new(
                kernel: Kernel,
                key: &[u8],
                length: usize,
            ) -> Result<Self, InvalidKeyLength> {
                Self::KEY_LENGTHS.check(key)?;
                let mut padded = [0; block::<$Core>()];
                padded[..key.len()].copy_from_slice(key);
                let this = Self::of(kernel, &padded, key.len(), length);
                wipe(&mut padded, 0);
                Ok(this)
            }

            fn of(kernel: Kernel, padded: &[u8; block::<$Core>()], key: usize, length: usize) -> Self {
                let start = $Chain::with_key(length, key);
                let mut empty = HeldBack::new(kernel, start);
                empty.update(padded);
                let mut more = start;
                $Core::compress(kernel, &mut more, core::slice::from_ref(padded));
                Self { empty, more, message: None, lengths: [key, length] }
            }

            /// Sets up the same key for tags of another length, and discards the message.
            pub(crate) fn set_length(&mut self, length: usize) {
                *self = Self::of(self.kernel(), self.empty.padded(), self.lengths[0], length);
            }

            /// Sets up another key, for tags of the same length.
            #[cfg(feature = "dynamic")]
            pub(crate) fn rekey(&mut self, key: &[u8]) -> Result<(), InvalidKeyLength> {
                *self = Self::new(self.kernel(), key, self.lengths[1])?;
                Ok(())
            }

            pub(crate) fn kernel(&self) -> Kernel {
                self.empty.kernel()
            }

            #[inline]
            pub(crate) fn update(&mut self, data: &[u8]) {
                if !data.is_empty() {
                    let start = || HeldBack::new(self.empty.kernel(), self.more);
                    self.message.get_or_insert_with(start).update(data);
                }
            }

            /// Ends the message, writes its tag, and starts the next one.
            pub(crate) fn end(&mut self, tag: &mut [u8]) {
                self.message.as_ref().unwrap_or(&self.empty).end().output(tag);
                self.reset();
            }

            #[inline]
            pub(crate) fn reset(&mut self) {
                self.message = None;
            }

            /// Writes the tag of a whole message.
            pub(crate) fn whole(&self, message: &[u8], tag: &mut [u8]) {
                let mut last = if message.is_empty() {
                    self.empty.end()
                } else {
                    whole::<$Core>(self.kernel(), self.more, message)
                };
                last.output(tag);
            }

            /// Writes the tags of whole messages.
            fn tags<const N: usize>(&self, messages: &[&[u8]], tags: &mut [Digest<N>]) {
                self.many(messages, |i, last| last.output(tags[i].as_mut()));
            }

            /// Computes the tags of whole messages. `done` receives the index of each message and
            /// its last chaining value, which writes the tag.
            fn many(&self, messages: &[&[u8]], mut done: impl FnMut(usize, &mut $Chain)) {
                let some = |(_, end): &(usize, &&[u8])| !end.is_empty();
                for (i, _) in messages.iter().enumerate().filter(|message| !some(message)) {
                    done(i, &mut self.empty.end());
                }
                let messages = messages.iter().enumerate().filter(some);
                let messages = messages.map(|(index, end)| Message { index, chain: self.more, end });
                $Core::many(self.kernel(), messages, |i, last| done(i, &mut { *last }));
            }

            /// Writes the tags of whole messages, one after the other, `size` bytes for each.
            #[cfg(feature = "dynamic")]
            pub(crate) fn many_into(&self, messages: &[&[u8]], size: usize, tags: &mut [u8]) {
                self.many(messages, |i, last| last.output(&mut tags[i * size..][..size]));
            }
        }

        impl Drop for $Keyed {
            fn drop(&mut self) {
                wipe(core::slice::from_mut(&mut self.more), $Core::ZERO);
            }
        }

        typed_by_length!($(#[$meta])* $Mac $Keyed);
    )*};
}

macs! {
    /// BLAKE2b with a key and a tag of `N` bytes, 1 to 64.
    ///
    /// ```
    /// use touchstone::mac::Blake2bMac;
    /// use touchstone::{Keyed, Mac};
    ///
    /// let mac = Blake2bMac::<32>::from_slice(b"a key of 1 to 64 bytes")?;
    /// let tag = mac.mac(b"Attack at dawn");
    /// assert!(mac.verify(b"Attack at dawn", &tag).is_ok());
    /// # Ok::<(), touchstone::InvalidKeyLength>(())
    /// ```
    Blake2bMac Blake2bKeyed CoreB ChainB longest 64;
    /// BLAKE2s with a key and a tag of `N` bytes, 1 to 32.
    Blake2sMac Blake2sKeyed CoreS ChainS longest 32;
}
