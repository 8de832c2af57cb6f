//! The verdict: one sentence per group of algorithms, said only as firmly as
//! the intervals allow.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use crate::names;
use crate::rank::AlgorithmRank;
use crate::stats::Interval;
use crate::summary::Summary;

/// One sentence.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct Verdict {
    /// "AES-GCM", "Hashes".
    pub(super) group: String,
    /// "OpenSSL and libgcrypt tie; Touchstone within 2 %."
    pub(super) sentence: String,
    /// Algorithms in the group.
    pub(super) algorithms: usize,
    /// Whether the first place is shared.
    pub(super) tie: bool,
    /// Ids of the first library or libraries.
    pub(super) first: Vec<String>,
    /// Of the page's section that shows the group.
    pub(super) section: &'static str,
}

/// A library's standing in one group.
struct Standing<'a> {
    library: &'a str,
    rank: Interval,
    bands: BTreeMap<&'a str, u32>,
}

/// A verdict for each family; AES by mode, since that is what people choose.
pub(super) fn verdicts(summary: &Summary) -> Vec<Verdict> {
    let mut groups: BTreeMap<(usize, String), Vec<&AlgorithmRank>> = BTreeMap::new();
    for rank in &summary.ranking.algorithms {
        if let Some(key) = group(rank) {
            groups.entry(key).or_default().push(rank);
        }
    }
    groups
        .into_iter()
        .filter_map(|((order, name), ranks)| verdict(summary, order, name, &ranks))
        .collect()
}

/// The order and name of the group that an algorithm counts for.
fn group(rank: &AlgorithmRank) -> Option<(usize, String)> {
    let (primitive, operation) = rank.algorithm.split_once(' ')?;
    let operation = operation.split(' ').next().unwrap_or_default();
    let (mode, _) = names::mode(operation);
    let mode = mode.unwrap_or_default();
    Some(match rank.family.as_str() {
        "aead" if primitive.starts_with("aes-") && mode == "GCM" => (0, "AES-GCM".to_owned()),
        "block" if primitive.starts_with("aes-") => match mode.as_str() {
            "CTR" => (2, "AES-CTR".to_owned()),
            "CBC" => (3, "AES-CBC".to_owned()),
            "XTS" => (4, "AES-XTS".to_owned()),
            _ => (5, "AES, other modes".to_owned()),
        },
        "block" => (6, "Other block ciphers".to_owned()),
        "aead" => (1, "Other AEADs".to_owned()),
        "stream" => (7, "Stream ciphers".to_owned()),
        "hash" => (8, "Hashes".to_owned()),
        "mac" => (9, "MACs".to_owned()),
        "kdf" => (10, "Key derivation".to_owned()),
        "password" => (11, "Password hashing".to_owned()),
        other => (12, names::primitive(other)),
    })
}

const SECTIONS: [&str; 13] = [
    "aead", "aead", "aes", "aes", "aes", "aes", "ciphers", "ciphers", "hashes", "macs", "macs",
    "macs", "rank",
];

