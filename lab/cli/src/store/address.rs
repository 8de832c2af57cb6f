//! Names of stores, with and without passwords.

use std::path::Path;

/// How the name of a store in PostgreSQL begins.
const POSTGRES: [&str; 2] = ["postgres://", "postgresql://"];

/// Returns the address of a store in PostgreSQL; `None` for the path of a file.
pub fn postgres_address(store: &Path) -> Option<&str> {
    let text = store.to_str()?;
    POSTGRES
        .iter()
        .any(|scheme| text.starts_with(scheme))
        .then_some(text)
}

/// Returns the name of a store for people and for records: without a password.
pub fn shown(store: &Path) -> String {
    match postgres_address(store) {
        Some(address) => without_password(address),
        None => store.display().to_string(),
    }
}

/// Returns a text with the password of each address of a database in it replaced by `***`.
pub fn without_passwords(text: &str) -> String {
    if !POSTGRES.iter().any(|scheme| text.contains(scheme)) {
        return text.to_owned();
    }
    let words = text.split_inclusive(char::is_whitespace);
    words.map(without_password).collect()
}

pub(super) fn without_password(address: &str) -> String {
    let Some(scheme) = address.find("://") else {
        return address.to_owned();
    };
    let (scheme, rest) = address.split_at(scheme + 3);
    // A password may have an unescaped @ or / by mistake: the last @ ends it.
    let mut text = match rest.rsplit_once('@') {
        Some((user, host)) => match user.split_once(':') {
            Some((user, _)) => format!("{scheme}{user}:***@{host}"),
            None => address.to_owned(),
        },
        None => address.to_owned(),
    };
    if let Some(place) = text.find("password=") {
        let value = place + "password=".len();
        let end = text[value..]
            .find(['&', ' ', '\n'])
            .map_or(text.len(), |at| value + at);
        text.replace_range(value..end, "***");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_name_shows_a_password() {
        for (text, shown) in [
            (
                "postgres://ann:secret@host/lab",
                "postgres://ann:***@host/lab",
            ),
            (
                "postgres://ann:sec@ret@host/lab",
                "postgres://ann:***@host/lab",
            ),
            ("postgresql://ann@host/lab", "postgresql://ann@host/lab"),
            (
                "postgres://host/lab?password=secret&sslmode=require",
                "postgres://host/lab?password=***&sslmode=require",
            ),
            (
                "touchstone run --store postgres://a:secret@h/d --quiet",
                "touchstone run --store postgres://a:***@h/d --quiet",
            ),
            (
                "touchstone run --store=postgres://a:secret@h/d",
                "touchstone run --store=postgres://a:***@h/d",
            ),
            ("a@b: c", "a@b: c"),
        ] {
            assert_eq!(without_passwords(text), shown);
        }
        assert_eq!(shown(Path::new("/a:b@c")), "/a:b@c");
    }
}
