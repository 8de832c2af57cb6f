//! `touchstone man FOLDER`: writes the man pages.

use std::path::PathBuf;

use anyhow::Context;
use clap::Args;

use super::End;

#[derive(Debug, Args)]
pub(super) struct Options {
    /// Folder to write the man pages into: touchstone.1 and one page for each verb
    folder: PathBuf,
}

pub(super) fn run(options: &Options) -> anyhow::Result<End> {
    std::fs::create_dir_all(&options.folder)
        .with_context(|| format!("making {}", options.folder.display()))?;
    clap_mangen::generate_to(super::command(), &options.folder)
        .with_context(|| format!("writing into {}", options.folder.display()))?;
    Ok(End::Good)
}
