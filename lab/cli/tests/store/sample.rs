//! An invented run, in a store and as a document.

use std::path::Path;

use serde_json::json;
use touchstone_lab::bundle::Bundle;
use touchstone_lab::files::measured::Measured;
use touchstone_lab::identity;
use touchstone_lab::profile::Task;
use touchstone_lab::store::{Imported, RawCell, RunRow, Store};
use touchstone_lab::summary::{Failure, Library, Verification};
use touchstone_wire::Contract;

pub(crate) fn row() -> RunRow {
    serde_json::from_value(json!({
        "id": 0, "started": "2026-01-02T03:04:05Z", "seconds": 0.0, "complete": false,
        "lab_version": "0", "command": "touchstone run", "profile": "quick",
        "profile_text": "", "target": 0.05, "null_ns": 0.3,
        "plan": { "libraries": [], "algorithm": null, "sizes": [], "threads": [] },
        "machine": { "line": "a machine", "facts": [["Host", "node1"]], "mhz": null }
    }))
    .unwrap()
}

pub(crate) fn library() -> Library {
    serde_json::from_value(json!({
        "id": "openssl", "name": "OpenSSL", "version": "3", "path": "", "licence": "",
        "language": "", "features": "", "note": "Zoë \u{1F600}", "absent": "", "offers": 1,
        "code_bytes": null, "table_bytes": null, "start_ms": 1.5, "peak_kib": null
    }))
    .unwrap()
}

pub(crate) fn task(bytes: u64) -> Task {
    Task {
        primitive: "sha-256".into(),
        operation: "hash".into(),
        contract: Contract::Hot,
        bytes,
        threads: 1,
        messages: 1,
    }
}

pub(crate) fn cell(library: &str, bytes: u64) -> RawCell {
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

pub(crate) fn failure() -> Failure {
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

pub(crate) fn verification(library: &str) -> Verification {
    Verification {
        library: library.into(),
        primitive: "sha-256".into(),
        operation: "hash".into(),
        passed: 3,
        ..Verification::default()
    }
}

/// A measurement of whole files on the machine of [`row`].
pub(crate) fn measured(started: &str) -> Measured {
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

/// Fills a store with a run of two tasks.
pub(crate) fn filled(store: &Store) -> i64 {
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
pub(crate) fn with_nettle(store: &Store) -> i64 {
    let run = filled(store);
    let nettle = Library {
        id: "Nettle".into(),
        ..library()
    };
    store.save_library(run, &nettle).unwrap();
    run
}

/// Returns a run as a document.
pub(crate) fn exported(store: &Store, run: i64) -> Vec<u8> {
    let mut bytes = Vec::new();
    let bundle = Bundle::from_store(store, run).unwrap();
    bundle.write(&mut bytes).unwrap();
    bytes
}

/// Returns a changed run as a document, as another store has it.
pub(crate) fn document(change: impl Fn(&mut serde_json::Value)) -> Vec<u8> {
    let store = Store::open(Path::new(":memory:")).unwrap();
    let bytes = exported(&store, with_nettle(&store));
    let mut document = serde_json::from_slice(&bytes).unwrap();
    change(&mut document);
    serde_json::to_vec(&document).unwrap()
}

pub(crate) fn import(store: &Store, document: &[u8]) -> (i64, Imported) {
    let bundle = Bundle::parse(document).unwrap();
    bundle.import(store, "a file").unwrap()
}
