//! Tests of the store that both databases pass, and of what only PostgreSQL has. The server's
//! tests are skipped, with a message, where it is not installed.

mod common;
#[path = "common/postgres.rs"]
mod server;

use std::collections::HashSet;
use std::path::Path;

use serde_json::json;
use touchstone_lab::bundle::Bundle;
use touchstone_lab::files::measured::Measured;
use touchstone_lab::identity;
use touchstone_lab::profile::Task;
use touchstone_lab::stats::Interval;
use touchstone_lab::store::{Cells, Imported, RawCell, RunRow, Store};
use touchstone_lab::stored::Point;
use touchstone_lab::summarise::summarise;
use touchstone_lab::summary::{Failure, Library, Verification};
use touchstone_wire::Contract;

use server::Cluster;

/// Does a test with a new store in SQLite and, if the server is there, with one in PostgreSQL.
fn with_each(test: impl Fn(&Path)) {
    let folder = tempfile::tempdir().unwrap();
    test(&folder.path().join("deep/runs.sqlite"));
    if let Some(cluster) = Cluster::start() {
        test(&cluster.database("lab"));
    }
}

fn row() -> RunRow {
    serde_json::from_value(json!({
        "id": 0, "started": "2026-01-02T03:04:05Z", "seconds": 0.0, "complete": false,
        "lab_version": "0", "command": "touchstone run", "profile": "quick",
        "profile_text": "", "target": 0.05, "null_ns": 0.3,
        "plan": { "libraries": [], "algorithm": null, "sizes": [], "threads": [] },
        "machine": { "line": "a machine", "facts": [["Host", "node1"]], "mhz": null }
    }))
    .unwrap()
}

fn library() -> Library {
    serde_json::from_value(json!({
        "id": "openssl", "name": "OpenSSL", "version": "3", "path": "", "licence": "",
        "language": "", "features": "", "note": "Zoë \u{1F600}", "absent": "", "offers": 1,
        "code_bytes": null, "table_bytes": null, "start_ms": 1.5, "peak_kib": null
    }))
    .unwrap()
}

fn task(bytes: u64) -> Task {
    Task {
        primitive: "sha-256".into(),
        operation: "hash".into(),
        contract: Contract::Hot,
        bytes,
        threads: 1,
        messages: 1,
    }
}

fn cell(library: &str, bytes: u64) -> RawCell {
    RawCell {
        library: library.into(),
        task: task(bytes),
        calls: 100,
        stop: "narrow",
        first_ns: [1, 2, i64::MAX as u64],
        mhz: Some(2995.5),
        flags: vec!["clock moved".into(), "an 'odd' \"name\"".into()],
        api: "EVP".into(),
        kernel: String::new(),
        note: "it's 100 %".into(),
        samples: vec![51234.0, 51200.5, 1.000_000_000_000_000_2e-6, 9e17],
        processes: vec![1, 2, 2, u32::MAX],
    }
}

fn failure() -> Failure {
    Failure {
        library: "openssl".into(),
        primitive: "sha-256".into(),
        operation: "hash".into(),
        kind: "wrong answer".into(),
        place: "a.vec:1".into(),
        input: "\u{0}".into(),
        expected: "1".into(),
        got: "2".into(),
    }
}

fn verification(library: &str) -> Verification {
    Verification {
        library: library.into(),
        primitive: "sha-256".into(),
        operation: "hash".into(),
        passed: 3,
        ..Verification::default()
    }
}

/// A measurement of whole files on the machine of [`row`].
fn measured(started: &str) -> Measured {
    serde_json::from_value(json!({
        "uid": identity::new(), "started": started, "lab_version": "0", "machine": "node1",
        "line": "a machine",
        "programs": [{
            "name": "age", "about": "it's", "authenticated": true, "version": "1.1", "absent": ""
        }],
        "cells": [{
            "program": 0, "way": "open", "bytes": 1024, "failure": "", "samples": [
                { "seconds": 1.000_000_000_000_000_2, "processor": 0.1, "memory": 4096, "disk": 2.5 }
            ]
        }]
    }))
    .unwrap()
}

