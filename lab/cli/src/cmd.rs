//! The command line: one file for each verb, and the parts that verbs share.

mod campaign;
mod check_worker;
mod compare;
mod completions;
mod doctor;
mod export;
mod files;
mod fleet;
mod fuzz;
mod help;
mod history;
mod import;
mod list;
mod man;
mod measure;
mod progress;
mod rank;
mod recommend;
mod recommend_fleet;
mod report;
mod run;
mod runs;
#[cfg(feature = "serve")]
mod serve;
mod table;
mod verify;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, CommandFactory, FromArgMatches as _, Parser, Subcommand};
use clap_complete::engine::ArgValueCandidates;
use touchstone_wire::Contract;

use crate::adapters::{self, Candidate};
use crate::catalogue;
use crate::output::{self, Gone};
use crate::profile::{MESSAGES, Selection};
use crate::session::Slot;
use crate::store::{self, NoRun, RunRow, Store};
use crate::table::{Format, Table};
use crate::wanted::{Algorithms, Wanted};

/// Find every crypto library on this machine, verify, measure and rank them.
#[derive(Debug, Parser)]
#[command(name = "touchstone", version, about, long_about = None, propagate_version = true,
    after_help = "Examples:
  touchstone run                                find, verify, measure, rank, report
  touchstone verify --attacks                   who fails which known attack
  touchstone recommend tls-server               which library to use
  touchstone measure --algorithm AES-256-GCM --sizes 64,1350,16k")]
struct Cli {
    #[command(flatten)]
    global: Global,
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, Args)]
struct Global {
    /// Format of the tables on stdout
    #[arg(long, global = true, value_enum, default_value_t)]
    format: Format,
    /// Show only this table of the command's tables; JSON has their names. Without it, CSV has
    /// the first table alone
    #[arg(long = "table", global = true, value_name = "NAME")]
    table: Option<String>,
    /// File in which runs are stored, or postgres://USER@HOST/DATABASE [default:
    /// touchstone/runs.sqlite in the user's data directory]
    #[arg(
        long,
        global = true,
        value_name = "PATH",
        env = "TOUCHSTONE_STORE",
        hide_env_values = true
    )]
    store: Option<PathBuf>,
    /// Show no progress on stderr
    #[arg(long, short, global = true)]
    quiet: bool,
}

#[derive(Debug, Subcommand)]
enum Verb {
    /// Do all steps: find, verify, measure, rank, report
    Run(run::Options),
    /// Show which libraries were found, and the algorithms of each
    List(list::Options),
    /// Check the libraries' results against known answers
    Verify(verify::Options),
    /// Verify and measure the libraries, and show the results
    Measure(measure::Options),
    /// Rank the libraries of a stored run
    Rank(rank::Options),
    /// Tell which library to use for a workload, from a stored run
    Recommend(recommend::Options),
    /// Write the HTML report of a stored run
    Report(report::Options),
    /// Show a stored run in the form of a published table
    Table(table::Options),
    /// Show or remove stored runs
    Runs(runs::Options),
    /// Compare two runs cell by cell: show what became slower or faster
    Compare(compare::Options),
    /// Show an algorithm's times over runs and machines, and where they change
    History(history::Options),
    /// Compare libraries and machines across the newest run of each machine
    Fleet(fleet::Options),
    /// Show what helps or disturbs measurements on this machine, with advice
    Doctor(doctor::Options),
    /// Write a stored run to a file for another machine (json) or program (csv, parquet)
    Export(export::Options),
    /// Store runs that were exported as json on other machines
    Import(import::Options),
    /// Measure programs that encrypt files: strongbox, age, rage, gpg, openssl enc, cp
    Files(files::Options),
    /// Give libraries the same mutated inputs, and show where their answers differ
    Fuzz(fuzz::Options),
    /// Show the runs of a store to browsers, read-only
    #[cfg(feature = "serve")]
    Serve(serve::Options),
    /// Measure on many machines, by Slurm and ssh: plan, submit, status, collect, report
    Campaign(campaign::Options),
    /// Check that a worker, written in any language, follows the protocol
    CheckWorker(check_worker::Options),
    /// Print shell completions
    Completions(completions::Options),
    /// Write the man pages
    Man(man::Options),
    /// A worker that does nothing, for the lab's own measurements
    #[command(hide = true)]
    NullWorker,
}

