//! Compares versions of one library: what an upgrade gains in each algorithm.

use std::collections::BTreeMap;

use super::exhibit::{Column, Exhibit, Figure, Row};
use super::lens::{Lens, over};
use crate::adapters;
use crate::stats::Interval;
use crate::summary::{Cell, Library};

/// Messages up to this many bytes are short.
const SHORT: u64 = 256;
const BULK: u64 = 4096;

/// One algorithm at one length, with its cell in each version, the oldest version first.
struct Line<'a> {
    primitive: &'a str,
    operation: &'a str,
    bytes: u64,
    cells: Vec<Option<(usize, &'a Cell)>>,
}

impl Line<'_> {
    /// Returns how many times as fast the newest version is as the oldest; `None` if one of
    /// them lacks the algorithm.
    fn gain(&self) -> Option<Interval> {
        let (first, last) = (self.cells.first()?.as_ref()?, self.cells.last()?.as_ref()?);
        Some(over(first.1.ns, last.1.ns))
    }
}

pub(super) fn make(lens: &Lens<'_>) -> anyhow::Result<Vec<Exhibit>> {
    let mut overview = Exhibit::list(
        "What an upgrade brings: speed of the newest version over the oldest's, geometric mean",
        &[
            "library",
            "oldest",
            "newest",
            ">short",
            ">algorithms",
            ">bulk",
            ">algorithms",
        ],
    );
    let mut ends = Exhibit::list(
        "Greatest gain and greatest loss, speed of the newest version over the oldest's",
        &["library", "algorithm", ">×"],
    );
    let mut tables = Vec::new();
    for versions in versions(lens) {
        let lines = lines(lens, &versions);
        if let ([first, .., last], true) = (&versions[..], lines.iter().any(|l| l.gain().is_some()))
        {
            overview.rows.push(summary(lens, first, last, &lines));
            ends.rows.extend(extremes(lens, last, &lines));
            tables.push(table(lens, &versions, &lines));
        }
    }
    if tables.is_empty() {
        return Ok(vec![
            Exhibit::list("Versions", &["nothing was measured"]).note(
                "this run has no two versions of a library: make roots SUITE=sid, then \
                 touchstone run --root roots/sid; or touchstone measure --library openssl \
                 --library openssl=PATH",
            ),
        ]);
    }
    let overview = overview.note(format!(
        "short: at most {SHORT} bytes, bulk: at least {BULK}. Below 1 the newest version \
         is the slower one"
    ));
    Ok([vec![overview, ends], tables].concat())
}

/// Returns the libraries with more than one version, each with all versions, the oldest first.
/// If two objects have the same version, the system's own object comes first.
fn versions<'a>(lens: &Lens<'a>) -> Vec<Vec<&'a Library>> {
    let mut by_adapter: BTreeMap<&str, Vec<&Library>> = BTreeMap::new();
    for library in &lens.summary.libraries {
        if library.absent.is_empty() && library.mask.is_empty() {
            let versions = by_adapter
                .entry(adapters::adapter(&library.id))
                .or_default();
            versions.push(library);
        }
    }
    let mut all: Vec<Vec<&Library>> = by_adapter.into_values().collect();
    all.retain(|versions| versions.iter().any(|v| v.version != versions[0].version));
    for versions in &mut all {
        versions.sort_by_key(|library| (numbers(&library.version), &library.id));
    }
    all
}

/// Returns the numbers in a version, so that 3.10 counts as newer than 3.9.
fn numbers(version: &str) -> Vec<u64> {
    version
        .split(|c: char| !c.is_ascii_digit())
        .filter_map(|part| part.parse().ok())
        .collect()
}

/// Returns each algorithm at the shortest and at the longest measured length.
fn lines<'a>(lens: &Lens<'a>, versions: &[&Library]) -> Vec<Line<'a>> {
    let mut found: BTreeMap<(&str, &str), BTreeMap<u64, Line<'a>>> = BTreeMap::new();
    for (index, cell) in lens.summary.cells.iter().enumerate() {
        let place = versions.iter().position(|v| v.id == cell.library);
        let hot = (cell.contract.as_str(), cell.threads, cell.messages) == ("hot", 1, 1);
        if let (Some(place), true) = (place, hot) {
            let line = found
                .entry((&cell.primitive, &cell.operation))
                .or_default()
                .entry(cell.bytes)
                .or_insert_with(|| Line {
                    primitive: &cell.primitive,
                    operation: &cell.operation,
                    bytes: cell.bytes,
                    cells: vec![None; versions.len()],
                });
            line.cells[place] = Some((index, cell));
        }
    }
    let ends = |mut lengths: BTreeMap<u64, Line<'a>>| {
        let first = lengths.pop_first().map(|(_, line)| line);
        let last = lengths.pop_last().map(|(_, line)| line);
        first.into_iter().chain(last)
    };
    found.into_values().flat_map(ends).collect()
}

