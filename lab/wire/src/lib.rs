//! The protocol between the lab and its workers: types, their text form, and
//! nothing else. `docs/wire-protocol.md` describes it for other languages.
//!
//! A message is one line: a verb, then `key=value` fields separated by single
//! spaces. Bytes are lower-case hex. Text is percent-encoded where it holds a
//! space, a percent sign or a control character. Nothing needs a parser beyond
//! "split at spaces, split at the first equals sign".
#![forbid(unsafe_code)]

mod data;
mod line;
mod many;
mod message;

pub use data::{Data, fnv1a, from_hex, to_hex};
pub use line::{Line, WireError};
pub use many::increment;
pub use message::{Contract, Library, Offer, Reply, Request, Work};

/// Version of the protocol that this crate speaks. A worker that is asked for
/// another version answers `absent` with a reason.
pub const PROTOCOL: u32 = 1;
