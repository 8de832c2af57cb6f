//! The store in PostgreSQL, for many machines. The tables are in the schema `touchstone` of the
//! database, so that other programs can use the same database.

mod address;
mod password;
mod tls;

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::error::Error;

use anyhow::anyhow;
use bytes::BytesMut;
use postgres::error::SqlState;
use postgres::fallible_iterator::FallibleIterator;
use postgres::types::{IsNull, ToSql, Type, to_sql_checked};
use postgres::{Client, Statement};

use super::database::{Database, Each, Row, Value};
use super::schema::{ALL, BUSY, LAST, Unfit};
use address::Address;

/// The number of the first migration; earlier ones are of SQLite alone.
const FIRST: i64 = 5;

/// The migrations from [`FIRST`] on.
const MIGRATIONS: [&str; (LAST - FIRST + 1) as usize] = [
    include_str!("../../migrations/postgres/0005_uid.sql"),
    include_str!("../../migrations/postgres/0006_history.sql"),
    include_str!("../../migrations/postgres/0007_files.sql"),
];

/// The table that says which migrations a database has had.
const MARK: &str = "CREATE TABLE store (application TEXT NOT NULL, version BIGINT NOT NULL);
                    INSERT INTO store VALUES ('touchstone', 0)";

/// The lock under which one process makes or changes the tables: the characters "TOUC".
const LOCK: i64 = 0x544f_5543;

/// Where a password belongs.
const PASSWORD: &str =
    "the password is taken from PGPASSWORD or from the file ~/.pgpass (PGPASSFILE)";

/// An open database.
pub(super) struct Postgres {
    address: Address,
    write: bool,
    client: RefCell<Client>,
    statements: RefCell<HashMap<String, Statement>>,
    /// Whether a transaction has begun.
    inside: Cell<bool>,
}

/// What is in the database.
enum Found {
    Nothing,
    Schema(i64),
}

impl Postgres {
    /// Opens a store. To write, makes the tables or brings them to the current schema; to read,
    /// returns `None` if there are no tables.
    pub(super) fn open(address: &str, write: bool) -> anyhow::Result<Option<Self>> {
        let address = Address::parse(address)?;
        let client = connect(&address, write)?;
        let own = Self {
            address,
            write,
            client: RefCell::new(client),
            statements: RefCell::default(),
            inside: Cell::new(false),
        };
        match own.found()? {
            Found::Nothing if !write => return Ok(None),
            Found::Schema(LAST) => {}
            Found::Schema(older) if !write => {
                return Err(anyhow!(
                    "{}: its schema is {older}, and this touchstone reads {LAST}: a verb that \
                     writes, such as `touchstone runs --migrate`, brings it up to date",
                    own.name()
                ));
            }
            Found::Nothing | Found::Schema(_) => own.migrate()?,
        }
        for query in ALL {
            let prepared = own.client.borrow_mut().prepare(query);
            prepared.map_err(|error| own.refused(Unfit::Damaged(reason(&error))))?;
        }
        Ok(Some(own))
    }

    fn found(&self) -> anyhow::Result<Found> {
        let mut tables = Vec::new();
        let sql = "SELECT tablename::text FROM pg_tables WHERE schemaname = 'touchstone'";
        self.query(sql, &[], &mut |row| {
            tables.push(row.text(0)?);
            Ok(())
        })?;
        if tables.is_empty() {
            return Ok(Found::Nothing);
        }
        if !tables.iter().any(|table| table == "store") {
            return Err(self.refused(Unfit::Foreign));
        }
        let mark = "SELECT application, version FROM store";
        let rows = self.client.borrow_mut().query(mark, &[]);
        let rows = match rows {
            Ok(rows) => rows,
            Err(error) if error.code() == Some(&SqlState::UNDEFINED_COLUMN) => {
                return Err(self.refused(Unfit::Foreign));
            }
            Err(error) => return Err(self.explain(error)),
        };
        match &rows[..] {
            [row] if row.try_get(0).is_ok_and(|name: &str| name == "touchstone") => {
                let version: i64 = row.try_get(1).map_err(|error| self.explain(error))?;
                match version {
                    ..=LAST => Ok(Found::Schema(version)),
                    newer => Err(self.refused(Unfit::Newer(newer))),
                }
            }
            _ => Err(self.refused(Unfit::Foreign)),
        }
    }

