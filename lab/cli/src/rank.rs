//! RANK: geometric means of ratios to the best.
//!
//! ```text
//!                             T
//! RANK(library, algorithm) = ( ∏  time(library, size t) / time(best at size t) ) ^ (1/T)
//!                            t=1
//!
//!                  M
//! RANK(library) = ( ∏  RANK(library, algorithm m) ) ^ (1/M)
//!                 m=1
//! ```
//!
//! 1 is best, lower is better. An algorithm is a primitive and an operation; its
//! parameter is the message size. Only hot cells on one thread without flags
//! take part. T counts the sizes that the library has, M the algorithms; how
//! many others it lacks stands beside the result. An algorithm that one library
//! alone has compares nothing: it gets a row and stays out of the means.
//!
//! Libraries share a band where they cannot be told apart: where the interval of
//! their ratio to the band's leader includes 1, or the ratio is within
//! [`EQUIVALENT`] of it.
//!
//! The formula is that of Aulov and Gorbenko (2012), with the roots that a
//! geometric mean needs and that its printed form lost.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::adapters;
use crate::stats::{self, Interval, RESAMPLES, Resamples};
use crate::summary::Cell;

/// Ratios this near to 1 are a tie even where the interval excludes 1: nobody
/// chooses a library for one per cent.
pub const EQUIVALENT: f64 = 0.01;

/// How many times as wide as an interval that is which has to exclude 1: three standard
/// errors where it has two. A report has tens of thousands of pairs, and at 95 % one in
/// twenty of those that are equal would be told apart by chance, in this run; another
/// run would have some of them the other way round.
const CAUTION: f64 = 1.5;

/// The share of the algorithms that a library must have to stand in one order
/// with the others.
pub const BROAD: f64 = 0.25;

/// Where every bootstrap here starts; see [`stats`].
const SEED: u64 = 0x546f_7563_6873_746f;

/// Ranks per algorithm and overall.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Default)]
pub struct Ranking {
    /// One row per library × algorithm: by family, by algorithm, best first.
    pub algorithms: Vec<AlgorithmRank>,
    /// One row per library over all its algorithms, best first.
    pub overall: Vec<OverallRank>,
    /// Like `overall`, for each family.
    pub families: Vec<(String, Vec<OverallRank>)>,
}

/// A library's rank for one algorithm (primitive × operation × contract).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AlgorithmRank {
    /// Library id.
    pub library: String,
    /// `primitive operation`, such as `aes-128 cbc-encrypt`.
    pub algorithm: String,
    /// Family of the primitive.
    pub family: String,
    /// Geometric mean over sizes of the time over the best library's; 1 is best.
    pub rank: Interval,
    /// Tie band: libraries of one band cannot be told apart. 1 is the best band.
    pub band: u32,
    /// Sizes present over sizes measured by any library.
    pub coverage: f64,
}

/// A library's rank over several algorithms. Only algorithms that at least two
/// libraries have count here.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct OverallRank {
    /// Library id.
    pub library: String,
    /// Geometric mean over the algorithms that the library has.
    pub present: Interval,
    /// Geometric mean over the algorithms of the [`common_table`], the same ones
    /// for every library; `None` for a library that lacks one of them, and for
    /// all where there is no such table.
    pub common: Option<Interval>,
    /// Tie band by `present`. 1 is the best band.
    pub band: u32,
    /// Algorithms that the library has.
    pub algorithms: u32,
    /// Algorithms that any library has.
    pub of: u32,
    /// Whether the library has less than [`BROAD`] of the algorithms. What
    /// chooses its ground cannot be set against what covers all of it: narrow
    /// libraries stand after the others, in bands of their own.
    pub narrow: bool,
}

/// Libraries × algorithms without a gap.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct CommonTable {
    /// Libraries that have every algorithm of the table, by id.
    pub libraries: Vec<String>,
    /// Algorithms that every library of the table has, by name.
    pub algorithms: Vec<String>,
}

