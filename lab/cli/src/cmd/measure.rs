//! `touchstone measure`: verifies and measures the libraries, and shows the cells.

use clap::Args;

use super::{End, Global, Measuring};
use crate::summary::{Cell, Summary};
use crate::table::{self, Table};

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  touchstone measure --algorithm AES-256-GCM --sizes 1350 --contracts keyed
  touchstone measure --library openssl --library openssl=/opt/new/libcrypto.so
  touchstone measure --algorithm '^sha' --profile thorough")]
pub(super) struct Options {
    #[command(flatten)]
    measuring: Measuring,
}

pub(super) fn run(global: &Global, options: &Options) -> anyhow::Result<End> {
    let (_, summary, end) = super::run::measure(global, &options.measuring)?;
    if let Some(summary) = &summary {
        table::print(&cells(summary, global.format), global.format)?;
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
            let title = format!(
                "{} {}, {}",
                first.primitive, first.operation, first.contract
            );
            rows(title, summary, group, false)
        })
        .collect();
    if let Some(last) = tables.last_mut() {
        last.footnote = FOOTNOTE.into();
    }
    tables
}

const FOOTNOTE: &str = "ns: per call, or per message where one call does several; lower is better; \
                        = ties with the best; 1 GB = 10^9 bytes";

fn rows(title: String, summary: &Summary, cells: &[&Cell], named: bool) -> Table {
    let names: &[&str] = if named {
        &["algorithm", "contract"]
    } else {
        &[]
    };
    let several = named || cells.iter().any(|cell| cell.messages > 1);
    let messages: &[&str] = if several { &[">messages"] } else { &[] };
    let columns = [
        names,
        messages,
        &[
            ">bytes", ">threads", "library", ">ns", ">±%", ">× best", ">GB/s", "remarks",
        ],
    ];
    let mut table = Table::new(title, &columns.concat());
    let mut cells = cells.to_vec();
    let place = |c: &Cell| (c.primitive.clone(), c.operation.clone(), c.contract.clone());
    cells.sort_by(|a, b| {
        (place(a), a.threads, a.bytes, a.messages)
            .cmp(&(place(b), b.threads, b.bytes, b.messages))
            .then(a.ns.mid.total_cmp(&b.ns.mid))
    });
    for c in cells {
        let mut row = Vec::new();
        if named {
            row.push(format!("{} {}", c.primitive, c.operation));
            row.push(c.contract.clone());
        }
        if several {
            row.push(c.messages.to_string());
        }
        row.extend([
            c.bytes.to_string(),
            c.threads.to_string(),
            super::rank::name(summary, &c.library),
            significant(c.ns.mid),
            // With too few rounds there is no confidence interval.
            c.ns.ends().map_or("–".into(), |_| {
                format!("{:.1}", c.ns.relative_half_width() * 100.0)
            }),
            format!("{}{:.2}", if c.tie { "= " } else { "" }, c.ratio.mid),
            if c.bytes > 0 {
                format!("{:.3}", c.bytes as f64 / c.ns.mid)
            } else {
                "–".into()
            },
            c.flags.join("; "),
        ]);
        table.row(row);
    }
    table.footnote = FOOTNOTE.into();
    table
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
