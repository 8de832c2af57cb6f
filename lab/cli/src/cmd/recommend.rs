//! `touchstone recommend`: tells which library to use for a workload.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use clap::Args;
use clap_complete::engine::ArgValueCandidates;

use super::measure::significant;
use super::rank::label;
use super::{End, Global, Usage};
use crate::adapters;
use crate::rank::verdict::{few, list};
use crate::recommend::constraint::{Claims, Constraints, Wrong, without_broken};
use crate::recommend::{self, Along, Alternative, Course, Recommendation, Row};
use crate::stats::Interval;
use crate::store::Store;
use crate::summarise::summarise_some;
use crate::summary::Summary;
use crate::table::{Entry, Format, Table};
use crate::workload::{Algorithm, Direction, NAMED, Part, Workload};

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  touchstone recommend                          the named workloads
  touchstone recommend tls-server
  touchstone recommend tls-server --license MIT,Apache-2.0,ISC --installed
  touchstone recommend --algorithm AES-256-GCM --size 1350 --messages-per-key 1
  touchstone recommend --algorithm aes-256-gcm --algorithm chacha20-poly1305 \\
                       --size 64:3,1350:1 --direction both
  touchstone recommend --file mine.toml --constant-time --format json")]
pub(super) struct Options {
    /// The workload's name; without one, and without --file and --algorithm, the names are
    /// listed
    #[arg(value_name = "WORKLOAD", conflicts_with_all = ["file", "algorithms"],
        add = ArgValueCandidates::new(super::completions::workloads))]
    workload: Option<String>,
    /// A workload of your own, in the form of docs/recommend.md
    #[arg(long, value_name = "FILE", conflicts_with = "algorithms")]
    file: Option<PathBuf>,
    /// An algorithm that serves the workload, such as AES-256-GCM or "sha-256 hash" (if
    /// repeated, any of them serves)
    #[arg(long = "algorithm", value_name = "NAME")]
    algorithms: Vec<String>,
    /// Which way the messages go
    #[arg(long, value_enum, default_value_t, requires = "algorithms")]
    direction: Direction,
    /// Lengths of the messages in bytes, each with its share of the messages: 16,1350:0.3
    /// [default share: 1]
    #[arg(long = "size", value_name = "BYTES[:SHARE]", value_delimiter = ',',
        value_parser = share, requires = "algorithms")]
    sizes: Vec<(u64, f64)>,
    /// Messages under one key [default: the cost of the key is left out]
    #[arg(long, value_name = "N", requires = "algorithms")]
    messages_per_key: Option<f64>,
    /// Threads that work at the same time
    #[arg(long, value_name = "N", default_value_t = 1, requires = "algorithms",
        value_parser = clap::value_parser!(u32).range(1..=4096))]
    threads: u32,
    /// The run's number [default: the newest run that has the data]
    #[arg(add = ArgValueCandidates::new(super::completions::runs), long, value_name = "RUN")]
    run: Option<i64>,
    /// Only libraries that can be used under these licences, given as SPDX ids
    #[arg(
        long = "license",
        alias = "licence",
        value_name = "SPDX",
        value_delimiter = ','
    )]
    licences: Vec<String>,
    /// Only libraries whose main language is one of these
    #[arg(long = "language", value_name = "NAME", value_delimiter = ',')]
    languages: Vec<String>,
    /// Only libraries whose own documentation says that the algorithm runs in constant time
    #[arg(long)]
    constant_time: bool,
    /// Only algorithms that are not broken
    #[arg(long)]
    no_broken: bool,
    /// Only libraries without wrong answers in the workload's algorithms, or without any
    #[arg(long, value_name = "WHERE", value_enum, num_args = 0..=1, require_equals = true,
        default_missing_value = "operation")]
    no_wrong_answers: Option<Wrong>,
    /// Only libraries that are installed on this machine
    #[arg(long)]
    installed: bool,
    /// Answer for all machines of the store, from the newest run of each that has the data: one
    /// library, and the machines on which another is faster
    #[arg(long, conflicts_with_all = ["run", "installed"])]
    fleet: bool,
}

/// Parses a length with its share: "1350", "16k:0.3".
fn share(text: &str) -> Result<(u64, f64), String> {
    let (bytes, share) = text.split_once(':').unwrap_or((text, "1"));
    match share.parse::<f64>() {
        Ok(share) if share.is_finite() && share > 0.0 => Ok((super::size(bytes)?, share)),
        _ => Err("a share is a number above 0, as in 1350:0.3".into()),
    }
}

