//! Tests `export`, `import` and `compare` as a user runs them, with planted libraries.

mod common;

use assert_cmd::assert::OutputAssertExt;
use common::{Bench, rows, stdout};
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::RowAccessor;

/// Returns the verdicts in the table that `compare --format json` printed.
fn verdicts(document: &serde_json::Value) -> Vec<(String, String, String)> {
    let rows = rows(document, "changes");
    let text = |row: &serde_json::Value, name: &str| row[name].as_str().unwrap().to_owned();
    rows.iter()
        .map(|row| {
            (
                text(row, "cell"),
                text(row, "library"),
                text(row, "verdict"),
            )
        })
        .collect()
}

fn count(document: &serde_json::Value, verdict: &str) -> i64 {
    let rows = rows(document, "counts");
    let row = rows.iter().find(|row| row["verdict"] == verdict).unwrap();
    row["cells"].as_i64().unwrap()
}

#[test]
fn an_exported_run_is_imported_as_it_was() {
    let bench = Bench::new(&[("good", "none"), ("twin", "none"), ("gone", "absent")]);
    bench.run().assert().success();
    let file = bench.path("run.json");
    let file = file.to_str().unwrap();
    bench.touchstone(&["export", "-o", file]).assert().success();
    let there = Bench::new(&[("good", "none")]);
    assert_eq!(stdout(&mut there.touchstone(&["import", file])), "1\n");

    let (store, copy) = (bench.store(), there.store());
    assert_eq!(store.cells(1).unwrap(), copy.cells(1).unwrap());
    assert_eq!(store.libraries(1).unwrap(), copy.libraries(1).unwrap());
    assert_eq!(
        store.verifications(1).unwrap(),
        copy.verifications(1).unwrap()
    );
    assert_eq!(store.done(1).unwrap(), copy.done(1).unwrap());
    for verb in [
        &["rank", "1"][..],
        &["report", "1"],
        &["table", "freesec", "1"],
        &["compare", "1", file],
    ] {
        there.touchstone(verb).assert().success();
    }
    let runs = stdout(&mut there.touchstone(&["runs", "--format", "csv"]));
    assert!(runs.contains("complete, imported"), "{runs}");
    let report = there.path("reports/run-1.html");
    let html = std::fs::read_to_string(report).unwrap();
    assert!(html.contains("another machine: imported"));
    // Standard output gets the same document as the file.
    let document = stdout(&mut bench.touchstone(&["export"]));
    assert_eq!(document, std::fs::read_to_string(file).unwrap());
}

#[test]
fn only_this_machines_runs_are_resumed() {
    let bench = Bench::new(&[("good", "none")]);
    bench.run().assert().success();
    let document = stdout(&mut bench.touchstone(&["export"]));
    let cut_short = document.replacen("\"complete\":true", "\"complete\":false", 1);
    assert_ne!(document, cut_short);
    std::fs::write(bench.path("run.json"), cut_short).unwrap();
    let file = bench.path("run.json");
    bench
        .touchstone(&["import", file.to_str().unwrap()])
        .assert()
        .success();
    for (args, code) in [
        (&["run", "--resume"][..], 4),
        (&["run", "--resume", "2"], 2),
    ] {
        bench.touchstone(args).assert().code(code);
    }
}

#[test]
fn a_file_that_is_no_run_is_refused_and_leaves_nothing() {
    let bench = Bench::new(&[("good", "none")]);
    bench.run().assert().success();
    let good = stdout(&mut bench.touchstone(&["export"]));
    let cases = [
        ("a letter".to_owned(), "is not a run"),
        (good[..good.len() / 2].to_owned(), "ends in the middle"),
        (
            good.replacen("\"schema\":3", "\"schema\":99", 1),
            "a newer touchstone",
        ),
        (good.replace("\"hot\"", "\"lukewarm\""), "lukewarm"),
    ];
    for (text, reason) in cases {
        let file = bench.path("bad.json");
        std::fs::write(&file, text).unwrap();
        let output = bench
            .touchstone(&["import", file.to_str().unwrap()])
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(1));
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(errors.contains(reason), "{errors}");
    }
    assert_eq!(bench.store().runs().unwrap().len(), 1);
    bench
        .touchstone(&["import", "/no/such/file"])
        .assert()
        .code(2);
    bench.touchstone(&["export", "7"]).assert().code(2);
}

