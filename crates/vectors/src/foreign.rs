//! Readers of other projects' files of known answers: NIST's CAVP responses, Project
//! Wycheproof's JSON, Botan's `.vec` and Crypto++'s `.txt`. They produce [`Vector`]s.

pub mod botan;
pub mod cavp;
pub mod cryptopp;
mod drbg;
mod keys;
mod text;
pub mod wycheproof;

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, Result, bail};

use crate::Vector;

/// The result of reading one file.
#[derive(Debug, Clone, Default)]
pub struct Found {
    /// The answers.
    pub vectors: Vec<Vector>,
    /// How many records were left out, by reason.
    pub left_out: BTreeMap<String, usize>,
    /// Names of other files in the same folder, whose answers belong to this one.
    pub files: Vec<String>,
}

impl Found {
    fn add(&mut self, vector: Vector) {
        self.vectors.push(vector);
    }

    fn leave_out(&mut self, reason: impl Into<String>) {
        *self.left_out.entry(reason.into()).or_default() += 1;
    }

    /// Adds the result of one record. A record that cannot be read is counted as left
    /// out; the file's other records are still read.
    fn take(&mut self, read: Result<Result<Vector, &'static str>>) {
        match read {
            Ok(Ok(vector)) => self.add(vector),
            Ok(Err(reason)) => self.leave_out(reason),
            Err(error) => self.leave_out(unreadable(&error)),
        }
    }

    /// Like `take`, for a file that names the algorithm of each record: the reason then
    /// names the algorithm that has no id.
    fn take_named(&mut self, algorithm: &str, read: Result<Result<Vector, &'static str>>) {
        if matches!(read, Ok(Err(NO_ID))) {
            let name: String = algorithm.chars().take(QUOTED).collect();
            self.leave_out(format!("{NO_ID} ({name})"));
        } else {
            self.take(read);
        }
    }
}

/// The most characters that a reason quotes from a file.
const QUOTED: usize = 80;

/// Why a record cannot be read, in a few words.
fn unreadable(error: &anyhow::Error) -> String {
    let cause: String = error
        .root_cause()
        .to_string()
        .chars()
        .take(QUOTED)
        .collect();
    format!("a record that cannot be read ({cause})")
}

/// The reason for a record whose algorithm the reader does not know.
const NO_ID: &str = "an algorithm without an id here";

/// Whether the file name alone shows that the file has one of the known formats. Then an
/// error in the file is worth reporting.
pub fn is_known(path: &Path) -> bool {
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    path.extension().is_some_and(|e| e == "vec") || cavp::reader(&name).is_some()
}

/// Reads a file of any known format, including our own. The contents and the file name
/// tell the format. CAVP's response files do not name their algorithm, so for them the
/// file name tells the algorithm.
///
/// Records that cannot be read are left out, and counted with the reason.
///
/// # Errors
///
/// If the file cannot be read, has an unknown format, or is broken outside its
/// records.
pub fn read(path: &Path) -> Result<Found> {
    let text = std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
    parse(path, &text)
}

/// Reads the text of a file, as [`read`] does. The file itself is not opened.
///
/// # Errors
///
/// If the text has an unknown format, or is broken outside its records.
pub fn parse(path: &Path, text: &str) -> Result<Found> {
    let shown = path.display().to_string();
    let file = path
        .file_name()
        .map(|name| name.to_string_lossy().into_owned())
        .unwrap_or_default();
    let stem = file.rsplit_once('.').map_or(&*file, |(stem, _)| stem);
    if text.starts_with("# Touchstone known answers") {
        let file = crate::parse(text)
            .map_err(|(line, reason)| anyhow::anyhow!("{shown}:{line}: {reason}"))?;
        return Ok(Found {
            vectors: file.vectors,
            ..Found::default()
        });
    }
    let has_line = |start: &str| {
        text.lines()
            .any(|line| line.trim_start().starts_with(start))
    };
    if text.trim_start().starts_with('{') {
        let stem = stem.strip_suffix("_test").unwrap_or(stem);
        return wycheproof::read(stem, text).with_context(|| shown);
    }
    if has_line("AlgorithmType:") {
        return cryptopp::read(stem, text).with_context(|| shown);
    }
    if let Some(reader) = cavp::reader(stem) {
        return cavp::read(reader, stem, text).with_context(|| shown);
    }
    if file.ends_with(".vec") {
        return botan::read(&path.to_string_lossy(), text);
    }
    bail!(
        "{shown}: no known format. Taken are Touchstone's own, Wycheproof's JSON, \
         Botan's .vec, Crypto++'s .txt, and NIST's CAVP responses under the names that \
         NIST gave them (CBCGFSbox128.rsp, gcmEncryptExtIV256.rsp, SHA256ShortMsg.rsp), \
         from which alone their algorithm follows"
    );
}

/// Block ciphers whose identifiers contain the key size in bits, such as `aes-128`.
pub const SIZED: &[&str] = &[
    "aes",
    "aria",
    "camellia",
    "kalyna",
    "lea",
    "serpent",
    "twofish",
    "threefish",
];

/// A block cipher's identifier for a key length in bytes: `aes` with 16 is `aes-128`.
/// `None` if the cipher has no such key length. A cipher that has one identifier for all
/// lengths keeps it.
pub fn sized(cipher: &str, key: usize) -> Option<String> {
    if !SIZED.contains(&cipher) {
        return Some(cipher.to_owned());
    }
    let right = match cipher {
        "threefish" => matches!(key, 32 | 64 | 128),
        "kalyna" => matches!(key, 16 | 32),
        _ => matches!(key, 16 | 24 | 32),
    };
    right.then(|| format!("{cipher}-{}", key * 8))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn key_lengths_make_ids() {
        assert_eq!(sized("aes", 24).as_deref(), Some("aes-192"));
        assert_eq!(sized("aes", 20), None);
        assert_eq!(sized("seed", 16).as_deref(), Some("seed"));
    }
}
