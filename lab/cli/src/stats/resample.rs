//! Resampling of rounds: which rounds each draw of the bootstrap takes, and what is
//! drawn together.
//!
//! The samples of one process (one start of a library's worker) share where its stack
//! and heap lie, so they are not independent. A draw takes whole processes, with
//! replacement, as many as there are, each with all its rounds. Rounds are not drawn
//! once more within a process: their noise is part of what sets processes apart, and
//! would be counted twice (A. C. Davison and D. V. Hinkley, *Bootstrap Methods and their
//! Application*, 1997, section 3.8).
//!
//! Fewer than [`PROCESSES`] processes say nothing of how far processes differ. Then
//! single rounds are drawn, and each library that was seen in so few processes gets, in
//! each draw, a normal deviation of [`FLOOR`] in the place of what could not be seen.

use std::collections::HashMap;
use std::sync::LazyLock;

use rand::rngs::Xoshiro256PlusPlus;
use rand::seq::SliceRandom;
use rand::{Rng, SeedableRng};
use statrs::distribution::{ContinuousCDF, Normal};

use super::{RESAMPLES, critical};

/// Processes from which on their scatter can be seen.
pub const PROCESSES: usize = 3;

/// The standard deviation, relative, between two processes of the same code where it
/// could not be seen: measured over quiet runs.
pub const FLOOR: f64 = 0.005;

/// One library's samples of a cell, in round order.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Series<'a> {
    /// Nanoseconds per call.
    pub samples: &'a [f64],
    /// The number of the process that took each sample; empty where that is unknown.
    pub processes: &'a [u32],
}

impl<'a> Series<'a> {
    /// Samples whose processes nobody noted.
    pub fn of(samples: &'a [f64]) -> Self {
        Self {
            samples,
            processes: &[],
        }
    }

    /// Whether it was seen in too few processes to know how far they differ.
    pub(crate) fn is_of_few_processes(&self) -> bool {
        let mut seen = self.processes.to_vec();
        seen.sort_unstable();
        seen.dedup();
        seen.len() < PROCESSES
    }
}

/// Rounds that are drawn together, as `blocks[i]` for round i: those in which each of
/// the libraries had one and the same process. Where there are too few such blocks every
/// round is one. Series of another length than the first have rounds of their own and no
/// say.
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

/// Which rounds each draw takes. One value serves every series measured in the same
/// rounds, so series are resampled jointly and differences between them keep their
/// pairing.
pub(crate) struct Resamples {
    rounds: usize,
    units: usize,
    /// How often each round was drawn: [`RESAMPLES`] rows of `rounds`.
    counts: Vec<u16>,
}

impl Resamples {
    /// For series measured in the same rounds.
    pub(crate) fn of(series: &[Series<'_>], seed: u64) -> Self {
        let blocks = blocks(series);
        let rounds = blocks.len();
        assert!(rounds > 0, "no rounds to draw from");
        let units = blocks.iter().max().map_or(0, |last| last + 1);
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut counts = vec![0u16; RESAMPLES * rounds];
        let mut drawn = vec![0u16; units];
        for row in counts.chunks_exact_mut(rounds) {
            drawn.fill(0);
            for _ in 0..units {
                drawn[pick(&mut rng, units)] += 1;
            }
            for (count, &block) in row.iter_mut().zip(&blocks) {
                *count = drawn[block];
            }
        }
        Self {
            rounds,
            units,
            counts,
        }
    }

    /// How many independent units (processes, or rounds) the draws are made of.
    pub(crate) fn units(&self) -> usize {
        self.units
    }

    /// The median of each draw, in the order of the draws.
    pub(crate) fn medians(&self, samples: &[f64]) -> Vec<f64> {
        assert_eq!(samples.len(), self.rounds);
        let mut order: Vec<usize> = (0..self.rounds).collect();
        order.sort_by(|&i, &j| samples[i].total_cmp(&samples[j]));
        self.counts
            .chunks_exact(self.rounds)
            .map(|row| {
                // Processes have different numbers of rounds, so draws are not equally
                // large.
                let all: usize = row.iter().map(|&count| usize::from(count)).sum();
                // Walk up the sorted samples until the middle is covered.
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
            .collect()
    }

    /// The logarithm of the median of each draw, with the floor between processes where
    /// `of` was seen in too few.
    pub(crate) fn log_medians(&self, of: Series<'_>, seed: u64) -> Vec<f64> {
        let mut draws: Vec<f64> = self.medians(of.samples).iter().map(|m| m.ln()).collect();
        add_floor(&mut draws, of, self.units, seed);
        draws
    }
}

/// Adds to the draws of a logarithm what could not be seen between processes. The floor is
/// known and not estimated, so what an interval adds for few units is taken off beforehand.
pub(crate) fn add_floor(draws: &mut [f64], of: Series<'_>, units: usize, seed: u64) {
    if units > 1 && of.is_of_few_processes() {
        let units = units as f64;
        let widened = critical(units - 1.0) * (units / (units - 1.0)).sqrt();
        let floor = FLOOR * critical(f64::INFINITY) / widened;
        for (draw, deviation) in draws.iter_mut().zip(normal(seed)) {
            *draw += floor * deviation;
        }
    }
}

/// One of so many places. The bias is below places / 2⁶⁴.
pub(crate) fn pick(rng: &mut Xoshiro256PlusPlus, places: usize) -> usize {
    ((u128::from(rng.next_u64()) * places as u128) >> 64) as usize
}

/// As many normal deviations as there are draws, in an order that follows from the seed.
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

/// Another seed for another series.
pub(crate) fn stream(seed: u64, number: u64) -> u64 {
    seed ^ number.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

#[cfg(test)]
mod tests {
    use super::super::median;
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
            };
            let resamples = Resamples::of(&[series], n as u64);
            for (row, drawn) in resamples.counts.chunks(n).zip(resamples.medians(&samples)) {
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
        };
        let a = series(&[1, 1, 2, 2, 3, 3, 3, 3]);
        assert_eq!(blocks(&[a]), [0, 0, 1, 1, 2, 2, 2, 2]);
        // A library that crashed once parts a block; one of a single process parts none.
        let b = series(&[5, 5, 6, 6, 7, 7, 8, 8]);
        let still = series(&[4; 8]);
        assert_eq!(blocks(&[a, still, b]), [0, 0, 1, 1, 2, 2, 3, 3]);
        let single: Vec<usize> = (0..8).collect();
        assert_eq!(blocks(&[still]), single);
        assert_eq!(blocks(&[series(&[])]), single);
        assert!(still.is_of_few_processes() && !a.is_of_few_processes());
    }
}
