//! `touchstone campaign`: the same measurements on many machines, by Slurm and ssh.

mod collect;
mod plan;
mod status;
mod submit;

use std::io::Read as _;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use clap::{Args, Subcommand};

use super::{End, Global, Nothing, Usage};
use crate::campaign::file::Campaign;
use crate::campaign::folder::Folder;
use crate::campaign::job::{self, Outcome};
use crate::campaign::mistake::Mistake;
use crate::campaign::plan::Plan;
use crate::campaign::state::Seen;
use crate::campaign::{hosts, slurm};
use crate::output;

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  touchstone campaign plan fleet.toml           cells, hours and cost; nothing runs
  touchstone campaign submit fleet.toml         begins, or goes on after a failure
  touchstone campaign status fleet.toml
  touchstone campaign collect fleet.toml && touchstone campaign report fleet.toml")]
pub(super) struct Options {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, Subcommand)]
enum Verb {
    /// Show the jobs, cells, hours and cost of a campaign; nothing runs
    Plan(plan::Options),
    /// Give the jobs to Slurm and to the hosts; again, to go on after failures
    Submit(submit::Options),
    /// Show where each job is, as squeue does
    #[command(after_help = "Examples:
  touchstone campaign status fleet.toml")]
    Status(Which),
    /// Bring the runs into one store; can be repeated at any time
    #[command(after_help = "Examples:
  touchstone campaign collect fleet.toml
  touchstone campaign collect fleet.toml --store fleet.sqlite")]
    Collect(Which),
    /// Write one report over all machines
    Report(collect::ReportOptions),
    /// Do one job on this machine (Slurm calls this)
    #[command(hide = true)]
    Job {
        /// The campaign's folder
        folder: PathBuf,
        /// The job's number
        number: u32,
    },
    /// Take a plan from stdin and begin its jobs on this host (submit calls this by ssh)
    #[command(hide = true)]
    Accept,
    /// Do all jobs of this host (accept calls this)
    #[command(hide = true)]
    Host(Hosted),
    /// Print the states of this host's jobs as JSON (status calls this by ssh)
    #[command(hide = true)]
    State(Hosted),
}

/// The campaign to use.
#[derive(Debug, Args)]
struct Which {
    /// The campaign file, or the campaign's folder
    campaign: PathBuf,
}

#[derive(Debug, Args)]
struct Hosted {
    /// The campaign's folder
    folder: PathBuf,
    /// The machine's name in the plan
    machine: String,
    /// The host's name in the plan
    #[arg(default_value = "")]
    host: String,
}

pub(super) fn run(global: &Global, options: &Options) -> anyhow::Result<End> {
    let result = match &options.verb {
        Verb::Plan(options) => plan::run(global, options),
        Verb::Submit(options) => submit::run(global, options),
        Verb::Status(which) => status::run(global, which),
        Verb::Collect(which) => collect::run(global, which),
        Verb::Report(options) => collect::report(global, options),
        Verb::Job { folder, number } => job(folder, *number),
        Verb::Accept => accept(),
        Verb::Host(hosted) => {
            hosts::work(&Folder::new(&hosted.folder)?, &hosted.machine, &hosted.host)
                .map(|()| End::Good)
        }
        Verb::State(hosted) => state(hosted),
    };
    result.map_err(|error| match error.downcast::<Mistake>() {
        Ok(mistake) => Usage(mistake.to_string()).into(),
        Err(error) => error,
    })
}

/// Reads a campaign file, and returns the campaign with the file's text.
fn open(path: &Path) -> anyhow::Result<(Campaign, String)> {
    if !path.is_file() {
        return Err(Usage(format!(
            "{}: there is no such campaign file",
            path.display()
        ))
        .into());
    }
    Campaign::open(path)
}

/// Returns the folder of a campaign from the path of its file or its folder.
fn folder(path: &Path) -> anyhow::Result<Folder> {
    if path.is_dir() {
        return Folder::new(path);
    }
    let (campaign, _) = open(path)?;
    Folder::new(&campaign.folder(path))
}

/// Returns the folder and the plan of a campaign that was submitted.
fn submitted(path: &Path) -> anyhow::Result<(Folder, Plan)> {
    let folder = folder(path)?;
    let Some(plan) = folder.plan()? else {
        return Err(Nothing(format!(
            "{}: nothing was submitted yet; `touchstone campaign submit` does it",
            folder.path().display()
        ))
        .into());
    };
    Ok((folder, plan))
}

/// Makes one attempt at a job.
fn job(folder: &Path, number: u32) -> anyhow::Result<End> {
    let folder = Folder::new(folder)?;
    let plan = folder.plan()?;
    let plan = plan.with_context(|| format!("no plan in {}", folder.path().display()))?;
    match job::attempt(&folder, &plan, number)? {
        Outcome::Done => Ok(End::Good),
        Outcome::Failed => {
            let seen = Seen::look(&folder, number)?;
            let reason = seen.state.map_or(String::new(), |state| state.reason);
            anyhow::bail!("job {number}: {reason}")
        }
        Outcome::Taken => anyhow::bail!("job {number}: another process is at it"),
        Outcome::Stopped(signal) => {
            // Slurm sends this signal shortly before the end of the job's time.
            if signal == signal_hook::consts::SIGUSR1 {
                slurm::requeue()?;
            }
            std::process::exit(128 + signal)
        }
    }
}

fn accept() -> anyhow::Result<End> {
    let mut parcel = Vec::new();
    std::io::stdin().lock().read_to_end(&mut parcel)?;
    let accepted = hosts::accept(&parcel)?;
    output::write(&serde_json::to_vec(&accepted)?)?;
    Ok(End::Good)
}

fn state(hosted: &Hosted) -> anyhow::Result<End> {
    let folder = Folder::new(&hosted.folder)?;
    let plan = folder.plan()?;
    let plan = plan.with_context(|| format!("no plan in {}", folder.path().display()))?;
    let machine = hosts::find(&plan, &hosted.machine)?;
    let seen = hosts::look(&folder, &plan, machine, &hosted.host)?;
    output::write(&serde_json::to_vec(&seen)?)?;
    Ok(End::Good)
}
