//! The primitives that the lab knows. Adapters look for these primitives, and need no
//! lists of their own.

use crate::Direction;

/// The families of primitives, and the ids of each.
const CATALOGUE: &str = include_str!("../../cli/data/catalogue.toml");

/// The operations, and the family of each.
const OPERATIONS: &str = include_str!("../../cli/data/operations.toml");

/// Returns the ids of all primitives in the family to which an operation belongs. A `*` in the
/// catalogue stands for each hash.
pub fn primitives(operation: &str) -> Vec<String> {
    let mut primitives = Vec::new();
    for row in rows(family(operation)) {
        match row.split_once('*') {
            Some((head, tail)) => {
                primitives.extend(rows("hash").map(|hash| format!("{head}{hash}{tail}")));
            }
            None => primitives.push(row.to_owned()),
        }
    }
    primitives
}

/// Returns the catalogue's own copy of a primitive's id; `None` if the operation's family lacks it, or
/// has it only by a `*`.
pub(crate) fn known(operation: &str, primitive: &str) -> Option<&'static str> {
    rows(family(operation)).find(|id| *id == primitive)
}

/// Returns the ids of a family as the catalogue has them, with `*`.
fn rows(family: &str) -> impl Iterator<Item = &'static str> {
    let head = format!("[{family}]");
    let rows = CATALOGUE.lines().skip_while(move |line| *line != head);
    let rows = rows.skip(1).take_while(|line| !line.starts_with('['));
    rows.filter_map(|line| line.split_once(" = ").map(|(id, _)| id.trim_matches('"')))
}

/// Returns the family of primitives to which an operation belongs; empty for an unknown operation. A
/// row with `like` has the family of the row that it names, if it names none itself.
pub(crate) fn family(operation: &str) -> &'static str {
    let mut wanted = operation;
    loop {
        let Some(row) = operation_row(wanted) else {
            return "";
        };
        match (value(row, "family"), value(row, "like")) {
            (Some(family), _) => return family,
            (None, Some(like)) => wanted = like,
            (None, None) => return "",
        }
    }
}

/// Returns the lines of an operation's row.
fn operation_row(id: &str) -> Option<&'static str> {
    let mut rows = OPERATIONS.split("[[operation]]").skip(1);
    rows.find(|row| value(row, "id") == Some(id))
}

/// Returns the text that a row gives to a key.
fn value(row: &'static str, key: &str) -> Option<&'static str> {
    row.lines().find_map(|line| {
        let text = line.strip_prefix(key)?.strip_prefix(" = \"")?;
        text.strip_suffix('"')
    })
}

/// Returns the name of an algorithm as one word, for libraries that use the same names as the
/// lab. The name is the primitive's id; for a block cipher, the mode follows, as in
/// `aes-128-cbc`.
pub fn algorithm(primitive: &str, operation: &str) -> String {
    if family(operation) != "block" {
        return primitive.to_owned();
    }
    let mode = Direction::split(operation).map_or(operation, |(mode, _)| mode);
    format!("{primitive}-{mode}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_family_has_its_primitives() {
        for (operation, id, other) in [
            ("cbc-encrypt", "aes-128", "rc4"),
            ("cmac", "xtea", "hmac-md5"),
            ("stream-encrypt", "rc4", "aes-128"),
            ("aead-decrypt", "chacha20-poly1305", "chacha20"),
            ("xof", "shake128", "hmac-sha-1"),
            ("mac", "hmac-sha-1", "sha-1"),
            ("derive", "scrypt", "crypt-scrypt"),
            ("agree-explicit", "x25519", "ed25519"),
            ("encapsulate", "ml-kem-768", "ml-dsa-65"),
        ] {
            let has = |id: &str| primitives(operation).iter().any(|known| known == id);
            assert!(has(id) && !has(other), "{operation}");
        }
    }

    #[test]
    fn a_name_has_the_mode_of_a_block_cipher_only() {
        for (primitive, operation, name) in [
            ("aes-128", "gcm-siv-decrypt", "aes-128-gcm-siv"),
            ("xtea", "cbc-mac", "xtea-cbc-mac"),
            ("chacha20", "stream-keystream", "chacha20"),
            ("chacha20-poly1305", "aead-encrypt", "chacha20-poly1305"),
            ("hmac-md5", "mac", "hmac-md5"),
        ] {
            assert_eq!(algorithm(primitive, operation), name);
        }
    }
}
