//! The code that all workers in Rust share. An adapter implements [`Adapter`], and its `main` calls
//! [`serve`]. This crate does the rest: the protocol, the loop that takes samples, threads, and
//! finding shared objects at run time.
//!
//! The same call is checked by known answers and timed: in both cases it is [`Operation::process`]
//! on an object that the same [`Cell`] made.

mod buffers;
mod catalogue;
mod cell;
pub mod child;
mod closures;
mod cpus;
pub mod der;
mod derive;
mod failure;
pub mod integer;
mod linked;
mod load;
mod memory;
mod operation;
mod owned;
mod parts;
mod phrase;
mod plan;
pub mod points;
pub mod public;
pub mod random;
mod scheme;
mod serve;
mod shape;
mod work;

pub use catalogue::{algorithm, primitives};
pub use cell::Cell;
pub use closures::keyed;
pub use derive::Derivation;
pub use failure::{Failure, done, ok};
pub use linked::locked_version;
pub use load::{Shared, c_string, lacks_aes_instructions, mapped_file, text};
pub use memory::{Memory, room};
pub use operation::{Batch, Message, Operation, Text, chain};
pub use owned::{Cleared, Owned};
pub use phrase::Phrase;
pub use plan::{Plan, Written};
pub use serve::{Adapter, serve, serve_linked};
pub use shape::{AEADS, BLOCK_MODES, HASHES, MACS, STREAMS, Shape, Span};
pub use touchstone_wire::{Contract, Library, Offer};
pub use work::{Direction, Lengths, Work, stays_in_place};

/// Makes an offer without remarks.
pub fn offer(primitive: &str, operation: &str, api: &str) -> Offer {
    Offer {
        primitive: primitive.to_owned(),
        operation: operation.to_owned(),
        api: api.to_owned(),
        ..Offer::default()
    }
}
