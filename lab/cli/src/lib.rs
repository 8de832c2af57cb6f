//! The lab: finds crypto libraries, verifies, measures, ranks and reports.
//!
//! One module per step, in the order of a run. No module here links any
//! cryptography: libraries live in worker processes behind [`worker`].
#![forbid(unsafe_code)]

pub mod rank;
pub mod report;
pub mod stats;
pub mod summary;
