//! RANK: geometric means of ratios to the best.

use serde::{Deserialize, Serialize};

use crate::stats::Interval;

/// Ranks per algorithm and overall.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Default)]
pub struct Ranking {
    /// One row per library × algorithm, best first within an algorithm.
    pub algorithms: Vec<AlgorithmRank>,
    /// One row per library over all its algorithms, best first.
    pub overall: Vec<OverallRank>,
    /// Like `overall`, for each family.
    pub families: Vec<(String, Vec<OverallRank>)>,
}

/// A library's rank for one algorithm (primitive × operation × contract).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AlgorithmRank {
    /// Library id.
    pub library: String,
    /// `primitive operation`, such as `aes-128 cbc-encrypt`.
    pub algorithm: String,
    /// Family of the primitive.
    pub family: String,
    /// Geometric mean over sizes of the time over the best library's; 1 is best.
    pub rank: Interval,
    /// Tie band: libraries of one band cannot be told apart. 1 is the best band.
    pub band: u32,
    /// Sizes present over sizes measured by any library.
    pub coverage: f64,
}

/// A library's rank over several algorithms.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct OverallRank {
    /// Library id.
    pub library: String,
    /// Geometric mean over the algorithms that the library has.
    pub present: Interval,
    /// Geometric mean over the algorithms that every ranked library has; `None`
    /// where there is none.
    pub common: Option<Interval>,
    /// Tie band by `present`. 1 is the best band.
    pub band: u32,
    /// Algorithms that the library has.
    pub algorithms: u32,
    /// Algorithms that any library has.
    pub of: u32,
}