/// Ranks the libraries that the cells measure. Order of the cells is immaterial.
pub fn rank(cells: &[Cell]) -> Ranking {
    let mut groups: BTreeMap<(&str, String), Sizes> = BTreeMap::new();
    for cell in cells.iter().filter(|cell| ranks(cell)) {
        groups
            .entry((
                &cell.family,
                format!("{} {}", cell.primitive, cell.operation),
            ))
            .or_default()
            .entry(cell.bytes)
            .or_default()
            .insert(&cell.library, &cell.samples);
    }

    let mut rows = Vec::new();
    let mut scored = Vec::new();
    for ((family, algorithm), sizes) in &groups {
        let scores = algorithm_scores(algorithm, sizes);
        for (score, band) in scores.iter().zip(bands(&scores)) {
            rows.push(AlgorithmRank {
                library: score.library.to_owned(),
                algorithm: algorithm.clone(),
                family: (*family).to_owned(),
                rank: score.mean.interval(),
                band,
                coverage: score.mean.terms as f64 / sizes.len() as f64,
            });
        }
        if scores.len() > 1 {
            scored.push((*family, algorithm.as_str(), scores));
        }
    }

    let mut families: Vec<(String, Vec<OverallRank>)> = Vec::new();
    for of_family in scored.chunk_by(|a, b| a.0 == b.0) {
        families.push((of_family[0].0.to_owned(), overall(of_family)));
    }
    Ranking {
        algorithms: rows,
        overall: overall(&scored),
        families,
    }
}

/// Samples by size and library.
type Sizes<'a> = BTreeMap<u64, BTreeMap<&'a str, &'a [f64]>>;

/// Whether a cell takes part.
fn ranks(cell: &Cell) -> bool {
    cell.contract == "hot"
        && !adapters::is_variant(&cell.library)
        && cell.threads == 1
        && cell.flags.is_empty()
        && !cell.samples.is_empty()
        && cell.samples.iter().all(|&s| s.is_finite() && s > 0.0)
}

/// Each library's score for one algorithm, best first.
fn algorithm_scores<'a>(algorithm: &str, sizes: &Sizes<'a>) -> Vec<Score<'a>> {
    let mut means: BTreeMap<&str, Mean> = BTreeMap::new();
    for (bytes, libraries) in sizes {
        // Sizes and algorithms are measured at different times, so each draws
        // rounds of its own; the libraries of one cell share them.
        let seed = stats::stream(SEED ^ fnv(algorithm), *bytes);
        let samples: Vec<&[f64]> = libraries.values().copied().collect();
        for (library, ratio) in libraries.keys().zip(to_best(&samples, seed)) {
            let draws = ratio.draws.iter().map(|draw| draw.ln());
            means.entry(library).or_default().add(ratio.mid.ln(), draws);
        }
    }
    best_first(means)
}

/// Overall ranks over algorithms, each with its libraries' scores.
fn overall(algorithms: &[(&str, &str, Vec<Score>)]) -> Vec<OverallRank> {
    let mut have: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (_, algorithm, scores) in algorithms {
        for score in scores {
            have.entry(score.library).or_default().insert(algorithm);
        }
    }
    let table: BTreeSet<&str> = fullest_table(&have).1;

    let mut present: BTreeMap<&str, Mean> = BTreeMap::new();
    let mut common: BTreeMap<&str, Mean> = BTreeMap::new();
    for (_, algorithm, scores) in algorithms {
        for score in scores {
            let add = |means: &mut BTreeMap<_, Mean>| {
                let draws = (0..RESAMPLES).map(|i| score.mean.draw(i));
                means
                    .entry(score.library)
                    .or_default()
                    .add(score.mean.mid(), draws);
            };
            add(&mut present);
            if table.contains(algorithm) {
                add(&mut common);
            }
        }
    }

    let is_narrow = |score: &Score| (score.mean.terms as f64) < BROAD * algorithms.len() as f64;
    let (narrow, broad): (Vec<_>, Vec<_>) = best_first(present).into_iter().partition(is_narrow);
    let broad_bands = bands(&broad);
    let after = broad_bands.last().copied().unwrap_or(0);
    let narrow_bands = bands(&narrow).into_iter().map(|band| band + after);
    broad
        .iter()
        .zip(broad_bands)
        .chain(narrow.iter().zip(narrow_bands))
        .map(|(score, band)| OverallRank {
            library: score.library.to_owned(),
            present: score.mean.interval(),
            common: common
                .get(score.library)
                .filter(|mean| mean.terms == table.len())
                .map(Mean::interval),
            band,
            algorithms: score.mean.terms as u32,
            of: algorithms.len() as u32,
            narrow: is_narrow(score),
        })
        .collect()
}

