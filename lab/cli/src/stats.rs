//! Order statistics, bootstrap intervals and the line fit. Pure functions.
//!
//! Samples are times in nanoseconds per call: finite and above zero, in round
//! order. Functions that take samples panic on an empty slice, because no
//! number would be an honest answer; callers leave such libraries out.
//!
//! Every interval is the percentile bootstrap's: draw as many rounds as there
//! are, with replacement, [`RESAMPLES`] times; take the statistic of each draw;
//! report the 2.5 % and 97.5 % quantiles. The generator and the seed are fixed,
//! so the same samples always give the same interval. With two or three
//! samples that comes to their range, and one sample has an interval without
//! width: it says nothing about spread, so nobody may take it for certainty.

use rand::rngs::Xoshiro256PlusPlus;
use rand::{Rng, SeedableRng};
use serde::{Deserialize, Serialize};

/// Bootstrap draws behind every interval.
pub const RESAMPLES: usize = 1000;

/// A value with its 95 % interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Interval {
    /// Lower end.
    pub low: f64,
    /// The estimate.
    pub mid: f64,
    /// Upper end.
    pub high: f64,
}

impl Interval {
    /// An interval without width, for a value known exactly.
    pub const fn exact(value: f64) -> Self {
        Self {
            low: value,
            mid: value,
            high: value,
        }
    }

    /// Whether `value` lies within, ends included.
    pub fn includes(&self, value: f64) -> bool {
        self.low <= value && value <= self.high
    }

    /// With ends that are so many times as far away.
    pub fn widened(&self, times: f64) -> Self {
        Self {
            low: self.mid - (self.mid - self.low) * times,
            mid: self.mid,
            high: self.mid + (self.high - self.mid) * times,
        }
    }

    /// Half the width over the estimate: the number after "±".
    pub fn relative_half_width(&self) -> f64 {
        (self.high - self.low) / (2.0 * self.mid.abs())
    }

    /// The estimate with the middle 95 % of the draws around it. The ends never
    /// exclude the estimate itself.
    pub(crate) fn from_draws(mid: f64, mut draws: Vec<f64>) -> Self {
        draws.sort_unstable_by(f64::total_cmp);
        Self {
            low: quantile(&draws, 0.025).min(mid),
            mid,
            high: quantile(&draws, 0.975).max(mid),
        }
    }
}

/// The quantile of ascending values by linear interpolation between the two
/// neighbours (type 7 in Hyndman and Fan's list, the usual default).
pub fn quantile(sorted: &[f64], q: f64) -> f64 {
    assert!(!sorted.is_empty(), "a quantile of nothing");
    let place = q.clamp(0.0, 1.0) * (sorted.len() - 1) as f64;
    let below = place.floor() as usize;
    let above = (below + 1).min(sorted.len() - 1);
    sorted[below] + (place - below as f64) * (sorted[above] - sorted[below])
}

/// The middle value, or the mean of the middle two.
pub fn median(samples: &[f64]) -> f64 {
    quantile(&ascending(samples), 0.5)
}

/// Lower and upper quartile.
pub fn quartiles(samples: &[f64]) -> [f64; 2] {
    let sorted = ascending(samples);
    [quantile(&sorted, 0.25), quantile(&sorted, 0.75)]
}

/// Smallest value, lower and upper quartile, as `summary::Cell::spread` keeps them.
pub fn spread(samples: &[f64]) -> [f64; 3] {
    let sorted = ascending(samples);
    [
        quantile(&sorted, 0.0),
        quantile(&sorted, 0.25),
        quantile(&sorted, 0.75),
    ]
}

/// The median of the samples with its interval.
pub fn median_interval(samples: &[f64], seed: u64) -> Interval {
    let mid = median(samples);
    Interval::from_draws(mid, Resamples::new(samples.len(), seed).medians(samples))
}

/// `a` over `b` with its interval.
///
/// Samples pair by round: the value is the median of `a[i] / b[i]`, so whatever
/// slowed both in one round cancels. Where the lengths differ no pairs exist,
/// and the value is the quotient of the medians, each resampled on its own.
pub fn ratio_interval(a: &[f64], b: &[f64], seed: u64) -> Interval {
    if a.len() == b.len() {
        return median_interval(&quotients(a, b), seed);
    }
    let draws = quotients(
        &Resamples::new(a.len(), seed).medians(a),
        &Resamples::new(b.len(), stream(seed, 1)).medians(b),
    );
    Interval::from_draws(median(a) / median(b), draws)
}