/// The libraries and the algorithms to use.
#[derive(Debug, Clone, Default, Args)]
struct Choice {
    /// Use only this library. @ROOT selects the library in the --root of this name; ~MASK
    /// (portable, no-avx512, alder-lake) disables CPU instructions; =PATH names a shared object
    /// (repeatable, to compare versions)
    #[arg(long = "library", value_name = "NAME[@ROOT][~MASK][=PATH]",
        add = ArgValueCandidates::new(completions::libraries))]
    libraries: Vec<String>,
    /// Also use the libraries in the tree of another system, as `make roots SUITE=sid`
    /// makes it; their names are NAME@DIR's-name (repeatable)
    #[arg(long = "root", value_name = "DIR")]
    roots: Vec<PathBuf>,
    /// Use only this algorithm, in any spelling ("AES-256-GCM", "sha256"), or the algorithms
    /// that this regular expression matches ("^sha", "gcm|ccm")
    #[arg(long, value_name = "NAME|REGEX",
        add = ArgValueCandidates::new(completions::algorithms))]
    algorithm: Option<Wanted>,
}

impl Choice {
    fn candidates(&self) -> anyhow::Result<Vec<Candidate>> {
        let all = adapters::manifests(&adapters::folder()?)?;
        adapters::roots(&self.roots)
            .and_then(|roots| adapters::select(all, &self.libraries, &roots))
            .map_err(|e| Usage(format!("{e:#}")).into())
    }

    /// Returns the user's selection from the algorithms that the libraries offer.
    fn selection(&self, shape: &Shape, slots: &[Slot]) -> anyhow::Result<Selection> {
        let offers = slots.iter().filter(|slot| slot.present());
        let offers = offers.flat_map(|slot| &slot.offers);
        let offered = offers.map(|offer| (&*offer.primitive, &*offer.operation));
        Ok(Selection {
            algorithms: algorithms(self.algorithm.as_ref(), offered)?,
            sizes: shape.sizes.clone(),
            threads: shape.threads.clone(),
            contracts: shape.contracts.clone(),
            messages: shape.messages.clone(),
        })
    }
}

/// Returns the algorithms that the user asks for among those that are there.
///
/// # Errors
///
/// [`Nothing`], if no algorithm has that name or matches the expression.
fn algorithms<'a>(
    wanted: Option<&Wanted>,
    there: impl Iterator<Item = (&'a str, &'a str)> + Clone,
) -> anyhow::Result<Option<Algorithms>> {
    let Some(wanted) = wanted else {
        return Ok(None);
    };
    let chosen = wanted.among(there.clone());
    // Without any algorithm at all, the caller says what is missing.
    if chosen.is_empty() && there.clone().next().is_some() {
        let similar = wanted.similar(there);
        let hint = match similar.is_empty() {
            true => "`touchstone list` shows the algorithms".to_owned(),
            false => format!("did you mean {}?", similar.join(", ")),
        };
        let text = wanted.text();
        return Err(Nothing(format!("no algorithm here is called {text:?}; {hint}")).into());
    }
    Ok(Some(chosen))
}

/// What to measure, and how.
#[derive(Debug, Clone, Args)]
struct Measuring {
    #[command(flatten)]
    choice: Choice,
    /// The profile: quick, standard, thorough, or a file
    #[arg(long, default_value = "quick", value_name = "NAME|FILE")]
    profile: String,
    #[command(flatten)]
    shape: Shape,
    /// Continue an interrupted run: the newest, or the one with this number
    #[arg(long, value_name = "RUN", num_args = 0..=1,
        add = ArgValueCandidates::new(completions::runs), conflicts_with_all =
        ["libraries", "roots", "algorithm", "sizes", "threads", "contracts", "messages", "costs"])]
    resume: Option<Option<i64>>,
    /// Seconds to wait until another run ends [default: no limit]
    #[arg(long, value_name = "SECONDS")]
    wait: Option<u64>,
    /// Add a fact to the machine's description in the run, such as Host=n01 (repeatable)
    #[arg(long = "fact", value_name = "NAME=VALUE", value_parser = fact)]
    facts: Vec<(String, String)>,
    /// Keep the progress in this file, as JSON; the run ends when the process ends that started it
    #[arg(long, value_name = "FILE")]
    progress: Option<PathBuf>,
}

