//! PEA, the archive format of PeaZip, version 1, [PEA]. Only extraction.
//!
//! | bytes | content |
//! |---|---|
//! | 10 | EA, version, revision, check of volumes, 0, system, dates, characters, processor, cost |
//! | 10 | 00 00 `POD` 00, compression, 0, algorithm of the stream, check of objects |
//! | 16 (48) | 00 00, salt, verifier; three times for cascades |
//! | n | objects, encrypted |
//! | 16 (48) | tag |
//! | 0–64 | check of the volume |
//!
//! The passphrase, the first 22 bytes and the keyfile together go into PBKDF2, so the headers
//! cannot be changed. The keys then follow as in FCA; cascades have three ciphers with three keys.
//! PeaZip extracts while it decrypts, and reports forgery after it has written; this crate checks
//! the tag first.
//!
//! - [PEA] G. Tani: the units `pea_utils` and `unit_pea` of PeaZip 10, LGPL (facts alone are
//!   taken); W. Ehrhardt's units, which it calls, zlib licence
//!
//! [PEA]: https://peazip.github.io/peazip-help.html

mod algorithm;
mod objects;
mod volumes;

pub use volumes::PeaVolumes;

use std::io::{Read, Seek, SeekFrom};

use zeroize::Zeroizing;

use crate::derive::pbkdf2;
use crate::error::Error;
use crate::format::Format;
use crate::layer::{Cascade, CtrHmac, CtrHmacOf, Eax, Layer, Sealed, TAG};
use crate::output::{Nowhere, Output, Sink};
use crate::report::{Authentication, Report, Summary, Warning};
use crate::secrets::{Candidate, Secrets};
use crate::settings::{Limits, Settings};

use algorithm::{Check, Checked, Stream};

const HEADERS: usize = 20;
const SUBHEADER: usize = 16;
const SALT: usize = 12;
const VERIFIER: usize = 2;
/// Bytes of a keyfile that count.
const KEYFILE: usize = 2048;
/// PeaZip counts the bytes of passphrase, headers and keyfile in 16 bits.
const LONGEST_PASSPHRASE: usize = 0xffff - KEYFILE - HEADERS - 2;

/// Whether a file begins as an archive.
pub(crate) fn identify(prefix: &[u8]) -> bool {
    prefix.starts_with(&[0xea, 1]) && prefix.get(10..16) == Some(b"\0\0POD\0")
}

/// The two headers.
struct Header {
    bytes: [u8; HEADERS],
    stream: Stream,
    compressed: bool,
    /// Bytes of the check of the volume and of each object.
    volume: u64,
    object: usize,
    /// The cost of cascades.
    cost: u8,
}

impl Header {
    fn read<R: Read + Seek>(input: &mut R) -> Result<Self, Error> {
        input.seek(SeekFrom::Start(0))?;
        let mut bytes = [0; HEADERS];
        input
            .read_exact(&mut bytes)
            .map_err(Error::reading("header"))?;
        if bytes[0] != 0xea || bytes[10..16] != *b"\0\0POD\0" {
            return Err(Error::OtherFormat { format: "PEA" });
        }
        if bytes[1] != 1 {
            return Err(Error::unsupported(format!("version {} of PEA", bytes[1])));
        }
        if bytes[16] > 3 {
            return Err(Error::unsupported(format!(
                "compression {} of PEA",
                bytes[16]
            )));
        }
        Ok(Self {
            stream: Stream::find(bytes[18])?,
            compressed: bytes[16] != 0,
            volume: Check::find(bytes[3])?.length() as u64,
            object: Check::find(bytes[19])?.length(),
            cost: bytes[9],
            bytes,
        })
    }

    /// The place of the encrypted data and of the tag, in a file with `end` bytes.
    fn places(&self, end: u64) -> Result<(u64, u64), Error> {
        let start = (HEADERS + SUBHEADER * self.stream.ciphers().len()) as u64;
        let tag = end
            .checked_sub(self.volume + self.stream.tag() as u64)
            .filter(|tag| *tag >= start)
            .ok_or(Error::Truncated { part: "archive" })?;
        Ok((start, tag))
    }
}

