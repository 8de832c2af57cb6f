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
use std::ops::AddAssign;
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
    pub fn is_of_few_processes(&self) -> bool {
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
    // The first round of each block. Most rounds are in the same block as the round before.
    let mut firsts: Vec<usize> = Vec::new();
    let blocks: Vec<usize> = (0..rounds)
        .map(|round| {
            let same = |&first: &usize| known.iter().all(|own| own[first] == own[round]);
            firsts.iter().rposition(same).unwrap_or_else(|| {
                firsts.push(round);
                firsts.len() - 1
            })
        })
        .collect();
    if firsts.len() < PROCESSES {
        (0..rounds).collect()
    } else {
        blocks
    }
}

/// The rounds of each bootstrap draw. All series that were measured in the same rounds use the same
/// value, so that they are resampled together and their samples stay paired.
pub struct Resamples(Arc<Draws>);

struct Draws {
    /// The unit (block) of each round.
    blocks: Vec<usize>,
    units: usize,
    /// How many times each draw has each unit: [`WIDTH`] numbers for each unit, of which the last
    /// ones are 0.
    counts: Vec<u16>,
    /// The number of rounds of each draw. Blocks have different numbers of rounds, so the draws
    /// differ in size.
    sizes: Vec<usize>,
}

/// The number of draws that are examined at the same time.
const GROUP: usize = 32;

/// The number of draws, rounded up to whole groups.
const WIDTH: usize = RESAMPLES.next_multiple_of(GROUP);

/// What draws follow from: the block of each round, and the seed.
type Origin = (Vec<usize>, u64);

/// Draws that were made before. Most cells of a run have the same rounds in the same processes.
static MADE: LazyLock<Mutex<HashMap<Origin, Arc<Draws>>>> = LazyLock::new(Mutex::default);

/// The most draws that are kept; each takes 2 KiB for each unit.
const KEPT: usize = 256;

impl Resamples {
    /// Makes the draws for series that were measured in the same rounds.
    pub fn of(series: &[Series<'_>], seed: u64) -> Self {
        let origin = (blocks(series), seed);
        let made = || MADE.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(draws) = made().get(&origin) {
            return Self(Arc::clone(draws));
        }
        let draws = Arc::new(Draws::new(&origin.0, seed));
        let mut made = made();
        if made.len() == KEPT {
            made.clear();
        }
        made.insert(origin, Arc::clone(&draws));
        Self(draws)
    }

    /// Returns the number of independent units (processes or rounds) in a draw.
    pub fn units(&self) -> usize {
        self.0.units
    }

    /// Returns how much each unit moves a statistic: the covariance of the statistic's draws
    /// with the number of times that the unit was drawn. For a statistic that is a sum over
    /// the units, the covariance of two statistics is the sum of the products over the units.
    pub fn loadings(&self, draws: &[f64]) -> Vec<f64> {
        let middle = mean(draws);
        let share = 1.0 / (draws.len() as f64 - 1.0);
        (0..self.0.units)
            .map(|unit| {
                let terms = self.0.counts(unit).iter().zip(draws);
                let sum: f64 = terms
                    .map(|(&count, draw)| (f64::from(count) - 1.0) * (draw - middle))
                    .sum();
                sum * share
            })
            .collect()
    }

    /// Returns the median of each draw.
    pub fn medians(&self, samples: &[f64]) -> Vec<f64> {
        self.medians_as(samples, |median| median)
    }

    /// Returns the logarithm of the median of each draw.
    pub fn log_medians(&self, samples: &[f64]) -> Vec<f64> {
        self.medians_as(samples, f64::ln)
    }

    /// Returns a function of the median of each draw.
    fn medians_as(&self, samples: &[f64], of: impl Fn(f64) -> f64) -> Vec<f64> {
        let draws = &*self.0;
        assert_eq!(samples.len(), draws.blocks.len());
        let mut order: Vec<usize> = (0..samples.len()).collect();
        order.sort_by(|&i, &j| samples[i].total_cmp(&samples[j]));
        let sorted: Vec<f64> = order.iter().map(|&round| samples[round]).collect();
        let between = |low: usize, high: usize| of((sorted[low] + sorted[high]) / 2.0);
        // There are far more draws than different medians.
        let same: Vec<f64> = (0..sorted.len()).map(|i| between(i, i)).collect();
        let next: Vec<f64> = (1..sorted.len()).map(|i| between(i - 1, i)).collect();
        let middles = draws.middles(&order);
        middles
            .map(|[low, high]| match high - low {
                0 => same[low],
                1 => next[low],
                _ => between(low, high),
            })
            .collect()
    }

    /// Returns the mean of each draw.
    fn means(&self, samples: &[f64]) -> Vec<f64> {
        let draws = &*self.0;
        assert_eq!(samples.len(), draws.blocks.len());
        let mut sums = vec![0.0; RESAMPLES];
        for (sample, &unit) in samples.iter().zip(&draws.blocks) {
            for (sum, &count) in sums.iter_mut().zip(draws.counts(unit)) {
                *sum += f64::from(count) * sample;
            }
        }
        let means = sums.iter().zip(&draws.sizes);
        means.map(|(sum, &size)| sum / size as f64).collect()
    }

    /// Returns the logarithm of the value (median or mean) of each draw. If `of` has too few
    /// processes, the assumed variation between processes is added.
    pub fn log_values(&self, of: Series<'_>, seed: u64) -> Vec<f64> {
        let mut draws = match of.statistic {
            Statistic::Median => self.log_medians(of.samples),
            Statistic::Mean => self.means(of.samples).iter().map(|m| m.ln()).collect(),
        };
        add_floor(&mut draws, of, self.units(), seed);
        draws
    }
}

impl Draws {
    fn new(blocks: &[usize], seed: u64) -> Self {
        assert!(!blocks.is_empty(), "no rounds to draw from");
        let units = blocks.iter().max().map_or(0, |last| last + 1);
        let mut rounds = vec![0; units];
        for &unit in blocks {
            rounds[unit] += 1;
        }
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut counts = vec![0; units * WIDTH];
        let mut sizes = vec![0; RESAMPLES];
        for (draw, size) in sizes.iter_mut().enumerate() {
            for _ in 0..units {
                let unit = pick(&mut rng, units);
                counts[unit * WIDTH + draw] += 1;
                *size += rounds[unit];
            }
        }
        Self {
            blocks: blocks.to_vec(),
            units,
            counts,
            sizes,
        }
    }

