//! The test vectors in `tests/vectors`: their bytes follow from seeds, so they also show that
//! nothing of the format has changed.

use std::fs;
use std::path::PathBuf;

use serde_json::{Value, json};
use strongbox::{KeyKind, Metadata, Recipient, SUITES, SealOptions, text};

use super::support::{
    CHEAP, content, keyfile, open_at, options, phrase, sealed, secret, signing_key,
};

pub(crate) fn folder() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/vectors"))
}

/// The names of the vectors, their contents' lengths and their options.
fn all() -> Vec<(String, usize, SealOptions)> {
    let mut all = Vec::new();
    for length in [0, 1, 16383, 16384, 16385] {
        all.push((format!("length-{length}"), length, options("aes-256-gcm")));
    }
    for suite in SUITES {
        let name = suite.name.replace('+', "-and-");
        all.push((format!("suite-{name}"), 17_000, options(suite.name)));
    }
    let base = || options("aes-256-gcm");
    let with = |recipients| SealOptions {
        recipients,
        ..base()
    };
    let phrase_alone = Recipient::Passphrase(phrase(), None, CHEAP);
    let phrase_and_file = Recipient::Passphrase(phrase(), Some(keyfile()), CHEAP);
    all.push(("passphrase".into(), 100, with(vec![phrase_alone.clone()])));
    all.push((
        "passphrase-keyfile".into(),
        100,
        with(vec![phrase_and_file]),
    ));
    for (name, kind) in [
        ("hybrid", KeyKind::Hybrid),
        ("x25519", KeyKind::X25519),
        ("ssh", KeyKind::Ssh),
    ] {
        all.push((name.into(), 100, with(vec![secret(kind).recipient()])));
    }
    let several = vec![
        secret(KeyKind::X25519).recipient(),
        phrase_alone,
        Recipient::Keyfile(keyfile()),
    ];
    all.push(("several".into(), 100, with(several)));
    let metadata = Metadata {
        name: Some(b"letter.txt".to_vec()),
        modified: Some((1_700_000_000, 5)),
        mode: Some(0o644),
    };
    all.push(("metadata".into(), 100, SealOptions { metadata, ..base() }));
    all.push((
        "padded".into(),
        20_000,
        SealOptions {
            padded: true,
            ..base()
        },
    ));
    all.push((
        "zstd".into(),
        20_000,
        SealOptions {
            zstd: Some(3),
            ..base()
        },
    ));
    let sender = Some(signing_key());
    all.push(("signed".into(), 20_000, SealOptions { sender, ..base() }));
    all
}

/// What a reader needs beside the files.
fn description() -> Value {
    let vectors: serde_json::Map<String, Value> = all()
        .into_iter()
        .map(|(name, length, _)| (name, json!(length)))
        .collect();
    json!({
        "content": "byte number i of a content is i modulo 251",
        "passphrase": String::from_utf8_lossy(phrase().bytes()),
        "keyfile": "the content of a keyfile",
        "secret": "42".repeat(32),
        "sender": text::sender(&signing_key().sender()),
        "vectors": vectors,
    })
}

#[test]
fn the_vectors_are_what_the_library_writes_and_reads() {
    let write = std::env::var_os("STRONGBOX_WRITE_VECTORS").is_some();
    let mut names = vec!["vectors.json".to_owned()];
    for (number, (name, length, options)) in all().into_iter().enumerate() {
        let bytes = sealed(&content(length), &options, number as u8);
        let path = folder().join(format!("{name}.sbx"));
        if write {
            fs::write(&path, &bytes).unwrap();
        }
        let stored = fs::read(&path).unwrap();
        // zstd's bytes may differ between its releases; its content may not.
        assert!(
            stored == bytes || options.zstd.is_some(),
            "{name} has other bytes"
        );
        let (output, opened) = open_at(&stored, 2);
        opened.unwrap();
        assert!(output == content(length), "{name}");
        names.push(format!("{name}.sbx"));
    }
    let path = folder().join("vectors.json");
    let text = serde_json::to_string_pretty(&description()).unwrap() + "\n";
    if write {
        fs::write(&path, &text).unwrap();
    }
    assert_eq!(fs::read_to_string(&path).unwrap(), text);
    let files = fs::read_dir(folder()).unwrap();
    let mut files: Vec<String> = files
        .map(|file| file.unwrap().file_name().into_string().unwrap())
        .collect();
    files.sort();
    names.sort();
    assert_eq!(files, names);
}
