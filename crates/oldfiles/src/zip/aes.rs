//! WinZip's AES, [AE](super): salt, verifier, ciphertext, tag. Counter mode with a counter that
//! starts at 1, least significant byte first; HMAC-SHA-1 over the ciphertext, cut to 10 bytes;
//! PBKDF2 with 1000 iterations.

use std::io::{Read, Seek, SeekFrom};

use zeroize::Zeroizing;

use super::directory::{Encryption, Item};
use crate::derive::pbkdf2;
use crate::error::Error;
use crate::layer::{CtrHmac, CtrHmacOf, Layer, Make, Sealed};
use crate::secrets::Candidate;
use crate::settings::Limits;

pub(super) const KDF: &str = "pbkdf2-hmac-sha-1, 1000 iterations";
const ITERATIONS: u32 = 1000;
const VERIFIER: usize = 2;
const TAG: usize = 10;

/// An entry whose passphrase is found.
pub(super) struct Aes {
    key: usize,
    has_crc: bool,
    material: Zeroizing<Vec<u8>>,
    start: u64,
    end: u64,
    tag: Vec<u8>,
}

impl Aes {
    /// Finds the passphrase that fits the verifier and the tag.
    pub(super) fn unlock<'a, R: Read + Seek>(
        input: &mut R,
        item: &Item,
        phrases: &'a [Candidate],
        limits: &Limits,
    ) -> Result<(Self, &'a Candidate), Error> {
        let Encryption::Aes { version, key } = item.encryption else {
            return Err(Error::malformed("an entry without AES"));
        };
        if phrases.is_empty() {
            return Err(Error::SecretMissing {
                needs: "a passphrase".to_owned(),
            });
        }
        let salt_length = key / 2;
        let around = (salt_length + VERIFIER + TAG) as u64;
        let truncated = Error::Truncated {
            part: "data of a file in the archive",
        };
        let inside = item.stored.checked_sub(around).ok_or(truncated)?;
        input.seek(SeekFrom::Start(item.start))?;
        let mut head = vec![0; salt_length + VERIFIER];
        input.read_exact(&mut head)?;
        let (salt, verifier) = head.split_at(salt_length);
        let start = item.start + head.len() as u64;
        let end = start + inside;
        input.seek(SeekFrom::Start(end))?;
        let mut tag = vec![0; TAG];
        input.read_exact(&mut tag)?;
        let mut error = Error::WrongSecret;
        for phrase in phrases {
            let length = 2 * key + VERIFIER;
            let material = pbkdf2("sha-1", &phrase.bytes, salt, ITERATIONS, length, limits)?;
            if !touchstone::constant_time_eq(&material[2 * key..], verifier) {
                continue;
            }
            let aes = Self {
                key,
                has_crc: version == 1,
                material,
                start,
                end,
                tag: tag.clone(),
            };
            let make = || aes.layer();
            match aes.sealed(input, &make).verify() {
                Ok(()) => return Ok((aes, phrase)),
                Err(damaged @ Error::Damaged { .. }) => error = damaged,
                Err(other) => return Err(other),
            }
        }
        Err(error)
    }

    /// Whether the archive has a CRC-32 of the plaintext too: AE-2 leaves it out, because it
    /// tells something about the plaintext.
    pub(super) fn has_crc(&self) -> bool {
        self.has_crc
    }

    pub(super) fn layer(&self) -> Result<Box<dyn Layer>, Error> {
        let mut first_counter = [0; 16];
        first_counter[0] = 1;
        CtrHmac::make(&CtrHmacOf {
            cipher: &format!("aes-{}", 8 * self.key),
            key: &self.material[..self.key],
            first_counter,
            little_endian: true,
            hash: "sha-1",
            mac_key: &self.material[self.key..2 * self.key],
            tag: TAG,
        })
    }

    pub(super) fn sealed<'a, R>(&self, input: &'a mut R, make: &'a Make<'a>) -> Sealed<'a, R> {
        Sealed {
            input,
            start: self.start,
            end: self.end,
            tag: self.tag.clone(),
            make,
        }
    }
}
