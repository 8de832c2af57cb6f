//! The end record, the last bytes of a strongbox: a mark by which the end is found, and, sealed,
//! the length of the payload's plaintext and the sender's signature.

use touchstone::hash::{Sha256, Sha512};

use crate::error::{Error, Result};
use crate::file_key::FileKey;
use crate::header::Header;
use crate::payload::{START, context};
use crate::sign::{PUBLIC, SIGNATURE, SenderKey, SigningKey};
use crate::suite::Keys;

/// The length of the mark in bytes.
pub(crate) const MARK: usize = 16;

/// What the end record says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct End {
    /// The length of the payload's plaintext in bytes.
    pub(crate) length: u64,
    /// The sender and its signature.
    pub(crate) signature: Option<(SenderKey, [u8; SIGNATURE])>,
}

/// The keys of an end record.
pub(crate) struct EndKeys {
    pub(crate) mark: [u8; MARK],
    keys: Keys,
    signed: bool,
}

impl EndKeys {
    pub(crate) fn new(header: &Header, key: &FileKey) -> Self {
        let input = key.derive_long(b"end", header.suite.key_length());
        Self {
            mark: *key.derive::<MARK>(b"mark"),
            keys: Keys::derive(header.suite, &input, &[0; 24], &context(header.core())),
            signed: header.flags.signed,
        }
    }

    /// Returns the length of the record in bytes.
    pub(crate) fn size(&self) -> usize {
        let signature = if self.signed { PUBLIC + SIGNATURE } else { 0 };
        MARK + 8 + signature + self.keys.overhead()
    }

    pub(crate) fn seal(&self, end: &End) -> Vec<u8> {
        debug_assert_eq!(end.signature.is_some(), self.signed);
        let mut plain = end.length.to_be_bytes().to_vec();
        if let Some((sender, signature)) = &end.signature {
            plain.extend_from_slice(&sender.0);
            plain.extend_from_slice(signature);
        }
        let mut record = self.mark.to_vec();
        record.resize(self.size(), 0);
        self.keys.seal(0, &plain, &mut record[MARK..]);
        record
    }

    /// Says whether these bytes begin as the record does.
    pub(crate) fn is_marked(&self, bytes: &[u8]) -> bool {
        bytes.starts_with(&self.mark)
    }

    /// Opens the record.
    ///
    /// # Errors
    ///
    /// [`Error::EndRecord`].
    pub(crate) fn open(&self, record: &[u8]) -> Result<End> {
        if record.len() != self.size() || !self.is_marked(record) {
            return Err(Error::EndRecord);
        }
        let mut plain = vec![0; record.len() - MARK - 16];
        let length = self.keys.open(0, &record[MARK..], &mut plain);
        let plain = &plain[..length.ok_or(Error::EndRecord)?];
        let (length, rest) = plain.split_first_chunk().ok_or(Error::EndRecord)?;
        let signature = match (self.signed, rest.split_first_chunk::<PUBLIC>()) {
            (true, Some((sender, signature))) => {
                let signature = signature.try_into().map_err(|_| Error::EndRecord)?;
                Some((SenderKey(*sender), signature))
            }
            _ => None,
        };
        Ok(End {
            length: u64::from_be_bytes(*length),
            signature,
        })
    }
}

/// Collects what the signature covers.
pub(crate) struct Transcript {
    chunks: Sha256,
    head: Vec<u8>,
}

impl Transcript {
    /// Begins with what is signed of the header, and the payload's beginning.
    pub(crate) fn new(header: &Header, start: &[u8; START]) -> Self {
        let mut head = header.core().to_vec();
        head.extend_from_slice(&(header.metadata.len() as u64).to_be_bytes());
        head.extend_from_slice(&header.metadata);
        head.extend_from_slice(start);
        Self {
            chunks: Sha256::default(),
            head,
        }
    }

    /// Adds the digests of the next chunks.
    pub(crate) fn add(&mut self, digests: &[u8]) {
        self.chunks.update(digests);
    }

    /// The message that is signed.
    fn message(self, length: u64) -> Vec<u8> {
        let mut hash = Sha512::default();
        hash.update(&self.head);
        hash.update(self.chunks.finalize().as_ref());
        hash.update(&length.to_be_bytes());
        [
            b"touchstone.strongbox/v1 signature",
            hash.finalize().as_ref(),
        ]
        .concat()
    }

    pub(crate) fn sign(self, length: u64, key: &SigningKey) -> (SenderKey, [u8; SIGNATURE]) {
        (key.sender(), key.sign(&self.message(length)))
    }

    /// Checks the signature.
    ///
    /// # Errors
    ///
    /// [`Error::BadSignature`], [`Error::Unsigned`].
    pub(crate) fn verify(self, end: &End) -> Result<SenderKey> {
        let (sender, signature) = end.signature.as_ref().ok_or(Error::Unsigned)?;
        sender.verify(&self.message(end.length), signature)?;
        Ok(*sender)
    }
}
