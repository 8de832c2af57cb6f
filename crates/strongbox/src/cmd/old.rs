//! Files of other programs, by the crate `oldfiles`: opened as strongboxes are, into a file or a
//! folder that appears whole or not at all.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use oldfiles::{
    Authentication, Derivation, Entry, FcaCipher, Format, Kind, Limits, Parameters, PeaVolumes,
    Report, Salt, Secrets, Settings,
};
use serde_json::json;

use super::files;
use super::output::{self, Output};
use super::report::{Done, Failure};
use super::secrets::Keys;

/// What files of other programs do not record.
#[derive(clap::Args, Default)]
#[command(next_help_heading = "Files of other programs (docs/old-files.md)")]
pub(super) struct OldOptions {
    /// The cipher that the file does not record: aes, twofish or serpent for FCA files; OpenSSL's
    /// name, such as aes-256-cbc, for `openssl enc`.
    #[arg(long, value_name = "NAME")]
    cipher: Option<String>,
    /// OpenSSL's digest (`openssl enc -md`).
    #[arg(long, value_name = "NAME")]
    digest: Option<String>,
    /// PBKDF2 with so many iterations (`openssl enc -pbkdf2 -iter`).
    #[arg(long, value_name = "N")]
    iterations: Option<u32>,
    /// The file of `openssl enc` has neither header nor salt (`-nosalt`), which no file tells.
    #[arg(long, requires = "cipher")]
    no_salt: bool,
    /// Write data that nothing authenticates: `openssl enc`, old ZIP encryption, old OpenPGP.
    #[arg(long)]
    accept_unauthenticated: bool,
}

impl OldOptions {
    fn settings(&self, most: u64) -> Result<Settings, Failure> {
        let fca_cipher = match self.cipher.as_deref() {
            Some("twofish") => FcaCipher::Twofish,
            Some("serpent") => FcaCipher::Serpent,
            _ => FcaCipher::Aes,
        };
        let digest = self.digest.clone().unwrap_or_else(|| "sha256".into());
        let derivation = match (self.iterations, &self.digest) {
            (Some(iterations), _) => Some(Derivation::Pbkdf2 { digest, iterations }),
            (None, Some(_)) => Some(Derivation::BytesToKey { digest }),
            (None, None) => None,
        };
        let mut limits = Limits::default();
        limits.plaintext = limits.plaintext.min(most);
        Ok(Settings {
            limits,
            fca_cipher,
            accept_unauthenticated: self.accept_unauthenticated,
            openssl: Parameters {
                cipher: self.cipher.clone().filter(|_| fca_cipher == FcaCipher::Aes),
                derivation,
                salt: if self.no_salt {
                    Salt::None
                } else {
                    Salt::InFile
                },
                ..Parameters::default()
            },
            ..Settings::default()
        })
    }
}

/// Names the format of a file that is no strongbox.
pub(super) fn identify(
    path: &Path,
    file: &File,
    options: &OldOptions,
) -> Result<Option<Format>, Failure> {
    if options.no_salt {
        return Ok(Some(Format::OpensslEnc));
    }
    let mut reader = file;
    oldfiles::identify_file(&mut reader).map_err(|error| Failure::old(path, error))
}

/// The end of the name of an archive's first volume.
const FIRST_VOLUME: &str = ".000001.pea";

/// A file, or the volumes of an archive.
enum Source<'a> {
    File(io::BufReader<&'a File>),
    Volumes(io::BufReader<PeaVolumes<File>>),
}

impl<'a> Source<'a> {
    /// If the file is the first volume of a PEA archive, the other volumes are looked for beside
    /// it.
    fn new(path: &Path, file: &'a File, format: Format) -> Result<Self, Failure> {
        let name = path.as_os_str().as_bytes();
        let stem = name.len().checked_sub(FIRST_VOLUME.len());
        let stem = stem.map(|length| name.split_at(length));
        let stem = stem.filter(|(_, end)| end.eq_ignore_ascii_case(FIRST_VOLUME.as_bytes()));
        let (Some((stem, end)), Format::Pea) = (stem, format) else {
            return Ok(Self::File(io::BufReader::new(file)));
        };
        let mut volumes = vec![file.try_clone()?];
        for number in 2.. {
            let extension = &end[FIRST_VOLUME.len() - 4..];
            let name = [stem, format!(".{number:06}").as_bytes(), extension].concat();
            let next = PathBuf::from(OsString::from_vec(name));
            match File::open(&next) {
                Ok(volume) => volumes.push(volume),
                Err(error) if error.kind() == io::ErrorKind::NotFound => break,
                Err(error) => return Err(Failure::at(&next, error.into())),
            }
        }
        let volumes = PeaVolumes::new(volumes).map_err(|error| Failure::old(path, error))?;
        Ok(Self::Volumes(io::BufReader::new(volumes)))
    }
}

