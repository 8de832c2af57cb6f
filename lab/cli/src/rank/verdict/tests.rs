//! Tests the headline and its sentences with planted libraries.

use rand::rngs::Xoshiro256PlusPlus;
use rand::{Rng, SeedableRng};

use super::*;
use crate::rank::Timed;
use crate::rank::headline::{Length, headline};
use crate::stats::Series;

struct Made {
    library: &'static str,
    family: &'static str,
    algorithm: String,
    modern: bool,
    bytes: u64,
    samples: Vec<f64>,
}

/// A library's time relative to the amount of work; `None` for an algorithm that it
/// lacks.
type Rule = fn(&'static str, &'static str, usize, u64) -> Option<f64>;

/// Sixteen algorithms for each family and standing, at a short, a medium and two long
/// sizes, with 1 % of noise and 10 % of variation between algorithms.
fn world(rule: Rule) -> Vec<Made> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(6);
    let mut uniform = || (rng.next_u64() >> 11) as f64 / (1u64 << 53) as f64;
    let mut cells = Vec::new();
    for family in ["hash", "block"] {
        for index in 0..16 {
            for modern in [true, false] {
                for library in ["a", "b", "c", "few"] {
                    let own = 0.95 + 0.1 * uniform();
                    for bytes in [16, 1024, 4096, 16384] {
                        let Some(factor) = rule(library, family, index, bytes) else {
                            continue;
                        };
                        let level = factor * own * (50.0 + bytes as f64);
                        let samples = (0..8).map(|_| level * (1.0 + 0.01 * uniform()));
                        cells.push(Made {
                            library,
                            family,
                            algorithm: format!("{family}-{index} {modern}"),
                            modern,
                            bytes,
                            samples: samples.collect(),
                        });
                    }
                }
            }
        }
    }
    cells
}

fn made(cells: &[Made]) -> Headline {
    let timed: Vec<Timed<'_>> = cells
        .iter()
        .map(|cell| Timed {
            library: cell.library,
            family: cell.family,
            algorithm: &cell.algorithm,
            modern: cell.modern,
            bytes: cell.bytes,
            sizeless: false,
            public_key: false,
            series: Series::of(&cell.samples),
        })
        .collect();
    headline(&timed, &["block", "hash"])
}

/// Library a leads in block ciphers, lacks half of the hashes, and takes 1.5 times as
/// long in the hashes that it has; b and c tie; `few` has three algorithms and is fast in
/// them.
fn planted(library: &'static str, family: &'static str, index: usize, bytes: u64) -> Option<f64> {
    match (library, family) {
        ("a", "block") => Some(1.0),
        ("a", _) => index.is_multiple_of(2).then_some(1.5),
        ("few", "hash") => (index < 3).then_some(0.5),
        ("few", _) => None,
        (_, "block") => Some(if bytes < 4096 { 2.0 } else { 3.0 }),
        _ => Some(1.0),
    }
}

#[test]
fn quadrants_and_families_say_what_was_planted() {
    let headline = made(&world(planted));
    let kinds: Vec<(bool, Length)> = headline
        .quadrants
        .iter()
        .map(|q| (q.modern, q.length))
        .collect();
    let expected = [true, false].map(|m| [(m, Length::Short), (m, Length::Bulk)]);
    assert_eq!(kinds, expected.concat());
    for quadrant in &headline.quadrants {
        let factor = if quadrant.length == Length::Short {
            2.0
        } else {
            3.0
        };
        let [block, hash] = &quadrant.families[..] else {
            panic!("{:?}", quadrant.families)
        };
        let row = |group: &Group, library: &str| {
            group
                .rows
                .iter()
                .find(|row| row.library == library)
                .unwrap()
                .clone()
        };
        assert_eq!(
            (block.rows[0].library.as_str(), block.rows[0].band),
            ("a", 1)
        );
        for other in ["b", "c"] {
            let row = row(block, other);
            assert!(row.ratio.includes(factor) && row.band == 2, "{row:?}");
        }
        let a = row(hash, "a");
        assert!(
            a.ratio.includes(1.5) && a.algorithms == 8 && !a.narrow,
            "{a:?}"
        );
        let few = row(hash, "few");
        assert!(
            few.narrow && few.band == 0 && few.ratio.mid < 0.6,
            "{few:?}"
        );
        assert_eq!(hash.rows.last().unwrap().library, "few");
        let pair = quadrant
            .pairs
            .iter()
            .find(|p| (&*p.row, &*p.column) == ("few", "a"));
        let pair = pair.unwrap();
        assert_eq!(pair.shared, 2);
        assert!((pair.ratio - 1.0 / 3.0).abs() < 0.05, "{pair:?}");
    }
}

#[test]
fn sentences_follow_the_numbers_and_name_no_favourite() {
    let headline = made(&world(planted));
    let name = |id: &str| id.to_uppercase();
    let said = verdicts(&headline, &name);
    assert_eq!(said.len(), 4);
    assert_eq!(said[0].title, "Modern, 16 to 256 bytes");
    let sentence = &said[0].sentence;
    for part in [
        "A leads over 24 of 32 algorithms; next ",
        "leads in block ciphers (16)",
        " in hashes (8 of 16)",
    ] {
        assert!(sentence.contains(part), "{sentence}");
    }
    assert!(sentence.contains("behind "), "{sentence}");
    let few = &of_library(&headline, "few", &name)[0].1;
    assert!(few.contains("has none of block ciphers (16)"), "{few}");
    assert!(few.contains("has too few in hashes (3 of 16)"), "{few}");
    let b = &of_library(&headline, "b", &name)[0].1;
    assert!(b.contains("level with C in hashes"), "{b}");
    assert!(b.starts_with("all 32 algorithms: behind A (1."), "{b}");
    // With other names, the sentences about the same library stay the same.
    let mut renamed = world(planted);
    for cell in &mut renamed {
        cell.library = match cell.library {
            "a" => "zz",
            other => other,
        };
    }
    let again = verdicts(&made(&renamed), &name);
    assert!(
        again[0]
            .sentence
            .contains("ZZ leads over 24 of 32 algorithms")
    );
}

#[test]
fn sizes_in_between_and_lone_libraries_compare_nothing() {
    let mut cells = world(|library, family, index, bytes| {
        (bytes == 1024).then(|| planted(library, family, index, bytes))?
    });
    assert_eq!(made(&cells), Headline::default());
    cells = world(|library, _, _, _| (library == "a").then_some(1.0));
    assert_eq!(made(&cells), Headline::default());
}
