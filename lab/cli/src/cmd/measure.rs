//! `touchstone measure`: verifies and measures the libraries, and shows the cells.

use clap::Args;

use super::{End, Global, Measuring};
use crate::catalogue;
use crate::summary::{Cell, Summary};
use crate::table::{self, Entry, Table};

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  touchstone measure --algorithm AES-256-GCM --sizes 1350 --contracts keyed
  touchstone measure --library openssl --library openssl=/opt/new/libcrypto.so
  touchstone measure --algorithm '^sha' --profile thorough
  touchstone measure --algorithm crypt-bcrypt --cost iterations=12")]
pub(super) struct Options {
    #[command(flatten)]
    measuring: Measuring,
}

pub(super) fn run(global: &Global, options: &Options) -> anyhow::Result<End> {
    let (_, summary, end) = super::run::measure(global, &options.measuring)?;
    if let Some(summary) = &summary {
        let mut tables = cells(summary, global.format);
        tables.extend(super::verify::unasked_of(summary));
        global.print(&tables)?;
    }
    Ok(end)
}

/// For people, one table for each algorithm and contract; for programs, one table of all
/// cells. What all tables share stands below the last one.
fn cells(summary: &Summary, format: table::Format) -> Vec<Table> {
    let all: Vec<&Cell> = summary.cells.iter().collect();
    let mut tables: Vec<Table> = if format == table::Format::Table {
        all.chunk_by(|a, b| {
            (&a.primitive, &a.operation, &a.contract) == (&b.primitive, &b.operation, &b.contract)
        })
        .map(|group| {
            let first = group[0];
            let mut title = format!(
                "{} {}, {}",
                first.primitive, first.operation, first.contract
            );
            if let Some(cost) = catalogue::cost(&first.primitive, &summary.run.costs) {
                title += &format!(", {cost}");
            }
            rows(title, summary, group, false)
        })
        .collect()
    } else {
        vec![rows("Cells".to_owned(), summary, &all, true)]
    };
    if let Some(last) = tables.last_mut() {
        last.footnote = FOOTNOTE.into();
        last.remark(&summary.handicaps(all.iter().map(|cell| cell.library.as_str())));
    }
    tables
}

const FOOTNOTE: &str = "ns: per call, or per message where one call does several; lower is better; \
                        × best: the median of the rounds' ratios, more exact than the ratio of two \
                        medians of ns; = ties with the best; 1 GB = 10^9 bytes";

fn rows(title: String, summary: &Summary, cells: &[&Cell], named: bool) -> Table {
    let names: &[&str] = if named {
        &["algorithm", "contract"]
    } else {
        &[]
    };
    let several = named || cells.iter().any(|cell| cell.messages > 1);
    let messages: &[&str] = if several { &[">messages"] } else { &[] };
    let ends: &[&str] = if named { &[">from", ">to"] } else { &[] };
    let tie: &[&str] = if named { &["tie"] } else { &[] };
    let columns = [
        names,
        messages,
        &[">bytes", ">threads", "library", ">ns"],
        ends,
        &[">±%", ">× best"],
        tie,
        &[">GB/s", "remarks"],
    ];
    let mut table = Table::new("cells", title, &columns.concat());
    let mut cells = cells.to_vec();
    let place = |c: &Cell| (c.primitive.clone(), c.operation.clone(), c.contract.clone());
    cells.sort_by(|a, b| {
        (place(a), a.threads, a.bytes, a.messages)
            .cmp(&(place(b), b.threads, b.bytes, b.messages))
            .then(a.ratio.mid.total_cmp(&b.ratio.mid))
    });
    for c in cells {
        let mut row = Vec::new();
        if named {
            row.push(format!("{} {}", c.primitive, c.operation).into());
            row.push(c.contract.clone().into());
        }
        if several {
            row.push(c.messages.to_string().into());
        }
        row.extend([
            c.bytes.to_string().into(),
            c.threads.to_string().into(),
            super::rank::name(summary, &c.library).into(),
            ns(c.ns.mid),
        ]);
        if named {
            // With too few rounds there is no confidence interval.
            let ends = c.ns.ends().map(|ends| ends.map(ns));
            row.extend(ends.unwrap_or_else(|| [Entry::none(), Entry::none()]));
        }
        let half = c.ns.ends().map(|_| c.ns.relative_half_width() * 100.0);
        let tie = if c.tie { "= " } else { "" };
        row.extend([
            half.map_or_else(Entry::none, |half| {
                Entry::number(half, format!("{half:.1}"))
            }),
            Entry::number(c.ratio.mid, format!("{tie}{:.2}", c.ratio.mid)),
        ]);
        if named {
            row.push(if c.tie { "yes" } else { "no" }.into());
        }
        row.extend([
            if c.bytes > 0 && !catalogue::is_per_call(&c.operation) {
                let speed = c.bytes as f64 / c.ns.mid;
                Entry::number(speed, format!("{speed:.3}"))
            } else {
                Entry::none()
            },
            c.flags.join("; ").into(),
        ]);
        table.row(row);
    }
    table
}

