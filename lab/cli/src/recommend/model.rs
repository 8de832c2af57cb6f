//! The cost of one message with one library, predicted for any length from the measured
//! lengths. Between two measured lengths the cost is on the straight line through both.
//! Beyond the longest length it follows the last line; for shorter messages than the
//! shortest it is the cost of the shortest, because a padded block or a tag costs as much.
//!
//! Each cell enters a sum with the bootstrap draws of its rounds. All libraries and all
//! cells use the same draws of processes, so that what the rounds of two libraries share
//! cancels in their ratio.

use std::collections::BTreeMap;

use touchstone_wire::{Contract, fnv1a};

use crate::adapters::MASKED;
use crate::catalogue;
use crate::stats::{FEWEST, Interval, RESAMPLES, Resamples, Series, resample, standard_error};
use crate::summary::Cell;

/// Bootstrap seed: the same samples always give the same interval.
const SEED: u64 = 0x7265_636f_6d6d_656e;

/// A number with its bootstrap draws.
#[derive(Debug, Clone)]
pub struct Estimate {
    /// The estimate.
    pub mid: f64,
    draws: Vec<f64>,
    /// The smallest number of independent units (processes or rounds) of a cell in it.
    units: f64,
}

impl Estimate {
    /// A sum of nothing.
    pub fn zero() -> Self {
        Self {
            mid: 0.0,
            draws: vec![0.0; RESAMPLES],
            units: f64::INFINITY,
        }
    }

    /// `seed` is for the variation between processes that is assumed of a library with too
    /// few of them.
    fn of(series: Series<'_>, rounds: &Resamples, seed: u64) -> Self {
        let few = series.samples.len() < FEWEST;
        Self {
            mid: series.value(),
            draws: rounds
                .log_values(series, seed)
                .into_iter()
                .map(f64::exp)
                .collect(),
            units: if few { 1.0 } else { rounds.units() as f64 },
        }
    }

    /// Adds another estimate, `times` over.
    pub fn add(&mut self, other: &Self, times: f64) {
        self.mid += other.mid * times;
        for (own, draw) in self.draws.iter_mut().zip(&other.draws) {
            *own += draw * times;
        }
        self.units = self.units.min(other.units);
    }

    /// The estimate `times` over.
    pub fn scaled(&self, times: f64) -> Self {
        let mut scaled = Self::zero();
        scaled.add(self, times);
        scaled
    }

    /// The 95 % interval of this estimate, which is above zero.
    pub fn interval(&self) -> Interval {
        let logs: Vec<f64> = self.draws.iter().map(|draw| draw.ln()).collect();
        interval(self.mid, &logs, self.units)
    }

    /// This estimate divided by another, with the 95 % interval.
    pub fn over(&self, other: &Self) -> Interval {
        let pairs = self.draws.iter().zip(&other.draws);
        let logs: Vec<f64> = pairs.map(|(own, other)| (own / other).ln()).collect();
        interval(self.mid / other.mid, &logs, self.units.min(other.units))
    }
}

fn interval(mid: f64, logs: &[f64], units: f64) -> Interval {
    if units.is_infinite() {
        Interval::exact(mid)
    } else if units < 2.0 || logs.iter().any(|log| !log.is_finite()) {
        Interval::unknown(mid)
    } else {
        Interval::from_log_draws(mid, logs, units)
    }
}

/// A predicted cost in nanoseconds.
#[derive(Debug, Clone)]
pub struct Predicted {
    /// Nanoseconds.
    pub ns: Estimate,
    /// Whether a length is outside the measured lengths.
    pub beyond: bool,
}

impl Predicted {
    /// A sum of nothing.
    pub fn zero() -> Self {
        Self {
            ns: Estimate::zero(),
            beyond: false,
        }
    }

    /// Adds another cost, `times` over.
    pub fn add(&mut self, other: &Self, times: f64) {
        self.ns.add(&other.ns, times);
        self.beyond |= other.beyond;
    }
}

/// What was measured of one operation of one library, on one number of threads.
#[derive(Debug, Clone, Default)]
pub struct Curve {
    /// The cost of a message by its length, the shortest first.
    points: Vec<(u64, Estimate)>,
    /// The cost of a key.
    pub setup: Option<Estimate>,
    /// Whether the cost hardly depends on the length.
    per_call: bool,
}

