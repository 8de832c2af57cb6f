//! DMAC, also called EMAC, [ISO9797-1](super) algorithm 2: a CBC-MAC whose result is encrypted
//! with a second key. The key consists of the two keys, one after the other.
//!
//! The default padding is the padding of PKCS #7, as in Crypto++. Crypto++ derives the two keys
//! from one key: the encryption of a block of zeros, and the encryption of a block of zeros
//! whose last byte is one. The EMAC of NESSIE pads with
//! [`Iso7816`](crate::mode::padding::Iso7816).

use super::CbcMac;
use super::cbc_mac::two_keys;
use crate::FusedEncrypt;
use crate::debug::debug;
use crate::padding::{Padding, Pkcs7};

/// DMAC with a block cipher.
#[derive(Clone)]
pub struct Dmac<C: FusedEncrypt, P = Pkcs7> {
    first: CbcMac<C, P>,
    second: C,
}

debug!([C: FusedEncrypt + core::fmt::Debug, P] Dmac<C, P>, "Dmac", cipher = second);

impl<C: FusedEncrypt, P: Padding> Dmac<C, P> {
    /// Encrypts the results of CBC-MAC with the second key.
    #[inline]
    fn close(&self, macs: &mut [C::Block]) {
        self.second.encrypt_blocks(macs.into());
    }
}

two_keys! {
    [C: FusedEncrypt, P: Padding] Dmac<C, P>;
}