    /// Makes the tables, or brings them to the current schema.
    fn migrate(&self) -> anyhow::Result<()> {
        self.begin()?;
        let migrated = (|| {
            self.batch(&format!("SELECT pg_advisory_xact_lock({LOCK})"))?;
            // Another process may have been faster.
            let applied = match self.found()? {
                Found::Nothing => {
                    self.batch(&format!("CREATE SCHEMA IF NOT EXISTS touchstone; {MARK}"))?;
                    FIRST - 1
                }
                Found::Schema(applied) => applied,
            };
            for migration in &MIGRATIONS[(applied + 1 - FIRST).max(0) as usize..] {
                let done = self.client.borrow_mut().batch_execute(migration);
                done.map_err(|error| match error.code() {
                    Some(&SqlState::INSUFFICIENT_PRIVILEGE) => self.explain(error),
                    _ => self.refused(Unfit::Damaged(reason(&error))),
                })?;
            }
            self.batch(&format!("UPDATE store SET version = {LAST}"))?;
            self.commit()
        })();
        migrated.inspect_err(|_| self.rollback())
    }

    fn batch(&self, sql: &str) -> anyhow::Result<()> {
        let done = self.client.borrow_mut().batch_execute(sql);
        done.map_err(|error| self.explain(error))
    }

    fn prepared(&self, sql: &str) -> anyhow::Result<Statement> {
        if let Some(statement) = self.statements.borrow().get(sql) {
            return Ok(statement.clone());
        }
        let statement = self.client.borrow_mut().prepare(sql);
        let statement = statement.map_err(|error| self.explain(error))?;
        self.statements
            .borrow_mut()
            .insert(sql.to_owned(), statement.clone());
        Ok(statement)
    }

    /// Connects again if the server was restarted since the last transaction.
    fn connected(&self) -> anyhow::Result<()> {
        if !self.inside.get() && self.client.borrow().is_closed() {
            self.statements.borrow_mut().clear();
            *self.client.borrow_mut() = connect(&self.address, self.write)?;
        }
        Ok(())
    }

    fn refused(&self, unfit: Unfit) -> anyhow::Error {
        anyhow!("{}: {unfit}", self.name())
    }

    fn explain(&self, error: postgres::Error) -> anyhow::Error {
        explain(error, &self.address)
    }
}

impl Database for Postgres {
    fn execute(&self, sql: &str, values: &[Value]) -> anyhow::Result<u64> {
        self.connected()?;
        let statement = self.prepared(sql)?;
        let values = values.iter().map(|value| value as &(dyn ToSql + Sync));
        let values: Vec<_> = values.collect();
        let changed = self.client.borrow_mut().execute(&statement, &values);
        changed.map_err(|error| self.explain(error))
    }

    fn query(&self, sql: &str, values: &[Value], each: Each<'_>) -> anyhow::Result<()> {
        self.connected()?;
        let statement = self.prepared(sql)?;
        let values = values.iter().map(|value| value as &(dyn ToSql + Sync));
        let mut client = self.client.borrow_mut();
        let rows = client.query_raw(&statement, values);
        let mut rows = rows.map_err(|error| self.explain(error))?;
        while let Some(row) = rows.next().map_err(|error| self.explain(error))? {
            each(&row).map_err(|error| error.context(format!("the store {}", self.name())))?;
        }
        Ok(())
    }

    fn begin(&self) -> anyhow::Result<()> {
        self.connected()?;
        self.batch("BEGIN")?;
        self.inside.set(true);
        Ok(())
    }

    fn commit(&self) -> anyhow::Result<()> {
        let done = self.batch("COMMIT");
        self.inside.set(false);
        done
    }

    fn rollback(&self) {
        let _ = self.client.borrow_mut().batch_execute("ROLLBACK");
        self.inside.set(false);
    }

    fn shrink(&self) -> anyhow::Result<()> {
        // The server's autovacuum makes the space free for new rows.
        Ok(())
    }

    fn name(&self) -> &str {
        &self.address.name
    }
}