#[test]
fn whole_files_are_kept_for_their_machine() {
    with_each(|path| {
        let store = Store::open(path).unwrap();
        assert!(store.newest_files(None).unwrap().is_none());
        let (old, new) = (
            measured("2026-01-02T03:04:05Z"),
            measured("2026-02-02T03:04:05Z"),
        );
        for one in [&new, &old, &new] {
            store.save_files(one).unwrap();
        }
        assert_eq!(store.newest_files(None).unwrap().as_ref(), Some(&new));
        assert_eq!(
            store.newest_files(Some("node1")).unwrap().as_ref(),
            Some(&new)
        );
        assert!(store.newest_files(Some("node2")).unwrap().is_none());
        // They go with the runs of their machine.
        let run = with_nettle(&store);
        let bytes = exported(&store, run);
        let other = Store::open(Path::new(":memory:")).unwrap();
        import(&other, &bytes);
        assert_eq!(
            other.newest_files(Some("node1")).unwrap().as_ref(),
            Some(&new)
        );
        assert_eq!(import(&other, &bytes).1, Imported::Nothing);
        let summary = summarise(&other, 1).unwrap();
        assert_eq!(summary.files.as_ref(), Some(&new));
        // A newer measurement of a run that is there.
        let newest = measured("2026-03-02T03:04:05Z");
        store.save_files(&newest).unwrap();
        let bytes = exported(&store, run);
        assert_eq!(import(&other, &bytes).1, Imported::More(0));
        assert_eq!(other.newest_files(None).unwrap().as_ref(), Some(&newest));
        for (from, to) in [
            ("\"machine\":\"node1\"", "\"machine\":\"node2\""),
            ("\"program\":0", "\"program\":1"),
            ("\"disk\":2.5", "\"disk\":0"),
            ("\"way\":\"open\"", "\"way\":\"shut\""),
        ] {
            let text = String::from_utf8(bytes.clone()).unwrap();
            assert!(text.contains(from), "{from}");
            assert!(
                Bundle::parse(text.replace(from, to).as_bytes()).is_err(),
                "{to}"
            );
        }
    });
}

/// Fills a store with a run of two tasks.
fn filled(store: &Store) -> i64 {
    let run = store.begin(&row()).unwrap();
    store.save_library(run, &library()).unwrap();
    let rows = [verification("openssl"), verification("Nettle")];
    store.save_verification(run, &rows, &[failure()]).unwrap();
    for bytes in [1024, 16] {
        let cells = [cell("openssl", bytes), cell("Nettle", bytes)];
        store.save_task(run, &task(bytes), &cells, &[]).unwrap();
    }
    run
}

/// Fills a store with a run that has a second library, and returns the run's number.
fn with_nettle(store: &Store) -> i64 {
    let run = filled(store);
    let nettle = Library {
        id: "Nettle".into(),
        ..library()
    };
    store.save_library(run, &nettle).unwrap();
    run
}

/// Returns a run as a document.
fn exported(store: &Store, run: i64) -> Vec<u8> {
    let mut bytes = Vec::new();
    let bundle = Bundle::from_store(store, run).unwrap();
    bundle.write(&mut bytes).unwrap();
    bytes
}

/// Returns a changed run as a document, as another store has it.
fn document(change: impl Fn(&mut serde_json::Value)) -> Vec<u8> {
    let store = Store::open(Path::new(":memory:")).unwrap();
    let bytes = exported(&store, with_nettle(&store));
    let mut document = serde_json::from_slice(&bytes).unwrap();
    change(&mut document);
    serde_json::to_vec(&document).unwrap()
}

fn import(store: &Store, document: &[u8]) -> (i64, Imported) {
    let bundle = Bundle::parse(document).unwrap();
    bundle.import(store, "a file").unwrap()
}

