//! The command line: one file a verb, and what they share.

mod check_worker;
mod compare;
mod completions;
mod doctor;
mod export;
mod import;
mod list;
mod man;
mod measure;
mod progress;
mod rank;
mod report;
mod run;
mod runs;
mod table;
mod verify;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, CommandFactory, Parser, Subcommand};
use regex::Regex;
use touchstone_wire::Contract;

use crate::adapters::{self, Candidate};
use crate::output::{self, Gone};
use crate::profile::{MESSAGES, Selection};
use crate::store::{self, Store};
use crate::table::Format;

/// Find every crypto library on this machine, verify it, measure it, rank it.
#[derive(Debug, Parser)]
#[command(name = "touchstone", version, about, long_about = None, propagate_version = true,
    after_help = "Exit codes: 0 good; 1 the lab itself failed; 2 usage; \
                  3 a verification failed; 4 nothing to measure or compare; \
                  5 compare found a regression.")]
struct Cli {
    #[command(flatten)]
    global: Global,
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, Args)]
struct Global {
    /// Form of the tables on stdout
    #[arg(long, global = true, value_enum, default_value_t)]
    format: Format,
    /// The store of runs [default: touchstone/runs.sqlite in the user's data directory]
    #[arg(long, global = true, value_name = "PATH", env = "TOUCHSTONE_STORE")]
    store: Option<PathBuf>,
    /// No progress on stderr
    #[arg(long, short, global = true)]
    quiet: bool,
}

#[derive(Debug, Subcommand)]
enum Verb {
    /// Do everything: find, verify, measure, rank, report
    Run(run::Options),
    /// Show the libraries found and what each can do
    List(list::Options),
    /// Put known answers to the libraries
    Verify(verify::Options),
    /// Verify and measure, and show the cells
    Measure(measure::Options),
    /// Rank the libraries of a stored run
    Rank(rank::Options),
    /// Write the HTML report of a stored run
    Report(report::Options),
    /// Show a stored run as a table that earlier work published
    Table(table::Options),
    /// Show or remove stored runs
    Runs(runs::Options),
    /// Compare two runs cell by cell: what became slower, what faster
    Compare(compare::Options),
    /// Say what of this machine helps or harms a measurement, and what to do
    Doctor(doctor::Options),
    /// Write a stored run for another machine (json) or program (csv, parquet)
    Export(export::Options),
    /// Store a run that another machine exported as json
    Import(import::Options),
    /// Check that a worker, in any language, does as the protocol says
    CheckWorker(check_worker::Options),
    /// Print completions for a shell
    Completions(completions::Options),
    /// Write the man pages
    Man(man::Options),
    /// The lab's own worker
    #[command(hide = true)]
    NullWorker,
}

/// Which libraries, and which algorithms.
#[derive(Debug, Clone, Default, Args)]
struct Choice {
    /// Only this library; with @ROOT only that of a --root of this name; with
    /// ~MASK (portable, no-avx512) without those instructions; with =PATH this
    /// shared object (repeatable, so two versions stand side by side)
    #[arg(long = "library", value_name = "NAME[@ROOT][~MASK][=PATH]")]
    libraries: Vec<String>,
    /// Also the libraries of another system's tree, such as `make roots
    /// SUITE=sid` fills, as NAME@DIR's-name (repeatable)
    #[arg(long = "root", value_name = "DIR")]
    roots: Vec<PathBuf>,
    /// Only algorithms in which this regular expression is found, such as
    /// "aes-256 gcm" or "^sha"
    #[arg(long, value_name = "REGEX")]
    algorithm: Option<String>,
}

impl Choice {
    fn candidates(&self) -> anyhow::Result<Vec<Candidate>> {
        let all = adapters::manifests(&adapters::folder()?)?;
        adapters::roots(&self.roots)
            .and_then(|roots| adapters::select(all, &self.libraries, &roots))
            .map_err(|e| Usage(format!("{e:#}")).into())
    }

    fn selection(&self, shape: &Shape) -> anyhow::Result<Selection> {
        let algorithm = self
            .algorithm
            .as_deref()
            .map(Regex::new)
            .transpose()
            .map_err(|e| Usage(format!("--algorithm: {e}")))?;
        Ok(Selection {
            algorithm,
            sizes: shape.sizes.clone(),
            threads: shape.threads.clone(),
            contracts: shape.contracts.clone(),
            messages: shape.messages.clone(),
        })
    }
}

/// What and how to measure.
#[derive(Debug, Clone, Args)]
struct Measuring {
    #[command(flatten)]
    choice: Choice,
    /// quick, standard, thorough, or a profile file
    #[arg(long, default_value = "quick", value_name = "NAME|FILE")]
    profile: String,
    #[command(flatten)]
    shape: Shape,
    /// Go on with an interrupted run: the newest, or the one with this number
    #[arg(long, value_name = "RUN", num_args = 0..=1, conflicts_with_all =
        ["libraries", "roots", "algorithm", "sizes", "threads", "contracts", "messages"])]
    resume: Option<Option<i64>>,
    /// Wait at most so long for another run's end [default: as long as it takes]
    #[arg(long, value_name = "SECONDS")]
    wait: Option<u64>,
}

