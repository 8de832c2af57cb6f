//! Who is faster: within one cell ([`ratio`]), over many algorithms ([`headline`], by
//! the model of [`effects`]), and by the formula of an earlier paper ([`paper`]).
//!
//! Nothing here knows where the times come from, and nothing here is printed.

pub mod effects;
pub mod headline;
pub mod paper;
pub mod ratio;
pub mod verdict;

use crate::stats::Series;

/// The share of the algorithms that a library must have for its mean to stand in one
/// order with the others.
pub const BROAD: f64 = 0.25;

/// One library's time in one cell: what ranks are made of.
#[derive(Debug, Clone, Copy)]
pub struct Timed<'a> {
    /// Library id.
    pub library: &'a str,
    /// Family that the operation belongs to.
    pub family: &'a str,
    /// Primitive and operation.
    pub algorithm: &'a str,
    /// Whether a new design may choose it; otherwise it is legacy.
    pub modern: bool,
    /// Message bytes.
    pub bytes: u64,
    /// Whether a call takes as long whatever the message's length: key derivation and
    /// password hashing.
    pub sizeless: bool,
    /// Nanoseconds per call.
    pub series: Series<'a>,
}
