//! Tests of the store that both databases pass, and of what only PostgreSQL has. The server's
//! tests are skipped, with a message, where it is not installed.

mod common;
#[path = "store/postgres.rs"]
mod postgres;
#[path = "store/sample.rs"]
mod sample;
#[path = "common/postgres.rs"]
mod server;

use std::collections::HashSet;
use std::path::Path;

use serde_json::json;
use touchstone_lab::bundle::Bundle;
use touchstone_lab::identity;
use touchstone_lab::stats::Interval;
use touchstone_lab::store::{Cells, Imported, RawCell, Store};
use touchstone_lab::stored::Point;
use touchstone_lab::summarise::summarise;
use touchstone_lab::summary::Library;
use touchstone_wire::Contract;

use sample::{
    cell, document, exported, failure, filled, import, library, measured, row, task, with_nettle,
};
use server::Cluster;

/// Does a test with a new store in SQLite and, if the server is there, with one in PostgreSQL.
fn with_each(test: impl Fn(&Path)) {
    let folder = tempfile::tempdir().unwrap();
    test(&folder.path().join("deep/runs.sqlite"));
    if let Some(cluster) = Cluster::start() {
        test(&cluster.database("lab"));
    }
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
