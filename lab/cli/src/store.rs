//! The store: every run with its raw samples, in one SQLite file.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, anyhow};
use rusqlite::{Connection, ErrorCode, OptionalExtension, Transaction, params};
use serde::{Deserialize, Serialize};
use touchstone_wire::Contract;

use crate::profile::Task;
use crate::summary::{Failure, Library, Machine, Verification};

/// Migrations in order; `user_version` counts those that were applied.
const MIGRATIONS: [&str; 3] = [
    include_str!("../migrations/0001_runs.sql"),
    include_str!("../migrations/0002_messages.sql"),
    include_str!("../migrations/0003_imported.sql"),
];

/// Time to wait for another run's write.
const BUSY: Duration = Duration::from_secs(20);

/// An open store.
pub struct Store {
    connection: Connection,
    path: PathBuf,
}

/// What a resumption must repeat.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Default)]
pub struct Plan {
    /// `--library` as given.
    pub libraries: Vec<String>,
    /// `--root` as given.
    #[serde(default)]
    pub roots: Vec<String>,
    /// `--algorithm` as given.
    pub algorithm: Option<String>,
    /// `--sizes` as given.
    pub sizes: Vec<u64>,
    /// `--threads` as given.
    pub threads: Vec<u32>,
    /// `--contracts` as given.
    #[serde(default)]
    pub contracts: Vec<String>,
    /// `--messages` as given.
    #[serde(default)]
    pub messages: Vec<u32>,
}

/// A run's row.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RunRow {
    /// Number in the store.
    pub id: i64,
    /// RFC 3339, UTC.
    pub started: String,
    /// Wall time so far.
    pub seconds: f64,
    /// Whether it came to its end.
    pub complete: bool,
    /// Version of the lab.
    pub lab_version: String,
    /// The command line.
    pub command: String,
    /// Profile name.
    pub profile: String,
    /// The profile's text.
    pub profile_text: String,
    /// What a resumption repeats.
    pub plan: Plan,
    /// Interval width asked for.
    pub target: f64,
    /// Empty loop, nanoseconds per call.
    pub null_ns: f64,
    /// The machine.
    pub machine: Machine,
    /// When and from where it was imported; empty for a run of this machine.
    #[serde(default)]
    pub imported: String,
}

/// One measured cell as stored.
#[derive(Debug, Clone, PartialEq)]
pub struct RawCell {
    /// Library id.
    pub library: String,
    /// What was asked of it.
    pub task: Task,
    /// Calls in one sample.
    pub calls: u64,
    /// `narrow` or `budget`.
    pub stop: &'static str,
    /// First-call costs: object, key, message.
    pub first_ns: [u64; 3],
    /// Core clock around the cell.
    pub mhz: Option<f64>,
    /// What makes it suspect.
    pub flags: Vec<String>,
    /// The timed calls.
    pub api: String,
    /// The kernel in use.
    pub kernel: String,
    /// The adapter's remarks.
    pub note: String,
    /// Nanoseconds of each sample.
    pub samples: Vec<f64>,
}

/// The user's store: `$XDG_DATA_HOME/touchstone/runs.sqlite`, or below
/// `~/.local/share`.
pub fn default_path() -> anyhow::Result<PathBuf> {
    let data = std::env::var_os("XDG_DATA_HOME")
        .map(PathBuf::from)
        .filter(|path| path.is_absolute())
        .or_else(|| {
            let home = PathBuf::from(std::env::var_os("HOME")?);
            home.is_absolute().then(|| home.join(".local/share"))
        })
        .context("neither XDG_DATA_HOME nor HOME names a folder: say --store PATH")?;
    Ok(data.join("touchstone").join("runs.sqlite"))
}

impl Store {
    /// Opens a store, making it and its folder where they are not there, and
    /// brings it to the current schema.
    pub fn open(path: &Path) -> anyhow::Result<Self> {
        if let Some(folder) = path.parent().filter(|f| !f.as_os_str().is_empty()) {
            std::fs::create_dir_all(folder).with_context(|| {
                format!("making {}; --store PATH names another", folder.display())
            })?;
        }
        Self::prepare(path).map_err(|error| explain(error, path))
    }