/// The table without gaps that `common` ranks use: of the rows given (all of a
/// ranking's, or one family's), which libraries are compared on which
/// algorithms.
///
/// The intersection over all libraries is often empty, because one narrow
/// library suffices to empty it. So the narrowest is dropped, over and over:
/// each time the library without which the others have most in common. Of the
/// tables met on the way, the one with most cells (libraries × algorithms)
/// stands; of equal ones, that with more libraries. Speed plays no part in it.
/// A library outside that happens to have every algorithm of the table belongs
/// to it too. Empty where no two libraries share an algorithm.
pub fn common_table(rows: &[AlgorithmRank]) -> CommonTable {
    let mut holders: BTreeMap<&str, u32> = BTreeMap::new();
    for row in rows {
        *holders.entry(&row.algorithm).or_default() += 1;
    }
    let mut have: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for row in rows.iter().filter(|row| holders[&*row.algorithm] > 1) {
        have.entry(&row.library).or_default().insert(&row.algorithm);
    }
    let (libraries, algorithms) = fullest_table(&have);
    CommonTable {
        libraries: libraries.into_iter().map(str::to_owned).collect(),
        algorithms: algorithms.into_iter().map(str::to_owned).collect(),
    }
}

/// See [`common_table`].
fn fullest_table<'a>(
    have: &BTreeMap<&'a str, BTreeSet<&'a str>>,
) -> (BTreeSet<&'a str>, BTreeSet<&'a str>) {
    let shared = |libraries: &BTreeSet<&'a str>, without: Option<&str>| {
        let mut sets = libraries
            .iter()
            .filter(|&&library| Some(library) != without)
            .map(|library| &have[library]);
        let first = sets.next().cloned().unwrap_or_default();
        sets.fold(first, |all, set| &all & set)
    };
    let mut libraries: BTreeSet<&str> = have.keys().copied().collect();
    let mut best = BTreeSet::new();
    let mut cells = 0;
    while libraries.len() > 1 {
        let algorithms = shared(&libraries, None);
        if libraries.len() * algorithms.len() > cells {
            cells = libraries.len() * algorithms.len();
            best = algorithms;
        }
        // Most in common without it; of equals the narrowest; then by id.
        let dropped = libraries.iter().copied().min_by_key(|&library| {
            let left = shared(&libraries, Some(library)).len();
            (std::cmp::Reverse(left), have[library].len(), library)
        });
        libraries.remove(dropped.expect("more than one library is left"));
    }
    if best.is_empty() {
        return Default::default();
    }
    let members = have
        .iter()
        .filter(|(_, has)| has.is_superset(&best))
        .map(|(&library, _)| library)
        .collect();
    (members, best)
}

/// The mean of logarithms, kept as sums, together with its bootstrap draws.
#[derive(Default)]
struct Mean {
    terms: usize,
    sum: f64,
    /// [`RESAMPLES`] sums, once there is a term.
    draws: Vec<f64>,
}

impl Mean {
    fn add(&mut self, log: f64, draws: impl Iterator<Item = f64>) {
        self.draws.resize(RESAMPLES, 0.0);
        self.terms += 1;
        self.sum += log;
        for (sum, draw) in self.draws.iter_mut().zip(draws) {
            *sum += draw;
        }
    }

    fn mid(&self) -> f64 {
        self.sum / self.terms as f64
    }

    fn draw(&self, i: usize) -> f64 {
        self.draws[i] / self.terms as f64
    }

    /// The geometric mean.
    fn interval(&self) -> Interval {
        let draws = (0..RESAMPLES).map(|i| self.draw(i).exp()).collect();
        Interval::from_draws(self.mid().exp(), draws)
    }

    /// The geometric mean over another's.
    fn over(&self, other: &Mean) -> Interval {
        let draws = (0..RESAMPLES)
            .map(|i| (self.draw(i) - other.draw(i)).exp())
            .collect();
        Interval::from_draws((self.mid() - other.mid()).exp(), draws)
    }
}