pub(super) fn run(global: &Global, options: &Options) -> anyhow::Result<End> {
    let store = global.read_store()?;
    let Some(mut workload) = workload(options, &store)? else {
        global.print(&[named(global.format)?])?;
        return Ok(End::Good);
    };
    if options.no_broken {
        workload = match without_broken(workload) {
            Ok(workload) => workload,
            Err(error) => {
                global.say(&error.to_string());
                return Ok(End::NothingToMeasure);
            }
        };
    }
    if options.fleet {
        let answer = |summary: &Summary| -> anyhow::Result<Recommendation> {
            let constraints = constraints(options, summary)?;
            Ok(recommend::recommend(summary, &workload, &constraints))
        };
        return super::recommend_fleet::run(global, &store, &workload, &answer);
    }
    let Some(run) = newest_with_data(&store, options.run, &workload)? else {
        let run = match options.run {
            Some(run) => format!("run {run} lacks"),
            None => "no stored run has".into(),
        };
        global.say(&format!(
            "{run} the data for this workload. Measure them with\n  {}",
            measure(&workload)
        ));
        return Ok(End::NothingToMeasure);
    };
    let wanted = workload.algorithms();
    let summary = summarise_some(&store, run, &|p, o| wanted.contains(&(p, o)))?;
    let constraints = constraints(options, &summary)?;
    let found = recommend::recommend(&summary, &workload, &constraints);
    global.print(&tables(&summary, &workload, &found, global.format))?;
    Ok(if found.rows.is_empty() {
        End::NothingToMeasure
    } else {
        End::Good
    })
}

/// The workload that the options describe; `None` if they describe none.
fn workload(options: &Options, store: &Store) -> anyhow::Result<Option<Workload>> {
    let usage = |error: anyhow::Error| anyhow::Error::from(Usage(format!("{error:#}")));
    if let Some(name) = &options.workload {
        return Workload::named(name).map(Some).map_err(usage);
    }
    if let Some(path) = &options.file {
        return Workload::open(path).map(Some).map_err(usage);
    }
    if options.algorithms.is_empty() {
        return Ok(None);
    }
    let mut known = BTreeSet::new();
    for run in store.runs()? {
        let tasks = store.done(run.id)?.into_iter();
        known.extend(tasks.map(|task| (task.primitive, task.operation)));
    }
    let mut algorithms = Vec::new();
    for name in &options.algorithms {
        let known = known.iter().map(|(p, o)| (p.as_str(), o.as_str()));
        let found = Algorithm::find(name, known).map_err(|similar| {
            let hint = match &similar[..] {
                [] => "`touchstone list` shows the algorithms".to_owned(),
                similar => format!(
                    "did you mean {}?",
                    list(&few(similar)).replace(" and ", " or ")
                ),
            };
            Usage(format!(
                "--algorithm: no algorithm is called {name:?}; {hint}"
            ))
        })?;
        algorithms.push(found);
    }
    let title: Vec<String> = algorithms.iter().map(Algorithm::to_string).collect();
    let workload = Workload {
        name: String::new(),
        title: title.join(" or "),
        unit: "message".into(),
        source: "the command line".into(),
        parts: vec![Part {
            what: "messages".into(),
            algorithms,
            direction: options.direction,
            sizes: options.sizes.clone(),
            messages: 1.0,
            messages_per_key: options.messages_per_key,
            threads: options.threads,
        }],
    };
    workload.check().map_err(usage)?;
    Ok(Some(workload))
}

/// The named workloads; for programs, with the sources of their numbers.
fn named(format: Format) -> anyhow::Result<Table> {
    let columns = ["name", "workload", "source"];
    let shown = if format == Format::Table { 2 } else { 3 };
    let mut table = Table::new(
        "workloads",
        "Workloads: touchstone recommend NAME",
        &columns[..shown],
    );
    for (name, _) in NAMED {
        let workload = Workload::named(name)?;
        let cells = [workload.name, workload.title, workload.source];
        table.row(cells.into_iter().take(shown));
    }
    table.footnote = "--file FILE reads your own; --algorithm and --size describe one here".into();
    Ok(table)
}

