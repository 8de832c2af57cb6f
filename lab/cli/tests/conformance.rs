//! Tests `touchstone check-worker`: correct workers pass, in any language, and the command
//! finds each planted fault. `languages.rs` runs the command on the workers in Go and Java.

mod common;

use std::path::Path;
use std::process::Command;

use common::{Bench, planted, rows};

/// Returns the rules that a worker broke, and everything that the command printed.
fn broken(command: &mut Command) -> (Vec<String>, String) {
    let output = command.output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let table: serde_json::Value = serde_json::from_str(&text)
        .unwrap_or_else(|_| panic!("{text}{}", String::from_utf8_lossy(&output.stderr)));
    let rows = rows(&table, "rules");
    assert_eq!(rows.len(), 17, "{text}");
    let no = rows.iter().filter(|row| row["result"] == "no");
    let rules: Vec<String> = no.map(|row| row["rule"].to_string()).collect();
    let code = if rules.is_empty() { 0 } else { 3 };
    assert_eq!(output.status.code(), Some(code), "{text}");
    (rules, text)
}

/// The rules stand in the description of the protocol, in the same words and order.
#[test]
fn the_protocol_describes_each_rule() {
    let bench = Bench::new(&[]);
    let mut command = bench.touchstone(&["check-worker", "--format", "json"]);
    let text = common::stdout(command.arg(planted()).args(["worker", "none"]));
    let table: serde_json::Value = serde_json::from_str(&text).unwrap();
    let checked = rows(&table, "rules")
        .iter()
        .map(|row| row["rule"].as_str().unwrap());
    let described = include_str!("../../../docs/wire-protocol.md");
    let (_, described) = described
        .split_once("\n| a worker | section |\n|---|---|\n")
        .unwrap();
    let described = described.lines().take_while(|line| !line.is_empty());
    let described = described.filter_map(|line| line.strip_prefix("| ")?.split(" | ").next());
    assert!(checked.eq(described));
}

fn check_planted(fault: &str) -> (Vec<String>, String) {
    let bench = Bench::new(&[]);
    let mut command = bench.touchstone(&["check-worker", "--format", "json"]);
    broken(command.arg(planted()).args(["worker", fault]))
}

#[test]
fn a_worker_without_fault_passes() {
    let (rules, text) = check_planted("none");
    assert!(rules.is_empty(), "{text}");
    assert!(
        !text.contains("not checked\",\n      \"rule\": \"times"),
        "{text}"
    );
}

#[test]
fn a_worker_with_nonces_passes() {
    let (rules, text) = check_planted("cbc");
    assert!(rules.is_empty(), "{text}");
    assert!(
        !text.contains("not checked\",\n      \"rule\": \"takes the nonces"),
        "{text}"
    );
}

#[test]
fn planted_faults_are_found() {
    for (fault, rule) in [
        ("wrong", "answers known answers"),
        ("changing", "before and after"),
        ("wrong-many", "`many`"),
        ("stale-iv", "nonces of the ring"),
        ("torn-in-place", "`in-place`"),
        ("crash-at-1024", "takes the calls"),
        ("hang-at-1024", "takes the calls"),
        ("unsolicited", "known answers"),
        ("painted", "known answers"),
        ("deaf", "`bye`"),
        ("other-cell", "times every contract"),
        ("strict", "ignores fields"),
        ("strict", "several threads"),
    ] {
        let (rules, text) = check_planted(fault);
        assert!(
            rules.iter().any(|broken| broken.contains(rule)),
            "{fault}: {text}"
        );
    }
}

#[test]
fn a_worker_that_does_not_start_is_an_error() {
    let bench = Bench::new(&[]);
    for fault in ["absent", "garbage", "exit", "offers"] {
        let mut command = bench.touchstone(&["check-worker"]);
        let output = command
            .arg(planted())
            .args(["worker", fault])
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(1), "{fault}");
        assert!(!output.stderr.is_empty(), "{fault}");
    }
}

#[test]
fn the_python_example_passes() {
    if Command::new("python3").arg("--version").output().is_err() {
        eprintln!("SKIPPED: the Python example, for want of python3");
        return;
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let bench = Bench::new(&[]);
    let mut command = bench.touchstone(&["check-worker", "--format", "json", "python3"]);
    command.env("TOUCHSTONE_VECTORS", root.join("vectors"));
    command.env("TOUCHSTONE_PATIENCE", "30");
    let (rules, text) = broken(command.arg(root.join("lab/examples/python-hashlib/adapter.py")));
    assert!(rules.is_empty(), "{text}");
}
