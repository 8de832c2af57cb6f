//! Touchstone
