//! The versions that were linked in.

/// Every direct dependency and the version that Cargo chose.
const VERSIONS: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/versions.rs"));

/// Crates joined as `aes 0.9.4 + cbc 0.2.1`.
pub(crate) fn api(crates: &[&str]) -> String {
    let named: Vec<_> = crates.iter().map(|name| named(name)).collect();
    named.join(" + ")
}

/// A crate with its version.
pub(crate) fn named(name: &str) -> String {
    format!("{name} {}", version(name))
}

/// A crate's version.
pub(crate) fn version(name: &str) -> &'static str {
    VERSIONS
        .iter()
        .find(|(known, _)| *known == name)
        .map_or("?", |(_, version)| *version)
}

#[cfg(test)]
mod tests {
    use touchstone_worker::Adapter;

    #[test]
    fn every_offer_names_versions() {
        let offers = crate::RustCrypto.offers();
        assert!(offers.len() > 800, "{}", offers.len());
        for row in offers {
            assert!(!row.api.contains('?'), "{row:?}");
            assert!(row.api.contains(|c: char| c.is_ascii_digit()), "{row:?}");
        }
        assert!(!crate::RustCrypto.library().version.contains('?'));
    }

    #[test]
    fn an_offer_is_made_once() {
        let mut rows: Vec<_> = crate::RustCrypto
            .offers()
            .into_iter()
            .map(|row| (row.primitive, row.operation))
            .collect();
        let all = rows.len();
        rows.sort();
        rows.dedup();
        assert_eq!(rows.len(), all);
    }
}
