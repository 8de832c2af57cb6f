//! `touchstone completions SHELL`: prints shell completions.

use clap::Args;
use clap_complete::Shell;

use super::End;
use crate::output;

#[derive(Debug, Args)]
pub(super) struct Options {
    /// The shell
    shell: Shell,
}

pub(super) fn run(options: &Options) -> anyhow::Result<End> {
    let mut text = Vec::new();
    clap_complete::generate(
        options.shell,
        &mut super::command(),
        "touchstone",
        &mut text,
    );
    output::write(&text)?;
    Ok(End::Good)
}
