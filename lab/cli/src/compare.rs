//! Two runs of the same cells: what became slower, what faster, and what
//! cannot be told. `lab/METHOD.md` (Comparing two runs) has the reasons.

mod order;
mod student;

use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::adapters;
use crate::stats::{self, Interval, RESAMPLES, Resamples};
use crate::summary::{Cell, Library, Summary};

pub use order::{Order, order};

/// Where every bootstrap here starts; see [`stats`].
const SEED: u64 = 0x636f_6d70_6172_6521;

/// Two runs of the very same code differ by this much, whatever the rounds
/// within each say: memory is laid out anew. A standard deviation.
pub const FLOOR: f64 = 0.005;

/// The share of false findings among the findings that is put up with.
pub const FALSE_DISCOVERIES: f64 = 0.05;

/// Cells of one library from which its run-to-run noise can be estimated.
const ENOUGH: usize = 30;

/// Which cells, and from what change on.
#[derive(Debug, Clone)]
pub struct Options {
    /// The least change that matters: 0.02 is 2 %.
    pub threshold: f64,
    /// Ids of libraries; empty for all.
    pub libraries: Vec<String>,
    /// Only algorithms (`primitive operation`) in which this is found.
    pub algorithm: Option<regex::Regex>,
}

/// What is said of a cell that both runs have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// Slower by the threshold or more, beyond noise.
    Slower,
    /// Faster by as much.
    Faster,
    /// Neither.
    Tie,
    /// Flagged, or a single round: no test is possible.
    Unjudged,
}

impl Verdict {
    /// All, in the order in which they are shown.
    pub const ALL: [Self; 4] = [Self::Slower, Self::Faster, Self::Tie, Self::Unjudged];

    /// The word for it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Slower => "slower",
            Self::Faster => "faster",
            Self::Tie => "tie",
            Self::Unjudged => "not judged",
        }
    }
}

/// What identifies a cell in both runs.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key {
    /// Primitive id.
    pub primitive: String,
    /// Operation id.
    pub operation: String,
    /// Contract name.
    pub contract: String,
    /// Message bytes.
    pub bytes: u64,
    /// Threads.
    pub threads: u32,
    /// Messages of one call.
    pub messages: u32,
}

impl Key {
    fn of(cell: &Cell) -> Self {
        Self {
            primitive: cell.primitive.clone(),
            operation: cell.operation.clone(),
            contract: cell.contract.clone(),
            bytes: cell.bytes,
            threads: cell.threads,
            messages: cell.messages,
        }
    }
}

/// One library's cell in both runs.
#[derive(Debug, Clone, PartialEq)]
pub struct Change {
    /// The task.
    pub key: Key,
    /// Library id.
    pub library: String,
    /// Nanoseconds per call, before and now.
    pub ns: [f64; 2],
    /// What all libraries of the task have in common, as a ratio of times.
    pub drift: f64,
    /// Time now over time before, the drift taken out, with its 95 % interval;
    /// without width where it could not be judged.
    pub ratio: Interval,
    /// Benjamini and Hochberg's adjusted p-value: findings up to here contain
    /// this share of false ones.
    pub q: f64,
    /// What it comes to.
    pub verdict: Verdict,
}

/// Two runs set against each other.
#[derive(Debug)]
pub struct Comparison {
    /// Cells that both runs have: the slowest change first.
    pub changes: Vec<Change>,
    /// Cells that only the first, or only the second run has.
    pub only: [Vec<(Key, String)>; 2],
    /// The factor by which run-to-run noise exceeds what rounds and [`FLOOR`]
    /// explain, estimated from libraries that did not change; at least 1.
    pub inflation: f64,
}

impl Comparison {
    /// How many cells got a verdict.
    pub fn count(&self, verdict: Verdict) -> usize {
        self.changes.iter().filter(|c| c.verdict == verdict).count()
    }
}

/// A cell's change before all others are known.
struct Effect {
    key: Key,
    library: String,
    ns: [f64; 2],
    drift: f64,
    /// Logarithm of the ratio, drift taken out; its standard error and degrees
    /// of freedom. `None` where no test is possible.
    test: Option<Test>,
    unchanged: bool,
}

struct Test {
    log: f64,
    error: f64,
    freedom: f64,
}

