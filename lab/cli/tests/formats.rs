//! Tests what commands print for programs: one JSON document each, in the form of the schemas in
//! `docs/schemas`, and CSV of one table.

mod common;

use std::collections::BTreeSet;
use std::path::Path;

use common::{Bench, planted, rows, stdout};
use serde_json::Value;

/// Reads a schema of the documentation.
fn schema(name: &str) -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/schemas");
    let text = std::fs::read_to_string(path.join(name)).unwrap();
    serde_json::from_str(&text).unwrap()
}

/// Checks a value against a part of a schema. The function knows the keywords that the schemas of
/// this repository use (JSON Schema, draft 2020-12), and panics at others.
fn check(value: &Value, schema: &Value, root: &Value, place: &str) {
    for (keyword, rule) in schema.as_object().unwrap() {
        let holds = match keyword.as_str() {
            "$schema" | "$defs" | "title" | "description" => true,
            "$ref" => {
                let name = rule.as_str().unwrap().strip_prefix('#').unwrap();
                check(value, root.pointer(name).unwrap(), root, place);
                true
            }
            "const" => value == rule,
            "enum" => rule.as_array().unwrap().contains(value),
            "type" => match rule {
                Value::Array(kinds) => kinds.iter().any(|kind| is(value, kind)),
                kind => is(value, kind),
            },
            // The only pattern is the one of names.
            "pattern" => {
                assert_eq!(rule, "^[a-z][a-z0-9-]*$");
                let name = value.as_str().unwrap();
                let known = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
                name.starts_with(|c: char| c.is_ascii_lowercase()) && name.chars().all(known)
            }
            // RFC 9562, section 4: 32 hexadecimal digits in five groups.
            "format" => {
                assert_eq!(rule, "uuid");
                let groups: Vec<&str> = value.as_str().unwrap().split('-').collect();
                let hex = |group: &&str| group.bytes().all(|byte| byte.is_ascii_hexdigit());
                groups.iter().map(|group| group.len()).eq([8, 4, 4, 4, 12])
                    && groups.iter().all(hex)
            }
            "minItems" => value.as_array().unwrap().len() as u64 >= rule.as_u64().unwrap(),
            "items" => {
                for (index, item) in value.as_array().into_iter().flatten().enumerate() {
                    check(item, rule, root, &format!("{place}/{index}"));
                }
                true
            }
            // These speak of objects alone; `type` says whether another value is allowed.
            "required" | "properties" | "additionalProperties" if !value.is_object() => true,
            "required" => {
                let mut names = rule.as_array().unwrap().iter();
                names.all(|name| value.get(name.as_str().unwrap()).is_some())
            }
            "properties" => {
                for (name, rule) in rule.as_object().unwrap() {
                    if let Some(part) = value.get(name) {
                        check(part, rule, root, &format!("{place}/{name}"));
                    }
                }
                true
            }
            "additionalProperties" => {
                let known = |name: &str| schema["properties"].get(name).is_some();
                let mut others = value.as_object().unwrap().iter();
                match rule {
                    Value::Bool(allowed) => *allowed || others.all(|(name, _)| known(name)),
                    rule => {
                        for (name, part) in others.filter(|(name, _)| !known(name)) {
                            check(part, rule, root, &format!("{place}/{name}"));
                        }
                        true
                    }
                }
            }
            other => panic!("the test does not know the keyword {other:?}"),
        };
        assert!(holds, "{place}: not {keyword} {rule}: {value}");
    }
}

