//! Worker
