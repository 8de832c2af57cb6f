//! The results of a run, ready to be shown. The terminal's tables, the HTML report and
//! the JSON export all read this one model. Everything in it is computed from the stored
//! run; nothing here measures.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::adapters;
use crate::catalogue::Costs;
use crate::files::measured::Measured;
use crate::operations;
use crate::rank::headline::Headline;
use crate::rank::paper::Ranking;
use crate::stats::{Interval, Series, Statistic};

/// The results of one run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// Facts about the run.
    pub run: Run,
    /// The machine on which the run was measured.
    pub machine: Machine,
    /// Every library for which the run looked, found or missing, sorted by name.
    pub libraries: Vec<Library>,
    /// Known-answer results, one row per library × primitive × operation.
    pub verification: Vec<Verification>,
    /// Every wrong answer, hang and crash.
    pub failures: Vec<Failure>,
    /// Every measured cell. Each message size is a separate cell.
    pub cells: Vec<Cell>,
    /// The cost models, one for each library × primitive × operation.
    pub costs: Vec<Cost>,
    /// Which library is faster at what: one row for each library.
    #[serde(default)]
    pub headline: Headline,
    /// Libraries that have no row in the headline, because another version or build of the same
    /// library represents them. Each entry has the id of such a library, and then the id of the
    /// library that represents it.
    #[serde(default)]
    pub variants: Vec<(String, String)>,
    /// RANK over hot cells, as the paper of Aulov and Gorbenko defines it.
    pub ranking: Ranking,
    /// The newest measurement of whole files on the same machine.
    #[serde(default)]
    pub files: Option<Measured>,
}

impl Summary {
    /// Returns a library's display name with its version.
    pub fn versioned(&self, id: &str) -> String {
        let version = self.libraries.iter().find(|library| library.id == id);
        let version = version.map_or("", |library| library.version.as_str());
        format!("{} {version}", self.name(id)).trim_end().to_owned()
    }

    /// Returns a library's display name: see [`name_among`].
    pub fn name(&self, id: &str) -> String {
        name_among(&self.libraries, id)
    }

    /// Returns a sentence that names those of these libraries that are slower in this run than
    /// their own code can be, with the reasons; empty if there is none.
    pub fn handicaps<'a>(&self, ids: impl IntoIterator<Item = &'a str>) -> String {
        let ids: BTreeSet<&str> = ids.into_iter().collect();
        let slow =
            |library: &&Library| !library.handicap.is_empty() && ids.contains(library.id.as_str());
        let named = self
            .libraries
            .iter()
            .filter(slow)
            .map(|library| format!("{}, {}", self.versioned(&library.id), library.handicap));
        let named: Vec<String> = named.collect();
        match named.is_empty() {
            true => String::new(),
            false => format!(
                "slower here than their own code can be: {}",
                named.join("; ")
            ),
        }
    }
}

/// Returns a library's display name, or its id if two of a run's libraries have the same name.
pub fn name_among(libraries: &[Library], id: &str) -> String {
    let shared = |name: &str| libraries.iter().filter(|l| l.name == name).count() > 1;
    libraries
        .iter()
        .find(|library| library.id == id)
        .filter(|library| !shared(&library.name))
        .map_or_else(|| id.to_owned(), |library| library.name.clone())
}

/// Facts about the run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Run {
    /// The run's number in the store.
    pub id: i64,
    /// The time of the start in UTC (RFC 3339).
    pub started: String,
    /// Wall time in seconds, over all resumptions.
    pub seconds: f64,
    /// The profile's name.
    pub profile: String,
    /// The command line that started the run.
    pub command: String,
    /// Whether the run is complete. False for a run that was interrupted.
    pub complete: bool,
    /// The version of the lab that measured the run.
    pub lab_version: String,
    /// The time of one pass of an empty timing loop, in nanoseconds.
    pub null_ns: f64,
    /// The relative width of intervals that the profile requires.
    pub target: f64,
    /// The costs of password hashes and key derivation that the user chose in place of the
    /// catalogue's costs.
    #[serde(default)]
    pub costs: Costs,
}

/// Facts about the machine, as labelled values for people, in display order.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Machine {
    /// The machine in one line, for example "AMD EPYC 9B45, 2 CPUs, Linux 6.1, Debian 12".
    pub line: String,
    /// Everything known: CPU features, governor, clock source, memory, kernel …
    pub facts: Vec<(String, String)>,
    /// The core's clock rate in MHz during the run, measured with a chain of instructions
    /// of known latency: lowest, median, highest.
    pub mhz: Option<[f64; 3]>,
}

