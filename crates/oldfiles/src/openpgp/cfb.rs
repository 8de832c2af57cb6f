//! Encrypted data in CFB: with a modification detection code, [RFC9580](super) §5.13.1, and
//! without, §5.7. Random bytes come first, of which the last two are repeated, so that most wrong
//! passphrases show at once.

use std::io::{self, Read};

use touchstone::dynamic::{Cipher, Direction, Hash};
use zeroize::Zeroizing;

use super::packet::Body;
use super::session::SessionKey;
use crate::error::Error;
use crate::output::{PIECE, read_full, read_some};

/// The packet of the code: its header, and SHA-1 of all plaintext before and the header.
const CODE: usize = 22;
const CODE_HEADER: [u8; 2] = [0xd3, 0x14];
const PART: &str = "encrypted data";

fn start(key: &SessionKey, iv: &[u8]) -> Result<Cipher, Error> {
    let name = format!("{}-cfb", key.cipher.name);
    let mut cipher = Cipher::new(&name, Direction::Decrypt, &key.key)?;
    cipher.set_iv(iv)?;
    Ok(cipher)
}

/// Reads and decrypts the random bytes, and returns them with the ciphertext before.
fn prefix(
    body: &mut Body<'_>,
    key: &SessionKey,
    cipher: &mut Cipher,
) -> Result<(Zeroizing<Vec<u8>>, Vec<u8>), Error> {
    let block = key.cipher.block;
    let mut plain = Zeroizing::new(vec![0; block + 2]);
    if read_full(body, &mut plain)? < block + 2 {
        return Err(Error::Truncated { part: PART });
    }
    let encrypted = plain.to_vec();
    cipher.apply(&mut plain)?;
    if plain[block - 2..block] != plain[block..] {
        return Err(Error::WrongSecretOrDamaged);
    }
    Ok((plain, encrypted))
}

/// Plaintext without authentication.
pub(super) struct Plain<'a> {
    body: Body<'a>,
    cipher: Cipher,
}

impl<'a> Plain<'a> {
    pub(super) fn new(mut body: Body<'a>, key: &SessionKey) -> Result<Self, Error> {
        let block = key.cipher.block;
        let mut cipher = start(key, &vec![0; block])?;
        let (_, encrypted) = prefix(&mut body, key, &mut cipher)?;
        // After the random bytes CFB starts again, [RFC9580](super) §12.9.
        let cipher = start(key, &encrypted[2..])?;
        Ok(Self { body, cipher })
    }
}

impl Read for Plain<'_> {
    fn read(&mut self, output: &mut [u8]) -> io::Result<usize> {
        let length = read_some(&mut self.body, output)?;
        self.cipher
            .apply(&mut output[..length])
            .map_err(Error::from)?;
        Ok(length)
    }
}

/// Plaintext whose last bytes are the code, which is checked at the end.
pub(super) struct Protected<'a> {
    body: Body<'a>,
    cipher: Cipher,
    hash: Hash,
    /// Decrypted bytes, of which the last 22 may be the code.
    buffer: Zeroizing<Vec<u8>>,
    used: usize,
    ended: bool,
}

impl<'a> Protected<'a> {
    pub(super) fn new(mut body: Body<'a>, key: &SessionKey) -> Result<Self, Error> {
        let mut cipher = start(key, &vec![0; key.cipher.block])?;
        let (plain, _) = prefix(&mut body, key, &mut cipher)?;
        let mut hash = Hash::new("sha-1")?;
        hash.update(&plain);
        Ok(Self {
            body,
            cipher,
            hash,
            buffer: Zeroizing::new(Vec::with_capacity(PIECE + CODE)),
            used: 0,
            ended: false,
        })
    }

    /// Bytes that are certainly no part of the code.
    fn ready(&self) -> usize {
        self.buffer
            .len()
            .saturating_sub(CODE)
            .saturating_sub(self.used)
    }

    fn refill(&mut self) -> Result<(), Error> {
        self.buffer.drain(..self.used);
        self.used = 0;
        let kept = self.buffer.len();
        self.buffer.resize(kept + PIECE, 0);
        let length = read_some(&mut self.body, &mut self.buffer[kept..])?;
        self.buffer.truncate(kept + length);
        self.cipher.apply(&mut self.buffer[kept..])?;
        let end = self.buffer.len().saturating_sub(CODE);
        let hashed = kept.saturating_sub(CODE);
        self.hash.update(&self.buffer[hashed.min(end)..end]);
        if length > 0 {
            return Ok(());
        }
        self.ended = true;
        let (header, digest) = self.buffer[end..]
            .split_first_chunk::<2>()
            .filter(|(_, digest)| digest.len() == CODE - 2)
            .ok_or(Error::Truncated { part: PART })?;
        self.hash.update(header);
        let mut right = [0; CODE - 2];
        self.hash.finalize(&mut right)?;
        let genuine = touchstone::constant_time_eq(digest, &right) && *header == CODE_HEADER;
        if genuine {
            Ok(())
        } else {
            Err(Error::Damaged { part: PART })
        }
    }
}

impl Read for Protected<'_> {
    fn read(&mut self, output: &mut [u8]) -> io::Result<usize> {
        if output.is_empty() {
            return Ok(0);
        }
        while self.ready() == 0 && !self.ended {
            self.refill()?;
        }
        let length = self.ready().min(output.len());
        output[..length].copy_from_slice(&self.buffer[self.used..self.used + length]);
        self.used += length;
        Ok(length)
    }
}