impl Curve {
    /// The measured lengths, the shortest first.
    pub fn lengths(&self) -> impl Iterator<Item = u64> {
        self.points.iter().map(|(bytes, _)| *bytes)
    }

    /// The cost of a message. `None` if only one other length was measured, which tells
    /// nothing about this one.
    pub fn at(&self, bytes: f64) -> Option<Predicted> {
        let measured = |(_, ns): &(u64, Estimate), beyond| Predicted {
            ns: ns.clone(),
            beyond,
        };
        let (first, last) = (self.points.first()?, self.points.last()?);
        let exact = self.points.iter().find(|(at, _)| *at as f64 == bytes);
        if let Some(exact) = exact {
            return Some(measured(exact, false));
        }
        if self.per_call {
            let distance = |at: u64| (at as f64 - bytes).abs();
            let near = self
                .points
                .iter()
                .min_by(|a, b| distance(a.0).total_cmp(&distance(b.0)));
            return near.map(|near| measured(near, false));
        }
        if self.points.len() < 2 {
            return None;
        }
        if bytes < first.0 as f64 {
            return Some(measured(first, true));
        }
        let beyond = bytes > last.0 as f64;
        let after = self.points.iter().position(|(at, _)| *at as f64 > bytes);
        let after = after.unwrap_or(self.points.len() - 1);
        let [(low, below), (high, above)] = [&self.points[after - 1], &self.points[after]];
        let share = (bytes - *low as f64) / (high - low) as f64;
        let mut ns = below.scaled(1.0 - share);
        ns.add(above, share);
        Some(Predicted { ns, beyond })
    }
}

/// Makes the estimates of the cells from which costs are predicted, and gives each to `take`
/// with the cell's index and the draws' rounds. A cell that cannot be true, and says so by a
/// flag, is left out.
fn estimates(
    cells: &[Cell],
    wanted: &dyn Fn(&Cell) -> bool,
    take: &mut dyn FnMut(usize, Estimate, &Resamples),
) {
    let used = |cell: &Cell| {
        cell.messages == 1
            && cell.flags.is_empty()
            && !cell.samples.is_empty()
            && [Contract::Hot, Contract::Setup]
                .map(Contract::name)
                .contains(&&*cell.contract)
            && wanted(cell)
    };
    let mut tasks: BTreeMap<_, Vec<usize>> = BTreeMap::new();
    for (index, cell) in cells.iter().enumerate().filter(|(_, cell)| used(cell)) {
        let algorithm = (&cell.primitive, &cell.operation);
        let task = (algorithm, &cell.contract, cell.bytes, cell.threads);
        tasks.entry(task).or_default().push(index);
    }
    for task in tasks.into_values() {
        let series: Vec<Series<'_>> = task.iter().map(|index| cells[*index].series()).collect();
        let shared = Resamples::of(&series, SEED);
        for (index, own) in task.iter().zip(&series) {
            // A library that crashed in between has fewer rounds than the others.
            let seed = SEED ^ fnv1a(cells[*index].library.as_bytes());
            if own.samples.len() == series[0].samples.len() {
                take(*index, Estimate::of(*own, &shared, seed), &shared);
            } else {
                let alone = Resamples::of(&[*own], SEED);
                take(*index, Estimate::of(*own, &alone, seed), &alone);
            }
        }
    }
}

/// How much the logarithm of a cell's time varies, in few numbers. From two of these follows
/// the interval of the ratio of two cells without the draws.
#[derive(Debug)]
pub(crate) struct Variation {
    /// The standard error.
    pub(crate) error: f64,
    /// The part of the error that stands for an unknown variation between processes. All cells
    /// of a library have it in common.
    pub(crate) floor: f64,
    /// The part of each independent unit (process or round) in the rest of the error, whose
    /// square is the sum of their squares. Cells with the same number of units have the units
    /// in common.
    pub(crate) loadings: Vec<f64>,
}

