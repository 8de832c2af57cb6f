//! Reads and writes files of known answers, which the library's tests, the lab and the C
//! tests share. `docs/vector-format.md` describes the format for people who write such
//! files.
//!
//! ```text
//! # Touchstone known answers, format 1
//! # source: NIST CAVP, AES known-answer tests (2002)
//! # package: PyPI cryptography_vectors 50.0.2, sha256 …
//! # licence: Apache-2.0 OR BSD-3-Clause
//!
//! [aes-128 cbc-encrypt]
//! nonce = 00000000000000000000000000000000
//!
//! name = CBCGFSbox128 0
//! key = 00000000000000000000000000000000
//! input = f34481ec3cc627bacd5dc3fb08f273e6
//! output = 0336763e966d92595a567cc9ce537f5e
//! ```
//!
//! A section names a primitive and an operation; fields directly below its
//! heading hold for all its records. Records are separated by blank lines.
#![forbid(unsafe_code)]

#[cfg(feature = "foreign")]
pub mod foreign;

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

/// How a correct implementation must answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Verdict {
    /// With the output (and tag) of the record.
    #[default]
    Valid,
    /// With a refusal: of a forged tag, a bad padding or a bad size. For a MAC or a hash,
    /// with any output except the record's.
    Invalid,
    /// With the record's output or with a refusal; both are correct.
    Acceptable,
}

/// One known answer.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Vector {
    /// Primitive id, such as `aes-128`.
    pub primitive: String,
    /// Operation id in the forward direction (`cbc-encrypt`); a reader may also run a
    /// valid record backwards. `gcm-decrypt` is used only for records that must be
    /// refused.
    pub operation: String,
    /// The name of the record in its source.
    pub name: String,
    /// Key bytes.
    pub key: Vec<u8>,
    /// Nonce, IV, initial counter, tweak, salt or crypt(3) setting.
    pub nonce: Vec<u8>,
    /// Additional authenticated data.
    pub aad: Vec<u8>,
    /// Plaintext, message or password.
    pub input: Vec<u8>,
    /// Ciphertext without the tag, digest, MAC, derived key or hash string.
    pub output: Vec<u8>,
    /// Expected tag, if the operation returns a tag separate from its output.
    pub tag: Option<Vec<u8>>,
    /// Fields with other names, such as `public`, the public key of a signature.
    pub others: BTreeMap<String, Vec<u8>>,
    /// Cost and length parameters by name: `iterations`, `n`, `r`, `p`, `rounds` and
    /// others.
    pub cost: Vec<(String, u64)>,
    /// How a correct implementation must answer.
    pub verdict: Verdict,
    /// Flags that the source gives, such as Wycheproof's `ModifiedTag`.
    pub flags: Vec<String>,
    /// Line of the file on which the record starts; 0 if the record comes from no file.
    pub line: usize,
}

impl Vector {
    /// Returns a cost parameter by name.
    pub fn cost(&self, name: &str) -> Option<u64> {
        self.cost.iter().find(|(n, _)| n == name).map(|(_, v)| *v)
    }
}

/// One file of known answers.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct File {
    /// Origin of the answers: the standard or the authors, and the year.
    pub source: String,
    /// The registry package that contained the answers, with version and hash.
    pub package: String,
    /// Licence, as an SPDX expression.
    pub licence: String,
    /// The answers.
    pub vectors: Vec<Vector>,
}

/// Why a file could not be read.
#[derive(Debug)]
pub struct Error {
    /// The file.
    pub path: PathBuf,
    /// The line, from 1; 0 when the file itself could not be read.
    pub line: usize,
    /// What is wrong with it.
    pub reason: String,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.path.display(), self.line, self.reason)
    }
}

impl std::error::Error for Error {}

/// Reads one file of known answers.
pub fn read(path: &Path) -> Result<File, Error> {
    let fail = |line, reason| Error {
        path: path.to_owned(),
        line,
        reason,
    };
    let text = std::fs::read_to_string(path).map_err(|e| fail(0, e.to_string()))?;
    parse(&text).map_err(|(line, reason)| fail(line, reason))
}

/// Reads every `.vec` file under a folder, sorted by path. Each path is relative to the
/// folder.
pub fn read_tree(root: &Path) -> Result<Vec<(PathBuf, File)>, Error> {
    let mut paths = Vec::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        let entries = std::fs::read_dir(&folder).map_err(|e| Error {
            path: folder.clone(),
            line: 0,
            reason: e.to_string(),
        })?;
        for path in entries.flatten().map(|e| e.path()) {
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "vec") {
                paths.push(path);
            }
        }
    }
    paths.sort();
    paths
        .into_iter()
        .map(|path| {
            let file = read(&path)?;
            let relative = path.strip_prefix(root).unwrap_or(&path).to_owned();
            Ok((relative, file))
        })
        .collect()
}

