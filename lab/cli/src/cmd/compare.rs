//! `touchstone compare`: compares two runs cell by cell.

use std::path::Path;

use clap::Args;
use touchstone_wire::Contract;

use super::{Choice, End, Global, Measuring, Shape, Usage};
use crate::adapters;
use crate::bundle::Bundle;
use crate::compare::{self, Change, Comparison, FALSE_DISCOVERIES, Key, Verdict};
use crate::store::Store;
use crate::summarise::summarise;
use crate::summary::{Run, Summary};
use crate::table::{Entry, Format, Table, escape};
use crate::wanted::Wanted;

#[derive(Debug, Args)]
#[command(
    override_usage = "touchstone compare [OPTIONS] <RUN|FILE> <RUN|FILE>
       touchstone compare [OPTIONS] --library <BEFORE> --library <NOW>",
    after_help = "Examples:
  touchstone compare 3 5
  touchstone compare before.json 5 --library openssl --threshold 1%
  touchstone compare --library openssl=OLD/libcrypto.so.3 --library openssl \\
      --algorithm AES-256-GCM                   measures both, and compares them"
)]
pub(super) struct Options {
    /// The earlier run and the later run: numbers, or files written by `export --to json`.
    /// Without runs, the two builds that --library names are measured in the same rounds, the
    /// build of before first
    #[arg(value_name = "RUN|FILE", num_args = 2)]
    runs: Vec<String>,
    /// The smallest change that matters
    #[arg(long, default_value = "2%", value_name = "PER CENT", value_parser = per_cent)]
    threshold: f64,
    /// Compare only this library (repeatable); without runs, a build to measure
    #[arg(long = "library", value_name = "NAME[=PATH]")]
    libraries: Vec<String>,
    /// Measure the builds of both runs again, in the same rounds: this needs no other library as
    /// a control, and no idle machine
    #[arg(long, requires = "runs", conflicts_with = "order")]
    with_control: bool,
    /// The profile of builds that are measured
    #[arg(long, default_value = "quick", value_name = "NAME|FILE")]
    profile: String,
    /// Message sizes in bytes, in place of the profile's, for builds that are measured
    #[arg(long, value_name = "BYTES", value_delimiter = ',', value_parser = super::size)]
    sizes: Vec<u64>,
    /// Contracts, in place of the profile's, for builds that are measured
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    contracts: Vec<Contract>,
    /// Compare only this algorithm, in any spelling, or the algorithms that this regular
    /// expression matches
    #[arg(long, value_name = "NAME|REGEX")]
    algorithm: Option<Wanted>,
    /// Also show ties, and cells that only one of the runs has
    #[arg(long)]
    all: bool,
    /// Instead, tell whether both runs put the libraries in the same order
    #[arg(long, requires = "runs",
        conflicts_with_all = ["threshold", "libraries", "algorithm", "all"])]
    order: bool,
}

pub(super) fn run(global: &Global, options: &Options) -> anyhow::Result<End> {
    let [before, now] = &options.runs[..] else {
        let [before, now] = &options.libraries[..] else {
            return Err(Usage(
                "two runs, or --library twice, say what to compare; `touchstone runs` lists the \
                 runs"
                    .into(),
            )
            .into());
        };
        return measured(global, options, [before, now]);
    };
    let (earlier, later) = (before, now);
    let (before, now) = (open(global, before)?, open(global, now)?);
    if options.with_control {
        let [before, now] = objects(&before, &now, &options.libraries)?;
        return measured(global, options, [&before, &now]);
    }
    if options.order {
        global.print(&[order(&before, &now)])?;
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
        runs_table(earlier, later, differences),
        counts(&comparison),
        changes(&comparison, &now, options),
    ];
    // A program wants the changes most, and CSV has one table.
    if global.format != Format::Table {
        tables.reverse();
    }
    if options.all {
        tables.push(only(&comparison, [&before, &now]));
    }
    let verdict = verdict(&comparison, &now, options.threshold);
    global.print_verdict(&verdict, &tables)?;
    Ok(end(&comparison))
}

