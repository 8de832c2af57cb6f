//! The header: 16 fixed bytes, records, room for more records, and an authentication code.
//! docs/strongbox-format.md describes each.

use touchstone::hash::Sha512;
use touchstone::mac::Hmac;

use crate::error::{Error, Result};
use crate::file_key::FileKey;
use crate::suite::Suite;

/// The first bytes of every strongbox. The first is no text, and the line ends show a transfer
/// that changed line ends, as those of PNG do.
pub const MAGIC: [u8; 8] = *b"\x89SBX\r\n\x1a\n";
/// The version of the format.
const VERSION: u8 = 1;
/// The length of the fixed part in bytes.
pub(crate) const FIXED: usize = 16;
/// The length of the authentication code in bytes.
const MAC: usize = 32;
/// A header's length is a multiple of this many bytes.
const UNIT: usize = 512;
/// The longest header that a reader accepts, in bytes.
const LONGEST: usize = 1 << 20;
/// The largest number of stanzas that a reader accepts.
const MOST_STANZAS: usize = 1024;

/// What the content is, beside encrypted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Flags {
    /// The content is compressed by zstd.
    pub zstd: bool,
    /// The content is padded ([`crate::pad`]).
    pub padded: bool,
    /// The content is a tar archive of a folder.
    pub archive: bool,
    /// The end record has a signature.
    pub signed: bool,
}

impl Flags {
    const NAMES: [&'static str; 4] = ["zstd", "padded", "archive", "signed"];

    fn bits(self) -> [bool; 4] {
        [self.zstd, self.padded, self.archive, self.signed]
    }

    fn encode(self) -> u16 {
        let bits = self.bits().into_iter().enumerate();
        bits.map(|(place, set)| u16::from(set) << place).sum()
    }

    fn decode(bits: u16) -> Result<Self> {
        if bits >= 1 << 4 {
            return Err(Error::Unsupported(format!("the options {bits:#06x}")));
        }
        Ok(Self {
            zstd: bits & 1 != 0,
            padded: bits & 2 != 0,
            archive: bits & 4 != 0,
            signed: bits & 8 != 0,
        })
    }

    /// Returns the names of the options that are set.
    pub fn names(self) -> Vec<&'static str> {
        let names = Self::NAMES.into_iter().zip(self.bits());
        names
            .filter(|(_, set)| *set)
            .map(|(name, _)| name)
            .collect()
    }
}

/// The kinds of records.
pub(crate) mod kind {
    /// Bytes of zero that leave room for more stanzas.
    pub(crate) const ROOM: u8 = 0;
    /// The file key for a passphrase.
    pub(crate) const PASSPHRASE: u8 = 1;
    /// The file key for a keyfile.
    pub(crate) const KEYFILE: u8 = 2;
    /// The file key for X25519 and ML-KEM-768.
    pub(crate) const HYBRID: u8 = 3;
    /// The file key for X25519.
    pub(crate) const X25519: u8 = 4;
    /// The file key for an SSH key of Ed25519.
    pub(crate) const SSH: u8 = 5;
    /// The encrypted metadata.
    pub(crate) const METADATA: u8 = 0x40;
    /// Kinds from here on must be known to a reader.
    pub(crate) const CRITICAL: u8 = 0x80;
}

/// A record with the file key for one recipient. A reader ignores kinds that it does not know.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Stanza {
    pub(crate) kind: u8,
    pub(crate) body: Vec<u8>,
}

/// A parsed header. It is not genuine before [`Header::verify`] says so.
#[derive(Debug, Clone)]
pub(crate) struct Header {
    pub(crate) suite: &'static Suite,
    pub(crate) flags: Flags,
    pub(crate) stanzas: Vec<Stanza>,
    /// The encrypted metadata; a strongbox may have none.
    pub(crate) metadata: Vec<u8>,
    /// The bytes as read, with the authentication code. Empty in a header that is being made.
    bytes: Vec<u8>,
}

