//! What a library must be, beyond fast: its licence, its language, its word on constant
//! time, its record of right answers, and whether it is on this machine already.

use std::path::Path;

use anyhow::ensure;
use regex::Regex;
use spdx::{Expression, LicenseReq};

use crate::adapters::{self, Candidate};
use crate::catalogue;
use crate::standing::{self, Entry, Standing};
use crate::summary::{Library, Summary, Verification};
use crate::workload::Workload;

/// Folders of the system in which installed libraries are.
const SYSTEM: [&str; 6] = ["/usr", "/lib", "/lib64", "/opt", "/nix", "/gnu"];

/// Which wrong answers exclude a library.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Wrong {
    /// Those in the workload's algorithms, in either direction.
    Operation,
    /// Any that the run found.
    Any,
}

/// What the user asks of a library.
#[derive(Debug, Default)]
pub struct Constraints {
    /// The licences that are allowed, as SPDX ids; empty if all are.
    pub licences: Vec<String>,
    /// The languages that are allowed; empty if all are.
    pub languages: Vec<String>,
    /// For `constant-time`: the libraries' claims.
    pub claims: Option<Claims>,
    /// Which wrong answers exclude a library.
    pub no_wrong: Option<Wrong>,
    /// Whether the library must be installed on this machine.
    pub installed: bool,
}

impl Constraints {
    /// Why a library may not be used for any algorithm; `None` if it may.
    pub(super) fn library(&self, library: &Library, answers: &[Verification]) -> Option<String> {
        let told = |fact: &str| match fact {
            "" => "not stated".to_owned(),
            fact => fact.to_owned(),
        };
        if !self.licences.is_empty() && !allowed(&library.licence, &self.licences) {
            return Some(format!("licence: {}", told(&library.licence)));
        }
        let first = library.language.split([',', ' ']).next().unwrap_or("");
        let is_first = |language: &String| language.eq_ignore_ascii_case(first);
        if !self.languages.is_empty() && !self.languages.iter().any(is_first) {
            return Some(format!("language: {}", told(&library.language)));
        }
        if self.installed {
            let gone = || !Path::new(&library.path).exists();
            let gone = || gone().then(|| format!("not installed: no {}", library.path));
            if let Some(reason) = not_of_system(library).or_else(gone) {
                return Some(reason);
            }
        }
        if self.no_wrong == Some(Wrong::Any) {
            let own = answers.iter().filter(|row| row.library == library.id);
            let wrong: u32 = own.map(|row| row.failed).sum();
            return (wrong > 0).then(|| format!("wrong answers in the run: {wrong}"));
        }
        None
    }

    /// Why a library may not be used for one operation; `None` if it may.
    pub(super) fn operation(
        &self,
        library: &str,
        primitive: &str,
        operation: &str,
        answers: &[Verification],
    ) -> Option<String> {
        if let Some(claims) = &self.claims
            && !claims.has(library, primitive, operation)
        {
            return Some(format!(
                "constant time: not stated for {primitive} {operation}"
            ));
        }
        if self.no_wrong == Some(Wrong::Operation) {
            let mode = catalogue::stem(operation);
            let of_mode = |row: &&Verification| {
                row.library == library
                    && row.primitive == primitive
                    && catalogue::stem(&row.operation) == mode
            };
            let wrong: u32 = answers.iter().filter(of_mode).map(|row| row.failed).sum();
            return (wrong > 0).then(|| format!("wrong answers in {primitive} {mode}: {wrong}"));
        }
        None
    }
}

/// Why a library is not one of the measured system's own; `None` if it is.
pub(crate) fn not_of_system(library: &Library) -> Option<String> {
    let path = Path::new(&library.path);
    if library.path.is_empty() {
        Some("not installed: linked into the lab's worker".into())
    } else if !SYSTEM.iter().any(|folder| path.starts_with(folder)) {
        Some("not installed: not in a folder of the system".into())
    } else {
        None
    }
}

/// Why an algorithm is broken; `None` if it is not.
pub(crate) fn broken(primitive: &str, operation: &str) -> Option<&'static Entry> {
    let entries = [
        standing::of_primitive(primitive),
        standing::of_operation(operation),
    ];
    let mut entries = entries.into_iter().flatten();
    entries.find(|entry| entry.standing == Standing::Broken)
}

/// The workload without broken algorithms.
///
/// # Errors
///
/// If a part has no other algorithms.
pub fn without_broken(mut workload: Workload) -> anyhow::Result<Workload> {
    for part in &mut workload.parts {
        let all = std::mem::take(&mut part.algorithms);
        let mut reasons = Vec::new();
        for algorithm in all {
            let mut operations = algorithm.operations(part.direction).into_iter();
            match operations.find_map(|operation| broken(&algorithm.primitive, operation)) {
                Some(entry) => reasons.push(format!("{algorithm}: {}", entry.why)),
                None => part.algorithms.push(algorithm),
            }
        }
        ensure!(
            !part.algorithms.is_empty(),
            "{}: every algorithm is broken. {}",
            part.what,
            reasons.join(" ")
        );
    }
    Ok(workload)
}

/// Which libraries say that they run in constant time, from their adapters' manifests.
#[derive(Debug)]
pub struct Claims(Vec<(String, Regex, bool)>);

