//! `touchstone runs`: shows or removes stored runs.

use anyhow::Context;
use clap::Args;

use super::{End, Global, Usage};
use crate::archive;
use crate::history::since;
use crate::machine;
use crate::points;
use crate::summarise::summarise;
use crate::table::{Entry, Format, Table};

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  touchstone runs
  touchstone runs --remove 3                    with its samples and its report
  touchstone runs --archive /mnt/samples --before 30")]
pub(super) struct Options {
    /// Remove this run, its samples and its report
    #[arg(long, value_name = "RUN")]
    remove: Option<i64>,
    /// Move the raw samples of the runs to Parquet files, one for each run, in this folder or
    /// object store; the store keeps the times with their intervals, and reads the samples from
    /// there when they are needed
    #[arg(
        long,
        value_name = "FOLDER|s3://BUCKET/FOLDER",
        conflicts_with = "remove"
    )]
    archive: Option<String>,
    /// With --archive: only runs that began before this day, such as 2026-11-24, or at least this
    /// number of days ago
    #[arg(long, value_name = "DAY|DAYS", requires = "archive")]
    before: Option<String>,
    /// Bring a store of an older touchstone up to date, and compute what histories need of its runs
    #[arg(long, conflicts_with_all = ["remove", "archive"])]
    migrate: bool,
}

pub(super) fn run(global: &Global, options: &Options) -> anyhow::Result<End> {
    if let Some(id) = options.remove {
        let store = global.open_store()?;
        store.run(Some(id), false)?;
        store.remove(id)?;
        let report = super::report::place(&store, id);
        match std::fs::remove_file(&report) {
            Ok(()) => global.say(&format!("removed run {id} and {}", report.display())),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                global.say(&format!("removed run {id}"));
            }
            Err(error) => {
                return Err(error).with_context(|| {
                    format!("removed run {id}, but not its report {}", report.display())
                });
            }
        }
        return Ok(End::Good);
    }
    if let Some(archive) = &options.archive {
        return move_samples(global, archive, options.before.as_deref());
    }
    if options.migrate {
        let store = global.open_store()?;
        let missing = store
            .starts()?
            .into_iter()
            .filter(|start| !start.summarised);
        let mut runs = 0;
        for start in missing {
            points::save(&store, &summarise(&store, start.run)?)?;
            runs += 1;
        }
        global.say(&format!(
            "{} is up to date; {runs} runs had no times for histories",
            store.name()
        ));
        return Ok(End::Good);
    }
    let store = global.read_store()?;
    let mut table = Table::new(
        "runs",
        format!("Runs in {}", store.name()),
        &[
            ">run", "started", "profile", ">minutes", "state", "samples", "machine",
        ],
    );
    for row in store.runs()? {
        table.row([
            row.id.to_string().into(),
            row.started.into(),
            row.profile.into(),
            Entry::number(row.seconds / 60.0, format!("{:.1}", row.seconds / 60.0)),
            match (row.complete, row.imported.is_empty()) {
                (true, true) => "complete",
                (true, false) => "complete, imported",
                (false, true) => "interrupted: --resume",
                (false, false) => "interrupted, imported",
            }
            .into(),
            match row.archive.as_str() {
                "" => "here".into(),
                place => place.into(),
            },
            // On a terminal, system and kernel would take six lines of a run.
            match global.format {
                Format::Table => machine::model(&row.machine).into(),
                _ => row.machine.line.into(),
            },
        ]);
    }
    if table.rows.is_empty() {
        table.footnote = "none yet: `touchstone run` makes one".into();
    }
    global.print(&[table])?;
    Ok(End::Good)
}

/// Moves the samples of runs to an archive. Each run is moved completely or not at all: the store
/// forgets samples only after they were read back from the archive.
fn move_samples(global: &Global, archive: &str, before: Option<&str>) -> anyhow::Result<End> {
    let store = global.open_store()?;
    let before = before
        .map(|text| since::parse(text).map_err(Usage))
        .transpose()?;
    let mut table = Table::new("archived", "Samples moved", &[">run", "place"]);
    for row in store.runs()? {
        let is_old = before
            .as_ref()
            .is_none_or(|before| row.started.as_str() < before.as_str());
        let is_there = archive::has(archive, &row.archive);
        // An interrupted run of this machine can still be resumed.
        let is_open = !row.complete && row.imported.is_empty();
        if !is_old || is_there || is_open {
            continue;
        }
        if !store.is_summarised(row.id)? {
            points::save(&store, &summarise(&store, row.id)?)?;
        }
        let cells = store.cells(row.id)?;
        let place = archive::write(archive, &row, &machine::name(&row.machine), &cells)?;
        store.archived(row.id, &place)?;
        if !row.archive.is_empty() {
            archive::remove(&row.archive)?;
        }
        table.row([row.id.to_string(), place]);
    }
    if table.rows.is_empty() {
        global.say("no run has samples to move");
    } else {
        store.shrink()?;
    }
    global.print(&[table])?;
    Ok(End::Good)
}
