//! Files of other programs, opened as strongboxes are: into a file or a folder that appears whole
//! or not at all.

use std::fs::{self, File};
use std::io::{self, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use oldfiles::{Authentication, Encoding, Entry, Format, Kind, Report, Secrets};
use serde_json::{Value, json};
use zeroize::Zeroizing;

use super::Common;
use super::files;
use super::old::{OldOptions, Source};
use super::output::{self, Output};
use super::progress::Progress;
use super::report::{Done, Failure};
use super::secrets::Keys;

/// A file of another program, and what its user has said about it.
pub(super) struct Opening<'a> {
    pub(super) path: &'a Path,
    pub(super) file: &'a File,
    pub(super) format: Format,
    /// The longest content in bytes, if it is named.
    pub(super) most: Option<u64>,
    pub(super) keys: &'a Keys,
    pub(super) options: &'a OldOptions,
    pub(super) common: &'a Common,
}

impl Opening<'_> {
    /// Opens the file into a path; standard output is `-`.
    pub(super) fn run(&self, output: Option<&Path>, force: bool) -> Result<Done, Failure> {
        let target = self.target(output)?;
        let folder = matches!(self.format, Format::Pea | Format::Zip);
        if let Some(target) = &target {
            output::check_free(target, force && !folder)?;
        } else if folder {
            return Err(Failure::usage("an archive needs a folder: use -o FOLDER"));
        }
        let secrets = self.secrets()?;
        let report = match &target {
            None => {
                let mut out = Stream(output::standard()?);
                self.open(&mut out, &secrets)?
            }
            Some(target) if folder => {
                let at = |error: io::Error| Failure::at(target, error.into());
                let temporary = output::temporary_folder(target).map_err(at)?;
                let mut tree = Tree {
                    root: temporary.path().to_owned(),
                    file: None,
                };
                let report = self.open(&mut tree, &secrets)?;
                output::rename_folder(temporary, target).map_err(at)?;
                report
            }
            Some(target) => {
                let output = Output::create(target, force)?;
                let mut stream = Stream(output.file().try_clone()?);
                let report = self.open(&mut stream, &secrets)?;
                output.finish(None)?;
                report
            }
        };
        let mut json = facts(&report);
        json["output"] = json!(target.as_ref().map(|path| path.display().to_string()));
        Ok(Done {
            text: warnings(&report),
            json,
            answer: false,
            taken: target.is_none(),
        })
    }

    /// Checks the file, and writes nothing.
    pub(super) fn verify(&self) -> Result<Done, Failure> {
        let report = self.open(&mut oldfiles::Nowhere, &self.secrets()?)?;
        let found = match report.authentication {
            Authentication::Yes => "complete and genuine",
            Authentication::Partly => {
                "complete; a part of the files is genuine, and of the others nobody can tell"
            }
            Authentication::Checksum => {
                "complete by its checksum, which finds accidents; nobody can tell whether it is genuine"
            }
            _ => "it can be opened; nobody can tell whether it is complete and genuine",
        };
        let mut json = facts(&report);
        json["genuine"] = json!(report.authentication == Authentication::Yes);
        Ok(Done {
            text: format!(
                "{}: {found} ({}, {})\n{}",
                self.path.display(),
                report.format,
                report.cipher,
                warnings(&report)
            ),
            json,
            answer: true,
            taken: false,
        })
    }

    fn open(
        &self,
        output: &mut dyn oldfiles::Output,
        secrets: &Secrets,
    ) -> Result<Report, Failure> {
        let settings = self.options.settings(self.most, self.keys.kdf_memory);
        let progress = Progress::new(Some(self.file.metadata()?.len()), self.common);
        let mut reader = Source::new(self.path, self.file, self.format, &progress)?;
        oldfiles::open(self.format, &mut reader, output, secrets, &settings)
            .map_err(|error| Failure::old(self.path, error, Some(self.format)))
    }

    /// The path of the result: without the extension that other programs give.
    fn target(&self, output: Option<&Path>) -> Result<Option<PathBuf>, Failure> {
        match output {
            Some(path) if files::is_standard(path) => return Ok(None),
            Some(path) => return Ok(Some(path.to_owned())),
            None if files::is_standard(self.path) => return Ok(None),
            None => {}
        }
        let usual = ["fca", "age", "pea", "enc", "gpg", "pgp", "asc", "zip"];
        let known = self
            .path
            .extension()
            .and_then(|extension| extension.to_str());
        if !known.is_some_and(|extension| usual.contains(&extension)) {
            return Err(Failure::usage(
                "the name of the result is not clear: use -o PATH",
            ));
        }
        let target = self.path.with_extension("");
        // The number of an archive's volume is no part of its name.
        if self.format == Format::Pea && target.extension().is_some_and(|end| end == "000001") {
            return Ok(Some(target.with_extension("")));
        }
        Ok(Some(target))
    }

    fn secrets(&self) -> Result<Secrets, Failure> {
        let mut secrets = Secrets {
            keyfile: self.keys.keyfile_content()?,
            ..Secrets::default()
        };
        for (path, text) in self.keys.identity_texts()? {
            let phrase = self.keys.passphrase.is_given().then(|| {
                self.keys
                    .passphrase
                    .get(&format!("Passphrase for {}", path.display()), false)
            });
            let phrase = phrase.transpose()?;
            let parsed =
                oldfiles::Identity::parse_file(&text, phrase.as_ref().map(|phrase| phrase.bytes()));
            secrets
                .identities
                .extend(parsed.map_err(|error| Failure::old(&path, error, None))?);
        }
        if secrets.identities.is_empty() {
            let prompt = format!("Passphrase for {}", self.path.display());
            let phrase = old_phrase(&self.keys.passphrase.get(&prompt, false)?);
            if let Some(encoding) = self.options.passphrase_encoding {
                encoded(&phrase, encoding)?;
            }
            secrets.passphrases.push(phrase);
        }
        Ok(secrets)
    }
}

