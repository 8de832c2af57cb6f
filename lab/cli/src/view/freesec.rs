//! FreeSec's benchmark: crypt with alternating keys and with a constant key, and
//! `des_cipher` with counts of 1 and 25, in operations per second, with one column for
//! each libcrypt; then the same as multiples of FreeSec 1.0 on the faster machine of 1994.

use std::collections::BTreeMap;

use super::exhibit::{Exhibit, Figure};
use super::grid::Line;
use super::lens::Lens;
use super::published::Published;
use crate::stats::{self, Interval};
use crate::summary::Cell;

/// FreeSec reports the average over this number of runs.
const RUNS: usize = 10;

/// The sheet and the column by which the second table divides: FreeSec's own figures on the
/// faster of its two machines.
const BASE: (&str, &str) = ("R4400", "FreeSec 1.0");

/// Rows: the row's name, primitive, operation, contract, number of blocks in one call.
const ROWS: [(&str, &str, &str, &str, f64); 4] = [
    (
        "crypt, alternate keys",
        "crypt-des",
        "crypt",
        "rekeyed",
        1.0,
    ),
    ("crypt, constant key", "crypt-des", "crypt", "hot", 1.0),
    ("des_cipher, count 1", "des", "des-cipher-1", "hot", 1.0),
    ("des_cipher, count 25", "des", "des-cipher-25", "hot", 25.0),
];

pub(super) fn make(lens: &Lens<'_>) -> anyhow::Result<Vec<Exhibit>> {
    let work = Published::open("freesec")?;
    let machines = [("386DX-40", "386"), ("R4400", "R4400")];
    let mut heads = vec!["per second".to_owned()];
    let mut sheets = Vec::new();
    for (name, short) in machines {
        let sheet = work.sheet(name)?;
        heads.extend(
            sheet
                .columns
                .iter()
                .map(|column| format!("{short} {column}")),
        );
        sheets.push(sheet);
    }
    let lines: Vec<Line> = ROWS
        .into_iter()
        .map(|(name, primitive, operation, contract, blocks)| {
            let today = lens
                .cells(primitive, operation, contract, 8)
                .into_iter()
                .map(|(index, cell)| {
                    let (mean, deviation) = per_second(cell, blocks);
                    let value = Interval {
                        low: mean - deviation,
                        mid: mean,
                        high: mean + deviation,
                    };
                    let mut figure = Figure::measured(value, index, !cell.flags.is_empty());
                    figure.text += &format!(" ±{:.1} %", deviation / mean * 100.0);
                    (cell.library.clone(), figure)
                })
                .collect();
            let published = sheets.iter().flat_map(|sheet| {
                let values = sheet.row(name).unwrap_or_default();
                values.iter().cloned()
            });
            Line::new(name, primitive, today).beside(published)
        })
        .collect();
    let base = work.sheet(BASE.0)?;
    let since = lines
        .iter()
        .map(|line| Line {
            published: Vec::new(),
            today: multiples(line, base.number(&line.label, BASE.1)),
            ..line.clone()
        })
        .collect();
    let heads: Vec<&str> = heads.iter().map(String::as_str).collect();
    Ok(vec![
        Exhibit::grid(
            "FreeSec's rows, per second, higher is better",
            lens,
            &heads,
            lines,
        )
        .note(format!(
            "{}, {}. Today: mean of 10 runs and their standard deviation, a run being a tenth \
                 of the rounds; a count of 25 counts as 25 blocks",
            work.source, work.machine
        )),
        Exhibit::grid(
            "Times FreeSec 1.0 on the R4400 of 1994, higher is better",
            lens,
            &["multiple"],
            since,
        ),
    ])
}

/// Returns the row's figures of today, divided by the published figure.
fn multiples(line: &Line, published: Option<f64>) -> BTreeMap<String, Figure> {
    let multiple = |(library, figure): (&String, &Figure)| {
        let (value, by) = (figure.value?, published?);
        let ratio = Interval {
            low: value.low / by,
            mid: value.mid / by,
            high: value.high / by,
        };
        let mut multiple = Figure::measured(ratio, figure.cell?, figure.flagged);
        multiple.text += "×";
        Some((library.clone(), multiple))
    };
    line.today.iter().filter_map(multiple).collect()
}

/// Returns calls (or blocks) per second: mean and standard deviation over ten parts of the
/// rounds. The rounds are divided in order, and each part gives its median.
fn per_second(cell: &Cell, blocks: f64) -> (f64, f64) {
    let share = cell.samples.len().div_ceil(RUNS).max(1);
    let runs: Vec<f64> = cell
        .samples
        .chunks(share)
        .map(|rounds| blocks * 1e9 / stats::median(rounds))
        .collect();
    let mean = runs.iter().sum::<f64>() / runs.len() as f64;
    let squares: f64 = runs.iter().map(|run| (run - mean).powi(2)).sum();
    let deviation = (squares / (runs.len() - 1).max(1) as f64).sqrt();
    (mean, deviation)
}
