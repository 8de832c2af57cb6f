//! What can go wrong around the libraries: a disk that fills, two runs at once,
//! a library with nothing that the profile asks for.

mod common;

use std::process::Command;

use common::Bench;

/// Runs a shell line as root of mount and user namespaces of its own, where the
/// kernel lets us; says so where not.
fn in_namespace(line: &str) -> Option<Command> {
    let allowed = Command::new("unshare")
        .args(["--user", "--map-root-user", "--mount", "true"])
        .output()
        .is_ok_and(|output| output.status.success());
    if !allowed {
        eprintln!("SKIPPED: this machine does not let us mount a small disk (unshare)");
        return None;
    }
    let mut command = Command::new("unshare");
    command.args(["--user", "--map-root-user", "--mount", "sh", "-c", line]);
    Some(command)
}

#[test]
fn a_disk_that_fills_is_explained_and_costs_no_finished_cell() {
    let bench = Bench::new(&[("fast", "none"), ("slow", "slow")]);
    let disk = bench.path("disk");
    std::fs::create_dir(&disk).unwrap();
    // The store is made on a disk with room for its tables and little more, and
    // fills while cells are written. What is left of it is copied out.
    let line = format!(
        "mount -t tmpfs -o size=160k none '{disk}' || exit 90
         '{touchstone}' run --quiet --profile '{profile}' --store '{disk}/runs.sqlite'
         status=$?
         cp '{disk}'/runs.sqlite* '{kept}' || exit 91
         exit $status",
        disk = disk.display(),
        touchstone = env!("CARGO_BIN_EXE_touchstone"),
        profile = bench.path("short.toml").display(),
        kept = bench.path("").display(),
    );
    let sizes: Vec<String> = (1..200).map(|n| (n * 16).to_string()).collect();
    bench.profile(&format!("[{}]", sizes.join(", ")));
    let Some(mut command) = in_namespace(&line) else {
        return;
    };
    command
        .env("TOUCHSTONE_ADAPTERS", bench.path("adapters"))
        .env("TOUCHSTONE_VECTORS", bench.path("vectors"));
    let output = command.output().unwrap();
    let error = String::from_utf8_lossy(&output.stderr);
    if output.status.code() == Some(90) {
        eprintln!("SKIPPED: no tmpfs here: {error}");
        return;
    }
    assert_eq!(output.status.code(), Some(1), "{error}");
    assert!(
        error.contains("no space left for the store") && error.contains("--resume"),
        "{error}"
    );
    let store = bench.store();
    assert!(!store.run(Some(1), false).unwrap().complete);
    let cells = store.cells(1).unwrap();
    assert!(
        !cells.is_empty(),
        "cells from before the disk was full are kept"
    );
    assert!(cells.iter().all(|cell| !cell.samples.is_empty()));
}

#[test]
fn a_report_that_cannot_be_written_is_explained() {
    let bench = Bench::new(&[("fast", "none")]);
    assert_eq!(bench.run().output().unwrap().status.code(), Some(0));
    let output = bench
        .touchstone(&["report", "--output", "/dev/full"])
        .output()
        .unwrap();
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{error}");
    assert!(error.contains("/dev/full"), "{error}");
    let kind = std::fs::metadata("/dev/full").unwrap().file_type();
    assert!(!kind.is_file(), "a device is written to, not replaced");
}

#[test]
fn two_runs_at_once_share_a_store_and_both_complete() {
    let bench = Bench::new(&[("fast", "none"), ("slow", "slow")]);
    let first = bench.run().spawn().unwrap();
    let second = bench.run().spawn().unwrap();
    for run in [first, second] {
        let output = run.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(0));
    }
    let store = bench.store();
    let runs = store.runs().unwrap();
    assert_eq!(runs.len(), 2);
    let cells = |run: i64| store.cells(run).unwrap().len();
    assert!(runs.iter().all(|run| run.complete));
    assert_eq!(cells(1), cells(2));
    assert!(cells(1) > 0);
}

#[test]
fn a_library_without_what_the_profile_asks_for_is_listed_and_costs_nothing() {
    let bench = Bench::new(&[("fast", "none"), ("modern", "modern")]);
    let output = bench.run().output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    let store = bench.store();
    let libraries = store.libraries(1).unwrap();
    let modern = libraries.iter().find(|l| l.id == "modern").unwrap();
    assert!(modern.absent.is_empty(), "{}", modern.absent);
    assert_eq!(modern.offers, 0);
    assert!(
        store
            .cells(1)
            .unwrap()
            .iter()
            .all(|cell| cell.library == "fast")
    );
}

#[test]
fn workers_are_started_anew_and_must_answer_as_before() {
    let bench = Bench::new(&[("same", "none"), ("other", "restarted")]);
    let profile = bench.path("short.toml");
    let text = std::fs::read_to_string(&profile).unwrap();
    std::fs::write(&profile, text.replace("[6, 9]", "[9, 9]")).unwrap();
    let mark = bench.path("mark");
    let output = bench.run().env("PLANTED_MARK", mark).output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    let cells = bench.store().cells(1).unwrap();
    assert!(!cells.is_empty());
    for cell in &cells {
        assert_eq!((cell.library.as_str(), cell.samples.len()), ("same", 9));
        // From the fifth round on it was another process, and the store knows which.
        let [first, .., last] = cell.processes[..] else {
            panic!("{:?}", cell.processes)
        };
        assert_ne!(first, last);
        assert_eq!(cell.processes, [vec![first; 4], vec![last; 5]].concat());
    }
    let failures = bench.failures();
    let changed = ("other".to_owned(), "changed answer".to_owned());
    assert!(failures.contains(&changed), "{failures:?}");
    assert!(failures.iter().all(|f| *f == changed), "{failures:?}");
}