    fn prepare(path: &Path) -> rusqlite::Result<Self> {
        let mut connection = Connection::open(path)?;
        connection.busy_timeout(BUSY)?;
        connection.pragma_update(None, "journal_mode", "WAL")?;
        // WAL with NORMAL loses nothing when the process is killed.
        connection.pragma_update(None, "synchronous", "NORMAL")?;
        connection.pragma_update(None, "foreign_keys", true)?;
        let transaction =
            connection.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
        let applied: usize =
            transaction.query_row("PRAGMA user_version", (), |row| row.get::<_, i64>(0))? as usize;
        for (index, migration) in MIGRATIONS.iter().enumerate().skip(applied) {
            transaction.execute_batch(migration)?;
            transaction.pragma_update(None, "user_version", index as i64 + 1)?;
        }
        transaction.commit()?;
        Ok(Self {
            connection,
            path: path.to_owned(),
        })
    }

    /// Where the store is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Adds a run; `row.id` is ignored. Returns its number.
    pub fn begin(&self, row: &RunRow) -> anyhow::Result<i64> {
        self.write(|t| {
            t.execute(
                "INSERT INTO runs (started, lab_version, command, profile, profile_text, plan,
                                   target, null_ns, machine, imported)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
                params![
                    row.started,
                    row.lab_version,
                    row.command,
                    row.profile,
                    row.profile_text,
                    json(&row.plan),
                    row.target,
                    row.null_ns,
                    json(&row.machine),
                    row.imported,
                ],
            )?;
            Ok(t.last_insert_rowid())
        })
    }

    /// Notes a library's facts, replacing older ones.
    pub fn save_library(&self, run: i64, library: &Library) -> anyhow::Result<()> {
        self.write(|t| {
            t.execute(
                "INSERT OR REPLACE INTO libraries (run, id, facts) VALUES (?1, ?2, ?3)",
                params![run, library.id, json(library)],
            )
            .map(drop)
        })
    }

    /// Notes what verification found of one library, all or nothing.
    pub fn save_verification(
        &self,
        run: i64,
        rows: &[Verification],
        failures: &[Failure],
    ) -> anyhow::Result<()> {
        self.write(|t| {
            for row in rows {
                t.execute(
                    "INSERT OR REPLACE INTO verifications
                     (run, library, primitive, operation, facts) VALUES (?1, ?2, ?3, ?4, ?5)",
                    params![run, row.library, row.primitive, row.operation, json(row)],
                )?;
            }
            insert_failures(t, run, failures)
        })
    }

    /// Forgets what verification found, for a run that starts over with it.
    pub fn clear_verification(&self, run: i64) -> anyhow::Result<()> {
        self.write(|t| {
            t.execute("DELETE FROM verifications WHERE run = ?1", [run])?;
            t.execute("DELETE FROM failures WHERE run = ?1", [run])
                .map(drop)
        })
    }

    /// Stores a task's cells and marks it done, all or nothing.
    pub fn save_task(
        &self,
        run: i64,
        task: &Task,
        cells: &[RawCell],
        failures: &[Failure],
    ) -> anyhow::Result<()> {
        self.write(|t| {
            for cell in cells {
                let samples: Vec<u8> = cell
                    .samples
                    .iter()
                    .flat_map(|ns| ns.to_le_bytes())
                    .collect();
                t.execute(
                    "INSERT OR REPLACE INTO cells
                     (run, library, primitive, operation, contract, bytes, threads, calls, stop,
                      open_ns, key_ns, first_ns, mhz, flags, api, kernel, note, samples,
                      messages)
                     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15,
                             ?16, ?17, ?18, ?19)",
                    params![
                        run,
                        cell.library,
                        task.primitive,
                        task.operation,
                        task.contract.name(),
                        task.bytes as i64,
                        task.threads,
                        cell.calls as i64,
                        cell.stop,
                        cell.first_ns[0] as i64,
                        cell.first_ns[1] as i64,
                        cell.first_ns[2] as i64,
                        cell.mhz,
                        json(&cell.flags),
                        cell.api,
                        cell.kernel,
                        cell.note,
                        samples,
                        task.messages,
                    ],
                )?;
            }
            t.execute(
                "INSERT OR REPLACE INTO tasks
                 (run, primitive, operation, contract, bytes, threads, messages)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
                params![
                    run,
                    task.primitive,
                    task.operation,
                    task.contract.name(),
                    task.bytes as i64,
                    task.threads,
                    task.messages
                ],
            )?;
            insert_failures(t, run, failures)
        })
    }

    /// Adds to a run's wall time, and says whether it is now complete.
    pub fn progress(&self, run: i64, seconds: f64, complete: bool) -> anyhow::Result<()> {
        self.write(|t| {
            t.execute(
                "UPDATE runs SET seconds = seconds + ?2, complete = ?3 WHERE id = ?1",
                params![run, seconds, complete],
            )
            .map(drop)
        })
    }

    /// Every run, oldest first.
    pub fn runs(&self) -> anyhow::Result<Vec<RunRow>> {
        self.read(|c| {
            let mut query = c.prepare(&format!("{RUN} ORDER BY id"))?;
            query.query_map((), run_row)?.collect()
        })
    }

    /// One run: by number, or the newest that satisfies the condition.
    pub fn run(&self, id: Option<i64>, only_incomplete: bool) -> anyhow::Result<RunRow> {
        let found = self.read(|c| match id {
            Some(id) => c
                .query_row(&format!("{RUN} WHERE id = ?1"), [id], run_row)
                .optional(),
            None => c
                .query_row(
                    &format!(
                        "{RUN} WHERE (complete = 0 AND imported = '') OR NOT ?1 \
                         ORDER BY id DESC LIMIT 1"
                    ),
                    [only_incomplete],
                    run_row,
                )
                .optional(),
        })?;
        found.ok_or_else(|| match (id, only_incomplete) {
            (Some(id), _) => anyhow!(
                "no run {id} in {}; see `touchstone runs`",
                self.path.display()
            ),
            (None, true) => anyhow!("no interrupted run in {}", self.path.display()),
            (None, false) => anyhow!(
                "no runs yet in {}: `touchstone run` makes one",
                self.path.display()
            ),
        })
    }

    /// Removes a run and all that belongs to it.
    pub fn remove(&self, run: i64) -> anyhow::Result<()> {
        self.write(|t| t.execute("DELETE FROM runs WHERE id = ?1", [run]).map(drop))
    }

    /// The libraries of a run, in id order.
    pub fn libraries(&self, run: i64) -> anyhow::Result<Vec<Library>> {
        self.facts(
            "SELECT facts FROM libraries WHERE run = ?1 ORDER BY id",
            run,
        )
    }

    /// The verification rows of a run.
    pub fn verifications(&self, run: i64) -> anyhow::Result<Vec<Verification>> {
        self.facts(
            "SELECT facts FROM verifications WHERE run = ?1 ORDER BY primitive, operation, library",
            run,
        )
    }

    /// The failures of a run, in the order in which they were met.
    pub fn failures(&self, run: i64) -> anyhow::Result<Vec<Failure>> {
        self.facts("SELECT facts FROM failures WHERE run = ?1 ORDER BY id", run)
    }

    /// The tasks of a run that are done.
    pub fn done(&self, run: i64) -> anyhow::Result<std::collections::HashSet<Task>> {
        self.read(|c| {
            let mut query = c.prepare(
                "SELECT primitive, operation, contract, bytes, threads, messages
                 FROM tasks WHERE run = ?1",
            )?;
            query.query_map([run], task)?.collect()
        })
    }

    /// The cells of a run by task, for a run measures its tasks in no order; within a
    /// task as they were stored.
    pub fn cells(&self, run: i64) -> anyhow::Result<Vec<RawCell>> {
        let mut cells: Vec<RawCell> = self.read(|c| {
            let mut query = c.prepare(
                "SELECT primitive, operation, contract, bytes, threads, messages, library, calls,
                        stop, open_ns, key_ns, first_ns, mhz, flags, api, kernel, note, samples
                 FROM cells WHERE run = ?1 ORDER BY id",
            )?;
            query
                .query_map([run], |row| {
                    let samples: Vec<u8> = row.get(17)?;
                    let stop: String = row.get(8)?;
                    Ok(RawCell {
                        task: task(row)?,
                        library: row.get(6)?,
                        calls: row.get::<_, i64>(7)? as u64,
                        stop: if stop == "narrow" { "narrow" } else { "budget" },
                        first_ns: [
                            row.get::<_, i64>(9)? as u64,
                            row.get::<_, i64>(10)? as u64,
                            row.get::<_, i64>(11)? as u64,
                        ],
                        mhz: row.get(12)?,
                        flags: parsed(13, &row.get::<_, String>(13)?)?,
                        api: row.get(14)?,
                        kernel: row.get(15)?,
                        note: row.get(16)?,
                        samples: samples
                            .as_chunks::<8>()
                            .0
                            .iter()
                            .map(|bytes| f64::from_le_bytes(*bytes))
                            .collect(),
                    })
                })?
                .collect()
        })?;
        cells.sort_by(|a, b| a.task.cmp(&b.task));
        Ok(cells)
    }

    fn facts<T: serde::de::DeserializeOwned>(&self, sql: &str, run: i64) -> anyhow::Result<Vec<T>> {
        self.read(|c| {
            let mut query = c.prepare(sql)?;
            query
                .query_map([run], |row| parsed(0, &row.get::<_, String>(0)?))?
                .collect()
        })
    }

    fn read<T>(&self, f: impl FnOnce(&Connection) -> rusqlite::Result<T>) -> anyhow::Result<T> {
        f(&self.connection).map_err(|error| explain(error, &self.path))
    }

    fn write<T>(
        &self,
        f: impl FnOnce(&Transaction<'_>) -> rusqlite::Result<T>,
    ) -> anyhow::Result<T> {
        let result =
            Transaction::new_unchecked(&self.connection, rusqlite::TransactionBehavior::Immediate)
                .and_then(|transaction| {
                    let value = f(&transaction)?;
                    transaction.commit()?;
                    Ok(value)
                });
        result.map_err(|error| explain(error, &self.path))
    }
}

