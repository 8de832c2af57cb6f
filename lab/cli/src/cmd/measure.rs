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
/// cells.
fn cells(summary: &Summary, format: table::Format) -> Vec<Table> {
    let all: Vec<&Cell> = summary.cells.iter().collect();
    if format != table::Format::Table {
        let mut table = rows("Cells".to_owned(), summary, &all, true);
        table.footnote = FOOTNOTE.into();
        return vec![table];
    }
    let mut tables: Vec<Table> = all
        .chunk_by(|a, b| {
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
        .collect();
    if let Some(last) = tables.last_mut() {
        last.footnote = FOOTNOTE.into();
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
    table.footnote = FOOTNOTE.into();
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