/// Text is tried in several encodings by formats that have no rule for it.
pub(super) fn old_phrase(phrase: &strongbox::Passphrase) -> oldfiles::Passphrase {
    match std::str::from_utf8(phrase.bytes()) {
        Ok(text) => oldfiles::Passphrase::text(text),
        Err(_) => oldfiles::Passphrase::bytes(phrase.bytes()),
    }
}

/// Returns the bytes of a passphrase in an encoding.
pub(super) fn encoded(
    phrase: &oldfiles::Passphrase,
    encoding: Encoding,
) -> Result<Zeroizing<Vec<u8>>, Failure> {
    let bytes = match phrase {
        oldfiles::Passphrase::Text(text) => encoding.encode(text),
        oldfiles::Passphrase::Bytes(_) => {
            let text = "the passphrase is no text in UTF-8, so --passphrase-encoding has nothing \
                        to translate";
            return Err(Failure::usage(text));
        }
    };
    let lacks = || Failure::usage(format!("{encoding} lacks a letter of the passphrase"));
    bytes.ok_or_else(lacks)
}

fn warnings(report: &Report) -> String {
    let lines = report.warnings.iter();
    lines
        .map(|warning| format!("warning: {warning}\n"))
        .collect()
}

/// What was found in a file, for programs.
fn facts(report: &Report) -> Value {
    let authentication = match report.authentication {
        Authentication::Yes => "yes",
        Authentication::Partly => "partly",
        Authentication::Checksum => "checksum",
        _ => "no",
    };
    let warnings: Vec<String> = report.warnings.iter().map(ToString::to_string).collect();
    json!({
        "format": report.format.name(),
        "cipher": report.cipher,
        "kdf": report.kdf,
        "authenticated": authentication,
        "length": report.size(),
        "files": report.written.iter().filter_map(|file| file.name.clone()).collect::<Vec<_>>(),
        "warnings": warnings,
    })
}

/// Writes the one stream of a format to a file.
struct Stream(File);

impl oldfiles::Output for Stream {
    fn begin(&mut self, _: &Entry) -> io::Result<()> {
        super::signals::check().map_err(io::Error::other)
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        super::signals::check().map_err(io::Error::other)?;
        self.0.write_all(bytes)
    }

    fn end(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// Writes the files of an archive below a new folder. The crate's names never leave the folder.
struct Tree {
    root: PathBuf,
    file: Option<(File, Entry)>,
}

impl oldfiles::Output for Tree {
    fn begin(&mut self, entry: &Entry) -> io::Result<()> {
        super::signals::check().map_err(io::Error::other)?;
        let path = self.root.join(entry.name.as_deref().unwrap_or("content"));
        if entry.kind == Kind::Folder {
            return fs::create_dir_all(path);
        }
        fs::create_dir_all(output::folder_of(&path))?;
        self.file = Some((File::create_new(&path)?, entry.clone()));
        Ok(())
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        super::signals::check().map_err(io::Error::other)?;
        match &mut self.file {
            Some((file, _)) => file.write_all(bytes),
            None => Err(io::Error::other("a folder has no content")),
        }
    }

    fn end(&mut self) -> io::Result<()> {
        if let Some((file, entry)) = self.file.take() {
            let mode = entry.mode.unwrap_or(0o600) & 0o777;
            file.set_permissions(fs::Permissions::from_mode(mode))?;
            let time = entry
                .modified
                .and_then(|seconds| u64::try_from(seconds).ok());
            if let Some(seconds) = time {
                let time =
                    std::time::UNIX_EPOCH.checked_add(std::time::Duration::from_secs(seconds));
                if let Some(time) = time {
                    file.set_modified(time)?;
                }
            }
            file.sync_all()?;
        }
        Ok(())
    }
}
