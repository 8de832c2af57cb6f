//! A second reader, in Python, reads the test vectors and fresh files.

use std::path::Path;
use std::process::{Command, Output};

use strongbox::{KeyKind, Recipient, SealOptions};

use super::support::{CHEAP, content, keyfile, options, phrase, sealed, secret, signing_key};
use super::vectors::folder;

/// What the reader says if it, or the machine, does not have what a file needs.
const ABSENT: i32 = 77;

fn read(path: &Path) -> Output {
    Command::new("python3")
        .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/reader.py"))
        .arg(path)
        .args(["--passphrase", &String::from_utf8_lossy(phrase().bytes())])
        .args(["--keyfile", "the content of a keyfile"])
        .args(["--secret", &"42".repeat(32)])
        .output()
        .expect("python3 starts")
}

/// Reads a file by the second reader; says whether it could.
fn same(path: &Path, genuine: &[u8]) -> bool {
    let output = read(path);
    let said = String::from_utf8_lossy(&output.stderr).trim().to_owned();
    let name = path.file_name().unwrap().display();
    if output.status.code() == Some(ABSENT) {
        println!("SKIPPED: {name} by the second reader: {said}");
        return false;
    }
    assert!(output.status.success(), "{name}: {said}");
    assert!(output.stdout == genuine, "{name} has another content");
    true
}

fn has_python() -> bool {
    let python = Command::new("python3").arg("--version").output();
    let there = python.is_ok_and(|output| output.status.success());
    if !there {
        println!("SKIPPED: the second reader: there is no python3");
    }
    there
}

#[test]
fn the_second_reader_reads_the_vectors() {
    if !has_python() {
        return;
    }
    let description = std::fs::read_to_string(folder().join("vectors.json")).unwrap();
    let description: serde_json::Value = serde_json::from_str(&description).unwrap();
    let vectors = description["vectors"].as_object().unwrap();
    let mut read = 0;
    for (name, length) in vectors {
        let length = length.as_u64().unwrap() as usize;
        let path = folder().join(format!("{name}.sbx"));
        read += usize::from(same(&path, &content(length)));
    }
    println!(
        "the second reader has read {read} of {} vectors",
        vectors.len()
    );
}

#[test]
fn the_second_reader_reads_fresh_files_and_refuses_damaged_ones() {
    if !has_python() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("fresh.sbx");
    let genuine = content(50_000);
    let seed = std::process::id() as u8;
    let sealing = SealOptions {
        recipients: vec![
            secret(KeyKind::Ssh).recipient(),
            Recipient::Passphrase(phrase(), Some(keyfile()), CHEAP),
        ],
        sender: Some(signing_key()),
        padded: true,
        ..options("aes-gcm+xchacha20")
    };
    let bytes = sealed(&genuine, &sealing, seed);
    std::fs::write(&path, &bytes).unwrap();
    if !same(&path, &genuine) {
        return;
    }
    for place in [
        9,
        20,
        600,
        bytes.len() / 2,
        bytes.len() - 50,
        bytes.len() - 1,
    ] {
        let mut changed = bytes.clone();
        changed[place] ^= 1;
        std::fs::write(&path, &changed).unwrap();
        let output = read(&path);
        assert!(
            !output.status.success() && output.stdout.is_empty(),
            "byte {place}"
        );
    }
    std::fs::write(&path, &bytes[..bytes.len() - 100]).unwrap();
    assert!(!read(&path).status.success());
}

/// Python's `cryptography` has C2SP's chunked encryption itself.
#[test]
fn the_payload_is_cobblestone() {
    if !has_python() {
        return;
    }
    let output = Command::new("python3")
        .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cobblestone.py"))
        .arg(folder().join("suite-aes-256-gcm.sbx"))
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .output()
        .expect("python3 starts");
    let said = String::from_utf8_lossy(&output.stderr).trim().to_owned();
    if output.status.code() == Some(ABSENT) {
        println!("SKIPPED: the payload by Python's Cobblestone-256: {said}");
        return;
    }
    assert!(output.status.success(), "{said}");
    assert!(output.stdout == content(17_000));
}