/// Options that replace parts of the profile.
#[derive(Debug, Clone, Default, Args)]
struct Shape {
    /// Message sizes in bytes, such as 16,64,1350,8k, in place of the profile's. With --sizes,
    /// --contracts or --messages, only these cells are measured: on one thread unless
    /// --threads is given, and without variants unless --library NAME~MASK is given
    #[arg(long, value_name = "BYTES", value_delimiter = ',', value_parser = size)]
    sizes: Vec<u64>,
    /// Numbers of threads in place of the profile's
    #[arg(long, value_name = "N", value_delimiter = ',',
        value_parser = clap::value_parser!(u32).range(1..=4096))]
    threads: Vec<u32>,
    /// Contracts in place of the profile's: hot, keyed, rekeyed, setup,
    /// implicit, many, many-keyed, in-place, latency
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    contracts: Vec<Contract>,
    /// Numbers of messages in one call (contracts many and many-keyed) in place of the
    /// profile's
    #[arg(long, value_name = "N", value_delimiter = ',',
        value_parser = clap::value_parser!(u32).range(1..=i64::from(MESSAGES)))]
    messages: Vec<u32>,
    /// A cost of password hashes or key derivation in place of the usual cost, such as
    /// iterations=12 (for bcrypt, 2^12 iterations) or n=16384,r=32 (for scrypt and yescrypt);
    /// names are iterations, n, r, p, memory (KiB) and lanes
    #[arg(long = "cost", value_name = "NAME=N", value_delimiter = ',', value_parser = cost)]
    costs: Vec<(String, u64)>,
}

/// Parses a cost: "iterations=12".
fn cost(text: &str) -> Result<(String, u64), String> {
    let (name, value) = text
        .split_once('=')
        .ok_or("a cost is a name, = and a number")?;
    let known = &catalogue::COST_NAMES;
    if !known.contains(name) {
        let known: Vec<&str> = known.iter().copied().collect();
        return Err(format!(
            "no cost {name:?}; known costs: {}",
            known.join(", ")
        ));
    }
    match value.parse() {
        Ok(value) if value > 0 => Ok((name.to_owned(), value)),
        _ => Err(format!("{name} is a number from 1 on")),
    }
}

/// Parses a fact: "Host=n01".
fn fact(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.trim().is_empty() && !value.is_empty() => {
            Ok((name.trim().to_owned(), value.to_owned()))
        }
        _ => Err("a fact is a name, = and a value".into()),
    }
}

/// Parses a number of bytes: "16", "8k", "1M".
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

/// How a command ended that had no error.
#[derive(Debug, Clone, Copy, PartialEq)]
enum End {
    Good,
    VerificationFailed,
    NothingToMeasure,
    Regression,
    Unfinished,
    /// The process was a worker.
    Worker(ExitCode),
}

/// A mistake in the command line: exit code 2.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
struct Usage(String);

/// There is nothing of the kind that the user asked for: exit code 4.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
struct Nothing(String);

/// Runs the command with the arguments of this process.
pub fn main() -> ExitCode {
    completions::answer();
    let result = match parse() {
        Ok(cli) => perform(&cli),
        // A mistake in the arguments.
        Err(said) if said.use_stderr() => {
            let _ = said.print();
            return ExitCode::from(2);
        }
        // The help or the version.
        Err(said) => output::text(&said.render().ansi().to_string()).map(|()| End::Good),
    };
    match result {
        Ok(End::Good) => ExitCode::SUCCESS,
        Ok(End::VerificationFailed) => ExitCode::from(3),
        Ok(End::NothingToMeasure) => ExitCode::from(4),
        Ok(End::Regression) => ExitCode::from(5),
        Ok(End::Unfinished) => ExitCode::from(6),
        Ok(End::Worker(code)) => code,
        // A shell reports this exit code for a program that SIGPIPE killed.
        Err(error) if error.is::<Gone>() => ExitCode::from(128 + 13),
        Err(error) => {
            let red = anstyle::AnsiColor::Red.on_default().bold();
            let text = crate::text::visible_lines(&format!("{error:#}"));
            output::say(&format!("{red}touchstone:{red:#} {text}"));
            ExitCode::from(match () {
                () if error.is::<Usage>() => 2,
                () if error.is::<Nothing>() => 4,
                () => match error.downcast_ref() {
                    Some(NoRun::Number { .. }) => 2,
                    Some(NoRun::Interrupted { .. } | NoRun::AtAll { .. }) => 4,
                    None => 1,
                },
            })
        }
    }
}

