//! Tests output that cannot be written, a store that cannot be written, a run that a signal
//! ends, and libraries in the tree of another system.

mod common;

use std::ffi::OsStr;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use common::{Bench, rows, stdout};
use touchstone_lab::store::Store;

/// Makes a bench with one stored run, and exports the run.
fn measured() -> (Bench, PathBuf) {
    let bench = Bench::new(&[("fast", "none"), ("slow", "slow")]);
    let output = bench.run().output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let file = bench.path("run.json");
    let export = bench
        .touchstone(&["export", "-o"])
        .arg(&file)
        .output()
        .unwrap();
    assert!(export.status.success(), "{export:?}");
    (bench, file)
}

/// Returns every verb that writes to standard output.
fn verbs<'a>(bench: &'a Bench, file: &'a Path) -> Vec<(String, Command)> {
    let file = file.to_str().unwrap();
    let profile = bench.path("short.toml");
    let profile = profile.to_str().unwrap();
    let lines: [&[&str]; 20] = [
        &["list"],
        &["verify"],
        &["measure", "--profile", profile],
        &["run", "--profile", profile],
        &["rank", "1"],
        &["recommend", "--algorithm", "rc4", "--size", "16"],
        &["report", "1"],
        &["table", "hashes", "1"],
        &["table", "versions", "1", "--format", "json"],
        &["runs"],
        &["compare", "1", "1"],
        &["doctor", "--seconds", "1"],
        &["files", "--only", "cp", "--sizes", "1k", "--rounds", "1"],
        &["export", "1", "--to", "json"],
        &["export", "1", "--to", "csv"],
        &["import", file],
        &["completions", "bash"],
        &["--help"],
        &["--version"],
        &["run", "--help"],
    ];
    lines
        .into_iter()
        .map(|line| (line.join(" "), bench.touchstone(line)))
        .collect()
}

