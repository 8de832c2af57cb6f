//! Timing: in each round, all libraries of a task are timed in random order, one at a
//! time, on one CPU; all tasks advance round by round. `lab/METHOD.md` explains the
//! method.

mod failure;
mod measurer;
mod open;
mod pinning;
mod rounds;
mod sampling;

pub use measurer::{Measurer, Outcome, Watcher, seed};
pub use pinning::{cpus, stay_on};
