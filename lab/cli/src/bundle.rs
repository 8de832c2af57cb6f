//! A whole run as one JSON document, with raw samples and the machine: `touchstone export
//! --to json` writes the document and `touchstone import` reads it. `docs/run-format.md`
//! describes the format.

mod check;

use std::collections::HashMap;
use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use anyhow::{Context, bail, ensure};
use serde::{Deserialize, Serialize};
use touchstone_wire::Contract;

use crate::files::measured::Measured;
use crate::identity;
use crate::machine;
use crate::profile::Task;
use crate::store::{Imported, RawCell, RunRow, Store, Whole};
use crate::summarise::summarise;
use crate::summary::{Failure, Library, Summary, Verification};

/// The value of the field that names the format of the document.
const FORMAT: &str = "touchstone run";

/// Version of the format. The version is increased if a reader of the old version would misread
/// the new format.
pub const SCHEMA: u32 = 3;

/// The length in bytes of the longest file that is read. A run of all libraries of three releases
/// with the longest profile takes a twentieth of this length.
const LONGEST: u64 = 1 << 30;

/// The first two fields, which every version has.
#[derive(Deserialize)]
struct Header {
    format: String,
    schema: u32,
}

/// One run.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bundle {
    format: String,
    schema: u32,
    run: RunRow,
    libraries: Vec<Library>,
    verification: Vec<Verification>,
    failures: Vec<Failure>,
    /// Every completed task with its cells.
    tasks: Vec<Done>,
    /// The newest measurement of whole files on the run's machine. Documents of versions before 3
    /// lack this field.
    #[serde(default)]
    files: Option<Measured>,
}

/// A task and the results of each library in it.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Done {
    primitive: String,
    operation: String,
    contract: String,
    bytes: u64,
    threads: u32,
    messages: u32,
    cells: Vec<Cell>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Cell {
    library: String,
    calls: u64,
    stop: String,
    first_ns: [u64; 3],
    mhz: Option<f64>,
    flags: Vec<String>,
    api: String,
    kernel: String,
    note: String,
    /// Nanoseconds of each sample, in round order.
    samples_ns: Vec<f64>,
    /// The number of the worker process that took each sample. Documents of version 1 lack this
    /// list.
    #[serde(default)]
    processes: Vec<u32>,
}

impl Bundle {
    /// Reads a run from the store.
    pub fn from_store(store: &Store, run: i64) -> anyhow::Result<Self> {
        let mut cells: HashMap<Task, Vec<Cell>> = HashMap::new();
        for cell in store.cells(run)? {
            cells.entry(cell.task).or_default().push(Cell {
                library: cell.library,
                calls: cell.calls,
                stop: cell.stop.to_owned(),
                first_ns: cell.first_ns,
                mhz: cell.mhz,
                flags: cell.flags,
                api: cell.api,
                kernel: cell.kernel,
                note: cell.note,
                samples_ns: cell.samples,
                processes: cell.processes,
            });
        }
        let mut tasks: Vec<Task> = store.done(run)?.into_iter().collect();
        tasks.sort();
        let row = store.run(Some(run), false)?;
        Ok(Self {
            format: FORMAT.to_owned(),
            schema: SCHEMA,
            files: store.newest_files(Some(&machine::name(&row.machine)))?,
            run: row,
            libraries: store.libraries(run)?,
            verification: store.verifications(run)?,
            failures: store.failures(run)?,
            tasks: tasks
                .into_iter()
                .map(|task| Done {
                    cells: cells.remove(&task).unwrap_or_default(),
                    contract: task.contract.name().to_owned(),
                    primitive: task.primitive,
                    operation: task.operation,
                    bytes: task.bytes,
                    threads: task.threads,
                    messages: task.messages,
                })
                .collect(),
        })
    }

