//! Encrypted data with an AEAD: version 2 of [RFC9580](super) §5.13.2, and GnuPG's packet 20,
//! [LIBREPGP](super) §5.16. Chunks with tags, and one more tag over the length of all of them.

use std::io::{self, Read};

use touchstone::dynamic::Aead;
use touchstone::hash::Sha256;
use touchstone::kdf::hkdf;
use zeroize::Zeroizing;

use super::algorithm::{BlockCipher, Mode, aead, cipher};
use super::packet::{Body, tag};
use super::session::SessionKey;
use crate::error::Error;
use crate::output::read_some;

const TAG: usize = 16;
/// The largest chunk: 2^22 bytes in RFC 9580; GnuPG has written larger ones.
const MOST_OCTET: u8 = 21;
const PART: &str = "encrypted data";

/// What the packet says before the chunks.
pub(super) struct Parameters {
    version2: bool,
    cipher: BlockCipher,
    mode: Mode,
    /// Bytes of plaintext in a chunk: 2^(octet + 6).
    octet: u8,
    /// The salt of version 2, the nonce of GnuPG.
    salt: Vec<u8>,
}

impl Parameters {
    fn read(body: &mut dyn Read, version2: bool) -> Result<Self, Error> {
        let mut bytes = [0; 3];
        body.read_exact(&mut bytes).map_err(Error::reading(PART))?;
        let [number, mode, octet] = bytes;
        let cipher = cipher(number)?;
        let mode = aead(cipher, mode)?;
        if octet > MOST_OCTET {
            return Err(Error::Limit {
                what: "bytes of a chunk",
                asked: 1u64.checked_shl(u32::from(octet) + 6),
                limit: 1 << (MOST_OCTET + 6),
            });
        }
        let mut salt = vec![0; if version2 { 32 } else { mode.nonce }];
        body.read_exact(&mut salt).map_err(Error::reading(PART))?;
        Ok(Self {
            version2,
            cipher,
            mode,
            octet,
            salt,
        })
    }

    /// Reads what follows the version of packet 18, version 2.
    pub(super) fn version2(body: &mut dyn Read) -> Result<Self, Error> {
        Self::read(body, true)
    }

    /// Reads what follows the version of packet 20.
    pub(super) fn librepgp(body: &mut dyn Read) -> Result<Self, Error> {
        Self::read(body, false)
    }

    pub(super) fn describe(&self) -> String {
        format!(
            "{}-{}, chunks of 2^{} bytes",
            self.cipher.name,
            self.mode.name,
            self.octet + 6
        )
    }

    /// The associated data that all chunks have: the beginning of the packet.
    fn about(&self) -> [u8; 5] {
        let (tag, version) = if self.version2 {
            (tag::PROTECTED, 2)
        } else {
            (tag::AEAD, 1)
        };
        [
            0xc0 | tag,
            version,
            self.cipher.number,
            self.mode.number,
            self.octet,
        ]
    }

    /// The AEAD with its key, and the nonce of chunk 0.
    fn start(&self, session: &SessionKey) -> Result<(Aead, Vec<u8>), Error> {
        if session.key.len() != self.cipher.key {
            return Err(Error::WrongSecretOrDamaged);
        }
        let name = format!("{}-{}", self.cipher.name, self.mode.name);
        if !self.version2 {
            return Ok((Aead::new(&name, &session.key)?, self.salt.clone()));
        }
        let mut derived = Zeroizing::new(vec![0; self.cipher.key + self.mode.nonce - 8]);
        hkdf::<Sha256>(&session.key, &self.salt, &self.about(), &mut derived)?;
        let (key, nonce) = derived.split_at(self.cipher.key);
        let nonce = [nonce, &[0; 8]].concat();
        Ok((Aead::new(&name, key)?, nonce))
    }
}

/// The plaintext of chunks. Each chunk is verified before any of it is released.
pub(super) struct Reader<'a> {
    body: Body<'a>,
    aead: Aead,
    nonce: Vec<u8>,
    about: [u8; 5],
    version2: bool,
    chunk: usize,
    number: u64,
    total: u64,
    /// Encrypted bytes that are not yet a whole chunk.
    sealed: Vec<u8>,
    plain: Zeroizing<Vec<u8>>,
    used: usize,
    ended: bool,
}

impl<'a> Reader<'a> {
    pub(super) fn new(
        body: Body<'a>,
        parameters: &Parameters,
        session: &SessionKey,
    ) -> Result<Self, Error> {
        let (aead, nonce) = parameters.start(session)?;
        Ok(Self {
            body,
            aead,
            nonce,
            about: parameters.about(),
            version2: parameters.version2,
            chunk: 1 << (parameters.octet + 6),
            number: 0,
            total: 0,
            sealed: Vec::new(),
            plain: Zeroizing::new(Vec::new()),
            used: 0,
            ended: false,
        })
    }

    /// Opens a message with the nonce and the associated data of the next number.
    fn open(&self, data: &mut [u8], tag: &[u8], total: Option<u64>) -> Result<(), Error> {
        let mut nonce = self.nonce.clone();
        let place = nonce.len() - 8;
        for (byte, number) in nonce[place..].iter_mut().zip(self.number.to_be_bytes()) {
            *byte ^= number;
        }
        let mut about = self.about.to_vec();
        if !self.version2 {
            about.extend(self.number.to_be_bytes());
        }
        about.extend(total.map(u64::to_be_bytes).into_iter().flatten());
        let opened = self.aead.decrypt_inout(&nonce, &about, data.into(), tag);
        // Until the first chunk is open, nothing shows that the key is right.
        opened.map_err(|_| match self.number {
            0 => Error::WrongSecretOrDamaged,
            _ => Error::Damaged { part: PART },
        })
    }

    /// Reads until there is a whole chunk with the tag that follows, or the end.
    fn gather(&mut self) -> Result<(), Error> {
        let whole = self.chunk + 2 * TAG;
        while self.sealed.len() < whole {
            let kept = self.sealed.len();
            // Never more memory than the file has bytes.
            self.sealed.resize(whole.min(kept + (1 << 16)), 0);
            let length = read_some(&mut self.body, &mut self.sealed[kept..])?;
            self.sealed.truncate(kept + length);
            if length == 0 {
                break;
            }
        }
        Ok(())
    }

    fn refill(&mut self) -> Result<(), Error> {
        self.gather()?;
        let inside = self.sealed.len().checked_sub(TAG);
        let inside = inside.ok_or(Error::Truncated { part: PART })?;
        self.used = 0;
        self.plain.clear();
        if inside > 0 {
            let length = inside.min(self.chunk + TAG);
            let data = length.checked_sub(TAG).filter(|length| *length > 0);
            let data = data.ok_or(Error::Truncated { part: PART })?;
            let mut plain = Zeroizing::new(self.sealed[..data].to_vec());
            self.open(&mut plain, &self.sealed[data..length], None)?;
            self.plain = plain;
            self.total += data as u64;
            self.number += 1;
            self.sealed.drain(..length);
            return Ok(());
        }
        self.ended = true;
        self.plain.clear();
        self.open(&mut [], &self.sealed, Some(self.total))
    }
}

impl Read for Reader<'_> {
    fn read(&mut self, output: &mut [u8]) -> io::Result<usize> {
        if output.is_empty() {
            return Ok(0);
        }
        while self.used == self.plain.len() && !self.ended {
            self.refill()?;
        }
        let length = output.len().min(self.plain.len() - self.used);
        output[..length].copy_from_slice(&self.plain[self.used..self.used + length]);
        self.used += length;
        Ok(length)
    }
}
