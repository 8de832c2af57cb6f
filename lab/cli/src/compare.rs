//! Compares two runs of the same cells: which cells became slower, which became faster, and for
//! which there is no verdict. `lab/METHOD.md` (Comparing two runs) gives the reasons.

mod order;

use std::collections::{BTreeMap, BTreeSet};

use crate::adapters;
use crate::catalogue;
use crate::stats::{self, FEWEST, Interval, RESAMPLES, Resamples, resample, student};
use crate::summary::{Cell, Library, Summary};
use crate::wanted::Algorithms;

pub use order::{Order, order};

/// The seed of every bootstrap in this module; see [`stats`].
const SEED: u64 = 0x636f_6d70_6172_6521;

/// The accepted share of false findings among all findings.
pub const FALSE_DISCOVERIES: f64 = 0.05;

/// If a library has fewer cells than this, its noise between runs cannot be estimated.
const ENOUGH: usize = 30;

/// If a task has fewer control libraries than this, the variance between them cannot be estimated.
const SCATTER: usize = 3;

/// The variance between control libraries counts as load only if it is this many times
/// the variance that noise explains.
const LOADED: f64 = 4.0;

/// Both runs count as idle if the load average before each, divided by the number of
/// CPUs, is below this.
const IDLE: f64 = 0.1;

/// Why a change gets no verdict if it could come from load on the machine.
const UNCONTROLLED: &str =
    "no unchanged libraries beside it to tell a load by, and the machine was not idle";

/// Which cells to compare, and which changes to report.
#[derive(Debug, Clone)]
pub struct Options {
    /// The smallest change that matters: 0.02 is 2 %.
    pub threshold: f64,
    /// The ids of the libraries to compare; empty for all libraries.
    pub libraries: Vec<String>,
    /// Only these algorithms are compared; all if absent.
    pub algorithms: Option<Algorithms>,
}

/// The verdict on a cell that both runs have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// The cell became slower by more than the threshold, beyond noise.
    Slower,
    /// The cell became faster by more than the threshold, beyond noise.
    Faster,
    /// No change beyond the threshold is shown.
    Tie,
    /// No verdict is possible; [`Change::missing`] gives the reason.
    Unjudged,
}

impl Verdict {
    /// All verdicts, in the order in which they are shown.
    pub const ALL: [Self; 4] = [Self::Slower, Self::Faster, Self::Tie, Self::Unjudged];

    /// Returns the verdict as a word.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Slower => "slower",
            Self::Faster => "faster",
            Self::Tie => "tie",
            Self::Unjudged => "not judged",
        }
    }
}

/// The fields that identify a task in both runs.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key {
    /// The primitive's id.
    pub primitive: String,
    /// The operation's id.
    pub operation: String,
    /// The contract's name.
    pub contract: String,
    /// Length of the message in bytes.
    pub bytes: u64,
    /// Number of threads.
    pub threads: u32,
    /// Number of messages in one call.
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
    /// The task of the cell.
    pub key: Key,
    /// The library's id.
    pub library: String,
    /// The times in nanoseconds per call, before and now.
    pub ns: [f64; 2],
    /// The factor by which the times of all libraries of the task changed, because the machine
    /// changed.
    pub drift: f64,
    /// Time now divided by time before, without the drift, with its 95 % interval.
    pub ratio: Interval,
    /// The p-value of the hypothesis that the time changed by no more than the threshold, adjusted
    /// by Benjamini and Hochberg. If all cells with this value or a smaller one are reported as
    /// findings, the value is the expected share of false findings among them.
    pub q: f64,
    /// The verdict on the change.
    pub verdict: Verdict,
    /// Why there is no verdict; empty if there is one.
    pub missing: &'static str,
}

/// The result of comparing two runs.
#[derive(Debug)]
pub struct Comparison {
    /// Cells that both runs have, with the largest slowdown first.
    pub changes: Vec<Change>,
    /// Cells that only the first run has, and cells that only the second run has.
    pub only: [Vec<(Key, String)>; 2],
    /// The factor by which noise between runs exceeds the noise that rounds and processes
    /// explain, estimated from unchanged libraries; at least 1.
    pub inflation: f64,
}

