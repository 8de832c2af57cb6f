//! Histories: the times of an algorithm over runs, one line for each machine and library, and the
//! points at which a line changes its level.

mod cause;
pub mod page;
pub mod since;

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, BTreeSet, HashMap};

use serde::Serialize;
use touchstone_wire::Contract;

use crate::machine;
use crate::points;
use crate::stats::change::{self, SHORTEST};
use crate::stats::{self, Interval};
use crate::store::{Cells, Reading, Start, Store};
use crate::summarise::summarise_some;
use crate::summary::{Library, name_among};
use crate::wanted::Algorithms;

/// The length that a history shows unless the user asks for others: the longest up to this one.
const USUAL_BYTES: u64 = 16384;

/// Libraries of a machine that must change in the same run before the machine is the reason.
const WITNESSES: usize = 3;

/// What a history shows.
#[derive(Debug, Clone)]
pub struct Wanted {
    /// The algorithms.
    pub algorithms: Algorithms,
    /// Only these libraries, by id or display name; all if empty.
    pub libraries: Vec<String>,
    /// Only these machines; all if empty.
    pub machines: Vec<String>,
    /// Lengths in bytes. If empty, the longest length up to 16 KiB.
    pub sizes: Vec<u64>,
    /// The contract.
    pub contract: Contract,
    /// Number of threads.
    pub threads: u32,
    /// The least change of level that is shown, as a share.
    pub threshold: f64,
}

/// One run in a line.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Moment {
    /// The number of the run.
    pub run: i64,
    /// The time of the start in UTC (RFC 3339).
    pub started: String,
    /// The library's version.
    pub version: String,
    /// Nanoseconds per call with the 95 % interval.
    pub ns: Interval,
}

/// A change of level.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Turning {
    /// The index of the first moment after the change.
    pub at: usize,
    /// Nanoseconds before: the median over the runs since the previous change.
    pub before: f64,
    /// Nanoseconds after: the median over the runs until the next change.
    pub after: f64,
    /// How many of the machine's libraries changed in the same way in the same run, and of how
    /// many.
    pub together: [usize; 2],
    /// What differs between the run before and the run after.
    pub causes: Vec<String>,
}

impl Turning {
    /// Returns the time after divided by the time before.
    pub fn ratio(&self) -> f64 {
        self.after / self.before
    }

    /// Returns whether most of the machine's libraries changed in the same way: then the machine
    /// changed, and no library.
    pub fn is_of_the_machine(&self) -> bool {
        self.together[0] >= WITNESSES && 2 * self.together[0] > self.together[1]
    }
}

/// The times of one library on one machine for one algorithm and length.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Line {
    /// The machine's name.
    pub machine: String,
    /// The machine's CPU and number of CPUs in the newest run.
    pub model: String,
    /// The library's id.
    pub library: String,
    /// The library's display name in the newest run.
    pub name: String,
    /// The primitive's id.
    pub primitive: String,
    /// The operation's id.
    pub operation: String,
    /// The length of the message in bytes.
    pub bytes: u64,
    /// The runs, by the time of their start.
    pub moments: Vec<Moment>,
    /// The changes of level, in order.
    pub turnings: Vec<Turning>,
}

impl Line {
    /// Returns the machine's name with its model.
    pub fn title(&self) -> String {
        machine::titled(&self.machine, &self.model)
    }

    /// Returns the level before the first change and after the last: medians of nanoseconds.
    pub fn ends(&self) -> [f64; 2] {
        match (self.turnings.first(), self.turnings.last()) {
            (Some(first), Some(last)) => [first.before, last.after],
            _ => {
                let times: Vec<f64> = self.moments.iter().map(|moment| moment.ns.mid).collect();
                let level = match times.is_empty() {
                    true => f64::NAN,
                    false => stats::median(&times),
                };
                [level, level]
            }
        }
    }

    /// Returns the first moment after a change.
    pub fn turned(&self, turning: &Turning) -> &Moment {
        &self.moments[turning.at]
    }
}

/// Returns the algorithms of which a store has times.
pub fn algorithms(store: &Store) -> anyhow::Result<Vec<(String, String)>> {
    let mut known: BTreeSet<(String, String)> =
        store.algorithms_with_points()?.into_iter().collect();
    for start in unsummarised(store)? {
        let tasks = store.done(start.run)?.into_iter();
        known.extend(tasks.map(|task| (task.primitive, task.operation)));
    }
    Ok(known.into_iter().collect())
}

/// Returns the runs whose times have to be computed from their samples.
fn unsummarised(store: &Store) -> anyhow::Result<Vec<Start>> {
    let mut starts = store.starts()?;
    starts.retain(|start| !start.summarised);
    Ok(starts)
}

