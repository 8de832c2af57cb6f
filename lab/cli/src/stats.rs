//! Order statistics, bootstrap intervals and the line fit. Pure functions.

use serde::{Deserialize, Serialize};

/// A value with its 95 % interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Interval {
    /// Lower end.
    pub low: f64,
    /// The estimate.
    pub mid: f64,
    /// Upper end.
    pub high: f64,
}
