//! `touchstone import`: a run that another machine made.

use std::path::PathBuf;

use clap::Args;

use super::{End, Global};
use crate::bundle::Bundle;
use crate::output;

#[derive(Debug, Args)]
pub(super) struct Options {
    /// A file that `touchstone export --to json` wrote
    file: PathBuf,
}

pub(super) fn run(global: &Global, options: &Options) -> anyhow::Result<End> {
    let bundle = Bundle::read(&options.file)?;
    let name = options.file.file_name().unwrap_or_default();
    let run = bundle.import(&global.open_store()?, &name.to_string_lossy())?;
    global.say("imported; every verb that takes a run takes this number:");
    output::text(&format!("{run}\n"))?;
    Ok(End::Good)
}
