//! Passwords for PostgreSQL: from the environment, or from the password file of libpq
//! (PostgreSQL's documentation, "The Password File").

use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use crate::output;

/// What a line of the password file is compared with: host, port, database, user.
pub(super) type Wanted<'a> = [&'a str; 4];

/// Returns the password for a connection: PGPASSWORD, or the first line of the password file
/// that fits.
pub(super) fn find(wanted: Wanted<'_>) -> Option<String> {
    if let Ok(password) = std::env::var("PGPASSWORD") {
        return Some(password);
    }
    let path = match std::env::var_os("PGPASSFILE") {
        Some(path) => PathBuf::from(path),
        None => PathBuf::from(std::env::var_os("HOME")?).join(".pgpass"),
    };
    if !is_private(&path)? {
        output::say(&format!(
            "{} is not used, because others may read it: chmod 600 {0}",
            path.display()
        ));
        return None;
    }
    in_file(&std::fs::read_to_string(path).ok()?, wanted)
}

/// Returns whether only the owner may read a file; `None` if there is no such file.
fn is_private(path: &Path) -> Option<bool> {
    let facts = std::fs::metadata(path).ok()?;
    Some(facts.is_file() && facts.mode() & 0o077 == 0)
}

fn in_file(text: &str, wanted: Wanted<'_>) -> Option<String> {
    text.lines()
        .filter(|line| !line.starts_with('#'))
        .find_map(|line| {
            let fields = fields(line);
            let (password, pattern) = fields.split_last()?;
            let fits = |(pattern, wanted): (&String, &str)| pattern == "*" || pattern == wanted;
            (pattern.len() == wanted.len() && pattern.iter().zip(wanted).all(fits))
                .then(|| password.clone())
        })
}

/// Splits a line at its first four colons; a backslash makes the next character an ordinary one.
/// The password may contain colons.
fn fields(line: &str) -> Vec<String> {
    let mut fields = vec![String::new()];
    let mut characters = line.chars();
    while let Some(character) = characters.next() {
        match character {
            ':' if fields.len() < 5 => fields.push(String::new()),
            '\\' => fields
                .last_mut()
                .expect("one at least")
                .extend(characters.next()),
            other => fields.last_mut().expect("one at least").push(other),
        }
    }
    fields
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_line_that_fits_has_the_password() {
        let file = "# a comment\nother:5432:lab:ann:no\nhost:*:lab:ann:a\\:b\\\\c:d\n*:*:*:*:last\n\
                    short:line\n";
        let found = |wanted| in_file(file, wanted);
        assert_eq!(found(["host", "5432", "lab", "ann"]).unwrap(), "a:b\\c:d");
        assert_eq!(found(["host", "5432", "lab", "bob"]).unwrap(), "last");
        assert_eq!(in_file("h:1:d:u", ["h", "1", "d", "u"]), None);
        assert_eq!(in_file("", ["h", "1", "d", "u"]), None);
    }

    #[test]
    fn a_file_that_others_can_read_is_not_used() {
        use std::os::unix::fs::PermissionsExt;
        let file = tempfile::NamedTempFile::new().unwrap();
        let mode = |mode| std::fs::set_permissions(file.path(), PermissionsExt::from_mode(mode));
        mode(0o600).unwrap();
        assert_eq!(is_private(file.path()), Some(true));
        mode(0o640).unwrap();
        assert_eq!(is_private(file.path()), Some(false));
        assert_eq!(is_private(Path::new("/no/such/file")), None);
    }
}