fn parse() -> Result<Cli, clap::Error> {
    let mut words = help::with_sections(command(), "").try_get_matches()?;
    Cli::from_arg_matches_mut(&mut words).map_err(|error| error.format(&mut command()))
}

fn perform(cli: &Cli) -> anyhow::Result<End> {
    let global = &cli.global;
    match &cli.verb {
        Verb::Run(options) => run::run(global, options),
        Verb::List(options) => list::run(global, options),
        Verb::Verify(options) => verify::run(global, options),
        Verb::Measure(options) => measure::run(global, options),
        Verb::Rank(options) => rank::run(global, options),
        Verb::Recommend(options) => recommend::run(global, options),
        Verb::Report(options) => report::run(global, options),
        Verb::Table(options) => table::run(global, options),
        Verb::Runs(options) => runs::run(global, options),
        Verb::Compare(options) => compare::run(global, options),
        Verb::History(options) => history::run(global, options),
        Verb::Fleet(options) => fleet::run(global, options),
        Verb::Doctor(options) => doctor::run(global, options),
        Verb::Export(options) => export::run(global, options),
        Verb::Import(options) => import::run(global, options),
        Verb::Files(options) => files::run(global, options),
        Verb::Fuzz(options) => fuzz::run(global, options),
        #[cfg(feature = "serve")]
        Verb::Serve(options) => serve::run(global, options),
        Verb::Campaign(options) => campaign::run(global, options),
        Verb::CheckWorker(options) => check_worker::run(global, options),
        Verb::Completions(options) => completions::run(options),
        Verb::Man(options) => man::run(options),
        Verb::NullWorker => Ok(End::Worker(crate::null::run())),
    }
}

impl Global {
    fn store_path(&self) -> anyhow::Result<PathBuf> {
        match &self.store {
            Some(path) => Ok(path.clone()),
            None => store::default_path(),
        }
    }

    /// Opens the store for writing.
    fn open_store(&self) -> anyhow::Result<Store> {
        Store::open(&self.store_path()?)
    }

    /// Opens the store for reading.
    fn read_store(&self) -> anyhow::Result<Store> {
        Store::open_to_read(&self.store_path()?)
    }

    /// Returns the run to show: the run that the user asks for; otherwise the newest run over
    /// all libraries and algorithms; otherwise the newest run.
    fn run_to_show(&self, store: &Store, asked: Option<i64>) -> anyhow::Result<RunRow> {
        let newest = store.run(asked, false)?;
        if asked.is_some() || newest.plan.is_whole() {
            return Ok(newest);
        }
        let Some(whole) = store.newest_whole()? else {
            return Ok(newest);
        };
        self.say(&format!(
            "run {} of {}, the newest with all libraries and algorithms; run {} is newer and has \
             a part of them",
            whole.id, whole.started, newest.id
        ));
        Ok(whole)
    }

    /// Prints a command's tables in the chosen format, or the one table that --table names.
    ///
    /// # Errors
    ///
    /// [`Usage`] if there is no such table, or as for [`output::write()`].
    fn print(&self, tables: &[Table]) -> anyhow::Result<()> {
        let Some(wanted) = &self.table else {
            let others: Vec<&str> = tables.iter().skip(1).map(|t| t.name.as_str()).collect();
            if self.format == Format::Csv && !others.is_empty() {
                self.say(&format!(
                    "more tables, for --table NAME: {}",
                    others.join(", ")
                ));
            }
            return crate::table::print(tables, self.format);
        };
        let chosen: Vec<Table> = tables
            .iter()
            .filter(|table| table.name == *wanted)
            .cloned()
            .collect();
        if chosen.is_empty() {
            let mut names: Vec<&str> = tables.iter().map(|t| t.name.as_str()).collect();
            names.dedup();
            return Err(Usage(format!(
                "--table: no table is called {wanted:?}; there are {}",
                names.join(", ")
            ))
            .into());
        }
        crate::table::print(&chosen, self.format)
    }

    /// Prints a command's tables, which in Markdown are a comment for a pull request: the verdict in
    /// one line, and the tables folded.
    ///
    /// # Errors
    ///
    /// As for [`Self::print()`].
    fn print_verdict(&self, verdict: &str, tables: &[Table]) -> anyhow::Result<()> {
        match (self.format, &self.table) {
            (Format::Md, None) => crate::table::comment(verdict, tables),
            _ => self.print(tables),
        }
    }

    /// Prints a line on stderr, unless `--quiet` is given.
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