/// Returns a time in nanoseconds.
pub(super) fn ns(value: f64) -> Entry {
    Entry::number(value, significant(value))
}

/// Formats a number with four significant digits and no exponent.
pub(super) fn significant(value: f64) -> String {
    match value {
        v if v >= 1000.0 => format!("{v:.0}"),
        v if v >= 100.0 => format!("{v:.1}"),
        v if v >= 10.0 => format!("{v:.2}"),
        v => format!("{v:.3}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::Format;

    /// Returns a run's summary with the times of RC4 and SHA-256 in two libraries. Nettle is built
    /// without its assembly; so is wolfSSL, which has no times.
    fn summary() -> Summary {
        let library = |name: &str, handicap: &str| {
            serde_json::json!({
                "id": name.to_lowercase(), "name": name, "version": "3.1", "path": "",
                "licence": "", "language": "", "features": "", "note": "", "absent": "",
                "offers": 1, "handicap": handicap
            })
        };
        let cell = |primitive: &str, operation: &str, library: &str, ns: f64| {
            let interval = serde_json::json!({"low": ns * 0.9, "mid": ns, "high": ns * 1.1});
            serde_json::json!({
                "library": library, "primitive": primitive, "operation": operation,
                "family": "", "contract": "hot", "bytes": 64, "threads": 1, "ns": interval,
                "spread": [ns, ns, ns], "ratio": interval, "tie": false, "rounds": 31,
                "calls": 1, "stop": "narrow", "first_ns": [0, 0, 0], "mhz": null, "flags": [],
                "api": "", "kernel": "", "note": "", "samples": []
            })
        };
        let slow = "built without its assembly";
        serde_json::from_value(serde_json::json!({
            "run": {
                "id": 1, "started": "", "seconds": 0.0, "profile": "quick", "command": "",
                "complete": true, "lab_version": "", "null_ns": 0.0, "target": 0.05
            },
            "machine": {"line": "a machine", "facts": [], "mhz": null},
            "libraries": [library("OpenSSL", ""), library("Nettle", slow), library("wolfSSL", slow)],
            "verification": [], "failures": [], "costs": [],
            "cells": [
                cell("rc4", "stream-encrypt", "openssl", 100.0),
                cell("rc4", "stream-encrypt", "nettle", 200.0),
                cell("sha-256", "hash", "openssl", 100.0)
            ],
            "ranking": {"algorithms": [], "overall": [], "families": []}
        }))
        .unwrap()
    }

    #[test]
    fn a_slower_build_is_named_below_the_last_table() {
        let remark =
            "slower here than their own code can be: Nettle 3.1, built without its assembly";
        let tables = cells(&summary(), Format::Table);
        assert_eq!(tables.len(), 2);
        assert_eq!(tables[0].footnote, "");
        assert_eq!(tables[1].footnote, format!("{FOOTNOTE}.\n{remark}"));
        for format in [Format::Json, Format::Md] {
            let tables = cells(&summary(), format);
            assert_eq!(tables.len(), 1);
            assert!(
                tables[0].footnote.ends_with(remark),
                "{}",
                tables[0].footnote
            );
        }
    }

    #[test]
    fn without_a_slower_build_there_is_no_remark() {
        let mut summary = summary();
        summary.cells.retain(|cell| cell.library != "nettle");
        let tables = cells(&summary, Format::Table);
        assert_eq!(tables[1].footnote, FOOTNOTE);
        summary.cells.clear();
        assert!(cells(&summary, Format::Table).is_empty());
    }
}
