//! The store: every run with its raw samples, in one SQLite file.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, anyhow};
use rusqlite::{Connection, ErrorCode, OpenFlags, OptionalExtension, Transaction, params};
use serde::{Deserialize, Serialize};
use tempfile::TempDir;
use touchstone_wire::Contract;

use crate::profile::Task;
use crate::summary::{Failure, Library, Machine, Verification};

/// The tables of a new store.
const SCHEMA: &str = include_str!("../migrations/schema.sql");

/// Migrations for older stores, in order; `user_version` is the number of migrations that
/// were applied.
const MIGRATIONS: [&str; 4] = [
    include_str!("../migrations/0001_runs.sql"),
    include_str!("../migrations/0002_messages.sql"),
    include_str!("../migrations/0003_imported.sql"),
    include_str!("../migrations/0004_processes.sql"),
];

/// The `application_id` of a store: the characters "TOUC". Older stores have 0.
const APPLICATION: i64 = 0x544f_5543;

/// The tables by which a store without `application_id` is recognised.
const TABLES: [&str; 6] = [
    "cells",
    "failures",
    "libraries",
    "runs",
    "tasks",
    "verifications",
];

/// The time to wait while another run writes to the store.
const BUSY: Duration = Duration::from_secs(20);

/// An open store.
pub struct Store {
    connection: Connection,
    path: PathBuf,
    /// A temporary copy, which is read if files cannot be created beside the store.
    _copy: Option<TempDir>,
}

/// Why a file is not a store that this lab can use; the file stays unchanged.
#[derive(Debug, thiserror::Error)]
enum Unfit {
    #[error(transparent)]
    Database(#[from] rusqlite::Error),
    #[error(
        "it is of a newer touchstone (schema {0}; this one knows up to {last}): update this \
         one, or say --store PATH",
        last = MIGRATIONS.len()
    )]
    Newer(i64),
    #[error("it is another program's database: say --store PATH")]
    Foreign,
    #[error("it is damaged ({0}): move it away, or say --store PATH")]
    Damaged(String),
}

/// The options that a resumed run must repeat.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Default)]
pub struct Plan {
    /// The values of the option `--library`, as the user gave them.
    pub libraries: Vec<String>,
    /// The values of the option `--root`, as the user gave them.
    #[serde(default)]
    pub roots: Vec<String>,
    /// The value of the option `--algorithm`, as the user gave it.
    pub algorithm: Option<String>,
    /// The values of the option `--sizes`, as the user gave them.
    pub sizes: Vec<u64>,
    /// The values of the option `--threads`, as the user gave them.
    pub threads: Vec<u32>,
    /// The values of the option `--contracts`, as the user gave them.
    #[serde(default)]
    pub contracts: Vec<String>,
    /// The values of the option `--messages`, as the user gave them.
    #[serde(default)]
    pub messages: Vec<u32>,
}

impl Plan {
    /// Returns whether the user chose cells, and not only libraries, algorithms or threads.
    pub fn chooses_cells(&self) -> bool {
        !(self.sizes.is_empty() && self.contracts.is_empty() && self.messages.is_empty())
    }

    /// Returns whether the run has all libraries and all algorithms of its profile.
    pub fn is_whole(&self) -> bool {
        *self
            == Self {
                roots: self.roots.clone(),
                ..Self::default()
            }
    }
}

/// Why the store has no such run.
#[derive(Debug, thiserror::Error)]
pub enum NoRun {
    /// No run has this number.
    #[error("no run {id} in {store}; `touchstone runs` lists the runs")]
    Number {
        /// The number.
        id: i64,
        /// The path of the store.
        store: String,
    },
    /// Every run reached its end.
    #[error("no interrupted run in {store}")]
    Interrupted {
        /// The path of the store.
        store: String,
    },
    /// The store is empty.
    #[error("no runs yet in {store}: `touchstone run` makes one")]
    AtAll {
        /// The path of the store.
        store: String,
    },
}

/// The row of a run in the store.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RunRow {
    /// The run's number in the store.
    pub id: i64,
    /// The time of the start in UTC (RFC 3339).
    pub started: String,
    /// Wall time of the run so far, in seconds.
    pub seconds: f64,
    /// Whether the run reached its end.
    pub complete: bool,
    /// The version of the lab that measured the run.
    pub lab_version: String,
    /// The command line that started the run.
    pub command: String,
    /// The profile's name.
    pub profile: String,
    /// The text of the profile.
    pub profile_text: String,
    /// The options that a resumed run repeats.
    pub plan: Plan,
    /// The relative width of intervals that the profile requires.
    pub target: f64,
    /// Nanoseconds for one pass of an empty loop.
    pub null_ns: f64,
    /// The machine on which the run was measured.
    pub machine: Machine,
    /// When and from where the run was imported; empty for a run of this machine.
    #[serde(default)]
    pub imported: String,
}

