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
