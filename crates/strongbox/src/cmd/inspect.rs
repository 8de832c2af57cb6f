//! `strongbox inspect`.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use strongbox::{Head, Needs};

use super::Common;
use super::files::{self, Input};
use super::old::{self, OldOptions, Recognised};
use super::report::{Done, Failure};

/// Tell what a file is and who can open it; no key is needed.
///
/// Nothing that inspect says is verified: `strongbox verify` does that, with a key.
#[derive(clap::Args)]
pub(super) struct Inspect {
    /// The file; `-` is standard input.
    file: PathBuf,
}

impl Inspect {
    pub(super) fn run(&self, common: &Common) -> Result<Done, Failure> {
        let input = files::open_sealed(&self.file)?;
        let mut input = match old::recognise(&self.file, input, &OldOptions::default(), common)? {
            Recognised::Strongbox(input) => input,
            Recognised::Old(file, format) => {
                return old::inspect(&self.file, &file, format, common);
            }
        };
        let size = match &input {
            Input::File(_, size) => Some(*size),
            Input::Stream(_) => None,
        };
        let head = input.head(&self.file)?;
        Ok(describe(&self.file, &head, size))
    }
}

fn describe(path: &Path, head: &Head, size: Option<u64>) -> Done {
    let (header, room) = head.sizes();
    let flags = head.flags().names();
    let mut text = String::new();
    let mut row = |name: &str, value: &str| {
        let _ = writeln!(text, "{name:<11} {value}");
    };
    row("file", &path.display().to_string());
    row("format", "strongbox, version 1");
    row("suite", head.suite());
    row(
        "options",
        &if flags.is_empty() {
            "none".into()
        } else {
            flags.join(", ")
        },
    );
    let mut stanzas = Vec::new();
    for (number, need) in head.needs().iter().enumerate() {
        let (words, value) = need_of(need);
        row(&format!("recipient {number}"), &words);
        stanzas.push(value);
    }
    row(
        "metadata",
        &format!("{} bytes, encrypted", head.metadata_size()),
    );
    row("header", &format!("{header} bytes, {room} of them free"));
    if let Some(size) = size {
        row("size", &format!("{size} bytes"));
    }
    Done {
        json: json!({
            "format": "strongbox",
            "version": 1,
            "suite": head.suite(),
            "options": flags,
            "recipients": stanzas,
            "metadata": head.metadata_size(),
            "header": header,
            "room": room,
            "size": size,
        }),
        text,
        answer: true,
        taken: false,
    }
}

fn need_of(need: &Needs) -> (String, Value) {
    match need {
        Needs::Passphrase(costs, keyfile) => (
            format!(
                "a passphrase{}, Argon2id {costs}",
                if *keyfile { " with a keyfile" } else { "" }
            ),
            json!({
                "kind": "passphrase",
                "keyfile": keyfile,
                "memory": costs.memory,
                "passes": costs.passes,
                "lanes": costs.lanes,
            }),
        ),
        Needs::Keyfile => ("a keyfile".into(), json!({ "kind": "keyfile" })),
        Needs::Hybrid => (
            "a key of X25519 and ML-KEM-768".into(),
            json!({ "kind": "x25519-mlkem768" }),
        ),
        Needs::X25519 => ("a key of X25519".into(), json!({ "kind": "x25519" })),
        Needs::Ssh => (
            "an SSH key of Ed25519".into(),
            json!({ "kind": "ssh-ed25519" }),
        ),
        Needs::Unknown(kind) => (
            format!("of kind {kind}, which this version does not know"),
            json!({ "kind": kind }),
        ),
    }
}
