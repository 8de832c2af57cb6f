//! Message authentication codes, and the trait that they implement.
//!
//! | MAC | types | over | source |
//! |---|---|---|---|
//! | CMAC, OMAC1 | [`Cmac`] | any block cipher | [SP800-38B] |
//! | OMAC2 | [`Omac2`] | any block cipher | [OMAC] |
//! | CBC-MAC, DES-MAC | [`CbcMac`] [`DesMac`] | any block cipher, DES | [ISO9797-1] algorithm 1, FIPS 113 |
//! | DMAC, EMAC | [`Dmac`] | any block cipher | [ISO9797-1] algorithm 2 |
//! | MAC of GOST 28147-89 | [`GostMac`] | its cipher with half the rounds | [`gost`] |
//! | BLAKE2 with a key | `Blake2bMac` `Blake2sMac` | BLAKE2 | `blake2` |
//! | BLAKE3 with a key | `Blake3Mac` | BLAKE3 | `blake3` |
//! | KMAC | [`Kmac128`] [`Kmac256`] | Keccak | [`kmac`] |
//! | HMAC | [`Hmac`] | any hash | [`hmac`] |
//! | Poly1305-AES | [`CipherPoly1305`] | a block cipher, a nonce for each message | [`cipher_poly1305`] |
//! | Poly1305 | [`Poly1305`] | one message for each key | [`poly1305`] |
//! | PMAC | [`Pmac`] | any block cipher, many blocks at once | [`pmac`] |
//! | SipHash, HalfSipHash | [`SipHash24`] [`HalfSipHash24`] | short messages | [`siphash`] |
//! | Skein with a key | `Skein256Mac` `Skein512Mac` `Skein1024Mac` | Skein | `skein` |
//! | UMAC | [`Umac32`] … [`Umac128`] | a block cipher of 16 bytes, with a nonce | [`umac`] |
//! | VMAC | [`Vmac64`] [`Vmac128`] | a block cipher of 16 bytes, with a nonce | [`vmac`] |
//! | retail MAC | [`RetailMac`] | DES, any block cipher | [ISO9797-1] algorithm 3, ANSI X9.19 |
//!
//! Only a program that has the key can make or check a MAC. The MAC GMAC needs a nonce, as
//! AEADs do, so GMAC is in [`aead::gmac`](crate::aead::gmac). [`Mac::verify`] and `==` on a
//! [`Tag`](crate::Tag) compare in constant time.
//!
//! - [SP800-38B] The CMAC Mode for Authentication, NIST SP 800-38B, 2005, updated 2016
//! - [OMAC] T. Iwata, K. Kurosawa: OMAC: One-Key CBC MAC, FSE 2003
//! - [ISO9797-1] Message Authentication Codes: mechanisms using a block cipher,
//!   ISO/IEC 9797-1, 2011
//!
//! [SP800-38B]: https://doi.org/10.6028/NIST.SP.800-38B
//! [OMAC]: https://doi.org/10.1007/978-3-540-39887-5_11
//! [ISO9797-1]: https://www.iso.org/standard/50375.html

use core::fmt;

use crate::buffer::same_number;
use crate::byte_array::Doubled;
use crate::constant_time::matches;
use crate::keyed::with_new;
use crate::padding::Padding;
use crate::wipe::wipe;
use crate::{
    DataError, DigestBytes, FixedKey, FusedDecrypt, FusedEncrypt, InvalidNonceLength, Kernel,
    Keyed, Mismatch,
};

