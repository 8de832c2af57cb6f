//! Tests the script for maintainers' continuous integration on planted slowdowns.

mod common;

use std::path::{Path, PathBuf};
use std::process::Command;

use common::Bench;

fn contrib(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../contrib")
        .join(name)
}

/// Runs the script on two planted builds; returns the exit code and the text of the comment.
fn slower(bench: &Bench, algorithm: &str, environment: &[(&str, &str)]) -> (Option<i32>, String) {
    let comment = bench.path("comment.md");
    let mut command = Command::new(contrib("slower.sh"));
    for (name, value) in bench.touchstone(&[]).get_envs() {
        command.env(name, value.unwrap_or_default());
    }
    let status = command
        .args(["before", "now", algorithm])
        .arg(&comment)
        .env("TOUCHSTONE", env!("CARGO_BIN_EXE_touchstone"))
        .envs(environment.iter().copied())
        .status()
        .unwrap();
    let text = std::fs::read_to_string(comment).unwrap_or_default();
    (status.code(), text)
}

#[test]
fn the_script_passes_the_verdict_on() {
    let bench = Bench::new(&[("before", "none"), ("now", "slow")]);
    let profile = bench.path("short.toml");
    let short = [("PROFILE", profile.to_str().unwrap()), ("THRESHOLD", "20%")];
    let (code, text) = slower(&bench, "rc4", &short);
    assert_eq!(code, Some(5), "{text}");
    assert!(
        text.starts_with("rc4: **Slower** by more than 20 % in ") && text.contains("| slower |"),
        "{text}"
    );
    let (code, text) = slower(&bench, "no-such-thing", &short);
    assert_eq!(code, Some(4), "{text}");
    assert!(text.contains("was not compared"), "{text}");
    let usage = Command::new(contrib("slower.sh"))
        .arg("before")
        .output()
        .unwrap();
    assert_eq!(usage.status.code(), Some(2));
}

/// `make contrib` runs this: the profile that maintainers get takes minutes.
#[test]
#[ignore = "minutes long: make contrib"]
fn three_per_cent_are_found_and_half_a_per_cent_is_a_tie() {
    const TIMES: usize = 3;
    for (fault, verdict) in [
        ("more-30", Some(5)),
        ("more-5", Some(0)),
        ("more-0", Some(0)),
    ] {
        let bench = Bench::new(&[("before", "more-0"), ("now", fault)]);
        for _ in 0..TIMES {
            // Short messages cost mostly what a call costs, so planted work shows in long ones.
            let profile = std::fs::read_to_string(contrib("slower.toml")).unwrap();
            let long = profile
                .replace("[64, 1350, 16384]", "[4096, 16384]")
                .replace("[\"hot\", \"setup\"]", "[\"hot\"]");
            std::fs::write(bench.path("long.toml"), long).unwrap();
            let path = bench.path("long.toml");
            let (code, text) = slower(&bench, "rc4", &[("PROFILE", path.to_str().unwrap())]);
            println!("{fault}: exit code {code:?}\n{text}");
            assert_eq!(code, verdict, "{fault}");
        }
    }
}