struct Score<'a> {
    library: &'a str,
    mean: Mean,
}

fn best_first(means: BTreeMap<&str, Mean>) -> Vec<Score<'_>> {
    let mut scores: Vec<Score> = means
        .into_iter()
        .map(|(library, mean)| Score { library, mean })
        .collect();
    // A stable sort: equal ranks stay in order of the ids.
    scores.sort_by(|a, b| a.mean.mid().total_cmp(&b.mean.mid()));
    scores
}

/// The tie band of each score, best first.
fn bands(scores: &[Score]) -> Vec<u32> {
    let mut band = 0;
    let mut leader: Option<&Score> = None;
    scores
        .iter()
        .map(|score| {
            if !leader.is_some_and(|leader| ties(&score.mean.over(&leader.mean))) {
                leader = Some(score);
                band += 1;
            }
            band
        })
        .collect()
}

/// Whether a ratio cannot be told from 1, or is too near to it to matter.
pub fn ties(ratio: &Interval) -> bool {
    ratio.widened(CAUTION).includes(1.0) || (ratio.mid - 1.0).abs() < EQUIVALENT
}

/// Each library's ratio to the best, and whether it ties with the best.
///
/// `samples` are the libraries of one cell (same primitive, operation, contract,
/// size and threads), in round order; none may be empty. Of series of equal
/// length, sample i of one pairs with sample i of the other; otherwise medians
/// are compared. The best has the smallest median (see [`best`] for the one
/// exception); its own ratio is exactly 1, and it ties where another does.
pub fn ratios(samples: &[&[f64]]) -> Vec<(Interval, bool)> {
    let best = best(samples);
    let mut ratios: Vec<(Interval, bool)> = to_best(samples, SEED)
        .into_iter()
        .map(|ratio| {
            let interval = Interval::from_draws(ratio.mid, ratio.draws);
            (interval, ties(&interval))
        })
        .collect();
    if let Some(best) = best {
        let ties = ratios.iter().filter(|(_, tie)| *tie).count();
        ratios[best].1 = ties > 1;
    }
    ratios
}

/// [`ratios`] where some series are masked variants, not `plain`: these are
/// compared with the best of the others, on whose ratios they have no influence.
/// Where all are variants, each is compared with itself.
pub fn ratios_to_plain(samples: &[&[f64]], plain: &[bool]) -> Vec<(Interval, bool)> {
    let chosen: Vec<&[f64]> = samples
        .iter()
        .zip(plain)
        .filter_map(|(own, plain)| plain.then_some(*own))
        .collect();
    let reference = best(&chosen).map(|best| chosen[best]);
    let mut of_plain = ratios(&chosen).into_iter();
    samples
        .iter()
        .zip(plain)
        .map(|(own, &plain)| match (plain, reference) {
            (true, _) => of_plain.next().expect("one ratio for each series"),
            (false, None) => (Interval::exact(1.0), false),
            (false, Some(reference)) => {
                let ratio = Ratio::of(own, reference, &Resamples::new(reference.len(), SEED), SEED);
                let interval = Interval::from_draws(ratio.mid, ratio.draws);
                (interval, ties(&interval))
            }
        })
        .collect()
}

/// Which library of a cell is the best: that with the smallest median.
///
/// The exception: where the machine drifted between rounds, another library can
/// be faster round by round and yet have a larger median. Pairs cancel drift, so
/// that one takes the place. `None` for no libraries.
pub fn best(samples: &[&[f64]]) -> Option<usize> {
    let medians: Vec<f64> = samples.iter().map(|s| stats::median(s)).collect();
    let least = |values: &[f64]| (0..values.len()).min_by(|&i, &j| values[i].total_cmp(&values[j]));
    let by_median = least(&medians)?;
    let mut best = by_median;
    for _ in samples {
        let ratios: Vec<f64> = samples.iter().map(|s| paired(s, samples[best])).collect();
        match least(&ratios) {
            Some(faster) if ratios[faster] < 1.0 => best = faster,
            _ => return Some(best),
        }
    }
    // Faster in a circle: the medians decide after all.
    Some(by_median)
}

