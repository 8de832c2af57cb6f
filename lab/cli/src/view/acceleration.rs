//! How much time acceleration saves: CPU instructions (masked variants beside their library), and
//! many messages in one call. Also shows how much time a library takes to look up an algorithm in
//! each call, and the time of messages that depend on each other or are processed in place.

use std::collections::{BTreeMap, BTreeSet};

use super::exhibit::{Column, Exhibit, Figure, Row, digits};
use super::lens::Lens;
use crate::adapters::{self, MASKED};
use crate::stats::Interval;
use crate::summary::Cell;

/// A cell and its index in the summary.
type Placed<'a> = (usize, &'a Cell);

/// An algorithm at one size: primitive, operation, bytes.
type Algorithm<'a> = (&'a str, &'a str, u64);

pub(super) fn make(lens: &Lens<'_>) -> anyhow::Result<Vec<Exhibit>> {
    let all = [instructions(lens), look_up(lens), many(lens), chains(lens)];
    let mut shown: Vec<Exhibit> = all.into_iter().filter(|e| !e.rows.is_empty()).collect();
    if shown.is_empty() {
        // This names an algorithm that every profile measures with masks.
        lens.lacks("aes-256", "ctr-encrypt", 16384);
        shown.push(
            Exhibit::list("Acceleration", &["nothing was measured"]).note(
                "this run has no cells behind masks or of contracts beyond the \
             five: touchstone measure --library openssl --library openssl~portable",
            ),
        );
    }
    Ok(shown)
}

/// Returns the cells of one contract on one thread, by algorithm, number of messages and library.
fn cells<'a>(
    lens: &Lens<'a>,
    contract: &str,
) -> BTreeMap<Algorithm<'a>, BTreeMap<(u32, &'a str), Placed<'a>>> {
    let mut found: BTreeMap<_, BTreeMap<_, _>> = BTreeMap::new();
    for (index, cell) in lens.summary.cells.iter().enumerate() {
        if cell.contract == contract && cell.threads == 1 {
            found
                .entry((cell.primitive.as_str(), cell.operation.as_str(), cell.bytes))
                .or_default()
                .insert((cell.messages, cell.library.as_str()), (index, cell));
        }
    }
    found
}

fn name((primitive, operation, bytes): Algorithm<'_>) -> String {
    format!("{primitive} {operation}, {bytes} B")
}

/// Returns the throughput in gigabytes per second.
fn throughput((index, cell): Placed<'_>) -> Figure {
    let speed = |ns: f64| cell.bytes as f64 / ns;
    let value = Interval {
        low: speed(cell.ns.high),
        mid: speed(cell.ns.mid),
        high: speed(cell.ns.low),
    };
    Figure::measured(value, index, !cell.flags.is_empty())
}

fn time((index, cell): Placed<'_>) -> Figure {
    Figure::measured(cell.ns, index, !cell.flags.is_empty())
}

/// Returns how many times as long the first cell takes as the second.
fn factor(long: Placed<'_>, short: Placed<'_>) -> Figure {
    let value = Interval {
        low: long.1.ns.low / short.1.ns.high,
        mid: long.1.ns.mid / short.1.ns.mid,
        high: long.1.ns.high / short.1.ns.low,
    };
    Figure {
        text: format!("{}×", digits(value.mid)),
        value: Some(value),
        ..Figure::default()
    }
}

fn row(primitive: &str, library: &str, figures: Vec<Figure>) -> Row {
    Row {
        primitive: primitive.to_owned(),
        library: library.to_owned(),
        figures,
        ..Row::default()
    }
}

fn heads(exhibit: &mut Exhibit, heads: impl IntoIterator<Item = String>) {
    exhibit
        .columns
        .extend(heads.into_iter().map(|heading| Column {
            heading,
            number: true,
            ..Column::default()
        }));
}

/// Returns a table with one row for each algorithm and library, and two columns for each mask.
fn instructions(lens: &Lens<'_>) -> Exhibit {
    let hot = cells(lens, "hot");
    let masks: BTreeSet<&str> = hot
        .values()
        .flat_map(BTreeMap::keys)
        .filter_map(|(_, id)| id.split_once(MASKED).map(|(_, mask)| mask))
        .collect();
    let mut exhibit = Exhibit::list(
        "CPU instructions on and off, GB/s, higher is better",
        &["algorithm", "library", ">all"],
    );
    for mask in &masks {
        heads(&mut exhibit, [(*mask).to_owned(), format!("all/{mask}")]);
    }
    for (algorithm, libraries) in &hot {
        for (&(messages, id), &plain) in libraries {
            let masked = |mask: &str| {
                let variant = format!("{id}{MASKED}{mask}");
                libraries.get(&(messages, variant.as_str())).copied()
            };
            if adapters::is_variant(id) || !masks.iter().any(|mask| masked(mask).is_some()) {
                continue;
            }
            let mut figures = vec![
                Figure::text(name(*algorithm)),
                Figure::text(lens.name(id)),
                throughput(plain),
            ];
            for mask in &masks {
                match masked(mask) {
                    Some(variant) => {
                        figures.extend([throughput(variant), factor(variant, plain)]);
                    }
                    None => figures.extend([Figure::none(), Figure::none()]),
                }
            }
            exhibit.rows.push(row(algorithm.0, id, figures));
        }
    }
    exhibit.note(
        "no-avx512: AVX2, AES-NI, PCLMULQDQ and SHA-NI are left; portable: what the library \
         turns off when told to leave all of them alone; –: it has no such switch. \
         1 GB = 10^9 bytes",
    )
}

