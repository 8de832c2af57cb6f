//! What a run found, ready to show: the one model that the terminal tables,
//! the HTML report and the JSON export all read. Everything in it is computed
//! from the stored run; nothing here measures.

use serde::{Deserialize, Serialize};

use crate::rank::headline::Headline;
use crate::rank::paper::Ranking;
use crate::stats::{Interval, Series};

/// One run, summarised.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// The run itself.
    pub run: Run,
    /// The machine it ran on.
    pub machine: Machine,
    /// Every library looked for, found or not, in name order.
    pub libraries: Vec<Library>,
    /// Known-answer results, one row per library × primitive × operation.
    pub verification: Vec<Verification>,
    /// Every wrong answer, hang and crash.
    pub failures: Vec<Failure>,
    /// Every measured cell at every size.
    pub cells: Vec<Cell>,
    /// One cost model per library × primitive × operation.
    pub costs: Vec<Cost>,
    /// Who is faster at what: one row a library.
    #[serde(default)]
    pub headline: Headline,
    /// Libraries of the run that are other versions or builds of one in the headline, and
    /// which one stands for them there.
    #[serde(default)]
    pub variants: Vec<(String, String)>,
    /// RANK over hot cells, the paper's view.
    pub ranking: Ranking,
}

impl Summary {
    /// A library's display name with its version.
    pub fn versioned(&self, id: &str) -> String {
        let version = self.libraries.iter().find(|library| library.id == id);
        let version = version.map_or("", |library| library.version.as_str());
        format!("{} {version}", self.name(id)).trim_end().to_owned()
    }

    /// A library's display name; the id where two share it.
    pub fn name(&self, id: &str) -> String {
        let shared = |name: &str| self.libraries.iter().filter(|l| l.name == name).count() > 1;
        self.libraries
            .iter()
            .find(|library| library.id == id)
            .filter(|library| !shared(&library.name))
            .map_or_else(|| id.to_owned(), |library| library.name.clone())
    }
}

/// Facts about the run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Run {
    /// Number in the store.
    pub id: i64,
    /// Start, RFC 3339, UTC.
    pub started: String,
    /// Wall time in seconds, over all resumptions.
    pub seconds: f64,
    /// Profile name.
    pub profile: String,
    /// The command line.
    pub command: String,
    /// False for a run that was interrupted.
    pub complete: bool,
    /// Version of the lab.
    pub lab_version: String,
    /// Cost of an empty timing loop, nanoseconds per call.
    pub null_ns: f64,
    /// Relative width of the interval that the profile asks for.
    pub target: f64,
}

/// Facts about the machine, as labelled values for people, in display order.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Machine {
    /// "AMD EPYC 9B45, 2 CPUs, Linux 6.1, Debian 12": one line.
    pub line: String,
    /// Everything known: CPU features, governor, clock source, memory, kernel …
    pub facts: Vec<(String, String)>,
    /// Core clock in MHz over the run by a known-latency chain: lowest, median, highest.
    pub mhz: Option<[f64; 3]>,
}

/// One library.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Library {
    /// Id within the run, such as `openssl`, `openssl@2` or `openssl~portable`:
    /// what other rows name.
    pub id: String,
    /// The CPU-feature mask of a variant; empty for the library as it is.
    #[serde(default)]
    pub mask: String,
    /// The id of the library that this is another build of; empty for most.
    #[serde(default)]
    pub variant_of: String,
    /// Display name.
    pub name: String,
    /// Version that the object reports.
    pub version: String,
    /// The loaded object; empty for linked code.
    pub path: String,
    /// SPDX expression.
    pub licence: String,
    /// Implementation language.
    pub language: String,
    /// CPU features that it says it uses.
    pub features: String,
    /// What a reader must know.
    pub note: String,
    /// Empty when present; otherwise why it is not, and what to do.
    pub absent: String,
    /// Primitive × operation pairs offered.
    pub offers: usize,
    /// Bytes of code and of constant data in the loaded object.
    pub code_bytes: Option<u64>,
    /// Bytes of read-only data in the loaded object.
    pub table_bytes: Option<u64>,
    /// Process start to first answer, milliseconds.
    pub start_ms: Option<f64>,
    /// Peak memory of its worker over an empty worker, KiB.
    pub peak_kib: Option<u64>,
}