/// One measured cell, as the store has it.
#[derive(Debug, Clone, PartialEq)]
pub struct RawCell {
    /// The library's id.
    pub library: String,
    /// The task to which the cell belongs.
    pub task: Task,
    /// Number of calls in one sample.
    pub calls: u64,
    /// The reason why sampling stopped: `narrow` or `budget`.
    pub stop: &'static str,
    /// Nanoseconds of the first call: to make the object, to set the key, to process the message.
    pub first_ns: [u64; 3],
    /// The core's clock rate during the cell's rounds, in MHz.
    pub mhz: Option<f64>,
    /// Reasons to doubt the cell's numbers.
    pub flags: Vec<String>,
    /// The names of the timed library calls.
    pub api: String,
    /// The name of the kernel (the code for this CPU) in use.
    pub kernel: String,
    /// The adapter's remarks about the cell.
    pub note: String,
    /// Nanoseconds of each sample.
    pub samples: Vec<f64>,
    /// The number of the process (the worker's start) of each sample; empty if an older
    /// version did not record it.
    pub processes: Vec<u32>,
}

/// Returns the path of the user's store: `$XDG_DATA_HOME/touchstone/runs.sqlite`, or the same below
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
    /// Opens a store and brings it to the current schema. Creates the store and its
    /// folder if they do not exist.
    pub fn open(path: &Path) -> anyhow::Result<Self> {
        if let Some(folder) = path.parent().filter(|f| !f.as_os_str().is_empty()) {
            std::fs::create_dir_all(folder).with_context(|| {
                format!("making {}; --store PATH names another", folder.display())
            })?;
        }
        Self::prepare(path).map_err(|unfit| unfit.explain(path))
    }

    /// Opens a store for reading. Writes nothing, neither to the file nor to other files in its
    /// folder, unless another process has the store open. A missing file counts as an empty store.
    pub fn open_to_read(path: &Path) -> anyhow::Result<Self> {
        if !path.exists() {
            let memory = Self::prepare(Path::new(":memory:"));
            let mut store = memory.map_err(|unfit| unfit.explain(path))?;
            store.path = path.to_owned();
            return Ok(store);
        }
        Self::to_read(path).map_err(|unfit| unfit.explain(path))
    }

    fn to_read(path: &Path) -> Result<Self, Unfit> {
        let opened = || -> Result<(Connection, i64), Unfit> {
            let connection = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
            connection.busy_timeout(BUSY)?;
            let applied = schema_now(&connection)?;
            Ok((connection, applied))
        };
        match opened() {
            Ok((connection, applied)) if applied == MIGRATIONS.len() as i64 => {
                Self::checked(connection, path, None)
            }
            // The store has an older schema, or is on a disk that cannot be written to:
            // it is copied, and the copy is brought to the current schema and read.
            Ok(_) => Self::copied(path),
            Err(Unfit::Database(error)) if unreadable(&error) => Self::copied(path),
            Err(unfit) => Err(unfit),
        }
    }

    fn copied(path: &Path) -> Result<Self, Unfit> {
        let failed =
            |error: std::io::Error| rusqlite::Error::ToSqlConversionFailure(Box::new(error));
        let folder = TempDir::new().map_err(failed)?;
        let copy = folder.path().join("runs.sqlite");
        for ending in ["", "-wal"] {
            let with = |path: &Path| {
                let mut name = path.as_os_str().to_owned();
                name.push(ending);
                PathBuf::from(name)
            };
            match std::fs::read(with(path)) {
                Ok(bytes) => std::fs::write(with(&copy), bytes).map_err(failed)?,
                Err(_) if !ending.is_empty() => {}
                Err(error) => return Err(failed(error).into()),
            }
        }
        let Self { connection, .. } = Self::prepare(&copy)?;
        Self::checked(connection, path, Some(folder))
    }

    fn prepare(path: &Path) -> Result<Self, Unfit> {
        let mut connection = Connection::open(path)?;
        connection.busy_timeout(BUSY)?;
        // Checks the schema before anything is written.
        schema_now(&connection)?;
        use_wal(&connection)?;
        // With WAL and NORMAL, nothing is lost if the process is killed.
        connection.pragma_update(None, "synchronous", "NORMAL")?;
        connection.pragma_update(None, "foreign_keys", true)?;
        let transaction =
            connection.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
        let (applied, last) = (schema(&transaction)?, MIGRATIONS.len() as i64);
        if applied == 0 {
            transaction.execute_batch(SCHEMA).map_err(Unfit::damaged)?;
        } else {
            for migration in &MIGRATIONS[applied as usize..] {
                transaction
                    .execute_batch(migration)
                    .map_err(Unfit::damaged)?;
            }
        }
        if applied != last {
            transaction.pragma_update(None, "user_version", last)?;
            transaction.pragma_update(None, "application_id", APPLICATION)?;
        }
        transaction.commit()?;
        Self::checked(connection, path, None)
    }

    /// Checks that the tables have all columns that are read.
    fn checked(connection: Connection, path: &Path, copy: Option<TempDir>) -> Result<Self, Unfit> {
        for query in [RUN, DONE, CELLS, LIBRARIES, VERIFICATIONS, FAILURES] {
            connection.prepare(query).map_err(Unfit::damaged)?;
        }
        Ok(Self {
            connection,
            path: path.to_owned(),
            _copy: copy,
        })
    }

    /// Returns the store's path.
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

    /// Stores a library's facts and replaces older ones.
    pub fn save_library(&self, run: i64, library: &Library) -> anyhow::Result<()> {
        self.write(|t| {
            t.execute(
                "INSERT OR REPLACE INTO libraries (run, id, facts) VALUES (?1, ?2, ?3)",
                params![run, library.id, json(library)],
            )
            .map(drop)
        })
    }

    /// Stores the results of verification for one library, completely or not at all.
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

    /// Removes the results of verification, for a run that repeats it.
    pub fn clear_verification(&self, run: i64) -> anyhow::Result<()> {
        self.write(|t| {
            t.execute("DELETE FROM verifications WHERE run = ?1", [run])?;
            t.execute("DELETE FROM failures WHERE run = ?1", [run])
                .map(drop)
        })
    }

    /// Stores a task's cells and marks the task as done, completely or not at all.
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
                let processes: Vec<u8> = cell
                    .processes
                    .iter()
                    .flat_map(|number| number.to_le_bytes())
                    .collect();
                t.execute(
                    "INSERT OR REPLACE INTO cells
                     (run, library, primitive, operation, contract, bytes, threads, calls, stop,
                      open_ns, key_ns, first_ns, mhz, flags, api, kernel, note, samples,
                      messages, processes)
                     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15,
                             ?16, ?17, ?18, ?19, ?20)",
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
                        processes,
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

    /// Adds to a run's wall time, and records whether the run is complete.
    pub fn progress(&self, run: i64, seconds: f64, complete: bool) -> anyhow::Result<()> {
        self.write(|t| {
            t.execute(
                "UPDATE runs SET seconds = seconds + ?2, complete = ?3 WHERE id = ?1",
                params![run, seconds, complete],
            )
            .map(drop)
        })
    }

    /// Returns all runs, the oldest first.
    pub fn runs(&self) -> anyhow::Result<Vec<RunRow>> {
        self.read(|c| {
            let mut query = c.prepare(&format!("{RUN} ORDER BY id"))?;
            query.query_map((), run_row)?.collect()
        })
    }

    /// Returns one run: the run with this number, or the newest run that meets the condition.
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
        found.ok_or_else(|| {
            let store = self.path.display().to_string();
            match (id, only_incomplete) {
                (Some(id), _) => NoRun::Number { id, store },
                (None, true) => NoRun::Interrupted { store },
                (None, false) => NoRun::AtAll { store },
            }
            .into()
        })
    }

    /// Returns the newest run over all libraries and algorithms, if there is one.
    pub fn newest_whole(&self) -> anyhow::Result<Option<RunRow>> {
        Ok(self.runs()?.into_iter().rfind(|run| run.plan.is_whole()))
    }

    /// Removes a run and everything that belongs to it.
    pub fn remove(&self, run: i64) -> anyhow::Result<()> {
        self.write(|t| t.execute("DELETE FROM runs WHERE id = ?1", [run]).map(drop))
    }

    /// Returns the libraries of a run, in id order.
    pub fn libraries(&self, run: i64) -> anyhow::Result<Vec<Library>> {
        self.facts(LIBRARIES, run)
    }

    /// Returns the verification rows of a run.
    pub fn verifications(&self, run: i64) -> anyhow::Result<Vec<Verification>> {
        self.facts(VERIFICATIONS, run)
    }

    /// Returns the failures of a run, in the order in which they occurred.
    pub fn failures(&self, run: i64) -> anyhow::Result<Vec<Failure>> {
        self.facts(FAILURES, run)
    }

    /// Returns the tasks of a run that are done.
    pub fn done(&self, run: i64) -> anyhow::Result<std::collections::HashSet<Task>> {
        self.read(|c| {
            let mut query = c.prepare(DONE)?;
            query.query_map([run], task)?.collect()
        })
    }

    /// Returns the cells of a run, sorted by task, because a run does not measure its tasks in
    /// order; the cells of a task are in the order in which they were stored.
    pub fn cells(&self, run: i64) -> anyhow::Result<Vec<RawCell>> {
        let mut cells: Vec<RawCell> = self.read(|c| {
            let mut query = c.prepare(CELLS)?;
            query
                .query_map([run], |row| {
                    let samples: Vec<u8> = row.get(17)?;
                    let processes: Vec<u8> = row.get(18)?;
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
                        processes: processes
                            .as_chunks::<4>()
                            .0
                            .iter()
                            .map(|bytes| u32::from_le_bytes(*bytes))
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

const DONE: &str = "SELECT primitive, operation, contract, bytes, threads, messages
                    FROM tasks WHERE run = ?1";
const CELLS: &str =
    "SELECT primitive, operation, contract, bytes, threads, messages, library, calls, stop,
            open_ns, key_ns, first_ns, mhz, flags, api, kernel, note, samples,
            processes
     FROM cells WHERE run = ?1 ORDER BY id";
const LIBRARIES: &str = "SELECT facts FROM libraries WHERE run = ?1 ORDER BY id";
const VERIFICATIONS: &str = "SELECT facts FROM verifications WHERE run = ?1
                             ORDER BY primitive, operation, library";
const FAILURES: &str = "SELECT facts FROM failures WHERE run = ?1 ORDER BY id";

/// Switches the store to a write-ahead log. `busy_timeout` does not cover this step: if another
/// process makes the same switch, SQLite reports at once that the database is locked. So the
/// switch is tried again until [`BUSY`] has passed.
fn use_wal(connection: &Connection) -> rusqlite::Result<()> {
    let begun = Instant::now();
    loop {
        let result = connection.pragma_update(None, "journal_mode", "WAL");
        let busy = result
            .as_ref()
            .is_err_and(|error| error.sqlite_error_code() == Some(ErrorCode::DatabaseBusy));
        if !busy || begun.elapsed() >= BUSY {
            return result;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// [`schema`] in a transaction of its own. Another process can make the tables at any time, and
/// `schema` must not see the old version number beside the new tables.
fn schema_now(connection: &Connection) -> Result<i64, Unfit> {
    schema(&*connection.unchecked_transaction()?)
}

/// Returns the number of migrations that a database has had; 0 for an empty one. The caller keeps a
/// transaction open.
fn schema(connection: &Connection) -> Result<i64, Unfit> {
    let number = |pragma: &str| connection.query_row(pragma, (), |row| row.get::<_, i64>(0));
    let [applied, application] = [
        number("PRAGMA user_version")?,
        number("PRAGMA application_id")?,
    ];
    let mut query =
        connection.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")?;
    let tables: Vec<String> = query
        .query_map((), |row| row.get(0))?
        .collect::<rusqlite::Result<_>>()?;
    let known = |applied: i64| {
        if applied > MIGRATIONS.len() as i64 {
            Err(Unfit::Newer(applied))
        } else {
            Ok(applied)
        }
    };
    let ours = TABLES
        .iter()
        .all(|ours| tables.iter().any(|table| table == ours));
    match (application, applied) {
        (0, 0) if tables.is_empty() => Ok(0),
        (APPLICATION, 1..) => known(applied),
        (0, 1..) if ours => known(applied),
        _ => Err(Unfit::Foreign),
    }
}

/// Returns whether reading failed because something is not allowed here, such as creating files
/// beside the store.
fn unreadable(error: &rusqlite::Error) -> bool {
    matches!(
        error.sqlite_error_code(),
        Some(ErrorCode::CannotOpen | ErrorCode::ReadOnly | ErrorCode::PermissionDenied)
    )
}

impl Unfit {
    /// Makes the error for a damaged store from SQLite's reason, without the statement that
    /// failed.
    fn damaged(error: rusqlite::Error) -> Self {
        Self::Damaged(match error {
            rusqlite::Error::SqlInputError { msg, .. } => msg,
            other => other.to_string(),
        })
    }

    fn explain(self, path: &Path) -> anyhow::Error {
        match self {
            Self::Database(error) => explain(error, path),
            other => anyhow!("{}: {other}", path.display()),
        }
    }
}

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

/// Makes an error of SQLite readable: adds the path, and what the user can do.
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

    #[test]
    fn many_processes_may_make_the_same_store() {
        for _ in 0..20 {
            let folder = TempDir::new().unwrap();
            let path = folder.path().join("runs.sqlite");
            let openers: Vec<_> = (0..8)
                .map(|_| {
                    let path = path.clone();
                    std::thread::spawn(move || Store::open(&path).map(drop))
                })
                .collect();
            for opener in openers {
                opener.join().unwrap().unwrap();
            }
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
            processes: vec![1, 2],
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

    /// Returns the columns of each table, in no particular order.
    fn columns(connection: &Connection) -> Vec<String> {
        let mut columns = Vec::new();
        for table in TABLES {
            let mut query = connection
                .prepare(&format!("PRAGMA table_info({table})"))
                .unwrap();
            let rows = query.query_map((), |row| {
                Ok(format!(
                    "{table}.{} {} {} {:?} {}",
                    row.get::<_, String>(1)?,
                    row.get::<_, String>(2)?,
                    row.get::<_, bool>(3)?,
                    row.get::<_, Option<String>>(4)?,
                    row.get::<_, i64>(5)?,
                ))
            });
            columns.extend(rows.unwrap().map(Result::unwrap));
        }
        columns.sort();
        columns
    }

    /// Makes a store as the first release made it.
    fn first(path: &Path) {
        let connection = Connection::open(path).unwrap();
        connection.execute_batch(MIGRATIONS[0]).unwrap();
        connection.pragma_update(None, "user_version", 1).unwrap();
    }

    #[test]
    fn an_older_store_becomes_what_a_new_one_is() {
        let folder = tempfile::tempdir().unwrap();
        let old = folder.path().join("old.sqlite");
        first(&old);
        let before = std::fs::read(&old).unwrap();
        let read = Store::open_to_read(&old).unwrap();
        assert!(read.runs().unwrap().is_empty());
        assert_eq!(std::fs::read(&old).unwrap(), before, "reading wrote");
        let old = Store::open(&old).unwrap();
        let new = Store::open(&folder.path().join("new.sqlite")).unwrap();
        assert_eq!(columns(&old.connection), columns(&new.connection));
        for store in [&read, &old, &new] {
            assert_eq!(schema(&store.connection).unwrap(), MIGRATIONS.len() as i64);
        }
    }

    #[test]
    fn reading_makes_no_store() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("none/runs.sqlite");
        let store = Store::open_to_read(&path).unwrap();
        let error = store.run(None, false).unwrap_err().to_string();
        assert!(
            error.contains("no runs yet") && error.contains("none/runs"),
            "{error}"
        );
        assert!(!path.parent().unwrap().exists());
    }

    #[test]
    fn what_is_no_store_of_ours_is_told_in_a_line_and_left_as_it_was() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("runs.sqlite");
        for (sql, reason) in [
            ("CREATE TABLE mail (id INTEGER)", "another program's"),
            (
                "CREATE TABLE runs (id INTEGER); PRAGMA user_version = 3",
                "another program's",
            ),
            ("PRAGMA application_id = 7", "another program's"),
            ("PRAGMA user_version = 99", "newer touchstone (schema 99"),
            (
                "ALTER TABLE cells RENAME COLUMN calls TO called",
                "damaged (no such column: calls",
            ),
            ("DROP TABLE tasks", "damaged (no such table: tasks"),
        ] {
            for suffix in ["", "-wal", "-shm"] {
                let mut name = path.as_os_str().to_owned();
                name.push(suffix);
                let _ = std::fs::remove_file(name);
            }
            if sql.starts_with("CREATE") || sql.contains("= 7") {
                Connection::open(&path).unwrap().execute_batch(sql).unwrap();
            } else {
                drop(Store::open(&path).unwrap());
                let connection = Connection::open(&path).unwrap();
                connection.execute_batch(sql).unwrap();
            }
            let before = std::fs::read(&path).unwrap();
            for open in [Store::open, Store::open_to_read] {
                let error = format!("{:#}", open(&path).err().unwrap());
                assert!(error.contains(reason), "{sql}: {error}");
                assert_eq!(error.lines().count(), 1, "{error}");
            }
            assert_eq!(std::fs::read(&path).unwrap(), before, "{sql}");
        }
    }
}
