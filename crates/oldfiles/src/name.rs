//! Names of files in archives. A name that would leave the folder of the extraction is refused.

use std::collections::HashSet;

use crate::error::Error;

/// The longest part of a path that file systems take.
const LONGEST_PART: usize = 255;
/// The longest path.
const LONGEST_PATH: usize = 4096;

fn hostile(name: &str) -> Error {
    Error::HostileName {
        name: name
            .chars()
            .take(200)
            .flat_map(char::escape_debug)
            .collect(),
    }
}

/// Returns the parts of a relative path, or an error for a path that is absolute, goes up, or
/// cannot be a file's name on all systems. Both kinds of slashes separate parts.
pub(crate) fn parts(name: &str) -> Result<Vec<&str>, Error> {
    let trimmed = name.trim_end_matches(['/', '\\']);
    let parts: Vec<&str> = trimmed.split(['/', '\\']).collect();
    let bad = |part: &&str| {
        part.is_empty()
            || matches!(*part, "." | "..")
            || part.len() > LONGEST_PART
            // A colon names a drive or a stream on Windows.
            || part.chars().any(|c| c.is_control() || c == ':')
    };
    if name.len() > LONGEST_PATH || parts.iter().any(bad) {
        return Err(hostile(name));
    }
    Ok(parts)
}

/// A relative path with `/` between its parts.
pub(crate) fn relative(name: &str) -> Result<String, Error> {
    Ok(parts(name)?.join("/"))
}

/// The last part of a path that a message records for its only file; `None` if there is none or
/// it is no name.
pub(crate) fn file_name(path: &str) -> Option<String> {
    let last = path.rsplit(['/', '\\']).next()?;
    parts(last).ok()?;
    Some(last.to_owned())
}

/// Relative names for the absolute paths of a PEA archive: as PeaZip extracts them, below the
/// folder of the first object, or by the last part of the path.
#[derive(Debug, Default)]
pub(crate) struct Shortener {
    base: Option<String>,
    used: HashSet<String>,
}

impl Shortener {
    pub(crate) fn shorten(&mut self, path: &str) -> Result<String, Error> {
        let unified = path.replace('\\', "/");
        let unified = unified.trim_end_matches('/');
        let start = unified.rfind('/').map_or(0, |slash| slash + 1);
        let base = self.base.get_or_insert_with(|| unified[..start].to_owned());
        let rest = unified
            .strip_prefix(base.as_str())
            .filter(|_| !base.is_empty() || !unified.contains('/'))
            .unwrap_or(&unified[start..]);
        let short = relative(rest).map_err(|_| hostile(path))?;
        self.unique(short, path)
    }

    /// A second object of the same name gets a number, as in PeaZip.
    fn unique(&mut self, short: String, path: &str) -> Result<String, Error> {
        if self.used.insert(short.clone()) {
            return Ok(short);
        }
        let dot = short.rfind('.').filter(|dot| !short[*dot..].contains('/'));
        let extension = dot.map_or("", |dot| &short[dot..]);
        for number in 1..1000 {
            let other = format!("{short} - {number}{extension}");
            if self.used.insert(other.clone()) {
                return Ok(other);
            }
        }
        Err(hostile(path))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hostile_names_are_refused() {
        for name in [
            "",
            "/etc/passwd",
            "../x",
            "a/../../x",
            "a/..",
            "..\\x",
            "C:\\x",
            "C:x",
            "a//b",
            ".",
            "a\0b",
            "a\nb",
            "\\\\host\\share",
            "x/./y",
        ] {
            assert!(relative(name).is_err(), "{name:?}");
        }
        assert!(relative(&"x".repeat(256)).is_err());
        assert!(relative(&"x/".repeat(2049)).is_err());
        assert_eq!(relative("a\\b/c/").ok().as_deref(), Some("a/b/c"));
        assert_eq!(relative("..a/b..").ok().as_deref(), Some("..a/b.."));
        assert_eq!(file_name("/tmp/x.txt").as_deref(), Some("x.txt"));
        assert_eq!(file_name("/tmp/.."), None);
        assert_eq!(file_name(""), None);
    }

    #[test]
    fn absolute_paths_of_pea_are_shortened() {
        let mut names = Shortener::default();
        let mut short = |path| names.shorten(path).ok();
        assert_eq!(short("C:\\home\\docs\\").as_deref(), Some("docs"));
        assert_eq!(
            short("C:\\home\\docs\\a.txt").as_deref(),
            Some("docs/a.txt")
        );
        assert_eq!(short("D:\\other\\b.txt").as_deref(), Some("b.txt"));
        assert_eq!(short("E:\\b.txt").as_deref(), Some("b.txt - 1.txt"));
        assert_eq!(short("C:\\home\\..\\..\\x"), None);
        assert_eq!(short("C:\\home\\docs\\.."), None);
        let mut plain = Shortener::default();
        assert_eq!(plain.shorten("a.txt").ok().as_deref(), Some("a.txt"));
        assert_eq!(plain.shorten("b.txt").ok().as_deref(), Some("b.txt"));
        assert!(plain.shorten("..").is_err());
    }
}
