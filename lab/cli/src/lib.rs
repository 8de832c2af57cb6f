//! The lab: finds, verifies, measures and ranks crypto libraries, and reports the
//! results.
//!
//! There is one module for each step, in the order of a run. No module here links any
//! cryptography: libraries are called in worker processes, which [`worker`] controls. Only
//! `x86` uses `unsafe`, for the instructions that measure the core's clock frequency.
#![deny(unsafe_code)]

pub mod adapters;
pub mod archive;
pub mod attacks;
pub mod bundle;
pub mod campaign;
pub mod catalogue;
pub mod cmd;
pub mod compare;
pub mod conformance;
pub mod corpus;
pub mod doctor;
pub mod export;
pub mod files;
pub mod flags;
pub mod fleet;
pub mod fuzz;
pub mod history;
pub mod identity;
pub mod kinds;
pub mod lock;
pub mod machine;
pub mod measure;
pub mod names;
pub mod null;
pub mod operations;
pub mod output;
pub mod planned;
pub mod points;
pub mod profile;
pub mod rank;
pub mod recommend;
pub mod record;
pub mod report;
pub mod root;
#[cfg(feature = "serve")]
pub mod serve;
pub mod session;
pub mod standing;
pub mod store;
pub mod stored;
pub mod summarise;
pub mod summary;
pub mod table;
pub mod text;
pub mod verify;
pub mod view;
pub mod wanted;
pub mod worker;
pub mod workload;
mod x86;

pub use touchstone_statistics as stats;
