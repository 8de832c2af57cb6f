//! The state of a job, as files in the job's folder: `state.json`, which the job writes when
//! something changes, and `progress.json`, which the run writes while it measures.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::folder::{Folder, get, is_locked};
use super::progress::Progress;

/// Where a job is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Phase {
    /// It measures, or it did so when its machine died.
    Running,
    /// Its run is complete and exported.
    Done,
    /// It ended with an error; `submit` tries it again.
    Failed,
    /// A signal stopped it; the next attempt goes on.
    Stopped,
}

/// The state of a job.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct State {
    /// Where the job is.
    pub phase: Phase,
    /// The machine's own name: the Slurm node, or the host.
    pub node: String,
    /// The number of attempts so far.
    pub attempts: u32,
    /// When the first attempt began, in UTC (RFC 3339).
    pub begun: String,
    /// When the present attempt began, in seconds since 1970.
    pub since: u64,
    /// Seconds of all attempts that ended.
    pub seconds: f64,
    /// Why the job failed or stopped, or what its run has to say; empty if there is nothing.
    pub reason: String,
    /// Objects that the machine built: the values for `--library`.
    pub built: Vec<String>,
    /// The store of the run, on the machine.
    pub store: PathBuf,
    /// Exported runs in the job's folder. More than one if the job moved to another node: runs of
    /// different machines are never mixed.
    pub bundles: Vec<String>,
}

/// The state of a job for those who look from outside.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Seen {
    /// The job's number.
    pub number: u32,
    /// The job's state; `None` before the first attempt.
    pub state: Option<State>,
    /// How far the run is.
    pub progress: Option<Progress>,
    /// Whether a process has the job's lock. Only the job's own machine can tell.
    pub alive: bool,
}

impl Seen {
    /// Looks at a job from the machine on which it runs.
    ///
    /// # Errors
    ///
    /// If a file of the job cannot be read.
    pub fn look(folder: &Folder, number: u32) -> anyhow::Result<Self> {
        let job = folder.job(number);
        Ok(Self {
            number,
            state: get(&state_file(&job))?,
            progress: get(&progress_file(&job))?,
            alive: is_locked(&lock_file(&job))?,
        })
    }

    /// Returns what is known about a job of which nothing is known.
    pub fn unknown(number: u32) -> Self {
        Self {
            number,
            state: None,
            progress: None,
            alive: false,
        }
    }
}

/// The file with the state of a job.
pub fn state_file(job: &Path) -> PathBuf {
    job.join("state.json")
}

/// The file with the progress of a job's run.
pub fn progress_file(job: &Path) -> PathBuf {
    job.join("progress.json")
}

/// The file whose lock a running job has.
pub fn lock_file(job: &Path) -> PathBuf {
    job.join("lock")
}
