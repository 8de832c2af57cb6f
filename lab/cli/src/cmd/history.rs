//! `touchstone history`: shows an algorithm's times over runs, and where they change.

mod people;

use std::path::PathBuf;

use clap::Args;
use clap_complete::engine::ArgValueCandidates;
use touchstone_wire::Contract;

use super::measure::{ns, significant};
use super::{End, Global};
use crate::catalogue;
use crate::history::{self, Line, Moment, Turning, since};
use crate::names;
use crate::output;
use crate::table::{Entry, Format, Table, escape};
use crate::wanted;

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  touchstone history AES-256-GCM
  touchstone history sha-256 --library openssl --machine node07 --format md
  touchstone history AES-256-GCM --since 14 --alert   exit code 5 if slower
  touchstone history AES-256-GCM -o history.html")]
pub(super) struct Options {
    /// The algorithm, in any spelling, or the algorithms that this regular expression matches
    #[arg(value_name = "NAME|REGEX", add = ArgValueCandidates::new(super::completions::algorithms))]
    algorithm: wanted::Wanted,
    /// Only this library, by id or by the name that the table shows (repeatable)
    #[arg(long = "library", value_name = "NAME")]
    libraries: Vec<String>,
    /// Only this machine, by the name that the table shows (repeatable)
    #[arg(long = "machine", value_name = "NAME")]
    machines: Vec<String>,
    /// Only changes from this day on, such as 2026-11-24, or within this number of days. Changes
    /// are found with the help of all runs
    #[arg(long, value_name = "DAY|DAYS", value_parser = since::parse)]
    since: Option<String>,
    /// Message sizes in bytes [default: the largest up to 16k]
    #[arg(long, value_name = "BYTES", value_delimiter = ',', value_parser = super::size)]
    sizes: Vec<u64>,
    /// The contract
    #[arg(long, value_name = "NAME", default_value = "hot")]
    contract: Contract,
    /// The number of threads
    #[arg(long, value_name = "N", default_value_t = 1,
        value_parser = clap::value_parser!(u32).range(1..=4096))]
    threads: u32,
    /// The smallest change of level that is shown
    #[arg(long, default_value = "1%", value_name = "PER CENT",
        value_parser = super::compare::per_cent)]
    threshold: f64,
    /// End with exit code 5 if a library became slower and is slower still. A change that most of
    /// a machine's libraries share is the machine's, and no reason for an alert
    #[arg(long)]
    alert: bool,
    /// Also show every run of every line
    #[arg(long)]
    points: bool,
    /// Write a page with charts to this file, in place of the tables
    #[arg(long, short, value_name = "FILE", conflicts_with_all = ["points"])]
    output: Option<PathBuf>,
}

pub(super) fn run(global: &Global, options: &Options) -> anyhow::Result<End> {
    let store = global.read_store()?;
    let known = history::algorithms(&store)?;
    let there = known.iter().map(|(p, o)| (p.as_str(), o.as_str()));
    let Some(algorithms) = super::algorithms(Some(&options.algorithm), there)? else {
        return Ok(End::NothingToMeasure);
    };
    let wanted = history::Wanted {
        algorithms,
        libraries: options.libraries.clone(),
        machines: options.machines.clone(),
        sizes: options.sizes.clone(),
        contract: options.contract,
        threads: options.threads,
        threshold: options.threshold,
    };
    let lines = history::lines(&store, &wanted)?;
    if lines.is_empty() {
        global.say(&format!(
            "no run in {} has these times of {}",
            store.name(),
            options.algorithm.text()
        ));
        return Ok(End::NothingToMeasure);
    }
    let since = options.since.as_deref().unwrap_or("");
    if let Some(path) = &options.output {
        let html = history::page::render(&lines, options.algorithm.text(), since)?;
        output::whole(path, |out| {
            Ok(std::io::Write::write_all(out, html.as_bytes())?)
        })?;
        output::path(path)?;
    } else {
        let changed = changes(&lines, since, options, global.format);
        if global.format == Format::Table {
            // For people, the answer comes last, where the terminal stands.
            let mut tables = if options.points {
                people::points(&lines)
            } else {
                Vec::new()
            };
            tables.extend(people::overviews(&lines, options));
            tables.push(changed);
            global.print(&tables)?;
        } else {
            let mut tables = vec![changed, overview(&lines, options, global.format)];
            if options.points {
                tables.push(points(&lines, global.format));
            }
            global.print_verdict(&verdict(&lines, since), &tables)?;
        }
    }
    let slower = || history::regressions(&lines, since).next().is_some();
    Ok(match options.alert && slower() {
        true => End::Regression,
        false => End::Good,
    })
}

/// Returns the name of a line's algorithm, with the length.
fn algorithm(line: &Line) -> String {
    let mut name = format!(
        "{} {}",
        names::primitive(&line.primitive),
        names::operation(&line.operation)
    );
    if line.bytes > 0 {
        let unit = catalogue::unit(&line.operation).sign();
        name += &format!(", {} {unit}", line.bytes);
    }
    name
}

/// Returns a line's library: its display name for people, and its id for programs.
fn library(line: &Line, format: Format) -> &str {
    match format {
        Format::Table | Format::Md => &line.name,
        Format::Json | Format::Csv => &line.library,
    }
}

/// Returns the day of a start.
fn day(started: &str) -> &str {
    started.get(..10).unwrap_or(started)
}