impl Claims {
    /// Reads the claims of manifests. `features` are the instructions of the machine that
    /// the run was made on; a claim that needs others does not count.
    ///
    /// # Errors
    ///
    /// If a manifest has an expression that is not regular.
    pub fn of(candidates: &[Candidate], features: &str) -> anyhow::Result<Self> {
        let features: Vec<&str> = features.split([' ', ',']).collect();
        let mut claims = Vec::new();
        for candidate in candidates {
            for claim in &candidate.manifest.constant_time {
                let met = claim.needs.iter().all(|one| features.contains(&&**one));
                let algorithm = Regex::new(&claim.algorithm)?;
                claims.push((candidate.adapter.clone(), algorithm, met));
            }
        }
        Ok(Self(claims))
    }

    /// Reads the claims of manifests for the machine that a run was made on.
    ///
    /// # Errors
    ///
    /// If a manifest has an expression that is not regular.
    pub fn of_run(candidates: &[Candidate], summary: &Summary) -> anyhow::Result<Self> {
        let facts = summary.machine.facts.iter();
        let mut features = facts.filter(|(name, _)| name == "Instruction sets");
        let features = features.next().map_or("", |(_, value)| value.as_str());
        Self::of(candidates, features)
    }

    pub(crate) fn has(&self, library: &str, primitive: &str, operation: &str) -> bool {
        let algorithm = format!("{primitive} {operation}");
        self.0.iter().any(|(adapter, regex, met)| {
            *met && adapter == adapters::adapter(library) && regex.is_match(&algorithm)
        })
    }
}

/// Whether an SPDX expression can be met with these licences: one side of each OR, and
/// both sides of each AND. An expression that cannot be read is not met.
fn allowed(expression: &str, licences: &[String]) -> bool {
    let is = |licence: &LicenseReq| {
        let licence = licence.to_string();
        licences
            .iter()
            .any(|one| one.eq_ignore_ascii_case(&licence))
    };
    Expression::parse(expression).is_ok_and(|expression| expression.evaluate(is))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::operations;

    #[test]
    fn a_licence_is_met_by_one_side_of_or_and_both_sides_of_and() {
        let met = |expression: &str, licences: &[&str]| {
            let licences: Vec<String> = licences.iter().map(|one| (*one).to_owned()).collect();
            allowed(expression, &licences)
        };
        assert!(met("MIT OR Apache-2.0", &["mit"]));
        assert!(!met("ISC AND (Apache-2.0 OR ISC)", &["Apache-2.0"]));
        assert!(met("ISC AND (Apache-2.0 OR ISC)", &["ISC"]));
        assert!(!met("Apache-2.0 AND ISC", &["ISC"]));
        let exception = "GPL-2.0-only WITH Classpath-exception-2.0";
        assert!(!met(exception, &["GPL-2.0-only"]));
        assert!(met(exception, &[exception]));
        for unreadable in ["", "MIT OR", "(MIT", "MIT Apache-2.0"] {
            assert!(!met(unreadable, &["MIT", "Apache-2.0"]), "{unreadable}");
        }
    }

    #[test]
    fn broken_algorithms_leave_a_part_or_end_the_question() {
        let parse = |algorithms: &str| {
            let text = format!(
                "title = \"t\"\nsource = \"assumed\"\n[[part]]\nwhat = \"w\"\n\
                 algorithms = {algorithms}\nsizes = {{ 64 = 1 }}\n"
            );
            Workload::parse("x", &text).unwrap()
        };
        let left = without_broken(parse("[\"md5 hash\", \"sha-256 hash\"]")).unwrap();
        assert_eq!(left.parts[0].algorithms.len(), 1);
        let error = without_broken(parse("[\"rc4 stream-encrypt\"]")).unwrap_err();
        assert!(
            error.to_string().contains("rc4 stream-encrypt: "),
            "{error}"
        );
    }

    #[test]
    fn every_claim_in_a_manifest_names_a_document_and_an_algorithm() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../adapters");
        let candidates = adapters::manifests(&folder).unwrap();
        let algorithms: Vec<String> = operations::OPERATIONS
            .iter()
            .flat_map(|operation| {
                let primitives = catalogue::primitives(&operation.family);
                primitives.map(|primitive| format!("{primitive} {}", operation.id))
            })
            .collect();
        let mut claims = 0;
        for candidate in &candidates {
            for claim in &candidate.manifest.constant_time {
                let regex = Regex::new(&claim.algorithm).unwrap();
                let used = algorithms.iter().any(|one| regex.is_match(one));
                assert!(used, "{}: {}", candidate.id, claim.algorithm);
                assert!(!claim.source.is_empty(), "{}", candidate.id);
                claims += 1;
            }
        }
        assert!(claims > 0);
        let has = |features: &str, library: &str, primitive: &str| {
            let claims = Claims::of(&candidates, features).unwrap();
            claims.has(library, primitive, "gcm-encrypt")
        };
        assert!(has("ssse3 aes pclmulqdq", "go", "aes-128"));
        assert!(
            !has("ssse3 aes", "go", "aes-128"),
            "without its instructions"
        );
        assert!(has("", "rustcrypto", "aes-256"));
        assert!(!has("aes", "openssl", "aes-256"), "which claims nothing");
        assert!(!has("aes", "touchstone", "camellia-128"));
    }
}
