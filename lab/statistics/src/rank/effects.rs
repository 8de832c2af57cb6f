//! The model by which libraries with different algorithms are compared:
//!
//! ```text
//! log time = cell + library
//! ```
//!
//! A cell is an algorithm at one size. The cell's term stands for the amount of work in the cell,
//! the library's term for the speed of the library. So a library is compared directly only with
//! libraries that share a cell with it, and indirectly with libraries that share cells with those.
//! The terms are the values with the smallest sum of squared deviations. All algorithms have the
//! same weight, which is divided evenly among an algorithm's sizes.
//!
//! The cells' terms follow from the libraries' terms and are eliminated. This leaves as
//! many linear equations as there are libraries, and the matrix tells how much each pair
//! of libraries shares. Libraries that share nothing, not even indirectly, fall into
//! separate parts; libraries in different parts are not compared.

use rand::SeedableRng as _;
use rand::rngs::Xoshiro256PlusPlus;

use crate::{self as stats, FEWEST, Interval, RESAMPLES, Resamples, Series, resample};

/// Two libraries must be comparable in this share of the draws for their ratio to have an
/// interval.
const COMPARABLE: f64 = 0.9;

/// One library's time in a cell.
pub(super) struct Entry<'a> {
    /// The library's index in the study's list.
    pub(super) library: usize,
    /// The library's samples.
    pub(super) series: Series<'a>,
}

/// One algorithm's contribution to the equations.
pub(super) struct Algorithm {
    /// Libraries that are compared in this algorithm, in ascending order.
    libraries: Vec<usize>,
    /// The rows of the matrix and the right side for these libraries.
    matrix: Vec<f64>,
    side: Vec<f64>,
    /// The right side for each bootstrap draw of the rounds: [`RESAMPLES`] rows.
    draws: Vec<f64>,
    /// For each size, the libraries and the logarithms of their times.
    sizes: Vec<Vec<(usize, f64)>>,
    /// Pairs of libraries that share a size. By these pairs, libraries are comparable.
    links: Vec<[usize; 2]>,
    /// Whether every cell has enough rounds for an interval.
    has_rounds: bool,
}