impl Comparison {
    /// Returns the number of cells with this verdict.
    pub fn count(&self, verdict: Verdict) -> usize {
        self.changes.iter().filter(|c| c.verdict == verdict).count()
    }
}

/// A cell's change before the changes of all cells are known.
struct Effect {
    key: Key,
    library: String,
    ns: [f64; 2],
    drift: f64,
    /// The logarithm of the time now divided by the time before, without the drift, with its
    /// variance and degrees of freedom; or the reason why no test is possible.
    test: Result<Test, &'static str>,
    /// Number of unchanged libraries in the task. Their changes show the change of the machine.
    controls: usize,
    unchanged: bool,
}

struct Test {
    log: f64,
    /// The variance that rounds and processes explain, with its degrees of freedom.
    noise: f64,
    freedom: f64,
    controls: Controls,
}

/// How much the unchanged libraries of a task differ from their common change.
struct Controls {
    count: f64,
    /// The variance between the unchanged libraries, and the variance that rounds and processes
    /// explain.
    variance: f64,
    noise: f64,
}

/// Compares the cells of two runs.
pub fn compare(before: &Summary, now: &Summary, options: &Options) -> Comparison {
    let tasks = [by_task(before), by_task(now)];
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
        let cost = |summary: &Summary| catalogue::cost(&key.primitive, &summary.run.costs);
        if cost(before) != cost(now) {
            continue;
        }
        let none = BTreeMap::new();
        let [old, new] = [0, 1].map(|run| tasks[run].get(key).unwrap_or(&none));
        for (run, (here, there)) in [(old, new), (new, old)].into_iter().enumerate() {
            let missing = here.keys().filter(|library| !there.contains_key(*library));
            only[run].extend(missing.map(|library| (key.clone(), (*library).to_owned())));
        }
        effects.extend(task(key, old, new, &unchanged));
    }
    let inflation = inflation(&effects);

    let selected = |key: &Key, library: &str| {
        (options.libraries.is_empty() || options.libraries.iter().any(|id| id == library))
            && options.algorithms.as_ref().is_none_or(|chosen| {
                chosen.contains(&(key.primitive.clone(), key.operation.clone()))
            })
    };
    effects.retain(|e| selected(&e.key, &e.library));
    for side in &mut only {
        side.retain(|(key, library)| selected(key, library));
    }
    let threshold = options.threshold.ln_1p();
    let idle = [before, now].iter().all(|summary| was_idle(summary));
    let changes: Vec<Change> = effects
        .into_iter()
        .map(|mut effect| {
            if !idle && !effect.is_controlled(inflation) {
                effect.test = Err(UNCONTROLLED);
            }
            effect.judge(inflation.unwrap_or(1.0), threshold)
        })
        .collect();
    Comparison {
        changes: decided(changes),
        only,
        inflation: inflation.unwrap_or(1.0),
    }
}

/// Compares two libraries of one run, such as two builds of a library. Both were measured in the
/// same rounds, so the machine's changes affect both alike: each round gives a ratio, and no other
/// library is needed as a control. The option `libraries` has no effect.
pub fn builds(run: &Summary, before: &str, now: &str, options: &Options) -> Comparison {
    let chosen = |key: &Key| {
        let algorithm = (key.primitive.clone(), key.operation.clone());
        let all = options.algorithms.as_ref();
        all.is_none_or(|chosen| chosen.contains(&algorithm))
    };
    let threshold = options.threshold.ln_1p();
    let mut changes = Vec::new();
    let mut only = [Vec::new(), Vec::new()];
    for (key, cells) in by_task(run).into_iter().filter(|(key, _)| chosen(key)) {
        match [before, now].map(|id| cells.get(id)) {
            [Some(a), Some(b)] => {
                let effect = Effect {
                    key,
                    library: now.to_owned(),
                    ns: [a.ns.mid, b.ns.mid],
                    drift: 1.0,
                    test: paired(a, b),
                    controls: 0,
                    unchanged: false,
                };
                changes.push(effect.judge(1.0, threshold));
            }
            [Some(_), None] => only[0].push((key, before.to_owned())),
            [None, Some(_)] => only[1].push((key, now.to_owned())),
            [None, None] => {}
        }
    }
    Comparison {
        changes: decided(changes),
        only,
        inflation: 1.0,
    }
}