impl Header {
    pub(crate) fn new(
        suite: &'static Suite,
        flags: Flags,
        stanzas: Vec<Stanza>,
        metadata: Vec<u8>,
    ) -> Self {
        Self {
            suite,
            flags,
            stanzas,
            metadata,
            bytes: Vec::new(),
        }
    }

    /// Returns the length of the whole header that begins with these 16 bytes.
    ///
    /// # Errors
    ///
    /// [`Error::NotStrongbox`], [`Error::Unsupported`] for a newer version, [`Error::Header`].
    pub(crate) fn length(fixed: &[u8; FIXED]) -> Result<usize> {
        if fixed[..8] != MAGIC {
            return Err(Error::NotStrongbox);
        }
        if fixed[8] != VERSION {
            return Err(Error::Unsupported(format!("format version {}", fixed[8])));
        }
        let length = u32::from_be_bytes(fixed[12..].try_into().expect("four bytes")) as usize;
        if !length.is_multiple_of(UNIT) || !(UNIT..=LONGEST).contains(&length) {
            return Err(Error::Header("its length is impossible"));
        }
        Ok(length)
    }

    /// Reads a whole header.
    ///
    /// # Errors
    ///
    /// The errors of [`Header::length`].
    pub(crate) fn parse(bytes: &[u8]) -> Result<Self> {
        let fixed = bytes.first_chunk().ok_or(Error::Truncated)?;
        if Self::length(fixed)? != bytes.len() {
            return Err(Error::Truncated);
        }
        let suite = Suite::by_id(fixed[9])?;
        let flags = Flags::decode(u16::from_be_bytes([fixed[10], fixed[11]]))?;
        let mut this = Self::new(suite, flags, Vec::new(), Vec::new());
        this.bytes = bytes.to_vec();
        let mut rest = &bytes[FIXED..bytes.len() - MAC];
        let mut seen_metadata = false;
        while let [kind, high, low, after @ ..] = rest {
            let length = usize::from(u16::from_be_bytes([*high, *low]));
            if *kind == kind::ROOM {
                if rest.iter().any(|&byte| byte != 0) {
                    return Err(Error::Header("the room behind the records is not empty"));
                }
                return Ok(this);
            }
            let (body, after) = after
                .split_at_checked(length)
                .ok_or(Error::Header("a record is longer than the header"))?;
            match *kind {
                kind::METADATA if seen_metadata => {
                    return Err(Error::Header("it has metadata twice"));
                }
                kind::METADATA => {
                    seen_metadata = true;
                    this.metadata = body.to_vec();
                }
                kind if kind >= kind::CRITICAL => {
                    return Err(Error::Unsupported(format!("records of kind {kind}")));
                }
                kind => this.stanzas.push(Stanza {
                    kind,
                    body: body.to_vec(),
                }),
            }
            if this.stanzas.len() > MOST_STANZAS {
                return Err(Error::Header("it has too many recipients"));
            }
            rest = after;
        }
        if rest.iter().any(|&byte| byte != 0) {
            return Err(Error::Header("it ends inside a record"));
        }
        Ok(this)
    }

