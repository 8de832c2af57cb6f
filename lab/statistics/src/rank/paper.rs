//! RANK as the paper defines it: geometric means of ratios to the best library.
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
//! 1 is best, and lower is better. An algorithm is a primitive and an operation; its
//! parameter is the message size. T is the number of sizes that the library has, and M
//! the number of its algorithms; the number of algorithms that it lacks is shown beside
//! the result. An algorithm that only one library has allows no comparison: it gets a row
//! but does not count in the means.
//!
//! Here means over different algorithms are compared with each other, because the paper
//! did so. The lab's own headline ([`super::headline`]) does not.
//!
//! The formula is from Aulov and Gorbenko (2012). The roots, which a geometric mean
//! needs, are missing in the printed formula and are added here.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use touchstone_wire::fnv1a;

use super::ratio::{SEED, ties, to_best};
use super::{BROAD, Timed};
use crate::{self as stats, Interval, RESAMPLES, Series, parallel};

/// The ranks for each algorithm, for each family and over all algorithms.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Default)]
pub struct Ranking {
    /// One row for each library and algorithm: sorted by family, by algorithm, then best
    /// first.
    pub algorithms: Vec<AlgorithmRank>,
    /// One row for each library over all its algorithms, best first.
    pub overall: Vec<OverallRank>,
    /// For each family, one row for each library, best first.
    pub families: Vec<(String, Vec<OverallRank>)>,
}

/// A library's rank for one algorithm (primitive × operation × contract).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AlgorithmRank {
    /// The library's id.
    pub library: String,
    /// `primitive operation`, such as `aes-128 cbc-encrypt`.
    pub algorithm: String,
    /// The family of the algorithm's primitive.
    pub family: String,
    /// Geometric mean over the sizes of the time divided by the best library's; 1 is
    /// best.
    pub rank: Interval,
    /// The tie band: libraries of one band tie. Band 1 is the best.
    pub band: u32,
    /// Number of sizes that the library has, divided by the number of sizes that at least one
    /// library has.
    pub coverage: f64,
}

/// A library's rank over several algorithms. Only algorithms that at least two libraries
/// have count.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct OverallRank {
    /// The library's id.
    pub library: String,
    /// Geometric mean over the algorithms that the library has.
    pub present: Interval,
    /// The tie band. Band 1 is the best.
    pub band: u32,
    /// Number of algorithms that the library has.
    pub algorithms: u32,
    /// Number of algorithms that any library has.
    pub of: u32,
    /// Whether the library has less than [`BROAD`] of the algorithms. The mean of a
    /// library with few algorithms cannot be compared with the mean of a library with
    /// all, so narrow libraries come after the others, in bands of their own.
    pub narrow: bool,
}

