//! Facts about a library that is linked into its worker.

/// Returns the version of a crate in the text of a `Cargo.lock`, because few crates contain
/// their own version as a constant. `None` if the crate is not in the text.
///
/// ```
/// let lock = "[[package]]\nname = \"ring\"\nversion = \"0.17.14\"\n";
/// assert_eq!(touchstone_worker::locked_version(lock, "ring"), Some("0.17.14"));
/// assert_eq!(touchstone_worker::locked_version(lock, "rin"), None);
/// ```
pub fn locked_version<'a>(lock: &'a str, name: &str) -> Option<&'a str> {
    let quoted = |line: &'a str, key: &str| {
        line.strip_prefix(key)?
            .strip_prefix(" = \"")?
            .strip_suffix('"')
    };
    let mut lines = lock.lines();
    lines.find(|line| quoted(line, "name") == Some(name))?;
    quoted(lines.next()?, "version")
}