/// Writes a MAC that computes a different tag for each length: its type with tags of `N` bytes. The
/// type of its state has tags of any length up to `MOST`, and these methods: `new` (kernel, key,
/// length), `kernel`, `update`, `end`, `reset`, `whole`, and `tags` for many messages.
#[cfg(any(feature = "blake2", feature = "sha3", feature = "skein"))]
macro_rules! typed_by_length {
    ($(#[$meta:meta])* $Mac:ident $Keyed:ident) => {
        $(#[$meta])*
        #[derive(Clone)]
        pub struct $Mac<const N: usize>($Keyed);

        impl<const N: usize> $crate::Keyed for $Mac<N> {
            type Kernel = Kernel;
            const KEY_LENGTHS: $crate::KeyLengths = $Keyed::KEY_LENGTHS;

            fn with_kernel(
                kernel: Kernel,
                key: &[u8],
            ) -> Result<Self, $crate::InvalidKeyLength> {
                const { assert!(N != 0 && N <= $Keyed::MOST) };
                Ok(Self($Keyed::new(kernel, key, N)?))
            }

            fn kernel_in_use(&self) -> Kernel {
                self.0.kernel()
            }
        }

        impl<const N: usize> $crate::Mac for $Mac<N> {
            type Output = $crate::Digest<N>;

            #[inline]
            fn update(&mut self, data: &[u8]) {
                self.0.update(data);
            }

            fn finalize(&mut self) -> Self::Output {
                let mut tag = [0; N];
                self.0.end(&mut tag);
                tag.into()
            }

            fn reset(&mut self) {
                self.0.reset();
            }

            fn mac(&self, message: &[u8]) -> Self::Output {
                let mut tag = [0; N];
                self.0.whole(message, &mut tag);
                tag.into()
            }

            fn mac_many(
                &self,
                messages: &[&[u8]],
                macs: &mut [Self::Output],
            ) -> Result<(), $crate::DataError> {
                $crate::buffer::same_number(messages.len(), macs.len())?;
                self.0.tags(messages, macs);
                Ok(())
            }
        }

        $crate::hash::state_type!($Mac<N>);
    };
}
#[cfg(feature = "blake2")]
pub mod blake2;
#[cfg(feature = "blake3")]
pub mod blake3;
pub mod cbc_mac;
pub(crate) mod chain;
pub mod cipher_poly1305;
pub mod cmac;
pub mod dmac;
#[cfg(feature = "gost28147")]
pub mod gost;
pub mod hmac;
#[cfg(feature = "sha3")]
pub mod kmac;
mod pieces;
pub mod pmac;
pub mod poly1305;
pub mod siphash;
#[cfg(feature = "skein")]
pub mod skein;
pub mod umac;
pub mod vmac;

#[cfg(feature = "blake2")]
pub use blake2::{Blake2bMac, Blake2sMac};
#[cfg(feature = "blake3")]
pub use blake3::Blake3Mac;
#[cfg(feature = "des")]
pub use cbc_mac::DesMac;
pub use cbc_mac::{CbcMac, RetailMac};
pub use cipher_poly1305::{CipherPoly1305, Poly1305Nonce};
pub use cmac::{Cmac, Omac2};
pub use dmac::Dmac;
#[cfg(feature = "gost28147")]
pub use gost::GostMac;
pub use hmac::Hmac;
#[cfg(feature = "sha3")]
pub use kmac::{Kmac128, Kmac256};
pub use pmac::Pmac;
pub use poly1305::Poly1305;
pub use siphash::{HalfSipHash, HalfSipHash24, HalfSipHash24Long};
pub use siphash::{SipHash, SipHash24, SipHash24Long};
#[cfg(feature = "skein")]
pub use skein::{Skein256Mac, Skein512Mac, Skein1024Mac};
pub use umac::{Umac, Umac32, Umac64, Umac96, Umac128, UmacNonce};
pub use vmac::{Vmac, Vmac64, Vmac128, VmacNonce};

with_new! {
    [C: FixedKey + FusedEncrypt, const VERSION: u8] cmac::Omac<C, VERSION>;
    [C: FixedKey + FusedEncrypt, P: Padding] CbcMac<C, P>;
    [C: FixedKey<Key: Doubled> + FusedEncrypt + FusedDecrypt, P: Padding] RetailMac<C, P>;
    [C: FixedKey<Key: Doubled> + FusedEncrypt, P: Padding] Dmac<C, P>;
    [C: FixedKey + FusedEncrypt] Pmac<C>;
    #[cfg(feature = "gost28147")]
    ['s] GostMac<'s>;
    #[cfg(feature = "blake3")]
    [] Blake3Mac;
    [C: FixedKey + FusedEncrypt<Block = [u8; 16]>, const N: usize] Umac<C, N>;
    [C: FixedKey + FusedEncrypt<Block = [u8; 16]>, const N: usize] Vmac<C, N>;
}

/// A message authentication code (MAC). A MAC authenticates a message in pieces or in one
/// piece, or many messages at once.
///
/// ```
/// use touchstone::block::Aes128;
/// use touchstone::mac::Cmac;
/// use touchstone::{FixedKey, Mac};
///
/// let mut mac = Cmac::<Aes128>::new(b"sixteen byte key");
/// let tag = mac.mac(b"Attack at dawn");
///
/// mac.update(b"Attack ");
/// mac.update(b"at dawn");
/// assert_eq!(mac.finalize(), tag);
///
/// assert!(mac.verify(b"Attack at dawn", &tag).is_ok());
/// assert!(mac.verify(b"Attack at dusk", &tag).is_err());
/// ```
pub trait Mac: Keyed {
    /// The type of the MAC's value: a [`Tag`](crate::Tag) of the algorithm's length.
    type Output: DigestBytes;

    /// Adds the next piece of the message.
    fn update(&mut self, data: &[u8]);

    /// Ends the message and returns its MAC. After the call, the object starts the next message
    /// with the same key.
    fn finalize(&mut self) -> Self::Output;

    /// Discards the pieces so far and starts the next message.
    fn reset(&mut self);

    /// Computes the MAC of a whole message. Pieces that [`update`](Self::update) added do not
    /// affect this MAC.
    fn mac(&self, message: &[u8]) -> Self::Output;

    /// Computes the MACs of many messages of any lengths: `macs[i]` becomes the MAC of
    /// `messages[i]`.
    ///
    /// The steps of one message depend on each other, but different messages are
    /// independent. If the MAC has kernels for this, `mac_many` is several times as fast
    /// as one message after the other.
    ///
    /// # Errors
    ///
    /// [`DataError::OutputLength`] if the numbers of messages and MACs differ.
    fn mac_many(&self, messages: &[&[u8]], macs: &mut [Self::Output]) -> Result<(), DataError> {
        same_number(messages.len(), macs.len())?;
        for (message, mac) in messages.iter().zip(macs) {
            *mac = self.mac(message);
        }
        Ok(())
    }

    /// Replaces each `u` by its MAC, `iterations` times, and XORs every MAC to `sum`. The last `u`
    /// are not stored. This is the loop of PBKDF2, RFC 8018 §5.2.
    #[doc(hidden)]
    fn iterate(&self, iterations: u32, u: &[Self::Output], sum: &mut [Self::Output]) {
        iterate_calls(self, iterations, u, sum);
    }

    /// Checks that `mac` is the MAC of `message`.
    ///
    /// # Errors
    ///
    /// [`Mismatch`] if `mac` is not the MAC of `message`.
    fn verify(&self, message: &[u8], mac: &Self::Output) -> Result<(), Mismatch> {
        matches(self.mac(message).as_ref(), mac.as_ref())
    }

    /// Checks that the MAC of a message begins with the `N` bytes `cut`, for protocols that
    /// truncate MACs. The protocol determines this length, and the type contains it; a message
    /// must never choose it. A forgery needs 2^(8·N) attempts. A call with fewer than 4 bytes
    /// does not compile; see [`verify_cut_insecure`](Self::verify_cut_insecure).
    ///
    /// # Errors
    ///
    /// [`Mismatch`] if the MAC begins with other bytes.
    fn verify_cut<const N: usize>(&self, message: &[u8], cut: &[u8; N]) -> Result<(), Mismatch> {
        const { assert!(N >= SHORTEST_TAG && N <= Self::Output::SIZE) };
        matches(&self.mac(message).as_ref()[..N], cut)
    }

    /// Checks a truncated MAC as [`verify_cut`](Self::verify_cut) does, and also accepts 1 to 3
    /// bytes. An attacker forges such a MAC within seconds. Use this method only for old
    /// protocols.
    ///
    /// # Errors
    ///
    /// [`Mismatch`] if the MAC begins with other bytes.
    fn verify_cut_insecure<const N: usize>(
        &self,
        message: &[u8],
        cut: &[u8; N],
    ) -> Result<(), Mismatch> {
        const { assert!(N != 0 && N <= Self::Output::SIZE) };
        matches(&self.mac(message).as_ref()[..N], cut)
    }
}

/// Computes [`Mac::iterate`] by calls of the MAC.
fn iterate_calls<M: Mac>(mac: &M, iterations: u32, u: &[M::Output], sum: &mut [M::Output]) {
    const LANES: usize = 16;
    let mut now = [M::Output::ZERO; LANES];
    let mut next = [M::Output::ZERO; LANES];
    for (u, sum) in u.chunks(LANES).zip(sum.chunks_mut(LANES)) {
        let (now, next) = (&mut now[..u.len()], &mut next[..u.len()]);
        now.copy_from_slice(u);
        for _ in 0..iterations {
            if let ([u], [next]) = (&*now, &mut *next) {
                *next = mac.mac(u.as_ref());
            } else {
                let mut messages = [&[][..]; LANES];
                for (message, u) in messages.iter_mut().zip(&*now) {
                    *message = u.as_ref();
                }
                // The call cannot fail, because there are as many messages as results.
                let _ = mac.mac_many(&messages[..u.len()], next);
            }
            now.copy_from_slice(next);
            for (sum, u) in sum.iter_mut().zip(&*now) {
                for (sum, u) in sum.as_mut().iter_mut().zip(u.as_ref()) {
                    *sum ^= u;
                }
            }
        }
    }
    wipe(&mut now, M::Output::ZERO);
    wipe(&mut next, M::Output::ZERO);
}

/// The length in bytes of the shortest tag that is safe. Methods that check shorter tags have
/// `insecure` in their name.
pub(crate) const SHORTEST_TAG: usize = 4;

/// A MAC whose key must be used for one message only: a second message under the same key
/// reveals the key. `finalize` and `verify` consume the object, so a second message does
/// not compile.
pub trait OneTimeMac: Sized {
    /// The type of the kernels: implementations of this MAC for different CPU features.
    type Kernel: Kernel;

    /// The type of the key, an array of bytes.
    type Key;

    /// The type of the MAC's value: a [`Tag`](crate::Tag) of the algorithm's length.
    type Output: DigestBytes;

    /// Starts the only message of a key, with the given kernel; for tests and measurements.
    fn with_kernel(kernel: Self::Kernel, key: &Self::Key) -> Self;

    /// Starts the only message of a key.
    #[inline]
    fn new(key: &Self::Key) -> Self {
        Self::with_kernel(Self::Kernel::best(), key)
    }

    /// Adds the next piece of the message.
    fn update(&mut self, data: &[u8]);

    /// Ends the message and returns its MAC.
    fn finalize(self) -> Self::Output;

    /// Ends the message and checks that `mac` is the MAC of the message.
    ///
    /// # Errors
    ///
    /// [`Mismatch`] if `mac` is not the MAC of the message.
    fn verify(self, mac: &Self::Output) -> Result<(), Mismatch> {
        if self.finalize() == *mac {
            Ok(())
        } else {
            Err(Mismatch)
        }
    }
}

/// A MAC that needs a nonce with each message. **Never use a nonce twice under one key.** Each
/// MAC has its own type for nonces. This type checks the nonce's length when a nonce is made.
pub trait NonceMac: Keyed {
    /// The type of the nonces.
    type Nonce: for<'a> TryFrom<&'a [u8], Error = InvalidNonce>;

    /// The type of the MAC's value: a [`Tag`](crate::Tag) of the algorithm's length.
    type Output: DigestBytes;

    /// Adds the next piece of the message.
    fn update(&mut self, data: &[u8]);

    /// Ends the message and returns its MAC. After the call, the object starts the next message
    /// with the same key.
    fn finalize(&mut self, nonce: &Self::Nonce) -> Self::Output;

    /// Discards the pieces so far and starts the next message.
    fn reset(&mut self);

    /// Computes the MAC of a whole message. Pieces that [`update`](Self::update) added do not
    /// affect this MAC.
    fn mac(&self, nonce: &Self::Nonce, message: &[u8]) -> Self::Output;

    /// Checks that `mac` is the MAC of `message` with this nonce.
    ///
    /// # Errors
    ///
    /// [`Mismatch`] if `mac` is not the MAC of `message` with this nonce.
    fn verify(
        &self,
        nonce: &Self::Nonce,
        message: &[u8],
        mac: &Self::Output,
    ) -> Result<(), Mismatch> {
        matches(self.mac(nonce, message).as_ref(), mac.as_ref())
    }
}

/// The error for a nonce that a MAC does not accept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum InvalidNonce {
    /// The nonce has a wrong length.
    Length(InvalidNonceLength),
    /// The first bit of a VMAC nonce, extended to 16 bytes, must be zero, but is one.
    FirstBit,
}

impl fmt::Display for InvalidNonce {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Length(error) => error.fmt(f),
            Self::FirstBit => f.write_str("a nonce whose first bit is one"),
        }
    }
}

impl core::error::Error for InvalidNonce {}

impl From<InvalidNonceLength> for InvalidNonce {
    fn from(error: InvalidNonceLength) -> Self {
        Self::Length(error)
    }
}
