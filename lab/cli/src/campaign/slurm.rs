//! Jobs by Slurm: one array of jobs, in which each element has the constraint, the partition and
//! the nodes of its machine. The array is submitted in the state *held*; then each element gets
//! its own requirements; then the array is released. Each of these steps can be repeated, so a
//! submission that was interrupted is completed by the next one.

pub mod queue;
pub mod script;

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context as _, bail, ensure};
use serde::{Deserialize, Serialize};

use super::folder::{Folder, get, put, write};
use super::plan::{Job, Plan};
use crate::machine;
use queue::Element;
use script::{Script, scripts};

/// An array of jobs in Slurm's queue.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Submission {
    /// Slurm's number of the array.
    pub array: u64,
    /// The number of a job is the number of its element plus this offset.
    pub offset: u32,
    /// The numbers of the jobs.
    pub jobs: BTreeSet<u32>,
    /// When the array was submitted.
    pub at: String,
    /// Whether every element has its requirements and the array is released.
    pub released: bool,
}

/// The arrays of a campaign, the oldest first.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Submissions(pub Vec<Submission>);

impl Submissions {
    fn file(folder: &Folder) -> PathBuf {
        folder.path().join("slurm.json")
    }

    /// Reads the arrays of a campaign.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    pub fn read(folder: &Folder) -> anyhow::Result<Self> {
        Ok(get(&Self::file(folder))?.unwrap_or_default())
    }

    fn save(&self, folder: &Folder) -> anyhow::Result<()> {
        put(&Self::file(folder), self)
    }

    /// Returns the newest array with a job, and the number of the job's element.
    pub fn of(&self, job: u32) -> Option<(u64, u32)> {
        let mut newest = self.0.iter().rev();
        let found = newest.find(|one| one.jobs.contains(&job))?;
        Some((found.array, job.checked_sub(found.offset)?))
    }

    /// Returns the job of an element.
    pub fn job(&self, array: u64, element: u32) -> Option<u32> {
        let found = self.0.iter().find(|one| one.array == array)?;
        let job = found.offset + element;
        found.jobs.contains(&job).then_some(job)
    }
}

/// Returns the name under which Slurm has the jobs of a campaign.
pub fn name(plan: &Plan) -> String {
    format!("touchstone-{}", plan.id)
}

/// Brings jobs into Slurm's queue that are not there. Returns how many were brought.
///
/// # Errors
///
/// If Slurm does not answer or refuses a job. What was done so far is kept, and the next call
/// goes on from there.
pub fn submit(folder: &Folder, plan: &Plan, wanted: &BTreeSet<u32>) -> anyhow::Result<usize> {
    let mut submissions = Submissions::read(folder)?;
    let queued = queue::queued(&name(plan))?;
    adopt(folder, &mut submissions, &queued)?;
    let there: BTreeSet<u32> = queued
        .iter()
        .filter_map(|element| submissions.job(element.array, element.element))
        .collect();
    let missing: Vec<&Job> = plan
        .jobs
        .iter()
        .filter(|job| wanted.contains(&job.number) && !there.contains(&job.number))
        .collect();
    for script in scripts(folder, plan, &missing)? {
        let array = sbatch(folder, &script)?;
        submissions.0.push(Submission {
            array,
            offset: script.offset,
            jobs: script.jobs.clone(),
            at: machine::now(),
            released: false,
        });
        submissions.save(folder)?;
    }
    let arrays: BTreeSet<u64> = queued.iter().map(|element| element.array).collect();
    for place in 0..submissions.0.len() {
        let one = submissions.0[place].clone();
        if one.released {
            continue;
        }
        // An array that was never released and has left the queue was cancelled by somebody.
        if one.jobs.iter().any(|job| wanted.contains(job)) || arrays.contains(&one.array) {
            release(plan, &one)?;
        }
        submissions.0[place].released = true;
        submissions.save(folder)?;
    }
    Ok(missing.len())
}

/// Takes arrays of this campaign that are in the queue but not in the campaign's folder: the
/// process that submitted them ended before it could write that down.
fn adopt(folder: &Folder, submissions: &mut Submissions, queued: &[Element]) -> anyhow::Result<()> {
    let mut strange: BTreeMap<u64, BTreeSet<u32>> = BTreeMap::new();
    for element in queued {
        if !submissions.0.iter().any(|one| one.array == element.array) {
            let elements = strange.entry(element.array).or_default();
            elements.insert(element.element);
        }
    }
    for (array, elements) in strange {
        let offset = queue::offset(array).unwrap_or(0);
        submissions.0.push(Submission {
            array,
            offset,
            jobs: elements.iter().map(|element| element + offset).collect(),
            at: machine::now(),
            released: false,
        });
        submissions.save(folder)?;
    }
    Ok(())
}

/// Submits an array in the state *held*, and returns its number.
fn sbatch(folder: &Folder, script: &Script) -> anyhow::Result<u64> {
    let path = folder.path().join("array.sbatch");
    write(&path, script.text.as_bytes())?;
    std::fs::create_dir_all(folder.path().join("slurm"))?;
    let path = path.display().to_string();
    let printed = call("sbatch", &["--parsable", "--hold", &path])?;
    // NUMBER, or NUMBER;CLUSTER.
    let number = printed.trim().split(';').next().unwrap_or_default();
    number
        .parse()
        .with_context(|| format!("sbatch printed {printed:?} in place of a number"))
}

/// Gives each element the requirements of its machine, and releases the array.
fn release(plan: &Plan, one: &Submission) -> anyhow::Result<()> {
    for line in script::updates(plan, one)? {
        let words: Vec<&str> = line.iter().map(String::as_str).collect();
        call("scontrol", &words)?;
    }
    call("scontrol", &["release", &one.array.to_string()]).map(drop)
}

/// Runs a command of Slurm's and returns its output.
fn call(program: &str, words: &[&str]) -> anyhow::Result<String> {
    let output = Command::new(program)
        .args(words)
        .output()
        .with_context(|| format!("{program} cannot be started: is Slurm installed here?"))?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    let said = said.trim().replace('\n', "; ");
    let hint = match () {
        () if said.contains("Unable to contact") => {
            ": the controller does not answer; try again later, nothing is submitted twice"
        }
        () if said.contains("Invalid job array") => {
            ": the cluster's MaxArraySize is too small, see docs/campaigns.md"
        }
        () => "",
    };
    bail!("{program} {}: {said}{hint}", words.join(" "))
}

/// Takes this job out of its node, to be started again where there is room: for a job whose time
/// limit is near.
///
/// # Errors
///
/// If this process is no job of Slurm's, or Slurm refuses.
pub fn requeue() -> anyhow::Result<()> {
    let job = std::env::var("SLURM_JOB_ID").context("this is no job of Slurm's")?;
    ensure!(job.parse::<u64>().is_ok(), "SLURM_JOB_ID is no number");
    call("scontrol", &["requeue", &job]).map(drop)
}
