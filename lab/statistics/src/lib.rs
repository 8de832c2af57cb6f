//! Order statistics, intervals and line fits, and the ranks that are made of them ([`rank`]). The
//! functions have no state.
//!
//! Samples are times in nanoseconds per call: finite, above zero, and in the order of
//! rounds. Functions that take samples panic on an empty slice, because no result would
//! be correct; callers leave such libraries out.
//!
//! An interval is an estimate plus and minus Student's t times a standard error. The
//! standard error comes from the bootstrap: it is the standard deviation of the statistic
//! over [`RESAMPLES`] draws of whole processes ([`resample`]), times √(n / (n − 1)) for n
//! processes, because draws with replacement underestimate it by that factor. t has n − 1
//! degrees of freedom. Both corrections are in T. C. Hesterberg, *What Teachers Should
//! Know About the Bootstrap*, The American Statistician 69 (4), 2015. The random
//! generator and its seed are fixed, so the same samples always give the same interval.
//! Fewer than [`FEWEST`] rounds have no interval: see [`Interval::unknown`].

pub mod change;
pub mod parallel;
pub mod rank;
pub mod resample;
pub mod student;

use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

pub use resample::{Resamples, Series, Statistic, stream};

/// Number of bootstrap draws for each interval.
pub const RESAMPLES: usize = 1000;

/// With fewer rounds there is no interval: the range of three rounds contains the true
/// median only 75 % of the time.
pub const FEWEST: usize = 6;

/// A value with its 95 % interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Interval {
    /// The lower end of the interval.
    pub low: f64,
    /// The estimated value.
    pub mid: f64,
    /// The upper end of the interval.
    pub high: f64,
}

impl Interval {
    /// Makes an interval without width, for an exact value.
    pub const fn exact(value: f64) -> Self {
        Self {
            low: value,
            mid: value,
            high: value,
        }
    }

    /// Makes the interval of a value with too few samples for an interval. It goes from
    /// zero to infinity. The value must be above zero.
    pub const fn unknown(mid: f64) -> Self {
        Self {
            low: 0.0,
            mid,
            high: f64::INFINITY,
        }
    }

    /// Returns the lower and the upper end; `None` if there were too few samples for an interval.
    pub fn ends(&self) -> Option<[f64; 2]> {
        self.is_known().then_some([self.low, self.high])
    }

    /// Returns whether there were enough samples for an interval.
    pub fn is_known(&self) -> bool {
        self.high.is_finite()
    }

    /// Returns whether `value` lies in the interval, including its ends.
    pub fn includes(&self, value: f64) -> bool {
        self.low <= value && value <= self.high
    }

    /// Returns the interval with each end `times` as far from the estimate.
    pub fn widened(&self, times: f64) -> Self {
        Self {
            low: self.mid - (self.mid - self.low) * times,
            mid: self.mid,
            high: self.mid + (self.high - self.mid) * times,
        }
    }

    /// Returns half the width divided by the estimate: the number after "±".
    pub fn relative_half_width(&self) -> f64 {
        (self.high - self.low) / (2.0 * self.mid.abs())
    }

    /// Returns the interval of an estimate from bootstrap draws. `units` is the number of
    /// independent units (processes or rounds) from which each draw is made.
    pub fn from_draws(mid: f64, draws: &[f64], units: f64) -> Self {
        let half = half_width(draws, units);
        Self {
            low: mid - half,
            mid,
            high: mid + half,
        }
    }

    /// Returns the interval of a value above zero from draws of its logarithm.
    pub fn from_log_draws(mid: f64, draws: &[f64], units: f64) -> Self {
        let factor = half_width(draws, units).exp();
        Self {
            low: mid / factor,
            mid,
            high: mid * factor,
        }
    }
}

/// Returns half the width of an interval: Student's t times the standard error.
fn half_width(draws: &[f64], units: f64) -> f64 {
    standard_error(draws, units) * critical(units - 1.0)
}

