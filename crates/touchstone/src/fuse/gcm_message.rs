//! The message that a cipher's fused GCM or GCM-SIV takes
//! ([`FusedEncrypt::gcm`](super::FusedEncrypt::gcm)).

use inout::InOutBuf;

use crate::debug::debug;
use crate::ghash::{Point, Table};

/// What a fused kernel takes: one whole message.
#[doc(hidden)]
pub struct Message<'m, 'i, 'o> {
    pub(crate) point: &'m Point,
    /// What the cipher made of the point
    /// ([`gcm_table`](super::FusedEncrypt::gcm_table)), if there are data.
    pub(crate) table: &'m Table,
    /// The first counter block, J₀, whose encryption masks the tag: as a number,
    /// its first byte the lowest, which goes to a kernel in registers.
    pub(crate) first: u128,
    pub(crate) aad: &'m [u8],
    pub(crate) data: InOutBuf<'i, 'o, u8>,
    /// Whether the input is the ciphertext.
    pub(crate) backwards: bool,
}

debug!([] Message<'_, '_, '_>, "GcmMessage");

/// What a fused kernel of GCM-SIV takes: one whole message, of which it derives the
/// keys.
#[doc(hidden)]
pub struct SivMessage<'m, 'i, 'o> {
    /// As a number, its first byte the lowest.
    pub(crate) nonce: u128,
    pub(crate) aad: &'m [u8],
    pub(crate) data: InOutBuf<'i, 'o, u8>,
    /// The tag that came with a ciphertext, as a number.
    pub(crate) given: Option<u128>,
}

debug!([] SivMessage<'_, '_, '_>, "GcmSivMessage");