/// Compares the cells of two runs.
pub fn compare(before: &Summary, now: &Summary, options: &Options) -> Comparison {
    let tasks = [by_task(before), by_task(now)];
    let mut draws = Draws::default();
    let mut effects = Vec::new();
    let mut only = [Vec::new(), Vec::new()];
    let keys: BTreeSet<&Key> = tasks.iter().flat_map(BTreeMap::keys).collect();
    let unchanged: BTreeSet<&str> = before
        .libraries
        .iter()
        .filter(|l| !changed(l, now))
        .map(|l| l.id.as_str())
        .collect();
    for key in keys {
        let none = BTreeMap::new();
        let [old, new] = [0, 1].map(|run| tasks[run].get(key).unwrap_or(&none));
        for (run, (here, there)) in [(old, new), (new, old)].into_iter().enumerate() {
            let missing = here.keys().filter(|library| !there.contains_key(*library));
            only[run].extend(missing.map(|library| (key.clone(), (*library).to_owned())));
        }
        effects.extend(task(key, old, new, &unchanged, &mut draws));
    }
    let inflation = inflation(&effects);

    let selected = |key: &Key, library: &str| {
        (options.libraries.is_empty() || options.libraries.iter().any(|id| id == library))
            && options
                .algorithm
                .as_ref()
                .is_none_or(|r| r.is_match(&format!("{} {}", key.primitive, key.operation)))
    };
    effects.retain(|e| selected(&e.key, &e.library));
    for side in &mut only {
        side.retain(|(key, library)| selected(key, library));
    }
    let mut changes: Vec<Change> = effects.into_iter().map(|e| e.judge(inflation)).collect();
    adjust(&mut changes);
    for change in &mut changes {
        let least = 1.0 + options.threshold;
        if change.verdict != Verdict::Unjudged && change.q <= FALSE_DISCOVERIES {
            if change.ratio.mid >= least {
                change.verdict = Verdict::Slower;
            } else if change.ratio.mid <= 1.0 / least {
                change.verdict = Verdict::Faster;
            }
        }
    }
    changes.sort_by(|a, b| {
        let last = |c: &Change| c.verdict == Verdict::Unjudged;
        (last(a).cmp(&last(b)))
            .then(b.ratio.mid.total_cmp(&a.ratio.mid))
            .then_with(|| (&a.key, &a.library).cmp(&(&b.key, &b.library)))
    });
    Comparison {
        changes,
        only,
        inflation,
    }
}

/// Whether a library is another one in the other run: another version, another
/// object, or gone.
pub fn changed(library: &Library, other: &Summary) -> bool {
    let same = |l: &&Library| {
        (&l.id, &l.name, &l.version, l.absent.is_empty())
            == (
                &library.id,
                &library.name,
                &library.version,
                library.absent.is_empty(),
            )
    };
    !other.libraries.iter().any(|l| same(&l))
}

type Cells<'a> = BTreeMap<&'a str, &'a Cell>;

fn by_task(summary: &Summary) -> BTreeMap<Key, Cells<'_>> {
    let mut tasks: BTreeMap<Key, Cells<'_>> = BTreeMap::new();
    for cell in &summary.cells {
        tasks
            .entry(Key::of(cell))
            .or_default()
            .insert(&cell.library, cell);
    }
    tasks
}

/// The bootstrap's draws, one set for each number of rounds: libraries of one
/// task are drawn jointly, so what a round did to all of them cancels.
#[derive(Default)]
struct Draws(HashMap<(usize, u64), Resamples>);

impl Draws {
    fn of(&mut self, rounds: usize, run: u64) -> &Resamples {
        self.0
            .entry((rounds, run))
            .or_insert_with(|| Resamples::new(rounds, stats::stream(SEED, run)))
    }
}

/// Logarithm of the ratio of one library's medians: the value, then the draws.
struct Logs {
    value: f64,
    draws: Vec<f64>,
    rounds: usize,
}

fn logs(old: &Cell, new: &Cell, draws: &mut Draws) -> Option<Logs> {
    let rounds = old.samples.len().min(new.samples.len());
    if rounds < 2 || !old.flags.is_empty() || !new.flags.is_empty() {
        return None;
    }
    let mut medians = |cell: &Cell, run| draws.of(cell.samples.len(), run).medians(&cell.samples);
    let (a, b) = (medians(old, 0), medians(new, 1));
    Some(Logs {
        value: (new.ns.mid / old.ns.mid).ln(),
        draws: b.iter().zip(&a).map(|(b, a)| (b / a).ln()).collect(),
        rounds,
    })
}

