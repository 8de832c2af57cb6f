//! ZIP archives with encrypted entries: WinZip's AES, [AE], and PKWARE's traditional encryption,
//! [APPNOTE] §6. The crate `zip` reads the container; ciphers and MACs are the library's.
//!
//! All AES entries are verified before the first one is written. Traditional encryption has no
//! authentication, and can be broken from a few known bytes.
//!
//! - [AE] WinZip Computing: AES Encryption Information, AE-1 and AE-2, 2009
//! - [APPNOTE] PKWARE: APPNOTE.TXT, .ZIP File Format Specification, 6.3
//!
//! [AE]: https://www.winzip.com/en/support/aes-encryption/
//! [APPNOTE]: https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT

mod aes;
mod directory;
mod traditional;

use std::io::{self, Read, Seek, SeekFrom};

use flate2::Crc;

use crate::error::Error;
use crate::format::Format;
use crate::inflate::Compression;
use crate::layer::Sealed;
use crate::name::relative;
use crate::output::{Entry, Kind, Nowhere, Output, Sink, drain};
use crate::report::{Authentication, Report, Summary, Warning};
use crate::secrets::Secrets;
use crate::settings::Settings;

use aes::Aes;
use directory::{Encryption, Item};
use traditional::Traditional;

/// Whether a file begins with an entry of a ZIP archive.
pub(crate) fn identify(prefix: &[u8]) -> bool {
    prefix.starts_with(b"PK\x03\x04")
}

/// Whether a file of any beginning ends as a ZIP archive: it has the end of a central directory.
/// Programs that extract themselves are such files.
pub(crate) fn ends_as_zip<R: Read + Seek>(input: &mut R) -> io::Result<bool> {
    /// The record's length and that of the longest comment after it.
    const LONGEST: u64 = 22 + 0xffff;
    let end = input.seek(SeekFrom::End(0))?;
    input.seek(SeekFrom::Start(end.saturating_sub(LONGEST)))?;
    let mut tail = Vec::new();
    input.by_ref().take(LONGEST).read_to_end(&mut tail)?;
    Ok(tail.windows(22).any(|record| {
        let comment = usize::from(record[20]) | usize::from(record[21]) << 8;
        let start = record.as_ptr() as usize - tail.as_ptr() as usize;
        record.starts_with(b"PK\x05\x06") && start + 22 + comment == tail.len()
    }))
}

pub(crate) fn inspect<R: Read + Seek>(
    input: &mut R,
    settings: &Settings,
) -> Result<Summary, Error> {
    let items = directory::read(input, &settings.limits)?;
    let mut summary = Summary::new(Format::Zip);
    summary.fact("entries", items.len());
    let mut kinds: Vec<String> = items
        .iter()
        .filter(|item| item.kind == Kind::File)
        .map(|item| item.encryption.describe())
        .collect();
    kinds.sort();
    kinds.dedup();
    for kind in kinds {
        summary.fact("encryption", kind);
    }
    summary.fact(
        "bytes of files",
        items
            .iter()
            .map(|item| item.size)
            .fold(0, u64::saturating_add),
    );
    if items.iter().any(|item| item.encryption != Encryption::None) {
        summary.fact("needs", "a passphrase");
    }
    Ok(summary)
}

/// An entry with the key that opens it.
enum Unlocked {
    Plain,
    Aes(Aes),
    Traditional(Traditional),
}

pub(crate) fn open<R: Read + Seek>(
    input: &mut R,
    output: &mut dyn Output,
    secrets: &Secrets,
    settings: &Settings,
) -> Result<Report, Error> {
    let items = directory::read(input, &settings.limits)?;
    if items.is_empty() {
        return Err(Error::malformed("ZIP archive: it contains no files"));
    }
    let names: Result<Vec<String>, Error> = items.iter().map(|item| relative(&item.name)).collect();
    let names = names?;
    let mut report = Report::new(Format::Zip);
    authentication(&items, settings, &mut report)?;
    // The first pass: every passphrase and every tag.
    let phrases = secrets.candidates(&settings.encodings, usize::MAX);
    let mut unlocked = Vec::new();
    for item in &items {
        let opened = match item.encryption {
            Encryption::None => Unlocked::Plain,
            Encryption::Aes { .. } => {
                let (aes, phrase) = Aes::unlock(input, item, &phrases, &settings.limits)?;
                if let Some(encoding) = phrase.encoding {
                    report.warn(Warning::Encoding(encoding.name()));
                }
                Unlocked::Aes(aes)
            }
            Encryption::Traditional => {
                Unlocked::Traditional(Traditional::unlock(input, item, &phrases)?)
            }
        };
        unlocked.push(opened);
    }
    // A pass that writes nothing checks lengths and CRC-32s, and the compressed data.
    let mut nowhere = Nowhere;
    for last in [false, true] {
        let to: &mut dyn Output = if last { &mut *output } else { &mut nowhere };
        let mut sink = Sink::new(to, &settings.limits);
        for ((item, name), unlocked) in items.iter().zip(&names).zip(&unlocked) {
            write(input, item, name, unlocked, &mut sink)?;
        }
        report.written = sink.into_written();
    }
    Ok(report)
}

