//! The beginning of a strongbox, and the keys that follow from it.

use std::fs::File;
use std::io::{self, Read};
use std::os::unix::fs::FileExt;

use crate::end::EndKeys;
use crate::error::{Error, Result};
use crate::file_key::FileKey;
use crate::header::{FIXED, Flags, Header, MAGIC, kind};
use crate::metadata::Metadata;
use crate::payload::{Payload, START};
use crate::recipient::passphrase::costs;
use crate::recipient::{Costs, Identity, Limits, describe, unwrap};

/// Bytes that can be read at any place.
pub trait ReadAt: Sync {
    /// Fills `buffer` with the bytes at `offset`.
    ///
    /// # Errors
    ///
    /// [`io::ErrorKind::UnexpectedEof`] if there are not so many.
    fn read_exact_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<()>;

    /// Returns the number of bytes.
    ///
    /// # Errors
    ///
    /// The system's error.
    fn size(&self) -> io::Result<u64>;
}

impl ReadAt for File {
    fn read_exact_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<()> {
        FileExt::read_exact_at(self, buffer, offset)
    }

    fn size(&self) -> io::Result<u64> {
        Ok(self.metadata()?.len())
    }
}

impl ReadAt for [u8] {
    fn read_exact_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<()> {
        let start = usize::try_from(offset).unwrap_or(usize::MAX);
        let bytes = self.get(start..).and_then(|rest| rest.get(..buffer.len()));
        buffer.copy_from_slice(bytes.ok_or(io::ErrorKind::UnexpectedEof)?);
        Ok(())
    }

    fn size(&self) -> io::Result<u64> {
        Ok(self.len() as u64)
    }
}

/// The header and the payload's beginning, as read and not verified.
#[derive(Debug)]
pub struct Head {
    pub(crate) header: Header,
    pub(crate) start: [u8; START],
}

/// What a header says of a stanza.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Needs {
    /// A passphrase with these costs, and whether it needs a keyfile too.
    Passphrase(Costs, bool),
    /// A keyfile.
    Keyfile,
    /// A key of X25519 and ML-KEM-768.
    Hybrid,
    /// A key of X25519.
    X25519,
    /// An SSH key of Ed25519.
    Ssh,
    /// Something that this version does not know.
    Unknown(u8),
}

impl Head {
    /// Reads the head of a strongbox, and nothing behind it.
    ///
    /// # Errors
    ///
    /// [`Error::NotStrongbox`], [`Error::Unsupported`], [`Error::Header`], [`Error::Truncated`],
    /// [`Error::Io`].
    pub fn read(input: &mut dyn Read) -> Result<Self> {
        let mut bytes = Vec::with_capacity(1024);
        input.take(FIXED as u64).read_to_end(&mut bytes)?;
        let Some(fixed) = bytes.first_chunk() else {
            let begins = !bytes.is_empty() && MAGIC.starts_with(&bytes[..bytes.len().min(8)]);
            return Err(if begins {
                Error::Truncated
            } else {
                Error::NotStrongbox
            });
        };
        let length = Header::length(fixed)?;
        let rest = (length - FIXED + START) as u64;
        input.take(rest).read_to_end(&mut bytes)?;
        let (header, start) = bytes.split_at_checked(length).ok_or(Error::Truncated)?;
        Ok(Self {
            start: start.try_into().map_err(|_| Error::Truncated)?,
            header: Header::parse(header)?,
        })
    }

    /// Reads the head at the beginning of bytes that can be read at any place.
    ///
    /// # Errors
    ///
    /// The errors of [`Head::read`].
    pub fn read_at(input: &(impl ReadAt + ?Sized)) -> Result<Self> {
        Self::read(&mut Cursor(input, 0))
    }

    /// Says whether bytes begin as a strongbox does.
    pub fn identify(bytes: &[u8]) -> bool {
        bytes.starts_with(&MAGIC)
    }

    /// Returns the name of the suite.
    pub fn suite(&self) -> &'static str {
        self.header.suite.name
    }

    /// Returns what the content is.
    pub fn flags(&self) -> Flags {
        self.header.flags
    }

    /// Returns the length of the header in bytes, and how many of them are room.
    pub fn sizes(&self) -> (usize, usize) {
        (self.header.size(), self.header.room())
    }

    /// Returns how many bytes of encrypted metadata there are.
    pub fn metadata_size(&self) -> usize {
        self.header.metadata.len()
    }

    /// Returns what opens the file.
    pub fn needs(&self) -> Vec<Needs> {
        let stanzas = self.header.stanzas.iter();
        let needs = stanzas.map(|stanza| match stanza.kind {
            kind::PASSPHRASE => match costs(&stanza.body) {
                Some((costs, keyfile)) => Needs::Passphrase(costs, keyfile),
                None => Needs::Unknown(stanza.kind),
            },
            kind::KEYFILE => Needs::Keyfile,
            kind::HYBRID => Needs::Hybrid,
            kind::X25519 => Needs::X25519,
            kind::SSH => Needs::Ssh,
            kind => Needs::Unknown(kind),
        });
        needs.collect()
    }

    /// Says for whom the file is, in words.
    pub fn describe(&self) -> String {
        describe(&self.header.stanzas)
    }

    /// Unwraps the file key and checks, in this order, the commitment, the header's
    /// authentication code, and the metadata.
    ///
    /// # Errors
    ///
    /// [`Error::WrongPassphrase`], [`Error::NoKey`], [`Error::Limit`], [`Error::Foreign`],
    /// [`Error::HeaderForged`], [`Error::Metadata`].
    pub fn unlock(self, identities: &[Identity], limits: &Limits) -> Result<Unlocked> {
        let header = self.header;
        let key = unwrap(&header.stanzas, identities, limits)?;
        let payload = Payload::open_start(header.suite, header.core(), &key, &self.start)?;
        header.verify(&key)?;
        let metadata = Metadata::open(header.suite, header.core(), &key, &header.metadata)?;
        Ok(Unlocked {
            end_keys: EndKeys::new(&header, &key),
            header,
            key,
            payload,
            metadata,
        })
    }
}

/// A strongbox whose header is genuine.
pub struct Unlocked {
    pub(crate) header: Header,
    pub(crate) key: FileKey,
    pub(crate) payload: Payload,
    pub(crate) end_keys: EndKeys,
    pub(crate) metadata: Metadata,
}

impl std::fmt::Debug for Unlocked {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Unlocked")
            .field("metadata", &self.metadata)
            .finish_non_exhaustive()
    }
}

impl Unlocked {
    /// Returns the metadata.
    pub fn metadata(&self) -> &Metadata {
        &self.metadata
    }

    /// Returns what the content is.
    pub fn flags(&self) -> Flags {
        self.header.flags
    }

    /// The offset of the first chunk.
    pub(crate) fn first_chunk(&self) -> u64 {
        (self.header.size() + START) as u64
    }
}

/// Reads from an offset on.
pub(crate) struct Cursor<'a, R: ?Sized>(pub(crate) &'a R, pub(crate) u64);

impl<R: ReadAt + ?Sized> Read for Cursor<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let left = self.0.size()?.saturating_sub(self.1);
        let length = buffer
            .len()
            .min(usize::try_from(left).unwrap_or(usize::MAX));
        self.0.read_exact_at(&mut buffer[..length], self.1)?;
        self.1 += length as u64;
        Ok(length)
    }
}