fn connect(address: &Address, write: bool) -> anyhow::Result<Client> {
    let connected = address.config.connect(tls::connector(address)?);
    let mut client = connected.map_err(|error| explain(error, address))?;
    // The points of a history lie on pages of their own. The usual cost of a random page is that of
    // a disk that turns; by this cost the server would read all points of a large store instead.
    let settings = format!(
        "SET random_page_cost TO 1.1; SET search_path TO touchstone; \
         SET client_min_messages TO warning; \
         SET lock_timeout TO {}; SET default_transaction_read_only TO {}",
        BUSY.as_millis(),
        if write { "off" } else { "on" }
    );
    let set = client.batch_execute(&settings);
    set.map_err(|error| explain(error, address))?;
    Ok(client)
}

/// Returns the server's reason, without the statement.
fn reason(error: &postgres::Error) -> String {
    error.as_db_error().map_or_else(
        || {
            let source = error.source().map(|source| format!(": {source}"));
            format!("{error}{}", source.unwrap_or_default())
        },
        |error| error.message().to_owned(),
    )
}

/// Makes an error of the server readable: adds the store, and what the user can do.
fn explain(error: postgres::Error, address: &Address) -> anyhow::Error {
    let name = &address.name;
    let advice = match error.code() {
        Some(&SqlState::INSUFFICIENT_PRIVILEGE) => {
            "ask the database's owner for the right; docs/campaigns.md lists the rights of readers \
             and writers"
        }
        Some(&(SqlState::INVALID_PASSWORD | SqlState::INVALID_AUTHORIZATION_SPECIFICATION)) => {
            PASSWORD
        }
        Some(&SqlState::INVALID_CATALOG_NAME) => "`createdb` makes a database",
        Some(&SqlState::DISK_FULL) => {
            "the server's disk is full: free some; what was finished is kept, and --resume goes on \
             from there"
        }
        Some(&SqlState::TOO_MANY_CONNECTIONS) => {
            "raise max_connections, or use a pooler; docs/campaigns.md says how many are needed"
        }
        Some(&SqlState::LOCK_NOT_AVAILABLE) => {
            "another process has held the rows for a minute: try again"
        }
        Some(_) => "",
        None if reason(&error).contains("password missing") => PASSWORD,
        None => "is the server running, and the address right?",
    };
    let text = match (reason(&error), advice) {
        (reason, "") => format!("the store {name}: {reason}"),
        (reason, advice) => format!("the store {name}: {reason}; {advice}"),
    };
    anyhow!(text)
}

impl ToSql for Value {
    fn to_sql(
        &self,
        ty: &Type,
        out: &mut BytesMut,
    ) -> Result<IsNull, Box<dyn Error + Sync + Send>> {
        match self {
            Self::Null => Ok(IsNull::Yes),
            Self::Int(value) => match *ty {
                Type::INT4 => i32::try_from(*value)?.to_sql_checked(ty, out),
                _ => value.to_sql_checked(ty, out),
            },
            Self::Real(value) => value.to_sql_checked(ty, out),
            // PostgreSQL's texts cannot contain the character NUL.
            Self::Text(value) if value.contains('\0') => {
                value.replace('\0', "\u{2400}").to_sql_checked(ty, out)
            }
            Self::Text(value) => value.to_sql_checked(ty, out),
            Self::Bytes(value) => value.to_sql_checked(ty, out),
        }
    }

    fn accepts(_: &Type) -> bool {
        true
    }

    to_sql_checked!();
}

impl Row for postgres::Row {
    fn int(&self, column: usize) -> anyhow::Result<i64> {
        match *self.columns()[column].type_() {
            Type::INT4 => Ok(self.try_get::<_, i32>(column)?.into()),
            _ => Ok(self.try_get(column)?),
        }
    }

    fn real(&self, column: usize) -> anyhow::Result<f64> {
        Ok(self.try_get(column)?)
    }

    fn maybe_real(&self, column: usize) -> anyhow::Result<Option<f64>> {
        Ok(self.try_get(column)?)
    }

    fn text(&self, column: usize) -> anyhow::Result<String> {
        Ok(self.try_get(column)?)
    }

    fn bytes(&self, column: usize) -> anyhow::Result<Vec<u8>> {
        Ok(self.try_get(column)?)
    }
}