impl Algorithm {
    /// Makes the contribution of an algorithm from its sizes, each with the libraries that have it.
    /// `None` if no size has two libraries.
    pub(super) fn new(sizes: &[Vec<Entry<'_>>], seed: u64) -> Option<Self> {
        let shared: Vec<&Vec<Entry<'_>>> = sizes.iter().filter(|size| size.len() > 1).collect();
        let mut libraries: Vec<usize> = shared
            .iter()
            .copied()
            .flatten()
            .map(|e| e.library)
            .collect();
        libraries.sort_unstable();
        libraries.dedup();
        let count = libraries.len();
        if count == 0 {
            return None;
        }
        let mut own = Self {
            matrix: vec![0.0; count * count],
            side: vec![0.0; count],
            draws: vec![0.0; count * RESAMPLES],
            sizes: Vec::new(),
            links: Vec::new(),
            has_rounds: true,
            libraries,
        };
        let weight = 1.0 / shared.len() as f64;
        for (index, size) in shared.into_iter().enumerate() {
            own.add(size, weight, stats::stream(seed, index as u64));
        }
        Some(own)
    }

    fn add(&mut self, size: &[Entry<'_>], weight: f64, seed: u64) {
        let count = self.libraries.len();
        let place = |library| {
            self.libraries
                .binary_search(&library)
                .expect("every library of a size is listed")
        };
        let places: Vec<usize> = size.iter().map(|entry| place(entry.library)).collect();
        let rounds = size.iter().map(|entry| entry.series.samples.len());
        self.has_rounds &= rounds.min().is_some_and(|least| least >= FEWEST);
        let share = 1.0 / size.len() as f64;
        for &i in &places {
            for &j in &places {
                self.matrix[i * count + j] += weight * (f64::from(u8::from(i == j)) - share);
            }
        }
        let logs = logs(size, seed);
        let mean = |value: &dyn Fn(&Logs) -> f64| logs.iter().map(value).sum::<f64>() * share;
        let middle = mean(&|log| log.mid);
        for (&i, log) in places.iter().zip(&logs) {
            self.side[i] += weight * (log.mid - middle);
        }
        for (draw, side) in self.draws.chunks_exact_mut(count).enumerate() {
            let middle = mean(&|log| log.draws[draw]);
            for (&i, log) in places.iter().zip(&logs) {
                side[i] += weight * (log.draws[draw] - middle);
            }
        }
        let mids = size
            .iter()
            .zip(&logs)
            .map(|(entry, log)| (entry.library, log.mid));
        self.sizes.push(mids.collect());
        // All libraries of one size are comparable; different sizes may have different libraries.
        for pair in size.windows(2) {
            let link = [pair[0].library, pair[1].library];
            if !self.links.contains(&link) {
                self.links.push(link);
            }
        }
    }

    /// Returns the libraries that are compared in this algorithm.
    pub(super) fn libraries(&self) -> &[usize] {
        &self.libraries
    }

    /// Returns the logarithm of one library's time divided by another's: the mean over the sizes
    /// that both have. `None` if they share no size.
    pub(super) fn log_ratio(&self, row: usize, column: usize) -> Option<f64> {
        let of = |size: &[(usize, f64)], library| {
            size.iter()
                .find(|(own, _)| *own == library)
                .map(|(_, log)| *log)
        };
        let ratios: Vec<f64> = self
            .sizes
            .iter()
            .filter_map(|size| Some(of(size, row)? - of(size, column)?))
            .collect();
        (!ratios.is_empty()).then(|| ratios.iter().sum::<f64>() / ratios.len() as f64)
    }
}

/// The logarithm of a time, and its bootstrap draws.
struct Logs {
    mid: f64,
    draws: Vec<f64>,
}

/// Returns the logarithm of each library's time in one cell. First the mean of the logarithms of a
/// round is subtracted from each logarithm of the round, which removes the effect of the round on
/// all libraries.
fn logs(size: &[Entry<'_>], seed: u64) -> Vec<Logs> {
    let series: Vec<Series<'_>> = size.iter().map(|entry| entry.series).collect();
    let rounds = series[0].samples.len();
    let own_seed = |entry: &Entry<'_>| stats::stream(seed, entry.library as u64);
    let pairs =
        |one: &Series<'_>| one.samples.len() == rounds && one.statistic == stats::Statistic::Median;
    if !series.iter().all(pairs) {
        return size
            .iter()
            .map(|entry| Logs {
                mid: entry.series.value().ln(),
                draws: Resamples::of(&[entry.series], own_seed(entry))
                    .log_values(entry.series, own_seed(entry)),
            })
            .collect();
    }
    let means: Vec<f64> = (0..rounds)
        .map(|i| series.iter().map(|one| one.samples[i].ln()).sum::<f64>() / series.len() as f64)
        .collect();
    let resamples = Resamples::of(&series, seed);
    size.iter()
        .map(|entry| {
            let samples = entry.series.samples.iter();
            let centred: Vec<f64> = samples.zip(&means).map(|(s, mean)| s.ln() - mean).collect();
            let mut draws = resamples.medians(&centred);
            resample::add_floor(&mut draws, entry.series, resamples.units(), own_seed(entry));
            Logs {
                mid: stats::median(&centred),
                draws,
            }
        })
        .collect()
}

/// The libraries' terms over a set of algorithms.
pub(super) struct Effects {
    terms: Vec<f64>,
    /// The part to which each library belongs; `None` for a library without algorithms.
    parts: Vec<Option<usize>>,
    /// Terms and parts of each bootstrap draw: algorithms are drawn with replacement, and
    /// rounds within each algorithm.
    draws: Vec<(Vec<f64>, Vec<Option<usize>>)>,
    /// Number of algorithms with enough rounds for each library.
    counts: Vec<usize>,
}

impl Effects {
    /// Fits the model to a set of algorithms.
    pub(super) fn fit(algorithms: &[&Algorithm], libraries: usize, seed: u64) -> Self {
        let mut equations = Equations::new(libraries);
        for algorithm in algorithms {
            equations.add(algorithm, &algorithm.side);
        }
        let (terms, parts) = equations.solve();
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let draws = (0..RESAMPLES)
            .map(|_| {
                let mut equations = Equations::new(libraries);
                for _ in algorithms {
                    let algorithm = algorithms[resample::pick(&mut rng, algorithms.len())];
                    let count = algorithm.libraries.len();
                    let draw = resample::pick(&mut rng, RESAMPLES);
                    equations.add(algorithm, &algorithm.draws[draw * count..][..count]);
                }
                equations.solve()
            })
            .collect();
        let has = |library: usize| {
            move |algorithm: &&&Algorithm| {
                algorithm.has_rounds && algorithm.libraries.contains(&library)
            }
        };
        let counts = (0..libraries)
            .map(|library| algorithms.iter().filter(has(library)).count())
            .collect();
        Self {
            terms,
            parts,
            draws,
            counts,
        }
    }

    /// Returns the part of a library; all libraries of a part can be compared.
    pub(super) fn part(&self, library: usize) -> Option<usize> {
        self.parts[library]
    }

    /// Returns the logarithm of the library's time, comparable only within the library's part.
    pub(super) fn term(&self, library: usize) -> f64 {
        self.terms[library]
    }

    /// Returns one library's time divided by another's. The interval covers another choice of
    /// algorithms and of rounds; it is unknown if one of the libraries has too few algorithms.
    /// `None` if the libraries are in different parts.
    pub(super) fn ratio(&self, library: usize, reference: usize) -> Option<Interval> {
        if self.parts[library].is_none() || self.parts[library] != self.parts[reference] {
            return None;
        }
        if library == reference {
            return Some(Interval::exact(1.0));
        }
        let mid = (self.terms[library] - self.terms[reference]).exp();
        let draws: Vec<f64> = self
            .draws
            .iter()
            .filter(|(_, parts)| parts[library].is_some() && parts[library] == parts[reference])
            .map(|(terms, _)| terms[library] - terms[reference])
            .collect();
        let units = self.counts[library].min(self.counts[reference]);
        if units < 2 || (draws.len() as f64) < COMPARABLE * RESAMPLES as f64 {
            return Some(Interval::unknown(mid));
        }
        Some(Interval::from_log_draws(mid, &draws, units as f64))
    }
}

/// Linear equations for the libraries' terms.
struct Equations {
    count: usize,
    matrix: Vec<f64>,
    side: Vec<f64>,
    /// For each library, another library of the same part (a union-find structure without ranks).
    parent: Vec<Option<usize>>,
}

impl Equations {
    fn new(count: usize) -> Self {
        Self {
            count,
            matrix: vec![0.0; count * count],
            side: vec![0.0; count],
            parent: vec![None; count],
        }
    }

    /// Adds an algorithm's contribution; the matrix gets only the part above its diagonal, because
    /// it is symmetric.
    fn add(&mut self, algorithm: &Algorithm, side: &[f64]) {
        let own = algorithm.libraries.len();
        for (i, &row) in algorithm.libraries.iter().enumerate() {
            self.side[row] += side[i];
            let sums = &mut self.matrix[row * self.count..][..self.count];
            let terms = &algorithm.matrix[i * own..][i..own];
            for (&column, term) in algorithm.libraries[i..].iter().zip(terms) {
                sums[column] += term;
            }
            self.parent[row].get_or_insert(row);
        }
        for [a, b] in &algorithm.links {
            let (a, b) = (self.root(*a), self.root(*b));
            self.parent[a.max(b)] = Some(a.min(b));
        }
    }

    fn root(&self, mut library: usize) -> usize {
        while let Some(parent) = self.parent[library].filter(|&parent| parent != library) {
            library = parent;
        }
        library
    }

    /// Solves the equations. Returns the terms, which are 0 for the first library of each
    /// part, and the parts.
    fn solve(mut self) -> (Vec<f64>, Vec<Option<usize>>) {
        let count = self.count;
        let parts: Vec<Option<usize>> = (0..count)
            .map(|library| self.parent[library].map(|_| self.root(library)))
            .collect();
        for row in 1..count {
            for column in 0..row {
                self.matrix[row * count + column] = self.matrix[column * count + row];
            }
        }
        for library in 0..count {
            if parts[library].is_none_or(|part| part == library) {
                for other in 0..count {
                    self.matrix[library * count + other] = 0.0;
                    self.matrix[other * count + library] = 0.0;
                }
                self.matrix[library * count + library] = 1.0;
                self.side[library] = 0.0;
            }
        }
        // Without the first library of each part, the matrix is symmetric and positive
        // definite, so elimination needs no search for pivots.
        for pivot in 0..count {
            let (done, below) = self.matrix.split_at_mut((pivot + 1) * count);
            let lead = &done[pivot * count..];
            for (row, own) in below.chunks_exact_mut(count).enumerate() {
                let factor = own[pivot] / lead[pivot];
                if factor == 0.0 {
                    continue;
                }
                for (value, above) in own[pivot..].iter_mut().zip(&lead[pivot..]) {
                    *value -= factor * above;
                }
                self.side[pivot + 1 + row] -= factor * self.side[pivot];
            }
        }
        for row in (0..count).rev() {
            let known: f64 = (row + 1..count)
                .map(|column| self.matrix[row * count + column] * self.side[column])
                .sum();
            self.side[row] = (self.side[row] - known) / self.matrix[row * count + row];
        }
        (self.side, parts)
    }
}

#[cfg(test)]
mod tests;
