use rand::rngs::Xoshiro256PlusPlus;
use rand::{Rng as _, SeedableRng as _};
use statrs::distribution::{ContinuousCDF, Normal};

use super::*;

/// Noise of one kind.
#[derive(Clone, Copy)]
enum Kind {
    Normal,
    /// Each night resembles the night before, with this correlation.
    Alike(f64),
    /// One night in twenty is slow.
    Outliers,
}

/// Returns a series around 100 ns with noise of 0.5 %.
fn series(count: usize, kind: Kind, seed: u64) -> Vec<f64> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let standard = Normal::standard();
    let mut uniform = || ((rng.next_u64() >> 11) as f64 + 0.5) / (1_u64 << 53) as f64;
    let slow: Vec<bool> = (0..count)
        .map(|_| matches!(kind, Kind::Outliers) && uniform() < 0.05)
        .collect();
    let mut normal = || standard.inverse_cdf(uniform());
    let mut previous = normal();
    let noise: Vec<f64> = (0..count)
        .map(|_| {
            previous = match kind {
                Kind::Alike(share) => share * previous + (1.0 - share * share).sqrt() * normal(),
                Kind::Normal | Kind::Outliers => normal(),
            };
            previous
        })
        .collect();
    noise
        .into_iter()
        .zip(slow)
        .map(|(noise, slow)| 100.0 * (0.005 * noise + if slow { 0.1 } else { 0.0 }).exp())
        .collect()
}

/// Returns how many of 1000 series without a change have a change by the method.
fn false_alarms(count: usize, kind: Kind) -> usize {
    (0..1000)
        .filter(|&seed| !changes(&series(count, kind, seed)).is_empty())
        .count()
}

#[test]
fn series_without_a_change_have_few_false_alarms() {
    for (name, kind, most) in [
        ("normal", Kind::Normal, 10),
        ("correlated by 0.3", Kind::Alike(0.3), 30),
        ("correlated by 0.5", Kind::Alike(0.5), 80),
        ("outliers", Kind::Outliers, 30),
    ] {
        for count in [20, 60, 365] {
            let alarms = false_alarms(count, kind);
            println!("{name}, {count} runs: {alarms} of 1000 series with a false alarm");
            assert!(alarms <= most, "{name}, {count} runs: {alarms} of 1000");
        }
    }
}

#[test]
fn planted_changes_are_found_where_they_are() {
    for (change, within, most_missed) in [(1.03, 1, 1), (0.97, 1, 1), (1.015, 3, 5), (1.5, 0, 0)] {
        let mut missed = 0;
        for seed in 0..100 {
            let mut times = series(100, Kind::Normal, seed);
            for time in &mut times[60..] {
                *time *= change;
            }
            let found = changes(&times);
            let right = |found: &Change| {
                found.at.abs_diff(60) <= within
                    && (found.after / found.before / change - 1.0).abs() < 0.005
            };
            if !(found.len() == 1 && right(&found[0])) {
                missed += 1;
            }
        }
        assert!(missed <= most_missed, "{change}: {missed} of 100 missed");
    }
}

#[test]
fn several_changes_are_told_apart_and_a_slow_night_is_none() {
    let mut times = series(120, Kind::Normal, 7);
    for (index, time) in times.iter_mut().enumerate() {
        *time *= match index {
            30..70 => 1.05,
            70.. => 0.98,
            _ => 1.0,
        };
    }
    times[50] *= 1.4;
    times[90] *= 0.6;
    let at: Vec<usize> = changes(&times).iter().map(|change| change.at).collect();
    assert_eq!(at, [30, 70]);
}

/// Slow nights that come close together are no change of level; the same level for a week is one.
#[test]
fn a_level_between_equal_levels_lasts_a_week() {
    for (runs, expected) in [(4, &[][..]), (6, &[]), (7, &[50, 57]), (12, &[50, 62])] {
        let mut times = series(120, Kind::Normal, 11);
        for time in &mut times[50..50 + runs] {
            *time *= 1.1;
        }
        let at: Vec<usize> = changes(&times).iter().map(|change| change.at).collect();
        assert_eq!(at, expected, "{runs} runs");
    }
    // A series that settles on a third level has two changes, however short the second level is.
    let mut times = series(120, Kind::Normal, 11);
    for (index, time) in times.iter_mut().enumerate().skip(50) {
        *time *= if index < 54 { 1.1 } else { 1.2 };
    }
    let at: Vec<usize> = changes(&times).iter().map(|change| change.at).collect();
    assert_eq!(at, [50, 54]);
}

#[test]
fn a_change_in_the_newest_runs_needs_three_of_them() {
    let mut times = series(60, Kind::Normal, 3);
    times.extend([103.0, 103.1]);
    assert_eq!(changes(&times), []);
    times.push(103.05);
    assert_eq!(changes(&times).len(), 1);
    assert_eq!(changes(&times)[0].at, 60);
}

#[test]
fn short_and_constant_series_have_no_change() {
    assert_eq!(changes(&[]), []);
    assert_eq!(changes(&[1.0, 1.0, 1.0, 2.0, 2.0]), []);
    assert_eq!(changes(&[7.0; 50]), []);
    let step = [[7.0; 10], [7.1; 10]].concat();
    assert_eq!(changes(&step).len(), 1);
}

/// The division is the cheapest of all: checked by trying every one.
#[test]
fn pelt_finds_the_cheapest_division() {
    for seed in 0..20 {
        let mut times = series(14, Kind::Normal, seed);
        for time in &mut times[5..9] {
            *time *= 1.02;
        }
        let logs: Vec<f64> = times.iter().map(|time| time.ln()).collect();
        let variance = 0.003_f64.powi(2);
        let total = |starts: &[usize]| {
            let ends = starts.iter().copied().skip(1).chain([logs.len()]);
            let pieces = starts.iter().zip(ends).map(|(&start, end)| {
                let mean = logs[start..end].iter().sum::<f64>() / (end - start) as f64;
                let squares = logs[start..end].iter().map(|log| (log - mean).powi(2));
                squares.sum::<f64>() / variance
            });
            pieces.sum::<f64>() + PENALTY * 14_f64.ln() * (starts.len() - 1) as f64
        };
        let mut cheapest = f64::INFINITY;
        for chosen in 0..1_u32 << 13 {
            let starts: Vec<usize> = (0..14)
                .filter(|&place| place == 0 || chosen >> (place - 1) & 1 == 1)
                .collect();
            let ends = starts.iter().copied().skip(1).chain([14]);
            if starts
                .iter()
                .zip(ends)
                .all(|(start, end)| end - start >= SHORTEST)
            {
                cheapest = cheapest.min(total(&starts));
            }
        }
        let found = total(&pelt(&logs, variance));
        assert!((found - cheapest).abs() < 1e-6, "{found} and {cheapest}");
    }
}