/// The run that the user asks for, or the newest one, if it has the workload's data.
fn newest_with_data(
    store: &Store,
    asked: Option<i64>,
    workload: &Workload,
) -> anyhow::Result<Option<i64>> {
    let runs = match asked {
        Some(id) => vec![store.run(Some(id), false)?],
        None => store.runs()?,
    };
    for run in runs.iter().rev() {
        if recommend::has_data(&store.done(run.id)?, workload) {
            return Ok(Some(run.id));
        }
    }
    Ok(None)
}

/// The command that measures what a workload needs.
fn measure(workload: &Workload) -> String {
    let algorithms = workload.algorithms().into_iter();
    let algorithms = algorithms.map(|(primitive, operation)| format!("{primitive} {operation}"));
    let algorithms: BTreeSet<String> = algorithms.collect();
    let mut sizes = BTreeSet::new();
    let mut threads = BTreeSet::from([1]);
    for part in &workload.parts {
        sizes.extend(part.sizes.iter().map(|(bytes, _)| *bytes));
        threads.insert(part.threads);
    }
    let mut command = format!(
        "touchstone measure --profile standard --algorithm '^({})$' --contracts hot,setup",
        join(&algorithms, "|")
    );
    if !sizes.is_empty() {
        command += &format!(" --sizes {}", join(&sizes, ","));
    }
    if threads.len() > 1 {
        command += &format!(" --threads {}", join(&threads, ","));
    }
    command
}

fn join<T: ToString>(all: &BTreeSet<T>, between: &str) -> String {
    let all: Vec<String> = all.iter().map(T::to_string).collect();
    all.join(between)
}

fn constraints(options: &Options, summary: &Summary) -> anyhow::Result<Constraints> {
    let claims = || Claims::of_run(&adapters::manifests(&adapters::folder()?)?, summary);
    Ok(Constraints {
        licences: options.licences.clone(),
        languages: options.languages.clone(),
        claims: options.constant_time.then(claims).transpose()?,
        no_wrong: options.no_wrong_answers,
        installed: options.installed,
    })
}

fn tables(
    summary: &Summary,
    workload: &Workload,
    found: &Recommendation,
    format: Format,
) -> Vec<Table> {
    let mut tables = vec![libraries(summary, workload, found, format)];
    tables.extend(
        found
            .choices
            .iter()
            .map(|choice| ciphers(summary, choice, format)),
    );
    tables.push(courses(summary, &found.courses, format));
    tables.push(left_out(summary, found, format));
    if format == Format::Table {
        tables.retain(|table| !table.rows.is_empty() || table.title.starts_with("No library"));
    }
    tables
}

/// The answer in a sentence.
fn sentence(summary: &Summary, workload: &Workload, rows: &[Row]) -> String {
    let subject = match workload.name.as_str() {
        "" => workload.title.clone(),
        name => format!("{} ({name})", workload.title),
    };
    let Some(first) = rows.first() else {
        return format!("No library can be recommended for {subject}");
    };
    let mut text = format!("For {subject}, use {}", label(summary, &first.library));
    let with = chosen(workload, first);
    if !with.is_empty() {
        text += &format!(" with {with}");
    }
    let level = rows[1..].iter().filter(|row| row.level);
    let level: Vec<String> = level.map(|row| label(summary, &row.library)).collect();
    if !level.is_empty() {
        text += &format!(", level with {}", list(&few(&level)));
    }
    match rows[1..].iter().find(|row| !row.level) {
        Some(next) => {
            text += &format!(
                "; next {} at {}",
                label(summary, &next.library),
                times(next.ratio)
            );
        }
        None if level.is_empty() => text += "; no other library can do it",
        None => {}
    }
    text
}

/// A ratio as "1.31 times its time (95 % interval 1.22 to 1.49)".
fn times(ratio: Interval) -> String {
    match ratio.ends() {
        Some([low, high]) => format!(
            "{:.2} times its time (95 % interval {low:.2} to {high:.2})",
            ratio.mid
        ),
        None => format!(
            "{:.2} times its time (too few rounds for an interval)",
            ratio.mid
        ),
    }
}

/// The names of the chosen algorithms, of which there was a choice.
fn chosen(workload: &Workload, row: &Row) -> String {
    let choices = workload.choices();
    let open = row.algorithms.iter().zip(choices);
    let open = open.filter(|(_, choice)| choice.len() > 1);
    let names: Vec<String> = open.map(|(algorithm, _)| algorithm.to_string()).collect();
    names.join(", ")
}