fn error(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn a_full_disk_is_an_error_of_every_verb() {
    let (bench, file) = measured();
    for (line, mut command) in verbs(&bench, &file) {
        let full = File::options().write(true).open("/dev/full").unwrap();
        let output = command.stdout(full).output().unwrap();
        let error = error(&output);
        assert_eq!(output.status.code(), Some(1), "{line}: {error}");
        assert!(error.contains("No space left"), "{line}: {error}");
        assert!(!error.contains("panicked"), "{line}: {error}");
    }
}

#[test]
fn a_closed_pipe_ends_every_verb_without_a_word() {
    let (bench, file) = measured();
    for (line, mut command) in verbs(&bench, &file) {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        // The folder for the lock is private to this test. If another measurement held the
        // lock, the command would print that it waits.
        let output = command
            .arg("--quiet")
            .env("XDG_RUNTIME_DIR", bench.path(""))
            .stdout(writer)
            .output()
            .unwrap();
        let error = error(&output);
        assert_eq!(output.status.code(), Some(141), "{line}: {error}");
        assert!(error.is_empty(), "{line}: {error}");
    }
    let mut run = bench.run();
    let full = File::options().write(true).open("/dev/full").unwrap();
    let output = run.stderr(full).output().unwrap();
    assert!(
        output.status.success(),
        "nobody to tell is no error: {output:?}"
    );
}

#[test]
fn no_verb_panics_where_the_system_gives_no_thread_or_no_memory() {
    let (bench, file) = measured();
    for (line, command) in verbs(&bench, &file) {
        // At some limits the program starts and gets no thread. They depend on its size, so one verb
        // meets many of them.
        let step = if line == "list" { 1_000 } else { 40_000 };
        for kib in (40_000..160_000).step_by(step) {
            let mut limited = Command::new("sh");
            limited
                .args(["-c", &format!("ulimit -v {kib} && exec \"$@\""), "sh"])
                .arg(command.get_program())
                .args(command.get_args())
                .arg("--quiet");
            for (name, value) in command.get_envs() {
                match value {
                    Some(value) => limited.env(name, value),
                    None => limited.env_remove(name),
                };
            }
            let output = limited.output().unwrap();
            let error = error(&output);
            // Where a thread's stack fits but not its stack for signals, Rust's library panics before
            // it calls the thread's function (std, sys/pal/unix/stack_overflow.rs).
            if error.contains("failed to allocate an alternative stack") {
                eprintln!("SKIPPED: {line} with {kib} KiB: no thread could begin");
                continue;
            }
            assert!(!error.contains("panicked"), "{line}, {kib} KiB: {error}");
            assert_ne!(output.status.code(), Some(101), "{line}, {kib} KiB");
        }
    }
}

#[test]
fn a_path_is_bytes() {
    let (bench, _) = measured();
    let store = bench
        .path("")
        .join(OsStr::from_bytes(b"st\xff ore/runs.sqlite"));
    let output = bench.run().arg("--store").arg(&store).output().unwrap();
    assert!(output.status.success(), "{}", error(&output));
    assert!(store.exists());
    let report = output.stdout.trim_ascii_end();
    let last = report.rsplit(|&b| b == b'\n').next().unwrap();
    assert!(
        Path::new(OsStr::from_bytes(last)).exists(),
        "the path of the report is not its"
    );
    let removed = bench
        .touchstone(&["runs", "--remove", "1", "--store"])
        .arg(&store)
        .output()
        .unwrap();
    assert!(removed.status.success(), "{}", error(&removed));
    assert!(
        !Path::new(OsStr::from_bytes(last)).exists(),
        "the report is left"
    );
}

#[test]
fn a_store_is_read_where_nothing_can_be_written() {
    let (bench, _) = measured();
    let folder = bench.path("");
    let script = "mount --bind \"$1\" \"$1\" && mount -o remount,ro,bind \"$1\" || exit 90
        ! touch \"$1/written\" 2>/dev/null || exit 91
        for verb in runs rank 'table hashes' 'export -o /dev/null'; do
            \"$2\" $verb >/dev/null || exit 92
        done";
    let output = Command::new("unshare")
        .args([
            "--user",
            "--map-root-user",
            "--mount",
            "sh",
            "-c",
            script,
            "sh",
        ])
        .arg(folder)
        .arg(env!("CARGO_BIN_EXE_touchstone"))
        .env("TOUCHSTONE_STORE", bench.path("runs.sqlite"))
        .output();
    match output {
        Ok(output) if !matches!(output.status.code(), Some(1 | 90)) => {
            assert_eq!(output.status.code(), Some(0), "{}", error(&output));
        }
        _ => eprintln!("SKIPPED: this machine does not let us mount a folder read-only (unshare)"),
    }
}

#[test]
fn an_empty_home_is_none() {
    let bench = Bench::new(&[("fast", "none")]);
    let output = bench
        .touchstone(&["runs"])
        .env_remove("TOUCHSTONE_STORE")
        .env_remove("XDG_DATA_HOME")
        .env("HOME", "")
        .current_dir(bench.path(""))
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(
        error(&output).contains("say --store PATH"),
        "{}",
        error(&output)
    );
    assert!(!bench.path("touchstone").exists() && !bench.path(".local").exists());
}

#[test]
fn a_signal_ends_a_run_with_the_line_that_resumes_it() {
    let bench = Bench::new(&[("fast", "none"), ("slow", "slow")]);
    let sizes: Vec<String> = (1..400).map(|n| (n * 16).to_string()).collect();
    bench.profile(&format!("[{}]", sizes.join(", ")));
    let mut child = bench
        .run()
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
    lines
        .find(|line| line.as_ref().unwrap().contains("verified"))
        .unwrap()
        .unwrap();
    let pid = rustix::process::Pid::from_child(&child);
    rustix::process::kill_process(pid, rustix::process::Signal::TERM).unwrap();
    let rest: Vec<String> = lines.map(Result::unwrap).collect();
    assert_eq!(child.wait().unwrap().code(), Some(128 + 15), "{rest:?}");
    assert!(
        rest.iter().any(|line| line.contains("--resume 1 goes on")),
        "{rest:?}"
    );
    bench.profile("[16]");
    assert!(!bench.store().run(Some(1), false).unwrap().complete);
}

#[test]
fn who_waits_is_told_for_whom_also_when_quiet() {
    let bench = Bench::new(&[("fast", "none")]);
    let runtime = bench.path("runtime");
    std::fs::create_dir(&runtime).unwrap();
    let lock = File::create(runtime.join("touchstone-measuring.lock")).unwrap();
    lock.lock().unwrap();
    std::fs::write(
        runtime.join("touchstone-measuring.lock"),
        "process 7, run 3\n",
    )
    .unwrap();
    let output = bench
        .run()
        .args(["--quiet", "--wait", "1"])
        .env("XDG_RUNTIME_DIR", &runtime)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1));
    let error = error(&output);
    assert!(
        error.contains("process 7, run 3; waiting for at most 1 s"),
        "{error}"
    );
    assert!(error.contains("still measuring"), "{error}");
}

/// Makes a directory tree for `--root` that holds copies of this system's dynamic loader and C
/// library.
fn tree(bench: &Bench, name: &str) -> Option<PathBuf> {
    let output = Command::new("ldd").arg(common::planted()).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let tree = bench.path(name);
    let library = tree.join("usr/lib64");
    std::fs::create_dir_all(&library).unwrap();
    let words = text.split_whitespace().filter(|word| word.starts_with('/'));
    for file in words.map(Path::new) {
        std::fs::copy(file, library.join(file.file_name()?)).ok()?;
    }
    Some(tree)
}

