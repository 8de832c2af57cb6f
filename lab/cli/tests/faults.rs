//! Tests faults outside the libraries: a disk that becomes full, two runs at the same time, a
//! library that offers nothing of the profile.

mod common;

use std::process::Command;
use std::time::{Duration, Instant};

use common::Bench;

/// Returns a command that runs a shell line as root in its own mount and user namespaces. If
/// the kernel does not allow namespaces, prints this and returns `None`.
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
    // The store is on a disk that has little more room than the tables need, so the disk
    // becomes full while cells are written. The rest of the line copies the store from the
    // disk.
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
fn output_that_cannot_be_written_is_explained() {
    let bench = Bench::new(&[("fast", "none")]);
    assert_eq!(bench.run().output().unwrap().status.code(), Some(0));
    for verb in ["report", "export"] {
        let output = bench
            .touchstone(&[verb, "--output", "/dev/full"])
            .output()
            .unwrap();
        let error = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{verb}: {error}");
        assert!(error.contains("/dev/full"), "{verb}: {error}");
        let kind = std::fs::metadata("/dev/full").unwrap().file_type();
        assert!(!kind.is_file(), "{verb} replaced a device");
    }
}

/// The test uses a pipe in place of a device: root may run the test, and must not lose a
/// device.
#[test]
fn a_pipe_is_written_to_and_never_replaced() {
    use std::os::unix::fs::FileTypeExt;

    let bench = Bench::new(&[("fast", "none")]);
    assert_eq!(bench.run().output().unwrap().status.code(), Some(0));
    let pipe = bench.path("pipe");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(made.unwrap().success());
    for line in [
        &["report"] as &[_],
        &["export"],
        &["export", "--to", "csv"],
        &["export", "--to", "parquet"],
    ] {
        let reader = std::thread::spawn({
            let pipe = pipe.clone();
            move || std::fs::read(pipe).unwrap()
        });
        let output = bench
            .touchstone(line)
            .arg("--output")
            .arg(&pipe)
            .output()
            .unwrap();
        assert!(output.status.success(), "{line:?}: {output:?}");
        let kind = std::fs::symlink_metadata(&pipe).unwrap().file_type();
        assert!(kind.is_fifo(), "{line:?} replaced the pipe");
        assert!(reader.join().unwrap().len() > 100, "{line:?} wrote little");
    }
}