/// Parses the text of a file. An error holds the line, counted from 1, and the reason.
pub fn parse(text: &str) -> Result<File, (usize, String)> {
    let mut file = File::default();
    let mut section: Option<Vector> = None;
    let mut record: Option<Vector> = None;
    let mut heading = false;
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.trim_end();
        if let Some(comment) = line.strip_prefix('#') {
            for (key, slot) in [
                ("source:", &mut file.source),
                ("package:", &mut file.package),
                ("licence:", &mut file.licence),
            ] {
                if let Some(value) = comment.trim_start().strip_prefix(key) {
                    value.trim().clone_into(slot);
                }
            }
        } else if line.is_empty() {
            file.vectors.extend(record.take());
            heading = false;
        } else if let Some(title) = line.strip_prefix('[') {
            file.vectors.extend(record.take());
            let words = title.strip_suffix(']').map(str::split_whitespace);
            let Some([primitive, operation]) = words
                .map(|w| w.collect::<Vec<_>>())
                .as_deref()
                .and_then(|w| <[&str; 2]>::try_from(w).ok())
            else {
                return Err((number, "a section is [primitive operation]".into()));
            };
            section = Some(Vector {
                primitive: primitive.to_owned(),
                operation: operation.to_owned(),
                ..Vector::default()
            });
            heading = true;
        } else {
            let (key, value) = line
                .split_once('=')
                .ok_or_else(|| (number, "a field is `key = value`".to_owned()))?;
            let section = section
                .as_mut()
                .ok_or_else(|| (number, "a field before the first section".to_owned()))?;
            let target = if heading {
                section
            } else {
                record.get_or_insert_with(|| Vector {
                    line: number,
                    ..section.clone()
                })
            };
            set(target, key.trim(), value.trim()).map_err(|reason| (number, reason))?;
        }
    }
    file.vectors.extend(record);
    if file.source.is_empty() || file.licence.is_empty() {
        return Err((
            1,
            "the header must give `# source:` and `# licence:`".into(),
        ));
    }
    Ok(file)
}

fn set(vector: &mut Vector, key: &str, value: &str) -> Result<(), String> {
    match key {
        "name" => value.clone_into(&mut vector.name),
        "key" => vector.key = bytes(value)?,
        "nonce" => vector.nonce = bytes(value)?,
        "aad" => vector.aad = bytes(value)?,
        "input" => vector.input = bytes(value)?,
        "output" => vector.output = bytes(value)?,
        "tag" => vector.tag = Some(bytes(value)?),
        "flags" => vector.flags = value.split_whitespace().map(str::to_owned).collect(),
        "result" => {
            vector.verdict = match value {
                "valid" => Verdict::Valid,
                "invalid" => Verdict::Invalid,
                "acceptable" => Verdict::Acceptable,
                _ => return Err(format!("result cannot be {value:?}")),
            }
        }
        _ => match key.strip_prefix("cost.") {
            Some(name) => {
                let value = value
                    .parse()
                    .map_err(|_| format!("{key} is not a whole number: {value:?}"))?;
                vector.cost.retain(|(n, _)| n != name);
                vector.cost.push((name.to_owned(), value));
            }
            // This function does not know which fields an operation has, so it accepts
            // any well-formed name.
            None if !key.is_empty() && key.bytes().all(|b| b.is_ascii_lowercase() || b == b'-') => {
                vector.others.insert(key.to_owned(), bytes(value)?);
            }
            None => return Err(format!("no field is called {key:?}")),
        },
    }
    Ok(())
}

/// Most bytes in one field. Longer `painted:` and `repeat:` values are refused before
/// memory is allocated.
pub const MOST_BYTES: usize = 16 << 20;

