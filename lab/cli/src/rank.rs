//! Ranks libraries: the numbers of [`touchstone_statistics::rank`], and the sentences about them.

pub mod verdict;

pub use touchstone_statistics::rank::*;
