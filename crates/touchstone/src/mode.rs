//! Modes of operation: what turns a block cipher into a cipher for messages.
//!
//! | mode | types | length | source |
//! |---|---|---|---|
//! | ECB | [`Ecb`] | whole blocks | [SP800-38A] §6.1 |
//! | CBC | [`CbcEncrypt`] [`CbcDecrypt`] | whole blocks | [SP800-38A] §6.2 |
//! | CTR | [`Ctr`] | any | [SP800-38A] §6.5, [counter rules](ctr) |
//!
//! A mode takes the set-up cipher by value or by reference, and a message in one
//! call or in pieces: cuts change nothing. `reset` starts the next message with
//! the same key. The block modes take whole blocks only; padding is a layer of
//! its own above them, since it changes lengths, and its errors need care.
//!
//! None of these modes detects that a message was altered.
//!
//! - [SP800-38A] Recommendation for Block Cipher Modes of Operation, NIST SP 800-38A, 2001
//!
//! [SP800-38A]: https://doi.org/10.6028/NIST.SP.800-38A

pub mod cbc;
pub mod ctr;
pub mod ecb;

pub use cbc::{CbcDecrypt, CbcEncrypt};
pub use ctr::Ctr;
pub use ecb::Ecb;

use inout::InOutBuf;

use crate::DataError;
use crate::block::Block;

/// The blocks of a buffer that has nothing else.
#[inline(always)]
fn whole<'i, 'o, B: Block>(data: InOutBuf<'i, 'o, u8>) -> Result<InOutBuf<'i, 'o, B>, DataError> {
    let length = data.len();
    match B::split(data) {
        (blocks, rest) if rest.is_empty() => Ok(blocks),
        _ => Err(DataError::NotWholeBlocks {
            length,
            block: B::SIZE,
        }),
    }
}

/// Writes the three shapes of a call from its `inout` one: in place, out of
/// place, both.
macro_rules! shapes {
    (
        $(#[$meta:meta])*
        $method:ident $into:ident $inout:ident(&$($mutable:ident)?)
    ) => {
        $(#[$meta])*
        ///
        /// An error leaves the data as they are.
        #[inline]
        pub fn $method(&$($mutable)? self, data: &mut [u8]) -> Result<(), DataError> {
            self.$inout(data.into())
        }

        #[doc = concat!("[`", stringify!($method), "`](Self::", stringify!($method), "), out of place.")]
        #[inline]
        pub fn $into(&$($mutable)? self, input: &[u8], output: &mut [u8]) -> Result<(), DataError> {
            self.$inout(buffer::pair(input, output)?)
        }
    };
}
use shapes;