/// Parses a byte string: hex digits; `"text"` in printable ASCII without quotes inside;
/// `painted:N`, where byte *i* is *i* mod 251; `counted:N`, where byte *i* is *i* mod 256; or
/// `repeat:N:` before any of these.
fn bytes(value: &str) -> Result<Vec<u8>, String> {
    let wrong = || {
        let start: String = value.chars().take(40).collect();
        format!("neither hex, \"text\", painted:N, counted:N nor repeat:N:…: {start:?}")
    };
    let too_long = || format!("more than {MOST_BYTES} bytes");
    if let Some(text) = value.strip_prefix('"') {
        let text = text.strip_suffix('"').ok_or_else(wrong)?;
        let printable = text
            .bytes()
            .all(|b| (b' '..=b'~').contains(&b) && b != b'"');
        return if printable {
            Ok(text.into())
        } else {
            Err(wrong())
        };
    }
    for (name, modulus) in [("painted:", 251), ("counted:", 256)] {
        if let Some(len) = value.strip_prefix(name) {
            let len: usize = len.parse().map_err(|_| wrong())?;
            if len > MOST_BYTES {
                return Err(too_long());
            }
            return Ok((0..len).map(|i| (i % modulus) as u8).collect());
        }
    }
    if let Some((times, unit)) = value
        .strip_prefix("repeat:")
        .and_then(|v| v.split_once(':'))
    {
        let times: usize = times.parse().map_err(|_| wrong())?;
        // Nested `repeat:` could describe a string of enormous length.
        if unit.starts_with("repeat:") {
            return Err(wrong());
        }
        let unit = bytes(unit)?;
        return match unit.len().checked_mul(times) {
            Some(len) if len <= MOST_BYTES => Ok(unit.repeat(times)),
            _ => Err(too_long()),
        };
    }
    let digits = value.as_bytes();
    if !digits.len().is_multiple_of(2) {
        return Err(wrong());
    }
    let digit = |c: u8| (c as char).to_digit(16).map(|d| d as u8);
    digits
        .chunks_exact(2)
        .map(|pair| Some(digit(pair[0])? << 4 | digit(pair[1])?))
        .collect::<Option<_>>()
        .ok_or_else(wrong)
}

/// Writes a file. Sections come in the order in which they first appear, with one record
/// for each vector; a long repetition of a short unit is written as `repeat:`, and a long run of
/// counted bytes as `counted:`.
pub fn write(file: &File) -> String {
    use std::fmt::Write as _;
    let mut text = format!(
        "# Touchstone known answers, format 1\n# source: {}\n# package: {}\n# licence: {}\n",
        file.source, file.package, file.licence
    );
    let mut sections: Vec<(&str, &str)> = Vec::new();
    for v in &file.vectors {
        if !sections.contains(&(&v.primitive, &v.operation)) {
            sections.push((&v.primitive, &v.operation));
        }
    }
    for (primitive, operation) in sections {
        let _ = writeln!(text, "\n[{primitive} {operation}]");
        let records = |v: &&Vector| v.primitive == primitive && v.operation == operation;
        for v in file.vectors.iter().filter(records) {
            text.push('\n');
            // crypt(3) takes text, so its fields are written as text if they are
            // printable.
            let spell = if v.operation == "crypt" {
                text_or_hex
            } else {
                spell
            };
            // A record needs at least one field, so `input` is written even if it is
            // empty.
            let fields = [
                ("name", v.name.clone(), !v.name.is_empty()),
                ("key", spell(&v.key), !v.key.is_empty()),
                ("nonce", spell(&v.nonce), !v.nonce.is_empty()),
                ("aad", spell(&v.aad), !v.aad.is_empty()),
                ("input", spell(&v.input), true),
                ("output", spell(&v.output), !v.output.is_empty()),
                (
                    "tag",
                    v.tag.as_deref().map_or(String::new(), spell),
                    v.tag.is_some(),
                ),
            ];
            for (key, value, _) in fields.into_iter().filter(|(_, _, given)| *given) {
                let _ = writeln!(text, "{}", format!("{key} = {value}").trim_end());
            }
            for (name, value) in &v.others {
                let _ = writeln!(text, "{name} = {}", spell(value));
            }
            for (name, value) in &v.cost {
                let _ = writeln!(text, "cost.{name} = {value}");
            }
            match v.verdict {
                Verdict::Valid => {}
                Verdict::Invalid => text.push_str("result = invalid\n"),
                Verdict::Acceptable => text.push_str("result = acceptable\n"),
            }
            if !v.flags.is_empty() {
                let _ = writeln!(text, "flags = {}", v.flags.join(" "));
            }
        }
    }
    text
}

/// The longest unit in bytes that [`spell`] looks for in a repetition.
const LONGEST_UNIT: usize = 64;

/// The longest string of counted bytes that [`spell`] writes in hex.
const LONGEST_COUNTED: usize = 1 << 16;

fn spell(bytes: &[u8]) -> String {
    let hex = |bytes: &[u8]| -> String { bytes.iter().map(|b| format!("{b:02x}")).collect() };
    if bytes.len() > LONGEST_COUNTED && bytes.iter().zip(0u32..).all(|(&b, i)| b == i as u8) {
        return format!("counted:{}", bytes.len());
    }
    // A shorter string is easy enough to read in hex.
    if bytes.len() > 64 {
        let unit = (1..=LONGEST_UNIT).find(|&unit| {
            bytes.len().is_multiple_of(unit)
                && bytes.len() / unit >= 4
                && bytes[unit..] == bytes[..bytes.len() - unit]
        });
        if let Some(unit) = unit {
            return format!("repeat:{}:{}", bytes.len() / unit, hex(&bytes[..unit]));
        }
    }
    hex(bytes)
}

