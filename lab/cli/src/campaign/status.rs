//! Where each job of a campaign is, from three sources: the job's own files, the hosts, and
//! Slurm. The queue knows best whether a job waits or runs; the job's files know best what it has
//! measured.

use std::collections::BTreeMap;

use super::folder::Folder;
use super::hosts::places;
use super::job::seconds_now;
use super::plan::{Job, Kind, Plan};
use super::slurm::{Submissions, name, queue};
use super::state::{Phase, Seen};

/// What has become of a job. The words are those of squeue and sacct.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Status {
    /// It was not submitted.
    Unsubmitted,
    /// It waits for its machine.
    Pending,
    /// It measures.
    Running,
    /// Its run is complete.
    Completed,
    /// It ended with an error.
    Failed,
    /// Its process or its machine ended, and nothing will start it again but `submit`.
    Lost,
}

impl Status {
    /// The short form, as in squeue's column ST; `-` for a job that is not submitted.
    pub fn short(self) -> &'static str {
        match self {
            Self::Unsubmitted => "-",
            Self::Pending => "PD",
            Self::Running => "R",
            Self::Completed => "CD",
            Self::Failed => "F",
            Self::Lost => "NF",
        }
    }

    /// Returns whether the job will go on without another `submit`.
    pub fn is_under_way(self) -> bool {
        matches!(self, Self::Pending | Self::Running)
    }
}

/// A job and where it is.
#[derive(Debug, Clone)]
pub struct Row {
    /// The job.
    pub job: Job,
    /// Slurm's number of the job, `ARRAY_ELEMENT`; empty for other machines.
    pub slurm: String,
    /// What has become of it.
    pub status: Status,
    /// The node that it runs on, or ran on last.
    pub node: String,
    /// Seconds of all attempts.
    pub seconds: f64,
    /// Cells that are stored.
    pub cells: u64,
    /// Cells of the whole run; the plan's estimate before the run has begun.
    pub planned: u64,
    /// The share of the rounds that are done.
    pub share: f64,
    /// Why it waits or failed.
    pub reason: String,
    /// What the job's files say.
    pub seen: Seen,
}

/// The jobs of a campaign, and what could not be asked.
#[derive(Debug, Default)]
pub struct All {
    /// One row for each job.
    pub rows: Vec<Row>,
    /// Sentences about hosts or controllers that do not answer.
    pub troubles: Vec<String>,
}

/// Looks at all jobs.
///
/// # Errors
///
/// If a file of the campaign's folder cannot be read. A host or a controller that does not answer
/// is no error.
pub fn look(folder: &Folder, plan: &Plan) -> anyhow::Result<All> {
    let mut all = All::default();
    let mut seen: BTreeMap<u32, Seen> = BTreeMap::new();
    let mut submitted = BTreeMap::new();
    for place in places(folder, plan)? {
        let asked = place.ask()?;
        for job in plan.jobs.iter().filter(|job| place.has(job)) {
            submitted.insert(job.number, place.is_submitted());
        }
        seen.extend(asked.seen.into_iter().map(|one| (one.number, one)));
        all.troubles.extend(asked.trouble);
    }
    let slurm = Cluster::look(folder, plan, &mut all.troubles)?;
    for job in &plan.jobs {
        let is_slurm = plan.machine(job)?.kind() == Kind::Slurm;
        let one = match seen.remove(&job.number) {
            Some(one) => one,
            None if is_slurm => Seen::look(folder, job.number)?,
            None => Seen::unknown(job.number),
        };
        let mut row = row(job, one);
        if is_slurm {
            slurm.apply(&mut row);
        } else {
            on_host(&mut row, submitted.get(&job.number) == Some(&true));
        }
        all.rows.push(row);
    }
    Ok(all)
}

/// Makes a row from what the job's files say.
fn row(job: &Job, seen: Seen) -> Row {
    let progress = seen.progress.clone().unwrap_or_default();
    let state = seen.state.as_ref();
    let running = state.filter(|state| state.phase == Phase::Running);
    let present = running.map_or(0.0, |state| {
        seconds_now().saturating_sub(state.since) as f64
    });
    Row {
        job: job.clone(),
        slurm: String::new(),
        status: match state.map(|state| state.phase) {
            None => Status::Unsubmitted,
            Some(Phase::Running) => Status::Running,
            Some(Phase::Done) => Status::Completed,
            Some(Phase::Failed) => Status::Failed,
            Some(Phase::Stopped) => Status::Lost,
        },
        node: state.map_or(job.node.clone(), |state| state.node.clone()),
        seconds: state.map_or(0.0, |state| state.seconds) + present,
        cells: progress.cells,
        planned: match progress.planned {
            0 => job.cells,
            planned => planned,
        },
        share: match state.map(|state| state.phase) {
            Some(Phase::Done) => 1.0,
            _ => progress.share,
        },
        reason: state.map_or(String::new(), |state| state.reason.clone()),
        seen,
    }
}

/// Finishes the row of a job on a host.
fn on_host(row: &mut Row, submitted: bool) {
    match row.status {
        Status::Unsubmitted if submitted => {
            row.status = Status::Pending;
            row.reason = "(after the host's other jobs)".into();
        }
        Status::Running if !row.seen.alive => {
            row.status = Status::Lost;
            row.reason = "its process has ended; submit again".into();
        }
        _ => {}
    }
}

/// What Slurm says about a campaign.
#[derive(Default)]
struct Cluster {
    submissions: Submissions,
    queued: BTreeMap<(u64, u32), queue::Element>,
    ended: BTreeMap<(u64, u32), String>,
    answers: bool,
}

impl Cluster {
    fn look(folder: &Folder, plan: &Plan, troubles: &mut Vec<String>) -> anyhow::Result<Self> {
        let submissions = Submissions::read(folder)?;
        if submissions.0.is_empty() {
            return Ok(Self::default());
        }
        let arrays: Vec<u64> = submissions.0.iter().map(|one| one.array).collect();
        let (queued, answers) = match queue::queued(&name(plan)) {
            Ok(queued) => (queued, true),
            Err(error) => {
                troubles.push(format!("{error:#}; jobs are shown as their files say"));
                (Vec::new(), false)
            }
        };
        let by_element = |one: queue::Element| ((one.array, one.element), one);
        Ok(Self {
            submissions,
            queued: queued.into_iter().map(by_element).collect(),
            ended: if answers {
                queue::ended(&arrays)
            } else {
                BTreeMap::new()
            },
            answers,
        })
    }

    /// Finishes the row of a job of Slurm's.
    fn apply(&self, row: &mut Row) {
        let Some(id) = self.submissions.of(row.job.number) else {
            return;
        };
        row.slurm = format!("{}_{}", id.0, id.1);
        if row.status == Status::Completed || !self.answers {
            if row.status == Status::Unsubmitted {
                row.status = Status::Pending;
            }
            return;
        }
        if let Some(queued) = self.queued.get(&id) {
            row.status = match queued.state.as_str() {
                "R" | "CG" | "CF" | "SO" | "S" => Status::Running,
                _ => Status::Pending,
            };
            row.reason = String::new();
            if row.status == Status::Pending {
                row.reason = format!("({})", queued.reason);
            } else {
                row.node.clone_from(&queued.node);
            }
            return;
        }
        let ended = self.ended.get(&id).map_or("", String::as_str);
        match (row.status, ended) {
            (Status::Failed, _) => {}
            (_, "") => {
                row.status = Status::Lost;
                row.reason = "it has left Slurm's queue; submit again".into();
            }
            (_, ended) => {
                row.status = Status::Lost;
                row.reason = format!("{ended}; submit again");
            }
        }
    }
}
