//! Points at which the level of a series changes: PELT of R. Killick, P. Fearnhead and I. A. Eckley,
//! *Optimal Detection of Changepoints With a Linear Computational Cost*, Journal of the American
//! Statistical Association 107 (500), 2012.
//!
//! The values are the logarithms of times, one for each run, and a segment's cost is its sum of
//! squared deviations from its mean, divided by the noise's variance. Three facts about nightly
//! measurements are taken into account:
//!
//! - A single slow night is no change. A value that is far from the median of its neighbours is
//!   moved towards it (Hampel's filter) before segments are searched. Nor are a few slow nights close
//!   together, after which the series returns to its level.
//! - The noise is estimated from differences of neighbours, which a change of level hardly affects.
//! - Nights resemble each other: noise is correlated. The variance is that of a mean of values with
//!   a correlation of the first order, as M. Lavielle and E. Moulines advise (*Least-squares
//!   estimation of an unknown number of shifts in a time series*, Journal of Time Series Analysis
//!   21 (1), 2000).
//!
//! PELT itself is some forty lines of this file: the crate `pelt` is under the MPL, which the lab does
//! not link, and `edivisive` has had one release (November 2026).

use crate::{median, quantile};

/// The fewest runs on each side of a change.
pub const SHORTEST: usize = 3;

/// The fewest runs of a level from which the series returns to the level before. Fewer are slow nights
/// that came close together.
const SHORTEST_VISIT: usize = 7;

/// A change must lower the cost by this number times the logarithm of the series' length. The
/// tests show the rate of false alarms.
const PENALTY: f64 = 5.0;

/// Neighbours on each side of a value by which the filter judges it.
const NEIGHBOURS: usize = 3;
/// The filter moves a value to at most this number of standard deviations from its neighbours.
const FAR: f64 = 3.0;

/// The least standard deviation of the noise: differences below 0.05 % are never a change.
const QUIETEST: f64 = 5e-4;

/// The standard deviation of normal noise divided by the median of its absolute values.
const NORMAL: f64 = 1.4826;

/// The largest correlation that the noise can have; a larger one is taken for changes of level.
const MOST_ALIKE: f64 = 0.6;

/// A change of level.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Change {
    /// The index of the first value after the change.
    pub at: usize,
    /// The median of the values from the previous change to this one.
    pub before: f64,
    /// The median of the values from this change to the next.
    pub after: f64,
}

/// Returns the changes of a series of times, which are above zero, in their order.
pub fn changes(times: &[f64]) -> Vec<Change> {
    if times.len() < 2 * SHORTEST {
        return Vec::new();
    }
    let logs: Vec<f64> = times.iter().map(|time| time.ln()).collect();
    let deviation = noise(&logs);
    let filtered = filtered(&logs, deviation.of_one);
    let starts = settled(&filtered, pelt(&filtered, deviation.of_means.powi(2)));
    let ends = starts.iter().copied().skip(1).chain([times.len()]);
    let levels: Vec<f64> = starts
        .iter()
        .zip(ends)
        .map(|(&start, end)| median(&times[start..end]))
        .collect();
    starts
        .iter()
        .zip(levels.windows(2))
        .zip(&starts[1..])
        .map(|((_, pair), &at)| Change {
            at,
            before: pair[0],
            after: pair[1],
        })
        .collect()
}

/// Moves the start of each segment past values that are nearer to the level before, and drops a
/// segment of which too few values are left: a segment may have taken them only to be long enough.
fn settled(values: &[f64], starts: Vec<usize>) -> Vec<usize> {
    let mut kept = vec![0];
    for (place, &start) in starts.iter().enumerate().skip(1) {
        let end = starts.get(place + 1).copied().unwrap_or(values.len());
        let before = median(&values[kept[kept.len() - 1]..start]);
        let after = median(&values[start..end]);
        let is_old = |value: &&f64| (*value - before).abs() < (*value - after).abs();
        let first = start + values[start..end].iter().take_while(is_old).count();
        if end - first >= SHORTEST {
            kept.push(first);
        }
    }
    without_short_visits(values, kept)
}