fn summary(lens: &Lens<'_>, first: &Library, last: &Library, lines: &[Line<'_>]) -> Row {
    let gains: Vec<(&Line<'_>, f64)> = lines
        .iter()
        .filter_map(|line| Some((line, line.gain()?.mid)))
        .collect();
    let mean = |wanted: &dyn Fn(u64) -> bool| {
        let logs: Vec<f64> = gains
            .iter()
            .filter(|(line, _)| wanted(line.bytes))
            .map(|(_, gain)| gain.ln())
            .collect();
        let count = logs.len();
        let text = if count == 0 {
            Figure::none()
        } else {
            let mean = (logs.iter().sum::<f64>() / count as f64).exp();
            Figure::computed(mean, format!("{mean:.2}"))
        };
        [text, Figure::text(count.to_string())]
    };
    let [short, shorts] = mean(&|bytes| bytes > 0 && bytes <= SHORT);
    let [bulk, bulks] = mean(&|bytes| bytes >= BULK);
    Row {
        library: last.id.clone(),
        figures: vec![
            Figure::text(lens.name(adapters::adapter(&last.id))),
            Figure::text(&first.version),
            Figure::text(&last.version),
            short,
            shorts,
            bulk,
            bulks,
        ],
        ..Row::default()
    }
}

/// Returns the algorithms that gained or lost most.
fn extremes(lens: &Lens<'_>, last: &Library, lines: &[Line<'_>]) -> Vec<Row> {
    let gains = || lines.iter().filter_map(|line| Some((line, line.gain()?)));
    let by_gain =
        |a: &(&Line<'_>, Interval), b: &(&Line<'_>, Interval)| a.1.mid.total_cmp(&b.1.mid);
    let ends = [gains().max_by(by_gain), gains().min_by(by_gain)];
    ends.into_iter()
        .flatten()
        .map(|(line, gain)| Row {
            library: last.id.clone(),
            primitive: line.primitive.to_owned(),
            figures: vec![
                Figure::text(lens.name(adapters::adapter(&last.id))),
                Figure::text(name(line)),
                factor(gain),
            ],
            ..Row::default()
        })
        .collect()
}

fn factor(gain: Interval) -> Figure {
    let same = gain.low <= 1.0 && gain.high >= 1.0;
    Figure {
        text: format!("{}{:.2}", if same { "= " } else { "" }, gain.mid),
        value: Some(gain),
        ..Figure::default()
    }
}

fn name(line: &Line<'_>) -> String {
    match line.bytes {
        0 => format!("{} {}", line.primitive, line.operation),
        bytes => format!("{} {}, {bytes} B", line.primitive, line.operation),
    }
}