fn is(value: &Value, kind: &Value) -> bool {
    match kind.as_str().unwrap() {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "number" => value.is_number(),
        "integer" => value.is_i64() || value.is_u64(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        other => panic!("the test does not know the type {other:?}"),
    }
}

/// Checks what the schema of tables cannot say: names are unique, each row has an entry for each
/// column, and the entries have their column's type.
fn check_tables(document: &Value, what: &str) {
    let schema = schema("tables.json");
    check(document, &schema, &schema, what);
    for table in document["tables"].as_array().unwrap() {
        let columns = table["columns"].as_array().unwrap();
        let names: BTreeSet<&str> = columns
            .iter()
            .map(|c| c["name"].as_str().unwrap())
            .collect();
        assert_eq!(names.len(), columns.len(), "{what}: {columns:?}");
        for row in table["rows"].as_array().unwrap() {
            assert_eq!(
                row.as_object().unwrap().len(),
                columns.len(),
                "{what}: {row}"
            );
            for column in columns {
                let entry = &row[column["name"].as_str().unwrap()];
                let fits = match column["type"].as_str().unwrap() {
                    "number" => entry.is_number() || entry.is_null(),
                    _ => entry.is_string(),
                };
                assert!(fits, "{what}: {column} has {entry}");
            }
        }
    }
}

#[test]
fn every_command_prints_one_document_of_the_same_form() {
    let bench = Bench::new(&[("fast", "none"), ("slow", "slow"), ("wrong", "wrong")]);
    let profile = bench.path("short.toml");
    let profile = profile.to_str().unwrap();
    let exported = bench.path("run.json");
    let exported = exported.to_str().unwrap();
    let worker = planted();
    let worker = worker.to_str().unwrap();
    let commands: [&[&str]; 33] = [
        &["run", "--profile", profile],
        &["list"],
        &["list", "--brief"],
        &["verify"],
        &["verify", "--failed"],
        &["verify", "--algorithms"],
        &["verify", "--flags"],
        &["measure", "--profile", profile],
        &["rank"],
        &["rank", "--families", "--pairs", "--paper"],
        &["rank", "--algorithms", "--library", "all"],
        &["recommend"],
        &["recommend", "--algorithm", "rc4", "--size", "16"],
        &["runs"],
        &["compare", "1", "2", "--all"],
        &["compare", "1", "2", "--order"],
        &["doctor", "--seconds", "1"],
        &["fuzz", "--cases", "20"],
        &["files", "--only", "cp", "--sizes", "1k", "--rounds", "1"],
        &["check-worker", worker, "worker", "none"],
        &["report", "1"],
        &["table", "freesec", "1"],
        &["table", "key-setup", "1"],
        &["table", "ehrhardt", "1"],
        &["table", "libraries", "1"],
        &["table", "hashes", "1"],
        &["table", "ciphers", "1"],
        &["table", "modes", "1"],
        &["table", "lengths", "1"],
        &["table", "acceleration", "1"],
        &["table", "versions", "1"],
        &["export", "1", "-o", exported],
        &["import", exported],
    ];
    for command in commands {
        let what = command.join(" ");
        let mut line = vec!["--format", "json"];
        line.extend(command);
        let output = bench.touchstone(&line).output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        if command[0] == "export" {
            assert_eq!(text, "");
            continue;
        }
        let document: Value = serde_json::from_str(&text).unwrap_or_else(|error| {
            let said = String::from_utf8_lossy(&output.stderr);
            panic!("{what}: {error}: {text}{said}")
        });
        check_tables(&document, &what);
        let tables = document["tables"].as_array().unwrap();
        assert!(!tables.is_empty(), "{what}");
    }
    let run: Value = serde_json::from_str(&std::fs::read_to_string(exported).unwrap()).unwrap();
    let schema = schema("run.json");
    check(&run, &schema, &schema, "export");
}

#[test]
fn a_program_gets_all_digits_and_the_table_that_it_names() {
    let bench = Bench::new(&[("fast", "none"), ("slow", "slow")]);
    let profile = bench.path("short.toml");
    let profile = profile.to_str().unwrap();
    let json =
        stdout(&mut bench.touchstone(&["measure", "--profile", profile, "--format", "json"]));
    let document: Value = serde_json::from_str(&json).unwrap();
    let cells = rows(&document, "cells");
    let digits = |row: &Value| row["ns"].to_string().len();
    assert!(cells.iter().map(digits).max() > Some(10), "{cells:?}");
    for row in cells {
        let [from, ns, to] = ["from", "ns", "to"].map(|name| row[name].as_f64().unwrap());
        assert!(from <= ns && ns <= to, "{row}");
    }
    let compare = ["compare", "1", "1", "--all", "--format", "csv"];
    let csv = bench.touchstone(&compare).output().unwrap();
    let first = String::from_utf8(csv.stdout).unwrap();
    assert!(first.starts_with("cell,library,ns was,"), "{first}");
    let width = |line: &str| line.split(',').count();
    assert!(
        first
            .lines()
            .all(|line| width(line) == width(first.lines().next().unwrap()))
    );
    let said = String::from_utf8(csv.stderr).unwrap();
    assert!(
        said.contains("--table NAME: counts, differences, only"),
        "{said}"
    );
    let counts = stdout(bench.touchstone(&compare).args(["--table", "counts"]));
    assert!(counts.starts_with("verdict,cells\r\n"), "{counts}");
    let wrong = bench
        .touchstone(&compare)
        .args(["--table", "cuonts"])
        .output()
        .unwrap();
    assert_eq!(wrong.status.code(), Some(2));
}