fn verdict(
    summary: &Summary,
    order: usize,
    name: String,
    ranks: &[&AlgorithmRank],
) -> Option<Verdict> {
    let mut rows: BTreeMap<&str, Vec<&AlgorithmRank>> = BTreeMap::new();
    for &rank in ranks {
        rows.entry(&rank.library).or_default().push(rank);
    }
    let all: BTreeSet<&str> = ranks.iter().map(|rank| rank.algorithm.as_str()).collect();
    let most = rows.values().map(Vec::len).max()?;
    // Means over different algorithms cannot be compared: where some libraries
    // have everything, they are; else over what the widest libraries share.
    let widest: Vec<&str> = rows
        .iter()
        .filter(|(_, ranks)| ranks.len() == most)
        .map(|(&library, _)| library)
        .collect();
    let mut shared = all.clone();
    for library in &widest {
        let has: BTreeSet<&str> = rows[library].iter().map(|r| r.algorithm.as_str()).collect();
        shared.retain(|algorithm| has.contains(algorithm));
    }
    if shared.is_empty() {
        return None;
    }
    let mut standings: Vec<Standing<'_>> = Vec::new();
    let mut partial = 0;
    for (&library, ranks) in &rows {
        let has: Vec<&&AlgorithmRank> = ranks
            .iter()
            .filter(|rank| shared.contains(rank.algorithm.as_str()))
            .collect();
        if has.len() < shared.len() {
            partial += 1;
            continue;
        }
        let mean = |of: fn(&Interval) -> f64| {
            let sum: f64 = has.iter().map(|rank| of(&rank.rank).ln()).sum();
            (sum / has.len() as f64).exp()
        };
        standings.push(Standing {
            library,
            rank: Interval {
                low: mean(|i| i.low),
                mid: mean(|i| i.mid),
                high: mean(|i| i.high),
            },
            bands: has.iter().map(|r| (r.algorithm.as_str(), r.band)).collect(),
        });
    }
    if partial > 0 && partial >= standings.len() {
        return Some(wins(summary, order, name, &rows, &all));
    }
    standings.sort_by(|a, b| {
        a.rank
            .mid
            .total_cmp(&b.rank.mid)
            .then(a.library.cmp(b.library))
    });
    let (first, behind) = standings.split_first()?;
    let ties =
        |other: &Standing<'_>| other.rank.low <= first.rank.high || other.bands == first.bands;
    let (tied, behind): (Vec<_>, Vec<_>) = behind.iter().partition(|other| ties(other));

    let display = |id: &str| display(summary, id);
    let mut leaders = vec![first.library.to_owned()];
    leaders.extend(tied.iter().map(|other| other.library.to_owned()));
    let names: Vec<String> = leaders.iter().map(|id| display(id)).collect();
    let mut parts = vec![if names.len() > 1 {
        format!("{} tie", list(&names))
    } else if behind.is_empty() {
        format!("only {} has it", names[0])
    } else {
        format!("{} leads", names[0])
    }];
    let distance = |other: &Standing<'_>| other.rank.mid / first.rank.mid;
    let close: Vec<_> = behind.iter().filter(|s| distance(s) <= 1.1).collect();
    if let Some(last) = close.last() {
        // Rounded up, but not for the last bit of a float.
        let percent = ((distance(last) - 1.0) * 100.0 - 1e-6).ceil().max(1.0);
        let names: Vec<String> = close.iter().map(|s| display(s.library)).collect();
        parts.push(format!("{} within {percent:.0}\u{a0}%", list(&names)));
    }
    let far: Vec<_> = behind.iter().filter(|s| distance(s) > 1.1).collect();
    let times = |s: &Standing<'_>| format!("{} takes {}", display(s.library), times(distance(s)));
    match far.as_slice() {
        [] => {}
        [only] => parts.push(times(only)),
        [next, .., last] => {
            if close.is_empty() {
                parts.push(times(next));
            }
            parts.push(format!(
                "the slowest, {}, {}",
                display(last.library),
                self::times(distance(last))
            ));
        }
    }
    if partial > 0 {
        parts.push(if partial == 1 {
            "1 more library has only some".to_owned()
        } else {
            format!("{partial} more libraries have only some")
        });
    }
    Some(Verdict {
        group: name,
        sentence: format!("{}.", parts.join("; ")),
        algorithms: shared.len(),
        tie: leaders.len() > 1,
        first: leaders,
        section: SECTIONS[order.min(SECTIONS.len() - 1)],
    })
}

/// The verdict where most libraries lack some of the algorithms: in how many
/// each is first, among those where it is not alone.
fn wins(
    summary: &Summary,
    order: usize,
    name: String,
    rows: &BTreeMap<&str, Vec<&AlgorithmRank>>,
    all: &BTreeSet<&str>,
) -> Verdict {
    let shared: BTreeSet<&str> = all
        .iter()
        .copied()
        .filter(|algorithm| {
            let has = |ranks: &&Vec<&AlgorithmRank>| {
                ranks.iter().any(|rank| rank.algorithm == *algorithm)
            };
            rows.values().filter(has).count() > 1
        })
        .collect();
    let mut firsts: Vec<(usize, &str)> = rows
        .iter()
        .map(|(&library, ranks)| {
            let first =
                |rank: &&&AlgorithmRank| rank.band == 1 && shared.contains(rank.algorithm.as_str());
            (ranks.iter().filter(first).count(), library)
        })
        .filter(|&(count, _)| count > 0)
        .collect();
    firsts.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(b.1)));
    let mut parts: Vec<String> = firsts
        .iter()
        .take(4)
        .map(|&(count, library)| format!("{} in {count}", display(summary, library)))
        .collect();
    if firsts.len() > 4 {
        parts.push(format!("{} more in fewer", firsts.len() - 4));
    }
    let most = firsts.first().map_or(0, |first| first.0);
    let leaders: Vec<String> = firsts
        .iter()
        .filter(|first| first.0 == most)
        .map(|first| first.1.to_owned())
        .collect();
    Verdict {
        group: name,
        sentence: if shared.is_empty() {
            "No two libraries share an algorithm here.".to_owned()
        } else {
            format!(
                "Fastest or tied, of {} that can be compared: {}.",
                shared.len(),
                list(&parts)
            )
        },
        algorithms: all.len(),
        tie: leaders.len() > 1,
        first: leaders,
        section: SECTIONS[order.min(SECTIONS.len() - 1)],
    }
}