/// Returns a table with one row for each algorithm that a library looks up by name in each call.
fn look_up(lens: &Lens<'_>) -> Exhibit {
    let [hot, keyed] = ["hot", "keyed"].map(|contract| cells(lens, contract));
    let mut exhibit = Exhibit::list(
        "What looking the algorithm up in each call costs, ns a call, lower is better",
        &[
            "algorithm",
            "library",
            ">hot",
            ">keyed",
            ">implicit",
            ">look-up",
            ">/keyed",
            ">/hot",
        ],
    );
    for (algorithm, libraries) in cells(lens, "implicit") {
        for (key, &implicit) in &libraries {
            if adapters::is_variant(key.1) {
                continue;
            }
            let [hot, keyed] = [&hot, &keyed].map(|cells| {
                cells
                    .get(&algorithm)
                    .and_then(|found| found.get(key))
                    .copied()
            });
            let or_none = |cell: Option<_>, figure: &dyn Fn(Placed<'_>) -> Figure| {
                cell.map_or_else(Figure::none, figure)
            };
            let difference = |keyed: Placed<'_>| {
                let more = implicit.1.ns.mid - keyed.1.ns.mid;
                Figure::computed(more, digits(more))
            };
            exhibit.rows.push(row(
                algorithm.0,
                key.1,
                vec![
                    Figure::text(name(algorithm)),
                    Figure::text(lens.name(key.1)),
                    or_none(hot, &time),
                    or_none(keyed, &time),
                    time(implicit),
                    or_none(keyed, &difference),
                    or_none(keyed, &|keyed| factor(implicit, keyed)),
                    or_none(hot, &|hot| factor(implicit, hot)),
                ],
            ));
        }
    }
    exhibit.note(
        "hot: object and key are there; keyed: object and key are made for each message; \
         implicit: and the library finds the algorithm each time; look-up: implicit less keyed",
    )
}

/// Returns a table with one row for each algorithm and library that the run also measured with the
/// contract `latency` or `in-place`.
fn chains(lens: &Lens<'_>) -> Exhibit {
    let [hot, latency, in_place] =
        ["hot", "latency", "in-place"].map(|contract| cells(lens, contract));
    let mut exhibit = Exhibit::list(
        "Independent messages, dependent messages and messages in place, ns per message, lower is better",
        &[
            "algorithm",
            "library",
            ">hot",
            ">latency",
            ">/hot",
            ">in place",
            ">/hot",
        ],
    );
    let algorithms: BTreeSet<Algorithm<'_>> =
        latency.keys().chain(in_place.keys()).copied().collect();
    for algorithm in algorithms {
        let of = |cells: &BTreeMap<Algorithm<'_>, BTreeMap<(u32, &str), _>>, key| {
            cells
                .get(&algorithm)
                .and_then(|found| found.get(key))
                .copied()
        };
        let chained = [&latency, &in_place].into_iter();
        let keys: BTreeSet<_> = chained
            .filter_map(|cells| cells.get(&algorithm))
            .flat_map(|libraries| libraries.keys().copied())
            .collect();
        for key in keys.iter().filter(|(_, id)| !adapters::is_variant(id)) {
            let hot = of(&hot, key);
            let or_none = |cell: Option<_>| cell.map_or_else(Figure::none, time);
            let to_hot = |cell: Option<_>| match (cell, hot) {
                (Some(cell), Some(hot)) => factor(cell, hot),
                _ => Figure::none(),
            };
            let [latency, in_place] = [&latency, &in_place].map(|cells| of(cells, key));
            exhibit.rows.push(row(
                algorithm.0,
                key.1,
                vec![
                    Figure::text(name(algorithm)),
                    Figure::text(lens.name(key.1)),
                    or_none(hot),
                    or_none(latency),
                    to_hot(latency),
                    or_none(in_place),
                    to_hot(in_place),
                ],
            ));
        }
    }
    exhibit.note(
        "hot: a core may begin the next message before this one has ended; latency: each \
         message is the output before it; in place: the output is written over the message; \
         –: not measured, or the library copies",
    )
}