    /// Returns how many times each draw has a unit.
    fn counts(&self, unit: usize) -> &[u16] {
        &self.counts[unit * WIDTH..][..RESAMPLES]
    }

    /// Returns for each draw the places of its two middle values in `order`, which has the rounds
    /// in ascending order of their samples. If the draw has an odd number of values, both places
    /// are the same.
    ///
    /// The place of the draw's n-th value is the number of rounds that the draw has passed before
    /// it has more than n values. Rounds are passed for a group of draws at the same time: the
    /// compiler makes one instruction for several draws.
    fn middles(&self, order: &[usize]) -> impl Iterator<Item = [usize; 2]> {
        let mut places = Vec::with_capacity(WIDTH);
        for (group, sizes) in self.sizes.chunks(GROUP).enumerate() {
            let mut wanted = [[0; GROUP]; 2];
            for (draw, size) in sizes.iter().enumerate() {
                wanted[0][draw] = (size - 1) / 2;
                wanted[1][draw] = size / 2;
            }
            let rows = order.iter().map(|&round| {
                let start = self.blocks[round] * WIDTH + group * GROUP;
                self.counts[start..]
                    .first_chunk()
                    .expect("the counts are in whole groups")
            });
            let found = if sizes.iter().all(|&size| u16::try_from(size).is_ok()) {
                let wanted = wanted.map(|places| places.map(|place: usize| place as u16));
                passed(rows, &wanted).map(|places| places.map(usize::from))
            } else {
                passed(rows, &wanted)
            };
            places.extend((0..sizes.len()).map(|draw| [found[0][draw], found[1][draw]]));
        }
        places.into_iter()
    }
}

/// Goes through the rows (the number of times that each draw of a group has a round), and counts
/// for each draw the rows after which the draw has no more values than each number in `wanted`.
fn passed<'a, N: Copy + Default + PartialOrd + AddAssign + From<u16> + From<bool>>(
    rows: impl Iterator<Item = &'a [u16; GROUP]>,
    wanted: &[[N; GROUP]; 2],
) -> [[N; GROUP]; 2] {
    let mut covered = [N::default(); GROUP];
    let mut passed = [[N::default(); GROUP]; 2];
    for row in rows {
        for draw in 0..GROUP {
            covered[draw] += N::from(row[draw]);
            passed[0][draw] += N::from(covered[draw] <= wanted[0][draw]);
            passed[1][draw] += N::from(covered[draw] <= wanted[1][draw]);
        }
    }
    passed
}

/// Adds the assumed variation between processes, [`FLOOR`], to the draws of a logarithm. The caller
/// later multiplies the standard error by a correction for few units. The floor is a known value
/// and not an estimate, so this function divides the floor by that correction.
pub fn add_floor(draws: &mut [f64], of: Series<'_>, units: usize, seed: u64) {
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
pub fn floor(of: Series<'_>, units: f64) -> f64 {
    if units > 1.0 && of.is_of_few_processes() {
        FLOOR * critical(f64::INFINITY) / critical(units - 1.0)
    } else {
        0.0
    }
}

/// Returns a random index below `places`. The bias is below places / 2⁶⁴.
pub fn pick(rng: &mut Xoshiro256PlusPlus, places: usize) -> usize {
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
pub fn stream(seed: u64, number: u64) -> u64 {
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
            let draws = &resamples.0;
            let medians = resamples.medians(&samples);
            let logs = resamples.log_medians(&samples);
            let means = resamples.means(&samples);
            for draw in 0..RESAMPLES {
                let times = |round: usize| draws.counts(draws.blocks[round])[draw];
                let taken: Vec<f64> = (0..n)
                    .flat_map(|round| vec![samples[round]; times(round).into()])
                    .collect();
                assert_eq!(taken.len(), draws.sizes[draw]);
                assert!((medians[draw] / median(&taken) - 1.0).abs() < 1e-12);
                assert_eq!(logs[draw], medians[draw].ln());
                assert!((means[draw] / mean(&taken) - 1.0).abs() < 1e-12);
                if n >= 6 {
                    assert!((1..n).step_by(2).all(|odd| times(odd) == times(odd - 1)));
                }
            }
        }
    }

    #[test]
    fn long_draws_have_medians_too() {
        // The places of these draws' medians do not fit 16 bits.
        let samples: Vec<f64> = (0..150_000).map(|i| f64::from(i % 1000)).collect();
        let processes: Vec<u32> = (0..150_000).map(|i| i / 50_000).collect();
        let series = Series {
            samples: &samples,
            processes: &processes,
            statistic: Statistic::Median,
        };
        let medians = Resamples::of(&[series], 1).medians(&samples);
        assert!(medians.iter().all(|median| *median == 499.5));
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
