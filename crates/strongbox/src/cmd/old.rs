//! Files of other programs, by the crate `oldfiles`: how they are recognised and read, and what
//! they say without a key.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use oldfiles::{
    Derivation, Encoding, FcaCipher, Format, Limits, Parameters, PeaVolumes, Salt, Settings,
};
use serde_json::json;
use strongbox::Head;

use super::Common;
use super::files::Input;
use super::progress::{Counted, Progress};
use super::report::{Done, Failure};

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
    /// Take data that nothing authenticates: `openssl enc`, old ZIP encryption, old OpenPGP.
    #[arg(long)]
    accept_unauthenticated: bool,
    /// The encoding in which the passphrase was typed, of those that docs/old-files.md lists; by
    /// default all are tried.
    #[arg(long, value_name = "NAME", value_parser = encoding)]
    pub(super) passphrase_encoding: Option<Encoding>,
}

/// Reads the name of an encoding.
pub(super) fn encoding(name: &str) -> Result<Encoding, String> {
    Encoding::from_name(name).ok_or_else(|| {
        let names = Encoding::ALL.map(Encoding::name).join(", ");
        format!("known encodings are {names}")
    })
}

impl OldOptions {
    /// Returns the crate's settings. `plaintext` is the longest content in bytes, and `memory` the
    /// most memory of a key derivation in KiB, if the user has named them.
    pub(super) fn settings(&self, plaintext: Option<u64>, memory: Option<u64>) -> Settings {
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
        limits.plaintext = plaintext.unwrap_or(limits.plaintext);
        limits.memory = memory.map_or(limits.memory, |kib| kib.saturating_mul(1024));
        // Iterations that the user has named are no surprise.
        limits.iterations = limits.iterations.max(self.iterations.map_or(0, u64::from));
        Settings {
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
            encodings: self
                .passphrase_encoding
                .map_or_else(|| Encoding::ALL.to_vec(), |encoding| vec![encoding]),
        }
    }
}

/// What an input is.
pub(super) enum Recognised {
    /// A strongbox, or a format that nobody knows.
    Strongbox(Input),
    /// A file of another program.
    Old(File, Format),
}

/// Tells strongboxes and files of other programs apart. A stream of another program is copied into
/// a file without a name, because it is read more than once.
pub(super) fn recognise(
    path: &Path,
    mut input: Input,
    options: &OldOptions,
    common: &Common,
) -> Result<Recognised, Failure> {
    let at = |error: io::Error| Failure::at(path, error.into());
    let prefix = input.peek(oldfiles::PREFIX).map_err(at)?;
    if Head::identify(&prefix) {
        return Ok(Recognised::Strongbox(input));
    }
    let format = match &input {
        _ if options.no_salt => Some(Format::OpensslEnc),
        Input::File(file, _) => {
            let mut file: &File = file;
            let format = oldfiles::identify_file(&mut file);
            format.map_err(|error| Failure::old(path, error, None))?
        }
        Input::Stream(_) => oldfiles::identify(&prefix),
    };
    Ok(match (input, format) {
        (input, None) => Recognised::Strongbox(input),
        (Input::File(file, _), Some(format)) => Recognised::Old(file, format),
        (Input::Stream(inner), Some(format)) => {
            let mut file = tempfile::tempfile()?;
            let progress = Progress::new(None, common);
            let mut stream = Counted {
                inner,
                progress: &progress,
            };
            io::copy(&mut stream, &mut file).map_err(at)?;
            file.rewind()?;
            Recognised::Old(file, format)
        }
    })
}

/// The end of the name of an archive's first volume.
const FIRST_VOLUME: &str = ".000001.pea";

/// A file, or the volumes of an archive.
pub(super) enum Source<'a> {
    File(io::BufReader<Counted<'a, &'a File>>),
    Volumes(io::BufReader<Counted<'a, PeaVolumes<File>>>),
}

impl<'a> Source<'a> {
    /// If the file is the first volume of a PEA archive, the other volumes are looked for beside
    /// it.
    pub(super) fn new(
        path: &Path,
        file: &'a File,
        format: Format,
        progress: &'a Progress,
    ) -> Result<Self, Failure> {
        let name = path.as_os_str().as_bytes();
        let stem = name.len().checked_sub(FIRST_VOLUME.len());
        let stem = stem.map(|length| name.split_at(length));
        let stem = stem.filter(|(_, end)| end.eq_ignore_ascii_case(FIRST_VOLUME.as_bytes()));
        let (Some((stem, end)), Format::Pea) = (stem, format) else {
            let inner = Counted {
                inner: file,
                progress,
            };
            return Ok(Self::File(io::BufReader::new(inner)));
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
        let volumes = PeaVolumes::new(volumes);
        let inner = volumes.map_err(|error| Failure::old(path, error, Some(format)))?;
        Ok(Self::Volumes(io::BufReader::new(Counted {
            inner,
            progress,
        })))
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
pub(super) fn inspect(
    path: &Path,
    file: &File,
    format: Format,
    common: &Common,
) -> Result<Done, Failure> {
    let progress = Progress::new(Some(file.metadata()?.len()), common);
    let mut reader = Source::new(path, file, format, &progress)?;
    let summary = oldfiles::inspect(format, &mut reader, &Settings::default());
    let summary = summary.map_err(|error| Failure::old(path, error, Some(format)))?;
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