/// Returns the lines by algorithm, length, machine and library.
pub fn lines(store: &Store, wanted: &Wanted) -> anyhow::Result<Vec<Line>> {
    let starts = store.starts()?;
    let began: HashMap<i64, &str> = starts
        .iter()
        .map(|start| (start.run, start.started.as_str()))
        .collect();
    let mut lines: BTreeMap<[String; 4], BTreeMap<u64, Vec<Moment>>> = BTreeMap::new();
    let mut add = |algorithm: &(String, String), reading: Reading| {
        if !wanted.machines.is_empty() && !wanted.machines.contains(&reading.machine) {
            return;
        }
        let key = [
            algorithm.0.clone(),
            algorithm.1.clone(),
            reading.machine,
            reading.library,
        ];
        let moments = lines
            .entry(key)
            .or_default()
            .entry(reading.bytes)
            .or_default();
        moments.push(Moment {
            run: reading.run,
            started: began
                .get(&reading.run)
                .map_or_else(String::new, |at| (*at).to_owned()),
            version: reading.version,
            ns: reading.ns,
        });
    };
    let computed = computed(store, wanted)?;
    for algorithm in &wanted.algorithms {
        let own: Vec<&(_, Reading)> = computed.iter().filter(|(of, _)| of == algorithm).collect();
        let cells = |bytes| Cells {
            primitive: algorithm.0.clone(),
            operation: algorithm.1.clone(),
            contract: wanted.contract,
            threads: wanted.threads,
            bytes,
            machine: match &wanted.machines[..] {
                [one] => one.clone(),
                _ => String::new(),
            },
        };
        let stored = store.lengths(&cells(0))?;
        let there: BTreeSet<u64> = stored
            .into_iter()
            .chain(own.iter().map(|(_, reading)| reading.bytes))
            .collect();
        for bytes in chosen(&there, &wanted.sizes) {
            for reading in store.readings(&cells(bytes))? {
                add(algorithm, reading);
            }
            for (_, reading) in own.iter().filter(|(_, reading)| reading.bytes == bytes) {
                add(algorithm, reading.clone());
            }
        }
    }
    let mut found = Vec::new();
    let mut names = Names::default();
    for ([primitive, operation, machine, library], sizes) in lines {
        for (bytes, mut moments) in sizes {
            moments.sort_by(|a, b| (&a.started, a.run).cmp(&(&b.started, b.run)));
            let name = match moments.last() {
                Some(newest) => names.of(store, newest.run, &library)?,
                None => library.clone(),
            };
            let times: Vec<f64> = moments.iter().map(|moment| moment.ns.mid).collect();
            let turnings = change::changes(&times)
                .into_iter()
                .map(|change| Turning {
                    at: change.at,
                    before: change.before,
                    after: change.after,
                    together: [1, 1],
                    causes: Vec::new(),
                })
                .filter(|turning| turning.ratio().ln().abs() >= wanted.threshold.ln_1p())
                .collect();
            found.push(Line {
                machine: machine.clone(),
                model: String::new(),
                library: library.clone(),
                name,
                primitive: primitive.clone(),
                operation: operation.clone(),
                bytes,
                moments,
                turnings,
            });
        }
    }
    // A change of the machine shows in all its libraries, so that the choice comes after it.
    together(&mut found);
    if !wanted.libraries.is_empty() {
        found.retain(|line| {
            let mut wishes = wanted.libraries.iter();
            wishes.any(|wish| {
                [&line.library, &line.name]
                    .iter()
                    .any(|id| wish.eq_ignore_ascii_case(id))
            })
        });
    }
    models(store, &mut found)?;
    annotate(store, &mut found)?;
    Ok(found)
}

/// The display names of libraries. The libraries of each run are read once.
#[derive(Default)]
struct Names(HashMap<i64, Vec<Library>>);

impl Names {
    /// Returns a library's display name in a run.
    fn of(&mut self, store: &Store, run: i64, id: &str) -> anyhow::Result<String> {
        let libraries = match self.0.entry(run) {
            Entry::Occupied(entry) => entry.into_mut(),
            Entry::Vacant(entry) => entry.insert(store.libraries(run)?),
        };
        Ok(name_among(libraries, id))
    }
}

/// Returns the changes from a day on by which a library became slower and is slower still. Changes
/// of the machine are left out.
pub fn regressions<'a>(
    lines: &'a [Line],
    since: &'a str,
) -> impl Iterator<Item = (&'a Line, &'a Turning)> {
    lines.iter().flat_map(move |line| {
        let is_lasting = move |turning: &&Turning| {
            turning.ratio() > 1.0
                && !turning.is_of_the_machine()
                && line.turned(turning).started.as_str() >= since
                && line.ends()[1] > turning.before
        };
        let lasting = line.turnings.iter().filter(is_lasting);
        lasting.map(move |turning| (line, turning))
    })
}

/// Returns the lengths to show.
fn chosen(there: &BTreeSet<u64>, asked: &[u64]) -> Vec<u64> {
    if asked.is_empty() {
        let usual = there.range(..=USUAL_BYTES).next_back();
        return usual.or(there.first()).copied().into_iter().collect();
    }
    let is_asked = |bytes: &&u64| asked.contains(bytes);
    there.iter().filter(is_asked).copied().collect()
}