    /// Writes the header, with at least `room` bytes for more stanzas, and the authentication
    /// code. The result has at least `least` bytes.
    ///
    /// # Errors
    ///
    /// [`Error::Usage`] if the header has too many recipients.
    pub(crate) fn encode(&self, key: &FileKey, room: usize, least: usize) -> Result<Vec<u8>> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend_from_slice(&self.core());
        bytes.extend_from_slice(&[0; 4]);
        let metadata = Stanza {
            kind: kind::METADATA,
            body: self.metadata.clone(),
        };
        let metadata = Some(&metadata).filter(|record| !record.body.is_empty());
        for record in self.stanzas.iter().chain(metadata) {
            let length = u16::try_from(record.body.len()).expect("no record is so long");
            bytes.push(record.kind);
            bytes.extend_from_slice(&length.to_be_bytes());
            bytes.extend_from_slice(&record.body);
        }
        let length = (bytes.len() + room + MAC).max(least).next_multiple_of(UNIT);
        if length > LONGEST || self.stanzas.len() > MOST_STANZAS {
            return Err(Error::Usage(
                "the header would be too long: the file has too many recipients".into(),
            ));
        }
        bytes[12..FIXED].copy_from_slice(&u32::try_from(length).expect("checked").to_be_bytes());
        bytes.resize(length - MAC, 0);
        let code = code(key, &bytes);
        bytes.extend_from_slice(&code);
        Ok(bytes)
    }

    /// Checks that the header that was read is genuine.
    ///
    /// # Errors
    ///
    /// [`Error::HeaderForged`].
    pub(crate) fn verify(&self, key: &FileKey) -> Result<()> {
        let (bytes, stored) = self.bytes.split_at(self.bytes.len() - MAC);
        if touchstone::constant_time_eq(&code(key, bytes), stored) {
            Ok(())
        } else {
            Err(Error::HeaderForged)
        }
    }

    /// Returns the part of the header that `rekey` does not change: version, suite and flags. It
    /// enters the key derivation of payload, metadata and end record.
    pub(crate) fn core(&self) -> [u8; 4] {
        let [high, low] = self.flags.encode().to_be_bytes();
        [VERSION, self.suite.id, high, low]
    }

    /// Returns the length of the header that was read, in bytes.
    pub(crate) fn size(&self) -> usize {
        self.bytes.len()
    }

    /// Returns how many bytes of the header that was read are room.
    pub(crate) fn room(&self) -> usize {
        let records = self.stanzas.iter().map(|stanza| 3 + stanza.body.len());
        let metadata = match self.metadata.len() {
            0 => 0,
            length => 3 + length,
        };
        self.bytes.len() - FIXED - MAC - records.sum::<usize>() - metadata
    }
}

/// HMAC-SHA-512, cut to 32 bytes, over the header before the code.
fn code(key: &FileKey, bytes: &[u8]) -> [u8; MAC] {
    let key = key.derive::<64>(b"header");
    let tag = Hmac::<Sha512>::new(&key[..]).mac(bytes);
    *tag.as_ref().first_chunk().expect("64 bytes")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header() -> Header {
        let stanzas = vec![
            Stanza {
                kind: kind::KEYFILE,
                body: vec![1; 96],
            },
            Stanza {
                kind: 0x3f,
                body: vec![],
            },
        ];
        let flags = Flags {
            padded: true,
            ..Flags::default()
        };
        Header::new(Suite::by_id(3).unwrap(), flags, stanzas, vec![5; 40])
    }

    #[test]
    fn a_header_survives_writing_and_reading() {
        let key = FileKey::new([3; 32]);
        let bytes = header().encode(&key, 300, 0).unwrap();
        assert_eq!(bytes.len(), 512);
        let read = Header::parse(&bytes).unwrap();
        assert_eq!(read.stanzas, header().stanzas);
        assert_eq!(read.metadata, header().metadata);
        assert_eq!(read.flags, header().flags);
        assert_eq!(read.suite.id, 3);
        assert!(read.room() >= 300);
        read.verify(&key).unwrap();
        assert!(matches!(
            read.verify(&FileKey::new([4; 32])),
            Err(Error::HeaderForged)
        ));
        assert_eq!(header().encode(&key, 0, 1024).unwrap().len(), 1024);
    }

    #[test]
    fn every_changed_byte_is_noticed() {
        let key = FileKey::new([3; 32]);
        let bytes = header().encode(&key, 0, 0).unwrap();
        for place in 0..bytes.len() {
            let mut changed = bytes.clone();
            changed[place] ^= 0x10;
            let result = Header::parse(&changed).and_then(|header| header.verify(&key));
            assert!(result.is_err(), "byte {place}");
        }
        for length in 0..bytes.len() {
            assert!(Header::parse(&bytes[..length]).is_err(), "{length} bytes");
        }
    }
}