/// The n-th root of the product of n values above zero.
pub fn geometric_mean(values: &[f64]) -> f64 {
    assert!(!values.is_empty(), "a geometric mean of nothing");
    let sum: f64 = values.iter().map(|v| v.ln()).sum();
    (sum / values.len() as f64).exp()
}

/// The geometric mean of several ratios, each the median of its samples, with
/// its interval. Ratios of equally many rounds are resampled jointly: a draw
/// takes the same rounds of each.
pub fn geometric_mean_interval(ratios: &[&[f64]], seed: u64) -> Interval {
    let mids: Vec<f64> = ratios.iter().map(|r| median(r)).collect();
    let mid = geometric_mean(&mids);
    let mut draws = vec![0.0; RESAMPLES];
    let mut last: Option<Resamples> = None;
    for ratio in ratios {
        let resamples = match last.take() {
            Some(same) if same.rounds == ratio.len() => same,
            _ => Resamples::new(ratio.len(), seed),
        };
        for (sum, drawn) in draws.iter_mut().zip(resamples.medians(ratio)) {
            *sum += drawn.ln();
        }
        last = Some(resamples);
    }
    for draw in &mut draws {
        *draw = (*draw / ratios.len() as f64).exp();
    }
    Interval::from_draws(mid, draws)
}

/// Time = intercept + slope × bytes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Line {
    /// Nanoseconds per byte.
    pub slope: f64,
    /// Nanoseconds per message. Noise can push it below zero; it is reported as
    /// it comes.
    pub intercept: f64,
    /// Largest distance of a point from the line, relative to the point.
    pub misfit: f64,
}

impl Line {
    /// The time that the line gives for so many bytes.
    pub fn at(&self, bytes: f64) -> f64 {
        self.intercept + self.slope * bytes
    }
}

/// The line through points (bytes, nanoseconds) that makes the sum of squared
/// *relative* errors smallest, so 16 bytes count as much as 16 KiB. `None` with
/// fewer than two different sizes.
pub fn fit_line(points: &[(f64, f64)]) -> Option<Line> {
    // Weighted least squares with weights 1 / time².
    let weighed = || points.iter().map(|&(x, y)| (x, y, 1.0 / (y * y)));
    let weight: f64 = weighed().map(|(_, _, w)| w).sum();
    let x_mean = weighed().map(|(x, _, w)| w * x).sum::<f64>() / weight;
    let y_mean = weighed().map(|(_, y, w)| w * y).sum::<f64>() / weight;
    let across: f64 = weighed().map(|(x, _, w)| w * (x - x_mean).powi(2)).sum();
    let along: f64 = weighed()
        .map(|(x, y, w)| w * (x - x_mean) * (y - y_mean))
        .sum();
    let first = points.first()?.0;
    if points.iter().all(|&(x, _)| x == first) {
        return None;
    }
    let slope = along / across;
    let mut line = Line {
        slope,
        intercept: y_mean - slope * x_mean,
        misfit: 0.0,
    };
    line.misfit = points
        .iter()
        .map(|&(x, y)| ((line.at(x) - y) / y).abs())
        .fold(0.0, f64::max);
    Some(line)
}

/// A fitted line with intervals.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Fit {
    /// Nanoseconds per byte.
    pub slope: Interval,
    /// Nanoseconds per message; see [`Line::intercept`].
    pub intercept: Interval,
    /// [`Line::misfit`] of the line through the medians.
    pub misfit: f64,
}

/// The line through the medians of each size's samples, with intervals from
/// fitting it anew to resampled rounds. Sizes are resampled independently: their
/// rounds ran at different times. `None` with fewer than two different sizes.
pub fn fit_interval(samples_by_size: &[(f64, &[f64])], seed: u64) -> Option<Fit> {
    let mut points: Vec<(f64, f64)> = samples_by_size
        .iter()
        .map(|(bytes, samples)| (*bytes, median(samples)))
        .collect();
    let line = fit_line(&points)?;
    let drawn: Vec<Vec<f64>> = samples_by_size
        .iter()
        .enumerate()
        .map(|(i, (_, samples))| {
            Resamples::new(samples.len(), stream(seed, i as u64)).medians(samples)
        })
        .collect();
    let mut slopes = Vec::with_capacity(RESAMPLES);
    let mut intercepts = Vec::with_capacity(RESAMPLES);
    for draw in 0..RESAMPLES {
        for (point, medians) in points.iter_mut().zip(&drawn) {
            point.1 = medians[draw];
        }
        let line = fit_line(&points)?;
        slopes.push(line.slope);
        intercepts.push(line.intercept);
    }
    Some(Fit {
        slope: Interval::from_draws(line.slope, slopes),
        intercept: Interval::from_draws(line.intercept, intercepts),
        misfit: line.misfit,
    })
}

