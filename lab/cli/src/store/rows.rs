//! Rows of the tables as values, and back.

use std::collections::HashMap;

use anyhow::Context;
use serde::Serialize;
use serde::de::DeserializeOwned;
use touchstone_wire::Contract;

use super::database::Row;
use crate::identity;
use crate::profile::Task;
use crate::stored::{RawCell, RunRow};

/// The identity of a series within a machine.
pub(super) type Key = (String, String, String, i64, i64, i64, String, String);

/// The numbers of a machine's series.
pub(super) type Series = HashMap<Key, i64>;

/// Reads a row of [`super::schema::RUN`].
pub(super) fn run_row(row: &dyn Row) -> anyhow::Result<RunRow> {
    let mut run = RunRow {
        id: row.int(0)?,
        started: row.text(1)?,
        seconds: row.real(2)?,
        complete: row.int(3)? != 0,
        lab_version: row.text(4)?,
        command: row.text(5)?,
        profile: row.text(6)?,
        profile_text: row.text(7)?,
        plan: parsed(row, 8)?,
        target: row.real(9)?,
        null_ns: row.real(10)?,
        machine: parsed(row, 11)?,
        imported: row.text(12)?,
        uid: row.text(13)?,
        archive: row.text(14)?,
    };
    if run.uid.is_empty() {
        run.uid = identity::derived(&run, 0);
    }
    Ok(run)
}

/// Reads the first six columns of a row as a task.
pub(super) fn task(row: &dyn Row) -> anyhow::Result<Task> {
    Ok(Task {
        primitive: row.text(0)?,
        operation: row.text(1)?,
        contract: row.text(2)?.parse().unwrap_or(Contract::Hot),
        bytes: row.int(3)? as u64,
        threads: row.int(4)? as u32,
        messages: row.int(5)? as u32,
    })
}

/// Reads a row of [`super::schema::CELLS`], whose task was read before.
pub(super) fn cell(row: &dyn Row, task: Task) -> anyhow::Result<RawCell> {
    let samples = row.bytes(17)?;
    let processes = row.bytes(18)?;
    Ok(RawCell {
        task,
        library: row.text(6)?,
        calls: row.int(7)? as u64,
        stop: match row.text(8)?.as_str() {
            "narrow" => "narrow",
            _ => "budget",
        },
        first_ns: [row.int(9)? as u64, row.int(10)? as u64, row.int(11)? as u64],
        mhz: row.maybe_real(12)?,
        flags: parsed(row, 13)?,
        api: row.text(14)?,
        kernel: row.text(15)?,
        note: row.text(16)?,
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
}

pub(super) fn json<T: Serialize>(value: &T) -> String {
    serde_json::to_string(value).expect("plain data always serialises")
}

/// Reads a column that holds JSON.
pub(super) fn parsed<T: DeserializeOwned>(row: &dyn Row, column: usize) -> anyhow::Result<T> {
    serde_json::from_str(&row.text(column)?)
        .with_context(|| format!("column {} of a row is damaged", column + 1))
}
