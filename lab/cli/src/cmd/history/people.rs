//! The tables of `touchstone history` on a terminal: an algorithm and what all its lines share stand in
//! the title, so that a line of the history is a line of 80 characters.

use std::collections::{BTreeMap, BTreeSet};

use super::{Options, algorithm, causes, day, of_moment, per_cent};
use crate::cmd::measure::{ns, significant};
use crate::history::{Line, Turning};
use crate::stats::change::SHORTEST;
use crate::table::{Entry, Table};

/// The lines of each algorithm at each length.
fn by_algorithm(lines: &[Line]) -> Vec<Vec<&Line>> {
    let mut groups: BTreeMap<_, Vec<&Line>> = BTreeMap::new();
    for line in lines {
        let key = (&line.primitive, &line.operation, line.bytes);
        groups.entry(key).or_default().push(line);
    }
    groups.into_values().collect()
}

/// The machine and the library of lines, where all have the same; they need no column.
struct Shared {
    machine: Option<String>,
    library: Option<String>,
}

impl Shared {
    fn of<'a>(lines: impl Iterator<Item = &'a Line> + Clone) -> Self {
        let one = |all: BTreeSet<String>| match all.len() {
            1 => all.into_iter().next(),
            _ => None,
        };
        Self {
            machine: one(lines.clone().map(Line::title).collect()),
            library: one(lines.map(|line| line.name.clone()).collect()),
        }
    }

    /// The columns of machine and library, as far as there must be any.
    fn columns(&self) -> Vec<&'static str> {
        let columns = [("machine", &self.machine), ("library", &self.library)];
        let needed = columns.into_iter().filter(|(_, shared)| shared.is_none());
        needed.map(|(name, _)| name).collect()
    }

    fn entries(&self, machine: &str, library: &str) -> Vec<Entry> {
        let entries = [(machine, &self.machine), (library, &self.library)];
        let needed = entries.into_iter().filter(|(_, shared)| shared.is_none());
        needed.map(|(text, _)| text.into()).collect()
    }

    /// "OpenSSL on node1 (a CPU, 2 CPUs)", as far as all lines share it.
    fn text(&self) -> String {
        match (&self.library, &self.machine) {
            (Some(library), Some(machine)) => format!(", {library} on {machine}"),
            (Some(one), None) => format!(", {one}"),
            (None, Some(one)) => format!(", on {one}"),
            (None, None) => String::new(),
        }
    }
}

/// One table for each algorithm and length.
pub(super) fn overviews(lines: &[Line], options: &Options) -> Vec<Table> {
    let groups = by_algorithm(lines).into_iter();
    let mut tables: Vec<Table> = groups.map(|lines| overview(&lines, options)).collect();
    if let Some(last) = tables.last_mut() {
        last.footnote =
            "ns first, ns last: the medians before the first change and after the last; \
                         lower is better"
                .into();
    }
    tables
}

fn overview(lines: &[&Line], options: &Options) -> Table {
    let shared = Shared::of(lines.iter().copied());
    let moments = || lines.iter().flat_map(|line| &line.moments);
    let days: BTreeSet<&str> = moments().map(|moment| day(&moment.started)).collect();
    let title = format!(
        "{}, {}{}, {} to {}",
        algorithm(lines[0]),
        options.contract.name(),
        shared.text(),
        days.first().unwrap_or(&""),
        days.last().unwrap_or(&"")
    );
    let mut columns = shared.columns();
    columns.extend([
        "version",
        ">runs",
        ">ns first",
        ">ns last",
        ">changed",
        ">changes",
    ]);
    let mut table = Table::new("lines", title, &columns);
    for line in lines {
        let [before, now] = line.ends();
        let last = line.moments.last();
        let mut row = shared.entries(&line.machine, &line.name);
        row.extend([
            last.map_or("", |moment| first_part(&moment.version)).into(),
            line.moments.len().to_string().into(),
            ns(before),
            ns(now),
            per_cent(now / before),
            line.turnings.len().to_string().into(),
        ]);
        table.row(row);
    }
    table
}

/// The first part of a version: a library of many crates has a version for each.
fn first_part(version: &str) -> &str {
    version.split(", ").next().unwrap_or(version)
}

/// The changes, the newest first. Those that are the machine's have one row for all its libraries.
pub(super) fn changes(all: &[(&Line, &Turning)], mut table: Table) -> Table {
    let shared = Shared::of(all.iter().map(|(line, _)| *line));
    let algorithms: BTreeSet<String> = all.iter().map(|(line, _)| algorithm(line)).collect();
    table.title += &shared.text();
    if let (1, Some(only)) = (algorithms.len(), algorithms.first()) {
        table.title += &format!(", {only}");
    }
    let mut columns = vec!["day", ">run"];
    columns.extend(shared.columns());
    columns.extend([">ns was", ">ns is", ">changed", "what else changed"]);
    table.columns = columns.into_iter().map(str::to_owned).collect();
    table.below = true;
    let mut told: Vec<(&str, usize, bool)> = Vec::new();
    for (line, turning) in all {
        let moment = line.turned(turning);
        let mut words = causes(turning);
        let mut row: Vec<Entry> = vec![day(&moment.started).into(), moment.run.to_string().into()];
        if turning.is_of_the_machine() {
            // A line can turn a run or two before another.
            let this = (line.machine.as_str(), turning.at, turning.ratio() > 1.0);
            let is_same = |other: &(&str, usize, bool)| {
                (this.0, this.2) == (other.0, other.2) && this.1.abs_diff(other.1) < SHORTEST
            };
            if told.iter().any(is_same) {
                continue;
            }
            told.push(this);
            let [same, of] = turning.together;
            words = format!("the machine, {same} of {of} libraries: {words}");
            row.extend(shared.entries(&line.machine, &format!("{same} libraries")));
            row.extend([Entry::none(), Entry::none(), per_cent(turning.ratio())]);
        } else {
            if algorithms.len() > 1 {
                words = format!("{}: {words}", algorithm(line));
            }
            row.extend(shared.entries(&line.machine, &line.name));
            row.extend([
                Entry::number(turning.before, significant(turning.before)),
                Entry::number(turning.after, significant(turning.after)),
                per_cent(turning.ratio()),
            ]);
        }
        row.push(words.into());
        table.row(row);
    }
    table
}

/// One table for each line.
pub(super) fn points(lines: &[Line]) -> Vec<Table> {
    let table = |line: &Line| {
        let title = format!("{}, {} on {}", algorithm(line), line.name, line.title());
        let columns = ["version", ">run", "started", ">ns", ">from", ">to"];
        let mut table = Table::new("points", title, &columns);
        for moment in &line.moments {
            table.row(of_moment(moment));
        }
        table
    };
    lines.iter().map(table).collect()
}
