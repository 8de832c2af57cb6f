//! `touchstone measure`: verify and measure, and show the cells.

use clap::Args;

use super::{End, Global, Measuring};
use crate::summary::Summary;
use crate::table::{self, Table};

#[derive(Debug, Args)]
pub(super) struct Options {
    #[command(flatten)]
    measuring: Measuring,
}

pub(super) fn run(global: &Global, options: &Options) -> anyhow::Result<End> {
    let (_, summary, end) = super::run::measure(global, &options.measuring)?;
    if let Some(summary) = &summary {
        table::print(&[cells(summary)], global.format);
    }
    Ok(end)
}

fn cells(summary: &Summary) -> Table {
    let mut table = Table::new(
        "Cells, nanoseconds per call, lower is better",
        &[
            "algorithm",
            ">bytes",
            "contract",
            "library",
            ">ns",
            ">±%",
            ">× best",
            ">GB/s",
            "remarks",
        ],
    );
    for c in &summary.cells {
        let mut remarks = c.flags.clone();
        if c.threads > 1 {
            remarks.push(format!("{} threads", c.threads));
        }
        table.row([
            format!("{} {}", c.primitive, c.operation),
            c.bytes.to_string(),
            c.contract.clone(),
            super::rank::name(summary, &c.library),
            significant(c.ns.mid),
            format!("{:.1}", c.ns.relative_half_width() * 100.0),
            format!("{}{:.2}", if c.tie { "= " } else { "" }, c.ratio.mid),
            if c.bytes > 0 {
                format!("{:.3}", c.bytes as f64 / c.ns.mid)
            } else {
                "–".into()
            },
            remarks.join("; "),
        ]);
    }
    table.footnote = "= ties with the best; 1 GB = 10^9 bytes".into();
    table
}

/// Four significant digits without an exponent.
fn significant(value: f64) -> String {
    match value {
        v if v >= 1000.0 => format!("{v:.0}"),
        v if v >= 100.0 => format!("{v:.1}"),
        v if v >= 10.0 => format!("{v:.2}"),
        v => format!("{v:.3}"),
    }
}
