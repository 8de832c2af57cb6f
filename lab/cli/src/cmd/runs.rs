//! `touchstone runs`: shows or removes stored runs.

use anyhow::Context;
use clap::Args;

use super::{End, Global};
use crate::table::{Entry, Table};

#[derive(Debug, Args)]
pub(super) struct Options {
    /// Remove this run, its samples and its report
    #[arg(long, value_name = "RUN")]
    remove: Option<i64>,
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
    let store = global.read_store()?;
    let mut table = Table::new(
        "runs",
        format!("Runs in {}", store.path().display()),
        &[">run", "started", "profile", ">minutes", "state", "machine"],
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
            row.machine.line.into(),
        ]);
    }
    if table.rows.is_empty() {
        table.footnote = "none yet: `touchstone run` makes one".into();
    }
    global.print(&[table])?;
    Ok(End::Good)
}
