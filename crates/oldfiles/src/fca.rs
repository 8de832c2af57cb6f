//! FCA, FCA256 and FZCA, W. Ehrhardt's file encryption of 2004 to 2018, [WE].
//!
//! | offset | bytes | field |
//! |---|---|---|
//! | 0 | 1 | FC |
//! | 1 | 1 | A0 + flags: 1 EAX (else CTR with HMAC), 2 zlib, 4 keys of 256 bits |
//! | 2 | 12 | salt |
//! | 14 | 2 | verifier of the passphrase |
//! | 16 | n | ciphertext |
//! | 16 + n | 16 | tag |
//!
//! PBKDF2 with 1000 iterations of HMAC-SHA-1 (128 bits) or HMAC-Whirlpool (256 bits) gives the
//! cipher's key, a second secret of the same length, and the verifier. The second secret is the
//! nonce of EAX, or the key of HMAC over the ciphertext; CTR then starts at zero. Twin programs
//! with Twofish and Serpent write the same header.
//!
//! - [WE] the units `fcrypta`, `fcaes256`, `fcryptt`, `fctf256`, `fcrypts`, `fcsp256` and the
//!   programs `fca`, `fca256`, `fzca`, zlib licence
//!
//! [WE]: crate::FORMATS

mod seal;

pub use seal::{FcaMode, FcaOptions, seal_fca};

use std::io::{Read, Seek, SeekFrom};

use zeroize::Zeroizing;

use crate::derive::pbkdf2;
use crate::error::Error;
use crate::format::Format;
use crate::inflate::Compression;
use crate::layer::{CtrHmac, CtrHmacOf, Eax, Layer, Sealed, TAG};
use crate::output::{Entry, Output, Sink};
use crate::report::{Report, Summary, Warning};
use crate::secrets::{Candidate, Secrets};
use crate::settings::{FcaCipher, Limits, Settings};

/// The original programs take no more of a passphrase.
const LONGEST_PASSPHRASE: usize = 255;
const ITERATIONS: u32 = 1000;
const SALT: usize = 12;
const VERIFIER: usize = 2;
const HEADER: usize = 2 + SALT + VERIFIER;

const SIGNATURE: u8 = 0xfc;
const FLAGS: u8 = 0xa0;
const EAX: u8 = 1;
const ZLIB: u8 = 2;
const LONG_KEY: u8 = 4;

/// The first 16 bytes of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Header {
    flags: u8,
    salt: [u8; SALT],
    verifier: [u8; VERIFIER],
}

impl Header {
    fn parse(bytes: &[u8; HEADER]) -> Option<Self> {
        let [signature, flags, rest @ ..] = bytes;
        let known = FLAGS | EAX | ZLIB | LONG_KEY;
        if *signature != SIGNATURE || flags & 0xf0 != FLAGS || flags & !known != 0 {
            return None;
        }
        let (salt, verifier) = rest.split_at(SALT);
        Some(Self {
            flags: *flags,
            salt: salt.try_into().ok()?,
            verifier: verifier.try_into().ok()?,
        })
    }

    fn bytes(&self) -> [u8; HEADER] {
        let mut bytes = [0; HEADER];
        bytes[0] = SIGNATURE;
        bytes[1] = self.flags;
        bytes[2..2 + SALT].copy_from_slice(&self.salt);
        bytes[2 + SALT..].copy_from_slice(&self.verifier);
        bytes
    }

    fn has(&self, flag: u8) -> bool {
        self.flags & flag != 0
    }

    fn format(&self) -> Format {
        if self.has(ZLIB) {
            Format::Fzca
        } else if self.has(LONG_KEY) {
            Format::Fca256
        } else {
            Format::Fca
        }
    }

    fn key_bytes(&self) -> usize {
        if self.has(LONG_KEY) { 32 } else { 16 }
    }

    fn hash(&self) -> &'static str {
        if self.has(LONG_KEY) {
            "whirlpool"
        } else {
            "sha-1"
        }
    }

    /// The name of the cipher with the length of the key.
    fn cipher(&self, cipher: FcaCipher) -> String {
        format!("{cipher}-{}", 8 * self.key_bytes())
    }

    fn mode(&self) -> String {
        if self.has(EAX) {
            "eax".to_owned()
        } else {
            format!("ctr with hmac-{}", self.hash())
        }
    }

    fn kdf(&self) -> String {
        format!("pbkdf2-hmac-{}, {ITERATIONS} iterations", self.hash())
    }

    fn keys(&self, passphrase: &[u8], limits: &Limits) -> Result<Keys, Error> {
        let length = 2 * self.key_bytes() + VERIFIER;
        let bytes = pbkdf2(
            self.hash(),
            passphrase,
            &self.salt,
            ITERATIONS,
            length,
            limits,
        )?;
        Ok(Keys {
            half: self.key_bytes(),
            bytes,
        })
    }

    fn layer(&self, cipher: FcaCipher, keys: &Keys) -> Result<Box<dyn Layer>, Error> {
        let name = self.cipher(cipher);
        if self.has(EAX) {
            return Eax::make(&name, keys.cipher(), keys.second());
        }
        CtrHmac::make(&self.ctr_hmac(&name, keys))
    }

    fn ctr_hmac<'a>(&self, name: &'a str, keys: &'a Keys) -> CtrHmacOf<'a> {
        CtrHmacOf {
            cipher: name,
            key: keys.cipher(),
            first_counter: [0; 16],
            little_endian: false,
            hash: self.hash(),
            mac_key: keys.second(),
            tag: TAG,
        }
    }
}

/// What PBKDF2 gives.
struct Keys {
    half: usize,
    bytes: Zeroizing<Vec<u8>>,
}