/// Tests whether two cells of one task differ, round by round.
fn paired(a: &Cell, b: &Cell) -> Result<Test, &'static str> {
    if !a.flags.is_empty() || !b.flags.is_empty() {
        return Err("flagged as impossible");
    }
    if a.samples.len() != b.samples.len() {
        return Err("not measured in the same rounds");
    }
    if a.samples.len() < FEWEST {
        return Err("too few rounds");
    }
    let series = [a.series(), b.series()];
    let rounds = Resamples::of(&series, SEED);
    let [seed_a, seed_b] = [1, 2].map(|number| stats::stream(SEED, number));
    let (value, draws) = if series[0].statistic == stats::Statistic::Median {
        let quotients = stats::quotients(&b.samples, &a.samples);
        let mut draws = rounds.log_medians(&quotients);
        for (one, seed) in series.into_iter().zip([seed_a, seed_b]) {
            resample::add_floor(&mut draws, one, rounds.units(), seed);
        }
        (stats::median(&quotients), draws)
    } else {
        let [old, new] = [(series[0], seed_a), (series[1], seed_b)]
            .map(|(one, seed)| rounds.log_values(one, seed));
        let draws = new.iter().zip(&old).map(|(new, old)| new - old).collect();
        (series[1].value() / series[0].value(), draws)
    };
    let units = rounds.units() as f64;
    Ok(Test {
        log: value.ln(),
        noise: stats::standard_error(&draws, units).powi(2),
        freedom: units - 1.0,
        controls: Controls::of(&[]),
    })
}

/// Adjusts the p-values for the number of cells, decides the verdicts, and sorts: the largest
/// slowdown first, and cells without a verdict last.
fn decided(mut changes: Vec<Change>) -> Vec<Change> {
    adjust(&mut changes);
    for change in &mut changes {
        if change.verdict != Verdict::Unjudged && change.q <= FALSE_DISCOVERIES {
            change.verdict = if change.ratio.mid > 1.0 {
                Verdict::Slower
            } else {
                Verdict::Faster
            };
        }
    }
    changes.sort_by(|a, b| {
        let last = |c: &Change| c.verdict == Verdict::Unjudged;
        (last(a).cmp(&last(b)))
            .then(b.ratio.mid.total_cmp(&a.ratio.mid))
            .then_with(|| (&a.key, &a.library).cmp(&(&b.key, &b.library)))
    });
    changes
}

/// Returns whether a library differs in the other run: another version, another object, or missing.
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

/// Returns whether the machine's load average shows that nothing else ran before a run.
fn was_idle(summary: &Summary) -> bool {
    let fact = |name: &str| {
        let facts = &summary.machine.facts;
        let found = facts.iter().find(|(label, _)| label == name)?;
        found.1.split_whitespace().next()?.parse::<f64>().ok()
    };
    match (fact("Load before the run"), fact("CPUs usable")) {
        (Some(load), Some(cpus)) => load <= IDLE * cpus,
        _ => false,
    }
}

/// The logarithm of the ratio of one library's medians: the value, and its bootstrap
/// draws.
struct Logs {
    value: f64,
    draws: Vec<f64>,
    /// The number of independent units (processes or rounds) in the run that has fewer units. The
    /// next field has the degrees of freedom of both runs together.
    units: f64,
    freedom: f64,
}