const RUN: &str = "SELECT id, started, seconds, complete, lab_version, command, profile,
                   profile_text, plan, target, null_ns, machine, imported FROM runs";

fn run_row(row: &rusqlite::Row<'_>) -> rusqlite::Result<RunRow> {
    Ok(RunRow {
        id: row.get(0)?,
        started: row.get(1)?,
        seconds: row.get(2)?,
        complete: row.get(3)?,
        lab_version: row.get(4)?,
        command: row.get(5)?,
        profile: row.get(6)?,
        profile_text: row.get(7)?,
        plan: parsed(8, &row.get::<_, String>(8)?)?,
        target: row.get(9)?,
        null_ns: row.get(10)?,
        machine: parsed(11, &row.get::<_, String>(11)?)?,
        imported: row.get(12)?,
    })
}

fn task(row: &rusqlite::Row<'_>) -> rusqlite::Result<Task> {
    let contract: String = row.get(2)?;
    Ok(Task {
        primitive: row.get(0)?,
        operation: row.get(1)?,
        contract: contract.parse().unwrap_or(Contract::Hot),
        bytes: row.get::<_, i64>(3)? as u64,
        threads: row.get(4)?,
        messages: row.get(5)?,
    })
}

fn insert_failures(t: &Transaction<'_>, run: i64, failures: &[Failure]) -> rusqlite::Result<()> {
    for failure in failures {
        t.execute(
            "INSERT INTO failures (run, facts) VALUES (?1, ?2)",
            params![run, json(failure)],
        )?;
    }
    Ok(())
}

