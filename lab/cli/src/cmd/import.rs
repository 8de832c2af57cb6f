//! `touchstone import`: stores a run of another machine.

use std::path::PathBuf;

use clap::Args;

use super::{End, Global, Usage};
use crate::bundle::Bundle;
use crate::output;
use crate::table::{Format, Table};

#[derive(Debug, Args)]
pub(super) struct Options {
    /// A file written by `touchstone export --to json`
    file: PathBuf,
}

pub(super) fn run(global: &Global, options: &Options) -> anyhow::Result<End> {
    if !options.file.is_file() {
        let file = options.file.display();
        return Err(Usage(format!("{file}: there is no such file")).into());
    }
    let bundle = Bundle::read(&options.file)?;
    let name = options.file.file_name().unwrap_or_default();
    let run = bundle.import(&global.open_store()?, &name.to_string_lossy())?;
    global.say("imported; every verb that takes a run takes this number:");
    if global.format == Format::Table {
        output::text(&format!("{run}\n"))?;
    } else {
        let mut table = Table::new("runs", "Imported", &[">run"]);
        table.row([run.to_string()]);
        global.print(&[table])?;
    }
    Ok(End::Good)
}