/// Computes the times of runs of which the store has only samples.
fn computed(store: &Store, wanted: &Wanted) -> anyhow::Result<Vec<((String, String), Reading)>> {
    let mut all = Vec::new();
    for start in unsummarised(store)? {
        let is_wanted = |primitive: &str, operation: &str| {
            let mut algorithms = wanted.algorithms.iter();
            algorithms.any(|(p, o)| p == primitive && o == operation)
        };
        let summary = summarise_some(store, start.run, &is_wanted)?;
        let machine = machine::name(&summary.machine);
        for point in points::of(&summary) {
            let task = point.task;
            if (task.contract, task.threads, task.messages) == (wanted.contract, wanted.threads, 1)
            {
                let reading = Reading {
                    machine: machine.clone(),
                    library: point.library,
                    version: point.version,
                    bytes: task.bytes,
                    run: start.run,
                    ns: point.ns,
                };
                all.push(((task.primitive, task.operation), reading));
            }
        }
    }
    Ok(all)
}

/// Counts for each change how many libraries of the machine changed in the same way at about the
/// same time: at most [`SHORTEST`] − 1 runs apart.
fn together(lines: &mut [Line]) {
    /// A change: the line's machine and library, the number of the run among the machine's, and
    /// whether it is slower.
    type Event = (String, String, usize, bool);
    let mut runs: BTreeMap<String, BTreeSet<(String, i64)>> = BTreeMap::new();
    let mut libraries: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for line in lines.iter() {
        let own = runs.entry(line.machine.clone()).or_default();
        own.extend(
            line.moments
                .iter()
                .map(|moment| (moment.started.clone(), moment.run)),
        );
        let own = libraries.entry(line.machine.clone()).or_default();
        own.insert(line.library.clone());
    }
    let places: BTreeMap<String, HashMap<i64, usize>> = runs
        .into_iter()
        .map(|(machine, runs)| {
            let places = runs.into_iter().enumerate();
            (
                machine,
                places.map(|(place, (_, run))| (run, place)).collect(),
            )
        })
        .collect();
    let event = |line: &Line, turning: &Turning| -> Event {
        let place = places[&line.machine][&line.turned(turning).run];
        (
            line.machine.clone(),
            line.library.clone(),
            place,
            turning.ratio() > 1.0,
        )
    };
    let events: Vec<Event> = lines
        .iter()
        .flat_map(|line| {
            line.turnings
                .iter()
                .map(move |turning| event(line, turning))
        })
        .collect();
    let counts: Vec<Vec<[usize; 2]>> = lines
        .iter()
        .map(|line| {
            let of = |turning: &Turning| {
                let (machine, _, place, slower) = event(line, turning);
                let same = events.iter().filter(|other| {
                    other.0 == machine && other.2.abs_diff(place) < SHORTEST && other.3 == slower
                });
                let same: BTreeSet<&str> = same.map(|other| other.1.as_str()).collect();
                [same.len(), libraries[&machine].len()]
            };
            line.turnings.iter().map(of).collect()
        })
        .collect();
    for (line, counts) in lines.iter_mut().zip(counts) {
        for (turning, together) in line.turnings.iter_mut().zip(counts) {
            turning.together = together;
        }
    }
}

/// Writes to each line the model of its machine.
fn models(store: &Store, lines: &mut [Line]) -> anyhow::Result<()> {
    let mut newest: BTreeMap<String, (String, i64)> = BTreeMap::new();
    for line in lines.iter() {
        let run = newest.entry(line.machine.clone()).or_default();
        if let Some(last) = line.moments.last() {
            *run = (last.started.clone(), last.run).max(run.clone());
        }
    }
    let mut models: HashMap<String, String> = HashMap::new();
    for (name, (_, run)) in newest {
        let row = store.run(Some(run), false)?;
        models.insert(name, machine::model(&row.machine));
    }
    for line in lines {
        line.model = models.get(&line.machine).cloned().unwrap_or_default();
    }
    Ok(())
}

/// Writes to each change what differs between the runs on both sides of it.
fn annotate(store: &Store, lines: &mut [Line]) -> anyhow::Result<()> {
    let mut runs = HashMap::new();
    for line in lines {
        let moments = &line.moments;
        for turning in &mut line.turnings {
            let sides = [turning.at - 1, turning.at].map(|at| moments[at].run);
            for run in sides {
                if let Entry::Vacant(entry) = runs.entry(run) {
                    entry.insert((store.run(Some(run), false)?, store.libraries(run)?));
                }
            }
            let [(before, were), (now, are)] = sides.map(|run| &runs[&run]);
            let of = |libraries: &'_ [Library]| {
                libraries
                    .iter()
                    .find(|library| library.id == line.library)
                    .cloned()
            };
            let (was, is) = (of(were), of(are));
            turning.causes = cause::between((before, was.as_ref()), (now, is.as_ref()));
        }
    }
    Ok(())
}
