//! The algorithms that a user asks for: by name in any spelling, or by a regular expression.

use std::collections::BTreeSet;
use std::str::FromStr;

use regex::{Regex, RegexBuilder};

use crate::catalogue;
use crate::names;

/// Algorithms, each a primitive and an operation.
pub type Algorithms = BTreeSet<(String, String)>;

/// The value of `--algorithm`.
#[derive(Debug, Clone)]
pub struct Wanted {
    text: String,
    expression: Regex,
}

impl FromStr for Wanted {
    type Err = regex::Error;

    fn from_str(text: &str) -> Result<Self, regex::Error> {
        let expression = RegexBuilder::new(text).case_insensitive(true).build()?;
        Ok(Self {
            text: text.to_owned(),
            expression,
        })
    }
}

impl Wanted {
    /// The text as the user wrote it.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the algorithms among `offered` whose name the user wrote. If no algorithm has that
    /// name, returns the algorithms whose id (`primitive operation`) the regular expression
    /// matches.
    pub fn among<'a>(
        &self,
        offered: impl IntoIterator<Item = (&'a str, &'a str)> + Clone,
    ) -> Algorithms {
        let owned = |(primitive, operation): (&str, &str)| (primitive.into(), operation.into());
        let wanted = plain(&self.text);
        if !self
            .text
            .contains(['^', '$', '|', '*', '+', '?', '.', '\\', '(', '[', '{'])
        {
            let named = |&(primitive, operation): &(&str, &str)| {
                spellings(primitive, operation).any(|name| name == wanted)
            };
            let found: Algorithms = offered
                .clone()
                .into_iter()
                .filter(named)
                .map(owned)
                .collect();
            if !found.is_empty() {
                return found;
            }
        }
        let matches = |&(primitive, operation): &(&str, &str)| {
            self.expression
                .is_match(&format!("{primitive} {operation}"))
        };
        offered.into_iter().filter(matches).map(owned).collect()
    }

    /// Returns up to three names of offered algorithms that are similar to the text, the most
    /// similar first.
    pub fn similar<'a>(
        &self,
        offered: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> Vec<String> {
        let names: BTreeSet<String> = offered
            .into_iter()
            .map(|(primitive, operation)| format!("{primitive} {}", catalogue::stem(operation)))
            .collect();
        most_similar(
            &self.text,
            &Vec::from_iter(names.iter().map(String::as_str)),
        )
    }
}

/// Returns up to three names that are similar to a text, the most similar first.
pub fn most_similar(text: &str, names: &[&str]) -> Vec<String> {
    let wanted = plain(text);
    let likeness = |name: &str| {
        let first = name.split(' ').next().unwrap_or(name);
        let whole = plain(name);
        if !wanted.is_empty() && whole.starts_with(&wanted) {
            return 1.0;
        }
        let likeness = strsim::normalized_damerau_levenshtein;
        likeness(&whole, &wanted).max(likeness(&plain(first), &wanted))
    };
    let mut rated: Vec<(f64, &str)> = names
        .iter()
        .map(|name| (likeness(name), *name))
        .filter(|(likeness, _)| *likeness >= 0.6)
        .collect();
    rated.sort_by(|(a, _), (b, _)| b.total_cmp(a));
    rated.truncate(3);
    rated.into_iter().map(|(_, name)| name.to_owned()).collect()
}

/// Returns the names of an algorithm: its ids and its names for people, with the operation, with
/// the mode, and alone.
fn spellings(primitive: &str, operation: &str) -> impl Iterator<Item = String> {
    let primitives = [primitive.to_owned(), names::primitive(primitive)];
    let operations = [
        String::new(),
        catalogue::stem(operation).to_owned(),
        operation.to_owned(),
        names::operation(operation),
    ];
    primitives.into_iter().flat_map(move |primitive| {
        let primitive = plain(&primitive);
        operations
            .clone()
            .map(|operation| primitive.clone() + &plain(&operation))
    })
}

/// Returns the letters and digits of a text, in lower case.
pub fn plain(text: &str) -> String {
    let letters = text.chars().filter(char::is_ascii_alphanumeric);
    letters.map(|c| c.to_ascii_lowercase()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const OFFERED: [(&str, &str); 7] = [
        ("aes-256", "gcm-encrypt"),
        ("aes-256", "gcm-decrypt"),
        ("aes-256", "ctr-encrypt"),
        ("des", "ecb-encrypt"),
        ("des-ede3", "ecb-encrypt"),
        ("sha-256", "hash"),
        ("hmac-sha-256", "mac"),
    ];

    fn chosen(text: &str) -> Vec<String> {
        let wanted: Wanted = text.parse().unwrap();
        let found = wanted.among(OFFERED).into_iter();
        found
            .map(|(primitive, operation)| format!("{primitive} {operation}"))
            .collect()
    }

    #[test]
    fn a_name_is_found_in_any_spelling() {
        for text in ["AES-256-GCM", "aes256gcm", "AES 256 gcm"] {
            assert_eq!(
                chosen(text),
                ["aes-256 gcm-decrypt", "aes-256 gcm-encrypt"],
                "{text}"
            );
        }
        for text in [
            "AES-256 GCM encrypt",
            "aes-256 gcm-encrypt",
            "AES256-GCM-ENCRYPT",
        ] {
            assert_eq!(chosen(text), ["aes-256 gcm-encrypt"], "{text}");
        }
        assert_eq!(chosen("3DES"), ["des-ede3 ecb-encrypt"]);
        assert_eq!(
            chosen("DES"),
            ["des ecb-encrypt"],
            "a name is not a part of another name"
        );
        assert_eq!(chosen("SHA256"), ["sha-256 hash"]);
        assert_eq!(chosen("aes256").len(), 3);
    }

    #[test]
    fn a_text_that_is_no_name_is_a_regular_expression() {
        assert_eq!(chosen("GCM").len(), 2);
        assert_eq!(chosen("sha-256 (hash|mac)").len(), 2);
        assert_eq!(chosen("^sha"), ["sha-256 hash"]);
        assert_eq!(chosen("zzzz"), [""; 0]);
        assert!("(".parse::<Wanted>().is_err());
    }

    #[test]
    fn a_misspelt_name_has_similar_ones() {
        let similar = |text: &str| text.parse::<Wanted>().unwrap().similar(OFFERED);
        assert_eq!(similar("aes-265-gcm")[0], "aes-256 gcm");
        assert_eq!(similar("sah256")[0], "sha-256 hash");
        assert_eq!(similar("zzzz"), [""; 0]);
    }
}