/// The verdict in one line of Markdown.
fn verdict(comparison: &Comparison, names: &Summary, threshold: f64) -> String {
    let [slower, faster, level, unjudged] = Verdict::ALL.map(|verdict| comparison.count(verdict));
    let threshold = format!("{} %", threshold * 100.0);
    let per_cent = |ratio: f64| format!("{:+.1} %", (ratio - 1.0) * 100.0);
    let worst = comparison.changes.iter();
    let worst = worst.filter(|change| change.verdict == Verdict::Slower);
    let worst = worst.max_by(|a, b| a.ratio.mid.total_cmp(&b.ratio.mid));
    let compared = slower + faster + level;
    let rest = match unjudged {
        0 => String::new(),
        1 => "; one cell could not be judged".to_owned(),
        cells => format!("; {cells} cells could not be judged"),
    };
    match worst {
        Some(worst) => format!(
            "**Slower** by more than {threshold} in {slower} of {compared} cells; most in {} of {}: \
             {} ({} to {}){rest}",
            escape(&label(&worst.key)),
            escape(&super::rank::name(names, &worst.library)),
            per_cent(worst.ratio.mid),
            per_cent(worst.ratio.low),
            per_cent(worst.ratio.high),
        ),
        None if compared == 0 => {
            format!(
                "**Nothing was compared**: the runs have no cell in common that could be judged{rest}"
            )
        }
        None => format!(
            "**Not slower** by more than {threshold} in any of {compared} cells: {faster} faster, \
             {level} level{rest}"
        ),
    }
}

fn end(comparison: &Comparison) -> End {
    if comparison.changes.is_empty() {
        End::NothingToMeasure
    } else if comparison.count(Verdict::Slower) > 0 {
        End::Regression
    } else {
        End::Good
    }
}

/// Measures two builds in the same rounds, and compares them.
fn measured(global: &Global, options: &Options, builds: [&str; 2]) -> anyhow::Result<End> {
    let choice = Choice {
        libraries: builds.map(str::to_owned).to_vec(),
        roots: Vec::new(),
        algorithm: options.algorithm.clone(),
    };
    let ids: Vec<String> = choice.candidates()?.into_iter().map(|c| c.id).collect();
    let [before, now] = &ids[..] else {
        let [before, now] = builds;
        return Err(Usage(format!("{before} and {now} are the same object")).into());
    };
    let measuring = Measuring {
        facts: Vec::new(),
        progress: None,
        choice,
        profile: options.profile.clone(),
        shape: Shape {
            sizes: options.sizes.clone(),
            contracts: options.contracts.clone(),
            ..Shape::default()
        },
        resume: None,
        wait: None,
    };
    let (_, summary, nothing) = super::run::measure(global, &measuring)?;
    let Some(summary) = summary else {
        return Ok(nothing);
    };
    let chosen = compare::Options {
        threshold: options.threshold,
        libraries: Vec::new(),
        algorithms: None,
    };
    let comparison = compare::builds(&summary, before, now, &chosen);
    let mut tables = vec![
        builds_table(&summary, [before, now]),
        counts(&comparison),
        changes(&comparison, &summary, options),
    ];
    if global.format != Format::Table {
        tables.reverse();
    }
    if options.all {
        tables.push(only(&comparison, [&summary, &summary]));
    }
    let verdict = verdict(&comparison, &summary, options.threshold);
    global.print_verdict(&verdict, &tables)?;
    Ok(end(&comparison))
}

/// Says which two objects were measured.
fn builds_table(summary: &Summary, ids: [&String; 2]) -> Table {
    let mut table = Table::new(
        "builds",
        format!("Two builds in the same rounds, run {}", summary.run.id),
        &["build", "library", "version", "object"],
    );
    for (name, id) in ["before", "now"].into_iter().zip(ids) {
        let library = summary.libraries.iter().find(|library| library.id == *id);
        table.row([
            name,
            library.map_or(id.as_str(), |library| &library.name),
            library.map_or("", |library| &library.version),
            library.map_or("", |library| &library.path),
        ]);
    }
    table
}

