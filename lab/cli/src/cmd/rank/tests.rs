use super::*;
use crate::catalogue::FAMILIES;
use crate::rank::headline::{Headline, Quadrant};
use crate::rank::paper::{OverallRank, Ranking};

const LIBRARIES: [&str; 3] = ["Touchstone", "RustCrypto@sid", "Bouncy Castle"];

fn row(library: &str, place: u32) -> Row {
    let mid = f64::from(place) * 11.1;
    Row {
        library: library.into(),
        ratio: Interval {
            low: mid * 0.9,
            mid,
            high: mid * 1.1,
        },
        algorithms: 107,
        narrow: place == 3,
        band: place,
        part: 1,
    }
}

fn group(family: &str) -> Group {
    let rows = LIBRARIES.iter().zip(1..);
    Group {
        family: family.into(),
        algorithms: 130,
        rows: rows.map(|(library, place)| row(library, place)).collect(),
    }
}

fn paper_row(library: &str, place: u32) -> OverallRank {
    OverallRank {
        library: library.into(),
        present: Interval::exact(f64::from(place) * 123.45),
        band: place,
        algorithms: 216,
        of: 254,
        narrow: place == 3,
    }
}

/// Returns a run's summary in which three libraries have algorithms of every family.
fn summary() -> Summary {
    let libraries = LIBRARIES.map(|name| {
        serde_json::json!({
            "id": name, "name": name, "version": "17.0.15", "path": "", "licence": "",
            "language": "", "features": "", "note": "", "absent": "", "offers": 1,
            "handicap": if name == "Bouncy Castle" { "built without assembly" } else { "" }
        })
    });
    let paper = || -> Vec<OverallRank> {
        let rows = LIBRARIES.iter().zip(1..);
        rows.map(|(library, place)| paper_row(library, place))
            .collect()
    };
    let families = || FAMILIES.iter().copied();
    serde_json::from_value(serde_json::json!({
        "run": {
            "id": 1, "started": "", "seconds": 0.0, "profile": "quick", "command": "",
            "complete": true, "lab_version": "", "null_ns": 0.0, "target": 0.05
        },
        "machine": {"line": "a machine", "facts": [], "mhz": null},
        "libraries": libraries,
        "verification": [], "failures": [], "cells": [], "costs": [],
        "headline": Headline {
            quadrants: vec![Quadrant {
                modern: true,
                length: Length::Short,
                overall: group(""),
                families: families().map(group).collect(),
                pairs: Vec::new(),
            }],
        },
        "ranking": Ranking {
            algorithms: Vec::new(),
            overall: paper(),
            families: families().map(|family| (family.to_owned(), paper())).collect(),
        },
    }))
    .unwrap()
}

/// Returns the lines of a table on a terminal of 79 columns.
fn lines(table: &Table) -> Vec<String> {
    let text = anstream::adapter::strip_str(&table.text(79)).to_string();
    text.lines().map(str::to_owned).collect()
}

#[test]
fn all_families_fit_a_terminal() {
    let summary = summary();
    let mut tables = families(&summary, Format::Table);
    tables.push(paper::overall(&summary));
    for table in &tables {
        let lines = lines(table);
        let long = lines.iter().find(|line| line.chars().count() > 79);
        assert_eq!(long, None, "{lines:#?}");
        for library in LIBRARIES {
            let whole = lines.iter().any(|line| line.contains(library));
            assert!(whole, "{library} is on one line: {lines:#?}");
        }
        for family in FAMILIES.iter() {
            let column = catalogue::column(family);
            let shown = lines.iter().any(|line| line.contains(column));
            assert!(shown, "{column}: {lines:#?}");
        }
    }
    let paper = lines(&tables[1]);
    let number = |line: &&String| line.contains("123.45");
    assert!(paper.iter().filter(number).count() > 1, "{paper:#?}");
}

#[test]
fn a_slower_build_is_named_below_the_ranks() {
    let summary = summary();
    let mut tables = families(&summary, Format::Table);
    tables.push(paper::overall(&summary));
    tables.push(side_by_side(&summary));
    tables.push(numbers(&summary));
    for table in &tables {
        let remark = "slower here than their own code can be: Bouncy Castle 17.0.15, built \
                      without assembly";
        assert!(table.footnote.ends_with(remark), "{}", table.footnote);
    }
}

#[test]
fn families_have_intervals() {
    let tables = families(&summary(), Format::Table);
    let lines = lines(&tables[0]);
    let has = |wanted: &[&str]| {
        let line = lines
            .iter()
            .find(|line| wanted.iter().all(|word| line.contains(word)));
        assert!(line.is_some(), "{wanted:?}: {lines:#?}");
    };
    has(&["library", "ratio", "95 %"]);
    has(&["all", "Touchstone 17.0.15", "11.1", "9.99–12.2", "107"]);
    has(&["Bouncy Castle", "(33.3)", "30.0–36.6"]);
}
