//! Parts that the text formats share: blocks of `key = value` lines.

use anyhow::{Context, Result, bail};

/// Decodes hex digits; white space between them is allowed.
pub(super) fn hex(digits: &str) -> Result<Vec<u8>> {
    let mut bytes = Vec::with_capacity(digits.len() / 2);
    let mut high = None;
    for c in digits.chars().filter(|c| !c.is_whitespace()) {
        let digit = c
            .to_digit(16)
            .with_context(|| format!("no hex: {digits:?}"))? as u8;
        match high.take() {
            None => high = Some(digit),
            Some(h) => bytes.push(h << 4 | digit),
        }
    }
    if high.is_some() {
        bail!("an odd number of hex digits: {digits:?}");
    }
    Ok(bytes)
}

/// Decodes base64 without padding (RFC 4648, sections 3.2 and 4).
pub(super) fn base64(text: &str) -> Result<Vec<u8>> {
    const ALPHABET: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut bytes = Vec::with_capacity(text.len() * 3 / 4);
    let (mut bits, mut held) = (0_u32, 0);
    for c in text.bytes() {
        let digit = ALPHABET.iter().position(|&digit| digit == c);
        bits = bits << 6 | digit.with_context(|| format!("no base64: {text:?}"))? as u32;
        held += 6;
        if held >= 8 {
            held -= 8;
            bytes.push((bits >> held) as u8);
            bits &= (1 << held) - 1;
        }
    }
    if held >= 6 || bits != 0 {
        bail!("base64 that ends inside a byte: {text:?}");
    }
    Ok(bytes)
}

/// One block of `key = value` lines, with the bracketed headings above it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Block {
    /// `[key = value]` and `[word]` headings. A later heading replaces an earlier one
    /// with the same key.
    pub(super) heads: Vec<(String, String)>,
    /// The lines of the block; one without `=` has an empty value.
    pub(super) fields: Vec<(String, String)>,
}

impl Block {
    /// A field by name, in upper or lower case.
    pub(super) fn get(&self, name: &str) -> Option<&str> {
        find(&self.fields, name)
    }

    /// A heading by name, in upper or lower case.
    pub(super) fn head(&self, name: &str) -> Option<&str> {
        find(&self.heads, name)
    }

    /// A field as a number; if there is no such field, the heading of that name.
    pub(super) fn number(&self, name: &str) -> Option<usize> {
        self.get(name).or_else(|| self.head(name))?.parse().ok()
    }

    /// The bytes of a field in hex; an error if the field is missing.
    pub(super) fn hex(&self, name: &str) -> Result<Vec<u8>> {
        hex(self
            .get(name)
            .with_context(|| format!("no field {name}: {:?}", self.fields))?)
    }

    /// The bytes of a field in hex; empty if the field is missing.
    pub(super) fn hex_or_empty(&self, name: &str) -> Result<Vec<u8>> {
        self.get(name).map_or(Ok(Vec::new()), hex)
    }
}

fn find<'a>(pairs: &'a [(String, String)], name: &str) -> Option<&'a str> {
    pairs
        .iter()
        .find(|(k, _)| k.eq_ignore_ascii_case(name))
        .map(|(_, v)| v.as_str())
}

/// Splits a text at blank lines and headings; `#` starts a comment line.
pub(super) fn blocks(text: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut heads: Vec<(String, String)> = Vec::new();
    let mut fields: Vec<(String, String)> = Vec::new();
    let split = |line: &str| match line.split_once('=') {
        Some((k, v)) => (k.trim().to_owned(), v.trim().to_owned()),
        None => (line.trim().to_owned(), String::new()),
    };
    let mut end = |fields: &mut Vec<(String, String)>, heads: &[(String, String)]| {
        if !fields.is_empty() {
            blocks.push(Block {
                heads: heads.to_vec(),
                fields: std::mem::take(fields),
            });
        }
    };
    for line in text.lines().map(str::trim) {
        if line.starts_with('#') {
            continue;
        }
        if line.is_empty() {
            end(&mut fields, &heads);
        } else if let Some(head) = line.strip_prefix('[').and_then(|l| l.strip_suffix(']')) {
            end(&mut fields, &heads);
            for (key, value) in head.split(',').map(split) {
                heads.retain(|(k, _)| *k != key);
                heads.push((key, value));
            }
        } else {
            fields.push(split(line));
        }
    }
    end(&mut fields, &heads);
    blocks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_carry_their_headings() {
        let text = "# no\n[L = 20]\n\nA = 1\nFAIL\n\n\nA = 2\n[L = 3, M = 4]\nb=3\n";
        let blocks = blocks(text);
        assert_eq!(blocks.len(), 3);
        assert_eq!(blocks[0].head("l"), Some("20"));
        assert_eq!(blocks[0].get("FAIL"), Some(""));
        assert_eq!(blocks[1].number("a"), Some(2));
        assert_eq!(
            (blocks[2].number("L"), blocks[2].number("m")),
            (Some(3), Some(4))
        );
        assert_eq!(blocks[2].get("B"), Some("3"));
    }

    /// RFC 4648, section 10.
    #[test]
    fn base64_is_decoded() {
        for (text, bytes) in [
            ("", ""),
            ("Zg", "f"),
            ("Zm8", "fo"),
            ("Zm9v", "foo"),
            ("Zm9vYg", "foob"),
            ("Zm9vYmFy", "foobar"),
        ] {
            assert_eq!(base64(text).unwrap(), bytes.as_bytes());
        }
        for wrong in ["Z", "Zh", "Zg==", "Zm9vZ", "Z m"] {
            assert!(base64(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn hex_takes_spaces_and_refuses_the_rest() {
        assert_eq!(hex("00 fF").unwrap(), [0, 255]);
        assert!(hex("0").is_err());
        assert!(hex("0g").is_err());
    }
}