fn json<T: Serialize>(value: &T) -> String {
    serde_json::to_string(value).expect("plain data always serialises")
}

fn parsed<T: serde::de::DeserializeOwned>(column: usize, text: &str) -> rusqlite::Result<T> {
    serde_json::from_str(text).map_err(|error| {
        rusqlite::Error::FromSqlConversionFailure(
            column,
            rusqlite::types::Type::Text,
            Box::new(error),
        )
    })
}

/// An SQLite error in words that say what to do.
fn explain(error: rusqlite::Error, path: &Path) -> anyhow::Error {
    let path = path.display();
    let advice = match error.sqlite_error_code() {
        Some(ErrorCode::DiskFull) => {
            format!(
                "no space left for the store {path}: free some, or say --store PATH; what was finished is kept, and --resume goes on from there"
            )
        }
        Some(ErrorCode::NotADatabase | ErrorCode::DatabaseCorrupt) => {
            format!("{path} is damaged or not a store: move it away, or say --store PATH")
        }
        Some(ErrorCode::ReadOnly | ErrorCode::CannotOpen | ErrorCode::PermissionDenied) => {
            format!("cannot write the store {path}: say --store PATH")
        }
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => {
            format!(
                "another program has held the store {path} for {} s",
                BUSY.as_secs()
            )
        }
        _ => format!("the store {path}"),
    };
    anyhow::Error::new(error).context(advice)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row() -> RunRow {
        RunRow {
            id: 0,
            started: "2026-01-02T03:04:05Z".into(),
            seconds: 0.0,
            complete: false,
            lab_version: "0".into(),
            command: "touchstone run".into(),
            profile: "quick".into(),
            profile_text: String::new(),
            plan: Plan::default(),
            target: 0.05,
            null_ns: 0.5,
            machine: Machine {
                line: "a machine".into(),
                facts: vec![("cpu".into(), "one".into())],
                mhz: None,
            },
            imported: String::new(),
        }
    }

    fn cell() -> RawCell {
        RawCell {
            library: "openssl".into(),
            task: Task {
                primitive: "sha-256".into(),
                operation: "hash".into(),
                contract: Contract::Hot,
                bytes: 16,
                threads: 1,
                messages: 1,
            },
            calls: 100,
            stop: "narrow",
            first_ns: [1, 2, 3],
            mhz: Some(2995.5),
            flags: vec!["clock moved".into()],
            api: "EVP".into(),
            kernel: String::new(),
            note: String::new(),
            samples: vec![51234.0, 51200.5],
        }
    }

    #[test]
    fn what_is_stored_comes_back() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("deep/runs.sqlite");
        let id = {
            let store = Store::open(&path).unwrap();
            let id = store.begin(&row()).unwrap();
            store.save_task(id, &cell().task, &[cell()], &[]).unwrap();
            id
        };
        let store = Store::open(&path).unwrap();
        assert_eq!(store.cells(id).unwrap(), [cell()]);
        assert!(store.done(id).unwrap().contains(&cell().task));
        assert_eq!(store.run(None, true).unwrap().id, id);
        store.progress(id, 2.5, true).unwrap();
        assert!(store.run(None, true).is_err(), "no run is left to resume");
        assert_eq!(store.run(Some(id), false).unwrap().seconds, 2.5);
        let mut many = cell();
        many.task.contract = Contract::Many;
        for messages in [16, 64] {
            many.task.messages = messages;
            store
                .save_task(id, &many.task, std::slice::from_ref(&many), &[])
                .unwrap();
        }
        assert_eq!(store.cells(id).unwrap().len(), 3);
        assert_eq!(store.cells(id).unwrap()[2], many);
        store.remove(id).unwrap();
        assert!(store.cells(id).unwrap().is_empty());
    }

    #[test]
    fn a_damaged_store_is_explained() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("runs.sqlite");
        std::fs::write(&path, [b'x'; 4096]).unwrap();
        let error = Store::open(&path).err().unwrap().to_string();
        assert!(error.contains("damaged or not a store"), "{error}");
    }
}
