//! The report's table of attacks: which library fails which known attack, from the flags of the
//! known answers.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::Context as _;
use regex::Regex;
use serde::{Deserialize, Serialize};

use crate::names;
use crate::summary::{Library, Summary, Verification};

const ATTACKS: &str = include_str!("../../data/attacks.toml");

/// `data/attacks.toml`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Attacks {
    attack: Vec<Attack>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Attack {
    name: String,
    severity: Severity,
    gain: String,
    source: String,
    flags: BTreeSet<String>,
    algorithms: Option<String>,
}

/// How bad it is to fail, the worst first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Severity {
    High,
    Medium,
    Low,
}

/// An attack, and how the libraries of a run stand it.
#[derive(Debug, Serialize)]
pub(super) struct Row {
    #[serde(flatten)]
    attack: Attack,
    fails: Vec<Fails>,
    /// The ids of the libraries that gave right answers alone.
    withstand: Vec<String>,
    /// Number of cases with right answers of all libraries.
    right: u64,
}

/// A library that fails.
#[derive(Debug, Serialize)]
struct Fails {
    library: String,
    algorithms: Vec<String>,
    wrong: u64,
}

/// Returns the attacks that the run's known answers tested: those that a library fails come first,
/// the most severe first.
///
/// # Errors
///
/// If the data file is not well-formed.
pub(super) fn rows(summary: &Summary) -> anyhow::Result<Vec<Row>> {
    let known: Attacks = toml::from_str(ATTACKS).context("the attacks")?;
    let mut rows = Vec::new();
    for attack in known.attack {
        let row = Row::of(attack, summary)?;
        if !row.fails.is_empty() || !row.withstand.is_empty() {
            rows.push(row);
        }
    }
    rows.sort_by_key(|row| (row.fails.is_empty(), row.attack.severity));
    Ok(rows)
}

impl Row {
    fn of(attack: Attack, summary: &Summary) -> anyhow::Result<Self> {
        let among = attack.algorithms.as_deref().map(Regex::new).transpose()?;
        let tests = |row: &Verification| {
            let algorithm = format!("{} {}", row.primitive, row.operation);
            among
                .as_ref()
                .is_none_or(|regex| regex.is_match(&algorithm))
        };
        let is_shown = |library: &&Library| library.mask.is_empty() && library.absent.is_empty();
        let mut row = Self {
            attack,
            fails: Vec::new(),
            withstand: Vec::new(),
            right: 0,
        };
        for library in summary.libraries.iter().filter(is_shown) {
            let own = summary.verification.iter();
            let own = own.filter(|answers| answers.library == library.id && tests(answers));
            // A case may have several flags of one attack, so that a sum would count it twice: the
            // flag with the most cases counts.
            let mut wrong: BTreeMap<String, u64> = BTreeMap::new();
            let mut right = 0;
            for answers in own {
                let flags = answers.flags.iter();
                let flags = flags.filter(|flag| row.attack.flags.contains(&flag.flag));
                let counts = flags.map(|flag| (u64::from(flag.passed), u64::from(flag.failed)));
                let (passed, failed) = counts.fold((0, 0), |most: (u64, u64), one| {
                    (most.0.max(one.0), most.1.max(one.1))
                });
                right += passed;
                if failed > 0 {
                    let name = format!(
                        "{} {}",
                        names::primitive(&answers.primitive),
                        names::operation(&answers.operation)
                    );
                    *wrong.entry(name).or_default() += failed;
                }
            }
            row.right += right;
            if !wrong.is_empty() {
                row.fails.push(Fails {
                    library: library.id.clone(),
                    wrong: wrong.values().sum(),
                    algorithms: wrong.into_keys().collect(),
                });
            } else if right > 0 {
                row.withstand.push(library.id.clone());
            }
        }
        Ok(row)
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn every_flag_is_one_of_the_known_answers() {
        let known: Attacks = toml::from_str(ATTACKS).unwrap();
        let mut unseen: BTreeSet<String> = known.attack.into_iter().flat_map(|a| a.flags).collect();
        let vectors = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../vectors");
        let mut folders = vec![vectors];
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path);
                } else if path.ends_with("wycheproof.vec") {
                    let text = std::fs::read_to_string(path).unwrap();
                    for line in text
                        .lines()
                        .filter_map(|line| line.strip_prefix("flags = "))
                    {
                        for flag in line.split([',', ' ']) {
                            unseen.remove(flag);
                        }
                    }
                }
            }
        }
        assert_eq!(unseen, BTreeSet::new());
    }
}