pub(crate) fn inspect<R: Read + Seek>(input: &mut R) -> Result<Summary, Error> {
    let header = Header::read(input)?;
    let end = input.seek(SeekFrom::End(0))?;
    let (start, tag) = header.places(end)?;
    let mut summary = Summary::new(Format::Pea);
    summary.fact("revision", header.bytes[2]);
    summary.fact("encryption", header.stream.describe());
    if header.stream.is_encrypted() {
        summary.fact("key derivation", header.stream.kdf(header.cost));
        summary.fact("needs", "a passphrase, and the keyfile if there was one");
    }
    let compression = if header.compressed { "zlib" } else { "none" };
    summary.fact("compression", compression);
    summary.fact("bytes of data", tag - start);
    Ok(summary)
}

pub(crate) fn open<R: Read + Seek>(
    input: &mut R,
    output: &mut dyn Output,
    secrets: &Secrets,
    settings: &Settings,
) -> Result<Report, Error> {
    let header = Header::read(input)?;
    let end = input.seek(SeekFrom::End(0))?;
    let (start, tag_at) = header.places(end)?;
    input.seek(SeekFrom::Start(HEADERS as u64))?;
    let mut subheaders = vec![0; SUBHEADER * header.stream.ciphers().len()];
    input
        .read_exact(&mut subheaders)
        .map_err(Error::reading("header"))?;
    input.seek(SeekFrom::Start(tag_at))?;
    let mut tag = vec![0; header.stream.tag()];
    input.read_exact(&mut tag).map_err(Error::reading("tag"))?;
    let mut report = Report::new(Format::Pea);
    report.cipher = header.stream.describe();
    let place = Place { start, tag_at, tag };
    let keys = if header.stream.is_encrypted() {
        report.kdf = header.stream.kdf(header.cost);
        unlock(
            input,
            &header,
            &subheaders,
            &place,
            secrets,
            settings,
            &mut report,
        )?
    } else {
        let checked = header.stream.check().is_some_and(Check::is_some);
        report.authentication = if checked {
            Authentication::Checksum
        } else {
            Authentication::No
        };
        report.warn(Warning::NotAuthenticated);
        if !settings.accept_unauthenticated {
            return Err(Error::Unauthenticated);
        }
        let make = || layer(&header, &[]);
        place.sealed(input, &make).verify()?;
        Vec::new()
    };
    let make = || layer(&header, &keys);
    // A pass that writes nothing, so that an archive with a hostile name writes nothing.
    let mut nowhere = Nowhere;
    for last in [false, true] {
        let to: &mut dyn Output = if last { &mut *output } else { &mut nowhere };
        let mut sink = Sink::new(to, &settings.limits);
        let mut sealed = place.sealed(input, &make);
        let mut plaintext = sealed.plaintext()?;
        objects::write(&mut plaintext, &header, &mut sink)?;
        report.written = sink.into_written();
    }
    Ok(report)
}

/// Where the data and its tag are.
struct Place {
    start: u64,
    tag_at: u64,
    tag: Vec<u8>,
}

impl Place {
    fn sealed<'a, R>(&self, input: &'a mut R, make: &'a crate::layer::Make<'a>) -> Sealed<'a, R> {
        Sealed {
            input,
            start: self.start,
            end: self.tag_at,
            tag: self.tag.clone(),
            make,
        }
    }
}

/// What PBKDF2 gives for one cipher: key, second secret, verifier.
struct Keys {
    half: usize,
    bytes: Zeroizing<Vec<u8>>,
}

impl Keys {
    fn cipher(&self) -> &[u8] {
        &self.bytes[..self.half]
    }

    fn second(&self) -> &[u8] {
        &self.bytes[self.half..2 * self.half]
    }

    fn verifier(&self) -> [u8; VERIFIER] {
        [self.bytes[2 * self.half], self.bytes[2 * self.half + 1]]
    }
}

