//! Ratios to the best library of one cell, and when two libraries tie.

use crate::stats::{self, FEWEST, Interval, RESAMPLES, Resamples, Series, resample};

/// Ratios this near to 1 are a tie even where the interval excludes 1: nobody
/// chooses a library for one per cent.
pub const EQUIVALENT: f64 = 0.01;

/// How many times as wide as an interval that is which has to exclude 1: three standard
/// errors where it has two. A report has tens of thousands of pairs, and at 95 % one in
/// twenty of those that are equal would be told apart by chance, in this run; another
/// run would have some of them the other way round.
const CAUTION: f64 = 1.5;

/// Where every bootstrap here starts; see [`stats`].
pub(super) const SEED: u64 = 0x546f_7563_6873_746f;

/// Whether a ratio cannot be told from 1, or is too near to it to matter.
pub fn ties(ratio: &Interval) -> bool {
    ratio.widened(CAUTION).includes(1.0) || (ratio.mid - 1.0).abs() < EQUIVALENT
}

/// Each library's ratio to the best, and whether it ties with the best.
///
/// `series` are the libraries of one cell (same primitive, operation, contract,
/// size and threads); none may be empty. Of series of equal length, sample i of one
/// pairs with sample i of the other; otherwise medians are compared. The best has the
/// smallest median (see [`best`] for the one exception); its own ratio is exactly 1,
/// and it ties where another does.
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

/// [`ratios`] where some series are of masked variants: these are never the best. Their
/// own ratio is to the best of the others, and can be below 1.
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

/// One library's time over another's in the same cell.
pub fn ratio(own: Series<'_>, reference: Series<'_>) -> Interval {
    let rounds = Resamples::of(&[reference, own], SEED);
    Ratio::of(own, reference, &rounds, SEED, 1).interval()
}

/// Which library of a cell is the best: that with the smallest median.
///
/// The exception: where the machine drifted between rounds, another library can
/// be faster round by round and yet have a larger median. Pairs cancel drift, so
/// that one takes the place. `None` for no libraries.
pub fn best(series: &[Series<'_>]) -> Option<usize> {
    let medians: Vec<f64> = series.iter().map(|s| stats::median(s.samples)).collect();
    let least = |values: &[f64]| (0..values.len()).min_by(|&i, &j| values[i].total_cmp(&values[j]));
    let by_median = least(&medians)?;
    let mut best = by_median;
    for _ in series {
        let ratios: Vec<f64> = series.iter().map(|s| paired(*s, series[best])).collect();
        match least(&ratios) {
            Some(faster) if ratios[faster] < 1.0 => best = faster,
            _ => return Some(best),
        }
    }
    // Faster in a circle: the medians decide after all.
    Some(by_median)
}

/// Median of `a` over `b` by rounds, or the quotient of the medians.
fn paired(a: Series<'_>, b: Series<'_>) -> f64 {
    if a.samples.len() == b.samples.len() {
        stats::median(&stats::quotients(a.samples, b.samples))
    } else {
        stats::median(a.samples) / stats::median(b.samples)
    }
}

/// A ratio and the draws of its logarithm.
pub(super) struct Ratio {
    pub(super) mid: f64,
    pub(super) draws: Vec<f64>,
    /// Independent units that the draws are made of; infinity for the best itself.
    pub(super) units: f64,
}

/// Each library's ratio to the best of one cell. No ratio is below 1: the best is
/// chosen so, but for circles (see [`best`]), where 1 is what remains.
pub(super) fn to_best(series: &[Series<'_>], seed: u64) -> Vec<Ratio> {
    let Some(best) = best(series) else {
        return Vec::new();
    };
    let reference = series[best];
    // The same rounds for all: what makes quotients of ratios paired as well.
    let mut order = series.to_vec();
    order.swap(0, best);
    let rounds = Resamples::of(&order, seed);
    let medians: Vec<f64> = series.iter().map(|s| stats::median(s.samples)).collect();
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
            let place = medians
                .iter()
                .filter(|median| **median < medians[i])
                .count();
            let ratio = Ratio::of(*own, reference, &rounds, seed, place as u64);
            Ratio {
                mid: ratio.mid.max(1.0),
                ..ratio
            }
        })
        .collect()
}

impl Ratio {
    /// One series over another, of which `rounds` are the draws. Chance of its own has
    /// the library by its place among the others, not by name or time.
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
        let draws = if own.samples.len() == reference.samples.len() {
            let quotients = stats::quotients(own.samples, reference.samples);
            let mut draws: Vec<f64> = rounds.medians(&quotients).iter().map(|m| m.ln()).collect();
            resample::add_floor(&mut draws, own, units, own_seed);
            resample::add_floor(&mut draws, reference, units, !seed);
            draws
        } else {
            let apart = Resamples::of(&[own], own_seed);
            units = units.min(apart.units());
            let own = apart.log_medians(own, own_seed);
            let reference = rounds.log_medians(reference, !seed);
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