/// Ranks the libraries of the cells. The order of the cells does not matter.
pub fn rank(cells: &[Timed<'_>]) -> Ranking {
    let mut groups: BTreeMap<(&str, &str), Sizes> = BTreeMap::new();
    for cell in cells {
        groups
            .entry((cell.family, cell.algorithm))
            .or_default()
            .entry(cell.bytes)
            .or_default()
            .insert(cell.library, cell.series);
    }

    let mut rows = Vec::new();
    let mut scored = Vec::new();
    let groups: Vec<_> = groups.into_iter().collect();
    let banded = parallel::map(&groups, |((_, algorithm), sizes)| {
        let scores = algorithm_scores(algorithm, sizes);
        let bands = bands(&scores);
        (scores, bands)
    });
    for (((family, algorithm), sizes), (scores, bands)) in groups.iter().zip(banded) {
        for (score, band) in scores.iter().zip(bands) {
            rows.push(AlgorithmRank {
                library: score.library.to_owned(),
                algorithm: (*algorithm).to_owned(),
                family: (*family).to_owned(),
                rank: score.mean.interval(),
                band,
                coverage: score.mean.terms as f64 / sizes.len() as f64,
            });
        }
        if scores.len() > 1 {
            scored.push((*family, scores));
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

/// The samples of one algorithm, by size and library.
type Sizes<'a> = BTreeMap<u64, BTreeMap<&'a str, Series<'a>>>;

/// Returns each library's score in one algorithm, best first.
fn algorithm_scores<'a>(algorithm: &str, sizes: &Sizes<'a>) -> Vec<Score<'a>> {
    let mut means: BTreeMap<&str, Mean> = BTreeMap::new();
    for (bytes, libraries) in sizes {
        // Sizes and algorithms are measured at different times, so the bootstrap draws the rounds
        // of each cell separately. All libraries of one cell share the drawn rounds.
        let seed = stats::stream(SEED ^ fnv1a(algorithm.as_bytes()), *bytes);
        let series: Vec<Series<'_>> = libraries.values().copied().collect();
        for (library, ratio) in libraries.keys().zip(to_best(&series, seed)) {
            let mean = means.entry(library).or_default();
            mean.add(ratio.mid.ln(), &ratio.draws, ratio.units);
        }
    }
    best_first(means)
}

/// Returns the overall ranks from the scores of each algorithm.
fn overall(algorithms: &[(&str, Vec<Score>)]) -> Vec<OverallRank> {
    let mut present: BTreeMap<&str, Mean> = BTreeMap::new();
    for score in algorithms.iter().flat_map(|(_, scores)| scores) {
        let draws: Vec<f64> = (0..RESAMPLES).map(|i| score.mean.draw(i)).collect();
        let mean = present.entry(score.library).or_default();
        mean.add(score.mean.mid(), &draws, score.mean.units);
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
            band,
            algorithms: score.mean.terms as u32,
            of: algorithms.len() as u32,
            narrow: is_narrow(score),
        })
        .collect()
}

/// A mean of logarithms, stored as sums, with its bootstrap draws.
struct Mean {
    terms: usize,
    sum: f64,
    draws: Vec<f64>,
    /// The smallest number of independent units in any of the terms; infinity if every term is
    /// exact.
    units: f64,
}

impl Default for Mean {
    fn default() -> Self {
        Self {
            terms: 0,
            sum: 0.0,
            draws: vec![0.0; RESAMPLES],
            units: f64::INFINITY,
        }
    }
}

impl Mean {
    fn add(&mut self, log: f64, draws: &[f64], units: f64) {
        self.terms += 1;
        self.sum += log;
        self.units = self.units.min(units);
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

    /// Returns the geometric mean with its interval.
    fn interval(&self) -> Interval {
        let draws: Vec<f64> = (0..RESAMPLES).map(|i| self.draw(i)).collect();
        interval(self.mid(), &draws, self.units)
    }

    /// Returns the geometric mean divided by another mean's.
    fn over(&self, other: &Mean) -> Interval {
        let draws: Vec<f64> = (0..RESAMPLES)
            .map(|i| self.draw(i) - other.draw(i))
            .collect();
        interval(
            self.mid() - other.mid(),
            &draws,
            self.units.min(other.units),
        )
    }
}

/// Returns the interval of a value from its logarithm and the draws of the logarithm.
fn interval(log: f64, draws: &[f64], units: f64) -> Interval {
    if units.is_infinite() {
        Interval::exact(log.exp())
    } else if units < 2.0 {
        Interval::unknown(log.exp())
    } else {
        Interval::from_log_draws(log.exp(), draws, units)
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
    // The sort is stable, so equal ranks stay in the order of the ids.
    scores.sort_by(|a, b| a.mean.mid().total_cmp(&b.mean.mid()));
    scores
}

/// Returns the tie band of each score; the scores are sorted best first.
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

/// Which values of a measure are better.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Direction {
    /// The smallest value is best, as for times.
    Less,
    /// The largest value is best, as for speeds.
    More,
}

/// One published value.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Measure {
    /// The heading of the column: what was measured.
    pub column: String,
    /// The value, in the column's unit.
    pub value: f64,
    /// Which values of the column are better.
    pub direction: Direction,
}

/// A library's rank in a published table.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PublishedRank {
    /// The library's name, as published.
    pub library: String,
    /// Geometric mean of `ratios`; 1 is best.
    pub rank: f64,
    /// For each column in which the library has a value, the ratio to the column's best value. A
    /// ratio is at least 1, for times and for speeds.
    pub ratios: Vec<(String, f64)>,
    /// Number of columns of the table.
    pub of: u32,
}

/// Ranks the rows of a published table by RANK, best first, with columns in the place of
/// algorithms. The mean is over the values that exist, as in published tables. Values
/// that are not above zero count as missing, and libraries without values are left out.
pub fn published_rank(table: &[(String, Vec<Measure>)]) -> Vec<PublishedRank> {
    // For speeds, the ratio is inverted: the best speed divided by the library's speed.
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
