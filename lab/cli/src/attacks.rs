//! The known attacks that known answers test: `data/attacks.toml`.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use regex::Regex;
use serde::{Deserialize, Serialize};

use crate::kinds::{FORGERY, SECOND_FORM};

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
    second_form: bool,
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

impl Attack {
    /// Returns whether the attack is one on this algorithm.
    pub fn is_on(&self, primitive: &str, operation: &str) -> bool {
        let among = self.algorithms.as_ref();
        among.is_none_or(|regex| regex.is_match(&format!("{primitive} {operation}")))
    }
}

/// Returns all attacks, the worst first.
pub fn all() -> &'static [Attack] {
    &ATTACKS
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
    fn every_flag_is_one_of_the_known_answers() {
        let mut unseen: BTreeSet<&str> = BTreeSet::new();
        unseen.extend(all().iter().flat_map(|a| &a.flags).map(String::as_str));
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