#[test]
fn what_is_stored_comes_back() {
    with_each(|place| {
        let run = filled(&Store::open(place).unwrap());
        let store = Store::open(place).unwrap();
        let cells = [
            cell("openssl", 16),
            cell("Nettle", 16),
            cell("openssl", 1024),
            cell("Nettle", 1024),
        ];
        assert_eq!(store.cells(run).unwrap(), cells);
        assert_eq!(
            store.done(run).unwrap(),
            HashSet::from([task(16), task(1024)])
        );
        assert_eq!(store.libraries(run).unwrap(), [library()]);
        assert_eq!(store.failures(run).unwrap(), [failure()]);
        let libraries = store.verifications(run).unwrap();
        let libraries: Vec<&str> = libraries.iter().map(|row| row.library.as_str()).collect();
        assert_eq!(libraries, ["Nettle", "openssl"], "sorted by byte in both");
        let stored = store.run(Some(run), false).unwrap();
        assert!(identity::is_valid(&stored.uid));
        assert_eq!(stored.machine, row().machine);

        // Writing again replaces.
        let newer = Library {
            version: "4".into(),
            ..library()
        };
        store.save_library(run, &newer).unwrap();
        let again = RawCell {
            calls: 7,
            mhz: None,
            ..cell("openssl", 16)
        };
        store
            .save_task(run, &task(16), std::slice::from_ref(&again), &[])
            .unwrap();
        assert_eq!(store.libraries(run).unwrap(), [newer]);
        assert_eq!(store.cells(run).unwrap()[0], again);

        assert_eq!(store.run(None, true).unwrap().id, run);
        store.progress(run, 2.0, false).unwrap();
        store.progress(run, 0.5, true).unwrap();
        assert!(store.run(None, true).is_err(), "no run is left to resume");
        let ended = store.run(Some(run), false).unwrap();
        assert_eq!((ended.seconds, ended.complete), (2.5, true));
        assert!(store.newest_whole().unwrap().is_some());
        store.clear_verification(run).unwrap();
        assert!(store.verifications(run).unwrap().is_empty());
        store.remove(run).unwrap();
        assert!(store.cells(run).unwrap().is_empty() && store.runs().unwrap().is_empty());
    });
}

#[test]
fn a_failed_step_stores_nothing() {
    with_each(|place| {
        let store = Store::open(place).unwrap();
        let run = filled(&store);
        // No run has this number, so the last statement of the step fails.
        let failed = store.save_task(run + 1, &task(64), &[cell("openssl", 64)], &[]);
        assert!(failed.is_err());
        assert_eq!(store.cells(run).unwrap().len(), 4, "the store works on");
        assert!(store.done(run + 1).unwrap().is_empty());
    });
}

#[test]
fn a_run_is_imported_once_and_grows() {
    with_each(|place| {
        let store = Store::open(place).unwrap();
        let whole = document(|_| {});
        let (run, imported) = import(&store, &whole);
        assert_eq!(imported, Imported::New);
        let cells = store.cells(run).unwrap();
        assert_eq!(cells.len(), 4);
        assert_eq!(import(&store, &whole), (run, Imported::Nothing));
        assert_eq!(store.runs().unwrap().len(), 1);
        assert_eq!(store.failures(run).unwrap().len(), 1);

        // A part first, then the whole.
        let part = document(|document| {
            document["run"]["uid"] = json!(identity::new());
            document["tasks"].as_array_mut().unwrap().truncate(1);
        });
        let (run, imported) = import(&store, &part);
        assert_eq!(
            (imported, store.cells(run).unwrap().len()),
            (Imported::New, 2)
        );
        let uid = store.run(Some(run), false).unwrap().uid;
        let whole = document(|document| {
            document["run"]["uid"] = json!(uid);
            document["run"]["complete"] = json!(true);
            document["run"]["seconds"] = json!(9.5);
        });
        assert_eq!(import(&store, &whole), (run, Imported::More(1)));
        assert_eq!(import(&store, &whole), (run, Imported::Nothing));
        let grown = store.run(Some(run), false).unwrap();
        assert_eq!((grown.seconds, grown.complete), (9.5, true));
        assert_eq!(store.failures(run).unwrap().len(), 1);
        // The earlier part again takes nothing away.
        assert_eq!(import(&store, &part), (run, Imported::Nothing));
        assert_eq!(store.cells(run).unwrap().len(), 4);
        assert!(store.run(Some(run), false).unwrap().complete);

        let wrong = document(|document| document["run"]["uid"] = json!("7"));
        assert!(
            Bundle::parse(&wrong)
                .unwrap_err()
                .to_string()
                .contains("no UUID")
        );
    });
}