/// Median of `a` over `b` by rounds, or the quotient of the medians.
fn paired(a: &[f64], b: &[f64]) -> f64 {
    if a.len() == b.len() {
        stats::median(&stats::quotients(a, b))
    } else {
        stats::median(a) / stats::median(b)
    }
}

/// A ratio and its bootstrap draws.
struct Ratio {
    mid: f64,
    draws: Vec<f64>,
}

/// Each library's ratio to the best of one cell. No ratio is below 1: the best is
/// chosen so, but for circles (see [`best`]), where 1 is what remains.
fn to_best(samples: &[&[f64]], seed: u64) -> Vec<Ratio> {
    let Some(best) = best(samples) else {
        return Vec::new();
    };
    let reference = samples[best];
    // The same rounds for all: what makes quotients of ratios paired as well.
    let rounds = Resamples::new(reference.len(), seed);
    samples
        .iter()
        .enumerate()
        .map(|(i, own)| {
            if i == best {
                return Ratio {
                    mid: 1.0,
                    draws: vec![1.0; RESAMPLES],
                };
            }
            let ratio = Ratio::of(own, reference, &rounds, seed);
            Ratio {
                mid: ratio.mid.max(1.0),
                ..ratio
            }
        })
        .collect()
}

impl Ratio {
    /// One series over another, of which `rounds` are the draws.
    fn of(own: &[f64], reference: &[f64], rounds: &Resamples, seed: u64) -> Self {
        let draws = if own.len() == reference.len() {
            rounds.medians(&stats::quotients(own, reference))
        } else {
            let apart = Resamples::new(own.len(), stats::stream(seed, own.len() as u64));
            stats::quotients(&apart.medians(own), &rounds.medians(reference))
        };
        Self {
            mid: paired(own, reference),
            draws,
        }
    }
}

/// Spreads a name over 64 bits (FNV-1a).
fn fnv(name: &str) -> u64 {
    name.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// Which values of a measure are better.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Direction {
    /// Times: the smallest is best.
    Less,
    /// Speeds: the largest is best.
    More,
}

/// One published value.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Measure {
    /// What was measured: the head of the column.
    pub column: String,
    /// The value, in the column's unit.
    pub value: f64,
    /// Which values of the column are better.
    pub direction: Direction,
}

/// A library's rank by a published table.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PublishedRank {
    /// Library, as published.
    pub library: String,
    /// Geometric mean of `ratios`; 1 is best.
    pub rank: f64,
    /// Per column that the library has: how far from the column's best. At
    /// least 1, whichever the direction.
    pub ratios: Vec<(String, f64)>,
    /// Columns of the table.
    pub of: u32,
}

/// Ranks the rows of a published table, best first: RANK with columns in the
/// place of algorithms. Over what is present, as published tables do; values
/// that are not above zero count as absent, and so do libraries without values.
pub fn published_rank(table: &[(String, Vec<Measure>)]) -> Vec<PublishedRank> {
    // Time over the best's time is the best's speed over speed.
    let cost = |measure: &Measure| match measure.direction {
        Direction::Less => measure.value,
        Direction::More => 1.0 / measure.value,
    };
    let usable = |measure: &&Measure| measure.value.is_finite() && measure.value > 0.0;
    let mut least: BTreeMap<&str, f64> = BTreeMap::new();
    for measure in table.iter().flat_map(|row| row.1.iter()).filter(usable) {
        let best = least.entry(&measure.column).or_insert(f64::INFINITY);
        *best = best.min(cost(measure));
    }
    let mut ranks: Vec<PublishedRank> = table
        .iter()
        .filter_map(|(library, measures)| {
            let ratios: Vec<(String, f64)> = measures
                .iter()
                .filter(usable)
                .map(|m| (m.column.clone(), cost(m) / least[&*m.column]))
                .collect();
            let values: Vec<f64> = ratios.iter().map(|(_, ratio)| *ratio).collect();
            (!values.is_empty()).then(|| PublishedRank {
                library: library.clone(),
                rank: stats::geometric_mean(&values),
                ratios,
                of: least.len() as u32,
            })
        })
        .collect();
    ranks.sort_by(|a, b| a.rank.total_cmp(&b.rank).then(a.library.cmp(&b.library)));
    ranks
}

#[cfg(test)]
mod tests;