/// Writes printable ASCII as `"text"` and everything else as [`spell`] does.
fn text_or_hex(bytes: &[u8]) -> String {
    let printable = |b: &u8| (b' '..=b'~').contains(b) && *b != b'"';
    match std::str::from_utf8(bytes) {
        Ok(text) if !text.is_empty() && bytes.iter().all(printable) => format!("\"{text}\""),
        _ => spell(bytes),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SAMPLE: &str = "# Touchstone known answers, format 1\n\
        # source: made for this test\n# licence: MIT\n\n\
        [sha-1 hash]\n\n\
        input = \"abc\"\noutput = a9993e36\n\n\
        name = million\ninput = repeat:1000000:61\noutput = 34aa\n\n\
        [aes-128 gcm-decrypt]\nkey = 00\ncost.rounds = 3\n\n\
        input =\ntag = ff\nresult = invalid\nflags = ModifiedTag Short\n";

    #[test]
    fn fields_sections_and_defaults() {
        let file = parse(SAMPLE).unwrap();
        assert_eq!(file.vectors.len(), 3);
        let [abc, million, forged] = &file.vectors[..] else {
            unreachable!()
        };
        assert_eq!((abc.input.as_slice(), abc.line), (&b"abc"[..], 7));
        assert_eq!(
            (million.input.len(), million.input[999_999]),
            (1_000_000, b'a')
        );
        assert_eq!(
            (forged.key.as_slice(), forged.cost("rounds")),
            (&[0][..], Some(3))
        );
        assert_eq!(forged.verdict, Verdict::Invalid);
        assert_eq!(forged.flags, ["ModifiedTag", "Short"]);
    }

    #[test]
    fn what_is_written_reads_back() {
        let file = parse(SAMPLE).unwrap();
        let again = parse(&write(&file)).unwrap();
        let content = |f: &File| -> Vec<Vector> {
            f.vectors
                .iter()
                .map(|v| Vector {
                    line: 0,
                    ..v.clone()
                })
                .collect()
        };
        assert_eq!(content(&again), content(&file));
    }

    #[test]
    fn password_records_stay_readable() {
        let vector = Vector {
            primitive: "crypt-md5".into(),
            operation: "crypt".into(),
            nonce: b"$1$ab".to_vec(),
            input: b"\xffa".to_vec(),
            output: b"$1$ab$c = d ".to_vec(),
            ..Vector::default()
        };
        let file = File {
            source: "s".into(),
            licence: "l".into(),
            vectors: vec![vector.clone()],
            ..File::default()
        };
        let text = write(&file);
        assert!(text.contains("nonce = \"$1$ab\"\ninput = ff61\n"), "{text}");
        let again = parse(&text).unwrap().vectors.remove(0);
        assert_eq!(Vector { line: 0, ..again }, vector);
    }

    #[test]
    fn repetitions_are_spelled_short() {
        assert_eq!(spell(&[0; 64]), "00".repeat(64));
        assert_eq!(spell(&[0; 65]), "repeat:65:00");
        assert_eq!(spell(&b"abc".repeat(1000)), "repeat:1000:616263");
        let mut odd = b"abc".repeat(1000);
        odd.pop();
        assert_eq!(spell(&odd).len(), 2 * odd.len());
        let counted: Vec<u8> = (0..100_000u32).map(|i| i as u8).collect();
        assert_eq!(spell(&counted), "counted:100000");
        for bytes in [odd, b"abcd".repeat(99), vec![7; 1000], counted] {
            assert_eq!(super::bytes(&spell(&bytes)).unwrap(), bytes);
        }
    }

    #[test]
    fn mistakes_name_their_line() {
        let head = "# source: s\n# licence: l\n";
        for (text, line) in [
            ("[sha-1]\n", 3),
            ("key = 00\n", 3),
            ("[a b]\n\nkey = 0\n", 5),
            ("[a b]\n\nkey = \"open\n", 5),
            ("[a b]\n\nmistake = 1\n", 5),
            ("[a b]\n\ncost.n = many\n", 5),
            ("[a b]\n\nresult = maybe\n", 5),
            ("[a b]\nnonsense\n", 4),
        ] {
            assert_eq!(
                parse(&format!("{head}{text}")).unwrap_err().0,
                line,
                "{text}"
            );
        }
        assert!(parse("[a b]\n").is_err(), "a file must say its source");
    }
}
