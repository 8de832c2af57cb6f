//! `touchstone compare`: compares two runs cell by cell.

use std::path::Path;

use clap::Args;

use super::{End, Global, Usage};
use crate::bundle::Bundle;
use crate::compare::{self, Change, Comparison, FALSE_DISCOVERIES, Key, Verdict};
use crate::store::Store;
use crate::summarise::summarise;
use crate::summary::Summary;
use crate::table::{self, Table};
use crate::wanted::Wanted;

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  touchstone compare 3 5
  touchstone compare before.json 5 --library openssl --threshold 1%")]
pub(super) struct Options {
    /// The earlier run: a number, or a file written by `export --to json`
    #[arg(value_name = "RUN|FILE")]
    before: String,
    /// The later run
    #[arg(value_name = "RUN|FILE")]
    now: String,
    /// The smallest change that matters
    #[arg(long, default_value = "2%", value_name = "PER CENT", value_parser = per_cent)]
    threshold: f64,
    /// Compare only this library (repeatable)
    #[arg(long = "library", value_name = "NAME")]
    libraries: Vec<String>,
    /// Compare only this algorithm, in any spelling, or the algorithms that this regular
    /// expression matches
    #[arg(long, value_name = "NAME|REGEX")]
    algorithm: Option<Wanted>,
    /// Also show ties, and cells that only one of the runs has
    #[arg(long)]
    all: bool,
    /// Instead, tell whether both runs put the libraries in the same order
    #[arg(long, conflicts_with_all = ["threshold", "libraries", "algorithm", "all"])]
    order: bool,
}

pub(super) fn run(global: &Global, options: &Options) -> anyhow::Result<End> {
    let runs = [&options.before, &options.now].map(|name| open(global, name));
    let [before, now] = runs;
    let (before, now) = (before?, now?);
    if options.order {
        table::print(&[order(&before, &now)], global.format)?;
        return Ok(End::Good);
    }
    let cells = before.cells.iter().chain(&now.cells);
    let there = cells.map(|cell| (&*cell.primitive, &*cell.operation));
    let chosen = compare::Options {
        threshold: options.threshold,
        libraries: libraries(&before, &now, &options.libraries)?,
        algorithms: super::algorithms(options.algorithm.as_ref(), there)?,
    };
    let differences = differences(&before, &now);
    for line in warnings(&differences) {
        global.say(&line);
    }
    let comparison = compare::compare(&before, &now, &chosen);
    let mut tables = vec![
        runs_table(&options.before, &options.now, differences),
        counts(&comparison),
        changes(&comparison, &now, options),
    ];
    if options.all {
        tables.push(only(&comparison, [&before, &now]));
    }
    table::print(&tables, global.format)?;
    Ok(if comparison.changes.is_empty() {
        End::NothingToMeasure
    } else if comparison.count(Verdict::Slower) > 0 {
        End::Regression
    } else {
        End::Good
    })
}

/// Opens a run of the store, or an exported run.
fn open(global: &Global, name: &str) -> anyhow::Result<Summary> {
    if let Ok(id) = name.parse() {
        let store: Store = global.read_store()?;
        return summarise(&store, store.run(Some(id), false)?.id);
    }
    let path = Path::new(name);
    if !path.is_file() {
        return Err(Usage(format!(
            "{name:?} is neither the number of a run nor a file; `touchstone runs` lists the runs"
        ))
        .into());
    }
    Bundle::read(path)?.summary()
}

/// Parses "2%" or "0.5" as a share.
fn per_cent(text: &str) -> Result<f64, String> {
    match text.trim_end_matches('%').trim().parse::<f64>() {
        Ok(value) if (0.0..=1000.0).contains(&value) => Ok(value / 100.0),
        _ => Err("a threshold is a number of per cent, such as 2% or 0.5%".into()),
    }
}

/// Returns the ids of the libraries that the user gave by id or by name.
fn libraries(before: &Summary, now: &Summary, asked: &[String]) -> anyhow::Result<Vec<String>> {
    let known = || before.libraries.iter().chain(&now.libraries);
    let mut chosen = Vec::new();
    for wish in asked {
        let found: Vec<String> = known()
            .filter(|l| l.id.eq_ignore_ascii_case(wish) || l.name.eq_ignore_ascii_case(wish))
            .map(|l| l.id.clone())
            .collect();
        if found.is_empty() {
            let ids: std::collections::BTreeSet<&str> = known().map(|l| l.id.as_str()).collect();
            let ids: Vec<&str> = ids.into_iter().collect();
            return Err(Usage(format!(
                "neither run has a library {wish:?}; there are {}",
                ids.join(", ")
            ))
            .into());
        }
        chosen.extend(found);
    }
    Ok(chosen)
}

/// A difference between the runs other than times: the subject, before, now.
type Difference = [String; 3];

fn differences(before: &Summary, now: &Summary) -> Vec<Difference> {
    let mut rows: Vec<Difference> = Vec::new();
    let mut differ = |what: &str, a: &str, b: &str| {
        if a != b {
            rows.push([what, a, b].map(str::to_owned));
        }
    };
    differ("Started", &before.run.started, &now.run.started);
    differ("Profile", &before.run.profile, &now.run.profile);
    differ("Touchstone", &before.run.lab_version, &now.run.lab_version);
    let state = |complete| if complete { "complete" } else { "interrupted" };
    differ("State", state(before.run.complete), state(now.run.complete));
    let fact = |summary: &Summary, name: &str| {
        let facts = &summary.machine.facts;
        let found = facts.iter().find(|(label, _)| label == name);
        found.map(|(_, value)| value.clone()).unwrap_or_default()
    };
    let mut names: Vec<&String> = Vec::new();
    for (name, _) in before.machine.facts.iter().chain(&now.machine.facts) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    for name in names {
        differ(name, &fact(before, name), &fact(now, name));
    }
    let version = |summary: &Summary, id: &str| {
        let library = summary.libraries.iter().find(|l| l.id == id);
        match library {
            Some(l) if l.absent.is_empty() => format!("{} {}", l.name, l.version),
            _ => "–".to_owned(),
        }
    };
    let ids: std::collections::BTreeSet<&str> = before
        .libraries
        .iter()
        .chain(&now.libraries)
        .map(|l| l.id.as_str())
        .collect();
    for id in ids {
        differ(id, &version(before, id), &version(now, id));
    }
    rows
}

