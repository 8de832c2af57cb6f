//! Facts of libraries that no run can measure, each with its source: `data/criteria.toml` and
//! `data/methods.toml`.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::exhibit::{Exhibit, Figure};
use super::lens::Lens;

/// What is known of one library.
#[derive(Deserialize)]
pub(super) struct Known {
    id: String,
    /// The version that the sources describe.
    of: String,
    /// Where the sources are.
    place: String,
    /// The date on which they were read.
    read: String,
    /// The facts by their names: the text and its source.
    #[serde(flatten)]
    facts: BTreeMap<String, [String; 2]>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    library: Vec<Known>,
}

/// The name of a fact in the file, and the heading of its column.
pub(super) type Column = (&'static str, &'static str);

/// The facts of `data/criteria.toml`.
pub(super) const CRITERIA: [Column; 6] = [
    ("platforms", "platforms"),
    ("compilers", "compilers"),
    ("parallel", "parallelism"),
    ("commercial", "commercial use"),
    ("protocols", "protocols"),
    ("selftests", "self-tests"),
];

/// The facts of `data/methods.toml`.
pub(super) const METHODS: [Column; 4] = [
    ("multiplication", "multiplication"),
    ("exponentiation", "exponentiation"),
    ("gcd", "GCD"),
    ("scalar", "scalar multiplication"),
];

pub(super) fn criteria() -> anyhow::Result<Vec<Known>> {
    let file: File = toml::from_str(include_str!("../../data/criteria.toml"))?;
    Ok(file.library)
}

pub(super) fn methods() -> anyhow::Result<Vec<Known>> {
    let file: File = toml::from_str(include_str!("../../data/methods.toml"))?;
    Ok(file.library)
}

/// Returns a table of these facts for the run's libraries, with the sources in the last column.
pub(super) fn exhibit(
    lens: &Lens<'_>,
    known: &[Known],
    title: &str,
    columns: &[Column],
) -> Exhibit {
    let headings = columns.iter().map(|(_, heading)| *heading);
    let heads: Vec<&str> = ["library"]
        .into_iter()
        .chain(headings)
        .chain(["sources"])
        .collect();
    let mut exhibit = Exhibit::list(title, &heads);
    for id in lens.libraries() {
        if let Some(library) = known.iter().find(|library| library.id == *id) {
            exhibit.library(lens, id, library.figures(columns));
        }
    }
    exhibit
}

impl Known {
    fn figures(&self, columns: &[Column]) -> Vec<Figure> {
        let mut sources: Vec<&str> = Vec::new();
        let mut figures: Vec<Figure> = columns
            .iter()
            .map(|(name, _)| match self.facts.get(*name) {
                None => Figure::none(),
                Some([text, source]) => {
                    if !source.is_empty() && !sources.contains(&source.as_str()) {
                        sources.push(source);
                    }
                    if text == "-" {
                        Figure::none()
                    } else {
                        Figure::text(text)
                    }
                }
            })
            .collect();
        let Self {
            of, place, read, ..
        } = self;
        let sources = sources.join("; ");
        figures.push(Figure::text(format!(
            "{of}, read on {read} in {place}: {sources}"
        )));
        figures
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_fact_is_of_an_adapter_and_has_a_source() {
        let adapters = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../adapters");
        for (known, columns) in [
            (criteria().unwrap(), &CRITERIA[..]),
            (methods().unwrap(), &METHODS[..]),
        ] {
            let mut seen = Vec::new();
            for library in known {
                let id = &library.id;
                assert!(adapters.join(id).join("adapter.toml").is_file(), "{id}");
                assert!(!seen.contains(id), "{id} occurs twice");
                assert!(library.of.len() > 1 && library.place.len() > 5, "{id}");
                let date: Vec<&str> = library.read.split('-').collect();
                assert_eq!(
                    date.iter().map(|part| part.len()).collect::<Vec<_>>(),
                    [4, 2, 2]
                );
                assert_eq!(library.facts.len(), columns.len(), "{id}");
                for (name, _) in columns {
                    let [text, source] = &library.facts[*name];
                    match text.as_str() {
                        "not stated" => assert_eq!(source, "", "{id}, {name}"),
                        "-" => (),
                        _ => assert!(source.len() > 3 && !text.is_empty(), "{id}, {name}"),
                    }
                }
                seen.push(library.id);
            }
        }
    }
}
