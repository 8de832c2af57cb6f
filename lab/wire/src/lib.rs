//! The protocol between the lab and its workers: types, their text form, and
//! nothing else. `docs/wire-protocol.md` describes it for other languages.
//!
//! A message is one line that holds one JSON object (RFC 8259). Its `message`
//! says which kind it is; the other fields depend on the kind.
#![forbid(unsafe_code)]

mod data;
mod message;
mod vary;
mod work;

pub use data::{Data, fnv1a, from_hex, to_hex};
pub use message::{Contract, Library, Offer, Reply, Request, WireError};
pub use vary::{Step, Vary};
pub use work::{Fields, Value, Work};

/// Version of the protocol that this crate speaks. A worker that is asked for
/// another version answers `absent` with a reason.
pub const PROTOCOL: u32 = 2;

/// The most bytes of one input or output: 16 MiB (the longest message that the
/// lab times) and 4 KiB for a tag.
pub const MOST_BYTES: usize = (16 << 20) + 4096;
/// The most bytes of one line: the hex digits of two inputs of [`MOST_BYTES`].
pub const LONGEST_LINE: usize = 4 * MOST_BYTES + 65536;
/// The most messages that one call may process.
pub const MOST_MESSAGES: u32 = 65536;
/// Number of different nonces in a cell. After this number of messages, the first nonce is used
/// again.
pub const RING: u64 = 256;
/// The most threads that may make the calls of one sample.
pub const MOST_THREADS: u32 = 4096;
/// The most algorithms that one worker may offer.
pub const MOST_OFFERS: usize = 16384;