fn libraries(
    summary: &Summary,
    workload: &Workload,
    found: &Recommendation,
    format: Format,
) -> Table {
    let people = format == Format::Table;
    let unit = format!(">ns a {}", workload.unit);
    let mut columns = vec!["library"];
    if people && workload.messages() == 1.0 {
        columns.push(&unit);
    } else {
        columns.push(">ns a message");
    }
    if workload.messages() != 1.0 {
        columns.push(&unit);
    }
    columns.push(">× best");
    if !people {
        columns.extend([">from", ">to", "level", "beyond measured lengths"]);
    }
    if workload.choices().iter().any(|choice| choice.len() > 1) {
        columns.push("with");
    }
    let mut table = Table::new(
        "libraries",
        sentence(summary, workload, &found.rows),
        &columns,
    );
    for row in &found.rows {
        let mark = if people && row.beyond { "≈" } else { "" };
        let ns = |ns: f64| Entry::number(ns, format!("{mark}{}", significant(ns)));
        let mut cells = vec![
            label(summary, &row.library).into(),
            ns(row.ns.mid / workload.messages()),
        ];
        if workload.messages() != 1.0 {
            cells.push(ns(row.ns.mid));
        }
        let sign = if people && row.level { "=" } else { "" };
        let ratio = row.ratio.mid;
        cells.push(Entry::number(ratio, format!("{sign}{ratio:.2}")));
        if !people {
            cells.extend(
                [row.ratio.low, row.ratio.high].map(|end| super::rank::end(row.ratio, end)),
            );
            cells.extend([row.level, row.beyond].map(|yes| if yes { "yes" } else { "no" }.into()));
        }
        if columns.contains(&"with") {
            cells.push(chosen(workload, row).into());
        }
        table.row(cells);
    }
    table.footnote = remarks(summary, workload, found);
    table
}

/// How many threads work at once, in words.
fn at_once(workload: &Workload) -> String {
    let threads: BTreeSet<u32> = workload.parts.iter().map(|part| part.threads).collect();
    match Vec::from_iter(threads)[..] {
        [1] => "on one thread".into(),
        [all] => format!("on {all} threads"),
        _ => "on the threads of each part".into(),
    }
}

/// The remarks below the table of libraries.
fn remarks(summary: &Summary, workload: &Workload, found: &Recommendation) -> String {
    let mut lines = Vec::new();
    let rows = &found.rows;
    if let Some(other) = rows.iter().find(|row| !row.level && row.ratio.mid > 1.0) {
        let rate = |row: &Row| significant(1e9 / row.ns.mid);
        lines.push(format!(
            "{} in place of {}: {} ns more a {unit}, {} {unit}s a second {} in place of {}",
            summary.name(&other.library),
            summary.name(&rows[0].library),
            significant(other.ns.mid - rows[0].ns.mid),
            rate(other),
            at_once(workload),
            rate(&rows[0]),
            unit = workload.unit,
        ));
    }
    if rows.iter().any(|row| row.level) {
        lines.push("= level with the first: the difference is too small to tell".into());
    }
    if rows.iter().any(|row| row.beyond) {
        lines.push(
            "≈ a message is outside the measured lengths: continued from the last two".into(),
        );
    }
    lines.push(format!(
        "predicted from run {} ({}, {})",
        summary.run.id, summary.run.started, summary.machine.line
    ));
    lines.push(format!(
        "source of the workload's numbers: {}",
        workload.source
    ));
    let represented = found
        .represented
        .iter()
        .map(|(id, by)| format!("{} (not {})", label(summary, by), label(summary, id)));
    let represented: Vec<String> = represented.collect();
    if !represented.is_empty() {
        lines.push(format!(
            "of several versions or builds of a library, one has a row: {}",
            represented.join(", ")
        ));
    }
    if rows.iter().any(|row| row.library.contains('@')) {
        lines.push("NAME@ROOT: the library of the system in --root ROOT".into());
    }
    lines.join("\n")
}

