//! Tests differential fuzzing as a user runs it, with planted libraries.

mod common;

use assert_cmd::assert::OutputAssertExt;
use serde_json::Value;

use common::{Bench, rows};

fn findings(bench: &Bench, more: &[&str]) -> (Option<i32>, Vec<Value>) {
    let args = ["fuzz", "--cases", "200", "--seed", "7", "--format", "json"];
    let output = bench
        .touchstone(&[&args[..], more].concat())
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let rows = match serde_json::from_str(&text) {
        Ok(document) => rows(&document, "disagreements").to_vec(),
        Err(error) => panic!("{error}: {text}"),
    };
    (output.status.code(), rows)
}

#[test]
fn libraries_that_agree_end_with_success() {
    let bench = Bench::new(&[("one", "none"), ("two", "none"), ("three", "slow")]);
    assert_eq!(findings(&bench, &[]), (Some(0), Vec::new()));
}

#[test]
fn the_one_that_differs_is_named_with_a_small_input() {
    let bench = Bench::new(&[("one", "none"), ("two", "none"), ("bad", "wrong")]);
    let (code, rows) = findings(&bench, &[]);
    assert_eq!(code, Some(3), "{rows:?}");
    assert_eq!(rows.len(), 1, "{rows:?}");
    let row = &rows[0];
    assert_eq!(row["library"], "bad");
    assert_eq!(
        (&row["kind"], &row["outvoted"]),
        (&"differs".into(), &"yes".into())
    );
    let input = row["input"].as_str().unwrap();
    assert!(input.contains("input=00") && input.len() < 40, "{input}");
    assert_eq!(findings(&bench, &[]).1, rows, "the seed repeats the inputs");
}

#[test]
fn two_that_differ_are_both_named() {
    let bench = Bench::new(&[("one", "none"), ("bad", "wrong")]);
    let (code, rows) = findings(&bench, &[]);
    assert_eq!(code, Some(3));
    assert!(rows.iter().all(|row| row["outvoted"] == "no"), "{rows:?}");
}

#[test]
fn a_known_defect_is_told_from_new_ones() {
    let bench = Bench::new(&[("one", "none"), ("two", "none"), ("bad", "wrong")]);
    let manifest = bench.path("adapters/bad/adapter.toml");
    let text = std::fs::read_to_string(&manifest).unwrap();
    let defect = "[[defects]]\nalgorithm = \"^rc4 \"\nwhat = \"planted\"\n";
    std::fs::write(&manifest, format!("{text}\n{defect}")).unwrap();
    let (code, rows) = findings(&bench, &[]);
    assert_eq!(code, Some(0), "{rows:?}");
    assert_eq!(rows[0]["defect"], "planted");
}

#[test]
fn a_crash_is_a_finding_and_the_library_goes_on() {
    let bench = Bench::new(&[("one", "none"), ("two", "none"), ("bad", "crash-at-1024")]);
    let long = common::VECTORS.replace(&"00".repeat(16), "painted:1024");
    std::fs::write(bench.path("vectors/stream/rc4/long.vec"), long).unwrap();
    let (code, rows) = findings(&bench, &[]);
    assert_eq!(code, Some(3), "{rows:?}");
    assert_eq!(rows.len(), 1, "{rows:?}");
    assert_eq!(
        (&rows[0]["library"], &rows[0]["kind"]),
        (&"bad".into(), &"crash".into())
    );
    let count: u32 = rows[0]["inputs"]
        .to_string()
        .trim_matches('"')
        .parse()
        .unwrap();
    assert_eq!(count, 3, "then the library is no longer asked");
}

#[test]
fn one_library_alone_cannot_be_compared() {
    let bench = Bench::new(&[("one", "none")]);
    bench.touchstone(&["fuzz", "--cases", "5"]).assert().code(4);
}
