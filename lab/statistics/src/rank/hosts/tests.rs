//! Tests whether the model finds known (planted) differences.

use rand::rngs::Xoshiro256PlusPlus;
use rand::{Rng as _, SeedableRng as _};

use super::*;

const LIBRARIES: usize = 5;
const CELLS: usize = 30;

/// Makes the times of a fleet. `planted` changes the logarithm of a time.
fn fleet(
    hosts: usize,
    noise: f64,
    seed: u64,
    planted: impl Fn(usize, usize, usize) -> f64,
) -> Vec<Reading> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut uniform = || ((rng.next_u64() >> 11) as f64 + 0.5) / (1_u64 << 53) as f64;
    let mut all = Vec::new();
    for host in 0..hosts {
        for library in 0..LIBRARIES {
            for cell in 0..CELLS {
                let normal =
                    (-2.0 * uniform().ln()).sqrt() * (std::f64::consts::TAU * uniform()).cos();
                // One time in ten is missing.
                if uniform() < 0.1 {
                    continue;
                }
                let log = 0.3 * cell as f64
                    + 0.2 * library as f64
                    + planted(host, library, cell)
                    + noise * normal;
                all.push(Reading {
                    host,
                    library,
                    cell,
                    ns: log.exp(),
                });
            }
        }
    }
    all
}

fn close(found: f64, planted: f64, within: f64) -> bool {
    (found / planted - 1.0).abs() <= within
}

#[test]
fn hosts_and_libraries_are_told_apart_though_the_table_has_holes() {
    let speed = [0.0, 0.3, -0.2, 0.1];
    let found = fit(&fleet(4, 0.01, 1, |host, _, _| speed[host]));
    let ratio = |of: &[Option<f64>], a: usize, b: usize| of[a].unwrap() / of[b].unwrap();
    assert!(close(ratio(&found.hosts, 1, 2), 0.5_f64.exp(), 0.005));
    assert!(close(ratio(&found.libraries, 4, 0), 0.8_f64.exp(), 0.005));
    assert!(found.suits.values().all(|suits| !suits.matters));
    assert!(found.shares[2] < 0.01, "{:?}", found.shares);
    assert!(
        found.shares[0] + found.shares[1] > 0.9,
        "{:?}",
        found.shares
    );
}

#[test]
fn a_library_that_suits_one_host_less_is_found_and_no_other() {
    let planted = |host, library, _| match (host, library) {
        (2, 3) => 0.2,
        _ => 0.0,
    };
    let found = fit(&fleet(6, 0.02, 2, planted));
    let that: Vec<_> = found
        .suits
        .iter()
        .filter(|(_, suits)| suits.matters)
        .map(|(key, _)| *key)
        .collect();
    assert_eq!(that, [(3, 2)]);
    assert!(close(found.suits[&(3, 2)].ratio, 0.2_f64.exp(), 0.015));
}

/// Libraries differ by other factors at each cell, and so do machines.
fn special(host: usize, library: usize, cell: usize) -> f64 {
    let of = |a: usize, b: usize| ((7 * a + 13 * b) % 11) as f64 / 5.0;
    of(library, cell) + of(host + 3, cell)
}

#[test]
fn a_library_that_suits_one_host_less_is_found_though_libraries_differ_by_cell() {
    let that = |found: &Fit| -> Vec<(usize, usize)> {
        let that = found.suits.iter().filter(|(_, suits)| suits.matters);
        that.map(|(key, _)| *key).collect()
    };
    let planted = |host, library, cell| {
        special(host, library, cell)
            + if (host, library) == (2, 3) {
                1.2_f64.ln()
            } else {
                0.0
            }
    };
    // Many cells; few; one alone.
    for cells in [CELLS, 5, 2, 1] {
        let mut readings = fleet(6, 0.01, 2, planted);
        readings.retain(|reading| reading.cell < cells);
        let found = fit(&readings);
        assert_eq!(that(&found), [(3, 2)], "{cells} cells");
        assert!(close(found.suits[&(3, 2)].ratio, 1.2, 0.03), "{cells}");
    }
    // Of two machines nobody knows which is the odd one, so each has half of the difference.
    let mut readings = fleet(6, 0.01, 2, planted);
    readings.retain(|reading| matches!(reading.host, 1 | 2));
    let found = fit(&readings);
    assert_eq!(that(&found), [(3, 1), (3, 2)]);
    let ratio = found.suits[&(3, 2)].ratio / found.suits[&(3, 1)].ratio;
    assert!(close(ratio, 1.2, 0.02), "{ratio}");
}