/// A library for which the run looked.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Library {
    /// The id by which the other rows of the summary name the library, such as `openssl`,
    /// `openssl@2` or `openssl~portable`.
    pub id: String,
    /// The CPU-feature mask of a variant; empty for a library without a mask.
    #[serde(default)]
    pub mask: String,
    /// The id of the library of which this is another build; empty for most libraries.
    #[serde(default)]
    pub variant_of: String,
    /// The library's name for people.
    pub name: String,
    /// The version that the loaded object reports.
    pub version: String,
    /// The path of the loaded object; empty if the library is linked into the worker.
    pub path: String,
    /// A fingerprint of the loaded object (FNV-1a, 64 bits, hexadecimal), which tells builds of one
    /// version apart; empty if the library is linked into the worker.
    #[serde(default)]
    pub fingerprint: String,
    /// The licence, as an SPDX expression.
    pub licence: String,
    /// The language in which the library is written.
    pub language: String,
    /// The CPU features that the library says it uses.
    pub features: String,
    /// A remark about the library, for the reader of a report.
    pub note: String,
    /// Why the library is slower in this run than its own code can be; empty if no reason is
    /// known.
    #[serde(default)]
    pub handicap: String,
    /// Why the library is missing, and what to do; empty if it is present.
    pub absent: String,
    /// Number of primitive × operation pairs that the library offers.
    pub offers: usize,
    /// The number of bytes of code in the loaded object.
    pub code_bytes: Option<u64>,
    /// The number of bytes of read-only data in the loaded object.
    pub table_bytes: Option<u64>,
    /// Milliseconds from the start of the process to the first answer.
    pub start_ms: Option<f64>,
    /// Peak memory of the worker beyond that of an empty worker, in KiB.
    pub peak_kib: Option<u64>,
}

impl Library {
    /// Returns the id that all builds and versions of the library share.
    pub fn project(&self) -> &str {
        if self.variant_of.is_empty() {
            adapters::adapter(&self.id)
        } else {
            &self.variant_of
        }
    }

    /// Returns whether this is another build of a library, or a library with a mask of CPU
    /// features.
    pub fn is_build(&self) -> bool {
        !self.variant_of.is_empty() || adapters::is_variant(&self.id)
    }
}

/// The results of one library for the known answers of one primitive × operation.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Verification {
    /// The library's id: see [`Library::id`].
    pub library: String,
    /// The primitive's id.
    pub primitive: String,
    /// The operation's id.
    pub operation: String,
    /// The family of the primitive.
    pub family: String,
    /// Number of right answers.
    pub passed: u32,
    /// Number of wrong answers.
    pub failed: u32,
    /// Number of answers for which both outcomes are correct, and of differences that the
    /// library's manifest calls intended.
    pub acceptable: u32,
    /// Number of answers whose parameters the library does not support.
    pub unsupported: u32,
    /// Number of questions that the lab could not ask: see [`UNASKED`].
    #[serde(default)]
    pub unasked: u32,
    /// If there is no known answer: the number of other libraries with the same output
    /// for the same input.
    pub agreed: u32,
    /// Number of other libraries with a different output.
    pub disagreed: u32,
    /// The files from which the known answers come.
    pub sources: Vec<String>,
    /// The same results by flag, which names what a known answer tests.
    #[serde(default)]
    pub flags: Vec<Flag>,
}

/// The results of one library for the known answers of one primitive × operation that
/// have one flag of their source, such as Wycheproof's `ModifiedTag`. An answer may have
/// several flags.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Flag {
    /// The flag, in the source's words.
    pub flag: String,
    /// Number of right answers.
    pub passed: u32,
    /// Number of wrong answers.
    pub failed: u32,
    /// Number of wrong answers by which the library accepted what it must refuse; `None` in runs
    /// of older builds, which did not count them.
    #[serde(default)]
    pub accepted: Option<u32>,
    /// Number of answers for which both outcomes are correct, and of intended differences.
    pub acceptable: u32,
    /// Number of the differences that the library's manifest calls intended.
    #[serde(default)]
    pub intended: u32,
    /// Number of answers whose parameters the library does not support.
    pub unsupported: u32,
    /// Number of questions that the lab could not ask: see [`UNASKED`].
    #[serde(default)]
    pub unasked: u32,
}

/// The kinds of failure that are no fault of the library, because the lab could not ask; each with
/// the reason. Such a failure is no wrong answer.
pub const UNASKED: [(&str, &str); 3] = [
    (
        "killed",
        "the system ended the worker; this machine has too little memory for the call",
    ),
    (
        "too slow",
        "at the cost of this call, no answer came in the time that the lab waits",
    ),
    (
        "not accepted",
        "no library accepted the input that the lab made",
    ),
];

/// Returns why the lab could not ask, for a kind of failure; `None` if the failure is the library's.
pub fn unasked(kind: &str) -> Option<&'static str> {
    let known = UNASKED.iter().find(|(known, _)| *known == kind);
    known.map(|(_, reason)| *reason)
}

