//! Tests ratios within one cell.

use rand::rngs::Xoshiro256PlusPlus;
use rand::{Rng, SeedableRng};

use super::*;

/// Times around `level` with a few per cent of noise; the same rounds are slow for all
/// libraries.
fn times(rng: &mut Xoshiro256PlusPlus, level: f64, rounds: usize) -> Vec<f64> {
    (0..rounds)
        .map(|round| {
            let noise = (rng.next_u64() % 1000) as f64 / 50_000.0;
            level * (1.0 + noise) * (1.0 + round as f64 / 100.0)
        })
        .collect()
}

fn of<'a, const N: usize>(samples: [&'a [f64]; N]) -> [Series<'a>; N] {
    samples.map(Series::of)
}

#[test]
fn a_tie_is_what_three_standard_errors_do_not_part() {
    let ratio = |low, mid, high| ties(&Interval { low, mid, high });
    assert!(ratio(0.99, 1.03, 1.07));
    // The interval excludes 1 at 95 %, but not after widening for thousands of pairs.
    assert!(ratio(1.01, 1.04, 1.07));
    assert!(ratio(0.93, 0.96, 0.99));
    assert!(!ratio(1.03, 1.06, 1.09));
    assert!(!ratio(0.91, 0.94, 0.97));
    // A very precise ratio that is too close to 1 to matter.
    assert!(ratio(1.008, 1.009, 1.0095));
    assert!(!ratio(1.011, 1.012, 1.013));
}

#[test]
fn ratios_to_the_best() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(8);
    let a = times(&mut rng, 100.0, 21);
    let b = times(&mut rng, 100.2, 21);
    let c = times(&mut rng, 150.0, 21);
    let shorter = times(&mut rng, 300.0, 8);

    let got = ratios(&of([&c, &a, &b, &shorter]));
    let best = best(&of([&c, &a, &b, &shorter])).unwrap();
    assert!(best == 1 || best == 2);
    assert_eq!(got[best], (Interval::exact(1.0), true));
    assert!(got[3 - best].1, "{got:?}");
    assert!(got[0].0.includes(1.5) && !got[0].1, "{got:?}");
    assert!(got[3].0.mid > 2.5 && !got[3].1, "{got:?}");
    assert_eq!(got, ratios(&of([&c, &a, &b, &shorter])));

    // If the best library is alone, it ties with no library.
    assert_eq!(ratios(&of([&a])), [(Interval::exact(1.0), false)]);
    assert!(!ratios(&of([&a, &c]))[0].1);
    assert!(ratios(&of([&a, &a]))[0].1);
    assert_eq!(ratios(&[]), []);
}

#[test]
fn drift_does_not_choose_the_best() {
    // b is faster in four of five rounds, but the medians do not show it, because the
    // level differs between rounds.
    let a = [100.0, 200.0, 300.0, 400.0, 500.0];
    let b = [99.0, 198.0, 301.0, 396.0, 495.0];
    assert!(stats::median(&a) < stats::median(&b));
    assert_eq!(best(&of([&a, &b])), Some(1));
    let got = ratios(&of([&a, &b]));
    assert_eq!(got[1].0, Interval::exact(1.0));
    assert!(got[0].0.mid > 1.0);

    // Each library is faster than the next in two of three rounds, so the medians decide.
    let circle = of([&[1.0, 2.0, 3.1], &[2.0, 3.0, 1.0], &[3.0, 1.0, 2.1]]);
    assert_eq!(best(&circle), Some(0));
    assert!(ratios(&circle).iter().all(|(r, tie)| r.mid >= 1.0 && *tie));
}
