//! OpenPGP messages that a passphrase opens, as `gpg -c` makes them, [RFC9580], [RFC4880],
//! [LIBREPGP].
//!
//! | file | content |
//! |---|---|
//! | `packet` | packets and their lengths |
//! | `algorithm` | ciphers and hash functions by their numbers |
//! | `session` | from the passphrase to the session key |
//! | `cfb` | encrypted data with a modification detection code, and without |
//! | `chunks` | encrypted data with an AEAD |
//! | `message` | compressed and literal data |
//!
//! The first pass checks the modification detection code or all tags, the second one writes.
//!
//! - [RFC9580] OpenPGP, RFC 9580, 2024
//! - [RFC4880] OpenPGP Message Format, RFC 4880, 2007
//! - [LIBREPGP] W. Koch and others: LibrePGP, draft-koch-librepgp: GnuPG's packets 20 and version 5
//!
//! [RFC9580]: https://www.rfc-editor.org/rfc/rfc9580
//! [RFC4880]: https://www.rfc-editor.org/rfc/rfc4880
//! [LIBREPGP]: https://datatracker.ietf.org/doc/draft-koch-librepgp/

mod algorithm;
mod cfb;
mod chunks;
mod message;
mod packet;
mod session;

use std::io::{BufRead, BufReader, Read, Seek, SeekFrom};

use crate::base64;
use crate::error::Error;
use crate::format::Format;
use crate::output::{Output, Sink, drain};
use crate::report::{Authentication, Report, Summary, Warning};
use crate::secrets::Secrets;
use crate::settings::Settings;

use packet::{Body, Head, tag};
use session::{Locked, SessionKey};

const ARMOR: &[u8] = b"-----BEGIN PGP MESSAGE-----";
/// Packets before the encrypted data: one for each passphrase and each recipient.
const MOST_KEYS: usize = 64;
/// Bytes of a line of armor, and lines of its headers.
const LONGEST_LINE: u64 = 1000;
const MOST_LINES: usize = 100;

fn is_armored(prefix: &[u8]) -> bool {
    prefix.trim_ascii_start().starts_with(ARMOR)
}

/// Whether a file begins as an encrypted message.
pub(crate) fn identify(prefix: &[u8]) -> bool {
    if is_armored(prefix) {
        return true;
    }
    let mut rest = prefix;
    let Ok(Some(head)) = Head::read(&mut rest) else {
        return false;
    };
    let version = rest.first().copied().unwrap_or_default();
    match head.tag {
        tag::PASSPHRASE => {
            let s2k = rest.get(2).copied().unwrap_or_default();
            version == 4 && matches!(s2k, 0 | 1 | 3 | 4) || matches!(version, 5 | 6)
        }
        tag::RECIPIENT => matches!(version, 2 | 3 | 6),
        tag::PROTECTED => matches!(version, 1 | 2),
        tag::AEAD => version == 1,
        // A packet without a version: only its form tells, so other files could look like it.
        tag::ENCRYPTED => false,
        tag::MARKER => rest.starts_with(b"PGP"),
        _ => false,
    }
}

/// The message from its start, without its armor.
fn source<R: Read + Seek>(input: &mut R) -> Result<Box<dyn Read + '_>, Error> {
    input.seek(SeekFrom::Start(0))?;
    let mut buffered = BufReader::new(input);
    if !is_armored(buffered.fill_buf()?) {
        return Ok(Box::new(buffered));
    }
    // Headers end with an empty line.
    let mut begun = false;
    for _ in 0..MOST_LINES {
        let mut line = Vec::new();
        (&mut buffered)
            .take(LONGEST_LINE)
            .read_until(b'\n', &mut line)?;
        if line.is_empty() {
            return Err(Error::Truncated { part: "armor" });
        }
        let line = line.trim_ascii();
        if begun && line.is_empty() {
            // The checksum begins with =, the last line with -. Both end the data, and the
            // checksum shows nothing that the message's own check does not show.
            return Ok(Box::new(base64::Reader::new(buffered, b"=-")));
        }
        begun |= line == ARMOR;
    }
    Err(Error::malformed("armor: its headers have no end"))
}