/// A failure, with everything that is needed to reproduce it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Failure {
    /// The library's id: see [`Library::id`].
    pub library: String,
    /// The primitive's id; empty for a failure of the worker itself.
    pub primitive: String,
    /// The operation's id.
    pub operation: String,
    /// One of the kinds in [`crate::kinds`], or one of [`UNASKED`].
    pub kind: String,
    /// Where the failure occurred: the vector file and line, or the step that failed.
    pub place: String,
    /// The input of the call, as the request's fields.
    pub input: String,
    /// The answer that a correct implementation gives.
    pub expected: String,
    /// The answer that the library gave.
    pub got: String,
}

/// The times of one library for one primitive × operation × contract × size × threads.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Cell {
    /// The library's id: see [`Library::id`].
    pub library: String,
    /// The primitive's id.
    pub primitive: String,
    /// The operation's id.
    pub operation: String,
    /// The family of the primitive.
    pub family: String,
    /// The contract's name.
    pub contract: String,
    /// Length of the message in bytes; 0 for `setup`.
    pub bytes: u64,
    /// Number of threads.
    pub threads: u32,
    /// Number of messages in one call; 1 except for `many` and `many-keyed`.
    #[serde(default = "one")]
    pub messages: u32,
    /// Nanoseconds per call, or per message if a call has several messages: the median
    /// over rounds with its 95 % interval. With several threads it is the wall time
    /// divided by the calls of all threads.
    pub ns: Interval,
    /// Fastest round, lower and upper quartile, nanoseconds as in `ns`.
    pub spread: [f64; 3],
    /// The time divided by the best library's time, round by round: the median with its
    /// 95 % interval. A masked variant is never the best; its own ratio can be below 1.
    pub ratio: Interval,
    /// Whether the library ties with the best.
    pub tie: bool,
    /// Whether the cell counts for ranks; otherwise only views use it.
    #[serde(default = "yes")]
    pub counts: bool,
    /// Number of samples, which is the number of rounds. Where slow calls are a normal part of the
    /// operation and a call is long enough for a sample, a round has several samples of a call each.
    pub rounds: u32,
    /// Number of calls in one sample.
    pub calls: u64,
    /// The reason why sampling stopped: `narrow` or `budget`.
    pub stop: String,
    /// Nanoseconds of the first call: to make the object, to set the key, to process the message.
    pub first_ns: [u64; 3],
    /// The core's clock rate in MHz: the median over the rounds of the task.
    pub mhz: Option<f64>,
    /// Reasons to doubt the time. A cell with such reasons is shown but not ranked.
    pub flags: Vec<String>,
    /// The names of the timed library calls.
    pub api: String,
    /// The kernel (the library's code for this CPU) in use; empty if unknown.
    pub kernel: String,
    /// The adapter's remarks about the cell.
    pub note: String,
    /// The raw samples in the order of rounds, in nanoseconds as in `ns`.
    pub samples: Vec<f64>,
    /// The number of the process of each sample; empty if the run did not record it.
    #[serde(default)]
    pub processes: Vec<u32>,
}

fn one() -> u32 {
    1
}

fn yes() -> bool {
    true
}

impl Cell {
    /// Returns the samples with their processes.
    pub fn series(&self) -> Series<'_> {
        Series {
            samples: &self.samples,
            processes: &self.processes,
            statistic: operations::statistic(&self.operation),
        }
    }

    /// Returns quantiles of single calls in nanoseconds; `None` if a sample has several calls, whose
    /// mean says nothing of the tail.
    pub fn quantiles<const N: usize>(&self, of: [f64; N]) -> Option<[f64; N]> {
        let each = self.series().statistic == Statistic::Mean && self.calls == 1;
        if !each || self.samples.is_empty() {
            return None;
        }
        let mut sorted = self.samples.clone();
        sorted.sort_by(f64::total_cmp);
        Some(of.map(|q| crate::stats::quantile(&sorted, q)))
    }

    /// Returns the contract, with the number of messages if it is not 1.
    pub fn contract_label(&self) -> String {
        if self.messages == 1 {
            self.contract.clone()
        } else {
            format!("{} {}", self.contract, self.messages)
        }
    }
}

/// Joins two notes of a cell.
pub(crate) fn join_notes(note: &str, more: &str) -> String {
    if note.is_empty() {
        more.to_owned()
    } else {
        format!("{note}; {more}")
    }
}

/// Cost model: time = intercept + slope × bytes, over the hot cells.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Cost {
    /// The library's id: see [`Library::id`].
    pub library: String,
    /// The primitive's id.
    pub primitive: String,
    /// The operation's id.
    pub operation: String,
    /// The family of the primitive.
    pub family: String,
    /// The time in nanoseconds per byte.
    pub slope: Interval,
    /// The time in nanoseconds per message.
    pub intercept: Interval,
    /// The largest relative distance of a measured size from the line.
    pub misfit: f64,
    /// The time of key set-up alone, in nanoseconds.
    pub setup: Option<Interval>,
    /// Key set-up as a number of bytes: the number of bytes that the same library processes in the
    /// time of a key set-up.
    pub setup_bytes: Option<Interval>,
}
