//! `touchstone recommend` as a user meets it, against planted libraries.

mod common;

use assert_cmd::assert::OutputAssertExt;
use serde_json::Value;

use common::{Bench, rows, stdout};

fn measured() -> Bench {
    let bench = Bench::new(&[("fast", "none"), ("slow", "slow")]);
    bench.run().assert().success();
    bench
}

#[test]
fn a_workload_is_answered_by_a_sentence_and_a_table() {
    let bench = measured();
    let asked = ["recommend", "--algorithm", "RC4", "--size", "64,500:0.5"];
    let text = stdout(&mut bench.touchstone(&asked));
    let first = text.lines().next().unwrap();
    assert!(first.contains("use fast"), "{text}");
    assert!(text.contains("next slow"), "{text}");
    assert!(text.contains("predicted from run 1"), "{text}");
    assert!(
        text.lines().all(|line| line.chars().count() <= 80),
        "{text}"
    );

    let json = stdout(bench.touchstone(&asked).args(["--format", "json"]));
    let tables: Value = serde_json::from_str(&json).unwrap();
    let rows = rows(&tables, "libraries");
    assert_eq!(rows.len(), 2);
    assert!(rows[0]["library"].as_str().unwrap().starts_with("fast"));
    let [fast, slow] = [0, 1].map(|row| rows[row]["ns a message"].as_f64().unwrap());
    let ratio = rows[1]["× best"].as_f64().unwrap();
    assert!(((slow / fast) / ratio - 1.0).abs() < 0.05, "{rows:?}");
    assert_eq!(rows[0]["beyond measured lengths"], "no");
}

#[test]
fn keys_cost_by_how_many_messages_share_one() {
    let bench = measured();
    let ns = |more: &[&str]| {
        let asked = [
            "recommend",
            "--algorithm",
            "rc4",
            "--size",
            "16",
            "--format",
            "json",
        ];
        let json = stdout(bench.touchstone(&asked).args(more));
        let tables: Value = serde_json::from_str(&json).unwrap();
        rows(&tables, "libraries")[0]["ns a message"]
            .as_f64()
            .unwrap()
    };
    let [never, seldom, always] = [
        ns(&[]),
        ns(&["--messages-per-key", "4"]),
        ns(&["--messages-per-key", "1"]),
    ];
    let key = always - never;
    assert!(key > 0.0);
    assert!(
        ((seldom - never) / key - 0.25).abs() < 0.02,
        "{never} {seldom} {always}"
    );
}

#[test]
fn a_constraint_leaves_libraries_out_with_a_reason() {
    let bench = measured();
    let manifest = bench.path("adapters/slow/adapter.toml");
    let text = std::fs::read_to_string(&manifest).unwrap()
        + "[[constant_time]]\nalgorithm = \"^rc4 \"\nsource = \"made up\"\n";
    std::fs::write(&manifest, text).unwrap();
    let asked = ["recommend", "--algorithm", "rc4", "--size", "16"];
    let text = stdout(bench.touchstone(&asked).arg("--constant-time"));
    assert!(text.contains("use slow"), "{text}");
    assert!(text.contains("constant time: not stated"), "{text}");
    let none = bench
        .touchstone(&asked)
        .args(["--license", "No-Such-Licence"])
        .output()
        .unwrap();
    assert_eq!(none.status.code(), Some(4));
    let text = String::from_utf8(none.stdout).unwrap();
    assert!(text.starts_with("No library can be recommended"), "{text}");
    let broken = bench
        .touchstone(&asked)
        .arg("--no-broken")
        .output()
        .unwrap();
    assert_eq!(broken.status.code(), Some(4));
    let text = String::from_utf8(broken.stderr).unwrap();
    assert!(text.contains("every algorithm is broken"), "{text}");
}

#[test]
fn a_file_is_a_workload_and_mistakes_in_it_are_usage() {
    let bench = measured();
    let good = "title = \"old streams\"\nunit = \"stream\"\nsource = \"assumed\"\n\
                [[part]]\nwhat = \"data\"\nalgorithms = [\"rc4 stream-encrypt\"]\n\
                sizes = { 4096 = 1 }\nmessages = 3\n";
    let file = bench.path("mine.toml");
    std::fs::write(&file, good).unwrap();
    let text = stdout(bench.touchstone(&["recommend", "--file"]).arg(&file));
    assert!(text.contains("old streams (mine)"), "{text}");
    assert!(text.contains("ns a stream"), "{text}");
    assert!(text.contains("outside the measured lengths"), "{text}");
    std::fs::write(&file, good.replace("stream-encrypt", "juggle")).unwrap();
    let output = bench
        .touchstone(&["recommend", "--file"])
        .arg(&file)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(error.contains("rc4 juggle"), "{error}");
}

#[test]
fn without_data_there_is_a_line_that_says_what_to_run() {
    let bench = Bench::new(&[("fast", "none")]);
    let empty = bench.touchstone(&["recommend", "disk"]).output().unwrap();
    assert_eq!(empty.status.code(), Some(4));
    let error = String::from_utf8(empty.stderr).unwrap();
    assert!(error.contains("touchstone measure"), "{error}");
    assert!(
        !bench.path("runs.sqlite").exists(),
        "a question makes no store"
    );

    bench.run().assert().success();
    // The newest run has not the data, an older one has.
    let profile = bench.path("short.toml");
    bench
        .touchstone(&["measure", "--profile"])
        .arg(&profile)
        .args(["--sizes", "9", "--contracts", "hot", "--quiet"])
        .assert()
        .success();
    let asked = ["recommend", "--algorithm", "rc4", "--size", "100"];
    let text = stdout(&mut bench.touchstone(&asked));
    assert!(text.contains("predicted from run 1"), "{text}");
    bench
        .touchstone(&asked)
        .args(["--run", "2"])
        .assert()
        .code(4);
    bench
        .touchstone(&asked)
        .args(["--run", "3"])
        .assert()
        .code(2);
    bench
        .touchstone(&asked)
        .args(["--threads", "7"])
        .assert()
        .code(4);
}

#[test]
fn names_are_listed_and_unknown_ones_are_usage() {
    let bench = measured();
    let text = stdout(&mut bench.touchstone(&["recommend"]));
    assert!(
        text.contains("tls-server") && text.contains("record-cost-1998"),
        "{text}"
    );
    bench.touchstone(&["recommend", "no-such"]).assert().code(2);
    bench
        .touchstone(&["recommend", "--size", "16"])
        .assert()
        .code(2);
    bench
        .touchstone(&["recommend", "disk", "--algorithm", "rc4"])
        .assert()
        .code(2);
    let unknown = bench
        .touchstone(&["recommend", "--algorithm", "rc", "--size", "16"])
        .output()
        .unwrap();
    assert_eq!(unknown.status.code(), Some(2));
    let error = String::from_utf8(unknown.stderr).unwrap();
    assert!(error.contains("did you mean rc4"), "{error}");
}
