//! `touchstone report`: writes the HTML report of a stored run.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::Args;

use super::{End, Global};
use crate::output;
use crate::report;
use crate::store::Store;
use crate::summarise::summarise;
use crate::summary::Summary;

#[derive(Debug, Args)]
pub(super) struct Options {
    /// The run's number [default: the newest]
    run: Option<i64>,
    /// The file to write [default: beside the store]
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

pub(super) fn run(global: &Global, options: &Options) -> anyhow::Result<End> {
    let store = global.read_store()?;
    let summary = summarise(&store, store.run(options.run, false)?.id)?;
    let path = write(&store, &summary, options.output.as_deref())?;
    output::path(&path)?;
    Ok(End::Good)
}

/// Writes the report and returns its path. On an error no part of the report is left
/// behind.
pub(super) fn write(
    store: &Store,
    summary: &Summary,
    output: Option<&Path>,
) -> anyhow::Result<PathBuf> {
    let path = match output {
        Some(path) => path.to_owned(),
        None => {
            let path = place(store, summary.run.id);
            if let Some(folder) = path.parent() {
                std::fs::create_dir_all(folder).with_context(|| {
                    format!("making {}; -o FILE names another place", folder.display())
                })?;
            }
            path
        }
    };
    let html = report::render(summary)?;
    output::whole(&path, |out| Ok(out.write_all(html.as_bytes())?)).context("the report")?;
    Ok(std::path::absolute(&path).unwrap_or(path))
}

/// Returns the path of a run's report, unless the user gives another one.
pub(super) fn place(store: &Store, run: i64) -> PathBuf {
    let folder = store.path().parent().unwrap_or(Path::new("."));
    folder.join("reports").join(format!("run-{run}.html"))
}
