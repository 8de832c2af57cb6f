//! Tests whether the model finds known (planted) differences.

use rand::Rng;

use super::*;

struct Chance(Xoshiro256PlusPlus);

impl Chance {
    fn uniform(&mut self) -> f64 {
        ((self.0.next_u64() >> 11) as f64 + 0.5) / (1u64 << 53) as f64
    }

    /// Returns a normally distributed number, by the method of Box and Muller.
    fn normal(&mut self) -> f64 {
        (-2.0 * self.uniform().ln()).sqrt() * (std::f64::consts::TAU * self.uniform()).cos()
    }
}

/// The planted logarithms of the libraries' times.
const PLANTED: [f64; 6] = [0.0, 0.1, 0.25, 0.5, 0.9, 1.4];

/// Makes algorithms of two sizes each. A library lacks a third of them, and has slow
/// algorithms more often than fast ones, so that the mean of its own times would mislead.
/// In each algorithm its time differs from the planted value by a random factor of size
/// `apart`.
fn holey(chance: &mut Chance, algorithms: usize, apart: f64) -> Vec<Algorithm> {
    let mut found = Vec::new();
    while found.len() < algorithms {
        let work = 3.0 * chance.normal();
        let own: Vec<Option<f64>> = PLANTED
            .iter()
            .enumerate()
            .map(|(library, planted)| {
                let has = chance.uniform()
                    < if work > library as f64 - 3.0 {
                        0.9
                    } else {
                        0.4
                    };
                let log = planted + apart * chance.normal();
                has.then_some(log)
            })
            .collect();
        let samples: Vec<Vec<Vec<f64>>> = (0..2)
            .map(|size| {
                own.iter()
                    .map(|log| {
                        let round = |chance: &mut Chance| {
                            let log = log.unwrap_or(0.0) + work + f64::from(size);
                            (log + 0.01 * chance.normal()).exp()
                        };
                        (0..8).map(|_| round(chance)).collect()
                    })
                    .collect()
            })
            .collect();
        let sizes: Vec<Vec<Entry<'_>>> = samples
            .iter()
            .map(|libraries| {
                let all = libraries.iter().enumerate();
                all.filter(|(library, _)| own[*library].is_some())
                    .map(|(library, samples)| Entry {
                        library,
                        series: Series::of(samples),
                    })
                    .collect()
            })
            .collect();
        found.extend(Algorithm::new(&sizes, chance.0.next_u64()));
    }
    found
}

fn fit(algorithms: &[Algorithm]) -> Effects {
    let algorithms: Vec<&Algorithm> = algorithms.iter().collect();
    Effects::fit(&algorithms, PLANTED.len(), 5)
}

#[test]
fn planted_libraries_come_back_from_a_holey_table() {
    let mut chance = Chance(Xoshiro256PlusPlus::seed_from_u64(1));
    let effects = fit(&holey(&mut chance, 200, 0.0));
    for (library, planted) in PLANTED.iter().enumerate() {
        let ratio = effects.ratio(library, 0).unwrap();
        assert!((ratio.mid / planted.exp() - 1.0).abs() < 0.01, "{ratio:?}");
    }
}

#[test]
fn intervals_know_that_other_algorithms_might_have_been_chosen() {
    let mut chance = Chance(Xoshiro256PlusPlus::seed_from_u64(2));
    let (mut covered, mut all, mut width) = (0, 0, 0.0);
    for _ in 0..80 {
        let effects = fit(&holey(&mut chance, 25, 0.3));
        for (library, planted) in PLANTED.iter().enumerate().skip(1) {
            let ratio = effects.ratio(library, 0).unwrap();
            all += 1;
            covered += usize::from(ratio.includes(planted.exp()));
            width += (ratio.high / ratio.low).ln();
        }
    }
    let share = f64::from(covered as u32) / f64::from(all);
    assert!((0.93..=0.97).contains(&share), "{covered} of {all}");
    // The noise of rounds alone, 1 %, would give an interval of a few per mille.
    assert!(width / f64::from(all) > 0.2, "{width}");
}

#[test]
fn what_shares_nothing_is_not_compared() {
    let samples = [1.0, 2.0, 4.0, 8.0].map(|level| vec![level; 8]);
    let size = |libraries: [usize; 2]| {
        libraries
            .map(|library| Entry {
                library,
                series: Series::of(&samples[library]),
            })
            .into()
    };
    let one = Algorithm::new(&[size([0, 1])], 1).unwrap();
    let other = Algorithm::new(&[size([2, 3])], 2).unwrap();
    let effects = Effects::fit(&[&one, &other], 5, 3);
    assert!((effects.ratio(1, 0).unwrap().mid - 2.0).abs() < 1e-9);
    assert!((effects.ratio(3, 2).unwrap().mid - 2.0).abs() < 1e-9);
    assert_eq!(effects.ratio(2, 0), None);
    assert_eq!(effects.part(4), None);
    // A single algorithm gives no information about another choice of algorithms.
    assert!(!effects.ratio(1, 0).unwrap().is_known());
    // An algorithm with libraries of both parts joins the parts.
    let bridge = Algorithm::new(&[size([1, 2])], 4).unwrap();
    let effects = Effects::fit(&[&one, &other, &bridge], 5, 3);
    assert!((effects.ratio(3, 0).unwrap().mid - 8.0).abs() < 1e-9);
}

#[test]
fn sizes_of_an_algorithm_weigh_evenly() {
    // Library 1 takes four times as long in the algorithm of eight sizes, and the same
    // time in the algorithm of one size. The mean over algorithms is 2.
    let (fast, slow) = (vec![1.0; 8], vec![4.0; 8]);
    let size = |own: &'static str| -> Vec<Entry<'_>> {
        let second = if own == "slow" { &slow } else { &fast };
        let both = [&fast, second];
        (0..2)
            .map(|library| Entry {
                library,
                series: Series::of(both[library]),
            })
            .collect()
    };
    let many: Vec<Vec<Entry<'_>>> = (0..8).map(|_| size("slow")).collect();
    let many = Algorithm::new(&many, 1).unwrap();
    let single = Algorithm::new(&[size("fast")], 1).unwrap();
    let effects = Effects::fit(&[&many, &single], 2, 1);
    assert!((effects.ratio(1, 0).unwrap().mid - 2.0).abs() < 1e-9);
    assert!((many.log_ratio(1, 0).unwrap().exp() - 4.0).abs() < 1e-9);
}
