//! Checks the hashes in the tests of other projects: libxcrypt's table, and all hashes in
//! Passlib's tests. `tools/crypt-answers.sh` fetches the files when the test runs, and reports
//! the files that it could not get. The test stores no files.

use crate::object::Libcrypt;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Fetches one project's tests into a temporary folder. If that fails, prints the reason
/// and returns `None`.
fn fetched(what: &str) -> Option<(tempfile::TempDir, PathBuf)> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tools/crypt-answers.sh");
    let output = Command::new(script)
        .arg(what)
        .arg(folder.path())
        .output()
        .expect("tools/crypt-answers.sh runs");
    if !output.status.success() {
        print!("SKIPPED: {}", String::from_utf8_lossy(&output.stderr));
        return None;
    }
    let path = PathBuf::from(String::from_utf8_lossy(&output.stdout).trim());
    Some((folder, path))
}

/// Returns the string literals in a line of C or Python. Escape sequences are decoded.
fn literals(line: &str) -> Vec<Vec<u8>> {
    let mut all = Vec::new();
    let mut bytes = line.bytes().peekable();
    while let Some(quote) = bytes.next() {
        if quote != b'"' && quote != b'\'' {
            continue;
        }
        let mut text = Vec::new();
        while let Some(c) = bytes.next().filter(|&c| c != quote) {
            if c != b'\\' {
                text.push(c);
                continue;
            }
            let digits =
                |n: usize, radix: u32, bytes: &mut std::iter::Peekable<std::str::Bytes<'_>>| {
                    let mut number = 0;
                    for _ in 0..n {
                        let digit = bytes.peek().and_then(|&c| char::from(c).to_digit(radix));
                        let Some(digit) = digit else { break };
                        number = number * radix + digit;
                        bytes.next();
                    }
                    number as u8
                };
            match bytes.peek() {
                Some(b'x') => {
                    bytes.next();
                    text.push(digits(2, 16, &mut bytes));
                }
                Some(b'0'..=b'7') => text.push(digits(3, 8, &mut bytes)),
                Some(&c) => {
                    bytes.next();
                    text.push(match c {
                        b'n' => b'\n',
                        b't' => b'\t',
                        b'r' => b'\r',
                        b'a' => 7,
                        b'b' => 8,
                        b'f' => 12,
                        b'v' => 11,
                        other => other,
                    });
                }
                None => {}
            }
        }
        all.push(text);
    }
    all
}

fn hashed(phrase: &[u8], setting: &[u8]) -> Vec<u8> {
    Libcrypt::ours().hash(phrase, setting).0.into_bytes()
}

#[test]
#[ignore = "fetches a package: make libcrypt-clients"]
fn every_case_of_libxcrypts_table() {
    let Some((_folder, path)) = fetched("libxcrypt") else {
        return;
    };
    let table = std::fs::read(path).expect("the table can be read");
    let (mut count, mut left) = (0, 0);
    for line in String::from_utf8_lossy(&table).lines() {
        let line = line.trim();
        if !line.starts_with("{ \"") {
            continue;
        }
        match &literals(line)[..] {
            [setting, wanted, phrase] => {
                let made = hashed(phrase, setting);
                let place = format!("{} under {}", phrase.escape_ascii(), setting.escape_ascii());
                assert_eq!(
                    made.escape_ascii().to_string(),
                    wanted.escape_ascii().to_string(),
                    "{place}"
                );
                count += 1;
            }
            // C joins adjacent literals to one phrase.
            [setting, wanted, parts @ ..] if !parts.is_empty() => {
                assert_eq!(hashed(&parts.concat(), setting), *wanted, "{line}");
                count += 1;
            }
            _ => left += 1,
        }
    }
    println!("libxcrypt's table: {count} cases right, {left} not read");
    assert!(count > 4000 && left == 0);
}

#[test]
#[ignore = "fetches a package: make libcrypt-clients"]
fn every_hash_of_passlibs_tests() {
    let Some((_folder, path)) = fetched("passlib") else {
        return;
    };
    let cases = std::fs::read(path).expect("the cases can be read");
    let mut counts = std::collections::BTreeMap::<String, usize>::new();
    // Each line has the method, the phrase in hexadecimal, and the hash.
    for line in String::from_utf8_lossy(&cases).lines() {
        let mut words = line.split('\t');
        let (Some(method), Some(phrase), Some(wanted)) = (words.next(), words.next(), words.next())
        else {
            panic!("a line of another form: {line}");
        };
        let phrase: Vec<u8> = (0..phrase.len() / 2)
            .map(|i| u8::from_str_radix(&phrase[2 * i..2 * i + 2], 16).expect("hexadecimal"))
            .collect();
        let made = hashed(&phrase, wanted.as_bytes());
        assert_eq!(String::from_utf8_lossy(&made), wanted, "{line}");
        *counts.entry(method.to_owned()).or_default() += 1;
    }
    println!("Passlib's hashes: {counts:?}");
    assert!(counts.values().sum::<usize>() > 100);
}
