//! Security status of primitives, from `assets/status.toml`.

use anyhow::Context as _;
use serde::{Deserialize, Serialize};

/// What to say of a set of primitives.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Mark {
    /// `broken` or `legacy`.
    pub(super) status: String,
    /// Ids, or beginnings of ids that end in `*`.
    #[serde(skip_serializing)]
    primitives: Vec<String>,
    /// One sentence.
    pub(super) why: String,
}

#[derive(Deserialize)]
struct File {
    mark: Vec<Mark>,
}

/// Every mark, in the order of the file.
pub(super) fn marks() -> anyhow::Result<Vec<Mark>> {
    let file: File = toml::from_str(include_str!("../../assets/status.toml"))
        .context("the table of security status")?;
    Ok(file.mark)
}

/// The mark of a primitive; `None` for a current one.
pub(super) fn of<'a>(marks: &'a [Mark], primitive: &str) -> Option<&'a Mark> {
    marks.iter().find(|mark| {
        mark.primitives.iter().any(|name| {
            name.strip_suffix('*').map_or(name == primitive, |start| {
                primitive.strip_prefix(start).is_some()
            })
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_found_by_id_and_by_prefix() {
        let marks = marks().unwrap();
        let status = |id| of(&marks, id).map(|mark| mark.status.as_str());
        assert_eq!(status("des"), Some("broken"));
        assert_eq!(status("des-ede3"), Some("legacy"));
        assert_eq!(status("gost28147-test"), Some("legacy"));
        assert_eq!(status("gost94-cryptopro"), Some("broken"));
        assert_eq!(status("sha-1"), Some("broken"));
        assert_eq!(status("sha-128"), None);
        assert_eq!(status("aes-128"), None);
        for mark in &marks {
            assert!(matches!(mark.status.as_str(), "broken" | "legacy"));
            assert!(mark.why.ends_with('.'), "{}", mark.why);
        }
    }
}
