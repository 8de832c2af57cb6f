//! `touchstone campaign submit`: gives jobs to Slurm and to hosts.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use super::super::{End, Global, Usage};
use super::plan::make;
use super::{folder, open};
use crate::campaign::folder::Folder;
use crate::campaign::hosts::places;
use crate::campaign::plan::{Job, Kind, Plan};
use crate::campaign::slurm::script::{scripts, updates};
use crate::campaign::slurm::{self, Submission};
use crate::campaign::status::{Status, look};
use crate::output;

/// How long a submission waits for another one.
const WAIT: Duration = Duration::from_secs(600);

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  touchstone campaign submit fleet.toml --dry-run
  touchstone campaign submit fleet.toml         again, to go on after a failure")]
pub(super) struct Options {
    /// The campaign file, or the folder of a campaign that was submitted
    campaign: PathBuf,
    /// Print what would be submitted: the scripts for sbatch, and the hosts
    #[arg(long)]
    dry_run: bool,
    /// Submit although the plan is over the budget
    #[arg(long)]
    over_budget: bool,
}

pub(super) fn run(global: &Global, options: &Options) -> anyhow::Result<End> {
    let folder = folder(&options.campaign)?;
    if options.dry_run {
        let plan = match folder.plan()? {
            Some(plan) => plan,
            None => new(global, options)?.0,
        };
        return show(&folder, &plan);
    }
    let _lock = folder.lock(WAIT)?;
    let plan = match folder.plan()? {
        Some(plan) => {
            same(options, &folder)?;
            plan
        }
        None => {
            let (plan, text) = new(global, options)?;
            folder.fill(&plan, &text)?;
            plan
        }
    };
    let all = look(&folder, &plan)?;
    let open: BTreeSet<u32> = all
        .rows
        .iter()
        .filter(|row| row.status != Status::Completed)
        .map(|row| row.job.number)
        .collect();
    let mut troubles = Vec::new();
    let by_slurm: BTreeSet<u32> = of_slurm(&plan)?
        .map(|job| job.number)
        .filter(|number| open.contains(number))
        .collect();
    let mut brought = 0;
    if !by_slurm.is_empty() {
        match slurm::submit(&folder, &plan, &by_slurm) {
            Ok(jobs) => brought += jobs,
            Err(error) => troubles.push(format!("{error:#}")),
        }
    }
    for place in places(&folder, &plan)? {
        let own = |job: &&Job| place.has(job) && open.contains(&job.number);
        let jobs = plan.jobs.iter().filter(own).count();
        if jobs == 0 {
            continue;
        }
        match place.submit() {
            Ok(()) => brought += jobs,
            Err(error) => troubles.push(format!("{error:#}")),
        }
    }
    for trouble in &troubles {
        global.say(trouble);
    }
    global.say(&format!(
        "{brought} of {} jobs submitted, {} were complete; `touchstone campaign status {}` shows \
         them",
        plan.jobs.len(),
        plan.jobs.len() - open.len(),
        folder.path().display()
    ));
    // The other machines have their jobs.
    match troubles.is_empty() {
        true => Ok(End::Good),
        false => Ok(End::Unfinished),
    }
}

/// Makes the plan, and refuses one that costs too much.
fn new(global: &Global, options: &Options) -> anyhow::Result<(Plan, String)> {
    let (campaign, text) = open(&options.campaign)?;
    let (plan, _) = make(global, &options.campaign, campaign)?;
    if let Some(over) = plan.over_budget()?
        && !options.over_budget
        && !options.dry_run
    {
        return Err(Usage(format!(
            "the plan is over the budget: {over}; --over-budget submits it all the same"
        ))
        .into());
    }
    Ok((plan, text))
}

/// Fails if the campaign file has changed since the campaign was submitted.
fn same(options: &Options, folder: &Folder) -> anyhow::Result<()> {
    if !options.campaign.is_file() {
        return Ok(());
    }
    let stored = folder.path().join("campaign.toml");
    if std::fs::read(&options.campaign)? == std::fs::read(&stored)? {
        return Ok(());
    }
    Err(Usage(format!(
        "{} has changed since it was submitted (the old one is {}): undo the change, or give the \
         new campaign another name or another results.folder",
        options.campaign.display(),
        stored.display()
    ))
    .into())
}

fn of_slurm(plan: &Plan) -> anyhow::Result<impl Iterator<Item = &Job>> {
    let mut jobs = Vec::new();
    for job in &plan.jobs {
        if plan.machine(job)?.kind() == Kind::Slurm {
            jobs.push(job);
        }
    }
    Ok(jobs.into_iter())
}

fn show(folder: &Folder, plan: &Plan) -> anyhow::Result<End> {
    let jobs: Vec<&Job> = of_slurm(plan)?.collect();
    for script in scripts(folder, plan, &jobs)? {
        output::text(&script.text)?;
        let example = Submission {
            array: 0,
            offset: script.offset,
            jobs: script.jobs.clone(),
            at: String::new(),
            released: false,
        };
        output::text("\n# then, with sbatch's number for 0:\n")?;
        for words in updates(plan, &example)? {
            output::text(&format!("# scontrol {}\n", words.join(" ")))?;
        }
        output::text("# scontrol release 0\n")?;
    }
    for place in places(folder, plan)? {
        let jobs = plan.jobs.iter().filter(|job| place.has(job)).count();
        output::text(&format!("# {}: {jobs} jobs\n", place.label()))?;
    }
    Ok(End::Good)
}
