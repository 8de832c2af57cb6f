//! The payload: C2SP's chunked encryption, [CHUNKED], with SHA-512. Chunks of 16 KiB, each sealed
//! under the base nonce XOR its number; the last chunk is shorter, and may be empty. With the
//! suite `aes-256-gcm` this is Cobblestone-256.
//!
//! [CHUNKED]: https://c2sp.org/chunked-encryption

use touchstone::hash::Sha256;

use crate::error::{Error, Result};
use crate::file_key::FileKey;
use crate::suite::{COMMITMENT, Keys, Suite};

/// The length of a chunk's plaintext in bytes.
pub const CHUNK: usize = 16 << 10;
/// The length of the salt in bytes.
pub(crate) const SALT: usize = 24;
/// The length of the payload's beginning, salt and commitment, in bytes.
pub(crate) const START: usize = SALT + COMMITMENT;
/// How many chunks one thread takes at a time: 256 KiB, which fit a processor's second cache.
pub(crate) const BATCH: usize = 16;
/// The largest number of chunks, [CHUNKED](self) *Message chunking*.
const MOST: u64 = 1 << 38;

/// The keys of a payload.
pub(crate) struct Payload {
    keys: Keys,
    salt: [u8; SALT],
}

/// A chunk that is not genuine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct BadChunk(pub(crate) u64);

/// The context of the key derivation, which binds version, suite and flags.
pub(crate) fn context(core: [u8; 4]) -> Vec<u8> {
    [&b"touchstone.strongbox"[..], &core].concat()
}

impl Payload {
    /// Derives the keys of the payload with this salt.
    pub(crate) fn new(suite: &Suite, core: [u8; 4], key: &FileKey, salt: [u8; SALT]) -> Self {
        let input = key.derive_long(b"payload", suite.key_length());
        Self {
            keys: Keys::derive(suite, &input, &salt, &context(core)),
            salt,
        }
    }

    /// Derives the keys of the payload that begins with these bytes.
    ///
    /// # Errors
    ///
    /// [`Error::Foreign`] if the commitment is another key's.
    pub(crate) fn open_start(
        suite: &Suite,
        core: [u8; 4],
        key: &FileKey,
        start: &[u8; START],
    ) -> Result<Self> {
        let (salt, commitment) = start.split_first_chunk().expect("its length");
        let this = Self::new(suite, core, key, *salt);
        if touchstone::constant_time_eq(&this.keys.commitment, commitment) {
            Ok(this)
        } else {
            Err(Error::Foreign)
        }
    }

    /// Returns the beginning of the payload: salt and commitment.
    pub(crate) fn start(&self) -> [u8; START] {
        let mut start = [0; START];
        start[..SALT].copy_from_slice(&self.salt);
        start[SALT..].copy_from_slice(&self.keys.commitment);
        start
    }

    /// Returns the length of a whole sealed chunk in bytes.
    pub(crate) fn sealed_chunk(&self) -> usize {
        CHUNK + self.keys.overhead()
    }

    /// Returns how many bytes a sealed chunk is longer than its plaintext.
    pub(crate) fn overhead(&self) -> usize {
        self.keys.overhead()
    }

    /// Returns the length in bytes of the chunks for a plaintext of `plain` bytes.
    pub(crate) fn sealed_length(&self, plain: u64) -> u64 {
        plain + (plain / CHUNK as u64 + 1) * self.keys.overhead() as u64
    }

    /// Seals chunks from number `first` on and appends them to `sealed`. The plaintext has whole
    /// chunks; after the last of the message comes the shorter chunk, so `last` is set with the
    /// end of the plaintext.
    ///
    /// # Errors
    ///
    /// [`Error::TooLong`].
    pub(crate) fn seal(
        &self,
        first: u64,
        plain: &[u8],
        last: bool,
        sealed: &mut Vec<u8>,
    ) -> Result<()> {
        let start = sealed.len();
        sealed.resize(start + self.batch_length(plain, last), 0);
        self.seal_over(first, plain, last, &mut sealed[start..])
    }

    /// Returns the length in bytes of the sealed chunks of a batch.
    pub(crate) fn batch_length(&self, plain: &[u8], last: bool) -> usize {
        plain.len() + (plain.len() / CHUNK + usize::from(last)) * self.overhead()
    }

