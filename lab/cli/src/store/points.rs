//! The points of histories: the time of each cell of each run.

use std::collections::BTreeMap;

use touchstone_wire::Contract;

use crate::stats::Interval;
use crate::stored::{Cells, Point, Reading, Start};

use crate::machine;
use crate::profile::Task;
use crate::summary::Machine;

use super::Store;
use super::database::{Value, insert, values};
use super::rows::{Key, Series, parsed, task};
use super::schema::SERIES;

impl Store {
    /// Stores the points of a run, and replaces older ones.
    pub fn save_points(&self, run: i64, machine: &str, points: &[Point]) -> anyhow::Result<()> {
        let mut keyed: BTreeMap<Key, &Point> = BTreeMap::new();
        for point in points {
            keyed.insert(key(point), point);
        }
        let known = self.write(|| {
            // Keeps another writer of the same run waiting.
            self.database.execute(
                "UPDATE runs SET summarised = 0 WHERE id = $1",
                &values![run],
            )?;
            let mut known = match self.series.borrow_mut().remove(machine) {
                Some(known) => known,
                None => self.series_of(machine)?,
            };
            // In the order of the keys, so that two writers never wait for each other.
            let new: Vec<Vec<Value>> = keyed
                .keys()
                .filter(|key| !known.contains_key(*key))
                .map(|key| series_row(key, machine))
                .collect();
            if !new.is_empty() {
                insert(
                    &*self.database,
                    "series (primitive, operation, contract, bytes, threads, messages, library, \
                     version, machine)",
                    &new,
                    "ON CONFLICT DO NOTHING",
                )?;
                known = self.series_of(machine)?;
            }
            let mut rows: Vec<Vec<Value>> = keyed
                .iter()
                .map(|(key, point)| {
                    values![
                        known[key],
                        run,
                        point.ns.mid,
                        point.ns.low,
                        point.ns.high,
                        point.rounds,
                        point.processes,
                    ]
                    .into()
                })
                .collect();
            rows.sort_by_key(|row| match row[0] {
                Value::Int(series) => series,
                _ => 0,
            });
            self.database
                .execute("DELETE FROM points WHERE run = $1", &values![run])?;
            insert(
                &*self.database,
                "points (series, run, ns, low, high, rounds, processes)",
                &rows,
                "",
            )?;
            self.database.execute(
                "UPDATE runs SET summarised = 1 WHERE id = $1",
                &values![run],
            )?;
            // If storing fails, nothing is remembered of the new series.
            Ok(known)
        })?;
        self.series.borrow_mut().insert(machine.to_owned(), known);
        Ok(())
    }

    /// Returns whether the store has the points of a run.
    pub fn is_summarised(&self, run: i64) -> anyhow::Result<bool> {
        let sql = "SELECT summarised FROM runs WHERE id = $1";
        let found = self.all(sql, &values![run], |row| row.int(0))?;
        Ok(found == [1])
    }

    /// Returns the series of a machine with their numbers.
    fn series_of(&self, machine: &str) -> anyhow::Result<Series> {
        let rows = self.all(SERIES, &values![machine], |row| {
            let key = (
                row.text(1)?,
                row.text(2)?,
                row.text(3)?,
                row.int(4)?,
                row.int(5)?,
                row.int(6)?,
                row.text(8)?,
                row.text(9)?,
            );
            Ok((key, row.int(0)?))
        })?;
        Ok(rows.into_iter().collect())
    }

    /// Returns every pair of a primitive and an operation of which the store has points.
    pub fn algorithms_with_points(&self) -> anyhow::Result<Vec<(String, String)>> {
        self.all(
            "SELECT DISTINCT primitive, operation FROM series ORDER BY primitive, operation",
            &[],
            |row| Ok((row.text(0)?, row.text(1)?)),
        )
    }