/// A document of an older version has no id. Every store gives the run the same one.
#[test]
fn a_run_without_an_id_is_imported_once_too() {
    with_each(|place| {
        let store = Store::open(place).unwrap();
        let old = document(|document| {
            document["run"].as_object_mut().unwrap().remove("uid");
        });
        let (run, _) = import(&store, &old);
        assert_eq!(import(&store, &old), (run, Imported::Nothing));
    });
}

#[test]
fn many_writers_import_at_once_and_each_run_is_there_once() {
    with_each(|place| {
        let documents: Vec<Vec<u8>> = (0..12)
            .map(|_| document(|document| document["run"]["uid"] = json!(identity::new())))
            .collect();
        // The store does not exist yet: every writer makes it. Each document comes from two.
        std::thread::scope(|scope| {
            for writer in 0..8 {
                let documents = &documents;
                scope.spawn(move || {
                    let store = Store::open(place).unwrap();
                    for document in documents.iter().skip(writer % 4).step_by(4) {
                        let (run, _) = import(&store, document);
                        store.save_points(run, "node1", &[point(1.0)]).unwrap();
                    }
                });
            }
        });
        let store = Store::open(place).unwrap();
        let runs = store.runs().unwrap();
        assert_eq!(runs.len(), documents.len());
        for run in runs {
            assert_eq!(store.cells(run.id).unwrap().len(), 4);
            assert_eq!(store.failures(run.id).unwrap().len(), 1);
        }
        assert_eq!(store.readings(&cells()).unwrap().len(), documents.len());
    });
}

fn point(ns: f64) -> Point {
    Point {
        task: task(16),
        library: "openssl".into(),
        version: "3".into(),
        ns: Interval {
            low: ns * 0.9,
            mid: ns,
            high: f64::INFINITY,
        },
        rounds: 25,
        processes: 3,
    }
}

fn cells() -> Cells {
    Cells {
        primitive: "sha-256".into(),
        operation: "hash".into(),
        contract: Contract::Hot,
        threads: 1,
        bytes: 16,
        machine: String::new(),
    }
}

#[test]
fn points_are_stored_once_for_each_run() {
    with_each(|place| {
        let store = Store::open(place).unwrap();
        let run = filled(&store);
        assert!(!store.is_summarised(run).unwrap());
        for ns in [5.0, 6.0] {
            store.save_points(run, "node1", &[point(ns)]).unwrap();
        }
        let other = store.begin(&row()).unwrap();
        store.save_points(other, "node2", &[point(7.0)]).unwrap();
        assert!(store.is_summarised(run).unwrap());
        let readings = store.readings(&cells()).unwrap();
        let found: Vec<_> = readings
            .iter()
            .map(|one| (&*one.machine, one.ns.mid))
            .collect();
        assert_eq!(found, [("node1", 6.0), ("node2", 7.0)]);
        assert_eq!(
            readings[0].ns,
            point(6.0).ns,
            "also an interval without an end"
        );
        let one = Cells {
            machine: "node2".into(),
            ..cells()
        };
        assert_eq!(store.readings(&one).unwrap(), readings[1..]);
        assert_eq!(store.lengths(&cells()).unwrap(), [16]);
        let algorithms = store.algorithms_with_points().unwrap();
        assert_eq!(algorithms, [("sha-256".to_owned(), "hash".to_owned())]);
        store.remove(run).unwrap();
        assert_eq!(store.readings(&cells()).unwrap().len(), 1);
    });
}

#[test]
fn samples_move_to_an_archive_and_are_read_from_there() {
    with_each(|place| {
        let folder = tempfile::tempdir().unwrap();
        let archive = folder.path().join("archive");
        let archive = archive.to_str().unwrap();
        let store = Store::open(place).unwrap();
        let run = filled(&store);
        let (row, cells) = (
            store.run(Some(run), false).unwrap(),
            store.cells(run).unwrap(),
        );
        let file = touchstone_lab::archive::write(archive, &row, "node1", &cells).unwrap();
        store.archived(run, &file).unwrap();
        store.shrink().unwrap();
        assert_eq!(store.run(Some(run), false).unwrap().archive, file);
        assert_eq!(store.cells(run).unwrap(), cells, "bit by bit");
        // A file that is not there, or is another run's, is an error that names the place.
        let bytes = std::fs::read(&file).unwrap();
        std::fs::write(&file, &bytes[..bytes.len() / 2]).unwrap();
        let error = format!("{:#}", store.cells(run).unwrap_err());
        assert!(error.contains(&file), "{error}");
        std::fs::write(&file, bytes).unwrap();
        store.remove(run).unwrap();
        assert!(!Path::new(&file).exists(), "the run's file goes with it");
    });
}