#[test]
fn libraries_of_another_tree_stand_beside_the_systems_own() {
    let bench = Bench::new(&[("one", "none"), ("two", "none")]);
    let manifest = bench.path("adapters/one/adapter.toml");
    let text = std::fs::read_to_string(&manifest).unwrap() + "[packages]\napt = [\"libone\"]\n";
    std::fs::write(&manifest, text).unwrap();
    let Some(root) = tree(&bench, "sid") else {
        eprintln!("SKIPPED: no ldd to fill a tree by");
        return;
    };
    let empty = bench.path("empty");
    std::fs::create_dir_all(empty.join("usr/lib")).unwrap();
    let output = bench
        .run()
        .arg("--root")
        .arg(&root)
        .arg("--root")
        .arg(&empty)
        .output()
        .unwrap();
    let said = error(&output);
    assert!(output.status.success(), "{said}");
    assert!(said.contains("one@empty is absent"), "{said}");
    assert_eq!(
        bench.measured(16),
        ["one", "one@sid", "two"],
        "two comes with the lab"
    );
    let libraries = bench.store().libraries(1).unwrap();
    let path = |id: &str| libraries.iter().find(|l| l.id == id).unwrap().path.clone();
    assert!(
        Path::new(&path("one@sid")).starts_with(&root),
        "{}",
        path("one@sid")
    );
    assert!(!Path::new(&path("one")).starts_with(&root));

    let only = stdout(
        bench
            .touchstone(&["list", "--brief", "--format", "csv", "--library", "one@sid"])
            .arg("--root")
            .arg(&root),
    );
    assert_eq!(only.lines().count(), 2, "{only}");
    for (line, reason) in [
        (["--library", "two@sid"], "comes with the lab"),
        (["--library", "one@none"], "there are sid"),
    ] {
        let output = bench
            .touchstone(&["list"])
            .args(line)
            .arg("--root")
            .arg(&root)
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(2));
        assert!(error(&output).contains(reason), "{}", error(&output));
    }
    // A resumed run searches the libraries with which the run began.
    Store::open(&bench.path("runs.sqlite"))
        .unwrap()
        .progress(1, 0.0, false)
        .unwrap();
    let resumed = bench.touchstone(&["run", "--resume"]).output().unwrap();
    assert!(resumed.status.success(), "{}", error(&resumed));
}

/// If no library accepts the input that the lab made for timing, the input is at fault. If one
/// library accepts the input, the others are at fault.
#[test]
fn an_input_that_no_library_accepts_is_the_labs_fault() {
    let bench = Bench::new(&[("one", "refuses-at-1024"), ("two", "refuses-at-1024")]);
    let said = stdout(&mut bench.run());
    assert!(said.contains("What the lab could not ask"), "{said}");
    let kinds = |bench: &Bench| -> Vec<String> {
        let mut kinds: Vec<String> = bench.failures().into_iter().map(|(_, kind)| kind).collect();
        kinds.dedup();
        kinds
    };
    assert_eq!(kinds(&bench), ["not accepted"]);
    assert_eq!(bench.measured(16), ["one", "two"]);
    let bench = Bench::new(&[("one", "refuses-at-1024"), ("good", "none")]);
    let said = stdout(&mut bench.run());
    assert!(!said.contains("What the lab could not ask"), "{said}");
    assert_eq!(kinds(&bench), ["error"]);
}

#[test]
fn a_worker_that_the_system_killed_gave_no_wrong_answer() {
    let bench = Bench::new(&[("good", "none"), ("large", "killed")]);
    let output = bench
        .touchstone(&["verify", "--format", "json"])
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout.clone()).unwrap();
    assert_eq!(output.status.code(), Some(0), "{text}");
    let document: serde_json::Value = serde_json::from_str(&text).unwrap();
    let row = &rows(&document, "libraries")[1];
    let counts = ["right", "wrong", "not taken", "not asked"].map(|name| row[name].as_i64());
    assert_eq!(counts, [0, 0, 0, 1].map(Some), "{text}");
    let [unasked] = rows(&document, "not-asked") else {
        panic!("{text}")
    };
    assert_eq!(
        (&unasked["library"], &unasked["kind"]),
        (&"large".into(), &"killed".into())
    );
    assert!(text.contains("out of memory"), "{text}");
    assert!(
        error(&output).contains("1 right answers, 0 wrong"),
        "{}",
        error(&output)
    );
}