impl Keys {
    fn cipher(&self) -> &[u8] {
        &self.bytes[..self.half]
    }

    /// The nonce of EAX or the key of HMAC.
    fn second(&self) -> &[u8] {
        &self.bytes[self.half..2 * self.half]
    }

    fn verifier(&self) -> &[u8] {
        &self.bytes[2 * self.half..]
    }
}

/// The format of a file that begins with these bytes, at least 16.
pub(crate) fn identify(prefix: &[u8]) -> Option<Format> {
    Some(Header::parse(prefix.first_chunk()?)?.format())
}

/// Reads the header, and returns it with the positions of the tag and of the end.
fn read_header<R: Read + Seek>(input: &mut R) -> Result<(Header, u64, u64), Error> {
    let end = input.seek(SeekFrom::End(0))?;
    input.seek(SeekFrom::Start(0))?;
    let mut bytes = [0; HEADER];
    input
        .read_exact(&mut bytes)
        .map_err(Error::reading("header"))?;
    let header = Header::parse(&bytes).ok_or(Error::OtherFormat { format: "FCA" })?;
    let tag = end
        .checked_sub(TAG as u64)
        .filter(|tag| *tag >= HEADER as u64)
        .ok_or(Error::Truncated { part: "tag" })?;
    Ok((header, tag, end))
}

pub(crate) fn inspect<R: Read + Seek>(input: &mut R) -> Result<Summary, Error> {
    let (header, tag, _) = read_header(input)?;
    let mut summary = Summary::new(header.format());
    summary.fact(
        "cipher",
        format!(
            "{}, or the twins with twofish or serpent; {}",
            header.cipher(FcaCipher::Aes),
            header.mode()
        ),
    );
    summary.fact("key derivation", header.kdf());
    summary.fact(
        "compression",
        if header.has(ZLIB) { "zlib" } else { "none" },
    );
    summary.fact("encrypted bytes", tag - HEADER as u64);
    summary.fact("needs", "a passphrase");
    Ok(summary)
}

pub(crate) fn open<R: Read + Seek>(
    input: &mut R,
    output: &mut dyn Output,
    secrets: &Secrets,
    settings: &Settings,
) -> Result<Report, Error> {
    let (header, tag_at, _) = read_header(input)?;
    input.seek(SeekFrom::Start(tag_at))?;
    let mut tag = vec![0; TAG];
    input.read_exact(&mut tag).map_err(Error::reading("tag"))?;
    let (candidate, keys) = unlock(input, &header, tag_at, &tag, secrets, settings)?;
    let cipher = settings.fca_cipher;
    let mut report = Report::new(header.format());
    report.cipher = format!("{}-{}", header.cipher(cipher), header.mode());
    report.kdf = header.kdf();
    if !header.has(EAX) {
        report.warn(Warning::CipherNotRecorded);
    }
    report.warn(Warning::HeaderNotAuthenticated);
    report.warn(Warning::FastKeyDerivation(header.kdf()));
    if let Some(encoding) = candidate.encoding {
        report.warn(Warning::Encoding(encoding.name()));
    }
    if candidate.cut {
        report.warn(Warning::PassphraseCut(LONGEST_PASSPHRASE));
    }
    let make = || header.layer(cipher, &keys);
    let mut sealed = Sealed {
        input,
        start: HEADER as u64,
        end: tag_at,
        tag,
        make: &make,
    };
    let compression = if header.has(ZLIB) {
        Compression::Zlib
    } else {
        Compression::Stored
    };
    let mut plaintext = sealed.plaintext()?;
    let mut sink = Sink::new(output, &settings.limits);
    sink.begin(&Entry::stream())?;
    sink.copy(&mut compression.reader(Box::new(&mut plaintext)))?;
    // Bytes may follow the end of the zlib stream; the tag covers them too.
    crate::output::drain(&mut plaintext)?;
    sink.end()?;
    report.written = sink.into_written();
    Ok(report)
}

/// Finds the passphrase that fits the verifier and the tag.
fn unlock<R: Read + Seek>(
    input: &mut R,
    header: &Header,
    tag_at: u64,
    tag: &[u8],
    secrets: &Secrets,
    settings: &Settings,
) -> Result<(Candidate, Keys), Error> {
    let candidates = secrets.candidates(&settings.encodings, LONGEST_PASSPHRASE);
    if candidates.is_empty() {
        return Err(Error::SecretMissing {
            needs: "a passphrase".to_owned(),
        });
    }
    let mut error = Error::WrongSecret;
    for candidate in candidates {
        let keys = header.keys(&candidate.bytes, &settings.limits)?;
        if !touchstone::constant_time_eq(keys.verifier(), &header.verifier) {
            continue;
        }
        let mut check = |cipher: FcaCipher| {
            let make = || header.layer(cipher, &keys);
            let mut sealed = Sealed {
                input: &mut *input,
                start: HEADER as u64,
                end: tag_at,
                tag: tag.to_vec(),
                make: &make,
            };
            sealed.verify()
        };
        match check(settings.fca_cipher) {
            Ok(()) => return Ok((candidate, keys)),
            Err(damaged @ Error::Damaged { .. }) => error = damaged,
            Err(other) => return Err(other),
        }
        // The tag of EAX depends on the cipher, so it tells a file of a twin program.
        if header.has(EAX) {
            for other in [FcaCipher::Aes, FcaCipher::Twofish, FcaCipher::Serpent] {
                if other != settings.fca_cipher && check(other).is_ok() {
                    return Err(Error::OtherCipher {
                        cipher: other.name(),
                    });
                }
            }
        }
    }
    Err(error)
}