    /// Returns the lengths that cells have; `cells.bytes` is ignored.
    pub fn lengths(&self, cells: &Cells) -> anyhow::Result<Vec<u64>> {
        self.all(
            "SELECT DISTINCT bytes FROM series
             WHERE primitive = $1 AND operation = $2 AND contract = $3 AND threads = $4
               AND messages = 1 ORDER BY bytes",
            &values![
                cells.primitive.as_str(),
                cells.operation.as_str(),
                cells.contract.name(),
                cells.threads
            ],
            |row| Ok(row.int(0)? as u64),
        )
    }

    /// Returns the points of some cells, by machine, library and run.
    pub fn readings(&self, cells: &Cells) -> anyhow::Result<Vec<Reading>> {
        self.all(
            "SELECT machine, library, version, bytes, run, ns, low, high
             FROM series JOIN points ON points.series = series.id
             WHERE primitive = $1 AND operation = $2 AND contract = $3 AND threads = $4
               AND messages = 1 AND bytes = $5
               AND ($6 = '' OR machine = $6)
             ORDER BY machine, library, run",
            &values![
                cells.primitive.as_str(),
                cells.operation.as_str(),
                cells.contract.name(),
                cells.threads,
                cells.bytes as i64,
                cells.machine.as_str(),
            ],
            |row| {
                Ok(Reading {
                    machine: row.text(0)?,
                    library: row.text(1)?,
                    version: row.text(2)?,
                    bytes: row.int(3)? as u64,
                    run: row.int(4)?,
                    ns: Interval {
                        mid: row.real(5)?,
                        low: row.real(6)?,
                        high: row.real(7)?,
                    },
                })
            },
        )
    }

    /// Returns each machine with the runs of which the store has points, the newest run first.
    pub fn machines(&self) -> anyhow::Result<BTreeMap<String, Vec<i64>>> {
        let sql = "SELECT id, started, machine FROM runs WHERE summarised = 1";
        let mut runs = self.all(sql, &[], |row| {
            let machine: Machine = parsed(row, 2)?;
            Ok((row.text(1)?, row.int(0)?, machine::name(&machine)))
        })?;
        runs.sort();
        let mut machines: BTreeMap<String, Vec<i64>> = BTreeMap::new();
        for (_, run, machine) in runs.into_iter().rev() {
            machines.entry(machine).or_default().push(run);
        }
        Ok(machines)
    }

    /// Returns the hot points of a run on one thread: the task, the library, nanoseconds.
    pub fn hot_points(&self, run: i64) -> anyhow::Result<Vec<(Task, String, f64)>> {
        self.all(
            "SELECT primitive, operation, contract, bytes, threads, messages, library, ns
             FROM points JOIN series ON points.series = series.id
             WHERE run = $1 AND contract = $2 AND threads = 1 AND messages = 1
             ORDER BY primitive, operation, bytes, library",
            &values![run, Contract::Hot.name()],
            |row| Ok((task(row)?, row.text(6)?, row.real(7)?)),
        )
    }

    /// Returns the start of each run, by number.
    pub fn starts(&self) -> anyhow::Result<Vec<Start>> {
        self.all(
            "SELECT id, started, summarised FROM runs ORDER BY id",
            &[],
            |row| {
                Ok(Start {
                    run: row.int(0)?,
                    started: row.text(1)?,
                    summarised: row.int(2)? != 0,
                })
            },
        )
    }
}

fn key(point: &Point) -> Key {
    let task = &point.task;
    (
        task.primitive.clone(),
        task.operation.clone(),
        task.contract.name().to_owned(),
        task.bytes as i64,
        task.threads.into(),
        task.messages.into(),
        point.library.clone(),
        point.version.clone(),
    )
}

fn series_row(key: &Key, machine: &str) -> Vec<Value> {
    values![
        key.0.as_str(),
        key.1.as_str(),
        key.2.as_str(),
        key.3,
        key.4,
        key.5,
        key.6.as_str(),
        key.7.as_str(),
        machine,
    ]
    .into()
}