/// Joins a segment of fewer than `SHORTEST_VISIT` runs with its neighbours if the level after it is
/// the level before it: nearer to that one than half the way to the segment's own.
fn without_short_visits(values: &[f64], mut starts: Vec<usize>) -> Vec<usize> {
    let mut place = 1;
    while place + 1 < starts.len() {
        let end = starts.get(place + 2).copied().unwrap_or(values.len());
        let before = median(&values[starts[place - 1]..starts[place]]);
        let visited = median(&values[starts[place]..starts[place + 1]]);
        let after = median(&values[starts[place + 1]..end]);
        let returned = (after - before).abs() < (visited - before).abs() / 2.0;
        if starts[place + 1] - starts[place] < SHORTEST_VISIT && returned {
            starts.drain(place..=place + 1);
        } else {
            place += 1;
        }
    }
    starts
}

/// Standard deviations of the noise.
struct Noise {
    /// Of one value.
    of_one: f64,
    /// Of a mean of n values, times √n.
    of_means: f64,
}

/// Estimates the noise from the differences of neighbours, and of values two apart. With a
/// correlation of φ between neighbours, their variances have the ratio 1 : 1 + φ.
fn noise(logs: &[f64]) -> Noise {
    let spread = |apart: usize| {
        let mut sizes: Vec<f64> = logs
            .windows(apart + 1)
            .map(|window| (window[apart] - window[0]).abs())
            .collect();
        sizes.sort_by(f64::total_cmp);
        NORMAL * quantile(&sizes, 0.5)
    };
    let (one, two) = (spread(1), spread(2));
    let alike = match one > 0.0 {
        true => ((two / one).powi(2) - 1.0).clamp(0.0, MOST_ALIKE),
        false => 0.0,
    };
    let of_one = (one / (2.0 * (1.0 - alike)).sqrt()).max(QUIETEST);
    Noise {
        of_one,
        of_means: of_one * ((1.0 + alike) / (1.0 - alike)).sqrt(),
    }
}

fn filtered(logs: &[f64], deviation: f64) -> Vec<f64> {
    (0..logs.len())
        .map(|index| {
            let first = index.saturating_sub(NEIGHBOURS);
            let last = (index + NEIGHBOURS).min(logs.len() - 1);
            let middle = median(&logs[first..=last]);
            logs[index].clamp(middle - FAR * deviation, middle + FAR * deviation)
        })
        .collect()
}

/// Returns the indices at which the segments of the cheapest division begin; the first is 0.
fn pelt(values: &[f64], variance: f64) -> Vec<usize> {
    let count = values.len();
    let penalty = PENALTY * (count as f64).ln();
    let (mut sums, mut squares) = (vec![0.0; count + 1], vec![0.0; count + 1]);
    let centre = median(values);
    for (index, value) in values.iter().enumerate() {
        sums[index + 1] = sums[index] + (value - centre);
        squares[index + 1] = squares[index] + (value - centre).powi(2);
    }
    let cost = |start: usize, end: usize| {
        let sum = sums[end] - sums[start];
        let square = squares[end] - squares[start];
        (square - sum * sum / (end - start) as f64).max(0.0) / variance
    };
    // The cheapest division of the values before each index, and the start of its last segment.
    let mut best = vec![f64::INFINITY; count + 1];
    let mut last = vec![0; count + 1];
    best[0] = -penalty;
    // The starts that a last segment can have, each with the end from which it is too dear.
    let mut candidates = vec![(0, usize::MAX)];
    for end in SHORTEST..=count {
        candidates.retain(|&(_, dear_from)| end < dear_from);
        let mut cheapest = (f64::INFINITY, 0);
        for &(start, _) in &candidates {
            let total = best[start] + cost(start, end) + penalty;
            if total < cheapest.0 {
                cheapest = (total, start);
            }
        }
        (best[end], last[end]) = cheapest;
        // A start that is dearer than the division up to here, even without another penalty, is
        // dearer at every later end to which a segment from here reaches.
        for (start, dear_from) in &mut candidates {
            if best[*start] + cost(*start, end) > best[end] {
                *dear_from = (end + SHORTEST).min(*dear_from);
            }
        }
        // A segment has at least SHORTEST values, so the next end can begin one at this index.
        let next = end + 1 - SHORTEST;
        if next >= SHORTEST {
            candidates.push((next, usize::MAX));
        }
    }
    let mut starts = Vec::new();
    let mut end = count;
    while end > 0 {
        end = last[end];
        starts.push(end);
    }
    starts.reverse();
    starts
}

#[cfg(test)]
mod tests;
