//! Tests that every verb can show whatever `import` accepts: exported runs with numbers, texts and
//! lists at the ends of their ranges and beyond.

mod common;

use common::Bench;
use serde_json::{Value, json};
use touchstone_lab::bundle::Bundle;
use touchstone_lab::view::VIEWS;
use touchstone_lab::{compare, export, machine, report};

/// A small run of two libraries, which the fuzz targets start from too.
const RUN: &str = include_str!("../../fuzz/seeds/bundle/small.json");

/// Returns the run with a measurement of whole files on its machine.
fn with_files() -> Value {
    let mut run: Value = serde_json::from_str(RUN).unwrap();
    let there = serde_json::from_value(run["run"]["machine"].clone()).unwrap();
    let sample = json!({ "seconds": 0.1, "processor": 0.1, "memory": 1000, "disk": 0.2 });
    run["files"] = json!({
        "uid": "018bcfe5-6800-7000-8000-000000000000",
        "started": "2026-11-24T01:02:03Z",
        "lab_version": "0.1.0",
        "machine": machine::name(&there),
        "line": "a machine",
        "programs": [{
            "name": "cp", "about": "copies", "authenticated": false, "version": "9", "absent": "",
        }],
        "cells": [{
            "program": 0, "way": "seal", "bytes": 1024,
            "samples": vec![sample; 5], "failure": "",
        }],
    });
    run
}

/// Returns the places of all values in a document. Of a list only the first element counts, because
/// the others have the same fields.
fn places(value: &Value, at: &str, found: &mut Vec<String>) {
    found.push(at.to_owned());
    match value {
        Value::Object(fields) => {
            for (name, value) in fields {
                places(value, &format!("{at}/{name}"), found);
            }
        }
        Value::Array(elements) => {
            if let Some(first) = elements.first() {
                places(first, &format!("{at}/0"), found);
            }
        }
        _ => {}
    }
}

/// Returns values to put in place of a value: of its own kind, and null.
fn others(value: &Value) -> Vec<Value> {
    let mut others = match value {
        Value::Number(_) | Value::Null => vec![
            json!(-1),
            json!(0),
            json!(u32::MAX),
            json!(1_u64 << 40),
            json!(u64::MAX),
            json!(1e-300),
            json!(0.5),
            json!(1e18),
            json!(1e300),
            json!(-1e300),
        ],
        Value::String(_) => vec![
            json!(""),
            json!("\u{1b}]0;title\u{7}\u{202e}<script>"),
            json!("\u{fffd}".repeat(60)),
            json!("long ".repeat(3000)),
            json!("x".repeat(3_000_000)),
            json!("9999-12-31T23:59:59Z"),
            json!("2026-02-30T00:00:00Z"),
            json!("-000-00-00T99:99:99Z"),
        ],
        Value::Bool(yes) => vec![json!(!yes)],
        Value::Array(elements) => {
            let twice = [&elements[..], &elements[..]].concat();
            let many = vec![elements.first().cloned().unwrap_or_default(); 2000];
            vec![json!([]), json!(twice), json!(many)]
        }
        Value::Object(_) => Vec::new(),
    };
    others.push(Value::Null);
    others
}

/// Shows a run in every form that needs no store; the report has all views. Returns whether the run can be imported.
fn is_shown(document: &Value) -> bool {
    let text = document.to_string();
    let Ok(bundle) = Bundle::parse(text.as_bytes()) else {
        return false;
    };
    let summary = bundle.summary().unwrap();
    let page = report::render(std::slice::from_ref(&summary), &[]).unwrap();
    assert!(page.len() < 20_000_000, "{} bytes", page.len());
    assert!(!export::csv(&summary).is_empty());
    let options = compare::Options {
        threshold: 0.03,
        libraries: Vec::new(),
        algorithms: None,
    };
    compare::compare(&summary, &summary, &options);
    true
}

#[test]
fn what_is_imported_can_be_shown() {
    let good = with_files();
    assert!(is_shown(&good));
    let mut all = Vec::new();
    places(&good, "", &mut all);
    let (mut imported, mut refused) = (0, 0);
    for place in &all {
        // Another name of the machine would not fit the measurement of files.
        let mut good = good.clone();
        if !place.starts_with("/files") {
            good["files"] = Value::Null;
        }
        for other in others(good.pointer(place).unwrap()) {
            let mut changed = good.clone();
            *changed.pointer_mut(place).unwrap() = other;
            match is_shown(&changed) {
                true => imported += 1,
                false => refused += 1,
            }
        }
    }
    assert!(imported > 200 && refused > 200, "{imported} {refused}");
}

/// Returns the run with every number as large as the import accepts it, and every text as long.
fn extreme() -> Value {
    let mut run = with_files();
    let mut all = Vec::new();
    places(&run, "", &mut all);
    for place in &all {
        let candidates = match run.pointer(place).unwrap() {
            Value::Number(_) => vec![
                json!(u64::MAX),
                json!(i64::MAX),
                json!(1e18),
                json!(1e15),
                json!(1_000_000_000_000_u64),
                json!(1e9),
                json!(1_000_000_000),
                json!(1_000_000),
                json!(65536),
            ],
            Value::String(_) if !place.ends_with("library") && !place.ends_with("uid") => {
                vec![
                    json!("\u{202e}\u{1b}[2J".repeat(1000)),
                    json!("\u{1b}[2J".repeat(40)),
                ]
            }
            _ => continue,
        };
        for candidate in candidates {
            let mut changed = run.clone();
            *changed.pointer_mut(place).unwrap() = candidate;
            if Bundle::parse(changed.to_string().as_bytes()).is_ok() {
                run = changed;
                break;
            }
        }
    }
    run
}

#[test]
fn a_run_at_the_ends_of_its_ranges_is_shown_by_every_verb() {
    let bench = Bench::new(&[]);
    let file = bench.path("extreme.json");
    std::fs::write(&file, extreme().to_string()).unwrap();
    let file = file.to_str().unwrap();
    let table = VIEWS.map(|view| ["table", view.name]);
    let read = ["import", file];
    let itself = ["compare", "1", file, "--order"];
    let mut verbs: Vec<&[&str]> = vec![
        &read,
        &read,
        &["runs"],
        &["rank"],
        &["rank", "--format", "json"],
        &["report"],
        &["compare", "1", "1", "--all"],
        &itself,
        &["history", "."],
        &["fleet"],
        &["recommend", "--algorithm", "aes-128-gcm", "--size", "16"],
        &["export", "1", "--to", "json"],
        &["export", "1", "--to", "csv"],
        &["export", "1", "-o", "/dev/null"],
    ];
    verbs.extend(table.iter().map(|verb| &verb[..]));
    for verb in verbs {
        let output = bench.touchstone(verb).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        // Exit code 4: the verb finds nothing to show.
        let code = output.status.code();
        assert!(matches!(code, Some(0 | 4)), "{verb:?}: {code:?} {said}");
        assert!(!said.contains("panicked"), "{verb:?}: {said}");
        let shown = [&output.stdout[..], &output.stderr].concat();
        assert!(!shown.contains(&0x1b), "{verb:?} controls the terminal");
    }
}
