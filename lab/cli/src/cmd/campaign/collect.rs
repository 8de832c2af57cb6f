//! `touchstone campaign collect` and `report`: the runs of all machines in one store, and one
//! report over them.

use std::collections::BTreeMap;
use std::path::PathBuf;

use clap::Args;

use super::super::{End, Global, Nothing, fleet, report};
use super::status::end;
use super::{Which, submitted};
use crate::campaign::collect::{Collection, collect};
use crate::campaign::folder::Folder;
use crate::campaign::plan::Plan;
use crate::campaign::status::{All, look};
use crate::fleet::Fleet;
use crate::output;
use crate::rank::verdict;
use crate::store::Store;
use crate::summarise::summarise;
use crate::summary::Summary;
use crate::table::{Format, Table};

/// Most machines that the report has side by side.
const SIDE_BY_SIDE: usize = 12;

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  touchstone campaign report fleet.toml
  touchstone campaign report fleet.toml -o fleet.html")]
pub(super) struct ReportOptions {
    #[command(flatten)]
    which: Which,
    /// The file to write [default: report.html in the campaign's folder]
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

pub(super) fn run(global: &Global, which: &Which) -> anyhow::Result<End> {
    let (folder, plan) = submitted(&which.campaign)?;
    let (_, all, collection) = gather(global, &folder, &plan)?;
    let mut table = Table::new(
        "runs",
        "Collected",
        &[
            ">job",
            "machine",
            "node",
            "libraries",
            "profile",
            ">rep",
            ">run",
            "state",
            "new",
        ],
    );
    for one in &collection.runs {
        let Some(row) = all.rows.iter().find(|row| row.job.number == one.job) else {
            continue;
        };
        table.row([
            one.job.to_string(),
            row.job.machine.clone(),
            row.node.clone(),
            row.job.libraries.clone(),
            row.job.profile.clone(),
            row.job.repetition.to_string(),
            one.run.to_string(),
            if one.complete { "complete" } else { "a part" }.to_owned(),
            if one.new { "yes" } else { "no" }.to_owned(),
        ]);
    }
    table.footnote = "run: its number in the store, for every verb that takes a run".into();
    global.print(&[table])?;
    Ok(match (collection.troubles.is_empty(), end(&all)) {
        (false, _) => End::Unfinished,
        (true, end) => end,
    })
}

/// Brings all runs into the campaign's store.
fn gather(
    global: &Global,
    folder: &Folder,
    plan: &Plan,
) -> anyhow::Result<(Store, All, Collection)> {
    let all = look(folder, plan)?;
    let store = store(global, folder, plan)?;
    let collection = collect(folder, plan, &all, &store)?;
    for trouble in all.troubles.iter().chain(&collection.troubles) {
        global.say(trouble);
    }
    Ok((store, all, collection))
}

/// Opens the store of `--store`, or the campaign file's, or the one in the campaign's folder.
fn store(global: &Global, folder: &Folder, plan: &Plan) -> anyhow::Result<Store> {
    match (&global.store, &plan.campaign.results.store) {
        (Some(_), _) => global.open_store(),
        (None, Some(path)) => Store::open(&PathBuf::from(path)),
        (None, None) => Store::open(&folder.path().join("runs.sqlite")),
    }
}

pub(super) fn report(global: &Global, options: &ReportOptions) -> anyhow::Result<End> {
    let (folder, plan) = submitted(&options.which.campaign)?;
    let (store, all, collection) = gather(global, &folder, &plan)?;
    // The newest complete run of each machine and node.
    let mut runs: BTreeMap<[String; 4], i64> = BTreeMap::new();
    for one in collection.runs.iter().filter(|one| one.complete) {
        let Some(row) = all.rows.iter().find(|row| row.job.number == one.job) else {
            continue;
        };
        let job = &row.job;
        let key = [&job.machine, &row.node, &job.libraries, &job.profile].map(String::clone);
        runs.insert(key, one.run);
    }
    if runs.is_empty() {
        let text = "no job is complete yet; `touchstone campaign status` shows them";
        return Err(Nothing(text.into()).into());
    }
    let mut table = Table::new(
        "machines",
        "Who is first on which machine",
        &[
            "machine",
            "node",
            "libraries",
            "profile",
            ">run",
            ">cells",
            "algorithms",
            "first",
        ],
    );
    let mut summaries: Vec<Summary> = Vec::new();
    for ([machine, node, libraries, profile], run) in &runs {
        let summary = summarise(&store, *run)?;
        for verdict in verdict::verdicts(&summary.headline, &|id| summary.name(id)) {
            let first: Vec<String> = verdict.first.iter().map(|id| summary.name(id)).collect();
            table.row([
                machine.clone(),
                node.clone(),
                libraries.clone(),
                profile.clone(),
                run.to_string(),
                summary.cells.len().to_string(),
                format!("{} ({})", verdict.title, verdict.algorithms),
                first.join(", "),
            ]);
        }
        if summaries.len() < SIDE_BY_SIDE {
            summaries.push(summary);
        }
    }
    if runs.len() > SIDE_BY_SIDE {
        table.footnote = format!(
            "the HTML report has the first {SIDE_BY_SIDE} of {} runs side by side; `touchstone \
             report RUN RUN` has others",
            runs.len()
        );
    }
    let path = options.output.clone();
    let path = path.unwrap_or_else(|| folder.path().join("report.html"));
    let mut written = vec![report::write(&store, &summaries, Some(&path))?];
    let mut tables = vec![table];
    let named = runs.iter().map(|([machine, node, ..], run)| {
        let is_one = node.is_empty() || node == machine;
        let name = if is_one {
            machine.clone()
        } else {
            format!("{machine} {node}")
        };
        (name, *run)
    });
    let fleet = Fleet::of(&store, &named.collect::<Vec<_>>())?;
    if fleet.hosts.len() > 1 {
        let page = path.with_file_name("fleet.html");
        let title = match plan.campaign.title.as_str() {
            "" => "The campaign",
            title => title,
        };
        fleet::write(&fleet, title, &page)?;
        written.push(page);
        tables.extend(fleet::tables(&fleet));
    }
    fleet::print(global, tables)?;
    for path in &written {
        match global.format {
            Format::Json | Format::Csv => global.say(&path.display().to_string()),
            Format::Table | Format::Md => {
                output::text("\n")?;
                output::path(path)?;
            }
        }
    }
    Ok(end(&all))
}
