//! The versions of the crates that are linked in.

/// Rows: every direct dependency, and the version that Cargo selected.
const VERSIONS: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/versions.rs"));

/// Returns the names and versions of crates, in the form `aes 0.9.4 + cbc 0.2.1`.
pub(crate) fn api(crates: &[&str]) -> String {
    let named: Vec<_> = crates.iter().map(|name| named(name)).collect();
    named.join(" + ")
}

/// Returns a crate's name with its version.
pub(crate) fn named(name: &str) -> String {
    format!("{name} {}", version(name))
}

/// Returns a crate's version.
pub(crate) fn version(name: &str) -> &'static str {
    VERSIONS
        .iter()
        .find(|(known, _)| *known == name)
        .map_or("?", |(_, version)| *version)
}
