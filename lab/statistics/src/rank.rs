//! Ranks libraries: within one cell ([`ratio`]), over many algorithms ([`headline`], by
//! the model of [`effects`]), and by the formula of an earlier paper ([`paper`]).
//!
//! The functions here take times from any source, and print nothing.

pub mod effects;
pub mod headline;
pub mod hosts;
pub mod paper;
pub mod ratio;

use crate::Series;

/// A library must have at least this share of the algorithms for its mean to be ranked
/// with the others.
pub const BROAD: f64 = 0.25;

/// One library's time in one cell: the input of ranking.
#[derive(Debug, Clone, Copy)]
pub struct Timed<'a> {
    /// The library's id.
    pub library: &'a str,
    /// Family that the operation belongs to.
    pub family: &'a str,
    /// Primitive and operation.
    pub algorithm: &'a str,
    /// Whether the algorithm is suitable for new designs; otherwise it is legacy.
    pub modern: bool,
    /// Length of the message in bytes.
    pub bytes: u64,
    /// Whether a call takes about the same time for all message lengths, as calls of key
    /// derivation and password hashing do.
    pub sizeless: bool,
    /// Whether the operation belongs to public-key cryptography.
    pub public_key: bool,
    /// The time in nanoseconds per call.
    pub series: Series<'a>,
}
