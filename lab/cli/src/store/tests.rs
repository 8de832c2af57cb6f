//! Tests of the store in SQLite; `tests/store.rs` has those that both databases pass.

use std::path::Path;

use rusqlite::Connection;
use tempfile::TempDir;
use touchstone_wire::Contract;

use super::schema::LAST;
use super::*;
use crate::summary::Machine;

/// The tables of the first release.
const FIRST: &str = include_str!("../../migrations/sqlite/0001_runs.sql");

const TABLES: [&str; 9] = [
    "cells",
    "failures",
    "files",
    "libraries",
    "points",
    "runs",
    "series",
    "tasks",
    "verifications",
];

fn row() -> RunRow {
    RunRow {
        id: 0,
        uid: String::new(),
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
        archive: String::new(),
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
    connection.execute_batch(FIRST).unwrap();
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
    let new = folder.path().join("new.sqlite");
    for path in [&old, &new] {
        drop(Store::open(path).unwrap());
    }
    let [old, new] = [old, new].map(|path| Connection::open(path).unwrap());
    assert_eq!(columns(&old), columns(&new));
    for connection in [&old, &new] {
        let version = connection.query_row("PRAGMA user_version", (), |row| row.get::<_, i64>(0));
        assert_eq!(version.unwrap(), LAST);
    }
}

/// Two copies of one run were possible before runs had ids.
#[test]
fn runs_of_an_older_store_get_ids_that_do_not_depend_on_the_store() {
    let folder = tempfile::tempdir().unwrap();
    let ids = ["a.sqlite", "b.sqlite"].map(|name| {
        let path = folder.path().join(name);
        first(&path);
        let connection = Connection::open(&path).unwrap();
        let insert = "INSERT INTO runs (started, lab_version, command, profile, profile_text, plan,
                target, null_ns, machine)
            VALUES ('2026-01-02T03:04:05Z', '0', 'touchstone run', 'quick', '',
                '{\"libraries\":[],\"algorithm\":null,\"sizes\":[],\"threads\":[]}', 0.05, 0.5,
                '{\"line\":\"a machine\",\"facts\":[],\"mhz\":null}')";
        for _ in 0..2 {
            connection.execute(insert, ()).unwrap();
        }
        drop(connection);
        let read = Store::open_to_read(&path).unwrap().runs().unwrap();
        let written = Store::open(&path).unwrap().runs().unwrap();
        assert_eq!(read[0].uid, written[0].uid, "the same without writing");
        assert_ne!(written[0].uid, written[1].uid);
        let again = Store::open(&path).unwrap().runs().unwrap();
        assert_eq!(again, written);
        written[0].uid.clone()
    });
    assert_eq!(ids[0], ids[1]);
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