    /// Reads a run from an exported file.
    pub fn read(path: &Path) -> anyhow::Result<Self> {
        let mut bytes = Vec::new();
        File::open(path)
            .and_then(|file| file.take(LONGEST + 1).read_to_end(&mut bytes))
            .with_context(|| format!("reading {}", path.display()))?;
        ensure!(
            bytes.len() as u64 <= LONGEST,
            "{}: longer than any run ({LONGEST} bytes)",
            path.display()
        );
        Self::parse(&bytes).with_context(|| format!("{} cannot be imported", path.display()))
    }

    /// Reads a run from the text of an exported file, and checks the run.
    ///
    /// # Errors
    /// If the text is not an exported run, a newer version wrote it, or a value is out of
    /// range.
    pub fn parse(bytes: &[u8]) -> anyhow::Result<Self> {
        let header: Header = serde_json::from_slice(bytes).map_err(|error| {
            let what = if error.is_eof() {
                "it ends in the middle: copy it anew"
            } else {
                "it is not a run: `touchstone export RUN --to json` makes such files"
            };
            anyhow::Error::new(error).context(what)
        })?;
        ensure!(
            header.format == FORMAT,
            "its format is {:?}, where {FORMAT:?} was expected",
            check::shown(&header.format)
        );
        ensure!(
            header.schema <= SCHEMA,
            "a newer touchstone wrote it (schema {}; this one reads up to {SCHEMA}): \
             update this one",
            header.schema
        );
        ensure!(header.schema >= 1, "there is no schema {}", header.schema);
        let mut bundle: Self =
            serde_json::from_slice(bytes).context("it is damaged or incomplete")?;
        // Older versions gave runs no id.
        if bundle.run.uid.is_empty() {
            bundle.run.uid = identity::derived(&bundle.run, 0);
        }
        bundle.check()?;
        Ok(bundle)
    }

    /// Writes the document as JSON.
    pub fn write(&self, out: impl std::io::Write) -> anyhow::Result<()> {
        serde_json::to_writer(out, self).context("writing the run")
    }

    /// Returns the run's id, which is unique in all stores.
    pub fn uid(&self) -> &str {
        &self.run.uid
    }

    /// Adds the run to a store, marked as a run of another machine, and returns its number there.
    /// If the store has the run already, adds only what is new. On an error the store stays
    /// unchanged.
    pub fn import(self, store: &Store, from: &str) -> anyhow::Result<(i64, Imported)> {
        let imported = format!("{} from {from}, run {} there", machine::now(), self.run.id);
        store.import(&self.whole(imported)?)
    }

    /// Summarises the run without adding it to a store.
    pub fn summary(self) -> anyhow::Result<Summary> {
        let store = Store::open(Path::new(":memory:"))?;
        let id = self.run.id;
        let imported = self.run.imported.clone();
        let (run, _) = store.import(&self.whole(imported)?)?;
        let mut summary = summarise(&store, run)?;
        summary.run.id = id;
        Ok(summary)
    }

    fn whole(self, imported: String) -> anyhow::Result<Whole> {
        let mut tasks = Vec::with_capacity(self.tasks.len());
        for done in self.tasks {
            let task = done.task()?;
            let cells = done
                .cells
                .into_iter()
                .map(|cell| RawCell {
                    library: cell.library,
                    task: task.clone(),
                    calls: cell.calls,
                    stop: STOPS
                        .into_iter()
                        .find(|known| *known == cell.stop)
                        .unwrap_or(STOPS[1]),
                    first_ns: cell.first_ns,
                    mhz: cell.mhz,
                    flags: cell.flags,
                    api: cell.api,
                    kernel: cell.kernel,
                    note: cell.note,
                    samples: cell.samples_ns,
                    processes: cell.processes,
                })
                .collect();
            tasks.push((task, cells));
        }
        Ok(Whole {
            row: RunRow {
                imported,
                ..self.run
            },
            libraries: self.libraries,
            verifications: self.verification,
            failures: self.failures,
            tasks,
            files: self.files,
        })
    }
}

