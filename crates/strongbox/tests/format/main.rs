//! The format: test vectors, a second reader, faults, and the interfaces against one another.

mod faults;
mod interfaces;
mod reader;
mod support;
mod vectors;
