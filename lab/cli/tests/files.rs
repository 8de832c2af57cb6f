//! `touchstone files` with planted programs: one that encrypts (it copies), one that returns another
//! content, one that fails, one that is absent.
#![allow(missing_docs)]

use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

/// Takes the arguments of age: the place of the output is after `--output`, that of the input last.
const COPIES: &str = "case $1 in --version) echo 'planted 1.2'; exit;; esac
for last; do :; done
while [ \"$1\" != --output ]; do shift; done
cp \"$last\" \"$2\"";

/// A folder with a program for age.
struct Place(tempfile::TempDir);

impl Place {
    fn new(script: &str) -> Self {
        let place = Self(tempfile::tempdir().unwrap());
        let path = place.0.path().join("age");
        std::fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
        place
    }

    fn files(&self, arguments: &[&str]) -> Output {
        let age = format!("age={}", self.0.path().join("age").display());
        let work = self.0.path().join("work");
        std::fs::create_dir_all(&work).unwrap();
        let output = self
            .lab()
            .args(["files", "--quiet", "--program", &age, "--sizes", "200k"])
            .arg("--folder")
            .arg(&work)
            .args(if arguments.contains(&"--rounds") {
                &[][..]
            } else {
                &["--rounds", "6"]
            })
            .args(arguments)
            .output()
            .unwrap();
        assert!(is_empty(&work), "something is left in the folder");
        output
    }

    /// The lab, with a store of its own.
    fn lab(&self) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_touchstone"));
        command.env("XDG_DATA_HOME", self.0.path());
        command.env("TOUCHSTONE_HOST", "node1");
        command
    }

    /// The tables of `touchstone table files`.
    fn view(&self) -> Vec<Value> {
        let output = self
            .lab()
            .args(["table", "files", "--format", "json"])
            .output();
        let output = output.unwrap();
        assert_eq!(output.status.code(), Some(0), "{}", said(&output));
        let document: Value = serde_json::from_slice(&output.stdout).unwrap();
        document["tables"].as_array().unwrap().clone()
    }
}

fn is_empty(folder: &Path) -> bool {
    std::fs::read_dir(folder).unwrap().next().is_none()
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn programs_are_measured_beside_cp() {
    let place = Place::new(COPIES);
    let output = place.files(&["--only", "age,cp", "--format", "json"]);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    let document: Value = serde_json::from_slice(&output.stdout).unwrap();
    let tables = document["tables"].as_array().unwrap();
    let names: Vec<&str> = tables
        .iter()
        .filter_map(|table| table["name"].as_str())
        .collect();
    assert_eq!(names, ["files", "programs", "ehrhardt"]);
    let rows = tables[0]["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 4);
    for row in rows {
        assert_eq!(row["bytes"], 200 << 10);
        assert_eq!(row["rounds"], 6);
        let number = |name: &str| {
            row[name]
                .as_f64()
                .unwrap_or_else(|| panic!("{name}: {row}"))
        };
        let (low, speed, high) = (number("from"), number("MiB/s"), number("to"));
        assert!(0.0 < low && low <= speed && speed <= high, "{row}");
        assert!(number("MiB/s on disk") <= speed, "{row}");
        let seconds = number("seconds");
        assert!(
            (speed * seconds / (200.0 / 1024.0) - 1.0).abs() < 0.01,
            "{row}"
        );
        let bound = number("× cp");
        assert!(row["program"] != "cp" || bound == 1.0, "{row}");
    }
    assert_eq!(rows[0]["version"], "planted 1.2");
    let table = place.files(&["--only", "age,cp"]);
    let text = String::from_utf8(table.stdout).unwrap();
    assert!(
        text.lines().all(|line| line.chars().count() <= 80),
        "{text}"
    );
}

#[test]
fn the_newest_measurement_is_kept_and_shown() {
    let place = Place::new(COPIES);
    let tables = place.view();
    let [published] = &tables[..] else {
        panic!("{} tables", tables.len());
    };
    let note = published["note"].as_str().unwrap();
    assert!(note.contains("touchstone files"), "{note}");
    for rounds in ["6", "7"] {
        let output = place.files(&["--only", "age,cp", "--rounds", rounds]);
        assert_eq!(output.status.code(), Some(0), "{}", said(&output));
        let tables = place.view();
        assert_eq!(tables.len(), 3);
        for (table, way) in tables.iter().zip(["seal", "open"]) {
            let title = table["title"].as_str().unwrap();
            let start = format!("{way}: a file of 200 KiB, {rounds} rounds");
            assert!(title.starts_with(&start), "{title}");
            let rows = table["rows"].as_array().unwrap();
            assert_eq!(rows.len(), 2);
            assert!(rows.iter().all(|row| row["MiB/s"].as_f64() > Some(0.0)));
        }
        assert!(tables[2]["title"].as_str().unwrap().contains("2008"));
    }
    // Without a result there is nothing to keep.
    let broken = Place::new("exit 1");
    broken.files(&["--only", "age"]);
    assert_eq!(broken.view().len(), 1);
}

#[test]
fn another_content_and_failures_get_no_figures() {
    let other = COPIES.to_owned() + "\necho x >>\"$2\"";
    for (script, reason) in [
        (other.as_str(), "differs"),
        (
            "case $1 in --version) ;; *) echo no key >&2; exit 9;; esac",
            "no key",
        ),
        ("", "no file"),
    ] {
        let place = Place::new(script);
        let output = place.files(&["--only", "age,cp", "--format", "json"]);
        assert_eq!(output.status.code(), Some(3), "{}", said(&output));
        assert!(
            said(&output).contains(reason),
            "{reason}: {}",
            said(&output)
        );
        let document: Value = serde_json::from_slice(&output.stdout).unwrap();
        for row in document["tables"][0]["rows"].as_array().unwrap() {
            let measured = row["MiB/s"].is_number();
            assert_eq!(measured, row["program"] == "cp", "{row}");
            assert_eq!(measured, row["failure"] == "", "{row}");
        }
    }
}

#[test]
fn a_program_that_hangs_is_ended() {
    let place = Place::new("case $1 in --version) ;; *) exec sleep 60;; esac");
    let output = place.files(&["--only", "age", "--limit", "1"]);
    assert_eq!(output.status.code(), Some(3), "{}", said(&output));
    assert!(said(&output).contains("--limit"), "{}", said(&output));
}

#[test]
fn mistakes_are_told() {
    let place = Place::new(COPIES);
    for (arguments, code, text) in [
        (&["--only", "nothing"][..], 2, "strongbox"),
        (&["--program", "age=/nowhere"], 2, "/nowhere"),
        (&["--program", "vi=/bin/sh"], 2, "openssl"),
        (&["--sizes", "0"], 2, "length"),
        (&["--sizes", "1000G", "--only", "cp"], 1, "--folder"),
    ] {
        let output = place.files(arguments);
        assert_eq!(
            output.status.code(),
            Some(code),
            "{arguments:?}: {}",
            said(&output)
        );
        assert!(
            said(&output).contains(text),
            "{arguments:?}: {}",
            said(&output)
        );
    }
    let output = Command::new(env!("CARGO_BIN_EXE_touchstone"))
        .args(["files", "--only", "rage"])
        .env("PATH", "")
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(4), "{}", said(&output));
    assert!(
        said(&output).contains("rage is absent"),
        "{}",
        said(&output)
    );
}
