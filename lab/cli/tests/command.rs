//! Tests the command as a user runs it, with planted libraries: RC4 workers that are right,
//! wrong, slow, dead or absent (`lab/worker/examples/planted.rs`).

mod common;

use std::time::{Duration, Instant};

use assert_cmd::assert::OutputAssertExt;
use serde_json::Value;
use touchstone_lab::view::VIEWS;

use common::{Bench, rows, stdout};

#[test]
fn a_run_ends_with_a_ranking_and_a_report() {
    let bench = Bench::new(&[("fast", "none"), ("slow", "slow")]);
    let output = bench.run().output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(
        output.status.code(),
        Some(0),
        "{text}{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let fast = text.find("fast").unwrap();
    assert!(
        fast < text.find("slow").unwrap(),
        "the faster one first:\n{text}"
    );
    let report = text.lines().last().unwrap();
    let html = std::fs::read_to_string(report).unwrap();
    assert!(html.contains("fast") && html.contains("slow"));
    assert!(
        text.lines()
            .all(|line| line.chars().count() <= 80 || line == report),
        "{text}"
    );
    assert!(!text.contains('\u{1b}'), "no colours into a pipe");

    bench
        .touchstone(&["rank", "--algorithms"])
        .assert()
        .success();
    let runs = stdout(
        bench
            .touchstone(&["runs", "--format", "csv"])
            .env("NO_COLOR", "1"),
    );
    assert!(runs.contains("complete"), "{runs}");
    bench.touchstone(&["report", "7"]).assert().code(2);
    bench
        .touchstone(&["runs", "--remove", "1"])
        .assert()
        .success();
    bench.touchstone(&["rank"]).assert().code(4);
}

#[test]
fn a_contract_beyond_the_four_is_checked_message_by_message_and_shown() {
    let bench = Bench::new(&[("good", "none"), ("bad", "wrong-many")]);
    let text = stdout(
        bench
            .touchstone(&["measure", "--profile"])
            .arg(bench.path("short.toml"))
            .args([
                "--contracts",
                "implicit,many-keyed,many",
                "--messages",
                "3,5",
            ])
            .args(["--sizes", "64", "--format", "csv"]),
    );
    let rows = |part: &str| text.lines().filter(|line| line.contains(part)).count();
    assert_eq!(rows("implicit,1,64,1,"), 2, "{text}");
    assert_eq!(rows("many-keyed,3,64,1,good"), 1, "{text}");
    assert_eq!(rows("many-keyed,5,64,1,good,"), 1, "{text}");
    assert_eq!(rows("many-keyed,3,64,1,bad"), 0, "{text}");
    assert_eq!(rows(",many,"), 0, "nobody offers it: {text}");
    assert_eq!(
        bench.failures(),
        [3, 5].map(|_| ("bad".to_owned(), "disagrees".to_owned()))
    );
    let failure = &bench.store().failures(1).unwrap()[0];
    assert!(failure.expected.contains("one by one"), "{failure:?}");
}

#[test]
fn a_masked_variant_is_measured_beside_its_library_and_never_ranked() {
    let bench = Bench::new(&[("one", "none"), ("two", "none")]);
    let manifest = bench.path("adapters/one/adapter.toml");
    let text = std::fs::read_to_string(&manifest).unwrap() + "[masks.slow]\nPLANTED_SLOW = \"1\"\n";
    std::fs::write(&manifest, text).unwrap();
    let profile = std::fs::read_to_string(bench.path("short.toml")).unwrap()
        + "masks = [\"slow\", \"none-has-it\"]\n[[work]]\nprimitives = \"rc4\"\n\
           operations = \"stream-encrypt\"\ncontracts = [\"hot\"]\nsizes = [64]\n";
    std::fs::write(bench.path("short.toml"), profile).unwrap();

    let text = stdout(&mut bench.run());
    assert!(
        !text.contains("one~slow"),
        "neither ranked nor listed:\n{text}"
    );
    assert_eq!(bench.measured(16), ["one", "one~slow", "two"]);
    assert_eq!(bench.measured(64), ["one", "two"], "not in that set");
    let libraries = bench.store().libraries(1).unwrap();
    assert_eq!(libraries[1].id, "one~slow");
    assert_eq!(
        (libraries[1].mask.as_str(), libraries[1].name.as_str()),
        ("slow", "one~slow")
    );
    let answers = bench.store().verifications(1).unwrap();
    assert!(
        answers
            .iter()
            .any(|row| row.library == "one~slow" && row.passed > 0)
    );

    let listed = stdout(&mut bench.touchstone(&["list", "--brief", "--library", "one~slow"]));
    assert!(listed.contains("one~slow"), "{listed}");
    bench
        .touchstone(&["list", "--library", "one~fast"])
        .assert()
        .code(2);
    bench
        .touchstone(&["list", "--library", "two~slow"])
        .assert()
        .code(2);
}

#[test]
fn views_show_what_a_run_has_and_what_it_lacks() {
    let bench = Bench::new(&[("fast", "none"), ("slow", "slow")]);
    bench.profile("[8, 64, 16384]");
    bench.run().assert().success();
    for view in VIEWS {
        let text = stdout(&mut bench.touchstone(&["table", view.name]));
        let wide = text.lines().find(|line| line.chars().count() > 80);
        assert_eq!(wide, None, "{}", view.name);
        // Two views need no other run, but the tree of another system or another verb.
        let other = match view.name {
            "versions" => "--root",
            "files" => "`touchstone files`",
            _ => "",
        };
        if !other.is_empty() {
            assert!(text.contains(other), "{text}");
            continue;
        }
        assert!(text.contains("Not in run 1: "), "{text}");
        assert!(text.contains("touchstone run --profile standard"), "{text}");
        let csv = bench
            .touchstone(&["table", view.name, "--format", "csv"])
            .output()
            .unwrap();
        let errors = String::from_utf8(csv.stderr).unwrap();
        assert!(errors.contains("Not in run 1: "), "{errors}");
    }
    let rows = |view: &str, table: usize| {
        let json = stdout(&mut bench.touchstone(&["table", view, "--format", "json"]));
        let tables: Value = serde_json::from_str(&json).unwrap();
        tables["tables"][table]["rows"].as_array().unwrap().clone()
    };
    let rc4 = |rows: &[Value]| -> Value {
        let named = |row: &&Value| row.as_object().unwrap().values().any(|cell| cell == "RC4");
        rows.iter().find(named).unwrap().clone()
    };
    let number = |row: &Value, column: &str| row[column].as_f64().unwrap();
    let speed = rc4(&rows("ciphers", 1));
    assert!(number(&speed, "fast") > 0.0, "{speed}");
    assert!(number(&speed, "slow") > 0.0, "{speed}");
    // The tables of key set-up, of one message of 8 bytes, and of the quotient of the two.
    let [key, block, cost] = [0, 1, 2].map(|table| rc4(&rows("key-setup", table)));
    assert_eq!(number(&key, "1998"), 18.467);
    // The slow library needs some microseconds more for each call, which is much for 8 bytes.
    assert!(number(&block, "fast") < number(&block, "slow"), "{block}");
    let computed = number(&key, "fast") / number(&block, "fast") * 8.0;
    let shown = number(&cost, "fast");
    assert!(
        (computed / shown - 1.0).abs() < 0.03,
        "{computed} is not {shown}"
    );
    bench.touchstone(&["table", "no-such"]).assert().code(2);
}

#[test]
fn every_fault_costs_its_library_and_no_other() {
    // Each case: the fault, whether the library is found, the word in the report, and the sizes
    // that are still measured.
    let cases: [(&str, bool, &str, &[u64]); 9] = [
        ("wrong", true, "wrong answer", &[]),
        ("wrong-at-1024", true, "disagrees", &[16]),
        ("changing", true, "changed answer", &[]),
        ("crash-at-1024", true, "crash", &[16]),
        ("hang-at-1024", true, "timeout", &[16]),
        ("hog-at-1024", true, "crash", &[16]),
        ("garbage", false, "", &[]),
        ("exit", false, "", &[]),
        ("absent", false, "", &[]),
    ];
    for (fault, found, kind, sizes) in cases {
        let bench = Bench::new(&[("good", "none"), ("twin", "none"), ("bad", fault)]);
        let output = bench.run().output().unwrap();
        let code = if fault == "wrong" { 3 } else { 0 };
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(code), "{fault}: {errors}");
        let library = &bench.store().libraries(1).unwrap()[0];
        assert_eq!(
            (library.id.as_str(), library.absent.is_empty()),
            ("bad", found),
            "{fault}"
        );
        assert_eq!(
            errors.contains("bad is absent: "),
            !found,
            "{fault}: {errors}"
        );
        if found {
            let failures = bench.failures();
            assert!(
                failures.contains(&("bad".into(), kind.into())),
                "{fault}: {failures:?}"
            );
            assert!(
                failures.iter().all(|(library, _)| library == "bad"),
                "{failures:?}"
            );
        }
        for bytes in [16, 1024] {
            let mut expected = vec!["good", "twin"];
            if sizes.contains(&bytes) {
                expected.insert(0, "bad");
            }
            assert_eq!(bench.measured(bytes), expected, "{fault} at {bytes}");
        }
    }
}