/// The passphrase, the beginning of the file and the keyfile, one after the other.
fn secret(header: &Header, phrase: &Candidate, keyfile: Option<&[u8]>) -> Zeroizing<Vec<u8>> {
    let keyfile = keyfile.unwrap_or_default();
    let keyfile = &keyfile[..keyfile.len().min(KEYFILE)];
    Zeroizing::new([phrase.bytes.as_slice(), &header.bytes, &[0, 0], keyfile].concat())
}

/// The keys of all ciphers, and whether the verifier fits.
fn derive(
    header: &Header,
    subheaders: &[u8],
    secret: &[u8],
    limits: &Limits,
) -> Result<(Vec<Keys>, bool), Error> {
    let mut all = Vec::new();
    let (mut made, mut stored) = ([0; VERIFIER], [0; VERIFIER]);
    let ciphers = header.stream.ciphers();
    for (place, (cipher, subheader)) in ciphers
        .iter()
        .zip(subheaders.chunks_exact(SUBHEADER))
        .enumerate()
    {
        let salt = &subheader[2..2 + SALT];
        // The verifier of the last one is that of all together; the others are zero.
        stored.copy_from_slice(&subheader[2 + SALT..]);
        let masked = algorithm::mask(secret, place, cipher);
        let half = header.stream.key();
        let (hash, iterations) = header.stream.hash(cipher, header.cost);
        let bytes = pbkdf2(hash, &masked, salt, iterations, 2 * half + VERIFIER, limits)?;
        let keys = Keys { half, bytes };
        for (sum, byte) in made.iter_mut().zip(keys.verifier()) {
            *sum ^= byte;
        }
        all.push(keys);
    }
    let fits = touchstone::constant_time_eq(&made, &stored);
    Ok((all, fits))
}

fn layer(header: &Header, keys: &[Keys]) -> Result<Box<dyn Layer>, Error> {
    let bits = 8 * header.stream.key();
    let names: Vec<String> = header
        .stream
        .ciphers()
        .iter()
        .map(|cipher| format!("{cipher}-{bits}"))
        .collect();
    match (&names[..], keys) {
        ([name], [keys]) if header.stream.is_hmac() => CtrHmac::make(&CtrHmacOf {
            cipher: name,
            key: keys.cipher(),
            first_counter: [0; 16],
            little_endian: false,
            hash: "sha-1",
            mac_key: keys.second(),
            tag: TAG,
        }),
        ([name], [keys]) => Eax::make(name, keys.cipher(), keys.second()),
        ([], _) => Checked::make(header.stream.check(), &header.bytes),
        _ => {
            let layers: Vec<_> = names
                .into_iter()
                .zip(keys)
                .map(|(name, keys)| (name, keys.cipher(), keys.second()))
                .collect();
            Cascade::make(&layers)
        }
    }
}

/// Finds the passphrase that fits the verifier and the tag.
fn unlock<R: Read + Seek>(
    input: &mut R,
    header: &Header,
    subheaders: &[u8],
    place: &Place,
    secrets: &Secrets,
    settings: &Settings,
    report: &mut Report,
) -> Result<Vec<Keys>, Error> {
    let candidates = secrets.candidates(&settings.encodings, LONGEST_PASSPHRASE);
    if candidates.is_empty() {
        return Err(Error::SecretMissing {
            needs: "a passphrase".to_owned(),
        });
    }
    let keyfile = secrets.keyfile.as_ref().map(|keyfile| keyfile.as_slice());
    let mut error = Error::WrongSecret;
    for phrase in candidates {
        let secret = secret(header, &phrase, keyfile);
        let (keys, fits) = derive(header, subheaders, &secret, &settings.limits)?;
        if !fits {
            continue;
        }
        let make = || layer(header, &keys);
        match place.sealed(input, &make).verify() {
            Ok(()) => {
                if let Some(encoding) = phrase.encoding {
                    report.warn(Warning::Encoding(encoding.name()));
                }
                if !header.stream.is_cascade() {
                    report.warn(Warning::FastKeyDerivation(report.kdf.clone()));
                }
                return Ok(keys);
            }
            Err(damaged @ Error::Damaged { .. }) => error = damaged,
            Err(other) => return Err(other),
        }
    }
    Err(error)
}
