//! Bootstrap resampling: which rounds each draw takes, and which rounds are drawn
//! together.
//!
//! All samples of one process (one start of a library's worker) share the addresses of
//! its stack and heap, so they are not independent. A draw takes whole processes with
//! replacement, as many as there are, and each process with all its rounds. Rounds are
//! not drawn again within a process: their noise already contributes to the variation
//! between processes and would be counted twice (A. C. Davison and D. V. Hinkley,
//! *Bootstrap Methods and their Application*, 1997, section 3.8).
//!
//! With fewer than [`PROCESSES`] processes, their variation cannot be measured. Then
//! single rounds are drawn, and in each draw a library with so few processes gets a
//! random normal deviation of [`FLOOR`] in place of the unknown variation.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use rand::rngs::Xoshiro256PlusPlus;
use rand::seq::SliceRandom;
use rand::{Rng, SeedableRng};
use serde::Deserialize;
use statrs::distribution::{ContinuousCDF, Normal};

use super::{RESAMPLES, critical, mean, median};

/// The smallest number of processes whose variation can be measured.
pub const PROCESSES: usize = 3;

/// The relative standard deviation between two processes of the same code, for libraries
/// whose own variation cannot be measured. It was measured in quiet runs.
pub const FLOOR: f64 = 0.005;

/// One library's samples of a cell, in round order.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Series<'a> {
    /// The time in nanoseconds per call.
    pub samples: &'a [f64],
    /// The number of the process of each sample; empty if unknown.
    pub processes: &'a [u32],
    /// How the samples are summarised.
    pub statistic: Statistic,
}

/// How the samples of a series are summarised.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Statistic {
    /// The median, which a few slow calls hardly change.
    #[default]
    Median,
    /// The mean, if slow calls are a normal part of the operation, such as the search for
    /// primes.
    Mean,
}

impl<'a> Series<'a> {
    /// Samples of unknown processes.
    pub fn of(samples: &'a [f64]) -> Self {
        Self {
            samples,
            processes: &[],
            statistic: Statistic::Median,
        }
    }

    /// Returns the median or the mean of the samples.
    pub fn value(&self) -> f64 {
        match self.statistic {
            Statistic::Median => median(self.samples),
            Statistic::Mean => mean(self.samples),
        }
    }

    /// Returns whether the series has too few processes to measure the variation between them.
    pub(crate) fn is_of_few_processes(&self) -> bool {
        let mut seen = self.processes.to_vec();
        seen.sort_unstable();
        seen.dedup();
        seen.len() < PROCESSES
    }
}