/// Returns a table with one row for each algorithm and length, and one column for each version.
fn table(lens: &Lens<'_>, versions: &[&Library], lines: &[Line<'_>]) -> Exhibit {
    let library = lens.name(adapters::adapter(&versions[0].id));
    let mut exhibit = Exhibit::list(
        &format!("{library}, versions side by side, ns a message, lower is better"),
        &["algorithm"],
    );
    for version in versions {
        let tree = version.id.split_once(adapters::OTHER).map(|(_, tree)| tree);
        exhibit.columns.push(Column {
            heading: match tree {
                Some(tree) => format!("{} {tree}", version.version),
                None => version.version.clone(),
            },
            number: true,
            library: version.id.clone(),
            ..Column::default()
        });
    }
    exhibit.columns.push(Column {
        heading: "×".into(),
        number: true,
        ..Column::default()
    });
    for line in lines {
        let time = |cell: &Option<(usize, &Cell)>| {
            cell.map_or_else(Figure::none, |(index, cell)| {
                Figure::measured(cell.ns, index, !cell.flags.is_empty())
            })
        };
        let gain = line.gain().map_or_else(Figure::none, factor);
        let times = line.cells.iter().map(time);
        exhibit.rows.push(Row {
            primitive: line.primitive.to_owned(),
            figures: std::iter::once(Figure::text(name(line)))
                .chain(times)
                .chain([gain])
                .collect(),
            ..Row::default()
        });
    }
    exhibit.note("×: the last version's speed over the first's; =: the intervals overlap")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::summary::Summary;

    fn run(libraries: &[(&str, &str)], cells: &[(&str, u64, f64)]) -> Summary {
        let libraries: Vec<_> = libraries
            .iter()
            .map(|(id, version)| {
                serde_json::json!({
                    "id": id, "name": id, "version": version, "path": "", "licence": "",
                    "language": "", "features": "", "note": "", "absent": "", "offers": 1,
                    "code_bytes": null, "table_bytes": null, "start_ms": null, "peak_kib": null
                })
            })
            .collect();
        let cells: Vec<_> = cells
            .iter()
            .map(|(library, bytes, ns)| {
                let ns = serde_json::to_value(Interval::exact(*ns)).unwrap();
                let one = serde_json::to_value(Interval::exact(1.0)).unwrap();
                serde_json::json!({
                    "library": library, "primitive": "aes-128", "operation": "ctr-encrypt",
                    "family": "block", "contract": "hot", "bytes": bytes, "threads": 1,
                    "messages": 1, "ns": ns, "spread": [1.0, 1.0, 1.0], "ratio": one,
                    "tie": false, "rounds": 9, "calls": 1, "stop": "narrow",
                    "first_ns": [0, 0, 0], "mhz": null, "flags": [], "api": "", "kernel": "",
                    "note": "", "samples": [1.0]
                })
            })
            .collect();
        serde_json::from_value(serde_json::json!({
            "run": {
                "id": 1, "started": "", "seconds": 0.0, "profile": "", "command": "",
                "complete": true, "lab_version": "", "null_ns": 0.0, "target": 0.1
            },
            "machine": { "line": "", "facts": [], "mhz": null },
            "libraries": libraries, "verification": [], "failures": [], "cells": cells,
            "costs": [], "ranking": { "algorithms": [], "overall": [], "families": [] }
        }))
        .unwrap()
    }

    fn texts(exhibit: &Exhibit) -> Vec<Vec<&str>> {
        let rows = exhibit.rows.iter();
        rows.map(|row| row.figures.iter().map(|f| f.text.as_str()).collect())
            .collect()
    }

    #[test]
    fn versions_stand_from_old_to_new_with_what_the_newest_gains() {
        let summary = run(
            &[
                ("x", "3.9.1"),
                ("x@sid", "3.10"),
                ("x@old", "2"),
                ("y", "1"),
                ("z", "4"),
                ("z@sid", "4"),
            ],
            &[
                ("z", 16, 1.0),
                ("z@sid", 16, 1.0),
                ("x", 16, 30.0),
                ("x@sid", 16, 20.0),
                ("x@old", 16, 40.0),
                ("x@sid", 1024, 1.0),
                ("x@old", 8192, 1000.0),
                ("x@sid", 8192, 2000.0),
                ("y", 16, 1.0),
            ],
        );
        let shown = make(&Lens::new(&summary)).unwrap();
        assert_eq!(shown.len(), 3, "y and z have one version");
        assert_eq!(
            texts(&shown[0]),
            [["x", "2", "3.10", "2.00", "1", "0.50", "1"]]
        );
        assert_eq!(
            texts(&shown[1]),
            [
                ["x", "aes-128 ctr-encrypt, 16 B", "2.00"],
                ["x", "aes-128 ctr-encrypt, 8192 B", "0.50"]
            ]
        );
        let heads: Vec<_> = shown[2]
            .columns
            .iter()
            .map(|c| c.heading.as_str())
            .collect();
        assert_eq!(heads, ["algorithm", "2 old", "3.9.1", "3.10 sid", "×"]);
        assert_eq!(
            texts(&shown[2]),
            [
                ["aes-128 ctr-encrypt, 16 B", "40.0", "30.0", "20.0", "2.00"],
                ["aes-128 ctr-encrypt, 8192 B", "1000", "–", "2000", "0.50"],
            ]
        );
    }

    #[test]
    fn a_run_of_one_version_says_how_to_get_more() {
        let summary = run(&[("x", "1"), ("y", "2")], &[("x", 16, 1.0)]);
        let shown = make(&Lens::new(&summary)).unwrap();
        assert!(shown[0].note.contains("--root"), "{}", shown[0].note);
    }
}
