//! Files of `openssl enc`, [ENC]: `Salted__`, 8 bytes of salt, ciphertext; in base64 with `-a`.
//!
//! The file records neither cipher nor key derivation, and nothing authenticates it. So the caller
//! says how it was made, or the parameters are guessed: all usual ones are tried, and those whose
//! padding is right are reported.
//!
//! - [ENC] openssl-enc(1), and `EVP_BytesToKey(3)`, OpenSSL 0.9.8 to 3.5
//!
//! [ENC]: https://docs.openssl.org/master/man1/openssl-enc/

mod ciphers;
mod guess;

use std::io::{BufReader, Read, Seek, SeekFrom};

use touchstone::dynamic::Hash;
use zeroize::Zeroizing;

use crate::base64;
use crate::derive::pbkdf2;
use crate::error::Error;
use crate::format::Format;
use crate::output::{Entry, Output, PIECE, Sink, read_full};
use crate::report::{Authentication, Report, Summary, Warning};
use crate::secrets::Secrets;
use crate::settings::{Derivation, Limits, Salt, Settings};

use ciphers::Decryption;
use guess::{Candidate, Probe};

const MAGIC: &[u8] = b"Salted__";
/// `Salted__` in base64.
const MAGIC_BASE64: &[u8] = b"U2FsdGVkX1";
const SALT: usize = 8;
/// OpenSSL 3.2's longest salt.
const LONGEST_SALT: usize = 16;

/// Whether a file begins as one with a salt, binary or base64.
pub(crate) fn identify(prefix: &[u8]) -> bool {
    prefix.starts_with(MAGIC) || is_base64(prefix)
}

fn is_base64(prefix: &[u8]) -> bool {
    prefix.trim_ascii_start().starts_with(MAGIC_BASE64)
}

/// The file from its start, without base64.
fn source<R: Read + Seek>(input: &mut R, base64: bool) -> Result<Box<dyn Read + '_>, Error> {
    input.seek(SeekFrom::Start(0))?;
    let buffered = BufReader::new(input);
    Ok(if base64 {
        Box::new(base64::Reader::new(buffered, b""))
    } else {
        Box::new(buffered)
    })
}

fn starts_as_base64<R: Read + Seek>(input: &mut R) -> Result<bool, Error> {
    input.seek(SeekFrom::Start(0))?;
    let mut prefix = [0; 64];
    let length = read_full(input, &mut prefix)?;
    Ok(is_base64(&prefix[..length]))
}

/// Reads the header, if there is one, and returns the salt.
fn read_salt(reader: &mut dyn Read, salt: &Salt) -> Result<Vec<u8>, Error> {
    let length = match salt {
        Salt::None => return Ok(Vec::new()),
        Salt::Known(salt) => return Ok(salt.clone()),
        Salt::InFile => SALT,
        Salt::InFileOf(length) => *length,
    };
    if !(1..=LONGEST_SALT).contains(&length) {
        return Err(Error::setting("a salt of openssl enc has 1 to 16 bytes"));
    }
    let mut magic = [0; MAGIC.len()];
    let read = read_full(reader, &mut magic)?;
    if magic != MAGIC {
        return Err(if read < magic.len() && MAGIC.starts_with(&magic[..read]) {
            Error::Truncated { part: "header" }
        } else {
            Error::OtherFormat {
                format: "openssl enc with a salt",
            }
        });
    }
    let mut salt = vec![0; length];
    reader
        .read_exact(&mut salt)
        .map_err(Error::reading("salt"))?;
    Ok(salt)
}

/// `EVP_BytesToKey` with one iteration: each digest hashes the digest before, the passphrase and
/// the salt.
fn bytes_to_key(
    digest: &str,
    secret: &[u8],
    salt: &[u8],
    length: usize,
) -> Result<Zeroizing<Vec<u8>>, Error> {
    let (name, size) = ciphers::digest(digest)?;
    let mut hash = Hash::new(name)?;
    let mut last = Zeroizing::new(vec![0; size]);
    let mut all = Zeroizing::new(Vec::with_capacity(length + size));
    while all.len() < length {
        if !all.is_empty() {
            hash.update(&last);
        }
        hash.update(secret);
        hash.update(salt);
        hash.finalize(&mut last)?;
        all.extend_from_slice(&last);
    }
    all.truncate(length);
    Ok(all)
}

/// Key and IV, one after the other.
fn derive(
    derivation: &Derivation,
    secret: &[u8],
    salt: &[u8],
    length: usize,
    limits: &Limits,
) -> Result<Zeroizing<Vec<u8>>, Error> {
    match derivation {
        Derivation::BytesToKey { digest } => {
            // The salt of EVP_BytesToKey is always 8 bytes.
            let salt = salt.get(..SALT).unwrap_or(salt);
            bytes_to_key(digest, secret, salt, length)
        }
        Derivation::Pbkdf2 { digest, iterations } => {
            if *iterations == 0 {
                return Err(Error::setting("PBKDF2 needs at least one iteration"));
            }
            let (name, _) = ciphers::digest(digest)?;
            pbkdf2(name, secret, salt, *iterations, length, limits)
        }
    }
}

