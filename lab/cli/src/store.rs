//! The store: every run with its raw samples, in an SQLite file or in PostgreSQL.
//!
//! The statements are here, once; `database` is what they need of a database. The raw samples of
//! a run can be in the run's archive ([`crate::archive`]), from which [`Store::cells`] reads them.

pub mod address;
mod database;
mod files;
mod import;
mod points;
#[cfg(feature = "postgres")]
mod postgres;
mod rows;
mod schema;
mod sqlite;

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::{Path, PathBuf};

use anyhow::Context;

use crate::archive;
use crate::identity;
use crate::profile::Task;
use crate::summary::{Failure, Library, Verification};

use address::postgres_address;
use database::{Database, Row, Value, insert, values};
use rows::{cell, json, parsed, run_row, task};
use schema::{CELLS, DONE, FAILURES, LIBRARIES, RUN, VERIFICATIONS};
use sqlite::Sqlite;

pub use crate::stored::{Cells, Imported, NoRun, Plan, RawCell, Reading, RunRow, Start, Whole};

/// The columns of a cell that are no part of its identity.
const VALUES: [&str; 12] = [
    "calls",
    "stop",
    "open_ns",
    "key_ns",
    "first_ns",
    "mhz",
    "flags",
    "api",
    "kernel",
    "note",
    "samples",
    "processes",
];

/// An open store.
pub struct Store {
    database: Box<dyn Database>,
    folder: PathBuf,
    /// The numbers of the series of each machine, which never change.
    series: RefCell<HashMap<String, rows::Series>>,
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
    /// Opens a store and brings it to the current schema. Creates the file and its folder, or
    /// the tables, if they do not exist.
    pub fn open(store: &Path) -> anyhow::Result<Self> {
        let own = Self {
            database: match postgres_address(store) {
                Some(address) => open_postgres(address, true)?,
                None => Box::new(Sqlite::open(store)?),
            },
            folder: folder(store)?,
            series: RefCell::default(),
        };
        own.name_old_runs()?;
        Ok(own)
    }

    /// Opens a store for reading. Writes nothing. A missing file and a database without tables
    /// count as an empty store.
    pub fn open_to_read(store: &Path) -> anyhow::Result<Self> {
        let database = match postgres_address(store) {
            Some(address) => open_postgres(address, false)?,
            None if !store.exists() => Box::new(Sqlite::empty(&store.display().to_string())?),
            None => Box::new(Sqlite::open_to_read(store)?),
        };
        Ok(Self {
            database,
            folder: folder(store)?,
            series: RefCell::default(),
        })
    }

    /// Returns the store's name for people, without a password.
    pub fn name(&self) -> &str {
        self.database.name()
    }

    /// Returns the folder in which reports are put: beside the file, or in the user's data.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Adds a run; `row.id` is ignored, and a run without an id of its own gets one. Returns its
    /// number.
    pub fn begin(&self, row: &RunRow) -> anyhow::Result<i64> {
        let uid = match row.uid.as_str() {
            "" => identity::new(),
            known => known.to_owned(),
        };
        let id = self.write(|| self.add(row, &uid))?;
        id.with_context(|| format!("a run with the id {uid} is in {} already", self.name()))
    }

