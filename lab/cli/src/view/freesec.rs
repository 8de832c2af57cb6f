//! FreeSec's benchmark: crypt with alternate keys and with a constant key,
//! `des_cipher` with counts of 1 and 25, per second; a column a libcrypt.

use serde::Deserialize;

use crate::stats;
use crate::summary::{Cell, Summary};
use crate::table::Table;

/// FreeSec reports the average over so many runs.
const RUNS: usize = 10;

#[derive(Deserialize)]
struct Published {
    source: String,
    machine: Vec<Machine>,
}

#[derive(Deserialize)]
struct Machine {
    name: String,
    columns: Vec<String>,
    rows: [Vec<f64>; 4],
}

/// The row's name, primitive, operation, contract, and blocks in one call.
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

pub(super) fn make(summary: &Summary) -> anyhow::Result<Vec<Table>> {
    let published: Published = toml::from_str(include_str!("../../data/published/freesec.toml"))?;
    let mut today = Table {
        title: "FreeSec's rows today, per second, higher is better".into(),
        columns: ["", ">per second", ">± %", "library"]
            .map(str::to_owned)
            .to_vec(),
        ..Table::default()
    };
    for (name, primitive, operation, contract, blocks) in ROWS {
        let mut rows: Vec<(f64, f64, String)> = summary
            .cells
            .iter()
            .filter(|cell| {
                (
                    cell.primitive.as_str(),
                    cell.operation.as_str(),
                    cell.contract.as_str(),
                ) == (primitive, operation, contract)
                    && cell.bytes == 8
                    && cell.flags.is_empty()
            })
            .map(|cell| {
                let (mean, deviation) = per_second(cell, blocks);
                (mean, deviation, cell.library.clone())
            })
            .collect();
        rows.sort_by(|a, b| b.0.total_cmp(&a.0));
        let mut first = name.to_owned();
        for (mean, deviation, library) in rows {
            today.row([
                std::mem::take(&mut first),
                format!("{mean:.0}"),
                format!("{:.1}", deviation / mean * 100.0),
                library,
            ]);
        }
    }
    today.footnote = "mean of 10 runs and their standard deviation; a run is a tenth of the rounds; a count of 25 counts as 25 blocks".into();
    let mut tables = vec![today];
    for machine in published.machine {
        let columns: Vec<String> = machine.columns.iter().map(|c| format!(">{c}")).collect();
        let mut table = Table {
            title: format!("{}, {}: per second", published.source, machine.name),
            columns: [vec![String::new()], columns].concat(),
            ..Table::default()
        };
        for ((name, ..), figures) in ROWS.iter().zip(&machine.rows) {
            let figures = figures.iter().map(|figure| format!("{figure:.0}"));
            table.row([(*name).to_owned()].into_iter().chain(figures));
        }
        tables.push(table);
    }
    Ok(tables)
}

/// Calls (or blocks) per second: mean and standard deviation over ten runs,
/// each the median of its share of the rounds, in their order.
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