/// Warnings about differences that make this a comparison of machines instead of
/// libraries.
fn warnings(differences: &[Difference]) -> Vec<String> {
    let matters = ["CPU", "CPUs usable", "Kernel", "Microcode", "Profile"];
    let of_interest = |d: &&Difference| matters.contains(&d[0].as_str());
    differences
        .iter()
        .filter(of_interest)
        .map(|[what, a, b]| format!("not alike: {what}: {a} before, {b} now"))
        .collect()
}

fn runs_table(before: &str, now: &str, differences: Vec<Difference>) -> Table {
    let mut table = Table::new(
        format!("What differs between run {before} and run {now}"),
        &["what", "before", "now"],
    );
    for row in differences {
        table.row(row);
    }
    table
}

fn counts(comparison: &Comparison) -> Table {
    let mut table = Table::new("Cells", &["verdict", ">cells"]);
    for verdict in Verdict::ALL {
        table.row([
            verdict.name().to_owned(),
            comparison.count(verdict).to_string(),
        ]);
    }
    let unjudged = comparison.changes.iter().map(|change| change.missing);
    let reasons: std::collections::BTreeSet<&str> = unjudged.filter(|m| !m.is_empty()).collect();
    for (name, side) in ["only before", "only now"].iter().zip(&comparison.only) {
        table.row([(*name).to_owned(), side.len().to_string()]);
    }
    if !reasons.is_empty() {
        let reasons: Vec<&str> = reasons.into_iter().collect();
        table.footnote = format!("not judged: {}", reasons.join("; "));
    }
    table
}

fn changes(comparison: &Comparison, names: &Summary, options: &Options) -> Table {
    let mut table = Table::new(
        format!(
            "Time now over time before, worst first: changed by more than {} %",
            options.threshold * 100.0
        ),
        &[
            "cell", "library", ">ns was", ">ns is", ">drift", ">ratio", ">from", ">to", "verdict",
        ],
    );
    let shown = |c: &&Change| options.all || matches!(c.verdict, Verdict::Slower | Verdict::Faster);
    for change in comparison.changes.iter().filter(shown) {
        table.row([
            label(&change.key),
            super::rank::name(names, &change.library),
            super::measure::significant(change.ns[0]),
            super::measure::significant(change.ns[1]),
            format!("{:.3}", change.drift),
            format!("{:.3}", change.ratio.mid),
            super::rank::end(change.ratio, change.ratio.low),
            super::rank::end(change.ratio, change.ratio.high),
            change.verdict.name().to_owned(),
        ]);
    }
    table.footnote = format!(
        "ratio: the drift that all libraries share is taken out; from, to: 95 %; at most {:.0} % \
         of the findings are expected to be false; noise between runs is {:.1} times what the \
         rounds within them say",
        FALSE_DISCOVERIES * 100.0,
        comparison.inflation
    );
    table
}

fn only(comparison: &Comparison, runs: [&Summary; 2]) -> Table {
    let mut table = Table::new("Cells of one run alone", &["cell", "library", "run"]);
    for ((side, run), summary) in comparison.only.iter().zip(["before", "now"]).zip(runs) {
        for (key, library) in side {
            table.row([
                label(key),
                super::rank::name(summary, library),
                run.to_owned(),
            ]);
        }
    }
    table
}

/// Returns the text for a cell, such as "aes-128 ctr-encrypt hot 16 B".
fn label(key: &Key) -> String {
    let mut label = format!("{} {} {}", key.primitive, key.operation, key.contract);
    if key.messages > 1 {
        label += &format!(" {} ×", key.messages);
    }
    if key.bytes > 0 {
        label += &format!(
            " {} {}",
            key.bytes,
            crate::catalogue::unit(&key.operation).sign()
        );
    }
    if key.threads > 1 {
        label += &format!(", {} threads", key.threads);
    }
    label
}

fn order(before: &Summary, now: &Summary) -> Table {
    let found = compare::order(before, now);
    let mut table = Table::new(
        "Pairs of libraries in the same task: is one before the other in both runs?",
        &["pairs", ">number"],
    );
    for (name, value) in [
        ("a tie in both runs", found.ties),
        ("same order", found.agreed),
        ("reversed", found.reversed),
        ("reversed, and no tie in either", found.contradicted),
    ] {
        table.row([name.to_owned(), value.to_string()]);
    }
    table.row([
        "Kendall's tau without ties".to_owned(),
        found
            .tau()
            .map_or("–".to_owned(), |tau| format!("{tau:.4}")),
    ]);
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thresholds_are_per_cent() {
        assert_eq!(per_cent("2%"), Ok(0.02));
        assert_eq!(per_cent("0.5"), Ok(0.005));
        for bad in ["", "%", "-1%", "two", "NaN"] {
            assert!(per_cent(bad).is_err(), "{bad}");
        }
    }
}
