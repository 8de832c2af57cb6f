//! LibTomCrypt's self-test of Anubis: a C table in its source with key length, plaintext,
//! ciphertext and key. No other package contains answers for Anubis.

use super::package::Package;
use super::{Sink, Source};
use anyhow::{Context, Result, ensure};
use touchstone_vectors::Vector;

const FILE: &str = "src/ciphers/anubis.c";

/// The first lines of the two tables. One is for Anubis as first submitted to NESSIE, the
/// other is for the later tweaked version, which libraries implement.
const FORMS: [(&str, &str); 2] = [
    ("/**** ORIGINAL LTC_ANUBIS ****/", "anubis-original"),
    ("/**** Tweaked LTC_ANUBIS ****/", "anubis"),
];

/// Returns whether to unpack a file.
pub(crate) fn wanted(path: &str) -> bool {
    path == FILE
}

/// Adds the records of both tables.
pub(crate) fn import(package: &Package, sink: &mut Sink) -> Result<()> {
    sink.begin(Source {
        slug: "libtomcrypt",
        about: "NESSIE (2000-2003), Anubis, by way of LibTomCrypt's self-test".into(),
        pin: Some(package.pin.clone()),
        licence: "WTFPL",
        most: 1500,
        bytes: 50 << 10,
    });
    let text = package.text(FILE)?;
    for (start, primitive) in FORMS {
        let table = text.split_once(start).context("no table")?.1;
        read(table, primitive, sink)?;
    }
    Ok(())
}

/// Reads a table, which ends at a preprocessor line.
fn read(table: &str, primitive: &str, sink: &mut Sink) -> Result<()> {
    // A number without `0x` is a key length and starts a row.
    let mut rows: Vec<(usize, Vec<u8>)> = Vec::new();
    for line in table.lines().take_while(|l| !l.starts_with('#')) {
        let line = line.split("/*").next().unwrap_or_default();
        for word in line.split(|c: char| !c.is_ascii_alphanumeric()) {
            if let Some(digits) = word.strip_prefix("0x") {
                let row = rows.last_mut().context("a byte before the first row")?;
                row.1.push(u8::from_str_radix(digits, 16)?);
            } else if !word.is_empty() {
                rows.push((word.parse().with_context(|| word.to_owned())?, Vec::new()));
            }
        }
    }
    for (index, (length, bytes)) in rows.into_iter().enumerate() {
        ensure!(
            bytes.len() == 32 + length,
            "row {index} has {} bytes",
            bytes.len()
        );
        sink.add(Vector {
            primitive: primitive.into(),
            operation: "ecb-encrypt".into(),
            name: format!("{primitive} {index}"),
            input: bytes[..16].to_vec(),
            output: bytes[16..32].to_vec(),
            key: bytes[32..].to_vec(),
            ..Vector::default()
        });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::tests::sink;
    use super::*;

    #[test]
    fn rows_begin_with_a_key_length() {
        let bytes = |n: usize| "0x0A, ".repeat(n);
        let row = format!(
            "{{\n  2,\n {{ {} }},\n {{ {} }},\n {{ {} }}\n}}",
            bytes(16),
            bytes(16),
            bytes(2)
        );
        let table = format!("  /* 16 bit keys */\n{row}, {row}\n#else\n 0x00\n");
        let mut sink = sink();
        read(&table, "anubis", &mut sink).unwrap();
        assert_eq!(sink.answers.len(), 2);
        assert_eq!(sink.answers[1].1.key, [10, 10]);
        assert!(read("{ 3, 0x00 }\n", "anubis", &mut sink).is_err());
    }
}
