//! The verbs of the command as a user meets them.

mod files;
mod keys;
mod others;
#[path = "../place/mod.rs"]
mod place;
mod surroundings;