fn per_cent(ratio: f64) -> Entry {
    Entry::number(ratio, format!("{:+.1} %", (ratio - 1.0) * 100.0))
}

fn overview(lines: &[Line], options: &Options, format: Format) -> Table {
    let mut table = Table::new(
        "lines",
        format!(
            "History of {}, {}",
            options.algorithm.text(),
            options.contract.name()
        ),
        &[
            "algorithm",
            "machine",
            "library",
            "version",
            ">runs",
            "first",
            "last",
            ">ns first",
            ">ns last",
            ">changed",
            ">changes",
        ],
    );
    for line in lines {
        let (Some(first), Some(last)) = (line.moments.first(), line.moments.last()) else {
            continue;
        };
        let [before, now] = line.ends();
        table.row([
            algorithm(line).into(),
            line.machine.clone().into(),
            library(line, format).into(),
            last.version.clone().into(),
            line.moments.len().to_string().into(),
            day(&first.started).into(),
            day(&last.started).into(),
            ns(before),
            ns(now),
            per_cent(now / before),
            line.turnings.len().to_string().into(),
        ]);
    }
    table.footnote = "ns first, ns last: the medians before the first change and after the last; \
                      lower is better"
        .into();
    table
}

/// The verdict in one line of Markdown.
fn verdict(lines: &[Line], since: &str) -> String {
    let mut slower: Vec<(&Line, &Turning)> = history::regressions(lines, since).collect();
    slower.sort_by(|a, b| b.1.ratio().total_cmp(&a.1.ratio()));
    let since = match since {
        "" => String::new(),
        day_or_moment => format!(" since {}", day(day_or_moment)),
    };
    let Some((line, turning)) = slower.first() else {
        return format!(
            "**Not slower**: no library became slower and stayed so{since}, in {} lines",
            lines.len()
        );
    };
    let more = match slower.len() - 1 {
        0 => String::new(),
        1 => "; one more change for the worse".to_owned(),
        more => format!("; {more} more changes for the worse"),
    };
    format!(
        "**Slower**: {} on {} by {} in {}, from {} on ({}){more}",
        escape(&line.name),
        escape(&line.title()),
        per_cent(turning.ratio()).text(),
        escape(&algorithm(line)),
        day(&line.turned(turning).started),
        escape(&causes(turning)),
    )
}

/// What else changed with a level, in words.
fn causes(turning: &Turning) -> String {
    match turning.causes.is_empty() {
        true => "nothing else that the lab records".to_owned(),
        false => turning.causes.join("; "),
    }
}

fn changes(lines: &[Line], since: &str, options: &Options, format: Format) -> Table {
    let mut table = Table::new(
        "changes",
        format!(
            "Changes of level by at least {} %, the newest first",
            options.threshold * 100.0
        ),
        &[
            "day",
            ">run",
            "machine",
            "library",
            "algorithm",
            ">ns was",
            ">ns is",
            ">changed",
            "whose",
            "what else changed",
        ],
    );
    let mut all: Vec<(&Line, &Turning)> = lines
        .iter()
        .flat_map(|line| line.turnings.iter().map(move |turning| (line, turning)))
        .filter(|(line, turning)| line.turned(turning).started.as_str() >= since)
        .collect();
    all.sort_by(|(a, at), (b, bt)| b.turned(bt).started.cmp(&a.turned(at).started));
    table.footnote = "found by PELT (Killick, Fearnhead, Eckley 2012); a change shows after three \
                      runs; what else changed: between the run before and this run"
        .into();
    if all.is_empty() {
        table.footnote = "none".into();
    }
    if format == Format::Table {
        return people::changes(&all, table);
    }
    for (line, turning) in all {
        let moment = line.turned(turning);
        let [same, of] = turning.together;
        table.row([
            day(&moment.started).into(),
            moment.run.to_string().into(),
            line.machine.clone().into(),
            library(line, format).into(),
            algorithm(line).into(),
            Entry::number(turning.before, significant(turning.before)),
            Entry::number(turning.after, significant(turning.after)),
            per_cent(turning.ratio()),
            match turning.is_of_the_machine() {
                true => format!("the machine ({same} of {of} libraries)").into(),
                false => "the library".into(),
            },
            causes(turning).into(),
        ]);
    }
    table
}

fn points(lines: &[Line], format: Format) -> Table {
    let mut table = Table::new(
        "points",
        "Every run of every line",
        &[
            "algorithm",
            "machine",
            "library",
            "version",
            ">run",
            "started",
            ">ns",
            ">from",
            ">to",
        ],
    );
    for line in lines {
        let whose: [Entry; 3] = [
            algorithm(line).into(),
            line.machine.clone().into(),
            library(line, format).into(),
        ];
        for moment in &line.moments {
            table.row(whose.iter().cloned().chain(of_moment(moment)));
        }
    }
    table
}

/// The cells of a row about one moment: version, run, start, time and the ends of its interval.
fn of_moment(moment: &Moment) -> [Entry; 6] {
    let ends = moment.ns.ends().map(|ends| ends.map(ns));
    let [from, to] = ends.unwrap_or_else(|| [Entry::none(), Entry::none()]);
    [
        moment.version.clone().into(),
        moment.run.to_string().into(),
        moment.started.clone().into(),
        ns(moment.ns.mid),
        from,
        to,
    ]
}
