//! Tests properties of RANK on simulated cells.

use rand::rngs::Xoshiro256PlusPlus;
use rand::{Rng, SeedableRng};

use super::*;

const SIZES: [u64; 4] = [16, 256, 4096, 16384];

#[derive(Clone)]
struct Made {
    library: String,
    family: &'static str,
    algorithm: String,
    bytes: u64,
    samples: Vec<f64>,
}

fn cell(library: &str, algorithm: (&str, &str), bytes: u64, samples: Vec<f64>) -> Made {
    Made {
        library: library.into(),
        family: if algorithm.1 == "hash" {
            "hash"
        } else {
            "block"
        },
        algorithm: format!("{} {}", algorithm.0, algorithm.1),
        bytes,
        samples,
    }
}

fn rank(cells: &[Made]) -> Ranking {
    let timed: Vec<Timed<'_>> = cells
        .iter()
        .map(|cell| Timed {
            library: &cell.library,
            family: cell.family,
            algorithm: &cell.algorithm,
            modern: true,
            bytes: cell.bytes,
            sizeless: false,
            public_key: false,
            series: Series::of(&cell.samples),
        })
        .collect();
    super::rank(&timed)
}

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

/// Four libraries, three algorithms and four sizes, each with its own factor.
fn world(seed: u64) -> Vec<Made> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut cells = Vec::new();
    for algorithm in [
        ("aes-128", "ctr"),
        ("twofish", "cbc-encrypt"),
        ("sha-256", "hash"),
    ] {
        for bytes in SIZES {
            for library in ["a", "b", "c", "d"] {
                let factor = 1.0 + (rng.next_u64() % 300) as f64 / 100.0;
                let level = factor * (40.0 + bytes as f64);
                let samples = times(&mut rng, level, 9);
                cells.push(cell(library, algorithm, bytes, samples));
            }
        }
    }
    cells
}

fn near(a: Interval, b: Interval) -> bool {
    [(a.low, b.low), (a.mid, b.mid), (a.high, b.high)]
        .iter()
        .all(|(a, b)| (a / b - 1.0).abs() < 1e-9)
}

fn same(a: &Ranking, b: &Ranking) -> bool {
    let rows = a.algorithms.len() == b.algorithms.len()
        && a.algorithms.iter().zip(&b.algorithms).all(|(a, b)| {
            (&a.library, &a.algorithm, a.band) == (&b.library, &b.algorithm, b.band)
                && near(a.rank, b.rank)
        });
    rows && a.overall.len() == b.overall.len()
        && a.overall.iter().zip(&b.overall).all(|(a, b)| {
            (&a.library, a.band) == (&b.library, b.band) && near(a.present, b.present)
        })
}

#[test]
fn a_unit_of_time_changes_nothing() {
    for seed in 0..10 {
        let cells = world(seed);
        let mut scaled = cells.clone();
        for cell in scaled.iter_mut().filter(|c| c.bytes == 256) {
            cell.samples.iter_mut().for_each(|s| *s *= 3.7);
        }
        assert!(same(&rank(&cells), &rank(&scaled)));
    }
}

#[test]
fn the_order_of_cells_changes_nothing() {
    for seed in 0..10 {
        let mut cells = world(seed);
        let before = rank(&cells);
        cells.reverse();
        assert_eq!(before, rank(&cells));
        let middle = cells.len() / 3;
        cells.rotate_left(middle);
        assert_eq!(before, rank(&cells));
    }
}

#[test]
fn names_decide_nothing() {
    let cells = world(1);
    let mut renamed = cells.clone();
    for cell in &mut renamed {
        cell.library = match &*cell.library {
            "a" => "z".into(),
            other => other.to_owned(),
        };
    }
    let (mut before, after) = (rank(&cells), rank(&renamed));
    for row in &mut before.algorithms {
        if row.library == "a" {
            row.library = "z".into();
        }
    }
    assert_eq!(before.algorithms, after.algorithms);
}

#[test]
fn a_slower_library_changes_nobodys_rank() {
    for seed in 0..10 {
        let cells = world(seed);
        let mut more = cells.clone();
        for cell in cells.iter().filter(|c| c.library == "c") {
            let samples = cell.samples.iter().map(|s| s * 6.0).collect();
            more.push(Made {
                library: "slow".into(),
                samples,
                ..cell.clone()
            });
        }
        let mut after = rank(&more);
        assert_eq!(after.overall.pop().unwrap().library, "slow");
        after.algorithms.retain(|row| row.library != "slow");
        let before = rank(&cells);
        assert_eq!(before.algorithms, after.algorithms);
        assert_eq!(before.overall, after.overall);
    }
}

