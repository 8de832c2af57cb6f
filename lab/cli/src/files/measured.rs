//! A measurement of programs that encrypt whole files, as the store keeps it.

use std::ops::RangeInclusive;

use anyhow::ensure;
use serde::{Deserialize, Serialize};

use super::timed::Usage;

/// The measurement of one call of `touchstone files`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Measured {
    /// The measurement's id, which is unique in all stores: a UUID, as a run has one.
    pub uid: String,
    /// The time of the start in UTC (RFC 3339).
    pub started: String,
    /// The version of the lab.
    pub lab_version: String,
    /// The name of the machine, as histories have it.
    pub machine: String,
    /// The machine in one line.
    pub line: String,
    /// The programs that were looked for.
    pub programs: Vec<Program>,
    /// The commands with files of each length. Round `i` of all cells of a length belongs together.
    pub cells: Vec<Cell>,
}

/// A program that was looked for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Program {
    /// The name in tables.
    pub name: String,
    /// What it does, for people.
    pub about: String,
    /// Whether opening finds every change of the file.
    pub authenticated: bool,
    /// The first line that the program printed about its version; empty if it is absent.
    pub version: String,
    /// Why the program was not measured; empty if it was found.
    pub absent: String,
}

/// What a command does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Way {
    /// Encrypt.
    Seal,
    /// Decrypt.
    Open,
}

impl Way {
    /// Both ways.
    pub const BOTH: [Self; 2] = [Self::Seal, Self::Open];

    /// The word for tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Seal => "seal",
            Self::Open => "open",
        }
    }
}

/// One timed call.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Sample {
    /// What the call has used.
    #[serde(flatten)]
    pub usage: Usage,
    /// Seconds from the start until the file is on the disk: the call, and fsync(2) by the lab.
    pub disk: f64,
}

/// The calls of one command with files of one length.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cell {
    /// The place of the program in the list.
    pub program: usize,
    /// Sealing or opening.
    pub way: Way,
    /// The length of the content in bytes.
    pub bytes: u64,
    /// The timed calls.
    pub samples: Vec<Sample>,
    /// Why there are no samples; empty if there are.
    pub failure: String,
}

/// The longest text of a document, in bytes.
const TEXT: usize = 16384;
/// The times of a call in seconds that a document may have.
const SECONDS: RangeInclusive<f64> = 1e-9..=1e9;
/// The most memory of a call and the longest content that a document may have, in bytes.
const BYTES: u64 = 1 << 50;

impl Measured {
    /// Returns whether anything was timed.
    pub fn has_samples(&self) -> bool {
        self.cells.iter().any(|cell| !cell.samples.is_empty())
    }

    /// Checks what the lab assumes about its own measurements.
    ///
    /// # Errors
    ///
    /// If the lab could not have made the measurement.
    pub fn check(&self) -> anyhow::Result<()> {
        let programs = self.programs.iter();
        let texts = programs.flat_map(|one| [&one.name, &one.about, &one.version, &one.absent]);
        let own = [&self.started, &self.lab_version, &self.machine, &self.line];
        let failures = self.cells.iter().map(|cell| &cell.failure);
        ensure!(
            texts
                .chain(own)
                .chain(failures)
                .all(|text| text.len() <= TEXT),
            "files: a text is longer than {TEXT} bytes"
        );
        for cell in &self.cells {
            ensure!(
                cell.program < self.programs.len(),
                "files: there is no program {}",
                cell.program
            );
            ensure!(
                (1..=BYTES).contains(&cell.bytes),
                "files: the length {} is out of range",
                cell.bytes
            );
            for Sample { usage, disk } in &cell.samples {
                let times = [usage.seconds, *disk];
                ensure!(
                    times.iter().all(|value| SECONDS.contains(value))
                        && (0.0..=*SECONDS.end()).contains(&usage.processor)
                        && usage.memory <= BYTES,
                    "files: a time or the memory of a call is out of range"
                );
            }
        }
        Ok(())
    }
}
