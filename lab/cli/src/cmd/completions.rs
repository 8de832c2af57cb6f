//! `touchstone completions SHELL`: prints a script for a shell. When the user presses the Tab
//! key, the script calls this command again, which then lists what can follow: verbs, options,
//! libraries, algorithms, the numbers of stored runs.

use std::collections::BTreeSet;

use anyhow::Context;
use clap::Args;
use clap::builder::PossibleValuesParser;
use clap_complete::engine::CompletionCandidate;
use clap_complete::env::{CompleteEnv, Shells};

use super::End;
use crate::adapters;
use crate::catalogue;
use crate::output;
use crate::store::address::postgres_address;
use crate::store::{self, Store};
use crate::workload::NAMED;

/// The command, and the name under which its script calls it.
const COMMAND: &str = "touchstone";

/// The environment variable by which the script asks for completions.
const ASKED: &str = "TOUCHSTONE_COMPLETE";

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  touchstone completions bash > ~/.local/share/bash-completion/completions/touchstone
  touchstone completions fish > ~/.config/fish/completions/touchstone.fish")]
pub(super) struct Options {
    /// The shell
    #[arg(value_parser = PossibleValuesParser::new(Shells::builtins().names()))]
    shell: String,
}

pub(super) fn run(options: &Options) -> anyhow::Result<End> {
    let shells = Shells::builtins();
    let shell = shells.completer(&options.shell).context("no such shell")?;
    let mut script = Vec::new();
    shell.write_registration(ASKED, COMMAND, COMMAND, COMMAND, &mut script)?;
    output::write(&script)?;
    Ok(End::Good)
}

/// If a shell's script called this process, prints the completions and ends the process.
pub(super) fn answer() {
    CompleteEnv::with_factory(super::command)
        .var(ASKED)
        .complete();
}

/// The named workloads of `recommend`.
pub(super) fn workloads() -> Vec<CompletionCandidate> {
    NAMED.map(|(name, _)| CompletionCandidate::new(name)).into()
}

/// The ids of the libraries, for `--library`.
pub(super) fn libraries() -> Vec<CompletionCandidate> {
    let manifests = adapters::folder().and_then(|folder| adapters::manifests(&folder));
    let all = manifests.unwrap_or_default().into_iter();
    all.map(|candidate| {
        CompletionCandidate::new(&candidate.adapter)
            .help(Some(candidate.manifest.name.clone().into()))
    })
    .collect()
}

/// The primitives and their modes, for `--algorithm`.
pub(super) fn algorithms() -> Vec<CompletionCandidate> {
    let all: BTreeSet<String> = catalogue::algorithms()
        .flat_map(|(primitive, operation)| {
            let with_mode = format!("{primitive}-{}", catalogue::stem(operation));
            [primitive.to_owned(), with_mode]
        })
        .collect();
    all.into_iter().map(CompletionCandidate::new).collect()
}

/// The numbers of the stored runs, the newest first.
pub(super) fn runs() -> Vec<CompletionCandidate> {
    let path = std::env::var_os("TOUCHSTONE_STORE")
        .map_or_else(store::default_path, |path| Ok(path.into()));
    // A server may be slow or ask for a password: only a file is read.
    let runs = path.and_then(|path| match postgres_address(&path) {
        Some(_) => Ok(Vec::new()),
        None => Store::open_to_read(&path)?.runs(),
    });
    let runs = runs.unwrap_or_default().into_iter().rev().enumerate();
    runs.map(|(place, run)| {
        CompletionCandidate::new(run.id.to_string())
            .help(Some(format!("{}, {}", run.started, run.profile).into()))
            .display_order(Some(place))
    })
    .collect()
}
