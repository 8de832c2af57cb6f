//! `touchstone campaign plan`: what a campaign will measure, and what that takes.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use clap::Args;

use super::super::{End, Global};
use super::open;
use crate::campaign::estimate::{Estimator, seconds};
use crate::campaign::file::Campaign;
use crate::campaign::plan::{Expected, Kind, Plan};
use crate::profile::Profile;
use crate::store::RunRow;
use crate::table::{Entry, Table};

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  touchstone campaign plan fleet.toml
  touchstone campaign plan fleet.toml --format json")]
pub(super) struct Options {
    /// The campaign file
    file: PathBuf,
}

pub(super) fn run(global: &Global, options: &Options) -> anyhow::Result<End> {
    let (campaign, _) = open(&options.file)?;
    let (plan, basis) = make(global, &options.file, campaign)?;
    global.print(&[table(&plan, &basis)?])?;
    if let Some(over) = plan.over_budget()? {
        global.say(&format!("over the budget: {over}"));
    }
    Ok(End::Good)
}

/// Makes the plan of a campaign file, and tells where its times come from.
pub(super) fn make(
    global: &Global,
    path: &Path,
    campaign: Campaign,
) -> anyhow::Result<(Plan, String)> {
    let profiles = campaign.open_profiles(path);
    let profiles: Vec<Profile> = profiles.into_iter().collect::<anyhow::Result<_>>()?;
    let texts: BTreeMap<String, String> = profiles
        .iter()
        .map(|profile| (profile.name.clone(), profile.text.clone()))
        .collect();
    // Without a store, or with one that cannot be read, times come from the profiles.
    let runs: Vec<RunRow> = global
        .read_store()
        .and_then(|store| store.runs())
        .unwrap_or_default();
    let estimator = Estimator::new(&campaign, &profiles, &runs);
    let mut expected: BTreeMap<(String, String), Expected> = BTreeMap::new();
    for profile in &profiles {
        for set in &campaign.libraries {
            let one = match &estimator {
                Ok(estimator) => estimator.expect(&profile.name, &set.name)?,
                Err(_) => {
                    let (seconds, basis) = seconds(&campaign, profile, set, &runs);
                    Expected {
                        cells: 0,
                        seconds,
                        basis,
                    }
                }
            };
            expected.insert((profile.name.clone(), set.name.clone()), one);
        }
    }
    let mut basis: Vec<String> = expected.values().map(|one| one.basis.clone()).collect();
    basis.sort();
    basis.dedup();
    let mut basis = format!("hours: from {}", basis.join("; "));
    if let Err(error) = &estimator {
        basis += &format!("\ncells are unknown, because no library was found here: {error:#}");
    }
    let stem = path
        .file_stem()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    let plan = Plan::new(&stem, campaign.clone(), texts, |profile, set| {
        expected[&(profile.to_owned(), set.to_owned())].clone()
    })?;
    Ok((plan, basis))
}

/// Sums of jobs with the same machine, libraries and profile.
#[derive(Default)]
struct Sums {
    nodes: usize,
    jobs: u32,
    cells: u64,
    seconds: f64,
    cost: Option<f64>,
}

fn table(plan: &Plan, basis: &str) -> anyhow::Result<Table> {
    let mut rows: Vec<([String; 3], Sums)> = Vec::new();
    let mut all = Sums::default();
    for job in &plan.jobs {
        let key = [&job.machine, &job.libraries, &job.profile].map(String::clone);
        if !rows.iter().any(|(known, _)| *known == key) {
            let nodes = plan.machine(job)?.nodes()?.len();
            rows.push((
                key.clone(),
                Sums {
                    nodes,
                    ..Sums::default()
                },
            ));
        }
        let cost = plan.cost(job, job.seconds)?;
        let row = rows.iter_mut().find(|(known, _)| *known == key);
        for sums in row.map(|(_, sums)| sums).into_iter().chain([&mut all]) {
            sums.jobs += 1;
            sums.cells += job.cells;
            sums.seconds += job.seconds;
            if let Some(cost) = cost {
                sums.cost = Some(sums.cost.unwrap_or(0.0) + cost);
            }
        }
    }
    let currency = match plan.campaign.budget.currency.as_str() {
        "" => ">cost".to_owned(),
        currency => format!(">{currency}"),
    };
    let title = match plan.campaign.title.as_str() {
        "" => "Plan: nothing runs yet".to_owned(),
        title => format!("{title}: the plan, nothing runs yet"),
    };
    let columns = [
        "machine",
        "by",
        ">nodes",
        "libraries",
        "profile",
        ">jobs",
        ">cells",
        ">hours",
        &currency,
    ];
    let mut table = Table::new("plan", title, &columns);
    for ([machine, libraries, profile], sums) in &rows {
        let mut machines = plan.campaign.machines.iter();
        let kind = machines
            .find(|one| one.name == *machine)
            .map(|one| one.kind());
        let by = match kind {
            Some(Kind::Slurm) => "slurm",
            Some(Kind::Ssh) => "ssh",
            Some(Kind::Local) | None => "local",
        };
        let nodes = sums.nodes.to_string();
        table.row(entries([machine, by, &nodes, libraries, profile], sums));
    }
    table.row(entries(["all", "", "", "", ""], &all));
    let budget = &plan.campaign.budget;
    let mut limits = Vec::new();
    if let Some(hours) = budget.node_hours {
        limits.push(format!("{hours} node hours"));
    }
    if let Some(cost) = budget.cost {
        limits.push(format!("{cost} {}", budget.currency).trim().to_owned());
    }
    table.footnote = format!(
        "cells: counted with this machine's libraries; hours: of one node each, a job has one \
         node\n{basis}"
    );
    if !limits.is_empty() {
        table.footnote += &format!("\nbudget: {}", limits.join(", "));
    }
    Ok(table)
}

fn entries(texts: [&str; 5], sums: &Sums) -> Vec<Entry> {
    let mut row: Vec<Entry> = texts.map(|text| Entry::from(text.to_owned())).into();
    let hours = sums.seconds / 3600.0;
    row.extend([
        sums.jobs.to_string().into(),
        match sums.cells {
            0 => Entry::none(),
            cells => cells.to_string().into(),
        },
        Entry::number(hours, format!("{hours:.2}")),
        sums.cost.map_or_else(Entry::none, |cost| {
            Entry::number(cost, format!("{cost:.2}"))
        }),
    ]);
    row
}