#[test]
fn a_killed_run_resumes_and_loses_no_finished_cell() {
    let bench = Bench::new(&[("one", "none"), ("two", "none")]);
    let sizes: Vec<String> = (1..400).map(|n| n.to_string()).collect();
    bench.profile(&format!("[{}]", sizes.join(",")));
    let mut child = bench
        .run()
        .arg("--quiet")
        .stdout(std::process::Stdio::null())
        .spawn()
        .unwrap();
    // A loaded machine may need most of a minute.
    let deadline = Instant::now() + Duration::from_secs(180);
    let before = loop {
        std::thread::sleep(Duration::from_millis(20));
        assert!(Instant::now() < deadline, "no cells after three minutes");
        if bench.path("runs.sqlite").exists() {
            let cells = bench.store().cells(1).unwrap_or_default();
            if cells.len() >= 20 {
                break cells;
            }
        }
    };
    // This sends SIGKILL, for which no handler runs.
    child.kill().unwrap();
    child.wait().unwrap();
    let done = bench.store().done(1).unwrap().len();
    assert!(done < 400, "the run was over before it was killed");
    assert!(!bench.store().run(Some(1), false).unwrap().complete);

    bench
        .touchstone(&["run", "--resume", "--quiet"])
        .assert()
        .success();
    let after = bench.store().cells(1).unwrap();
    assert!(
        before.iter().all(|cell| after.contains(cell)),
        "a finished cell was lost or redone"
    );
    assert_eq!(
        bench.store().done(1).unwrap().len(),
        400,
        "399 sizes and the key set-up"
    );
    assert!(bench.store().run(Some(1), false).unwrap().complete);
    bench.touchstone(&["run", "--resume"]).assert().code(4);
}