#[test]
fn the_best_has_rank_one_and_nobody_less() {
    for seed in 0..10 {
        let mut cells = world(seed);
        for cell in cells.iter_mut().filter(|c| c.library == "b") {
            cell.samples.iter_mut().for_each(|s| *s /= 100.0);
        }
        let ranking = rank(&cells);
        let best = &ranking.overall[0];
        assert_eq!((&*best.library, best.band), ("b", 1));
        assert_eq!(best.present, Interval::exact(1.0));
        assert!(ranking.algorithms.iter().all(|row| row.rank.mid >= 1.0));
        assert!(ranking.overall.windows(2).all(|w| w[0].band <= w[1].band));
    }
}

#[test]
fn known_factors_come_back() {
    let exact = |library, bytes, ns: f64| cell(library, ("aes-128", "ctr"), bytes, vec![ns; 6]);
    let ranking = rank(&[
        exact("a", 16, 10.0),
        exact("a", 1024, 300.0),
        exact("b", 16, 20.0),
        exact("b", 1024, 100.0),
        exact("c", 16, 80.0),
    ]);
    let rows: Vec<(&str, f64, f64, u32)> = ranking
        .algorithms
        .iter()
        .map(|r| (&*r.library, r.rank.mid, r.coverage, r.band))
        .collect();
    // Library b: √(2 × 1), a: √(1 × 3), c: 8 at the only size that it has.
    let expected = [
        ("b", 2f64.sqrt(), 1.0, 1),
        ("a", 3f64.sqrt(), 1.0, 2),
        ("c", 8.0, 0.5, 3),
    ];
    for (row, expected) in rows.iter().zip(expected) {
        assert!((row.1 - expected.1).abs() < 1e-12, "{rows:?}");
        assert_eq!((row.0, row.2, row.3), (expected.0, expected.2, expected.3));
    }
    assert_eq!(ranking.families.len(), 1);
    assert_eq!(ranking.families[0].1, ranking.overall);
}

#[test]
fn what_nobody_else_has_is_not_a_victory() {
    let mut cells = world(5);
    let before = rank(&cells);
    cells.push(cell("d", ("mars", "ctr"), 16, vec![50.0; 9]));
    cells.push(cell("hermit", ("e2", "ctr"), 16, vec![50.0; 9]));
    let after = rank(&cells);
    assert_eq!(before.overall, after.overall);
    let alone: Vec<_> = after
        .algorithms
        .iter()
        .filter(|row| ["mars ctr", "e2 ctr"].contains(&&*row.algorithm))
        .collect();
    assert_eq!(alone.len(), 2);
    assert!(alone.iter().all(|r| r.rank == Interval::exact(1.0)));
}

#[test]
fn ties_share_a_band_and_gaps_part_them() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(7);
    let mut cells = Vec::new();
    for bytes in SIZES {
        let level = 40.0 + bytes as f64;
        for (library, factor) in [("a", 1.0), ("b", 1.005), ("c", 1.3), ("d", 1.3), ("e", 2.0)] {
            let samples = times(&mut rng, level * factor, 25);
            cells.push(cell(library, ("aes-128", "ctr"), bytes, samples));
        }
    }
    let ranking = rank(&cells);
    for row in &ranking.algorithms {
        let expected = match &*row.library {
            "a" | "b" => 1,
            "c" | "d" => 2,
            _ => 3,
        };
        assert_eq!(row.band, expected, "{row:?}");
    }
}

#[test]
fn published_columns_keep_their_direction() {
    let row = |library: &str, time: f64, speed: f64| {
        let measure = |column: &str, value, direction| Measure {
            column: column.into(),
            value,
            direction,
        };
        let measures = vec![
            measure("ns", time, Direction::Less),
            measure("op/s", speed, Direction::More),
        ];
        (library.to_owned(), measures)
    };
    let ranks = published_rank(&[
        row("slow", 40.0, 10.0),
        row("fast", 10.0, 40.0),
        row("half", 0.0, 20.0),
        row("none", f64::NAN, -1.0),
    ]);
    let short: Vec<_> = ranks
        .iter()
        .map(|r| (&*r.library, r.rank, r.ratios.len(), r.of))
        .collect();
    let expected = [
        ("fast", 1.0, 2, 2),
        ("half", 2.0, 1, 2),
        ("slow", 4.0, 2, 2),
    ];
    for (row, expected) in short.iter().zip(expected) {
        assert!((row.1 - expected.1).abs() < 1e-12);
        assert_eq!((row.0, row.2, row.3), (expected.0, expected.2, expected.3));
    }
    assert_eq!(short.len(), 3);
}