/// Fills the report, and refuses data without authentication unless the caller accepts it.
fn authentication(items: &[Item], settings: &Settings, report: &mut Report) -> Result<(), Error> {
    let files = || items.iter().filter(|item| item.kind == Kind::File);
    let mut ciphers: Vec<String> = files().map(|item| item.encryption.describe()).collect();
    ciphers.sort();
    ciphers.dedup();
    report.cipher = ciphers.join("; ");
    let aes = |item: &Item| matches!(item.encryption, Encryption::Aes { .. });
    if files().any(aes) {
        report.kdf = aes::KDF.to_owned();
        report.warn(Warning::FastKeyDerivation(aes::KDF.to_owned()));
    }
    if files().any(|item| item.encryption == Encryption::Traditional) {
        report.warn(Warning::WeakCipher("ZIP's traditional encryption"));
    }
    report.warn(Warning::NamesNotAuthenticated);
    report.authentication = match (files().all(aes), files().any(aes)) {
        (true, _) => Authentication::Yes,
        (false, true) => Authentication::Partly,
        (false, false) => Authentication::Checksum,
    };
    if !files().all(aes) {
        report.warn(Warning::NotAuthenticated);
        if !settings.accept_unauthenticated {
            return Err(Error::Unauthenticated);
        }
    }
    Ok(())
}

fn write<R: Read + Seek>(
    input: &mut R,
    item: &Item,
    name: &str,
    unlocked: &Unlocked,
    sink: &mut Sink<'_>,
) -> Result<(), Error> {
    let entry = Entry {
        kind: item.kind,
        name: Some(name.to_owned()),
        size: Some(item.size),
        modified: None,
        mode: item.mode,
    };
    sink.begin(&entry)?;
    if item.kind == Kind::File {
        match unlocked {
            Unlocked::Plain => {
                input.seek(SeekFrom::Start(item.start))?;
                let mut stored = input.by_ref().take(item.stored);
                inflate(item, &mut stored, true, sink)?;
            }
            Unlocked::Aes(aes) => {
                let make = || aes.layer();
                let mut sealed: Sealed<'_, R> = aes.sealed(input, &make);
                let mut plaintext = sealed.plaintext()?;
                inflate(item, &mut plaintext, aes.has_crc(), sink)?;
                drain(&mut plaintext)?;
            }
            Unlocked::Traditional(cipher) => {
                let mut reader = cipher.reader(input, item)?;
                // One byte of check lets one wrong passphrase in 128 pass.
                inflate(item, &mut reader, true, sink).map_err(|error| match error {
                    Error::Damaged { .. } | Error::Malformed { .. } => Error::WrongSecretOrDamaged,
                    other => other,
                })?;
            }
        }
    }
    sink.end()
}

/// Decompresses one file, and checks its length and its CRC-32.
fn inflate(
    item: &Item,
    stored: &mut dyn Read,
    has_crc: bool,
    sink: &mut Sink<'_>,
) -> Result<(), Error> {
    let mut plain = Checked {
        inner: item.compression()?.reader(Box::new(stored)),
        crc: Crc::new(),
        length: 0,
    };
    sink.copy(&mut plain)?;
    if plain.length != item.size || has_crc && plain.crc.sum() != item.crc {
        return Err(Error::Damaged {
            part: "file in the archive (its length or CRC-32)",
        });
    }
    Ok(())
}

struct Checked<'a> {
    inner: Box<dyn Read + 'a>,
    crc: Crc,
    length: u64,
}

impl Read for Checked<'_> {
    fn read(&mut self, output: &mut [u8]) -> io::Result<usize> {
        let length = self.inner.read(output)?;
        self.crc.update(&output[..length]);
        self.length += length as u64;
        Ok(length)
    }
}

impl Item {
    fn compression(&self) -> Result<Compression, Error> {
        match self.method {
            0 => Ok(Compression::Stored),
            8 => Ok(Compression::Deflate),
            12 => Ok(Compression::Bzip2),
            other => Err(Error::unsupported(format!(
                "the compression method {} of ZIP",
                directory::method_name(other)
            ))),
        }
    }
}
