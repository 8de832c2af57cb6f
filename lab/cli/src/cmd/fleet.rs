//! `touchstone fleet`: compares libraries and machines across the newest run of each machine.

use std::path::{Path, PathBuf};

use clap::Args;
use clap_complete::engine::ArgValueCandidates;

use super::{End, Global};
use crate::fleet::winners::{Winners, features, orders, winners};
use crate::fleet::{Fleet, page};
use crate::history;
use crate::output;
use crate::stats::rank::hosts::Fit;
use crate::table::{Entry, Format, Table};
use crate::wanted::Wanted;

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  touchstone fleet AES-256-GCM
  touchstone fleet -o fleet.html                all algorithms, with the heat map")]
pub(super) struct Options {
    /// The algorithm, in any spelling, or the algorithms that this regular expression matches
    /// [default: all]
    #[arg(value_name = "NAME|REGEX", add = ArgValueCandidates::new(super::completions::algorithms))]
    algorithm: Option<Wanted>,
    /// Write a page with the heat map of libraries by machines to this file, in place of the tables
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

pub(super) fn run(global: &Global, options: &Options) -> anyhow::Result<End> {
    let store = global.read_store()?;
    let known = history::algorithms(&store)?;
    let there = known.iter().map(|(p, o)| (p.as_str(), o.as_str()));
    let algorithms = super::algorithms(options.algorithm.as_ref(), there)?;
    let fleet = Fleet::read(&store, algorithms.as_ref())?;
    if fleet.hosts.is_empty() {
        global.say(&format!(
            "no run in {} has times of these algorithms; `touchstone runs --migrate` computes \
             those of older runs",
            store.name()
        ));
        return Ok(End::NothingToMeasure);
    }
    let title = options
        .algorithm
        .as_ref()
        .map_or("All algorithms", Wanted::text);
    if let Some(path) = &options.output {
        write(&fleet, title, path)?;
        output::path(path)?;
        return Ok(End::Good);
    }
    print(global, tables(&fleet))?;
    Ok(End::Good)
}

/// Prints the tables. For people, the table of orders says in few lines what that of cells says in
/// many.
pub(super) fn print(global: &Global, mut tables: Vec<Table>) -> anyhow::Result<()> {
    if global.table.is_none() && matches!(global.format, Format::Table | Format::Md) {
        tables.retain(|table| table.name != "winners");
    }
    global.print(&tables)
}

/// Writes the page about a fleet.
pub(super) fn write(fleet: &Fleet, title: &str, path: &Path) -> anyhow::Result<()> {
    let html = page::render(fleet, title)?;
    output::whole(path, |out| {
        Ok(std::io::Write::write_all(out, html.as_bytes())?)
    })
}

/// Returns the tables about a fleet: the machines, the heat map, outliers, and who wins where.
pub(super) fn tables(fleet: &Fleet) -> Vec<Table> {
    let fit = fleet.fit();
    let won = winners(fleet);
    vec![
        machines(fleet, &fit),
        map(fleet, &fit),
        suits(fleet, &fit),
        turned(fleet, &won),
        cells(fleet, &won),
    ]
}

fn times(ratio: f64) -> Entry {
    Entry::number(ratio, format!("{ratio:.3}"))
}

fn machines(fleet: &Fleet, fit: &Fit) -> Table {
    let mut table = Table::new(
        "machines",
        "Machines: time relative to the fleet, lower is better",
        &["machine", ">run", "CPU", ">time", ">to siblings", "remark"],
    );
    table.below = true;
    for (place, (host, kin)) in fleet.hosts.iter().zip(fleet.kin()).enumerate() {
        let time = fit.hosts.get(place).copied().flatten();
        table.row([
            host.name.clone().into(),
            host.run.to_string().into(),
            host.model.clone().into(),
            time.map_or_else(Entry::none, times),
            kin.as_ref()
                .map_or_else(Entry::none, |kin| times(kin.compared.ratio)),
            kin.and_then(|kin| page::astray(fleet, &kin))
                .unwrap_or_default()
                .into(),
        ]);
    }
    let [library, host, both] = fit.shares.map(|share| share * 100.0);
    table.footnote = format!(
        "log time = cell + library + host + library × cell + host × cell + library × host. Within \
         cells, libraries explain {library:.0} % of the differences, machines {host:.0} %, and which \
         library suits which machine {both:.0} %"
    );
    table
}

/// The heat map in numbers: a row for each library, a column for each machine.
fn map(fleet: &Fleet, fit: &Fit) -> Table {
    let hosts = fleet.hosts.iter().map(|host| format!(">{}", host.name));
    let columns: Vec<String> = std::iter::once("library".to_owned()).chain(hosts).collect();
    let columns: Vec<&str> = columns.iter().map(String::as_str).collect();
    let mut table = Table::new(
        "map",
        "Libraries by machines: time relative to all libraries of the machine, lower is better",
        &columns,
    );
    table.folds = true;
    for library in fit.by_speed() {
        let square = |host: usize| match fit.relative(library, host) {
            None => Entry::none(),
            Some((relative, suits)) => {
                let mark = if suits.matters { "* " } else { "" };
                Entry::number(relative, format!("{mark}{}", page::number(relative)))
            }
        };
        let squares = (0..fleet.hosts.len()).map(square);
        table.row(std::iter::once(fleet.libraries[library].clone().into()).chain(squares));
    }
    table.footnote = "* an outlier: the next table names it".into();
    table
}

fn suits(fleet: &Fleet, fit: &Fit) -> Table {
    let mut table = Table::new(
        "suits",
        "Outliers: libraries that suit a machine better or worse than the other machines",
        &["library", "machine", ">times as slow", ">cells"],
    );
    for (library, host, suits) in fit.outliers() {
        table.row([
            fleet.libraries[library].clone().into(),
            fleet.hosts[host].name.clone().into(),
            times(suits.ratio),
            suits.cells.to_string().into(),
        ]);
    }
    table.footnote = match (table.rows.is_empty(), fleet.hosts.len()) {
        (true, _) => "none beyond chance".into(),
        (false, 2) => "two machines cannot tell which of them is the odd one: each has half of a \
                       difference"
            .into(),
        _ => String::new(),
    };
    table
}

fn turned(fleet: &Fleet, won: &[Winners]) -> Table {
    let mut table = Table::new(
        "turns",
        "Who wins where, and which CPU features turn the order",
        &[
            "first",
            "on",
            "whose features are",
            "but",
            ">cells",
            "such as",
        ],
    );
    table.below = true;
    for order in orders(won) {
        table.row([
            order.most.clone(),
            format!("{} of {}", order.on, fleet.hosts.len()),
            features(&order.turns),
            elsewhere(&order.others),
            order.cells.len().to_string(),
            order.such_as(fleet),
        ]);
    }
    let turned = won.iter().filter(|winners| !winners.others.is_empty());
    let turned = turned.count();
    table.footnote = format!(
        "in {} of {} cells one library is first, or within 2 % of the first, on all machines{}",
        won.len() - turned,
        won.len(),
        if turned > 0 {
            "; `--table winners` has a line for each other cell"
        } else {
            ""
        }
    );
    table
}

/// The libraries that win on the other machines: "Nettle on node3, node4; Botan on node5".
fn elsewhere(others: &[(String, Vec<String>)]) -> String {
    let all = others.iter();
    let all = all.map(|(library, hosts)| format!("{library} on {}", hosts.join(", ")));
    all.collect::<Vec<_>>().join("; ")
}

fn cells(fleet: &Fleet, won: &[Winners]) -> Table {
    let mut table = Table::new(
        "winners",
        "Cells in which not all machines have the same first library",
        &[
            "cell",
            "on most machines",
            ">machines",
            "but",
            "features of most",
        ],
    );
    for winners in won.iter().filter(|winners| !winners.others.is_empty()) {
        table.row([
            fleet.cells[winners.cell].to_string(),
            winners.most.0.clone(),
            winners.most.1.len().to_string(),
            elsewhere(&winners.others),
            features(&winners.turns),
        ]);
    }
    table
}