/// The variation of each cell from which costs are predicted; `None` for other cells, and for
/// cells with too few rounds.
pub(crate) fn variations(cells: &[Cell]) -> Vec<Option<Variation>> {
    let mut found: Vec<Option<Variation>> = cells.iter().map(|_| None).collect();
    let plain = |cell: &Cell| !cell.library.contains(MASKED);
    estimates(cells, &plain, &mut |index, estimate, rounds| {
        if estimate.units < 2.0 {
            return;
        }
        let logs: Vec<f64> = estimate.draws.iter().map(|draw| draw.ln()).collect();
        let error = standard_error(&logs, estimate.units);
        let floor = resample::floor(cells[index].series(), estimate.units);
        // A median is not quite a sum over the units. What it is beyond a sum is taken as shared
        // with other cells in the same measure as the sum.
        let own = (error.powi(2) - floor.powi(2)).max(0.0).sqrt();
        let loadings = rounds.loadings(&logs);
        let norm = loadings.iter().map(|one| one.powi(2)).sum::<f64>().sqrt();
        let scale = if norm > 0.0 { own / norm } else { 0.0 };
        found[index] = Some(Variation {
            error,
            floor,
            loadings: loadings.into_iter().map(|one| one * scale).collect(),
        });
    });
    found
}

/// The curves of a run's libraries.
#[derive(Debug, Default)]
pub struct Curves(BTreeMap<[String; 3], BTreeMap<u32, Curve>>);

impl Curves {
    /// Makes the curves of the operations `(primitive, operation)` that are wanted. A cell
    /// that cannot be true, and says so by a flag, is left out.
    pub fn of(cells: &[Cell], wanted: &dyn Fn(&str, &str) -> bool) -> Self {
        let mut curves = Self::default();
        let wanted = |cell: &Cell| wanted(&cell.primitive, &cell.operation);
        estimates(cells, &wanted, &mut |index, estimate, _| {
            curves.add(&cells[index], estimate);
        });
        curves
    }

    /// Adds the estimate of a cell.
    fn add(&mut self, cell: &Cell, estimate: Estimate) {
        let id = [&cell.library, &cell.primitive, &cell.operation].map(String::clone);
        let threads = self.0.entry(id).or_default();
        let curve = threads.entry(cell.threads).or_default();
        curve.per_call = catalogue::is_per_call(&cell.operation);
        if cell.contract == Contract::Setup.name() {
            curve.setup = Some(estimate);
        } else {
            let place = curve.points.partition_point(|(at, _)| *at < cell.bytes);
            curve.points.insert(place, (cell.bytes, estimate));
        }
    }