/// Returns the standard error of a statistic from bootstrap draws. `units` is the number of
/// independent units (processes or rounds) from which each draw is made.
pub fn standard_error(draws: &[f64], units: f64) -> f64 {
    let count = draws.len() as f64;
    let mean = draws.iter().sum::<f64>() / count;
    let squares: f64 = draws.iter().map(|draw| (draw - mean).powi(2)).sum();
    (squares / (count - 1.0) * units / (units - 1.0)).sqrt()
}

/// Student's t for 95 %. Values for whole degrees of freedom come from a table.
pub fn critical(freedom: f64) -> f64 {
    static WHOLE: LazyLock<Vec<f64>> = LazyLock::new(|| {
        (1..400)
            .map(|freedom| student::critical(0.05, f64::from(freedom)))
            .collect()
    });
    let known = WHOLE.get((freedom as usize).wrapping_sub(1));
    match known {
        Some(&t) if freedom.fract() == 0.0 => t,
        _ => student::critical(0.05, freedom),
    }
}

/// Returns a quantile of ascending values by linear interpolation between the two nearest values
/// (type 7 in Hyndman and Fan's list, the usual default).
pub fn quantile(sorted: &[f64], q: f64) -> f64 {
    assert!(!sorted.is_empty(), "a quantile of nothing");
    let place = q.clamp(0.0, 1.0) * (sorted.len() - 1) as f64;
    let below = place.floor() as usize;
    let above = (below + 1).min(sorted.len() - 1);
    sorted[below] + (place - below as f64) * (sorted[above] - sorted[below])
}

/// Returns the median: the middle value, or the mean of the two middle values.
pub fn median(samples: &[f64]) -> f64 {
    quantile(&ascending(samples), 0.5)
}

/// Returns the lower and the upper quartile.
pub fn quartiles(samples: &[f64]) -> [f64; 2] {
    let sorted = ascending(samples);
    [quantile(&sorted, 0.25), quantile(&sorted, 0.75)]
}

/// Returns the smallest value and the lower and upper quartile, as in `summary::Cell::spread`.
pub fn spread(samples: &[f64]) -> [f64; 3] {
    let sorted = ascending(samples);
    [
        quantile(&sorted, 0.0),
        quantile(&sorted, 0.25),
        quantile(&sorted, 0.75),
    ]
}

/// Returns the mean of the samples.
pub fn mean(samples: &[f64]) -> f64 {
    assert!(!samples.is_empty(), "a mean of nothing");
    samples.iter().sum::<f64>() / samples.len() as f64
}

/// Returns the median or the mean of the samples, as the series says, with its interval.
pub fn value_interval(series: Series<'_>, seed: u64) -> Interval {
    let mid = series.value();
    if series.samples.len() < FEWEST {
        return Interval::unknown(mid);
    }
    let resamples = Resamples::of(&[series], seed);
    let draws = resamples.log_values(series, seed);
    Interval::from_log_draws(mid, &draws, resamples.units() as f64)
}

/// Returns the n-th root of the product of n values above zero.
pub fn geometric_mean(values: &[f64]) -> f64 {
    assert!(!values.is_empty(), "a geometric mean of nothing");
    let sum: f64 = values.iter().map(|v| v.ln()).sum();
    (sum / values.len() as f64).exp()
}

/// A line: time = intercept + slope × bytes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Line {
    /// The time in nanoseconds per byte.
    pub slope: f64,
    /// Nanoseconds per message. Noise can make it negative; then the negative value is
    /// reported.
    pub intercept: f64,
    /// Largest distance of a point from the line, divided by the point's value.
    pub misfit: f64,
}

impl Line {
    /// Returns the time that the line predicts for this many bytes.
    pub fn at(&self, bytes: f64) -> f64 {
        self.intercept + self.slope * bytes
    }
}

/// Fits the line through points (bytes, nanoseconds) with the smallest sum of squared
/// *relative* errors, so that 16 bytes count as much as 16 KiB. `None` with fewer than
/// two different sizes.
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
    /// The time in nanoseconds per byte.
    pub slope: Interval,
    /// Nanoseconds per message; see [`Line::intercept`].
    pub intercept: Interval,
    /// [`Line::misfit`] of the line through the values.
    pub misfit: f64,
}

