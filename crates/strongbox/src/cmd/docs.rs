//! Completions and man pages.

use std::io::Write;
use std::path::Path;

use clap::CommandFactory;

use super::Arguments;
use super::report::Failure;

pub(super) fn completions(shell: clap_complete::Shell) -> Result<(), Failure> {
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut Arguments::command(), "strongbox", &mut text);
    let mut out = std::io::stdout().lock();
    out.write_all(&text)
        .and_then(|()| out.flush())
        .map_err(Failure::from)
}

pub(super) fn man(folder: &Path) -> Result<(), Failure> {
    let result = std::fs::create_dir_all(folder)
        .and_then(|()| clap_mangen::generate_to(Arguments::command(), folder));
    result.map_err(|error| Failure::at(folder, error.into()))
}