    /// Does the same in a buffer of [`batch_length`](Self::batch_length).
    ///
    /// # Errors
    ///
    /// [`Error::TooLong`].
    pub(crate) fn seal_over(
        &self,
        first: u64,
        plain: &[u8],
        last: bool,
        sealed: &mut [u8],
    ) -> Result<()> {
        let (whole, rest) = plain.as_chunks::<CHUNK>();
        debug_assert!(last || rest.is_empty());
        if first + whole.len() as u64 >= MOST {
            return Err(Error::TooLong);
        }
        let pieces = whole
            .iter()
            .map(|chunk| &chunk[..])
            .chain(last.then_some(rest));
        let mut rest = sealed;
        for (index, piece) in (first..).zip(pieces) {
            let (chunk, after) = rest.split_at_mut(piece.len() + self.overhead());
            self.keys.seal(index, piece, chunk);
            rest = after;
        }
        Ok(())
    }

    /// Opens chunks from number `first` on into `plain`, whatever its content is. Each chunk is
    /// whole, but if `last` is set, the last is shorter.
    ///
    /// # Errors
    ///
    /// The number of the first chunk that is not genuine. Then `plain` has the plaintext of the
    /// chunks before.
    pub(crate) fn open(
        &self,
        first: u64,
        sealed: &[u8],
        last: bool,
        plain: &mut Vec<u8>,
    ) -> std::result::Result<(), BadChunk> {
        // Layers inside the outermost one need room for their tags, which is cut off below.
        plain.resize(sealed.len(), 0);
        let (mut rest, mut start) = (sealed, 0);
        let mut bad = None;
        for index in first.. {
            if rest.is_empty() && !last {
                break;
            }
            let (chunk, after) = rest.split_at(rest.len().min(self.sealed_chunk()));
            let room = start + chunk.len().saturating_sub(16);
            let Some(length) = self.keys.open(index, chunk, &mut plain[start..room]) else {
                bad = Some(BadChunk(index));
                break;
            };
            start += length;
            if chunk.len() < self.sealed_chunk() {
                break;
            }
            rest = after;
        }
        plain.truncate(start);
        bad.map_or(Ok(()), Err)
    }

    /// Says whether a sealed chunk is genuine at place `index`.
    pub(crate) fn is_chunk(&self, index: u64, sealed: &[u8], scratch: &mut Vec<u8>) -> bool {
        if sealed.len() < self.overhead() {
            return false;
        }
        scratch.clear();
        scratch.resize(sealed.len() - 16, 0);
        let genuine = self.keys.open(index, sealed, scratch).is_some();
        zeroize::Zeroize::zeroize(&mut scratch[..]);
        genuine
    }

    /// Appends the SHA-256 of each sealed chunk, which the signature covers.
    pub(crate) fn digests(&self, sealed: &[u8], digests: &mut Vec<u8>) {
        for chunk in sealed.chunks(self.sealed_chunk()) {
            digests.extend_from_slice(Sha256::digest(chunk).as_ref());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::suite::SUITES;

    fn payload(suite: &Suite) -> Payload {
        Payload::new(
            suite,
            [1, suite.id, 0, 0],
            &FileKey::new([5; 32]),
            [6; SALT],
        )
    }

    #[test]
    fn lengths_are_those_of_the_chunks() {
        for suite in SUITES {
            let payload = payload(suite);
            for length in [0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 3 * CHUNK] {
                let plain = vec![7; length];
                let mut sealed = Vec::new();
                payload.seal(0, &plain, true, &mut sealed).unwrap();
                assert_eq!(payload.sealed_length(length as u64), sealed.len() as u64);
                let mut opened = Vec::new();
                payload.open(0, &sealed, true, &mut opened).unwrap();
                assert_eq!(opened, plain);
            }
        }
    }

    #[test]
    fn batches_give_the_same_bytes_as_one_call() {
        let payload = payload(&SUITES[0]);
        let plain: Vec<u8> = (0..5 * CHUNK + 100).map(|i| (i % 251) as u8).collect();
        let (mut whole, mut parts) = (Vec::new(), Vec::new());
        payload.seal(0, &plain, true, &mut whole).unwrap();
        payload
            .seal(0, &plain[..2 * CHUNK], false, &mut parts)
            .unwrap();
        payload
            .seal(2, &plain[2 * CHUNK..], true, &mut parts)
            .unwrap();
        assert_eq!(whole, parts);
        let (mut opened, cut) = (vec![9; 12345], 3 * payload.sealed_chunk());
        payload.open(0, &whole[..cut], false, &mut opened).unwrap();
        assert_eq!(opened, plain[..3 * CHUNK]);
        payload.open(3, &whole[cut..], true, &mut opened).unwrap();
        assert_eq!(opened, plain[3 * CHUNK..]);
        // A message that ends with a whole chunk is truncated.
        assert_eq!(
            payload.open(0, &whole[..cut], true, &mut opened),
            Err(BadChunk(3))
        );
        assert_eq!(opened, plain[..3 * CHUNK]);
    }
}