/// Every library that both runs have in one task.
fn task(
    key: &Key,
    old: &Cells<'_>,
    new: &Cells<'_>,
    unchanged: &BTreeSet<&str>,
    draws: &mut Draws,
) -> Vec<Effect> {
    let both: Vec<(&str, &Cell, &Cell)> = old
        .iter()
        .filter_map(|(library, cell)| Some((*library, *cell, *new.get(library)?)))
        .collect();
    let all: Vec<Option<Logs>> = both.iter().map(|(_, a, b)| logs(a, b, draws)).collect();
    let clock = both
        .first()
        .and_then(|(_, a, b)| Some((a.mhz? / b.mhz?).ln()));
    let effect = |index: usize| {
        let (library, a, b) = both[index];
        let references: Vec<&Logs> = (0..both.len())
            .filter(|&other| adapters::plain(both[other].0) != adapters::plain(library))
            .filter(|&other| unchanged.contains(both[other].0))
            .filter_map(|other| all[other].as_ref())
            .collect();
        let drift = |value: &dyn Fn(&Logs) -> f64| {
            let votes: Vec<f64> = references.iter().map(|logs| value(logs)).collect();
            common(votes, clock)
        };
        let shift = drift(&|logs| logs.value);
        let test = all[index].as_ref().map(|own| {
            let drawn: Vec<f64> = (0..RESAMPLES)
                .map(|k| own.draws[k] - drift(&|logs| logs.draws[k]))
                .collect();
            let variance = spread(drawn).powi(2);
            let total = variance + FLOOR * FLOOR;
            // Welch and Satterthwaite: the floor is known, the rounds are few.
            let freedom = total * total * (own.rounds - 1) as f64 / (variance * variance);
            Test {
                log: own.value - shift,
                error: total.sqrt(),
                freedom,
            }
        });
        Effect {
            key: key.clone(),
            library: library.to_owned(),
            ns: [a.ns.mid, b.ns.mid],
            drift: shift.exp(),
            test,
            unchanged: unchanged.contains(library),
        }
    };
    (0..both.len()).map(effect).collect()
}

/// The shift that a task's other libraries and the clock have in common. The
/// median of three or more bears one that changed by itself. Two are believed
/// as far as they agree. The clock alone is believed, a library alone is not:
/// nobody could tell which of the two libraries changed.
fn common(mut votes: Vec<f64>, clock: Option<f64>) -> f64 {
    let others = votes.len();
    votes.extend(clock);
    match votes[..] {
        [] => 0.0,
        [one] => {
            if others == 0 {
                one
            } else {
                0.0
            }
        }
        [a, b] => {
            if a * b <= 0.0 {
                0.0
            } else if a.abs() < b.abs() {
                a
            } else {
                b
            }
        }
        _ => stats::median(&votes),
    }
}

/// Half the middle 68 % of the draws: the standard deviation, without the tails.
fn spread(mut draws: Vec<f64>) -> f64 {
    draws.sort_unstable_by(f64::total_cmp);
    (stats::quantile(&draws, 0.841) - stats::quantile(&draws, 0.159)) / 2.0
}

/// How much wider than expected the changes of unchanged libraries scatter:
/// each library's scatter about its own middle, and the middle library's, so
/// that one with a new build under an old version does not hide itself.
fn inflation(effects: &[Effect]) -> f64 {
    let mut scores: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
    for effect in effects.iter().filter(|e| e.unchanged) {
        if let Some(test) = &effect.test {
            scores
                .entry(&effect.library)
                .or_default()
                .push(test.log / test.error);
        }
    }
    let scatter: Vec<f64> = scores
        .values()
        .filter(|scores| scores.len() >= ENOUGH)
        .map(|scores| {
            let middle = stats::median(scores);
            let distances: Vec<f64> = scores.iter().map(|s| (s - middle).abs()).collect();
            // Of a normal distribution, half lies within 0.6745 standard deviations.
            stats::median(&distances) / 0.6745
        })
        .collect();
    if scatter.is_empty() {
        1.0
    } else {
        stats::median(&scatter).max(1.0)
    }
}

impl Effect {
    /// The change, a tie as yet; `q` is the p-value until it is adjusted.
    fn judge(self, inflation: f64) -> Change {
        let raw = self.ns[1] / self.ns[0] / self.drift;
        let (ratio, q, verdict) = match self.test {
            None => (Interval::exact(raw), 1.0, Verdict::Unjudged),
            Some(test) => {
                let error = test.error * inflation;
                let half = student::critical(0.05, test.freedom) * error;
                let ratio = Interval {
                    low: (test.log - half).exp(),
                    mid: test.log.exp(),
                    high: (test.log + half).exp(),
                };
                let p = student::two_sided(test.log / error, test.freedom);
                (ratio, p, Verdict::Tie)
            }
        };
        Change {
            key: self.key,
            library: self.library,
            ns: self.ns,
            drift: self.drift,
            ratio,
            q,
            verdict,
        }
    }
}

/// Turns p-values into Benjamini and Hochberg's adjusted ones (*Controlling the
/// False Discovery Rate*, J. R. Statist. Soc. B 57, 1995).
fn adjust(changes: &mut [Change]) {
    let mut order: Vec<usize> = (0..changes.len())
        .filter(|&i| changes[i].verdict != Verdict::Unjudged)
        .collect();
    order.sort_by(|&a, &b| changes[b].q.total_cmp(&changes[a].q));
    let tests = order.len();
    let mut least = 1.0_f64;
    for (behind, index) in order.into_iter().enumerate() {
        let place = (tests - behind) as f64;
        least = least.min(changes[index].q * tests as f64 / place);
        changes[index].q = least;
    }
}

#[cfg(test)]
mod tests;