/// `a` over `b` where both are independent intervals, such as key set-up over
/// the slope. The ends combine worst with worst, which is wider than 95 %.
/// `None` where the interval of `b` reaches zero: the quotient has no bound.
pub fn quotient(a: Interval, b: Interval) -> Option<Interval> {
    if b.low <= 0.0 {
        return None;
    }
    let ends = [
        a.low / b.low,
        a.low / b.high,
        a.high / b.low,
        a.high / b.high,
    ];
    Some(Interval {
        low: ends.iter().copied().fold(f64::INFINITY, f64::min),
        mid: a.mid / b.mid,
        high: ends.iter().copied().fold(f64::NEG_INFINITY, f64::max),
    })
}

/// Kendall's tau-b between two orders of the same items: `a[i]` and `b[i]` are
/// the places (or bands) of item `i`. 1 is the same order, −1 the reverse; equal
/// places are ties. `None` where an order is all ties or holds fewer than two
/// items.
pub fn kendall_tau(a: &[f64], b: &[f64]) -> Option<f64> {
    assert_eq!(a.len(), b.len(), "two orders of the same items");
    let (mut score, mut apart_a, mut apart_b) = (0i64, 0i64, 0i64);
    for i in 0..a.len() {
        for j in 0..i {
            let x = a[i].total_cmp(&a[j]) as i64;
            let y = b[i].total_cmp(&b[j]) as i64;
            score += x * y;
            apart_a += x.abs();
            apart_b += y.abs();
        }
    }
    let scale = (apart_a as f64 * apart_b as f64).sqrt();
    (scale > 0.0).then(|| score as f64 / scale)
}

/// How far `b` is from `a`, relative to `a`: 0.005 is half a per cent more.
pub fn relative_change(a: f64, b: f64) -> f64 {
    (b - a) / a
}

/// Which rounds each bootstrap draw takes. One value serves every series
/// measured in the same rounds, so series are resampled jointly and differences
/// between them keep their pairing.
pub(crate) struct Resamples {
    rounds: usize,
    /// How often each round was drawn: [`RESAMPLES`] rows of `rounds`.
    counts: Vec<u16>,
}

impl Resamples {
    pub(crate) fn new(rounds: usize, seed: u64) -> Self {
        assert!(rounds > 0, "no rounds to draw from");
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut counts = vec![0u16; RESAMPLES * rounds];
        // Half a word times the number of rounds, shifted down: the bias is
        // below rounds / 2³².
        let pick = |half: u64| ((half * rounds as u64) >> 32) as usize;
        for row in counts.chunks_exact_mut(rounds) {
            for _ in 0..rounds / 2 {
                let word = rng.next_u64();
                row[pick(word >> 32)] += 1;
                row[pick(word & 0xffff_ffff)] += 1;
            }
            if rounds % 2 == 1 {
                row[pick(rng.next_u64() >> 32)] += 1;
            }
        }
        Self { rounds, counts }
    }

    /// The median of each draw, in the order of the draws.
    pub(crate) fn medians(&self, samples: &[f64]) -> Vec<f64> {
        assert_eq!(samples.len(), self.rounds);
        let mut order: Vec<usize> = (0..self.rounds).collect();
        order.sort_by(|&i, &j| samples[i].total_cmp(&samples[j]));
        let (lower, upper) = ((self.rounds - 1) / 2, self.rounds / 2);
        self.counts
            .chunks_exact(self.rounds)
            .map(|row| {
                // Walk up the sorted samples until the middle is covered.
                let mut walk = order.iter();
                let mut covered = 0;
                let mut value = 0.0;
                let mut reach = |place: usize| {
                    while covered <= place {
                        let &round = walk.next().expect("the counts add up to the rounds");
                        covered += usize::from(row[round]);
                        value = samples[round];
                    }
                    value
                };
                let low = reach(lower);
                (low + reach(upper)) / 2.0
            })
            .collect()
    }
}