#[test]
fn exit_codes_tell_what_happened() {
    let bench = Bench::new(&[("good", "none"), ("gone", "absent")]);
    bench
        .touchstone(&["verify", "--library", "good"])
        .assert()
        .code(0);
    bench
        .touchstone(&["verify", "--library", "gone"])
        .assert()
        .code(4);
    bench
        .touchstone(&["verify", "--algorithm", "no-such"])
        .assert()
        .code(4);
    bench
        .touchstone(&["verify", "--algorithm", "("])
        .assert()
        .code(2);
    bench
        .touchstone(&["verify", "--library", "unknown"])
        .assert()
        .code(2);
    bench
        .touchstone(&["run", "--profile", "no-such"])
        .assert()
        .code(2);
    bench.touchstone(&["run", "--sizes", "0"]).assert().code(2);
    bench.touchstone(&["no-such-verb"]).assert().code(2);
    let bad = Bench::new(&[("bad", "wrong")]);
    bad.touchstone(&["verify"]).assert().code(3);
}

#[test]
fn tables_come_in_four_forms() {
    let bench = Bench::new(&[("good", "none"), ("gone", "absent")]);
    let json = stdout(&mut bench.touchstone(&["list", "--format", "json"]));
    let document: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(rows(&document, "libraries")[1]["name"], "good");
    assert_eq!(
        rows(&document, "libraries")[0]["absent"],
        "no librc4.so.1; install it"
    );
    assert_eq!(rows(&document, "algorithms")[0]["good"], "yes");
    let csv = stdout(&mut bench.touchstone(&["list", "--brief", "--format", "csv"]));
    assert!(csv.starts_with("id,name,version,path,"), "{csv}");
    let md = stdout(&mut bench.touchstone(&["list", "--format", "md"]));
    assert!(md.contains("| rc4 | stream | ● |"), "{md}");
    let text = stdout(&mut bench.touchstone(&["list"]));
    assert!(
        text.lines().all(|line| line.chars().count() <= 80),
        "{text}"
    );
}

