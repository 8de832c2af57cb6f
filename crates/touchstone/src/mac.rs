//! Message authentication codes, and the trait that they implement.
//!
//! | MAC | types | over | source |
//! |---|---|---|---|
//! | CMAC, OMAC1 | [`Cmac`] | any block cipher | [SP800-38B] |
//! | OMAC2 | [`Omac2`] | any block cipher | [OMAC] |
//! | CBC-MAC, DES-MAC | [`CbcMac`] [`DesMac`] | any block cipher, DES | [ISO9797-1] algorithm 1, FIPS 113 |
//! | MAC of GOST 28147-89 | [`GostMac`] | its cipher, of half the rounds | [`gost`] |
//! | retail MAC | [`RetailMac`] | DES, any block cipher | [ISO9797-1] algorithm 3, ANSI X9.19 |
//!
//! Whoever has the key can make a MAC and check one; nobody else can do either. GMAC
//! takes a nonce, as AEADs do, and stands with them: [`aead::gmac`](crate::aead::gmac).
//! [`Mac::verify`] compares in constant time: never compare with `==`.
//!
//! - [SP800-38B] The CMAC Mode for Authentication, NIST SP 800-38B, 2005, updated 2016
//! - [OMAC] T. Iwata, K. Kurosawa: OMAC: One-Key CBC MAC, FSE 2003
//! - [ISO9797-1] Message Authentication Codes: mechanisms using a block cipher,
//!   ISO/IEC 9797-1, 2011
//!
//! [SP800-38B]: https://doi.org/10.6028/NIST.SP.800-38B
//! [OMAC]: https://doi.org/10.1007/978-3-540-39887-5_11
//! [ISO9797-1]: https://www.iso.org/standard/50375.html

use crate::buffer::same_number;
use crate::constant_time::matches;
use crate::{DataError, Keyed, Mismatch};

pub mod cbc_mac;
mod chain;
pub mod cmac;
#[cfg(feature = "gost28147")]
pub mod gost;

#[cfg(feature = "des")]
pub use cbc_mac::DesMac;
pub use cbc_mac::{CbcMac, RetailMac};
pub use cmac::{Cmac, Omac2};
#[cfg(feature = "gost28147")]
pub use gost::GostMac;

/// A message authentication code, on a message in pieces, in one piece, or on
/// many messages.
///
/// ```
/// use touchstone::block::Aes128;
/// use touchstone::mac::Cmac;
/// use touchstone::{Keyed, Mac};
///
/// let mut mac = Cmac::<Aes128>::new(b"sixteen byte key")?;
/// let tag = mac.mac(b"Attack at dawn");
///
/// mac.update(b"Attack ");
/// mac.update(b"at dawn");
/// assert_eq!(mac.finalize(), tag);
///
/// assert!(mac.verify(b"Attack at dawn", &tag).is_ok());
/// assert!(mac.verify(b"Attack at dusk", &tag).is_err());
/// # Ok::<(), touchstone::InvalidKeyLength>(())
/// ```
pub trait Mac: Keyed {
    /// An array of bytes.
    type Output: AsRef<[u8]> + AsMut<[u8]> + Copy + Eq + core::fmt::Debug;

    /// Length of the MAC in bytes.
    const OUTPUT: usize;

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

    /// Whether a message has this MAC.
    fn verify(&self, message: &[u8], mac: &Self::Output) -> Result<(), Mismatch> {
        matches(self.mac(message).as_ref(), mac.as_ref())
    }

    /// Whether the MAC of a message begins with these `N` bytes, for protocols
    /// that cut it. A forger needs 2^(8·N) guesses, so short ones prove little;
    /// none at all does not compile.
    fn verify_cut<const N: usize>(&self, message: &[u8], cut: &[u8; N]) -> Result<(), Mismatch> {
        const { assert!(N != 0 && N <= Self::OUTPUT) };
        matches(&self.mac(message).as_ref()[..N], cut)
    }
}