/// Fits the line through the value (median or mean) of each size's samples. The intervals
/// come from fitting the line again to resampled rounds. Sizes are resampled independently,
/// because their rounds ran at different times. The size with the fewest processes
/// determines the number of independent units. `None` with fewer than two different sizes.
pub fn fit_interval(series_by_size: &[(f64, Series<'_>)], seed: u64) -> Option<Fit> {
    let mut points: Vec<(f64, f64)> = series_by_size
        .iter()
        .map(|(bytes, series)| (*bytes, series.value()))
        .collect();
    let line = fit_line(&points)?;
    let few = |series: &Series<'_>| series.samples.len() < FEWEST;
    if series_by_size.iter().any(|(_, series)| few(series)) {
        return Some(Fit {
            slope: Interval::unknown(line.slope),
            intercept: Interval::unknown(line.intercept),
            misfit: line.misfit,
        });
    }
    let mut units = usize::MAX;
    let drawn: Vec<Vec<f64>> = series_by_size
        .iter()
        .enumerate()
        .map(|(i, (_, series))| {
            let seed = stream(seed, i as u64);
            let resamples = Resamples::of(&[*series], seed);
            units = units.min(resamples.units());
            resamples.log_values(*series, seed)
        })
        .collect();
    let mut slopes = Vec::with_capacity(RESAMPLES);
    let mut intercepts = Vec::with_capacity(RESAMPLES);
    for draw in 0..RESAMPLES {
        for (point, values) in points.iter_mut().zip(&drawn) {
            point.1 = values[draw].exp();
        }
        let line = fit_line(&points)?;
        slopes.push(line.slope);
        intercepts.push(line.intercept);
    }
    let units = units as f64;
    Some(Fit {
        slope: Interval::from_draws(line.slope, &slopes, units),
        intercept: Interval::from_draws(line.intercept, &intercepts, units),
        misfit: line.misfit,
    })
}

/// `a` divided by `b` for independent intervals, such as key set-up divided by the slope.
/// The ends combine the worst cases of both, so the interval is wider than 95 %. `None`
/// if the interval of `b` reaches zero, because the quotient then has no bound.
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

/// `a[i] / b[i]` for each i: samples are divided round by round, medians draw by draw.
pub fn quotients(a: &[f64], b: &[f64]) -> Vec<f64> {
    a.iter().zip(b).map(|(a, b)| a / b).collect()
}

fn ascending(samples: &[f64]) -> Vec<f64> {
    let mut sorted = samples.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    sorted
}

#[cfg(test)]
mod tests {
    use rand::rngs::Xoshiro256PlusPlus;
    use rand::{Rng, SeedableRng};

    use super::*;

    /// Times around 100 with a tail upwards, as interrupts cause it.
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
    fn few_rounds_have_no_interval() {
        for rounds in 1..FEWEST {
            let samples: Vec<f64> = (0..rounds).map(|i| 5.0 + i as f64).collect();
            let interval = value_interval(Series::of(&samples), 1);
            assert!(!interval.is_known() && interval.includes(1e9));
            assert_eq!(interval.mid, median(&samples));
        }
        assert!(value_interval(Series::of(&[5.0; FEWEST]), 1).is_known());
    }

    /// Times around 100: a random factor for each process, times the noise of its rounds.
    fn processes(
        rng: &mut Xoshiro256PlusPlus,
        rounds: &[usize],
        between: f64,
    ) -> (Vec<f64>, Vec<u32>) {
        let mut samples = Vec::new();
        let mut numbers = Vec::new();
        for (number, &rounds) in rounds.iter().enumerate() {
            let own = (between * normal(rng)).exp();
            for _ in 0..rounds {
                samples.push(100.0 * own * (0.01 * normal(rng)).exp());
                numbers.push(number as u32);
            }
        }
        (samples, numbers)
    }

    /// Returns a normally distributed number, by the method of Box and Muller.
    fn normal(rng: &mut Xoshiro256PlusPlus) -> f64 {
        let mut uniform = || ((rng.next_u64() >> 11) as f64 + 0.5) / (1u64 << 53) as f64;
        (-2.0 * uniform().ln()).sqrt() * (std::f64::consts::TAU * uniform()).cos()
    }

    /// Returns the number of cells, out of 1000 simulated ones, whose interval contains the true
    /// median, 100.
    fn covered(rounds: &[usize], between: f64, known: bool) -> usize {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(3);
        let cell = |_: &usize| {
            let (samples, numbers) = processes(&mut rng, rounds, between);
            let processes = if known { &numbers[..] } else { &[] };
            let series = Series {
                samples: &samples,
                processes,
                statistic: Statistic::Median,
            };
            value_interval(series, 4).includes(100.0)
        };
        (0..1000).filter(cell).count()
    }

    #[test]
    fn the_interval_covers_the_true_median_as_often_as_it_says() {
        // The simulation uses the numbers of rounds for each process that the profiles have. The
        // processes of a simulated cell do not vary at all, vary by half as much as its rounds, or
        // vary by twice as much as its rounds.
        let quick: &[usize] = &[4, 5, 5, 5, 5, 5, 2];
        let standard: &[usize] = &[4, 5, 2];
        let long: &[usize] = &[5; 20];
        for rounds in [quick, standard, long] {
            for between in [0.0, 0.005, 0.02] {
                let covered = covered(rounds, between, true);
                assert!(
                    (930..=970).contains(&covered),
                    "{covered} of 1000 at {rounds:?}, {between}"
                );
            }
        }
        // One process for all rounds, as with a virtual machine: the floor replaces the
        // variation between processes, which cannot be measured.
        let covered = |rounds| covered(&[rounds], resample::FLOOR, true);
        assert!((930..=970).contains(&covered(31)), "{}", covered(31));
        // The smallest number of rounds that gives an interval: the interval is a little too wide.
        assert!((930..=990).contains(&covered(6)), "{}", covered(6));
    }

    #[test]
    fn rounds_drawn_singly_would_promise_too_much() {
        let quick: &[usize] = &[4, 5, 5, 5, 5, 5, 2];
        let covered = covered(quick, 0.05, false);
        assert!(covered < 850, "{covered}");
    }

    #[test]
    fn the_same_samples_give_the_same_interval() {
        let samples: Vec<f64> = (0..30).map(|i| f64::from(40 + i * 7 % 30)).collect();
        let numbers: Vec<u32> = (0..30).map(|i| i / 5).collect();
        let series = Series {
            samples: &samples,
            processes: &numbers,
            statistic: Statistic::Median,
        };
        assert_eq!(value_interval(series, 1), value_interval(series, 1));
        assert_ne!(value_interval(series, 1), value_interval(series, 2));
    }

    #[test]
    fn lines_come_back() {
        let exact: Vec<(f64, f64)> = [16.0, 256.0, 16384.0].map(|x| (x, 50.0 + 0.25 * x)).into();
        let line = fit_line(&exact).unwrap();
        assert!(close(line.slope, 0.25) && close(line.intercept, 50.0));
        assert!(line.misfit < 1e-9);

        assert_eq!(fit_line(&[]), None);
        assert_eq!(fit_line(&[(16.0, 5.0), (16.0, 6.0)]), None);

        // Half the small message's time counts as much as half the large message's time.
        let mut bent = exact.clone();
        bent[0].1 *= 1.02;
        let small = fit_line(&bent).unwrap();
        assert!((small.at(16.0) / bent[0].1 - 1.0).abs() < 0.02);
        assert!(small.misfit < 0.02);

        // A negative time per message is reported as it is.
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
        let by_size: Vec<(f64, Series<'_>)> =
            cells.iter().map(|(x, s)| (*x, Series::of(s))).collect();
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
}
