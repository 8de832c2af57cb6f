//! `touchstone man FOLDER`.

use std::path::PathBuf;

use anyhow::Context;
use clap::Args;

use super::End;

#[derive(Debug, Args)]
pub(super) struct Options {
    /// Folder to write touchstone.1 and a page for each verb into
    folder: PathBuf,
}

pub(super) fn run(options: &Options) -> anyhow::Result<End> {
    std::fs::create_dir_all(&options.folder)
        .with_context(|| format!("making {}", options.folder.display()))?;
    clap_mangen::generate_to(super::command(), &options.folder)
        .with_context(|| format!("writing into {}", options.folder.display()))?;
    Ok(End::Good)
}
