//! Order statistics, bootstrap intervals and the line fit. Pure functions.
//!
//! Samples are times in nanoseconds per call: finite and above zero, in round
//! order. Functions that take samples panic on an empty slice, because no
//! number would be an honest answer; callers leave such libraries out.
//!
//! Every interval is the percentile bootstrap's: draw as many rounds as there
//! are, with replacement, [`RESAMPLES`] times; take the statistic of each draw;
//! report the 2.5 % and 97.5 % quantiles. The generator and the seed are fixed,
//! so the same samples give the same interval on every machine. With two or three
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

    /// Half the width over the estimate: what a profile's target bounds.
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
