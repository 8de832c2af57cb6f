//! The message that a cipher's fused GCM or GCM-SIV takes
//! ([`FusedEncrypt::gcm`](super::FusedEncrypt::gcm)).

use inout::InOutBuf;

use crate::buffer::Words;
use crate::debug::debug;
use crate::ghash::{Point, Table};

/// One whole message for a fused kernel of GCM.
#[doc(hidden)]
pub struct Message<'m, 'i, 'o> {
    pub(crate) point: &'m Point,
    /// The cipher's additional powers of the hash key
    /// ([`gcm_table`](super::FusedEncrypt::gcm_table)).
    pub(crate) table: &'m Table,
    /// The first counter block J₀. Its encryption is the mask that is XORed to the tag. J₀ is a
    /// little-endian number, so that a kernel receives it in registers.
    pub(crate) first: u128,
    pub(crate) aad: &'m [u8],
    pub(crate) data: Words<'i, 'o>,
    /// Whether the kernel decrypts. If it decrypts, its input is the ciphertext.
    pub(crate) backwards: bool,
}

debug!([] Message<'_, '_, '_>, "GcmMessage");

/// One whole message for a fused kernel of GCM-SIV. The kernel derives the message's keys.
#[doc(hidden)]
pub struct SivMessage<'m, 'i, 'o> {
    /// The nonce as a little-endian number.
    pub(crate) nonce: u128,
    pub(crate) aad: &'m [u8],
    pub(crate) data: InOutBuf<'i, 'o, u8>,
    /// For decryption, the tag that came with the ciphertext, as a little-endian number.
    pub(crate) given: Option<u128>,
}

debug!([] SivMessage<'_, '_, '_>, "GcmSivMessage");
