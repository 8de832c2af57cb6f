//! The header of an age file, [AGE](super) "The header": lines of printable characters.

use std::io::{BufRead, Read};

use base64ct::{Base64Unpadded, Encoding};
use touchstone::hash::Sha256;
use touchstone::kdf::hkdf;
use touchstone::mac::Hmac;
use zeroize::Zeroizing;

use crate::error::Error;

pub(super) const INTRO: &[u8] = b"age-encryption.org/v1\n";
const FOOTER: &[u8] = b"---";
/// Characters of a full line of base64, and the bytes in it.
const COLUMNS: usize = 64;
const LINE_BYTES: usize = 48;
/// More recipients than any real file has.
const MOST_STANZAS: usize = 1024;
const MOST_ARGUMENTS: usize = 128;

/// The key from which header and payload keys follow.
pub(super) type FileKey = Zeroizing<[u8; 16]>;

/// How one recipient finds the file's key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Stanza {
    pub(super) kind: String,
    pub(super) arguments: Vec<String>,
    pub(super) body: Vec<u8>,
}

/// All stanzas and the MAC over them.
#[derive(Debug)]
pub(super) struct Header {
    pub(super) stanzas: Vec<Stanza>,
    mac: [u8; 32],
    /// The bytes that the MAC covers.
    covered: Vec<u8>,
}

fn malformed(what: &str) -> Error {
    Error::malformed(format!("age header: {what}"))
}

/// Strict base64 without padding.
pub(super) fn decode(text: &str) -> Result<Vec<u8>, Error> {
    Base64Unpadded::decode_vec(text).map_err(|_| malformed("wrong base64"))
}

/// Reads lines, and refuses a header without an end.
struct Lines<'a> {
    reader: &'a mut dyn BufRead,
    left: u64,
    limit: u64,
    covered: Vec<u8>,
}

impl Lines<'_> {
    /// The next line without its end, as it stands in `covered`.
    fn next(&mut self) -> Result<String, Error> {
        let start = self.covered.len();
        let mut limited = (&mut *self.reader).take(self.left);
        limited.read_until(b'\n', &mut self.covered)?;
        let line = &self.covered[start..];
        self.left -= line.len() as u64;
        match line.strip_suffix(b"\n") {
            Some(line) => String::from_utf8(line.to_vec()).map_err(|_| malformed("not text")),
            None if self.left == 0 => Err(Error::Limit {
                what: "header",
                asked: None,
                limit: self.limit,
            }),
            None => Err(Error::Truncated { part: "header" }),
        }
    }
}

/// The words of a line, each of printable characters and none empty.
fn words(line: &str) -> Option<Vec<&str>> {
    let words: Vec<&str> = line.split(' ').collect();
    let fine = |word: &&str| !word.is_empty() && word.bytes().all(|c| c.is_ascii_graphic());
    (words.iter().all(fine) && words.len() <= MOST_ARGUMENTS).then_some(words)
}

impl Header {
    pub(super) fn read(reader: &mut dyn BufRead, limit: u64) -> Result<Self, Error> {
        let mut lines = Lines {
            reader,
            left: limit,
            limit,
            covered: Vec::new(),
        };
        let intro = lines.next()?;
        if lines.covered != INTRO {
            return Err(if intro.starts_with("age-encryption.org/") {
                Error::unsupported(format!("the version {intro:?} of age"))
            } else {
                Error::OtherFormat { format: "age" }
            });
        }
        let mut stanzas = Vec::new();
        loop {
            let start = lines.covered.len();
            let line = lines.next()?;
            if line.as_bytes().starts_with(FOOTER) {
                let words = words(&line).ok_or_else(|| malformed("a wrong last line"))?;
                let ["---", mac] = words[..] else {
                    return Err(malformed("a wrong last line"));
                };
                let mac = decode(mac)?;
                let mac = mac.as_slice().try_into();
                let mac = mac.map_err(|_| malformed("a MAC of a wrong length"))?;
                if stanzas.is_empty() {
                    return Err(malformed("no recipients"));
                }
                lines.covered.truncate(start + FOOTER.len());
                return Ok(Self {
                    stanzas,
                    mac,
                    covered: lines.covered,
                });
            }
            if stanzas.len() == MOST_STANZAS {
                return Err(Error::Limit {
                    what: "recipients",
                    asked: None,
                    limit: MOST_STANZAS as u64,
                });
            }
            stanzas.push(Stanza::read(&line, &mut lines)?);
        }
    }

    /// The header of a new file.
    pub(super) fn write(stanzas: &[Stanza], key: &FileKey) -> Result<Vec<u8>, Error> {
        let mut bytes = INTRO.to_vec();
        for stanza in stanzas {
            stanza.write(&mut bytes);
        }
        bytes.extend(FOOTER);
        let mac = mac_key(key)?.mac(&bytes);
        bytes.push(b' ');
        bytes.extend(Base64Unpadded::encode_string(&*mac).bytes());
        bytes.push(b'\n');
        Ok(bytes)
    }

    /// Checks that nobody changed the header.
    pub(super) fn verify(&self, key: &FileKey) -> Result<(), Error> {
        let mac = mac_key(key)?.mac(&self.covered);
        if mac == self.mac {
            Ok(())
        } else {
            Err(Error::Damaged { part: "header" })
        }
    }
}

fn mac_key(key: &FileKey) -> Result<Hmac<Sha256>, Error> {
    let mut derived = Zeroizing::new([0; 32]);
    hkdf::<Sha256>(&**key, b"", b"header", &mut *derived)?;
    Ok(Hmac::new(&*derived))
}

impl Stanza {
    fn read(first: &str, lines: &mut Lines<'_>) -> Result<Self, Error> {
        let words = words(first).ok_or_else(|| malformed("a wrong line of a recipient"))?;
        let ["->", kind, arguments @ ..] = &words[..] else {
            return Err(malformed("a wrong line of a recipient"));
        };
        let mut body = Vec::new();
        loop {
            let line = lines.next()?;
            if line.len() > COLUMNS {
                return Err(malformed("a line that is too long"));
            }
            body.extend(decode(&line)?);
            if line.len() < COLUMNS {
                break;
            }
        }
        Ok(Self {
            kind: (*kind).to_owned(),
            arguments: arguments.iter().map(|&word| word.to_owned()).collect(),
            body,
        })
    }

    fn write(&self, bytes: &mut Vec<u8>) {
        bytes.extend(b"-> ");
        bytes.extend(self.kind.bytes());
        for argument in &self.arguments {
            bytes.push(b' ');
            bytes.extend(argument.bytes());
        }
        bytes.push(b'\n');
        for line in self.body.chunks(LINE_BYTES) {
            bytes.extend(Base64Unpadded::encode_string(line).bytes());
            bytes.push(b'\n');
        }
        // The last line is shorter than the others, so it may be empty.
        if self.body.len().is_multiple_of(LINE_BYTES) {
            bytes.push(b'\n');
        }
    }
}