impl Read for Source<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::File(file) => file.read(buffer),
            Self::Volumes(volumes) => volumes.read(buffer),
        }
    }
}

impl Seek for Source<'_> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        match self {
            Self::File(file) => file.seek(to),
            Self::Volumes(volumes) => volumes.seek(to),
        }
    }
}

/// Tells what a file says without any key.
pub(super) fn inspect(path: &Path, file: &File, format: Format) -> Result<Done, Failure> {
    let mut reader = Source::new(path, file, format)?;
    let summary = oldfiles::inspect(format, &mut reader, &Settings::default());
    let summary = summary.map_err(|error| Failure::old(path, error))?;
    let mut rows = vec![
        ("file", path.display().to_string()),
        ("format", format.to_string()),
    ];
    rows.extend(summary.facts);
    let facts: serde_json::Map<_, _> = rows
        .iter()
        .skip(2)
        .map(|(name, value)| ((*name).to_owned(), json!(value)))
        .collect();
    Ok(Done {
        text: rows
            .iter()
            .map(|(name, value)| format!("{name:<11} {value}\n"))
            .collect(),
        json: json!({ "format": format.name(), "facts": facts }),
        answer: true,
        taken: false,
    })
}

/// How a file of another program is opened.
pub(super) struct Opening<'a> {
    pub(super) path: &'a Path,
    pub(super) format: Format,
    /// The path of the result; standard output is `-`.
    pub(super) output: Option<&'a Path>,
    pub(super) force: bool,
    pub(super) most: u64,
    pub(super) keys: &'a Keys,
    pub(super) options: &'a OldOptions,
}

impl Opening<'_> {
    pub(super) fn run(&self, file: &File) -> Result<Done, Failure> {
        let settings = self.options.settings(self.most)?;
        let target = self.target()?;
        let folder = matches!(self.format, Format::Pea | Format::Zip);
        if let Some(target) = &target {
            output::check_free(target, self.force && !folder)?;
        } else if folder {
            return Err(Failure::usage("an archive needs a folder: use -o FOLDER"));
        }
        let secrets = self.secrets()?;
        let report = match &target {
            None => {
                let mut out = Stream(output::standard()?);
                self.open(file, &mut out, &secrets, &settings)?
            }
            Some(target) if folder => {
                let at = |error: io::Error| Failure::at(target, error.into());
                let temporary = output::temporary_folder(target).map_err(at)?;
                let mut tree = Tree {
                    root: temporary.path().to_owned(),
                    file: None,
                };
                let report = self.open(file, &mut tree, &secrets, &settings)?;
                output::rename_folder(temporary, target).map_err(at)?;
                report
            }
            Some(target) => {
                let output = Output::create(target, self.force)?;
                let mut stream = Stream(output.file().try_clone()?);
                let report = self.open(file, &mut stream, &secrets, &settings)?;
                output.finish(None)?;
                report
            }
        };
        Ok(done(&report, target))
    }

    fn open(
        &self,
        file: &File,
        output: &mut dyn oldfiles::Output,
        secrets: &Secrets,
        settings: &Settings,
    ) -> Result<Report, Failure> {
        let mut reader = Source::new(self.path, file, self.format)?;
        oldfiles::open(self.format, &mut reader, output, secrets, settings)
            .map_err(|error| Failure::old(self.path, error))
    }

    /// The path of the result: without the extension that other programs give.
    fn target(&self) -> Result<Option<PathBuf>, Failure> {
        match self.output {
            Some(path) if files::is_standard(path) => return Ok(None),
            Some(path) => return Ok(Some(path.to_owned())),
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
                .extend(parsed.map_err(|error| Failure::old(&path, error))?);
        }
        if secrets.identities.is_empty() {
            let prompt = format!("Passphrase for {}", self.path.display());
            let phrase = self.keys.passphrase.get(&prompt, false)?;
            secrets.passphrases.push(old_phrase(&phrase));
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

fn done(report: &Report, target: Option<PathBuf>) -> Done {
    let authentication = match report.authentication {
        Authentication::Yes => "yes",
        Authentication::Partly => "partly",
        Authentication::Checksum => "checksum",
        _ => "no",
    };
    let warnings: Vec<String> = report.warnings.iter().map(ToString::to_string).collect();
    Done {
        text: warnings
            .iter()
            .map(|warning| format!("warning: {warning}\n"))
            .collect(),
        json: json!({
            "output": target.as_ref().map(|path| path.display().to_string()),
            "format": report.format.name(),
            "cipher": report.cipher,
            "kdf": report.kdf,
            "authenticated": authentication,
            "length": report.size(),
            "files": report.written.iter().filter_map(|file| file.name.clone()).collect::<Vec<_>>(),
            "warnings": warnings,
        }),
        answer: false,
        taken: target.is_none(),
    }
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