#[test]
fn a_database_that_is_not_ours_is_told_in_a_line_and_left_as_it_was() {
    let Some(cluster) = Cluster::start() else {
        return;
    };
    for (name, sql, reason) in [
        (
            "of_others",
            "CREATE TABLE mail (id INT)",
            "another program's",
        ),
        (
            "wrong_mark",
            "CREATE TABLE store (id INT)",
            "another program's",
        ),
        (
            "newer",
            "UPDATE store SET version = 99",
            "newer touchstone (schema 99",
        ),
        (
            "damaged",
            "ALTER TABLE cells RENAME calls TO called",
            "damaged (column \"calls\"",
        ),
        ("gone", "DROP TABLE tasks", "damaged (relation \"tasks\""),
    ] {
        let address = cluster.database(name);
        match sql.starts_with("CREATE") {
            true => cluster.sql(name, "CREATE SCHEMA touchstone"),
            false => {
                drop(Store::open(&address).unwrap());
                String::new()
            }
        };
        cluster.sql(name, &format!("SET search_path TO touchstone; {sql}"));
        let tables = "SELECT table_name, column_name FROM information_schema.columns
                      WHERE table_schema = 'touchstone' ORDER BY 1, 2";
        let before = cluster.sql(name, tables);
        for open in [Store::open, Store::open_to_read] {
            let error = format!("{:#}", open(&address).err().unwrap());
            assert!(error.contains(reason), "{sql}: {error}");
            assert_eq!(error.lines().count(), 1, "{error}");
        }
        assert_eq!(cluster.sql(name, tables), before, "{sql}");
    }
    // Another program's tables beside ours do not matter.
    let address = cluster.database("shared");
    cluster.sql("shared", "CREATE TABLE mail (id INT)");
    filled(&Store::open(&address).unwrap());
    let missing = cluster.address("none", "lab");
    let error = format!("{:#}", Store::open(&missing).err().unwrap());
    assert!(error.contains("createdb"), "{error}");
}

#[test]
fn an_older_schema_is_migrated_by_writers_alone() {
    let Some(cluster) = Cluster::start() else {
        return;
    };
    let address = cluster.database("lab");
    let first = include_str!("../migrations/postgres/0005_uid.sql");
    let mark = "CREATE SCHEMA touchstone; SET search_path TO touchstone;
                CREATE TABLE store (application TEXT NOT NULL, version BIGINT NOT NULL);
                INSERT INTO store VALUES ('touchstone', 5);";
    cluster.sql("lab", &format!("{mark} {first}"));
    let error = format!("{:#}", Store::open_to_read(&address).err().unwrap());
    assert!(
        error.contains("its schema is 5") && error.contains("--migrate"),
        "{error}"
    );
    filled(&Store::open(&address).unwrap());
    let new = cluster.database("new");
    drop(Store::open(&new).unwrap());
    let columns = "SELECT table_name, column_name, data_type, column_default, is_nullable
                   FROM information_schema.columns WHERE table_schema = 'touchstone' ORDER BY 1, 2";
    assert_eq!(cluster.sql("lab", columns), cluster.sql("new", columns));
    let version = "SELECT version FROM touchstone.store";
    assert_eq!(cluster.sql("lab", version), cluster.sql("new", version));
}