/// Returns the logarithms for every library that both runs have in one task. The libraries of a run
/// are resampled jointly, so an effect of a round on all libraries cancels. `None` for a library
/// with too few rounds or with a flag.
fn logs(both: &[(&str, &Cell, &Cell)]) -> Vec<Option<Logs>> {
    let sound = |cell: &Cell| cell.samples.len() >= FEWEST && cell.flags.is_empty();
    let usable: Vec<bool> = both.iter().map(|(_, a, b)| sound(a) && sound(b)).collect();
    let of_run = |run: usize| {
        let cells = both.iter().zip(&usable).filter(|(_, usable)| **usable);
        let series: Vec<stats::Series<'_>> =
            cells.map(|((_, a, b), _)| [*a, *b][run].series()).collect();
        let seed = stats::stream(SEED, run as u64);
        let rounds = series.first().map_or(0, |first| first.samples.len());
        let joint = (rounds > 0).then(|| Resamples::of(&series, seed));
        let drawn: Vec<(Vec<f64>, usize)> = series
            .iter()
            .enumerate()
            .map(|(place, one)| {
                let own = stats::stream(seed, place as u64);
                match &joint {
                    Some(joint) if one.samples.len() == rounds => {
                        (joint.log_values(*one, own), joint.units())
                    }
                    _ => {
                        let apart = Resamples::of(&[*one], own);
                        (apart.log_values(*one, own), apart.units())
                    }
                }
            })
            .collect();
        drawn
    };
    let mut drawn = of_run(0).into_iter().zip(of_run(1));
    both.iter()
        .zip(usable)
        .map(|((_, a, b), usable)| {
            let ((old, few), (new, many)) = if usable { drawn.next() } else { None }?;
            Some(Logs {
                value: (b.ns.mid / a.ns.mid).ln(),
                draws: new.iter().zip(&old).map(|(new, old)| new - old).collect(),
                units: few.min(many) as f64,
                freedom: (few + many - 2) as f64,
            })
        })
        .collect()
}

/// Returns the changes of all libraries that both runs have in one task.
fn task(key: &Key, old: &Cells<'_>, new: &Cells<'_>, unchanged: &BTreeSet<&str>) -> Vec<Effect> {
    let both: Vec<(&str, &Cell, &Cell)> = old
        .iter()
        .filter_map(|(library, cell)| Some((*library, *cell, *new.get(library)?)))
        .collect();
    let all = logs(&both);
    let clock = both
        .first()
        .and_then(|(_, a, b)| Some((a.mhz? / b.mhz?).ln()));
    let effect = |index: usize| {
        let (library, a, b) = both[index];
        // For libraries that did not change, a change in time comes from the machine.
        let controls: Vec<&Logs> = (0..both.len())
            .filter(|&other| adapters::plain(both[other].0) != adapters::plain(library))
            .filter(|&other| unchanged.contains(both[other].0))
            .filter_map(|other| all[other].as_ref())
            .collect();
        let drift = |value: &dyn Fn(&Logs) -> f64| {
            let votes: Vec<f64> = controls.iter().map(|logs| value(logs)).collect();
            common(votes, clock)
        };
        let shift = drift(&|logs| logs.value);
        let test = match &all[index] {
            _ if !a.flags.is_empty() || !b.flags.is_empty() => Err("flagged as impossible"),
            None => Err("too few rounds"),
            Some(own) => {
                let drawn: Vec<f64> = (0..RESAMPLES)
                    .map(|k| own.draws[k] - drift(&|logs| logs.draws[k]))
                    .collect();
                Ok(Test {
                    log: own.value - shift,
                    noise: stats::standard_error(&drawn, own.units).powi(2),
                    freedom: own.freedom,
                    controls: Controls::of(&controls),
                })
            }
        };
        Effect {
            key: key.clone(),
            library: library.to_owned(),
            ns: [a.ns.mid, b.ns.mid],
            drift: shift.exp(),
            test,
            controls: controls.len(),
            unchanged: unchanged.contains(library),
        }
    };
    (0..both.len()).map(effect).collect()
}

impl Controls {
    fn of(controls: &[&Logs]) -> Self {
        let count = controls.len() as f64;
        let mean = controls.iter().map(|logs| logs.value).sum::<f64>() / count;
        let squares: f64 = controls
            .iter()
            .map(|logs| (logs.value - mean).powi(2))
            .sum();
        let noise: f64 = controls
            .iter()
            .map(|logs| stats::standard_error(&logs.draws, logs.units).powi(2))
            .sum();
        Self {
            count,
            variance: squares / (count - 1.0),
            noise: noise / count,
        }
    }