    /// Adds a run's row, and returns its number; `None` if the run is there already.
    fn add(&self, row: &RunRow, uid: &str) -> anyhow::Result<Option<i64>> {
        let mut id = None;
        self.database.query(
            "INSERT INTO runs (started, lab_version, command, profile, profile_text, plan,
                               target, null_ns, machine, imported, uid)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
             ON CONFLICT (uid) WHERE uid <> '' DO NOTHING RETURNING id",
            &values![
                row.started.as_str(),
                row.lab_version.as_str(),
                row.command.as_str(),
                row.profile.as_str(),
                row.profile_text.as_str(),
                json(&row.plan),
                row.target,
                row.null_ns,
                json(&row.machine),
                row.imported.as_str(),
                uid,
            ],
            &mut |row| {
                id = Some(row.int(0)?);
                Ok(())
            },
        )?;
        Ok(id)
    }

    /// Stores a library's facts and replaces older ones.
    pub fn save_library(&self, run: i64, library: &Library) -> anyhow::Result<()> {
        self.write(|| self.put_library(run, library))
    }

    fn put_library(&self, run: i64, library: &Library) -> anyhow::Result<()> {
        self.database.execute(
            "INSERT INTO libraries (run, id, facts) VALUES ($1, $2, $3)
             ON CONFLICT (run, id) DO UPDATE SET facts = excluded.facts",
            &values![run, library.id.as_str(), json(library)],
        )?;
        Ok(())
    }

    /// Stores the results of verification for one library, completely or not at all.
    pub fn save_verification(
        &self,
        run: i64,
        rows: &[Verification],
        failures: &[Failure],
    ) -> anyhow::Result<()> {
        self.write(|| {
            self.put_verification(run, rows)?;
            self.put_failures(run, failures)
        })
    }

    fn put_verification(&self, run: i64, rows: &[Verification]) -> anyhow::Result<()> {
        // A statement may change a row once only.
        let rows: BTreeMap<_, _> = rows
            .iter()
            .map(|row| ((&row.library, &row.primitive, &row.operation), row))
            .collect();
        let rows: Vec<Vec<Value>> = rows
            .into_values()
            .map(|row| {
                values![
                    run,
                    row.library.as_str(),
                    row.primitive.as_str(),
                    row.operation.as_str(),
                    json(row)
                ]
                .into()
            })
            .collect();
        insert(
            &*self.database,
            "verifications (run, library, primitive, operation, facts)",
            &rows,
            "ON CONFLICT (run, library, primitive, operation) DO UPDATE SET facts = excluded.facts",
        )?;
        Ok(())
    }

    fn put_failures(&self, run: i64, failures: &[Failure]) -> anyhow::Result<()> {
        let rows: Vec<Vec<Value>> = failures
            .iter()
            .map(|failure| values![run, json(failure)].into())
            .collect();
        insert(&*self.database, "failures (run, facts)", &rows, "")?;
        Ok(())
    }

    /// Removes the results of verification, for a run that repeats it.
    pub fn clear_verification(&self, run: i64) -> anyhow::Result<()> {
        self.write(|| {
            for sql in [
                "DELETE FROM verifications WHERE run = $1",
                "DELETE FROM failures WHERE run = $1",
            ] {
                self.database.execute(sql, &values![run])?;
            }
            Ok(())
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
        self.write(|| {
            self.put_task(run, task, cells)?;
            self.put_failures(run, failures)
        })
    }

    fn put_task(&self, run: i64, task: &Task, cells: &[RawCell]) -> anyhow::Result<()> {
        let rows: Vec<Vec<Value>> = cells
            .iter()
            .map(|cell| {
                values![
                    run,
                    cell.library.as_str(),
                    task.primitive.as_str(),
                    task.operation.as_str(),
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
                    cell.api.as_str(),
                    cell.kernel.as_str(),
                    cell.note.as_str(),
                    cell.samples
                        .iter()
                        .flat_map(|ns| ns.to_le_bytes())
                        .collect::<Vec<u8>>(),
                    task.messages,
                    cell.processes
                        .iter()
                        .flat_map(|number| number.to_le_bytes())
                        .collect::<Vec<u8>>(),
                ]
                .into()
            })
            .collect();
        let replaced = VALUES.map(|column| format!("{column} = excluded.{column}"));
        insert(
            &*self.database,
            "cells (run, library, primitive, operation, contract, bytes, threads, calls, stop, \
             open_ns, key_ns, first_ns, mhz, flags, api, kernel, note, samples, messages, \
             processes)",
            &rows,
            &format!(
                "ON CONFLICT (run, library, primitive, operation, contract, bytes, threads, \
                 messages) DO UPDATE SET {}",
                replaced.join(", ")
            ),
        )?;
        self.database.execute(
            "INSERT INTO tasks (run, primitive, operation, contract, bytes, threads, messages)
             VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING",
            &values![
                run,
                task.primitive.as_str(),
                task.operation.as_str(),
                task.contract.name(),
                task.bytes as i64,
                task.threads,
                task.messages
            ],
        )?;
        Ok(())
    }

    /// Adds to a run's wall time, and records whether the run is complete.
    pub fn progress(&self, run: i64, seconds: f64, complete: bool) -> anyhow::Result<()> {
        self.write(|| {
            self.database.execute(
                "UPDATE runs SET seconds = seconds + $2, complete = $3 WHERE id = $1",
                &values![run, seconds, complete],
            )?;
            Ok(())
        })
    }

    /// Returns all runs, the oldest first.
    pub fn runs(&self) -> anyhow::Result<Vec<RunRow>> {
        self.all(&format!("{RUN} ORDER BY id"), &[], run_row)
    }

    /// Returns the newest runs before a number, the newest first.
    pub fn newest(&self, before: i64, most: u32) -> anyhow::Result<Vec<RunRow>> {
        let sql = format!("{RUN} WHERE id < $1 ORDER BY id DESC LIMIT {most}");
        self.all(&sql, &values![before], run_row)
    }

    /// Returns one run: the run with this number, or the newest run that meets the condition.
    pub fn run(&self, id: Option<i64>, only_incomplete: bool) -> anyhow::Result<RunRow> {
        let found = match id {
            Some(id) => self.all(&format!("{RUN} WHERE id = $1"), &values![id], run_row)?,
            None => {
                let which = match only_incomplete {
                    true => "WHERE complete = 0 AND imported = ''",
                    false => "",
                };
                let sql = format!("{RUN} {which} ORDER BY id DESC LIMIT 1");
                self.all(&sql, &[], run_row)?
            }
        };
        found.into_iter().next().ok_or_else(|| {
            let store = self.name().to_owned();
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
        let sql = "SELECT id, plan FROM runs ORDER BY id DESC";
        let plans = self.all(sql, &[], |row| Ok((row.int(0)?, parsed::<Plan>(row, 1)?)))?;
        match plans.iter().find(|(_, plan)| plan.is_whole()) {
            Some((id, _)) => self.run(Some(*id), false).map(Some),
            None => Ok(None),
        }
    }

    /// Removes a run and everything that belongs to it, also its archive.
    pub fn remove(&self, run: i64) -> anyhow::Result<()> {
        let archive = self.run(Some(run), false).map(|row| row.archive);
        self.write(|| {
            self.database
                .execute("DELETE FROM runs WHERE id = $1", &values![run])?;
            Ok(())
        })?;
        match archive {
            Ok(place) if !place.is_empty() => archive::remove(&place)
                .with_context(|| format!("removed run {run}, but not its samples in {place}")),
            _ => Ok(()),
        }
    }

    /// Returns the libraries of a run, in id order.
    pub fn libraries(&self, run: i64) -> anyhow::Result<Vec<Library>> {
        self.all(LIBRARIES, &values![run], |row| parsed(row, 0))
    }

    /// Returns the verification rows of a run.
    pub fn verifications(&self, run: i64) -> anyhow::Result<Vec<Verification>> {
        self.all(VERIFICATIONS, &values![run], |row| parsed(row, 0))
    }

    /// Returns the failures of a run, in the order in which they occurred.
    pub fn failures(&self, run: i64) -> anyhow::Result<Vec<Failure>> {
        self.all(FAILURES, &values![run], |row| parsed(row, 0))
    }

    /// Returns the tasks of a run that are done.
    pub fn done(&self, run: i64) -> anyhow::Result<HashSet<Task>> {
        Ok(self.all(DONE, &values![run], task)?.into_iter().collect())
    }

    /// Returns the cells of a run, sorted by task, because a run does not measure its tasks in
    /// order; the cells of a task are in the order in which they were stored. Reads the samples
    /// from the run's archive, if they are there.
    pub fn cells(&self, run: i64) -> anyhow::Result<Vec<RawCell>> {
        self.cells_of(run, &|_| true)
    }

    /// Like [`Self::cells`], but only the cells of the tasks that are wanted. The samples of the
    /// others are not read.
    pub fn cells_of(
        &self,
        run: i64,
        wanted: &dyn Fn(&Task) -> bool,
    ) -> anyhow::Result<Vec<RawCell>> {
        let read = |row: &dyn Row| {
            let task = task(row)?;
            wanted(&task).then(|| cell(row, task)).transpose()
        };
        let all = self.all(CELLS, &values![run], read)?;
        let mut cells: Vec<RawCell> = all.into_iter().flatten().collect();
        cells.sort_by(|a, b| a.task.cmp(&b.task));
        let sql = "SELECT archive FROM runs WHERE id = $1";
        let archive = self.all(sql, &values![run], |row| row.text(0))?.pop();
        if let Some(place) = archive.filter(|place| !place.is_empty()) {
            archive::restore(&place, &mut cells)
                .with_context(|| format!("the samples of run {run} are in {place}"))?;
        }
        Ok(cells)
    }

    /// Records that a run's samples are in an archive, and removes them here.
    pub fn archived(&self, run: i64, place: &str) -> anyhow::Result<()> {
        self.write(|| {
            self.database.execute(
                "UPDATE cells SET samples = $2, processes = $2 WHERE run = $1",
                &values![run, Vec::<u8>::new()],
            )?;
            self.database.execute(
                "UPDATE runs SET archive = $2 WHERE id = $1",
                &values![run, place],
            )?;
            Ok(())
        })
    }

    /// Gives the space of removed samples back to the system.
    pub fn shrink(&self) -> anyhow::Result<()> {
        self.database.shrink()
    }

    /// Returns all rows of a query.
    fn all<T>(
        &self,
        sql: &str,
        values: &[Value],
        read: impl Fn(&dyn Row) -> anyhow::Result<T>,
    ) -> anyhow::Result<Vec<T>> {
        let mut rows = Vec::new();
        self.database.query(sql, values, &mut |row| {
            rows.push(read(row)?);
            Ok(())
        })?;
        Ok(rows)
    }

    /// Does work in one transaction; on an error nothing of it is stored.
    fn write<T>(&self, work: impl FnOnce() -> anyhow::Result<T>) -> anyhow::Result<T> {
        self.database.begin()?;
        let done = work().and_then(|value| self.database.commit().map(|()| value));
        done.inspect_err(|_| self.database.rollback())
    }

    /// Gives the runs of older versions their ids. A store can have several copies of a run.
    fn name_old_runs(&self) -> anyhow::Result<()> {
        let old = format!("{RUN} WHERE uid = '' ORDER BY id");
        if self.all(&old, &[], |_| Ok(()))?.is_empty() {
            return Ok(());
        }
        self.write(|| {
            for row in self.all(&old, &[], run_row)? {
                let mut uid = row.uid.clone();
                let mut copy = 0;
                while self.numbered(&uid)?.is_some() {
                    copy += 1;
                    uid = identity::derived(&row, copy);
                }
                self.database.execute(
                    "UPDATE runs SET uid = $2 WHERE id = $1",
                    &values![row.id, uid],
                )?;
            }
            Ok(())
        })
    }
}

/// Returns the folder of a store's reports.
fn folder(store: &Path) -> anyhow::Result<PathBuf> {
    let own = match postgres_address(store) {
        Some(_) => &default_path()?,
        None => store,
    };
    Ok(own.parent().unwrap_or(Path::new(".")).to_owned())
}

#[cfg(feature = "postgres")]
fn open_postgres(address: &str, write: bool) -> anyhow::Result<Box<dyn Database>> {
    match postgres::Postgres::open(address, write)? {
        Some(database) => Ok(Box::new(database)),
        None => Ok(Box::new(Sqlite::empty(&address::without_password(
            address,
        ))?)),
    }
}

#[cfg(not(feature = "postgres"))]
fn open_postgres(_: &str, _: bool) -> anyhow::Result<Box<dyn Database>> {
    anyhow::bail!(
        "this touchstone was built without PostgreSQL: build it with `--features postgres`"
    )
}

#[cfg(test)]
mod tests;
