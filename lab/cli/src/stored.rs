//! What the store keeps of a run, as the other modules read and write it.

use serde::{Deserialize, Serialize};
use touchstone_wire::Contract;

use crate::catalogue::Costs;
use crate::files::measured::Measured;
use crate::profile::Task;
use crate::stats::Interval;
use crate::summary::{Failure, Library, Machine, Verification};

/// The options that a resumed run must repeat.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Default)]
pub struct Plan {
    /// The values of the option `--library`, as the user gave them.
    pub libraries: Vec<String>,
    /// The values of the option `--root`, as the user gave them.
    #[serde(default)]
    pub roots: Vec<String>,
    /// The value of the option `--algorithm`, as the user gave it.
    pub algorithm: Option<String>,
    /// The values of the option `--sizes`, as the user gave them.
    pub sizes: Vec<u64>,
    /// The values of the option `--threads`, as the user gave them.
    pub threads: Vec<u32>,
    /// The values of the option `--contracts`, as the user gave them.
    #[serde(default)]
    pub contracts: Vec<String>,
    /// The values of the option `--messages`, as the user gave them.
    #[serde(default)]
    pub messages: Vec<u32>,
    /// The values of the option `--cost`.
    #[serde(default)]
    pub costs: Costs,
}

impl Plan {
    /// Returns whether the user chose cells, and not only libraries, algorithms or threads.
    pub fn chooses_cells(&self) -> bool {
        !(self.sizes.is_empty()
            && self.contracts.is_empty()
            && self.messages.is_empty()
            && self.costs.is_empty())
    }

    /// Returns whether the run has all libraries and all algorithms of its profile.
    pub fn is_whole(&self) -> bool {
        *self
            == Self {
                roots: self.roots.clone(),
                ..Self::default()
            }
    }
}

/// Why the store has no such run.
#[derive(Debug, thiserror::Error)]
pub enum NoRun {
    /// No run has this number.
    #[error("no run {id} in {store}; `touchstone runs` lists the runs")]
    Number {
        /// The number.
        id: i64,
        /// The path of the store.
        store: String,
    },
    /// Every run reached its end.
    #[error("no interrupted run in {store}")]
    Interrupted {
        /// The path of the store.
        store: String,
    },
    /// The store is empty.
    #[error("no runs yet in {store}: `touchstone run` makes one")]
    AtAll {
        /// The path of the store.
        store: String,
    },
}

/// The row of a run in the store.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RunRow {
    /// The run's number in the store.
    pub id: i64,
    /// The run's id, which is unique in all stores: a UUID ([`crate::identity`]). Empty in
    /// documents of older versions.
    #[serde(default)]
    pub uid: String,
    /// The time of the start in UTC (RFC 3339).
    pub started: String,
    /// Wall time of the run so far, in seconds.
    pub seconds: f64,
    /// Whether the run reached its end.
    pub complete: bool,
    /// The version of the lab that measured the run.
    pub lab_version: String,
    /// The command line that started the run.
    pub command: String,
    /// The profile's name.
    pub profile: String,
    /// The text of the profile.
    pub profile_text: String,
    /// The options that a resumed run repeats.
    pub plan: Plan,
    /// The relative width of intervals that the profile requires.
    pub target: f64,
    /// Nanoseconds for one pass of an empty loop.
    pub null_ns: f64,
    /// The machine on which the run was measured.
    pub machine: Machine,
    /// When and from where the run was imported; empty for a run of this machine.
    #[serde(default)]
    pub imported: String,
    /// The file or object to which the raw samples were moved; empty while the store has them.
    #[serde(skip)]
    pub archive: String,
}

/// One measured cell, as the store has it.
#[derive(Debug, Clone, PartialEq)]
pub struct RawCell {
    /// The library's id.
    pub library: String,
    /// The task to which the cell belongs.
    pub task: Task,
    /// Number of calls in one sample.
    pub calls: u64,
    /// The reason why sampling stopped: `narrow` or `budget`.
    pub stop: &'static str,
    /// Nanoseconds of the first call: to make the object, to set the key, to process the message.
    pub first_ns: [u64; 3],
    /// The core's clock rate during the cell's rounds, in MHz.
    pub mhz: Option<f64>,
    /// Reasons to doubt the cell's numbers.
    pub flags: Vec<String>,
    /// The names of the timed library calls.
    pub api: String,
    /// The name of the kernel (the code for this CPU) in use.
    pub kernel: String,
    /// The adapter's remarks about the cell.
    pub note: String,
    /// Nanoseconds of each sample.
    pub samples: Vec<f64>,
    /// The number of the process (the worker's start) of each sample; empty if an older
    /// version did not record it.
    pub processes: Vec<u32>,
}

/// The time of one cell of a run, which stays in the store when the samples are moved away.
#[derive(Debug, Clone, PartialEq)]
pub struct Point {
    /// The task to which the cell belongs.
    pub task: Task,
    /// The library's id.
    pub library: String,
    /// The library's version.
    pub version: String,
    /// Nanoseconds per call, or per message, with the 95 % interval.
    pub ns: Interval,
    /// Number of rounds.
    pub rounds: u32,
    /// Number of processes that took the samples; 0 if the run did not record processes.
    pub processes: u32,
}

/// The cells whose history is wanted.
#[derive(Debug, Clone)]
pub struct Cells {
    /// The primitive's id.
    pub primitive: String,
    /// The operation's id.
    pub operation: String,
    /// The contract.
    pub contract: Contract,
    /// Number of threads.
    pub threads: u32,
    /// The length of the message in bytes.
    pub bytes: u64,
    /// Only this machine; all if empty.
    pub machine: String,
}

/// A point with the series to which it belongs.
#[derive(Debug, Clone, PartialEq)]
pub struct Reading {
    /// The machine's name.
    pub machine: String,
    /// The library's id.
    pub library: String,
    /// The library's version.
    pub version: String,
    /// The length of the message in bytes.
    pub bytes: u64,
    /// The number of the run.
    pub run: i64,
    /// Nanoseconds per call with the 95 % interval.
    pub ns: Interval,
}

/// When a run began, and where.
#[derive(Debug, Clone, PartialEq)]
pub struct Start {
    /// The number of the run.
    pub run: i64,
    /// The time of the start in UTC (RFC 3339).
    pub started: String,
    /// Whether the store has the run's points.
    pub summarised: bool,
}

/// Everything of a run: what an import stores in one step.
pub struct Whole {
    /// The run; its number is ignored.
    pub row: RunRow,
    /// The libraries.
    pub libraries: Vec<Library>,
    /// The results of verification.
    pub verifications: Vec<Verification>,
    /// The failures.
    pub failures: Vec<Failure>,
    /// The completed tasks with their cells.
    pub tasks: Vec<(Task, Vec<RawCell>)>,
    /// The newest measurement of whole files on the run's machine.
    pub files: Option<Measured>,
}

/// What an import did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Imported {
    /// The run is new here.
    New,
    /// The run was here, and this number of its tasks, or the measurement of whole files, is new.
    More(usize),
    /// The run was here, and has nothing new.
    Nothing,
}