/// Returns a table with one row for each algorithm of which a library processes many messages in
/// one call.
fn many(lens: &Lens<'_>) -> Exhibit {
    let hot = cells(lens, "hot");
    let mut exhibit = Exhibit::list(
        "Many messages in one call, ns a message, lower is better",
        &[
            "algorithm",
            "library",
            ">messages",
            ">one",
            ">many",
            ">one/many",
            ">best one",
            "of",
        ],
    );
    for contract in ["many", "many-keyed"] {
        for (algorithm, libraries) in cells(lens, contract) {
            let ones = hot.get(&algorithm);
            let one = |id: &str| ones.and_then(|found| found.get(&(1, id))).copied();
            let best = ones.and_then(|found| {
                found
                    .iter()
                    .filter(|((_, id), _)| !adapters::is_variant(id))
                    .map(|((_, id), &cell)| (*id, cell))
                    .min_by(|a, b| a.1.1.ns.mid.total_cmp(&b.1.1.ns.mid))
            });
            for (&(messages, id), &cell) in &libraries {
                let keyed = if contract == "many" {
                    ""
                } else {
                    ", a key each"
                };
                let one = one(id);
                exhibit.rows.push(row(
                    algorithm.0,
                    id,
                    vec![
                        Figure::text(format!("{}{keyed}", name(algorithm))),
                        Figure::text(lens.name(id)),
                        Figure::text(messages.to_string()),
                        one.map_or_else(Figure::none, time),
                        time(cell),
                        one.map_or_else(Figure::none, |one| factor(one, cell)),
                        best.map_or_else(Figure::none, |(_, best)| time(best)),
                        best.map_or_else(Figure::none, |(id, _)| Figure::text(lens.name(id))),
                    ],
                ));
            }
        }
    }
    exhibit.note(
        "one: the library's own time for one message at a time under its key; best one: that \
         of the library that is fastest so; a key each: key set-up is in the call (crypt(3): a \
         salt each)",
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::summary::Summary;

    /// Returns a run without any results.
    fn empty() -> Summary {
        serde_json::from_value(serde_json::json!({
            "run": {
                "id": 1, "started": "", "seconds": 0.0, "profile": "", "command": "",
                "complete": true, "lab_version": "", "null_ns": 0.0, "target": 0.1
            },
            "machine": { "line": "", "facts": [], "mhz": null },
            "libraries": [], "verification": [], "failures": [], "cells": [], "costs": [],
            "ranking": { "algorithms": [], "overall": [], "families": [] }
        }))
        .unwrap()
    }

    fn cell(summary: &mut Summary, library: &str, contract: &str, messages: u32, ns: f64) {
        summary.cells.push(Cell {
            library: library.into(),
            primitive: "aes-128".into(),
            operation: "cbc-encrypt".into(),
            family: "block".into(),
            contract: contract.into(),
            bytes: 1000,
            threads: 1,
            messages,
            ns: Interval::exact(ns),
            spread: [ns; 3],
            ratio: Interval::exact(1.0),
            tie: false,
            counts: true,
            rounds: 1,
            calls: 1,
            stop: "narrow".into(),
            first_ns: [0; 3],
            mhz: None,
            flags: Vec::new(),
            api: String::new(),
            kernel: String::new(),
            note: String::new(),
            samples: vec![ns],
            processes: Vec::new(),
        });
    }

    fn texts(exhibit: &Exhibit) -> Vec<Vec<&str>> {
        let rows = exhibit.rows.iter();
        rows.map(|row| row.figures.iter().map(|f| f.text.as_str()).collect())
            .collect()
    }

    #[test]
    fn each_table_sets_side_by_side_what_it_says() {
        let mut summary = empty();
        for (library, contract, messages, ns) in [
            ("x", "hot", 1, 500.0),
            ("x~portable", "hot", 1, 5000.0),
            ("x@2", "hot", 1, 250.0),
            ("x", "keyed", 1, 600.0),
            ("x", "implicit", 1, 1000.0),
            ("x", "many", 64, 100.0),
            ("x", "latency", 1, 750.0),
            ("x@2", "in-place", 1, 500.0),
        ] {
            cell(&mut summary, library, contract, messages, ns);
        }
        let lens = Lens::new(&summary);
        let shown = make(&lens).unwrap();
        let algorithm = "aes-128 cbc-encrypt, 1000 B";
        assert_eq!(
            texts(&shown[0]),
            [[algorithm, "x", "2.00", "0.200", "10.0×"]]
        );
        assert_eq!(
            texts(&shown[1]),
            [[
                algorithm, "x", "500", "600", "1000", "400", "1.67×", "2.00×"
            ]]
        );
        assert_eq!(
            texts(&shown[2]),
            [[algorithm, "x", "64", "500", "100", "5.00×", "250", "x@2"]]
        );
        assert_eq!(
            texts(&shown[3]),
            [
                [algorithm, "x", "500", "750", "1.50×", "–", "–"],
                [algorithm, "x@2", "250", "–", "–", "500", "2.00×"],
            ]
        );
    }

    #[test]
    fn a_run_without_any_of_it_says_how_to_get_it() {
        let summary = empty();
        let shown = make(&Lens::new(&summary)).unwrap();
        assert_eq!(shown.len(), 1);
        assert!(shown[0].note.contains("--library"), "{}", shown[0].note);
    }
}