#[test]
fn times_that_no_other_machine_has_change_no_term() {
    let planted = |host, library, cell| {
        special(host, library, cell) + if (host, library) == (2, 3) { 0.2 } else { 0.0 }
    };
    let mut readings = fleet(6, 0.01, 2, planted);
    let before = fit(&readings).suits;
    // This library has ten times as many cells on the machine on which it is slow.
    readings.extend((0..10 * CELLS).map(|cell| Reading {
        host: 2,
        library: 3,
        cell: CELLS + cell,
        ns: 1000.0,
    }));
    assert_eq!(fit(&readings).suits, before);
    // On one machine alone, nothing is compared, and each library has its time.
    readings.retain(|reading| reading.host == 2);
    let found = fit(&readings);
    assert_eq!(found.outliers(), []);
    assert_eq!(found.relative(3, 2).unwrap().0, found.libraries[3].unwrap());
}

#[test]
fn chance_alone_seldom_matters() {
    for (hosts, cells) in [(6, CELLS), (6, 5), (6, 2), (6, 1), (3, 5), (3, 1), (2, 20)] {
        let alarms = (0..200)
            .filter(|&seed| {
                let mut readings = fleet(hosts, 0.05, seed, special);
                readings.retain(|reading| reading.cell < cells);
                let found = fit(&readings);
                found.suits.values().any(|suits| suits.matters)
            })
            .count();
        println!("{hosts} hosts, {cells} cells: {alarms} of 200 have a term that matters");
        assert!(
            alarms <= 10,
            "{hosts} hosts, {cells} cells: {alarms} of 200"
        );
    }
}

#[test]
fn a_node_that_is_four_per_cent_slower_than_its_siblings_is_found() {
    for seed in 0..50 {
        let planted = |host, _, _| 0.003 * (host as f64).sin() + if host == 3 { 0.04 } else { 0.0 };
        let found = siblings(&fleet(8, 0.02, seed, planted)).unwrap();
        let astray: Vec<usize> = found
            .iter()
            .filter(|one| one.astray)
            .map(|one| one.host)
            .collect();
        assert_eq!(astray, [3], "{found:?}");
        let ratio = found.iter().find(|one| one.host == 3).unwrap().ratio;
        assert!(close(ratio, 1.04, 0.01), "{ratio}");
        let none = siblings(&fleet(8, 0.02, seed, |host, _, _| {
            0.003 * (host as f64).sin()
        }));
        assert!(none.unwrap().iter().all(|one| !one.astray));
    }
    assert_eq!(siblings(&fleet(2, 0.02, 1, |_, _, _| 0.0)), None);
    assert_eq!(siblings(&[]), None);
}

#[test]
fn the_instructions_that_turn_an_order_are_found() {
    let with = vec!["aes", "avx2", "vaes"];
    let without = vec!["aes", "avx2"];
    let turn = |property: &str, first_has, wrong| Turn {
        property: property.into(),
        first_has,
        wrong,
    };
    let found = turns(
        &[with.clone(), with.clone()],
        &[without.clone(), without.clone()],
    );
    assert_eq!(found, [turn("vaes", true, 0)]);
    let found = turns(
        &[without.clone(), without.clone()],
        &[with.clone(), with.clone()],
    );
    assert_eq!(found, [turn("vaes", false, 0)]);
    // One host of four is an exception.
    let first = [with.clone(), with.clone(), without.clone()];
    assert_eq!(
        turns(&first, &[without.clone(), without.clone()]),
        [turn("vaes", true, 1)]
    );
    let same = std::slice::from_ref(&with);
    assert_eq!(turns(same, same), []);
    assert_eq!(turns(&[], &[without]), []);
}