/// The display name of a library.
fn display(summary: &Summary, id: &str) -> String {
    summary
        .libraries
        .iter()
        .find(|library| library.id == id)
        .map_or_else(|| id.to_owned(), |library| library.name.clone())
}

/// "1.4 times as long".
fn times(ratio: f64) -> String {
    if ratio < 10.0 {
        format!("{ratio:.1}\u{a0}times as long")
    } else {
        format!("{ratio:.0}\u{a0}times as long")
    }
}

/// "A", "A and B", "A, B and C".
fn list(names: &[String]) -> String {
    match names {
        [] => String::new(),
        [one] => one.clone(),
        [rest @ .., last] => format!("{} and {last}", rest.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::summary::{Library, Machine, Run};

    fn summary(ranks: &[(&str, &str, &str, f64, f64, u32)]) -> Summary {
        let mut summary = Summary {
            run: Run {
                id: 1,
                started: String::new(),
                seconds: 1.0,
                profile: String::new(),
                command: String::new(),
                complete: true,
                lab_version: String::new(),
                null_ns: 0.0,
                target: 0.02,
            },
            machine: Machine {
                line: String::new(),
                facts: Vec::new(),
                mhz: None,
            },
            libraries: Vec::new(),
            verification: Vec::new(),
            failures: Vec::new(),
            cells: Vec::new(),
            costs: Vec::new(),
            ranking: crate::rank::Ranking::default(),
        };
        for &(library, family, algorithm, mid, half, band) in ranks {
            if !summary.libraries.iter().any(|known| known.id == library) {
                summary.libraries.push(Library {
                    id: library.to_owned(),
                    mask: String::new(),
                    variant_of: String::new(),
                    name: library.to_uppercase(),
                    version: String::new(),
                    path: String::new(),
                    licence: String::new(),
                    language: String::new(),
                    features: String::new(),
                    note: String::new(),
                    absent: String::new(),
                    offers: 1,
                    code_bytes: None,
                    table_bytes: None,
                    start_ms: None,
                    peak_kib: None,
                });
            }
            summary.ranking.algorithms.push(AlgorithmRank {
                library: library.to_owned(),
                algorithm: algorithm.to_owned(),
                family: family.to_owned(),
                rank: Interval {
                    low: mid - half,
                    mid,
                    high: mid + half,
                },
                band,
                coverage: 1.0,
            });
        }
        summary
    }

    fn sentence(ranks: &[(&str, &str, &str, f64, f64, u32)]) -> String {
        verdicts(&summary(ranks)).remove(0).sentence
    }

    #[test]
    fn ties_and_distances_are_told_apart() {
        let gcm = "aes-128 gcm-encrypt";
        assert_eq!(
            sentence(&[
                ("a", "block", gcm, 1.0, 0.01, 1),
                ("b", "block", gcm, 1.005, 0.01, 1),
                ("c", "block", gcm, 1.06, 0.01, 2),
                ("d", "block", gcm, 3.21, 0.1, 3),
            ]),
            "A and B tie; C within 6\u{a0}%; D takes 3.2\u{a0}times as long."
        );
        assert_eq!(
            sentence(&[
                ("a", "hash", "md5 hash", 1.0, 0.001, 1),
                ("b", "hash", "md5 hash", 1.5, 0.001, 2),
                ("c", "hash", "md5 hash", 40.2, 0.001, 3),
            ]),
            "A leads; B takes 1.5\u{a0}times as long; the slowest, C, 40\u{a0}times as long."
        );
        assert_eq!(
            sentence(&[("a", "hash", "md5 hash", 1.0, 0.0, 1)]),
            "only A has it."
        );
    }

    #[test]
    fn means_over_different_algorithms_are_not_compared() {
        let verdict = verdicts(&summary(&[
            ("a", "hash", "md5 hash", 2.0, 0.0, 2),
            ("a", "hash", "sha-1 hash", 2.0, 0.0, 1),
            ("b", "hash", "md5 hash", 1.0, 0.0, 1),
        ]))
        .remove(0);
        assert_eq!(
            verdict.sentence,
            "Fastest or tied, of 1 that can be compared: B in 1."
        );
        assert_eq!((verdict.algorithms, verdict.tie), (2, false));
    }
}
