//! The known attacks that known answers test, `data/attacks.toml`, and which libraries fail them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use regex::Regex;
use serde::{Deserialize, Serialize};

use crate::kinds::{FORGERY, SECOND_FORM};
use crate::names;
use crate::summary::{Flag, Verification};

static ATTACKS: LazyLock<Vec<Attack>> = LazyLock::new(|| {
    let file: File = toml::from_str(include_str!("../data/attacks.toml")).expect("attacks.toml");
    file.attack
});

/// `data/attacks.toml`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    attack: Vec<Attack>,
}

/// A row of `data/attacks.toml`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Attack {
    /// What the attacker tries.
    pub name: String,
    /// How bad it is to fail.
    pub severity: Severity,
    /// What an attacker gains where a library fails.
    pub gain: String,
    /// Where the attack was published.
    pub source: String,
    /// The flags of known answers that test the attack.
    pub flags: BTreeSet<String>,
    #[serde(default, skip_serializing, deserialize_with = "regex")]
    algorithms: Option<Regex>,
    #[serde(default, skip_serializing)]
    acceptance: bool,
    #[serde(default, skip_serializing)]
    second_form: bool,
}

/// An attack, and how libraries stand it.
#[derive(Debug, Serialize)]
pub struct Trial {
    /// The attack.
    #[serde(flatten)]
    pub attack: &'static Attack,
    /// The libraries that fail.
    pub fails: Vec<Fails>,
    /// The ids of the libraries of which no success counts in some algorithm, because they answer
    /// there otherwise on purpose.
    pub intended: Vec<String>,
    /// The ids of the libraries that do not fail.
    pub withstand: Vec<String>,
    /// Number of cases with right answers of all libraries.
    pub right: u64,
}

/// A library that fails an attack.
#[derive(Debug, Serialize)]
pub struct Fails {
    /// The library's id.
    pub library: String,
    /// The names of the algorithms with which it fails.
    pub algorithms: Vec<String>,
    /// Number of cases with which it fails.
    pub cases: u64,
}

/// How bad it is to fail, the worst first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// A forgery of any message, or a secret key.
    High,
    /// A second form of a genuine message, or help for another attack.
    Medium,
    /// A wrong result, of which no use is known.
    Low,
}

impl Severity {
    /// Returns the severity's name in `data/attacks.toml`.
    pub fn name(self) -> &'static str {
        match self {
            Self::High => "high",
            Self::Medium => "medium",
            Self::Low => "low",
        }
    }
}

impl Attack {
    /// Returns whether the attack is one on this algorithm.
    pub fn is_on(&self, primitive: &str, operation: &str) -> bool {
        let among = self.algorithms.as_ref();
        among.is_none_or(|regex| regex.is_match(&format!("{primitive} {operation}")))
    }

    /// Returns the number of cases of a flag with which the attack succeeds. Runs of older builds
    /// did not count acceptances; there each wrong answer counts.
    fn successes(&self, flag: &Flag) -> u64 {
        let accepted = flag.accepted.filter(|_| self.acceptance);
        u64::from(accepted.unwrap_or(flag.failed))
    }

    fn tried(&'static self, libraries: &[&str], rows: &[Verification]) -> Trial {
        let mut trial = Trial {
            attack: self,
            fails: Vec::new(),
            intended: Vec::new(),
            withstand: Vec::new(),
            right: 0,
        };
        for library in libraries {
            let own = rows.iter().filter(|row| row.library == *library);
            let own = own.filter(|row| self.is_on(&row.primitive, &row.operation));
            // A case may have several flags of one attack, so that a sum would count it twice: the
            // flag with the most cases counts.
            let mut failed: BTreeMap<String, u64> = BTreeMap::new();
            let mut right = 0;
            let mut any_intended = false;
            for row in own {
                let flags = row.flags.iter();
                let flags = flags.filter(|flag| self.flags.contains(&flag.flag));
                any_intended |= flags.clone().any(|flag| flag.intended > 0);
                let counts = flags.map(|flag| (u64::from(flag.passed), self.successes(flag)));
                let (passed, successes) = counts.fold((0, 0), |most: (u64, u64), one| {
                    (most.0.max(one.0), most.1.max(one.1))
                });
                right += passed;
                if successes > 0 {
                    let primitive = names::primitive(&row.primitive);
                    let name = format!("{primitive} {}", names::operation(&row.operation));
                    *failed.entry(name).or_default() += successes;
                }
            }
            trial.right += right;
            if any_intended {
                trial.intended.push((*library).to_owned());
            }
            if !failed.is_empty() {
                trial.fails.push(Fails {
                    library: (*library).to_owned(),
                    cases: failed.values().sum(),
                    algorithms: failed.into_keys().collect(),
                });
            } else if right > 0 {
                trial.withstand.push((*library).to_owned());
            }
        }
        trial
    }
}

/// Returns the attacks that the known answers tested: those that a library fails come first, the
/// most severe first. A difference that a library's manifest calls intended is no success of an
/// attack.
pub fn trials(libraries: &[&str], rows: &[Verification]) -> Vec<Trial> {
    let all = ATTACKS.iter();
    let all = all.map(|attack| attack.tried(libraries, rows));
    let mut trials: Vec<Trial> = all
        .filter(|trial| !trial.fails.is_empty() || !trial.withstand.is_empty())
        .collect();
    trials.sort_by_key(|trial| (trial.fails.is_empty(), trial.attack.severity));
    trials
}

