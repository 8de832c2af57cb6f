//! `touchstone report`: writes the HTML report of a stored run.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::Args;
use clap_complete::engine::ArgValueCandidates;

use super::{End, Global};
use crate::adapters;
use crate::output;
use crate::report;
use crate::store::Store;
use crate::summarise::summarise;
use crate::summary::Summary;
use crate::table::{Format, Table};

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  touchstone report -o report.html
  touchstone report 7 3                         run 7, and beside it run 3")]
pub(super) struct Options {
    /// The run's number; further runs are compared with it [default: the newest over all libraries
    /// and algorithms]
    #[arg(value_name = "RUN", add = ArgValueCandidates::new(super::completions::runs))]
    runs: Vec<i64>,
    /// The file to write [default: beside the store]
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

pub(super) fn run(global: &Global, options: &Options) -> anyhow::Result<End> {
    let store = global.read_store()?;
    let wanted = match &options.runs[..] {
        [] => vec![None],
        ids => ids.iter().copied().map(Some).collect(),
    };
    let runs = wanted
        .into_iter()
        .map(|id| summarise(&store, global.run_to_show(&store, id)?.id));
    let runs = runs.collect::<anyhow::Result<Vec<Summary>>>()?;
    let path = write(&store, &runs, options.output.as_deref())?;
    if global.format == Format::Table {
        output::path(&path)?;
    } else {
        let mut table = Table::new("reports", "Reports", &["path"]);
        table.row([path.display().to_string()]);
        global.print(&[table])?;
    }
    Ok(End::Good)
}

/// Writes the report of the first run, compared with the others, and returns its path. On an
/// error no part of the report is left behind.
pub(super) fn write(
    store: &Store,
    runs: &[Summary],
    output: Option<&Path>,
) -> anyhow::Result<PathBuf> {
    let path = match output {
        Some(path) => path.to_owned(),
        None => {
            let path = place(store, runs[0].run.id);
            if let Some(folder) = path.parent() {
                std::fs::create_dir_all(folder).with_context(|| {
                    format!("making {}; -o FILE names another place", folder.display())
                })?;
            }
            path
        }
    };
    // A report can be made where the adapters' manifests are not.
    let manifests = adapters::folder().and_then(|folder| adapters::manifests(&folder));
    let html = report::render(runs, &manifests.unwrap_or_default())?;
    output::whole(&path, |out| Ok(out.write_all(html.as_bytes())?)).context("the report")?;
    Ok(std::path::absolute(&path).unwrap_or(path))
}

/// Returns the path of a run's report, unless the user gives another one.
pub(super) fn place(store: &Store, run: i64) -> PathBuf {
    store
        .folder()
        .join("reports")
        .join(format!("run-{run}.html"))
}