/// Which algorithm of a list, with and without the CPU's instructions.
fn ciphers(summary: &Summary, choice: &[Alternative], format: Format) -> Table {
    let mut columns = vec!["algorithm", "library", ">ns a message", ">× best"];
    let portable = choice.iter().any(|one| one.portable.is_some());
    if portable || format != Format::Table {
        columns.extend(["portable", ">portable ns"]);
    }
    let mut table = Table::new(
        "algorithms",
        "Which algorithm, each with its fastest library",
        &columns,
    );
    let level = choice.iter().filter(|one| one.level).count() > 1;
    let none = || ("not measured".to_owned(), Entry::none());
    let some = |name: String, ns: f64| (name, Entry::number(ns, significant(ns)));
    for one in choice {
        let best = one.best.as_ref();
        let (library, ns) = best.map_or_else(none, |(id, ns)| some(label(summary, id), ns.mid));
        let slow = one.portable.as_ref();
        let (variant, slow) = slow.map_or_else(none, |(id, ns)| some(id.clone(), ns.mid));
        let people = level && one.level && format == Format::Table;
        let sign = if people { "=" } else { "" };
        let ratio = one
            .ratio
            .map(|ratio| Entry::number(ratio.mid, format!("{sign}{:.2}", ratio.mid)));
        let cells = [
            one.algorithm.to_string().into(),
            library.into(),
            ns,
            ratio.unwrap_or_else(Entry::none),
            variant.into(),
            slow,
        ];
        table.row(cells.into_iter().take(columns.len()));
    }
    table.footnote = if portable {
        "portable: the fastest variant that uses no CPU instructions for cryptography".into()
    } else {
        "without CPU instructions for cryptography: not measured; `touchstone measure` measures \
         it with --library NAME~portable"
            .into()
    };
    table
}

/// Where the answer turns; for people, only the courses that have a turn.
fn courses(summary: &Summary, courses: &[Course], format: Format) -> Table {
    let people = format == Format::Table;
    let turns = |course: &&Course| !people || course.first.len() > 1;
    let mut table = Table::new(
        "turns",
        "Where the answer turns: the first library, or one level with it",
        &["part", "along", ">from", ">to", "library"],
    );
    for course in courses.iter().filter(turns) {
        let along = match course.along {
            Along::Length => "bytes",
            Along::MessagesPerKey => "messages per key",
        };
        for (index, (from, library)) in course.first.iter().enumerate() {
            let next = course.first.get(index + 1);
            let to = next.map_or(course.ends[1], |(at, _)| *at);
            let number = |value: f64| match value {
                v if v.is_infinite() => Entry::none(),
                v if v < 10.0 && v.fract() > 0.0 => Entry::number(v, format!("{v:.1}")),
                v => Entry::number(v, format!("{v:.0}")),
            };
            table.row([
                course.part.clone().into(),
                along.into(),
                number(*from),
                number(to),
                label(summary, library).into(),
            ]);
        }
    }
    table.footnote = "bytes: all messages of the part have this length; –: no end; a turn is \
                      between measured lengths, on straight lines"
        .into();
    if !courses.iter().all(|course| turns(&course)) {
        table.footnote += "; elsewhere one library stays the first";
    }
    table
}

/// Why libraries are not recommended: for people one row for each reason, the rarest first.
fn left_out(summary: &Summary, found: &Recommendation, format: Format) -> Table {
    let mut table = Table::new("left-out", "Not recommended", &["library", "why"]);
    if format != Format::Table {
        for (id, why) in &found.left_out {
            table.row([label(summary, id), why.clone()]);
        }
        return table;
    }
    table.columns = ["why", "libraries"].map(str::to_owned).to_vec();
    let mut reasons: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for (id, why) in &found.left_out {
        reasons.entry(why).or_default().push(label(summary, id));
    }
    let mut reasons: Vec<_> = reasons.into_iter().collect();
    reasons.sort_by_key(|(_, libraries)| libraries.len());
    for (why, libraries) in reasons {
        table.row([why.to_owned(), libraries.join(", ")]);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_size_has_a_share() {
        assert_eq!(share("1350"), Ok((1350, 1.0)));
        assert_eq!(share("16k:0.3"), Ok((16384, 0.3)));
        for bad in ["", "16:", "16:0", "16:-1", "x:1", "16:inf"] {
            assert!(share(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn the_command_that_measures_a_workload_names_its_algorithms_and_lengths() {
        let command = measure(&Workload::named("disk").unwrap());
        let algorithms = "'^(aes-256 xts-decrypt|aes-256 xts-encrypt)$'";
        assert!(command.contains(algorithms), "{command}");
        assert!(command.ends_with("--sizes 4096"), "{command}");
    }
}
