//! The store in an SQLite file: the default, which needs no set-up.

use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, anyhow};
use rusqlite::{Connection, ErrorCode, OpenFlags};
use tempfile::TempDir;

use super::database::{Database, Each, Row, Value};
use super::schema::{ALL, BUSY, LAST, Unfit};

/// The tables of a new store.
const SCHEMA: &str = include_str!("../../migrations/sqlite/schema.sql");

/// Migrations for older stores, in order; `user_version` is the number of migrations that
/// were applied.
const MIGRATIONS: [&str; LAST as usize] = [
    include_str!("../../migrations/sqlite/0001_runs.sql"),
    include_str!("../../migrations/sqlite/0002_messages.sql"),
    include_str!("../../migrations/sqlite/0003_imported.sql"),
    include_str!("../../migrations/sqlite/0004_processes.sql"),
    include_str!("../../migrations/sqlite/0005_uid.sql"),
    include_str!("../../migrations/sqlite/0006_history.sql"),
    include_str!("../../migrations/sqlite/0007_files.sql"),
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

/// An open file.
pub(super) struct Sqlite {
    connection: Connection,
    name: String,
    /// A temporary copy, which is read if files cannot be created beside the store.
    _copy: Option<TempDir>,
}

/// Why opening failed.
#[derive(Debug, thiserror::Error)]
enum Refusal {
    #[error(transparent)]
    Database(#[from] rusqlite::Error),
    #[error(transparent)]
    Unfit(#[from] Unfit),
}

impl Sqlite {
    /// Opens a store and brings it to the current schema. Creates the store and its folder if
    /// they do not exist.
    pub(super) fn open(path: &Path) -> anyhow::Result<Self> {
        if let Some(folder) = path.parent().filter(|f| !f.as_os_str().is_empty()) {
            std::fs::create_dir_all(folder).with_context(|| {
                format!("making {}; --store PATH names another", folder.display())
            })?;
        }
        Self::prepare(path).map_err(|refusal| refusal.explain(path))
    }

    /// Opens a store in memory, which shows the name of a store that does not exist.
    pub(super) fn empty(name: &str) -> anyhow::Result<Self> {
        let memory = Path::new(":memory:");
        let mut store = Self::prepare(memory).map_err(|refusal| refusal.explain(memory))?;
        store.name = name.to_owned();
        Ok(store)
    }

    /// Opens a store for reading. Writes nothing, neither to the file nor to other files in its
    /// folder, unless another process has the store open.
    pub(super) fn open_to_read(path: &Path) -> anyhow::Result<Self> {
        Self::to_read(path).map_err(|refusal| refusal.explain(path))
    }

    fn to_read(path: &Path) -> Result<Self, Refusal> {
        let opened = || -> Result<(Connection, i64), Refusal> {
            let connection = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
            connection.busy_timeout(BUSY)?;
            let applied = schema_now(&connection)?;
            Ok((connection, applied))
        };
        match opened() {
            Ok((connection, LAST)) => Self::checked(connection, path, None),
            // The store has an older schema, or is on a disk that cannot be written to:
            // it is copied, and the copy is brought to the current schema and read.
            Ok(_) => Self::copied(path),
            Err(Refusal::Database(error)) if unreadable(&error) => Self::copied(path),
            Err(refusal) => Err(refusal),
        }
    }

    fn copied(path: &Path) -> Result<Self, Refusal> {
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

    fn prepare(path: &Path) -> Result<Self, Refusal> {
        let mut connection = Connection::open(path)?;
        connection.busy_timeout(BUSY)?;
        // Checks the schema before anything is written.
        schema_now(&connection)?;
        use_wal(&connection)?;
        // With WAL and NORMAL, nothing is lost if the process is killed.
        connection.pragma_update(None, "synchronous", "NORMAL")?;
        connection.pragma_update(None, "foreign_keys", true)?;
        connection.set_prepared_statement_cache_capacity(64);
        let transaction =
            connection.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
        let applied = schema(&transaction)?;
        if applied == 0 {
            transaction.execute_batch(SCHEMA).map_err(damaged)?;
        } else {
            for migration in &MIGRATIONS[applied as usize..] {
                transaction.execute_batch(migration).map_err(damaged)?;
            }
        }
        if applied != LAST {
            transaction.pragma_update(None, "user_version", LAST)?;
            transaction.pragma_update(None, "application_id", APPLICATION)?;
        }
        transaction.commit()?;
        Self::checked(connection, path, None)
    }

    /// Checks that the tables have all columns that are read.
    fn checked(
        connection: Connection,
        path: &Path,
        copy: Option<TempDir>,
    ) -> Result<Self, Refusal> {
        for query in ALL {
            connection.prepare(query).map_err(damaged)?;
        }
        Ok(Self {
            connection,
            name: path.display().to_string(),
            _copy: copy,
        })
    }

    fn explained<T>(&self, result: rusqlite::Result<T>) -> anyhow::Result<T> {
        result.map_err(|error| explain(error, &self.name))
    }

    fn batch(&self, sql: &str) -> anyhow::Result<()> {
        self.explained(self.connection.execute_batch(sql))
    }
}

impl Database for Sqlite {
    fn execute(&self, sql: &str, values: &[Value]) -> anyhow::Result<u64> {
        let run = || {
            let mut statement = self.connection.prepare_cached(sql)?;
            bind(&mut statement, values)?;
            statement.raw_execute()
        };
        Ok(self.explained(run())? as u64)
    }

    fn query(&self, sql: &str, values: &[Value], each: Each<'_>) -> anyhow::Result<()> {
        let mut statement = self.explained(self.connection.prepare_cached(sql))?;
        self.explained(bind(&mut statement, values))?;
        let mut rows = statement.raw_query();
        while let Some(row) = self.explained(rows.next())? {
            each(row).with_context(|| format!("the store {}", self.name))?;
        }
        Ok(())
    }

    fn begin(&self) -> anyhow::Result<()> {
        self.batch("BEGIN IMMEDIATE")
    }

    fn commit(&self) -> anyhow::Result<()> {
        self.batch("COMMIT")
    }

    fn rollback(&self) {
        // Some errors, such as a full disk, end the transaction by themselves.
        if !self.connection.is_autocommit() {
            let _ = self.connection.execute_batch("ROLLBACK");
        }
    }

    fn shrink(&self) -> anyhow::Result<()> {
        self.batch("VACUUM")
    }

    fn name(&self) -> &str {
        &self.name
    }
}

/// Gives a statement its values. SQLite counts `$1`, `$2` … in the order in which they appear in
/// the text, so the places are looked up by name.
fn bind(statement: &mut rusqlite::Statement<'_>, values: &[Value]) -> rusqlite::Result<()> {
    for (index, value) in values.iter().enumerate() {
        let name = format!("${}", index + 1);
        let place = statement
            .parameter_index(&name)?
            .ok_or(rusqlite::Error::InvalidParameterName(name))?;
        match value {
            Value::Null => statement.raw_bind_parameter(place, rusqlite::types::Null)?,
            Value::Int(value) => statement.raw_bind_parameter(place, value)?,
            Value::Real(value) => statement.raw_bind_parameter(place, value)?,
            Value::Text(value) => statement.raw_bind_parameter(place, value)?,
            Value::Bytes(value) => statement.raw_bind_parameter(place, value)?,
        }
    }
    Ok(())
}

impl Row for rusqlite::Row<'_> {
    fn int(&self, column: usize) -> anyhow::Result<i64> {
        Ok(self.get(column)?)
    }

    fn real(&self, column: usize) -> anyhow::Result<f64> {
        Ok(self.get(column)?)
    }

    fn maybe_real(&self, column: usize) -> anyhow::Result<Option<f64>> {
        Ok(self.get(column)?)
    }

    fn text(&self, column: usize) -> anyhow::Result<String> {
        Ok(self.get(column)?)
    }

    fn bytes(&self, column: usize) -> anyhow::Result<Vec<u8>> {
        Ok(self.get(column)?)
    }
}

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
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
}

/// [`schema`] in a transaction of its own. Another process can make the tables at any time, and
/// `schema` must not see the old version number beside the new tables.
fn schema_now(connection: &Connection) -> Result<i64, Refusal> {
    schema(&*connection.unchecked_transaction()?)
}

/// Returns the number of migrations that a database has had; 0 for an empty one. The caller keeps a
/// transaction open.
fn schema(connection: &Connection) -> Result<i64, Refusal> {
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
        if applied > LAST {
            Err(Unfit::Newer(applied).into())
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
        _ => Err(Unfit::Foreign.into()),
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

/// Makes the error for a damaged store from SQLite's reason, without the statement that failed.
fn damaged(error: rusqlite::Error) -> Refusal {
    Refusal::Unfit(Unfit::Damaged(match error {
        rusqlite::Error::SqlInputError { msg, .. } => msg,
        other => other.to_string(),
    }))
}

impl Refusal {
    fn explain(self, path: &Path) -> anyhow::Error {
        match self {
            Self::Database(error) => explain(error, &path.display().to_string()),
            Self::Unfit(unfit) => anyhow!("{}: {unfit}", path.display()),
        }
    }
}

/// Makes an error of SQLite readable: adds the path, and what the user can do.
fn explain(error: rusqlite::Error, path: &str) -> anyhow::Error {
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
        _ if Path::new(path).is_dir() => {
            format!("{path} is a folder: say --store PATH with the name of a file")
        }
        _ => format!("the store {path}"),
    };
    anyhow::Error::new(error).context(advice)
}
