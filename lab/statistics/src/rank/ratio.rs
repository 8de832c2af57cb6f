//! Ratios to the best library of one cell, and ties between libraries.

use crate::{self as stats, FEWEST, Interval, RESAMPLES, Resamples, Series, Statistic, resample};

/// Ratios closer to 1 than this are a tie even if the interval excludes 1, because a
/// difference of one per cent does not matter when choosing a library.
pub const EQUIVALENT: f64 = 0.01;

/// The interval is made wider by this factor before the lab tests whether it includes 1: three
/// standard errors instead of two. A report has tens of thousands of pairs. With intervals of 95 %,
/// one in twenty pairs of equal libraries would appear different by chance, and another run would
/// show some of these pairs in the opposite order.
const CAUTION: f64 = 1.5;

/// The seed of every bootstrap in this module; see [`stats`].
pub(super) const SEED: u64 = 0x546f_7563_6873_746f;

/// Returns whether a ratio is a tie: not distinguishable from 1, or too close to 1 to matter.
pub fn ties(ratio: &Interval) -> bool {
    ratio.widened(CAUTION).includes(1.0) || (ratio.mid - 1.0).abs() < EQUIVALENT
}

/// Returns each library's ratio to the best, and whether the library ties with the best.
///
/// `series` are the libraries of one cell (same primitive, operation, contract, size and
/// threads); none may be empty. If two series have equal length, sample i of one is
/// paired with sample i of the other; otherwise medians are compared. The best library
/// has the smallest median ([`best`] has one exception). Its own ratio is exactly 1, and
/// it ties if another library ties with it.
pub fn ratios(series: &[Series<'_>]) -> Vec<(Interval, bool)> {
    let best = best(series);
    let mut ratios: Vec<(Interval, bool)> = to_best(series, SEED)
        .iter()
        .map(|ratio| {
            let interval = ratio.interval();
            (interval, ties(&interval))
        })
        .collect();
    if let Some(best) = best {
        let ties = ratios.iter().filter(|(_, tie)| *tie).count();
        ratios[best].1 = ties > 1;
    }
    ratios
}

/// Like [`ratios`], with masked variants among the series. A variant is never the best;
/// its ratio is to the best of the others and can be below 1.
pub fn ratios_to_plain(series: &[Series<'_>], plain: &[bool]) -> Vec<(Interval, bool)> {
    let chosen: Vec<Series<'_>> = series
        .iter()
        .zip(plain)
        .filter_map(|(own, plain)| plain.then_some(*own))
        .collect();
    let reference = best(&chosen).map(|best| chosen[best]);
    let mut of_plain = ratios(&chosen).into_iter();
    series
        .iter()
        .zip(plain)
        .map(|(own, &plain)| match (plain, reference) {
            (true, _) => of_plain.next().expect("one ratio for each series"),
            (false, None) => (Interval::exact(1.0), false),
            (false, Some(reference)) => {
                let rounds = Resamples::of(&[reference, *own], SEED);
                let interval = Ratio::of(*own, reference, &rounds, SEED, 1).interval();
                (interval, ties(&interval))
            }
        })
        .collect()
}

/// Returns one library's time divided by another's in the same cell.
pub fn ratio(own: Series<'_>, reference: Series<'_>) -> Interval {
    let rounds = Resamples::of(&[reference, own], SEED);
    Ratio::of(own, reference, &rounds, SEED, 1).interval()
}

/// Returns the index of the best library of a cell: the one with the smallest median.
///
/// There is one exception. If the machine's speed drifted between rounds, another library
/// can be faster in most rounds and still have a larger median. Comparing pairs of
/// samples cancels the drift, so that library is the best. `None` if there are no
/// libraries.
pub fn best(series: &[Series<'_>]) -> Option<usize> {
    let values: Vec<f64> = series.iter().map(Series::value).collect();
    let least = |values: &[f64]| (0..values.len()).min_by(|&i, &j| values[i].total_cmp(&values[j]));
    let by_median = least(&values)?;
    let mut best = by_median;
    for _ in series {
        let ratios: Vec<f64> = series.iter().map(|s| paired(*s, series[best])).collect();
        match least(&ratios) {
            Some(faster) if ratios[faster] < 1.0 => best = faster,
            _ => return Some(best),
        }
    }
    // Three or more libraries can each be faster than the next in a circle; then the
    // medians decide.
    Some(by_median)
}

/// Returns the median over the rounds of `a` divided by `b`. If the two series cannot be paired,
/// the quotient of their values.
fn paired(a: Series<'_>, b: Series<'_>) -> f64 {
    if pair(a, b) {
        stats::median(&stats::quotients(a.samples, b.samples))
    } else {
        a.value() / b.value()
    }
}

/// Returns whether two series are compared round by round. Both series must have the same number of
/// rounds, and both must be summarised by medians. If slow calls are part of the operation, a
/// series is summarised by its mean; then only the two means are compared.
fn pair(a: Series<'_>, b: Series<'_>) -> bool {
    a.samples.len() == b.samples.len()
        && [a, b].iter().all(|one| one.statistic == Statistic::Median)
}

/// A ratio and the bootstrap draws of its logarithm.
pub(super) struct Ratio {
    pub(super) mid: f64,
    pub(super) draws: Vec<f64>,
    /// Number of independent units in the draws; infinity for the best library itself.
    pub(super) units: f64,
}

/// Returns each library's ratio to the best of one cell. No ratio is below 1, because the best is
/// chosen that way; in a circle (see [`best`]) smaller ratios are set to 1.
pub(super) fn to_best(series: &[Series<'_>], seed: u64) -> Vec<Ratio> {
    let Some(best) = best(series) else {
        return Vec::new();
    };
    let reference = series[best];
    // All libraries draw the same rounds, so that quotients of ratios are paired, too.
    let mut order = series.to_vec();
    order.swap(0, best);
    let rounds = Resamples::of(&order, seed);
    let values: Vec<f64> = series.iter().map(Series::value).collect();
    series
        .iter()
        .enumerate()
        .map(|(i, own)| {
            if i == best {
                return Ratio {
                    mid: 1.0,
                    draws: vec![0.0; RESAMPLES],
                    units: f64::INFINITY,
                };
            }
            let place = values.iter().filter(|value| **value < values[i]).count();
            let ratio = Ratio::of(*own, reference, &rounds, seed, place as u64);
            Ratio {
                mid: ratio.mid.max(1.0),
                ..ratio
            }
        })
        .collect()
}

impl Ratio {
    /// Returns one series divided by another; `rounds` has the bootstrap draws. If there are few
    /// processes, each draw gets a random deviation, which depends on the library's index and not
    /// on its name or time.
    fn of(
        own: Series<'_>,
        reference: Series<'_>,
        rounds: &Resamples,
        seed: u64,
        place: u64,
    ) -> Self {
        let few = own.samples.len().min(reference.samples.len()) < FEWEST;
        let mid = paired(own, reference);
        let mut units = rounds.units();
        let own_seed = stats::stream(seed, place);
        let draws = if pair(own, reference) {
            let quotients = stats::quotients(own.samples, reference.samples);
            let mut draws = rounds.log_medians(&quotients);
            resample::add_floor(&mut draws, own, units, own_seed);
            resample::add_floor(&mut draws, reference, units, !seed);
            draws
        } else {
            let own = if own.samples.len() == reference.samples.len() {
                rounds.log_values(own, own_seed)
            } else {
                let apart = Resamples::of(&[own], own_seed);
                units = units.min(apart.units());
                apart.log_values(own, own_seed)
            };
            let reference = rounds.log_values(reference, !seed);
            own.iter().zip(&reference).map(|(a, b)| a - b).collect()
        };
        Self {
            mid,
            draws,
            units: if few { 1.0 } else { units as f64 },
        }
    }

    fn interval(&self) -> Interval {
        if self.units.is_infinite() {
            Interval::exact(self.mid)
        } else if self.units < 2.0 {
            Interval::unknown(self.mid)
        } else {
            Interval::from_log_draws(self.mid, &self.draws, self.units)
        }
    }
}

#[cfg(test)]
mod tests;