/// Returns the kind of failure of a library that accepts an input with these flags:
/// [`SECOND_FORM`] if no flag means more than that, and else [`FORGERY`].
pub fn accepted(primitive: &str, operation: &str, flags: &[String]) -> &'static str {
    let is_second_form = |flag: &String| {
        let mut attacks = ATTACKS.iter().filter(|attack| attack.second_form);
        attacks.any(|a| a.is_on(primitive, operation) && a.flags.contains(flag))
    };
    match flags {
        [] => FORGERY,
        _ if flags.iter().all(is_second_form) => SECOND_FORM,
        _ => FORGERY,
    }
}

fn regex<'a, D: serde::Deserializer<'a>>(deserializer: D) -> Result<Option<Regex>, D::Error> {
    let text = Option::<String>::deserialize(deserializer)?;
    let regex = text.as_deref().map(Regex::new).transpose();
    regex.map_err(serde::de::Error::custom)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn another_encoding_of_a_genuine_signature_is_no_forgery() {
        let kind = |operation, flags: &[&str]| {
            let flags: Vec<String> = flags.iter().map(|&flag| flag.to_owned()).collect();
            accepted("ecdsa-p256-sha-256", operation, &flags)
        };
        assert_eq!(kind("verify", &["MissingZero"]), SECOND_FORM);
        assert_eq!(kind("verify", &["BerEncodedSignature"]), SECOND_FORM);
        assert_eq!(
            kind("verify", &["BerEncodedSignature", "ModifiedSignature"]),
            FORGERY
        );
        assert_eq!(kind("verify", &["ModifiedSignature"]), FORGERY);
        assert_eq!(kind("verify", &[]), FORGERY);
        assert_eq!(kind("gcm-decrypt", &["MissingZero"]), FORGERY);
    }

    #[test]
    fn who_refuses_a_genuine_signature_accepts_no_forgery() {
        let fails = |flag: &str, accepted| {
            let row = Verification {
                library: "nettle".into(),
                primitive: "ecdsa-p256-sha-256".into(),
                operation: "verify".into(),
                flags: vec![Flag {
                    flag: flag.into(),
                    passed: 6,
                    failed: 1,
                    accepted,
                    ..Flag::default()
                }],
                ..Verification::default()
            };
            let trials = trials(&["nettle"], &[row]);
            let failed = trials.iter().filter(|trial| !trial.fails.is_empty());
            failed.map(|trial| &*trial.attack.name).collect::<Vec<_>>()
        };
        let wrong = "Signature on which verifiers disagree";
        assert_eq!(fails("PointDuplication", Some(0)), [wrong]);
        assert_eq!(
            fails("PointDuplication", Some(1)),
            ["Forged signature", wrong]
        );
        assert_eq!(
            fails("PointDuplication", None),
            ["Forged signature", wrong],
            "in a run of an older build, nobody can tell"
        );
        assert_eq!(fails("ModifiedSignature", Some(0)), [""; 0]);
        assert_eq!(
            fails("SignatureMalleability", Some(1)),
            ["Second form of a genuine signature"]
        );
    }

    #[test]
    fn what_is_intended_is_no_success_of_an_attack() {
        let row = |primitive: &str, intended: u32| Verification {
            library: "rustcrypto-public".into(),
            primitive: primitive.into(),
            operation: "private-decrypt".into(),
            flags: vec![Flag {
                flag: "InvalidPkcs1Padding".into(),
                passed: 3,
                failed: 10 - intended,
                accepted: Some(10 - intended),
                acceptable: intended,
                intended,
                ..Flag::default()
            }],
            ..Verification::default()
        };
        let trials = |last: u32| {
            let rows = [row("rsa-2048-pkcs1", 10), row("rsa-3072-pkcs1", last)];
            let mut trials = trials(&["rustcrypto-public"], &rows);
            assert_eq!(trials.len(), 1);
            trials.remove(0)
        };
        let one = trials(0);
        assert_eq!(one.fails[0].cases, 10);
        assert_eq!(one.intended, ["rustcrypto-public"]);
        assert_eq!(one.withstand, [""; 0]);
        let all = trials(10);
        assert!(all.fails.is_empty());
        assert_eq!(all.withstand, ["rustcrypto-public"]);
    }

    #[test]
    fn every_flag_is_one_of_the_known_answers() {
        let mut unseen: BTreeSet<&str> = BTreeSet::new();
        unseen.extend(ATTACKS.iter().flat_map(|a| &a.flags).map(String::as_str));
        let vectors = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../vectors");
        let mut folders = vec![vectors];
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path);
                } else if path.ends_with("wycheproof.vec") {
                    let text = std::fs::read_to_string(path).unwrap();
                    let flags = text
                        .lines()
                        .filter_map(|line| line.strip_prefix("flags = "));
                    for flag in flags.flat_map(|line| line.split([',', ' '])) {
                        unseen.remove(flag);
                    }
                }
            }
        }
        assert_eq!(unseen, BTreeSet::new());
    }
}
