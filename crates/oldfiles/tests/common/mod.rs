//! What the tests share: files, programs, and the faults that every authenticated format must
//! find.
#![allow(dead_code, reason = "each test uses a part")]

use std::io::{Cursor, Write};
use std::path::PathBuf;
use std::process::{Command, Stdio};

use oldfiles::{Error, Format, Memory, Report, Secrets, Settings};

/// A file of `tests/files`.
pub(crate) fn file(name: &str) -> Vec<u8> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("tests/files")
        .join(name);
    std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The entries of a file, or the error.
pub(crate) fn open(
    format: Format,
    bytes: &[u8],
    secrets: &Secrets,
    settings: &Settings,
) -> Result<(Report, Memory), (Error, Memory)> {
    let mut memory = Memory::default();
    match oldfiles::open(
        format,
        &mut Cursor::new(bytes),
        &mut memory,
        secrets,
        settings,
    ) {
        Ok(report) => Ok((report, memory)),
        Err(error) => Err((error, memory)),
    }
}

/// The plaintext of a file with one entry.
pub(crate) fn plain(
    format: Format,
    bytes: &[u8],
    passphrase: &str,
    settings: &Settings,
) -> Vec<u8> {
    let secrets = Secrets::passphrase(passphrase);
    let (_, memory) = open(format, bytes, &secrets, settings)
        .unwrap_or_else(|(error, _)| panic!("{format}: {error}"));
    assert_eq!(memory.entries.len(), 1, "{format}");
    memory.entries.into_iter().next().expect("one").1
}

/// Settings that accept data without authentication.
pub(crate) fn accepting() -> Settings {
    Settings {
        accept_unauthenticated: true,
        ..Settings::default()
    }
}

/// Flips every byte and cuts the file everywhere. Each change must give an error and write
/// nothing, but at the bytes in `free`, which the format does not authenticate and where no
/// change may alter the plaintext.
pub(crate) fn faults(
    format: Format,
    bytes: &[u8],
    secrets: &Secrets,
    settings: &Settings,
    free: impl Fn(usize) -> bool,
) {
    let (_, right) = open(format, bytes, secrets, settings)
        .unwrap_or_else(|(error, _)| panic!("{format}: {error}"));
    let plain = |memory: &Memory| -> Vec<Vec<u8>> {
        memory.entries.iter().map(|entry| entry.1.clone()).collect()
    };
    for at in 0..bytes.len() {
        for mask in [0x01, 0x80] {
            let mut changed = bytes.to_vec();
            changed[at] ^= mask;
            match open(format, &changed, secrets, settings) {
                Ok((_, memory)) => {
                    assert!(
                        free(at),
                        "{format}: byte {at} flipped by {mask:#x} was accepted"
                    );
                    assert_eq!(plain(&memory), plain(&right), "{format}: byte {at}");
                }
                Err((error, memory)) => {
                    let written: usize = memory.entries.iter().map(|entry| entry.1.len()).sum();
                    assert_eq!(written, 0, "{format}: byte {at}: {error}");
                }
            }
        }
    }
    for length in 0..bytes.len() {
        if let Err((_, memory)) = open(format, &bytes[..length], secrets, settings) {
            let written: usize = memory.entries.iter().map(|entry| entry.1.len()).sum();
            assert_eq!(written, 0, "{format}: cut to {length}");
        } else {
            assert!(
                free(length),
                "{format}: a file cut to {length} bytes was accepted"
            );
        }
    }
}

/// A command that is there, or `None` with a line that says what was skipped.
pub(crate) fn program(name: &str, version: &str) -> Option<String> {
    let found = Command::new(name)
        .arg(version)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    match found {
        Ok(_) => Some(name.to_owned()),
        Err(error) => {
            println!("SKIPPED: {name} is not here ({error})");
            None
        }
    }
}

/// Runs a command with input, and returns its output.
pub(crate) fn run(command: &mut Command, input: &[u8]) -> Result<Vec<u8>, String> {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| error.to_string())?;
    let mut stdin = child.stdin.take().expect("a pipe");
    let input = input.to_vec();
    let writer = std::thread::spawn(move || {
        // A program that fails early does not read its input.
        let _ = stdin.write_all(&input);
    });
    let output = child
        .wait_with_output()
        .map_err(|error| error.to_string())?;
    writer
        .join()
        .map_err(|_| "the writer panicked".to_owned())?;
    if output.status.success() {
        Ok(output.stdout)
    } else {
        Err(String::from_utf8_lossy(&output.stderr).into_owned())
    }
}

/// Bytes that differ, and that a compressor makes shorter.
pub(crate) fn sample(length: usize) -> Vec<u8> {
    (0..length)
        .map(|i| ((7 * i + (i >> 8)) & 255) as u8)
        .collect()
}

/// The plaintext of the small files.
pub(crate) const FOX: &[u8] = b"The quick brown fox jumps over the lazy dog.";