#[test]
fn readers_need_no_right_to_write() {
    let Some(cluster) = Cluster::start() else {
        return;
    };
    let address = cluster.database("lab");
    let empty = Store::open_to_read(&address).unwrap();
    assert!(
        empty.runs().unwrap().is_empty(),
        "no tables: an empty store"
    );
    assert_eq!(
        cluster.sql(
            "lab",
            "SELECT count(*) FROM pg_tables WHERE schemaname = 'touchstone'"
        ),
        "0"
    );
    let run = filled(&Store::open(&address).unwrap());
    cluster.sql(
        "lab",
        "CREATE ROLE reader LOGIN; GRANT USAGE ON SCHEMA touchstone TO reader;
         GRANT SELECT ON ALL TABLES IN SCHEMA touchstone TO reader",
    );
    let reader = cluster.address("lab", "reader");
    let store = Store::open_to_read(&reader).unwrap();
    assert_eq!(store.cells(run).unwrap().len(), 4);
    let error = format!("{:#}", store.progress(run, 1.0, true).unwrap_err());
    assert!(error.contains("read-only"), "{error}");
    let store = Store::open(&reader).unwrap();
    let error = format!("{:#}", store.progress(run, 1.0, true).unwrap_err());
    assert!(error.contains("ask the database's owner"), "{error}");
}

#[test]
fn a_server_that_was_restarted_is_found_again() {
    let Some(cluster) = Cluster::start() else {
        return;
    };
    let store = Store::open(&cluster.database("lab")).unwrap();
    let run = filled(&store);
    cluster.restart();
    // The first step finds that the connection is gone.
    let _ = store.progress(run, 1.0, false);
    store.progress(run, 1.0, true).unwrap();
    assert!(store.run(Some(run), false).unwrap().complete);
}

/// The command with a server that asks for a password.
#[test]
fn passwords_come_from_the_usual_places_and_are_never_shown() {
    let Some(cluster) = Cluster::start() else {
        return;
    };
    cluster.database("lab");
    cluster.sql(
        "lab",
        "CREATE ROLE ann LOGIN PASSWORD 'sec:ret'; GRANT CREATE ON DATABASE lab TO ann",
    );
    cluster.set("pg_hba.conf", "host all all 127.0.0.1/32 scram-sha-256");
    cluster.restart();
    let bench = common::Bench::new(&[("good", "none")]);
    let plain = format!("postgres://ann@127.0.0.1:{}/lab", cluster.port);
    let runs = |store: &str| {
        let mut command = bench.touchstone(&["runs", "--store", store]);
        for name in ["PGPASSWORD", "PGSSLMODE", "PGUSER"] {
            command.env_remove(name);
        }
        command
            .env("HOME", bench.path("home"))
            .env("PGPASSFILE", bench.path("pgpass"));
        command
    };
    let said = |command: &mut std::process::Command| {
        let output = command.output().unwrap();
        let text = [output.stdout, output.stderr].concat();
        let text = String::from_utf8(text).unwrap();
        assert!(
            !text.contains("sec:ret") && !text.contains("sec%3Aret"),
            "{text}"
        );
        (output.status.code(), text)
    };
    let (code, text) = said(&mut runs(&plain));
    assert_eq!(code, Some(1), "{text}");
    assert!(text.contains("PGPASSWORD"), "{text}");
    let (code, text) = said(runs(&plain).env("PGPASSWORD", "sec:ret"));
    assert_eq!(code, Some(0), "{text}");
    let line = format!("127.0.0.1:{}:lab:ann:sec\\:ret\n", cluster.port);
    std::fs::write(bench.path("pgpass"), line).unwrap();
    let mode = |mode: u32| {
        let mode = std::os::unix::fs::PermissionsExt::from_mode(mode);
        std::fs::set_permissions(bench.path("pgpass"), mode).unwrap();
    };
    mode(0o644);
    let (code, text) = said(&mut runs(&plain));
    assert_eq!(
        (code, text.contains("chmod 600")),
        (Some(1), true),
        "{text}"
    );
    mode(0o600);
    let (code, text) = said(&mut runs(&plain));
    assert_eq!(code, Some(0), "{text}");
    let open = format!("postgres://ann:sec%3Aret@127.0.0.1:{}/lab", cluster.port);
    let (code, text) = said(&mut runs(&open));
    assert_eq!(
        (code, text.contains("can be seen by others")),
        (Some(0), true),
        "{text}"
    );

    // A run's command line is stored, and the password in it is not.
    let profile = bench.path("short.toml");
    let mut run = bench.touchstone(&["run", "--store", &open, "--profile"]);
    run.arg(profile).env("XDG_DATA_HOME", bench.path("data"));
    let (code, text) = said(&mut run);
    assert_eq!(code, Some(0), "{text}");
    let stored = cluster.sql("lab", "SELECT command FROM touchstone.runs");
    assert!(stored.contains("ann:***@"), "{stored}");
    let report = bench.path("data/touchstone/reports/run-1.html");
    let html = std::fs::read_to_string(report).unwrap();
    assert!(html.contains("good") && !html.contains("sec%3Aret"));
    for verb in [
        &["rank"][..],
        &["report"],
        &["export"],
        &["compare", "1", "1"],
        &["doctor"],
    ] {
        let mut command = bench.touchstone(verb);
        command
            .env("TOUCHSTONE_STORE", &open)
            .env("XDG_DATA_HOME", bench.path("data"));
        let (code, text) = said(&mut command);
        // One library leaves nothing to rank.
        let expected = if verb == ["rank"] { 4 } else { 0 };
        assert_eq!(code, Some(expected), "{verb:?}: {text}");
    }
}

