//! libxcrypt's table of password hashes, `test/ka-table.inc`: C lines of the form `{
//! "setting", "hash", "phrase" },`, with one `#if` section for each method.

use super::package::Package;
use super::{Sink, Source};
use anyhow::{Context, Result, bail, ensure};
use touchstone_vectors::Vector;

const TABLE: &str = "test/ka-table.inc";

/// The table's methods and our identifiers. Computing all rows takes a few milliseconds.
const METHODS: &[(&str, &str)] = &[
    ("bcrypt", "crypt-bcrypt"),
    ("bcrypt_a", "crypt-bcrypt"),
    ("bcrypt_x", "crypt-bcrypt"),
    ("bcrypt_y", "crypt-bcrypt"),
    ("bigcrypt", "crypt-bigcrypt"),
    ("bsdicrypt", "crypt-des-ext"),
    ("descrypt", "crypt-des"),
    ("gost_yescrypt", "crypt-gost-yescrypt"),
    ("md5crypt", "crypt-md5"),
    ("nt", "crypt-nt"),
    ("scrypt", "crypt-scrypt"),
    ("sha1crypt", "crypt-sha1"),
    ("sha256crypt", "crypt-sha256"),
    ("sha512crypt", "crypt-sha512"),
    ("sunmd5", "crypt-sunmd5"),
    ("yescrypt", "crypt-yescrypt"),
];

/// Returns whether to unpack a file.
pub(crate) fn wanted(path: &str) -> bool {
    path == TABLE
}

/// Adds the records of the table.
pub(crate) fn import(package: &Package, sink: &mut Sink) -> Result<()> {
    sink.begin(Source {
        slug: "libxcrypt",
        about: "libxcrypt's known-answer table, computed with Passlib, Zack Weinberg (2019)".into(),
        pin: Some(package.pin.clone()),
        licence: "CC0-1.0",
        most: 1500,
        bytes: 60 << 10,
    });
    read(package.text(TABLE)?, sink)
}

fn read(text: &str, sink: &mut Sink) -> Result<()> {
    let mut section = "";
    let mut index = 0;
    for line in text.lines() {
        if let Some(rest) = line.strip_prefix("#if INCLUDE_") {
            section = rest.split_whitespace().next().unwrap_or_default();
            index = 0;
        }
        let Some(row) = line.trim().strip_prefix('{') else {
            continue;
        };
        let strings = strings(row).with_context(|| line.to_owned())?;
        ensure!(strings.len() == 3, "not three strings: {line}");
        let Some((_, primitive)) = METHODS.iter().find(|(method, _)| *method == section) else {
            sink.skip(format!("a method without an id here ({section})"));
            continue;
        };
        let [setting, hash, phrase] = [&strings[0], &strings[1], &strings[2]];
        sink.add(Vector {
            primitive: (*primitive).into(),
            operation: "crypt".into(),
            name: format!("{section} {index}"),
            input: phrase.clone(),
            nonce: setting.clone(),
            output: hash.clone(),
            ..Vector::default()
        });
        index += 1;
    }
    Ok(())
}

/// Decodes C string literals between commas; adjacent literals form one string.
fn strings(row: &str) -> Result<Vec<Vec<u8>>> {
    let mut all: Vec<Vec<u8>> = Vec::new();
    let mut new = true;
    let mut rest = row.chars();
    while let Some(c) = rest.next() {
        match c {
            '"' => {
                if std::mem::take(&mut new) {
                    all.push(Vec::new());
                }
                let string = all.last_mut().context("no string")?;
                loop {
                    match rest.next().context("an open quote")? {
                        '"' => break,
                        '\\' => {
                            ensure!(rest.next() == Some('x'), "an escape other than \\x");
                            let digits: String = rest.by_ref().take(2).collect();
                            string.push(u8::from_str_radix(&digits, 16)?);
                        }
                        c if c.is_ascii() => string.push(c as u8),
                        c => bail!("{c:?} in a string"),
                    }
                }
            }
            ',' => new = true,
            '}' => break,
            c => ensure!(c.is_whitespace(), "{c:?} between strings"),
        }
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::super::tests::sink;
    use super::*;

    #[test]
    fn rows_belong_to_the_method_above() {
        let table = "#if INCLUDE_nt && defined TEST_nt\n  { \"$3$\", \"$3$$31d6\", \"\" },\n#endif // nt\n\
            #if INCLUDE_md5crypt && defined TEST_md5crypt\n  { \"$1$a\", \"$1$a$b\", \"\\xff\\xa3\"\"345\" },\n";
        let mut sink = sink();
        read(table, &mut sink).unwrap();
        let [(_, nt), (_, md5)] = &sink.answers[..] else {
            panic!("{} rows", sink.answers.len());
        };
        assert_eq!(
            (&*nt.primitive, nt.output.as_slice()),
            ("crypt-nt", &b"$3$$31d6"[..])
        );
        assert_eq!(
            (&*md5.primitive, md5.input.as_slice()),
            ("crypt-md5", &b"\xff\xa3345"[..])
        );
    }

    #[test]
    fn strange_rows_are_errors() {
        assert!(strings(r#" "a\n" }"#).is_err());
        assert!(strings(r#" "a "#).is_err());
        assert!(strings(r#" NULL }"#).is_err());
    }
}