fn describe(derivation: &Derivation) -> String {
    match derivation {
        Derivation::BytesToKey { digest } => format!("EVP_BytesToKey with {digest}"),
        Derivation::Pbkdf2 { digest, iterations } => {
            format!("PBKDF2 with {digest}, {iterations} iterations")
        }
    }
}

pub(crate) fn inspect<R: Read + Seek>(input: &mut R) -> Result<Summary, Error> {
    let base64 = starts_as_base64(input)?;
    let mut reader = source(input, base64)?;
    let salt = read_salt(&mut *reader, &Salt::InFile)?;
    let length = crate::output::drain(&mut *reader)?;
    let mut summary = Summary::new(Format::OpensslEnc);
    summary.fact("form", if base64 { "base64" } else { "binary" });
    summary.fact(
        "salt",
        salt.iter()
            .map(|byte| format!("{byte:02x}"))
            .collect::<String>(),
    );
    summary.fact("encrypted bytes", length);
    summary.fact("cipher", "not recorded");
    summary.fact("key derivation", "not recorded");
    summary.fact("authentication", "none");
    summary.fact("needs", "a passphrase");
    Ok(summary)
}

pub(crate) fn open<R: Read + Seek>(
    input: &mut R,
    output: &mut dyn Output,
    secrets: &Secrets,
    settings: &Settings,
) -> Result<Report, Error> {
    let parameters = &settings.openssl;
    let base64 = parameters.base64 || starts_as_base64(input)?;
    let (salt, probe) = {
        let mut reader = source(input, base64)?;
        let salt = read_salt(&mut *reader, &parameters.salt)?;
        (salt, Probe::read(&mut *reader)?)
    };
    if !settings.accept_unauthenticated {
        return Err(Error::Unauthenticated);
    }
    let phrases = secrets.candidates(&settings.encodings, usize::MAX);
    if phrases.is_empty() {
        return Err(Error::SecretMissing {
            needs: "a passphrase".to_owned(),
        });
    }
    let (best, others) = guess::find(&probe, parameters, &phrases, &salt, &settings.limits)?;
    let mut report = Report::new(Format::OpensslEnc);
    report.cipher.clone_from(&best.cipher);
    report.kdf = describe(&best.derivation);
    report.authentication = Authentication::No;
    report.warn(Warning::NotAuthenticated);
    if parameters.cipher.is_none() || parameters.derivation.is_none() {
        let all = std::iter::once(&best).chain(&others);
        report.warn(Warning::Guessed(all.map(Candidate::describe).collect()));
    }
    if let Some(encoding) = best.encoding {
        report.warn(Warning::Encoding(encoding.name()));
    }
    if let Derivation::BytesToKey { .. } = best.derivation {
        report.warn(Warning::FastKeyDerivation(describe(&best.derivation)));
    }
    let mut reader = source(input, base64)?;
    read_salt(&mut *reader, &parameters.salt)?;
    let mut sink = Sink::new(output, &settings.limits);
    sink.begin(&Entry::stream())?;
    let padded = best.choice.padded.filter(|_| !parameters.no_padding);
    decrypt(&mut *reader, best.start()?, padded, &mut sink)?;
    sink.end()?;
    report.written = sink.into_written();
    Ok(report)
}

/// Bytes of padding at the end of a plaintext; `None` if they are wrong.
fn padding(last: &[u8], block: usize) -> Option<usize> {
    let count = usize::from(*last.last()?);
    let bytes = last.len().checked_sub(count).map(|start| &last[start..])?;
    let right = (1..=block).contains(&count) && bytes.iter().all(|b| usize::from(*b) == count);
    right.then_some(count)
}

/// Decrypts to the end, one piece behind, because the last one has the padding.
fn decrypt(
    reader: &mut dyn Read,
    mut decryption: Decryption,
    padded: Option<usize>,
    sink: &mut Sink<'_>,
) -> Result<(), Error> {
    let mut piece = Zeroizing::new(vec![0; PIECE]);
    let mut next = Zeroizing::new(vec![0; PIECE]);
    let mut length = read_full(reader, &mut piece)?;
    while length > 0 {
        let following = read_full(reader, &mut next)?;
        let data = &mut piece[..length];
        decryption.apply(data).map_err(|_| Error::Changed)?;
        let mut end = length;
        if let Some(block) = padded.filter(|_| following == 0) {
            end -= padding(data, block).ok_or(Error::Changed)?;
        }
        sink.write(&data[..end])?;
        std::mem::swap(&mut piece, &mut next);
        length = following;
    }
    Ok(())
}
