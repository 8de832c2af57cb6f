//! Message authentication codes, and the trait that they implement.
//!
//! | MAC | types | over | source |
//! |---|---|---|---|
//! | CMAC, OMAC1 | [`Cmac`] | any block cipher | [SP800-38B] |
//! | OMAC2 | [`Omac2`] | any block cipher | [OMAC] |
//! | CBC-MAC, DES-MAC | [`CbcMac`] [`DesMac`] | any block cipher, DES | [ISO9797-1] algorithm 1, FIPS 113 |
//! | DMAC, EMAC | [`Dmac`] | any block cipher | [ISO9797-1] algorithm 2 |
//! | MAC of GOST 28147-89 | [`GostMac`] | its cipher, of half the rounds | [`gost`] |
//! | KMAC | [`Kmac128`] [`Kmac256`] | Keccak | [`kmac`] |
//! | HMAC | [`Hmac`] | any hash | [`hmac`] |
//! | Poly1305 | [`Poly1305`] | one message a key | [`poly1305`] |
//! | PMAC | [`Pmac`] | any block cipher, many blocks at once | [`pmac`] |
//! | SipHash, HalfSipHash | [`SipHash24`] [`HalfSipHash24`] | short messages | [`siphash`] |
//! | UMAC | [`Umac32`] … [`Umac128`] | a block cipher of 16 bytes, with a nonce | [`umac`] |
//! | VMAC | [`Vmac64`] [`Vmac128`] | a block cipher of 16 bytes, with a nonce | [`vmac`] |
//! | retail MAC | [`RetailMac`] | DES, any block cipher | [ISO9797-1] algorithm 3, ANSI X9.19 |
//!
//! Whoever has the key can make a MAC and check one; nobody else can do either. GMAC
//! takes a nonce, as AEADs do, and stands with them: [`aead::gmac`](crate::aead::gmac).
//! [`Mac::verify`] and `==` on a [`Tag`](crate::Tag) compare in constant time.
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
use crate::constant_time::matches;
use crate::{DataError, DigestBytes, InvalidNonceLength, Keyed, Mismatch};

pub mod cbc_mac;
mod chain;
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
pub mod umac;
pub mod vmac;

#[cfg(feature = "des")]
pub use cbc_mac::DesMac;
pub use cbc_mac::{CbcMac, RetailMac};
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
pub use umac::{Umac, Umac32, Umac64, Umac96, Umac128, UmacNonce};
pub use vmac::{Vmac, Vmac64, Vmac128, VmacNonce};

/// A message authentication code, on a message in pieces, in one piece, or on
/// many messages.
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
    /// A [`Tag`](crate::Tag) of its length.
    type Output: DigestBytes;

    /// Takes the next piece of the message.
    fn update(&mut self, data: &[u8]);

    /// Ends the message, and starts the next one with the same key.
    fn finalize(&mut self) -> Self::Output;

    /// Forgets the pieces so far, and starts the next message.
    fn reset(&mut self);

    /// The MAC of a whole message, whatever pieces have been taken.
    fn mac(&self, message: &[u8]) -> Self::Output;

    /// The MACs of many messages, of any lengths, by the same index.
    ///
    /// One message waits for its own last step; many fill the machine. Where the
    /// MAC has such kernels, this is several times the speed of one by one.
    fn mac_many(&self, messages: &[&[u8]], macs: &mut [Self::Output]) -> Result<(), DataError> {
        same_number(messages.len(), macs.len())?;
        for (message, mac) in messages.iter().zip(macs) {
            *mac = self.mac(message);
        }
        Ok(())
    }

    /// Checks that a message has this MAC.
    ///
    /// # Errors
    ///
    /// [`Mismatch`] if it has another.
    fn verify(&self, message: &[u8], mac: &Self::Output) -> Result<(), Mismatch> {
        matches(self.mac(message).as_ref(), mac.as_ref())
    }

    /// Checks that the MAC of a message begins with these `N` bytes, for protocols that cut
    /// MACs. The length is part of the protocol and of the type, never of the message:
    /// a forger needs 2^(8·N) guesses, and fewer than 4 bytes do not compile
    /// ([`verify_cut_insecure`](Self::verify_cut_insecure)).
    ///
    /// # Errors
    ///
    /// [`Mismatch`] if it begins otherwise.
    fn verify_cut<const N: usize>(&self, message: &[u8], cut: &[u8; N]) -> Result<(), Mismatch> {
        const { assert!(N >= SHORTEST_TAG && N <= Self::Output::SIZE) };
        matches(&self.mac(message).as_ref()[..N], cut)
    }

    /// [`verify_cut`](Self::verify_cut) for 1 to 3 bytes too, which a forger guesses in
    /// seconds: for old protocols alone.
    ///
    /// # Errors
    ///
    /// [`Mismatch`] if the MAC begins otherwise.
    fn verify_cut_insecure<const N: usize>(
        &self,
        message: &[u8],
        cut: &[u8; N],
    ) -> Result<(), Mismatch> {
        const { assert!(N != 0 && N <= Self::Output::SIZE) };
        matches(&self.mac(message).as_ref()[..N], cut)
    }
}

/// The shortest tag in bytes that is checked without a name that says `insecure`.
pub(crate) const SHORTEST_TAG: usize = 4;

/// A MAC whose key is good for one message: a second message under the same key gives
/// the key away. The type is taken apart by its end, so no second message compiles.
pub trait OneTimeMac: Sized {
    /// An array of bytes.
    type Key;

    /// A [`Tag`](crate::Tag) of its length.
    type Output: DigestBytes;

    /// Starts the one message of a key.
    fn new(key: &Self::Key) -> Self;

    /// Takes the next piece of the message.
    fn update(&mut self, data: &[u8]);

    /// Ends the message.
    fn finalize(self) -> Self::Output;

    /// Ends the message: whether it has this MAC.
    ///
    /// # Errors
    ///
    /// [`Mismatch`] if it has another.
    fn verify(self, mac: &Self::Output) -> Result<(), Mismatch> {
        if self.finalize() == *mac {
            Ok(())
        } else {
            Err(Mismatch)
        }
    }
}

/// A MAC that takes a nonce with each message. **No nonce may serve twice under one key.**
/// A nonce has a type of its own, so its length is checked where it is made.
pub trait NonceMac: Keyed {
    /// What a nonce has to be.
    type Nonce: for<'a> TryFrom<&'a [u8], Error = InvalidNonce>;

    /// A [`Tag`](crate::Tag) of its length.
    type Output: DigestBytes;

    /// Takes the next piece of the message.
    fn update(&mut self, data: &[u8]);

    /// Ends the message, and starts the next one with the same key.
    fn finalize(&mut self, nonce: &Self::Nonce) -> Self::Output;

    /// Forgets the pieces so far, and starts the next message.
    fn reset(&mut self);

    /// The MAC of a whole message, whatever pieces have been taken.
    fn mac(&self, nonce: &Self::Nonce, message: &[u8]) -> Self::Output;

    /// Checks that a message has this MAC.
    ///
    /// # Errors
    ///
    /// [`Mismatch`] if it has another.
    fn verify(
        &self,
        nonce: &Self::Nonce,
        message: &[u8],
        mac: &Self::Output,
    ) -> Result<(), Mismatch> {
        matches(self.mac(nonce, message).as_ref(), mac.as_ref())
    }
}

/// A nonce that a MAC does not take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum InvalidNonce {
    /// It has a wrong length.
    Length(InvalidNonceLength),
    /// Its first bit, as the first of 16 bytes, must be zero.
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