/// What stands in place of the profile's own choice.
#[derive(Debug, Clone, Default, Args)]
struct Shape {
    /// Message sizes in bytes in place of the profile's, such as 16,64,1350,8k
    #[arg(long, value_name = "BYTES", value_delimiter = ',', value_parser = size)]
    sizes: Vec<u64>,
    /// Thread counts in place of the profile's
    #[arg(long, value_name = "N", value_delimiter = ',',
        value_parser = clap::value_parser!(u32).range(1..=4096))]
    threads: Vec<u32>,
    /// Contracts in place of the profile's: hot, keyed, rekeyed, setup,
    /// implicit, many, many-keyed
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    contracts: Vec<Contract>,
    /// Messages of one call (contracts many and many-keyed) in place of the
    /// profile's
    #[arg(long, value_name = "N", value_delimiter = ',',
        value_parser = clap::value_parser!(u32).range(1..=i64::from(MESSAGES)))]
    messages: Vec<u32>,
}

/// "16", "8k", "1M": bytes.
fn size(text: &str) -> Result<u64, String> {
    let (digits, unit) = match text.as_bytes().last() {
        Some(b'k' | b'K') => (&text[..text.len() - 1], 1 << 10),
        Some(b'm' | b'M') => (&text[..text.len() - 1], 1 << 20),
        _ => (text, 1),
    };
    match digits.parse::<u64>() {
        Ok(n) if n > 0 && n <= (16 << 20) / unit => Ok(n * unit),
        _ => Err("a size is 1 … 16M bytes, such as 16, 1350 or 8k".into()),
    }
}

/// How a command that did not break down ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    Good,
    VerificationFailed,
    NothingToMeasure,
    Regression,
}

/// An error in what the user typed: exit code 2.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
struct Usage(String);

/// Runs the command line of this process.
pub fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(said) => return asked(&said),
    };
    let result = match &cli.verb {
        Verb::Run(options) => run::run(&cli.global, options),
        Verb::List(options) => list::run(&cli.global, options),
        Verb::Verify(options) => verify::run(&cli.global, options),
        Verb::Measure(options) => measure::run(&cli.global, options),
        Verb::Rank(options) => rank::run(&cli.global, options),
        Verb::Report(options) => report::run(&cli.global, options),
        Verb::Table(options) => table::run(&cli.global, options),
        Verb::Runs(options) => runs::run(&cli.global, options),
        Verb::Compare(options) => compare::run(&cli.global, options),
        Verb::Doctor(options) => doctor::run(&cli.global, options),
        Verb::Export(options) => export::run(&cli.global, options),
        Verb::Import(options) => import::run(&cli.global, options),
        Verb::CheckWorker(options) => check_worker::run(&cli.global, options),
        Verb::Completions(options) => completions::run(options),
        Verb::Man(options) => man::run(options),
        Verb::NullWorker => return crate::null::run(),
    };
    match result {
        Ok(End::Good) => ExitCode::SUCCESS,
        Ok(End::VerificationFailed) => ExitCode::from(3),
        Ok(End::NothingToMeasure) => ExitCode::from(4),
        Ok(End::Regression) => ExitCode::from(5),
        // As a program ends that the closed pipe's signal kills.
        Err(error) if error.is::<Gone>() => ExitCode::from(128 + 13),
        Err(error) => {
            let red = anstyle::AnsiColor::Red.on_default().bold();
            let text = crate::text::visible_lines(&format!("{error:#}"));
            output::say(&format!("{red}touchstone:{red:#} {text}"));
            ExitCode::from(if error.is::<Usage>() { 2 } else { 1 })
        }
    }
}

/// What clap answers by itself: help and version on stdout, mistakes on stderr.
fn asked(said: &clap::Error) -> ExitCode {
    let written = said.print().is_ok();
    ExitCode::from(match said.exit_code() {
        0 if !written => 1,
        code => u8::try_from(code).unwrap_or(2),
    })
}

impl Global {
    fn store_path(&self) -> anyhow::Result<PathBuf> {
        match &self.store {
            Some(path) => Ok(path.clone()),
            None => store::default_path(),
        }
    }

    /// The store, to add to it.
    fn open_store(&self) -> anyhow::Result<Store> {
        Store::open(&self.store_path()?)
    }

    /// The store, to show what is in it.
    fn read_store(&self) -> anyhow::Result<Store> {
        Store::open_to_read(&self.store_path()?)
    }

    /// A line for people on stderr, unless they want quiet.
    fn say(&self, line: &str) {
        if !self.quiet {
            output::say(&crate::text::visible_lines(line));
        }
    }
}

fn command() -> clap::Command {
    Cli::command()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        command().debug_assert();
    }

    #[test]
    fn sizes_have_units_and_bounds() {
        assert_eq!(size("8k"), Ok(8192));
        assert_eq!(size("1M"), Ok(1 << 20));
        for bad in ["", "k", "0", "17M", "-1", "1.5k", "99999999999999999999M"] {
            assert!(size(bad).is_err(), "{bad}");
        }
    }
}
