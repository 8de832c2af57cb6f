//! `touchstone import`: stores runs of other machines.

use std::path::{Path, PathBuf};

use anyhow::bail;
use clap::Args;

use super::{End, Global, Usage};
use crate::bundle::Bundle;
use crate::output;
use crate::points;
use crate::stats::parallel;
use crate::store::{Imported, Store};
use crate::summarise::summarise;
use crate::table::{Format, Table};

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  touchstone import run.json
  touchstone import --store postgres://lab@db.example/lab results/*.json")]
pub(super) struct Options {
    /// Files written by `touchstone export --to json`. A run that the store has already is not
    /// stored twice; if the file has more of the run's tasks, they are added
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
}

/// The number of a run here, and what was new.
type Result = anyhow::Result<(i64, Imported)>;

pub(super) fn run(global: &Global, options: &Options) -> anyhow::Result<End> {
    for file in &options.files {
        if !file.is_file() {
            return Err(Usage(format!("{}: there is no such file", file.display())).into());
        }
    }
    // Makes the tables before the threads start, and says early if the store cannot be written.
    drop(global.open_store()?);
    let results = all(global, &options.files);
    let mut table = Table::new("runs", "Imported", &[">run", "file", "result"]);
    let mut failed = 0;
    for (file, result) in options.files.iter().zip(results) {
        match result {
            Ok((run, imported)) => {
                let new = match imported {
                    Imported::New => "new".to_owned(),
                    Imported::More(0) => "whole files".to_owned(),
                    Imported::More(tasks) => format!("{tasks} tasks more"),
                    Imported::Nothing => "was here".to_owned(),
                };
                if imported == Imported::Nothing {
                    global.say(&format!("{}: run {run} was here already", file.display()));
                }
                table.row([run.to_string(), file.display().to_string(), new]);
            }
            Err(error) if options.files.len() == 1 => return Err(error),
            Err(error) => {
                failed += 1;
                global.say(&format!("{error:#}"));
            }
        }
    }
    if !table.rows.is_empty() {
        global.say("imported; every verb that takes a run takes this number:");
    }
    if global.format == Format::Table {
        for row in &table.rows {
            output::text(&format!("{}\n", row[0].text()))?;
        }
    } else {
        global.print(&[table])?;
    }
    if failed > 0 {
        bail!(
            "{failed} of {} files were not imported",
            options.files.len()
        );
    }
    Ok(End::Good)
}

/// Imports files side by side: reading and computing take longer than storing.
fn all(global: &Global, files: &[PathBuf]) -> Vec<Result> {
    parallel::map(files, |file| one(&global.open_store()?, file))
}

fn one(store: &Store, file: &Path) -> Result {
    let bundle = Bundle::read(file)?;
    let name = file.file_name().unwrap_or_default();
    let (run, imported) = bundle.import(store, &name.to_string_lossy())?;
    // Not only if the run is new: an earlier import may have ended before this step.
    if !store.is_summarised(run)? {
        points::save(store, &summarise(store, run)?)?;
    }
    Ok((run, imported))
}