#[test]
fn sslmode_is_honoured() {
    let Some(cluster) = Cluster::start() else {
        return;
    };
    let made = std::process::Command::new("openssl")
        .args([
            "req",
            "-x509",
            "-newkey",
            "ec",
            "-pkeyopt",
            "ec_paramgen_curve:prime256v1",
            "-nodes",
        ])
        .args([
            "-days",
            "2",
            "-subj",
            "/CN=localhost",
            "-addext",
            "subjectAltName=DNS:localhost",
            "-addext",
            "basicConstraints=critical,CA:FALSE",
        ])
        .arg("-keyout")
        .arg(cluster.path("key.pem"))
        .arg("-out")
        .arg(cluster.path("cert.pem"))
        .output();
    if !made.is_ok_and(|made| made.status.success()) {
        println!("SKIPPED: the command openssl, which makes the test's certificate, is missing");
        return;
    }
    let key = cluster.path("key.pem");
    if rustix::process::getuid().is_root() {
        std::os::unix::fs::chown(&key, Some(65534), Some(65534)).unwrap();
    }
    cluster.database("lab");
    let lines = format!(
        "ssl = on\nssl_cert_file = '{}'\nssl_key_file = '{}'",
        cluster.path("cert.pem").display(),
        key.display()
    );
    cluster.set("postgresql.conf", &lines);
    cluster.restart();
    let root = cluster
        .path("cert.pem")
        .display()
        .to_string()
        .replace('/', "%2F");
    let open = |host: &str, query: &str| {
        let address = format!("postgres://lab@{host}:{}/lab?{query}", cluster.port);
        Store::open(Path::new(&address)).map(|store| {
            store.begin(&row()).unwrap();
            cluster.sql("lab", "SELECT bool_or(ssl) FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) WHERE application_name = 'touchstone'")
        })
    };
    assert_eq!(open("localhost", "sslmode=disable").unwrap(), "f");
    assert_eq!(open("localhost", "sslmode=prefer").unwrap(), "t");
    assert_eq!(open("127.0.0.1", "sslmode=require").unwrap(), "t");
    assert_eq!(
        open(
            "localhost",
            &format!("sslmode=verify-full&sslrootcert={root}")
        )
        .unwrap(),
        "t"
    );
    // The certificate is of another name.
    assert_eq!(
        open(
            "127.0.0.1",
            &format!("sslmode=verify-ca&sslrootcert={root}")
        )
        .unwrap(),
        "t"
    );
    assert!(
        open(
            "127.0.0.1",
            &format!("sslmode=verify-full&sslrootcert={root}")
        )
        .is_err()
    );
    // The system does not know the certificate.
    assert!(open("localhost", "sslmode=verify-full").is_err());
    // A server without TLS is refused where TLS is required.
    cluster.set("postgresql.conf", "ssl = off");
    cluster.restart();
    assert!(open("localhost", "sslmode=require").is_err());
    assert_eq!(open("localhost", "sslmode=prefer").unwrap(), "f");
}