#[test]
fn two_runs_at_once_share_a_store_and_both_complete() {
    let bench = Bench::new(&[("fast", "none"), ("slow", "slow")]);
    let first = bench.run().spawn().unwrap();
    let second = bench.run().spawn().unwrap();
    for run in [first, second] {
        let output = run.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{output:?}");
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
        // The worker was restarted at the fifth round, and the store has the number of its
        // process.
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

/// Runs a verb that must end long before a worker could block the lab. Returns the exit code
/// and everything that the verb printed.
fn soon(command: &mut Command) -> (Option<i32>, String) {
    let begun = Instant::now();
    let output = command.output().unwrap();
    assert!(
        begun.elapsed() < Duration::from_secs(60),
        "{:?}",
        begun.elapsed()
    );
    let said = [output.stdout, output.stderr].concat();
    (output.status.code(), String::from_utf8(said).unwrap())
}

#[test]
fn a_worker_that_never_reads_again_is_given_up() {
    let bench = Bench::new(&[("deaf", "deaf")]);
    // The text is longer than a pipe can hold.
    let record = "key = 0102030405\ninput = repeat:200000:00\noutput = b2\n\n";
    let text = format!("{}\n{}", common::VECTORS, record.repeat(8));
    std::fs::write(bench.path("vectors/stream/rc4/rfc6229.vec"), text).unwrap();
    let (code, said) = soon(&mut bench.touchstone(&["verify"]));
    assert_eq!(code, Some(3), "{said}");
    assert!(said.contains("timeout"), "{said}");
}

#[test]
fn a_worker_beyond_the_bounds_is_that_librarys_failure() {
    for (fault, word) in [
        ("offers", "offers"),
        ("unsolicited", "nobody asked"),
        ("endless", "without end"),
        ("painted", "more than"),
    ] {
        let bench = Bench::new(&[("good", "none"), ("bad", fault)]);
        let (code, said) = soon(&mut bench.touchstone(&["verify", "--format", "json"]));
        assert!(
            code == Some(3) || fault == "offers" && code == Some(0),
            "{fault}: {code:?} {said}"
        );
        assert!(said.contains(word), "{fault}: {said}");
        assert!(said.contains("\"good\""), "{fault}: {said}");
    }
}

#[test]
fn the_answer_to_another_request_is_no_answer() {
    let bench = Bench::new(&[("good", "none"), ("bad", "other-cell")]);
    assert_eq!(bench.run().output().unwrap().status.code(), Some(0));
    let failures = bench.failures();
    let garbage = ("bad".to_owned(), "garbage".to_owned());
    assert!(failures.contains(&garbage), "{failures:?}");
    assert!(bench.measured(16) == ["good"], "{:?}", bench.measured(16));
}

fn is_there(pid: &str) -> bool {
    let status = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    // A zombie has ended, and waits only until its parent collects its status.
    !status.is_empty() && !status.contains(") Z ")
}

/// Waits until a process has ended.
fn ends(pid: &str) -> bool {
    (0..100).any(|_| {
        std::thread::sleep(Duration::from_millis(50));
        !is_there(pid)
    })
}

#[test]
fn what_a_worker_leaves_behind_ends_with_it() {
    let bench = Bench::new(&[("bad", "child")]);
    let mark = bench.path("mark");
    let begun = Instant::now();
    let mut verify = bench.touchstone(&["verify"]);
    let (_, said) = soon(verify.env("PLANTED_MARK", &mark));
    assert!(said.contains("crash") || said.contains("ended"), "{said}");
    assert!(
        begun.elapsed() < Duration::from_secs(10),
        "an end is no timeout: {said}"
    );
    let child = std::fs::read_to_string(mark).unwrap();
    assert!(ends(&child), "process {child} lives on");
}

#[test]
fn a_worker_ends_with_a_lab_that_is_killed() {
    let bench = Bench::new(&[("bad", "hang-at-1024")]);
    let mark = bench.path("mark");
    let mut run = bench.run();
    let mut lab = run
        .env("PLANTED_MARK", &mark)
        .env("TOUCHSTONE_PATIENCE", "600")
        .stderr(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let pid = (0..200).find_map(|_| {
        std::thread::sleep(Duration::from_millis(50));
        std::fs::read_to_string(&mark)
            .ok()
            .filter(|pid| !pid.is_empty())
    });
    let pid = pid.expect("the worker has started");
    // After this time, the worker is in the call that never returns.
    std::thread::sleep(Duration::from_secs(2));
    assert!(is_there(&pid));
    lab.kill().unwrap();
    lab.wait().unwrap();
    assert!(ends(&pid), "process {pid} lives on");
}

/// Returns whether a text contains characters that control a terminal or change the direction
/// of text.
fn moves(text: &str) -> bool {
    text.chars()
        .any(|c| c.is_control() && !"\r\n".contains(c) || ('\u{202a}'..='\u{202e}').contains(&c))
}

#[test]
fn text_of_a_worker_does_not_reach_the_terminal_as_it_is() {
    let bench = Bench::new(&[("good", "none"), ("bad", "escapes")]);
    for verb in ["list", "verify"] {
        for format in ["table", "json", "csv", "md"] {
            let (_, said) = soon(&mut bench.touchstone(&[verb, "--format", format]));
            assert!(!moves(&said), "{verb} {format}: {said:?}");
            let shows = verb == "list" || format == "json";
            assert!(!shows || said.contains("u{1b}"), "{verb} {format}: {said}");
        }
    }
}

#[test]
fn text_of_a_bundle_does_not_reach_the_terminal_as_it_is() {
    let bench = Bench::new(&[("fast", "none")]);
    assert_eq!(bench.run().output().unwrap().status.code(), Some(0));
    let exported = bench
        .touchstone(&["export", "1", "--to", "json"])
        .output()
        .unwrap();
    let text = String::from_utf8(exported.stdout).unwrap();
    let escapes = "\\u001b]0;owned\\u0007\\u202e\\nfaked line";
    let text = text
        .replace("\"fast\"", &format!("\"fast{escapes}\""))
        .replace("Rc4::process", &format!("Rc4{escapes}"));
    assert!(text.contains("faked line"));
    let path = bench.path("bundle.json");
    std::fs::write(&path, text).unwrap();
    let mut import = bench.touchstone(&["import"]);
    let (code, said) = soon(import.arg(&path));
    assert_eq!(code, Some(0), "{said}");
    assert!(!moves(&said), "{said:?}");
    for verb in [
        &["runs"][..],
        &["rank", "2"],
        &["compare", "1", "2"],
        &["export", "2", "--to", "csv"],
        &["table", "hashes", "2"],
    ] {
        let (_, said) = soon(&mut bench.touchstone(verb));
        assert!(!moves(&said), "{verb:?}: {said:?}");
    }
}