    /// The curve of a library's operation on a number of threads.
    pub fn get(
        &self,
        library: &str,
        primitive: &str,
        operation: &str,
        threads: u32,
    ) -> Option<&Curve> {
        let id = [library, primitive, operation].map(str::to_owned);
        self.0.get(&id)?.get(&threads)
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::stats::critical;

    /// A cell of AES-128-GCM encryption whose rounds are all alike up to a jitter.
    pub(crate) fn cell(library: &str, contract: &str, bytes: u64, ns: f64) -> Cell {
        let jitter = |i: usize| ns * (1.0 + 0.001 * ((i * 7 % 13) as f64 - 6.0));
        let samples: Vec<f64> = (0..13).map(jitter).collect();
        Cell {
            library: library.into(),
            primitive: "aes-128".into(),
            operation: "gcm-encrypt".into(),
            family: "aead".into(),
            contract: contract.into(),
            bytes,
            threads: 1,
            messages: 1,
            ns: Interval::exact(ns),
            spread: [ns; 3],
            ratio: Interval::exact(1.0),
            tie: false,
            counts: true,
            rounds: samples.len() as u32,
            calls: 1,
            stop: "narrow".into(),
            first_ns: [0; 3],
            mhz: None,
            flags: Vec::new(),
            api: String::new(),
            kernel: String::new(),
            note: String::new(),
            processes: (0..13).map(|i| i / 3).collect(),
            samples,
        }
    }

    fn curve(points: &[(u64, f64)]) -> Curve {
        let cells: Vec<Cell> = points
            .iter()
            .map(|(bytes, ns)| cell("a", "hot", *bytes, *ns))
            .collect();
        let curves = Curves::of(&cells, &|_, _| true);
        curves
            .get("a", "aes-128", "gcm-encrypt", 1)
            .unwrap()
            .clone()
    }

    fn close(a: f64, b: f64) {
        assert!((a / b - 1.0).abs() < 1e-9, "{a} is not {b}");
    }

    #[test]
    fn lengths_between_measured_ones_are_on_the_line_between_them() {
        let curve = curve(&[(1024, 200.0), (16, 100.0), (2048, 600.0)]);
        assert_eq!(curve.lengths().collect::<Vec<_>>(), [16, 1024, 2048]);
        for (bytes, ns, beyond) in [
            (8.0, 100.0, true),
            (16.0, 100.0, false),
            (520.0, 150.0, false),
            (1536.0, 400.0, false),
            (2048.0, 600.0, false),
            (4096.0, 1400.0, true),
        ] {
            let at = curve.at(bytes).unwrap();
            close(at.ns.mid, ns);
            assert_eq!(at.beyond, beyond, "{bytes}");
        }
    }

    #[test]
    fn one_length_tells_nothing_about_another() {
        let curve = curve(&[(64, 100.0)]);
        assert!(curve.at(64.0).is_some());
        assert!(curve.at(65.0).is_none());
    }

    #[test]
    fn what_rounds_share_cancels_in_a_ratio() {
        let [mut slow, mut fast] = [100.0, 50.0].map(|ns| cell("a", "hot", 16, ns));
        fast.library = "b".into();
        // The machine is three times as slow in some processes, for both alike.
        for cell in [&mut slow, &mut fast] {
            for (sample, process) in cell.samples.iter_mut().zip(&cell.processes) {
                *sample *= [1.0, 3.0, 1.0, 3.0, 1.0][*process as usize];
            }
        }
        let curves = Curves::of(&[slow, fast], &|_, _| true);
        let [slow, fast] = ["a", "b"].map(|library| {
            let curve = curves.get(library, "aes-128", "gcm-encrypt", 1);
            curve.unwrap().at(16.0).unwrap().ns
        });
        let ratio = slow.over(&fast);
        close(ratio.mid, 2.0);
        assert!(ratio.relative_half_width() < 0.01, "{ratio:?}");
        assert!(slow.interval().relative_half_width() > 0.3);
    }

    #[test]
    fn variations_give_the_interval_of_a_ratio_without_the_draws() {
        let [mut slow, mut fast] = [100.0, 50.0].map(|ns| cell("a", "hot", 16, ns));
        fast.library = "b".into();
        for (cell, own) in [(&mut slow, 0.002), (&mut fast, -0.003)] {
            let both = cell.samples.iter_mut().zip(&cell.processes).enumerate();
            for (round, (sample, process)) in both {
                let shared = [1.0, 1.1, 0.95, 1.02, 1.0][*process as usize];
                *sample *= shared * (1.0 + own * f64::from(*process)) + (round % 3) as f64 * 0.01;
            }
        }
        let cells = [slow, fast];
        let curves = Curves::of(&cells, &|_, _| true);
        let [slow, fast] = ["a", "b"].map(|library| {
            let curve = curves.get(library, "aes-128", "gcm-encrypt", 1);
            curve.unwrap().at(16.0).unwrap().ns
        });
        let exact = slow.over(&fast);
        let found = variations(&cells);
        let [a, b] = [&found[0], &found[1]].map(|one| one.as_ref().unwrap());
        assert_eq!(a.loadings.len(), 5);
        let shared: f64 = a.loadings.iter().zip(&b.loadings).map(|(a, b)| a * b).sum();
        let error = (a.error.powi(2) + b.error.powi(2) - 2.0 * shared).sqrt();
        let half = error * critical(4.0);
        let wanted = (exact.high / exact.mid).ln();
        // Here the processes differ by ten per cent, and the two libraries by half of one: little
        // is left of the errors, and this little not to a third.
        assert!((half / wanted - 1.0).abs() < 0.33, "{half} is not {wanted}");
        assert!(
            half < a.error,
            "the rounds have most of the error in common"
        );
    }

    #[test]
    fn few_rounds_have_no_interval_and_flagged_cells_no_place() {
        let mut short = cell("a", "hot", 16, 10.0);
        short.samples.truncate(3);
        short.processes.truncate(3);
        let mut flagged = cell("a", "hot", 64, 10.0);
        flagged.flags.push("impossible".into());
        let curves = Curves::of(&[short, flagged], &|_, _| true);
        let curve = curves.get("a", "aes-128", "gcm-encrypt", 1).unwrap();
        assert_eq!(curve.lengths().count(), 1);
        assert!(!curve.at(16.0).unwrap().ns.interval().is_known());
    }
}