/// Returns the block of each round, as a number. All rounds of a block are drawn together: in these
/// rounds each library had the same process. If there are too few such blocks, every round is a
/// block of its own. A series whose length differs from the length of the first series has separate
/// rounds, and is ignored.
fn blocks(series: &[Series<'_>]) -> Vec<usize> {
    let rounds = series.first().map_or(0, |first| first.samples.len());
    let known: Vec<&[u32]> = series
        .iter()
        .map(|one| one.processes)
        .filter(|processes| processes.len() == rounds)
        .collect();
    let mut places: HashMap<Vec<u32>, usize> = HashMap::new();
    let blocks: Vec<usize> = (0..rounds)
        .map(|round| {
            let key: Vec<u32> = known.iter().map(|processes| processes[round]).collect();
            let next = places.len();
            *places.entry(key).or_insert(next)
        })
        .collect();
    if places.len() < PROCESSES {
        (0..rounds).collect()
    } else {
        blocks
    }
}

/// The rounds of each bootstrap draw. All series that were measured in the same rounds use the same
/// value, so that they are resampled together and their samples stay paired.
pub(crate) struct Resamples(Arc<Draws>);

struct Draws {
    units: usize,
    /// The different draws: how many times each has each round. From few units, few different
    /// draws can be made.
    different: Vec<Vec<u16>>,
    /// The place in `different` of each of the [`RESAMPLES`] draws.
    places: Vec<usize>,
    /// A round of each unit.
    members: Vec<usize>,
}

/// What draws follow from: the block of each round, and the seed.
type Origin = (Vec<usize>, u64);

/// Draws that were made before. Most cells of a run have the same rounds in the same processes.
static MADE: LazyLock<Mutex<HashMap<Origin, Arc<Draws>>>> = LazyLock::new(Mutex::default);

/// The most draws that are kept; each takes up to some 40 KiB.
const KEPT: usize = 256;

impl Resamples {
    /// Makes the draws for series that were measured in the same rounds.
    pub(crate) fn of(series: &[Series<'_>], seed: u64) -> Self {
        let origin = (blocks(series), seed);
        let mut made = MADE.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(draws) = made.get(&origin) {
            return Self(Arc::clone(draws));
        }
        if made.len() == KEPT {
            made.clear();
        }
        let draws = Arc::new(Draws::new(&origin.0, seed));
        made.insert(origin, Arc::clone(&draws));
        Self(draws)
    }

    /// Returns the number of independent units (processes or rounds) in a draw.
    pub(crate) fn units(&self) -> usize {
        self.0.units
    }

    /// Returns a statistic of each draw, from the number of times that the draw has each round.
    fn each(&self, statistic: impl FnMut(&Vec<u16>) -> f64) -> Vec<f64> {
        let values: Vec<f64> = self.0.different.iter().map(statistic).collect();
        self.0.places.iter().map(|&place| values[place]).collect()
    }

    /// Returns how much each unit moves a statistic: the covariance of the statistic's draws
    /// with the number of times that the unit was drawn. For a statistic that is a sum over
    /// the units, the covariance of two statistics is the sum of the products over the units.
    pub(crate) fn loadings(&self, draws: &[f64]) -> Vec<f64> {
        let middle = mean(draws);
        let share = 1.0 / (draws.len() as f64 - 1.0);
        let Draws {
            different, places, ..
        } = &*self.0;
        self.0
            .members
            .iter()
            .map(|&round| {
                let counts = places.iter().map(|&place| different[place][round]);
                let terms = counts.zip(draws);
                let sum: f64 = terms
                    .map(|(count, draw)| (f64::from(count) - 1.0) * (draw - middle))
                    .sum();
                sum * share
            })
            .collect()
    }

    /// Returns the median of each draw.
    pub(crate) fn medians(&self, samples: &[f64]) -> Vec<f64> {
        let mut order: Vec<usize> = (0..samples.len()).collect();
        order.sort_by(|&i, &j| samples[i].total_cmp(&samples[j]));
        self.each(|row| {
            assert_eq!(samples.len(), row.len());
            // Processes have different numbers of rounds, so the draws differ in size.
            let all: usize = row.iter().map(|&count| usize::from(count)).sum();
            // Goes through the sorted samples until half of the draw is covered.
            let mut walk = order.iter();
            let mut covered = 0;
            let mut value = 0.0;
            let mut reach = |place: usize| {
                while covered <= place {
                    let &round = walk.next().expect("the counts add up to the draw");
                    covered += usize::from(row[round]);
                    value = samples[round];
                }
                value
            };
            let low = reach((all - 1) / 2);
            (low + reach(all / 2)) / 2.0
        })
    }

    /// Returns the mean of each draw, in the order of the draws.
    fn means(&self, samples: &[f64]) -> Vec<f64> {
        self.each(|row| {
            assert_eq!(samples.len(), row.len());
            let drawn = || row.iter().map(|&count| f64::from(count));
            let sum: f64 = drawn().zip(samples).map(|(count, one)| count * one).sum();
            sum / drawn().sum::<f64>()
        })
    }

    /// Returns the logarithm of the value (median or mean) of each draw. If `of` has too few
    /// processes, the assumed variation between processes is added.
    pub(crate) fn log_values(&self, of: Series<'_>, seed: u64) -> Vec<f64> {
        let values = match of.statistic {
            Statistic::Median => self.medians(of.samples),
            Statistic::Mean => self.means(of.samples),
        };
        let mut draws: Vec<f64> = values.iter().map(|value| value.ln()).collect();
        add_floor(&mut draws, of, self.units(), seed);
        draws
    }
}

impl Draws {
    fn new(blocks: &[usize], seed: u64) -> Self {
        assert!(!blocks.is_empty(), "no rounds to draw from");
        let units = blocks.iter().max().map_or(0, |last| last + 1);
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut different = Vec::new();
        let mut known: HashMap<Vec<u16>, usize> = HashMap::new();
        let mut drawn = vec![0; units];
        let places = (0..RESAMPLES).map(|_| {
            drawn.fill(0);
            for _ in 0..units {
                drawn[pick(&mut rng, units)] += 1;
            }
            *known.entry(drawn.clone()).or_insert_with(|| {
                different.push(blocks.iter().map(|&block| drawn[block]).collect());
                different.len() - 1
            })
        });
        let places = places.collect();
        let member = |unit: usize| blocks.iter().position(|&block| block == unit);
        Self {
            units,
            different,
            places,
            members: (0..units).filter_map(member).collect(),
        }
    }
}

/// Adds the assumed variation between processes, [`FLOOR`], to the draws of a logarithm. The caller
/// later multiplies the standard error by a correction for few units. The floor is a known value
/// and not an estimate, so this function divides the floor by that correction.
pub(crate) fn add_floor(draws: &mut [f64], of: Series<'_>, units: usize, seed: u64) {
    if units > 1 && of.is_of_few_processes() {
        let units = units as f64;
        let floor = floor(of, units) / (units / (units - 1.0)).sqrt();
        for (draw, deviation) in draws.iter_mut().zip(normal(seed)) {
            *draw += floor * deviation;
        }
    }
}

/// Returns the part of the assumed variation between processes in the standard error of a series:
/// 0 if the variation was measured.
pub(crate) fn floor(of: Series<'_>, units: f64) -> f64 {
    if units > 1.0 && of.is_of_few_processes() {
        FLOOR * critical(f64::INFINITY) / critical(units - 1.0)
    } else {
        0.0
    }
}

/// Returns a random index below `places`. The bias is below places / 2⁶⁴.
pub(crate) fn pick(rng: &mut Xoshiro256PlusPlus, places: usize) -> usize {
    ((u128::from(rng.next_u64()) * places as u128) >> 64) as usize
}

/// Returns one normal deviation for each draw, in an order that follows from the seed.
fn normal(seed: u64) -> Vec<f64> {
    static DEVIATIONS: LazyLock<Vec<f64>> = LazyLock::new(|| {
        let place = |i: usize| (i as f64 + 0.5) / RESAMPLES as f64;
        (0..RESAMPLES)
            .map(|i| Normal::standard().inverse_cdf(place(i)))
            .collect()
    });
    let mut deviations = DEVIATIONS.clone();
    deviations.shuffle(&mut Xoshiro256PlusPlus::seed_from_u64(seed));
    deviations
}

/// Returns a different seed for each series.
pub(crate) fn stream(seed: u64, number: u64) -> u64 {
    seed ^ number.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_agree_with_sorting_them() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(2);
        for n in 1..12 {
            let samples: Vec<f64> = (0..n).map(|_| rng.next_u64() as f64).collect();
            let processes: Vec<u32> = (0..n as u32).map(|i| i / 2).collect();
            let series = Series {
                samples: &samples,
                processes: &processes,
                statistic: Statistic::Median,
            };
            let resamples = Resamples::of(&[series], n as u64);
            for (draw, drawn) in resamples.medians(&samples).into_iter().enumerate() {
                let row = &resamples.0.different[resamples.0.places[draw]];
                let taken: Vec<f64> = row
                    .iter()
                    .zip(&samples)
                    .flat_map(|(&times, &sample)| vec![sample; times.into()])
                    .collect();
                assert!((drawn / median(&taken) - 1.0).abs() < 1e-12);
                if n >= 6 {
                    assert!(row.chunks(2).all(|pair| pair.iter().all(|c| *c == pair[0])));
                }
            }
        }
    }

    #[test]
    fn a_block_is_a_process_of_each_library() {
        let samples = [1.0; 8];
        let series = |processes| Series {
            samples: &samples,
            processes,
            statistic: Statistic::Median,
        };
        let a = series(&[1, 1, 2, 2, 3, 3, 3, 3]);
        assert_eq!(blocks(&[a]), [0, 0, 1, 1, 2, 2, 2, 2]);
        // A library that crashed once divides a block; a library with a single process
        // divides none.
        let b = series(&[5, 5, 6, 6, 7, 7, 8, 8]);
        let still = series(&[4; 8]);
        assert_eq!(blocks(&[a, still, b]), [0, 0, 1, 1, 2, 2, 3, 3]);
        let single: Vec<usize> = (0..8).collect();
        assert_eq!(blocks(&[still]), single);
        assert_eq!(blocks(&[series(&[])]), single);
        assert!(still.is_of_few_processes() && !a.is_of_few_processes());
    }
}
