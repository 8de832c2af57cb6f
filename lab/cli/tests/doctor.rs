//! Tests `touchstone doctor` as a user runs it.

mod common;

use assert_cmd::assert::OutputAssertExt;
use common::{Bench, rows};

#[test]
fn a_machine_that_can_measure_is_good_enough() {
    let bench = Bench::new(&[("good", "none"), ("gone", "absent")]);
    let doctor = ["doctor", "--seconds", "1"];
    let args = [&doctor[..], &["--format", "json"]].concat();
    let output = bench.touchstone(&args).output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    let document: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let rows = rows(&document, "machine");
    let row = |what: &str| rows.iter().find(|row| row["what"] == what).unwrap();
    for what in [
        "CPUs",
        "Clock source",
        "Noise",
        "Steal",
        "Load",
        "Disk",
        "Store",
    ] {
        assert!(!row(what)["finding"].as_str().unwrap().is_empty(), "{what}");
    }
    assert_eq!(row("good")["status"], "good");
    let absent = row("gone")["finding"].as_str().unwrap();
    assert!(absent.contains("no librc4.so.1; install it"), "{absent}");

    let text = bench.touchstone(&doctor).output().unwrap();
    let text = String::from_utf8(text.stdout).unwrap();
    assert!(text.lines().all(|l| l.chars().count() <= 80), "{text}");
}

#[test]
fn where_the_lab_cannot_work_the_exit_code_says_so() {
    let doctor = ["doctor", "--seconds", "1", "--format", "json"];
    let none = Bench::new(&[("gone", "absent")]);
    none.touchstone(&doctor).assert().code(1);
    let bench = Bench::new(&[("good", "none")]);
    std::fs::write(bench.path("runs.sqlite"), "no store".repeat(1000)).unwrap();
    let output = bench.touchstone(&doctor).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let document: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let rows = rows(&document, "machine");
    assert!(
        rows.iter()
            .any(|row| row["what"] == "Store" && row["status"] == "broken")
    );
}