/// Returns the objects of a library in two runs, as --library names them.
fn objects(before: &Summary, now: &Summary, asked: &[String]) -> anyhow::Result<[String; 2]> {
    let ids = libraries(before, now, asked)?;
    let differ = |id: &&str| {
        let of = |summary: &Summary| summary.libraries.iter().find(|l| l.id == **id).cloned();
        match (of(before), of(now)) {
            (Some(a), Some(b)) => {
                a.absent.is_empty() && b.absent.is_empty() && compare::changed(&a, now)
            }
            _ => false,
        }
    };
    let chosen: Vec<&str> = match ids.is_empty() {
        true => before
            .libraries
            .iter()
            .map(|l| l.id.as_str())
            .filter(differ)
            .collect(),
        false => ids.iter().map(String::as_str).collect(),
    };
    let mut chosen = chosen;
    chosen.dedup();
    let [id] = chosen[..] else {
        return Err(Usage(format!(
            "--with-control measures two builds of one library; --library says which: {}",
            if chosen.is_empty() {
                "no library has another version in the later run".to_owned()
            } else {
                chosen.join(", ")
            }
        ))
        .into());
    };
    let path = |summary: &Summary| {
        let found = summary.libraries.iter().find(|library| library.id == id);
        found.map_or(String::new(), |library| library.path.clone())
    };
    let [old, new] = [path(before), path(now)];
    if old == new || old.is_empty() || !Path::new(&old).is_file() {
        return Err(Usage(format!(
            "the earlier build of {id} is not there any more{}; with a copy of it, `touchstone \
             compare --library {id}=COPY --library {id}` measures both in the same rounds",
            if old == new && !old.is_empty() {
                format!(": {old} has the later build")
            } else {
                String::new()
            }
        ))
        .into());
    }
    let adapter = adapters::adapter(id);
    Ok([format!("{adapter}={old}"), format!("{adapter}={new}")])
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
pub(super) fn per_cent(text: &str) -> Result<f64, String> {
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
    let costs = |run: &Run| {
        let costs = run
            .costs
            .iter()
            .map(|(name, value)| format!("{name}={value}"));
        costs.collect::<Vec<_>>().join(",")
    };
    differ("Costs", &costs(&before.run), &costs(&now.run));
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
        "differences",
        format!("What differs between run {before} and run {now}"),
        &["what", "before", "now"],
    );
    for row in differences {
        table.row(row);
    }
    table
}

fn counts(comparison: &Comparison) -> Table {
    let mut table = Table::new("counts", "Cells", &["verdict", ">cells"]);
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
        table.footnote = format!(
            "not judged: {}. `touchstone compare --library NAME=OLD --library NAME` measures two \
             builds in the same rounds, and needs neither",
            reasons.join("; ")
        );
    }
    table
}

fn changes(comparison: &Comparison, names: &Summary, options: &Options) -> Table {
    let mut table = Table::new(
        "changes",
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
            label(&change.key).into(),
            super::rank::name(names, &change.library).into(),
            super::measure::ns(change.ns[0]),
            super::measure::ns(change.ns[1]),
            super::rank::ratio(change.drift),
            super::rank::ratio(change.ratio.mid),
            super::rank::end(change.ratio, change.ratio.low),
            super::rank::end(change.ratio, change.ratio.high),
            change.verdict.name().into(),
        ]);
    }
    let measured = if options.runs.is_empty() || options.with_control {
        "ratio: the median of the rounds' ratios".to_owned()
    } else {
        format!(
            "ratio: the drift that all libraries share is taken out; noise between runs is {:.1} \
             times what the rounds within them say",
            comparison.inflation
        )
    };
    table.footnote = format!(
        "{measured}; from, to: 95 %; at most {:.0} % of the findings are expected to be false",
        FALSE_DISCOVERIES * 100.0
    );
    table
}

fn only(comparison: &Comparison, runs: [&Summary; 2]) -> Table {
    let mut table = Table::new(
        "only",
        "Cells of one run alone",
        &["cell", "library", "run"],
    );
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
        "order",
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
    table.row::<Entry>([
        "Kendall's tau without ties".into(),
        found
            .tau()
            .map_or_else(Entry::none, |tau| Entry::number(tau, format!("{tau:.4}"))),
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
