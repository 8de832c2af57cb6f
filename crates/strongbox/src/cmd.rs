//! The command line: one file for each verb.

use std::io::Write;
use std::path::PathBuf;

use clap::{Parser, Subcommand};

mod docs;
mod files;
mod inspect;
mod keygen;
mod old;
mod old_error;
mod old_open;
mod old_seal;
mod open;
mod output;
mod progress;
mod recipients;
mod rekey;
mod repair;
mod report;
mod resume;
mod seal;
mod secrets;
mod signals;
mod verify;

use report::Failure;

/// Encrypt files with a passphrase or for recipients, and open them again.
#[derive(Parser)]
#[command(
    name = "strongbox",
    version,
    after_help = "\
Exit status: 0 done; 1 the file is damaged, truncated or forged; 2 a mistake in the
arguments; 3 reading or writing failed; 4 a wrong passphrase or no key that opens the file;
5 an unknown format, or a limit; 6 a missing or wrong signature; 130 interrupted."
)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    verb: Verb,
    #[command(flatten)]
    common: Common,
}

/// Options of all verbs.
#[derive(clap::Args)]
pub(crate) struct Common {
    /// Write the result, or the error, to standard output as one JSON object.
    #[arg(long, global = true)]
    json: bool,
    /// Show no progress and no messages except errors.
    #[arg(long, short, global = true)]
    quiet: bool,
    /// Threads; by default one for each processor. The result is the same for any number.
    #[arg(long, global = true, value_name = "N")]
    threads: Option<std::num::NonZeroUsize>,
}

impl Common {
    fn threads(&self) -> usize {
        self.threads
            .map_or_else(strongbox::threads, std::num::NonZeroUsize::get)
    }
}

#[derive(Subcommand)]
enum Verb {
    /// Encrypt a file, a folder or standard input.
    Seal(Box<seal::Seal>),
    /// Decrypt a file or standard input.
    Open(Box<open::Open>),
    /// Tell what a file is and who can open it; no key is needed.
    Inspect(inspect::Inspect),
    /// Check that a file is complete and genuine; write nothing.
    Verify(verify::Verify),
    /// Change who can open a file; only the header is written anew.
    Rekey(Box<rekey::Rekey>),
    /// Make a key, a passphrase, or measure the costs of Argon2.
    Keygen(keygen::Keygen),
    /// Repair a damaged file by its parity file.
    Repair(repair::Repair),
    /// Write shell completions to standard output.
    Completions {
        /// The shell.
        shell: clap_complete::Shell,
    },
    /// Write the man pages.
    Man {
        /// Folder to write the man pages into: strongbox.1 and one page for each verb.
        folder: PathBuf,
    },
}

/// Prints the help or the version.
pub(crate) fn help(said: &clap::Error) -> Result<(), Failure> {
    said.print()
        .and_then(|()| std::io::stdout().flush())
        .map_err(Failure::from)
}

/// Runs a verb, and writes its result.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let common = &arguments.common;
    signals::catch();
    let done = match &arguments.verb {
        Verb::Seal(verb) => verb.run(common),
        Verb::Open(verb) => verb.run(common),
        Verb::Inspect(verb) => verb.run(common),
        Verb::Verify(verb) => verb.run(common),
        Verb::Rekey(verb) => verb.run(common),
        Verb::Keygen(verb) => verb.run(common),
        Verb::Repair(verb) => verb.run(common),
        Verb::Completions { shell } => return docs::completions(*shell),
        Verb::Man { folder } => return docs::man(folder),
    };
    report::finish(done, common)
}