    /// Returns the extra variance between libraries that an uneven load causes. It is above zero
    /// only if the controls differ clearly more than the inflated noise explains.
    fn load(&self, inflation: f64) -> f64 {
        let noise = self.noise * inflation * inflation;
        if (self.count as usize) < SCATTER || self.variance < LOADED * noise {
            return 0.0;
        }
        (self.variance - noise) * (1.0 + 1.0 / self.count)
    }
}

impl Test {
    /// Returns the standard error and its degrees of freedom, by Welch and Satterthwaite.
    fn error(&self, inflation: f64) -> (f64, f64) {
        let noise = self.noise * inflation * inflation;
        let load = self.controls.load(inflation);
        let total = noise + load;
        let mut unsure = noise * noise / self.freedom;
        if load > 0.0 {
            unsure += load * load / (self.controls.count - 1.0);
        }
        (total.sqrt(), total * total / unsure)
    }
}

/// Returns the change that a task's other libraries and the clock have in common. With three or
/// more values it is the median, which tolerates one library that changed by itself. With two
/// values it is the smaller change if both have the same direction, and otherwise no change. If the
/// clock is the only value, it is used. If a single other library is the only value, it is not
/// used, because nobody could tell which of the two libraries changed.
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

/// The factor by which the changes of unchanged libraries vary more than expected; at least 1.
/// Each change is divided by its standard error. The variation of each library is measured
/// around the library's own median, and the result is the median over the libraries. So a
/// library with a new build under an old version number does not affect the result. `None` if
/// there are too few cells.
fn inflation(effects: &[Effect]) -> Option<f64> {
    let mut scores: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
    for effect in effects.iter().filter(|e| e.unchanged) {
        if let Ok(test) = &effect.test {
            scores
                .entry(&effect.library)
                .or_default()
                .push(test.log / test.noise.sqrt());
        }
    }
    let scatter: Vec<f64> = scores
        .values()
        .filter(|scores| scores.len() >= ENOUGH)
        .map(|scores| {
            let middle = stats::median(scores);
            let distances: Vec<f64> = scores.iter().map(|s| (s - middle).abs()).collect();
            // Half of the values of a normal distribution lie within 0.6745 standard deviations
            // of the mean.
            stats::median(&distances) / 0.6745
        })
        .collect();
    (!scatter.is_empty()).then(|| stats::median(&scatter).max(1.0))
}

impl Effect {
    /// Returns whether an uneven load can be distinguished from a change of the library. This needs
    /// enough unchanged libraries in the task, or the variation of the unchanged libraries in all
    /// tasks.
    fn is_controlled(&self, inflation: Option<f64>) -> bool {
        self.controls >= SCATTER || self.controls > 0 && inflation.is_some()
    }

    /// Returns the change with its p-value in `q`, and with the verdict "tie" until p-values are
    /// adjusted. The p-value is the chance to see a change of this size if the true change is at
    /// most the threshold (a logarithm).
    fn judge(self, inflation: f64, threshold: f64) -> Change {
        let raw = self.ns[1] / self.ns[0] / self.drift;
        let (ratio, q, verdict, missing) = match self.test {
            Err(missing) => (Interval::unknown(raw), 1.0, Verdict::Unjudged, missing),
            Ok(test) => {
                let (error, freedom) = test.error(inflation);
                let factor = (student::critical(0.05, freedom) * error).exp();
                let ratio = Interval {
                    low: test.log.exp() / factor,
                    mid: test.log.exp(),
                    high: test.log.exp() * factor,
                };
                // The p-value is largest if the true change is exactly the threshold. Noise may
                // exceed the threshold in either direction.
                let beyond = |t: f64| student::upper(t / error, freedom);
                let p = beyond(test.log.abs() - threshold) + beyond(test.log.abs() + threshold);
                (ratio, p.min(1.0), Verdict::Tie, "")
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
            missing,
        }
    }
}

/// Replaces p-values by Benjamini and Hochberg's adjusted p-values (*Controlling the
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