#[test]
fn cells_are_exported_as_csv_and_parquet() {
    let bench = Bench::new(&[("one", "none"), ("two", "none")]);
    bench.run().assert().success();
    let cells = bench.store().cells(1).unwrap();
    let csv = stdout(&mut bench.touchstone(&["export", "--to", "csv"]));
    assert!(csv.starts_with("library,name,version,family,"), "{csv}");
    assert_eq!(csv.lines().count(), cells.len() + 1);
    // For `export`, the option `--format csv` means the same as `--to csv`.
    let format = stdout(&mut bench.touchstone(&["export", "--format", "csv"]));
    assert_eq!(format, csv);

    let file = bench.path("cells.parquet");
    bench
        .touchstone(&["export", "-o"])
        .arg(&file)
        .assert()
        .success();
    let reader = SerializedFileReader::new(std::fs::File::open(file).unwrap()).unwrap();
    let schema = reader.metadata().file_metadata().schema().get_fields();
    let place = |name: &str| schema.iter().position(|f| f.name() == name).unwrap();
    let [library, bytes, contract, samples] =
        ["library", "bytes", "contract", "samples_ns"].map(place);
    let mut rows = 0;
    for row in reader.get_row_iter(None).unwrap() {
        let row = row.unwrap();
        let raw = cells
            .iter()
            .find(|c| {
                &c.library == row.get_string(library).unwrap()
                    && c.task.bytes as i64 == row.get_long(bytes).unwrap()
                    && c.task.contract.name() == row.get_string(contract).unwrap()
            })
            .unwrap();
        let list = row.get_list(samples).unwrap();
        let got: Vec<f64> = list
            .elements()
            .iter()
            .map(|field| match field {
                parquet::record::Field::Double(ns) => *ns,
                other => panic!("{other} among the samples"),
            })
            .collect();
        let per_call: Vec<f64> = raw.samples.iter().map(|ns| ns / raw.calls as f64).collect();
        assert_eq!(got, per_call);
        rows += 1;
    }
    assert_eq!(rows, cells.len());
}

/// Returns an exported run in which a call takes 500 ns and 3 ns a byte, give or take 2 %
/// from round to round, and `slowdown` times as long for 1,024 bytes by the library `two`.
fn with_times(document: &str, slowdown: f64) -> String {
    let mut document: serde_json::Value = serde_json::from_str(document).unwrap();
    for task in document["tasks"].as_array_mut().unwrap() {
        let bytes = task["bytes"].as_f64().unwrap();
        for cell in task["cells"].as_array_mut().unwrap() {
            let slow = cell["library"] == "two" && bytes == 1024.0;
            let ns = (500.0 + 3.0 * bytes) * if slow { slowdown } else { 1.0 };
            let calls = cell["calls"].as_f64().unwrap();
            cell["flags"] = Vec::<String>::new().into();
            cell["processes"] = vec![1; 8].into();
            cell["samples_ns"] = (0..8)
                .map(|round| calls * ns * (0.98 + 0.01 * f64::from(round * 3 % 5)))
                .collect();
        }
    }
    document.to_string()
}

