//! PKWARE's traditional encryption, [APPNOTE](super) §6.1: a stream cipher with three words of
//! state, which feed back the plaintext. Twelve bytes of header precede the data; the last one is
//! the only check of the passphrase.

use std::io::{self, Read, Seek, SeekFrom, Take};

use super::directory::Item;
use crate::error::Error;
use crate::secrets::Candidate;

const HEADER: usize = 12;

/// One step of CRC-32, with the reflected polynomial of IEEE 802.3.
fn crc_step(crc: u32, byte: u8) -> u32 {
    let mut crc = crc ^ u32::from(byte);
    for _ in 0..8 {
        let mask = (crc & 1).wrapping_neg();
        crc = crc >> 1 ^ 0xedb8_8320 & mask;
    }
    crc
}

/// The keys of [APPNOTE](super) §6.1.5.
#[derive(Clone)]
pub(super) struct Traditional([u32; 3]);

impl Traditional {
    fn new(passphrase: &[u8]) -> Self {
        let mut keys = Self([0x1234_5678, 0x2345_6789, 0x3456_7890]);
        for &byte in passphrase {
            keys.update(byte);
        }
        keys
    }

    /// Takes a byte of plaintext.
    fn update(&mut self, plain: u8) {
        let [first, second, third] = &mut self.0;
        *first = crc_step(*first, plain);
        *second = second
            .wrapping_add(*first & 0xff)
            .wrapping_mul(134_775_813)
            .wrapping_add(1);
        *third = crc_step(*third, (*second >> 24) as u8);
    }

    fn decrypt(&mut self, byte: u8) -> u8 {
        let mixed = self.0[2] as u16 | 2;
        let stream = (u32::from(mixed) * u32::from(mixed ^ 1) >> 8) as u8;
        let plain = byte ^ stream;
        self.update(plain);
        plain
    }

    /// Finds the passphrase that fits the check byte. One wrong passphrase in 128 fits too; its
    /// result then has a wrong CRC-32.
    pub(super) fn unlock<R: Read + Seek>(
        input: &mut R,
        item: &Item,
        phrases: &[Candidate],
    ) -> Result<Self, Error> {
        if phrases.is_empty() {
            return Err(Error::SecretMissing {
                needs: "a passphrase".to_owned(),
            });
        }
        if item.stored < HEADER as u64 {
            return Err(Error::Truncated {
                part: "data of a file in the archive",
            });
        }
        input.seek(SeekFrom::Start(item.start))?;
        let mut header = [0; HEADER];
        input.read_exact(&mut header)?;
        let checks = [Some((item.crc >> 24) as u8), item.time_check];
        for phrase in phrases {
            let mut keys = Self::new(&phrase.bytes);
            let mut last = 0;
            for byte in header {
                last = keys.decrypt(byte);
            }
            if checks.contains(&Some(last)) {
                return Ok(keys);
            }
        }
        Err(Error::WrongSecret)
    }

    /// The plaintext after the header.
    pub(super) fn reader<'a, R: Read + Seek>(
        &self,
        input: &'a mut R,
        item: &Item,
    ) -> io::Result<Decrypting<'a, R>> {
        input.seek(SeekFrom::Start(item.start + HEADER as u64))?;
        Ok(Decrypting {
            input: input.take(item.stored - HEADER as u64),
            keys: self.clone(),
        })
    }
}

impl Drop for Traditional {
    fn drop(&mut self) {
        zeroize::Zeroize::zeroize(&mut self.0);
    }
}

pub(super) struct Decrypting<'a, R> {
    input: Take<&'a mut R>,
    keys: Traditional,
}

impl<R: Read> Read for Decrypting<'_, R> {
    fn read(&mut self, output: &mut [u8]) -> io::Result<usize> {
        let length = self.input.read(output)?;
        for byte in &mut output[..length] {
            *byte = self.keys.decrypt(*byte);
        }
        Ok(length)
    }
}