/// Known answers of one library for one primitive × operation.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Verification {
    /// [`Library::id`].
    pub library: String,
    /// Primitive id.
    pub primitive: String,
    /// Operation id.
    pub operation: String,
    /// Family of the primitive.
    pub family: String,
    /// Right answers.
    pub passed: u32,
    /// Wrong answers.
    pub failed: u32,
    /// Answers where either outcome is defensible.
    pub acceptable: u32,
    /// Parameters that the library does not take.
    pub unsupported: u32,
    /// With no known answer anywhere: how many other libraries gave the same
    /// output for the same input.
    pub agreed: u32,
    /// Other libraries that gave another output.
    pub disagreed: u32,
    /// Files that the answers come from.
    pub sources: Vec<String>,
    /// The same answers by what their source says they are about.
    #[serde(default)]
    pub flags: Vec<Flag>,
}

/// Answers of one library for one primitive × operation that carry one flag of
/// their source, such as Wycheproof's `ModifiedTag`. An answer may carry several.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Flag {
    /// The source's own word.
    pub flag: String,
    /// Right answers.
    pub passed: u32,
    /// Wrong answers.
    pub failed: u32,
    /// Answers where either outcome is defensible.
    pub acceptable: u32,
    /// Parameters that the library does not take.
    pub unsupported: u32,
}

/// Something that went wrong, with what it takes to reproduce it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Failure {
    /// [`Library::id`].
    pub library: String,
    /// Primitive id; empty for a failure of the worker itself.
    pub primitive: String,
    /// Operation id.
    pub operation: String,
    /// `wrong answer`, `accepted a forgery`, `error`, `crash`, `timeout`, `changed answer`.
    pub kind: String,
    /// Vector file and line, or what was being done.
    pub place: String,
    /// The input: fields of the request.
    pub input: String,
    /// What a right implementation answers.
    pub expected: String,
    /// What came.
    pub got: String,
}

/// One library × primitive × operation × contract × size × threads.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Cell {
    /// [`Library::id`].
    pub library: String,
    /// Primitive id.
    pub primitive: String,
    /// Operation id.
    pub operation: String,
    /// Family of the primitive.
    pub family: String,
    /// Contract name.
    pub contract: String,
    /// Message bytes; 0 for `setup`.
    pub bytes: u64,
    /// Threads.
    pub threads: u32,
    /// Messages of one call; 1 but for `many` and `many-keyed`.
    #[serde(default = "one")]
    pub messages: u32,
    /// Nanoseconds per call, for several messages in one call per message (of
    /// wall time over the calls of all threads together): median over rounds
    /// with its 95 % interval.
    pub ns: Interval,
    /// Fastest round, lower and upper quartile, nanoseconds as in `ns`.
    pub spread: [f64; 3],
    /// Time over the best library's, round by round: median and 95 % interval.
    /// No masked variant is the best; its own ratio can be below 1.
    pub ratio: Interval,
    /// Whether the ratio's interval cannot be told from the best.
    pub tie: bool,
    /// Whether it counts for ranks; otherwise it serves views alone.
    #[serde(default = "yes")]
    pub counts: bool,
    /// Rounds.
    pub rounds: u32,
    /// Calls in one sample.
    pub calls: u64,
    /// Why sampling stopped: `narrow` or `budget`.
    pub stop: String,
    /// First-call costs in nanoseconds: object, key, message.
    pub first_ns: [u64; 3],
    /// Core clock in MHz around the cell.
    pub mhz: Option<f64>,
    /// What makes this number suspect; such cells are shown and never ranked.
    pub flags: Vec<String>,
    /// The timed calls.
    pub api: String,
    /// The kernel in use, where known.
    pub kernel: String,
    /// Remarks of the adapter.
    pub note: String,
    /// Raw samples, nanoseconds as in `ns`, in round order.
    pub samples: Vec<f64>,
    /// The number of the process that each sample was taken in; empty where the run did
    /// not note it.
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
    /// Its samples with their processes.
    pub fn series(&self) -> Series<'_> {
        Series {
            samples: &self.samples,
            processes: &self.processes,
        }
    }

    /// The contract, with the number of messages where there are several.
    pub fn contract_label(&self) -> String {
        if self.messages == 1 {
            self.contract.clone()
        } else {
            format!("{} {}", self.contract, self.messages)
        }
    }
}

/// Cost model: time = intercept + slope × bytes, over the hot cells.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Cost {
    /// [`Library::id`].
    pub library: String,
    /// Primitive id.
    pub primitive: String,
    /// Operation id.
    pub operation: String,
    /// Family of the primitive.
    pub family: String,
    /// Nanoseconds per byte.
    pub slope: Interval,
    /// Nanoseconds per message.
    pub intercept: Interval,
    /// Largest relative distance of a measured size from the line.
    pub misfit: f64,
    /// Key set-up alone, nanoseconds.
    pub setup: Option<Interval>,
    /// Key set-up in bytes: how many the same cell could have processed meanwhile.
    pub setup_bytes: Option<Interval>,
}
