//! What the store needs of a database. [`super::sqlite`] and [`super::postgres`] have it.
//!
//! All statements are in the part of SQL that both databases have. Values are named by their
//! places: `$1`, `$2` …

/// A value of a statement.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Value {
    Null,
    Int(i64),
    Real(f64),
    Text(String),
    Bytes(Vec<u8>),
}

impl From<i64> for Value {
    fn from(value: i64) -> Self {
        Self::Int(value)
    }
}

impl From<u32> for Value {
    fn from(value: u32) -> Self {
        Self::Int(value.into())
    }
}

impl From<bool> for Value {
    fn from(value: bool) -> Self {
        Self::Int(value.into())
    }
}

impl From<f64> for Value {
    fn from(value: f64) -> Self {
        Self::Real(value)
    }
}

impl From<Option<f64>> for Value {
    fn from(value: Option<f64>) -> Self {
        value.map_or(Self::Null, Self::Real)
    }
}

impl From<&str> for Value {
    fn from(value: &str) -> Self {
        Self::Text(value.to_owned())
    }
}

impl From<String> for Value {
    fn from(value: String) -> Self {
        Self::Text(value)
    }
}

impl From<Vec<u8>> for Value {
    fn from(value: Vec<u8>) -> Self {
        Self::Bytes(value)
    }
}

/// Makes the values of a statement.
macro_rules! values {
    ($($value:expr),* $(,)?) => {
        [$($crate::store::database::Value::from($value)),*]
    };
}
pub(super) use values;

/// A row of a result; columns count from 0.
pub(super) trait Row {
    fn int(&self, column: usize) -> anyhow::Result<i64>;
    fn real(&self, column: usize) -> anyhow::Result<f64>;
    fn maybe_real(&self, column: usize) -> anyhow::Result<Option<f64>>;
    fn text(&self, column: usize) -> anyhow::Result<String>;
    fn bytes(&self, column: usize) -> anyhow::Result<Vec<u8>>;
}

/// What is done with each row of a result.
pub(super) type Each<'a> = &'a mut dyn FnMut(&dyn Row) -> anyhow::Result<()>;

/// An open database with the store's tables. Errors name the store and say what to do.
pub(super) trait Database {
    /// Runs a statement without a result; returns the number of rows that it changed.
    fn execute(&self, sql: &str, values: &[Value]) -> anyhow::Result<u64>;

    /// Runs a query.
    fn query(&self, sql: &str, values: &[Value], each: Each<'_>) -> anyhow::Result<()>;

    /// Begins a transaction that writes.
    fn begin(&self) -> anyhow::Result<()>;

    /// Ends a transaction; everything in it is stored.
    fn commit(&self) -> anyhow::Result<()>;

    /// Ends a transaction; nothing in it is stored.
    fn rollback(&self);

    /// Gives the space of rows that were removed back to the system, where that is the store's
    /// task.
    fn shrink(&self) -> anyhow::Result<()>;

    /// Returns the database's name for messages, without a password.
    fn name(&self) -> &str;
}

/// Most rows in one statement, so that its values stay fewer than both databases allow (32,766 in
/// SQLite, 65,535 in PostgreSQL).
const ROWS: usize = 200;

/// Stores many rows by few statements: a distant server answers each statement after a delay.
/// `head` names the table and its columns, `tail` says what to do about rows that are there.
pub(super) fn insert(
    database: &dyn Database,
    head: &str,
    rows: &[Vec<Value>],
    tail: &str,
) -> anyhow::Result<u64> {
    let mut changed = 0;
    for chunk in rows.chunks(ROWS) {
        let mut sql = format!("INSERT INTO {head} VALUES ");
        let mut place = 0;
        for (index, row) in chunk.iter().enumerate() {
            sql.push_str(if index > 0 { ", (" } else { "(" });
            for column in 0..row.len() {
                place += 1;
                if column > 0 {
                    sql.push_str(", ");
                }
                sql.push_str(&format!("${place}"));
            }
            sql.push(')');
        }
        sql.push(' ');
        sql.push_str(tail);
        changed += database.execute(&sql, &chunk.concat())?;
    }
    Ok(changed)
}