/// The packets before the encrypted data.
struct Before {
    locked: Vec<Locked>,
    recipients: usize,
    head: Head,
}

impl Before {
    /// Reads up to the body of the encrypted data.
    fn read(reader: &mut dyn Read) -> Result<Self, Error> {
        let (mut locked, mut recipients) = (Vec::new(), 0);
        loop {
            let Some(head) = Head::read(reader)? else {
                return Err(if locked.is_empty() {
                    Error::OtherFormat { format: "OpenPGP" }
                } else {
                    Error::Truncated {
                        part: "encrypted data",
                    }
                });
            };
            match head.tag {
                tag::ENCRYPTED | tag::PROTECTED | tag::AEAD => {
                    return Ok(Self {
                        locked,
                        recipients,
                        head,
                    });
                }
                tag::PASSPHRASE => {
                    let body = Body::new(reader, head.length).small()?;
                    locked.push(Locked::parse(&body)?);
                }
                tag::RECIPIENT => {
                    Body::new(reader, head.length).small()?;
                    recipients += 1;
                }
                tag::MARKER | tag::PADDING => {
                    drain(&mut Body::new(reader, head.length))?;
                }
                other => {
                    return Err(Error::malformed(format!(
                        "OpenPGP: packet {other} where encrypted data should stand"
                    )));
                }
            }
            if locked.len() + recipients > MOST_KEYS {
                return Err(Error::Limit {
                    what: "recipients",
                    asked: None,
                    limit: MOST_KEYS as u64,
                });
            }
        }
    }
}

/// The kind of the encrypted data, and what it says about itself.
enum Data {
    /// No authentication.
    Plain,
    /// With a modification detection code.
    Mdc,
    Chunks(chunks::Parameters),
}

impl Data {
    fn read(head: Head, body: &mut dyn Read) -> Result<Self, Error> {
        if head.tag == tag::ENCRYPTED {
            return Ok(Self::Plain);
        }
        let mut version = [0];
        body.read_exact(&mut version)
            .map_err(Error::reading("encrypted data"))?;
        match (head.tag, version[0]) {
            (tag::PROTECTED, 1) => Ok(Self::Mdc),
            (tag::PROTECTED, 2) => Ok(Self::Chunks(chunks::Parameters::version2(body)?)),
            (tag::AEAD, 1) => Ok(Self::Chunks(chunks::Parameters::librepgp(body)?)),
            (_, version) => Err(Error::unsupported(format!(
                "version {version} of OpenPGP's encrypted data"
            ))),
        }
    }

    fn describe(&self) -> String {
        match self {
            Self::Plain => "CFB without a modification detection code".to_owned(),
            Self::Mdc => "CFB with a modification detection code (SHA-1)".to_owned(),
            Self::Chunks(parameters) => parameters.describe(),
        }
    }

    /// The plaintext packets; the reader fails at its end unless they are genuine.
    fn decrypt<'a>(&self, body: Body<'a>, key: &SessionKey) -> Result<Box<dyn Read + 'a>, Error> {
        Ok(match self {
            Self::Plain => Box::new(cfb::Plain::new(body, key)?),
            Self::Mdc => Box::new(cfb::Protected::new(body, key)?),
            Self::Chunks(parameters) => Box::new(chunks::Reader::new(body, parameters, key)?),
        })
    }
}

pub(crate) fn inspect<R: Read + Seek>(input: &mut R) -> Result<Summary, Error> {
    let mut reader = source(input)?;
    let before = Before::read(&mut *reader)?;
    let mut body = Body::new(&mut *reader, before.head.length);
    let data = Data::read(before.head, &mut body)?;
    let mut summary = Summary::new(Format::OpenPgp);
    summary.fact("encryption", data.describe());
    for locked in &before.locked {
        summary.fact("needs", format!("a passphrase ({})", locked.describe()));
    }
    if before.recipients > 0 {
        summary.fact("recipients with public keys", before.recipients);
    }
    Ok(summary)
}

