//! `strongbox verify`.

use std::path::PathBuf;

use serde_json::json;
use strongbox::{OpenOptions, text};

use super::Common;
use super::files::{self, Input};
use super::old::{self, OldOptions, Recognised};
use super::old_open::Opening;
use super::open::{metadata, progress, unlock};
use super::report::{Done, Failure};
use super::secrets::{Keys, senders};

/// Check that a file is complete and genuine; write nothing.
///
/// Files of other programs are checked as far as their format allows.
#[derive(clap::Args)]
pub(super) struct Verify {
    /// The file; `-` is standard input.
    file: PathBuf,
    #[command(flatten)]
    keys: Keys,
    /// Accept only files that one of these senders has signed: sbsign1….
    #[arg(long, value_name = "SENDER")]
    from: Vec<String>,
    #[command(flatten)]
    old: OldOptions,
}

impl Verify {
    pub(super) fn run(&self, common: &Common) -> Result<Done, Failure> {
        let path = &self.file;
        let at = |error| Failure::at(path, error);
        let input = files::open_sealed(path)?;
        let mut input = match old::recognise(path, input, &self.old, common)? {
            Recognised::Strongbox(input) => input,
            Recognised::Old(..) if !self.from.is_empty() => {
                return Err(Failure::usage(
                    "this is no strongbox: --from is not for other formats",
                ));
            }
            Recognised::Old(file, format) => {
                let opening = Opening {
                    path,
                    file: &file,
                    format,
                    // Nothing is written, so any length may be.
                    most: Some(u64::MAX),
                    keys: &self.keys,
                    options: &self.old,
                    common,
                };
                return opening.verify();
            }
        };
        let unlocked = unlock(input.head(path)?, &self.keys, path)?;
        let options = OpenOptions {
            threads: common.threads(),
            senders: senders(&self.from)?,
            ..OpenOptions::default()
        };
        let progress = progress(&input, common);
        let mut watch = |bytes| progress.add(bytes);
        let opened = match input {
            Input::File(file, _) => unlocked.verify(&file, &options, &mut watch),
            Input::Stream(mut stream) => {
                let mut sink = std::io::sink();
                unlocked.open_stream(&mut stream, &mut sink, &options, &mut watch)
            }
        };
        drop(progress);
        let opened = opened.map_err(at)?;
        let sender = opened.sender.as_ref().map(text::sender);
        let signed = match &sender {
            Some(sender) => format!("signed by {sender}"),
            None => "not signed".into(),
        };
        Ok(Done {
            text: format!("{}: complete and genuine, {signed}\n", path.display()),
            json: json!({
                "genuine": true,
                "length": opened.length,
                "sender": sender,
                "metadata": metadata(&unlocked),
            }),
            answer: true,
            taken: false,
        })
    }
}