#[test]
fn two_objects_of_one_adapter_stand_side_by_side() {
    let bench = Bench::new(&[("good", "none")]);
    // The path may be of any file, because a planted worker loads no library.
    let path = bench.path("short.toml");
    let asked = format!("good={}", path.display());
    let json = stdout(&mut bench.touchstone(&[
        "list",
        "--brief",
        "--format",
        "json",
        "--library",
        "good",
        "--library",
        &asked,
    ]));
    let document: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(rows(&document, "libraries")[0]["id"], "good");
    assert_eq!(rows(&document, "libraries")[1]["id"], "good@2");
}

#[test]
fn a_store_that_is_no_store_is_explained() {
    let bench = Bench::new(&[("good", "none")]);
    std::fs::write(
        bench.path("runs.sqlite"),
        "this is a letter to my mother".repeat(200),
    )
    .unwrap();
    let output = bench.run().output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(errors.contains("damaged or not a store"), "{errors}");
}

#[test]
fn man_pages_and_completions_are_made() {
    let bench = Bench::new(&[("good", "none")]);
    let folder = bench.path("man");
    bench
        .touchstone(&["man", folder.to_str().unwrap()])
        .assert()
        .success();
    let page = std::fs::read_to_string(folder.join("touchstone.1")).unwrap();
    assert!(page.contains("touchstone") && folder.join("touchstone-run.1").is_file());
    for (name, has, lacks) in [
        ("touchstone", "TOUCHSTONE_STORE", ".SH EXTRA"),
        (
            "touchstone-verify",
            "TOUCHSTONE_PATIENCE",
            "The stored runs",
        ),
        ("touchstone-campaign-plan", ".SH FILES", ".SH EXTRA"),
    ] {
        let page = std::fs::read_to_string(folder.join(format!("{name}.1"))).unwrap();
        assert!(
            page.contains(".SH EXAMPLES\n") && page.contains(".SH EXIT STATUS\n"),
            "{page}"
        );
        assert!(page.contains(has) && !page.contains(lacks), "{page}");
    }
    for shell in ["bash", "zsh", "fish"] {
        let script = stdout(&mut bench.touchstone(&["completions", shell]));
        assert!(script.contains("TOUCHSTONE_COMPLETE"), "{script}");
    }
    let complete = |words: &[&str]| {
        let mut command = bench.touchstone(&["--"]);
        command
            .args(words)
            .env("TOUCHSTONE_COMPLETE", "bash")
            .env("_CLAP_IFS", "\n");
        command.env("_CLAP_COMPLETE_INDEX", (words.len() - 1).to_string());
        stdout(&mut command)
    };
    let verbs = complete(&["touchstone", ""]);
    assert!(
        verbs.contains("verify") && !verbs.contains("null-worker"),
        "{verbs}"
    );
    assert!(complete(&["touchstone", "list", "--library", ""]).contains("good"));
    assert!(complete(&["touchstone", "list", "--algorithm", "aes-256-g"]).contains("aes-256-gcm"));
}
