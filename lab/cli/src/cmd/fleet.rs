//! `touchstone fleet`: compares libraries and machines across the newest run of each machine.

use std::path::{Path, PathBuf};

use clap::Args;
use clap_complete::engine::ArgValueCandidates;

use super::{End, Global};
use crate::fleet::winners::{features, winners};
use crate::fleet::{Fleet, page};
use crate::history;
use crate::output;
use crate::stats::rank::hosts::Fit;
use crate::table::{Entry, Table};
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
    global.print(&tables(&fleet))?;
    Ok(End::Good)
}

/// Writes the page about a fleet.
pub(super) fn write(fleet: &Fleet, title: &str, path: &Path) -> anyhow::Result<()> {
    let html = page::render(fleet, title)?;
    output::whole(path, |out| {
        Ok(std::io::Write::write_all(out, html.as_bytes())?)
    })
}

/// Returns the tables about a fleet: the machines, what suits them, and who wins where.
pub(super) fn tables(fleet: &Fleet) -> [Table; 3] {
    let fit = fleet.fit();
    [machines(fleet, &fit), suits(fleet, &fit), won(fleet)]
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
        "log time = cell + library + host + library × host. Within cells, libraries explain \
         {library:.0} % of the differences, machines {host:.0} %, and which library suits which \
         machine {both:.0} %"
    );
    table
}

fn suits(fleet: &Fleet, fit: &Fit) -> Table {
    let mut table = Table::new(
        "suits",
        "Libraries that suit a machine better or worse than the other machines",
        &["library", "machine", ">times as slow", ">cells"],
    );
    let mut rows: Vec<_> = fit
        .suits
        .iter()
        .filter(|(_, suits)| suits.matters)
        .collect();
    rows.sort_by(|a, b| b.1.ratio.ln().abs().total_cmp(&a.1.ratio.ln().abs()));
    for ((library, host), suits) in rows {
        table.row([
            fleet.libraries[*library].clone().into(),
            fleet.hosts[*host].name.clone().into(),
            times(suits.ratio),
            suits.cells.to_string().into(),
        ]);
    }
    if table.rows.is_empty() {
        table.footnote = "none beyond chance".into();
    }
    table
}

fn won(fleet: &Fleet) -> Table {
    let mut table = Table::new(
        "winners",
        "Who wins where: cells in which not all machines have the same first library",
        &[
            "cell",
            "on most machines",
            ">machines",
            "but",
            "features of most",
        ],
    );
    let all = winners(fleet);
    let turned = all.iter().filter(|winners| !winners.others.is_empty());
    for winners in turned.clone() {
        let others: Vec<String> = winners
            .others
            .iter()
            .map(|(library, hosts)| format!("{library} on {}", hosts.join(", ")))
            .collect();
        table.row([
            fleet.cells[winners.cell].to_string(),
            winners.most.0.clone(),
            winners.most.1.len().to_string(),
            others.join("; "),
            features(&winners.turns),
        ]);
    }
    table.footnote = format!(
        "in {} of {} cells one library is first, or within 2 % of the first, on all machines",
        all.len() - turned.count(),
        all.len()
    );
    table
}