pub(crate) fn open<R: Read + Seek>(
    input: &mut R,
    output: &mut dyn Output,
    secrets: &Secrets,
    settings: &Settings,
) -> Result<Report, Error> {
    let mut report = Report::new(Format::OpenPgp);
    let key = unlock(input, secrets, settings, &mut report)?;
    let mut reader = source(input)?;
    let before = Before::read(&mut *reader)?;
    let mut body = Body::new(&mut *reader, before.head.length);
    let data = Data::read(before.head, &mut body)?;
    let mut plaintext = data.decrypt(body, &key)?;
    let mut sink = Sink::new(output, &settings.limits);
    // What the first pass has verified can only fail if the file has changed since.
    let changed = |error| match error {
        Error::Damaged { .. } if report.authentication == Authentication::Yes => Error::Changed,
        other => other,
    };
    let signed = message::write(&mut *plaintext, &mut sink).map_err(changed)?;
    drain(&mut *plaintext).map_err(changed)?;
    if signed {
        report.warn(Warning::SignaturesNotChecked);
    }
    report.written = sink.into_written();
    Ok(report)
}

/// The first pass: finds the session key, and verifies everything.
fn unlock<R: Read + Seek>(
    input: &mut R,
    secrets: &Secrets,
    settings: &Settings,
    report: &mut Report,
) -> Result<SessionKey, Error> {
    let (before, data) = {
        let mut reader = source(input)?;
        let before = Before::read(&mut *reader)?;
        let mut body = Body::new(&mut *reader, before.head.length);
        let data = Data::read(before.head, &mut body)?;
        (before, data)
    };
    if matches!(data, Data::Plain) {
        report.authentication = Authentication::No;
        report.warn(Warning::NotAuthenticated);
        if !settings.accept_unauthenticated {
            return Err(Error::Unauthenticated);
        }
    }
    let mut locked = before.locked;
    if locked.is_empty() {
        if before.recipients > 0 || !matches!(data, Data::Plain) {
            return Err(Error::SecretMissing {
                needs: "the private key of a recipient, which this program cannot use; open the \
                        message with gpg"
                    .to_owned(),
            });
        }
        // PGP 2: a message without a packet for its passphrase, RFC 4880 §5.7.
        locked.push(Locked::pgp2());
    }
    let phrases = secrets.candidates(&settings.encodings, usize::MAX);
    if phrases.is_empty() {
        return Err(Error::SecretMissing {
            needs: "a passphrase".to_owned(),
        });
    }
    let mut failure = Error::WrongSecretOrDamaged;
    for phrase in &phrases {
        for locked in &locked {
            let Some(key) = locked.unlock(&phrase.bytes, &settings.limits)? else {
                continue;
            };
            match verify(input, &data, &key) {
                Ok(()) => {
                    report.cipher = format!("{}, {}", key.cipher.name, data.describe());
                    report.kdf = locked.describe();
                    if let Some(encoding) = phrase.encoding {
                        report.warn(Warning::Encoding(encoding.name()));
                    }
                    return Ok(key);
                }
                Err(Error::WrongSecretOrDamaged) => {}
                Err(error @ (Error::Damaged { .. } | Error::Truncated { .. })) => failure = error,
                Err(other) => return Err(other),
            }
        }
    }
    Err(failure)
}

fn verify<R: Read + Seek>(input: &mut R, data: &Data, key: &SessionKey) -> Result<(), Error> {
    let mut reader = source(input)?;
    let before = Before::read(&mut *reader)?;
    let mut body = Body::new(&mut *reader, before.head.length);
    Data::read(before.head, &mut body)?;
    drain(&mut *data.decrypt(body, key)?)?;
    Ok(())
}
