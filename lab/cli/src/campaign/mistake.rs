//! Mistakes in a campaign file, each with the file, the line and a hint.

use std::fmt::Write as _;
use std::path::Path;

use toml::de::{DeTable, DeValue};

use crate::wanted::most_similar;

/// A mistake in a campaign file: a usage error.
#[derive(Debug, thiserror::Error)]
#[error("{file}{}: {text}", line.map_or(String::new(), |line| format!(":{line}")))]
pub struct Mistake {
    file: String,
    line: Option<usize>,
    text: String,
}

/// One step of the way to a value in a TOML document.
#[derive(Debug, Clone, Copy)]
pub enum Step<'a> {
    /// The value of a key in a table.
    Key(&'a str),
    /// The element of an array with this index.
    Index(usize),
}

impl<'a> From<&'a str> for Step<'a> {
    fn from(key: &'a str) -> Self {
        Self::Key(key)
    }
}

impl From<usize> for Step<'_> {
    fn from(index: usize) -> Self {
        Self::Index(index)
    }
}

impl Mistake {
    /// Makes the error for a text that is no campaign file from the parser's error. A key that the
    /// file may not have gets a hint with the key that was probably meant.
    pub fn of_parser(file: &Path, text: &str, error: &toml::de::Error) -> Self {
        let line = error.span().map(|span| line(text, span.start));
        let mut said = error.message().trim().replace('\n', "; ");
        let quoted: Vec<&str> = error.message().split('`').skip(1).step_by(2).collect();
        if let Some((wrong, known)) = quoted.split_first()
            && error.message().starts_with("unknown field")
            && let Some(similar) = most_similar(wrong, known).first()
        {
            let _ = write!(said, "; did you mean {similar}?");
        }
        Self {
            file: file.display().to_string(),
            line,
            text: said,
        }
    }

    /// Makes the error for a wrong value, which is at the end of `way` in the document `text`. If
    /// the document does not have the whole way, the line is that of the last step that it has.
    pub fn at(file: &Path, text: &str, way: &[Step<'_>], said: impl Into<String>) -> Self {
        Self {
            file: file.display().to_string(),
            line: place(text, way).map(|place| line(text, place)),
            text: said.into(),
        }
    }
}

/// Returns the byte at which the value begins to which the steps lead.
fn place(text: &str, way: &[Step<'_>]) -> Option<usize> {
    let document = DeTable::parse(text).ok()?;
    let (first, rest) = way.split_first()?;
    let Step::Key(key) = first else { return None };
    let (name, mut value) = document.get_ref().get_key_value(*key)?;
    let mut place = name.span().start;
    for step in rest {
        let next = match (step, value.get_ref()) {
            (Step::Key(key), DeValue::Table(table)) => {
                table.get_key_value(*key).map(|(name, v)| (name.span(), v))
            }
            (Step::Index(index), DeValue::Array(array)) => array.get(*index).map(|v| (v.span(), v)),
            _ => None,
        };
        let Some((span, inner)) = next else { break };
        (place, value) = (span.start, inner);
    }
    Some(place)
}

fn line(text: &str, place: usize) -> usize {
    let before = text.as_bytes().iter().take(place);
    1 + before.filter(|byte| **byte == b'\n').count()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str =
        "a = 1\n\n[[m]]\nname = \"x\"\n\n[[m]]\nname = \"y\"\nlist = [\n  1,\n  2 ]\n";

    fn at(way: &[Step<'_>]) -> Option<usize> {
        Mistake::at(Path::new("f"), TEXT, way, "").line
    }

    #[test]
    fn a_value_is_found_by_the_way_to_it() {
        assert_eq!(at(&["a".into()]), Some(1));
        assert_eq!(at(&["m".into(), 0.into(), "name".into()]), Some(4));
        assert_eq!(at(&["m".into(), 1.into(), "name".into()]), Some(7));
        assert_eq!(
            at(&["m".into(), 1.into(), "list".into(), 1.into()]),
            Some(10)
        );
        // A value that is not there: the line of the table that lacks it.
        assert_eq!(at(&["m".into(), 1.into(), "none".into()]), Some(6));
        assert_eq!(at(&["none".into()]), None);
    }
}