/// Another seed for another series.
pub(crate) fn stream(seed: u64, number: u64) -> u64 {
    seed ^ number.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// `a[i] / b[i]`: of samples, round by round; of medians, draw by draw.
pub(crate) fn quotients(a: &[f64], b: &[f64]) -> Vec<f64> {
    a.iter().zip(b).map(|(a, b)| a / b).collect()
}

fn ascending(samples: &[f64]) -> Vec<f64> {
    let mut sorted = samples.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    sorted
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Times around 100 with a tail to the right, as interrupts make them.
    fn noisy(rng: &mut Xoshiro256PlusPlus, n: usize) -> Vec<f64> {
        let uniform = |rng: &mut Xoshiro256PlusPlus| {
            ((rng.next_u64() >> 11) as f64 + 0.5) / (1u64 << 53) as f64
        };
        (0..n).map(|_| 100.0 - uniform(rng).ln()).collect()
    }

    fn close(a: f64, b: f64) -> bool {
        (a - b).abs() <= 1e-9 * b.abs().max(1.0)
    }

    #[test]
    fn quantiles_interpolate() {
        let sorted = [1.0, 2.0, 4.0, 8.0];
        assert_eq!(quantile(&sorted, 0.0), 1.0);
        assert_eq!(quantile(&sorted, 1.0), 8.0);
        assert_eq!(quantile(&sorted, 0.5), 3.0);
        assert_eq!(quantile(&sorted, 0.25), 1.75);
        assert_eq!(quantile(&[7.0], 0.3), 7.0);
        assert_eq!(median(&[3.0, 1.0, 2.0]), 2.0);
        assert_eq!(quartiles(&[5.0, 1.0, 4.0, 2.0, 3.0]), [2.0, 4.0]);
        assert_eq!(spread(&[5.0, 1.0, 4.0, 2.0, 3.0]), [1.0, 2.0, 4.0]);
    }

    #[test]
    fn few_samples_give_their_range() {
        assert_eq!(median_interval(&[5.0], 1), Interval::exact(5.0));
        for samples in [&[3.0, 1.0][..], &[9.0, 1.0, 4.0]] {
            for seed in 0..20 {
                let interval = median_interval(samples, seed);
                let [low, ..] = spread(samples);
                let high = samples.iter().copied().fold(0.0, f64::max);
                assert_eq!((interval.low, interval.high), (low, high));
                assert_eq!(interval.mid, median(samples));
            }
        }
    }

    #[test]
    fn draws_agree_with_sorting_them() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(2);
        for n in 1..12 {
            let samples = noisy(&mut rng, n);
            let resamples = Resamples::new(n, n as u64);
            for (row, drawn) in resamples.counts.chunks(n).zip(resamples.medians(&samples)) {
                let taken: Vec<f64> = row
                    .iter()
                    .zip(&samples)
                    .flat_map(|(&times, &sample)| vec![sample; times.into()])
                    .collect();
                assert_eq!(taken.len(), n);
                assert!(close(drawn, median(&taken)));
            }
        }
    }

    #[test]
    fn the_interval_covers_the_true_median() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(3);
        let truth = 100.0 + 2f64.ln();
        for n in [10, 31] {
            let covered = (0..400)
                .filter(|_| median_interval(&noisy(&mut rng, n), 4).includes(truth))
                .count();
            // Nominally 380; the percentile bootstrap falls a little short.
            assert!((360..=398).contains(&covered), "{covered} of 400 at {n}");
        }
    }

    #[test]
    fn the_same_samples_give_the_same_interval() {
        let samples: Vec<f64> = (0..30).map(|i| f64::from(i * 7 % 30).powi(2)).collect();
        let interval = median_interval(&samples, 1);
        assert_eq!(interval, median_interval(&samples, 1));
        // Were the generator ever to change, stored runs would show other intervals.
        assert_eq!(
            (interval.low, interval.mid, interval.high),
            (90.5, 210.5, 380.5)
        );
        // The order of rounds shifts which are drawn, hardly the interval.
        let mut sorted = samples.clone();
        sorted.sort_by(f64::total_cmp);
        let again = median_interval(&sorted, 1);
        assert!((again.low - interval.low).abs() <= 2.0);
        assert!((again.high - interval.high).abs() <= 2.0);
    }

    #[test]
    fn pairs_cancel_drift() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(5);
        // A machine that doubles its time over the rounds; 3 % between libraries.
        let drift: Vec<f64> = (0..40).map(|i| 1.0 + f64::from(i) / 40.0).collect();
        let slow = |factor: f64, rng: &mut _| -> Vec<f64> {
            let times = noisy(rng, 40);
            times
                .iter()
                .zip(&drift)
                .map(|(t, d)| factor * t * d)
                .collect()
        };
        let (a, b) = (slow(1.03, &mut rng), slow(1.0, &mut rng));
        let ratio = ratio_interval(&a, &b, 6);
        assert!(ratio.includes(1.03) && !ratio.includes(1.0), "{ratio:?}");
        let unpaired = ratio_interval(&a, &b[1..], 6);
        assert!(unpaired.includes(1.0), "{unpaired:?}");
    }

    #[test]
    fn geometric_means() {
        assert!(close(geometric_mean(&[2.0, 8.0]), 4.0));
        let twice = [2.0; 9];
        let eight = [8.0; 7];
        let mean = geometric_mean_interval(&[&twice, &eight], 1);
        assert!(close(mean.low, 4.0) && close(mean.mid, 4.0) && close(mean.high, 4.0));
        // Jointly: a series and its inverse have a mean of exactly 1.
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(7);
        let up = noisy(&mut rng, 21);
        let down: Vec<f64> = up.iter().map(|x| 1.0 / x).collect();
        let mean = geometric_mean_interval(&[&up, &down], 1);
        assert!(close(mean.low, 1.0) && close(mean.high, 1.0), "{mean:?}");
    }

    #[test]
    fn lines_come_back() {
        let exact: Vec<(f64, f64)> = [16.0, 256.0, 16384.0].map(|x| (x, 50.0 + 0.25 * x)).into();
        let line = fit_line(&exact).unwrap();
        assert!(close(line.slope, 0.25) && close(line.intercept, 50.0));
        assert!(line.misfit < 1e-9);

        assert_eq!(fit_line(&[]), None);
        assert_eq!(fit_line(&[(16.0, 5.0), (16.0, 6.0)]), None);

        // Half the small message's time is worth as much as half the large one's.
        let mut bent = exact.clone();
        bent[0].1 *= 1.02;
        let small = fit_line(&bent).unwrap();
        assert!((small.at(16.0) / bent[0].1 - 1.0).abs() < 0.02);
        assert!(small.misfit < 0.02);

        // Less than nothing per message is reported as it is.
        let below: Vec<(f64, f64)> = [64.0, 1024.0].map(|x| (x, x - 10.0)).into();
        assert!(close(fit_line(&below).unwrap().intercept, -10.0));
    }

    #[test]
    fn fits_have_intervals() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(8);
        let cells: Vec<(f64, Vec<f64>)> = [16.0, 256.0, 4096.0, 16384.0]
            .into_iter()
            .map(|x| {
                let line = 40.0 + 0.5 * x;
                let noise = noisy(&mut rng, 25);
                (x, noise.iter().map(|n| line * n / 100.7).collect())
            })
            .collect();
        let by_size: Vec<(f64, &[f64])> = cells.iter().map(|(x, s)| (*x, &s[..])).collect();
        let fit = fit_interval(&by_size, 9).unwrap();
        assert!(fit.slope.includes(0.5), "{fit:?}");
        assert!(fit.intercept.includes(40.0), "{fit:?}");
        assert!(fit.slope.relative_half_width() < 0.02);
        assert_eq!(fit_interval(&by_size[..1], 9), None);
    }

    #[test]
    fn quotients_bound_or_refuse() {
        let a = Interval {
            low: 90.0,
            mid: 100.0,
            high: 110.0,
        };
        let b = Interval {
            low: 0.4,
            mid: 0.5,
            high: 0.6,
        };
        let q = quotient(a, b).unwrap();
        assert_eq!(q.mid, 200.0);
        assert!(close(q.low, 150.0) && close(q.high, 275.0));
        let reaches_zero = Interval { low: -0.1, ..b };
        assert_eq!(quotient(a, reaches_zero), None);
    }

    #[test]
    fn orders_compare() {
        let order = [1.0, 2.0, 3.0, 4.0];
        assert_eq!(kendall_tau(&order, &order), Some(1.0));
        assert_eq!(kendall_tau(&order, &[4.0, 3.0, 2.0, 1.0]), Some(-1.0));
        // One of six pairs swapped: (5 − 1) / 6.
        let tau = kendall_tau(&order, &[2.0, 1.0, 3.0, 4.0]).unwrap();
        assert!(close(tau, 4.0 / 6.0));
        // A tie on one side: 5 / √(6 × 5).
        let tau = kendall_tau(&order, &[1.0, 1.0, 3.0, 4.0]).unwrap();
        assert!(close(tau, 5.0 / 30f64.sqrt()));
        assert_eq!(kendall_tau(&order, &[1.0; 4]), None);
        assert_eq!(kendall_tau(&[1.0], &[1.0]), None);
    }

    #[test]
    fn change_is_relative_to_the_first() {
        assert!(close(relative_change(2000.0, 2010.0), 0.005));
        assert!(close(relative_change(2000.0, 1900.0), -0.05));
    }
}
