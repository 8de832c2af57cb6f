//! What a measurement consists of: the measurer, its open tasks, and the outcome of a task.

use std::time::Duration;

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use super::sampling::{Opening, Sampling};
use crate::profile::{Profile, Selection, Task};
use crate::session::{Clock, Slot};
use crate::store::RawCell;
use crate::summary::Failure;
use crate::verify::Verified;

/// The shortest sample of several threads, in nanoseconds. Threads begin some ten microseconds
/// apart, and after a thread has ended, the other threads have the machine to themselves. Both
/// effects must be a small part of the sample.
const SAMPLE_OF_THREADS_NS: f64 = 2e6;

/// The result of a task.
#[derive(Debug, Default)]
pub struct Outcome {
    /// The cells of the task, one for each library.
    pub cells: Vec<RawCell>,
    /// The failures that occurred in the task.
    pub failures: Vec<Failure>,
}

/// Receives reports about the progress of the measurement.
pub trait Watcher {
    /// Reports that the task advanced by this number of its steps ([`Measurer::steps`]).
    fn advance(&mut self, task: &Task, steps: u32);

    /// Reports that the task is complete, with its outcome.
    fn done(&mut self, task: &Task, outcome: Outcome) -> anyhow::Result<()>;
}

/// Measures one run.
pub struct Measurer<'a> {
    /// The libraries and their workers.
    pub slots: &'a mut [Slot],
    /// The worker that measures the clock rate of the measuring CPU.
    pub clock: &'a mut Clock,
    /// The algorithms that passed verification and may be timed.
    pub verified: &'a Verified,
    /// The precision.
    pub profile: &'a Profile,
    /// The time for all tasks.
    pub time: Duration,
    /// The user's selection from the profile.
    pub selection: &'a Selection,
    pub(super) rng: StdRng,
    pub(super) next_id: u32,
}

/// A task whose cells are open in the workers.
pub(super) struct Live<'t> {
    pub(super) task: &'t Task,
    pub(super) opening: Opening,
    pub(super) cells: Vec<Sampling>,
    pub(super) failures: Vec<Failure>,
    pub(super) rounds: u32,
    /// The core's clock rate in each round, in MHz.
    pub(super) clocks: Vec<f64>,
    pub(super) spent: Duration,
}

impl<'a> Measurer<'a> {
    /// Prepares a measurement. The seed determines the order of libraries within rounds and the
    /// order of tasks.
    pub fn new(
        slots: &'a mut [Slot],
        clock: &'a mut Clock,
        verified: &'a Verified,
        profile: &'a Profile,
        time: Duration,
        selection: &'a Selection,
        seed: u64,
    ) -> Self {
        Self {
            slots,
            clock,
            verified,
            profile,
            time,
            selection,
            rng: StdRng::seed_from_u64(seed),
            next_id: 0,
        }
    }

    /// The shortest sample that a task may have, in nanoseconds.
    pub(super) fn shortest_sample_ns(&self, task: &Task) -> f64 {
        let wanted = self.profile.sample_us as f64 * 1e3;
        if task.threads > 1 {
            wanted.max(SAMPLE_OF_THREADS_NS)
        } else {
            wanted
        }
    }
}

/// Returns a random seed, different for each run. It only determines the order of libraries and
/// tasks.
pub fn seed() -> u64 {
    rand::rng().random()
}