#[test]
fn a_regression_has_an_exit_code_of_its_own() {
    // Beside the library that changes, three libraries stay unchanged. Their scatter shows
    // whether a change comes from a load on the machine. The times are made up: how fast
    // this machine happens to be must not decide the verdict (`make trust` measures).
    let measured = Bench::new(&[
        ("one", "none"),
        ("two", "none"),
        ("third", "none"),
        ("fourth", "none"),
    ]);
    measured.run().assert().success();
    measured.profile("[1024, 4096]");
    measured.run().assert().success();
    let bench = Bench::new(&[]);
    for (run, slowdown) in [("1", 1.0), ("2", 2.0)] {
        let file = bench.path("run.json");
        let document = stdout(&mut measured.touchstone(&["export", run]));
        std::fs::write(&file, with_times(&document, slowdown)).unwrap();
        let file = file.to_str().unwrap();
        bench.touchstone(&["import", file]).assert().success();
    }

    let compare = |more: &[&str]| {
        let args = [&["compare", "1", "2", "--format", "json"], more].concat();
        let output = bench.touchstone(&args).output().unwrap();
        let document: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        (output.status.code(), document)
    };
    let (code, document) = compare(&["--library", "two"]);
    assert_eq!(code, Some(5), "{document:#}");
    let slower = (
        "rc4 stream-encrypt hot 1024 B".to_owned(),
        "two".to_owned(),
        "slower".to_owned(),
    );
    assert_eq!(verdicts(&document), [slower]);
    assert_eq!(count(&document, "only before"), 1);
    assert_eq!(count(&document, "only now"), 1);
    // With a threshold of 400 %, twice the time is no regression.
    let (code, document) = compare(&["--threshold", "400%", "--all"]);
    assert_eq!(code, Some(0), "{document:#}");
    assert_eq!(
        verdicts(&document).len(),
        8,
        "1024 bytes and the key set-up"
    );
    assert_eq!(rows(&document, "only").len(), 8);
    for (unknown, code) in [("--algorithm=aes", 4), ("--library=no-such", 2)] {
        bench
            .touchstone(&["compare", "1", "2", unknown])
            .assert()
            .code(code);
    }
    bench.touchstone(&["compare", "1", "x"]).assert().code(2);
    bench.touchstone(&["compare", "1", "9"]).assert().code(2);
    let text = stdout(&mut bench.touchstone(&["compare", "1", "2", "--all", "-q"]));
    assert!(text.lines().all(|l| l.chars().count() <= 80), "{text}");
    let order = stdout(&mut bench.touchstone(&["compare", "1", "1", "--order"]));
    assert!(order.contains("Kendall"), "{order}");
}

/// Without runs, `compare` measures two builds in the same rounds. Equal builds give no finding, and
/// a slower build does.
#[test]
fn two_builds_are_measured_in_the_same_rounds_and_compared() {
    let bench = Bench::new(&[("one", "none"), ("slow", "slow")]);
    let profile = bench.path("short.toml");
    let compare = |builds: [&str; 2], more: &[&str]| {
        let [before, now] = builds;
        let mut command = bench.touchstone(&["compare", "--library", before, "--library", now]);
        command
            .arg("--profile")
            .arg(&profile)
            .args(["--threshold", "20%"]);
        let output = command
            .args(["--format", "json"])
            .args(more)
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        let document: serde_json::Value =
            serde_json::from_slice(&output.stdout).unwrap_or(serde_json::Value::Null);
        (output.status.code(), document, said)
    };
    let (code, document, said) = compare(["one=/bin/true", "one=/bin/false"], &[]);
    assert_eq!(code, Some(0), "{document:#}{said}");
    assert_eq!(count(&document, "slower") + count(&document, "faster"), 0);
    assert_eq!(count(&document, "tie"), 3, "{document:#}");
    let (code, document, said) = compare(["one", "slow"], &["--contracts", "hot"]);
    assert_eq!(code, Some(5), "{document:#}{said}");
    let (cell, library, verdict) = &verdicts(&document)[0];
    assert_eq!(
        [cell, library, verdict],
        ["rc4 stream-encrypt hot 16 B", "slow", "slower"]
    );
    let builds = rows(&document, "builds");
    assert_eq!(
        [&builds[0]["library"], &builds[1]["library"]],
        ["one", "slow"]
    );
    let (code, _, said) = compare(["one", "one"], &[]);
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains("the same object"), "{said}");
    // The builds of two stored runs, of which the earlier one is gone.
    let again = bench
        .touchstone(&["compare", "1", "2", "--with-control"])
        .output()
        .unwrap();
    assert_eq!(again.status.code(), Some(2), "{again:?}");
    let none = bench.touchstone(&["compare"]).output().unwrap();
    assert_eq!(none.status.code(), Some(2), "{none:?}");
}
