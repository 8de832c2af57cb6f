//! The schema that both databases share: its number, the queries that read it, and why a database
//! may not have it.

use std::time::Duration;

/// The number of the newest migration of both databases.
pub(super) const LAST: i64 = 7;

/// The time to wait while another process writes to the store.
pub(super) const BUSY: Duration = Duration::from_secs(60);

pub(super) const RUN: &str = "SELECT id, started, seconds, complete, lab_version, command, profile,
    profile_text, plan, target, null_ns, machine, imported, uid, archive, summarised FROM runs";
pub(super) const DONE: &str = "SELECT primitive, operation, contract, bytes, threads, messages
    FROM tasks WHERE run = $1";
pub(super) const CELLS: &str =
    "SELECT primitive, operation, contract, bytes, threads, messages, library, calls, stop,
            open_ns, key_ns, first_ns, mhz, flags, api, kernel, note, samples, processes
     FROM cells WHERE run = $1 ORDER BY id";
pub(super) const LIBRARIES: &str = "SELECT facts FROM libraries WHERE run = $1 ORDER BY id";
pub(super) const VERIFICATIONS: &str = "SELECT facts FROM verifications WHERE run = $1
    ORDER BY primitive, operation, library";
pub(super) const FAILURES: &str = "SELECT facts FROM failures WHERE run = $1 ORDER BY id";
pub(super) const SERIES: &str =
    "SELECT id, primitive, operation, contract, bytes, threads, messages, machine, library,
            version FROM series WHERE machine = $1";
pub(super) const POINTS: &str =
    "SELECT ns, low, high, rounds, processes FROM points WHERE series = $1 AND run = $2";
pub(super) const FILES: &str = "SELECT facts, uid, started, machine, id FROM files";

/// The queries that name every column. Opening a store prepares them, which finds what is missing.
pub(super) const ALL: [&str; 9] = [
    RUN,
    DONE,
    CELLS,
    LIBRARIES,
    VERIFICATIONS,
    FAILURES,
    SERIES,
    POINTS,
    FILES,
];

/// Why a database is not a store that this lab can use; the database stays unchanged.
#[derive(Debug, thiserror::Error)]
pub(super) enum Unfit {
    #[error(
        "it is of a newer touchstone (schema {0}; this one knows up to {LAST}): update this \
         one, or say --store PATH"
    )]
    Newer(i64),
    #[error("it is another program's database: say --store PATH")]
    Foreign,
    #[error("it is damaged ({0}): move it away, or say --store PATH")]
    Damaged(String),
}
