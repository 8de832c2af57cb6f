//! Which algorithms are modern and which are legacy, with the reason and its source, from
//! `data/standing.toml`.

use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

/// Whether an algorithm is suitable for new designs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Standing {
    /// The algorithm is suitable for new designs.
    Modern,
    /// No attack on the algorithm is known, but another algorithm has superseded it, nobody has
    /// adopted it, or its block or key is too small.
    Legacy,
    /// A practical attack on the algorithm is published, or its key is too short today.
    Broken,
}

/// The standing of a set of primitives or operations.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// Ids, or prefixes of ids that end in `*`.
    pub names: Vec<String>,
    /// The standing.
    pub standing: Standing,
    /// The reason, in one sentence.
    pub why: String,
    /// The source of the reason.
    pub source: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entries {
    primitive: Vec<Entry>,
    operation: Vec<Entry>,
}

static ENTRIES: LazyLock<Entries> = LazyLock::new(|| {
    toml::from_str(include_str!("../data/standing.toml")).expect("the table is well-formed")
});

/// Returns the table's entry for a primitive; `None` if the table has no such entry.
pub fn of_primitive(id: &str) -> Option<&'static Entry> {
    find(&ENTRIES.primitive, id)
}

/// Returns the entry of an operation; `None` if the operation has the standing of its
/// primitive.
pub fn of_operation(id: &str) -> Option<&'static Entry> {
    find(&ENTRIES.operation, id)
}

/// Returns whether both the primitive and the operation are modern. A primitive that the table
/// lacks is not modern.
pub fn is_modern(primitive: &str, operation: &str) -> bool {
    let modern = |entry: &Entry| entry.standing == Standing::Modern;
    of_primitive(primitive).is_some_and(modern) && of_operation(operation).is_none_or(modern)
}

fn find(entries: &'static [Entry], id: &str) -> Option<&'static Entry> {
    entries.iter().find(|entry| {
        entry.names.iter().any(|name| match name.strip_suffix('*') {
            Some(start) => id.starts_with(start),
            None => name == id,
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_found_by_id_and_by_beginning() {
        let standing = |id| of_primitive(id).map(|entry| entry.standing);
        assert_eq!(standing("des"), Some(Standing::Broken));
        assert_eq!(standing("des-ede3"), Some(Standing::Legacy));
        assert_eq!(standing("gost28147-test"), Some(Standing::Legacy));
        assert_eq!(standing("aes-128"), Some(Standing::Modern));
        assert_eq!(standing("sha-224"), Some(Standing::Legacy));
        assert_eq!(standing("hmac-sha-256"), Some(Standing::Modern));
        assert_eq!(standing("hmac-tiger"), Some(Standing::Legacy));
        assert_eq!(standing("no-such"), None);
        assert!(is_modern("aes-128", "gcm-encrypt"));
        assert!(!is_modern("aes-128", "ecb-encrypt"));
        assert!(!is_modern("des", "cmac"));
    }

    #[test]
    fn every_primitive_of_the_catalogue_has_a_reason_and_no_entry_is_idle() {
        let rows: toml::Table = toml::from_str(include_str!("../data/catalogue.toml")).unwrap();
        let ids = || {
            // The order of the families is in the same file too, but it is a list and not a
            // table.
            let families = rows.values().filter_map(toml::Value::as_table);
            families.flat_map(toml::Table::keys)
        };
        for id in ids() {
            // For a family by hash (an id that ends in `*`), each hash matches its own
            // entry or the family's.
            let id = id.trim_end_matches('*');
            assert!(of_primitive(id).is_some(), "{id} has no standing");
        }
        for entry in ENTRIES.primitive.iter().chain(&ENTRIES.operation) {
            assert!(
                entry.why.ends_with('.') && !entry.source.is_empty(),
                "{entry:?}"
            );
        }
        for name in ENTRIES.primitive.iter().flat_map(|entry| &entry.names) {
            let start = name.trim_end_matches('*');
            let used = ids().any(|id| match id.strip_suffix('*') {
                Some(stem) => start.starts_with(stem),
                None => id == name || name.ends_with('*') && id.starts_with(start),
            });
            assert!(used, "{name} names nothing in the catalogue");
        }
    }
}
