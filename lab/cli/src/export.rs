//! The cells of a run as flat rows for other programs: one list of columns, which is
//! written as CSV or as Parquet.

pub mod parquet;

use crate::summary::{Cell, Library, Summary};
use crate::table::Table;

/// The parts of the run from which a row is made.
pub struct Row<'a> {
    library: &'a Library,
    cell: &'a Cell,
}

/// A function that returns a column's value; its variant is the column's type.
#[derive(Clone, Copy)]
pub enum Get {
    /// Returns a text.
    Text(fn(&Row<'_>) -> String),
    /// Returns a whole number.
    Whole(fn(&Row<'_>) -> i64),
    /// Returns a number.
    Real(fn(&Row<'_>) -> f64),
    /// Returns a number, or `None` if the number is unknown.
    Maybe(fn(&Row<'_>) -> Option<f64>),
    /// Returns true or false.
    Truth(fn(&Row<'_>) -> bool),
}

/// The columns in order. Times are nanoseconds per call.
pub const COLUMNS: [(&str, Get); 31] = [
    ("library", Get::Text(|r| r.cell.library.clone())),
    ("name", Get::Text(|r| r.library.name.clone())),
    ("version", Get::Text(|r| r.library.version.clone())),
    ("family", Get::Text(|r| r.cell.family.clone())),
    ("primitive", Get::Text(|r| r.cell.primitive.clone())),
    ("operation", Get::Text(|r| r.cell.operation.clone())),
    ("contract", Get::Text(|r| r.cell.contract.clone())),
    ("bytes", Get::Whole(|r| whole(r.cell.bytes))),
    ("threads", Get::Whole(|r| r.cell.threads.into())),
    ("messages", Get::Whole(|r| r.cell.messages.into())),
    ("ns", Get::Real(|r| r.cell.ns.mid)),
    (
        "ns_low",
        Get::Maybe(|r| r.cell.ns.ends().map(|ends| ends[0])),
    ),
    (
        "ns_high",
        Get::Maybe(|r| r.cell.ns.ends().map(|ends| ends[1])),
    ),
    ("ns_fastest", Get::Real(|r| r.cell.spread[0])),
    ("ns_quartile_1", Get::Real(|r| r.cell.spread[1])),
    ("ns_quartile_3", Get::Real(|r| r.cell.spread[2])),
    ("ratio", Get::Real(|r| r.cell.ratio.mid)),
    (
        "ratio_low",
        Get::Maybe(|r| r.cell.ratio.ends().map(|ends| ends[0])),
    ),
    (
        "ratio_high",
        Get::Maybe(|r| r.cell.ratio.ends().map(|ends| ends[1])),
    ),
    ("tie", Get::Truth(|r| r.cell.tie)),
    ("rounds", Get::Whole(|r| r.cell.rounds.into())),
    ("calls", Get::Whole(|r| whole(r.cell.calls))),
    ("stop", Get::Text(|r| r.cell.stop.clone())),
    ("mhz", Get::Maybe(|r| r.cell.mhz)),
    ("first_object_ns", Get::Whole(|r| whole(r.cell.first_ns[0]))),
    ("first_key_ns", Get::Whole(|r| whole(r.cell.first_ns[1]))),
    (
        "first_message_ns",
        Get::Whole(|r| whole(r.cell.first_ns[2])),
    ),
    ("flags", Get::Text(|r| r.cell.flags.join("; "))),
    ("api", Get::Text(|r| r.cell.api.clone())),
    ("kernel", Get::Text(|r| r.cell.kernel.clone())),
    ("note", Get::Text(|r| r.cell.note.clone())),
];

fn whole(value: u64) -> i64 {
    i64::try_from(value).unwrap_or(i64::MAX)
}

/// Returns a row for each cell.
pub fn rows(summary: &Summary) -> Vec<Row<'_>> {
    let library = |id: &str| summary.libraries.iter().find(|l| l.id == id);
    summary
        .cells
        .iter()
        .filter_map(|cell| {
            Some(Row {
                library: library(&cell.library)?,
                cell,
            })
        })
        .collect()
}

/// Returns the cells as comma-separated values, RFC 4180, with all digits of each number.
pub fn csv(summary: &Summary) -> String {
    let mut table = Table::new("cells", "", &COLUMNS.map(|(name, _)| name));
    for row in rows(summary) {
        table.row(COLUMNS.map(|(_, get)| match get {
            Get::Text(get) => get(&row),
            Get::Whole(get) => get(&row).to_string(),
            Get::Real(get) => get(&row).to_string(),
            Get::Maybe(get) => get(&row).map(|v| v.to_string()).unwrap_or_default(),
            Get::Truth(get) => get(&row).to_string(),
        }));
    }
    table.csv()
}