/// The reasons for which the sampling of a cell ends.
const STOPS: [&str; 2] = ["narrow", "budget"];

impl Done {
    fn task(&self) -> anyhow::Result<Task> {
        let Ok(contract) = self.contract.parse::<Contract>() else {
            bail!("no contract is called {:?}", check::shown(&self.contract));
        };
        Ok(Task {
            primitive: self.primitive.clone(),
            operation: self.operation.clone(),
            contract,
            bytes: self.bytes,
            threads: self.threads,
            messages: self.messages,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers that change if they are printed with too few digits.
    const AWKWARD: [f64; 4] = [
        0.1,
        51_200.000_000_000_01,
        1.000_000_000_000_000_2e-6,
        9_007_199_254_740_993.0,
    ];

    fn stored() -> (Store, i64) {
        let store = Store::open(Path::new(":memory:")).unwrap();
        let row: RunRow = serde_json::from_value(serde_json::json!({
            "id": 0, "started": "2026-01-02T03:04:05Z", "seconds": 0.0, "complete": false,
            "lab_version": "0", "command": "touchstone run", "profile": "quick",
            "profile_text": "", "target": 0.05, "null_ns": 0.3,
            "plan": { "libraries": [], "algorithm": null, "sizes": [], "threads": [] },
            "machine": { "line": "a machine", "facts": [["CPU", "one"]], "mhz": null }
        }))
        .unwrap();
        let run = store.begin(&row).unwrap();
        let library: Library = serde_json::from_value(serde_json::json!({
            "id": "openssl", "name": "OpenSSL", "version": "3", "path": "", "licence": "",
            "language": "", "features": "", "note": "", "absent": "", "offers": 1,
            "code_bytes": null, "table_bytes": null, "start_ms": 1.5, "peak_kib": null
        }))
        .unwrap();
        store.save_library(run, &library).unwrap();
        let task = Task {
            primitive: "sha-256".into(),
            operation: "hash".into(),
            contract: Contract::Hot,
            bytes: 16,
            threads: 1,
            messages: 1,
        };
        let cell = RawCell {
            library: "openssl".into(),
            task: task.clone(),
            calls: 100,
            stop: "narrow",
            first_ns: [1, 2, 3],
            mhz: Some(2_995.3),
            flags: vec!["clock moved".into()],
            api: "EVP".into(),
            kernel: String::new(),
            note: "\u{1}".into(),
            samples: AWKWARD.to_vec(),
            processes: vec![1, 1, 2, 2],
        };
        store.save_task(run, &task, &[cell], &[]).unwrap();
        store.progress(run, 2.5, true).unwrap();
        (store, run)
    }

    fn document() -> String {
        let (store, run) = stored();
        let mut bytes = Vec::new();
        Bundle::from_store(&store, run)
            .unwrap()
            .write(&mut bytes)
            .unwrap();
        String::from_utf8(bytes).unwrap()
    }

    #[test]
    fn a_round_trip_changes_no_bit() {
        let (store, run) = stored();
        let bundle = Bundle::parse(document().as_bytes()).unwrap();
        let (again, _) = bundle.import(&store, "a file").unwrap();
        let (before, after) = (store.cells(run).unwrap(), store.cells(again).unwrap());
        assert_eq!(before, after);
        let bits = |cells: &[RawCell]| cells[0].samples.iter().map(|s| s.to_bits()).collect();
        let (before, after): (Vec<u64>, Vec<u64>) = (bits(&before), bits(&after));
        assert_eq!(before, after);
        assert_eq!(before, AWKWARD.map(f64::to_bits));
        let row = store.run(Some(again), false).unwrap();
        assert!(row.imported.contains("a file, run 1 there"), "{row:?}");
        assert_eq!((row.seconds, row.complete, row.null_ns), (2.5, true, 0.3));
        assert_eq!(
            store.libraries(run).unwrap(),
            store.libraries(again).unwrap()
        );
    }

    #[test]
    fn what_is_no_run_is_refused_with_the_reason() {
        let good = document();
        assert!(Bundle::parse(good.as_bytes()).is_ok());
        for (from, to, reason) in [
            ("{", "[", "it is not a run"),
            ("touchstone run", "picture", "\"picture\""),
            ("\"schema\":3", "\"schema\":4", "newer touchstone"),
            ("\"schema\":3", "\"schema\":0", "no schema 0"),
            ("\"hot\"", "\"tepid\"", "\"tepid\""),
            ("[0.1,", "[0,", "above 0"),
            ("[0.1,", "[null,", "damaged"),
            ("[0.1,", "[1e308,", "above 0"),
            ("\"mhz\":2995.3", "\"mhz\":1e308", "clocks"),
            (
                "\"mhz\":null",
                "\"mhz\":[1.0,2.0,1e300]",
                "clock is out of range",
            ),
            ("\"start_ms\":1.5", "\"start_ms\":1e300", "start"),
            ("\"null_ns\":0.3", "\"null_ns\":-1", "out of range"),
            ("2026-01-02T03:04:05Z", "yesterday", "no time such as"),
            (
                "2026-01-02T03:04:05Z",
                "2026-13-02T03:04:05Z",
                "no time such as",
            ),
            ("\"bytes\":16", "\"bytes\":1099511627777", "out of range"),
            ("\"threads\":1", "\"threads\":65537", "out of range"),
            ("\"calls\":100", "\"calls\":1000000000001", "counts"),
            ("\"offers\":1", "\"offers\":1099511627777", "size"),
            (
                "\"sha-256\"",
                format!("{:?}", "x".repeat(201)).as_str(),
                "longer than 200",
            ),
            (
                "\"EVP\"",
                format!("{:?}", "x".repeat(16385)).as_str(),
                "longer than 16384",
            ),
            (
                "\"one\"",
                format!("{:?}", "x".repeat(16385)).as_str(),
                "the machine",
            ),
            ("\"id\":\"openssl\"", "\"id\":\"\"", "empty"),
            ("\"calls\":100", "\"calls\":0", "counts"),
            ("[1,1,2,2]", "[1,1,2]", "one process for each sample"),
            ("\"narrow\"", "\"bored\"", "budget"),
            (
                "\"library\":\"openssl\"",
                "\"library\":\"lost\"",
                "not listed",
            ),
            ("\"threads\":1", "\"threads\":0", "out of range"),
            ("\"messages\":1", "\"messages\":0", "out of range"),
            ("\"stop\"", "\"halt\"", "damaged"),
        ] {
            let bad = good.replacen(from, to, 1);
            assert_ne!(bad, good, "{from} is not in the document");
            let error = format!("{:#}", Bundle::parse(bad.as_bytes()).unwrap_err());
            assert!(error.contains(reason), "{from}: {error}");
        }
        let counts = |passed| {
            let row = Verification {
                passed,
                failed: 1,
                ..Verification::default()
            };
            let rows = serde_json::to_string(&[row]).unwrap();
            let changed = good.replacen(
                "\"verification\":[]",
                &format!("\"verification\":{rows}"),
                1,
            );
            Bundle::parse(changed.as_bytes())
        };
        assert!(counts(u32::MAX - 1).is_ok());
        let error = counts(u32::MAX).unwrap_err().to_string();
        assert!(error.contains("counts of known answers"), "{error}");
        let cut = Bundle::parse(&good.as_bytes()[..good.len() - 3]).unwrap_err();
        assert!(cut.to_string().contains("ends in the middle"), "{cut}");
    }

    #[test]
    fn a_run_out_of_a_file_is_summarised_as_it_is() {
        let summary = Bundle::parse(document().as_bytes())
            .unwrap()
            .summary()
            .unwrap();
        assert_eq!(summary.cells.len(), 1);
        assert_eq!(summary.machine.line, "a machine");
    }
}
